"""A drug's dossier: plan, gather, check the sources, answer each question, compile."""

from __future__ import annotations

from collections.abc import Sequence

from storm.errors import StormError
from storm.models import Answer, Dossier, Plan, Question, StopReason
from storm.models.changes import CarriedSources
from storm.modes.answer_check import check_answer
from storm.modes.compilation import compile_job
from storm.modes.planning import make_plan
from storm.modes.run import Provisional, Run
from storm.modes.update import carry_sources, find_kept_answers, read_previous_version
from storm.tools import finalize_sources


async def write_dossier(run: Run) -> Dossier:
    """The job's dossier. If the model failed while gathering, the dossier is written from what is there, but the later
    steps are not stored: a resume gathers again. An update first takes over the sources of the job that it updates."""
    plan = await make_plan(run)
    carried = await carry_sources(run, plan)
    stopped = await run.step("gather", StopReason, lambda: _gather_sources(run, plan), inputs={"plan": plan})
    await run.step("check", type(None), run.crew.checker.check, inputs={"plan": plan})
    answers = await run.step(
        "answer", tuple[Answer, ...], lambda: _answer_questions(run, plan, carried), inputs={"plan": plan}
    )
    return await run.step(
        "report", Dossier, lambda: _compile_report(run, plan, stopped, answers, carried),
        inputs={"plan": plan, "answers": answers},
    )  # fmt: skip


async def _gather_sources(run: Run, plan: Plan) -> StopReason | Provisional[StopReason]:
    stopped = _parse_stop_reason(await run.crew.researcher.gather(run.job.request, plan))
    return Provisional(stopped) if stopped is StopReason.MODEL_ERROR else stopped


def _parse_stop_reason(word: str) -> StopReason:
    """A custom researcher may return anything."""
    try:
        return StopReason(word)
    except ValueError:
        raise StormError(
            f"the researcher returned {word!r}, which is not a stop reason; expected one of: {', '.join(StopReason)}",
            hint="the saved sources are kept; correct the return value of its `gather`, then resume the job",
        ) from None


async def _answer_questions(run: Run, plan: Plan, carried: CarriedSources) -> tuple[Answer, ...]:
    """One verified answer per question, in the order of the syllabus."""
    crew = run.crew
    kept = await find_kept_answers(run, plan, carried)
    questions = plan.syllabus.questions
    answered = run.count_remembered("answer")

    async def answer(question: Question) -> Answer:
        nonlocal answered
        collected = await finalize_sources(crew.collection, question)
        draft = kept.get(question.key) or await crew.synthesizer.answer(collected, plan)
        checked = await check_answer(draft, collected.sources, crew.collection, run.job.settings.unsupported)
        answered += 1
        await crew.journal.report(
            "answer", _summarize_answer(question, checked), answered / len(questions), question=question.key,
            statements=_count_shown(checked),
        )  # fmt: skip
        return checked

    return tuple(await run.each("answer", questions, Answer, answer, key=lambda q: q.key, inputs={"plan": plan}))


def _count_shown(answer: Answer) -> int:
    return len(answer.all_statements)


def _summarize_answer(question: Question, answer: Answer) -> str:
    shown = _count_shown(answer)
    return f"{question.label}: {shown} statement{'s' * (shown != 1)}"


async def _compile_report(
    run: Run, plan: Plan, stopped: StopReason, answers: Sequence[Answer], carried: CarriedSources
) -> Dossier:
    return await compile_job(run, plan, stopped, answers, previous=await read_previous_version(run, carried))
