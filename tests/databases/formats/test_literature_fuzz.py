"""Whatever the bytes are, a reader yields hits and record errors, and ends."""

import io
import json
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.jats import read_jats
from storm.databases.formats.medline import read_medline
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.databases.formats.ris import read_ris
from storm.errors import RecordError
from storm.models import Hit

PUBMED = b"""<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/out/pubmed.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">101</PMID><Article><Journal><JournalIssue><PubDate>
<Year>2001</Year><Month>Mar</Month><Day>15</Day></PubDate></JournalIssue><Title>J</Title></Journal>
<ArticleTitle>[A <i>trial</i>.]</ArticleTitle><VernacularTitle>Ein</VernacularTitle><Abstract>
<AbstractText Label="AIM">10<sup>9</sup> &lt; x <mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:msup>
<mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></AbstractText></Abstract><AuthorList><Author>
<LastName>Slamon</LastName><ForeName>Dennis J</ForeName></Author></AuthorList></Article><CommentsCorrectionsList>
<CommentsCorrections RefType="RetractionIn"><RefSource>J</RefSource><PMID>5</PMID></CommentsCorrections>
</CommentsCorrectionsList></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1000/a</ArticleId>
</ArticleIdList></PubmedData></PubmedArticle><PubmedBookArticle><BookDocument><PMID>102</PMID><Book><BookTitle>B
</BookTitle></Book><ArticleTitle>C</ArticleTitle></BookDocument></PubmedBookArticle></PubmedArticleSet>"""
JATS = b"""<pmc-articleset><article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front>
<article-meta><article-id pub-id-type="pmcid">PMC202</article-id><article-id pub-id-type="doi">10.1000/a</article-id>
<title-group><article-title>A <xref ref-type="fn">1</xref>trial</article-title></title-group><contrib-group><contrib>
<name><surname>Slamon</surname><given-names>DJ</given-names></name></contrib></contrib-group><pub-date>
<year>2001</year></pub-date><related-article related-article-type="retraction-forward" xlink:href="10.1000/b"/>
<abstract><sec><title>Aim</title><p>See.<sup><xref ref-type="bibr">1</xref></sup></p></sec></abstract></article-meta>
</front><body><sec><title>Results</title><p>Text <inline-formula><alternatives><tex-math>x</tex-math></alternatives>
</inline-formula><fig><label>1</label><caption><p>c</p></caption></fig></p><sec><title>In</title><p>y</p></sec></sec>
</body></article><article><front><article-meta/></front></article></pmc-articleset>"""
MEDLINE = """PMID- 101
TI  - [A trial
      of \u00e9.]
AB  - AIM: one. RESULTS: two.
AU  - Slamon DJ
DP  - 2001 Mar 15
AID - 10.1000/a [doi]
RIN - J. PMID: 5

PMID- 102
BTI - Book
""".encode()
RIS = """TY  - JOUR
TI  - A trial \u00e9
AU  - Slamon, Dennis J.
DA  - 2001/03/15/
DO  - 10.1000/a
UR  - https://example.org/a; http://[x
AB  - Text
 more
ER  -

TY  - CHAP
ER  -
""".encode()
EUROPEPMC = json.dumps(
    {
        "hitCount": 2,
        "resultList": {
            "result": [
                {
                    "id": "101",
                    "source": "MED",
                    "title": "A <i>trial</i>",
                    "abstractText": "<h4>Aim</h4>10<sup>9</sup>",
                    "authorList": {"author": [{"fullName": "Slamon DJ"}]},
                    "pubYear": "2001",
                    "commentCorrectionList": {"commentCorrection": [{"type": "Retraction in", "id": "5"}]},
                },
                {"id": "PPR1", "source": "PPR", "title": "B"},
            ]
        },
    },
    indent=1,
).encode()

Reader = Callable[[BinaryIO], Iterator[Hit | RecordError]]
FORMATS = [
    pytest.param(read_pubmed, PUBMED, id="pubmed"),
    pytest.param(read_jats, JATS, id="jats"),
    pytest.param(read_medline, MEDLINE, id="medline"),
    pytest.param(read_ris, RIS, id="ris"),
    pytest.param(read_europepmc, EUROPEPMC, id="europepmc"),
]
PIECES = st.one_of(
    st.binary(max_size=6),
    st.sampled_from(
        [b"<", b">", b"&amp;", b"&x;", b"<sup>", b"</sup>", b"<a/>", b"<!--", b"]]>", b"\n", b"\n\n", b"\r", b'"', b"{",
         b"}", b"[", b"]", b":", b"null", b"1e999", b"\\ud800", b"\0", b"\xff\xfe", b"ER  - \n", b"TY  - ", b"PMID- ",
         b"      ", b"<?xml version='1.0' encoding='utf-7'?>", b"xmlns='u'", b"\xf0\x9f\x92\x8a"]
    ),
)  # fmt: skip


def check(reader: Reader, data: bytes) -> list[Hit | RecordError]:
    found = list(reader(io.BytesIO(data)))
    for item in found:
        assert isinstance(item, Hit | RecordError)
        if isinstance(item, Hit):
            assert item.title and item.external_id
            item.model_dump_json()
        else:
            assert item.message
    return found


@pytest.mark.parametrize(("reader", "document"), FORMATS)
def test_the_unharmed_document_has_one_good_record_first(reader: Reader, document: bytes) -> None:
    found = check(reader, document)
    assert isinstance(found[0], Hit)
    assert found[0].year == 2001
    assert len(found) == 2


@pytest.mark.parametrize(("reader", "document"), FORMATS)
@given(data=st.binary(max_size=200))
def test_random_bytes_are_an_error_or_nothing(reader: Reader, document: bytes, data: bytes) -> None:
    check(reader, data)
    check(reader, document[:40] + data)


@pytest.mark.parametrize(("reader", "document"), FORMATS)
def test_a_document_cut_anywhere_never_gains_records(reader: Reader, document: bytes) -> None:
    whole = sum(isinstance(item, Hit) for item in check(reader, document))
    for end in range(0, len(document), 3):
        found = check(reader, document[:end])
        assert sum(isinstance(item, Hit) for item in found) <= whole
        assert sum(isinstance(item, RecordError) for item in found) <= 2


@settings(max_examples=150)
@pytest.mark.parametrize(("reader", "document"), FORMATS)
@given(changes=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES), min_size=1, max_size=4))
def test_changes_anywhere_do_no_harm(reader: Reader, document: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    for place, removed, piece in changes:
        at = int(place * len(document))
        document = document[:at] + piece + document[at + removed :]
    check(reader, document)
