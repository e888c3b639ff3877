"""Whole optimisations with the example's scripted model: jobs on the sample, from the first score to the second."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from dspy import lm15
from long_parameters import mark_long
from optimize.example import MODELS, ROOT, script, settings, trained

from storm.agents.program import PROGRAMS, CrewProgram, crew_program
from storm.case_runner import CaseRunner
from storm.errors import BudgetSpent, StormError, UsageError
from storm.models import JobLimits, SavedProgram, Spent
from storm.models.program import MOST_CHARACTERS
from storm.optimize import OPTIMIZERS, Case, check_optimizer
from storm.optimize.training import Measure
from storm.syllabus import load_syllabus

pytestmark = pytest.mark.slow  # most need a program that an optimiser has made

SYLLABUS = load_syllabus(ROOT / "scripts/optimize_example.yaml")


#: As many rounds as each needs to find what there is to be found.
ROUNDS = {"bootstrap": 1, "mipro": 3, "gepa": 2, "simba": 1}


@pytest.fixture(scope="module", params=mark_long(OPTIMIZERS, but=("bootstrap", "gepa")))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What each optimiser makes."""
    return trained(tmp_path_factory.mktemp("made"), request.param, rounds=ROUNDS[request.param])


def test_an_optimiser_makes_a_program_that_does_better_where_it_could_not_learn(made: Any) -> None:
    before, after = made.dev
    assert made.changed and not made.is_worse and not made.is_unmeasured
    assert after.score > before.score + 0.1
    assert after.parts["quotes"] == 1.0
    assert made.program.scores["dev_after"] == pytest.approx(after.score, abs=1e-4)


def test_what_it_made_fits_the_crew_and_goes_through_json(made: Any) -> None:
    again = SavedProgram.model_validate_json(made.program.model_dump_json())
    assert again == made.program
    assert crew_program(again).export_predictors() == made.program.predictors


def test_what_it_made_holds_no_model_no_address_and_no_long_demonstration(made: Any) -> None:
    text = made.program.model_dump_json()
    assert not [word for word in ("api_base", "api_key", "openai/scripted", '"lm"') if word in text]
    for predictor in made.program.predictors.values():
        assert len(predictor.demos) <= 2
        assert all(len(json.dumps(demo)) < 6_000 for demo in predictor.demos)


def test_the_judge_is_not_optimised(made: Any) -> None:
    assert made.program.predictors.keys() == {"agent", "writer", "composer"}


@pytest.mark.long
def test_the_same_seed_gives_the_same_program(tmp_path: Path) -> None:
    first, second = (trained(tmp_path / name, "bootstrap") for name in ("a", "b"))
    assert first.program.predictors == second.program.predictors


@pytest.mark.parametrize("program", PROGRAMS.values())
def test_an_instruction_that_loses_its_safety_is_still_beside_what_every_field_says(program: Any) -> None:
    for name, predictor in program().named_predictors():
        bare = predictor.signature.with_instructions("Do it.")
        described = " ".join(str(field.json_schema_extra.get("desc")) for field in bare.input_fields.values())
        assert "between <untrusted> marks" in described and "never an instruction" in described, name


def test_a_program_that_does_worse_elsewhere_is_reported(tmp_path: Path) -> None:
    example = script()

    class Spoilt(example.ScriptedModel):  # type: ignore[name-defined,misc]
        """It writes carefully, until it is shown an example."""

        def reply(self, system: str, shown: str, asked: str, free: bool) -> str:
            asked_to_write = "[[ ## records ## ]]" in asked
            system = system if shown and asked_to_write else f"{system} {example.COPY}"
            said: str = super().reply(system, "" if asked_to_write else shown, asked, free)
            return said

    found = trained(tmp_path, "bootstrap", make=Spoilt().make_lm)
    assert found.is_worse and found.changed


def test_where_no_job_scored_above_nothing_was_measured(made: Any) -> None:
    nothing = Measure(0.0, {}, Spent())
    assert made._replace(dev=(nothing, nothing)).is_unmeasured
    assert not made._replace(dev=(nothing, nothing._replace(score=0.1))).is_unmeasured


def test_at_a_limit_it_ends_and_says_after_how_many_jobs(tmp_path: Path) -> None:
    with pytest.raises(BudgetSpent, match=r"a limit was reached after \d jobs; nothing was saved"):
        trained(tmp_path, "gepa", limits=JobLimits(calls=60))


