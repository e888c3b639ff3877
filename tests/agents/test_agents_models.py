"""The whole way to a model, through DSPy's own engine and HTTP, against a server that answers well and badly."""

from __future__ import annotations

import asyncio
import logging
import re
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import dspy
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
    rate_limited,
    too_long,
    truncating,
    uncounted,
)
from agents.scripted import engines, ledger
from dspy import lm15
from dspy.utils import exceptions
from fault_server import Entry, Reply, Seen, Time
from pydantic import JsonValue

from storm.agents.budget import Budget, BudgetReserved, Limits, Spent
from storm.agents.model_choice import ModelChoice
from storm.agents.model_faults import FAILURE_NAMES, context_limit, model_error
from storm.agents.models import REPLY_TOKENS, MeteredLM, is_context_error, make_lm
from storm.agents.predictor_calls import call_predictor
from storm.errors import BadReply, BudgetSpent, ModelError, PromptTooLong, UsageError
from storm.models import PaidReply, Spending

#: What a call to PRICED costs that reads 11 tokens and writes 2.
COST = 11 * 0.15e-6 + 2 * 0.6e-6


def no_limits() -> Budget:
    return Budget(Limits(), monotonic=Time().monotonic)


def lm_at(server: ModelServer, time: Time | None = None, budget: Budget | None = None, **changes: Any) -> MeteredLM:
    time = time or Time()
    return make_lm(
        server.choice(**changes), budget or no_limits(), "agent", sleep=time.sleep, pause=_no_pause, jitter=lambda: 0.5
    )


def _no_pause(_: float) -> None:
    raise AssertionError("the synchronous way is not taken here")


def spent(lm: MeteredLM) -> Spent:
    return ledger(lm.budget).get("agent", Spent())


async def test_a_call_is_counted_with_what_the_server_says_it_used() -> None:
    async with ModelServer(answer("yes")) as server:
        lm = lm_at(server, temperature=0.5, max_tokens=50)
        assert await lm.acall("Is it?") == ["yes"]
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert server.calls == [
            {
                "model": "gpt-4o-mini",
                "messages": [{"role": "user", "content": "Is it?"}],
                "max_completion_tokens": 50,
                "temperature": 0.5,
            }
        ]
    assert spent(lm) == Spent(1, 11, 2, pytest.approx(COST), 0)


async def test_the_synchronous_way_counts_and_waits_the_same() -> None:
    pauses: list[float] = []
    async with ModelServer(rate_limited(after=7), answer("yes")) as server:
        lm = make_lm(server.choice(), no_limits(), "agent", pause=pauses.append, jitter=lambda: 0.5)
        assert await asyncio.to_thread(lm, "Is it?") == ["yes"]
    assert pauses == [7.0]
    assert spent(lm) == Spent(1, 11, 2, pytest.approx(COST), 0)


async def test_a_program_asks_through_it_and_its_history_is_kept_only_where_it_is_wanted() -> None:
    reply = "[[ ## answer ## ]]\nHER2\n\n[[ ## completed ## ]]"
    async with ModelServer(answer(reply)) as server:
        lm = lm_at(server)
        for off in (True, False):
            with dspy.context(lm=lm, adapter=dspy.ChatAdapter(), disable_history=off):
                assert (await dspy.Predict("question -> answer").acall(question="Which target?")).answer == "HER2"
    assert len(lm.history) == 1
    assert spent(lm).calls == 2
    assert KEY not in repr((lm, lm.choice, lm.history, lm.dump_state()))


async def test_equal_calls_are_made_anew_where_nothing_is_shared() -> None:
    async with ModelServer(answer("one"), answer("two")) as server:
        lm = lm_at(server)
        assert [await lm.acall("Which?") for _ in range(2)] == [["one"], ["two"]]


def sharing(**limits: Any) -> Budget:
    """As a job has it: what was paid for is shared."""
    budget = Budget(Limits(**limits), monotonic=Time().monotonic)
    budget.cached_replies = {}
    return budget


async def test_equal_requests_of_one_job_are_paid_for_once_one_after_the_other_or_at_once() -> None:
    async with ModelServer(answer("one"), answer("two")) as server:
        lm = lm_at(server, budget=sharing())
        replies = await asyncio.gather(*(lm.acall("Which?") for _ in range(4)))
        assert [*replies, await lm.acall("Which?")] == [["one"]] * 5
        assert len(server.calls) == 1
    assert spent(lm).calls == 1


async def test_a_reply_that_is_shared_is_changed_by_nobody() -> None:
    async with ModelServer(answer("one")) as server:
        lm = lm_at(server, budget=sharing())
        await lm.acall("Which?")
        (await lm.acall("Which?")).clear()
        assert await lm.acall("Which?") == ["one"]


