"""What reads foreign text works in proportion to it: counted in lines of code and characters given to patterns."""

from __future__ import annotations

import dis
import re
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import pytest
from text_functions import FUNCTIONS, PIECES, TextFunction

from storm.agents.drafts import MAX_READ_QUOTE, MAX_READ_TEXT, Draft, check_draft, is_markable
from storm.agents.reply_limits import MAX_DEPTH, MAX_PARENTHESES, MAX_REPLY, reply_fault
from storm.citations import quotes
from storm.citations.markers import strip_marks
from storm.databases.http.sniffing import Expect, fault_of

#: Characters of the shorter text; how much more work twice as long a text may be.
LENGTH = 160
MOST_GROWTH = 2.6


class Work:
    """Counts the lines of the package that run, and the characters that its patterns are given. A call of code without
    a loop counts as all of its lines, since tracing each of them takes most of the time."""

    def __init__(self) -> None:
        self.done = 0
        self._known: dict[int, tuple[CodeType, int | None]] = {}

    def of(self, read: Callable[[str], Any], text: str) -> int:
        quotes._normalize_with_offsets.cache_clear()
        self.done = 0
        sys.settrace(self._call)
        try:
            read(text)
        finally:
            sys.settrace(None)
        return self.done

    def _call(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        known = self._known.get(id(code))  # by its place, since a code's own hash is of all that it holds
        if known is None:
            known = self._known[id(code)] = code, _count_lines(code)
        if known[1] is None:
            return self._line
        self.done += known[1]
        return None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        self.done += event == "line"
        return self._line


def _count_lines(code: CodeType) -> int | None:
    """The lines of a piece of code: none of what is not the package's; None if it has a loop."""
    if "/storm/" not in code.co_filename:
        return 0
    has_loop = any("BACKWARD" in one.opname for one in dis.get_instructions(code))
    return None if has_loop else len({line for _, _, line in code.co_lines()})


#: Calls that read a text to its end. One that reads it only where it begins stands in loops over its places.
SEARCHES = ("search", "fullmatch", "findall", "finditer", "split", "sub", "subn")


class CountedPattern:
    """A pattern that adds the length of each text that it searches."""

    def __init__(self, pattern: re.Pattern[Any], work: Work) -> None:
        self._pattern, self._work = pattern, work

    def __getattr__(self, name: str) -> Any:
        given = getattr(self._pattern, name)
        if name not in SEARCHES:
            setattr(self, name, given)
            return given

        def counted(*arguments: Any, **options: Any) -> Any:
            text, *span = arguments[1:2] if name in ("sub", "subn") else arguments
            start, end = (*span, 0, len(text))[:2] if len(span) != 1 else (span[0], len(text))
            self._work.done += max(0, min(end, len(text)) - start)
            return given(*arguments, **options)

        setattr(self, name, counted)  # asked for once
        return counted


def _count_call(name: str, work: Work) -> Callable[..., Any]:
    """`re.search(PATTERN, TEXT)` and its like, counted as a pattern of the package is."""
    given = getattr(re, name)

    def counted(pattern: Any, *arguments: Any, **options: Any) -> Any:
        work.done += len(arguments[name in ("sub", "subn")])
        return given(pattern, *arguments, **options)

    return counted


@pytest.fixture(scope="module")
def work() -> Iterator[Work]:
    """Counts what the package does; its patterns count while the tests of this module run."""
    counted = Work()
    with pytest.MonkeyPatch.context() as patch:
        for name in SEARCHES:
            patch.setattr(re, name, _count_call(name, counted))
        for module in [module for name, module in sys.modules.items() if name.startswith("storm.")]:
            for name, value in list(vars(module).items()):
                if isinstance(value, re.Pattern):
                    patch.setattr(module, name, CountedPattern(value, counted))
        yield counted


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_a_text_twice_as_long_is_twice_the_work(function: TextFunction, work: Work) -> None:
    least = min(work.of(function.read, text) for text in "Ca1")
    for piece in PIECES:
        # What a first call loads looks like growth, but not for a second text.
        if found := _find_growth(function, work, piece * (LENGTH // len(piece)), least):
            found = _find_growth(function, work, piece * (LENGTH // len(piece) + 1), least)
        assert not found, (piece, found)


def _find_growth(function: TextFunction, work: Work, text: str, least: int) -> tuple[int, int] | None:
    """The work on the text and on twice as much of it, if that is too much more; the first is `least` at least."""
    twice = work.of(function.read, text + text)
    if twice <= MOST_GROWTH * least + 100:
        return None
    once = work.of(function.read, text)
    return (once, twice) if twice > MOST_GROWTH * once + 100 else None


def test_the_count_grows_with_the_square_where_a_text_is_read_again_for_each_mark(work: Work) -> None:
    pattern: Any = CountedPattern(re.compile(r"\d$"), work)

    def reads_again(text: str) -> None:
        for place in range(len(text)):
            pattern.search(text[:place])

    assert work.of(reads_again, "1" * 480) > MOST_GROWTH * work.of(reads_again, "1" * 240) + 100


def test_a_run_of_letters_and_of_marks_stays_as_it_is() -> None:
    assert strip_marks("QUJD" * 75_000) == "QUJD" * 75_000
    assert strip_marks("word [1] " * 50_000) == "word " * 50_000


def test_an_answer_that_ends_in_many_comments_is_read() -> None:
    assert fault_of(b"<r>1</r>" + b"<!---->" * 500, Expect.XML) is None
    assert fault_of(b"<r>1</r>" + b"<!---->" * 500 + b"x", Expect.XML) == "XML that is cut off"


@pytest.mark.parametrize(
    ("draft", "fault"),
    [
        (Draft(text="C" * 5_000_000, quote="four words of it"), "it has 5,000,000 characters; write at most 600"),
        (Draft(text="It works.", quote="C" * 5_000_000), "its quote has 5,000,000 characters; copy at most 5,000"),
    ],
)
def test_a_statement_beyond_what_is_read_is_refused_and_not_shown(draft: Draft, fault: str) -> None:
    checked = check_draft(draft, {})
    assert checked.fault == fault
    assert len(checked.statement.text) <= 200 and not checked.statement.quote
    assert not is_markable(checked)


def test_a_statement_and_a_quote_at_their_limits_are_read() -> None:
    fault = check_draft(Draft(text="C" * MAX_READ_TEXT, quote="C" * MAX_READ_QUOTE), {}).fault
    assert fault == "it is more than one sentence"


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ([{"text": "x" * (MAX_REPLY + 1)}], "its reply has 400,001 characters, more than the 400,000 that are read"),
        (["{'a'" * 20_000], "its reply is nested too deep"),
        (["[" * (MAX_DEPTH + 1)], "its reply is nested too deep"),
        (["(" * (MAX_PARENTHESES + 1)], "its reply is nested too deep"),
        (["[" * MAX_DEPTH], ""),
        (["[1] and {x}" * 20_000, None], ""),
        (None, ""),
    ],
)
def test_a_reply_that_its_parser_would_not_get_through_is_not_read(reply: Any, fault: str) -> None:
    assert reply_fault(reply) == fault
