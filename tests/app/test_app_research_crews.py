"""What the models of a job are given by its request and its settings."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest

from storm.app.crews import Crews
from storm.app.crews import _add_models as add_writers
from storm.app.research_crews import _add_models as add_planners
from storm.models import Job, JobRequest, JobState, RequestKind, ResearchSettings, RunSettings
from storm.modes import DeepResearchCrew, ResearchCrew
from storm.settings import read_settings


def bench(mode: str) -> Any:
    settings = RunSettings(mode=mode, research=ResearchSettings(temperature=0.7))
    request = JobRequest(text="zorvimab", databases=("pubmed",), settings=settings)
    created = datetime(2026, 11, 23, tzinfo=UTC)
    job = Job(job_id="zorvimab-1", request=request, settings=settings, state=JobState.RUNNING, created=created)
    nothing = dict.fromkeys(("tools", "searcher", "journal"))
    return SimpleNamespace(job=job, collection=Mock(), **nothing)


def test_model_written_searches_and_reviews_keep_to_the_databases_of_the_request() -> None:
    models, rules = Mock(), ResearchCrew(*[Mock()] * 7)
    crew = Mock(research=rules)
    add_planners(crew, bench("parallel"), models)
    for make in (models.query_writer, models.reflector):
        assert make.call_args.args[-1] == ("pubmed",)
    made = crew._replace.call_args.kwargs["research"]
    assert (made.by_rules, made.explain_rules) == (rules, models.explain_rules)


def test_the_roles_of_a_checklist_are_models_and_digests_are_those_of_the_rules() -> None:
    deep = DeepResearchCrew(Mock(), Mock(), Mock())
    models, rules = Mock(), ResearchCrew(*[Mock()] * 7)._replace(deep_research=deep)
    crew, workbench = Mock(research=rules), bench("parallel")
    workbench.searcher = Mock(databases=[SimpleNamespace(name="pubmed")])
    add_planners(crew, workbench, models)
    made = crew._replace.call_args.kwargs["research"]
    roles = (models.refiner, models.checklist_planner, models.checklist_judge)
    assert made.deep_research == DeepResearchCrew(*(role.return_value for role in roles))
    assert [role.call_args.args[0] for role in roles] == list(deep)
    assert made.query_writer is models.item_query_writer.return_value and made.digester is rules.digester
    for role in (models.item_query_writer, models.checklist_judge):
        assert role.call_args.kwargs == {"available": ["pubmed"], "databases": ("pubmed",)}
    assert models.checklist_planner.call_args.kwargs == {"searches_web": False}
    assert (made.by_rules, made.explain_rules) == (rules, models.explain_rules)


@pytest.mark.parametrize(("mode", "temperature"), [("parallel", 0.7), ("broad", None)])
def test_answers_are_written_at_the_temperature_of_research_in_its_modes_only(
    mode: str, temperature: float | None
) -> None:
    models = Mock()
    add_writers(Mock(carrier=True), models, bench(mode))
    assert models.synthesizer.call_args.args[-1] == temperature


class _Named(NamedTuple):
    name: str


@pytest.mark.parametrize(
    ("mode", "here"), [("report", {}), ("deep_research", {"corpus": 10, "sample": 10})], ids=["report", "one answer"]
)
def test_the_most_results_of_a_search_hold_for_the_web_and_on_this_machine_for_one_answer(
    mode: str, here: dict[str, int]
) -> None:
    settings = RunSettings(mode=mode, research=ResearchSettings(max_search_results=10))
    request = JobRequest(kind=RequestKind.QUESTION, text="Is metformin safe?", settings=settings)
    job = Job(job_id="a", request=request, settings=settings, state=JobState.RUNNING, created=datetime.now(UTC))
    databases: Any = [_Named("web"), _Named("pubmed"), _Named("corpus"), _Named("sample")]
    assert Crews(read_settings()).limit_searches(job, databases) == {"web": 10, "pubmed": 10, **here}
