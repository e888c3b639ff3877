"""Rows of registered trials, of their posted results, and of the adverse events by arm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.databases.formats.clinicaltrials_results import NOT_POSTED, ROWS_NOT_READ
from storm.models import Cell, Hit, Source, TableRow
from storm.models.record_table import RecordRow
from storm.models.study import describe_enrollment, enrollment_kind
from storm.reports import table_wording as words
from storm.reports.paper_events import ArmCount, list_paper_events
from storm.reports.record_cells import PlacedText, list_tables, make_row, name_study, place_field, read_paragraphs
from storm.reports.registry_results import (
    Effect,
    Outcome,
    describe_arms,
    describe_effect,
    describe_endpoint,
    describe_values,
    read_outcomes,
)

#: The kinds of adverse events, in the order of their tables.
_EVENTS = ("Deaths", "Serious adverse events", "Other adverse events")
#: Primary outcomes that a registry record's text lists at most.
_MOST_OUTCOMES = 12
#: Most results of its papers that the row of a trial has.
_MOST_PUBLISHED = 3
_ELIGIBLE = "Eligible: "
#: What the section on the design begins with if the registry states no design.
_NO_DESIGN = re.compile(r"[\d,]+ participants?\b|status: |lead sponsor: ")
#: Arms without a drug, by their type or name; and characters of another arm's description, which has its dose, that
#: are shown.
_INACTIVE = re.compile(
    r"(?:Placebo comparator|Sham comparator|No intervention)\b|"
    r"[^:]*: (?:matching )?(?:placebo|sham)(?: (?:arm|group|comparator|control))?$",
    re.I,
)
_LONGEST_ARM = 200
#: The end of a sentence, not that of "vs." or "i.v.".
_SENTENCE_END = re.compile(r"(?<=[a-z)])(?<!\bvs)(?<!\.[a-z])\. (?=[A-Z])|\n|\. n ?=")
#: What is shown of the flow of participants, what stands between a period and its counts, and the words of the dates of
#: a study. A period's name may have a colon, too.
_FLOW = ("started", "completed")
_COUNTS_BEGIN = re.compile(rf": (?=(?:{'|'.join(_FLOW)}) )")
_DATED = re.compile(r"\b(?:start|completion|results first posted) \d{4}", re.I)


class EventRows(NamedTuple):
    """Rows, and the number of those that are left out."""

    rows: tuple[RecordRow, ...]
    omitted: int = 0


def list_trials(trials: Sequence[Source], published: Mapping[str, Sequence[PlacedText]]) -> tuple[RecordRow, ...]:
    """One row for each trial, by its number; `published` are the results that its papers state."""
    return tuple(
        make_row(source, list(_trial_cells(source, published.get(source.hit.external_id, ()))))
        for source in _sort_trials(trials)
    )


def list_registry_effects(trials: Sequence[Source]) -> list[tuple[Source, Outcome, Effect]]:
    """The comparisons of arms that the registry posted: the primary outcomes of all trials, then the others, then
    those of subgroups."""
    effects = [
        (source, outcome, effect)
        for source in _sort_trials(trials)
        for outcome in read_outcomes(source.hit)
        for effect in outcome.effects
    ]
    return sorted(effects, key=lambda found: (found[2].is_of_subgroup, not found[1].is_primary))


def count_unclear_effects(trials: Sequence[Source]) -> int:
    """The number of posted comparisons whose rows do not say what tells them apart."""
    return sum(outcome.unclear for source in trials for outcome in read_outcomes(source.hit))


def list_adverse_events(trials: Sequence[Source], papers: Sequence[Source], names: Sequence[str]) -> EventRows:
    """Affected and at risk by arm: the trials' totals, then their events, the most frequent first, then those of the
    papers' tables with an arm of the drug."""
    posted = [found for source in _sort_trials(trials) for found in _read_posted_events(source)]
    posted.sort(key=lambda found: not found.is_total)
    rows = [row for found in posted for row in found.rows]
    rows += map(_paper_row, list_paper_events(papers, names))
    return EventRows(tuple(rows), sum(found.omitted for found in posted))


