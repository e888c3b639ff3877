"""The digest of an answer without a model: its strongest statements, whole."""

from __future__ import annotations

import pytest
from extractive.reports import EFFICACY, plan, statement

from storm.extractive import RuleDigester
from storm.models import Answer, Conflict, Verdict

PLAN = plan(EFFICACY)


async def digest(answer: Answer, length: int = 200) -> str:
    return await RuleDigester(length).digest(EFFICACY, answer, PLAN)


async def test_the_strongest_statements_are_in_it_whole() -> None:
    mice = statement(1, "Zorvimab shrank tumours in mice.")
    disputed = Conflict(trial="", endpoint="survival", statements=(statement(2),))
    refused = statement(3, verdict=Verdict.UNSUPPORTED)
    answer = Answer(question=EFFICACY.key, statements=(mice, refused, statement(4)), conflicts=(disputed,))
    assert await digest(answer) == " ".join((statement(4).text, statement(2).text, mice.text))
    assert await digest(answer, 60) == statement(4).text


@pytest.mark.parametrize("length", [80, 200, 900])
async def test_it_is_never_longer_than_allowed(length: int) -> None:
    long = [statement(n, f"Zorvimab {'and again ' * n * 9}worked.") for n in range(1, 9)]
    made = await digest(Answer(question=EFFICACY.key, statements=tuple(long)), length)
    assert 0 < len(made) <= length


async def test_of_nothing_there_is_none() -> None:
    assert await digest(Answer(question=EFFICACY.key)) == ""
