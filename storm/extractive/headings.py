"""Words the headings of a report without a model: what they compare, and that each stands once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm import planning_wording
from storm.models import Plan, Question
from storm.models.names import split_words
from storm.ranking import split_terms

#: Words between the two things that a question compares, and the words that such a thing cannot have.
_VERSUS = ("versus", "vs", "vs.")
_COMPARE = ("compare", "compares", "compared", "comparison", "comparable", "relative", "superior", "inferior")
_BORDERS = frozenset(
    split_words(
        "how does do did is are was were what which whether why when where of on in by for at as that than the "
        "regarding terms between with found find trials studies well better worse much about directly given"
    )
)
#: Words of one thing that is compared, and characters read of a question.
_MOST_WORDS, _READ = 5, 500
#: What stands in a label before what it is narrowed to: "Clinical efficacy: biosimilars".
_ABOUT = ": "
#: Marks around a word.
_MARKS = ".,;:?!()"
#: Characters of a comparison that a heading may have.
_LONGEST = 80


class Sides(NamedTuple):
    """What is compared, and with what."""

    first: str
    second: str


def find_sides(plan: Plan) -> Sides | None:
    """What the questions of a plan compare; if none says so, the subject with what their labels are narrowed to, or the
    plan's first terms; None if there is only one."""
    for text in (plan.syllabus.name, *_list_texts(plan.syllabus.questions)):
        if sides := read_sides(text):
            return sides
    named = {question.label.partition(_ABOUT)[2] for question in plan.syllabus.questions} - {""}
    if len(named) == 1 and "," not in (other := named.pop()):
        return Sides(plan.names[0], other)
    if plan.identity is None and len(plan.names) > 1:
        return Sides(*plan.names[:2])
    return None


def word_comparison(label: str, sides: Sides | None) -> str:
    """The heading of a part of a comparison: what is compared with what, and by what."""
    if sides is None:
        return planning_wording.COMPARED.format(label=label)
    label = label.removesuffix(f"{_ABOUT}{sides.second}")
    if set(split_terms(" ".join(sides))) <= set(split_terms(label)):
        return label
    heading = planning_wording.COMPARED_WITH.format(label=label, first=sides.first, second=sides.second)
    return heading if len(heading) <= _LONGEST + len(label) else planning_wording.COMPARED.format(label=label)


def distinct_headings(headings: Iterable[str]) -> Iterator[str]:
    """The headings on one line each; one that came before gets a number."""
    taken: set[str] = set()
    for heading in headings:
        line = " ".join(heading.split())
        tries = (line, *(f"{line} ({number})" for number in range(2, len(taken) + 3)))
        chosen = next(one for one in tries if one.casefold() not in taken)
        taken.add(chosen.casefold())
        yield chosen


def _list_texts(questions: Sequence[Question]) -> Iterator[str]:
    yield from (question.description for question in questions)
    yield from (question.label for question in questions)


def read_sides(text: str) -> Sides | None:
    """The two things that a question compares; None if it compares none in words that are known."""
    words = text[:_READ].split()
    bare = [word.strip(_MARKS).casefold() for word in words]
    for index in range(len(words)):
        if found := _find_borders(bare, index):
            begin, end, after = found
            first = _read_back(words[:end]) if begin is None else " ".join(words[begin:end])
            sides = Sides(first.strip(_MARKS), _read_on(words[after:]))
            if sides.first and sides.second and len(sides.first.split()) <= _MOST_WORDS:
                return sides
    return None


def _find_borders(bare: Sequence[str], index: int) -> tuple[int | None, int, int] | None:
    """Where the first thing begins, if that is known, and ends, and where the second begins, for a comparison that is
    stated by the word at this place."""
    word, following = bare[index], bare[index + 1] if index + 1 < len(bare) else ""
    if word in _VERSUS:
        return None, index, index + 1
    if word in _COMPARE and following in ("with", "to"):
        return None, index, index + 2
    if word == "than" and index:
        has_two = index > 1 and bare[index - 2] in ("more", "less")
        return None, index - (2 if has_two else 1), index + 1
    joint = {"between": "and", "compare": "and", "which": "or"}.get(word, "")
    if joint in bare[index + 2 :]:
        middle = bare.index(joint, index + 2)
        return None if joint == "or" else index + 1, middle, middle + 1
    return None


def _read_back(words: Sequence[str]) -> str:
    """The last words before a comparison, from the last border on."""
    kept: list[str] = []
    for word in reversed(words):
        if word.casefold() in _BORDERS or word.endswith((",", ".", ";", ":", "?", "!")):
            break
        kept.insert(0, word)
    while kept and kept[-1].casefold() in ("as", "when", "and", "or"):
        kept.pop()
    return " ".join(kept[-_MOST_WORDS:])


def _read_on(words: Sequence[str]) -> str:
    """The first words after a comparison, up to the next border."""
    kept: list[str] = []
    for word in words:
        if kept and (word.casefold() in _BORDERS or word.casefold() in ("and", "or")):
            break
        kept.append(word.strip(_MARKS))
        if word != kept[-1]:
            break
    return " ".join(kept[:_MOST_WORDS])
