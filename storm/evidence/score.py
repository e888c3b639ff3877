"""Scores how strong a source's evidence is: one number from 0 to 100 with its parts, by which all rankings go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from storm.evidence.levels import find_level, text_read_of
from storm.evidence.participants import participants_of
from storm.evidence.remembered import RememberedReading
from storm.evidence.strength import evidence_of
from storm.models import Evidence, Hit, Holds, Question, RelationKind, Retraction, Source, database_info

#: Points by what was read of a source.
_TEXT = {"full text": 6, "label": 6, "abstract": 3, "registry record": 3}
#: Points by the number of people that took part.
_SIZES = ((1_000, 8), (300, 6), (100, 4), (30, 2))
#: One point for each full decade since this year, up to a maximum.
_FIRST_YEAR, _MOST_DECADES = 1990, 3
#: Deductions.
_PREPRINT, _CONCERN, _NO_EVIDENCE = -10, -30, -40
#: The same by what the source is of: the partner of a combination may have made the difference.
_PRODUCTS = {RelationKind.COMBINATION: ("combination", -3), RelationKind.DERIVATIVE: ("other product", -15)}
#: Sections of a label that bind prescribers: they rank above any study.
_BINDING = ("boxed warning", "contraindications", "warnings", "precautions", "indications and usage", "dosage")
#: Official records for questions whose answer depends on the date.
_OFFICIAL = (Evidence.REGULATORY, Evidence.PATENT)


class Rating(NamedTuple):
    """The evidence of a source: its starting levels (`levels.Level`), and a score that is the sum of its parts."""

    level_efficacy: int | None
    level_safety: int | None
    level_reason: str
    level_basis: str
    text_read: str
    preprint: bool
    score: int
    score_parts: Mapping[str, int]


def rate_source(source: Source) -> Rating:
    """Rate the evidence that a source is of the drug of its job. A retracted source scores 0."""
    return _rate_hit(source.hit, source.relation_kind)


@RememberedReading
def _rate_hit(hit: Hit, kind: RelationKind) -> Rating:
    level = find_level(hit)
    parts = {name: points for name, points in _list_parts(hit, kind, level.points) if points}
    if hit.retraction is Retraction.RETRACTED:
        parts["retracted"] = -sum(parts.values())
    elif sum(parts.values()) < 0:
        parts["at least 0"] = -sum(parts.values())
    text, preprint = text_read_of(hit), _is_preprint(hit)
    return Rating(level.efficacy, level.safety, level.reason, level.basis, text, preprint, sum(parts.values()), parts)


def _list_parts(hit: Hit, kind: RelationKind, design: int) -> Iterator[tuple[str, int]]:
    yield "design", design
    yield "text", _TEXT.get(text_read_of(hit), 0)
    yield "size", _score_size(hit) if design else 0
    yield "date", min(_MOST_DECADES, max(0, ((hit.year or 0) - _FIRST_YEAR) // 10))
    yield "preprint", _PREPRINT if _is_preprint(hit) else 0
    yield "concern", _CONCERN if hit.retraction is Retraction.CONCERN else 0
    yield _PRODUCTS.get(kind, ("other product", 0))
    yield "not of the drug", 0 if kind.is_evidence else _NO_EVIDENCE


def _score_size(hit: Hit) -> int:
    """The points of a study in people by their number, where the record states it."""
    size = participants_of(hit) if evidence_of(hit) is not Evidence.PRECLINICAL else None
    return next((points for least, points in _SIZES if size is not None and size >= least), 0)


def _is_preprint(hit: Hit) -> bool:
    return any(name.casefold() == "preprint" for name in hit.publication_types)


def weakness_of(source: Source, section: str, question: Question) -> tuple[int, int]:
    """The rank of a section, given by its name, as evidence for the question; the strongest has the lowest.

    Warnings, indications and doses of a label come before any study, others by their score. For dated questions
    official records come first. For questions on established facts all sections have the same rank.
    """
    if question.dated:
        return int(not is_official(source.hit)), 0
    if question.takes_facts:
        return 0, 0
    return (-1 if is_binding(source.hit, section) else 0), -rate_source(source).score


def is_official(hit: Hit) -> bool:
    """Whether the record is one of an agency or a patent office."""
    return evidence_of(hit) in _OFFICIAL


def is_binding(hit: Hit, section: str) -> bool:
    """Whether a section of a label, given by its name, binds prescribers."""
    return database_info(hit.database).holds is Holds.LICENCES and section.casefold().startswith(_BINDING)
