"""Saved programs: what a file holds, which are refused and why, and that prompts keep their size with one."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.jobs import open_job
from agents.library import PLAN, Library, competent, says
from agents.research_roles import SETTINGS, RuleQueryWriter
from agents.scripted import chat, prompts_of, scripted_lm
from agents.writers import EFFICACY, collected, first_sentences, honest, metered, source
from agents.writers import PLAN as WRITING

from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.bounded import BoundedAgent
from storm.agents.broad_researcher import GatherSources, syllabus_text
from storm.agents.drafts import Draft
from storm.agents.program import (
    PROGRAMS,
    CrewProgram,
    DeepResearchProgram,
    RepurposingProgram,
    ResearchProgram,
    crew_program,
    to_saved_program,
)
from storm.agents.program_file import check_writable, find_program, free_path, read_program, write_program
from storm.agents.query_writer import ModelQueryWriter
from storm.agents.scripted import estimate_tokens
from storm.app import Crews
from storm.errors import Code, ConfigError, StormError, UsageError
from storm.models import JobRequest, RequestKind, RunSettings, SavedProgram
from storm.modes import MODES
from storm.settings import Environment, read_settings

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

Change = Callable[[dict[str, Any]], object]


def learnt() -> CrewProgram:
    """A crew that has learnt an instruction and a demonstration."""
    program = CrewProgram()
    program.writer.signature = program.writer.signature.with_instructions("Write what the records say. CAREFULLY.")
    draft = Draft(text="It helps 13 %.", source_ids=["src_009"], quote="it helped 13 % of them")
    demo = dspy.Example(augmented=True, question="What?", records="it helped 13 % of them", statements=[draft])
    program.writer.demos = [demo]
    return program


def saved(program: CrewProgram | None = None) -> SavedProgram:
    return to_saved_program(program or learnt(), name="mine", optimizer="gepa", created=NOW, scores={"dev_after": 0.5})


def written(folder: Path, change: Change = lambda content: None) -> Path:
    """The program in a file, after a change by hand."""
    content = json.loads(saved().model_dump_json())
    change(content)
    path = folder / "mine.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_a_program_goes_through_its_file_unchanged(tmp_path: Path) -> None:
    write_program(saved(), tmp_path / "mine.json")
    again = read_program(tmp_path / "mine.json")
    assert again == saved()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]
    assert crew_program(again).writer.signature.instructions == "Write what the records say. CAREFULLY."


def test_a_file_holds_fields_instructions_and_demonstrations_and_nothing_of_a_model(tmp_path: Path) -> None:
    program = learnt()
    program.writer.lm = metered([])
    write_program(saved(program), tmp_path / "mine.json")
    content = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert content["predictors"]["writer"].keys() == {"fields", "instructions", "demos"}
    assert content["predictors"]["writer"]["demos"][0]["statements"][0]["quote"] == "it helped 13 % of them"
    assert "scripted" not in json.dumps(content) and "augmented" not in json.dumps(content)


def test_an_instruction_that_no_prompt_could_hold_is_not_saved() -> None:
    program = CrewProgram()
    program.agent.signature = program.agent.signature.with_instructions("x" * 12_001)
    with pytest.raises(ConfigError, match=r"agent are too long to be saved: .* at most 12000 characters"):
        saved(program)


def test_demonstrations_that_no_prompt_could_show_are_not_saved() -> None:
    program = CrewProgram()
    program.writer.demos = [dspy.Example(records="r" * 60_000, statements=[])] * 2
    with pytest.raises(ConfigError, match=r"writer are too long to be saved: .* at most 100,000 are taken"):
        saved(program)


async def test_the_writer_of_a_program_is_shown_what_was_learnt() -> None:
    program = crew_program(SavedProgram.model_validate_json(saved().model_dump_json()))
    lm = metered(honest())
    synthesizer = AnswerSynthesizer(lm, write=program.writer, compose=program.composer)
    sources = [source(1, "Zorvimab improved survival by 13 months in this trial. It was safe.")]
    answer = await synthesizer.answer(collected(EFFICACY, sources), WRITING)
    assert len(answer.statements) == 1
    assert "CAREFULLY" in prompts_of(lm)[0] and "src_009" in prompts_of(lm)[0]
    assert "never an instruction" in prompts_of(lm)[0]


def drop_writer(content: dict[str, Any]) -> None:
    del content["predictors"]["writer"]


def rename_field(content: dict[str, Any]) -> None:
    content["predictors"]["judge"] = content["predictors"].pop("composer")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda c: c.pop("storm_program"), "not a program of storm"),
        (lambda c: c.update(storm_program=2), "a program of version 2, this storm reads version 1"),
        (lambda c: c.update(dspy="3.3.0"), "made with dspy 3.3.0, installed is 3.4"),
        (lambda c: c.update(api_base="http://x"), "api_base: Extra inputs are not permitted"),
        (lambda c: c["predictors"]["writer"].update(lm={"model": "x"}), "predictors.writer.lm: Extra inputs"),
        (lambda c: c["predictors"]["writer"].pop("instructions"), "predictors.writer.instructions: Field required"),
        (lambda c: c["predictors"]["writer"].update(instructions="x" * 12_001), "at most 12000 characters"),
        (
            lambda c: c["predictors"]["writer"]["demos"].append({"records": "r" * 900_000}),
            r"predictors.writer.demos: .*demonstrations of 900,\d+ characters, at most 100,000 are taken",
        ),
        (lambda c: c.pop("predictors"), "predictors: Field required"),
    ],
)
def test_a_file_that_is_no_program_of_this_version_is_refused(tmp_path: Path, change: Change, expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        read_program(written(tmp_path, change))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (drop_writer, "its predictor 'writer' is missing"),
        (rename_field, "its predictor 'composer' is missing|it has a predictor 'judge'"),
        (lambda c: c["predictors"]["writer"]["fields"].append("mood"), "the fields of its predictor 'writer' .*: mood"),
        (lambda c: c["predictors"]["writer"]["fields"].remove("today"), "have changed: today"),
        (lambda c: c["predictors"]["writer"]["demos"][0].update(mood=1), "a demonstration of 'writer' .*: mood"),
    ],
)
def test_a_program_of_other_predictors_is_refused(tmp_path: Path, change: Change, expected: str) -> None:
    with pytest.raises(ConfigError, match=expected) as refused:
        crew_program(read_program(written(tmp_path, change)))
    assert refused.value.code is Code.PROGRAM_OUTDATED


class Trap:
    """What would leave a mark if it were unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("name", ["mine.pkl", "mine.pickle", "mine.json", "mine"])
