"""What a question asks for: its facets, what kind of answer, how much, and how the reader wants the report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.citations.vocabulary import GRAMMAR
from storm.extractive.biomedical_words import is_reporting
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
#: What a question is not about: "beyond gratitude or meditation, …".
_LEFT_OUT = re.compile(
    r"\b(?:beyond|besides|apart from|other than|aside from|except(?: for)?|unlike|excluding|without considering)\b"
    r"[^,.?!;:]{0,100}(?=[,.?!;:]|$)"
)
#: How a second question begins in the sentence of the first.
_SECOND = re.compile(
    r"\b(?:and|or) (?:what|how|which|who|when|where|why) (?:is|are|was|were|do|does|did|can|should|has|have|many|much|"
    r"often|long|high|common)\b",
    re.I,
)
_AGE = re.compile(r"\d{1,3}")
_OLD, _YOUNG = 60, 18
#: Characters read before a phrase.
_REACH = 60
#: A question of more words is not a simple one.
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
        return find_candidates(self.words, self._named_otherwise)

    def phrases(self, without: Sequence[int] = ()) -> Sequence[Phrase]:
        """The phrases that name what the question is about: of the sentences that ask, or medical ones of others."""
        found = find_phrases(self.words, self._named_otherwise, self._spans("population"), without)
        return [one for one in found if one.is_biomedical or any(one.text in sentence for sentence in self.sentences)]

    def text_before(self, phrase: Phrase) -> str:
        """The characters before a phrase that show how it is meant, in small letters."""
        start = phrase.words[0].start
        return self.text[max(0, start - _REACH) : start].casefold()

    def people(self) -> Sequence[str]:
        """The people whom the question names."""
        named: dict[str, None] = {}
        for start, end in sorted(self._spans("population")):
            if age := _AGE.search(self.text[start:end]):
                named |= dict.fromkeys(("elderly",) * (int(age[0]) >= _OLD) + ("children",) * (int(age[0]) <= _YOUNG))
            if not all(is_reporting(word.folded) for word in self.words if start <= word.start < end):
                named[self.text[start:end]] = None
        return list(named)

    def names_people(self, phrase: Phrase) -> bool:
        """Whether a phrase has words for the people whom the question names."""
        return any(start <= word.start < end for word in phrase.words for start, end in self._spans("population"))

    @property
    def searches(self) -> Sequence[str]:
        """The words of each sentence that asks, without those of grammar and of what it is not about."""
        return [" ".join(_find_search_words(sentence)) for sentence in self.sentences]

    @property
    def has_several_questions(self) -> bool:
        """Whether more than one question is asked."""
        return len(self.sentences) > 1 or bool(_SECOND.search(self.sentences[0]))

    @property
    def _named_otherwise(self) -> frozenset[tuple[int, int]]:
        """Where words stand that ask for a facet, or name what the question is not about."""
        left_out = (match.span() for match in _LEFT_OUT.finditer(fold_spaced(self.text)))
        return self._spans("population", inverted=True).union(left_out)

    def _spans(self, key: str, *, inverted: bool = False) -> frozenset[tuple[int, int]]:
        return frozenset(span for one in self.facets for span in one.spans if (one.facet.key == key) is not inverted)


def read_question(request: JobRequest) -> AskedQuestion:
    """The request as its words say it."""
    cleaned = clean_question(request.text)
    preferences, rest = read_preferences(cleaned, request.preferences)
    text = " ".join((rest if any(map(str.isalnum, rest)) else cleaned).split())
    if not find_phrases(read_words(text), ()):
        text = " ".join((text, *preferences.sections))
    sentences = split_questions(text)
    words, facets = read_words(text), find_facets(text)
    wanted = [one.facet for name in preferences.sections for one in find_facets(name)]
    keys = {one.facet.key for one in facets}
    wanted = list({facet.key: facet for facet in wanted if facet.key not in keys}.values())
    is_topic = request.kind is RequestKind.TOPIC
    breadth = len(keys - {"population"}) + len(wanted)
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


def _find_search_words(sentence: str) -> Iterator[str]:
    left_out = [match.span() for match in _LEFT_OUT.finditer(fold_spaced(sentence))]
    for word in read_words(sentence):
        is_plain = word.folded.replace("’", "'").split("'")[0] not in GRAMMAR
        if is_plain and not any(start <= word.start < end for start, end in left_out):
            yield word.text


def _read_intent(text: str, sentences: Sequence[str], facets: set[str], breadth: int, *, is_topic: bool) -> Intent:
    folded = fold_spaced(text)
    if "comparison" in facets:
        return Intent.COMPARISON
    if _OPINION.search(folded):
        return Intent.OPINION
    if not is_topic and breadth < 2 and _FACT.match(fold_spaced(sentences[0])):
        return Intent.FACT
    return Intent.SURVEY
