"""Counts the steps of a regular expression: a small backtracking matcher over the tree that `re` compiles.

`re` tells nobody how much it works, and seconds say little on a busy machine. This matcher tries the same branches in
the same order as `re` does (without its shortcuts, which change no order of growth) and counts each character that it
compares. Long bounded repeats are cut to a few, so that short texts show how the work grows with a long one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby, islice
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

#: A bounded repeat is tried at most so often.
_MOST_REPEATS = 4
#: Characters of the shorter of two texts, the fewest repeats of a piece in it, and how much growth is tried further.
_LENGTH, _FEWEST = 16, 4
_SUSPECT = 2.15
MOST_GROWTH = 2.5
_MOST_STEPS = 400_000

Continuation = Callable[[int], bool]
_CHARACTERS = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_BORDERS = (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY)
_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


class Growth(NamedTuple):
    """The text on which a pattern's work grew fastest, and by how much when that text was doubled."""

    ratio: float
    piece: str


class TooManySteps(Exception):
    """The matcher gave up: more steps than any linear pattern takes."""


class _Known(dict[str, Any]):
    """What a function says of each character, asked once."""

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask

    def __missing__(self, char: str) -> Any:
        self[char] = self._ask(char)
        return self[char]


#: A pattern that looks back at what one of its groups took, or may.
_REFERENCE = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")
#: Whether a character is one of a word.
_WORDS = _Known(lambda char: char.isalnum() or char == "_")


