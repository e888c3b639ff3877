"""The reporting items of PRISMA-S (Rethlefsen 2021, doi:10.1186/s13643-020-01542-z), answered for one job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import wording
from storm.models import Dossier, Holds, SearchLine, SearchStatus, database_info, database_label
from storm.reports import flow_wording as words
from storm.reports.document import Block, Table, make_cells, make_heading
from storm.reports.flow import WEB, is_look_up
from storm.version import __version__


def prisma_s_blocks(dossier: Dossier) -> Iterator[Block]:
    """A table of all 16 items; what storm does not do is said to be not done."""
    rows = (make_cells(str(n), item, answer) for n, (item, answer) in enumerate(_answer_items(dossier), start=1))
    yield make_heading(words.APPENDIX_PRISMA_S, "prisma-s")
    yield Table(head=make_cells(*words.PRISMA_S_HEAD), rows=tuple(rows))


def _answer_items(dossier: Dossier) -> Iterator[tuple[str, str]]:
    searches = [line for line in dossier.search_log if not is_look_up(line)]
    yield words.ITEM_DATABASES, _list_scopes(searches, registers=False) or words.NO_DATABASE
    yield words.ITEM_SEVERAL, words.ALONE
    yield words.ITEM_REGISTRIES, _list_scopes(searches, registers=True) or words.NO_REGISTRY
    yield words.ITEM_BROWSING, _describe_web(searches)
    yield words.ITEM_CITATIONS, words.NOT_DONE
    yield words.ITEM_CONTACTS, words.NOT_DONE
    yield words.ITEM_OTHER, _describe_look_ups([line for line in dossier.search_log if is_look_up(line)])
    yield words.ITEM_STRATEGIES, words.STRATEGIES
    yield words.ITEM_LIMITS, words.LIMITS
    yield words.ITEM_FILTERS, words.FILTERS
    yield words.ITEM_PRIOR, words.PRIOR
    yield words.ITEM_UPDATES, words.UPDATES
    yield words.ITEM_DATES, "; ".join(_date_searches(searches)) or words.NO_DATABASE
    yield (
        words.ITEM_REVIEW,
        (words.REVIEW_MODEL if dossier.by_model else words.REVIEW_TEMPLATES).format(engine=dossier.engine),
    )
    yield words.ITEM_TOTAL, _sum_records(searches)
    yield words.ITEM_DUPLICATES, _describe_duplicates(dossier)


def _list_scopes(searches: Sequence[SearchLine], *, registers: bool) -> str:
    """The databases, or the registers, each with its platform; the web is neither."""
    lines = [line for line in searches if (database_info(line.database).holds is Holds.STUDIES) is registers]
    scopes = {line.database: _describe_place(line) for line in lines if line.database != WEB}
    return "; ".join(scopes.values())


def _describe_place(line: SearchLine) -> str:
    label, scope = database_label(line.database), line.scope
    is_named = scope.casefold().startswith(label.casefold())
    place = scope if is_named else wording.SCOPE.format(database=label, scope=scope)
    failed = line.status is SearchStatus.FAILED
    return words.LOG_REASON.format(outcome=place, reason=line.status.value) if failed else place


def _describe_web(searches: Sequence[SearchLine]) -> str:
    scopes = dict.fromkeys(line.scope for line in searches if line.database == WEB)
    return words.WEB_PAGES.format(scopes="; ".join(scopes)) if scopes else words.NO_BROWSING


def _describe_look_ups(lines: Sequence[SearchLine]) -> str:
    places = dict.fromkeys(database_label(line.database) for line in lines)
    return words.LOOK_UPS.format(places=", ".join(places)) if places else words.NO_LOOK_UPS


def _date_searches(searches: Sequence[SearchLine]) -> Iterator[str]:
    """The day of the last search of each database, and of the oldest answer from a cache."""
    for name in dict.fromkeys(line.database for line in searches):
        own = [line for line in searches if line.database == name]
        day = max(f"{line.at:%Y-%m-%d}" for line in own)
        answered = min((f"{line.answered:%Y-%m-%d}" for line in own if line.answered), default=day)
        cached = wording.ANSWERED.format(day=answered) if answered < day else ""
        yield words.DATES.format(place=database_label(name), day=day + cached)


def _sum_records(searches: Sequence[SearchLine]) -> str:
    places = dict.fromkeys(line.database for line in searches)
    hits = {name: sum(line.hits for line in searches if line.database == name) for name in places}
    listed = (words.TOTAL_OF.format(place=database_label(name), hits=number) for name, number in hits.items())
    records = wording.format_large_count(sum(hits.values()), "record")
    return words.TOTAL.format(places="; ".join(listed), records=records) if hits else words.NO_DATABASE


def _describe_duplicates(dossier: Dossier) -> str:
    number = dossier.flow.total.duplicates if dossier.flow else 0
    return words.DEDUPLICATION.format(duplicates=wording.format_large_count(number, "duplicate"), version=__version__)
