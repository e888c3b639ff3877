"""The references of a repurposing report: only collected evidence, in the words of its records."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping

from storm.citations.quotes import normalize_text
from storm.citations.references import WorkIndex, WrittenReference, describe_work, name_reference
from storm.citations.removed_marks import REFERENCE_REMOVED
from storm.citations.renumbering import renumber_marks
from storm.errors import StormError
from storm.models import (
    Dossier,
    EvidencePiece,
    FindingsSection,
    Reference,
    RemovedReference,
    ReportReference,
    RepurposingReport,
    Verdict,
)
from storm.models.database import DATABASES
from storm.models.repurposing import LONGEST_SUMMARY, SHORTEST_SUMMARY

NOT_COLLECTED = "it is not part of the collected evidence, or states something that its record does not"
NO_REFERENCE = "the report has no reference with this number"
_LIST = "references"
#: The parts of a report that have sections.
_SECTIONS = ("mechanistic_findings", "clinical_findings")
#: Its other texts, in which [n] is a mark, too; the limitations are several.
_TEXTS, _SUMMARY, _LIMITATIONS = ("methodology", "conclusion"), "executive_summary", "limitations"
#: What stands in place of a summary that is too short or too long for one without the marks that were removed.
SUMMARY_REMOVED = (
    "The executive summary was removed: without its references to what is not part of the collected evidence it was no "
    "paragraph of 100 to 500 characters. What was found stands below."
)
_NAMES = {info.label.casefold(): info.name for info in DATABASES}
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])")
#: An address, or what may be a key in one; "LKB1/AMPK" and "(n=20)" are none.
_ADDRESS = re.compile(r"(?<!\S)(?=\S*(?:://|\.[a-z]{2,24}/|[?&][\w.-]{1,40}=|key=|token=|secret=|password=))\S+", re.I)
#: Characters of a part of a report that are taken: a chapter of seven pages.
LONGEST_PART = 15_000
#: Characters of a date that are read, and of a place that is reported.
_DATE, _PLACE = 40, 160

_log = logging.getLogger(__name__)


def validate_references(report: RepurposingReport, evidence: Iterable[EvidencePiece]) -> RepurposingReport:
    """The report with references and section citations to collected evidence alone, described by its records.

    A reference is compared by identifier first, then by address, then by its whole title, and everything that it
    states must be right. Each source has one number, and the marks in the sections, the executive summary, the
    methodology, the limitations and the conclusion have the new numbers. Marks of removed references vanish; a sentence
    that had no other has "[reference removed]" in their place. `removed_references` says what was removed, where and
    why.

        checked = storm.validate_references(report, evidence)
        for removed in checked.removed_references:
            print(removed.title, removed.place, removed.reason)
    """
    if not isinstance(report, RepurposingReport):
        raise StormError(
            f"validate_references checks a RepurposingReport, and was given a {type(report).__name__}",
            hint="what storm.repurpose returns has it as repurposing.report, and storm.list_evidence its evidence",
        )
    check = _Check(evidence)
    found = [check.find(reference, _LIST) for reference in report.references]
    kept = list({id(one): one for one in found if one}.values())
    places = {id(one): n for n, one in enumerate(kept, start=1)}
    numbers = {n: places[id(one)] for n, one in enumerate(found, start=1) if one}
    sections = {
        name: tuple(check.validate_section(one, name, numbers, len(found)) for one in getattr(report, name))
        for name in _SECTIONS
    }
    texts = {name: check.renumber(getattr(report, name), name, numbers, len(found)) for name in _TEXTS}
    summary = _fit_summary(check.renumber(report.executive_summary, _SUMMARY, numbers, len(found)))
    limits = tuple(check.renumber(one, _LIMITATIONS, numbers, len(found)) for one in report.limitations)
    changes = {"references": tuple(kept), _SUMMARY: summary, _LIMITATIONS: limits, **texts, **sections}
    removed = (*report.removed_references, *check.removed)
    return report.model_copy(update={**changes, "removed_references": removed})


def build_reference_from_evidence(piece: EvidencePiece) -> ReportReference:
    """The reference to a piece of evidence: a copy of what its record says.

    `validate_references` leaves it as it is.

        references = [storm.build_reference_from_evidence(piece) for piece in evidence]
    """
    return piece.citation.model_copy()


def list_evidence(dossier: Dossier) -> tuple[EvidencePiece, ...]:
    """The evidence of a job: the quote of each statement that is shown as its answer, with its source's reference.

    A source without such a statement, such as one of a table, has one piece: its title.

        evidence = storm.list_evidence(report)  # what storm.run, storm.report or storm.repurpose returned
    """
    references = {one.source_id: describe_reference(one) for one in dossier.references}
    titles = dict(references)
    pieces: list[EvidencePiece] = []
    for answer in dossier.answers:
        for statement in answer.all_statements:
            source = next(iter(statement.source_ids), "")
            if statement.verdict is not Verdict.UNSUPPORTED and statement.quote and source in references:
                pieces.append(EvidencePiece(content=statement.quote, citation=references[source]))
                titles.pop(source, None)
    return (*dict.fromkeys(pieces), *(EvidencePiece(content=one.title, citation=one) for one in titles.values()))


def describe_reference(reference: Reference) -> ReportReference:
    """The reference of a dossier as that of a report."""
    return ReportReference(
        title=reference.title,
        authors=reference.authors,
        source=reference.source_type,
        date=reference.date or str(reference.year or ""),
        url=reference.url,
        identifiers=reference.identifiers,
    )


class _Check:
    """Finds the evidence of references, and keeps what is removed."""

    def __init__(self, evidence: Iterable[EvidencePiece]) -> None:
        self.removed: list[RemovedReference] = []
        works = list(_list_works(evidence))
        self._index = WorkIndex((first, describe_work(_as_written(one))) for one, first in works)
        self._copies = dict(works)

    def find(self, reference: ReportReference, place: str) -> ReportReference | None:
        """The collected reference that this one means; without one it is removed from the place."""
        written = _as_written(reference)
        found = self._copies.get(reference) or self._index.find_match(written)
        if found is None:
            self._remove(name_reference(written), place, NOT_COLLECTED)
        return found

    def validate_section(
        self, section: FindingsSection, part: str, numbers: Mapping[int, int], count: int
    ) -> FindingsSection:
        """The section with its collected citations, each once, and the new numbers in its text."""
        place = " ".join(f"{part}: {section.title}".split())[:_PLACE]
        found = [self.find(citation, place) for citation in section.citations]
        content = self.renumber(section.content, place, numbers, count)
        citations = tuple({id(one): one for one in found if one}.values())
        return section.model_copy(update={"content": content, "citations": citations})

    def renumber(self, text: str, place: str, numbers: Mapping[int, int], count: int) -> str:
        """The text with its new numbers; those that no reference has are removed from the place."""
        if len(text) > LONGEST_PART:
            raise StormError(
                f"{place!r} of the report has {len(text):,} characters, and at most {LONGEST_PART:,} are read",
                hint="divide it into several sections",
            )
        renumbered = renumber_marks(text, numbers, count)
        for number in renumbered.unknown:
            self._remove(f"[{number}]", place, NO_REFERENCE)
        return renumbered.text

    def _remove(self, title: str, place: str, reason: str) -> None:
        self.removed.append(RemovedReference(title=title, place=place, reason=reason))
        # An address may hold a key, and a title the line ends of a log.
        _log.warning("removed from %r: %r, since %s", place, _ADDRESS.sub("…", title), reason)


def _fit_summary(text: str) -> str:
    """The summary, if notes in place of removed marks leave it one of the length that a report has."""
    for summary in (text, text.replace(f" {REFERENCE_REMOVED}", "")):
        if SHORTEST_SUMMARY <= len(summary) <= LONGEST_SUMMARY:
            return summary
    return SUMMARY_REMOVED


def _list_works(evidence: Iterable[EvidencePiece]) -> Iterator[tuple[ReportReference, ReportReference]]:
    """Each reference of the evidence with that of its work, the first; an identifier in common makes them one work."""
    first: dict[str, ReportReference] = {}
    for one in dict.fromkeys(map(build_reference_from_evidence, evidence)):
        work = describe_work(_as_written(one))
        keys = sorted(work.identifiers or work.addresses or {f"title:{work.title}"})
        found = next((first[key] for key in keys if key in first), one)
        first |= {key: first.get(key, found) for key in keys}
        yield one, found


def _as_written(reference: ReportReference) -> WrittenReference:
    source = reference.source.strip().casefold()
    years = _YEAR.findall(normalize_text(reference.date[:_DATE]))
    year = int(years[0]) if years else None
    return WrittenReference(reference.title, reference.url, reference.identifiers, _NAMES.get(source, source), year)
