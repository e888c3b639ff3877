"""Earlier questions whose answers may serve a question again."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from storm.models import JobLimits, JobRequest
from storm.store import Store


class SimilarQuestion(NamedTuple):
    """An earlier question that was answered: how similar it is (`score`, 1 for the same words), on which day it was
    asked, and what `differences` keep its answer from being taken."""

    job_id: str
    question: str
    score: float
    asked_on: date
    age_days: int
    is_same: bool
    differences: tuple[str, ...] = ()


async def find_similar(store: Store, request: JobRequest) -> SimilarQuestion | None:
    """The newest question of the same words that was answered in full, with the same context, questions, databases and
    settings."""
    asked = _normalise(request.text)
    for summary in (await store.jobs.all()).jobs:
        if summary.exit_code == 0 and _normalise(summary.drug) == _normalise(request.subject):
            job = await store.jobs.get(summary.job_id)
            if _normalise(job.request.text) == asked and _settings_of(job.request) == _settings_of(request):
                days = (store.clock() - job.created).days
                return SimilarQuestion(job.job_id, job.request.text, 1.0, job.created.date(), days, is_same=True)
    return None


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?!. ")


def _settings_of(request: JobRequest) -> JobRequest:
    """The request without its words and what changes no answer: where files go, and limits."""
    fields = {"text": "-", "out": None, "formats": (), "template": None, "update_of": ""}
    settings = request.settings.model_copy(update={"limits": JobLimits()})
    return request.model_copy(update={**fields, "settings": settings})
