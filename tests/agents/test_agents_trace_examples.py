"""What is learnt from: calls are cut to a size that fits into a prompt, and only good ones are examples."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from storm.agents.answer_composer import Disagreement
from storm.agents.drafts import Draft
from storm.agents.program import CrewProgram, RepurposingProgram, ResearchProgram
from storm.agents.section_writer import SectionParagraph, SectionSentence
from storm.agents.trace_examples import CALLS, select_calls

PROGRAM = CrewProgram()
NAMES = {id(predictor): name for name, predictor in PROGRAM.named_predictors()}
LONG = "survival was longer. " * 400


def fence(label: str, text: str) -> str:
    return f'<untrusted id="{label}">\n{text}\n</untrusted>'


def step(tool: str = "save_source", recent: str = "none yet") -> tuple[Any, ...]:
    inputs = {"drug": "zorvimab", "today": "2026-11-21", "syllabus": LONG, "tools": LONG, "recent_steps": recent}
    outputs = {"next_thought": "Next.", "next_tool_name": tool, "next_tool_args": {}, "more_calls": []}
    return PROGRAM.agent, {**inputs, "state": LONG}, dspy.Prediction(**outputs)


def writing(records: str, *quotes: str, problems: str = "") -> tuple[Any, ...]:
    inputs = {"drug": "zorvimab", "question": "What?", "today": "2026-11-21", "most": 12, "records": records}
    statements = [Draft(text=quote, source_ids=["src_001"], quote=quote) for quote in quotes]
    return PROGRAM.writer, {**inputs, "problems": problems}, dspy.Prediction(statements=statements)


def learnt(*calls: tuple[Any, ...], examples: bool = True) -> list[tuple[Any, ...]]:
    return select_calls(calls, NAMES, examples=examples)


def size(call: tuple[Any, ...]) -> int:
    return sum(len(str(value)) for value in (*call[1].values(), *dict(call[2]).values()))


def test_a_step_keeps_its_last_step_and_its_state_and_no_tools() -> None:
    recent = "\n\n".join(f"Step {n}. Next.\n{fence('search_pubmed', LONG)}" for n in range(1, 9))
    (call,) = learnt(step(recent=recent))
    assert not {"tools", "syllabus"} & call[1].keys()
    assert call[1]["recent_steps"].startswith("Step 8. Next.\n<untrusted ")
    assert call[1]["recent_steps"].endswith("</untrusted>")
    assert size(call) < 3_000


def test_at_most_some_calls_of_a_predictor_are_kept_spread_over_the_job_in_their_order() -> None:
    calls = [step(recent=f"Step {n}. Next.") for n in range(100)]
    kept = [int(call[1]["recent_steps"][5:-7]) for call in learnt(*calls)]
    assert len(kept) == CALLS
    assert (kept[0], kept[-1], sorted(kept)) == (0, 99, kept)


def test_finishing_is_no_example_and_can_be_read_about() -> None:
    assert learnt(step("finish")) == []
    assert len(learnt(step("finish"), examples=False)) == 1


def test_a_writing_keeps_the_records_that_it_quotes_and_what_stands_around_the_quote() -> None:
    quote = "median survival was 13.8 months"
    records = f"{fence('src_001', f'A title. {LONG} In ToGA {quote}. {LONG}')}\n\n{fence('src_002', LONG)}"
    (call,) = learnt(writing(records, quote))
    assert quote in call[1]["records"] and "A title." in call[1]["records"] and "src_002" not in call[1]["records"]
    assert call[2].statements[0].quote == quote
    assert size(call) < 3_000


@pytest.mark.parametrize("quote", ["what nobody wrote in any record", "two words", ""])
def test_a_statement_whose_quote_is_none_is_no_example(quote: str) -> None:
    records = fence("src_001", "There are two words and the median survival was long.")
    assert learnt(writing(records, quote)) == []
    (call,) = learnt(writing(records, quote, "the median survival was long"))
    assert [one.quote for one in call[2].statements] == ["the median survival was long"]
    (read,) = learnt(writing(records, quote), examples=False)
    assert [one.quote for one in read[2].statements] == [quote]


def test_a_repair_is_no_example() -> None:
    records = fence("src_001", "The median survival was long.")
    assert learnt(writing(records, "The median survival was long.", problems="It was wrong.")) == []


def test_a_choice_names_only_statements_that_are_shown() -> None:
    statements = "\n".join(fence(f"statement {n}", f"{n}. {LONG[:500]}") for n in range(1, 30))
    inputs = {"drug": "zorvimab", "question": "What?", "most": 12, "statements": statements, "problems": ""}
    disagreements = [Disagreement(about="survival", numbers=[1, 2]), Disagreement(about="dose", numbers=[1, 29])]
    outputs = dspy.Prediction(order=[29, 2, 1], disagreements=disagreements, open_points=[])
    (call,) = learnt((PROGRAM.composer, inputs, outputs))
    assert call[2].order == [2, 1]
    assert [one.about for one in call[2].disagreements] == ["survival"]
    assert size(call) < 4_000


def test_calls_of_other_predictors_are_left_out() -> None:
    assert learnt((dspy.Predict("a -> b"), {"a": "1"}, dspy.Prediction(b="2"))) == []


RESEARCH = ResearchProgram()
ROLES = {id(predictor): name for name, predictor in RESEARCH.named_predictors()}


def section(*numbers: int, problems: str = "", length: int = 1) -> tuple[Any, ...]:
    """A section of these statements among nine."""
    shown = "\n".join(fence(f"statement {n}", f"It was {n}. " * length) for n in range(1, 10))
    inputs = {"subject": "zorvimab", "outline": fence("outline", LONG), "statements": shown, "problems": problems}
    said = [SectionParagraph(sentences=[SectionSentence(number=n)]) for n in numbers]
    return RESEARCH.section, inputs, dspy.Prediction(paragraphs=said)


def test_a_section_shows_only_statements_that_fit_and_places_none_that_it_does_not_show() -> None:
    (call,) = select_calls([section(1, 2, 9, length=60)], ROLES, examples=True)
    placed = [one.number for paragraph in call[2].paragraphs for one in paragraph.sentences]
    assert placed == [1, 2] and "statement 9" not in call[1]["statements"]
    assert size(call) < 5_000


def test_a_reply_to_a_fault_is_no_example_of_research_and_can_be_read_about() -> None:
    call = section(1, problems="Write the section again.")
    assert select_calls([call], ROLES, examples=True) == []
    assert len(select_calls([call], ROLES, examples=None)) == 1


def test_of_many_answers_each_is_cut_and_none_is_left_without_its_end() -> None:
    answers = "\n".join(fence(f"question.{n}", LONG) for n in range(3))
    inputs = {"subject": "zorvimab", "answers": answers, "most": 4, "problems": ""}
    (call,) = select_calls([(RESEARCH.reflector, inputs, dspy.Prediction(weak=[]))], ROLES, examples=True)
    assert all(f'id="question.{n}"' in call[1]["answers"] for n in range(3))
    assert call[1]["answers"].count("</untrusted>") == 3 and call[1]["most"] == 4
    assert size(call) < 3_000


@pytest.mark.parametrize("name", [name for name, _ in RepurposingProgram().named_predictors()])
def test_calls_of_every_role_on_hypotheses_can_serve_as_examples(name: str) -> None:
    program = RepurposingProgram()
    roles = {id(predictor): role for role, predictor in program.named_predictors()}
    if name not in ("hypothesizer", "hypothesis_judge", "summary"):
        assert name in dict(RESEARCH.named_predictors())
        return
    findings = "\n".join(fence(f"S{n}", LONG) for n in range(1, 21))
    inputs = {"drug": "zorvimab", "findings": findings, "problems": ""}
    (call,) = select_calls([(getattr(program, name), inputs, dspy.Prediction(made=[]))], roles, examples=True)
    assert 'id="S1"' in call[1]["findings"] and size(call) < 4_000
