"""The score and the feedback of a finished research job: which way each part moves, and what each predictor gets."""

from __future__ import annotations

import dspy
import pytest
import researched

from storm.citations.sections import list_placed
from storm.models import (
    Assessment,
    ChecklistReview,
    DeepResearch,
    Dossier,
    HypothesisLink,
    ItemJudgement,
    ItemState,
    MechanismHypothesis,
    OutlinePart,
    ProposedHypothesis,
    RefinedQuestion,
    Repurposing,
    RepurposingRound,
    Research,
    ResearchReport,
    Score,
    SearchIteration,
    Spent,
    StopReason,
    TestedHypothesis,
)
from storm.optimize.feedback import explain_job
from storm.optimize.finished_roles import score_outline, score_plan, score_sections
from storm.optimize.scoring import (
    COST,
    DEEP_RESEARCH_WEIGHTS,
    MAX_TOKENS,
    REPORT_WEIGHTS,
    REPURPOSING_WEIGHTS,
    score_job,
    score_report,
)

NOTHING = Spent()


def report() -> Dossier:
    """A report whose headings name the questions of their statements."""
    made = researched.report()
    assert made.research
    sections = []
    for section in made.research.sections:
        keys = tuple(dict.fromkeys(sentence.question for sentence in list_placed([section])))
        sections.append(section.model_copy(update={"part": section.part.model_copy(update={"questions": keys})}))
    return made.model_copy(update={"research": made.research.model_copy(update={"sections": tuple(sections)})})


def changed(**fields: object) -> Dossier:
    """The report with other fields of its research."""
    made = report()
    assert made.research
    return made.model_copy(update={"research": made.research.model_copy(update=fields)})


def research_of(made: Dossier) -> Research:
    assert made.research
    return made.research


def test_the_parts_come_to_one_and_are_those_of_the_score() -> None:
    assert sum(REPORT_WEIGHTS.values()) == pytest.approx(1.0)
    assert score_report(report(), NOTHING).parts.keys() == REPORT_WEIGHTS.keys()


def test_a_job_is_scored_by_what_its_mode_does() -> None:
    assert score_job(report(), NOTHING) == score_report(report(), NOTHING)
    plain = report().model_copy(update={"research": None})
    assert score_job(plain, NOTHING).parts.keys() == {"coverage", "quotes", "databases"}


def test_tokens_take_off_a_tenth_at_most() -> None:
    free, dear = (score_job(report(), Spent(1, tokens, 0)).value for tokens in (0, 9 * MAX_TOKENS))
    assert free - dear == pytest.approx(COST)


def test_questions_that_cover_less_of_what_was_asked_score_less() -> None:
    whole = changed(asked="Does it harm, and what good does it do?")
    assert score_plan(whole) > score_plan(changed(asked="Which dose of zorvimab do children need?"))


def test_the_questions_of_a_drug_are_given_and_score_one() -> None:
    drug = Dossier.model_validate(changed(asked="Which dose of zorvimab do children need?").model_dump())
    assert not isinstance(drug, ResearchReport) and score_plan(drug) == 1.0


def test_headings_without_an_answered_question_score_less() -> None:
    first, *_ = research_of(report()).sections
    assert score_outline(report()) > score_outline(changed(sections=(first,)))
    assert score_outline(changed(sections=())) == 0.0


def test_a_section_that_places_fewer_of_its_statements_scores_less() -> None:
    written = score_sections(report())
    sections = research_of(report()).sections
    heading = next(iter(written))
    bare = [s.model_copy(update={"paragraphs": ()}) if s.part.heading == heading else s for s in sections]
    silent = score_sections(changed(sections=tuple(bare)))
    assert written[heading] > silent[heading] == 0.0
    assert score_job(report(), NOTHING).parts["sections"] > score_job(changed(sections=()), NOTHING).parts["sections"]


@pytest.mark.parametrize(
    ("predictor", "said"),
    [
        ("planner", "The questions score 0."),
        ("query_writer", "Every question has its sources."),
        ("reflector", "answers searched for again: 1; new sources: "),
        ("outline", "The headings score "),
        ("section", "The section "),
        ("writer", "supported by its source|are not supported by their source|no statement was written"),
        ("composer", "supported by its source|are not supported by their source|no statement was written"),
    ],
)
def test_each_predictor_gets_the_feedback_that_it_can_act_on(predictor: str, said: str) -> None:
    first, *lines = explain_job(report(), NOTHING, predictor)
    assert first.startswith("Score 0.") and "plan 0." in first
    assert any(part in line for part in said.split("|") for line in lines), lines
    assert {*lines} <= {*explain_job(report(), NOTHING, None)}


