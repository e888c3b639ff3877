import pytest

from storm.models import Section, SectionKind
from storm.models.section import kind_of_heading


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Introduction", SectionKind.INTRODUCTION),
        ("1. Background", SectionKind.INTRODUCTION),
        ("MATERIALS AND METHODS: Patients", SectionKind.METHODS),
        ("RESEARCH DESIGN AND METHODS", SectionKind.METHODS),
        ("3. Results: Statistical analysis", SectionKind.RESULTS),
        ("Findings", SectionKind.RESULTS),
        ("Results and Discussion", SectionKind.DISCUSSION),
        ("Conclusions/interpretation", SectionKind.CONCLUSION),
        ("Authors’ contributions", SectionKind.BACK_MATTER),
        ("Experiment 2: Results", SectionKind.RESULTS),
        ("Abstract", SectionKind.ABSTRACT),
        ("Telmisartan and atrial fibrillation", SectionKind.OTHER),
        ("", SectionKind.OTHER),
    ],
)
def test_a_heading_says_what_stands_below_it(heading: str, kind: SectionKind) -> None:
    assert kind_of_heading(heading) is kind


def test_a_section_whose_kind_nobody_says_has_that_of_its_heading() -> None:
    assert Section(label="Discussion: Limitations", text="…").kind is SectionKind.DISCUSSION
    assert Section(label="Discussion", text="…", kind=SectionKind.LABEL).kind is SectionKind.LABEL


def test_the_results_of_an_abstract_are_results() -> None:
    assert Section(label="RESULTS", text="…", kind=SectionKind.ABSTRACT).role is SectionKind.RESULTS
    assert Section(label="", text="…", kind=SectionKind.ABSTRACT).role is SectionKind.ABSTRACT