async def test_requests_that_differ_in_model_role_settings_or_rollout_are_not_shared() -> None:
    budget = sharing()
    async with ModelServer(*(answer(str(number)) for number in range(6))) as server:
        lm = lm_at(server, budget=budget)
        role = make_lm(server.choice(), budget, "writer")
        model = lm_at(server, budget=budget, name=UNKNOWN)
        freer = [lm.copy(temperature=0.9), lm.copy(temperature=1.0, rollout_id=1), lm.copy(temperature=1.0)]
        asked = [await each.acall("Which?") for each in (lm, role, model, *freer)]
        assert [await each.acall("Which?") for each in (lm, role, model, *freer)] == asked
    assert asked == [[str(number)] for number in range(6)]


async def test_a_request_whose_maker_was_cancelled_or_failed_is_made_by_the_next_who_waits() -> None:
    arrived = asyncio.Event()

    def silent(_: Seen) -> Reply:
        arrived.set()
        return Reply(silent=True)

    async with ModelServer(silent, failed(400), answer("one")) as server:
        lm = lm_at(server, budget=sharing())
        first, *others = [asyncio.create_task(lm.acall("Which?")) for _ in range(3)]
        await arrived.wait()
        first.cancel()
        replies = await asyncio.gather(first, *others, return_exceptions=True)
    assert isinstance(replies[0], asyncio.CancelledError) and isinstance(replies[1], ModelError)
    assert replies[2] == ["one"]


async def test_a_cut_reply_is_paid_for_once_and_the_retry_that_says_so_is_a_request_of_its_own() -> None:
    good = "[[ ## answer ## ]]\nHER2\n\n[[ ## completed ## ]]"
    async with ModelServer(cut(), answer("no form"), answer(good)) as server:
        lm = lm_at(server, budget=sharing())
        predict = dspy.Predict("question, problems -> answer")
        with dspy.context(lm=lm, adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)):
            replies = await asyncio.gather(*(call_predictor(predict, question="Which?", problems="") for _ in range(3)))
        assert [reply.answer for reply in replies if reply] == ["HER2"] * 3
        assert len(server.calls) == 3


async def test_a_call_that_could_pass_a_limit_is_not_made() -> None:
    async with ModelServer() as server:
        for limits in (Limits(tokens=4000), Limits(usd=0.0001), Limits(calls=0)):
            budget = Budget(limits, monotonic=Time().monotonic, keep_for_writing=0)
            with pytest.raises(BudgetSpent):
                await lm_at(server, budget=budget).acall("Is it?")
        assert server.calls == []


async def test_a_price_that_nobody_knows_leaves_the_other_limits() -> None:
    async with ModelServer() as server:
        budget = Budget(Limits(usd=1e-9, calls=1), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, name=UNKNOWN)
        await lm.acall("Is it?")
        assert spent(lm) == Spent(1, 11, 2, None, 1)
        with pytest.raises(BudgetSpent, match=r"limit of 1 call$"):
            await lm.acall("Is it?")


def test_what_one_s_own_server_costs_is_not_known() -> None:
    for name in ("ollama/llama2", "ollama_chat/llama2", "hosted_vllm/x"):
        choice = ModelChoice(name=name, api_base="http://localhost:1/v1")
        assert make_lm(choice, no_limits(), "agent").facts.estimate_cost(1, 1) is None


async def test_what_each_call_came_to_is_kept_before_the_next_and_one_that_was_refused_is_none() -> None:
    kept: list[int] = []

    async def log(spending: Spending, seconds: float, reply: PaidReply | None) -> None:
        kept.append(spending.calls)

    async with ModelServer(rate_limited(after=7), answer("yes"), failed(400)) as server:
        lm = lm_at(server, budget=Budget(Limits(), monotonic=Time().monotonic, log=log))
        await lm.acall("Is it?")
        assert kept == [1]
        with pytest.raises(ModelError):
            await lm.acall("Is it?")
    assert kept == [1, 1]


async def test_a_reply_that_was_paid_for_before_is_not_asked_for_again_and_costs_nothing() -> None:
    kept: list[PaidReply] = []

    async def log(spending: Spending, seconds: float, reply: PaidReply | None) -> None:
        kept.extend([reply] if reply else [])

    async with ModelServer(answer("yes"), failed(400), answer("no")) as server:
        first = lm_at(server, budget=Budget(Limits(), monotonic=Time().monotonic, log=log))
        await first.acall("Is it?")
        with pytest.raises(ModelError):
            await first.acall("Is it really?")
        resumed = lm_at(server, budget=no_limits())
        resumed.budget.cached_replies = {reply.digest: reply for reply in kept}
        assert await resumed.acall("Is it?") == ["yes"]
        assert (len(server.calls), ledger(resumed.budget)) == (2, {})
        assert await resumed.acall("Is it really?") == ["no"]
    assert all(KEY not in reply.model_dump_json() for reply in kept)


