"""Remembers what was read of the last records without keeping their texts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from storm.models import Hit

D = TypeVar("D", bound=Hashable)
T = TypeVar("T")
#: Records whose readings are kept.
_MOST = 256


class RememberedReading(Generic[D, T]):
    """A function of a record and one detail, which is called once for equal ones; safe in several threads. Records are
    known by their key and hash, so that no full text stays in memory for it."""

    def __init__(self, read: Callable[[Hit, D], T]) -> None:
        self._read = read
        self._known: OrderedDict[tuple[str, int, D], T] = OrderedDict()
        self._lock = Lock()

    def __call__(self, hit: Hit, detail: D) -> T:
        key = (hit.key, hash(hit), detail)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        made = self._read(hit, detail)
        with self._lock:
            self._known[key] = made
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return made
