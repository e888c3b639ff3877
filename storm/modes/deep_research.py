"""The answer to one question: refine it, make a checklist, search in rounds for what is open, answer.

A round ends the research if every item is satisfied, if two rounds in a row found nothing new, or at a limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from storm import planning_wording
from storm.errors import StormError
from storm.models import (
    ChecklistReview,
    DeepResearch,
    Dossier,
    Finding,
    Outline,
    OutlinePart,
    Plan,
    RefinedQuestion,
    ReportSection,
    Research,
    ResearchPlan,
    ResearchReport,
    SearchIteration,
    SearchQuery,
    StopReason,
)
from storm.models.deep_research import IDLE_ROUNDS
from storm.modes.compilation import compile_job
from storm.modes.crew import Crew, DeepResearchCrew, ResearchCrew
from storm.modes.fallback import make_or_fall_back
from storm.modes.planning import make_plan
from storm.modes.question_research import QuestionResearch
from storm.modes.rule_notes import describe_rules, describe_rules_of_checklist
from storm.modes.run import Provisional, Run
from storm.modes.section_writing import write_sections
from storm.reports.deep_research_state import describe_metrics, describe_state

#: The searches of each item, by its key.
Queries = dict[str, tuple[SearchQuery, ...]]


class _Answered(NamedTuple):
    """What the rounds found out, and why they ended."""

    research: QuestionResearch
    findings: Mapping[str, Finding]
    iterations: Sequence[SearchIteration]
    stopped: StopReason


async def answer_question(run: Run) -> Dossier:
    """The job's ResearchReport with its answer in one section. What fails for one item leaves a gap; if a model failed
    there, a resume goes on from that item."""
    context = {"context": run.job.request.context}
    refined = await run.step("refine", RefinedQuestion, partial(_refine, run), inputs=context)
    plan = await make_plan(run, partial(_plan_checklist, run, refined))
    answered = await _search_in_rounds(run, refined, plan)
    findings = list(answered.findings.values())
    outline = Outline(
        title=refined.text,
        parts=(OutlinePart(anchor="answer", heading=planning_wording.ANSWER, questions=plan.syllabus.keys),),
    )
    inputs = {"question": refined, "plan": plan}
    sections = await run.step(
        "section", tuple[ReportSection, ...], partial(write_sections, run, plan, findings, outline), inputs=inputs
    )
    find_stop = partial(_find_stop, run, answered)
    answered = answered._replace(stopped=await run.step("end", StopReason, find_stop, inputs=inputs, announce=False))
    compile_report = partial(_compile_report, run, refined, plan, answered, outline, sections)
    report: Dossier = await run.step("report", ResearchReport, compile_report, inputs=inputs | {"sections": sections})
    await _report_state(run, refined, plan, answered.findings, answered.iterations)
    return report


async def _find_stop(run: Run, answered: _Answered) -> StopReason:
    """Why the research ended: if a limit refused a call of a model, that, whatever rules did in its place."""
    return StopReason.BUDGET if run.crew.has_refused_call() else answered.stopped


async def _refine(run: Run) -> RefinedQuestion | Provisional[RefinedQuestion]:
    async def refine(roles: ResearchCrew) -> RefinedQuestion:
        return await _deep_roles(roles).refiner.refine(run.job.request)

    return await make_or_fall_back(run, "The question as it is understood", refine)


async def _plan_checklist(run: Run, refined: RefinedQuestion, crew: Crew) -> Plan:
    return await _deep_roles(crew.research).checklist_planner.plan(run.job.request, refined)


async def _search_in_rounds(run: Run, refined: RefinedQuestion, plan: Plan) -> _Answered:
    """The findings of all items. The first round searches for each of them, a later one for those that are open."""
    research = QuestionResearch(run, plan)
    findings: dict[str, Finding] = {}
    iterations: list[SearchIteration] = []
    stopped = StopReason.MAX_ITERS
    searches: Queries | None = None
    await _report_state(run, refined, plan, findings, iterations)
    for number in range(1, max(1, run.job.settings.research.max_iterations) + 1):
        is_new = not run.has_stored(f"judge:{number}")  # what an earlier run did is read, whatever time is left
        if iterations and is_new and (run.crew.is_out_of_time() or run.crew.has_refused_call()):
            stopped = StopReason.BUDGET
            break
        facts = _list_facts(findings)
        questions = [q for q in plan.syllabus.questions if searches is None or q.key in searches]
        again = await research.research(f":{number}" if searches else "", questions, searches)
        findings |= {key: one for key, one in again.items() if key not in findings or key not in research.failed}
        ran = SearchIteration(
            number=number,
            searches=research.searches,
            results_count=research.results,
            new_sources=research.new_sources,
            new_facts=len(_list_facts(findings) - facts),
            review=ChecklistReview(),
        )
        judge = partial(_judge, run, plan, findings, [*iterations, ran])
        review = await run.step(f"judge:{number}", ChecklistReview, judge, inputs={"plan": plan})
        iterations.append(ran.model_copy(update={"review": review}))
        await _report_state(run, refined, plan, findings, iterations)
        searches = _choose_searches(iterations, research)
        if ended := _find_end(iterations, searches):
            stopped = ended
            break
    return _Answered(research, findings, iterations, stopped)


async def _report_state(
    run: Run,
    refined: RefinedQuestion,
    plan: Plan,
    findings: Mapping[str, Finding],
    iterations: Sequence[SearchIteration],
) -> None:
    """Report to recorders what is known after these rounds, and what they took."""
    collection, journal = run.crew.collection, run.crew.journal
    labels = {question.key: question.label for question in plan.syllabus.questions}
    answers = [finding.answer for finding in findings.values()]
    sources = [source async for batch in collection.iter_source_summaries() for source in batch]
    searches, spent = await journal.searches(), await journal.spending()
    await journal.report_state(**describe_state(refined, labels, iterations, answers, sources))
    await journal.report_detail("metrics", "", **describe_metrics(iterations, searches, len(sources), spent.spending))


def _find_end(iterations: Sequence[SearchIteration], searches: Queries) -> StopReason | None:
    """Why the last round ends the research; None if another one follows."""
    if not iterations[-1].review.open_items:
        return StopReason.COMPLETE
    idle = iterations[-IDLE_ROUNDS:]
    if not searches or (len(idle) == IDLE_ROUNDS and not any(one.new_facts for one in idle)):
        return StopReason.NO_PROGRESS
    return None


def _list_facts(findings: Mapping[str, Finding]) -> set[str]:
    """The identities of the statements that were found."""
    return {statement.identity for finding in findings.values() for statement in finding.answer.all_statements}


def _choose_searches(iterations: Sequence[SearchIteration], research: QuestionResearch) -> Queries:
    """The searches for what is open, without those that a round ran before."""
    ran = {(key, query) for one in iterations for key, queries in one.searches.items() for query in queries}
    chosen = {
        item.question: tuple(query for query in item.searches if (item.question, query) not in ran)
        for item in iterations[-1].review.open_items
        if item.question not in research.failed  # a resume researches those
    }
    return {key: queries for key, queries in chosen.items() if queries}


async def _judge(
    run: Run, plan: Plan, findings: Mapping[str, Finding], iterations: Sequence[SearchIteration]
) -> ChecklistReview | Provisional[ChecklistReview]:
    sources = await run.crew.collection.load_sources()

    async def judge(roles: ResearchCrew) -> ChecklistReview:
        review = await _deep_roles(roles).judge.judge(plan, list(findings.values()), sources, iterations)
        satisfied = len(review.items) - len(review.open_items)
        states = {item.question: item.state.value for item in review.items}
        message = f"{satisfied}/{len(review.items)} items satisfied"
        await run.crew.journal.report("checklist", message, **states)
        return review

    return await make_or_fall_back(run, "The judgement of the checklist", judge)


def _deep_roles(roles: ResearchCrew | None) -> DeepResearchCrew:
    if roles is None or roles.deep_research is None:
        raise StormError(
            "the crew has no roles for deep research",
            hint="give ResearchCrew.deep_research: storm.modes.DeepResearchCrew has its parts",
        )
    return roles.deep_research


async def _compile_report(
    run: Run,
    refined: RefinedQuestion,
    plan: Plan,
    answered: _Answered,
    outline: Outline,
    sections: Sequence[ReportSection],
) -> Dossier:
    failed = answered.research.gaps
    research = Research(
        asked=run.job.request.text,
        title=outline.title,
        plan=plan.research or ResearchPlan(),
        settings=run.job.settings.research,
        sections=tuple(sections),
        failed=failed,
    )
    deep_research = DeepResearch(
        context=run.job.request.context,
        refined=refined,
        iterations=tuple(answered.iterations),
        stop_reason=answered.stopped,
    )
    answers = [answered.findings[key].answer for key in plan.syllabus.keys]
    is_unsure = run.is_provisional and not failed  # a question, checklist, judgement or section by rules
    stopped = StopReason.MODEL_ERROR if answered.research.model_failed or is_unsure else answered.stopped
    remarks = [
        *describe_rules(plan, answered.research.searches_by_rules, (), None, sections),
        *describe_rules_of_checklist(deep_research),
    ]
    return await compile_job(
        run, plan, stopped, answers, research=research, deep_research=deep_research, remarks=tuple(remarks)
    )