async def test_a_reply_that_was_cut_is_paid_for_once_and_cut_again_when_it_is_given_again() -> None:
    kept: list[PaidReply] = []

    async def log(spending: Spending, seconds: float, reply: PaidReply | None) -> None:
        kept.extend([reply] if reply else [])

    async with ModelServer(cut()) as server:
        first = lm_at(server, budget=Budget(Limits(), monotonic=Time().monotonic, log=log))
        resumed = lm_at(server)
        for lm in (first, resumed):
            with pytest.raises(BadReply, match=r"the reply was cut at 4,000 tokens"):
                await lm.acall("Is it?")
            resumed.budget.cached_replies = {reply.digest: reply for reply in kept}
        assert (len(server.calls), len(kept), ledger(resumed.budget)) == (1, 1, {})


async def test_half_of_a_surrogate_pair_in_a_reply_is_a_question_mark_and_the_reply_is_kept() -> None:
    kept: list[str] = []

    async def log(spending: Spending, seconds: float, reply: PaidReply | None) -> None:
        kept.append(PaidReply.model_validate(reply).model_dump_json())

    async with ModelServer(answer("good \ud83d \ud83d\ude00")) as server:
        lm = lm_at(server, budget=Budget(Limits(), monotonic=Time().monotonic, log=log))
        assert await lm.acall("Is it?") == ["good ? 😀"]
    assert "good ? 😀" in kept[0]


async def test_an_answer_without_counts_is_counted_by_its_text() -> None:
    async with ModelServer(uncounted("yes " * 30)) as server:
        lm = lm_at(server)
        await lm.acall("x" * 300)
    assert spent(lm) == Spent(1, 108, 41, pytest.approx(108 * 0.15e-6 + 41 * 0.6e-6), 0)


@pytest.mark.parametrize("prompt", [1, 0, 59, 119])
async def test_a_count_that_hardly_any_text_of_its_length_can_have_is_replaced_by_our_estimate_in_tokens_and_dollars(
    prompt: int,
) -> None:
    async with ModelServer(answer("yes " * 30, prompt=prompt, reply=1)) as server:
        lm = lm_at(server)
        await lm.acall("x" * 600)
    assert spent(lm) == Spent(1, 208, 41, pytest.approx(208 * 0.15e-6 + 41 * 0.6e-6), 0)


@pytest.mark.parametrize("count", [1, 501])
@pytest.mark.parametrize("limits", [Limits(tokens=20_000), Limits(usd=20_000 * 0.15e-6)])
async def test_a_server_that_counts_one_token_a_prompt_or_a_tenth_of_its_bytes_does_not_get_past_a_limit(
    limits: Limits, count: int
) -> None:
    budget = Budget(limits, monotonic=Time().monotonic, keep_for_writing=0)
    async with ModelServer(answer(prompt=count, reply=1)) as server:
        lm = lm_at(server, budget=budget, max_tokens=100)
        with pytest.raises(BudgetSpent):
            for number in range(100):
                await lm.acall(f"{number} " + "word " * 1_000)
        sent = sum(len(message["content"]) for call in server.calls for message in call["messages"])
    assert 10_000 <= sent / 4 <= 20_000


async def test_a_count_that_the_text_can_have_is_believed_though_we_estimate_more() -> None:
    async with ModelServer(answer("yes " * 30, prompt=1_000, reply=30)) as server:
        lm = lm_at(server)
        await lm.acall("word " * 1_000)
    assert spent(lm) == Spent(1, 1_000, 30, pytest.approx(1_000 * 0.15e-6 + 30 * 0.6e-6), 0)


async def test_a_prompt_that_the_provider_had_in_its_cache_is_counted_at_its_price() -> None:
    async with ModelServer(answer(prompt=1000, cached=800)) as server:
        lm = lm_at(server)
        await lm.acall("Is it?")
    assert spent(lm).usd == pytest.approx(200 * 0.15e-6 + 800 * 0.075e-6 + 2 * 0.6e-6)


async def test_the_server_s_retry_after_is_waited_for() -> None:
    time = Time()
    async with ModelServer(rate_limited(after=30), rate_limited(after=45), answer()) as server:
        lm = lm_at(server, time)
        assert await lm.acall("Is it?") == ["yes"]
    assert time.slept == [30.0, 45.0]
    assert spent(lm) == Spent(1, 11, 2, pytest.approx(COST), 0)


async def test_rate_limits_without_a_hint_are_waited_for_longer_each_time_and_not_for_ever() -> None:
    time = Time()
    async with ModelServer(rate_limited()) as server:
        with pytest.raises(ModelError, match=r"rate-limited for 308 s in all, .* \(HTTP 429\): too"):
            await lm_at(server, time).acall("Is it?")
    assert time.slept[:5] == [1.5, 2.0, 3.0, 5.0, 9.0]
    assert 200 < sum(time.slept) <= 300


async def test_a_wait_past_the_budget_s_minutes_is_not_begun() -> None:
    time = Time()
    budget = Budget(Limits(minutes=1), monotonic=time.monotonic)
    async with ModelServer(rate_limited(after=50)) as server:
        with pytest.raises(ModelError, match="rate-limited for 50 s in all"):
            await lm_at(server, time, budget).acall("Is it?")
    assert time.slept == []


