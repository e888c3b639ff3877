"""`storm doctor` where things hang or are wrong in one place."""

from __future__ import annotations

import asyncio
import json
import socket
import threading

import pytest
from agents.openai_server import ModelServer, failed
from storm_program import DEADLINE, Program

from storm.cli import doctor
from storm.errors import StormError

MODEL = "openai/house-model"


def test_the_checks_are_made_at_the_same_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """Each waits for the other: one after the other, they would never end."""
    both = threading.Barrier(2, timeout=DEADLINE)

    def meet() -> str:
        both.wait()
        return "met"

    monkeypatch.setattr(doctor, "_CHECKS", {"store": meet, "public databases": meet})
    doctor.doctor(as_json=True)
    outcome = json.loads(capsys.readouterr().out)
    assert [(check["name"], check["message"]) for check in outcome] == [("store", "met"), ("public databases", "met")]


def test_a_store_that_never_answers_is_given_up_soon(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_STORE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        outcome = program("doctor", STORM_REDIS_URL=f"redis://:S3CRET@127.0.0.1:{silent.getsockname()[1]}/0")
    assert outcome.code == 1
    assert "FAILS store: the store of STORM_REDIS_URL does not answer within 0.2 s" in outcome.out
    assert "ok    sample: " in outcome.out
    assert "S3CRET" not in outcome.text


def configured(program: Program, text: str) -> dict[str, str]:
    path = program.folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return {"STORM_MODELS": str(path)}


async def test_a_model_is_well_where_its_server_answers_and_nothing_is_paid(program: Program) -> None:
    async with ModelServer() as server:
        env = configured(program, f"agent: {{name: {MODEL}, api_base: '{server.base}'}}")
        outcome = await asyncio.to_thread(lambda: program("doctor", **env))
        assert f"ok    model: {MODEL} as agent, {MODEL} as writer, {MODEL} as judge" in outcome.out
        assert server.calls == [] and len(server.requests) > 0


async def test_a_model_whose_server_is_not_there_or_refuses_the_key_fails(program: Program) -> None:
    async with ModelServer() as server:
        env = configured(program, f"agent: {{name: {MODEL}, api_base: '{server.base}', key_variable: MODEL_KEY}}")
        server.on("/models", failed(401))
        outcome = await asyncio.to_thread(lambda: program("doctor", MODEL_KEY="sk-verysecret", **env))
        assert "FAILS model: the model server at " in outcome.out and "refuses the key (HTTP 401)" in outcome.out
    outcome = await asyncio.to_thread(lambda: program("doctor", MODEL_KEY="sk-verysecret", **env))
    assert outcome.code == 1 and f"FAILS model: no model server answers at {server.base}" in outcome.out
    assert "sk-verysecret" not in outcome.text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"judge: {{name: {MODEL}}}", "models.yaml, line 1, agent: the key is missing"),
        (f"agent: {{name: {MODEL}, key_variable: sk-verysecret}}", "it looks like a key"),
        (f"agent: {{name: {MODEL}, api_base: 'http://me:verysecret@host/v1'}}", "it has a user name, a password"),
    ],
)
def test_a_mistake_in_the_models_fails_without_a_key_in_it(program: Program, text: str, fault: str) -> None:
    outcome = program("doctor", **configured(program, text))
    assert outcome.code == 1 and fault in outcome.out and "verysecret" not in outcome.text


def test_a_model_without_the_package_that_asks_it_fails(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    env = configured(program, f"agent: {{name: {MODEL}, context: 8000, api_base: 'http://127.0.0.1:9/v1'}}")
    monkeypatch.setenv("STORM_MODELS", env["STORM_MODELS"])
    with monkeypatch.context() as patch, pytest.raises(StormError, match="language models need the package dspy"):
        patch.setattr("importlib.util.find_spec", lambda name: None)
        doctor._check_model()


def test_a_mistake_that_several_checks_meet_is_reported_once(program: Program) -> None:
    outcome = program("doctor", "--json", STORM_JOB_TTL_DAYS="soon").json()
    assert [check["name"] for check in outcome if not check["ok"]] == ["settings"]
