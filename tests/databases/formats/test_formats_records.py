import io

import pytest

from storm.databases.formats.records import GuardedStream, hit_or_error
from storm.errors import RecordError
from storm.models import Hit


def test_the_head_is_read_again() -> None:
    guarded = GuardedStream(io.BytesIO(b"x" * 100_000))
    assert len(guarded.peek_head()) == 65_536
    assert guarded.read(10) + guarded.read() + guarded.read() == b"x" * 100_000
    assert guarded.read() == b""


def test_what_was_read_before_comes_first() -> None:
    guarded = GuardedStream(io.BytesIO(b"the rest"), head=b"read before, ")
    assert guarded.read(4) + guarded.read() + guarded.read() == b"read before, the rest"


def test_a_record_may_not_be_longer_than_the_limit() -> None:
    guarded = GuardedStream(io.BytesIO(b"x" * 5 * 2**20), max_record_bytes=2 * 2**20)
    for _ in range(2):
        guarded.read(2**20)
    guarded.record_done()
    guarded.read(2**20)
    guarded.read(2**20)
    with pytest.raises(RecordError, match="longer than 2,097,152 bytes"):
        guarded.read(2**20)


def test_an_error_of_a_record_gets_its_position_unless_it_names_one() -> None:
    def refuse(record: str) -> Hit:
        raise RecordError("no title", position=record)

    unplaced, placed = hit_or_error(refuse, "", "record 2"), hit_or_error(refuse, "PMID 7", "record 2")
    assert (str(unplaced), str(placed)) == ("record 2: no title", "PMID 7: no title")