async def test_a_call_under_way_ends_with_the_budget_s_minutes() -> None:
    budget = Budget(Limits(minutes=0.001), monotonic=Time().monotonic)
    async with ModelServer(Reply(silent=True)) as server:
        lm = lm_at(server, budget=budget)
        with pytest.raises(BudgetSpent, match=r"aborted at the limit of 0\.001 minutes"):
            await lm.acall("Is it?")
    assert spent(lm).completion_tokens == 4000


@pytest.mark.parametrize("bad", [failed(500), failed(503), Reply("oops", 500), Reply("{", announced=99, reset=True)])
async def test_a_failing_server_is_asked_three_times(bad: Reply) -> None:
    time = Time()
    async with ModelServer(bad, bad, answer()) as server:
        assert await lm_at(server, time).acall("Is it?") == ["yes"]
    async with ModelServer(bad) as server:
        with pytest.raises(ModelError, match=f"{PRICED}: the (server|connection) fails"):
            await lm_at(server, time).acall("Is it?")
        assert len(server.calls) == 3
    assert time.slept == [0.5, 1.0] * 2


async def test_a_server_that_does_not_answer_in_the_time_that_the_choice_gives_is_taken_to_have_worked() -> None:
    async with ModelServer(Reply(silent=True)) as server:
        lm = lm_at(server, max_tokens=100, timeout=0.05)
        with pytest.raises(ModelError, match=r"no answer in 0\.05 s; `timeout:` in models\.yaml allows") as raised:
            await lm.acall("Is it?")
        assert "lm15" not in raised.value.message
    assert (lm.kwargs["timeout"], spent(lm).calls, spent(lm).completion_tokens) == (0.05, 3, 300)


async def test_a_server_that_is_not_there_costs_nothing() -> None:
    async with ModelServer() as server:
        lm = lm_at(server)
    with pytest.raises(ModelError, match="the connection fails: failed to connect"):
        await lm.acall("Is it?")
    assert spent(lm) == Spent()


@pytest.mark.parametrize(
    ("reply", "message", "billed"),
    [
        (failed(401, "wrong key"), r"the key was refused \(HTTP 401\): wrong key", False),
        (failed(429, "pay", code="insufficient_quota"), r"no credit or quota left \(HTTP 429\): pay", False),
        (failed(404, "no such", code="model_not_found"), r"there is no such model \(HTTP 404\): no such", False),
        (failed(422, "n is wrong"), r"the request was refused \(HTTP 422\): n is wrong", False),
        (Reply("page not found", 404, "text/plain"), r"the request was refused \(HTTP 404\): page not found", False),
        (Reply("", 302, headers={"Location": "http://127.0.0.1:1/"}), r"the answer cannot be read \(HTTP 302\)", False),
        (Reply('{"id": "x", "choi'), "the answer cannot be read: the reply .* is not JSON", True),
        (Reply("<html>", content_type="text/html"), "the answer cannot be read", True),
        (Reply("[1]"), "the answer cannot be used: .* got list", True),
    ],
)
async def test_what_will_not_pass_is_reported_at_once_in_one_line(reply: Reply, message: str, billed: bool) -> None:
    async with ModelServer(reply) as server:
        lm = lm_at(server, max_tokens=100)
        with pytest.raises(ModelError, match=message) as caught:
            await lm.acall("Is it?")
        assert len(server.requests) == 1
    assert "\n" not in caught.value.message
    assert caught.value.message.startswith(f"{PRICED}: ")
    assert isinstance(caught.value.__cause__, dspy.LMError)
    assert spent(lm).completion_tokens == (100 if billed else 0)


async def test_the_key_is_nowhere_even_where_the_server_repeats_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with ModelServer(failed(401, f"Incorrect API key: {KEY}")) as server:
        with pytest.raises(ModelError) as caught:
            await lm_at(server).acall("Is it?")
    assert "Incorrect API key: [redacted]" in caught.value.message
    assert KEY not in "".join(traceback.format_exception(caught.value)) + caplog.text


async def test_what_is_too_short_for_a_key_is_not_taken_out_of_words() -> None:
    async with ModelServer(failed(401, "no")) as server:
        with pytest.raises(ModelError, match=r": the key was refused \(HTTP 401\)"):
            await make_lm(server.choice().model_copy(update={"key": "k"}), no_limits(), "agent").acall("Is it?")


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_prompt_that_is_too_long_is_reported_as_such_in_each_dialect(dialect: str) -> None:
    async with ModelServer(too_long(dialect, 8192)) as server:
        lm = lm_at(server)
        with pytest.raises(PromptTooLong) as caught:
            await lm.acall("Is it?")
        assert len(server.calls) == 1
    assert is_context_error(caught.value)
    assert caught.value.__cause__ is not None
    assert is_context_error(caught.value.__cause__)
    assert caught.value.context == (None if dialect in NUMBERLESS else 8192)
    assert spent(lm) == Spent()