def test_a_digest_that_is_too_long_is_said_to_its_predictor_alone() -> None:
    calls = [(None, {"words": 3}, dspy.Prediction(digest="It helps nearly everybody.")), (None, {"words": 3}, {})]
    _, *lines = explain_job(report(), NOTHING, "digester", calls)
    assert lines == [
        "The digest has 4 words, 3 are allowed: the sentences beyond were cut off.",
        "There was no digest.",
    ]


def test_a_section_that_was_left_out_is_named_with_its_reason() -> None:
    part = OutlinePart(anchor="more", heading="More", questions=(researched.HELP, researched.HARM))
    silent = research_of(report()).sections[0].model_copy(update={"part": part, "paragraphs": (), "left_out": "Cut."})
    assert any("'More' scores 0.00" in line and line.endswith("Cut.") for line in
               explain_job(changed(sections=(silent,)), NOTHING, "section"))  # fmt: skip


def repurposed(**fields: object) -> Dossier:
    """The report of a job that tested a hypothesis, which its statements state."""
    made = report()
    said = next(one for answer in made.answers for one in answer.statements)
    drug = made.names[0]
    one = ProposedHypothesis(
        hypothesis=MechanismHypothesis(drug=drug, target=said.quote),
        basis=(HypothesisLink(link="target", source_id=said.source_ids[0], quote=said.quote),),
    )
    resting = Score(value=3, reasons=("One.",), statements=(said.identity,))
    last = RepurposingRound(
        tested=(TestedHypothesis.of(one, [said], []),), assessment=Assessment(mechanism=resting, clinical=Score())
    )
    text = f"1 hypothesis on {drug} was tested: 1 is supported, and the mechanism score is 3 of 10. None is mixed."
    given = {"disease": "gout", "rounds": (last,), "summary": f"{text} 1 source supports it.", **fields}
    return made.model_copy(update={"repurposing": Repurposing(**given)})


def asked(*judged: ItemJudgement, **fields: object) -> Dossier:
    """The report of a job that answered a question by a checklist, in one round."""
    made = report()
    given = {"text": research_of(made).asked.splitlines()[0], "key_terms": ("help",), **fields}
    refined = RefinedQuestion.model_validate(given)
    iteration = SearchIteration(number=1, new_sources=2, new_facts=3, review=ChecklistReview(items=judged))
    deep_research = DeepResearch(refined=refined, iterations=(iteration,), stop_reason=StopReason.COMPLETE)
    return made.model_copy(update={"deep_research": deep_research})


def test_a_job_that_worked_through_a_checklist_is_scored_by_its_roles() -> None:
    said = next(answer for answer in report().answers if answer.all_statements)
    one = ItemJudgement(question=said.question, state=ItemState.SATISFIED, evidence=(said.all_statements[0].identity,))
    found = score_job(asked(one), NOTHING)
    assert sum(DEEP_RESEARCH_WEIGHTS.values()) == pytest.approx(1.0)
    assert found.parts.keys() == DEEP_RESEARCH_WEIGHTS.keys() and found.parts["judgements"] == 1.0
    assert score_job(asked(one.model_copy(update={"evidence": ()})), NOTHING).parts["judgements"] == 0.0
    assert score_job(asked(one, text="What of children?"), NOTHING).parts["question"] < found.parts["question"]
    lines = explain_job(asked(one), NOTHING, "checklist_judge")
    assert "Round 1: open items: 0; new sources: 2; new statements: 3." in lines
    assert "Rules read it, since the budget was spent." in explain_job(
        asked(one, note="the budget was spent"), NOTHING, None
    )


def test_a_job_that_tested_hypotheses_is_scored_by_its_roles() -> None:
    found = score_job(repurposed(), NOTHING)
    assert sum(REPURPOSING_WEIGHTS.values()) == pytest.approx(1.0)
    assert found.parts.keys() == REPURPOSING_WEIGHTS.keys()
    assert found.parts["assessment"] == 1.0 and found.parts["summary"] == 1.0
    assert found.parts["hypotheses"] == pytest.approx(0.6 / 3 + 0.4)
    assert score_job(repurposed(summary="{summary}"), NOTHING).value < found.value
    nothing = score_job(repurposed(rounds=(), summary=""), NOTHING)
    assert [nothing.parts[name] for name in ("hypotheses", "assessment", "summary")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("predictor", "expected"),
    [
        ("hypothesizer", "supported, 1 sources for and 0 against"),
        ("hypothesis_judge", "Round 1: searches: 0; new sources: 0."),
        ("summary", "Rules wrote it, since the budget was spent."),
    ],
)
def test_each_role_on_hypotheses_gets_the_feedback_that_it_can_act_on(predictor: str, expected: str) -> None:
    made = repurposed(summary_note="the budget was spent")
    first, *lines = explain_job(made, NOTHING, predictor)
    assert first.startswith("Score ") and expected in " ".join(lines)
    assert {*lines} <= {*explain_job(made, NOTHING, None)}
    assert not {*lines} & {*explain_job(report(), NOTHING, None)}
