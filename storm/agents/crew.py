"""The language models of one job, one for each role: their contexts are known, and they share one budget."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import date, datetime
from functools import partial

from storm.agents.answer_synthesizer import PER_SOURCE, AnswerSynthesizer
from storm.agents.bounded import PROMPT_TOKENS
from storm.agents.broad_researcher import BroadResearcher, FirstPass, JobContext
from storm.agents.budget import KEEP_FOR_JUDGING, Budget, CallReport, Limits
from storm.agents.budgeted_roles import BudgetedSynthesizer
from storm.agents.context_probes import ContextProbes, measure_models
from storm.agents.embedder import make_embed
from storm.agents.judge import SupportJudge
from storm.agents.model_choice import EMBEDDER, ModelChoice
from storm.agents.models import MeteredLM, make_lm
from storm.agents.program import SavableProgram, crew_program
from storm.agents.research_models import ResearchModels
from storm.errors import Code, UsageError
from storm.models import (
    JobLimits,
    SavedProgram,
    Spending,
    SpentSoFar,
    Unsupported,
)
from storm.models.spending import ENGINES
from storm.ports import Journal
from storm.roles import Researcher, Synthesizer


class ModelCrew(ResearchModels):
    """Builds a job's agents on language models. `lms` are the models by role, `prompt_tokens` is the longest prompt of
    the agent, and `remarks` are for the reader."""

    def __init__(
        self,
        lms: Mapping[str, MeteredLM],
        budget: Budget,
        prompt_tokens: int,
        remarks: Sequence[str],
        saved: SavedProgram | None = None,
    ) -> None:
        super().__init__(lms, budget, dict(crew_program(saved).named_predictors()) if saved else {})
        self._engine_suffix = f"; program {saved.name} ({saved.optimizer})" if saved else ""
        self._traced = False
        self._prompt_tokens = prompt_tokens
        self._remarks = tuple(dict.fromkeys(remarks))
        self._researcher: BroadResearcher | None = None

    @staticmethod
    def check(models: Mapping[str, ModelChoice], limits: JobLimits) -> None:
        """UsageError for an unknown provider, or if a model of unknown price is limited in dollars only; no model is
        called."""
        budget = Budget(Limits(), monotonic=time.monotonic)
        _check_prices([make_lm(choice, budget, role) for role, choice in models.items() if role != EMBEDDER], limits)
        if EMBEDDER in models:
            make_embed(models[EMBEDDER])

    @classmethod
    async def prepare(
        cls,
        models: Mapping[str, ModelChoice],
        limits: JobLimits,
        saved: SavedProgram | None = None,
        journal: Journal | None = None,
        make: Callable[[ModelChoice, Budget, str], MeteredLM] = make_lm,
    ) -> ModelCrew:
        """The models, after finding out how long a prompt of each may be; ModelError if one cannot be used. `saved` is
        an optimised program.

        With a job's `journal` the limits hold across resumes, and no probe is repeated.
        """
        budget = await _resume_budget(limits, journal, has_judge="judge" in models)
        probes = await ContextProbes.load(journal)
        asked = {role: choice for role, choice in models.items() if role != EMBEDDER}
        lms = {role: make(probes.apply_context(choice), budget, role) for role, choice in asked.items()}
        if journal:
            for lm in lms.values():
                lm.notify = partial(journal.report, "model")
        _check_prices(lms.values(), limits)
        usable = await measure_models(lms, probes)
        if journal:  # from here on equal requests reuse stored replies; the probes above must reach the server
            budget.cached_replies = {reply.digest: reply for reply in await journal.replies()}
        prompt_tokens = min(PROMPT_TOKENS, usable["agent"].prompt_tokens) if "agent" in usable else PROMPT_TOKENS
        remarks = [remark for one in usable.values() for remark in one.remarks]
        crew = cls(lms, budget, prompt_tokens, remarks, saved)
        if EMBEDDER in models:
            crew._embed = make_embed(models[EMBEDDER])
            crew._engine_suffix = f"; {models[EMBEDDER].name} as {EMBEDDER}{crew._engine_suffix}"
        if journal:
            crew._remarks += await _describe_earlier_models(journal, crew.engine)
        return crew

    def with_program(self, program: SavableProgram, temperature: float | None = None) -> ModelCrew:
        """The same models with these predictors, whose calls DSPy's trace keeps for optimisers.

        `temperature` applies only to the optimised roles: the judge keeps its own.
        """
        crew = copy(self)
        crew._predictors, crew._traced, crew._temperature = dict(program.named_predictors()), True, temperature
        if temperature is not None:
            warmer = {role: self._lms[role].copy(temperature=temperature) for role in ("agent", "writer")}
            crew._lms = {**self._lms, **warmer}
        return crew

    @property
    def has_refused_call(self) -> bool:
        """Whether a limit has prevented a call."""
        return bool(self._budget.refusal)

    def lm(self, role: str) -> MeteredLM:
        """The model of a role."""
        return self._lms[role]

    @property
    def judged_by_writer(self) -> bool:
        """Whether the writer's own model judges what it wrote."""
        writer, judge = (self._lms[role].choice for role in ("writer", "judge"))
        return (writer.name, writer.api_base) == (judge.name, judge.api_base)

    @property
    def engine(self) -> str:
        """Which model takes which roles, as the dossier prints it ("A as agent, writer; B as judge")."""
        roles: dict[str, list[str]] = {}
        for role, lm in self._lms.items():
            roles.setdefault(lm.choice.name, []).append(role)
        return "; ".join(f"{name} as {', '.join(own)}" for name, own in roles.items()) + self._engine_suffix

    def researcher(
        self, job: JobContext, clock: Callable[[], datetime], first_pass: FirstPass | None = None
    ) -> Researcher:
        """The researcher of a job; `first_pass` saves sources by rules before it calls its model."""
        self._researcher = BroadResearcher(
            self._lms["agent"], job=job, clock=clock,
            adapter=self._adapter_for("agent"), prompt_tokens=self._prompt_tokens, react=self._predictors.get("agent"),
            traced=self._traced, first_pass=first_pass,
        )  # fmt: skip
        return self._researcher

    def synthesizer(
        self,
        unsupported: Unsupported = "remove",
        today: Callable[[], date] = date.today,
        per_source: int = PER_SOURCE,
        temperature: float | None = None,
    ) -> Synthesizer:
        """The synthesizer of a job; spending is charged to each question. Without a `temperature` the writer keeps its
        own."""
        writer = self._lms["writer"] if temperature is None else self._lm_at("writer", temperature)
        made = AnswerSynthesizer(
            writer, judge=SupportJudge(self._lms["judge"], adapter=self._adapter_for("judge")),
            write=self._predictors.get("writer"), compose=self._predictors.get("composer"), unsupported=unsupported,
            adapter=self._adapter_for("writer"), today=today, per_source=per_source,
        )  # fmt: skip
        return BudgetedSynthesizer(made, self._budget)

    def list_remarks(self) -> tuple[str, ...]:
        """Remarks on the models for the reader of the report."""
        failure = self._researcher.failure if self._researcher else ""
        limit = self._budget.refusal
        return (
            *self._remarks,
            *([f"The language model failed: {failure}"] if failure else []),
            *([f"A limit was reached: {limit}"] if limit else []),
        )

    def list_spending(self) -> tuple[Spending, ...]:
        """What each role spent on each question so far."""
        return self._budget.list_spending()