@pytest.mark.parametrize(
    "reply",
    [rate_limited(), failed(400, "context is not a known field"), failed(400, "max_tokens is too large: 99999")],
)
async def test_other_refusals_are_not_taken_for_a_long_prompt(reply: Reply) -> None:
    async with ModelServer(reply) as server:
        with pytest.raises(ModelError) as caught:
            await lm_at(server).acall("Is it?")
    assert not is_context_error(caught.value)


async def test_a_prompt_is_measured_before_it_is_sent() -> None:
    async with ModelServer() as server:
        lm = lm_at(server, context=5000, max_tokens=1000)
        await lm.acall("word " * 2390)
        with pytest.raises(PromptTooLong, match="do not fit into its context of 5,000") as caught:
            await lm.acall("word " * 2410)
        assert (len(server.calls), caught.value.context) == (1, 5000)
    assert spent(lm).calls == 1


async def test_a_model_that_counts_more_tokens_is_given_shorter_prompts_from_then_on() -> None:
    async with ModelServer(answer(prompt=5200)) as server:
        lm = lm_at(server, context=8000, max_tokens=1000)
        await lm.acall("word " * 2400)
        with pytest.raises(PromptTooLong):
            await lm.acall("word " * 3300)


async def test_a_prompt_that_the_server_cut_without_a_word_is_an_error() -> None:
    async with ModelServer(truncating(2050)) as server:
        with pytest.raises(PromptTooLong, match="cut the prompt to 2,050 tokens without saying so") as caught:
            await lm_at(server, name=UNKNOWN).acall("considerable " * 7900)
    assert caught.value.context == 2050


@pytest.mark.parametrize("count", [11, 512, 1100, 2100])
async def test_a_server_that_counts_in_its_own_way_is_believed(count: int) -> None:
    async with ModelServer(answer(prompt=count)) as server:
        assert await lm_at(server).acall("considerable " * 7900) == ["yes"]


async def test_a_reply_that_was_cut_is_no_reply() -> None:
    async with ModelServer(cut()) as server:
        lm = lm_at(server, max_tokens=50)
        with pytest.raises(BadReply, match="the reply was cut at 50 tokens, its `max_tokens`"):
            await lm.acall("Is it?")
    assert spent(lm) == Spent(1, 11, 2, pytest.approx(COST), 0)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("C" * 5_000_000, "its reply has 5,000,000 characters"), ("{'a'" * 20_000, "its reply is nested too deep")],
)
async def test_a_reply_that_would_hold_up_its_parser_is_refused_and_paid_for(text: str, fault: str) -> None:
    async with ModelServer(answer(text)) as server:
        lm = lm_at(server)
        with pytest.raises(BadReply, match=fault):
            await lm.acall("Is it?")
    assert spent(lm)[:3] == (1, 11, REPLY_TOKENS), "no text of that length has two tokens"


async def test_a_reply_that_a_filter_kept_back_is_reported_as_such() -> None:
    async with ModelServer(answer("", finish="content_filter")) as server:
        with pytest.raises(BadReply, match=f"^{PRICED}: the provider's filter withheld the reply$"):
            await lm_at(server).acall("Is it?")


async def test_of_a_cut_reply_only_our_own_line_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    async with ModelServer(cut()) as server:
        with pytest.raises(BadReply):
            await lm_at(server).acall("Is it?")
        assert "truncated" not in "".join(capfd.readouterr())
        await dspy.LM(PRICED, api_base=server.base, api_key="k", cache=False).acall("Is it?")
    assert "truncated" in capfd.readouterr().err  # an LM of the user's own warns as ever


async def test_whoever_watches_is_informed_of_waits_but_not_of_each() -> None:
    reports: list[tuple[str, Mapping[str, JsonValue]]] = []

    async def watched(line: str, **data: JsonValue) -> None:
        reports.append((line, data))

    async with ModelServer(rate_limited(after=1), rate_limited(after=1), answer()) as server:
        lm = lm_at(server)
        lm.notify = watched
        await lm.acall("Is it?")
        server.on("/chat/completions", failed(500, f"oops {KEY}"), answer())
        other = lm_at(server)
        other.notify = watched
        await other.acall("Is it?")
    assert reports == [
        (f"{PRICED}: rate-limited (HTTP 429): too many tokens per minute; retrying in 1 s", {"rate_limited": PRICED}),
        (f"{PRICED}: the server fails (HTTP 500): oops [redacted]; retrying in 1 s", {}),
    ]


def test_a_provider_that_nobody_knows_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"^foo/bar: unknown provider 'foo'$"):
        make_lm(ModelChoice(name="foo/bar"), no_limits(), "agent")


def test_without_litellm_what_only_it_can_ask_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(feature: str) -> None:
        raise ImportError("litellm is not installed")

    monkeypatch.setattr("storm.agents.models.get_litellm", missing)
    with pytest.raises(ModelError, match=r"^foo/bar: it cannot be called: litellm is not installed$"):
        make_lm(ModelChoice(name="foo/bar"), no_limits(), "agent")


