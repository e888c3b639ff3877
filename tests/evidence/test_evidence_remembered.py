"""A reading of a record is made once, and keeps no record alive."""

from __future__ import annotations

import gc
import weakref

from storm.evidence import remembered
from storm.evidence.remembered import RememberedReading
from storm.models import Hit, Section


def record(number: int, text: str = "Survival was longer.") -> Hit:
    return Hit.of("pubmed", str(number), f"https://example.org/{number}", "Zorvimab", sections=(Section(text=text),))


def test_an_equal_record_with_the_same_detail_is_read_once() -> None:
    read: list[tuple[str, int]] = []

    def count(hit: Hit, detail: int) -> int:
        read.append((hit.key, detail))
        return len(read)

    reading = RememberedReading(count)
    assert [reading(record(1), 0), reading(record(1), 0), reading(record(1), 1), reading(record(2), 0)] == [1, 1, 2, 3]
    assert reading(record(1, "Survival was shorter."), 0) == 4


def test_what_was_read_last_is_remembered_and_no_record_is_kept() -> None:
    reading = RememberedReading(lambda hit, _: object())
    first = record(0)
    kept, alive = reading(first, None), weakref.ref(first)
    del first
    gc.collect()
    assert alive() is None
    assert reading(record(0), None) is kept
    for number in range(1, remembered._MOST + 1):
        reading(record(number), None)
    assert reading(record(0), None) is not kept
