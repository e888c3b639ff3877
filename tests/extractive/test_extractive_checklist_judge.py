"""Judging a checklist by rules: what satisfies an item, what it says, and what it searches for next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from storm.extractive import RuleChecklistJudge
from storm.models import (
    Answer,
    ChecklistReview,
    Finding,
    Hit,
    ItemState,
    Narrowing,
    Plan,
    Question,
    SearchIteration,
    Source,
    Statement,
    Syllabus,
    Verdict,
)

QUESTION = Question(
    key="answer",
    label="Does metformin lower HbA1c?",
    description="Does metformin lower HbA1c?",
    min_sources=2,
    focus=("metformin", "lower", "HbA1c"),
)
PLAN = Plan(names=("metformin",), syllabus=Syllabus(name="checklist", questions=(QUESTION,), min_databases=1))
LOWERED = "HbA1c fell by 1 % with metformin."


def make_source(number: int, design: str = "") -> Source:
    hit = Hit.of(
        "pubmed", str(number), f"https://pubmed.ncbi.nlm.nih.gov/{number}/", f"Metformin in cohort {number}",
        text=LOWERED, pmid=str(number), publication_types=(design,) if design else (),
    )  # fmt: skip
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=("answer",))


def judge(
    sources: Sequence[Source], text: str = LOWERED, *, iterations: Sequence[SearchIteration] = (),
    available: Sequence[str] = ("pubmed", "web"), cut_short: bool = False,
) -> ChecklistReview:  # fmt: skip
    statements = [
        Statement(text=text, quote=text, source_ids=(one.source_id,), verdict=Verdict.SUPPORTED) for one in sources
    ]
    finding = Finding(answer=Answer(question="answer", statements=tuple(statements), cut_short=cut_short))
    return asyncio.run(RuleChecklistJudge(available).judge(PLAN, [finding], sources, iterations))


def test_without_a_statement_an_item_is_not_satisfied() -> None:
    (item,) = judge([]).items
    assert item.state is ItemState.UNSATISFIED
    assert item.reason == "No statement of a source answers it."
    assert item.evidence == ()


def test_one_randomised_trial_is_enough() -> None:
    (item,) = judge([make_source(11, "Randomized Controlled Trial")]).items
    assert item.state is ItemState.SATISFIED
    assert item.searches == ()
    assert len(item.evidence) == 1
    assert "randomised trial" in item.reason


def test_one_source_of_another_design_is_partial_and_two_are_enough() -> None:
    (alone,) = judge([make_source(11)]).items
    (both,) = judge([make_source(11), make_source(12)]).items
    assert (alone.state, both.state) == (ItemState.PARTIAL, ItemState.SATISFIED)
    assert "one source" in alone.reason


def test_one_source_on_people_beside_notices_is_partial_and_is_not_called_the_only_one() -> None:
    (item,) = judge([make_source(11), make_source(12, "Clinical Trial Protocol")]).items
    assert item.state is ItemState.PARTIAL
    assert item.reason == "All but one of its 2 sources are preclinical or notices, and none is of a strong design."


def test_the_answer_needs_a_direct_statement() -> None:
    (item,) = judge([make_source(11), make_source(12)], "Weight was the same in both groups.").items
    assert item.state is ItemState.PARTIAL
    assert item.reason == "No statement answers the question directly."


def test_an_answer_that_was_cut_off_is_partial() -> None:
    (item,) = judge([make_source(11), make_source(12)], cut_short=True).items
    assert item.state is ItemState.PARTIAL


def test_what_is_open_is_searched_for_in_pubmed_and_on_the_web_with_what_no_round_ran() -> None:
    first = judge([])
    (item,) = first.items
    assert {query.databases for query in item.searches} == {("pubmed",), ("web",)}
    assert 2 <= len(item.searches) <= 4
    ran = SearchIteration(number=1, searches={"answer": item.searches}, review=first)
    (again,) = judge([], iterations=[ran]).items
    assert again.searches and not set(again.searches) & set(item.searches)


def test_offline_all_databases_that_there_are_are_searched() -> None:
    (item,) = judge([], available=("corpus",)).items
    assert {query.databases for query in item.searches} == {()}


ANSWER, LIMITS = QUESTION, QUESTION.model_copy(update={"key": "answer.limits", "says": (r"\bno difference",)})
BOTH = PLAN.model_copy(update={"syllabus": PLAN.syllabus.model_copy(update={"questions": (ANSWER, LIMITS)})})


def judge_both(text: str, *, read: int, answered: int = 1) -> tuple[ItemState, str, int, int]:
    """The item on what speaks against the answer: its state, its reason, the sources read, and its evidence."""
    sources = [make_source(11 + n, "Randomized Controlled Trial") for n in range(2)]
    sources = [
        one.model_copy(update={"questions": ("answer", *(("answer.limits",) if n < read else ()))})
        for n, one in enumerate(sources)
    ]
    stated = Statement(text=text, quote=text, source_ids=("src_011",), verdict=Verdict.SUPPORTED)
    findings = [
        Finding(answer=Answer(question="answer", statements=(stated,) * answered)),
        Finding(answer=Answer(question="answer.limits")),
    ]
    item = asyncio.run(RuleChecklistJudge(("pubmed",)).judge(BOTH, findings, sources, [])).items[1]
    return item.state, item.reason, item.nothing_in, len(item.evidence)


def test_that_nothing_speaks_against_an_answer_satisfies_where_sources_were_read_for_it() -> None:
    state, reason, nothing_in, evidence = judge_both(LOWERED, read=2)
    assert (state, nothing_in, evidence) == (ItemState.SATISFIED, 2, 0)
    assert reason == "Nothing of this kind was found in the 2 sources that were read for it."


def test_without_sources_that_were_read_or_without_an_answer_it_does_not() -> None:
    assert judge_both(LOWERED, read=1)[0] is ItemState.UNSATISFIED
    assert judge_both(LOWERED, read=2, answered=0)[0] is ItemState.UNSATISFIED


def test_what_a_statement_on_another_item_says_against_the_answer_is_not_nothing() -> None:
    state, _, nothing_in, evidence = judge_both("There was no difference in HbA1c with metformin.", read=2)
    assert (state, nothing_in, evidence) == (ItemState.SATISFIED, 0, 1)


def test_a_comparison_that_no_source_makes_is_said() -> None:
    compared = QUESTION.model_copy(
        update={"about": (Narrowing(label="glipizide", phrases=("glipizide",), role="comparator"),)}
    )
    plan = PLAN.model_copy(update={"syllabus": PLAN.syllabus.model_copy(update={"questions": (compared,)})})
    (item,) = asyncio.run(RuleChecklistJudge(("pubmed",)).judge(plan, [], [], [])).items
    assert item.state is ItemState.UNSATISFIED and item.reason == "No source that was read compares it with glipizide."
