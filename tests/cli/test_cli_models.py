"""`storm run --model`: the whole way from the command line to a model server, which is played on loopback."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from agents.library import says
from agents.openai_server import ModelServer, answer, failed
from agents.scripted import asked
from agents.writers import honest
from fault_server import Reply, Seen
from storm_program import Outcome, Program

MODEL = "openai/house-model"
WORDS = (
    "binding inhibits",
    "survival trial",
    "adverse cardiac",
    "biosimilar versus",
    "approval sales",
    "patent expiry",
)

Play = Callable[[Seen], Reply]


def bibliographer() -> Callable[[str], str]:
    """Searches the sample question by question, saves what it sees, and stops when the state says that all is there."""
    seen: set[str] = set()
    searches = iter(WORDS * 20)

    def reply(prompt: str) -> str:
        fields = asked(prompt)
        if "state" not in fields:
            return "yes" if "one word yes" in prompt else honest()(prompt)
        if "All that the syllabus needs is there" in fields["state"]:
            return says("finish", {})
        needy = re.findall(r"^  (\S+): \d+ of \d+$", fields["state"], re.M) or ["clinical.efficacy"]
        for database, record in re.findall(r"^\s*(\w+) (\S+) · ", fields["recent_steps"], re.M):
            if record not in seen:
                seen.add(record)
                found = {"source_type": database, "external_id": record, "url": "", "title": ""}
                return says("save_source", {**found, "relevant_questions": needy})
        return says("search_sample", {"words": next(searches), "question": needy[0]})

    return reply


def playing(model: Callable[[str], str]) -> Play:
    """The model behind OpenAI's interface; it counts a token for each word."""

    def play(seen: Seen) -> Reply:
        prompt = "\n\n".join(message["content"] for message in seen.json["messages"])
        return answer(model(prompt), prompt=len(prompt.split()), reply=20)

    return play


async def run(program: Program, server: ModelServer, *argv: str, **env: str) -> Outcome:
    env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"} | env
    return await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--out", "out", *argv, **env)


def dossier(program: Program) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((program.folder / "out/dossier.json").read_text(encoding="utf-8"))
    return found


async def test_a_model_gathers_and_writes_a_dossier_of_quoted_sentences(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL)
    report = dossier(program)
    assert outcome.code == 0, outcome.text
    assert report["engine"] == f"{MODEL} as agent, writer, judge"
    assert report["stopped"] == "complete"
    statements = [statement for each in report["answers"] for statement in each["statements"]]
    assert statements
    assert all(statement["verdict"] == "supported" and statement["quote"] for statement in statements)
    spent = next(note for note in report["notes"] if note.startswith("Language models: "))
    assert re.search(r"agent: \d+ calls, [\d,]+ tokens, price unknown; ", spent)
    assert any(note.startswith("Of that, by question: ") for note in report["notes"])
    assert "sk-verysecret" not in outcome.text + json.dumps(report)


async def test_at_its_limit_a_job_writes_up_what_it_has_and_says_so(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL, "--max-calls", "8")
        assert len(server.calls) <= 8
    assert outcome.code == 3
    assert dossier(program)["stopped"] == "budget"
    assert "its budget was spent" in (program.folder / "out/dossier.md").read_text(encoding="utf-8")


async def test_a_model_that_fails_ends_the_gathering_and_what_was_saved_is_written_up(program: Program) -> None:
    good = playing(bibliographer())
    turns = [*[good] * 4, failed(400, "not now"), good]
    async with ModelServer(*turns) as server:
        outcome = await run(program, server, "--model", MODEL)
    assert outcome.code == 3
    report = dossier(program)
    assert report["stopped"] == "model_error"
    assert report["coverage"]["total"] > 0


async def test_a_missing_key_is_told_before_anything_is_asked(program: Program) -> None:
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", "openai/gpt-4.1-mini")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "OPENAI_API_KEY is not set" in outcome.err


@pytest.mark.parametrize("model", ["gpt", "", "a b/c", "openai/"])
async def test_a_name_that_is_none_of_a_model_is_refused(program: Program, model: str) -> None:
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", model or " ")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)


async def test_a_server_that_is_not_there_is_told_in_one_line(program: Program) -> None:
    env = {"OPENAI_API_BASE": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "k"}
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", MODEL, **env)
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)


async def test_models_of_the_configuration_are_used_without_an_option(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        models = program.folder / "models.yaml"
        models.write_text(f"agent:\n  name: {MODEL}\n  api_base: {server.base}\n", encoding="utf-8")
        outcome = await run(program, server, STORM_MODELS=str(models))
    assert dossier(program)["engine"] == f"{MODEL} as agent, writer, judge"
    assert outcome.code == 0
