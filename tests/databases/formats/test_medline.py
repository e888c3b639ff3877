import io

import pytest
from sections import in_abstract

from storm.databases.formats.medline import read_medline
from storm.errors import RecordError
from storm.models import Hit, Retraction

RECORD = """PMID- 101
OWN - NLM
DP  - 2001 Mar 15
TI  - A trial of trastuzumab in women whose tumours
      overexpress HER2.
LID - 10.1000/Lid1 [doi]
AB  - BACKGROUND: HER2 matters in NCT00021255. METHODS: We randomised (n=469;
      HER2: positive) women. RESULTS: It helped.
FAU - Slamon, Dennis J
AU  - Slamon DJ
CN  - HERA Study Team
PT  - Journal Article
PT  - Randomized Controlled
      Trial
MH  - *Breast Neoplasms/drug therapy
MH  - Breast Neoplasms/mortality/*pathology
MH  - Case-Control Studies
TA  - J Trials
JT  - The Journal of Trials
SI  - ClinicalTrials.gov/NCT00045032
PMC - PMC202
AID - S0140-6736 [pii]
AID - 10.1000/ABC [doi]
SO  - J Trials. 2001 Mar 15.
"""


def items(text: str | bytes) -> list[Hit | RecordError]:
    return list(read_medline(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def hit(text: str | bytes) -> Hit:
    (found,) = items(text)
    assert isinstance(found, Hit), found
    return found


def test_a_record_becomes_a_hit() -> None:
    found = hit(RECORD)
    assert (found.database, found.external_id, found.url) == ("pubmed", "101", "https://pubmed.ncbi.nlm.nih.gov/101/")
    assert found.title == "A trial of trastuzumab in women whose tumours overexpress HER2."
    assert found.identifiers == ("pmid:101", "pmcid:PMC202", "doi:10.1000/abc")
    assert found.authors == ("Slamon DJ", "HERA Study Team")
    assert (found.date, found.year, found.container) == ("2001-03-15", 2001, "J Trials")
    assert found.publication_types == ("Journal Article", "Randomized Controlled Trial")
    assert found.headings == ("Breast Neoplasms", "Case-Control Studies")
    assert found.trials == ("NCT00045032", "NCT00021255")
    assert (found.retraction, found.notices) == (Retraction.NOT_RETRACTED, ())


def test_a_structured_abstract_is_cut_at_its_headings() -> None:
    assert hit(RECORD).sections == (
        in_abstract("BACKGROUND", "HER2 matters in NCT00021255."),
        in_abstract("METHODS", "We randomised (n=469; HER2: positive) women."),
        in_abstract("RESULTS", "It helped."),
    )


@pytest.mark.parametrize("abstract", ["RESULTS: only one.", "It is known. AIM: a. RESULTS: b.", "Plain (HER2: yes)."])
def test_any_other_abstract_is_one_text(abstract: str) -> None:
    assert hit(f"PMID- 1\nTI  - T.\nAB  - {abstract}\n").sections == (in_abstract("", abstract),)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_records_end_at_a_blank_line_or_where_the_next_begins(newline: str) -> None:
    text = f"\n{RECORD}\n\n{RECORD.replace('101', '102', 1)}{RECORD.replace('101', '103', 1)}".replace("\n", newline)
    assert [item.external_id for item in items(text) if isinstance(item, Hit)] == ["101", "102", "103"]


def test_a_bad_record_costs_only_itself() -> None:
    text = f"{RECORD}\nTI  - No number.\n\nPMID- 9\nAB  - No title.\n\nno tag\n\n{RECORD}"
    found = items(text)
    assert [str(item) for item in found if isinstance(item, RecordError)] == [
        "line 26: the record has no PMID",
        "PMID 9: the record has no title",
        "line 31: the record does not begin with a tag",
    ]
    assert sum(isinstance(item, Hit) for item in found) == 2


def test_a_doi_may_stand_in_the_location_alone() -> None:
    record = "PMID- 1\nTI  - T.\nLID - e32822 [pii]\nLID - 10.1000/Lid1 [doi]\nAID - e32822 [pii]\n"
    assert hit(record).identifiers == ("pmid:1", "doi:10.1000/lid1")


def test_a_translated_title_loses_its_brackets_and_the_vernacular_one_stands_in() -> None:
    assert hit("PMID- 1\nTI  - [Stomach cancer.]\nTT  - Krebs.\n").title == "Stomach cancer."
    assert hit("PMID- 1\nTI  - [Not Available].\nTT  - Krebs.\n").title == "Krebs."


@pytest.mark.parametrize(
    ("lines", "retraction", "notices"),
    [
        ("PT  - Retracted Publication", Retraction.RETRACTED, ()),
        (
            "RIN - J Foo. 2020 Jan 1;1(1):2. PMID: 555",
            Retraction.RETRACTED,
            ("Retracted: J Foo. 2020 Jan 1;1(1):2. (PMID 555)",),
        ),
        (
            "ECI - J Foo. 2020;1:2. PMID: 555",
            Retraction.CONCERN,
            ("Expression of concern: J Foo. 2020;1:2. (PMID 555)",),
        ),
        (
            "PT  - Retraction of Publication\nROF - J Foo. 2019;1:2. PMID: 444\nAID - 10.1000/original [doi]",
            Retraction.NOT_RETRACTED,
            ("Retraction of: J Foo. 2019;1:2. (PMID 444)",),
        ),
    ],
)
def test_retractions(lines: str, retraction: Retraction, notices: tuple[str, ...]) -> None:
    found = hit(f"PMID- 1\nTI  - T.\n{lines}\n")
    assert (found.retraction, found.notices, found.identifiers) == (retraction, notices, ("pmid:1",))


def test_a_chapter_is_not_identified_by_its_books_doi() -> None:
    found = hit("PMID- 1\nTI  - HER2 testing\nBTI - Gene Reviews\nAID - 10.1000/book [doi]\nFAU - Booker, Bea\n")
    assert (found.title, found.container, found.identifiers) == ("HER2 testing", "Gene Reviews", ("pmid:1",))
    assert found.authors == ("Booker B",)
    assert hit("PMID- 1\nBTI - Gene Reviews\n").title == "Gene Reviews"


def test_text_is_utf_8_or_else_windows_1252() -> None:
    record = "PMID- 1\nTI  - Zürich – “quoted”.\n"
    for data in (record.encode(), b"\xef\xbb\xbf" + record.encode(), record.encode("cp1252")):
        assert hit(data).title == "Zürich – “quoted”."
    assert hit(b"PMID- 1\nTI  - \x81\xfc.\n").title == "\ufffdü."


@pytest.mark.parametrize("data", [b"", b"<html></html>", b"TY  - JOUR\n", b"Some notes\nof mine\n"])
def test_what_is_no_medline_text_is_one_error(data: bytes) -> None:
    (found,) = items(data)
    assert str(found) == "not MEDLINE text: no line begins with PMID-"


def test_a_record_without_end_is_given_up() -> None:
    found = items(RECORD.encode() + b"\nPMID- 7\nTI  - " + b"x" * 9_000_000)
    assert isinstance(found[0], Hit)
    assert str(found[-1]) == "line 26: a record is longer than 8,000,000 bytes; nothing after it is read"
    assert len(found) == 2
