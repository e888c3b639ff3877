"""`storm run --model` killed with kill -9 at random steps of its agent, then resumed: what is asked twice and kept.

The model is a server on loopback. What it replies follows from the prompt alone: a kill does not change what it would
say. A kill comes while a call is under way, or after its reply, up to the time that a step takes then: while the tools
work, before the step is written or after it. Counted are the calls of the agent, those of both processes together.
"""

from __future__ import annotations

import asyncio
import functools
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from subprocess import Popen
from threading import Timer
from typing import Any, NamedTuple

from _bibliographer import fields, inputs_of, next_step
from _model_server import MODEL, ModelServer, served
from _program import copied, discard, dossier_of, indexed, start
from _report import Row

from storm.app import utc_now
from storm.store import SourceCollector, Store, open_store

RUN = (
    "run", "trastuzumab", "--offline", "--prefill", "none", "--quiet", "--format", "json", "--out", "report",
    "--model", MODEL,
)  # fmt: skip
IN_THE_CALL, AFTER_THE_REPLY = "in the call", "after the reply"
PATIENCE = 120


class Kill(NamedTuple):
    """When to kill: at this call of the agent, while it is under way or so many seconds after its reply."""

    number: int
    call: int
    moment: str
    delay: float


class Whole(NamedTuple):
    """The run that nobody disturbed: the agent's prompts, seconds from a reply to the next call, and what it made."""

    prompts: Sequence[str]
    gap: float
    made: object
    template: Path


class Outcome(NamedTuple):
    """What one kill did: calls made twice, how many more than in the whole run, prompts that it does not have."""

    kill: Kill
    met: bool
    twice: int
    more: int
    other: int
    equal: bool


def kill_rows(kills: int, seed: int, at_once: int) -> list[Row]:
    """Kill so many runs, and tell it in a line for each moment and one for all."""
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        whole = undisturbed(Path(folder))
        points = chosen(kills, random.Random(seed), whole)
        with ThreadPoolExecutor(at_once) as threads:
            outcomes = list(threads.map(functools.partial(killed_at, Path(folder), whole), points))
    groups = {moment: [o for o in outcomes if o.kill.moment == moment] for moment in (IN_THE_CALL, AFTER_THE_REPLY)}
    groups["at any of them"] = outcomes
    return [row(f"kill -9 {moment}", group, len(whole.prompts)) for moment, group in groups.items() if group]


def row(variant: str, outcomes: Sequence[Outcome], calls: int) -> Row:
    """One line."""
    return {
        "variant": variant,
        "n": len(outcomes),
        "met_a_running_job": sum(outcome.met for outcome in outcomes),
        "calls_of_a_whole_run": calls,
        "made_twice": sum(outcome.twice for outcome in outcomes),
        "made_twice_at_most": max(outcome.twice for outcome in outcomes),
        "more_calls_at_most": max(outcome.more for outcome in outcomes),
        "runs_with_other_prompts": sum(outcome.other > 0 for outcome in outcomes),
        "same_collection": sum(outcome.equal for outcome in outcomes),
    }


# Whole runs


def undisturbed(folder: Path) -> Whole:
    """Two runs, which must ask and make the same: the model has no memory, and nothing else may differ either."""
    template = indexed(folder / "template")
    runs = [once(copied(template, folder / f"undisturbed-{n}")) for n in range(2)]
    if runs[0][:2] != runs[1][:2]:
        raise SystemExit("two undisturbed runs differ: there is nothing that a resumed one could be compared to")
    prompts, made, times = runs[0]
    return Whole(prompts, statistics.median(after - before for before, after in pairwise(times)), made, template)


def once(data_dir: Path) -> tuple[Sequence[str], object, Sequence[float]]:
    """One whole run: the agent's prompts, what it made, and when it asked."""
    with served(KillingModel()) as model:
        finished(begun(data_dir, model, *RUN))
        made = collected(data_dir)
    discard(data_dir)
    return model.prompts, made, model.times


def begun(data_dir: Path, model: KillingModel, *args: str) -> Popen[str]:
    """storm, asking that model."""
    process = start(data_dir, *args, **model.environment)
    model.asking = process.pid
    return process


