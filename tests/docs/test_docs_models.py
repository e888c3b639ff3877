"""docs/models.md: its Python runs as it stands, but for the model, which a script plays."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from agents.scripted import asked, chat, scripted_lm
from agents.writers import honest
from pages import ROOT, code_blocks
from storm_program import Program
from test_cli_models import bibliographer

BLOCKS = code_blocks(ROOT / "docs/models.md", "python")


async def run(block: str, names: dict[str, Any]) -> None:
    """Run a block as a notebook does."""
    code = compile(block, "docs/models.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    ended = eval(code, names)
    if inspect.iscoroutine(ended):
        await ended


def block_with(text: str) -> str:
    (block,) = (block for block in BLOCKS if text in block)
    return block


async def names_with(model: Callable[[str], str]) -> dict[str, Any]:
    """The names that the first block defines, with a model that is played."""
    names: dict[str, Any] = {}
    await run(block_with("lm = dspy.LM"), names)
    return {**names, "lm": scripted_lm(model)}


async def test_the_agent_answers_with_its_tool(capsys: pytest.CaptureFixture[str]) -> None:
    def model(prompt: str) -> str:
        fields = asked(prompt)
        if "tools" not in fields:
            return chat(reasoning="The tool told it.", answer="28 days")
        if "28 days" in fields["recent_steps"]:
            return chat(next_thought="Done.", next_tool_name="finish", next_tool_args={}, more_calls=[])
        call = {"next_tool_name": "half_life", "next_tool_args": {"drug": "trastuzumab"}, "more_calls": []}
        return chat(next_thought="Ask.", **call)

    await run(block_with("BoundedAgent("), await names_with(model))
    assert capsys.readouterr().out == "28 days complete 2\n"


async def test_the_writer_answers_from_the_source_that_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    await run(block_with("AnswerSynthesizer("), await names_with(honest()))
    printed = capsys.readouterr().out
    assert printed.startswith("Median survival was 25.1 months with trastuzumab")
    assert printed.endswith("supported\n")


async def test_the_researcher_fills_the_collection_of_a_job(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in program.environment({}).items():
        monkeypatch.setenv(name, value)
    await run(block_with("app.workbench("), await names_with(bibliographer()))
    stopped, progress = capsys.readouterr().out.splitlines()
    assert stopped == "complete"
    assert progress.startswith("CollectionProgress(")


async def test_a_researcher_of_ones_own_fills_the_collection_of_a_job(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in program.environment({}).items():
        monkeypatch.setenv(name, value)
    await run(block_with("class FirstHits"), {"__name__": "notebook"})
    printed, total = capsys.readouterr().out.rsplit(maxsplit=1)
    assert (printed, int(total)) == ("first hits", 5)


def test_no_other_example_is_there_than_those_that_are_run() -> None:
    assert [block.splitlines()[0] for block in BLOCKS if "storm.run(" not in block] == [
        "import os",
        "from storm.programs import BoundedAgent",
        "from storm.models import CollectedQuestion, Hit, Plan, Question, Source, Syllabus",
        "from storm.api import job_request",
        "import storm",
    ]
