"""What a question asks for: its facets, what kind of answer, how much, and how the reader wants the report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from storm.extractive.facets import AskedFacet, Facet, find_facets, fold_spaced
from storm.extractive.preferences_reader import read_preferences
from storm.extractive.question_words import (
    MOST_READ,
    Candidate,
    Phrase,
    Word,
    clean_question,
    find_candidates,
    find_phrases,
    is_readable,
    read_words,
    split_questions,
)
from storm.models import Complexity, Intent, JobRequest, ReportPreferences, RequestKind

_OPINION = re.compile(
    r"\b(?:best|should (?:i|we|one|you|my)|worth|recommend\w*|opinions?|(?:do|what) you think|favou?rite|"
    r"(?:good|bad) idea|would you)\b"
)
_FACT = re.compile(
    r"\s*(?:who|whom|when|where|which year|is|are|was|were|does|do|did|can|could|will|has|have|"
    r"how (?:much|many|often|long|common|high|likely)|what (?:is|are|was|were)|what's|who's)\b"
)
#: A question of more words is no simple one.
_MOST_SIMPLE = 16


class AskedQuestion(NamedTuple):
    """A request as it was read: on one line, without the words for how the report is wanted.

    `sentences` are those that ask; `direct` are the facets that they name, `facets` those of the whole text and of the
    sections wanted.
    """

    text: str
    words: Sequence[Word]
    sentences: Sequence[str]
    facets: Sequence[AskedFacet]
    wanted: Sequence[Facet]
    direct: frozenset[str]
    preferences: ReportPreferences
    intent: Intent
    complexity: Complexity
    is_readable: bool
    is_cut: bool

    @property
    def candidates(self) -> Sequence[Candidate]:
        """The words that may be names of drugs, the likeliest first."""
        return find_candidates(self.words, self._spans("population", inverted=True))

    def phrases(self, without: Sequence[int] = ()) -> Sequence[Phrase]:
        """The phrases that name what the question is about."""
        asked, people = self._spans("population", inverted=True), self._spans("population")
        return find_phrases(self.words, asked, people, without)

    def people(self) -> Sequence[str]:
        """The people whom the question names."""
        spans = self._spans("population")
        named = (phrase for phrase in self.phrases() if any(s <= w.start < e for w in phrase.words for s, e in spans))
        return [phrase.text for phrase in named]

    def _spans(self, key: str, *, inverted: bool = False) -> frozenset[tuple[int, int]]:
        return frozenset(span for one in self.facets for span in one.spans if (one.facet.key == key) is not inverted)


def read_question(request: JobRequest) -> AskedQuestion:
    """The request as its words say it."""
    cleaned = clean_question(request.text)
    preferences, rest = read_preferences(cleaned, request.preferences)
    text = " ".join((rest if any(map(str.isalnum, rest)) else cleaned).split())
    sentences = split_questions(text)
    words, facets = read_words(text), find_facets(text)
    wanted = [one.facet for name in preferences.sections for one in find_facets(name)]
    keys = {one.facet.key for one in facets}
    wanted = list({facet.key: facet for facet in wanted if facet.key not in keys}.values())
    is_topic = request.kind is RequestKind.TOPIC
    breadth = len(facets) + len(wanted)
    intent = _read_intent(text, sentences, keys, breadth, is_topic=is_topic)
    is_simple = breadth < 2 and len(sentences) == 1 and len(words) <= _MOST_SIMPLE
    return AskedQuestion(
        text=text,
        words=words,
        sentences=sentences,
        facets=facets,
        wanted=wanted,
        direct=frozenset(one.facet.key for sentence in sentences for one in find_facets(sentence)),
        preferences=preferences,
        intent=intent,
        complexity=Complexity.SIMPLE
        if is_simple and intent in (Intent.FACT, Intent.OPINION) and not is_topic
        else Complexity.COMPLEX,
        is_readable=is_readable(words),
        is_cut=len(request.text) > MOST_READ,
    )


def _read_intent(text: str, sentences: Sequence[str], facets: set[str], breadth: int, *, is_topic: bool) -> Intent:
    folded = fold_spaced(text)
    if "comparison" in facets:
        return Intent.COMPARISON
    if _OPINION.search(folded):
        return Intent.OPINION
    if not is_topic and breadth < 2 and _FACT.match(fold_spaced(sentences[0])):
        return Intent.FACT
    return Intent.SURVEY
