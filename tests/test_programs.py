"""storm's parts as DSPy programs: every optimiser makes each of them better, alone and together, by a user's metric."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import dspy
import pytest
from agents.jobs import open_job
from agents.library import PLAN, Library, competent
from agents.scripted import scripted_lm
from agents.writers import EFFICACY, collected, source
from agents.writers import PLAN as WRITING
from long_parameters import mark_long
from optimize.example import DATASET, script
from stores import use_quick_test_apps

from storm.agents.adapters import adapter_of
from storm.agents.program import crew_program
from storm.agents.program_file import read_program
from storm.errors import UsageError
from storm.models import Plan, StatementCounts
from storm.programs import (
    AnswerSynthesizer,
    BoundedAgent,
    BroadResearcher,
    DossierProgram,
    SupportJudge,
    coverage_metric,
    open_sample_job,
    read_examples,
)

#: DSPy draws the demonstrations by a digest of the prompts, in which the date stands.
NOW = datetime(2026, 11, 22, tzinfo=UTC)
LOOK = "Look it up, always."
SOURCES = [source(n, f"Zorvimab improved survival by {n} months in trial {n}. It was safe.") for n in range(1, 5)]


@pytest.fixture(autouse=True)
def quick_test_apps(monkeypatch: pytest.MonkeyPatch) -> None:
    use_quick_test_apps(monkeypatch)


def half_life(drug: str) -> str:
    """The half-life of a drug."""
    return {"zorvimab": "28 days"}.get(drug, "not known")


def model(kind: str = "both") -> dspy.LM:
    """A model that does its work badly unless it is asked or shown how; where it speaks freely it has luck at times."""
    module = script()
    module.RULES["did not look"] = LOOK

    class Learner(module.ScriptedModel):  # type: ignore[name-defined,misc]
        def reply(self, system: str, shown: str, asked: str, free: bool) -> str:
            fields = module._read_fields(asked)
            lucky = free and self._random.random() < 0.5
            if "recent_steps" in fields and "syllabus" not in fields:
                return self.answer(fields, LOOK in system or '"drug"' in shown or lucky)
            said: str = super().reply(
                f"{system} {module.COPY * lucky}" if "records" in fields else system, shown, asked, free
            )
            return said

        def answer(self, fields: Mapping[str, str], looks: bool) -> str:
            if "tools" not in fields:
                return module._format_reply(
                    reasoning="So.", answer="28 days" if "28 days" in fields["recent_steps"] else "?"
                )
            if looks and fields["recent_steps"] == "none yet":
                return module._format_calls(("half_life", {"drug": "zorvimab"}))
            return module._format_calls(("finish", {}))

    module.ADVICE["react"] = LOOK if kind == "agent" else module.SAVE_ALL
    return dspy.LM("scripted", cache=False, num_retries=0, **Learner().as_engines())


def scored(score: float, *lacking: str) -> Any:
    return dspy.Prediction(score=score, feedback=" ".join(lacking))


def looked(example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
    return scored(1.0) if prediction.answer == "28 days" else scored(0.2, "It did not look.")


def covered(example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
    lacking = [f"{q.label} has {q.sources} of the {q.min_sources} sources." for q in prediction.coverage.questions]
    return scored(coverage_metric(example, prediction), *lacking)


def supported(example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
    return scored(share(prediction.answer.counts), "Some statements are not supported by their source.")


def both(example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
    shares = [share(answer.counts) for answer in prediction.dossier.answers] or [0.0]
    lacking = [f"{q.label} has {q.sources} of the {q.min_sources} sources." for q in prediction.coverage.questions]
    score = (coverage_metric(example, prediction) + fmean(shares)) / 2
    return scored(score, *lacking, "Some statements are not supported by their source.")


def share(counts: StatementCounts) -> float:
    return counts.supported / max(1, counts.written)


class Trial(NamedTuple):
    """A program, what it learns from, and its user's metric."""

    program: Any
    trainset: list[dspy.Example]
    metric: Callable[..., Any]


def trial(kind: str) -> Trial:
    if kind == "agent":
        example = dspy.Example(question="How long does zorvimab stay?", answer="28 days").with_inputs("question")
        return Trial(BoundedAgent("question -> answer", [half_life]), [example], looked)
    if kind == "researcher":
        plan = Plan(names=("metformin",), syllabus=read_examples(DATASET)[0].case.syllabus)
        researcher = BroadResearcher(open_job=open_sample_job, clock=lambda: NOW)
        return Trial(researcher, [dspy.Example(plan=plan).with_inputs("plan")], covered)
    if kind == "synthesizer":
        example = dspy.Example(collected=collected(EFFICACY, SOURCES), plan=WRITING).with_inputs("collected", "plan")
        return Trial(AnswerSynthesizer(judge=SupportJudge()), [example], supported)
    parts = BroadResearcher(clock=lambda: NOW), AnswerSynthesizer(judge=SupportJudge(), today=NOW.date)
    return Trial(DossierProgram(*parts), read_examples(DATASET)[:1], both)


def bootstrap(of: Trial) -> Any:
    made = dspy.BootstrapFewShot(metric=of.metric, metric_threshold=0.9, max_rounds=12)
    return made.compile(student=of.program, trainset=of.trainset)


def mipro(of: Trial) -> Any:
    made = dspy.MIPROv2(metric=of.metric, auto=None, num_candidates=2, max_bootstrapped_demos=0, max_labeled_demos=0)
    return made.compile(
        student=of.program, trainset=of.trainset, valset=of.trainset, num_trials=2, minibatch=False,
        program_aware_proposer=False, data_aware_proposer=False,
    )  # fmt: skip


