"""Finds the type of evidence of a source, by the type of its record."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from storm.evidence.design import design_of
from storm.models import Evidence, Hit, Holds, database_info
from storm.models.design import NO_REPORTS, Design

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
    Design.SPONTANEOUS_REPORTS: Evidence.OBSERVATIONAL,
    Design.CASE_REPORT: Evidence.OBSERVATIONAL,
    Design.GUIDELINE: Evidence.REVIEW,
    Design.REVIEW: Evidence.REVIEW,
    Design.ANIMAL: Evidence.PRECLINICAL,
    Design.IN_VITRO: Evidence.PRECLINICAL,
    Design.IN_SILICO: Evidence.PRECLINICAL,
    **dict.fromkeys(NO_REPORTS, Evidence.NOTICE),
}
#: Evidence of other records, by words in their publication types.
_RECORDS: Mapping[Evidence, tuple[str, ...]] = {
    Evidence.PATENT: ("patent",),
    Evidence.REGULATORY: ("regulatory", "label", "approval", "drug product", "biosimilar"),
}
#: Whose own pages are regulatory records: agencies that license medicines.
_AGENCIES = (
    "ema.europa.eu", "ec.europa.eu", "fda.gov", "dailymed.nlm.nih.gov", "mhra.gov.uk",
    "pmda.go.jp", "tga.gov.au", "swissmedic.ch", "canada.ca",
)  # fmt: skip


def evidence_of(hit: Hit) -> Evidence:
    """The type of evidence, by the design of the study or by the type of another record."""
    if found := _STUDIES.get(design_of(hit)):
        return found
    if database_info(hit.database).holds is Holds.PAPERS:
        return Evidence.OTHER
    types = " | ".join(hit.publication_types).casefold()
    named = next((kind for kind, words in _RECORDS.items() if any(word in types for word in words)), None)
    return named or (Evidence.REGULATORY if _is_of_agency(hit) else Evidence.OTHER)


def _is_of_agency(hit: Hit) -> bool:
    host = (urlsplit(hit.url).hostname or "") if hit.url else ""
    return any(host == agency or host.endswith(f".{agency}") for agency in _AGENCIES)