def failing(script: str, wire: str = "") -> ModelError:
    """Our error for what litellm raises, its chain of causes made as litellm makes it."""
    names: dict[str, Any] = {"lm15": lm15}
    for module, name in re.findall(r"([\w.]+):(\w+)", script):
        names[name] = type(name, (Exception,), {"__module__": module})
    cause: Exception | None = None
    for name in re.findall(r":(\w+)", script):
        error = names[name]("it failed")
        error.__context__, cause = cause, error
    error = dspy.LMServerError(message=f"litellm.InternalServerError: XException - it failed{wire}", status=500)
    error.__cause__ = cause
    return model_error(error, "x/y")


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        ("httpx:HTTPStatusError litellm.llms.x:XError", "x/y: the server fails (HTTP 500): it failed"),
        ("httpx:ConnectError litellm.llms.x:XError", "x/y: the connection fails: it failed"),
        ("litellm.exceptions:NotFoundError", "x/y: it cannot be called: it failed"),
        ("litellm.exceptions:HTTPStatusError", "x/y: it cannot be called: it failed"),
    ],
)
def test_a_status_that_litellm_made_up_is_not_reported_as_a_server_s(chain: str, message: str) -> None:
    wire = " ssl:<ssl.SSLContext object at 0x7f>"
    assert failing(chain, wire).message == message


def test_what_a_library_has_to_say_beside_a_call_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    library = logging.getLogger("litellm.llms.huggingface.chat.transformation")

    def chatty(_: str) -> str:
        library.warning("`max_retries` is not supported.")
        return "yes"

    MeteredLM(ModelChoice(name="scripted"), no_limits(), "agent", **engines(chatty))("Is it?")
    assert caplog.messages == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # litellm's own
async def test_through_litellm_a_server_that_answers_is_distinguished_from_one_that_is_not_there() -> None:
    choice = ModelChoice(name="huggingface/x/y", key="hf-verysecret", timeout=5)
    time = Time()
    async with ModelServer(failed(401, "wrong key")) as server:
        there = make_lm(choice.model_copy(update={"api_base": server.base}), no_limits(), "agent", sleep=time.sleep)
        with pytest.raises(ModelError, match=r"^huggingface/x/y: the key was refused \(HTTP 401\): "):
            await there.acall("Is it?")
        gone = server.base
    lm = make_lm(choice.model_copy(update={"api_base": gone}), no_limits(), "agent", sleep=time.sleep)
    with pytest.raises(ModelError, match=r"^huggingface/x/y: the connection fails: "):
        await lm.acall("Is it?")
    assert spent(lm)[:3] == (0, 0, 0)


@pytest.mark.parametrize("text", ["", None])
async def test_an_empty_reply_reaches_the_adapter_as_one_that_cannot_be_read(text: str | None) -> None:
    async with ModelServer(answer(text)) as server:
        lm = lm_at(server)
        adapter = dspy.ChatAdapter(use_json_adapter_fallback=False)
        with dspy.context(lm=lm, adapter=adapter), pytest.raises(dspy.AdapterParseError, match="empty"):
            await dspy.Predict("question -> answer").acall(question="Is it?")


async def test_several_candidates_are_held_and_counted_together() -> None:
    async with ModelServer() as server:
        budget = Budget(Limits(tokens=240), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, max_tokens=100)
        assert await lm.acall("Is it?", n=2) == ["yes", "yes"]
        with pytest.raises(BudgetSpent):
            await lm.acall("Is it?", n=2)
    assert spent(lm)[:3] == (1, 22, 4)


async def test_a_call_that_is_cancelled_counts_as_made() -> None:
    asked = asyncio.Event()

    def silent(_: Seen) -> Reply:
        asked.set()
        return Reply(silent=True)

    async with ModelServer(silent) as server:
        lm = lm_at(server, max_tokens=100)
        call = asyncio.create_task(lm.acall("Is it?"))
        await asked.wait()
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
    assert spent(lm)[:3] == (1, 14, 100)


async def test_text_that_no_provider_can_take_is_our_error_and_costs_nothing() -> None:
    async with ModelServer() as server:
        lm = lm_at(server)
        with pytest.raises(ModelError, match="not valid Unicode"):
            await lm.acall("\ud800")
    assert spent(lm) == Spent()


def dense(octets_per_token: float) -> Entry:
    """Counts as for a text of codes: so many bytes to a token."""

    def play(seen: Seen) -> Reply:
        octets = sum(len(message["content"].encode()) for message in seen.json["messages"])
        return answer(prompt=int(octets / octets_per_token), reply=100)

    return play


@pytest.mark.parametrize("octets_per_token", [4, 2, 1.5, 1])
async def test_a_limit_in_tokens_is_not_passed_however_dense_the_text_and_however_many_ask(
    octets_per_token: float,
) -> None:
    async def ask() -> None:
        with suppress(BudgetSpent):
            while True:
                await lm.acall("x" * 4_000)

    async with ModelServer(dense(octets_per_token)) as server:
        budget = Budget(Limits(tokens=30_000), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, max_tokens=100)
        await asyncio.gather(*(ask() for _ in range(6)))
    assert 20_000 < sum(spent(lm)[1:3]) <= 30_000


