"""How long a prompt may be is measured before a job: by the server's word, the file's, what is known, or a trial."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from agents.openai_server import (
    DIALECTS,
    KEY,
    NUMBERLESS,
    PRICED,
    UNKNOWN,
    ModelServer,
    answer,
    cut,
    failed,
    limited,
    models,
    too_long,
    truncating,
)
from agents.scripted import engines
from fault_server import Entry, Reply, Seen, Time

from storm.agents.budget import Budget, Limits
from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM, make_lm
from storm.agents.preflight import PROBE_WORDS, ContextLimits, run_preflight
from storm.errors import ModelError, PromptTooLong

UNPRICED = f"no price is known for {UNKNOWN}: its cost is reported in tokens and calls, not in dollars"


def lm_of(choice: ModelChoice, limits: Limits = Limits()) -> MeteredLM:  # noqa: B008
    time = Time()
    budget = Budget(limits, monotonic=time.monotonic, keep_for_writing=0)
    return make_lm(choice, budget, "agent", sleep=time.sleep)


def in_json(body: object) -> Reply:
    return Reply(json.dumps(body))


HOUSE = {"id": "house-model", "object": "model"}
VLLM = {"/v1/models": models({**HOUSE, "max_model_len": 32768})}
LLAMA_CPP = {
    "/v1/models": models({"id": "gguf", "meta": {"n_ctx_train": 131072}}),
    "/props": in_json({"default_generation_settings": {"n_ctx": 32768}}),
}
LM_STUDIO = {
    "/v1/models": models(HOUSE, {"id": "other"}),
    "/api/v0/models": models({**HOUSE, "max_context_length": 131072, "loaded_context_length": 32768}),
}
GATEWAY = {"/v1/models": models({"id": "other", "context_length": 9}, {**HOUSE, "context_length": 32768})}
OLLAMA = {
    "/v1/models": models(HOUSE),
    "/api/ps": in_json({"models": [{"name": "house-model:latest", "context_length": 32768}]}),
}


@pytest.mark.parametrize("paths", [VLLM, LLAMA_CPP, LM_STUDIO, GATEWAY, OLLAMA])
async def test_what_the_server_says_of_itself_counts(paths: dict[str, Reply]) -> None:
    async with ModelServer() as server:
        for path, reply in paths.items():
            server.on(path, reply)
        lm = lm_of(server.choice(UNKNOWN))
        assert await run_preflight(lm) == ContextLimits(32768, 28768, "server", (UNPRICED,))
        assert server.calls == []
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    with pytest.raises(PromptTooLong):
        await lm.acall("word " * 28768)


async def test_ollama_says_it_once_the_model_is_loaded() -> None:
    loaded: list[str] = []

    def play(_: Seen) -> Reply:
        loaded.append("house-model:latest")
        return cut()

    def ps(_: Seen) -> Reply:
        return in_json({"models": [{"name": name, "context_length": 16384} for name in loaded]})

    async with ModelServer(play) as server:
        server.on("/api/ps", ps)
        server.on("/v1/models", models(HOUSE))
        lm = lm_of(server.choice(UNKNOWN))
        assert (await run_preflight(lm))[:3] == (16384, 12384, "server")
        assert len(server.calls) == 1


async def test_an_unloaded_model_is_not_loaded_where_the_budget_is_spent() -> None:
    async with ModelServer() as server:
        server.on("/api/ps", lambda _: in_json({"models": []}))
        server.on("/v1/models", models(HOUSE))
        lm = lm_of(server.choice(UNKNOWN), Limits(calls=0))
        assert (await run_preflight(lm)).source == "assumed"
        assert server.calls == []


@pytest.mark.parametrize(
    ("configured", "usable"), [(8192, (8192, 6144, "configured")), (65536, (32768, 28768, "server"))]
)
async def test_the_smaller_of_the_server_s_word_and_the_file_s_counts(
    configured: int, usable: tuple[int, int, str]
) -> None:
    async with ModelServer() as server:
        server.on("/v1/models", VLLM["/v1/models"])
        assert (await run_preflight(lm_of(server.choice(UNKNOWN, context=configured))))[:3] == usable


async def test_without_the_server_s_word_the_file_s_counts_and_then_what_is_known() -> None:
    async with ModelServer() as server:
        assert (await run_preflight(lm_of(server.choice(context=9000, max_tokens=1000))))[:3] == (
            9000,
            8000,
            "configured",
        )
        assert await run_preflight(lm_of(server.choice(PRICED))) == ContextLimits(128000, 124000, "known")
        assert server.calls == []


async def test_a_provider_s_own_address_is_not_asked() -> None:
    with no_network():
        lm = lm_of(ModelChoice(name="openai/gpt-4o-mini", key_variable="OPENAI_API_KEY", key=KEY))
        assert (await run_preflight(lm)).source == "known"


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_trial_shows_the_limit_that_nobody_tells(dialect: str) -> None:
    async with ModelServer(limited(6500, dialect)) as server:
        usable = await run_preflight(lm_of(server.choice(UNKNOWN, max_tokens=1000)))
        assert usable.source == "probe"
        assert usable.context == (7187 if dialect in NUMBERLESS else 6500)
        assert len(server.calls) == (3 if dialect in NUMBERLESS else 1)


@pytest.mark.parametrize(
    ("reply", "context"),
    [
        (limited(100_000, "openai"), PROBE_WORDS + 1000),
        (answer(prompt=11), PROBE_WORDS + 1000),
        (cut(), PROBE_WORDS + 1000),
        (truncating(8192), 8192),
    ],
)
async def test_a_trial_that_passes_shows_room_for_it_unless_the_server_cut_it(reply: Entry, context: int) -> None:
    async with ModelServer(reply) as server:
        usable = await run_preflight(lm_of(server.choice(UNKNOWN, max_tokens=1000)))
        assert (usable.context, usable.source) == (context, "probe")
        assert len(server.calls) == 1


async def test_a_server_that_refuses_every_trial_is_of_no_use() -> None:
    async with ModelServer(too_long("ollama")) as server:
        with pytest.raises(ModelError, match="refuses prompts that are long enough"):
            await run_preflight(lm_of(server.choice(UNKNOWN)))
        assert len(server.calls) == 3


async def test_a_trial_that_the_budget_does_not_allow_is_not_made_and_that_is_said() -> None:
    async with ModelServer() as server:
        usable = await run_preflight(lm_of(server.choice(UNKNOWN), Limits(tokens=9000)))
        assert (usable.context, usable.source) == (PROBE_WORDS + 4000, "assumed")
        assert usable.remarks == (UNPRICED, f"the context of {UNKNOWN} is unknown; it was not tried")
        assert server.calls == []


async def test_a_trial_that_got_no_answer_in_time_was_made_and_that_is_said() -> None:
    async with ModelServer(Reply(silent=True)) as server:
        usable = await run_preflight(lm_of(server.choice(UNKNOWN), Limits(minutes=0.003)))
        assert (usable.context, usable.source) == (PROBE_WORDS + 4000, "unanswered")
        assert "the test prompt got no answer in time, and is charged at its maximum" in usable.remarks[1]
        assert len(server.calls) == 1


async def test_what_caps_a_model_of_unknown_price_is_said() -> None:
    async with ModelServer() as server:
        limits = Limits(usd=2, tokens=1_500_000, calls=80)
        usable = await run_preflight(lm_of(server.choice(UNKNOWN, context=30_000), limits))
        capped = "$2 cannot limit its cost, its limit is 1,500,000 tokens and 80 calls"
        assert usable.remarks == (f"no price is known for {UNKNOWN}: {capped}",)


async def test_an_engine_of_one_s_own_is_not_tried() -> None:
    budget = Budget(Limits(), monotonic=Time().monotonic)
    lm = MeteredLM(ModelChoice(name="scripted"), budget, "agent", **engines([]))
    assert (await run_preflight(lm)).source == "assumed"


@pytest.mark.parametrize(("context", "max_tokens"), [(4096, None), (2048, 2000), (1000, 4000)])
async def test_a_context_that_is_too_small_to_work_with_is_reported_with_a_way_out(
    context: int, max_tokens: int | None
) -> None:
    async with ModelServer() as server:
        server.on("/v1/models", models({**HOUSE, "max_model_len": context}))
        lm = lm_of(server.choice(UNKNOWN, max_tokens=max_tokens))
        with pytest.raises(
            ModelError, match=rf"reads prompts of up to about .* tokens here \(context {context:,}"
        ) as caught:
            await run_preflight(lm)
    assert "OLLAMA_CONTEXT_LENGTH" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("configured", "cause"),
    [
        ({"context": 8000, "max_tokens": 9000}, "`max_tokens` in models.yaml leaves .*: give 2,700 at most"),
        ({"context": 6000}, "`context` in models.yaml says so"),
        ({"context": 6000, "max_tokens": 2000}, "`context` in models.yaml says so"),
    ],
)
async def test_a_context_that_the_file_makes_too_small_is_not_blamed_on_the_server(
    configured: dict[str, int], cause: str
) -> None:
    async with ModelServer() as server:
        with pytest.raises(ModelError) as caught:
            await run_preflight(lm_of(server.choice(UNKNOWN, **configured)))
    assert re.match(cause, caught.value.hint or "")


async def test_replies_leave_room_for_the_prompt_in_a_small_context() -> None:
    async with ModelServer() as server:
        server.on("/v1/models", models({**HOUSE, "max_model_len": 8192}))
        lm = lm_of(server.choice(UNKNOWN))
        assert (await run_preflight(lm))[:2] == (8192, 6144)
        await lm.acall("Is it?")
        assert server.calls[0]["max_completion_tokens"] == 2048


async def test_a_server_that_is_not_there_is_reported_in_one_line() -> None:
    async with ModelServer() as server:
        choice = server.choice(UNKNOWN)
    with pytest.raises(
        ModelError, match=r"^no model server answers at http://127\.0\.0\.1:\d+/v1: .*refused$"
    ) as caught:
        await run_preflight(lm_of(choice))
    assert caught.value.hint


async def test_a_server_that_is_silent_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storm.agents.server_report._SECONDS", 0.05)
    async with ModelServer() as server:
        server.on("/models", Reply(silent=True))
        with pytest.raises(ModelError, match="no model server answers"):
            await run_preflight(lm_of(server.choice(UNKNOWN)))


async def test_a_key_that_the_server_refuses_is_reported() -> None:
    async with ModelServer() as server:
        server.on("/models", failed(401, f"wrong key {KEY}"))
        with pytest.raises(ModelError, match=r"refuses the key \(HTTP 401\)$"):
            await run_preflight(lm_of(server.choice(UNKNOWN)))


async def test_the_key_does_not_follow_a_redirect() -> None:
    async with ModelServer() as elsewhere, ModelServer() as server:
        server.on("/models", Reply(status=302, headers={"Location": f"{elsewhere.base}/models"}))
        assert (await run_preflight(lm_of(server.choice(UNKNOWN)))).source == "probe"
        assert elsewhere.requests == []


@pytest.mark.parametrize(
    "body",
    [
        b"<html>", b"\xff", b"[]", b"7", b'{"data": 7}', b'{"data": ["x"]}', b'{"data": [{"id": 1}]}', b"[" * 5000,
        b'{"data": [{"id": "house-model", "max_model_len": "long"}]}',
        b'{"data": [{"id": "house-model", "max_model_len": true}]}',
        b'{"models": [7], "default_generation_settings": []}',
    ],
)  # fmt: skip
async def test_a_strange_report_is_no_report(body: bytes) -> None:
    async with ModelServer() as server:
        for path in ("/models", "/props"):
            server.on(path, Reply(body))
        assert (await run_preflight(lm_of(server.choice(PRICED)))).source == "known"


def test_a_missing_key_is_reported_without_a_network() -> None:
    with no_network(), pytest.raises(ModelError, match="openai/gpt-4o-mini needs a key: OPENAI_API_KEY is not set"):
        asyncio.run(run_preflight(lm_of(ModelChoice(name="openai/gpt-4o-mini", key_variable="OPENAI_API_KEY"))))


@contextmanager
def no_network() -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", refuse)
        patch.setattr(socket.socket, "connect", refuse)
        yield
