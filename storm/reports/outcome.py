"""How a job ended: its exit code, and why its report is empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from storm import wording
from storm.models import Answer, Coverage, DeepResearch, Repurposing, SearchRecord, SearchStatus, StopReason
from storm.models.search import NAMES
from storm.reports.checklist import is_well_covered

COMPLETE, PARTIAL, NOTHING = 0, 3, 4
#: Stop reasons that leave the work unfinished.
CUT_SHORT = frozenset((StopReason.BUDGET, StopReason.MAX_ITERS, StopReason.MODEL_ERROR))


class Outcome(NamedTuple):
    """What decides how a job without failures ended."""

    coverage: Coverage
    searches: Sequence[SearchRecord]
    answers: Sequence[Answer]
    by_model: bool
    repurposing: Repurposing | None = None
    deep_research: DeepResearch | None = None

    @property
    def exit_code(self) -> int:
        """The exit code. That nobody studied a side of a hypothesis is a finding, and no lack; an answer to a question
        is complete if its checklist is well covered."""
        if self.repurposing:
            return COMPLETE if self.repurposing.rounds else NOTHING
        if self.coverage.total:
            if self.deep_research and not any(answer.says_something for answer in self.answers):
                return NOTHING
            return COMPLETE if self._is_covered else PARTIAL
        unread = self.by_model and (
            has_searched_names_only(self.searches) or any(search.hits for search in self.searches)
        )
        return PARTIAL if unread else NOTHING

    @property
    def _is_covered(self) -> bool:
        if self.deep_research:
            return is_well_covered(self.coverage.questions, self.deep_research, self.answers)
        return self.coverage.ready


def have_all_failed(searches: Sequence[SearchRecord]) -> bool:
    """Whether there were searches, and none succeeded."""
    return bool(searches) and all(search.status is SearchStatus.FAILED for search in searches)


def has_searched_names_only(searches: Sequence[SearchRecord]) -> bool:
    """Whether only the drug's name was looked up."""
    return all(search.question == NAMES for search in searches)


def explain_empty(drug: str, report: str, searches: Sequence[SearchRecord], stopped: StopReason, by_model: bool) -> str:
    """Why there is no source."""
    if have_all_failed(searches):
        return wording.ALL_FAILED.format(drug=drug, report=report)
    if stopped in CUT_SHORT:
        return wording.CUT_BEFORE_A_SOURCE.format(drug=drug, report=report)
    if by_model and has_searched_names_only(searches):
        return wording.NO_SEARCH.format(drug=drug, report=report)
    named = len({key for search in searches for key in search.hits})
    if not named:
        return wording.NO_RECORD.format(drug=drug)
    if by_model:
        return wording.explain_none_saved(named, drug, report)
    return wording.explain_none_answers(named, max(search.total for search in searches), drug)
