"""Whole optimisations of the mode `parallel` with the example's scripted model: from the dataset to a program."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import dspy
import pytest
import researched
from long_parameters import mark_long
from optimize.example import LINES, MODELS, script, settings, trained, write_dataset

from storm.agents.program import (
    PROGRAMS,
    DeepResearchProgram,
    RepurposingProgram,
    ResearchProgram,
    SavableProgram,
    crew_program,
)
from storm.case_runner import CaseRunner, _make_request
from storm.errors import UsageError
from storm.models import JobLimits, RequestKind, ResearchReport, SavedProgram, Spent
from storm.optimize import JOB_PROGRAMS, OPTIMIZERS, Case, Effort, Training, train_program
from storm.optimize.dataset import Split
from storm.optimize.feedback import explain_job
from storm.optimize.program import MeasuredJob
from storm.optimize.scoring import REPORT_WEIGHTS
from storm.settings import read_settings

pytestmark = pytest.mark.slow  # most need a program that an optimiser has made

#: As many rounds as each needs to find what there is to be found.
ROUNDS = {"bootstrap": 1, "mipro": 3, "gepa": 3, "simba": 1}


@pytest.fixture(scope="module")
def optimise(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """What an optimiser makes, which it makes once."""

    @cache
    def make(optimizer: str) -> Any:
        folder = tmp_path_factory.mktemp("made")
        dataset = write_dataset(folder)
        return trained(folder, optimizer, dataset=dataset, mode="parallel", rounds=ROUNDS[optimizer])

    return make


@pytest.fixture(scope="module", params=mark_long(OPTIMIZERS, but=("bootstrap",)))
def made(request: pytest.FixtureRequest, optimise: Callable[[str], Any]) -> Any:
    """What each optimiser makes."""
    return optimise(request.param)


def test_an_optimiser_makes_a_program_that_does_better_where_it_could_not_learn(made: Any) -> None:
    before, after = made.dev
    assert made.changed and not made.is_worse and not made.is_unmeasured
    assert after.score > before.score + 0.03
    assert after.parts.keys() == REPORT_WEIGHTS.keys()


def test_what_it_made_holds_every_predictor_of_research_and_goes_through_json(made: Any) -> None:
    again = SavedProgram.model_validate_json(made.program.model_dump_json())
    assert (again, again.mode) == (made.program, "parallel")
    program = crew_program(again)
    assert isinstance(program, ResearchProgram) and program.export_predictors() == made.program.predictors
    assert all(len(json.dumps(demo)) < 8_000 for one in again.predictors.values() for demo in one.demos)


def test_demonstrations_are_of_every_role_that_did_something_well(optimise: Callable[[str], Any]) -> None:
    shown = {name for name, one in optimise("bootstrap").program.predictors.items() if one.demos}
    assert {"planner", "query_writer", "writer", "composer", "reflector", "outline", "section"} <= shown


def test_a_question_is_refused_by_the_mode_for_drugs_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"line 2 of the dataset is a question"):
        trained(tmp_path, "bootstrap", dataset=write_dataset(tmp_path), make=lambda *_: None)


def test_a_question_is_rehearsed_as_a_report_and_what_it_spent_is_its_own(tmp_path: Path) -> None:
    case = Case(line=1, question=LINES[1]["question"], syllabus=None)
    with CaseRunner(settings(tmp_path), MODELS, JobLimits(), script().ScriptedModel().make_lm) as run_case:
        first, second = run_case(case, ResearchProgram()), run_case(case, ResearchProgram())
    assert isinstance(first.dossier, ResearchReport) and first.dossier.mode == "report"
    assert first.spent == second.spent and first.spent.calls > 5


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (Case(line=1, drug="Zorvi", also=("zorvimab",), disease="gout", syllabus=None), "Zorvi for gout"),
        (Case(line=1, query="Could zorvi treat gout?", syllabus=None), "Could zorvi treat gout?"),
    ],
)
def test_a_drug_with_a_disease_is_rehearsed_as_what_could_be_repurposed(case: Case, text: str) -> None:
    request = _make_request(case, "repurposing", read_settings())
    assert (request.kind, request.text, request.also) == (RequestKind.REPURPOSING, text, case.also)
    assert request.offline and request.syllabus is None


def test_a_question_for_a_checklist_is_rehearsed_in_its_mode() -> None:
    request = _make_request(Case(line=1, question="Is zorvimab safe?", syllabus=None), "deep_research", read_settings())
    assert (request.kind, request.settings.mode) == (RequestKind.QUESTION, "deep_research") and request.offline


@pytest.mark.parametrize("mode", ["repurposing", "deep_research"])
def test_a_job_of_another_mode_gives_the_optimiser_its_predictors_and_its_dossier(mode: str) -> None:
    ran: list[str] = []

    def run_case(case: Case, program: SavableProgram, temperature: float | None) -> MeasuredJob:
        ran.append(program.mode)
        return MeasuredJob(researched.report(), Spent())

    case = Case(line=3, query="Could zorvi treat gout?", syllabus=None)
    program = JOB_PROGRAMS[mode](run_case, {3: case}, lambda *_: None)
    done = copy.deepcopy(program)(case=3, subject=case.subject)
    assert done.dossier == researched.report() and ran == [mode]
    names = [name for name, _ in program.named_predictors()]
    assert names == [name for name, _ in PROGRAMS[mode]().named_predictors()]
    assert all(explain_job(done.dossier, Spent(), name) for name in names)


def test_cases_that_no_file_has_are_run_and_measured_one_by_one() -> None:
    ran: list[str] = []

    def run_case(case: Case, program: SavableProgram, temperature: float | None) -> MeasuredJob:
        ran.append(case.question)
        return MeasuredJob(researched.report(), Spent(calls=len(case.question)))

    first, second = Case(question="Is zorvi safe?"), Case(question="Does orli work?!")
    lm = dspy.utils.DummyLM([])
    split, effort = Split((first,), (second,)), Effort(rounds=1)
    training = Training("made", "parallel", "bootstrap", split, effort, lm, lm, run_case, datetime.now(UTC))
    lines: list[str] = []
    result = train_program(training, lines.append)
    assert ran == [first.question, second.question, first.question, first.question, second.question]
    assert any(line.startswith("job 1, Is zorvi safe?: score ") for line in lines)
    assert [measure.spent.calls for measure in (*result.train, *result.dev)] == [14, 14, 16, 16]


#: Datasets of the modes that the example's is not for: it is learnt from one line, and measured on the other.
ASKED = {
    "deep_research": (
        {"question": "How well does trastuzumab work, and is it safe for the heart?"},
        {"question": "Is metformin safe for patients with diabetes?"},
    ),
    "repurposing": ({"query": "metformin for Alzheimer's disease"}, {"query": "metformin for breast cancer"}),
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "learnt", "program"),
    [
        ("deep_research", {"quotes"}, DeepResearchProgram),
        ("repurposing", {"quotes", "hypotheses"}, RepurposingProgram),
    ],
)
def test_a_program_for_questions_or_hypotheses_does_better_where_it_could_not_learn(
    tmp_path: Path, mode: str, learnt: set[str], program: type[SavableProgram]
) -> None:
    dataset = tmp_path / "asked.jsonl"
    dataset.write_text("\n".join(map(json.dumps, ASKED[mode])), encoding="utf-8")
    found = trained(tmp_path, "bootstrap", dataset=dataset, mode=mode, rounds=1)
    before, after = found.dev
    assert found.changed and after.score > before.score + 0.03
    assert all(after.parts[name] > before.parts[name] for name in learnt)
    assert isinstance(crew_program(SavedProgram.model_validate_json(found.program.model_dump_json())), program)
