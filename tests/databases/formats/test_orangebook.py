"""The Orange Book's three files: patents, exclusivities and products, written in sentences."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats import orangebook
from storm.databases.formats.orangebook import ProductNames, read_orangebook, read_product_names
from storm.errors import RecordError
from storm.models import Approval, Hit

PAYLOADS = ANSWERS / "orangebook"
PATENTS = (
    "Appl_Type~Appl_No~Product_No~Patent_No~Patent_Expire_Date_Text~Drug_Substance_Flag~Drug_Product_Flag"
    "~Patent_Use_Code~Delist_Flag~Submission_Date\n"
)
PRODUCTS = (
    "Ingredient~DF;Route~Trade_Name~Applicant~Strength~Appl_Type~Appl_No~Product_No~TE_Code~Approval_Date~RLD~RS~Type"
    "~Applicant_Full_Name\n"
)
NAMES = {"N990001": ProductNames(("ZORVIA",), ("ZORVIMAB", "VELOTINIB"), "ZORVI PHARMA")}


def read(text: str, products: dict[str, ProductNames] | None = None) -> list[Hit | RecordError]:
    return list(read_orangebook(io.BytesIO(text.encode()), products))


def hits(text: str, products: dict[str, ProductNames] | None = None) -> list[Hit]:
    items = read(text, products)
    assert all(isinstance(item, Hit) for item in items)
    return [item for item in items if isinstance(item, Hit)]


def test_a_patent_is_described_in_a_sentence() -> None:
    (hit,) = hits(PATENTS + "N~990001~001~6790459~Mar 17, 2021~~Y~U-604~~Jan 3, 2013\n", NAMES)
    assert hit.external_id == "N990001-6790459"
    assert hit.identifiers == ("orangebook:N990001-6790459",)
    assert hit.url.endswith("results_product.cfm?Appl_Type=N&Appl_No=990001")
    assert hit.text == (
        "US patent 6790459, listed in the Orange Book for ZORVIA (ZORVIMAB; VELOTINIB), application N990001, "
        "product 001; expiry date 2021-03-17; drug product: yes; use code U-604. "
        "Application number: N990001, NDA990001, NDA 990001."
    )
    assert (hit.facts.expiry, hit.facts.country, hit.date) == ("2021-03-17", "US", "2013-01-03")
    assert hit.drugs == ("ZORVIA", "ZORVIMAB", "VELOTINIB")


def test_the_scattered_rows_of_one_patent_make_one_record() -> None:
    rows = [
        "N~990001~001~6790459~Mar 17, 2021~~Y~U-604~~",
        "N~990002~001~6790459~Mar 17, 2021~Y~~~~",
        "N~990001~002~6790459~Mar 19, 2021~Y~~U-605~Y~",
    ]
    first, second = hits(PATENTS + "\n".join(rows))
    assert (first.external_id, second.external_id) == ("N990001-6790459", "N990002-6790459")
    assert first.text == (
        "US patent 6790459, listed in the Orange Book for application N990001, products 001, 002; "
        "expiry date 2021-03-17 for product 001, 2021-03-19 for product 002; drug substance: yes; drug product: yes; "
        "use code U-604, U-605; its removal from the list was requested. "
        "Application number: N990001, NDA990001, NDA 990001."
    )
    assert first.facts.expiry == "2021-03-19"


@pytest.mark.parametrize("flipped", [False, True])
def test_a_paediatric_row_extends_its_patent_and_takes_nothing_from_it(flipped: bool) -> None:
    base = "N~990001~001~6790459~Mar 17, 2021~Y~Y~U-604~~Jan 3, 2013\n"
    extension = "N~990001~001~6790459*PED~Sep 17, 2021~~~~~\n"
    (hit,) = hits(PATENTS + (extension + base if flipped else base + extension))
    assert hit.external_id == "N990001-6790459"
    assert "; expiry date 2021-03-17; with paediatric exclusivity until 2021-09-17; drug substance: yes; " in hit.text
    assert "drug product: yes" in hit.text
    assert (hit.facts.expiry, hit.facts.paediatric_expiry) == ("2021-03-17", "2021-09-17")


@pytest.mark.parametrize("number", ["6790459*ped", "6790459-PED", "6790459 *PED", "6790459 * Ped", "6790459*PED"])
def test_a_patent_and_its_extension_are_one_however_the_extension_is_marked(number: str) -> None:
    base = "N~990001~001~6790459~Mar 17, 2021~Y~Y~U-604~~Jan 3, 2013\n"
    (hit,) = hits(PATENTS + base + f"N~990001~001~{number}~Sep 17, 2021~~~~~\n")
    assert (hit.external_id, "PED" in hit.text.upper()) == ("N990001-6790459", False)
    assert (hit.facts.expiry, hit.facts.paediatric_expiry) == ("2021-03-17", "2021-09-17")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("Y~", "drug substance: yes"),
        ("~Y", "drug product: yes"),
        ("Y~N", "drug substance: yes; drug product: no"),
        ("N~Y", "drug substance: no; drug product: yes"),
    ],
)
def test_only_a_flag_that_is_set_is_stated(flags: str, expected: str) -> None:
    (hit,) = hits(PATENTS + f"N~990001~001~6790459~Mar 17, 2021~{flags}~U-604~~\n")
    assert f"; expiry date 2021-03-17; {expected}; use code U-604." in hit.text


def test_flags_that_are_blank_are_not_stated_as_no() -> None:
    (extension,) = hits(PATENTS + "N~990001~001~6790459*PED~Sep 17, 2021~~~~~\n")
    assert "with paediatric exclusivity until 2021-09-17" in extension.text
    assert (extension.facts.expiry, extension.facts.paediatric_expiry) == (None, "2021-09-17")
    (method,) = hits(PATENTS + "N~990001~001~6790459~Mar 17, 2021~~~U-604~~\n")
    for hit in (extension, method):
        assert "drug substance" not in hit.text and "drug product" not in hit.text


def test_an_exclusivity_is_described_in_a_sentence() -> None:
    header = "Appl_Type~Appl_No~Product_No~Exclusivity_Code~Exclusivity_Date\n"
    (hit,) = hits(header + "N~990001~001~ODE-96~Aug 7, 2022\n", NAMES)
    assert hit.external_id == "N990001-ODE-96"
    assert hit.text == (
        "Exclusivity ODE-96, listed in the Orange Book for ZORVIA (ZORVIMAB; VELOTINIB), application N990001, "
        "product 001; expiry date 2022-08-07. Application number: N990001, NDA990001, NDA 990001."
    )


def test_the_products_of_an_application_are_one_record_with_its_approval() -> None:
    rows = (
        "ZORVIMAB; VELOTINIB~TABLET;ORAL~ZORVIA~ZORVI~5MG~N~990001~001~~Apr 27, 2004~Yes~Yes~RX~ZORVI PHARMA\n"
        "ZORVIMAB; VELOTINIB~TABLET;ORAL~ZORVIA~ZORVI~9MG~N~990001~002~~May 1, 2005~Yes~Yes~DISCN~ZORVI PHARMA\n"
    )
    (hit,) = hits(PRODUCTS + rows)
    assert hit.drugs == ("ZORVIA", "ZORVIMAB", "VELOTINIB")
    assert hit.facts.approvals == (Approval(agency="FDA", date="2004-04-27", product="ZORVIA", number="NDA990001"),)
    assert (hit.facts.sponsor, hit.facts.status) == ("ZORVI PHARMA", "Prescription/Discontinued")
    assert "strength: 5MG, 9MG" in hit.text


def test_an_approval_before_the_list_began_has_no_date() -> None:
    (hit,) = hits(PRODUCTS + "X~Y;Z~W~V~5MG~N~000001~001~~Approved Prior to Jan 1, 1982~No~No~RX~V INC\n")
    assert hit.facts.approvals[0].date is None
    assert "approved before 1982" in hit.text


def test_names_are_read_from_the_products_file(tmp_path: Path) -> None:
    row = "ZORVIMAB~TABLET;ORAL~ZORVIA~ZORVI~5MG~N~990001~001~~Apr 27, 2004~Yes~Yes~RX~ZORVI PHARMA\n"
    (tmp_path / "products.txt").write_text(PRODUCTS + row)
    assert read_product_names(tmp_path / "products.txt") == {
        "N990001": ProductNames(("ZORVIA",), ("ZORVIMAB",), "ZORVI PHARMA")
    }
    assert read_product_names(tmp_path / "absent.txt") == {}


def test_a_broken_line_is_named_and_the_others_are_read() -> None:
    broken, hit = read(PATENTS + "N~990001~001\nN~990001~001~6790459~Mar 17, 2021~~Y~U-604~~\n\n")
    assert isinstance(broken, RecordError) and broken.position == "line 2"
    assert isinstance(hit, Hit)


def test_a_line_without_end_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orangebook, "MAX_LINE", 300)
    error, hit = read(PATENTS + "N~" + "9" * 1000 + "\n" + "N~990001~001~6790459~Mar 17, 2021~~Y~U-604~~\n")
    assert isinstance(error, RecordError) and error.position == "line 2"
    assert isinstance(hit, Hit)


def test_a_column_that_is_named_twice_is_read_where_it_stands_last() -> None:
    error, hit = read("Appl_Type~~~Appl_No~Product_No\nN~990001\nN~~~990001~001\n")
    assert isinstance(error, RecordError) and error.position == "line 2"
    assert isinstance(hit, Hit) and hit.external_id == "N990001"


def test_another_file_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    (error,) = read("A~B~C\n")
    assert isinstance(error, RecordError) and "names no Appl_No" in error.message
    monkeypatch.setattr(orangebook, "MAX_FILE", 50)
    *_, error = read(PATENTS + "N~990001~001~6790459~Mar 17, 2021~~Y~U-604~~\n" * 3)[:1]
    assert isinstance(error, RecordError) and "beyond 50 bytes" in error.message


@pytest.mark.slow
@needs_recorded_answers
def test_the_recorded_release_is_read_without_an_error() -> None:
    items = list(read_orangebook(io.BytesIO((PAYLOADS / "patent.txt").read_bytes())))
    patents = [item for item in items if isinstance(item, Hit)]
    assert len(patents) == len(items) == 6282
    assert all(hit.facts.expiry or hit.facts.paediatric_expiry for hit in patents)
    assert not any("drug substance: no; drug product: no" in hit.text or "*PED" in hit.external_id for hit in patents)
