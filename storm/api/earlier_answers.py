"""Whether an earlier answer is taken instead of researching a question again."""

from __future__ import annotations

from typing import NamedTuple

from storm.app import App
from storm.app.similar_questions import SimilarQuestion
from storm.errors import UsageError
from storm.models import AnsweredBefore, JobRequest


class EarlierAnswer(NamedTuple):
    """The nearest question that was answered before, and whether its answer is taken."""

    question: SimilarQuestion
    is_taken: bool

    def describe(self) -> AnsweredBefore:
        """What a result says of the earlier answer that was taken."""
        question = self.question
        return AnsweredBefore(asked_on=question.asked_on.date(), score=question.score, age_days=question.age_days)


async def find_earlier(app: App, request: JobRequest, *, fresh: bool, cached: bool) -> EarlierAnswer | None:
    """The nearest earlier question, unless a `fresh` answer is wanted. Its answer is taken if it is the same question,
    or a similar one and `cached`; never where something else differs that matters. Searching on this machine costs
    nothing and its records change, so offline the answer is taken only if `cached`."""
    if fresh and cached:
        raise UsageError("a fresh answer and an earlier one exclude each other", hint="give `fresh` or `cached`")
    found = None if fresh else await app.find_similar(request)
    if found is None:
        return None
    may_be_taken = cached or (found.is_same and not request.offline)
    return EarlierAnswer(found, may_be_taken and not found.obstacles)
