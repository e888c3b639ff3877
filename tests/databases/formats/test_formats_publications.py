"""What each format keeps for a bibliography, of small records in the shape that it has."""

from __future__ import annotations

import io

import pytest

from storm.databases.formats.crossref import work_hit
from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.jats import read_jats
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.medline import read_medline
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.databases.formats.ris import read_ris
from storm.databases.formats.table import read_csv
from storm.databases.pages.html import read_html
from storm.models import BookDetails, Contributor, Hit, Pages, Publication

SLAMON = Contributor(family="Slamon", given="Dennis J", initials="DJ")
GEBHARD = Contributor(family="Gebhard", given="Carl", initials="C", suffix="3rd")
TEAM = Contributor(collective="HERA Study Team")

PUBMED = """<PubmedArticle><MedlineCitation><PMID>101</PMID><Article><Journal><ISSN IssnType="Print">0028-4793</ISSN>
<JournalIssue><Volume>344</Volume><Issue>11</Issue><PubDate><Year>2001</Year></PubDate></JournalIssue>
<Title>The Journal of Trials</Title></Journal><ArticleTitle>A trial</ArticleTitle>
<Pagination><StartPage>783</StartPage><EndPage>792</EndPage></Pagination>
<ELocationID EIdType="pii" ValidYN="Y">e77</ELocationID>
<AuthorList CompleteYN="Y"><Author><LastName>Slamon</LastName><ForeName>Dennis J</ForeName><Initials>DJ</Initials>
</Author><Author><LastName>Gebhard</LastName><ForeName>Carl</ForeName><Initials>C</Initials><Suffix>3rd</Suffix></Author>
<Author><CollectiveName>HERA Study Team</CollectiveName></Author></AuthorList><Language>eng</Language></Article>
<MedlineJournalInfo><MedlineTA>J Trials</MedlineTA></MedlineJournalInfo></MedlineCitation></PubmedArticle>"""
BOOK = """<PubmedBookArticle><BookDocument><PMID>102</PMID><Book><Publisher><PublisherName>StatPearls</PublisherName>
<PublisherLocation>Treasure Island (FL)</PublisherLocation></Publisher><BookTitle>A Book</BookTitle>
<AuthorList Type="editors"><Author><LastName>Slamon</LastName><ForeName>Dennis J</ForeName><Initials>DJ</Initials>
</Author></AuthorList><Isbn>978-1-86016-359-3</Isbn></Book><ArticleTitle>A chapter</ArticleTitle>AUTHORS</BookDocument>
</PubmedBookArticle>"""
MEDLINE = """PMID- 101
IS  - 1533-4406 (Electronic)
IS  - 0028-4793 (Print)
VI  - 344
IP  - 11
DP  - 2001
TI  - A trial
PG  - 783-92
LA  - eng
FAU - Slamon, Dennis J
AU  - Slamon DJ
FAU - Gebhard, Carl 3rd
AU  - Gebhard C 3rd
CN  - HERA Study Team
TA  - J Trials
JT  - The Journal of Trials
"""
JATS = """<article xml:lang="en"><front><journal-meta><journal-id journal-id-type="nlm-ta">J Trials</journal-id>
<journal-title-group><journal-title>The Journal of Trials</journal-title></journal-title-group>
<issn pub-type="epub">1533-4406</issn><issn pub-type="ppub">0028-4793</issn><publisher>
<publisher-name>Trialists</publisher-name><publisher-loc>Boston</publisher-loc></publisher></journal-meta>
<article-meta><article-id pub-id-type="pmid">101</article-id>
<title-group><article-title>A trial</article-title></title-group><contrib-group><contrib contrib-type="author"><name>
<surname>Slamon</surname><given-names initials="DJ">Dennis J</given-names></name></contrib><contrib><name>
<surname>Gebhard</surname><given-names initials="C">Carl</given-names><suffix>3rd</suffix></name></contrib><contrib>
<collab>HERA Study Team</collab></contrib></contrib-group><volume>344</volume><issue>11</issue>
<fpage>783</fpage><lpage>792</lpage></article-meta></front></article>"""
EUROPE_PMC = """{"source": "MED", "id": "101", "title": "A trial", "pageInfo": "783-92", "language": "eng",
"journalInfo": {"volume": "344", "issue": "11",
"journal": {"title": "The Journal of Trials", "isoabbreviation": "J Trials",
"issn": "0028-4793", "essn": "1533-4406"}}, "authorList": {"author": [
{"lastName": "Slamon", "firstName": "Dennis J", "initials": "DJ", "fullName": "Slamon DJ"},
{"lastName": "Gebhard", "firstName": "Carl", "initials": "C", "fullName": "Gebhard C 3rd"},
{"collectiveName": "HERA Study Team"}]}}"""
LITE = """{"source": "MED", "id": "101", "title": "A trial", "pageInfo": "e77", "journalTitle": "J Trials",
"journalVolume": "344", "issue": "11", "journalIssn": "0028-4793; 1533-4406; ",
"authorString": "Slamon DJ, Gebhard C."}"""
RIS = """TY  - JOUR
AU  - Slamon, Dennis J.
AU  - Gebhard, Carl, 3rd
AU  - HERA Study Team
TI  - A trial
T2  - The Journal of Trials
J2  - J Trials
PY  - 2001
VL  - 344
IS  - 11
SP  - 783
EP  - 92
SN  - 0028-4793
LA  - eng
ER  -
"""
CSV = """\
database,external_id,url,title,authors,container,journal_abbreviation,volume,issue,pages,issn,publisher,language
web,1,https://a.org,A trial,"Slamon, Dennis J; et al",The Journal of Trials,J Trials,344,11,783-92,00284793,P,eng
"""
#: What all of the article's records state.
ARTICLE = Publication(
    journal="The Journal of Trials",
    journal_abbreviation="J Trials",
    volume="344",
    issue="11",
    pages=Pages(first="783", last="792"),
    issn="0028-4793",
    language="eng",
    authors=(SLAMON, GEBHARD, TEAM),
)


