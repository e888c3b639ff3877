from __future__ import annotations

import io
import json
import logging

import pytest
from dramatiq.middleware.shutdown import Shutdown
from hypothesis import given
from hypothesis import strategies as st

from storm.errors import StoreUnavailable
from storm.worker.log import Fact, JsonLines, is_news


def write(level: int, message: object, *values: object) -> str:
    """What a logger with these lines writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.Logger("storm.worker")
    logger.addHandler(handler)
    logger.log(level, message, *values)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact("job_started", job="metformin-1", attempt=1), "job_started job=metformin-1 attempt=1"),
        (Fact("store_away", why="it's gone"), 'store_away why="it\'s gone"'),
        (Fact("store_away", why=""), 'store_away why=""'),
        (Fact("job_failed", why="two\nlines\x9b2J"), 'job_failed why="two\\nlines\\u009b2J"'),
    ],
)
def test_a_fact_is_one_line_of_text_with_quotation_marks_where_they_are_needed(fact: Fact, text: str) -> None:
    assert str(fact) == text


@given(st.text())
def test_any_value_is_one_line_as_text_and_comes_back_from_json(value: str) -> None:
    fact = Fact("job_failed", job="metformin-1", why=value)
    assert len(str(fact).splitlines()) == 1
    (line,) = write(logging.WARNING, fact).splitlines()
    found = json.loads(line)
    assert (found["fact"], found["level"], found["why"]) == ("job_failed", "warning", value)


@pytest.mark.parametrize(
    ("logger", "error", "expected"),
    [
        ("dramatiq.worker.WorkerThread", Shutdown(), False),
        ("dramatiq.worker.WorkerThread", StoreUnavailable("it is away"), False),
        ("dramatiq.worker.WorkerThread", KeyError("a fault"), True),
        ("storm.worker", StoreUnavailable("it is away"), True),
        ("dramatiq.worker.WorkerThread", None, True),
    ],
)
def test_what_a_fact_has_said_is_not_said_again_by_the_queue(
    logger: str, error: BaseException | None, expected: bool
) -> None:
    exc_info = (type(error), error, None) if error else None
    record = logging.LogRecord(logger, logging.ERROR, "", 1, "Failed to process message", None, exc_info)
    assert is_news(record) == expected


def test_lines_of_other_libraries_are_json_too() -> None:
    found = json.loads(write(logging.ERROR, "%d messages lost", 3))
    assert (found["message"], found["logger"]) == ("3 messages lost", "storm.worker")
    assert found["at"].endswith("+00:00")