async def test_once_the_model_has_counted_a_call_holds_less_than_its_bytes() -> None:
    async with ModelServer(dense(4)) as server:
        budget = Budget(Limits(tokens=10_000), monotonic=Time().monotonic, keep_for_writing=0)
        lm, other = lm_at(server, budget=budget, max_tokens=100), lm_at(server, budget=budget, max_tokens=100)
        with pytest.raises(BudgetSpent):
            await lm.acall("x" * 12_000)
        await lm.acall("x" * 8_000)
        await lm.acall("x" * 12_000)
        with pytest.raises(BudgetSpent):
            await other.acall("x" * 5_000)
        other.share_endpoint(lm)
        await other.acall("x" * 5_000)


async def test_only_so_many_calls_are_made_at_once_by_all_that_ask_one_model() -> None:
    under_way: list[int] = [0]
    most = 0
    two = asyncio.Barrier(2)

    class Slow:
        async def complete(self, request: lm15.Request) -> lm15.Response:
            nonlocal most
            under_way[0] += 1
            most = max(most, under_way[0])
            async with asyncio.timeout(10):
                await two.wait()  # nobody goes on alone
            under_way[0] -= 1
            return engine.complete(request)

    engine = engines(lambda _: "yes")["engine"]
    choice = ModelChoice(name="scripted", parallel=2, max_tokens=100)
    budget = Budget(Limits(tokens=1_400), monotonic=Time().monotonic, keep_for_writing=0)  # who waits holds nothing
    lms = [MeteredLM(choice, budget, role, engine=engine, async_engine=Slow()) for role in ("writer", "judge")]
    lms[1].share_endpoint(lms[0])
    await asyncio.gather(*(lm.acall("x" * 200) for lm in lms * 5))
    assert most == 2 and sum(each.calls for each in ledger(budget).values()) == 10


@pytest.mark.parametrize("limits", [{"tokens": 450}, {"usd": 300e-6}])
@pytest.mark.parametrize("parallel", [1, 8])
async def test_what_is_held_for_others_is_waited_for_and_nobody_is_refused_for_it(
    limits: dict[str, Any], parallel: int
) -> None:
    """Ten calls come to 300 tokens; each may come to 130 and more."""
    async with ModelServer(answer("yes", prompt=20, reply=10)) as server:
        budget = Budget(Limits(**limits), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, parallel=parallel, max_tokens=100)
        assert await asyncio.gather(*(lm.acall("x" * 30) for _ in range(10))) == [["yes"]] * 10
    assert spent(lm).tokens == 300 and not budget.refusal


async def test_synchronous_callers_wait_for_one_another_too() -> None:
    async with ModelServer(answer("yes", prompt=20, reply=10)) as server:
        budget = Budget(Limits(tokens=450), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, max_tokens=100)
        replies = await asyncio.gather(*(asyncio.to_thread(lm, "x" * 30) for _ in range(10)))
    assert replies == [["yes"]] * 10


async def test_who_would_make_the_loop_wait_for_itself_is_refused_instead() -> None:
    async with ModelServer(answer("yes", prompt=20, reply=10)) as server:
        budget = Budget(Limits(tokens=200), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, max_tokens=100)
        held = budget.reserve_call("agent", 100, None)
        with pytest.raises(BudgetSpent, match="limit of 200 tokens"):
            lm("x" * 30)
        budget.settle_call(held, prompt_tokens=1, completion_tokens=0, usd=None)
    assert server.calls == []


async def test_who_waits_for_what_is_held_is_refused_once_it_is_spent() -> None:
    async with ModelServer(answer("yes", prompt=40, reply=90)) as server:
        budget = Budget(Limits(tokens=400), monotonic=Time().monotonic, keep_for_writing=0)
        lm = lm_at(server, budget=budget, max_tokens=100)
        replies = await asyncio.gather(*(lm.acall("x" * 30) for _ in range(10)), return_exceptions=True)
    refused = [reply for reply in replies if isinstance(reply, BudgetSpent)]
    assert len(refused) == 10 - len(server.calls) and len(server.calls) in (2, 3)
    assert budget.refusal and not any(isinstance(reply, BudgetReserved) for reply in replies)


def test_each_event_loop_has_locks_of_its_own() -> None:
    async def several() -> list[Any]:
        return await asyncio.gather(*(lm.acall("Is it?") for _ in range(3)))

    lm = MeteredLM(ModelChoice(name="scripted", parallel=1), no_limits(), "agent", **engines(lambda _: "yes"))
    assert asyncio.run(several()) == asyncio.run(several()) == [["yes"]] * 3