class StepCounter:
    """One pattern; `count` gives the steps that finding all of its matches in a text takes."""

    def __init__(
        self, pattern: str | bytes, flags: int = 0, *, anchored: bool = False, most_repeats: int = _MOST_REPEATS
    ) -> None:
        text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
        self.tree = parser.parse(text, flags)
        self._flags = int(self.tree.state.flags)
        self._anchored = anchored
        self._most_repeats = most_repeats
        self._refers = bool(_REFERENCE.search(text))
        self._groups: dict[int, tuple[int, int]] = {}
        self._end = -1
        self.search_for(list(self.tree))

    def search_for(self, items: list[Any]) -> None:
        """Count with these items of the tree alone from now on."""
        self._tests: dict[Any, Callable[[str], bool]] = {}
        self._entry = self._sequence(items, self._accept)

    def tell_apart(self, attacks: Iterable[_Attack]) -> list[_Attack]:
        """The attacks without those that differ only in characters between which nothing in the pattern tells: they
        take the same steps."""
        if self._refers:
            return list(attacks)
        first: dict[Any, str] = {}

        def find_alike(char: str) -> str:
            outcome = (_WORDS[char], char == "\n", *(fits(char) for fits in self._tests.values()))
            return first.setdefault(outcome, char)

        kept = _Known(find_alike)
        seen = {tuple("".join(map(kept.__getitem__, part)) for part in attack): attack for attack in attacks}
        return list(seen.values())

    def count(self, text: str) -> int:
        """The steps of all matches in the text; TooManySteps beyond a limit."""
        self.matches(text)
        return self._steps

    def matches(self, text: str) -> list[tuple[int, int]]:
        """Where the matches stand; if anchored, only one where the text begins."""
        self._text, self._steps = text, 0
        found: list[tuple[int, int]] = []
        at, least, last, entry = 0, 0, 0 if self._anchored else len(text), self._entry
        while at <= last:
            self._step()
            if self._groups:
                self._groups.clear()
            self._least = least
            if entry(at):
                found.append((at, self._end))
                at, least = self._end, self._end + (at == self._end)
            else:
                at += 1
                least = at
        return found

    def _step(self, characters: int = 1) -> None:
        self._steps += characters
        if self._steps > _MOST_STEPS:
            raise TooManySteps

    def _accept(self, at: int) -> bool:
        """A match where an empty one was found is no empty one."""
        self._end = at
        return at >= self._least

    def _sequence(self, items: list[Any], after: Continuation) -> Continuation:
        for are_characters, run in groupby(reversed(items), key=lambda item: item[0] in _CHARACTERS):
            if are_characters:
                after = self._characters(list(run)[::-1], after)
            else:
                for item in run:
                    after = self._node(item, after)
        return after

    def _node(self, item: tuple[Any, Any], after: Continuation) -> Continuation:
        kind, value = item
        if kind in _REPEATS:
            return self._repeat(kind, value, after)
        return {
            sre.AT: self._place, sre.BRANCH: self._branch, sre.SUBPATTERN: self._group, sre.ATOMIC_GROUP: self._atomic,
            sre.GROUPREF: self._reference, sre.ASSERT: self._look, sre.ASSERT_NOT: self._look_not,
            sre.FAILURE: lambda value, after: lambda at: False,
        }[kind](value, after)  # fmt: skip

    def _test(self, item: tuple[Any, Any]) -> Callable[[str], bool]:
        kind, value = item
        key = kind, tuple(value) if isinstance(value, list) else value
        if key not in self._tests:
            self._tests[key] = _make_test(*key, self._flags & (sre.SRE_FLAG_IGNORECASE | sre.SRE_FLAG_DOTALL))
        return self._tests[key]

    def _characters(self, items: list[Any], after: Continuation) -> Continuation:
        first, *others = [self._test(item) for item in items]

        def match(at: int) -> bool:
            text = self._text
            self._steps += 1
            if not first(text[at : at + 1]):
                return False
            for fits in others:
                at += 1
                self._steps += 1
                if not fits(text[at : at + 1]):
                    return False
            return after(at + 1)

        return match

    def _place(self, value: Any, after: Continuation) -> Continuation:
        stands = self._stands_at_border if value in _BORDERS else self._stands

        def match(at: int) -> bool:
            self._steps += 1
            return stands(value, at) and after(at)

        return match

    def _stands_at_border(self, value: Any, at: int) -> bool:
        text = self._text
        is_border = _WORDS[text[at - 1 : at] if at else ""] is not _WORDS[text[at : at + 1]]
        return is_border is (value is sre.AT_BOUNDARY)

    def _stands(self, value: Any, at: int) -> bool:
        text = self._text
        if value in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            lines = value is sre.AT_BEGINNING and self._flags & sre.SRE_FLAG_MULTILINE
            return at == 0 or bool(lines and text[at - 1] == "\n")
        last = value is sre.AT_END and text[at:] == "\n"
        return at == len(text) or last or bool(self._flags & sre.SRE_FLAG_MULTILINE and text[at] == "\n")

    def _branch(self, value: Any, after: Continuation) -> Continuation:
        """The branches in order; those that begin with another letter cost nothing, as in `re`."""
        ways = [(self._first(list(branch)), self._sequence(list(branch), after)) for branch in value[1]]

        def choose(char: str) -> list[Continuation]:
            return [way for fits, way in ways if not fits or (char and fits(char))]

        chosen = _Known(choose)

        def match(at: int) -> bool:
            self._steps += 1
            for way in chosen[self._text[at : at + 1]]:  # noqa: SIM110 - a generator doubles the time
                if way(at):
                    return True
            return False

        return match

    def _first(self, items: list[Any]) -> Callable[[str], bool] | None:
        return self._test(items[0]) if items and items[0][0] in _CHARACTERS else None

    def _group(self, value: Any, after: Continuation) -> Continuation:
        number, _, _, items = value
        if not self._refers:  # then it does not matter what a group took
            return self._sequence(list(items), after)
        begins: list[int] = []

        def close(at: int) -> bool:
            start = begins.pop()
            before = self._groups.get(number)
            self._groups[number] = (start, at)
            if after(at):
                return True
            self._groups.pop(number) if before is None else self._groups.update({number: before})
            begins.append(start)
            return False

        inner = self._sequence(list(items), close if number else after)
        if not number:
            return inner

        def match(at: int) -> bool:
            begins.append(at)
            if inner(at):
                return True
            begins.pop()
            return False

        return match

    def _atomic(self, value: Any, after: Continuation) -> Continuation:
        ends: list[int] = []
        inner = self._sequence(list(value), lambda at: ends.append(at) is None)
        return lambda at: inner(at) and after(ends.pop())

    def _reference(self, number: int, after: Continuation) -> Continuation:
        def match(at: int) -> bool:
            self._step()
            start, end = self._groups.get(number, (0, -1))
            return end >= 0 and self._text.startswith(self._text[start:end], at) and after(at + end - start)

        return match

    def _looked(self, value: Any) -> Continuation:
        direction, items = value
        width = items.getwidth()[0] if direction < 0 else 0
        inner = self._sequence(list(items), lambda at: True)
        return lambda at: at >= width and inner(at - width)

    def _look(self, value: Any, after: Continuation) -> Continuation:
        inner = self._looked(value)
        return lambda at: inner(at) and after(at)

    def _look_not(self, value: Any, after: Continuation) -> Continuation:
        inner = self._looked(value)
        return lambda at: not inner(at) and after(at)

    def _repeat(self, kind: Any, value: Any, after: Continuation) -> Continuation:
        low, high, items = value
        high = high if high is sre.MAXREPEAT else min(high, max(low, self._most_repeats))
        if kind is sre.POSSESSIVE_REPEAT:
            return self._atomic([(sre.MAX_REPEAT, value)], after)
        if len(items) == 1 and items[0][0] in _CHARACTERS:
            return self._run(kind, low, high, items[0], after)
        return self._loop(kind, low, high, items, after)

    def _run(self, kind: Any, low: int, high: Any, item: Any, after: Continuation) -> Continuation:
        """A repeat of one character, as long as it goes, then shorter and shorter; the other way round if lazy."""

        fits = self._test(item)

        def longest(at: int, most: Any) -> int:
            text, place = self._text, at
            end = len(text) if most is sre.MAXREPEAT else min(len(text), at + most)
            while place < end and fits(text[place]):
                place += 1
            self._step(place - at + (place < end))
            return place - at

        def greedy(at: int) -> bool:
            for run in range(longest(at, high), low - 1, -1):
                self._steps += 1
                if after(at + run):
                    return True
            return False

        def lazy(at: int) -> bool:
            run = longest(at, low)
            while run >= low and (high is sre.MAXREPEAT or run <= high):
                if after(at + run):
                    return True
                if not longest(at + run, 1):
                    return False
                run += 1
            return False

        return greedy if kind is sre.MAX_REPEAT else lazy

    def _loop(self, kind: Any, low: int, high: Any, items: Any, after: Continuation) -> Continuation:
        rounds: list[tuple[int, int]] = []

        def again(at: int) -> bool:
            count, start = rounds.pop()
            found = (at > start or count < low) and attempt(at, count + 1)
            rounds.append((count, start))
            return found

        inner = self._sequence(list(items), again)

        def once_more(at: int, count: int) -> bool:
            if high is not sre.MAXREPEAT and count >= high:
                return False
            rounds.append((count, at))
            found = inner(at)
            rounds.pop()
            return found

        def attempt(at: int, count: int) -> bool:
            self._step()
            if count < low:
                return once_more(at, count)
            if kind is sre.MAX_REPEAT:
                return once_more(at, count) or after(at)
            return after(at) or once_more(at, count)

        return lambda at: attempt(at, 0)


