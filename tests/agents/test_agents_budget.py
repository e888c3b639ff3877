"""Money, tokens, calls and minutes: whatever happens in whatever order, no limit is passed."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from agents.scripted import ledger
from hypothesis import given
from hypothesis import strategies as st

from storm.agents.budget import KEEP_FOR_JUDGING, Budget, BudgetReserved, Limits, Reservation, Spent
from storm.errors import BudgetSpent
from storm.models import PaidReply, Spending

ROLES = ("agent", "writer", "judge")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def budget_of(**limits: float | int | None) -> Budget:
    return Budget(Limits(**limits), monotonic=Clock())  # type: ignore[arg-type]


def spend(budget: Budget, role: str, prompt: int, completion: int = 0, usd: float | None = 0.0) -> None:
    reservation = budget.reserve_call(role, prompt + completion, usd)
    budget.settle_call(reservation, prompt_tokens=prompt, completion_tokens=completion, usd=usd)


# What one step does: a role reserves so many tokens and dollars, or the oldest or newest reservation is settled with
# so much of what it holds.
RESERVE = st.tuples(st.sampled_from(ROLES), st.integers(0, 400), st.floats(0, 0.05, allow_nan=False))
SETTLE = st.tuples(st.booleans(), st.floats(0, 1, allow_nan=False))


@given(st.lists(st.one_of(RESERVE, SETTLE), max_size=60), st.floats(0.0, 1.0, allow_nan=False))
def test_what_is_spent_and_reserved_never_passes_a_limit_in_any_order(steps: list[tuple], kept: float) -> None:
    limits = Limits(usd=0.1, tokens=1000, calls=12)
    budget = Budget(limits, monotonic=Clock(), keep_for_writing=kept)
    held: list[tuple[Reservation, int, float]] = []
    for step in steps:
        if len(step) == 3:
            with suppress(BudgetSpent):
                held.append((budget.reserve_call(*step), step[1], step[2]))
        elif held:
            reservation, tokens, usd = held.pop(0 if step[0] else -1)
            used = int(tokens * step[1])
            budget.settle_call(reservation, prompt_tokens=used, completion_tokens=tokens - used, usd=usd * step[1])
        by_role = ledger(budget)
        spent = list(by_role.values())
        assert sum(row.calls for row in spent) + len(held) <= 12
        assert sum(row.prompt_tokens + row.completion_tokens for row in spent) + sum(row[1] for row in held) <= 1000
        assert sum(row.usd or 0.0 for row in spent) + sum(row[2] for row in held) <= 0.1 + 1e-12
        agent = by_role.get("agent", Spent())
        own = [row for row in held if row[0].role == "agent"]
        assert agent.calls + len(own) <= 12 * (1 - kept) + 1e-9
        assert agent.prompt_tokens + agent.completion_tokens + sum(row[1] for row in own) <= 1000 * (1 - kept) + 1e-9


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(0, 300)), max_size=30))
def test_a_call_that_came_to_more_than_it_reserved_is_counted_in_full_and_nothing_follows(
    calls: list[tuple[int, int]],
) -> None:
    budget, spent, passed = budget_of(tokens=1000), 0, False
    for reserved, excess in calls:
        try:
            reservation = budget.reserve_call("writer", reserved, None)
        except BudgetSpent:
            assert spent + reserved > 1000
            continue
        assert not passed
        budget.settle_call(reservation, prompt_tokens=reserved, completion_tokens=excess, usd=None)
        spent += reserved + excess
        passed = spent > 1000
    assert sum(row.prompt_tokens + row.completion_tokens for row in ledger(budget).values()) == spent


def test_threads_that_reserve_at_once_share_one_limit() -> None:
    inside: list[int] = []
    met: list[int] = []

    def clock() -> float:
        """Stays inside the budget for a while, so that another thread would come in if it could."""
        inside.append(1)
        for _ in range(20):
            time.sleep(0)
            met.append(len(inside))
        inside.pop()
        return 0.0

    budget = Budget(Limits(calls=50, minutes=1), monotonic=clock)

    def reserve(_: int) -> bool:
        try:
            return isinstance(budget.reserve_call("writer", 1, None), Reservation)
        except BudgetSpent:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(reserve, range(200))) == 50
    assert max(met) == 1


def test_the_agent_leaves_a_quarter_for_writing_and_the_writer_may_use_it() -> None:
    budget = budget_of(tokens=1000)
    spend(budget, "agent", 700, 50)
    with pytest.raises(BudgetSpent, match=r"agent could exceed the limit of 1,000 tokens \(25% of it is kept for writ"):
        budget.reserve_call("agent", 1, None)
    spend(budget, "writer", 200)
    spend(budget, "judge", 50)
    with pytest.raises(BudgetSpent, match=r"writer could exceed the limit of 1,000 tokens$"):
        budget.reserve_call("writer", 1, None)


def test_a_share_that_is_no_whole_number_is_rounded_down_for_the_agent() -> None:
    for limits in ({"calls": 2}, {"tokens": 2}):
        budget = budget_of(**limits)
        spend(budget, "agent", 1)
        with pytest.raises(BudgetSpent, match="limit of 2 "):
            budget.reserve_call("agent", 1, None)


def judged(**limits: float | int | None) -> Budget:
    """As a job with a judge has it."""
    return Budget(Limits(**limits), monotonic=Clock(), keep_for_judging=KEEP_FOR_JUDGING)  # type: ignore[arg-type]


@pytest.mark.parametrize("limits", [{"calls": 40}, {"tokens": 40}, {"usd": 40.0}])
def test_of_what_gathering_leaves_the_writer_leaves_the_judge_its_share_of_each_limit(limits: dict[str, Any]) -> None:
    budget = judged(**limits)
    made = {}
    for role in ("agent", "writer", "judge"):
        made[role] = 0
        with pytest.raises(BudgetSpent) as refused:
            while True:
                spend(budget, role, 1, usd=1.0)
                made[role] += 1
        assert ("50% of what gathering leaves is kept for judging" in str(refused.value)) is (role == "writer")
    assert made == {"agent": 30, "writer": 5, "judge": 5}


@pytest.mark.parametrize(
    ("calls", "gathered", "written"),
    [(1, 0, 1), (2, 0, 1), (3, 1, 1), (4, 2, 1), (5, 3, 1), (8, 6, 1), (12, 9, 1), (16, 12, 2)],
)
def test_however_small_a_limit_is_a_first_call_of_writing_is_made_and_of_two_one_is_left_to_judge_it(
    calls: int, gathered: int, written: int
) -> None:
    budget = judged(calls=calls)
    for role, most in (("agent", gathered), ("writer", written)):
        for _ in range(most):
            spend(budget, role, 1)
        with pytest.raises(BudgetSpent):
            budget.reserve_call(role, 1, None)
    for _ in range(calls - gathered - written):
        spend(budget, "judge", 1)
    assert calls == 1 or calls - gathered - written >= 1


def test_the_writer_stops_before_its_minutes_are_over_and_the_judge_goes_on() -> None:
    clock = Clock()
    budget = Budget(Limits(minutes=10), monotonic=clock, keep_for_judging=0.5)
    clock.now = 525
    with pytest.raises(BudgetSpent, match=r"writer could exceed the limit of 10 minutes \(50% of what"):
        budget.reserve_call("writer", 1, None)
    assert budget.seconds_left("judge") == 75
    spend(budget, "judge", 1)


def test_a_writer_s_call_that_others_of_writing_are_in_the_way_of_waits_for_them() -> None:
    budget = judged(tokens=100)
    first = budget.reserve_call("writer", 80, None)
    with pytest.raises(BudgetReserved):
        budget.reserve_call("writer", 15, None)
    budget.settle_call(first, prompt_tokens=20, completion_tokens=0, usd=None)
    assert budget.reserve_call("writer", 15, None).tokens == 15


def test_what_is_settled_below_its_reservation_can_be_spent_again() -> None:
    budget = budget_of(usd=1.0)
    reservation = budget.reserve_call("writer", 0, 0.9)
    with pytest.raises(BudgetSpent, match="limit of 1 dollars"):
        budget.reserve_call("writer", 0, 0.2)
    budget.settle_call(reservation, prompt_tokens=5, completion_tokens=5, usd=0.1)
    budget.reserve_call("writer", 0, 0.9)


def test_tenths_of_a_dollar_add_up_exactly() -> None:
    budget = budget_of(usd=0.3)
    for _ in range(3):
        spend(budget, "writer", 1, usd=0.1)
    with pytest.raises(BudgetSpent):
        budget.reserve_call("writer", 1, 1e-9)


def test_after_its_minutes_no_call_starts_and_the_agent_stops_earlier() -> None:
    clock = Clock()
    budget = Budget(Limits(minutes=10), monotonic=clock)
    assert budget.seconds_left("agent") == 450
    clock.now = 449
    spend(budget, "agent", 1)
    clock.now = 450
    with pytest.raises(BudgetSpent, match="limit of 10 minutes"):
        budget.reserve_call("agent", 1, None)
    clock.now = 599
    spend(budget, "writer", 1)
    clock.now = 600
    with pytest.raises(BudgetSpent, match=r"limit of 10 minutes$"):
        budget.reserve_call("writer", 1, None)


def test_without_limits_everything_is_counted_and_nothing_refused() -> None:
    budget = budget_of()
    assert budget.seconds_left("agent") is None
    spend(budget, "agent", 10**9, 10**9, 10**6)
    spend(budget, "agent", 1, 2, None)
    assert ledger(budget) == {"agent": Spent(2, 10**9 + 1, 10**9 + 2, 10**6, 1)}


def test_an_unknown_price_leaves_tokens_and_calls_as_the_cap_and_is_reported() -> None:
    budget = budget_of(usd=0.01, calls=2)
    spend(budget, "writer", 10**6, usd=None)
    spend(budget, "writer", 10**6, usd=None)
    assert ledger(budget)["writer"] == Spent(2, 2 * 10**6, 0, None, 2)
    with pytest.raises(BudgetSpent, match="limit of 2 calls"):
        budget.reserve_call("writer", 1, None)


async def test_costs_are_reported_per_question_also_where_questions_are_answered_at_once() -> None:
    budget = budget_of()

    async def answer(key: str, tokens: int) -> None:
        with budget.charge_question(key):
            reservation = budget.reserve_call("writer", tokens, 0.1)
            await asyncio.sleep(0)
            budget.settle_call(reservation, prompt_tokens=tokens, completion_tokens=1, usd=0.1)
            spend(budget, "judge", tokens, usd=None)

    spend(budget, "agent", 7, usd=0.2)
    await asyncio.gather(answer("efficacy", 10), answer("safety", 20))
    assert {(row.role, row.question): row.amounts for row in budget.list_spending()} == {
        ("agent", None): Spent(1, 7, 0, 0.2, 0),
        ("writer", "efficacy"): Spent(1, 10, 1, 0.1, 0),
        ("judge", "efficacy"): Spent(1, 10, 0, None, 1),
        ("writer", "safety"): Spent(1, 20, 1, 0.1, 0),
        ("judge", "safety"): Spent(1, 20, 0, None, 1),
    }
    assert ledger(budget) == {
        "agent": Spent(1, 7, 0, 0.2, 0),
        "writer": Spent(2, 30, 2, 0.2, 0),
        "judge": Spent(2, 30, 0, None, 2),
    }


def test_a_resumed_job_goes_on_from_what_it_had_spent() -> None:
    first = budget_of(tokens=100)
    spend(first, "writer", 60, 10, 0.5)
    again = Budget(Limits(tokens=100), monotonic=Clock(), spent_before=first.list_spending())
    assert again.list_spending() == (Spending(role="writer", calls=1, prompt_tokens=60, completion_tokens=10, usd=0.5),)
    with pytest.raises(BudgetSpent):
        again.reserve_call("writer", 31, None)
    spend(again, "writer", 30, 0, 0.5)
    assert ledger(again) == {"writer": Spent(2, 90, 10, 1.0, 0)}


def test_a_resumed_job_has_the_minutes_that_are_left() -> None:
    clock = Clock()
    again = Budget(Limits(minutes=10), monotonic=clock, seconds_before=500)
    assert again.seconds_left("writer") == 100
    clock.now = 100
    with pytest.raises(BudgetSpent, match="limit of 10 minutes"):
        again.reserve_call("writer", 1, None)


async def test_what_a_role_has_spent_on_the_question_at_hand_is_kept_as_a_total() -> None:
    kept: list[tuple[Spending, float]] = []

    async def log(spending: Spending, seconds: float, reply: PaidReply | None) -> None:
        kept.append((spending, seconds))

    clock = Clock()
    earlier = [Spending(role="writer", question="safety", calls=2, prompt_tokens=5, completion_tokens=1)]
    budget = Budget(Limits(), monotonic=clock, spent_before=earlier, seconds_before=60, log=log)
    await budget.log_spending("writer")
    spend(budget, "agent", 9)
    clock.now = 3
    with budget.charge_question("safety"):
        spend(budget, "writer", 10, 4, 0.5)
        await budget.log_spending("writer")
    total = Spending(role="writer", question="safety", calls=3, prompt_tokens=15, completion_tokens=5, usd=0.5)
    assert kept == [(total, 63.0)]
    await budget_of().log_spending("writer")


def test_questions_that_the_budget_cut_short_are_known() -> None:
    budget = budget_of(calls=1)
    for key in ("efficacy", "safety"):
        with budget.charge_question(key), suppress(BudgetSpent):
            spend(budget, "writer", 1)
    assert [budget.was_cut_short(key) for key in ("efficacy", "safety")] == [False, True]


def test_a_call_that_only_others_are_in_the_way_of_is_reported_when_one_is_settled() -> None:
    budget = budget_of(tokens=100)
    first = budget.reserve_call("writer", 80, None)
    with pytest.raises(BudgetReserved) as held:
        budget.reserve_call("judge", 40, None)
    assert not held.value.until_settled.done()
    assert not budget.refusal
    budget.settle_call(first, prompt_tokens=10, completion_tokens=0, usd=None)
    assert held.value.until_settled.done()
    assert budget.reserve_call("judge", 40, None).tokens == 40


def test_a_call_that_could_pass_a_limit_by_itself_is_not_asked_to_wait() -> None:
    budget = budget_of(tokens=100)
    budget.reserve_call("writer", 80, None)
    with pytest.raises(BudgetSpent) as refused:
        budget.reserve_call("judge", 101, None)
    assert not isinstance(refused.value, BudgetReserved)
    assert budget.refusal == "the next call of the judge could exceed the limit of 100 tokens"


def test_what_gathers_waits_for_what_gathers_only_where_its_own_share_is_held() -> None:
    budget = budget_of(calls=8)  # of which it may make six
    held = [budget.reserve_call("agent", 1, None) for _ in range(6)]
    with pytest.raises(BudgetReserved):
        budget.reserve_call("agent", 1, None)
    for each in held:
        budget.settle_call(each, prompt_tokens=1, completion_tokens=0, usd=None)
    with pytest.raises(BudgetSpent) as refused:
        budget.reserve_call("agent", 1, None)
    assert not isinstance(refused.value, BudgetReserved)


def test_a_reservation_is_settled_once() -> None:
    budget = budget_of()
    reservation = budget.reserve_call("agent", 1, None)
    budget.settle_call(reservation, prompt_tokens=1, completion_tokens=0, usd=None)
    with pytest.raises(ValueError, match="already settled"):
        budget.settle_call(reservation, prompt_tokens=1, completion_tokens=0, usd=None)


def test_a_spent_budget_ends_a_run_as_partial() -> None:
    assert BudgetSpent("").exit_code == 3
