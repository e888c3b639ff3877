"""How hypotheses were tested: round by round, and in one paragraph."""

from __future__ import annotations

from collections.abc import Iterator

from storm import planning_wording, wording
from storm.models import Dossier, RepurposingRound, SearchQuery, database_label
from storm.reports import repurposing_wording as words
from storm.reports import research_wording
from storm.reports.document import (
    Block,
    Inlines,
    Paragraph,
    Table,
    join_texts,
    make_cells,
    to_inlines,
)


def round_blocks(dossier: Dossier) -> Iterator[Block]:
    """The rounds, each with its hypotheses, its searches and what these added, and why they ended."""
    labels = {question.key: question.label for question in dossier.questions}
    rounds = dossier.repurposing.rounds if dossier.repurposing else ()
    for number, one in enumerate(rounds, start=1):
        yield Paragraph(content=to_inlines(_describe_round(number, one)))
        if one.searches:
            rows = tuple(make_cells(labels.get(key, key), _list_searches(own)) for key, own in one.searches.items())
            yield Table(head=make_cells(*words.ROUND_HEAD), rows=rows)
    ended = words.ENDED if rounds else words.NO_ROUND
    yield Paragraph(content=to_inlines(ended.format(why=why_rounds_ended(dossier))))


def why_rounds_ended(dossier: Dossier) -> str:
    """Why no further round was run, phrased as the end of a sentence."""
    rounds = dossier.repurposing.rounds if dossier.repurposing else ()
    if not rounds:
        return words.NO_SOURCE
    if rounds[-1].assessment.is_enough:
        return words.ENOUGH
    if len(rounds) > 1 and rounds[-1].tested == rounds[-2].tested:
        return words.ROUND_CHANGED_NOTHING.format(number=len(rounds))
    most = max(1, dossier.research.settings.max_iterations) if dossier.research else 1
    if len(rounds) < most:
        return words.NOTHING_TO_SEARCH
    return words.LAST_ROUND.format(rounds=wording.format_count(most, "round"))


def describe_method(dossier: Dossier) -> str:
    """The method in one paragraph: databases, days, years, what was included, the counts of the flow, and the
    engine."""
    days = sorted({f"{line.at:%Y-%m-%d}" for line in dossier.search_log}) or [f"{dossier.created:%Y-%m-%d}"]
    years = sorted({reference.year for reference in dossier.references if reference.year})
    flow = dossier.flow.total if dossier.flow else None
    return words.METHODOLOGY.format(
        days=days[0] if len(days) == 1 else words.DAYS.format(first=days[0], last=days[-1]),
        databases=", ".join(database_label(use.name) for use in dossier.searched_databases) or words.NOTHING,
        years=words.YEARS.format(first=years[0], last=years[-1]) if years else "",
        flow=words.FLOW.format(**flow.model_dump()) if flow else "",
        engine=dossier.engine,
    )


def _describe_round(number: int, one: RepurposingRound) -> str:
    hypotheses = planning_wording.count_hypotheses(len(one.tested)) if one.tested else planning_wording.NO_HYPOTHESES
    added = wording.format_large_count(one.new_sources, research_wording.NEW_SOURCE)
    sources = words.SEARCHED.format(sources=added) if one.searches else words.NO_SEARCH
    return words.ROUND.format(number=number, hypotheses=hypotheses, sources=sources)


def _list_searches(queries: tuple[SearchQuery, ...]) -> Inlines:
    """The searches, without the names that all have."""
    return join_texts("; ", dict.fromkeys(query.terms or str(query) for query in queries))
