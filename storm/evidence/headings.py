"""Reads the design of a study from the MeSH headings of its record: what indexers state though its words do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storm.models.design import Design

#: Headings that name a design; the first that a record has counts. "Prospective Studies" and "Follow-Up Studies" are
#: headings of trials, too, and name none.
_DESIGNS: Mapping[str, Design] = {
    "case-control studies": Design.CASE_CONTROL,
    "mendelian randomization analysis": Design.COHORT,
    "cohort studies": Design.COHORT,
    "retrospective studies": Design.COHORT,
    "longitudinal studies": Design.COHORT,
    "cross-sectional studies": Design.CROSS_SECTIONAL,
}
_ANIMALS, _HUMANS = "animals", "humans"
_TRIALS = "randomized controlled trials as topic"
#: Headings of reviews that took in other studies, too.
_OTHER_STUDIES = (
    "non-randomized controlled trials as topic",
    "observational studies as topic",
    *(name for name, design in _DESIGNS.items() if design is not Design.CROSS_SECTIONAL),
)


def find_heading_design(headings: Sequence[str]) -> Design | None:
    """The design that the headings name, None if they name none."""
    named = {name.casefold() for name in headings}
    return next((design for heading, design in _DESIGNS.items() if heading in named), None)


def find_design_heading(headings: Sequence[str], design: Design) -> str:
    """The first heading that names this design, as the record writes it; empty if none does."""
    if design is Design.ANIMAL and studied_animals(headings):
        return _ANIMALS.capitalize()
    return next((name for name in headings if _DESIGNS.get(name.casefold()) is design), "")


def studied_animals(headings: Sequence[str]) -> bool | None:
    """Whether animals alone were studied; None where the headings name both animals and humans, or neither."""
    named = {name.casefold() for name in headings}
    return _ANIMALS in named if (_ANIMALS in named) is not (_HUMANS in named) else None


def name_randomised_trials(headings: Sequence[str]) -> bool:
    """Whether a review is indexed under randomised trials, and under no other studies."""
    named = {name.casefold() for name in headings}
    return _TRIALS in named and named.isdisjoint(_OTHER_STUDIES)