def finished(process: Popen[str]) -> None:
    """Wait for it; SystemExit, with what it said, if it failed."""
    said, _ = process.communicate(timeout=PATIENCE)
    if process.returncode not in (0, 3):  # partial: its writer has nothing to say
        raise SystemExit(f"storm ended with {process.returncode}:\n{said}")


def collected(data_dir: Path) -> object:
    """All sources, their questions and citations; and the dossier without its times and what was spent."""

    async def read() -> list[str]:
        async with opened(data_dir) as (store, job_id):
            collection = SourceCollector(store, job_id, None)
            made = [*await collection.load_sources(), *await collection.citations()]
        return [one.model_dump_json() for one in made]

    dossier: Any = dossier_of(data_dir)
    del dossier["spending"]
    return asyncio.run(read()), dossier


# Killing


def chosen(count: int, dice: random.Random, whole: Whole) -> list[Kill]:
    """Every call is as likely as another; one in two is killed while it is under way."""
    return [
        Kill(
            number,
            dice.randrange(1, len(whole.prompts) + 1),
            (IN_THE_CALL, AFTER_THE_REPLY)[number % 2],
            dice.uniform(0, whole.gap),
        )
        for number in range(count)
    ]


def killed_at(folder: Path, whole: Whole, kill: Kill) -> Outcome:
    """One kill, in a data directory of its own."""
    data_dir = copied(whole.template, folder / f"kill-{kill.number}")
    try:
        with served(KillingModel(kill)) as model:
            process = begun(data_dir, model, *RUN)
            process.communicate(timeout=PATIENCE)
            finished(begun(data_dir, model, "resume", only_job(data_dir), "--quiet"))
            made = collected(data_dir)
    finally:
        discard(data_dir)
    outcome = Outcome(
        kill,
        process.returncode == -signal.SIGKILL,
        len(model.prompts) - len(set(model.prompts)),
        len(model.prompts) - len(whole.prompts),
        len(as_first_answered(model.prompts) - as_first_answered(whole.prompts)),
        made == whole.made,
    )
    if outcome.twice > 1 or outcome.more > 1 or not outcome.equal:
        print(outcome, file=sys.stderr)
    return outcome


@asynccontextmanager
async def opened(data_dir: Path) -> AsyncIterator[tuple[Store, str]]:
    """The store, and the only job in it."""
    store = await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=30), clock=utc_now)
    async with store:
        (job,) = (await store.jobs.all()).jobs
        yield store, job.job_id


def as_first_answered(prompts: Sequence[str]) -> set[str]:
    """The prompts without the words by which a call that was made again says so."""
    repeated = (
        ("✓ Already there:", "✓ Saved"),
        ("auto_registered", "registered"),
        ("existing", "registered"),
        ("searched before; ", ""),
    )
    return {functools.reduce(lambda text, words: text.replace(*words), repeated, prompt) for prompt in prompts}


def only_job(data_dir: Path) -> str:
    """Its id."""

    async def read() -> str:
        async with opened(data_dir) as (_, job_id):
            return job_id

    return asyncio.run(read())


# The model


class KillingModel(ModelServer):
    """Keeps what the agent asked, and kills who asks when it is time to."""

    def __init__(self, kill: Kill | None = None) -> None:
        super().__init__()
        self.prompts: list[str] = []
        self.times: list[float] = []
        self.asking = 0
        self._kill = kill

    def reply(self, prompt: str) -> str:
        """The agent's next step; the writer finds nothing to say: it is not what is measured."""
        given = inputs_of(prompt)
        if "recent_steps" not in given:
            return fields(statements=[])
        self.prompts.append(prompt)
        self.times.append(time.monotonic())
        if self._take_kill(IN_THE_CALL):
            os.kill(self.asking, signal.SIGKILL)
        return next_step(given["recent_steps"], given["state"])

    def replied(self, prompt: str) -> None:
        """The reply to it is on its way."""
        if "recent_steps" in inputs_of(prompt) and (kill := self._take_kill(AFTER_THE_REPLY)):
            Timer(kill.delay, os.kill, (self.asking, signal.SIGKILL)).start()

    def _take_kill(self, moment: str) -> Kill | None:
        """The kill, if this is its moment; once only."""
        kill = self._kill
        if not kill or (kill.call, kill.moment) != (len(self.prompts), moment):
            return None
        self._kill = None
        return kill
