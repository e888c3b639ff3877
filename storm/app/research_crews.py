"""Builds the roles of a job that researches question by question: by rules, and with a language model where one is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from storm.app.workbench import Workbench
from storm.models import RequestKind, ResearchSettings
from storm.models.search import WEB

if TYPE_CHECKING:
    from storm.agents.crew import ModelCrew
    from storm.databases.identity.known_names import KnownNames
    from storm.evidence.candidates import SharedReader
    from storm.modes import Crew, DeepResearchCrew, RepurposingCrew, ResearchCrew
    from storm.roles import Planner
    from storm.settings import Settings

#: Statements of the answer to one question.
_MOST_STATEMENTS = 12
#: Records filed under a question where no model reads them: what is read costs nothing.
_MOST_BY_RULES = 30


def add_research(
    crew: Crew,
    bench: Workbench,
    settings: Settings,
    reader: SharedReader,
    known_names: KnownNames,
    models: ModelCrew | None,
    *,
    needs_answer: bool,
) -> Crew:
    """The crew with the roles of research, and a planner that makes the questions unless a drug is asked about."""
    from storm.modes import find_mode

    crew = crew._replace(research=_build_by_rules(bench, reader, has_model=models is not None))
    kind = bench.job.request.kind
    if kind is not RequestKind.DRUG:
        crew = crew._replace(planner=_build_planner(bench, settings, known_names, needs_answer=needs_answer))
    if find_mode(bench.job).by_checklist:
        crew = _add_deep_research(crew, bench, settings, known_names)
    return _add_models(crew, bench, models) if models else crew


def _add_deep_research(crew: Crew, bench: Workbench, settings: Settings, known_names: KnownNames) -> Crew:
    """The crew with the roles that answer one question by a checklist, and what takes the question's own words."""
    from storm.extractive import (
        ChecklistQueryWriter,
        DirectSelector,
        DirectSynthesizer,
        RuleChecklistJudge,
        RuleChecklistPlanner,
        RuleCompiler,
        RuleRefiner,
    )
    from storm.modes import DeepResearchCrew
    from storm.syllabus import bundled_syllabus

    rules, databases = crew.research, bench.job.request.databases
    assert rules is not None
    available = [database.name for database in bench.searcher.databases]
    planner = RuleChecklistPlanner(crew.planner, bundled_syllabus(settings.config_dir), known_names)
    return crew._replace(
        synthesizer=DirectSynthesizer(crew.synthesizer),
        research=rules._replace(
            query_writer=ChecklistQueryWriter(available, databases),
            selector=DirectSelector(rules.selector, bench.collection),
            compiler=RuleCompiler(bench.collection.find_source, most=_MOST_STATEMENTS),
            deep_research=DeepResearchCrew(RuleRefiner(known_names), planner, RuleChecklistJudge(available, databases)),
        ),
    )


def _build_planner(bench: Workbench, settings: Settings, known_names: KnownNames, *, needs_answer: bool) -> Planner:
    """The planner, by rules, of a request that is not a drug's name."""
    from storm.extractive import QuestionPlanner, RepurposingPlanner
    from storm.syllabus import bundled_syllabus

    drug_syllabus = bundled_syllabus(settings.config_dir)
    if bench.job.request.kind is RequestKind.REPURPOSING:
        return RepurposingPlanner(
            bench.searcher, bench.collection, drug_syllabus, needs_answer=needs_answer, known_names=known_names
        )
    return QuestionPlanner(
        bench.searcher,
        bench.collection,
        drug_syllabus,
        max_questions=bench.job.settings.research.max_questions,
        needs_answer=needs_answer,
        known_names=known_names,
    )


def _build_by_rules(bench: Workbench, reader: SharedReader, *, has_model: bool) -> ResearchCrew:
    from storm.extractive import RuleCompiler, RuleDigester, RuleReflector, RuleSelector, TemplateQueryWriter
    from storm.modes import ResearchCrew

    job, research = bench.job, bench.job.settings.research
    most = research.pages_read if has_model else max(research.pages_read, _MOST_BY_RULES)
    return ResearchCrew(
        searcher=bench.searcher,
        toolbox=bench.toolbox,
        query_writer=TemplateQueryWriter(research, job.request.databases),
        selector=RuleSelector(bench.collection, reader, most=most),
        digester=RuleDigester(),
        reflector=RuleReflector(research, job.created.date, job.request.databases),
        compiler=RuleCompiler(bench.collection.find_source),
        repurposing=_build_repurposing(research, job.request.databases)
        if job.request.kind is RequestKind.REPURPOSING
        else None,
    )


def _build_repurposing(research: ResearchSettings, databases: Sequence[str]) -> RepurposingCrew:
    from storm.extractive import RuleHypothesisJudge, RuleHypothesizer, RuleSummaryWriter
    from storm.modes import RepurposingCrew

    return RepurposingCrew(
        RuleHypothesizer(research, databases), RuleHypothesisJudge(research, databases), RuleSummaryWriter()
    )


def _add_models(crew: Crew, bench: Workbench, models: ModelCrew) -> Crew:
    """The crew with a model in each role that plans or writes. Their "today" is the day of the job's creation."""
    job, settings, rules = bench.job, bench.job.settings.research, crew.research
    assert rules is not None
    today = job.created.date
    research = rules._replace(
        query_writer=models.query_writer(rules.query_writer, settings, today, job.request.databases),
        digester=models.digester(rules.digester, settings, today),
        reflector=models.reflector(rules.reflector, settings, today, job.request.databases),
        compiler=models.compiler(rules.compiler, settings, bench.collection.find_source, today),
        by_rules=rules,
        explain_rules=models.explain_rules,
    )
    if by_checklist := rules.deep_research:
        return crew._replace(research=_add_checklist_models(research, by_checklist, bench, models))
    if by_rules := rules.repurposing:
        from storm.modes import RepurposingCrew

        hypotheses = RepurposingCrew(
            models.hypothesizer(by_rules.hypothesizer, settings, today),
            models.hypothesis_judge(by_rules.judge, settings, today),
            models.repurposing_summary(by_rules.summary_writer, settings, today),
        )
        return crew._replace(research=research._replace(repurposing=hypotheses))
    if job.request.kind is RequestKind.DRUG:
        return crew._replace(research=research)
    has_web = any(database.name == WEB for database in bench.searcher.databases)
    planner = models.question_planner(crew.planner, settings, today, searches_web=has_web)
    return crew._replace(research=research, planner=planner)


def _add_checklist_models(
    research: ResearchCrew, rules: DeepResearchCrew, bench: Workbench, models: ModelCrew
) -> ResearchCrew:
    """The roles with models where one plans, judges or writes by a checklist. Digests are those of the rules: no
    heading is planned from them."""
    from storm.modes import DeepResearchCrew

    job, settings, by_rules = bench.job, bench.job.settings.research, research.by_rules
    assert by_rules is not None
    today, only = job.created.date, job.request.databases
    available = [database.name for database in bench.searcher.databases]
    return research._replace(
        query_writer=models.item_query_writer(
            by_rules.query_writer, settings, today, available=available, databases=only
        ),
        digester=by_rules.digester,
        deep_research=DeepResearchCrew(
            models.refiner(rules.refiner, settings, today),
            models.checklist_planner(rules.checklist_planner, settings, today, searches_web=WEB in available),
            models.checklist_judge(rules.judge, settings, today, available=available, databases=only),
        ),
    )
