import io

import pytest

from storm.databases.formats.ris import read_ris
from storm.errors import RecordError
from storm.models import Hit, Retraction

RECORD = """TY  - JOUR
AU  - Slamon, Dennis J.
AU  - Leyland-Jones, B
A2  - Editor, E.
TI  - A trial of <i>trastuzumab</i>
T2  - The Journal of Trials
PY  - 2001
DA  - 2001/03/15/
AB  - HER2 matters at 10<sup>9</sup>.
See NCT00045032.
DO  - https://doi.org/10.1000/ABC
UR  - https://example.org/a; https://example.org/b
ER  -
"""


def items(text: str | bytes) -> list[Hit | RecordError]:
    return list(read_ris(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def hit(text: str | bytes) -> Hit:
    (found,) = items(text)
    assert isinstance(found, Hit), found
    return found


def reference(*lines: str, kind: str = "JOUR") -> str:
    return "\n".join([f"TY  - {kind}", *lines, "ER  - ", ""])


def test_a_reference_becomes_a_hit() -> None:
    found = hit(RECORD)
    assert (found.database, found.external_id, found.url) == ("ris", "10.1000/abc", "https://example.org/a")
    assert found.title == "A trial of trastuzumab"
    assert found.identifiers == ("doi:10.1000/abc", "ris:10.1000/abc")
    assert found.authors == ("Slamon DJ", "Leyland-Jones B")
    assert (found.date, found.year, found.container) == ("2001-03-15", 2001, "The Journal of Trials")
    assert found.text == "HER2 matters at 10^9. See NCT00045032."
    assert (found.publication_types, found.trials) == (("Journal",), ("NCT00045032",))
    assert found.retraction is Retraction.NOT_CHECKED


@pytest.mark.parametrize(
    ("lines", "external_id", "identifiers"),
    [
        (("AN  - 11248153", "DB  - PubMed"), "11248153", ("pmid:11248153", "ris:11248153")),
        (("AN  - 11248153", "DP  - NLM MEDLINE"), "11248153", ("pmid:11248153", "ris:11248153")),
        (("AN  - 11248153", "DB  - Embase"), "11248153", ("ris:11248153",)),
        (("ID  - PMID:11248153",), "PMID:11248153", ("pmid:11248153", "ris:PMID:11248153")),
        (("ID  - Slamon2001",), "Slamon2001", ("ris:Slamon2001",)),
        (("AN  - A1", "C2  - PMC3040717"), "A1", ("pmcid:PMC3040717", "ris:A1")),
        (("AN  - A1", "C2  - 3040717"), "A1", ("ris:A1",)),
        (("AN  - A1", "UR  - https://pubmed.ncbi.nlm.nih.gov/77/"), "A1", ("pmid:77", "ris:A1")),
        (("AN  - A1", "UR  - https://example.org/77"), "A1", ("ris:A1",)),
    ],
)
def test_a_number_is_a_pmid_only_where_the_record_says_so(
    lines: tuple[str, ...], external_id: str, identifiers: tuple[str, ...]
) -> None:
    found = hit(reference("TI  - T", *lines))
    assert (found.external_id, found.identifiers) == (external_id, identifiers)


def test_without_any_number_title_and_year_name_the_reference() -> None:
    first, again, other = (
        hit(reference(f"TI  - {title}", f"PY  - {year}")).external_id
        for title, year in (("A  Trial", 2001), ("a trial", "2001/03/15"), ("A trial", 2002))
    )
    assert first == again == "sha256-dcb18835e9955f51"
    assert other != first


def test_a_chapter_is_not_identified_by_its_books_doi() -> None:
    found = hit(reference("TI  - HER2 testing", "T2  - Gene Reviews", "DO  - 10.1000/book", "AN  - c1", kind="CHAP"))
    assert (found.identifiers, found.container) == (("ris:c1",), "Gene Reviews")
    assert found.publication_types == ("Book chapter",)
    assert found.publication.book and found.publication.book.doi == "10.1000/book"


def test_addresses_other_than_web_pages_are_not_taken() -> None:
    assert hit(reference("TI  - T", "AN  - 1", "UR  - javascript:alert(1)", "UR  - file:///etc/passwd")).url == ""
    assert hit(reference("TI  - T", "DO  - 10.1000/a")).url == "https://doi.org/10.1000/a"


def test_a_title_that_says_retracted_is_heard() -> None:
    assert hit(reference("TI  - RETRACTED: A trial", "AN  - 1")).retraction is Retraction.RETRACTED


def test_a_bad_reference_costs_only_itself() -> None:
    text = "\n".join([RECORD, reference("AU  - Nobody"), "AU  - stray\nER  - \n", RECORD])
    found = items(text)
    assert [str(item) for item in found if isinstance(item, RecordError)] == [
        "line 15: the reference has no title",
        "line 19: the reference does not begin with TY  -",
    ]
    assert sum(isinstance(item, Hit) for item in found) == 2


def test_a_file_that_is_cut_off_says_so_after_what_was_complete() -> None:
    found = items(RECORD + RECORD[:-20])
    assert isinstance(found[0], Hit)
    assert str(found[1]) == "line 14: the reference does not end with ER  -"


def test_a_missing_end_before_the_next_reference_is_forgiven() -> None:
    text = reference("TI  - One", "AN  - 1").replace("ER  - \n", "") + reference("TI  - Two", "AN  - 2")
    assert [item.title for item in items(text) if isinstance(item, Hit)] == ["One", "Two"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_any_line_ending_and_both_encodings_are_read(newline: str) -> None:
    text = ("Provider: someone\n\n" + reference("TI  - Zürich", "AN  - 1") * 2).replace("\n", newline)
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("cp1252")):
        assert [item.title for item in items(data) if isinstance(item, Hit)] == ["Zürich", "Zürich"]


@pytest.mark.parametrize("data", [b"", b"<html></html>", b"PMID- 1\n", b"AU  - x\nER  - \n"])
def test_what_is_no_ris_is_one_error(data: bytes) -> None:
    (found,) = items(data)
    assert str(found) == "not RIS: no line begins with TY  -"


def test_a_reference_whose_tags_are_broken_is_reported_and_not_dropped() -> None:
    broken = "TY - JOUR\nTI - Lost\nER - \n\n"
    text = reference("TI  - One", "AN  - 1") + broken + reference("TI  - Two", "AN  - 2")
    for content, position in ((text, "line 5"), (broken + text.replace(broken, ""), "line 1")):
        found = items(content)
        assert [item.title for item in found if isinstance(item, Hit)] == ["One", "Two"]
        assert [item.position for item in found if isinstance(item, RecordError)] == [position]


def test_lines_before_the_first_reference_are_left_out() -> None:
    (found,) = items(b"Exported by hand\n\nTY  - JOUR\nTI  - One\nER  - \n")
    assert isinstance(found, Hit) and found.title == "One"


def test_an_address_with_spaces_or_invisible_characters_is_none() -> None:
    record = "TY  - JOUR\nTI  - One\nDO  - 10.1000/x1\nUR  - {}\nER  - \n"
    for address in ("https://example.org/a b", "https://example.org/\u202etxt.exe", "javascript:alert(1)"):
        (found,) = items(record.format(address).encode())
        assert isinstance(found, Hit) and found.url == "https://doi.org/10.1000/x1"