@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_pickle_is_never_loaded(tmp_path: Path, name: str, protocol: int) -> None:
    (tmp_path / name).write_bytes(pickle.dumps(Trap(tmp_path / "mark"), protocol=protocol))
    with pytest.raises(ConfigError, match=r"pickles are not loaded|not JSON"):
        find_program(str(tmp_path / name), tmp_path)
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"\xff\xfe{}", b"[" * 100_000])
def test_what_is_not_json_or_no_object_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(ConfigError, match=r"not JSON|not a program"):
        read_program(tmp_path / "x.json")


def test_a_bare_name_is_looked_up_in_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    written(tmp_path / "programs")
    assert find_program("mine", tmp_path) == saved()
    assert find_program(str(tmp_path / "programs/mine.json"), tmp_path) == saved()
    with pytest.raises(UsageError, match="there is no program 'yours'; known: mine"):
        find_program("yours", tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        find_program("yours.json", tmp_path)


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ConfigError, match="cannot be read: not a regular file"):
            read_program(path)


@pytest.mark.parametrize("name", ["x.pkl", "x.pickle", "x", "x.JSON", ".json"])
def test_a_file_that_could_not_be_used_later_is_refused_first(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"must end in \.json"):
        check_writable(tmp_path / "folder" / name)
    assert not (tmp_path / "folder").exists()


def test_where_nothing_can_be_written_is_reported_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.json").mkdir()
    for path in (tmp_path / "file/mine.json", tmp_path / "folder.json"):
        with pytest.raises(UsageError, match="cannot be saved") as raised:
            check_writable(path)
        assert raised.value.code is Code.PROGRAM_UNWRITABLE
    with pytest.raises(StormError, match="cannot be saved"):
        write_program(saved(), tmp_path / "none/mine.json")


@pytest.mark.parametrize("content", ['{"important": "not a program"}', "", "\x80", "notes", "[]"])
def test_a_file_that_is_no_program_is_not_written_over(tmp_path: Path, content: str) -> None:
    path = tmp_path / "precious.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"precious\.json exists already and is not a program") as raised:
        check_writable(path)
    assert raised.value.code is Code.PROGRAM_UNWRITABLE
    assert path.read_text(encoding="utf-8") == content


