"""Answers by a scripted model: only what stands in the sources gets into them, and what does not is counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import date
from typing import Any

import dspy
import pytest
from agents.scripted import DIALECTS, adapter, asked, chat, engines, prompts_of, scripted_lm
from agents.writers import (
    EFFICACY,
    PLAN,
    Wrote,
    collected,
    fences,
    first_sentences,
    honest,
    metered,
    role_of,
    source,
    wrote,
)
from dspy import lm15
from hypothesis import given
from hypothesis import strategies as st

from storm.agents.answer_synthesizer import MAX_STATEMENTS, AnswerSynthesizer
from storm.agents.judge import SupportJudge
from storm.citations import find_quote
from storm.errors import ModelError, UsageError
from storm.models import Answer, Relation, Retraction, Source, StatementCounts, Verdict

ONE = source(1, "Response to zorvimab was 22% against 11% with placebo (P<0.001). The follow-up was short.")
TWO = source(2, "Overall survival with zorvimab was 25 months in 469 women. It was an open trial.")


async def answered(lm: dspy.LM, *sources: Source, **options: Any) -> Answer:
    synthesizer = AnswerSynthesizer(lm, today=lambda: date(2026, 11, 21), **options)
    return await synthesizer.answer(collected(EFFICACY, sources), PLAN)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_each_statement_stands_on_the_words_of_a_source_whatever_the_adapter(dialect: str) -> None:
    lm = scripted_lm(honest(dialect=DIALECTS[dialect]))
    answer = await answered(lm, ONE, TWO, adapter=adapter(dialect))
    assert [(s.text, s.source_ids, s.verdict) for s in answer.statements] == [
        ("Response to zorvimab was 22% against 11% with placebo (P<0.001).", ("src_001",), Verdict.SUPPORTED),
        ("Overall survival with zorvimab was 25 months in 469 women.", ("src_002",), Verdict.SUPPORTED),
    ]
    assert answer.gaps == ()
    assert answer.counts == StatementCounts.of(supported=2, removed=0, marked=0)
    assert len(prompts_of(lm)) == 2


async def test_without_sources_nobody_is_asked_and_nothing_is_said() -> None:
    for sources in ([], [source(1, "", "Zorvimab prolongs survival"), source(2, " ")]):
        lm = scripted_lm([])
        answer = await answered(lm, *sources)
        assert answer.statements == () and answer.conflicts == ()
        assert prompts_of(lm) == []
        assert answer.gaps


async def test_the_model_sees_ids_and_the_day_but_no_address_and_no_identifier() -> None:
    lm = scripted_lm(honest())
    await answered(lm, source(16236737, ONE.hit.text, doi="10.1056/nejmoa052306"))
    for prompt in prompts_of(lm):
        assert "http" not in prompt.replace("https://pubmed.ncbi.nlm.nih.gov/16236737/", "URL")
        assert "10.1056" not in prompt and "pubmed.ncbi" not in prompt
    assert asked(prompts_of(lm)[0])["today"] == "2026-11-21"
    assert fences(prompts_of(lm)[0])[-1][0] == "src_16236737"


WRONG = [
    (wrote("src_404", "Zorvimab cures everything within days."), "there is no record src_404"),
    (wrote("src_001", "Response to zorvimab was 23% against 11% with placebo"), "word for word in src_001"),
    (wrote("src_001", "Response to zorvimab was 22%", "Response to zorvimab was 35%."), "does not hold 35%"),
    (wrote("src_001", "Response", "Zorvimab is a very good drug."), "too short"),
    (wrote("src_001", "", "Zorvimab is a very good drug."), "has no quote"),
    (wrote("src_001", "Response to zorvimab was 22%", "Response rose. Survival rose."), "more than one sentence"),
    (wrote("src_001", "Response to zorvimab was 22%", "See https://example.org/x for the response."), "an address"),
    (wrote("src_001", "Response to zorvimab was 22%", "Patients did not respond to zorvimab."), "denies"),
    (wrote("src_001", "Response to zorvimab was 22%", " "), "no text"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "fault"), WRONG)
async def test_what_no_source_carries_is_asked_for_anew_once_with_its_fault_and_then_left_out(
    wrong: Wrote, fault: str
) -> None:
    lm = scripted_lm(honest(lambda records: [*first_sentences(records)[:1], wrong]))
    answer = await answered(lm, ONE, TWO)
    assert [s.source_ids for s in answer.statements] == [("src_001",)]
    assert answer.counts == StatementCounts.of(supported=1, removed=1, marked=0)
    assert answer.gaps == ("2 sources were found, 2 were needed; statements on the drug come from 1.",)
    first, second = (asked(p)["problems"] for p in prompts_of(lm) if role_of(p) == "writer")
    assert not first.startswith("These statements")
    assert fault in second and str(wrong["text"]).strip() in second


async def test_what_is_repaired_when_its_fault_is_reported_stays() -> None:
    bad, good = (
        wrote("src_002", "Survival was 99 months"),
        wrote("src_002", "Overall survival with zorvimab was 25 months"),
    )
    replies = iter([[*first_sentences(fence(ONE)), bad], [good]])
    lm = scripted_lm(honest(lambda records: next(replies)))
    answer = await answered(lm, ONE, TWO)
    assert [s.source_ids for s in answer.statements] == [("src_001",), ("src_002",)]
    assert answer.gaps == ()
    asked_again = asked([p for p in prompts_of(lm) if role_of(p) == "writer"][1])
    assert [label for label, _ in fences(asked_again["records"])] == ["src_002"]


def fence(one: Source) -> str:
    return f'<untrusted id="{one.source_id}">\nTitle\n\n{one.hit.text}\n</untrusted>'


async def test_a_statement_under_a_wrong_id_is_given_to_the_source_that_holds_its_quote() -> None:
    lm = scripted_lm(honest(lambda _: [wrote("src_404", "Overall survival with zorvimab was 25 months in 469 women")]))
    (statement,) = (await answered(lm, ONE, TWO)).statements
    assert statement.source_ids == ("src_002",)


async def test_the_quote_is_written_as_the_source_writes_it() -> None:
    own = source(1, "Response — in HER2‑positive mice {n=4} — was “22%”.")
    quote = 'response - in HER2-positive mice ｛n=4｝ - was "22%".'
    lm = scripted_lm(honest(lambda _: [wrote("src_001", quote, "Response in mice was 22% ｛n=4｝ [1] (src_001).")]))
    (statement,) = (await answered(lm, own)).statements
    assert statement.quote == own.hit.text
    assert statement.text == "Response in mice was 22% {n=4}."


async def test_unsupported_statements_are_marked_where_that_is_wanted() -> None:
    lm = scripted_lm(honest(lambda _: [wrote("src_001", "Response to zorvimab was 22%", "Response was 35%."),
                                       wrote("src_404", "Nobody wrote this anywhere.")]))  # fmt: skip
    answer = await answered(lm, ONE, unsupported="mark")
    assert [(s.text, s.verdict) for s in answer.statements] == [("Response was 35%.", Verdict.UNSUPPORTED)]
    assert answer.counts == StatementCounts.of(supported=0, removed=1, marked=1)


@pytest.mark.parametrize(
    "text", ["See https://evil.example/b.", "One. And another.", "Buy src_001 at www.evil.org.", ""]
)
async def test_what_must_not_be_shown_is_not_shown_as_marked_either(text: str) -> None:
    lm = scripted_lm(honest(lambda _: [{**wrote("src_001", "no words of the source"), "text": text}]))
    answer = await answered(lm, ONE, unsupported="mark")
    assert answer.statements == ()
    assert answer.counts == StatementCounts.of(supported=0, removed=1, marked=0)


async def test_what_the_judge_refuses_is_marked_where_that_is_wanted() -> None:
    lm = scripted_lm(honest(unsupported=["25 months"]))
    answer = await answered(lm, ONE, TWO, judge=SupportJudge(lm), unsupported="mark")
    assert [(s.source_ids, s.verdict) for s in answer.statements] == [
        (("src_001",), Verdict.SUPPORTED), (("src_002",), Verdict.UNSUPPORTED),
    ]  # fmt: skip
    assert answer.counts == StatementCounts.of(supported=1, removed=0, marked=1)


async def test_what_the_judge_does_not_find_in_the_quote_is_left_out_and_counted() -> None:
    lm = scripted_lm(honest(unsupported=["25 months"]))
    answer = await answered(lm, ONE, TWO, judge=SupportJudge(lm))
    assert [s.source_ids for s in answer.statements] == [("src_001",)]
    assert answer.counts == StatementCounts.of(supported=1, removed=1, marked=0)
    assert [role_of(p) for p in prompts_of(lm)] == ["writer", "judge", "writer", "judge", "composer"]


async def test_what_the_judge_could_not_be_asked_is_kept_and_said() -> None:
    judge = SupportJudge(metered([], calls=0))
    answer = await answered(scripted_lm(honest()), ONE, TWO, judge=judge)
    assert [s.verdict for s in answer.statements] == [Verdict.UNCHECKED] * 2
    assert answer.counts == StatementCounts.of(supported=0, removed=0, marked=0, unjudged=2)


async def test_a_judge_that_says_nothing_of_a_statement_leaves_it_unchecked_and_the_others_as_they_are() -> None:
    judge = SupportJudge(scripted_lm([chat(verdicts=[{"number": 1, "verdict": "supported"}]), chat(verdicts=[])]))
    answer = await answered(scripted_lm(honest()), ONE, TWO, judge=judge)
    assert [s.verdict for s in answer.statements] == [Verdict.SUPPORTED, Verdict.UNCHECKED]
    assert answer.counts == StatementCounts.of(supported=1, removed=0, marked=0, unjudged=1)


async def test_sources_that_contradict_each_other_are_shown_side_by_side() -> None:
    said = "In the HERA trial NCT00045032 the hazard ratio for overall survival was {}."
    sources = [source(n, said.format(v), trials=("NCT00045032",)) for n, v in ((1, "0.66"), (2, "0.85"))]
    answer = await answered(scripted_lm(honest()), *sources, TWO.model_copy(update={"source_id": "src_003"}))
    (conflict,) = answer.conflicts
    assert (conflict.trial, conflict.endpoint) == ("NCT00045032", "overall survival, hazard ratio")
    assert [s.source_ids for s in conflict.statements] == [("src_001",), ("src_002",)]
    assert len(answer.statements) == 1


async def test_a_disagreement_that_the_model_sees_is_reported_in_words_that_stand_there() -> None:
    for about, endpoint in (("response with placebo", "response with placebo"), ("whether it cures", EFFICACY.label)):
        reply = honest(disagreements=[{"about": about, "numbers": [1, 2, 99]}, {"about": "x", "numbers": [1, 1]}])
        answer = await answered(scripted_lm(reply), ONE, TWO)
        (conflict,) = answer.conflicts
        assert (conflict.trial, conflict.endpoint, len(conflict.statements)) == ("", endpoint, 2)
        assert answer.statements == ()


async def test_what_is_open_is_said_in_few_words_of_the_question() -> None:
    sets = [["survival after zorvimab.", "survival after zorvimab", ""], ["33% are cured"], ["see https://x.org"],
            ["response " * 20], ["effect in children"]]  # fmt: skip
    gaps = [(await answered(scripted_lm(honest(open_points=points)), ONE, TWO)).gaps for points in sets]
    assert gaps == [("Not answered by any statement: survival after zorvimab.",), (), (), (), ()]


async def test_gaps_of_the_sources_are_said_beside() -> None:
    relative = source(3, "")
    retracted = ONE.model_copy(update={"hit": ONE.hit.model_copy(update={"retraction": Retraction.RETRACTED})})
    gaps = " ".join((await answered(scripted_lm(honest()), retracted, relative)).gaps)
    assert "1 of its sources have no text here" in gaps
    assert "Retracted: 1 of its sources." in gaps


def many(n: int) -> list[Source]:
    sentence = "Response to zorvimab was {}% in trial {}. " + "Nothing else was found in this trial of patients. " * 30
    return [source(i, sentence.format(i, i)) for i in range(1, n + 1)]


async def test_more_than_fits_is_read_in_several_prompts_and_every_source_is_heard() -> None:
    lm = scripted_lm(honest())
    lm.context = 8_000
    sources = many(30)
    answer = await answered(lm, *sources)
    writers = [p for p in prompts_of(lm) if role_of(p) == "writer"]
    assert len(writers) > 5
    read = [label for p in writers for label, _ in fences(asked(p)["records"])]
    assert sorted(read) == [s.source_id for s in sources]
    assert len(answer.statements) == MAX_STATEMENTS
    assert answer.gaps == (
        f"Supported by their sources, but left out as less informative: {30 - MAX_STATEMENTS} statements.",
    )


@pytest.mark.slow
async def test_statements_that_do_not_fit_into_one_prompt_are_chosen_group_by_group() -> None:
    lm = scripted_lm(
        honest(lambda r: [w | {"text": f"{w['text'][:-1]} {'and so on ' * 40}."} for w in first_sentences(r)])
    )
    lm.context = 8_000
    answer = await answered(lm, *many(90))
    assert sum(role_of(p) == "composer" for p in prompts_of(lm)) > 3
    assert len(answer.statements) == MAX_STATEMENTS
    assert f"left out as less informative: {90 - MAX_STATEMENTS} statements." in answer.gaps[0]


DEMO = {
    "drug": "metformin", "question": "Efficacy", "today": "2026-11-21", "most": 12, "problems": "",
    "records": "The cohort was followed for survival. " * 50,
    "statements": [wrote("src_009", "The cohort was followed for survival.")],
}  # fmt: skip


@pytest.mark.parametrize("context", [8_192, 16_384, 128_000])
@pytest.mark.parametrize("of", ["write", "compose"])
async def test_of_many_demonstrations_as_many_are_shown_as_leave_room_to_read(context: int, of: str) -> None:
    lm = metered(honest(), context=context)
    synthesizer = AnswerSynthesizer(lm)
    predict = synthesizer.writer.write if of == "write" else synthesizer.composer.compose
    chosen = {"records": "", "statements": DEMO["records"], "order": [1], "disagreements": [], "open_points": []}
    predict.demos = [DEMO if of == "write" else DEMO | chosen] * 8
    answer = await synthesizer.answer(collected(EFFICACY, [ONE, TWO]), PLAN)
    assert len(answer.statements) == 2 and answer.gaps == ()
    shown = max(prompt.count("metformin") for prompt in prompts_of(lm))
    assert shown == 8 if context == 128_000 else 0 < shown < 8
    assert len(predict.demos) == 8


async def test_of_a_long_text_the_passages_on_the_question_are_read_and_that_is_said() -> None:
    filler = "The weather was fine on the day of the visit to the clinic. "
    own = source(1, filler * 400 + "Overall survival with zorvimab was 25 months. " + filler * 400)
    lm = scripted_lm(honest(lambda _: [wrote("src_001", "Overall survival with zorvimab was 25 months")]))
    answer = await answered(lm, own, TWO)
    assert len(answer.statements) == 1
    assert "Read only in their most relevant passages: 1 of its sources." in answer.gaps
    assert max(map(len, prompts_of(lm))) < 20_000


async def test_a_prompt_that_is_too_long_for_the_model_is_halved_until_it_is_not() -> None:
    reply = honest()

    def small(prompt: str) -> str | Exception:
        records = asked(prompt).get("records", "")
        return (
            lm15.ContextLengthError("too long") if len(fences(records)) > 2 or "src_003" in records else reply(prompt)
        )

    answer = await answered(scripted_lm(small), *many(7))
    assert {s.source_ids[0] for s in answer.statements} == {f"src_{n:03}" for n in (1, 2, 4, 5, 6, 7)}
    assert answer.gaps == ("Not read in full, since the model cannot take so long a text: 1 of its sources.",)


@pytest.mark.parametrize("fault", ["no fields at all", chat(statements=3), " "])
async def test_an_unreadable_reply_is_asked_for_again_and_nothing_is_lost(fault: str) -> None:
    reply = honest()
    faults = iter([fault, fault])
    lm = metered(lambda prompt: next(faults, None) or reply(prompt))
    assert len((await answered(lm, ONE, TWO)).statements) == 2
    problems = [asked(prompt)["problems"] for prompt in prompts_of(lm)[:3]]
    assert [problem.partition(" could")[0] for problem in problems] == ["", "Your reply no. 1", "Your reply no. 2"]
    assert '<untrusted id="fault">\n' in problems[1]


@pytest.mark.parametrize("spoilt", [{"text": 5, "source_ids": [1]}, {"text": {}}, "a string", None])
@pytest.mark.parametrize("dialect", ["chat", "json"])
async def test_a_statement_that_has_no_form_costs_no_other_one_and_its_fault_is_reported(
    spoilt: Any, dialect: str
) -> None:
    lm = scripted_lm(honest(lambda records: [*first_sentences(records), spoilt], dialect=DIALECTS[dialect]))
    answer = await answered(lm, ONE, TWO, adapter=adapter(dialect))
    assert len(answer.statements) == 2
    assert answer.counts == StatementCounts.of(supported=2, removed=1, marked=0)
    problems = [asked(prompt)["problems"] for prompt in prompts_of(lm) if role_of(prompt) == "writer"]
    assert len(problems) == 2 and "Fault: it has no" in problems[1]


async def test_a_model_that_never_replies_in_the_form_asked_for_leaves_a_gap() -> None:
    lm = scripted_lm(lambda _: "I am sorry, Dave.")
    answer = await answered(lm, ONE, TWO)
    assert answer.statements == ()
    assert answer.gaps == ("Not read in full, since the model gave no reply that can be read: 2 of its sources.",)
    assert answer.cut_short
    assert len(prompts_of(lm)) == 3


async def test_when_the_budget_is_spent_what_was_read_is_written_up_and_the_rest_is_said() -> None:
    answer = await answered(metered(honest(), calls=3, context=8_000), *many(30))
    read = {s.source_ids[0] for s in answer.statements}
    assert 3 <= len(read) <= MAX_STATEMENTS
    (spent,) = [gap for gap in answer.gaps if "the budget was spent" in gap]
    assert int(spent.split(": ")[1].split()[0]) >= 30 - MAX_STATEMENTS


NESTED = ["[" * 20_000, '{"a":' * 10_000, "(" * 3_000, "<a>" * 10_000]


@pytest.mark.parametrize("nested", NESTED)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("role", ["writer", "judge", "composer"])
async def test_a_reply_that_is_nested_without_end_is_one_that_cannot_be_read(
    role: str, dialect: str, nested: str
) -> None:
    field = {"writer": "statements", "judge": "verdicts", "composer": "order"}[role]
    deep = f'{{"{field}": {nested}' if dialect == "json" else f"<{field}>\n{nested}\n</{field}>"
    deep = f"[[ ## {field} ## ]]\n{nested}" if dialect == "chat" else deep
    reply = honest(dialect=DIALECTS[dialect])
    lm = scripted_lm(lambda prompt: deep if role_of(prompt) == role else reply(prompt))
    answer = await answered(lm, ONE, TWO, adapter=adapter(dialect), judge=SupportJudge(lm))
    verdict = Verdict.UNCHECKED if role == "judge" else Verdict.SUPPORTED
    assert {s.verdict for s in answer.statements} == (set() if role == "writer" else {verdict})
    assert sum(role_of(prompt) == role for prompt in prompts_of(lm)) in (2, 3)


async def test_without_a_model_it_says_so() -> None:
    with dspy.context(lm=None), pytest.raises(UsageError, match="no language model is set"):
        await AnswerSynthesizer().answer(collected(EFFICACY, [ONE]), PLAN)


async def test_a_call_that_fails_ends_those_beside_it_and_no_other_is_made() -> None:
    """Of eight prompts four are asked at once; the second one fails."""
    asked_for: list[str] = []

    class Failing(dspy.LM):  # type: ignore[misc]
        async def acall(self, *args: Any, **kwargs: Any) -> Any:
            asked_for.append("")
            if len(asked_for) == 2:
                raise ModelError("nobody there")
            await asyncio.Event().wait()

    lm = Failing("scripted", cache=False, **engines([]))
    lm.context = 8_000
    with pytest.raises(ModelError, match="nobody there"):
        await asyncio.wait_for(answered(lm, *many(60)), 10)
    await asyncio.sleep(0)
    assert len(asked_for) == 4
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_other_faults_of_the_model_end_the_answer_so_that_the_job_can_be_resumed() -> None:
    for lm in (scripted_lm([lm15.AuthError("nobody there")]), metered([lm15.AuthError("nobody there")])):
        with pytest.raises(ModelError, match="nobody there"):
            await answered(lm, ONE)


async def test_a_composer_that_chooses_nothing_that_exists_is_replaced_by_rules() -> None:
    def reply(prompt: str) -> str:
        order = [0, -1, 77] if role_of(prompt) == "composer" else None
        return chat(order=order, disagreements=[], open_points=["x"]) if order else honest()(prompt)

    answer = await answered(scripted_lm(reply), ONE, TWO)
    assert {s.source_ids for s in answer.statements} == {("src_001",), ("src_002",)}
    assert answer.gaps == ()


async def test_the_same_statement_twice_is_said_once() -> None:
    lm = scripted_lm(honest(lambda records: first_sentences(records) * 3))
    assert len((await answered(lm, ONE, TWO)).statements) == 2


async def test_a_relative_is_reported_to_the_model_as_one() -> None:
    lm = scripted_lm(honest())
    await answered(lm, ONE.model_copy(update={"relation": Relation.BIOSIMILAR}))
    assert "About a relative of the drug: biosimilar" in asked(prompts_of(lm)[0])["records"]


def test_without_an_event_loop_it_is_called_as_any_dspy_program() -> None:
    with dspy.context(lm=scripted_lm(honest()), adapter=adapter("chat")):
        prediction = AnswerSynthesizer()(collected=collected(EFFICACY, [ONE, TWO]), plan=PLAN)
    assert len(prediction.answer.statements) == 2


def test_its_prompts_are_those_of_two_predictors_that_can_be_optimised_and_the_judge_stays_as_it_is(
    tmp_path: Any,
) -> None:
    synthesizer = AnswerSynthesizer(judge=SupportJudge())
    assert [name for name, _ in synthesizer.named_predictors()] == ["writer.write", "composer.compose"]
    synthesizer.save(str(tmp_path / "program.json"))
    assert "writer.write" in json.loads((tmp_path / "program.json").read_text())


SENTENCES = [
    "Response to zorvimab was 22% against 11% with placebo.",
    "Overall survival was 25.1 months (P=0.046).",
    "No benefit was seen in 40 men.",
]


@pytest.mark.slow
@given(
    st.lists(
        st.builds(
            lambda ids, quote, text: {"text": text, "source_ids": ids, "quote": quote},
            st.lists(st.sampled_from(["src_001", "src_002", "src_404", "", "1"]), max_size=3),
            st.one_of(st.sampled_from(SENTENCES), st.text(max_size=40)),
            st.one_of(st.sampled_from(SENTENCES), st.text(max_size=40)),
        ),
        max_size=5,
    )
)
def test_whatever_the_model_writes_only_what_is_carried_comes_out(written: Sequence[Wrote]) -> None:
    sources = [source(1, " ".join(SENTENCES[:2])), source(2, SENTENCES[2])]
    texts = {s.source_id: s.hit.text for s in sources}
    with dspy.context(lm=scripted_lm(honest(lambda _: written)), adapter=adapter("chat")):
        answer: Answer = AnswerSynthesizer()(collected=collected(EFFICACY, sources), plan=PLAN).answer
    for statement in answer.statements:
        assert statement.verdict is Verdict.SUPPORTED
        assert find_quote(statement.quote, texts[statement.source_ids[0]])
        assert statement.quote in texts[statement.source_ids[0]]


def test_an_optimiser_sees_its_predictors_at_work() -> None:
    trace: list[Any] = []
    with dspy.context(lm=scripted_lm(honest()), adapter=adapter("chat"), trace=trace):
        AnswerSynthesizer()(collected=collected(EFFICACY, [ONE, TWO]), plan=PLAN)
    assert [list(outputs.keys()) for _, _, outputs in trace] == [
        ["statements"], ["order", "disagreements", "open_points"],
    ]  # fmt: skip


async def test_questions_can_be_answered_at_the_same_time() -> None:
    synthesizer = AnswerSynthesizer(scripted_lm(honest()))
    both = await asyncio.gather(*(synthesizer.answer(collected(EFFICACY, [one]), PLAN) for one in (ONE, TWO)))
    assert [s.source_ids for answer in both for s in answer.statements] == [("src_001",), ("src_002",)]
