"""What was read of records for a plan, kept for the next job: one on the same drug finds many of the same records."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import NamedTuple, TypeVar

from storm.models import Hit, Plan

T = TypeVar("T")

#: How many plans are remembered, and how many readings of each kind for one plan.
_MOST_PLANS, _MOST_READ = 4, 256
#: The longest text whose reading is kept, in characters: an abstract, no full text.
_LONGEST = 20_000


class Readings:
    """The last readings of short records, which are known by their key and hash; safe in several threads."""

    def __init__(self, most: int = _MOST_READ) -> None:
        self._most = most
        self._known: OrderedDict[tuple[str, int, object], object] = OrderedDict()
        self._lock = Lock()

    def find(self, hit: Hit, details: object, read: Callable[[], T]) -> T:
        """What `read` returned for an equal record and equal details, or else what it returns now."""
        if sum(len(section.text) for section in hit.sections) > _LONGEST:
            return read()
        key = (hit.key, hash(hit), details)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]  # type: ignore[return-value] # each kind of reading has its own cache
        made = read()
        with self._lock:
            self._known[key] = made
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return made


class PlanReadings(NamedTuple):
    """The readings for one plan: the findings of its records, and the questions to which they were assigned."""

    plan: Plan
    findings: Readings
    assignments: Readings


_recent: deque[PlanReadings] = deque(maxlen=_MOST_PLANS)


def readings_for(plan: Plan) -> PlanReadings:
    """The readings for plans equal to this one, kept for the plans that were asked for last."""
    for known in tuple(_recent):
        if known.plan == plan:
            with suppress(ValueError):  # another thread dropped it
                _recent.remove(known)
            _recent.append(known)
            return known
    made = PlanReadings(plan, Readings(), Readings())
    _recent.append(made)
    return made