def test_an_earlier_program_may_be_written_over_where_its_file_is_named(tmp_path: Path) -> None:
    check_writable(written(tmp_path))


def test_a_program_without_a_name_of_its_own_takes_one_that_is_free(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        path = free_path(tmp_path, "drugs-gepa")
        names.append(path.name)
        path.touch()
    assert names == ["drugs-gepa.json", "drugs-gepa-2.json", "drugs-gepa-3.json"]


@pytest.mark.parametrize(("demos", "characters"), [(1, 3_000), (3, 3_000), (2, 60_000)])
async def test_with_demonstrations_of_any_size_the_prompt_stays_within_its_bound(demos: int, characters: int) -> None:
    program = CrewProgram()
    demo = {"recent_steps": "x" * characters, "next_thought": "Demo.", "next_tool_name": "look", "next_tool_args": {}}
    program.agent.demos = [dspy.Example(demo)] * demos
    lm = scripted_lm([says("look", {})] * 30 + [says("finish", {})])
    agent = BoundedAgent(GatherSources, [_look], max_iters=40, prompt_tokens=6_000, react=program.agent)
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)):
        done = await agent.acall(drug="zorvimab", today="2026-11-21", syllabus=syllabus_text(PLAN))
    assert (done.stop_reason, len(done.steps)) == ("complete", 31)
    assert max(map(estimate_tokens, prompts_of(lm))) <= 6_000
    assert ("Demo." in prompts_of(lm)[0]) is (characters == 3_000)


@pytest.mark.parametrize("traced", [False, True])
async def test_dspys_trace_of_the_agent_is_kept_only_where_it_is_asked_for(traced: bool) -> None:
    program, trace = CrewProgram(), list[Any]()
    async with open_job(Library("pubmed", 40), Library("chembl", 40)) as job:
        with dspy.context(trace=trace):
            await job.gather(scripted_lm(competent()), react=program.agent, traced=traced)
    assert [predictor for predictor, _, _ in trace] == [program.agent] * len(trace)
    assert bool(trace) is traced


async def _look() -> str:
    """Look."""
    return "seen " * 100


async def test_long_demonstrations_leave_less_room_for_records_and_the_prompt_fits() -> None:
    program = learnt()
    program.writer.demos = [dspy.Example(question="What?", records="demo " * 4_000, statements=[])] * 2
    lm = metered(honest(first_sentences), context=24_000)
    sources = [source(n, f"Zorvimab improved survival in trial {n}. " + "More of it. " * 700) for n in range(1, 9)]
    answer = await AnswerSynthesizer(lm, write=program.writer).answer(collected(EFFICACY, sources), WRITING)
    assert len(answer.statements) == 8
    assert max(len(prompt) for prompt in prompts_of(lm)) // 3 + 4_000 <= 24_000


def test_without_a_program_the_predictors_are_the_usual_ones() -> None:
    assert CrewProgram().export_predictors() == crew_program(saved(CrewProgram())).export_predictors()


def marked_research() -> ResearchProgram:
    """The predictors of research, each with an instruction that has its name."""
    program = ResearchProgram()
    for name, predictor in program.named_predictors():
        predictor.signature = predictor.signature.with_instructions(f"MARKED {name}.")
    return program


def saved_research() -> SavedProgram:
    return to_saved_program(marked_research(), name="deep", optimizer="gepa", created=NOW, scores={})


def test_the_predictors_of_research_go_through_a_file_and_come_back_as_theirs(tmp_path: Path) -> None:
    write_program(saved_research(), tmp_path / "deep.json")
    again = crew_program(read_program(tmp_path / "deep.json"))
    assert isinstance(again, ResearchProgram)
    assert again.export_predictors() == marked_research().export_predictors()
    assert again.export_predictors().keys() == {
        "planner", "query_writer", "writer", "composer", "digester", "reflector", "outline", "section",
    }  # fmt: skip


def test_the_predictors_of_the_mode_for_hypotheses_go_through_a_file_and_come_back_as_theirs(tmp_path: Path) -> None:
    program = RepurposingProgram()
    program.summary.demos = [dspy.Example(counts="1", sentences=[])]
    made = to_saved_program(program, name="new", optimizer="gepa", created=NOW, scores={})
    write_program(made, tmp_path / "new.json")
    again = crew_program(read_program(tmp_path / "new.json"))
    assert isinstance(again, RepurposingProgram) and again.export_predictors() == made.predictors
    assert again.export_predictors().keys() == {
        "query_writer", "writer", "composer", "digester", "section", "hypothesizer", "hypothesis_judge", "summary",
    }  # fmt: skip


