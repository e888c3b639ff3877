import io

import pytest

from storm.databases.formats.records import GuardedStream, check_format, hit_or_error
from storm.errors import RecordError
from storm.models import Hit


def test_the_head_is_read_again() -> None:
    guarded = GuardedStream(io.BytesIO(b"x" * 100_000))
    assert len(guarded.head()) == 65_536
    assert guarded.read(10) + guarded.read() + guarded.read() == b"x" * 100_000
    assert guarded.read() == b""


def test_a_record_may_not_be_longer_than_the_limit() -> None:
    guarded = GuardedStream(io.BytesIO(b"x" * 5 * 2**20), max_record_bytes=2 * 2**20)
    for _ in range(2):
        guarded.read(2**20)
    guarded.record_done()
    guarded.read(2**20)
    guarded.read(2**20)
    with pytest.raises(RecordError, match="longer than 2 MB"):
        guarded.read(2**20)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\xef\xbb\xbf<!DOCTYPE html><html>", "this is an HTML page, not PubMed XML"),
        (b'{"esearchresult": {}}', "this is JSON"),
        (b"PMID- 1", "this is MEDLINE"),
        (b"%PDF-1.7", "this is a PDF"),
        (b"PK\x03\x04", "this is a zip archive"),
    ],
)
def test_a_file_of_another_kind_is_named(head: bytes, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        check_format(head, "XML", "PubMed XML")


def test_a_refused_call_is_named_and_its_body_is_not_repeated() -> None:
    body = b'{"error":"API rate limit exceeded","api-key":"0123456789abcdef","count":"4","limit":"3"}'
    with pytest.raises(RecordError, match="rate limit was exceeded") as caught:
        check_format(body, "XML", "PubMed XML")
    assert "0123456789abcdef" not in str(caught.value)


def test_the_expected_kind_and_unknown_bytes_pass() -> None:
    check_format(b"<PubmedArticleSet>", "XML", "PubMed XML")
    check_format(b"\xff\xfe<\x00", "XML", "PubMed XML")


def test_an_error_of_a_record_gets_its_position_unless_it_names_one() -> None:
    def refuse(record: str) -> Hit:
        raise RecordError("no title", position=record)

    unplaced, placed = hit_or_error(refuse, "", "record 2"), hit_or_error(refuse, "PMID 7", "record 2")
    assert (str(unplaced), str(placed)) == ("record 2: no title", "PMID 7: no title")
