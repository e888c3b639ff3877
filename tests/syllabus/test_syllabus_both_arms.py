"""Drugs that both sides of a comparison got."""

from __future__ import annotations

import re

import pytest

from storm.models import Hit, RelationKind, Section, SectionKind
from storm.syllabus.aboutness import subject_of
from storm.syllabus.both_arms import (
    is_in_all_groups,
    is_in_both_arms,
    is_in_both_regimens,
    is_partner_tried,
    is_treatment_of_all,
    is_tried_too,
)

DEXAMETHASONE = re.compile(r"\bdexamethasone\b")
PLACEBIN, ZORVIMAB = re.compile(r"\bplacebin\b"), re.compile(r"\bzorvimab\b")


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("daratumumab plus dexamethasone versus dexamethasone alone", True),
        ("survival was longer with daratumumab and dexamethasone than with dexamethasone", True),
        ("placebo plus dexamethasone compared with daratumumab plus dexamethasone", True),
        ("dexamethasone versus daratumumab", False),
        (
            "it fell 12 with daratumumab and 9 with dexamethasone, showing more with daratumumab vs. dexamethasone",
            False,
        ),
        ("dexamethasone versus placebo with insulin in adults: the insulin and dexamethasone trial", False),
        ("dexamethasone 4 mg versus dexamethasone 8 mg", False),
        ("daratumumab plus dexamethasone versus rituximab plus dexamethasone", False),
        ("daratumumab plus dexamethasone", False),
        ("survival was longer with placebin plus dexamethasone than with dexamethasone alone", True),
        ("placebin plus dexamethasone lowered pain more than dexamethasone alone and placebin alone", False),
    ],
)
def test_a_drug_is_in_both_arms_where_only_the_other_drug_differs(text: str, both: bool) -> None:
    assert is_in_both_arms(text, DEXAMETHASONE) is both


@pytest.mark.parametrize(
    ("abstract", "in_all"),
    [
        ("30 patients received blood plus dexamethasone, and 30 patients received saline plus dexamethasone.", True),
        ("Twenty received ketamine and dexamethasone compared with 20 as the control group who received "
         "dexamethasone.", True),
        ("30 patients received blood plus dexamethasone, and 30 patients received saline.", False),
        ("30 patients received dexamethasone, and 30 patients received placebo.", False),
        ("30 patients received dexamethasone 4 mg, and 30 patients received dexamethasone 8 mg.", False),
        ("Group A received dexamethasone 4 mg with ice, group B received dexamethasone 8 mg with ice.", False),
        ("50 patients received dexamethasone intravenously with ice, and 50 received dexamethasone orally with ice.",
         False),
        ("30 received dexamethasone with diet, and 30 did not receive dexamethasone and followed the diet.", False),
        ("They were assigned to dexamethasone plus lenalidomide versus dexamethasone plus chlorplacin.", False),
        ("Pain fell more with ketamine and dexamethasone than with dexamethasone.", False),
    ],
)  # fmt: skip
def test_a_drug_with_which_groups_got_different_things_is_in_all_of_them(abstract: str, in_all: bool) -> None:
    text = abstract.lower()
    assert is_in_all_groups(text.split(". "), DEXAMETHASONE) is in_all


def test_a_record_whose_groups_all_got_the_drug_is_not_about_it() -> None:
    hit = Hit.of(
        "pmc", "PMC1", "https://example.org/1", "Blood or steroids for tennis elbow: a randomised trial",
        text="30 patients received 2 ml blood + 1 ml zorvimab, and 30 patients received 2 ml steroid + 1 ml zorvimab.",
    )  # fmt: skip
    subject = subject_of(hit, ("zorvimab",))
    assert subject and subject.kind is RelationKind.BACKGROUND


