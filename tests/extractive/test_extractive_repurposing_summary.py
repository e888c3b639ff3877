"""The executive summary that rules write: one paragraph of 100 to 500 characters, whatever was tested."""

from __future__ import annotations

import re

import pytest
from extractive.reports import plan
from hypothesis import given
from hypothesis import strategies as st

from storm.extractive import RuleSummaryWriter
from storm.models import (
    Answer,
    Assessment,
    Disease,
    Finding,
    Hit,
    HypothesisStatus,
    MechanismHypothesis,
    Plan,
    RepurposingRound,
    Score,
    Source,
    Statement,
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
        "Proposed: 5 hypotheses on how metformin could act on Alzheimer's disease (2 supported, "
        "1 mixed, 1 contradicted, "
        "1 untested). Best supported: metformin → mTOR → not stated → not stated (3 for, 1 against). Evidence: 6 of 10 "
        "on mechanisms, 2.5 of 10 in patients; confidence 0.4 (0 to 1)."
    )


async def test_one_hypothesis_that_is_not_supported_is_not_called_the_best() -> None:
    text = await written(round_of(outcome(1, 1)))
    assert "1 hypothesis on" in text and "(1 mixed)." in text and "Best" not in text


async def test_evidence_without_a_hypothesis_says_that_none_was_generated() -> None:
    text = await written(round_of(mechanism=0, clinical=0))
    assert text.startswith("No hypotheses generated on how metformin could act on Alzheimer's disease")
    assert "0 of 10 on mechanisms, 0 of 10 in patients" in text


async def test_a_plan_without_a_disease_names_none() -> None:
    assert "could act on the disease" in await written(round_of(), plan(name="\x00"))


TRIAL = "Metformin improved memory in patients with Alzheimer's disease (P=0.01)."
MICE = "Metformin improved memory in mice."


async def summed_up(*said: Statement, supported: int = 2, sides: str = "supporting") -> str:
    """The summary where these statements, on mice and from a trial, are on one side of the hypothesis."""
    hits = (
        Hit.of("pubmed", "1", "https://example.org/1", "Metformin in mice", year=2003),
        Hit.of("pubmed", "2", "https://example.org/2", "Metformin in patients: a randomised controlled trial",
               year=2019, publication_types=("Randomized Controlled Trial",)),
    )  # fmt: skip
    sources = [
        Source(source_id=f"src_{n}", number=n, hit=hit, questions=(key,))
        for n, hit in enumerate(hits, start=1)
        for key in NAMED.syllabus.keys[:1]
    ]
    one = outcome(supported, 0 if supported else 1).model_copy(update={sides: tuple(s.identity for s in said)})
    answer = Answer(question=NAMED.syllabus.keys[0], statements=said)
    made = await RuleSummaryWriter().write_summary(NAMED, round_of(one), [Finding(answer=answer)], sources)
    return made.text


def said(number: int, text: str, **fields: object) -> Statement:
    values = {"quote": text, "source_ids": (f"src_{number}",), "citation_id": f"cit_{number}"} | fields
    return Statement.model_validate({"text": text, **values})


async def test_the_strongest_statement_comes_first_word_for_word_with_design_and_year() -> None:
    text = await summed_up(said(1, MICE), said(2, TRIAL))
    assert text.startswith(f"Randomised trial, 2019: “{TRIAL}” Proposed: 1 hypothesis on how metformin")
    assert MICE not in text and text.endswith("confidence 0.4 (0 to 1).")


async def test_of_a_contradicted_hypothesis_it_is_the_strongest_against_it() -> None:
    against = "Metformin did not improve memory in patients."
    assert f"“{against}”" in await summed_up(said(2, against), supported=0, sides="contradicting")


@pytest.mark.parametrize(
    "strongest",
    [
        said(2, f"{TRIAL} {'It did so for years. ' * 20}"),
        said(2, TRIAL, remark="in combination"),
        said(2, "Metformin improved memory in patients [7]."),
        said(2, TRIAL, quote=""),
    ],
)
async def test_a_statement_that_does_not_fit_or_cannot_stand_alone_is_not_quoted(strongest: Statement) -> None:
    text = await summed_up(said(1, MICE), strongest)
    assert text.startswith("Proposed: 1 hypothesis") and "“" not in text


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
