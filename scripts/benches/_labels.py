"""Articles whose sentences were read and labelled, and what a sentence of a dossier is worth by those labels."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+)*")
#: Names of arms that a statement explains: "group A [ketamine]".
_EXPLAINED = re.compile(r"\[[^\]]*\]")
#: Shorter ones are found in too many sentences.
_FEWEST_WORDS = 4
#: Of the words of a sentence so many must be in the other; beside those of its quote a text may have so few.
_SAME, _MORE = 0.85, 0.08


class Grade(StrEnum):
    """What a printed sentence is worth, the best first."""

    WOULD_PRINT = "would print"
    ACCEPTABLE = "acceptable"
    MOVED = "moved"
    POOR = "poor"
    TRAP = "trap"
    UNSEEN = "unseen"


_FROM_BEST = tuple(Grade)


class Article:
    """An article with the labels of one reader: which sentences answer which question (2: would print; 1: acceptable if
    nothing better), which would mislead (traps), and what the article is."""

    def __init__(self, labels: Mapping[str, Any]) -> None:
        self.pmcid: str = labels["pmcid"]
        self.relation: str = labels["relation"]
        self.design: str = labels["design"]
        self.participants: int | None = labels["n"]
        self._texts = [_words(text) for _, text in labels["sentences"]]
        self._good = {(number, question): grade for number, question, grade in labels["good"]}
        self._traps = {number for number, _ in labels["traps"]}

    @cached_property
    def reports_harm(self) -> bool:
        """Whether a sentence of it would be printed under safety."""
        return any((question, grade) == ("clinical.safety", 2) for (_, question), grade in self._good.items())

    def grade(self, question: str, text: str, quote: str) -> Grade:
        """A statement's, by the sentences that its quote holds or stands in: of several the worst, of the same sentence
        labelled twice the better."""
        found = list(self._sentences_of(_words(quote)))
        if not found:
            return Grade.UNSEEN
        if not _is_verbatim(text, quote):
            return Grade.POOR
        grades: dict[tuple[str, ...], Grade] = {}
        for number in found:
            said = tuple(self._texts[number])
            grades[said] = _better(grades.get(said, Grade.TRAP), self._grade(number, question))
        return max(grades.values(), key=_FROM_BEST.index)

    def _grade(self, number: int, question: str) -> Grade:
        if grade := self._good.get((number, question)):
            return Grade.WOULD_PRINT if grade == 2 else Grade.ACCEPTABLE
        if any(number == other for other, _ in self._good):
            return Grade.MOVED
        return Grade.TRAP if number in self._traps else Grade.POOR

    def _sentences_of(self, quote: Sequence[str]) -> Iterator[int]:
        """The numbers of the sentences that a quote holds; if it holds none, of the one in which it stands."""
        if len(quote) < _FEWEST_WORDS:
            return
        shares = [_shares(quote, words) for words in self._texts]
        held = [number for number, (of_sentence, _) in enumerate(shares) if of_sentence >= _SAME]
        longest = max((len(self._texts[number]) for number in held), default=0)
        yield from (n for n in held if len(self._texts[n]) >= min(8, longest / 2))
        if not held:
            around = [number for number, (_, of_quote) in enumerate(shares) if of_quote >= _SAME]
            yield from sorted(around, key=lambda number: shares[number][0])[-1:]


def read_articles(folder: Path) -> dict[str, Article]:
    """The labelled articles of one drug, by their PMC number."""
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return {article.pmcid: article for article in (Article(json.loads(line)) for line in lines)}


def same_words(text: str) -> str:
    """What two printings of one sentence have in common."""
    return " ".join(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("·", "."))


def _shares(quote: Sequence[str], sentence: Sequence[str]) -> tuple[float, float]:
    """How much of the sentence the quote has, and how much of the quote the sentence."""
    if len(sentence) < _FEWEST_WORDS:
        return 0.0, 0.0
    common = (Counter(quote) & Counter(sentence)).total()
    return common / len(sentence), common / len(quote)


def _is_verbatim(text: str, quote: str) -> bool:
    said = Counter(_words(quote))
    return (Counter(_words(_EXPLAINED.sub(" ", text))) - said).total() <= _MORE * max(1, said.total())


def _better(one: Grade, other: Grade) -> Grade:
    return min(one, other, key=_FROM_BEST.index)
