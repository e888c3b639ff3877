"""Cues: patterns that mark a sentence as reporting what is asked for (a p-value, a Kd, an expiry date)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from storm.patterns.matches import Pattern, PatternIndex

#: At most this many different cues count.
MAX_CUES = 6
#: Characters of a sentence that are searched for cues: a cue may read each of them many times.
CUE_REACH = 2_000
#: A ratio in letters with its value, as cues are matched: in lower case, where "or" is a word and "hr" an hour.
SHORT_RATIO = r"\ba?(?:hr|rr)s?\b(?:\s?[=:,;(\[]\s?|\s(?:(?:was|of)\s)?)(?:95\s?%\sci\]?\s)?\d{1,2}[.·]\d"
SHORT_ODDS_RATIO = r"(?<![\d%] )(?<!mg )\ba?ors?\b(?:\s?[=:,;(\[]\s?|\s(?:(?:was|of)\s)?)\d{1,2}[.·]\d"
#: Sentences and words cached for each question.
_SENTENCES, _WORDS = 256, 4_096
_NOWHERE: Mapping[str, str] = {}


def count_cues(sentence: str, cues: Sequence[str], places: Mapping[str, str] = _NOWHERE) -> int:
    """How many different cues a sentence holds, at most MAX_CUES."""
    return cue_counter(cues, places)(sentence)


def cue_counter(cues: Sequence[str], places: Mapping[str, str] = _NOWHERE) -> Callable[[str], int]:
    """`count_cues` for many sentences."""
    count = _make_counter(tuple(Pattern(cue, places.get(cue, "")) for cue in cues))
    return lambda sentence: min(MAX_CUES, count(sentence[:CUE_REACH]))


@lru_cache(maxsize=64)
def _make_counter(cues: tuple[Pattern, ...]) -> Callable[[str], int]:
    index = PatternIndex(dict.fromkeys(cues), _WORDS)

    @lru_cache(maxsize=_SENTENCES)
    def count_found(sentence: str) -> int:
        """Cached: a job ranks a sentence when its source is filed and again when the question is answered."""
        return index.count_found(sentence.lower())

    return count_found
