"""The Orange Book's three files: patents, exclusivities and products, told in sentences."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from storm.databases.formats import orangebook
from storm.databases.formats.orangebook import ProductNames, read_orangebook, read_product_names
from storm.errors import RecordError
from storm.models import Approval, Hit

PAYLOADS = Path(__file__).parents[3] / ".." / "shared" / "payloads" / "orangebook"
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


def test_a_patent_is_told_in_a_sentence() -> None:
    (hit,) = hits(PATENTS + "N~990001~001~6790459~Mar 17, 2021~~Y~U-604~~Jan 3, 2013\n", NAMES)
    assert hit.external_id == "N990001-6790459"
    assert hit.identifiers == ("orangebook:N990001-6790459",)
    assert hit.url.endswith("results_product.cfm?Appl_Type=N&Appl_No=990001")
    assert hit.text == (
        "US patent 6790459 is listed in the Orange Book for ZORVIA (ZORVIMAB; VELOTINIB), application N990001, "
        "product 001; it expires on 2021-03-17; drug substance: no; drug product: yes; use code U-604."
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
        "US patent 6790459 is listed in the Orange Book for N990001, products 001, 002; it expires on 2021-03-17 for "
        "product 001, 2021-03-19 for product 002; drug substance: yes; drug product: yes; use code U-604, U-605; "
        "its removal from the list was requested."
    )
    assert first.facts.expiry == "2021-03-19"


def test_a_paediatric_extension_is_a_listing_of_its_own() -> None:
    (hit,) = hits(PATENTS + "N~990001~001~6790459*PED~Sep 17, 2021~~~~~\n")
    assert hit.external_id == "N990001-6790459*PED"
    assert hit.text.startswith("US patent 6790459 with paediatric exclusivity is listed")


def test_an_exclusivity_is_told_in_a_sentence() -> None:
    header = "Appl_Type~Appl_No~Product_No~Exclusivity_Code~Exclusivity_Date\n"
    (hit,) = hits(header + "N~990001~001~ODE-96~Aug 7, 2022\n", NAMES)
    assert hit.external_id == "N990001-ODE-96"
    assert hit.text == (
        "Exclusivity ODE-96 is listed in the Orange Book for ZORVIA (ZORVIMAB; VELOTINIB), application N990001, "
        "product 001; it expires on 2022-08-07."
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


def test_a_column_that_is_named_twice_is_read_where_it_stands_last() -> None:
    error, hit = read("Appl_Type~~~Appl_No~Product_No\nN~990001\nN~~~990001~001\n")
    assert isinstance(error, RecordError) and error.position == "line 2"
    assert isinstance(hit, Hit) and hit.external_id == "N990001"


def test_another_file_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    (error,) = read("A~B~C\n")
    assert isinstance(error, RecordError) and "names no Appl_No" in error.message
    monkeypatch.setattr(orangebook, "MAX_FILE", 50)
    *_, error = read(PATENTS + "N~990001~001~6790459~Mar 17, 2021~~Y~U-604~~\n" * 3)[:1]
    assert isinstance(error, RecordError) and "longer than any" in error.message


@pytest.mark.skipif(not PAYLOADS.exists(), reason="the recorded files are not here")
def test_the_recorded_release_is_read_without_an_error() -> None:
    items = list(read_orangebook(io.BytesIO((PAYLOADS / "patent.txt").read_bytes())))
    assert len(items) == 6976
    assert all(isinstance(item, Hit) and item.facts.expiry for item in items)
