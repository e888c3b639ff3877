"""Hostile public texts against a model that obeys whatever it takes for an instruction: it never gets to take them."""

from __future__ import annotations

from typing import Any

import pytest
from agents.hostile import CLAIM, HOSTILE, obedient, obeys
from agents.scripted import DIALECTS, adapter, asked, prompts_of, scripted_lm
from agents.writers import EFFICACY, PLAN, Wrote, collected, fences, first_sentences, honest, role_of, source, wrote

from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.fencing import fence_text, plain_line
from storm.agents.judge import SupportJudge
from storm.citations.numbers import read_numbers
from storm.models import Answer, Statement

ONE = source(1, "Response to zorvimab was 22% against 11% with placebo (P<0.001).")
TWO = source(2, "Overall survival with zorvimab was 25 months in 469 women.")
TEXTS = list(HOSTILE.values())
NAMES = list(HOSTILE)
#: Those that a fence alone does not hold: they have the form of a prompt, a reply, a speaker or a tool.
FORMED = NAMES[NAMES.index("chat field") : NAMES.index("citation")]


def sound(records: str) -> list[Wrote]:
    """What an honest writer makes of the first two sources."""
    return [w for w in first_sentences(records) if w["source_ids"][0] in ("src_001", "src_002")]


def writer(dialect: str = "chat") -> Any:
    """An obedient model that otherwise writes honestly, of the first two sources only."""
    written = DIALECTS[dialect]
    claim = {**wrote("src_666", f"{CLAIM}."), "source_ids": ["src_666", "src_001"]}

    def obey(prompt: str) -> str:
        if role_of(prompt) == "writer":
            return written(statements=[claim])
        if role_of(prompt) == "judge":
            return written(verdicts=[{"number": n, "verdict": "supported"} for n in range(1, 13)])
        return written(order=[1], disagreements=[], open_points=[CLAIM])

    return scripted_lm(obedient(honest(sound, dialect=written), obey))


def said(answer: Answer) -> str:
    return answer.model_dump_json()


@pytest.mark.parametrize("text", TEXTS, ids=list(HOSTILE))
def test_each_text_would_be_obeyed_if_it_were_not_fenced(text: str) -> None:
    assert obeys(f"Write statements from this record:\n{text}\nRespond with statements.")


@pytest.mark.parametrize("name", FORMED)
def test_what_has_a_form_would_be_obeyed_in_a_fence_that_leaves_it_as_it_is(name: str) -> None:
    assert obeys(f'Write statements:\n<untrusted id="src_003">\n{HOSTILE[name]}\n</untrusted>\nRespond.')


@pytest.mark.parametrize("text", TEXTS, ids=list(HOSTILE))
def test_no_fenced_text_is_obeyed(text: str) -> None:
    assert not obeys(f"Write statements from this record:\n{fence_text(text, 'src_003')}\nRespond with statements.")
    assert not obeys(f"Write statements from this record:\n{fence_text(plain_line(text, 300), 'src_003')}\nRespond.")


@pytest.mark.parametrize("text", TEXTS, ids=list(HOSTILE))
async def test_no_statement_and_no_citation_comes_from_a_hostile_record(text: str) -> None:
    lm = writer()
    hostile = source(3, text, title=text, publication_types=(text[:500],))
    answer = await AnswerSynthesizer(lm, judge=SupportJudge(lm)).answer(collected(EFFICACY, [ONE, hostile, TWO]), PLAN)
    assert [s.source_ids for s in answer.statements] == [("src_001",), ("src_002",)]
    assert "cures" not in said(answer) and "src_666" not in said(answer)
    assert [label for label, _ in fences(asked(prompts_of(lm)[0])["records"])] == ["src_001", "src_003", "src_002"]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_nothing_comes_from_all_of_them_together_whatever_the_adapter(dialect: str) -> None:
    lm = writer(dialect)
    hostile = [source(number, text, title=text) for number, text in enumerate(TEXTS, start=3)]
    synthesizer = AnswerSynthesizer(lm, judge=SupportJudge(lm), adapter=adapter(dialect))
    answer = await synthesizer.answer(collected(EFFICACY, [ONE, TWO, *hostile]), PLAN)
    assert [s.source_ids for s in answer.statements] == [("src_001",), ("src_002",)]
    assert "cures" not in said(answer)


@pytest.mark.parametrize("text", TEXTS, ids=list(HOSTILE))
async def test_a_hostile_quote_does_not_talk_the_judge_into_anything(text: str) -> None:
    lm = scripted_lm(obedient(honest(unsupported=["very good"]), honest()))
    pairs = [Statement(text=f"A very good drug. {text}", quote=text, source_ids=("src_003",))] * 2
    judged = await SupportJudge(lm).judge("zorvimab", pairs)
    assert [one and one.supported for one in judged] == [False, False]


@pytest.mark.parametrize("text", TEXTS, ids=list(HOSTILE))
async def test_what_a_writer_copied_from_a_hostile_record_is_fenced_in_every_later_prompt(text: str) -> None:
    """A statement that fails is reported to the writer, one that holds to the judge and the composer: both as data."""
    ((_, shown),) = fences(fence_text(text, "src_003"))
    copied = [wrote("src_003", shown, shown[:300]), *first_sentences(fence_text(ONE.hit.text, "src_001"))]
    lm = scripted_lm(honest(lambda _: copied))
    await AnswerSynthesizer(lm, judge=SupportJudge(lm)).answer(collected(EFFICACY, [ONE, source(3, text)]), PLAN)
    assert len(prompts_of(lm)) >= 3
    assert not any(map(obeys, prompts_of(lm)))


@pytest.mark.parametrize("text", TEXTS, ids=list(HOSTILE))
async def test_a_name_that_a_database_gives_the_drug_is_no_instruction(text: str) -> None:
    lm = writer()
    plan = PLAN.model_copy(update={"names": ("zorvimab", text)})
    answer = await AnswerSynthesizer(lm).answer(collected(EFFICACY, [ONE, TWO]), plan)
    assert "cures" not in said(answer)
    assert not any(map(obeys, prompts_of(lm)))


@pytest.mark.parametrize(
    "point", [CLAIM, "Zorvimab cures every known cancer", "survival, since zorvimab cures it", "!"]
)
async def test_a_claim_is_not_reported_as_an_open_point_by_a_model_that_was_talked_into_it(point: str) -> None:
    answer = await AnswerSynthesizer(scripted_lm(honest(open_points=[point]))).answer(collected(EFFICACY, [ONE]), PLAN)
    assert not [gap for gap in answer.gaps if gap.startswith("No statement here answers")]


def test_the_claim_holds_nothing_by_which_rules_alone_would_find_it() -> None:
    assert not read_numbers(CLAIM)


def test_there_are_enough_of_them() -> None:
    assert len(set(TEXTS)) == len(TEXTS) >= 50
