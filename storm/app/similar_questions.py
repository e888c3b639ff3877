"""The nearest question that was answered before, and whether its answer may stand for a new one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from storm.app.crews import LOCAL, OWN_CREW, Crews
from storm.app.scope import SearchScope
from storm.errors import CollectionDamaged, StoreSchemaError, UnknownJob
from storm.models import Job, JobRequest, JobState, Place, RunSettings, Scope, SearchRecord
from storm.models.search import CHECK, WEB
from storm.models.spending import ENGINES
from storm.ranking.similar_questions import THRESHOLD, is_same_question, list_similar, score_similarity
from storm.store import JobJournal, Store
from storm.traces import Owner
from storm.version import __version__

#: How many of the most similar are read.
_READ = 8

#: What differs of a question that is similar and not the same.
OTHER_WORDS = "other words"

#: What differs, by the field of a request, and of its settings. The limits of a model count: they may cut an answer.
_OF_REQUEST = {
    "context": "another context", "syllabus": "other questions (syllabus)", "databases": "other databases",
    "offline": "another place to search (offline)", "also": "other synonyms", "meaning": "another meaning",
    "preferences": "other preferences",
}  # fmt: skip
_OF_SETTINGS = {
    "model": "another language model", "program": "another optimised program", "limits": "other limits",
    "unsupported": "other handling of unsupported statements", "research": "other settings of research",
}  # fmt: skip


class SimilarQuestion(NamedTuple):
    """A finished job that answered a similar question. `score` is from the threshold to 1; `age_days` is the age of its
    oldest search. Where `is_same` its answer may be taken for the new one; else `differences` says why not."""

    job_id: str
    question: str
    score: float
    asked_on: datetime
    age_days: int
    is_same: bool
    differences: tuple[str, ...] = ()

    @property
    def obstacles(self) -> tuple[str, ...]:
        """What differs besides the words: the answer may not be taken for the new question."""
        return tuple(difference for difference in self.differences if difference != OTHER_WORDS)


class EarlierQuestions:
    """The questions that the finished jobs of a store answered."""

    def __init__(self, store: Store, scope: SearchScope, crews: Crews, now: datetime) -> None:
        self._store = store
        self._scope = scope
        self._crews = crews
        self._now = now

    async def find_similar(self, request: JobRequest, owner: Owner) -> SimilarQuestion | None:
        """The most similar question of the owner, one that is the same before the others, and a new before an old one;
        None if none is similar. Jobs that cannot be read are passed over."""
        from storm.modes import MODES

        answering = {mode.name for mode in MODES.values() if mode.by_checklist}
        listed = [
            job
            for job in (await self._store.jobs.all()).jobs
            if job.mode in answering and job.state is JobState.FINISHED and not job.update_of
            if (job.user_id, job.org_id) == (owner.user_id, owner.org_id)
        ]
        near = list_similar(request.subject, [job.drug for job in listed])[:_READ]
        found = [await self._compare(request, listed[one.place].job_id) for one in near]
        similar = [one for one in found if one is not None]
        return max(similar, key=lambda one: (one.is_same, one.score), default=None)

    async def _compare(self, request: JobRequest, job_id: str) -> SimilarQuestion | None:
        """The question of one job; None if its whole text is not similar, cannot be read, or was answered by parts of
        a caller's own. Where it would be searched, which may ask the network, is found out only if that decides."""
        try:
            job = await self._store.jobs.get(job_id)
            journal = JobJournal(self._store, job_id, None)
            searches = [one for one in await journal.searches() if one.question != CHECK]
            scope, engines = await journal.find_stage("scope"), await journal.find_stage(ENGINES)
            has_own_crew = await journal.find_stage(OWN_CREW)
        except (CollectionDamaged, StoreSchemaError, UnknownJob):
            return None
        score = score_similarity(request.text, job.request.text)
        if score < THRESHOLD or has_own_crew:
            return None
        searched = min((one.answered or one.at for one in searches), default=job.created)
        differences = (
            *_compare_requests(request, job),
            *self._compare_settings(request, job, json.loads(engines or "[]")),
        )
        if not set(differences) - {OTHER_WORDS}:
            known = Scope.model_validate_json(scope) if scope else None
            differences += tuple(await self._compare_places(request, known, searches))
        age = max(0, (self._now - searched).days)
        return SimilarQuestion(job_id, job.request.text, score, job.created, age, not differences, differences)

    def _compare_settings(self, request: JobRequest, job: Job, engines: Sequence[str]) -> Iterator[str]:
        from storm.modes import MODES

        settings = self._crews.decide_settings(request.model_copy(update={"settings": _in_mode(job, request.settings)}))
        for name, words in _OF_SETTINGS.items():
            if getattr(settings, name) != getattr(job.settings, name):
                yield words
        models = {choice.name for choice in self._crews.choose_models(settings).values()}
        if any(_list_models(engine) != models for engine in engines or [""]) and settings.model == job.settings.model:
            yield _OF_SETTINGS["model"]
        if job.mode_version != MODES[job.settings.mode].version or job.version != __version__:
            yield "another version of storm"
        if job.exit_code:
            yield f"it ended with exit code {job.exit_code}"

    async def _compare_places(
        self, request: JobRequest, scope: Scope | None, searches: Sequence[SearchRecord]
    ) -> list[str]:
        """Whether a job would search elsewhere now, in another corpus, or the web as well."""
        now = await self._scope.choose_scope(request)
        if scope is None or now.place is not scope.place:
            return ["another place was searched"]
        held = {search.database: search.scope for search in searches if search.database in LOCAL}
        differences = ["the records on this machine have changed"] if held != self._scope.describe_local(now) else []
        searched_web = any(search.database == WEB and not search.has_failed for search in searches)
        if now.place is Place.LIVE and await self._scope.has_web(request) and not searched_web:
            differences.append("the web was not searched")
        if any(search.has_failed for search in searches):
            differences.append("searches of it failed")
        return differences


def _compare_requests(request: JobRequest, job: Job) -> Iterator[str]:
    if not is_same_question(request.text, job.request.text):
        yield OTHER_WORDS
    for name, words in _OF_REQUEST.items():
        asked, earlier = getattr(request, name), getattr(job.request, name)
        same = is_same_question(asked, earlier) if name == "context" else asked == earlier
        if not same:
            yield words


def _in_mode(job: Job, settings: RunSettings) -> RunSettings:
    return settings.model_copy(update={"mode": job.settings.mode})


def _list_models(engine: str) -> set[str]:
    """The models named in a record of which model had which role."""
    return {part.partition(" as ")[0] for part in engine.split("; ") if " as " in part}
