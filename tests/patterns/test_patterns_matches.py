"""Which sentences match which patterns: the same as if each pattern was searched for in each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.patterns.matches import Matches, Pattern, PatternIndex
from storm.syllabus.loader import bundled_syllabus

DRUG = bundled_syllabus(Path(__file__).resolve().parents[2] / "config")
RULES = tuple(dict.fromkeys(rule.pattern for question in DRUG.questions for rule in question.rules))
HARD = (
    r"\bve\b", r"na.ve", "a*", r"\d*%", r"\bx\b", r"^the", r"end\.$", r"(?<!open[- ])label", r"(a)\1", "(?i)THE|end",
    r"b(?=-)-cell", "β-cell", r"\b≥", "in vitro|vitro in", "fo+|ba{2}r", "[^a]nd", r"\w+-\w+", "x²", "é",
)  # fmt: skip
PIECES = (
    "the", "end.", "label", "open-label", "in vitro", "naïve", "nai\u0308ve", "x²", "x\u0301", "≥", "≥ 5", "12%", "%",
    "b-cell", "β-cell", "aa", "foo", "baar", "trastuzumab", "lapatinib versus trastuzumab", "patients were", "approved",
    "p < 0.05", "us 12,345,678", "grade ≥ 3", "approved by the fda", "half-life", "sand", "and", "‿x", "ⓐ", "漢字" * 40,
    "é", "\n", "a" * 70,
)  # fmt: skip
SENTENCES = st.lists(st.sampled_from(PIECES) | st.text("abex -.²\u0301", max_size=6), max_size=8).map(" ".join)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["", "own.yaml:1:1"], ids=["bundled", "own"])
@given(sentences=st.lists(SENTENCES, max_size=5))
def test_the_sentences_that_match_are_those_in_which_a_search_finds_the_pattern(
    place: str, sentences: list[str]
) -> None:
    patterns = [Pattern(text, place) for text in (*HARD, *RULES)]
    text = "\n\n".join(sentences).lower()
    matches = Matches(PatternIndex(patterns), text, [sentence.lower() for sentence in sentences])
    for pattern in patterns:
        search = pattern.compile().search
        assert matches.sentences(pattern) == tuple(n for n, s in enumerate(sentences) if search(s.lower())), pattern
        assert matches.in_text(pattern) == bool(search(text)), pattern


def test_a_word_is_looked_up_once_whatever_the_number_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []
    look_up = PatternIndex._look_up_word

    def counted(self: PatternIndex, word: str) -> int:
        looked_up.append(word)
        return look_up(self, word)

    monkeypatch.setattr(PatternIndex, "_look_up_word", counted)
    index = PatternIndex([Pattern("approved")])
    for _ in range(3):
        matches = Matches(index, "it was approved. it was.", ["it was approved.", "it was."])
        assert matches.sentences(Pattern("approved")) == (0,)
    assert sorted(looked_up) == ["approved", "it", "was"]


def test_a_pattern_that_is_no_expression_is_refused() -> None:
    with pytest.raises(re.error):
        PatternIndex([Pattern("(a")])
