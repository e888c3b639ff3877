"""Which names of its study a paper states."""

from __future__ import annotations

import pytest

from storm.evidence.study_names import read_study_names
from storm.models import Hit, Section, SectionKind


def paper(title: str, *abstract: tuple[str, str]) -> Hit:
    sections = tuple(Section(text=text, label=label, kind=SectionKind.ABSTRACT) for label, text in abstract)
    return Hit.of("pubmed", "1", "https://example.org/1", title, sections=sections)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("In the Diabetes Prevention Program, 3,234 people were randomised.", ("diabetes prevention program",)),
        ("The Diabetes Prevention Program Outcomes Study followed 2,776 people.", ("diabetes prevention program",)),
        ("The Indian Diabetes Prevention Programme randomised 531.", ("indian diabetes prevention program",)),
        ("The CLEOPATRA trial enrolled 808 patients.", ("cleopatra",)),
        ("CLEOPATRA, a double-blind phase 3 trial at 204 centres, tested it.", ("cleopatra",)),
        ("The open-label ToGA trial was conducted in 24 countries.", ("toga",)),
        ("The Copenhagen Insulin and Metformin Therapy (CIMT) trial had 412 participants.", ("cimt",)),
        ("Patients of the UKPDS 34 study were followed.", ("ukpds",)),
        ("In this COPD study, and in the HIV trial, 40 adults took part.", ()),
        ("The Randomized Controlled Study of it. The trial was small.", ()),
        ("As in the HERA trial, the EDGE study and the TECOS trial, it was given.", ()),
    ],
)
def test_a_study_is_known_by_the_name_that_its_paper_gives_it(text: str, names: tuple[str, ...]) -> None:
    assert read_study_names(paper("Zorvimab in adults", ("METHODS", text))) == names


def test_a_title_names_the_study_and_a_background_that_of_others() -> None:
    assert read_study_names(paper("Long-term results of the ADOPT trial")) == ("adopt",)
    known = ("BACKGROUND", "The HERA trial showed that it helps.")
    assert read_study_names(paper("Zorvimab in adults", known, ("METHODS", "We treated 40 adults."))) == ()


def test_records_that_are_no_papers_name_no_study() -> None:
    record = Hit.of("clinicaltrials", "NCT00000001", "https://example.org/1", "The CLEOPATRA trial")
    assert read_study_names(record) == ()
