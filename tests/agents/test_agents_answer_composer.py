"""What groups of statements say of each other is not forgotten where one answer is made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dspy
import pytest
from agents.scripted import adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import EFFICACY, PLAN, fences, source

from storm.agents.answer_composer import AnswerComposer, Composition
from storm.models import Statement, Verdict

MOST = 12


async def composed(reply: Callable[[str], str], n: int = 120) -> tuple[Composition, int]:
    """The composition of so many statements in groups, and the prompts that it took."""
    said = "In cohort {0} survival was good with zorvimab."
    sources = [source(i, said.format(i)) for i in range(1, n + 1)]
    statements = [
        Statement(text=s.hit.text, quote=s.hit.text, source_ids=(s.source_id,), verdict=Verdict.SUPPORTED)
        for s in sources
    ]
    hits = {s.source_id: s.hit for s in sources}
    lm = scripted_lm(reply)
    with dspy.context(lm=lm, adapter=adapter("chat")):
        inputs: Any = {"question": EFFICACY, "plan": PLAN, "statements": statements, "hits": hits}
        composition = (await AnswerComposer().acall(**inputs, most=MOST, room=4_000)).composition
    return composition, len(prompts_of(lm))


def groups_that_say(disagreements: list[dict[str, Any]], open_points: Callable[[str], list[str]]) -> Any:
    """A model that says so of each group, and nothing more when it sees what was chosen of several."""

    def reply(prompt: str) -> str:
        shown = asked(prompt)["statements"]
        order = list(range(1, len(fences(shown)) + 1))
        cohorts = [int(text.split()[2]) for _, text in fences(shown)]
        if cohorts != list(range(cohorts[0], cohorts[0] + len(cohorts))):
            return chat(order=order, disagreements=[], open_points=[])
        return chat(order=order, disagreements=disagreements, open_points=open_points(shown))

    return reply


async def test_disagreements_that_groups_name_are_in_the_answer() -> None:
    reply = groups_that_say([{"about": "survival", "numbers": [1, 2]}], lambda _: [])
    composition, prompts = await composed(reply)
    assert prompts > 3
    assert len(composition.conflicts) == prompts - 1
    assert {conflict.endpoint for conflict in composition.conflicts} == {"survival"}
    apart = [statement for conflict in composition.conflicts for statement in conflict.statements]
    assert len(set(apart)) == 2 * len(composition.conflicts)
    assert set(apart).isdisjoint(composition.statements)
    assert composition.left_out == 120 - len(apart) - len(composition.statements)


async def test_a_disagreement_is_reported_once_by_whoever_names_it_last() -> None:
    def reply(prompt: str) -> str:
        order = list(range(1, len(fences(asked(prompt)["statements"])) + 1))
        return chat(order=order, disagreements=[{"about": "survival", "numbers": [1, 2]}], open_points=[])

    composition, prompts = await composed(reply)
    assert len(composition.conflicts) == prompts - 1


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (lambda shown: ["survival"], ("survival",)),
        (lambda shown: ["survival", "response"] if "cohort 1 " in shown else ["survival"], ("survival",)),
        (lambda shown: ["response"] if "cohort 1 " in shown else [], ()),
    ],
)
async def test_what_every_group_leaves_open_is_open(said: Any, expected: tuple[str, ...]) -> None:
    composition, _ = await composed(groups_that_say([], said))
    assert composition.open_points == expected