@pytest.mark.parametrize("proxy", ["socks5://user:hunter2@127.0.0.1:9", "https://user:hunter2@proxy.example.org"])
def test_who_a_proxy_is_asked_as_is_not_repeated(proxy: str) -> None:
    message = str(model_error(exceptions.LMTransportError(f"unsupported proxy scheme in {proxy!r}", model="x"), "x"))
    assert "hunter2" not in message and proxy.partition("@")[2] in message


def test_a_traceback_in_what_was_said_is_not_repeated() -> None:
    said = 'litellm: oops\nTraceback (most recent call last):\n  File "/usr/lib/x.py", line 7, in y\nValueError'
    assert model_error(dspy.LMServerError(message=said), "x/y").message == "x/y: the server fails: litellm: oops"


async def test_a_copy_shares_the_budget() -> None:
    async with ModelServer() as server:
        lm = lm_at(server)
        await lm.copy(temperature=0.9).acall("Is it?")
        assert server.calls[0]["temperature"] == 0.9
    assert spent(lm).calls == 1


async def test_a_deep_copy_that_an_optimiser_makes_shares_the_budget_too() -> None:
    async with ModelServer() as server:
        predict = dspy.Predict("question -> answer")
        predict.lm = lm_at(server)
        copied = predict.deepcopy().lm
        await copied.acall("Is it?")
        assert copied is not predict.lm
    assert spent(predict.lm).calls == 1


async def test_an_engine_of_one_s_own_is_metered_too() -> None:
    lm = MeteredLM(ModelChoice(name="scripted"), no_limits(), "agent", **engines(["yes"]))
    assert await lm.acall("Is it?") == ["yes"]
    assert spent(lm) == Spent(1, 2, 1, None, 1)


def test_reasoning_models_get_room_to_reason() -> None:
    choice = ModelChoice(name="openai/gpt-5-mini", key_variable="K", key=KEY)
    assert make_lm(choice, no_limits(), "agent").reply_tokens == 16_000
    with pytest.raises(ModelError, match="configured wrongly: OpenAI's reasoning models"):
        make_lm(choice.model_copy(update={"temperature": 0.0}), no_limits(), "agent")


def test_a_model_that_dspy_refuses_with_any_length_of_reply_is_a_mistake_of_the_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[int] = []

    def refuse(_: object, name: str, max_tokens: int, **options: object) -> None:
        tried.append(max_tokens)
        raise dspy.LMConfigurationError(f"{name} takes no such reply")

    monkeypatch.setattr(dspy.LM, "__init__", refuse)
    with pytest.raises(ModelError, match="configured wrongly"):
        make_lm(ModelChoice(name="openai/gpt-5-mini", key_variable="K", key=KEY), no_limits(), "agent")
    assert len(tried) == 2 and tried[0] < tried[1]


def test_a_server_that_the_choice_names_gets_no_other_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    choice = ModelChoice(name=UNKNOWN, api_base="http://127.0.0.1:9/v1")
    assert make_lm(choice, no_limits(), "agent").kwargs["api_key"] == "none"


def test_a_gateway_in_the_environment_does_not_bring_litellm_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    choice = ModelChoice(name=PRICED, key_variable="K", key=KEY)
    assert make_lm(choice, no_limits(), "agent").engine == "lm15"
    assert make_lm(choice.model_copy(update={"name": "mistral/small"}), no_limits(), "agent").engine == "auto"


def test_every_kind_of_failure_that_dspy_knows_has_a_name_of_its_own() -> None:
    kinds = [kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, dspy.LMError)]
    general = {dspy.LMError, exceptions.LMCollectionLimitError}
    for kind in set(kinds) - general:
        message = model_error(kind(message="it failed"), "x/y").message
        assert message.startswith("x/y: "), kind
        assert "it cannot be called" not in message, kind
    assert not [
        kind for n, (kind, _) in enumerate(FAILURE_NAMES) for above, _ in FAILURE_NAMES[:n] if issubclass(kind, above)
    ]


def test_a_limit_is_read_only_where_one_is_named() -> None:
    assert context_limit(ValueError("no number")) is None


@pytest.mark.slow
async def test_litellm_is_not_imported_on_this_way() -> None:
    async with ModelServer() as server:
        program = (
            "import sys, asyncio, time\n"
            "from storm.agents.budget import Budget, Limits\n"
            "from storm.agents.model_choice import ModelChoice\n"
            "from storm.agents.models import make_lm\n"
            f"choice = ModelChoice(name={PRICED!r}, api_base={server.base!r})\n"
            "lm = make_lm(choice, Budget(Limits(), monotonic=time.monotonic), 'agent')\n"
            "assert asyncio.run(lm.acall('Is it?')) == ['yes']\n"
            "assert lm.budget.list_spending()[0].usd > 0\n"
            "print(sorted({name.partition('.')[0] for name in sys.modules} & {'litellm', 'openai'}))\n"
        )
        assert await _printed([sys.executable, "-W", "error", "-c", program]) == "[]"


async def _printed(command: Sequence[str]) -> str:
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
