"""Says which databases could not be searched, and which questions not be researched."""

from __future__ import annotations

from collections.abc import Iterable

from storm import wording
from storm.models import DatabaseUse, Dossier, SearchStatus, database_label
from storm.models.search import group_by_reason
from storm.reports import research_wording as words


def describe_failures(dossier: Dossier) -> tuple[str, ...]:
    """Databases not or not fully searched, one line per reason: `Could not be searched: ChEMBL (timed out)`."""
    failed = [use for use in dossier.databases if use.status is SearchStatus.FAILED]
    partly = [use for use in dossier.databases if use.status is not SearchStatus.FAILED and use.incomplete]
    return (
        *(wording.NOT_SEARCHED.format(names=names) for names in _group_by_reason(failed)),
        *(wording.SEARCHED_IN_PART.format(names=names) for names in _group_by_reason(partly)),
    )


def describe_unresearched(dossier: Dossier) -> tuple[str, ...]:
    """The questions of a report that could not be researched, with why."""
    failed = dossier.research.failed if dossier.research else {}
    labels = {question.key: question.label for question in dossier.questions}
    return tuple(
        words.NOT_RESEARCHED.format(question=labels.get(key, key), why=why.rstrip(".")) for key, why in failed.items()
    )


def _group_by_reason(uses: Iterable[DatabaseUse]) -> tuple[str, ...]:
    return group_by_reason((database_label(use.name), use.reason) for use in uses)