def publication(read: object, text: str) -> Publication:
    (hit,) = read(io.BytesIO(text.encode()))  # type: ignore[operator]
    assert isinstance(hit, Hit), hit
    return hit.publication


def test_pubmed_says_whether_the_authors_are_complete() -> None:
    assert publication(read_pubmed, PUBMED) == ARTICLE.model_copy(update={"authors_complete": True})
    cut = publication(read_pubmed, PUBMED.replace('CompleteYN="Y"', 'CompleteYN="N"'))
    assert (cut.authors, cut.authors_complete) == (ARTICLE.authors, False)


def test_a_publishers_number_stands_for_pages_only_in_a_volume() -> None:
    paged = "<Pagination><StartPage>783</StartPage><EndPage>792</EndPage></Pagination>"
    numbered = PUBMED.replace(paged, "")
    assert publication(read_pubmed, numbered).article_number == "e77"
    assert publication(read_pubmed, numbered.replace("<Volume>344</Volume>", "")).article_number is None


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ("", ()),
        ("<AuthorList><Author><CollectiveName>HERA Study Team</CollectiveName></Author></AuthorList>", (TEAM,)),
    ],
)  # fmt: skip
def test_a_chapter_keeps_its_book_with_editors(authors: str, expected: tuple[Contributor, ...]) -> None:
    assert publication(read_pubmed, BOOK.replace("AUTHORS", authors)) == Publication(
        authors=expected,
        publisher="StatPearls",
        place="Treasure Island (FL)",
        book=BookDetails(title="A Book", editors=(SLAMON,), isbn="9781860163593"),
    )


def test_medline_keeps_the_same() -> None:
    assert publication(read_medline, MEDLINE) == ARTICLE


def test_medline_without_full_names_does_not_part_them() -> None:
    short = "".join(line for line in MEDLINE.splitlines(keepends=True) if not line.startswith(("FAU", "CN")))
    assert publication(read_medline, short).authors == ()


def test_jats_keeps_the_same_and_the_publisher() -> None:
    more = {"language": "en", "publisher": "Trialists", "place": "Boston"}
    assert publication(read_jats, JATS) == ARTICLE.model_copy(update=more)


def test_an_article_of_jats_has_a_number_in_place_of_pages() -> None:
    pages = "<fpage>783</fpage><lpage>792</lpage>"
    numbered = publication(read_jats, JATS.replace(pages, "<elocation-id>e77</elocation-id>"))
    assert (numbered.pages, numbered.article_number) == (None, "e77")


def test_an_abbreviation_that_is_the_title_is_written_as_the_title() -> None:
    lower = JATS.replace(">J Trials<", ">elife<").replace(">The Journal of Trials<", ">eLife<")
    assert publication(read_jats, lower).journal_abbreviation == "eLife"


def test_europe_pmc_keeps_the_same() -> None:
    assert publication(read_europepmc, EUROPE_PMC) == ARTICLE


