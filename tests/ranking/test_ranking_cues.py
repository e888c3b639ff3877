from hypothesis import given
from hypothesis import strategies as st

from storm.patterns.matches import Pattern
from storm.ranking import count_cues

CUES = (r"\bP\s?<", r"\d%", r"versus", "significant", "hazard ratio", r"\d", "[a-z]")
PIECES = st.sampled_from(["P<0.05", "p < 0.1", "5%", "versus", "Hazard ratio", "hazard  ratio", "insignificant", "Δ"])


def test_at_most_six_different_cues_count() -> None:
    assert count_cues("P<0.05, 5% versus 6%, hazard ratio, significant, P<0.1", CUES) == 6
    assert count_cues("5% and 6% and 7%", CUES[:5]) == 1


@given(st.lists(PIECES, max_size=4).map(" ".join))
def test_a_cue_counts_where_a_search_without_regard_to_case_finds_it(sentence: str) -> None:
    found = [cue for cue in CUES[:5] if Pattern(cue, "mine.yaml, line 1").compile().search(sentence)]
    assert count_cues(sentence, CUES[:5]) == len(found)
    assert count_cues(sentence, CUES[:5], dict.fromkeys(CUES, "mine.yaml, line 1")) == len(found)
