"""Reports compiled by a scripted model: whatever it replies, only checked statements stand in them, each once."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import CLAIM, HOSTILE, obedient, obeys
from agents.reports import (
    EFFICACY,
    FINDINGS,
    HEADINGS,
    SAFETY,
    compiling,
    finder,
    finding,
    heading,
    in_order,
    plan,
    role_of,
    statement,
)
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import metered

from storm.agents.compiler import ModelCompiler
from storm.agents.judge import SupportJudge
from storm.extractive import RuleCompiler
from storm.models import (
    Finding,
    Intent,
    Outline,
    OutlinePart,
    Plan,
    Question,
    RecordTable,
    ReportSection,
    SummarySentence,
    Verdict,
)
from storm.models.record_table import TableName
from storm.optimize.report_metrics import outline_metric, section_metric

TABLES = [RecordTable(name=TableName.TRIALS, columns=("a",)), RecordTable(name=TableName.PATENTS, columns=("a",))]


def compiler(lm: Any, findings: Sequence[Finding] = FINDINGS, **options: Any) -> ModelCompiler:
    given = {
        "rule_based": RuleCompiler(),
        "find_source": finder(findings),
        "today": lambda: date(2026, 11, 23),
        **options,
    }
    return ModelCompiler(lm, **given)


async def compiled(
    made: ModelCompiler, findings: Sequence[Finding] = FINDINGS, asked_for: Plan | None = None
) -> tuple[Outline, list[ReportSection]]:
    asked_for = asked_for or plan()
    outline = await made.plan_outline(asked_for, findings, TABLES)
    sections: list[ReportSection] = []
    for part in outline.parts:
        sections.append(await made.write_section(part, outline, asked_for, findings, tuple(sections)))
    return outline, sections


def names(outline: Outline) -> list[str]:
    return [part.heading for part in outline.parts]


def said(sections: Sequence[ReportSection]) -> list[list[str]]:
    return [[s.text for paragraph in section.paragraphs for s in paragraph] for section in sections]


OWN_WORDS = [[statement(n).text for n in (1, 2, 3)], ["Fatigue was common in patients who took zorvimab."]]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_the_model_plans_headings_and_writes_sections_whatever_the_adapter(dialect: str) -> None:
    lm = scripted_lm(compiling(dialect=DIALECTS[dialect]))
    outline, sections = await compiled(compiler(lm, adapter=adapter(dialect)))
    assert names(outline) == ["Survival with zorvimab", "Adverse events"]
    assert outline.title == "Zorvimab in trials"
    assert [part.anchor for part in outline.parts] == ["efficacy", "safety"]
    assert outline.parts[0].tables == (TableName.TRIALS,)
    assert said(sections) == OWN_WORDS
    assert [s.citation_id for s in sections[0].paragraphs[0]] == ["cit_001", "cit_002", "cit_003"]
    assert [role_of(prompt) for prompt in prompts_of(lm)] == ["outline", "section", "section"]


async def test_every_prompt_has_the_day_and_sections_know_what_stands_before() -> None:
    lm = scripted_lm(compiling())
    await compiled(compiler(lm), asked_for=plan(tone="plain", audience="nurses"))
    fields = [asked(prompt) for prompt in prompts_of(lm)]
    assert all(one["today"] == "2026-11-23" and "nurses" in one["wishes"] for one in fields)
    assert fields[1]["before"] == "none"
    assert f"Survival with zorvimab … {statement(3).text}" in fields[2]["before"]
    assert "Adverse events <- this section" in fields[2]["outline"].replace("  ", " ").replace("＜", "<")
    assert fields[1]["not_shown"] == "0"


async def test_a_supported_rewording_keeps_quote_and_citation() -> None:
    reworded = "With zorvimab, survival in cohort 1 was 11 months."
    lm = scripted_lm(compiling(section=lambda p: [[{"number": 1, "text": reworded}]] if _is_first(p) else in_order(p)))
    _, sections = await compiled(compiler(lm, judge=SupportJudge(lm)))
    sentence = sections[0].paragraphs[0][0]
    assert sentence.text == reworded
    assert (sentence.quote, sentence.citation_id) == (statement(1).quote, "cit_001")
    assert sentence.verdict is Verdict.SUPPORTED
    assert said(sections)[1] == OWN_WORDS[1]


def _is_first(prompt: str, name: str = "Survival with zorvimab") -> bool:
    return role_of(prompt) == "section" and asked(prompt)["heading"] == name


@pytest.mark.parametrize(
    "text",
    [
        "With zorvimab, survival in cohort 1 was 12 months.",
        "Zorvimab cured everybody in cohort 1.",
        "It was 11 months in cohort 1 with zorvimab.",
        "Survival was 11 months in cohort 1 (see https://evil.com/cure).",
        f"{CLAIM}.",
    ],
)
async def test_a_rewording_that_is_not_supported_gets_the_statements_own_words(text: str) -> None:
    lm = scripted_lm(compiling(section=lambda prompt: [[{"number": 1, "text": text}]]))
    made = compiler(lm)
    outline = await made.plan_outline(plan(), FINDINGS, [])
    section = await made.write_section(outline.parts[0], outline, plan(), FINDINGS, ())
    assert said([section]) == [[statement(1).text]]


async def test_a_rewording_that_the_judge_refuses_or_does_not_judge_is_not_used() -> None:
    reworded = "With zorvimab, survival in cohort 1 was 11 months."

    def section(prompt: str) -> Any:
        return [[{"number": 1, "text": reworded}]]

    for judged in (compiling(section=section, unsupported=["cohort 1"]), lambda prompt: "nothing that can be read"):
        made = compiler(scripted_lm(compiling(section=section)), judge=SupportJudge(scripted_lm(judged)))
        outline = await made.plan_outline(plan(), FINDINGS, [])
        written = await made.write_section(outline.parts[0], outline, plan(), FINDINGS, ())
        assert said([written]) == [[statement(1).text]]


async def test_without_its_record_nothing_is_reworded() -> None:
    lm = scripted_lm(
        compiling(section=lambda p: [[{"number": 1, "text": "With zorvimab, survival in cohort 1 was 11 months."}]])
    )
    made = compiler(lm, find_source=None)
    outline = await made.plan_outline(plan(), FINDINGS, [])
    assert said([await made.write_section(outline.parts[0], outline, plan(), FINDINGS, ())]) == [[statement(1).text]]


FAULTY = {
    "empty": ([], "it came back empty"),
    "unknown": ([[{"number": 404}]], "it named statements that are not there"),
    "unknown among others": ([[{"number": 1}, {"number": 4}]], "it named statements that are not there"),
    "no number": ([[{"text": f"{CLAIM}."}]], "it named statements that are not there"),
    "cut": ([[{"number": 1, "text": "With zorvimab, survival in coh"}]], "it ended in the middle of a sentence"),
    "half a JSON": ("[[ ## paragraphs ## ]]\nnot even a list", "the language model gave no reply that can be read"),
}


@pytest.mark.parametrize(("reply", "why"), FAULTY.values(), ids=list(FAULTY))
async def test_a_section_with_a_fault_is_written_again_once_then_left_out_and_said(reply: Any, why: str) -> None:
    lm = scripted_lm(compiling(section=lambda prompt: reply if _is_first(prompt) else in_order(prompt)))
    _, sections = await compiled(compiler(lm))
    assert sections[0].paragraphs == () and why in sections[0].left_out
    assert ("written twice" in sections[0].left_out) == ("can be read" not in why)
    asked_again = [asked(prompt)["problems"] for prompt in prompts_of(lm) if _is_first(prompt)]
    assert asked_again[0] == "" and all(asked_again[1:])
    assert sections[1].left_out or sections[1].paragraphs


@pytest.mark.parametrize("reply", [fault for fault, _ in FAULTY.values()], ids=list(FAULTY))
async def test_the_second_reply_is_used_if_it_has_no_fault(reply: Any) -> None:
    lm = scripted_lm(compiling(section=lambda prompt: in_order(prompt) if asked(prompt)["problems"] else reply))
    _, sections = await compiled(compiler(lm))
    assert said(sections) == OWN_WORDS


async def test_the_same_section_twice_is_noticed() -> None:
    lm = scripted_lm(compiling(section=lambda prompt: [[{"number": 1}, {"number": 2}]]))
    _, sections = await compiled(compiler(lm))
    assert said(sections) == [OWN_WORDS[0][:2], []]
    assert "it repeated statements of an earlier section" in sections[1].left_out
    problems = [asked(prompt)["problems"] for prompt in prompts_of(lm)][-1]
    assert "Its statements are: 4" in problems


async def test_a_statement_that_is_named_twice_stands_once() -> None:
    lm = scripted_lm(compiling(section=lambda p: [[{"number": 1}, {"number": 1}], [1, 2]] if _is_first(p) else [[4]]))
    _, sections = await compiled(compiler(lm))
    assert said(sections) == [OWN_WORDS[0][:2], OWN_WORDS[1]]


PLANS_THAT_FIT_NOTHING = {
    "none": [],
    "unknown questions": [heading("Survival", "price"), heading("Safety", "safety", "efficacy")],
    "a question left out": [heading("Survival", "efficacy")],
    "twice": [heading("Survival", "efficacy"), heading("survival", "safety")],
    "nothing under it": [heading("Survival", "efficacy"), heading("Safety", "safety"), heading("Other findings")],
    "a frame": [heading("Introduction", "efficacy"), heading("Safety", "safety")],
    "a claim": [heading(CLAIM, "efficacy"), heading("Safety", "safety")],
    "a verb": [heading("Zorvimab is safe for patients", "efficacy"), heading("Safety", "safety")],
    "a negation": [heading("Zorvimab does not benefit survival", "efficacy"), heading("Safety", "safety")],
    "a comparative": [heading("Longer survival with zorvimab", "efficacy"), heading("Safety", "safety")],
    "a verb of the present": [heading("Zorvimab harms patients", "efficacy"), heading("Safety", "safety")],
    "a figure": [heading("Survival in cohort 1", "efficacy"), heading("Safety", "safety")],
    "too many": [heading(f"Survival in cohort {n}", "efficacy", "safety") for n in range(40)],
    "no mapping": ["Survival", 7],
    "half a JSON": '[[ ## title ## ]]\nZorvimab\n\n[[ ## headings ## ]]\nnot even a list',
}  # fmt: skip


@pytest.mark.parametrize("reply", PLANS_THAT_FIT_NOTHING.values(), ids=list(PLANS_THAT_FIT_NOTHING))
async def test_a_plan_that_fits_nothing_is_asked_for_again_once_then_made_by_rules(reply: Any) -> None:
    lm = scripted_lm(compiling(outline=lambda prompt: reply))
    outline = await compiler(lm).plan_outline(plan(), FINDINGS, TABLES)
    by_rules = await RuleCompiler().plan_outline(plan(), FINDINGS, TABLES)
    assert outline == by_rules.model_copy(update={"note": outline.note})
    assert outline.note.startswith("the model gave no reply that can be ")
    problems = [asked(prompt)["problems"] for prompt in prompts_of(lm)]
    assert problems[0] == "" and all(problems[1:])
    again = scripted_lm(compiling(lambda prompt: HEADINGS if asked(prompt)["problems"] else reply))
    assert names(await compiler(again).plan_outline(plan(), FINDINGS, [])) == [
        "Survival with zorvimab",
        "Adverse events",
    ]


async def test_words_of_digests_and_of_unsupported_statements_are_in_no_heading_and_no_title() -> None:
    wrong = statement(5, "Zorvimab and nephrotoxicity.", verdict=Verdict.UNSUPPORTED)
    findings = [finding(EFFICACY, statement(1), wrong).model_copy(update={"digest": "Of neuropathy."}), FINDINGS[1]]
    for word in ("Nephrotoxicity", "Neuropathy"):
        lm = scripted_lm(compiling(lambda p, word=word: [heading(word, "efficacy", "safety")], title=word))
        outline = await compiler(lm, findings).plan_outline(plan(), findings, [])
        assert word not in names(outline) and outline.note
    lm = scripted_lm(compiling(title="Zorvimab is not safe"))
    by_rules = await RuleCompiler().plan_outline(plan(), FINDINGS, [])
    assert (await compiler(lm).plan_outline(plan(), FINDINGS, [])).title == by_rules.title


async def test_a_heading_may_be_a_wish_or_the_label_of_a_question_whatever_its_words() -> None:
    asking = EFFICACY.model_copy(update={"label": "Does zorvimab work?"})
    headings = [heading("Is it safe?", "safety"), heading("Does zorvimab work?", "efficacy")]
    asked_for = plan(questions=(asking, SAFETY), sections=("Is it safe?",))
    outline = await compiler(scripted_lm(compiling(lambda p: headings))).plan_outline(asked_for, FINDINGS, [])
    assert names(outline) == ["Is it safe?", "Does zorvimab work?"] and not outline.note


async def test_what_rules_did_in_place_of_the_model_is_noted() -> None:
    outline, sections = await compiled(compiler(metered(compiling(), calls=2)))
    assert (outline.note, [section.note for section in sections]) == ("", ["", "the budget was spent"])


@pytest.mark.parametrize("name", HOSTILE)
async def test_orders_in_the_words_of_questions_are_not_obeyed(name: str) -> None:
    asking = EFFICACY.model_copy(update={"label": HOSTILE[name][:200], "description": HOSTILE[name]})
    lm = scripted_lm(compiling())
    await compiled(compiler(lm), asked_for=plan(questions=(asking, SAFETY)))
    assert prompts_of(lm) and not any(map(obeys, prompts_of(lm)))


async def test_sub_headings_share_the_statements_of_their_question() -> None:
    headings = [
        heading("Survival", "efficacy"),
        heading("In one cohort", "efficacy", level=2),
        heading("In other cohorts", "efficacy", level=2),
        heading("Safety", "safety"),
    ]
    lm = scripted_lm(compiling(lambda p: headings, lambda p: [[1]] if _is_first(p, "In one cohort") else in_order(p)))
    outline, sections = await compiled(compiler(lm))
    assert [part.anchor for part in outline.parts] == ["efficacy", "efficacy-2", "efficacy-3", "safety"]
    assert [part.parent for part in outline.parts] == ["", "efficacy", "efficacy", ""]
    assert said(sections) == [[], OWN_WORDS[0][:1], OWN_WORDS[0][1:], OWN_WORDS[1]]
    assert not any(section.left_out for section in sections)


async def test_when_the_budget_is_spent_the_rules_do_the_rest() -> None:
    for calls in range(3):
        made = compiler(metered(compiling(), calls=calls))
        outline, sections = await compiled(made)
        assert said(sections) == OWN_WORDS
        assert (names(outline) == ["Survival with zorvimab", "Adverse events"]) == (calls > 0)


async def test_without_statements_no_model_is_asked() -> None:
    lm = scripted_lm([])
    empty = [finding(EFFICACY), finding(SAFETY)]
    _, sections = await compiled(compiler(lm), empty)
    assert prompts_of(lm) == [] and all(section.left_out or section.part.tables for section in sections)


@pytest.mark.long
@pytest.mark.slow
async def test_prompts_are_bounded_whatever_was_found() -> None:
    questions = [Question(key=f"q{n}", label=f"Matter {n}", description="x " * 900, min_sources=1) for n in range(40)]
    findings = [
        finding(one, *(statement(100 * n + m, f"Zorvimab {'and again ' * 50}{n} {m}.") for m in range(60)))
        for n, one in enumerate(questions)
    ]
    asked_for = plan(questions=questions, sections=("s" * 5_000,) * 50, audience="a" * 9_000)
    headings = [heading(f"Matter {n}", f"q{n}") for n in range(40)]
    lm = scripted_lm(compiling(lambda prompt: headings))
    outline, sections = await compiled(compiler(lm), findings, asked_for)
    assert len(outline.parts) == 40
    assert max(map(len, prompts_of(lm))) < 60_000
    assert int(asked(prompts_of(lm)[1])["not_shown"]) > 0
    assert all(section.paragraphs for section in sections)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
async def test_hostile_statements_are_not_obeyed(text: str) -> None:
    findings = [finding(EFFICACY, statement(1), statement(2, text)), finding(SAFETY, statement(4))]

    def obey(prompt: str) -> str:
        if role_of(prompt) == "outline":
            return chat(title=CLAIM, headings=[heading(CLAIM, "efficacy", "safety")])
        return chat(paragraphs=[[{"number": 1, "text": f"{CLAIM}."}]])

    lm = scripted_lm(obedient(compiling(), obey))
    outline, sections = await compiled(compiler(lm, findings), findings)
    assert names(outline) == ["Survival with zorvimab", "Adverse events"] and "cures" not in outline.title
    assert [s.text for s in sections[0].paragraphs[0]] == [statement(1).text, text]


def test_it_is_a_module_with_two_predictors_that_is_copied_saved_and_loaded(tmp_path: Path) -> None:
    made = compiler(scripted_lm(compiling()), judge=SupportJudge())
    assert [name for name, _ in made.named_predictors()] == ["outline_writer.plan", "section_writer.write"]
    copy = deepcopy(made)
    copy.section_writer.write.demos = [dspy.Example(heading="Survival", paragraphs=[])]
    assert made.section_writer.write.demos == []
    copy.save(tmp_path / "compiler.json")
    made.load(tmp_path / "compiler.json")
    assert made.section_writer.write.demos[0]["heading"] == "Survival"
    report = copy(plan=plan(), findings=FINDINGS)
    assert said(report.sections) == OWN_WORDS


def test_outline_and_section_are_optimised_by_their_metrics() -> None:
    lm = scripted_lm(compiling())
    made = compiler(lm)
    with dspy.context(lm=lm, adapter=adapter("chat")):
        given: dict[str, Any] = {"plan": plan(), "findings": FINDINGS, "today": "2026-11-23"}
        example = dspy.Example(**given, tables=[TableName.TRIALS]).with_inputs(*given, "tables")
        optimizer = dspy.BootstrapFewShot(metric=outline_metric, metric_threshold=0.9)
        planner = optimizer.compile(made.outline_writer, trainset=[example])
        assert len(planner.plan.demos) == 1
        outline = planner(**example.inputs()).outline
        own = tuple(SummarySentence.place(one, "efficacy") for one in FINDINGS[0].answer.statements)
        by_rules = ReportSection(part=outline.parts[0], paragraphs=(own,))
        given |= {"section": by_rules, "outline": outline, "before": (), "hits": {}}
        optimizer = dspy.BootstrapFewShot(metric=section_metric, metric_threshold=0.6)
        writer = optimizer.compile(made.section_writer, trainset=[dspy.Example(**given).with_inputs(*given)])
        assert len(writer.write.demos) == 1


async def test_an_intent_is_named_in_the_prompt() -> None:
    for intent in Intent:
        lm = scripted_lm(compiling())
        await compiler(lm).plan_outline(plan(intent), FINDINGS, [])
        assert asked(prompts_of(lm)[0])["kind"].startswith(("a ", "an "))


# A report that is one answer


ANSWER = Outline(
    title="Does zorvimab prolong survival?",
    parts=(OutlinePart(anchor="answer", heading="Answer", questions=("efficacy", "safety")),),
)


async def answered(lm: Any) -> ReportSection:
    return await compiler(lm).write_section(ANSWER.parts[0], ANSWER, plan(), FINDINGS, ())


def first_only(prompt: str) -> Any:
    """A section of the first statement shown, in its own words."""
    return [{"sentences": in_order(prompt)[0]["sentences"][:1]}]


async def test_an_answer_is_written_to_its_question_and_by_its_items() -> None:
    lm = scripted_lm(compiling())
    await answered(lm)
    shown = asked(prompts_of(lm)[0])
    assert shown["wishes"].startswith("The report is this one section: the answer to the question in the outline.")
    assert "Does zorvimab prolong survival?" in shown["outline"] and "Safety: 4" in shown["outline"]
    assert shown["heading"] == "Answer"


async def test_an_answer_addresses_every_item_with_statements_that_were_checked() -> None:
    section = await answered(scripted_lm(compiling(section=first_only)))
    placed = [one for paragraph in section.paragraphs for one in paragraph]
    assert [one.question for one in placed] == ["efficacy", "safety"] and not section.note
    assert {one.text for one in placed} <= {one.text for found in FINDINGS for one in found.answer.statements}


@pytest.mark.parametrize("reply", [[], [{"sentences": [{"number": 99}]}], "[[ ## para"])
async def test_an_answer_that_cannot_be_written_is_that_of_the_rules_and_says_so(reply: Any) -> None:
    section = await answered(scripted_lm(compiling(section=lambda _: reply)))
    assert section.paragraphs and not section.left_out
    assert section.note == "the model gave no reply that can be used"


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_the_question_of_an_answer_are_not_obeyed(name: str) -> None:
    lm = scripted_lm(compiling())
    outline = ANSWER.model_copy(update={"title": HOSTILE[name]})
    await compiler(lm).write_section(outline.parts[0], outline, plan(), FINDINGS, ())
    assert not any(map(obeys, prompts_of(lm)))
