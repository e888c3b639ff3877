"""The safety of every XML format, tried through the PubMed and the JATS readers."""

import io
import socket
from pathlib import Path

import pytest
from lxml import etree

from storm.databases.formats.jats import read_jats
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.databases.formats.records import MAX_RECORD_BYTES
from storm.databases.formats.xml_records import read_xml
from storm.errors import RecordError
from storm.models import Hit

RECORD = (
    "<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>{title}</ArticleTitle></Article>"
    "</MedlineCitation></PubmedArticle>"
)


def read(document: str | bytes) -> list[Hit | RecordError]:
    data = document.encode() if isinstance(document, str) else document
    return list(read_pubmed(io.BytesIO(data)))


def articles(*titles: str, doctype: str = "") -> str:
    records = "\n".join(RECORD.format(pmid=n, title=title) for n, title in enumerate(titles, 1))
    return f"{doctype}<PubmedArticleSet>\n{records}\n</PubmedArticleSet>"


def outcome(found: list[Hit | RecordError]) -> list[str]:
    return [str(item) if isinstance(item, RecordError) else item.title for item in found]


def test_a_truncated_set_yields_what_was_complete_and_then_says_where_and_why() -> None:
    found = outcome(read(articles("One", "Two", "Three")[:-80]))
    assert found[:2] == ["One", "Two"]
    assert len(found) == 3
    assert found[2].startswith("line 4, after record 2: not well-formed XML: ")


def test_a_broken_tag_in_the_middle_ends_the_set() -> None:
    found = outcome(read(articles("One", "T<w>o", "Three")))
    assert found[0] == "One"
    assert found[1].startswith("line 3, after record 1: not well-formed XML: Opening and ending tag mismatch")
    assert len(found) == 2


def test_a_bad_record_costs_only_itself() -> None:
    assert outcome(read(articles("One", "", "Three"))) == ["One", "PMID 2: the record has no title", "Three"]


def test_a_record_without_a_pmid_is_placed_by_its_number() -> None:
    found = outcome(read(articles("One", "Two").replace("<PMID>2</PMID>", "")))
    assert found == ["One", "record 2: the record has no PMID"]


BILLION_LAUGHS = (
    '<!DOCTYPE r [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)) + "]>"
)


@pytest.mark.parametrize("title", ["&a11;", 'x</ArticleTitle><Abstract><AbstractText Label="&a11;">y</AbstractText>'
                                   "</Abstract><ArticleTitle>z", "no use of it"])  # fmt: skip
def test_a_billion_laughs_are_never_expanded(title: str) -> None:
    found = outcome(read(articles(title, doctype=BILLION_LAUGHS)))
    assert len(found) == 1
    assert "entities of its own" in found[0]


def test_an_entity_declared_inside_is_never_expanded() -> None:
    found = outcome(read(articles("&own;", doctype='<!DOCTYPE r [<!ENTITY own "EXPANDED">]>')))
    assert found == ["the document declares entities of its own, which are never expanded"]


def test_a_file_named_by_an_entity_is_never_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET", encoding="utf-8")
    for doctype in (
        f'<!DOCTYPE r [<!ENTITY own SYSTEM "{secret.as_uri()}">]>',
        f'<!DOCTYPE r [<!ENTITY % own SYSTEM "{secret.as_uri()}"> %own;]>',
        f'<!DOCTYPE r SYSTEM "{secret.as_uri()}">',
    ):
        found = outcome(read(articles("One &own; two", doctype=doctype)))
        assert not any("SECRET" in text for text in found)
        assert len(found) == 1


def test_a_dtd_file_is_never_loaded(tmp_path: Path) -> None:
    dtd = tmp_path / "own.dtd"
    dtd.write_text('<!ENTITY own "EXPANDED"><!ATTLIST PMID extra CDATA "EXPANDED">', encoding="utf-8")
    found = outcome(read(articles("One &own;", "Two", doctype=f'<!DOCTYPE r SYSTEM "{dtd.as_uri()}">')))
    assert found == ["record 1: the text uses &own;, which names no character", "Two"]


