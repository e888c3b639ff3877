"""Filling a collection with a model: it searches, reads and files until the syllabus is covered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import dspy

from storm.agents.adapters import adapter_of
from storm.agents.bounded import PROMPT_TOKENS, WINDOW_TOKENS, BoundedAgent
from storm.agents.fencing import fenced, plain_line
from storm.agents.material import drug_of
from storm.agents.sizes import TOKEN_BYTES, octets
from storm.errors import ModelError, UsageError
from storm.models import (
    AGENT,
    Coverage,
    JobRequest,
    Plan,
    SearchQuery,
    SearchRecord,
    SearchStatus,
    StopReason,
    database_label,
)
from storm.ports import Collection, Journal, Searcher
from storm.syllabus.coverage import coverage, neediest_first

Tool = Callable[..., Awaitable[Any]]

#: Steps without a new source after which the work ends, and steps in all.
PATIENCE = 15
MAX_ITERS = 1_000
#: How many questions the state names, and the characters of a query in it.
_NAMED = 20
_QUERY = 48


def _utc_now() -> datetime:
    return datetime.now(UTC)


class BroadResearch(dspy.Signature):  # type: ignore[misc]
    """You are a bibliographer. Find the sources that answer each question of the syllabus about a drug, from as many
    different databases as they need, and save each under the questions that it answers.

    Look for what a question needs in the databases that hold such records: trials in the registry, labels and approvals
    with the agencies, patents in the patent offices, results and mechanisms in the literature; several searches can be
    made in one step. Judge each record by what it says. Save what is about this drug and answers a question, with the
    words that matter most copied word for word; read a source first where its card does not tell enough. Prefer
    results to announcements, primary records to repetition, and recent ones, by today's date, where the state of things
    is asked. A search that failed says nothing about what there is. Do not repeat a search: take other words, another
    database, or the next question. Save nothing from memory: only what a search of this job returned can be saved.

    Stop when check_completion says ready. Where a question stays short, try at least three different searches in two
    databases before you give it up."""

    drug: str = dspy.InputField(desc="the drug, with the other names that it is searched by")
    today: str = dspy.InputField(desc="today's date")
    syllabus: str = dspy.InputField(desc="the questions: key (sources needed), what it asks")


class BroadResearcher:
    """Implements `roles.Researcher` with a language model; what it did stands in the journal and is not done again.

    `react` is the predictor of its steps, where one was optimised; `traced` keeps DSPy's trace of them, for optimisers.
    Several in one job have each a `thread` of their own.
    """

    def __init__(
        self,
        lm: Any,
        tools: Callable[[Plan], Sequence[Tool]],
        collection: Collection,
        searcher: Searcher,
        journal: Journal,
        clock: Callable[[], datetime] = _utc_now,
        *,
        adapter: Any = None,
        max_iters: int = MAX_ITERS,
        patience: int = PATIENCE,
        window: int = WINDOW_TOKENS,
        prompt_tokens: int = PROMPT_TOKENS,
        react: dspy.Predict | None = None,
        traced: bool = False,
        thread: str = AGENT,
    ) -> None:
        self._lm = lm
        self._tools = tools
        self._collection = collection
        self._searcher = searcher
        self._journal = journal
        self._clock = clock
        self._adapter = adapter or adapter_of("chat")
        self._max_iters = max_iters
        self._patience = patience
        self._window = window
        self._prompt_tokens = prompt_tokens
        self._react = react
        self._thread = thread
        self._settings = {} if traced else {"trace": None}
        self.failure = ""  # what the model's error was, where one ended the work

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        """`complete`, `no_progress`, `budget`, `max_iters` or `model_error`; whatever it is, what was saved is kept.

        ModelError where the model failed before anything was saved.
        """
        standing = _Standing(plan, self._collection, self._searcher)
        agent = BoundedAgent(
            BroadResearch,
            self._tools(plan),
            max_iters=self._max_iters,
            window=self._window,
            prompt_tokens=self._prompt_tokens,
            patience=self._patience,
            state=standing.told,
            progress=standing.progress,
            unfinished=standing.unfinished,
            journal=self._journal,
            react=self._react,
            thread=self._thread,
        )
        task = {"drug": drug_of(plan), "today": f"{self._clock():%Y-%m-%d}"}
        with dspy.context(lm=self._lm, adapter=self._adapter, disable_history=True, **self._settings):
            task["syllabus"] = self._syllabus(plan, agent, task)
            done = await agent.acall(**task, steps=await self._journal.steps(self._thread))
        reason = StopReason(done.stop_reason)
        if reason in (StopReason.COMPLETE, StopReason.NO_PROGRESS):
            reason = StopReason.COMPLETE if (await standing.coverage()).ready else StopReason.NO_PROGRESS
        detail = f" ({done.stop_detail})" if done.stop_detail else ""
        who = "" if self._thread == AGENT else f"{self._thread} "
        told = f"{who}stopped after {len(done.steps)} steps: {reason}{detail}"
        await self._journal.report("agent", told, reason=reason, thread=self._thread)
        if reason is StopReason.MODEL_ERROR:
            self.failure = str(done.stop_detail)
            if not (await standing.coverage()).total:
                raise ModelError(self.failure)
        return reason

    def _syllabus(self, plan: Plan, agent: BoundedAgent, task: Mapping[str, str]) -> str:
        """The questions with what they ask; only their names where little room would be left for what is found."""
        whole, brief = syllabus_text(plan), syllabus_text(plan, brief=True)
        if agent.steps_room(**task, syllabus=whole) >= self._window // 3:
            return whole
        if agent.steps_room(**task, syllabus=brief):
            return brief
        raise UsageError(
            f"the syllabus is too long: the names of its {len(plan.syllabus.questions)} questions alone take about "
            f"{octets(brief) // TOKEN_BYTES:,} tokens; a prompt of the agent may have {self._prompt_tokens:,} in all",
            hint="split the syllabus"
            + (", or choose a model with a longer context" if self._prompt_tokens < PROMPT_TOKENS else ""),
        )


class _Standing:
    """How things stand in one job, in few words however much there is; the store is asked once a step."""

    def __init__(self, plan: Plan, collection: Collection, searcher: Searcher) -> None:
        self._plan = plan
        self._collection = collection
        self._searcher = searcher
        self._filed = 0

    async def coverage(self) -> Coverage:
        """What of the syllabus is covered now."""
        now = await self._collection.progress()
        self._filed = now.total + sum(now.counts.values())
        return coverage(self._plan.syllabus, now.counts, now.databases, now.total)

    async def told(self) -> str:
        """The state that the model is shown."""
        return "\n".join((*_covered(await self.coverage()), *_searched(self._searcher.latest(), self._plan)))

    def progress(self) -> int:
        """Sources and their assignments to questions, as last seen: both are what the work is for."""
        return self._filed

    async def unfinished(self) -> str:
        """What is missing; empty if nothing is."""
        state = await self.coverage()
        if state.ready:
            return ""
        missing = "; ".join(_missing(state))
        return f"Not yet: {missing}. Go on; if you have tried and there is no more to be found, call finish again."


def syllabus_text(plan: Plan, *, brief: bool = False) -> str:
    """The questions as the model is shown them; `brief`: without their descriptions."""
    lines = [
        f"{q.key} ({q.min_sources}): {q.label}." + ("" if brief else f" {q.description}")
        for q in plan.syllabus.questions
    ]
    return "\n".join([*lines, f"The sources must come from at least {plan.syllabus.min_databases} databases."])


def _covered(state: Coverage) -> Iterable[str]:
    done = [q for q in state.questions if q.sufficient]
    found = ", ".join(state.databases) or "none"
    yield f"Sources saved: {state.total}. Their databases: {found} (at least {state.min_databases} are needed)."
    yield f"Questions with enough sources: {len(done)} of {len(state.questions)}."
    needy = [q for q in neediest_first(state) if not q.sufficient]
    for q in needy[:_NAMED]:
        yield f"  {q.question}: {q.sources} of {q.min_sources}"
    if len(needy) > _NAMED:
        yield f"  and {len(needy) - _NAMED} more questions"
    if state.ready:
        yield "All that the syllabus needs is there: finish, unless something important is still missing."


def _missing(state: Coverage) -> Iterable[str]:
    for q in [q for q in neediest_first(state) if not q.sufficient][:_NAMED]:
        yield f"{q.question} needs {q.min_sources - q.sources} more"
    if (lacking := state.min_databases - len(state.databases)) > 0:
        yield f"sources from {lacking} more databases are needed"


def _searched(records: Sequence[SearchRecord], plan: Plan) -> Iterable[str]:
    """The last searches of each database, a line each database."""
    own = str(SearchQuery(names=plan.names))
    before = (f"({own}) AND ", f"{own} AND ", f"{own} + ", own)  # how a query begins that looks for the plan's names
    by_database: dict[str, list[str]] = {}
    for record in records:
        asked = record.query.removeprefix(next(filter(record.query.startswith, before), ""))
        query = plain_line(asked or "the names alone", _QUERY)
        outcome = f"{record.total} found" if record.status is SearchStatus.FOUND else record.status.value
        by_database.setdefault(record.database, []).append(f"{query} → {outcome}")
    if by_database:
        lines = [f"{database_label(name)}: {'; '.join(told)}" for name, told in by_database.items()]
        yield "Last searches:"
        yield fenced("\n".join(lines), "searches")
