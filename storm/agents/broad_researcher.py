"""A researcher with a model: searches, reads, and saves sources under questions until the syllabus is covered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from copy import copy
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

import dspy

from storm import wording
from storm.agents.bounded import PROMPT_TOKENS, WINDOW_TOKENS, BoundedAgent, react_signature
from storm.agents.demonstrations import adapt_predictor
from storm.agents.job_status import JobStatus
from storm.agents.material import describe_drug
from storm.agents.predictor_calls import run_sync, use_model
from storm.agents.run import FINISH
from storm.agents.shared_value import Shared
from storm.agents.sizes import BYTES_PER_TOKEN, count_bytes
from storm.agents.tool_calls import RequestedCall, Tools, tool_name
from storm.agents.trace_examples import shorten_trace
from storm.agents.unsaved import record_unsaved
from storm.errors import ModelError, UsageError
from storm.models import (
    AGENT,
    JobRequest,
    Plan,
    Step,
    StopReason,
)
from storm.models.step import LIST_SOURCES
from storm.ports import Collection, Journal, Searcher

Tool = Callable[..., Awaitable[Any]]

#: Steps without a new source after which the run ends, and maximum steps.
PATIENCE = 15
MAX_ITERS = 1_000
#: After a first pass, sources and assignments for which one more step without a new source is allowed: the agent may be
#: reviewing them.
_SOURCES_PER_EXTRA_STEP = 20


def _utc_now() -> datetime:
    return datetime.now(UTC)


#: Said to the agent above the list of what rules saved before it began.
_FILED_BY_RULES = (
    "Rules filed these before you began, by their titles and words: nobody has read them. Move or drop what is wrong "
    "(refile_source, several calls in one step), then find what is missing."
)


class GatherSources(dspy.Signature):  # type: ignore[misc]
    """You are a bibliographer. Find the sources that answer each question of the syllabus about a drug, from as many
    different databases as they need, and save each under the questions that it answers.

    Look for what a question needs in the databases that hold such records: trials in the registry, labels and approvals
    with the agencies, patents in the patent offices, results and mechanisms in the literature; several searches can be
    made in one step. Judge each record by what it says. Save what is about this drug and answers a question, with the
    words that matter most copied word for word; read a source first where its card does not say enough. Prefer
    results to announcements, primary records to repetition, and recent ones, by today's date, where the state of things
    is asked. A search that failed says nothing about what there is. Do not repeat a search: take other words, another
    database, or the next question. Save nothing from memory: only what a search of this job returned can be saved.

    Stop when check_completion says ready. Where a question stays short, try at least three different searches in two
    databases before you give it up."""

    drug: str = dspy.InputField(desc="the drug, with the other names that it is searched by")
    today: str = dspy.InputField(desc="today's date")
    syllabus: str = dspy.InputField(desc="the questions: key (sources needed), what it asks")


class JobContext(Protocol):
    """The dependencies of a research agent in one job: its collection in Redis, its journal and its tools.
    `storm.app.Workbench` is one."""

    @property
    def collection(self) -> Collection: ...
    @property
    def searcher(self) -> Searcher: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def tools(self) -> Callable[[Plan], Sequence[Tool]]: ...


#: Opens a job for a plan, as an async context manager.
OpenJob = Callable[[Plan], AbstractAsyncContextManager[JobContext]]


#: Saves sources under the questions of a plan by rules alone.
FirstPass = Callable[[Plan], Awaitable[object]]


class BroadResearcher(dspy.Module):  # type: ignore[misc]
    """Implements `roles.Researcher` with a language model; steps in the journal are not repeated.

        researcher = BroadResearcher(lm, open_job=storm.programs.open_sample_job)
        print(researcher(plan=plan).coverage)

    As a `dspy.Module` it is called with `plan`; its predictor is `react`, to which an optimised one can be passed. It
    works in the `job` that it is given, or in the one that `open_job` opens for each call, as an optimiser needs it;
    `for_job` returns a copy with the same predictor for one job. Without `lm` it uses the model that DSPy is configured
    with; an `lm` given here wins over `dspy.context`, so leave it out for an optimiser. Demonstrations from other
    databases are adapted to the tools of the job. `traced` keeps DSPy's trace in jobs.
    `first_pass` saves sources by rules before the model is first called, which then sees them listed (its tools must
    include `list_sources`); it runs once in a job.
    `agent_name` is its name in the journal: several researchers of one job need different ones.
    """

    def __init__(
        self,
        lm: dspy.LM | None = None,
        *,
        job: JobContext | None = None,
        open_job: OpenJob | None = None,
        clock: Callable[[], datetime] = _utc_now,
        adapter: dspy.Adapter | None = None,
        max_iters: int = MAX_ITERS,
        patience: int = PATIENCE,
        window: int = WINDOW_TOKENS,
        prompt_tokens: int = PROMPT_TOKENS,
        react: dspy.Predict | None = None,
        traced: bool = False,
        agent_name: str = AGENT,
        first_pass: FirstPass | None = None,
    ) -> None:
        super().__init__()
        self.react = react or dspy.Predict(react_signature(GatherSources))
        self._lm = lm
        self._clock = clock
        self._adapter = adapter
        self._max_iters = max_iters
        self._patience = patience
        self._window = window
        self._prompt_tokens = prompt_tokens
        self._agent_name = agent_name
        self._traced = traced
        self._first_pass = first_pass
        self._job = Shared(job)
        self._open_job = open_job
        self.failure = ""  # the model's error, if one ended the run

    def for_job(self, job: JobContext) -> BroadResearcher:
        """A copy for one job that shares this one's predictor, so that its calls are in DSPy's trace."""
        copied = copy(self)
        copied._job, copied._traced = Shared(job), True
        return copied

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        """`complete`, `no_progress`, `budget`, `max_iters` or `model_error`; saved sources are kept in any case.

        ModelError if the model failed before anything was saved.
        """
        with dspy.context(**({} if self._traced else {"trace": None})):
            async with self._enter_job(plan) as job:
                return StopReason((await self._run_agent(plan, job)).stop_reason)

    def forward(self, plan: Plan) -> dspy.Prediction:
        """Synchronous wrapper; DSPy's trace has its steps shortened."""
        with shorten_trace({id(self.react): "agent"}):  # the predictor's role in a job
            return run_sync(self.aforward, plan=plan)

    async def aforward(self, plan: Plan) -> dspy.Prediction:
        """A prediction with `coverage`, `sources`, `stop_reason`, `stop_detail` and `steps`."""
        async with self._enter_job(plan) as job:
            done = await self._run_agent(plan, job)
            return dspy.Prediction(**done, sources=await job.collection.load_sources())

    def _enter_job(self, plan: Plan) -> AbstractAsyncContextManager[JobContext]:
        if self._job.value is not None:
            return nullcontext(self._job.value)
        if self._open_job is None:
            hint = "give it one: researcher.for_job(workbench), or BroadResearcher(open_job=…)"
            raise UsageError("the researcher has no job to work in", hint=hint)
        return self._open_job(plan)

    async def _run_agent(self, plan: Plan, job: JobContext) -> dspy.Prediction:
        status = JobStatus(plan, job.collection, job.searcher)
        steps = await job.journal.steps(self._agent_name)
        if self._first_pass and not steps:
            steps = [await self._make_first_step(self._first_pass, plan, job, status)]
        extra_patience = steps[0].progress // _SOURCES_PER_EXTRA_STEP if self._first_pass else 0
        agent = self._make_agent(plan, job, status, self._patience + extra_patience)
        task = {"drug": describe_drug(plan), "today": f"{self._clock():%Y-%m-%d}"}
        with use_model(self._lm, self._adapter), dspy.context(disable_history=True):
            task["syllabus"] = self._choose_syllabus_text(plan, agent, task)
            done = await agent.acall(**task, steps=steps)
        await record_unsaved(plan, job.collection, job.journal)
        coverage = await status.read_coverage()
        reason = StopReason(done.stop_reason)
        if reason in (StopReason.COMPLETE, StopReason.NO_PROGRESS):
            reason = StopReason.COMPLETE if coverage.ready else StopReason.NO_PROGRESS
        detail = f" ({done.stop_detail})" if done.stop_detail else ""
        who = "" if self._agent_name == AGENT else f"{self._agent_name} "
        message = f"{who}stopped after {len(done.steps)} steps: {reason}{detail}"
        await job.journal.report("agent", message, reason=reason, thread=self._agent_name)
        if reason is StopReason.MODEL_ERROR:
            self.failure = str(done.stop_detail)
            if not (coverage.total and any(step.calls for step in done.steps[bool(self._first_pass) :])):
                raise ModelError(self.failure)
        ended = {"stop_reason": str(reason), "stop_detail": done.stop_detail, "steps": done.steps}
        return dspy.Prediction(coverage=coverage, **ended)

    async def _make_first_step(self, first_pass: FirstPass, plan: Plan, job: JobContext, status: JobStatus) -> Step:
        """Save sources by rules, and log the list of them as the run's first step; with the step in the journal it is
        not repeated."""
        await first_pass(plan)
        calls = await Tools(job.tools(plan)).call_all([RequestedCall(LIST_SOURCES, {})])
        saved = (await status.read_coverage()).total
        note = _FILED_BY_RULES if saved else ""
        noted = [call.model_copy(update={"observation": f"{note}\n{call.observation}".strip()}) for call in calls]
        state = await status.describe_state()
        progress = status.count_achieved()
        step = Step(number=1, thread=self._agent_name, calls=tuple(noted), progress=progress, state=state)
        await job.journal.log_step(step)
        message = f"rules filed {wording.format_count(saved, 'source')} before the first call of the model"
        await job.journal.report("agent", message, sources=saved, thread=self._agent_name)
        return step

    def _make_agent(self, plan: Plan, job: JobContext, status: JobStatus, patience: int) -> BoundedAgent:
        tools = job.tools(plan)
        names = [*map(tool_name, tools), FINISH]
        return BoundedAgent(
            GatherSources,
            tools,
            max_iters=self._max_iters,
            window=self._window,
            prompt_tokens=self._prompt_tokens,
            patience=patience,
            describe_state=status.describe_state,
            measure_progress=status.count_achieved,
            describe_missing=status.describe_missing,
            journal=job.journal,
            react=self.react,
            adapt_react=partial(adapt_predictor, tools=names),
            agent_name=self._agent_name,
        )

    def _choose_syllabus_text(self, plan: Plan, agent: BoundedAgent, task: Mapping[str, str]) -> str:
        """The questions with descriptions; only their names if the steps would have too little room."""
        whole, brief = syllabus_text(plan), syllabus_text(plan, brief=True)
        if agent.count_step_tokens(**task, syllabus=whole) >= self._window // 3:
            return whole
        if agent.count_step_tokens(**task, syllabus=brief):
            return brief
        raise UsageError(
            f"the syllabus is too long: the names of its {len(plan.syllabus.questions)} questions alone take about "
            f"{count_bytes(brief) // BYTES_PER_TOKEN:,} tokens; a prompt may have {self._prompt_tokens:,} in all",
            hint="split the syllabus"
            + (", or choose a model with a longer context" if self._prompt_tokens < PROMPT_TOKENS else ""),
        )


def syllabus_text(plan: Plan, *, brief: bool = False) -> str:
    """The questions as the model sees them; without descriptions if `brief`."""
    lines = [
        f"{q.key} ({q.min_sources}): {q.label}." + ("" if brief else f" {q.description}")
        for q in plan.syllabus.questions
    ]
    return "\n".join([*lines, f"The sources must come from at least {plan.syllabus.min_databases} databases."])
