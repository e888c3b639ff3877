"""The executive summary that rules write: one paragraph of 100 to 500 characters, whatever was tested."""

from __future__ import annotations

import re

import pytest
from extractive.reports import plan
from hypothesis import given
from hypothesis import strategies as st

from storm.extractive import RuleSummaryWriter
from storm.models import (
    Assessment,
    Disease,
    HypothesisStatus,
    MechanismHypothesis,
    Plan,
    RepurposingRound,
    Score,
    TestedHypothesis,
)

NAMED = plan(name="metformin").model_copy(
    update={"disease": Disease(label="Alzheimer's disease", names=("Alzheimer's disease",))}
)


def outcome(supported: int = 0, contradicted: int = 0, target: str = "AMPK") -> TestedHypothesis:
    hypothesis = MechanismHypothesis(drug="metformin", target=target)
    return TestedHypothesis(
        hypothesis=hypothesis, mechanism=hypothesis.mechanism, supported=supported, contradicted=contradicted,
        status=HypothesisStatus.of(supported, contradicted),
    )  # fmt: skip


def round_of(*hypotheses: TestedHypothesis, mechanism: float = 6, clinical: float = 2.5) -> RepurposingRound:
    judged = Assessment(mechanism=Score(value=mechanism), clinical=Score(value=clinical), confidence=0.4)
    return RepurposingRound(tested=hypotheses, assessment=judged)


async def written(last: RepurposingRound, of: Plan = NAMED) -> str:
    return (await RuleSummaryWriter().write_summary(of, last, (), ())).text


async def test_it_counts_the_hypotheses_by_status_and_names_the_best_supported_and_the_scores() -> None:
    text = await written(round_of(outcome(1, 1), outcome(3, 1, "mTOR"), outcome(2), outcome(0, 2), outcome()))
    assert text == (
        "Sources were searched for and against 5 hypotheses on how metformin could act on Alzheimer's disease: "
        "2 supported, 1 mixed, 1 contradicted, 1 untested. Best supported is metformin → mTOR → not stated → not "
        "stated (for: 3; against: 1). The evidence scores 6 of 10 on mechanisms and 2.5 of 10 in patients, with a "
        "confidence of 0.4 (0 to 1)."
    )


async def test_one_hypothesis_that_is_not_supported_is_not_called_the_best() -> None:
    text = await written(round_of(outcome(1, 1)))
    assert "against 1 hypothesis on" in text and "1 mixed." in text and "Best" not in text


async def test_evidence_without_a_hypothesis_says_that_none_was_generated() -> None:
    text = await written(round_of(mechanism=0, clinical=0))
    assert text.startswith("No hypotheses generated on how metformin could act on Alzheimer's disease")
    assert "0 of 10 on mechanisms and 0 of 10 in patients" in text


async def test_a_plan_without_a_disease_names_none() -> None:
    assert "could act on the disease" in await written(round_of(), plan(name="\x00"))


#: Names as a model or a file may give them: of any length, with any characters.
NAMES = st.one_of(st.text(min_size=1, max_size=400), st.sampled_from(("x", "\n\r\u2028\x85", "é" * 2_000, "[1] <b>|")))
COUNTS = st.one_of(st.integers(0, 4), st.integers(0, 10**9))


@given(
    names=st.tuples(NAMES, NAMES, NAMES),
    counts=st.lists(st.tuples(COUNTS, COUNTS), max_size=30),
    scores=st.tuples(st.floats(0, 10), st.floats(0, 10), st.floats(0, 1)),
)
@pytest.mark.asyncio
async def test_it_is_one_paragraph_of_100_to_500_characters(
    names: tuple[str, str, str], counts: list[tuple[int, int]], scores: tuple[float, float, float]
) -> None:
    drug, disease, target = names
    of = Plan(names=(drug,), syllabus=NAMED.syllabus, disease=Disease(label=disease, names=(disease,)))
    judged = Assessment(mechanism=Score(value=scores[0]), clinical=Score(value=scores[1]), confidence=scores[2])
    rows = tuple(outcome(*pair, target=target) for pair in counts)
    text = await written(RepurposingRound(tested=rows, assessment=judged), of)
    assert 100 <= len(text) <= 500 and text.isprintable() and not re.search(r"  |^ | $", text)
    assert all(f"{n:,} {status}" in text for status in HypothesisStatus
               if (n := sum(one.status is status for one in rows)))  # fmt: skip