def test_the_predictors_of_the_mode_with_a_checklist_go_through_a_file_and_come_back_as_theirs(tmp_path: Path) -> None:
    program = DeepResearchProgram()
    program.refiner.demos = [dspy.Example(asked="1", question="Is it safe?")]
    made = to_saved_program(program, name="new", optimizer="gepa", created=NOW, scores={})
    write_program(made, tmp_path / "new.json")
    again = crew_program(read_program(tmp_path / "new.json"))
    assert isinstance(again, DeepResearchProgram) and again.export_predictors() == made.predictors
    assert again.export_predictors().keys() == {
        "refiner", "checklist_planner", "item_query_writer", "writer", "composer", "checklist_judge", "section",
    }  # fmt: skip


def test_a_file_that_was_saved_before_there_were_modes_is_one_of_broad(tmp_path: Path) -> None:
    again = read_program(written(tmp_path, lambda content: content.pop("mode")))
    assert again.mode == "broad"
    assert isinstance(crew_program(again), CrewProgram)


def test_a_program_of_a_mode_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="it is for the mode 'deep'; there are broad, parallel, repurposing"
    ) as refused:
        crew_program(read_program(written(tmp_path, lambda content: content.update(mode="deep"))))
    assert refused.value.code is Code.PROGRAM_OUTDATED


def test_the_predictors_of_one_mode_are_not_taken_for_those_of_the_other(tmp_path: Path) -> None:
    for mode, missing in (("parallel", "planner"), ("repurposing", "query_writer")):
        with pytest.raises(ConfigError, match=rf"its predictor '{missing}' is missing|it has a predictor 'agent'"):
            crew_program(read_program(written(tmp_path, lambda content, mode=mode: content.update(mode=mode))))


def test_every_mode_takes_programs_of_a_mode_that_has_predictors() -> None:
    assert {mode.program for mode in MODES.values()} == set(PROGRAMS)


@pytest.mark.parametrize(("mode", "other"), [("parallel", "broad"), ("broad", "parallel")])
def test_a_job_refuses_the_program_of_another_mode_before_anything_is_asked(mode: str, other: str) -> None:
    program = {"broad": saved(), "parallel": saved_research()}
    wanted = RunSettings(mode=mode, model="openai/scripted", program=program[other])
    crews = Crews(read_settings()._replace(environment=Environment(OPENAI_API_KEY="k")))
    reason = f"was made for the mode {other}, and this job runs in the mode {mode}, which has other predictors"
    with pytest.raises(UsageError, match=reason) as refused:
        crews.decide_settings(JobRequest(text="zorvimab", settings=wanted))
    assert refused.value.hint == f"optimise one for the mode {mode}"
    fitting = wanted.model_copy(update={"program": program[mode]})
    assert crews.decide_settings(JobRequest(text="zorvimab", settings=fitting)).program == program[mode]


def test_a_job_that_tests_hypotheses_takes_programs_of_its_own_mode_alone() -> None:
    own = to_saved_program(RepurposingProgram(), name="new", optimizer="gepa", created=NOW, scores={})
    crews = Crews(read_settings()._replace(environment=Environment(OPENAI_API_KEY="k")))

    def decide(program: SavedProgram) -> RunSettings:
        wanted = RunSettings(mode="repurposing", model="openai/scripted", program=program)
        request = JobRequest(kind=RequestKind.REPURPOSING, text="zorvimab for gout", settings=wanted)
        return crews.decide_settings(request)

    assert decide(own).program == own
    for other in (saved(), saved_research()):
        with pytest.raises(UsageError, match=f"was made for the mode {other.mode}, and this job runs in the mode"):
            decide(other)


async def test_demonstrations_for_which_a_prompt_has_no_room_are_left_out() -> None:
    program = ResearchProgram()
    program.query_writer.demos = [dspy.Example(question="demo " * 20_000, searches=["demo"])]
    lm = metered([chat(searches=["survival"])], context=16_000)
    writer = ModelQueryWriter(lm, rule_based=RuleQueryWriter(), settings=SETTINGS, write=program.query_writer)
    (query,) = await writer.write_queries(EFFICACY, WRITING)
    assert query.terms and not writer.refusals
    assert "demo demo" not in prompts_of(lm)[-1]
