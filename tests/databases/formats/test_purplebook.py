"""The Purple Book's monthly CSV: by column names, whatever stands before the table."""

from __future__ import annotations

import io

import pytest

from storm.databases.formats.purplebook import read_purplebook
from storm.errors import RecordError
from storm.models import Approval, Hit

HEADER = (
    "N/R/U,Applicant,BLA Number,Proprietary Name,Proper Name,BLA Type,Strength,Dosage Form,Route of Administration,"
    "Product Presentation,Marketing Status,Licensure,Approval Date,Ref. Product Proper Name,"
    "Ref. Product Proprietary Name,Product Number"
)
ZORVIA = (
    ',"Zorvi, Inc.",990001,Zorvia,zorvimab,351(a),150MG,Injection,Intravenous,Vial,Rx,Licensed,9/25/1998,N/A,N/A,001'
)
ZORVADO = (
    ",Mylo,990077,Zorvado,zorvimab-abcd,351(k) Biosimilar,150MG,Injection,Intravenous,Vial,Rx,Licensed,1-Dec-17,"
    "zorvimab,Zorvia,001"
)
RELEASE = "\r\n".join(
    [
        "Purple Book Monthly Data Changes,,,",
        '"Newly Approved, Revised or Updated",,',
        HEADER,
        "N" + ZORVADO,
        "",
        "Purple Book Database Extract,,,",
        HEADER,
        ZORVIA,
        ZORVADO,
        "",
    ]
)


def read(text: str) -> list[Hit | RecordError]:
    return list(read_purplebook(io.BytesIO(text.encode("utf-8-sig"))))


def hits(text: str) -> list[Hit]:
    items = read(text)
    assert all(isinstance(item, Hit) for item in items)
    return [item for item in items if isinstance(item, Hit)]


def test_each_product_of_a_release_is_given_once() -> None:
    assert [hit.external_id for hit in hits(RELEASE)] == ["BLA990077-001", "BLA990001-001"]


def test_a_product_states_its_names_and_its_approval() -> None:
    hit = hits(f"{HEADER}\n{ZORVIA}\n")[0]
    assert hit.title == "Purple Book: Zorvia (zorvimab), BLA990001"
    assert hit.drugs == ("Zorvia", "zorvimab")
    assert hit.publication_types == ("Licensed biological product",)
    assert hit.facts.approvals == (Approval(agency="FDA", date="1998-09-25", product="Zorvia", number="BLA990001"),)
    assert hit.facts.sponsor == "Zorvi, Inc."
    assert hit.text.startswith(
        "Zorvia (zorvimab) is listed in the Purple Book under BLA990001, held by Zorvi, Inc.; licensed under 351(a); "
        "approved on 1998-09-25; strength: 150MG"
    )


def test_a_biosimilar_is_marked_and_names_its_reference() -> None:
    hit = hits(f"{HEADER}\n{ZORVADO}\n")[0]
    assert hit.publication_types == ("Biosimilar",)
    assert hit.date == "2017-12-01"
    assert "its reference product is Zorvia (zorvimab)" in hit.text
    assert "Zorvia" not in hit.drugs


@pytest.mark.parametrize(
    ("column", "kind", "types"),
    [
        ("License Type", "351(k) Interchangeable", ("Biosimilar", "Interchangeable")),
        ("BLA Type", "Biosimilar", ("Biosimilar",)),
        ("License Type", "351(a)", ("Licensed biological product",)),
    ],
)
def test_columns_are_found_by_name_in_any_order(column: str, kind: str, types: tuple[str, ...]) -> None:
    (hit,) = hits(f"Proper Name,{column},BLA Number,Proprietary Name\nzorvimab-abcd,{kind},BLA990077,N/A\n")
    assert (hit.publication_types, hit.drugs) == (types, ("zorvimab-abcd",))


def test_a_row_without_a_number_is_an_error_and_the_rest_goes_on() -> None:
    error, hit = read(f"{HEADER}\n{ZORVIA.replace('990001', 'soon')}\n{ZORVADO}\n")
    assert isinstance(error, RecordError) and error.position == "line 2"
    assert isinstance(hit, Hit)


def test_a_file_without_the_table_is_an_error() -> None:
    (error,) = read("Some,other,table\n1,2,3\n" * 400)
    assert isinstance(error, RecordError) and "no header with a BLA Number" in error.message


def test_a_quote_that_is_left_open_costs_its_own_line_only() -> None:
    products = [ZORVIA.replace("990001", f"99000{n}") for n in range(1, 7)]
    products[1] = products[1].replace("150MG", '"150MG')
    products[4] = products[4].removesuffix("001") + '"'
    items = read("\n".join((HEADER, *products, "")))
    assert [hit.external_id for hit in items if isinstance(hit, Hit)] == [f"BLA99000{n}-001" for n in (1, 3, 4, 6)]
    assert [fault.position for fault in items if isinstance(fault, RecordError)] == ["line 3", "line 6"]
