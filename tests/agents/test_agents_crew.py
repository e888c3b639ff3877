"""The models of a job made ready: what of them is kept in its store."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from agents.jobs import open_job
from agents.openai_server import UNKNOWN, ModelServer, answer
from agents.reports import FINDINGS, HEADINGS, compiling, finder, plan, statement
from agents.writers import EFFICACY, PLAN, collected, honest, source
from fault_server import Reply, Seen

from storm.agents.crew import ModelCrew
from storm.agents.scripted import SCRIPTED, ScriptedModel
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


async def test_a_crew_compiles_with_its_writer_and_digests_are_charged_to_their_question() -> None:
    model = ScriptedModel(compiling())
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(), make=model.make_lm)
    asked_for = plan()
    compiler = crew.compiler(RuleCompiler(), finder(), temperature=0.1)
    outline = await compiler.plan_outline(asked_for, FINDINGS, [])
    section = await compiler.write_section(outline.parts[0], outline, asked_for, FINDINGS, ())
    assert outline.parts[0].heading == HEADINGS[0]["heading"] and section.paragraphs
    long = Answer(question="efficacy", statements=tuple(statement(n) for n in range(1, 30)))
    assert await crew.digester(RuleDigester()).digest(asked_for.syllabus.questions[0], long, asked_for)
    calls = {(row.role, row.question): row.calls for row in crew.list_spending()}
    assert calls["writer", "efficacy"] == 1 and calls["writer", None] >= 2


async def test_a_crew_whose_budget_is_spent_compiles_by_rules() -> None:
    model = ScriptedModel(compiling())
    crew = await ModelCrew.prepare(SCRIPTED, JobLimits(tokens=1), make=model.make_lm)
    outline = await crew.compiler(RuleCompiler()).plan_outline(plan(), FINDINGS, [])
    assert outline == await RuleCompiler().plan_outline(plan(), FINDINGS, [])