def gepa(of: Trial) -> Any:
    lm = dspy.settings.lm
    made = dspy.GEPA(metric=of.metric, max_metric_calls=7, reflection_lm=lm, reflection_minibatch_size=1, num_threads=1)
    return made.compile(student=of.program, trainset=of.trainset, valset=of.trainset)


def simba(of: Trial) -> Any:
    made = dspy.SIMBA(metric=of.metric, bsize=1, num_candidates=4, max_steps=1, max_demos=1, num_threads=1)
    return made.compile(student=of.program, trainset=of.trainset)


@pytest.mark.slow
@pytest.mark.parametrize("kind", mark_long(["agent", "researcher", "synthesizer", "both"], but=("both",)))
@pytest.mark.parametrize("optimise", [bootstrap, mipro, gepa, simba])
@pytest.mark.filterwarnings("ignore")  # of the optimisers
def test_every_optimiser_makes_every_program_better(
    optimise: Callable[[Trial], Any], kind: str, tmp_path: Path
) -> None:
    of = trial(kind)
    with dspy.context(lm=model(kind), adapter=adapter_of("chat")):
        evaluate = dspy.Evaluate(devset=of.trainset, metric=of.metric, num_threads=1)
        before = evaluate(of.program).score
        made = optimise(of)
        assert evaluate(made).score > before
    assert type(made) is type(of.program)
    made.save(tmp_path / "made.json")
    again = trial(kind).program
    again.load(tmp_path / "made.json")
    assert again.dump_state() == json.loads(json.dumps(made.dump_state()))


def test_its_predictors_are_those_that_a_job_asks_and_the_judge_s_is_not_among_them() -> None:
    program = DossierProgram(BroadResearcher(), AnswerSynthesizer(judge=SupportJudge()))
    assert [name for name, _ in program.named_predictors()] == [
        "researcher.react", "synthesizer.writer.write", "synthesizer.composer.compose",
    ]  # fmt: skip


def test_copies_learn_apart_and_a_reset_copy_has_learnt_nothing() -> None:
    program = DossierProgram()
    program.researcher.react.demos = [dspy.Example(next_tool_name="finish")]
    copied, fresh = program.deepcopy(), program.reset_copy()
    copied.researcher.react.demos.append(dspy.Example(next_tool_name="finish"))
    assert [len(one.researcher.react.demos) for one in (program, copied, fresh)] == [1, 2, 0]


async def test_copies_of_a_researcher_work_in_the_same_job() -> None:
    async with open_job(Library("pubmed", 40), Library("chembl", 40)) as job:
        copied = (await job.researcher(scripted_lm(competent()))).deepcopy()
        assert (await copied.acall(plan=PLAN)).stop_reason == "complete"
        assert len(await job.saved()) == 5


def test_a_researcher_without_a_job_says_how_it_gets_one() -> None:
    with pytest.raises(UsageError, match="no job to work in") as error:
        BroadResearcher()(plan=PLAN)
    assert "open_job" in str(error.value.hint)


async def test_a_researcher_with_a_model_of_its_own_asks_no_other() -> None:
    async with open_job(Library("pubmed", 40), Library("chembl", 40)) as job:
        researcher = await job.researcher(scripted_lm(competent()))
        with dspy.context(lm=scripted_lm([])):
            assert (await researcher.acall(plan=PLAN)).stop_reason == "complete"


def test_where_one_part_is_given_rules_do_the_work_of_the_other() -> None:
    (example, _) = read_examples(DATASET)
    with dspy.context(lm=model()):
        prediction = DossierProgram(BroadResearcher())(**example.inputs())
    assert prediction.dossier.engine == "a DSPy program" and prediction.dossier.statements
    assert 0 < coverage_metric(example, prediction) < 1
    assert not any("writer" in row.role for row in prediction.dossier.spending)


@pytest.mark.slow
def test_several_jobs_of_one_program_run_at_a_time() -> None:
    of = trial("both")
    program = DossierProgram(synthesizer=of.program.synthesizer)
    with dspy.context(lm=model()):
        results = dspy.Evaluate(devset=of.trainset * 3, metric=of.metric, num_threads=3)(program).results
    assert len({prediction.dossier.job_id for _, prediction, _ in results}) == 3
    assert len({float(score) for _, _, score in results}) == 1


def test_a_case_searches_its_own_corpus_and_no_other(tmp_path: Path) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text(
        "database,external_id,url,title,text\n"
        "web,n1,https://example.org/n1,Zorvimab trial,Zorvimab improved the survival and response of all patients.\n"
    )
    case = read_examples(DATASET)[0].case.model_copy(update={"drug": "zorvimab", "corpus": (notes,)})
    with dspy.context(lm=model()):
        assert DossierProgram()(case=case).coverage.databases == ("web",)


def test_the_demonstrations_of_a_job_are_short_whatever_its_prompts_held() -> None:
    of = trial("both")
    with dspy.context(lm=model(), trace=[]):
        of.program(**of.trainset[0].inputs())
        calls = dspy.settings.trace
    assert {id(predictor) for predictor, _, _ in calls} == set(map(id, of.program.predictors()))
    assert max(len(str(inputs)) for _, inputs, _ in calls) < 6_000


def test_what_is_saved_is_taken_by_a_job(tmp_path: Path) -> None:
    program = DossierProgram()
    program.researcher.react.signature = program.researcher.react.signature.with_instructions("MARKED")
    program.save(tmp_path / "mine.json")
    assert crew_program(read_program(tmp_path / "mine.json")).agent.signature.instructions == "MARKED"
