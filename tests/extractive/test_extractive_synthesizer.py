"""Answers without a model: sentences of the sources, word for word."""

from __future__ import annotations

import asyncio
from pathlib import Path

from storm.citations.verification import verify_statement
from storm.evidence.choice import MAX_STATEMENTS
from storm.extractive import ExtractiveSynthesizer
from storm.models import (
    Answer,
    Citation,
    CollectedQuestion,
    Hit,
    Plan,
    QuoteCheck,
    Relation,
    Retraction,
    Source,
    Verdict,
)
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
EFFICACY = SYLLABUS.question("clinical.efficacy")


def source(number: int, text: str, **fields: object) -> Source:
    url = f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
    hit = Hit.of("pubmed", str(number), url, f"Trial {number}", text=text, **fields)  # type: ignore[arg-type]
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(EFFICACY.key,))


async def answered(*sources: Source) -> Answer:
    return await ExtractiveSynthesizer().answer(
        CollectedQuestion(EFFICACY, sources), Plan(names=("zorvimab",), syllabus=SYLLABUS)
    )


async def test_a_statement_is_a_sentence_with_its_verbatim_quote_and_without_the_source_s_own_marks() -> None:
    text = "The response rate with zorvimab was 22% against 11% with placebo (P<0.001) [12]. The sky was blue that day."
    (statement,) = (await answered(source(1, text))).statements
    assert statement.text == "The response rate with zorvimab was 22% against 11% with placebo (P<0.001)."
    assert statement.quote == "The response rate with zorvimab was 22% against 11% with placebo (P<0.001) [12]."
    assert statement.source_ids == ("src_001",)


async def test_a_short_term_of_the_record_is_explained_in_the_statement_and_its_quote_stays_verbatim() -> None:
    said = "The rate of POD with zorvimab was 22% against 11% with placebo (P<0.001)."
    (statement,) = (
        await answered(source(1, f"Overall survival and postoperative delirium (POD) were read. {said}"))
    ).statements
    assert statement.quote == said
    assert statement.text == said.replace("POD", "POD [postoperative delirium]")


async def test_what_a_short_name_stands_for_brings_no_number_that_the_quote_does_not_have() -> None:
    said = "Median survival was longer with ZOFU (12.1 months) than with placebin (9.4 months; P<0.001)."
    one = source(1, f"Adults were randomised to zorvimab plus 5-fluorouracil (ZOFU) or placebin. {said}")
    (statement,) = (await answered(one)).statements
    assert statement.text == said.replace("ZOFU", "ZOFU [zorvimab plus fluorouracil]")
    assert verify_statement(statement, {one.source_id: one.hit}).verdict is Verdict.SUPPORTED


async def test_every_source_is_heard_before_one_is_heard_twice() -> None:
    said = "Overall survival with zorvimab was {} months against {} months (P<0.001)."
    long = " ".join(said.format(n, n - 2) for n in range(9, 20))
    short = "The response rate with zorvimab was 22% against 11% with placebo (P=0.04)."
    answer = await answered(source(1, long), source(2, short), source(3, short.replace("22%", "24%")))
    cited = [statement.source_ids[0] for statement in answer.statements]
    assert set(cited) == {"src_001", "src_002", "src_003"}
    assert len(cited) <= MAX_STATEMENTS


async def test_a_sentence_that_was_quoted_while_gathering_is_heard_before_its_equals() -> None:
    said = "The response rate with zorvimab was {}% against 11% with placebo (P<0.001)."
    texts = {n: " ".join(said.format(10 * n + k) for k in range(1, 5)) for n in (1, 2)}
    sources = [source(number, text) for number, text in texts.items()]
    quote = said.format(23)
    citation = Citation(
        citation_id="cit_1", source_id="src_002", claim="It works", quote=quote, quote_check=QuoteCheck.VERIFIED
    )
    plan = Plan(names=("zorvimab",), syllabus=SYLLABUS)
    with_quote = await ExtractiveSynthesizer().answer(CollectedQuestion(EFFICACY, tuple(sources), (citation,)), plan)
    without = await ExtractiveSynthesizer().answer(CollectedQuestion(EFFICACY, tuple(sources)), plan)
    assert with_quote.statements[0].quote == quote
    assert without.statements[0].quote != quote


async def test_a_sentence_that_leans_on_the_one_before_it_is_not_shown() -> None:
    text = "It improved overall survival (hazard ratio 0.7; P<0.001). These patients responded to zorvimab (P<0.001)."
    assert (await answered(source(1, text))).statements == ()


async def test_the_same_words_in_two_sources_are_said_once() -> None:
    text = "The response rate with zorvimab was 22% against 11% with placebo (P<0.001)."
    assert len((await answered(source(1, text), source(2, text))).statements) == 1


async def test_a_sentence_that_does_not_speak_of_what_is_asked_answers_nothing() -> None:
    answer = await answered(source(1, "Zorvimab was licensed by the agency in the spring of 2019."))
    assert answer.statements == ()
    assert "From its sources the rules selected no sentence" in " ".join(answer.gaps)


async def test_other_work_goes_on_while_an_answer_is_made() -> None:
    turns = 0

    async def renew() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    renewing = asyncio.create_task(renew())
    await answered(source(1, "Overall survival with zorvimab was 9 months against 7 months (P<0.001). " * 40))
    renewing.cancel()
    assert turns > 0


async def test_no_source_gives_no_statement_and_says_what_is_missing() -> None:
    answer = await answered()
    assert answer.statements == ()
    assert answer.gaps == ("Found 0 of the 5 sources that the question needs.",)


async def test_sources_without_a_sentence_that_answers_meet_no_minimum() -> None:
    said = "The response rate with zorvimab was {} against 11% with placebo (P<0.001)."
    silent = [source(n, "Zorvimab was licensed by the agency in the spring of 2019.") for n in range(3, 8)]
    answer = await answered(source(1, said.format("22%")), source(2, said.format("35%")), *silent)
    assert answer.answering == {"src_001", "src_002"}
    assert answer.gaps[-1] == (
        "Of its 7 sources: 2 cited, 5 from which the rules selected no sentence (they may answer it all the same)."
    )
    assert answer.gaps[0] == "7 sources were found, 5 were needed; statements on the drug come from 2."


async def test_gaps_name_sources_without_text_relatives_and_retractions() -> None:
    relative = source(2, "").model_copy(update={"relation": Relation.DERIVATIVE})
    retracted = source(3, "", retraction=Retraction.RETRACTED).model_copy(update={"relation": Relation.BIOSIMILAR})
    gaps = " ".join((await answered(relative, retracted)).gaps)
    assert "2 of its sources have no text here" in gaps
    assert "All of its sources are about a related product" in gaps
    assert "Retracted: 1 of its sources." in gaps