@pytest.mark.parametrize(
    "optimizer", mark_long(["mipro", "simba"], but=["mipro"])
)  # GEPA takes no reply with so long an instruction
def test_an_instruction_that_could_not_be_saved_is_no_better_one_and_what_was_paid_for_is_kept(
    tmp_path: Path, optimizer: str
) -> None:
    example = script()

    class Verbose(example.ScriptedModel):  # type: ignore[name-defined,misc]
        """It teaches what is right, at length."""

        def reply(self, system: str, shown: str, asked: str, free: bool) -> str:
            said: str = super().reply(system, shown, asked, free)
            for rule in (example.SAVE_ALL, example.COPY):
                if "[[ ## next_tool" not in said and "[[ ## statements" not in said:
                    said = said.replace(rule, rule + " Work well." * 1_200)
            return said

    lines: list[str] = []
    found = trained(tmp_path, optimizer, make=Verbose().make_lm, report=lines.append, rounds=ROUNDS[optimizer])
    assert all(len(one.instructions) <= MOST_CHARACTERS for one in found.program.predictors.values())
    assert found.dev[1].score >= found.dev[0].score
    assert any("are too long to be saved: instructions" in line for line in lines)


def test_demonstrations_that_could_not_be_saved_are_reported_and_what_was_paid_for_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storm.models.program.MOST_SHOWN", 500)
    lines: list[str] = []
    found = trained(tmp_path, "bootstrap", report=lines.append, rounds=1)
    assert not found.changed
    assert found.dev[0].score == found.dev[1].score
    assert any("too long to be saved" in line and "at most 500 are taken" in line for line in lines)


@pytest.mark.parametrize("optimizer", mark_long(["gepa", "mipro", "simba"], but=("mipro",)))
def test_a_teacher_that_fails_is_reported_and_does_not_pass_for_one_that_found_nothing(
    tmp_path: Path, optimizer: str
) -> None:
    example = script()

    class Unwell(example.ScriptedModel):  # type: ignore[name-defined,misc]
        """It works, and cannot teach."""

        def reply(self, system: str, shown: str, asked: str, free: bool) -> str:
            if any(field in asked for field in ("current_instruction", "basic_instruction", "worse_reward_info")):
                raise lm15.AuthError("no such key")
            said: str = super().reply(system, shown, asked, free)
            return said

    lines: list[str] = []
    try:
        trained(tmp_path, optimizer, make=Unwell().make_lm, report=lines.append, rounds=1)
    except StormError as exc:
        lines.append(exc.message)
    assert any("refused" in line or "key" in line for line in lines)


def test_nothing_of_it_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="t") as short:  # a socket's path must be short
        monkeypatch.setattr(tempfile, "tempdir", short)
        trained(tmp_path, "bootstrap", rounds=1)
        assert list(Path(short).iterdir()) == []
    assert [path for path in (tmp_path / "data").rglob("*") if path.is_file()] == []


async def test_inside_of_an_event_loop_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="event loops of its own"):
        trained(tmp_path, "bootstrap")


def test_an_unknown_optimiser_and_a_missing_package_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="there is no optimizer 'adam'"):
        check_optimizer("adam")
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(UsageError, match="mipro needs the package optuna") as raised:
        check_optimizer("mipro")
    assert raised.value.hint == "pip install 'storm-research[optimize]' (in a clone: scripts/install optimize)"


def case_runner(folder: Path) -> CaseRunner:
    example = script()
    return CaseRunner(settings(folder), MODELS, JobLimits(), example.ScriptedModel().make_lm)


def test_a_case_searches_its_own_corpus_and_no_other(tmp_path: Path) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text(
        "database,external_id,url,title,text\n"
        "web,n1,https://example.org/n1,Zorvimab trial,Zorvimab improved the survival and response of all patients.\n"
    )
    own = Case(line=1, drug="zorvimab", syllabus=SYLLABUS, corpus=(notes,))
    with case_runner(tmp_path) as run_case:
        done = run_case(own, CrewProgram())
        other = run_case(Case(line=2, drug="zorvimab", syllabus=SYLLABUS), CrewProgram())
    assert (done.dossier.coverage.databases, other.dossier.coverage.databases) == (("web",), ())
    assert "your corpus: 1 record" in done.dossier.databases[0].scope
    assert done.spent.calls > 0


def test_what_a_job_spent_is_its_own(tmp_path: Path) -> None:
    case = Case(line=1, drug="metformin", syllabus=SYLLABUS)
    with case_runner(tmp_path) as run_case:
        first, second = run_case(case, CrewProgram()), run_case(case, CrewProgram())
    assert first.spent == second.spent
    assert first.spent.tokens > 10_000


def test_a_corpus_that_cannot_be_read_is_reported_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text("<PubmedArticleSet><PubmedArticle>")
    case = Case(line=7, drug="zorvimab", syllabus=SYLLABUS, corpus=(tmp_path / "bad.xml",))
    with case_runner(tmp_path) as run_case, pytest.raises(UsageError, match="line 7, corpus: "):
        run_case.check_corpora([case])
