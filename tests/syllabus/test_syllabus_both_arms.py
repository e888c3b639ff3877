"""Drugs that both sides of a comparison got."""

from __future__ import annotations

import re

import pytest

from storm.models import Hit, RelationKind, Section, SectionKind
from storm.syllabus.aboutness import subject_of
from storm.syllabus.both_arms import is_in_both_arms, is_in_both_regimens

DEXAMETHASONE = re.compile(r"\bdexamethasone\b")


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("daratumumab plus dexamethasone versus dexamethasone alone", True),
        ("survival was longer with daratumumab and dexamethasone than with dexamethasone", True),
        ("placebo plus dexamethasone compared with daratumumab plus dexamethasone", True),
        ("dexamethasone versus daratumumab", False),
        ("dexamethasone versus placebo with insulin in adults: the insulin and dexamethasone trial", False),
        ("dexamethasone 4 mg versus dexamethasone 8 mg", False),
        ("daratumumab plus dexamethasone versus rituximab plus dexamethasone", False),
        ("daratumumab plus dexamethasone", False),
    ],
)
def test_a_drug_is_in_both_arms_where_only_the_other_drug_differs(text: str, both: bool) -> None:
    assert is_in_both_arms(text, DEXAMETHASONE) is both


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
