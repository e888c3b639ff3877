"""The references of a report, and the marks that cite them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from storm import wording
from storm.models import Reference, Retraction
from storm.models.design import NO_REPORTS
from storm.models.dossier import CONFIRMATION
from storm.reports import deep_research_wording
from storm.reports import study_wording as words
from storm.reports.document import (
    Inlines,
    Link,
    Mark,
    NumberedReference,
    Style,
    Text,
    fill_template,
    is_web_address,
    join_inlines,
    record_text,
    to_inlines,
)
from storm.reports.entries import EntryKind, entry_of
from storm.reports.reference_style import describe_entry

#: Works cited by their web address.
_ON_THE_INTERNET = (EntryKind.TRIAL, EntryKind.REPORT, EntryKind.DATASET, EntryKind.PAGE)
#: Longest note shown, in characters.
_NOTE = 300


class Bibliography:
    """Looks up the references of one report by source; `name_relation` rewords how they relate to the drug."""

    def __init__(
        self, references: Sequence[Reference], name_relation: Callable[[str], str] = lambda text: text
    ) -> None:
        self._references = references
        self._name_relation = name_relation
        self._by_source = {reference.source_id: reference for reference in references}

    def mark_of(self, *source_ids: str) -> Mark:
        """The citation mark of these sources; KeyError if one has no reference."""
        return Mark(numbers=tuple(sorted({self._by_source[source_id].n for source_id in source_ids})))

    def reference_of(self, source_id: str) -> Reference:
        """The reference of a source."""
        return self._by_source[source_id]

    def numbered_references(self) -> tuple[NumberedReference, ...]:
        """Every reference, laid out for readers."""
        return tuple(
            NumberedReference(content=_describe_reference(record, self._name_relation), record=record)
            for record in self._references
        )


def retraction_mark(reference: Reference) -> tuple[Text, ...]:
    """RETRACTED or EXPRESSION OF CONCERN; empty if neither is known."""
    mark = wording.RETRACTIONS.get(reference.retraction)
    return (Text(text=mark, style=Style.STRONG),) if mark else ()


def _describe_reference(reference: Reference, name_relation: Callable[[str], str]) -> Inlines:
    """The work in reference style, then `<link> (remarks)`."""
    entry = entry_of(reference)
    link, remarks = _make_link(reference.url), join_inlines("; ", filter(None, _list_remarks(reference, name_relation)))
    before = wording.AVAILABLE_FROM if entry.kind in _ON_THE_INTERNET else " "
    where = to_inlines(before, link) if link else ()
    shown = to_inlines(" (", remarks, ")") if remarks else ()
    return to_inlines(describe_entry(entry), ".", where, shown)


def _list_remarks(reference: Reference, name_relation: Callable[[str], str]) -> Iterator[Inlines]:
    """Warnings about a source, where to read it, and its id in the job."""
    if about := wording.describe_relation(reference.relation, reference.relation_kind):
        yield to_inlines(name_relation(about))
    if reference.score is not None:
        yield to_inlines(_describe_level(reference))
    elif reference.design in NO_REPORTS:
        yield to_inlines(reference.design)
    if CONFIRMATION in reference.score_parts:
        yield to_inlines(deep_research_wording.CONFIRMED)
    yield retraction_mark(reference)
    if _is_unchecked_paper(reference):
        yield to_inlines(wording.NOT_CHECKED)
    yield from ((record_text(notice),) for notice in reference.notices)
    if reference.open_access:
        yield to_inlines(wording.OPEN_ACCESS)
    if reference.open_url and reference.open_url != reference.url:
        yield fill_template(wording.FREE_COPY, link=_make_link(reference.open_url))
    if reference.funding:
        yield fill_template(wording.FUNDING, payer=reference.funding)
    if reference.note:
        yield fill_template(wording.NOTE, note=_clip_note(reference.note))
    yield (Text(text=reference.source_id, style=Style.CODE),)


def _describe_level(reference: Reference) -> str:
    """The starting level of a study's evidence, and the score of its source with its parts: "level 2 (randomised
    trial by type), abstract; score 73: design 66, text 3, size 4". A record that is no study has no level."""
    efficacy, safety = reference.level_efficacy, reference.level_safety
    template = wording.NO_LEVEL if efficacy is None else wording.LEVEL if efficacy == safety else wording.TWO_LEVELS
    reason, read = reference.level_reason, reference.text_read
    parts = ", ".join(
        words.SCORE_PARTS.get(name, words.SCORE_PART).format(name=name, points=points)
        for name, points in reference.score_parts.items()
    )
    basis = next((text for start, text in words.BASES.items() if reference.level_basis.startswith(start)), "")
    rated = template.format(efficacy=efficacy, safety=safety, reason=reason, basis=basis, read=read)
    level = rated if reference.design else read
    return wording.SCORE.format(level=level, score=reference.score, parts=parts) if parts else level


def _clip_note(note: str) -> str:
    return note if len(note) <= _NOTE else f"{note[:_NOTE].rstrip()}…"


def _is_unchecked_paper(reference: Reference) -> bool:
    """Whether this is a paper whose retraction was not checked; patents and licences are never retracted."""
    kinds = {identifier.partition(":")[0] for identifier in reference.identifiers}
    return reference.retraction is Retraction.NOT_CHECKED and bool(kinds & {"pmid", "pmcid", "doi"})


def _make_link(url: str) -> tuple[Link, ...]:
    """A link to the address; empty if it is not http or https."""
    return (Link(url=url),) if is_web_address(url) else ()
