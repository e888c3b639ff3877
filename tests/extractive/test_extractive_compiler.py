"""A report without a model: headings that fit its question, and each statement in one section at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from extractive.reports import EFFICACY, MARKET, SAFETY, finding, plan, question, statement, texts
from hypothesis import given
from hypothesis import strategies as st

from storm.extractive import RuleCompiler
from storm.models import (
    Conflict,
    Finding,
    Hit,
    Intent,
    Outline,
    OutlinePart,
    Plan,
    RecordTable,
    ReportSection,
    Source,
    Verdict,
)
from storm.models.record_table import TableName

TABLES = [RecordTable(name=name, columns=("a",)) for name in TableName]
FINDINGS = [
    finding(EFFICACY, statement(1), statement(2)),
    finding(SAFETY, statement(3, "Fatigue was common with zorvimab."), statement(2)),
    finding(MARKET),
]


async def compiled(
    asked: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable] = (), compiler: Any = None
) -> tuple[Outline, list[ReportSection]]:
    compiler = compiler or RuleCompiler()
    outline = await compiler.plan_outline(asked, findings, tables)
    sections: list[ReportSection] = []
    for part in outline.parts:
        sections.append(await compiler.write_section(part, outline, asked, findings, tuple(sections)))
    return outline, sections


def headings(outline: Outline) -> list[str]:
    return [part.heading for part in outline.parts]


async def test_a_survey_has_a_section_for_each_question_by_importance() -> None:
    outline, sections = await compiled(plan(MARKET, SAFETY, EFFICACY), FINDINGS)
    assert headings(outline) == ["Clinical efficacy", "Clinical safety", "Market status"]
    assert [part.anchor for part in outline.parts] == ["clinical.efficacy", "clinical.safety", "market.status"]
    assert [s.question for s in sections[0].paragraphs[0]] == ["clinical.efficacy"] * 2
    assert texts(sections[1]) == [["Fatigue was common with zorvimab."]]
    assert sections[2].paragraphs == () and "No source that was found" in sections[2].left_out


async def test_sub_questions_stand_under_the_question_they_are_part_of() -> None:
    heart = question("safety.heart", "Heart", parent="clinical.safety")
    valve = question("safety.valve", "Valves", parent="safety.heart")
    outline, _ = await compiled(plan(SAFETY, heart, valve), [])
    assert [(part.anchor, part.parent) for part in outline.parts] == [
        ("clinical.safety", ""), ("safety.heart", "clinical.safety"), ("safety.valve", "clinical.safety"),
    ]  # fmt: skip


@pytest.mark.parametrize(("heading", "matched"), [("Harms", "clinical.safety"), ("Availability", "market.status")])
async def test_a_section_that_the_reader_wants_has_the_question_that_it_asks_in_other_words(
    heading: str, matched: str
) -> None:
    outline, _ = await compiled(plan(EFFICACY, SAFETY, MARKET, sections=(heading,)), FINDINGS)
    assert (outline.parts[0].heading, outline.parts[0].questions) == (heading, (matched,))


async def test_a_fact_has_one_section_with_the_most_important_answer_first() -> None:
    outline, sections = await compiled(plan(SAFETY, EFFICACY, intent=Intent.FACT), FINDINGS)
    assert headings(outline) == ["Answer"]
    assert [paragraph[0].question for paragraph in sections[0].paragraphs] == ["clinical.efficacy", "clinical.safety"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How does zorvimab compare with its biosimilars in efficacy?", "zorvimab compared with its biosimilars"),
        ("What trials found on survival with zorvimab versus old care", "zorvimab compared with old care"),
        ("The difference between zorvimab and placebo", "zorvimab compared with placebo"),
        ("Is zorvimab better than placebo?", "zorvimab compared with placebo"),
        ("Is zorvimab more effective than placebo in women", "zorvimab compared with placebo"),
        ("Which is safer, zorvimab or placebo?", "zorvimab compared with placebo"),
        ("Compare zorvimab and placebo.", "zorvimab compared with placebo"),
    ],
)
async def test_headings_of_a_comparison_say_what_is_compared_with_what_and_by_what(asked: str, said: str) -> None:
    outline, _ = await compiled(plan(question("efficacy", "Efficacy", asked), SAFETY, intent=Intent.COMPARISON), [])
    assert headings(outline) == [f"Efficacy: {said}", f"Clinical safety: {said}"]


async def test_a_comparison_of_nothing_that_is_named_says_that_it_compares() -> None:
    outline, _ = await compiled(plan(EFFICACY, intent=Intent.COMPARISON), [])
    assert headings(outline) == ["Clinical efficacy compared"]


async def test_an_opinion_has_what_speaks_for_and_against_it() -> None:
    asked = [MARKET, SAFETY, EFFICACY, question("cost", "Costs")]
    outline, _ = await compiled(plan(*asked, intent=Intent.OPINION), [])
    tops = [part.heading for part in outline.parts if not part.parent]
    assert tops == ["Benefits", "Risks and limits", "Further considerations"]
    assert [part.heading for part in outline.parts if part.parent == "part-risks"] == ["Costs", "Clinical safety"]


async def test_the_readers_sections_come_first_with_the_questions_they_match() -> None:
    asked = plan(EFFICACY, SAFETY, MARKET, sections=("Adverse events", "Cost in Peru"))
    outline, sections = await compiled(asked, FINDINGS)
    assert headings(outline) == ["Adverse events", "Cost in Peru", "Clinical efficacy", "Market status"]
    assert outline.parts[0].questions == ("clinical.safety",)
    assert sections[1].left_out == "No question was researched under this heading."


async def test_headings_and_anchors_are_unique() -> None:
    asked = plan(question("a", "Safety"), question("b", "Safety "), question("c", "SAFETY"), sections=("safety",))
    outline, _ = await compiled(asked, [])
    assert len({heading.casefold() for heading in headings(outline)}) == len(outline.parts)
    assert len({part.anchor for part in outline.parts}) == len(outline.parts)


async def test_tables_stand_once_under_the_part_they_serve() -> None:
    outline, sections = await compiled(plan(), FINDINGS, TABLES)
    placed = {part.anchor: part.tables for part in outline.parts}
    assert placed == {
        "clinical.efficacy": (TableName.TRIALS, TableName.EFFECT_SIZES, TableName.COMPARISONS),
        "clinical.safety": (TableName.ADVERSE_EVENTS,),
        "market.status": (TableName.APPROVALS, TableName.PATENTS, TableName.BIOSIMILARS),
    }
    assert sections[2].left_out == ""


async def test_labels_that_are_narrowed_to_one_thing_compare_the_subject_with_it() -> None:
    asked = plan(question("efficacy", "Efficacy: biosimilars"), SAFETY, intent=Intent.COMPARISON)
    outline, _ = await compiled(asked, [])
    said = "zorvimab compared with biosimilars"
    assert headings(outline) == [f"Efficacy: {said}", f"Clinical safety: {said}"]
    several = plan(question("efficacy", "Efficacy: biosimilars, children"), intent=Intent.COMPARISON)
    assert headings((await compiled(several, []))[0]) == ["Efficacy: biosimilars, children compared"]


async def test_what_a_comparison_is_of_draws_no_table_to_a_heading() -> None:
    asked = plan(
        question("moa", "Mechanism", "How zorvimab compares with its biosimilars"), MARKET, intent=Intent.COMPARISON
    )
    outline, _ = await compiled(asked, [], [RecordTable(name=TableName.APPROVALS, columns=("a",))])
    assert [part.tables for part in outline.parts] == [(), (TableName.APPROVALS,)]


async def test_many_statements_are_split_into_those_in_people_and_those_in_animals() -> None:
    people = [statement(n) for n in range(1, 5)]
    animals = [statement(n, f"Zorvimab shrank tumours in mice of group {n}.") for n in range(5, 8)]
    findings = [finding(EFFICACY, *animals, *people)]
    outline, sections = await compiled(plan(EFFICACY), findings, TABLES[:1])
    assert headings(outline) == [
        "Clinical efficacy", "Clinical efficacy in people", "Clinical efficacy in animals or cells",
    ]  # fmt: skip
    assert outline.parts[1].tables == (TableName.TRIALS,)
    assert [len(paragraph) for section in sections for paragraph in section.paragraphs] == [4, 3]
    assert not any(section.left_out for section in sections)
    few = [finding(EFFICACY, animals[0], *people)]
    outline, sections = await compiled(plan(EFFICACY), few)
    assert [len(paragraph) for paragraph in sections[0].paragraphs] == [4, 1]


@pytest.mark.parametrize(
    ("length", "most"), [("short", 4), ("two pages", 8), ("1 page", 4), ("500 words", 4), ("", 12), ("long", 12)]
)
async def test_the_length_that_the_reader_wants_bounds_a_section(length: str, most: int) -> None:
    findings = [finding(one, *(statement(100 * n + m) for m in range(12))) for n, one in enumerate((EFFICACY, SAFETY))]
    _, sections = await compiled(plan(EFFICACY, SAFETY, MARKET, length=length), findings)
    assert [sum(map(len, section.paragraphs)) for section in sections] == [most, most, 0]


async def test_statements_that_are_disputed_or_not_supported_stay_among_the_findings() -> None:
    sides = Conflict(trial="", endpoint="survival", statements=(statement(8), statement(9)))
    unsupported = statement(7, verdict=Verdict.UNSUPPORTED)
    findings = [finding(EFFICACY, unsupported, conflicts=[sides]), finding(SAFETY, statement(8))]
    _, sections = await compiled(plan(EFFICACY, SAFETY), findings)
    assert [section.paragraphs for section in sections] == [(), ()]
    assert all("where they disagree" in section.left_out for section in sections)


async def test_the_strongest_source_is_read_first() -> None:
    def found(number: int, *types: str) -> Source:
        hit = Hit.of("pubmed", str(number), "", f"Zorvimab {number}", text="It worked.", publication_types=types)
        return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(EFFICACY.key,))

    sources = {one.source_id: one for one in (found(1, "Case Reports"), found(2, "Randomized Controlled Trial"))}

    async def find(source_id: str) -> Source | None:
        return sources.get(source_id)

    remarked = statement(3, remark="about: other")
    findings = [finding(EFFICACY, remarked, statement(1), statement(2))]
    _, sections = await compiled(plan(EFFICACY), findings, compiler=RuleCompiler(find))
    assert [s.source_ids[0] for s in sections[0].paragraphs[0]] == ["src_002", "src_001", "src_003"]


KINDS = st.sampled_from([EFFICACY, SAFETY, MARKET, question("cost", "Costs"), question("a", "Costs")])


@given(
    asked=st.lists(KINDS, min_size=1, unique_by=lambda q: q.key),
    numbers=st.lists(st.lists(st.integers(1, 20), max_size=12), min_size=5, max_size=5),
    intent=st.sampled_from(Intent),
    sections=st.lists(st.sampled_from(["Safety", "Costs", "costs", "Efficacy and safety", "Other"]), max_size=3),
    length=st.sampled_from(["", "short", "one page"]),
)
async def test_every_statement_stands_once_or_stays_among_the_findings(
    asked: list[Any], numbers: list[list[int]], intent: Intent, sections: list[str], length: str
) -> None:
    findings = [
        finding(one, *(statement(n, f"In mice {n} it worked." if n % 3 else "") for n in own))
        for one, own in zip(asked, numbers, strict=False)
    ]
    outline, written = await compiled(
        plan(*asked, intent=intent, sections=tuple(sections), length=length), findings, TABLES
    )
    placed = [s for section in written for paragraph in section.paragraphs for s in paragraph]
    known = {s.identity for one in findings for s in one.answer.statements}
    assert len({s.identity for s in placed}) == len(placed)
    assert {s.identity for s in placed} <= known
    if not length:
        assert len(placed) == len(known)
    assert len({part.anchor for part in outline.parts}) == len({*headings(outline)}) == len(outline.parts)
    tables = [table for part in outline.parts for table in part.tables]
    assert len(set(tables)) == len(tables)


async def test_a_short_answer_has_a_sentence_of_each_question_and_the_first_gets_the_rest() -> None:
    efficacy = finding(EFFICACY, *(statement(n) for n in range(1, 9)))
    safety = finding(SAFETY, *(statement(n) for n in range(11, 19)))
    part = OutlinePart(anchor="answer", heading="Answer", questions=(EFFICACY.key, SAFETY.key))
    asked = plan(EFFICACY, SAFETY)
    section = await RuleCompiler(most=6).write_section(part, Outline(parts=(part,)), asked, [efficacy, safety], ())
    said = [sentence.question for paragraph in section.paragraphs for sentence in paragraph]
    assert said == [EFFICACY.key] * 5 + [SAFETY.key]
