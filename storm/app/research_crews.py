"""Builds the roles of a job that researches question by question: by rules, and with a language model where one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storm.app.workbench import Workbench
from storm.models import RequestKind
from storm.models.search import WEB

if TYPE_CHECKING:
    from storm.agents.crew import ModelCrew
    from storm.databases.identity.known_names import KnownNames
    from storm.evidence.candidates import SharedReader
    from storm.modes import Crew, ResearchCrew
    from storm.settings import Settings

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
    crew = crew._replace(research=_build_by_rules(bench, reader, has_model=models is not None))
    if bench.job.request.kind is not RequestKind.DRUG:
        from storm.extractive import QuestionPlanner
        from storm.syllabus import bundled_syllabus

        crew = crew._replace(
            planner=QuestionPlanner(
                bench.searcher,
                bench.collection,
                bundled_syllabus(settings.config_dir),
                max_questions=bench.job.settings.research.max_questions,
                needs_answer=needs_answer,
                known_names=known_names,
            )
        )
    return _add_models(crew, bench, models) if models else crew


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
    if job.request.kind is RequestKind.DRUG:
        return crew._replace(research=research)
    has_web = any(database.name == WEB for database in bench.searcher.databases)
    planner = models.question_planner(crew.planner, settings, today, searches_web=has_web)
    return crew._replace(research=research, planner=planner)
