"""Where words and brackets stand among the terms of a text."""

from __future__ import annotations

from collections.abc import Container, Sequence

from storm.citations.terms import Term


def word_at(terms: Sequence[Term], at: int) -> str:
    """The word at this place; empty before the beginning and after the end of the text."""
    return terms[at].word if 0 <= at < len(terms) else ""


def find_next(terms: Sequence[Term], words: Container[str], start: int) -> int:
    """Where the first of these words stands from `start` on; the end of the text if none does."""
    return next((n for n in range(start, len(terms)) if terms[n].word in words), len(terms))


def find_after_last(terms: Sequence[Term], words: Container[str], end: int) -> int:
    """The place after the last of these words before `end`; 0 if there is none."""
    return next((n + 1 for n in range(end - 1, -1, -1) if terms[n].word in words), 0)


def outside_brackets(terms: Sequence[Term]) -> list[Term]:
    """The terms that stand in no bracket."""
    depths = bracket_depths(terms)
    return [term for term, before, after in zip(terms, (0, *depths), depths, strict=False) if not before and not after]


def bracket_depths(terms: Sequence[Term]) -> list[int]:
    """How many brackets are open after each term; a closing bracket without an opening one is ignored."""
    depths: list[int] = []
    depth = 0
    for term in terms:
        depth = max(0, depth + (term.word == "(") - (term.word == ")"))
        depths.append(depth)
    return depths
