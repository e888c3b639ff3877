"""The judge sees a statement and its quote, says whether one supports the other, and silence is not assent."""

from __future__ import annotations

from typing import Any

import dspy
import pytest
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import fences, honest, metered
from dspy import lm15

from storm.agents.judge import PAIRS, Judgement, SupportJudge
from storm.models import Statement

GOOD = Statement(text="Response was 22%.", quote="Response to zorvimab was 22%", source_ids=("src_001",))
BAD = Statement(text="Response was very good.", quote="Response to zorvimab was 22%", source_ids=("src_001",))


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_each_pair_gets_its_own_verdict_and_reason_whatever_the_adapter(dialect: str) -> None:
    lm = scripted_lm(honest(unsupported=["very good"], dialect=DIALECTS[dialect]))
    judged = await SupportJudge(lm, adapter=adapter(dialect)).judge("zorvimab", [GOOD, BAD, GOOD])
    assert judged == [Judgement(True), Judgement(False, "the quote does not say so"), Judgement(True)]


async def test_the_judge_is_shown_the_pair_and_nothing_else_of_the_source() -> None:
    lm = scripted_lm(honest())
    await SupportJudge(lm).judge("zorvimab", [GOOD])
    fields = asked(prompts_of(lm)[0])
    assert set(fields) == {"subject", "pairs", "problems"}
    assert fences(fields["pairs"]) == [("statement 1", GOOD.text), ("quote 1", GOOD.quote)]


async def test_many_statements_are_judged_several_in_a_call_and_answered_in_order() -> None:
    lm = scripted_lm(honest(unsupported=["very good"]))
    pairs = [BAD if n % 3 == 0 else GOOD for n in range(2 * PAIRS + 1)]
    judged = await SupportJudge(lm).judge("zorvimab", pairs)
    assert [one.supported for one in judged if one] == [n % 3 != 0 for n in range(2 * PAIRS + 1)]
    assert len(prompts_of(lm)) == 3


@pytest.mark.parametrize(
    "word", ["supported", "Supported.", " SUPPORTED ", '"supported"', "“supported”", "'supported'."]
)
async def test_supported_is_what_is_called_just_that(word: str) -> None:
    lm = scripted_lm([chat(verdicts=[{"number": 1, "verdict": word}])])
    assert await SupportJudge(lm).judge("zorvimab", [GOOD]) == [Judgement(True)]


@pytest.mark.parametrize(
    "word",
    ["unsupported", "Unsupported.", "not supported", "partially supported", "supported in part", "no", "yes", "maybe"],
)
async def test_in_any_other_words_it_is_not_and_costs_no_other_pair_its_verdict(word: str) -> None:
    lm = scripted_lm([chat(verdicts=[{"number": 1, "verdict": word}, {"number": 2, "verdict": "supported"}])])
    assert await SupportJudge(lm).judge("zorvimab", [BAD, GOOD]) == [Judgement(False), Judgement(True)]


@pytest.mark.parametrize(
    "bad",
    [{"number": 9, "verdict": "supported"}, {"number": "first", "verdict": "supported"}, {"number": 1}, "supported",
     None, 1, [1], {"number": 1, "verdict": None}, {"number": 1, "verdict": "."}, {"number": 10**30, "verdict": "no"}],
)  # fmt: skip
async def test_a_pair_without_a_verdict_that_can_be_read_is_asked_for_once_more_by_itself(bad: Any) -> None:
    sound = {"number": 2, "verdict": "unsupported", "reason": ["no text"]}
    lm = scripted_lm([chat(verdicts=[bad, sound]), chat(verdicts=[{"number": "1", "verdict": "supported"}])])
    assert await SupportJudge(lm).judge("zorvimab", [GOOD, BAD]) == [Judgement(True), Judgement(False)]
    again = asked(prompts_of(lm)[1])
    assert [shown for _, shown in fences(again["pairs"])] == [GOOD.text, GOOD.quote]
    assert "no verdict on these pairs" in again["problems"]


async def test_what_is_missing_again_is_not_judged() -> None:
    lm = scripted_lm([chat(verdicts=[{"number": 2, "verdict": "supported"}]), chat(verdicts=[])])
    assert await SupportJudge(lm).judge("zorvimab", [BAD, GOOD]) == [None, Judgement(True)]


async def test_of_two_verdicts_on_a_pair_the_stricter_one_counts() -> None:
    for words in (("supported", "unsupported"), ("unsupported", "supported")):
        lm = scripted_lm([chat(verdicts=[{"number": 1, "verdict": word} for word in words])])
        assert await SupportJudge(lm).judge("zorvimab", [BAD]) == [Judgement(False)]


async def test_without_any_reply_that_can_be_read_nothing_is_judged() -> None:
    lm = scripted_lm(["Both are fine."] * 3)
    assert await SupportJudge(lm).judge("zorvimab", [GOOD, BAD]) == [None, None]
    assert "could not be read" in asked(prompts_of(lm)[2])["problems"]


async def test_without_a_budget_nothing_is_judged_and_nothing_fails() -> None:
    assert await SupportJudge(metered([], calls=0)).judge("zorvimab", [GOOD, BAD]) == [None, None]


async def test_pairs_that_do_not_fit_into_the_context_are_judged_in_smaller_groups() -> None:
    reply = honest()

    def small(prompt: str) -> str | Exception:
        return lm15.ContextLengthError("too long") if "Pair 3" in prompt else reply(prompt)

    assert await SupportJudge(scripted_lm(small)).judge("zorvimab", [GOOD] * 7) == [Judgement(True)] * 7


async def test_nothing_to_judge_asks_nobody() -> None:
    assert await SupportJudge(scripted_lm([])).judge("zorvimab", []) == []


def test_without_an_event_loop_it_is_called_as_any_dspy_program() -> None:
    with dspy.context(lm=scripted_lm(honest()), adapter=adapter("chat")):
        assert SupportJudge()(subject="zorvimab", statements=[GOOD]).judgements == [Judgement(True)]
