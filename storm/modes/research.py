"""A report whose questions are researched side by side: plan, research; review, search again; compile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from storm.models import (
    Dossier,
    Finding,
    Outline,
    Plan,
    ReportSection,
    RequestKind,
    Research,
    ResearchPlan,
    ResearchReport,
    ResearchRound,
    Review,
    StopReason,
)
from storm.modes.compilation import compile_job
from storm.modes.crew import ResearchCrew
from storm.modes.fallback import make_or_fall_back
from storm.modes.planning import make_plan
from storm.modes.question_research import QuestionResearch
from storm.modes.rule_notes import describe_rules
from storm.modes.run import Provisional, Run
from storm.modes.section_writing import plan_outline, write_sections


class _Researched(NamedTuple):
    """What all rounds found out."""

    research: QuestionResearch
    findings: Mapping[str, Finding]
    rounds: Sequence[ResearchRound]
    reviews: Sequence[Review]


async def write_report(run: Run) -> Dossier:
    """The job's report: the dossier of a drug, or a ResearchReport. What fails for one question leaves a gap in its
    answer; if a model failed there, the later steps are not stored, and a resume goes on from that question."""
    plan = await make_plan(run)
    if plan.research is None:  # the questions are the user's
        plan = plan.model_copy(update={"research": ResearchPlan(preferences=run.job.request.preferences)})
    researched = await _research(run, plan)
    findings = list(researched.findings.values())
    outline = await run.step("outline", Outline, partial(plan_outline, run, plan, findings), inputs={"plan": plan})
    inputs = {"plan": plan, "outline": outline}
    sections = await run.step(
        "section", tuple[ReportSection, ...], partial(write_sections, run, plan, findings, outline), inputs=inputs
    )
    kind = Dossier if run.job.request.kind is RequestKind.DRUG else ResearchReport
    compile_report = partial(_compile_report, run, plan, researched, outline, sections)
    return await run.step("report", kind, compile_report, inputs=inputs | {"sections": sections})


async def _research(run: Run, plan: Plan) -> _Researched:
    """The findings of all questions, after weak answers were searched for again. A round that adds no source is the
    last."""
    research = QuestionResearch(run, plan)
    findings = await research.research("", plan.syllabus.questions)
    rounds: list[ResearchRound] = []
    reviews: list[Review] = []
    for number in range(1, run.job.settings.research.max_iterations + 1):
        make_review = partial(_review, run, plan, findings, tuple(reviews))
        review = await run.step(f"reflect:{number}", Review, make_review, inputs={"plan": plan})
        reviews.append(review)
        wanted = {
            weak.question: weak.searches
            for weak in review.weak
            if weak.searches and weak.question not in research.failed  # a resume researches those
        }
        if not wanted:
            break
        questions = [question for question in plan.syllabus.questions if question.key in wanted]
        again = await research.research(f":{number}", questions, wanted)
        findings |= {key: finding for key, finding in again.items() if key not in research.failed}
        searched = tuple(weak for weak in review.weak if weak.question in wanted or not weak.searches)
        rounds.append(ResearchRound(weak=searched, new_sources=research.newly_filed))
        if not research.newly_filed:
            break
    return _Researched(research, findings, rounds, reviews)


async def _review(
    run: Run, plan: Plan, findings: Mapping[str, Finding], earlier: Sequence[Review]
) -> Review | Provisional[Review]:
    sources = await run.crew.collection.load_sources()

    async def review(roles: ResearchCrew) -> Review:
        return await roles.reflector.review(plan, list(findings.values()), sources, earlier)

    return await make_or_fall_back(run, "A review of the answers", review)


async def _compile_report(
    run: Run, plan: Plan, researched: _Researched, outline: Outline, sections: Sequence[ReportSection]
) -> Dossier:
    failed = researched.research.gaps
    research = Research(
        asked=run.job.request.text,
        title=outline.title,
        plan=plan.research or ResearchPlan(),
        settings=run.job.settings.research,
        rounds=tuple(researched.rounds),
        sections=tuple(sections),
        failed=failed,
        outline_note=outline.note,
    )
    answers = [researched.findings[key].answer for key in plan.syllabus.keys]
    is_unsure = run.is_provisional and not failed  # an outline, section or review by rules
    stopped = StopReason.MODEL_ERROR if researched.research.model_failed or is_unsure else StopReason.COMPLETE
    remarks = describe_rules(plan, researched.research.searches_by_rules, researched.reviews, outline, sections)
    return await compile_job(run, plan, stopped, answers, research=research, remarks=tuple(remarks))
