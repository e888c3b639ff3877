from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.models import Question, StageRange, gathered_part, stage_ranges
from storm.modes import MODES

SHARES = st.dictionaries(st.text(min_size=1), st.floats(0.01, 100), min_size=1, max_size=8)


def question(key: str, needed: int) -> Question:
    return Question(key=key, label=key, description="What?", min_sources=needed)


@given(shares=SHARES)
def test_the_stages_of_a_job_follow_each_other_from_0_to_1(shares: dict[str, float]) -> None:
    ranges = list(stage_ranges(shares).values())
    assert ranges[0].start == 0 and ranges[-1].end == pytest.approx(1)
    assert all(one.end == other.start for one, other in pairwise(ranges))
    assert all(one.start < one.end for one in ranges)


@given(shares=SHARES, parts=st.lists(st.floats(-2, 3), min_size=2))
def test_the_more_of_a_stage_is_done_the_more_of_the_job_and_never_more_than_the_stage(
    shares: dict[str, float], parts: list[float]
) -> None:
    for stage in stage_ranges(shares).values():
        done = [stage.progress_at(part) for part in sorted(parts)]
        assert done == sorted(done)
        assert all(stage.start <= one <= stage.end + 1e-9 for one in done)


def test_a_stage_that_has_no_share_moves_nothing() -> None:
    assert (stage_ranges({}), StageRange().progress_at(1)) == ({}, 0)


@pytest.mark.parametrize(
    ("counts", "part"),
    [({}, 0), ({"a": 1}, 0.25), ({"a": 9}, 0.25), ({"b": 2}, 0.5), ({"b": 3}, 0.75), ({"a": 1, "b": 3, "other": 5}, 1)],
)
def test_gathering_is_done_as_far_as_the_sources_are_there_that_are_needed(counts: dict[str, int], part: float) -> None:
    assert gathered_part([question("a", 1), question("b", 3)], counts) == pytest.approx(part, abs=0.001)


def test_each_mode_says_how_much_of_a_job_its_stages_are() -> None:
    for name in ("broad", "extractive"):
        assert list(MODES[name].shares) == ["plan", "gather", "check", "answer", "report"]
    for name in ("parallel", "report"):
        assert list(MODES[name].shares) == [
            "plan", "queries", "search", "file", "check", "answer", "outline", "section", "report",
        ]  # fmt: skip
    for mode in MODES.values():
        assert sum(mode.shares.values()) == pytest.approx(1)
