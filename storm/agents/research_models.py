"""Builds the roles of research on language models: those that plan, search, review, compile, put hypotheses to the
test, and work through a checklist."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from typing import Any

import dspy

from storm.agents.adapters import adapter_of
from storm.agents.budget import Budget
from storm.agents.budgeted_roles import BudgetedDigester, BudgetedQueryWriter
from storm.agents.checklist_judge import ModelChecklistJudge
from storm.agents.checklist_planner import ModelChecklistPlanner
from storm.agents.compiler import ModelCompiler
from storm.agents.digester import ModelDigester
from storm.agents.hypothesis_judge import ModelHypothesisJudge
from storm.agents.hypothesizer import ModelHypothesizer
from storm.agents.item_query_writer import ModelItemQueryWriter
from storm.agents.judge import SupportJudge
from storm.agents.models import MeteredLM
from storm.agents.query_writer import ModelQueryWriter
from storm.agents.question_planner import ModelQuestionPlanner
from storm.agents.question_refiner import ModelRefiner
from storm.agents.reflector import ModelReflector
from storm.agents.repurposing_summary import ModelSummaryWriter
from storm.models import ResearchSettings, Source
from storm.ranking.evidence import Embed
from storm.roles import (
    ChecklistJudge,
    ChecklistPlanner,
    Compiler,
    Digester,
    HypothesisJudge,
    Hypothesizer,
    Planner,
    QueryWriter,
    Refiner,
    Reflector,
    SummaryWriter,
)


class ResearchModels:
    """The roles of research of one job, on its models and within its budget. `predictors` are those of a program."""

    def __init__(self, lms: Mapping[str, MeteredLM], budget: Budget, predictors: Mapping[str, Any]) -> None:
        self._lms = lms
        self._budget = budget
        self._predictors = predictors
        self._temperature: float | None = None
        self._embed: Embed | None = None
        self._query_writer: ModelQueryWriter | ModelItemQueryWriter | None = None

    def question_planner(
        self,
        rule_based: Planner,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        *,
        searches_web: bool = True,
    ) -> Planner:
        """The planner of a job's questions, which starts from the plan of `rule_based`."""
        return ModelQuestionPlanner(
            self._lm_at("agent", settings.temperature), rule_based=rule_based, settings=settings,
            plan_questions=self._predictors.get("planner"), adapter=self._adapter_for("agent"), today=today,
            searches_web=searches_web,
        )  # fmt: skip

    def query_writer(
        self,
        rule_based: QueryWriter,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        databases: Sequence[str] = (),
    ) -> QueryWriter:
        """The writer of a job's searches; spending is charged to each question."""
        self._query_writer = ModelQueryWriter(
            self._lm_at("agent", settings.temperature),
            rule_based=rule_based,
            settings=settings,
            write=self._predictors.get("query_writer"),
            adapter=self._adapter_for("agent"),
            today=today,
            databases=databases,
        )
        return BudgetedQueryWriter(self._query_writer, self._budget)

    def explain_rules(self, question: str) -> str:
        """Why rules wrote the searches of the question with this key; empty if they did not."""
        return self._query_writer.refusals.get(question, "") if self._query_writer else ""

    def reflector(
        self,
        rule_based: Reflector,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        databases: Sequence[str] = (),
    ) -> Reflector:
        """The reviewer of a job's answers."""
        return ModelReflector(
            self._lm_at("agent", settings.temperature),
            rule_based=rule_based,
            settings=settings,
            reflect=self._predictors.get("reflector"),
            adapter=self._adapter_for("agent"),
            today=today,
            databases=databases,
        )

    def compiler(
        self,
        rule_based: Compiler,
        settings: ResearchSettings,
        find_source: Callable[[str], Awaitable[Source | None]] | None = None,
        today: Callable[[], date] = date.today,
    ) -> ModelCompiler:
        """The compiler of a job; `rule_based` replaces the model where it fails or the budget is spent, and sentences
        are reworded only with `find_source`."""
        return ModelCompiler(
            self._lm_at("writer", settings.temperature), rule_based=rule_based, find_source=find_source,
            outline=self._predictors.get("outline"), section=self._predictors.get("section"),
            judge=SupportJudge(self._lms["judge"], adapter=self._adapter_for("judge")),
            adapter=self._adapter_for("writer"), today=today,
        )  # fmt: skip

    def digester(
        self, rule_based: Digester, settings: ResearchSettings, today: Callable[[], date] = date.today
    ) -> Digester:
        """The digester of a job; spending is charged to each question."""
        made = ModelDigester(
            self._lm_at("writer", settings.temperature), rule_based=rule_based,
            compress=self._predictors.get("digester"),
            adapter=self._adapter_for("writer"), today=today,
        )  # fmt: skip
        return BudgetedDigester(made, self._budget)

    def hypothesizer(
        self,
        rule_based: Hypothesizer,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        databases: Sequence[str] = (),
    ) -> Hypothesizer:
        """The role that proposes hypotheses; `rule_based` replaces the model where its proposals cannot be used."""
        return ModelHypothesizer(
            self._lm_at("agent", settings.temperature), rule_based=rule_based, settings=settings,
            propose_hypotheses=self._predictors.get("hypothesizer"), adapter=self._adapter_for("agent"), today=today,
            databases=databases, embed=self._embed,
        )  # fmt: skip

    def hypothesis_judge(
        self,
        rule_based: HypothesisJudge,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        databases: Sequence[str] = (),
    ) -> HypothesisJudge:
        """The role that judges the evidence on hypotheses; `rule_based` judges first."""
        return ModelHypothesisJudge(
            self._lm_at("agent", settings.temperature), rule_based=rule_based, settings=settings,
            judge_hypotheses=self._predictors.get("hypothesis_judge"), adapter=self._adapter_for("agent"), today=today,
            databases=databases, embed=self._embed,
        )  # fmt: skip

    def repurposing_summary(
        self, rule_based: SummaryWriter, settings: ResearchSettings, today: Callable[[], date] = date.today
    ) -> SummaryWriter:
        """The writer of the executive summary; `rule_based` replaces the model where its text cannot be used."""
        return ModelSummaryWriter(
            self._lm_at("writer", settings.temperature), rule_based=rule_based,
            write=self._predictors.get("summary"),
            adapter=self._adapter_for("writer"), today=today, embed=self._embed,
        )  # fmt: skip

    def refiner(
        self, rule_based: Refiner, settings: ResearchSettings, today: Callable[[], date] = date.today
    ) -> Refiner:
        """The role that says what a question means; `rule_based` does so where the model's question cannot be used."""
        return ModelRefiner(
            self._lm_at("agent", settings.temperature), rule_based=rule_based,
            refine_question=self._predictors.get("refiner"),
            adapter=self._adapter_for("agent"), today=today,
        )  # fmt: skip

    def checklist_planner(
        self,
        rule_based: ChecklistPlanner,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        *,
        searches_web: bool = True,
    ) -> ChecklistPlanner:
        """The planner of a question's checklist, which starts from the plan of `rule_based`."""
        return ModelChecklistPlanner(
            self._lm_at("agent", settings.temperature), rule_based=rule_based,
            plan_checklist=self._predictors.get("checklist_planner"),
            adapter=self._adapter_for("agent"), today=today, searches_web=searches_web,
        )  # fmt: skip

    def item_query_writer(
        self,
        rule_based: QueryWriter,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        *,
        available: Sequence[str] = (),
        databases: Sequence[str] = (),
    ) -> QueryWriter:
        """The writer of the first searches of each item; spending is charged to the item. `available` are the databases
        of the job."""
        self._query_writer = ModelItemQueryWriter(
            self._lm_at("agent", settings.temperature), rule_based=rule_based,
            write=self._predictors.get("item_query_writer"),
            adapter=self._adapter_for("agent"), today=today, available=available, databases=databases,
        )  # fmt: skip
        return BudgetedQueryWriter(self._query_writer, self._budget)

    def checklist_judge(
        self,
        rule_based: ChecklistJudge,
        settings: ResearchSettings,
        today: Callable[[], date] = date.today,
        *,
        available: Sequence[str] = (),
        databases: Sequence[str] = (),
    ) -> ChecklistJudge:
        """The role that judges which items are answered; `rule_based` judges first. `available` are the databases of
        the job."""
        return ModelChecklistJudge(
            self._lm_at("agent", settings.temperature), rule_based=rule_based,
            judge_checklist=self._predictors.get("checklist_judge"),
            adapter=self._adapter_for("agent"), today=today, available=available, databases=databases,
            embed=self._embed,
        )  # fmt: skip

    def _lm_at(self, role: str, temperature: float) -> MeteredLM:
        """The model of the role at this temperature, or that of `with_program`; OpenAI's reasoning models take none."""
        lm = self._lms[role]
        if "max_completion_tokens" in lm.kwargs or self._temperature is not None:
            return lm
        return lm.copy(temperature=temperature)  # type: ignore[no-any-return]

    def _adapter_for(self, role: str) -> dspy.Adapter:
        return adapter_of(self._lms[role].choice.adapter)