@cache
def _make_test(kind: Any, value: Any, flags: int) -> Callable[[str], bool]:
    """Whether a character fits a part of a pattern; asked of each character once, whatever the number of patterns."""

    def fits(char: str) -> bool:
        forms = {char, char.lower(), char.upper()} if flags & sre.SRE_FLAG_IGNORECASE else {char}
        return any(len(form) == 1 and _is_one((kind, value), form, flags) for form in forms)

    return _Known(fits).__getitem__


@cache
def _is_of_category(category: Any, char: str) -> bool:
    return bool(re.match(_CATEGORIES[category], char))


def _is_one(item: tuple[Any, Any], char: str, flags: int) -> bool:
    kind, value = item
    if kind is sre.LITERAL:
        return ord(char) == value
    if kind is sre.NOT_LITERAL:
        return ord(char) != value
    if kind is sre.ANY:
        return char != "\n" or bool(flags & sre.SRE_FLAG_DOTALL)
    if kind is sre.RANGE:
        return value[0] <= ord(char) <= value[1]
    if kind is sre.CATEGORY:
        return _is_of_category(value, char)
    negated = value[0][0] is sre.NEGATE
    return any(_is_one(part, char, flags) for part in value[negated:]) != negated


@cache
def worst_growth(pattern: str | bytes, flags: int = 0, anchored: bool = False, most: float = MOST_GROWTH) -> Growth:
    """How the work grows when a text doubles, on the worst of many texts made from the pattern itself, or on the first
    on which it grows by more than `most`."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        return _find_worst(StepCounter(pattern, flags & ~re.DEBUG, anchored=anchored), most)
    finally:
        sys.setrecursionlimit(limit)  # other tests need replies that are nested too deeply


def _find_worst(counter: StepCounter, most: float) -> Growth:
    worst = Growth(0.0, "")
    for alternative in _alternatives(list(counter.tree)):
        counter.search_for(alternative)
        for attack in counter.tell_apart(_attacks(alternative)):
            if (ratio := _growth(counter, attack)) > worst.ratio:
                worst = Growth(ratio, str(attack))
            if worst.ratio > most:
                return worst
    return worst


def _alternatives(items: list[Any]) -> list[list[Any]]:
    """The branches of a pattern that is nothing else: it is linear if each of them is, and each alone is quicker."""
    branches = items[0][1][1] if len(items) == 1 and items[0][0] is sre.BRANCH else [items]
    return [list(branch) for branch in branches]


def _growth(counter: StepCounter, attack: _Attack) -> float:
    """The growth at the first doubling that looks linear, else at the last one."""
    times = max(_FEWEST, _LENGTH // len(attack.pump))
    ratio = 0.0
    try:
        before = counter.count(attack.lead + attack.pump * times + attack.end)
        for doubling in (2, 4, 8):
            after = counter.count(attack.lead + attack.pump * (times * doubling) + attack.end)
            ratio, before = after / before, after
            if ratio < _SUSPECT:
                break
    except TooManySteps:
        return float("inf")
    return ratio


class _Attack(NamedTuple):
    """A text that a repeat goes through again and again: what comes before, the repeated piece, a last character."""

    lead: str
    pump: str
    end: str


def _attacks(items: list[Any]) -> list[_Attack]:
    """Only a repeat without a bound can make work grow faster than the text; each is fed with what it takes. A misfit
    at the end is tried behind runs of the repeat itself: behind whole matches, it changes the last of them alone."""
    attacks: dict[_Attack, None] = {}
    for lead, body, rest in _unbounded(items, "", ""):
        for piece in _bodies(body):
            runs = [("", piece), ("", lead[-1:] + piece), ("", piece + rest[:1]), (lead, piece)]
            wholes = [("", lead + piece), ("", lead + piece + rest), (lead, piece + rest)]
            attacks |= dict.fromkeys(_Attack(*run, end) for run in runs for end in ("", _misfit(body)))
            attacks |= dict.fromkeys(_Attack(*whole, "") for whole in wholes)
        attacks |= dict.fromkeys(_Attack("", lead, "") for _ in lead[:1])
    return list(attacks)


def _unbounded(items: list[Any], before: str, behind: str) -> Iterator[tuple[str, list[Any], str]]:
    """Each repeat without a bound: a text for what stands before it, what it repeats, a text for what follows."""
    samples = [_sample(item, 0) for item in items]
    for n, item in enumerate(items):
        lead = before + "".join(samples[:n])
        rest = "".join(samples[n + 1 :]) + behind
        if item[0] in _REPEATS and item[1][1] is sre.MAXREPEAT:
            yield lead, list(item[1][2]), rest
        for inner in _inside(item):
            yield from _unbounded(inner, lead, rest)


def _bodies(body: list[Any]) -> list[str]:
    """Some texts that the repeat takes: of a set of characters one of each kind."""
    if len(body) == 1 and body[0][0] in _CHARACTERS:
        return list(dict.fromkeys(char for char in _KINDS if _is_one(body[0], char, sre.SRE_FLAG_DOTALL))) or [
            _sample(body[0], 0)
        ]
    return list(dict.fromkeys(text for way in range(3) if (text := "".join(_sample(part, way) for part in body))))


def _misfit(body: list[Any]) -> str:
    first = body[0] if body and body[0][0] in _CHARACTERS else (sre.LITERAL, ord("\n"))
    return next((char for char in "! a1(\n\0" if not _is_one(first, char, 0)), "")


def _inside(item: tuple[Any, Any]) -> list[list[Any]]:
    kind, value = item
    if kind is sre.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind is sre.SUBPATTERN:
        return [list(value[3])]
    if kind in (sre.ASSERT, sre.ASSERT_NOT):
        return [list(value[1])]
    if kind is sre.ATOMIC_GROUP:
        return [list(value)]
    return [list(value[2])] if kind in _REPEATS else []


def _sample(item: tuple[Any, Any], way: int) -> str:
    """A text that the part fits; with another way, another one."""
    kind, value = item
    if kind in (sre.ASSERT, sre.ASSERT_NOT):
        return ""
    if kind in _CHARACTERS:
        return _char(item, way)
    if kind in _REPEATS:
        return "".join(_sample(part, way) for part in value[2]) * max(min(value[0], 8), 1 if way < 2 else 0)
    branches = _inside(item)
    return "".join(_sample(part, way) for part in branches[way % len(branches)]) if branches else ""


#: A character of each kind that patterns tell apart.
_KINDS = "aA1 \n.-,;:([<_/\"'=0é⁰·"


def _char(item: tuple[Any, Any], way: int) -> str:
    if item[0] is sre.LITERAL:
        return chr(item[1])
    fitting = [char for char in _KINDS if _is_one(item, char, sre.SRE_FLAG_DOTALL)]
    fitting = fitting or list(islice((chr(n) for n in range(0xD7FF) if _is_one(item, chr(n), sre.SRE_FLAG_DOTALL)), 1))
    return fitting[way % len(fitting)] if fitting else ""
