"""Lays out all searches of a job, each query once, with its outcome in each database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from storm import wording
from storm.models import Dossier, RecordFlow, SearchLine, SearchQuery, SearchStatus, database_label
from storm.models.search import WEB
from storm.reports import flow_wording as words
from storm.reports.document import (
    Block,
    Inlines,
    Paragraph,
    Table,
    fill_template,
    make_cells,
    make_heading,
    to_inlines,
)
from storm.reports.flow import is_look_up
from storm.reports.pictures.flow import name_method


def search_log_blocks(dossier: Dossier) -> Iterator[Block]:
    """The searches by query, with long lists of names folded, and the records by database."""
    symbols = {symbol: names for symbol, names in _name_lists(dossier).items() if _uses_names(dossier, names)}
    yield make_heading(words.APPENDIX_LOG, "search-log")
    yield Paragraph(content=to_inlines(words.LOG_INTRO.format(report=dossier.file_name)))
    for symbol, names in symbols.items():
        yield Paragraph(content=fill_template(words.LOG_NAMES, symbol=symbol, names=names))
    look_ups = [line for line in dossier.search_log if is_look_up(line)]
    searches = [line for line in dossier.search_log if not is_look_up(line)]
    yield Table(head=make_cells(*words.LOG_HEAD), rows=tuple(_query_rows(searches, symbols)))
    if look_ups:
        yield Paragraph(content=to_inlines(_count_look_ups(look_ups)))
        yield Table(head=make_cells(*words.LOG_HEAD), rows=tuple(_query_rows(look_ups, symbols)))
    if dossier.flow:
        rows = tuple(_place_rows(dossier.flow, Counter(line.database for line in searches)))
        head = words.LOG_UPDATED_HEAD if dossier.changes else words.LOG_DATABASES_HEAD
        yield Table(head=make_cells(*head), rows=rows)


def _count_look_ups(lines: Sequence[SearchLine]) -> str:
    records = wording.format_large_count(sum(line.hits for line in lines), "record")
    return words.LOG_LOOK_UPS.format(look_ups=f"{len(lines):,}", records=records)


def _name_lists(dossier: Dossier) -> dict[str, str]:
    """The names of the drug as queries contain them, the longest list first; one name needs no symbol."""
    every = (*dossier.names, *dossier.also_known)
    lists = {words.ALL_NAMES: every if dossier.also_known else (), words.SEARCHED_NAMES: dossier.names}
    return {symbol: str(SearchQuery(names=names)) for symbol, names in lists.items() if len(names) > 1}


def _uses_names(dossier: Dossier, names: str) -> bool:
    return any(names in line.query for line in dossier.search_log)


def _query_rows(searches: Sequence[SearchLine], symbols: Mapping[str, str]) -> Iterator[tuple[Inlines, ...]]:
    """A row for each query; queries of the same questions with the same outcome share one."""
    lines: dict[str, list[SearchLine]] = {}
    for line in searches:
        lines.setdefault(line.query, []).append(line)
    rows: dict[tuple[str, str], list[str]] = {}
    for query, own in lines.items():
        questions = ", ".join(dict.fromkeys(name for line in own for name in (line.question, *line.shared_with)))
        outcome = "; ".join(map(_describe_outcome, own))
        rows.setdefault((questions, outcome), []).append(_fold_names(query, symbols))
    return (make_cells(words.NEXT_QUERY.join(queries), *shared) for shared, queries in rows.items())


def _fold_names(query: str, symbols: Mapping[str, str]) -> str:
    for symbol, names in symbols.items():
        query = query.replace(f"({names})", symbol).replace(names, symbol)
    return query


def _describe_outcome(line: SearchLine) -> str:
    outcome = line.status.value
    if line.status is SearchStatus.FOUND:
        outcome = words.LOG_FOUND.format(hits=line.hits, total=line.total, kept=line.kept)
    if line.reason:
        outcome = words.LOG_REASON.format(outcome=outcome, reason=line.reason)
    if line.answered and line.answered.date() != line.at.date():
        outcome += wording.ANSWERED.format(day=f"{line.answered:%Y-%m-%d}")
    return words.LOG_OUTCOME.format(database=database_label(line.database), outcome=outcome)


def _place_rows(flow: RecordFlow, searched: Mapping[str, int]) -> Iterator[tuple[Inlines, ...]]:
    """The databases and after them the other methods; their records add up to those of the flow."""
    places = [(database_label(name), searched.get(name, 0), counts) for name, counts in flow.databases.items()]
    for name, counts in flow.others.items():
        places.append((name_method(name), searched.get(name, 0) if name == WEB else 0, counts))
    for label, number, counts in places:
        numbers = (number, counts.identified, counts.duplicates, counts.sought, counts.included)
        yield make_cells(label, *(f"{number:,}" for number in numbers))