def test_a_lite_record_of_europe_pmc_does_not_part_the_authors() -> None:
    assert publication(read_europepmc, LITE) == Publication(
        volume="344", issue="11", article_number="e77", issn="0028-4793"
    )


def test_crossref_keeps_the_same() -> None:
    work = {
        "DOI": "10.1000/1", "title": ["A trial"], "type": "journal-article", "publisher": "Trials &amp; Co",
        "container-title": ["The Journal of Trials"], "short-container-title": ["J Trials"], "volume": "344",
        "issue": "11", "page": "783-792", "language": "eng", "ISSN": ["1533-4406", "0028-4793"],
        "issn-type": [{"type": "electronic", "value": "1533-4406"}, {"type": "print", "value": "0028-4793"}],
        "author": [
            {"family": "Slamon", "given": "Dennis J"}, {"family": "Gebhard", "given": "Carl", "suffix": "3rd"},
            {"name": "HERA Study Team"},
        ],
    }  # fmt: skip
    hit = work_hit(JsonRecord(work, "work"))
    assert isinstance(hit, Hit)
    authors = tuple(person.model_copy(update={"initials": ""}) for person in ARTICLE.authors)
    assert hit.publication == ARTICLE.model_copy(update={"authors": authors, "publisher": "Trials & Co"})
    assert hit.authors == ("Slamon DJ", "Gebhard C 3rd", "HERA Study Team")


def test_ris_keeps_names_as_they_are_written() -> None:
    authors = (
        Contributor(family="Slamon", given="Dennis J."),
        Contributor(family="Gebhard", given="Carl", suffix="3rd"),
        TEAM,
    )
    assert publication(read_ris, RIS) == ARTICLE.model_copy(update={"authors": authors})


@pytest.mark.parametrize(
    ("read", "text", "line"),
    [(read_medline, MEDLINE, "AU  - et al\nTA  - "), (read_ris, RIS, "AU  - et al.\nT2  - ")],
)
def test_et_al_says_that_the_authors_are_not_complete(read: object, text: str, line: str) -> None:
    cut = publication(read, text.replace(line.split("\n")[1], line))
    assert (len(cut.authors), cut.authors_complete) == (3, False)


@pytest.mark.parametrize("tag", ["A2", "ED"])
def test_a_chapter_of_ris_keeps_its_book_with_editors(tag: str) -> None:
    lines = (
        "TY  - CHAP", "TI  - A chapter", "T2  - A Book", f"{tag}  - Slamon, D. J.", "SN  - 978-1-86016-359-3",
        "PB  - P", "CY  - Oxford", "SP  - e77", "ER  - ", "",
    )  # fmt: skip
    assert publication(read_ris, "\n".join(lines)) == Publication(
        publisher="P",
        place="Oxford",
        article_number="e77",
        book=BookDetails(title="A Book", editors=(Contributor(family="Slamon", given="D. J."),), isbn="9781860163593"),
    )


@pytest.mark.parametrize(
    ("kind", "volume", "issue"),
    [("JOUR", "", "11"), ("ELEC", "VL  - 344\n", "11"), ("PAT", "", None), ("RPRT", "", None)],
)
def test_a_patents_number_is_no_issue(kind: str, volume: str, issue: str | None) -> None:
    reference = f"TY  - {kind}\nTI  - A work\n{volume}IS  - 11\nER  - \n"
    assert publication(read_ris, reference).issue == issue


def test_a_table_has_columns_for_the_same() -> None:
    assert publication(read_csv, CSV) == ARTICLE.model_copy(
        update={
            "journal": None,
            "publisher": "P",
            "authors": (Contributor(family="Slamon", given="Dennis J"),),
            "authors_complete": False,
        }
    )


def test_a_web_page_states_the_same_in_its_tags() -> None:
    tags = {
        "citation_journal_title": "The Journal of Trials", "citation_journal_abbrev": "J Trials",
        "citation_volume": "344", "citation_issue": "11",
        "citation_firstpage": "783", "citation_lastpage": "792", "citation_issn": "0028-4793",
        "citation_language": "eng", "citation_author": "Slamon, Dennis J",
    }  # fmt: skip
    head = "".join(f'<meta name="{name}" content="{value}">' for name, value in tags.items())
    text = "<p>The women who were given the antibody lived longer than those who were not.</p>" * 20
    page = read_html(f"<!doctype html><html><head>{head}</head><body><article>{text}</article></body></html>")
    assert page.publication == ARTICLE.model_copy(update={"authors": (Contributor(family="Slamon", given="Dennis J"),)})