class _PostedEvent(NamedTuple):
    """The rows of an event, or of all events of a kind; or how many rows are left out."""

    rows: tuple[RecordRow, ...] = ()
    omitted: int = 0
    is_total: bool = False


def _read_posted_events(source: Source) -> Iterator[_PostedEvent]:
    for kind in _EVENTS:
        for section in list_tables(source.hit, f"ADVERSE EVENTS: {kind}"):
            arms = max(len(row.cells) for row in section.rows)
            for n, row in enumerate(section.rows):
                if row.heading == ROWS_NOT_READ:
                    yield _PostedEvent(omitted=_count_not_read(row) * arms)
                elif n == 0 and row.heading.startswith(kind):
                    # ", of those in more than 5% of an arm"
                    event = words.ANY_EVENT + row.heading.partition(" (")[0].removeprefix(kind)
                    yield _PostedEvent(tuple(_event_rows(source, kind, event, row.cells)), is_total=True)
                else:
                    yield _PostedEvent(tuple(_event_rows(source, kind, row.heading, row.cells)))


def _sort_trials(trials: Sequence[Source]) -> list[Source]:
    return sorted(trials, key=lambda source: source.hit.external_id)


def _count_not_read(row: TableRow) -> int:
    """How many events the last row of a table says that it leaves out; each has a row for every arm."""
    return sum(int(cell.text) for cell in row.cells if cell.text.isascii() and cell.text.isdigit())


def _event_rows(source: Source, kind: str, event: str, cells: Sequence[Cell]) -> Iterator[RecordRow]:
    """One row for each arm."""
    for cell in cells:
        affected, _, at_risk = cell.text.partition(" of ")
        values = (source.hit.external_id, kind, event, cell.column, affected, at_risk, _percent_of(affected, at_risk))
        yield make_row(source, [PlacedText(value, kind) for value in values])


def _paper_row(count: ArmCount) -> RecordRow:
    affected, at_risk = str(count.affected), str(count.at_risk)
    values = (name_study(count.source.hit), words.LISTED_BY_PAPER, count.event, count.arm, affected, at_risk)
    return make_row(
        count.source, [PlacedText(value, count.place) for value in (*values, _percent_of(affected, at_risk))]
    )


def _percent_of(affected: str, at_risk: str) -> str | None:
    """The share of those at risk; None without a number at risk."""
    if not (affected.isdigit() and at_risk.isdigit()) or not 0 <= int(affected) <= int(at_risk) or not int(at_risk):
        return None
    return f"{100 * int(affected) / int(at_risk):.1f}"


def _trial_cells(source: Source, published: Sequence[PlacedText]) -> Iterator[PlacedText]:
    hit = source.hit
    facts = hit.facts
    kind = enrollment_kind(facts.enrollment_kind, facts.status)
    number = describe_enrollment(facts.enrollment, kind) if facts.enrollment is not None else None
    yield place_field("external_id", hit.external_id)
    yield place_field("relation", source.relation_kind.value)
    yield place_field("phase", facts.phase)
    yield PlacedText(_read_design(hit), "DESIGN")
    yield place_field("enrollment", number)
    yield PlacedText(_read_population(hit), "CONDITIONS, ELIGIBILITY")
    yield PlacedText("; ".join(_read_arms(hit)), "ARMS")
    endpoint, posted = _primary_cells(hit)
    yield from (endpoint, _add_published(posted, published))
    yield place_field("status", facts.status)
    yield place_field("why_stopped", facts.why_stopped)
    yield PlacedText(_read_flow(hit), "PARTICIPANT FLOW")
    yield PlacedText(_read_dates(hit), "STATUS")


def _read_design(hit: Hit) -> str:
    """ "Interventional, Randomized, Parallel, masking: quadruple": the first part of the section, without the phase."""
    design = next(iter(read_paragraphs(hit, "DESIGN")), "").partition("; ")[0]
    return "" if _NO_DESIGN.match(design) else ", ".join(word for word in design.split(", ") if word != hit.facts.phase)


