"""A report by a real crew in this process: made databases, whose records follow from what is searched, and a model
server."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from _bibliographer import inputs_of
from _model_server import MODEL, ModelServer, served
from _research_model import MATTERS, matter_of, reply_to, role_of

from storm.api import job_request
from storm.app import App, Workbench, open_app
from storm.app.scope import Searchable, SearchScope
from storm.models import Dossier, Hit, JobRequest, Place, Scope, SearchOutcome, SearchQuery, SearchRecord, SearchStatus
from storm.modes import Crew
from storm.settings import Environment, read_settings
from storm.store import stop_embedded

QUESTION = f"What do records say of trastuzumab in cohorts on {', '.join(MATTERS)}?"
DATABASES = ("pubmed", "europepmc", "pmc")
Pause = Callable[[], float]
#: A statement in a reply of the statement writer.
_TEXT = re.compile(r'"text": "(.*?)"')
Change = Callable[[Workbench, Crew], Crew]


class Call(NamedTuple):
    """A call of the model, in the order of the replies: who asked, about which matter, and the prompt's length."""

    role: str
    matter: str
    characters: int


class Job(NamedTuple):
    """A report, what was asked of the model for it, and the seconds that it took, on the clock and of the processor."""

    report: Dossier
    calls: Sequence[Call]
    seconds: float
    own_seconds: float


class ResearchModel(ModelServer):
    """The model of a report: it takes so many seconds for a reply, and keeps what it was asked."""

    def __init__(self, pause: Pause) -> None:
        super().__init__(pause)
        self.log: list[Call] = []
        self._matters: dict[str, str] = {}

    def reply(self, prompt: str) -> str:
        given, said = inputs_of(prompt), reply_to(prompt)
        role = role_of(given)
        matter = matter_of(given) if {"question", "item"} & given.keys() else self._judged(given.get("pairs", ""))
        if role == "statement writer":
            self._matters |= dict.fromkeys(_TEXT.findall(said), matter)
        self.log.append(Call(role, matter, len(prompt)))
        return said

    def _judged(self, pairs: str) -> str:
        """The matter of the first of these pairs."""
        return next((matter for text, matter in list(self._matters.items()) if text in pairs), "")


class MadeDatabase:
    """A database that has records on whatever is searched; it takes so many seconds for a search."""

    def __init__(self, name: str, pause: Pause, characters: int) -> None:
        self.name = name
        self.scope = "made records"
        self.limit = 5
        self._pause = pause
        self._characters = characters

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        return query if not query.databases or self.name in query.databases else None

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        hits = [make_record(self.name, query, place, self._characters) for place in range(limit)]
        if seconds := self._pause():
            await asyncio.sleep(seconds)
        return SearchOutcome(
            database=self.name, query=str(query), status=SearchStatus.FOUND, hits=tuple(hits), total=len(hits)
        )


class MadeScope(SearchScope):
    """Searches the made databases alone."""

    def __init__(self, databases: Sequence[MadeDatabase]) -> None:
        self._databases = databases

    async def check_request(self, request: JobRequest) -> None:
        """There is nothing to check."""

    async def choose_scope(self, request: JobRequest, searches: Sequence[SearchRecord] = ()) -> Scope:
        return Scope(place=Place.CORPUS)

    async def open_searchable(self, request: JobRequest, scope: Scope, may_read: Any) -> Searchable:
        return Searchable(self._databases, ())


def make_record(database: str, query: SearchQuery, place: int, characters: int) -> Hit:
    """The record in this place of what a search finds; each fourth is a work that other databases have, too."""
    about = query.terms.replace('"', "").replace(" AND ", " ") or "outcome"
    holder = "" if place % 4 == 0 else database
    number = crc32(f"{holder} {about} {place}".encode()) % 90_000_000 + 10_000_000
    findings = (
        f"The rate of {about} was {(number + n) % 89 + 10} % with trastuzumab and {(number + 7 * n) % 83 + 5} % with "
        f"chemotherapy alone after {n + 12} months of observation in the cohort {number}."
        for n in range((characters - number % (characters // 3)) // 150)
    )
    sentences = (*findings, f"Of {number % 900 + 50} patients in cohort {number}, half had trastuzumab.")
    pmid, pmcid = (str(number) if database == "pubmed" else None), (f"PMC{number}" if database == "pmc" else None)
    return Hit.of(
        database, pmcid or str(number), f"https://records.example/{number}",
        f"Trastuzumab and {about} in cohort {number}", text=" ".join(sentences),
        pmid=pmid, pmcid=pmcid, doi=f"10.5555/{number}", year=2000 + number % 25,
    )  # fmt: skip


def write_report(
    data_dir: Path, *, model: Pause, searches: Pause, characters: int = 2_000, change: Change | None = None,
    databases: Sequence[str] = DATABASES, calls_at_once: int = 10, mode: str = "", **research: int,
) -> Job:  # fmt: skip
    """The report on the question, in a store of its own, with these settings of research."""
    data_dir.mkdir()
    models = data_dir / "models.yaml"
    models.write_text(f"agent:\n  name: {MODEL}\n  parallel: {calls_at_once}\n", encoding="utf-8")
    made = [MadeDatabase(name, searches, characters) for name in databases]
    try:
        with served(ResearchModel(model)) as server:
            settings = read_settings()._replace(
                data_dir=data_dir, redis_url=None, models=models, environment=Environment(server.environment)
            )
            request = job_request(QUESTION, settings, kind="question", mode=mode, research=research)

            async def work() -> tuple[Dossier, float, float]:
                async with open_app(settings) as app:
                    app.scope = MadeScope(made)
                    return await _work(app, request, change)

            report, seconds, own_seconds = asyncio.run(work())
        return Job(report, server.log, seconds, own_seconds)
    finally:
        asyncio.run(stop_embedded(data_dir, force=True))


async def _work(app: App, request: JobRequest, change: Change | None) -> tuple[Dossier, float, float]:
    job_id = (await app.start(request)).job_id
    began, own = time.monotonic(), time.process_time()
    report = await app.work(job_id, change=change)
    assert isinstance(report, Dossier)
    return report, time.monotonic() - began, time.process_time() - own