def _check_prices(lms: Iterable[MeteredLM], limits: JobLimits) -> None:
    if limits.usd is None or limits.tokens is not None or limits.calls is not None:
        return
    unpriced = dict.fromkeys(lm.model for lm in lms if lm.facts.estimate_cost(0, 0) is None)
    if unpriced:
        raise UsageError(
            f"the price of {', '.join(unpriced)} is not known, so ${limits.usd:g} would not limit what it costs",
            hint="give a limit in tokens or calls when the job is started, or name a model of known price",
            code=Code.PRICE_UNKNOWN,
        )


async def _describe_earlier_models(journal: Journal, engine: str) -> tuple[str, ...]:
    """A sentence for each other choice of models that worked on this job before; this one is recorded, too."""
    known: list[str] = json.loads(await journal.find_stage(ENGINES) or "[]")
    if engine not in known:
        await journal.finish_stage(ENGINES, json.dumps([*known, engine]))
    others = (other for other in known if other != engine)
    return tuple(f"Before, {other} worked on this job: sources may have been filed by it." for other in others)


async def _resume_budget(limits: JobLimits, journal: Journal | None, *, has_judge: bool) -> Budget:
    """The budget, with what the job has spent before if there is one."""
    before = await journal.spending() if journal else SpentSoFar()
    return Budget(
        Limits(limits.usd, limits.tokens, limits.calls, limits.minutes),
        monotonic=time.monotonic,
        keep_for_judging=KEEP_FOR_JUDGING if journal and has_judge else 0.0,
        spent_before=before.spending,
        seconds_before=before.seconds,
        log=journal.log_spending if journal else None,
        report=partial(_report_call, journal) if journal else None,
    )


async def _report_call(journal: Journal, call: CallReport) -> None:
    used = call._asdict()
    await journal.report_detail("call", used.pop("model"), **used)
