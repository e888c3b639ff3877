"""The models of a job made ready: what of them is kept in its store."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from agents import checklist_roles, repurposing_roles
from agents.jobs import open_job
from agents.openai_server import UNKNOWN, ModelServer, answer
from agents.reports import FINDINGS as ANSWERED
from agents.reports import HEADINGS, compiling, finder, plan, statement
from agents.research_roles import (
    BY_RULES,
    FINDINGS,
    REQUEST,
    REVIEW,
    SETTINGS,
    RulePlanner,
    RuleQueryWriter,
    RuleReflector,
)
from agents.scripted import asked, chat
from agents.writers import EFFICACY, PLAN, collected, honest, source
from fault_server import Reply, Seen

from storm import wording
from storm.agents.crew import ModelCrew
from storm.agents.program import DeepResearchProgram, RepurposingProgram, ResearchProgram, to_saved_program
from storm.agents.scripted import SCRIPTED, Script, ScriptedModel
from storm.errors import BudgetSpent
from storm.extractive import RuleCompiler, RuleDigester
from storm.models import Answer, JobLimits


def honestly(seen: Seen) -> Reply:
    """What an honest model answers to a request, and to one that is none."""
    prompt = "\n\n".join(message["content"] for message in seen.json["messages"])
    tokens = len(prompt) // 4
    return answer(honest()(prompt) if "Respond with" in prompt else "yes", prompt=tokens)


@pytest.mark.parametrize("limits", [{"calls": 40}, {"tokens": 120_000}])
async def test_a_job_that_meets_its_limit_while_gathering_has_statements_and_they_are_judged(
    limits: dict[str, Any],
) -> None:
    questions = [EFFICACY.model_copy(update={"key": f"question.{n}", "description": f"No. {n}"}) for n in range(6)]
    async with ModelServer(honestly) as server, open_job() as job:
        choice = server.choice(UNKNOWN, context=32_000, max_tokens=1_000)
        models = dict.fromkeys(("agent", "writer", "judge"), choice)
        crew = await ModelCrew.prepare(models, JobLimits(**limits), journal=job.journal)
        with suppress(BudgetSpent):
            for number in range(1_000):
                await crew.lm("agent").acall(f"{number} " + "word " * 2_000)
        writer = crew.synthesizer()
        cases = [[source(10 * n + m, f"Case {n} of {m} went well.") for m in range(1, 9)] for n in range(6)]
        answers = await asyncio.gather(
            *(writer.answer(collected(q, own), PLAN) for q, own in zip(questions, cases, strict=True))
        )
    written = [answer.counts for answer in answers if answer.counts.supported or answer.counts.unjudged]
    assert len(written) >= 5 and sum(counts.supported for counts in written) >= 40
    assert not any(counts.unjudged for counts in written)
    assert crew.has_refused_call


async def test_questions_with_the_same_statements_have_them_judged_once() -> None:
    questions = [EFFICACY.model_copy(update={"key": f"question.{n}", "description": f"No. {n}"}) for n in range(4)]
    sources = [source(1, "Zorvimab was well tolerated by all."), source(2, "Response to zorvimab was 22%.")]
    async with ModelServer(honestly) as server, open_job() as job:
        models = dict.fromkeys(("agent", "writer", "judge"), server.choice(UNKNOWN, context=32_000))
        crew = await ModelCrew.prepare(models, JobLimits(), journal=job.journal)
        writer = crew.synthesizer()
        answers = await asyncio.gather(*(writer.answer(collected(question, sources), PLAN) for question in questions))
    assert [answer.counts.supported for answer in answers] == [2] * 4
    assert {row.role: row.calls for row in crew.list_spending() if row.role == "judge"} == {"judge": 1}


async def test_what_a_trial_showed_is_kept_without_what_could_be_a_key_and_not_tried_again() -> None:
    async with ModelServer(answer()) as server, open_job() as job:
        choice = server.choice(UNKNOWN, context=None)
        secret = choice.model_copy(update={"api_base": f"{server.base}?key=verysecret"})
        server.on("/v1", answer())  # where a client goes that puts its path behind the query
        for _ in range(2):
            await ModelCrew.prepare({"agent": secret}, JobLimits(), journal=job.journal)
        (kept,) = [text for name, text in (await job.journal.stages()).items() if name == "trials"]
        tried = [seen for seen in server.requests if seen.method == "POST"]
    assert f"{UNKNOWN} {server.base}" in kept and "verysecret" not in kept
    assert len(tried) == 1


async def test_a_crew_knows_whether_another_model_judges_what_was_written() -> None:
    async with ModelServer(answer()) as server:
        one = server.choice("openai/one")
        other = one.model_copy(update={"name": "openai/other"})
        alone = await ModelCrew.prepare({"agent": one, "writer": one, "judge": one}, JobLimits())
        apart = await ModelCrew.prepare({"agent": one, "writer": one, "judge": other}, JobLimits())
    assert (alone.judged_by_writer, apart.judged_by_writer) == (True, False)


@pytest.mark.slow
async def test_the_model_of_vectors_is_named_and_is_asked_nothing_as_a_language_model() -> None:
    async with ModelServer(answer()) as server:
        models = {"agent": server.choice("openai/one"), "embedder": server.choice("openai/vectors")}
        ModelCrew.check(models, JobLimits())
        crew = await ModelCrew.prepare(models, JobLimits())
        asked = {call["model"] for call in server.calls}
    assert crew.engine == "openai/one as agent; openai/vectors as embedder"
    assert asked <= {"one"}


class _Scripted:
    """A crew whose models all answer from one script, within so many calls; its prompts are in `model`."""

    def __init__(self, script: Script) -> None:
        self.model = ScriptedModel(script)

    async def prepare(self, **limits: Any) -> ModelCrew:
        return await ModelCrew.prepare(SCRIPTED, JobLimits(**limits), make=self.model.make_lm)


def _reply_of_each(prompt: str) -> str:
    fields = asked(prompt)
    if "planned_by_rules" in fields:
        question = {"label": "Dose", "description": "The dose of zorvimab", "search_words": ["dose"]}
        return chat(
            intent="fact", complexity="simple", is_biomedical=True, also_look_up=[], preferences={},
            questions=[question],
        )  # fmt: skip
    return chat(weak=[]) if "answers" in fields else chat(searches=["survival"]) if "question" in fields else "yes"


async def test_planner_query_writer_and_reviewer_are_the_agent_at_the_temperature_of_the_settings() -> None:
    crew = await _Scripted(_reply_of_each).prepare()
    before = {row.role: row.calls for row in crew.list_spending()}
    planner = crew.question_planner(RulePlanner(), SETTINGS)
    assert (await planner.plan(REQUEST)).syllabus.keys == ("dose",)
    await crew.query_writer(RuleQueryWriter(), SETTINGS).write_queries(EFFICACY, PLAN)
    await crew.reflector(RuleReflector(), SETTINGS).review(PLAN, FINDINGS[:1], (), ())
    spent = [(row.role, row.question, row.calls) for row in crew.list_spending() if row.question]
    assert spent == [("agent", EFFICACY.key, 1)]
    agent = sum(row.calls for row in crew.list_spending() if row.role == "agent")
    assert agent - before.get("agent", 0) == 3
    assert not any("made by rules" in remark for remark in crew.list_remarks())


async def test_temperature_is_that_of_the_settings_except_for_models_that_take_none() -> None:
    scripted = _Scripted(_reply_of_each)
    settings = SETTINGS.model_copy(update={"temperature": 0.7})
    crew = await scripted.prepare()
    crew.question_planner(RulePlanner(), settings)
    assert crew._lm_at("agent", settings.temperature).kwargs["temperature"] == 0.7
    crew.lm("agent").kwargs["max_completion_tokens"] = 16_000
    assert crew._lm_at("agent", settings.temperature).kwargs.get("temperature") is None


async def test_answers_are_written_at_the_temperature_of_research_or_at_that_of_the_writer() -> None:
    crew = await _Scripted(_reply_of_each).prepare()
    own, freer = crew.synthesizer(), crew.synthesizer(temperature=0.7)
    assert [_temperature_of(one) for one in (own, freer)] == [crew.lm("writer").kwargs["temperature"], 0.7]


def _temperature_of(synthesizer: Any) -> float | None:
    temperature: float | None = synthesizer._synthesizer._lm.kwargs["temperature"]
    return temperature


async def test_without_budget_rules_do_the_work_and_the_dossier_says_so() -> None:
    crew = await _Scripted(_reply_of_each).prepare(calls=1)
    with suppress(BudgetSpent):
        await crew.lm("agent").acall("a first call")
    writer = crew.query_writer(RuleQueryWriter(), SETTINGS)
    assert await writer.write_queries(EFFICACY, PLAN) == (BY_RULES,)
    assert (crew.explain_rules(EFFICACY.key), crew.explain_rules("other")) == ("the budget was spent", "")
    review = await crew.reflector(RuleReflector(), SETTINGS).review(PLAN, FINDINGS[:1], (), ())
    assert review == REVIEW.model_copy(update={"note": "the budget was spent"})
    answer = await crew.synthesizer().answer(collected(EFFICACY, [source(1, "")]), PLAN)
    assert answer.cut_short and wording.BUDGET_SPENT in answer.gaps


async def test_a_crew_compiles_with_its_writer_and_digests_are_charged_to_their_question() -> None:
    model = ScriptedModel(compiling())
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(), make=model.make_lm)
    asked_for = plan()
    compiler = crew.compiler(RuleCompiler(), SETTINGS, finder())
    outline = await compiler.plan_outline(asked_for, ANSWERED, [])
    section = await compiler.write_section(outline.parts[0], outline, asked_for, ANSWERED, ())
    assert outline.parts[0].heading == HEADINGS[0]["heading"] and section.paragraphs
    long = Answer(question="efficacy", statements=tuple(statement(n) for n in range(1, 30)))
    assert await crew.digester(RuleDigester(), SETTINGS).digest(asked_for.syllabus.questions[0], long, asked_for)
    calls = {(row.role, row.question): row.calls for row in crew.list_spending()}
    assert calls["writer", "efficacy"] == 1 and calls["writer", None] >= 2


async def test_a_crew_whose_budget_is_spent_compiles_by_rules() -> None:
    model = ScriptedModel(compiling())
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(tokens=1), make=model.make_lm)
    outline = await crew.compiler(RuleCompiler(), SETTINGS).plan_outline(plan(), ANSWERED, [])
    by_rules = await RuleCompiler().plan_outline(plan(), ANSWERED, [])
    assert outline == by_rules.model_copy(update={"note": "the budget was spent"})


def _play(prompt: str) -> str:
    """What each role of a research job is to reply."""
    fields = asked(prompt)
    if fields.keys() & {"findings", "outline", "pairs", "words"}:
        return compiling()(prompt)
    return honest()(prompt) if "records" in fields or "statements" in fields else _reply_of_each(prompt)


async def test_each_role_of_research_works_with_the_saved_predictor_of_its_name() -> None:
    program = ResearchProgram()
    for name, predictor in program.named_predictors():
        predictor.signature = predictor.signature.with_instructions(f"MARKED {name}.")
    saved = to_saved_program(
        program, name="deep", optimizer="gepa", created=datetime(2026, 11, 23, tzinfo=UTC), scores={}
    )
    model = ScriptedModel(_play)
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(), saved, make=model.make_lm)
    await crew.question_planner(RulePlanner(), SETTINGS).plan(REQUEST)
    await crew.query_writer(RuleQueryWriter(), SETTINGS).write_queries(EFFICACY, PLAN)
    await crew.synthesizer().answer(collected(EFFICACY, [source(n, f"Response {n} was seen.") for n in (1, 2)]), PLAN)
    await crew.reflector(RuleReflector(), SETTINGS).review(PLAN, FINDINGS[:1], (), ())
    compiler, asked_for = crew.compiler(RuleCompiler(), SETTINGS, finder()), plan()
    outline = await compiler.plan_outline(asked_for, ANSWERED, [])
    await compiler.write_section(outline.parts[0], outline, asked_for, ANSWERED, ())
    long = Answer(question="efficacy", statements=tuple(statement(n) for n in range(1, 30)))
    await crew.digester(RuleDigester(), SETTINGS).digest(asked_for.syllabus.questions[0], long, asked_for)
    used = {name for name, _ in program.named_predictors() if any(f"MARKED {name}." in p for p in model.prompts)}
    assert used == {name for name, _ in program.named_predictors()}
    assert crew.engine.endswith("; program deep (gepa)")


def _play_hypotheses(prompt: str) -> str:
    fields = asked(prompt)
    if "planned_by_rules" in fields:
        return chat(hypotheses=[])
    if "judged_by_rules" in fields:
        return chat(mechanism={"score": 1}, clinical={"score": 1}, confidence=0.5, is_enough=True, searches=[])
    return chat(sentences=[]) if "counts" in fields else _play(prompt)


async def test_each_role_on_hypotheses_works_with_the_saved_predictor_of_its_name() -> None:
    program = RepurposingProgram()
    for name, predictor in program.named_predictors():
        predictor.signature = predictor.signature.with_instructions(f"MARKED {name}.")
    saved = to_saved_program(
        program, name="new", optimizer="gepa", created=datetime(2026, 11, 23, tzinfo=UTC), scores={}
    )
    model = ScriptedModel(_play_hypotheses)
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(), saved, make=model.make_lm)
    rules, last = repurposing_roles.Rules(), repurposing_roles.played()
    given = (repurposing_roles.FINDINGS, repurposing_roles.SOURCES)
    await crew.hypothesizer(rules, SETTINGS).propose(repurposing_roles.PLAN, *given, ())
    await crew.hypothesis_judge(rules, SETTINGS).judge(repurposing_roles.PLAN, last.tested, *given, ())
    await crew.repurposing_summary(rules, SETTINGS).write_summary(repurposing_roles.PLAN, last, *given)
    used = {name for name, _ in program.named_predictors() if any(f"MARKED {name}." in p for p in model.prompts)}
    assert used == {"hypothesizer", "hypothesis_judge", "summary"}
    assert crew.hypothesizer(rules, SETTINGS)._lm.kwargs["temperature"] == SETTINGS.temperature


def _play_checklist(prompt: str) -> str:
    fields = asked(prompt)
    if "refined_by_rules" in fields:
        return chat(question=checklist_roles.REFINED.text, scope_in=[], scope_out=[], key_terms=[])
    if "fewest" in fields:
        return chat(is_biomedical=True, checklist=[])
    return chat(pubmed_searches=[], web_searches=[]) if "item" in fields else chat(judgements=[])


async def test_each_role_of_a_checklist_works_with_the_saved_predictor_of_its_name() -> None:
    program = DeepResearchProgram()
    for name, predictor in program.named_predictors():
        predictor.signature = predictor.signature.with_instructions(f"MARKED {name}.")
    saved = to_saved_program(
        program, name="new", optimizer="gepa", created=datetime(2026, 11, 23, tzinfo=UTC), scores={}
    )
    model = ScriptedModel(_play_checklist)
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(), saved, make=model.make_lm)
    rules, own = checklist_roles.Rules(), checklist_roles.PLAN
    refined = await crew.refiner(rules, SETTINGS).refine(checklist_roles.REQUEST)
    await crew.checklist_planner(rules, SETTINGS).plan(checklist_roles.REQUEST, refined)
    await crew.item_query_writer(rules, SETTINGS).write_queries(checklist_roles.EFFECT, own)
    await crew.checklist_judge(rules, SETTINGS).judge(own, checklist_roles.FINDINGS, checklist_roles.SOURCES, ())
    used = {name for name, _ in program.named_predictors() if any(f"MARKED {name}." in p for p in model.prompts)}
    assert used == {"refiner", "checklist_planner", "item_query_writer", "checklist_judge"}
    assert crew.explain_rules(checklist_roles.EFFECT.key) == "the model gave no reply that can be used"
    spent = {row.question for row in crew.list_spending() if row.amounts.calls}
    assert checklist_roles.EFFECT.key in spent, "searches are charged to their item"


async def test_a_rehearsal_at_its_own_temperature_has_it_in_every_role_but_the_judges() -> None:
    crew = (await _Scripted(_reply_of_each).prepare()).with_program(ResearchProgram(), temperature=0.9)
    assert [crew._lm_at(role, 0.1).kwargs["temperature"] for role in ("agent", "writer")] == [0.9, 0.9]
    assert crew.lm("judge").kwargs["temperature"] != 0.9
