"""The budget of a job's models: each call reserves its maximum cost, and settles its real cost afterwards."""

from __future__ import annotations

import asyncio
import math
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakValueDictionary

from storm.errors import BudgetSpent
from storm.models import PaidReply, Spending, Spent, sum_amounts

#: Roles that gather; they leave a share of each limit to the others.
GATHERING = ("agent",)
#: Roles that judge; they alone may use all that gathering leaves.
JUDGING = ("judge",)
#: The share `keep_for_judging` of a Budget in jobs with a judge: each draft needs a call of the judge.
KEEP_FOR_JUDGING = 0.5
#: Calls that gathering leaves in jobs with a judge: an answer needs one of the writer and one of the judge.
_CALLS_OF_AN_ANSWER = 2

#: Dollars are counted in whole billionths, rounded up, so that sums and limits are exact.
_UNITS = 1_000_000_000

_question: ContextVar[str | None] = ContextVar("question", default=None)


class Limits(NamedTuple):
    """Limits for all calls together; None: no limit."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    minutes: float | None = None


class CallReport(NamedTuple):
    """A call of a model that was sent: its role, how it ended, and what it took; nothing of what was asked or said."""

    role: str
    model: str
    outcome: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    seconds: float


@dataclass(frozen=True, eq=False)
class Reservation:
    """The maximum cost of one call, held until the call is settled."""

    role: str
    question: str | None
    tokens: int
    usd: float | None

    @property
    def amounts(self) -> Mapping[str, int]:
        """Its amounts by kind of limit."""
        return _known_amounts(1, self.tokens, self.usd)


class BudgetReserved(BudgetSpent):
    """Reservations of running calls block this call: it may fit once one of them is settled (`until_settled`)."""

    def __init__(self, message: str, until_settled: Future[None]) -> None:
        super().__init__(message)
        self.until_settled = until_settled


class Budget:
    """What may still be spent. As long as no call costs more than it reserved, no limit is exceeded.

    Gathering leaves the share `keep_for_writing` of each limit, and in a job with a judge two calls if the limit has
    them. Of the calls, tokens and dollars that gathering has not used, the share `keep_for_judging` is for judging
    alone, except that the first call of writing may use it, too; of the minutes, it is that share of
    `keep_for_writing`. `spent_before` is what the job spent, in `seconds_before`, before it was resumed; `log` stores
    what is spent, `report` gets each call. Safe for several threads and tasks.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        monotonic: Callable[[], float],
        keep_for_writing: float = 0.25,
        keep_for_judging: float = 0.0,
        spent_before: Iterable[Spending] = (),
        seconds_before: float = 0.0,
        log: Callable[[Spending, float, PaidReply | None], Awaitable[None]] | None = None,
        report: Callable[[CallReport], Awaitable[None]] | None = None,
    ) -> None:
        self.limits = limits
        self.refusal = ""  # the first limit that prevented a call
        #: Paid replies by the digest of the request, shared by equal requests; None: replies are not shared.
        self.cached_replies: dict[str, PaidReply] | None = None
        self._request_locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()
        self._monotonic = monotonic
        self._started = monotonic() - seconds_before
        self._log = log
        self._report = report
        self._keep_for_writing = keep_for_writing
        self._keep_for_judging = keep_for_judging
        self._lock = threading.Lock()
        self._open: set[Reservation] = set()
        self._waiting: list[Future[None]] = []
        self._cut: set[str | None] = set()
        self._spent: dict[tuple[str, str | None], Spent] = {}
        self._most = _known_amounts(limits.calls, limits.tokens, limits.usd)
        self._used: defaultdict[str, Counter[str]] = defaultdict(Counter)  # spent and reserved, by role
        for row in spent_before:
            self._spent[row.role, row.question] = row.amounts
            self._used[row.role].update(_known_amounts(row.calls, row.amounts.tokens, row.usd))

    @contextmanager
    def charge_question(self, key: str) -> Iterator[None]:
        """Charge reservations within the context, in this task and those it starts, to this question."""
        token = _question.set(key)
        try:
            yield
        finally:
            _question.reset(token)

    def reserve_call(self, role: str, tokens: int, usd: float | None) -> Reservation:
        """Reserve this much for one call; BudgetSpent if it could exceed a limit. An unknown price is None.

        BudgetReserved if it could exceed a limit only because of other reservations.
        """
        reservation = Reservation(role, _question.get(), tokens, usd)
        with self._lock:
            if refusal := self._find_refusal(role, reservation.amounts, self._used):
                if self._find_refusal(role, reservation.amounts, self._settled_amounts()):
                    self.mark_cut_short(refusal)
                    raise BudgetSpent(refusal)
                self._waiting.append(Future())
                raise BudgetReserved(refusal, self._waiting[-1])
            self._open.add(reservation)
            self._used[role].update(reservation.amounts)
        return reservation

    def settle_call(
        self,
        reservation: Reservation,
        *,
        prompt_tokens: int,
        completion_tokens: int,
        usd: float | None,
        billed: bool = True,
    ) -> None:
        """Replace the reservation by the real cost of the call; by nothing unless it may be `billed`."""
        with self._lock:
            if reservation not in self._open:
                raise ValueError("the reservation is already settled")
            self._open.remove(reservation)
            self._used[reservation.role].subtract(reservation.amounts)
            if billed:
                self._used[reservation.role].update(_known_amounts(1, prompt_tokens + completion_tokens, usd))
                key = reservation.role, reservation.question
                call = Spent(1, prompt_tokens, completion_tokens, usd, int(usd is None))
                self._spent[key] = sum_amounts((self._spent.get(key, Spent()), call))
            waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.set_running_or_notify_cancel():
                one.set_result(None)

    async def log_spending(self, role: str, reply: PaidReply | None = None) -> None:
        """Log what this role has spent on the current question, and the reply, before its next call."""
        key = role, _question.get()
        with self._lock:
            spent = self._spent.get(key)
        if reply and self.cached_replies is not None:
            self.cached_replies[reply.digest] = reply
        if self._log and spent:
            await self._log(_spending_row(*key, spent), self._monotonic() - self._started, reply)

    def read_clock(self) -> float:
        """Seconds of the clock that the limit of minutes goes by."""
        return self._monotonic()

    async def report_call(self, call: CallReport) -> None:
        """Report a call that has ended."""
        if self._report:
            await self._report(call)

    @asynccontextmanager
    async def lock_request(self, digest: str) -> AsyncIterator[PaidReply | None]:
        """Within the context nobody else makes the same request; yields its paid reply, if replies are shared."""
        if self.cached_replies is None:
            yield None
            return
        lock = self._request_locks.setdefault((id(asyncio.get_running_loop()), digest), asyncio.Lock())
        async with lock:
            yield self.cached_replies.get(digest)

    def mark_cut_short(self, refusal: str) -> None:
        """Remember that a call on the current question was refused or aborted, and why."""
        self.refusal = self.refusal or refusal
        self._cut.add(_question.get())

    def was_cut_short(self, question: str) -> bool:
        """Whether a call on this question was refused or aborted for lack of budget."""
        return question in self._cut

    def seconds_left(self, role: str) -> float | None:
        """For how long this role may still start calls; None: no limit."""
        if self.limits.minutes is None:
            return None
        return self._share_of_minutes(role) * self.limits.minutes * 60 - (self._monotonic() - self._started)

    def list_spending(self) -> tuple[Spending, ...]:
        """All settled spending by role and question, from which a resumed job starts."""
        with self._lock:
            return tuple(_spending_row(role, question, spent) for (role, question), spent in self._spent.items())

    def _share_of_minutes(self, role: str) -> float:
        """The share of the minutes after which this role starts no call."""
        if role in GATHERING:
            return 1 - self._keep_for_writing
        return 1.0 if role in JUDGING else 1 - self._keep_for_writing * self._keep_for_judging

    def _settled_amounts(self) -> Mapping[str, Counter[str]]:
        """Settled amounts by role."""
        spent = {role: Counter(used) for role, used in self._used.items()}
        for one in self._open:
            spent[one.role].subtract(one.amounts)
        return spent

    def _find_refusal(self, role: str, call: Mapping[str, int], used: Mapping[str, Counter[str]]) -> str:
        """Which limit, or role's share of one, the call could exceed; empty if none."""
        left = self.seconds_left(role)
        if left is not None and left <= 0:
            return self._explain_refusal(role, f"{self.limits.minutes:g} minutes")
        for name, most in self._most.items():
            new = call.get(name, 0)
            in_all = sum(amounts[name] for amounts in used.values())
            if in_all + new > most or self._exceeds_share(role, name, new, used):
                limit = f"{most / _UNITS:g}" if name == "dollars" else f"{most:,}"
                return self._explain_refusal(role, f"{limit} {name.removesuffix('s') if most == 1 else name}")
        return ""

    def _exceeds_share(self, role: str, name: str, new: int, used: Mapping[str, Counter[str]]) -> bool:
        """Whether this amount would exceed what the role may use of the limit; see Budget."""
        if role in JUDGING:
            return False
        most = self._most[name]
        gathered = sum(amounts[name] for other, amounts in used.items() if other in GATHERING)
        if role in GATHERING:
            return gathered + new > self._gathering_limit(name)
        written = sum(amounts[name] for other, amounts in used.items() if other not in (*GATHERING, *JUDGING))
        share = math.floor((most - gathered) * (1 - self._keep_for_judging))
        return written > 0 and written + new > share

    def _gathering_limit(self, name: str) -> int:
        """How much of this limit gathering may use."""
        most = self._most[name]
        share = math.floor(most * (1 - self._keep_for_writing))
        if name == "calls" and self._keep_for_judging and most >= _CALLS_OF_AN_ANSWER:
            return min(share, most - _CALLS_OF_AN_ANSWER)
        return share

    def _explain_refusal(self, role: str, limit: str) -> str:
        kept = ""
        if role in GATHERING and self._keep_for_writing:
            kept = f" ({self._keep_for_writing:.0%} of it is kept for writing)"
        elif role not in (*GATHERING, *JUDGING) and self._keep_for_judging:
            kept = f" ({self._keep_for_judging:.0%} of what gathering leaves is kept for judging)"
        return f"the next call of the {role} could exceed the limit of {limit}{kept}"


def _known_amounts(calls: int | None, tokens: int | None, usd: float | None) -> dict[str, int]:
    """The known amounts, as whole numbers."""
    dollars = None if usd is None else math.ceil(round(usd * _UNITS, 3))
    known = {"calls": calls, "tokens": tokens, "dollars": dollars}
    return {name: amount for name, amount in known.items() if amount is not None}


def _spending_row(role: str, question: str | None, spent: Spent) -> Spending:
    return Spending(role=role, question=question, **spent._asdict())
