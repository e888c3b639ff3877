"""What a dossier says of the searches of its job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from storm import wording
from storm.models import (
    Answer,
    Coverage,
    DatabaseUse,
    SearchLine,
    SearchRecord,
    SearchStatus,
    Source,
    database_label,
)
from storm.models.search import CHECK, drop_unsent


def sort_searches(searches: Sequence[SearchRecord], planned: Sequence[str]) -> Sequence[SearchRecord]:
    """Sort the log by question, in the order of the plan, and database: parallel searches finish in random order."""
    named = dict.fromkeys(search.question for search in searches)
    questions = [*(key for key in named if key not in planned and key != CHECK), *planned, CHECK]
    return sorted(searches, key=lambda search: (questions.index(search.question), search.database))


def list_database_uses(searches: Sequence[SearchRecord], sources: Sequence[Source]) -> Iterator[DatabaseUse]:
    """Summarise each database by its worst outcome, so that successful searches do not hide a failed one."""
    worst = (SearchStatus.FAILED, SearchStatus.FOUND, SearchStatus.NONE, SearchStatus.NOT_APPLICABLE)
    sent = drop_unsent(searches)
    for name in dict.fromkeys(search.database for search in searches):
        own = [search for search in sent if search.database == name]
        returned = {key for search in own for key in search.hits}
        records = Counter(s.hit.database for s in sources if returned.intersection(s.hit.identifiers))
        status = min((search.status for search in own), key=worst.index)
        incomplete = any(search.incomplete for search in own)
        in_part = incomplete and status is not SearchStatus.FAILED
        reported = [search for search in own if (search.incomplete if in_part else search.status is status)]
        reasons = dict.fromkeys(search.reason for search in reported if search.reason)
        yield DatabaseUse(
            name=name,
            scope=own[0].scope,
            searched=len(own),
            status=status,
            reason="; ".join(reasons),
            incomplete=incomplete,
            records=dict(sorted(records.items())),
        )


def list_search_lines(searches: Sequence[SearchRecord], sources: Sequence[Source]) -> Iterator[SearchLine]:
    """A line of the search log for each search, with how many of its records were saved."""
    saved = {identifier: source.source_id for source in sources for identifier in source.hit.identifiers}
    for search in searches:
        yield SearchLine(
            **search.model_dump(exclude={"hits"}),
            hits=len(search.hits),
            kept=len({saved[key] for key in search.hits if key in saved}),
        )


def note_changed_scopes(searches: Sequence[SearchRecord]) -> Iterator[str]:
    """A note for each database whose scope changed while the job ran."""
    for name in dict.fromkeys(search.database for search in searches):
        own = sorted((search for search in searches if search.database == name), key=lambda search: search.at)
        scopes = list(dict.fromkeys(search.scope for search in own))
        if len(scopes) > 1:
            yield wording.CHANGED_SCOPE.format(database=database_label(name), scopes=wording.NEXT_SCOPE.join(scopes))


def add_search_gaps(
    answers: Sequence[Answer], state: Coverage, searches: Sequence[SearchRecord], *, cut: bool
) -> Iterator[Answer]:
    """Add gaps to answers that lack sources: failed databases, a search cut short, and matching records not read."""
    failed = dict.fromkeys(database_label(search.database) for search in searches if search.has_failed)
    lacking = {question.question for question in state.questions if not question.sufficient}
    not_asked = [wording.NOT_ASKED.format(databases=", ".join(failed))] if failed else []
    for answer in answers:
        if answer.question not in lacking:
            yield answer
            continue
        unread = _note_unread_records(search for search in searches if search.is_for(answer.question))
        more = [*([wording.CUT_SHORT] if cut else []), *not_asked, *unread]
        yield answer.model_copy(update={"gaps": (*answer.gaps, *more)})


def _note_unread_records(searches: Iterable[SearchRecord]) -> Iterator[str]:
    """Note, for each database, the search that left the most records unread."""
    most: dict[str, SearchRecord] = {}
    for search in searches:
        known = most.setdefault(search.database, search)
        if search.total - len(search.hits) > known.total - len(known.hits):
            most[search.database] = search
    for search in most.values():
        read = len(search.hits)
        if 0 < read < search.total:
            label = database_label(search.database)
            yield wording.READ_IN_PART.format(database=label, read=read, total=search.total)