@pytest.mark.parametrize(
    ("title", "all_get_it"),
    [
        ("effect of ketamine in patients undergoing surgery with continuous dexamethasone infusion", True),
        ("ketamine for pain in adults on oral dexamethasone", True),
        ("opioid sparing effect of low dose ketamine in patients with analgesia using dexamethasone", True),
        ("morphine overdose in adults treated with dexamethasone", False),
        ("recovery from rocuronium-induced block in adults receiving dexamethasone", False),
        ("effect on morphine consumption in patients undergoing fusion with dexamethasone infusion", False),
        ("progression after sorafenib in patients receiving dexamethasone", False),
        ("ketamine in children undergoing repair with dexamethasone or fentanyl", False),
        ("pain in adults on oral dexamethasone", False),
        ("ketamine in patients treated with morphine or dexamethasone", False),
        ("effect of ketamine and dexamethasone in patients undergoing surgery", False),
        ("ketamine for patients with pain versus placebo with dexamethasone", False),
    ],
)
def test_a_drug_that_all_get_in_whom_another_is_tried_is_not_tried_itself(title: str, all_get_it: bool) -> None:
    assert is_treatment_of_all(title, DEXAMETHASONE) is all_get_it


@pytest.mark.parametrize(
    ("text", "tried"),
    [
        ("zorvimab plus placebin was better than zorvimab alone", True),
        ("placebin plus zorvimab was better than zorvimab alone, and was safe", True),
        ("placebin plus zorvimab was better than zorvimab alone and placebin alone", False),
        ("placebin plus zorvimab was better than zorvimab monotherapy or placebin monotherapy", False),
        ("zorvimab with or without placebin", True),
        ("zorvimab (60 mg) with (group a) or without (group b) oral placebin", True),
        ("zorvimab with or without metformin", True),
        ("zorvimab with or without liver metastases", False),
        ("zorvimab with or without food", False),
        ("zorvimab with or without prior placebin", False),
        ("zorvimab with or without zorvimab maintenance", False),
    ],
)
def test_a_partner_is_tried_where_it_is_what_may_be_missing(text: str, tried: bool) -> None:
    assert is_partner_tried(text, ZORVIMAB, PLACEBIN) is tried


@pytest.mark.parametrize(
    ("text", "tried"),
    [
        ("placebin plus zorvimab for pain: a factorial trial", True),
        ("zorvimab alone and placebin alone", True),
        ("placebin plus zorvimab or placebin plus placebo", True),
        ("placebin (n = 30) combined with oral placebo", True),
        ("they were randomised to placebin, zorvimab or both", True),
        ("zorvimab (10 mg), placebin (5 mg), or the combination", True),
        ("placebin (n = 30), zorvimab (n = 30), or placebin plus zorvimab (n = 30)", True),
        ("they received placebin with zorvimab or placebo", True),
        ("zorvimab plus placebin or zorvimab plus placebo", False),
        ("zorvimab and placebin or zorvimab plus placebo", False),
        ("placebin plus zorvimab or placebo plus zorvimab", False),
        ("placebin with zorvimab versus placebo in combination with zorvimab", False),
        ("placebin plus zorvimab compared with zorvimab alone", False),
        ("they received zorvimab or placebin plus zorvimab", False),
        ("placebin, zorvimab and insulin were given", False),
    ],
)
def test_a_drug_is_tried_too_where_its_partner_is_an_arm_without_it(text: str, tried: bool) -> None:
    assert is_tried_too(text, ZORVIMAB, PLACEBIN) is tried


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("pomalidomide, bortezomib, and dexamethasone (pvd) or bortezomib and dexamethasone (vd)", True),
        ("pomalidomide and dexamethasone (pd) or bortezomib and dexamethasone (vd)", False),
        ("bortezomib and dexamethasone (vd)", False),
    ],
)
def test_a_drug_is_in_both_regimens_where_one_has_more_drugs(text: str, both: bool) -> None:
    assert is_in_both_regimens(text, DEXAMETHASONE) is both


def test_such_a_drug_is_background_of_its_record() -> None:
    abstract = "Adults got pomalidomide, bortezomib and dexamethasone (PVd) or bortezomib and dexamethasone (Vd)."
    section = Section(label="Abstract", text=abstract, kind=SectionKind.ABSTRACT)
    hit = Hit.of("pubmed", "1", "https://example.org/1", "Pomalidomide, bortezomib and dexamethasone in myeloma")
    hit = hit.model_copy(update={"sections": (section,)})
    kinds = {name: getattr(subject_of(hit, (name,)), "kind", None) for name in ("dexamethasone", "pomalidomide")}
    assert kinds == {"dexamethasone": RelationKind.BACKGROUND, "pomalidomide": RelationKind.ITSELF}
