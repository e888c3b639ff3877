"""A model writes the executive summary: each sentence is a statement that its source supports, or counts right."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.repurposing_roles import (
    BETTER,
    FINDINGS,
    MECHANISM,
    NULL,
    PLAN,
    SOURCES,
    SUMMARY,
    Rules,
    finding,
    many,
    played,
    statement,
    weighed,
)
from agents.research_roles import TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import fences, metered
from dspy import lm15

from storm.agents.repurposing_summary import ModelSummaryWriter
from storm.errors import ModelError
from storm.models import SummaryText
from storm.optimize.repurposing_metrics import summary_metric

COUNTS = "1 hypothesis on zorvimab for Blorp disease was tested: 1 is supported."
SCORES = "The mechanism score is 4 of 10, and the clinical score is 3 of 10."


def said(text: str, of: str = "") -> dict[str, str]:
    """A sentence, which says the statement of this text."""
    return {"text": text, "statement": of}


GOOD = (said(COUNTS), said(BETTER, BETTER), said(SCORES))


def writing(*sentences: Any, dialect: str = "chat") -> Any:
    """A model that writes so."""

    def reply(prompt: str) -> str:
        ids = {text: label for label, text in fences(asked(prompt)["findings"])}
        made = [
            {**one, "statement": ids.get(one["statement"], one["statement"])} if isinstance(one, dict) else one
            for one in sentences
        ]
        return DIALECTS[dialect](sentences=made)

    return scripted_lm(reply)


def writer(lm: Any = None, dialect: str = "chat") -> ModelSummaryWriter:
    return ModelSummaryWriter(lm, rule_based=Rules(), adapter=adapter(dialect), today=lambda: TODAY)


async def written(lm: Any, dialect: str = "chat") -> SummaryText:
    return await writer(lm, dialect).write_summary(PLAN, played(), FINDINGS, SOURCES)


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_a_summary_of_statements_and_counts_is_taken_as_one_paragraph(dialect: str) -> None:
    made = await written(writing(*GOOD, dialect=dialect), dialect)
    assert made == SummaryText(text=f"{COUNTS} {BETTER} {SCORES}")


async def test_a_statement_in_other_words_is_taken_if_its_source_supports_them() -> None:
    other = "In 40 patients with Blorp disease, zorvimab slowed cognitive decline."
    made = await written(writing(said(COUNTS), said(other, BETTER), said(SCORES)))
    assert other in made.text and not made.note


@pytest.mark.parametrize(
    "wrong",
    [
        said("Zorvimab cures Blorp disease.", BETTER),
        said("Zorvimab slowed cognitive decline in 4,000 patients with Blorp disease.", BETTER),
        said("Zorvimab improved memory of 80 patients with Blorp disease.", NULL),
        said(BETTER),
        said(BETTER, "S99"),
        said("4 hypotheses are supported."),
        said("The clinical score is 4 of 10."),
        said("The mechanism score is 4 of 100."),
        said("Patients should take zorvimab."),
        said("No source is against it."),
        said("Zorvimab is supported."),
        said("Zorvimab has improved survival in Blorp disease, and 1 hypothesis was tested."),
        said("It is the drug for Blorp disease; the clinical score is 3 of 10."),
        said(f"See https://example.org: {COUNTS}"),
    ],
)
async def test_one_sentence_that_does_not_hold_gives_the_text_of_the_rules(wrong: dict[str, str]) -> None:
    lm = writing(*GOOD, wrong)
    assert await written(lm) == SUMMARY.model_copy(update={"note": "the model gave no reply that can be used"})
    assert "This sentence cannot stand" in asked(prompts_of(lm)[1])["problems"]


@pytest.mark.parametrize("sentences", [(), (said(COUNTS),), GOOD[:1] * 9, ("nonsense", 7)])
async def test_a_summary_that_is_too_short_gives_the_text_of_the_rules(sentences: Any) -> None:
    lm = writing(*sentences)
    assert (await written(lm)).text == SUMMARY.text
    assert "write 100 to 500" in asked(prompts_of(lm)[1])["problems"]


async def test_a_summary_that_is_too_long_gives_the_text_of_the_rules() -> None:
    long = [said(f"1 hypothesis was tested{', 1 is supported' * n}.") for n in range(9)]
    assert (await written(writing(*long))).text == SUMMARY.text


async def test_line_breaks_and_hidden_characters_do_not_reach_the_paragraph() -> None:
    made = await written(writing(said(f"\n\n{COUNTS}\u200b"), said(SCORES.replace(" is ", "\n is ", 1))))
    assert made.text == f"{COUNTS} {SCORES}"


async def test_an_unreadable_reply_and_a_spent_budget_give_the_text_of_the_rules() -> None:
    assert (await written(scripted_lm(lambda _: "[[ ## sent"))).note == "the model gave no reply that can be read"
    assert (await written(metered([], calls=0))).note == "the budget was spent"


async def test_a_failing_model_ends_the_step_so_that_the_job_can_be_resumed() -> None:
    with pytest.raises(ModelError, match="nobody there"):
        await written(metered([lm15.AuthError("nobody there")]))


async def test_its_prompt_keeps_its_size_however_much_was_found() -> None:
    lengths = []
    for number in (20, 200, 1_000):
        findings, sources = many(number)
        said_of = [one for found in findings for one in found.answer.statements]
        last = played(*[weighed(said_of, ())] * 5)
        lm = scripted_lm(lambda _: chat(sentences=[]))
        await writer(lm).write_summary(PLAN, last, findings, sources)
        lengths.append(len(prompts_of(lm)[0]))
    assert max(lengths) <= 1.1 * min(lengths)


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_the_evidence_are_not_obeyed(name: str) -> None:
    own = statement(1, HOSTILE[name])
    last = played(weighed([own], ()).model_copy(update={"mechanism": HOSTILE[name]}))
    lm = scripted_lm(lambda _: chat(sentences=[]))
    await writer(lm).write_summary(PLAN, last, (finding(MECHANISM, own),), SOURCES)
    assert not any(map(obeys, prompts_of(lm)))


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    inputs = {"plan": PLAN, "last": played(), "findings": FINDINGS, "sources": SOURCES}
    with dspy.context(lm=writing(*GOOD), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=summary_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(writer()), trainset=[dspy.Example(**inputs).with_inputs(*inputs)])
    assert [name for name, _ in made.named_predictors()] == ["write"]
    (demo,) = made.write.demos
    assert [one.text for one in demo.sentences] == [one["text"] for one in GOOD]
    made.save(tmp_path / "made.json")
    again = writer()
    again.load(tmp_path / "made.json")
    assert again.write.demos[0]["sentences"][0]["text"] == COUNTS
