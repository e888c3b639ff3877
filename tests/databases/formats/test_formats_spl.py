"""Drug labels in SPL: recorded ones, and each oddity of their sections on its own."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.spl import read_spl
from storm.errors import RecordError
from storm.models import Hit

PAYLOADS = ANSWERS / "dailymed"
SET_ID = "00000000-0000-4000-8000-000000000001"


def document(sections: str = "", more: str = "") -> bytes:
    return f"""<?xml version="1.0"?><document xmlns="urn:hl7-org:v3">
    <title>Label</title><effectiveTime value="20240611"/><setId root="{SET_ID}"/>{more}
    <component><structuredBody>{sections}</structuredBody></component></document>""".encode()


def section(code: str, text: str, title: str = "", parts: str = "") -> str:
    return (
        f'<component><section><code code="{code}" codeSystem="2.16.840.1.113883.6.1"/><title>{title}</title>'
        f"<text>{text}</text>{parts}</section></component>"
    )


def product(name: str, *substances: str) -> str:
    parts = "".join(
        f'<ingredient classCode="ACTIM"><ingredientSubstance><code code="U{n}" codeSystem="2.16.840.1.113883.4.9"/>'
        f"<name>{substance}</name></ingredientSubstance></ingredient>"
        for n, substance in enumerate(substances)
    )
    inner = f"<manufacturedProduct><name>{name}</name>{parts}</manufacturedProduct>"
    body = f"<section><subject><manufacturedProduct>{inner}</manufacturedProduct></subject></section>"
    return f"<component>{body}</component>"


def read(body: bytes) -> Hit:
    (hit,) = read_spl(io.BytesIO(body))
    assert isinstance(hit, Hit)
    return hit


def section_texts(sections: str) -> dict[str, str]:
    return {part.label: part.text for part in read(document(sections)).sections}


def test_paragraphs_points_and_rows_are_lines_of_their_own() -> None:
    text = (
        "Before <paragraph>One <content styleCode='bold'>bold</content> word</paragraph>"
        "<list><item><caption>a.</caption>First<list><item>inner</item></list></item><item>Second</item></list>"
        "<table><tbody><tr><th>Dose</th><td>2 mg</td></tr><tr><td/><td>4 mg</td></tr></tbody></table>"
    )
    assert section_texts(section("34084-4", text))["ADVERSE REACTIONS"].split("\n\n") == [
        "Before", "One bold word", "a.", "First", "inner", "Second", "Dose | 2 mg", "4 mg",
    ]  # fmt: skip


def test_exponents_are_never_glued_to_a_number() -> None:
    assert section_texts(section("34089-3", "10<sup>9</sup> cells, H<sub>2</sub>O"))["DESCRIPTION"] == "10^9 cells, H2O"


def test_a_part_with_a_code_of_its_own_is_a_section_and_one_without_belongs_to_its_section() -> None:
    inner = section("43679-0", "Binds QX7.", "12.1 Mechanism") + section("42229-5", "More of it.", "12.9 More")
    parts = section_texts(section("34090-1", "", "12 Clinical pharmacology", inner))
    assert parts == {
        "MECHANISM OF ACTION": "12.1 Mechanism\n\nBinds QX7.",
        "CLINICAL PHARMACOLOGY": "12.9 More\n\nMore of it.",
    }


def test_sections_of_one_code_are_joined_and_a_repeated_one_is_given_once() -> None:
    parts = section_texts(section("34066-1", "First.") + section("34066-1", "Second.") + section("34066-1", "First."))
    assert parts == {"BOXED WARNING": "First.\n\nSecond."}


def test_an_unclassified_section_is_called_by_its_title() -> None:
    assert section_texts(section("42229-5", "Keep cool.", "Other information")) == {
        "OTHER INFORMATION": "Other information\n\nKeep cool."
    }


def test_sections_that_no_dossier_quotes_are_left_out() -> None:
    assert section_texts(section("51945-4", "Carton") + section("48780-1", "Data")) == {}


def test_a_product_is_named_by_its_brand_and_substances() -> None:
    hit = read(document(product("Zorvia", "ZORVINIB MESYLATE")))
    assert (hit.title, hit.drugs) == ("Zorvia (ZORVINIB MESYLATE) label", ("Zorvia", "ZORVINIB MESYLATE"))
    assert (hit.facts.substances, hit.facts.uniis) == (("ZORVINIB MESYLATE",), ("U0",))


def test_a_label_says_since_when_its_first_product_is_marketed_and_not_since_when_samples_are_given() -> None:
    def act(code: str, day: str) -> str:
        since = f'<effectiveTime><low value="{day}"/></effectiveTime>'
        return f'<subjectOf><marketingAct><code code="{code}"/>{since}</marketingAct></subjectOf>'

    acts = act("C53292", "20191202") + act("C53292", "19980925") + act("C96974", "19970101")
    assert read(document(more=acts)).facts.marketed_since == "1998-09-25"
    assert read(document()).facts.marketed_since is None


def test_a_product_called_like_its_substance_is_named_once() -> None:
    assert read(document(product("Zorvinib", "ZORVINIB"))).title == "Zorvinib label"


def test_a_label_without_products_is_called_by_its_title() -> None:
    hit = read(document())
    assert (hit.title, hit.drugs, hit.date, hit.url) == (
        "Label label",
        (),
        "2024-06-11",
        f"https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid={SET_ID}",
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body>Not here</body></html>",
        b'<?xml version="1.0"?><document xmlns="urn:hl7-org:v3"><title>x</title></document>',
        document()[:-30],
        b'<?xml version="1.0"?><!DOCTYPE document [<!ENTITY a "b">]><document><setId root="1"/></document>',
        b"<PubmedArticleSet/>",
        b'{"data": []}',
    ],
)
def test_what_is_no_label_is_an_error(body: bytes) -> None:
    (error,) = read_spl(io.BytesIO(body))
    assert isinstance(error, RecordError)


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_label_raises_nothing(data: st.DataObject) -> None:
    whole = document(section("34084-4", "<paragraph>Nausea</paragraph>", "Reactions") + product("Zorvia", "ZORVINIB"))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    for item in read_spl(io.BytesIO(whole[:start] + data.draw(st.binary(max_size=8)) + whole[end:])):
        assert isinstance(item, Hit | RecordError)


@needs_recorded_answers
def test_a_recorded_prescription_label_is_read() -> None:
    hit = read((PAYLOADS / "spl_no-title.xml").read_bytes())
    assert (hit.title, hit.date) == ("Haloperidol label", "2010-07-28")
    assert hit.facts.sponsor == "Contract Pharmacy Services-PA"
    assert hit.facts.uniis == ("J6292F8L3D",)
    assert hit.facts.boxed_warning is not None
    assert hit.facts.boxed_warning.startswith("WARNING Increased Mortality in Elderly Patients")
    assert {"INDICATIONS AND USAGE", "ADVERSE REACTIONS", "GERIATRIC USE"} <= {part.label for part in hit.sections}


@needs_recorded_answers
def test_a_recorded_label_sold_without_prescription_is_read() -> None:
    hit = read((PAYLOADS / "spl_cough.xml").read_bytes())
    assert hit.title.startswith("TRIAMINIC Childrens Night Time Cold and Cough (DIPHENHYDRAMINE HYDROCHLORIDE, PHENYL")
    assert hit.facts.substances == ("DIPHENHYDRAMINE HYDROCHLORIDE", "PHENYLEPHRINE HYDROCHLORIDE")
    assert hit.facts.marketed_since == "2008-09-26"
    text = {part.label: part.text for part in hit.sections}
    assert text["ACTIVE INGREDIENT"].split("\n\n")[1] == "Diphenhydramine HCl 6.25 mg"