def test_nothing_is_fetched_from_the_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        place = f"http://127.0.0.1:{server.getsockname()[1]}/own"
        for doctype in (
            f'<!DOCTYPE r SYSTEM "{place}.dtd">',
            f'<!DOCTYPE r PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "{place}.dtd">',
            f'<!DOCTYPE r [<!ENTITY % own SYSTEM "{place}.ent"> %own;]>',
            f'<!DOCTYPE r [<!ENTITY beta SYSTEM "{place}.ent">]>',
        ):
            assert len(read(articles("One &beta; two", doctype=doctype))) == 1
        with pytest.raises(BlockingIOError):
            server.accept()


def test_the_usual_doctype_is_no_hindrance() -> None:
    doctype = (
        '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">'
    )
    assert outcome(read(articles("One &beta; two", doctype=doctype))) == ["One β two"]


def test_xinclude_is_only_an_element(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET", encoding="utf-8")
    include = f'<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="{tmp_path}/secret.txt" parse="text"/>'
    assert outcome(read(articles(f"One {include}two"))) == ["One two"]


def test_an_entity_without_a_doctype_ends_the_document() -> None:
    found = outcome(read(articles("One", "Two &nbsp;")))
    assert found == ["One", "line 3, after record 1: not well-formed XML: Entity 'nbsp' not defined"]


def test_nesting_and_texts_without_end_are_refused() -> None:
    deep = outcome(read("<PubmedArticleSet>" + "<a>" * 100_000))
    assert "Excessive depth" in deep[0]
    long = outcome(read(articles("One", "x" * 11_000_000)))
    assert long[0] == "One"
    assert "Text node too long" in long[1]


class Endless:
    """A set whose record never ends."""

    given = 0

    def read(self, size: int = -1) -> bytes:
        part = b"<a>" + b"x" * 1_000_000 + b"</a>" if self.given else b"<PubmedArticleSet><PubmedArticle>"
        self.given += len(part)
        return part


def test_a_record_that_never_ends_is_given_up() -> None:
    stream = Endless()
    found = outcome(list(read_pubmed(stream)))  # type: ignore[arg-type]
    assert found == ["a record is longer than 64,000,000 bytes"]
    assert stream.given < MAX_RECORD_BYTES + 2**20


def test_records_that_were_read_are_freed() -> None:
    before: list[int] = []

    def convert(record: etree._Element) -> Hit:
        before.append(sum(len(ancestor) - 1 for ancestor in record.iterancestors()))
        return Hit.of("pubmed", "1", "", "Title")

    wrapped = "<set>" + "<part><head/><record><a/></record></part><junk/>" * 5000 + "</set>"
    assert len(list(read_xml(io.BytesIO(wrapped.encode()), "a set", ["set"], ["record"], convert))) == 5000
    # The parser runs ahead by its buffer of 32 kB; of what is behind a record next to nothing is left.
    assert max(before) < 2000
    assert before[-1] < 10


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("", "no XML element begins"),
        ("<PubmedArticleSet", "no XML element begins"),
        (
            "<eSearchResult><ERROR>x</ERROR></eSearchResult>",
            "not PubMed XML: the root element is eSearchResult",
        ),
        ("<!DOCTYPE html><html></html>", "not PubMed XML: the root element is html"),
        ('{"error": "x"}', "not well-formed XML"),
        ("<PubmedArticleSet></Pubmed>", "not well-formed XML"),
        ("<!--" + "x" * 70_000 + "--><PubmedArticleSet/>", "no XML element begins"),
    ],
)
def test_what_is_no_pubmed_xml_is_one_error(document: str, reason: str) -> None:
    found = outcome(read(document))
    assert len(found) == 1
    assert reason in found[0]


def test_an_empty_set_is_no_error() -> None:
    assert read("<?xml version='1.0'?><PubmedArticleSet>\n\n</PubmedArticleSet>") == []


def test_other_encodings_are_read() -> None:
    document = "<?xml version='1.0' encoding='{}'?>" + articles("Zürich")
    for encoding in ("utf-16", "iso-8859-1"):
        assert outcome(read(document.format(encoding).encode(encoding))) == ["Zürich"]
    assert outcome(read(b"\xef\xbb\xbf" + articles("Zürich").encode())) == ["Zürich"]
    assert "encoding" in outcome(read(document.format("klingon").encode()))[0]


def test_jats_is_read_under_the_same_rules() -> None:
    document = f"{BILLION_LAUGHS}<article><front><article-meta/></front></article>"
    assert "entities of its own" in outcome(list(read_jats(io.BytesIO(document.encode()))))[0]
