"""What `save` of a DSPy program wrote is a program of storm: whole or in part, and refused where it is another's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dspy
import pytest

from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.bounded import BoundedAgent
from storm.agents.broad_researcher import BroadResearcher
from storm.agents.drafts import Draft
from storm.agents.judge import SupportJudge
from storm.agents.program import CrewProgram, crew_program
from storm.agents.program_file import read_program
from storm.errors import ConfigError


class Both(dspy.Module):  # type: ignore[misc]
    """A program as a user writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.finder = BroadResearcher()
        self.answers = AnswerSynthesizer(judge=SupportJudge())


def learnt() -> Both:
    program = Both()
    for predictor in program.predictors():
        predictor.signature = predictor.signature.with_instructions("CAREFULLY.")
    draft = Draft(text="It helps 13 %.", source_ids=["src_009"], quote="it helped 13 % of them")
    program.answers.writer.write.demos = [
        dspy.Example(augmented=True, records="it helped 13 % of them", statements=[draft]),
        dspy.Example(collected="a whole example of the task"),
    ]
    return program


def saved(program: Any, folder: Path) -> Path:
    path = folder / "mine.json"
    program.save(path)
    return path


def test_what_dspy_saved_of_both_parts_is_a_program_of_a_job(tmp_path: Path) -> None:
    program = crew_program(read_program(saved(learnt(), tmp_path)))
    assert {predictor.signature.instructions for predictor in program.predictors()} == {"CAREFULLY."}
    (demo,) = program.writer.demos
    assert demo.statements[0]["quote"] == "it helped 13 % of them"
    assert not {"augmented", "collected"} & set(demo)


def test_a_prefix_that_copro_has_rewritten_changes_no_field(tmp_path: Path) -> None:
    program = learnt()
    write = program.answers.writer.write
    write.signature = write.signature.with_updated_fields("statements", prefix="Statements with their sources:")
    read = crew_program(read_program(saved(program, tmp_path)))
    assert list(read.writer.signature.fields) == list(write.signature.fields)
    assert read.writer.demos[0].statements[0]["quote"] == "it helped 13 % of them"


def test_a_part_alone_leaves_the_other_predictors_as_they_are(tmp_path: Path) -> None:
    program = crew_program(read_program(saved(learnt().answers, tmp_path)))
    assert program.composer.signature.instructions == "CAREFULLY."
    assert program.agent.signature.instructions == CrewProgram().agent.signature.instructions
    program = crew_program(read_program(saved(learnt().finder, tmp_path)))
    assert program.agent.signature.instructions == "CAREFULLY."


def test_it_says_who_saved_it_and_holds_nothing_of_a_model(tmp_path: Path) -> None:
    program = learnt()
    program.set_lm(dspy.LM("openai/house-model", api_base="https://models.example", api_key="sk-secret"))
    path = saved(program, tmp_path)
    assert "house-model" in path.read_text(encoding="utf-8")
    read = read_program(path)
    assert (read.name, read.optimizer, read.dspy) == ("mine", "dspy", dspy.__version__)
    assert not [word for word in ("house-model", "models.example", "sk-secret") if word in read.model_dump_json()]


@pytest.mark.parametrize("program", [dspy.ChainOfThought("question -> answer"), BoundedAgent("question -> answer", [])])
def test_a_program_of_other_predictors_is_refused(program: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        crew_program(read_program(saved(program, tmp_path)))
    assert "one BroadResearcher and one AnswerSynthesizer" in str(error.value.hint)
    assert error.value.code is None  # the command line has no better hint


def test_two_researchers_are_one_too_many(tmp_path: Path) -> None:
    program = Both()
    program.second = BroadResearcher()
    with pytest.raises(ConfigError, match=r"no predictor for 'second\.react'"):
        read_program(saved(program, tmp_path))


@pytest.mark.parametrize("state", ["text", {}, {"signature": {"fields": [{"prefix": 1}]}}, {"signature": []}])
def test_a_file_that_only_looks_like_dspys_is_refused(state: Any, tmp_path: Path) -> None:
    content = {"react": state, "metadata": {"dependency_versions": {"dspy": dspy.__version__}}}
    (tmp_path / "mine.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ConfigError, match="react: not a predictor as DSPy saves it"):
        read_program(tmp_path / "mine.json")


@pytest.mark.slow
def test_a_program_of_another_dspy_is_refused(tmp_path: Path) -> None:
    path = saved(learnt(), tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace(f'"dspy": "{dspy.__version__}"', '"dspy": "3.3.0"'))
    with pytest.raises(ConfigError, match=r"made with dspy 3\.3\.0"):
        read_program(path)
