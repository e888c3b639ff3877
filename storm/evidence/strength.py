"""Ranks the strength of evidence of a source, by the type of its record and by the question."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from storm.evidence.design import NO_REPORTS, Design, design_of
from storm.models import Hit, Holds, Question, Section, SectionKind, database_info


class Evidence(StrEnum):
    """The type of evidence of a record, as shown to readers; the strongest first."""

    META_ANALYSIS = "meta-analysis or systematic review"
    RANDOMISED = "randomised trial"
    SECONDARY = "secondary analysis of trials"
    OTHER_TRIAL = "other clinical trial"
    REGULATORY = "regulatory record"
    OBSERVATIONAL = "observational study"
    REVIEW = "review or guideline"
    PRECLINICAL = "animal or laboratory study"
    PATENT = "patent"
    NOTICE = "protocol or notice"
    OTHER = "other"


_STUDIES: Mapping[Design, Evidence] = {
    Design.META_ANALYSIS: Evidence.META_ANALYSIS,
    Design.RANDOMISED: Evidence.RANDOMISED,
    Design.SECONDARY: Evidence.SECONDARY,
    Design.NON_RANDOMISED: Evidence.OTHER_TRIAL,
    Design.INTERVENTIONAL: Evidence.OTHER_TRIAL,
    Design.PHARMACOKINETIC: Evidence.OTHER_TRIAL,
    Design.COHORT: Evidence.OBSERVATIONAL,
    Design.CASE_CONTROL: Evidence.OBSERVATIONAL,
    Design.CROSS_SECTIONAL: Evidence.OBSERVATIONAL,
    Design.CASE_REPORT: Evidence.OBSERVATIONAL,
    Design.GUIDELINE: Evidence.REVIEW,
    Design.REVIEW: Evidence.REVIEW,
    Design.ANIMAL: Evidence.PRECLINICAL,
    Design.IN_VITRO: Evidence.PRECLINICAL,
    **dict.fromkeys(NO_REPORTS, Evidence.NOTICE),
}
#: Evidence of other records, by words in their publication types.
_RECORDS: Mapping[Evidence, tuple[str, ...]] = {
    Evidence.PATENT: ("patent",),
    Evidence.REGULATORY: ("regulatory", "label", "approval", "drug product", "biosimilar"),
}
_EVIDENCE, _DESIGNS = tuple(Evidence), tuple(Design)
#: Sections of a label that bind prescribers: they rank above any study.
_BINDING = ("boxed warning", "contraindications", "warnings", "precautions", "indications and usage", "dosage")
#: Official records for questions whose answer depends on the date.
_OFFICIAL = (Evidence.REGULATORY, Evidence.PATENT)


def evidence_of(hit: Hit) -> Evidence:
    """The type of evidence, by the design of the study or by the type of another record."""
    if found := _STUDIES.get(design_of(hit)):
        return found
    types = " | ".join(hit.publication_types).casefold()
    return next((kind for kind, words in _RECORDS.items() if any(word in types for word in words)), Evidence.OTHER)


def weakness_of(hit: Hit, section: Section, question: Question) -> tuple[int, int]:
    """The rank of the section as evidence for the question; the strongest has the lowest.

    Warnings, indications and doses of a label come before any study. For dated questions official records come first.
    For questions on established facts all sections have the same rank.
    """
    kind = evidence_of(hit)
    if question.dated:
        return int(kind not in _OFFICIAL), 0
    if question.takes_facts:
        return 0, 0
    if _is_binding(hit, section):
        return -1, 0
    return _EVIDENCE.index(kind), _DESIGNS.index(design_of(hit))


def _is_binding(hit: Hit, section: Section) -> bool:
    is_label = database_info(hit.database).holds is Holds.LICENCES and section.kind is SectionKind.LABEL
    return is_label and section.label.casefold().startswith(_BINDING)
