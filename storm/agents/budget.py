"""What the models of a job may cost: reserved before each call, settled after it."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple

from storm.errors import BudgetSpent

#: Roles that gather; a share of each limit is kept from them, so that what they found can be written up.
GATHERING = ("agent",)

#: Dollars are counted in whole billionths, rounded up: sums are exact, and a limit is one.
_UNITS = 1_000_000_000

_question: ContextVar[str | None] = ContextVar("question", default=None)


class Limits(NamedTuple):
    """What all calls together may come to; None: no limit."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    minutes: float | None = None


class Spent(NamedTuple):
    """What calls came to. `usd` is None where no call's price is known; `unpriced_calls` are those without one."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    unpriced_calls: int = 0


class Entry(NamedTuple):
    """What one role spent on one question, or beside all questions."""

    role: str
    question: str | None
    spent: Spent


@dataclass(frozen=True, eq=False)
class Reservation:
    """What one call may come to at most, held until the call is settled."""

    role: str
    question: str | None
    tokens: int
    usd: float | None


class Budget:
    """What may still be spent. With calls that cost no more than they reserved, no limit is ever passed.

    `keep_for_writing` is the share of each limit that gathering roles cannot touch. `earlier` is what the job had
    spent before it was resumed; its minutes start anew. Usable from several threads and tasks at once.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        monotonic: Callable[[], float],
        keep_for_writing: float = 0.25,
        earlier: Iterable[Entry] = (),
    ) -> None:
        self.limits = limits
        self._monotonic = monotonic
        self._started = monotonic()
        self._kept = keep_for_writing
        self._lock = threading.Lock()
        self._open: set[Reservation] = set()
        self._spent: dict[tuple[str, str | None], Spent] = {}
        self._most = _amounts(limits.calls, limits.tokens, limits.usd)
        self._all: Counter[str] = Counter()  # spent and reserved
        self._gathering: Counter[str] = Counter()  # of that, by gathering roles
        for role, question, spent in earlier:
            self._spent[role, question] = spent
            self._count(role, _amounts(spent.calls, spent.prompt_tokens + spent.completion_tokens, spent.usd))

    @contextmanager
    def question(self, key: str) -> Iterator[None]:
        """What is reserved inside, in this task and those that it starts, is spent on this question."""
        token = _question.set(key)
        try:
            yield
        finally:
            _question.reset(token)

    def reserve(self, role: str, tokens: int, usd: float | None) -> Reservation:
        """Hold this much for one call; BudgetSpent if a limit could be passed. An unknown price is None."""
        reservation = Reservation(role, _question.get(), tokens, usd)
        with self._lock:
            self._refuse(role, _amounts(1, tokens, usd))
            self._open.add(reservation)
            self._count(role, _amounts(1, tokens, usd))
        return reservation

    def settle(
        self, reservation: Reservation, *, prompt_tokens: int, completion_tokens: int, usd: float | None
    ) -> None:
        """Put what the call really came to in the place of what was held for it."""
        with self._lock:
            if reservation not in self._open:
                raise ValueError("the reservation is settled already")
            self._open.remove(reservation)
            for counter in self._counters(reservation.role):
                counter.subtract(_amounts(1, reservation.tokens, reservation.usd))
            self._count(reservation.role, _amounts(1, prompt_tokens + completion_tokens, usd))
            key = reservation.role, reservation.question
            call = Spent(1, prompt_tokens, completion_tokens, usd, int(usd is None))
            self._spent[key] = _added(self._spent.get(key, Spent()), call)

    def seconds_left(self, role: str) -> float | None:
        """For how long this role may still start calls; None: for ever."""
        if self.limits.minutes is None:
            return None
        return self._share(role) * self.limits.minutes * 60 - (self._monotonic() - self._started)

    def entries(self) -> tuple[Entry, ...]:
        """Everything that is settled, by role and question: what a resumed job starts from."""
        with self._lock:
            return tuple(Entry(role, question, spent) for (role, question), spent in self._spent.items())

    def ledger(self) -> Mapping[str, Spent]:
        """What each role spent."""
        return _summed((entry.role, entry.spent) for entry in self.entries())

    def by_question(self) -> Mapping[str, Spent]:
        """What was spent on each question, by all roles together."""
        return _summed((entry.question, entry.spent) for entry in self.entries() if entry.question is not None)

    def _counters(self, role: str) -> tuple[Counter[str], ...]:
        return (self._all, self._gathering) if role in GATHERING else (self._all,)

    def _count(self, role: str, amounts: Mapping[str, int]) -> None:
        for counter in self._counters(role):
            counter.update(amounts)

    def _share(self, role: str) -> float:
        return 1 - self._kept if role in GATHERING else 1.0

    def _refuse(self, role: str, call: Mapping[str, int]) -> None:
        """BudgetSpent if the call could pass a limit, or a gathering role its share of one."""
        share = self._share(role)
        left = self.seconds_left(role)
        if left is not None and left <= 0:
            raise _refusal(role, f"{self.limits.minutes:g} minutes", share)
        for name, most in self._most.items():
            new = call.get(name, 0)
            own = self._gathering[name] + new > math.floor(most * share) if role in GATHERING else False
            if own or self._all[name] + new > most:
                limit = f"{most / _UNITS:g}" if name == "dollars" else f"{most:,}"
                raise _refusal(role, f"{limit} {name}", share)


def _refusal(role: str, limit: str, share: float) -> BudgetSpent:
    kept = f" ({1 - share:.0%} of it is kept for writing)" if share < 1 else ""
    return BudgetSpent(f"the next call of the {role} could pass the limit of {limit}{kept}")


def _amounts(calls: int | None, tokens: int | None, usd: float | None) -> dict[str, int]:
    """Those of the three that are known, as whole numbers."""
    dollars = None if usd is None else math.ceil(round(usd * _UNITS, 3))
    known = {"calls": calls, "tokens": tokens, "dollars": dollars}
    return {name: amount for name, amount in known.items() if amount is not None}


def _added(one: Spent, other: Spent) -> Spent:
    known = [spent.usd for spent in (one, other) if spent.usd is not None]
    return Spent(
        one.calls + other.calls,
        one.prompt_tokens + other.prompt_tokens,
        one.completion_tokens + other.completion_tokens,
        sum(known) if known else None,
        one.unpriced_calls + other.unpriced_calls,
    )


def _summed(rows: Iterable[tuple[str, Spent]]) -> dict[str, Spent]:
    found: dict[str, Spent] = {}
    for key, spent in rows:
        found[key] = _added(found.get(key, Spent()), spent)
    return found
