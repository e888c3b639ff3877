"""openFDA labels and Drugs@FDA applications, and the answers of openFDA that are neither."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.openfda import read_openfda
from storm.errors import RecordError
from storm.models import Approval, Hit, SectionKind

PAYLOADS = ANSWERS / "openfda"

LABEL = {
    "set_id": "0a1b2c3d-0000-4000-8000-000000000001",
    "id": "ffffffff-0000-4000-8000-000000000002",
    "effective_time": "20240611",
    "boxed_warning": ["WARNING: CARDIOMYOPATHY\n  Stop Zorvia   if it occurs."],
    "mechanism_of_action": ["Zorvimab binds QX7."],
    "indications_and_usage": ["Zorvia is indicated for QX7 disease."],
    "openfda": {
        "application_number": ["BLA990001"],
        "brand_name": ["ZORVIA"],
        "generic_name": ["ZORVIMAB"],
        "substance_name": ["ZORVIMAB", "HYALURONIDASE"],
        "manufacturer_name": ["Zorvi Pharma"],
        "pharm_class_epc": ["QX7 Antagonist [EPC]"],
        "pharm_class_moa": ["QX7 Receptor Antagonists [MoA]"],
    },
}
APPLICATION = {
    "application_number": "BLA990001",
    "sponsor_name": "ZORVI PHARMA",
    "products": [
        {
            "product_number": "001",
            "brand_name": "ZORVIA",
            "dosage_form": "INJECTABLE",
            "route": "INTRAVENOUS",
            "marketing_status": "Prescription",
            "active_ingredients": [{"name": "ZORVIMAB", "strength": "150MG"}],
        }
    ],
    "submissions": [
        {"submission_type": "SUPPL", "submission_status": "AP", "submission_status_date": "20101020"},
        {"submission_type": "ORIG", "submission_status": "TA", "submission_status_date": "19970101"},
        {"submission_type": "ORIG", "submission_status": "AP", "submission_status_date": "19980925"},
    ],
    "openfda": {"substance_name": ["ZORVIMAB"]},
}


def read(content: object) -> list[Hit | RecordError]:
    return list(read_openfda(io.BytesIO(json.dumps(content).encode())))


def hit_of(content: object) -> Hit:
    (hit,) = read(content)
    assert isinstance(hit, Hit)
    return hit


def test_a_label_is_described_by_its_sections_and_facts() -> None:
    hit = hit_of({"meta": {}, "results": [LABEL]})
    assert hit.external_id == "0a1b2c3d-0000-4000-8000-000000000001"
    assert hit.url == f"https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid={hit.external_id}"
    assert hit.title == "ZORVIA (ZORVIMAB) label"
    assert [section.label for section in hit.sections] == [
        "BOXED WARNING", "INDICATIONS AND USAGE", "MECHANISM OF ACTION",
    ]  # fmt: skip
    assert hit.drugs == ("ZORVIA", "ZORVIMAB", "HYALURONIDASE")
    assert (hit.year, hit.date) == (2024, "2024-06-11")
    assert hit.facts.boxed_warning == "WARNING: CARDIOMYOPATHY Stop Zorvia if it occurs."
    assert hit.facts.drug_class == ("QX7 Antagonist",)
    assert hit.facts.sponsor == "Zorvi Pharma"


def test_an_application_number_in_a_label_is_no_identity_of_it() -> None:
    assert hit_of(LABEL).identifiers == ("label:0a1b2c3d-0000-4000-8000-000000000001",)


def test_an_application_states_its_original_approval() -> None:
    hit = hit_of({"results": [APPLICATION]})
    assert hit.external_id == "BLA990001"
    assert hit.url.endswith("overview.process&ApplNo=990001")
    assert hit.facts.approvals == (Approval(agency="FDA", date="1998-09-25", product="ZORVIA", number="BLA990001"),)
    assert hit.drugs == ("ZORVIA", "ZORVIMAB")
    assert hit.text.splitlines() == [
        "ZORVIA (ZORVIMAB), BLA990001, sponsor ZORVI PHARMA; original approval on 1998-09-25.",
        "Product 001: ZORVIA; INJECTABLE; INTRAVENOUS; 150MG; Prescription.",
        "Supplements approved: 1, the last on 2010-10-20.",
    ]


def test_the_kind_of_an_original_approval_says_whether_it_was_the_first_of_the_substance() -> None:
    first = {"submission_type": "ORIG", "submission_status": "AP", "submission_status_date": "20030418"}
    dosage_form = {**first, "submission_class_code_description": "Type 3 - New Dosage Form"}
    hit = hit_of({"results": [{**APPLICATION, "submissions": [dosage_form]}]})
    assert "; original approval on 2003-04-18 (Type 3 - New Dosage Form)." in hit.text


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        (
            {"review_priority": "PRIORITY", "submission_property_type": [{"code": "Orphan"}]},
            "priority review; orphan drug",
        ),
        ({"review_priority": "STANDARD", "submission_property_type": [{"code": "Null"}]}, "standard review"),
        ({"review_priority": "UNKNOWN", "submission_property_type": None}, ""),
    ],
)
def test_an_original_approval_says_how_it_was_reviewed(fields: Mapping[str, object], kinds: str) -> None:
    first = {"submission_type": "ORIG", "submission_status": "AP", "submission_status_date": "20030418", **fields}
    hit = hit_of({"results": [{**APPLICATION, "submissions": [first]}]})
    assert f"original approval on 2003-04-18{f' ({kinds})' if kinds else ''}." in hit.text


def test_a_product_says_whether_others_are_equivalent() -> None:
    product = {"product_number": "001", "brand_name": "ZORVIA", "marketing_status": "Prescription", "te_code": "AB"}
    hit = hit_of({"results": [{**APPLICATION, "products": [product]}]})
    assert "Product 001: ZORVIA; Prescription; therapeutic equivalence code AB." in hit.text


def test_a_product_says_whether_it_is_the_one_that_copies_are_compared_with() -> None:
    product = {"product_number": "001", "brand_name": "ZORVIA", "reference_drug": "Yes", "reference_standard": "No"}
    hit = hit_of({"results": [{**APPLICATION, "products": [product]}]})
    assert "Product 001: ZORVIA; reference listed drug." in hit.text


def test_the_last_document_of_each_kind_is_named_with_its_day() -> None:
    documents = [
        {"type": "Label", "date": "20030428"},
        {"type": "Label", "date": "20100102"},
        {"type": "Letter", "date": "20030529"},
        {"type": "Review"},
    ]
    hit = hit_of({**APPLICATION, "submissions": [{"submission_type": "ORIG", "application_docs": documents}]})
    assert "Documents published by the FDA: Label of 2010-01-02; Letter of 2003-05-29." in hit.text


def test_two_original_approvals_of_one_day_are_told_with_both_kinds() -> None:
    first = {"submission_type": "ORIG", "submission_status": "AP", "submission_status_date": "20030418"}
    kinds = ("", "Type 10 - New Indication", "Type 2 - New Active Ingredient")
    submissions = [{**first, "submission_class_code_description": kind} for kind in kinds]
    hit = hit_of({"results": [{**APPLICATION, "submissions": submissions}]})
    assert "2003-04-18 (Type 10 - New Indication; Type 2 - New Active Ingredient)." in hit.text


def test_an_application_that_was_not_approved_states_no_approval() -> None:
    hit = hit_of({**APPLICATION, "submissions": []})
    assert hit.facts.approvals == ()
    assert "approval" not in hit.text


def test_json_lines_of_records_are_read() -> None:
    text = "\n".join(json.dumps(record) for record in (LABEL, APPLICATION)).encode()
    assert [hit.title for hit in read_openfda(io.BytesIO(text)) if isinstance(hit, Hit)] == [
        "ZORVIA (ZORVIMAB) label",
        "ZORVIA (ZORVIMAB): FDA application BLA990001",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"error": {"code": "NOT_FOUND", "message": "No matches found!"}}, "NOT_FOUND No matches found!"),
        ({"results": [{"term": "NAUSEA", "count": 26}]}, "not a label or drugsfda answer"),
        ({"results": [{"safetyreportid": "1", "id": "x"}]}, "not a label or drugsfda answer"),
    ],
)
def test_other_answers_are_errors_that_say_so(content: object, message: str) -> None:
    (error,) = read(content)
    assert isinstance(error, RecordError)
    assert message in error.message


@needs_recorded_answers
def test_recorded_answers_are_read() -> None:
    imatinib = hit_of(json.loads((PAYLOADS / "drugsfda_imatinib_20260811.json").read_bytes()))
    assert imatinib.facts.approvals[0].date == "2003-04-18"
    labels = read(json.loads((PAYLOADS / "label_keytruda_20260811.json").read_bytes()))
    assert all(isinstance(label, Hit) for label in labels)


def test_the_headings_that_a_label_runs_into_its_sentences_stand_apart() -> None:
    label = "5 WARNINGS AND PRECAUTIONS 5.1 Cardiomyopathy Stop it. 5.2 Harm to the unborn It harms (see 8.1 below)."
    found = hit_of({**LABEL, "warnings_and_cautions": [label]})
    (section,) = [part for part in found.sections if part.label == "WARNINGS AND CAUTIONS"]
    assert section.kind is SectionKind.LABEL
    assert section.text.split("\n\n") == [
        "5 WARNINGS AND PRECAUTIONS",
        "5.1 Cardiomyopathy Stop it.",
        "5.2 Harm to the unborn It harms (see 8.1 below).",
    ]