def _read_population(hit: Hit) -> str:
    conditions = next(iter(read_paragraphs(hit, "CONDITIONS")), "").removeprefix("Conditions: ")
    eligible = next((line for line in read_paragraphs(hit, "ELIGIBILITY") if line.startswith(_ELIGIBLE)), "")
    return "; ".join(filter(None, (conditions, eligible.removeprefix(_ELIGIBLE))))


def _read_arms(hit: Hit) -> Iterator[str]:
    """ "Experimental: Zorvimab – 200 mg on day 1": each arm; those of a drug with the first sentence of their
    description, which has the dose, if that is short."""
    for line in read_paragraphs(hit, "ARMS"):
        arm, _, described = line.partition(" – ")
        first = _SENTENCE_END.split(described, 1)[0].rstrip(".")
        is_shown = first and len(first) <= _LONGEST_ARM and not _INACTIVE.match(arm)
        yield f"{arm} – {first}" if is_shown else arm


def _read_flow(hit: Hit) -> str:
    """How many of each arm started and completed each period."""
    return "; ".join(
        f"{period}: {'; '.join(counts)}"
        for line in read_paragraphs(hit, "PARTICIPANT FLOW")
        for period, listed in [_split_flow(line)]
        if (counts := [one for one in listed.rstrip(".").split("; ") if one.startswith(_FLOW)])
    )


def _split_flow(line: str) -> tuple[str, str]:
    """A period and its counts."""
    begin = _COUNTS_BEGIN.search(line)
    period, _, listed = line.partition(": ")
    return (line[: begin.start()], line[begin.end() :]) if begin else (period, listed)


def _read_dates(hit: Hit) -> str:
    """Start, completions and the first posting of results, as the registry states them."""
    return next((line.rstrip(".") for line in read_paragraphs(hit, "STATUS") if _DATED.search(line)), "")


def _primary_cells(hit: Hit) -> tuple[PlacedText, PlacedText]:
    """The first primary endpoint and its result: posted, not posted, or not stated."""
    outcomes = [outcome for outcome in read_outcomes(hit) if outcome.is_primary]
    if not outcomes:
        planned = read_paragraphs(hit, "PRIMARY OUTCOMES")
        endpoint = _name_first(planned[0], len(planned), is_cut=len(planned) >= _MOST_OUTCOMES) if planned else ""
        is_unposted = "Results: not posted" in read_paragraphs(hit, "STATUS")
        return PlacedText(endpoint, "PRIMARY OUTCOMES"), PlacedText(NOT_POSTED if is_unposted else None, "STATUS")
    first = outcomes[0]
    named = first.effects[0].endpoint if first.effects else describe_endpoint(first.values[0]) if first.values else ""
    endpoint = _name_first(named, len(outcomes))
    return PlacedText(endpoint, first.place), PlacedText(_describe_result(first), first.place)


def _add_published(posted: PlacedText, published: Sequence[PlacedText]) -> PlacedText:
    """The posted result; where there is none, what the trial's papers state, too."""
    if not published or posted.text not in (None, NOT_POSTED):
        return posted
    found = [one for one in (posted, *published[:_MOST_PUBLISHED]) if one.text]
    return PlacedText("; ".join(str(one.text) for one in found), "; ".join(dict.fromkeys(one.place for one in found)))


def _name_first(endpoint: str, number: int, *, is_cut: bool = False) -> str:
    if number == 1:
        return endpoint
    return (words.FIRST_OF_AT_LEAST if is_cut else words.FIRST_OF).format(endpoint=endpoint, number=number)


def _describe_result(outcome: Outcome) -> str:
    """The first values of an outcome, then its comparisons of arms."""
    if not outcome.is_posted:
        return NOT_POSTED
    more = len(outcome.values) - 1
    values = describe_values(outcome.values[0]) + (words.MORE_VALUES.format(number=more) if more else "")
    return "; ".join((values, *(f"{describe_arms(e)}: {describe_effect(e)}" for e in outcome.effects)))
