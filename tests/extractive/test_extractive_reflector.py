"""Which answers are worth another round of searching, and by which searches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from storm.extractive.reflector import RuleReflector
from storm.extractive.researcher import queries_for
from storm.models import (
    Answer,
    Finding,
    Hit,
    Plan,
    Question,
    ResearchSettings,
    Review,
    Source,
    Statement,
    Syllabus,
    WeaknessKind,
)

FIRST, SECOND = (
    Question(key=key, label=f"Of {key}", description="How much is given", min_sources=2, queries={"default": ("dose",)})
    for key in ("first", "second")
)
PLAN = Plan(names=("trastuzumab",), syllabus=Syllabus(name="own", questions=(FIRST, SECOND)))


def source(number: int, *questions: str, year: int = 2020) -> Source:
    hit = Hit.of("pubmed", str(number), "https://example.org", f"Trial {number}", pmid=str(number), year=year)
    return Source(
        source_id=f"src_{number}", number=number, hit=hit, questions=questions, aliases=(f"src_{number + 100}",)
    )


def finding(question: Question, *numbers: int, **fields: Any) -> Finding:
    said = tuple(
        Statement(text=f"It is {number}.", quote=f"It is {number}.", source_ids=(f"src_{number}",))
        for number in numbers
    )
    return Finding(answer=Answer(question=question.key, statements=said, **fields))


async def review(
    findings: Sequence[Finding],
    sources: Sequence[Source] = (),
    earlier: Sequence[Review] = (),
    *,
    most: int = 4,
    databases: Sequence[str] = (),
) -> Review:
    settings = ResearchSettings(queries_per_question=most)
    reflector = RuleReflector(settings, lambda: date(2026, 11, 23), databases)
    return await reflector.review(PLAN, findings, sources, earlier)


async def test_weak_answers_are_named_in_the_order_of_the_questions_with_reason_and_searches() -> None:
    found = await review([finding(SECOND), finding(FIRST, 1)], [source(1, "first")])
    assert [(weak.question, weak.kinds) for weak in found.weak] == [
        ("first", (WeaknessKind.ONE_SOURCE,)),
        ("second", (WeaknessKind.NO_SOURCE,)),
    ]
    assert found.weak[0].reason == "it stands on one source only"
    assert all(len(weak.searches) == 4 for weak in found.weak)


async def test_a_good_answer_is_not_named_also_under_the_id_from_before_a_merge() -> None:
    sources = [source(1, "first"), source(2, "first")]
    assert await review([finding(FIRST, 1, 2)], sources) == Review()
    assert await review([finding(FIRST, 101, 2)], sources) == Review()


async def test_the_searches_are_none_of_the_templates_and_in_the_databases_of_the_job() -> None:
    (weak,) = (await review([finding(FIRST)], databases=["pubmed"])).weak
    assert set(weak.searches).isdisjoint(queries_for(FIRST, PLAN.names, ["pubmed"]))
    assert {query.databases for query in weak.searches} == {("pubmed",)}


async def test_an_old_answer_is_searched_for_since() -> None:
    (weak,) = (await review([finding(FIRST, 1, 2)], [source(n, "first", year=2009) for n in (1, 2)])).weak
    assert weak.kinds == (WeaknessKind.OLD,)
    assert weak.reason == "the newest source that it cites is of 2009"
    assert weak.searches[0].since == "2016"


async def test_all_that_is_wrong_is_named() -> None:
    found = await review([finding(FIRST, 1, cut_short=True)], [source(1, "first", year=2009)])
    (weak,) = found.weak
    assert weak.kinds == (WeaknessKind.ONE_SOURCE, WeaknessKind.OLD, WeaknessKind.CUT_OFF)
    assert weak.reason.count("; ") == 2


async def test_no_search_is_named_twice_and_a_question_without_further_ones_not_again() -> None:
    earlier: list[Review] = []
    while (found := await review([finding(FIRST)], earlier=earlier, most=2)).weak:
        earlier.append(found)
    named = [query for one in earlier for weak in one.weak for query in weak.searches]
    assert len(named) == len(set(named)) >= 4
    assert len(earlier) < 10


async def test_the_same_answers_give_the_same_review() -> None:
    findings, sources = [finding(FIRST, 1), finding(SECOND)], [source(1, "first")]
    assert await review(findings, sources) == await review(findings[::-1], sources[::-1])
