"""The reporting items of PRISMA-S (Rethlefsen 2021, doi:10.1186/s13643-020-01542-z), answered for one job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import unquote_plus, urlsplit

from storm import wording
from storm.models import Dossier, Holds, SearchLine, SearchStatus, database_info, database_label
from storm.models.database import DATABASES
from storm.models.search import WEB
from storm.reports import flow_wording as words
from storm.reports.document import Block, Table, make_cells, make_heading
from storm.reports.flow import is_for_records, is_look_up
from storm.reports.hypotheses import find_last_round
from storm.reports.methodology import describe_scope


def prisma_s_blocks(dossier: Dossier) -> Iterator[Block]:
    """A table of all 16 items; what storm does not do is said to be not done."""
    rows = (make_cells(str(n), item, answer) for n, (item, answer) in enumerate(_answer_items(dossier), start=1))
    yield make_heading(words.APPENDIX_PRISMA_S, "prisma-s")
    yield Table(head=make_cells(*words.PRISMA_S_HEAD), rows=tuple(rows))


def _answer_items(dossier: Dossier) -> Iterator[tuple[str, str]]:
    searches = [line for line in dossier.search_log if is_for_records(line)]
    answered = [line for line in searches if _has_answer(line)]
    yield words.ITEM_DATABASES, _list_scopes(searches, registers=False) or words.NO_DATABASE
    yield words.ITEM_SEVERAL, words.ALONE
    yield words.ITEM_REGISTRIES, _describe_registries(searches)
    yield words.ITEM_BROWSING, _describe_web(searches)
    yield words.ITEM_CITATIONS, words.NOT_DONE
    yield words.ITEM_CONTACTS, words.NOT_DONE
    yield words.ITEM_OTHER, _describe_look_ups([line for line in dossier.search_log if is_look_up(line)])
    yield words.ITEM_STRATEGIES, words.STRATEGIES
    yield words.ITEM_LIMITS, _describe_limits(answered)
    yield words.ITEM_FILTERS, words.FILTERS
    yield words.ITEM_PRIOR, words.PRIOR
    yield words.ITEM_UPDATES, _describe_update(dossier)
    yield words.ITEM_DATES, "; ".join(_date_searches(answered)) or words.NO_DATABASE
    yield words.ITEM_REVIEW, _describe_review(dossier)
    yield words.ITEM_TOTAL, _sum_records(answered)
    yield words.ITEM_DUPLICATES, _describe_duplicates(dossier)


def _list_scopes(searches: Sequence[SearchLine], *, registers: bool) -> str:
    """The databases, or the registers, each with its platform; the web is neither."""
    own = [
        line
        for line in searches
        if line.database != WEB and (database_info(line.database).holds is Holds.STUDIES) is registers
    ]
    return "; ".join(
        _describe_place([line for line in own if line.database == name])
        for name in dict.fromkeys(line.database for line in own)
    )


def _describe_place(lines: Sequence[SearchLine]) -> str:
    """A database by its searches: what it holds, through which platform, and whether none was answered."""
    if database_info(lines[0].database).holds is Holds.OTHERS:
        return words.LOCAL_FILES.format(place=database_label(lines[0].database))
    place = describe_scope(lines[0].database, lines[0].scope)
    hosts = dict.fromkeys(urlsplit(line.address).hostname for line in lines if line.address)
    if platforms := ", ".join(words.HOSTS.get(host, host) for host in hosts if host):
        place = words.PLATFORM.format(place=place, platforms=platforms)
    return place if any(map(_has_answer, lines)) else words.FAILED.format(place=place)


def _has_answer(line: SearchLine) -> bool:
    return line.status is not SearchStatus.FAILED


def _describe_registries(searches: Sequence[SearchLine]) -> str:
    return (
        _list_scopes(searches, registers=True)
        or _describe_held(searches, Holds.STUDIES, words.HELD_STUDIES)
        or words.NO_REGISTRY
    )


def _describe_web(searches: Sequence[SearchLine]) -> str:
    scopes = dict.fromkeys(line.scope for line in searches if line.database == WEB)
    if scopes:
        return words.WEB_PAGES.format(scopes="; ".join(scopes))
    return _describe_held(searches, Holds.PAGES, words.HELD_PAGES) or words.NO_BROWSING


def _describe_held(searches: Sequence[SearchLine], holds: Holds, text: str) -> str:
    """The databases of that kind whose records were searched in local files, as the scope of those counts them."""
    local = {line.scope: line.database for line in searches if database_info(line.database).holds is Holds.OTHERS}
    labels = [info.label for info in DATABASES if info.holds is holds]
    return " ".join(
        text.format(label=label, place=database_label(database))
        for scope, database in local.items()
        for label in labels
        if any(f"{before}{label} " in scope for before in ("(", ", "))
    )


def _describe_limits(answered: Sequence[SearchLine]) -> str:
    cut = sum(line.hits < line.total for line in answered)
    read = words.LIMITS_READ.format(cut=f"{cut:,}", searches=f"{len(answered):,}") if cut else words.LIMITS_ALL_READ
    open_access = dict.fromkeys(database_label(line.database) for line in answered if _is_open_access(line))
    only = [words.LIMITS_OPEN_ACCESS.format(places=", ".join(open_access))] if open_access else []
    return " ".join((read, *only, words.LIMITS))


def _is_open_access(line: SearchLine) -> bool:
    return words.OPEN_ACCESS_FILTER in f"{unquote_plus(line.address)} {line.translated}".casefold()


def _describe_review(dossier: Dossier) -> str:
    syllabus = words.OF_SYLLABUS.format(name=dossier.syllabus) if dossier.syllabus else ""
    if dossier.syllabus_version:
        syllabus += words.OF_SYLLABUS_VERSION.format(version=dossier.syllabus_version)
    if dossier.version:
        syllabus += words.OF_STORM.format(version=dossier.version)
    by_model = dossier.by_model and dossier.changes is None
    by_rules = words.REVIEW_HYPOTHESES if find_last_round(dossier) else words.REVIEW_TEMPLATES
    wrote = words.REVIEW_MODEL if by_model else by_rules
    return wrote.format(engine=dossier.engine, syllabus=syllabus)


def _describe_update(dossier: Dossier) -> str:
    changes = dossier.changes
    if changes is None:
        return words.UPDATES_ROUNDS if find_last_round(dossier) else words.UPDATES
    days = changes.searched_since.items()
    places = ", ".join(words.UPDATE_PLACE.format(place=database_label(name), day=day) for name, day in days)
    dated = words.UPDATE_DATED.format(places=places) if places else ""
    return words.UPDATE_OF.format(job=changes.update_of, day=f"{changes.since:%Y-%m-%d}", dated=dated)


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
    listed = (_sum_place([line for line in searches if line.database == name]) for name in places)
    records = wording.format_large_count(sum(line.hits for line in searches), "record")
    return words.TOTAL.format(places="; ".join(listed), records=records) if places else words.NO_DATABASE


def _sum_place(lines: Sequence[SearchLine]) -> str:
    total, hits = sum(line.total for line in lines), sum(line.hits for line in lines)
    return words.TOTAL_OF.format(place=database_label(lines[0].database), total=total, hits=hits)


def _describe_duplicates(dossier: Dossier) -> str:
    if dossier.flow is None:
        return words.NOT_COUNTED
    removed = wording.format_large_count(dossier.flow.total.duplicates, "duplicate")
    version = f" {dossier.version}" if dossier.version else ""
    return words.DEDUPLICATION.format(duplicates=removed, version=version)
