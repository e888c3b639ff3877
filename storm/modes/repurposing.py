"""A report on whether a drug could treat a disease: search, propose hypotheses, search for each, judge; or round again.

The sides of the evidence are found by rules from the sentences themselves, whoever proposed a hypothesis.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from storm.errors import StormError
from storm.evidence.hypotheses import find_evidence
from storm.models import (
    Assessment,
    Dossier,
    Finding,
    Hypotheses,
    Plan,
    ReportSection,
    Repurposing,
    RepurposingRound,
    Research,
    ResearchPlan,
    ResearchReport,
    SearchQuery,
    Source,
    StopReason,
    SummaryText,
    TestedHypothesis,
)
from storm.modes.compilation import compile_job
from storm.modes.crew import RepurposingCrew, ResearchCrew
from storm.modes.fallback import make_or_fall_back
from storm.modes.planning import make_plan
from storm.modes.question_research import QuestionResearch
from storm.modes.rule_notes import describe_rules, describe_rules_of_hypotheses
from storm.modes.run import Provisional, Run
from storm.modes.section_writing import write_sections
from storm.reports.repurposing_outline import make_outline

#: The searches of each question, by its key.
_Queries = dict[str, tuple[SearchQuery, ...]]


class _Evidence(NamedTuple):
    """What was found out: the findings by question, and the rounds in which hypotheses were tested."""

    research: QuestionResearch
    findings: Mapping[str, Finding]
    rounds: Sequence[RepurposingRound]
    hypotheses: Sequence[Hypotheses]


async def write_repurposing_report(run: Run) -> Dossier:
    """The job's ResearchReport with its hypotheses; without a source on the disease it has none of them, and no text.

    What fails for one question leaves a gap; if a model failed there, a resume goes on from that question."""
    plan = await make_plan(run)
    evidence = await _gather_evidence(run, plan)
    findings = list(evidence.findings.values())
    outline = make_outline(plan, findings)
    inputs = {"plan": plan}
    sections = await run.step(
        "section", tuple[ReportSection, ...], partial(write_sections, run, plan, findings, outline), inputs=inputs
    )
    summary = None
    if evidence.rounds:
        summary = await run.step("summary", SummaryText, partial(_write_summary, run, plan, evidence), inputs=inputs)
    compile_report = partial(_compile_report, run, plan, evidence, sections, summary)
    return await run.step("report", ResearchReport, compile_report, inputs=inputs | {"sections": sections})


async def _gather_evidence(run: Run, plan: Plan) -> _Evidence:
    """The findings of all questions and rounds. A round ends them if the judge has enough, or if it changed nothing, so
    that the assessment before it still stands."""
    research = QuestionResearch(run, plan)
    findings = await research.research("", plan.syllabus.questions)
    rounds: list[RepurposingRound] = []
    proposals: list[Hypotheses] = []
    if not _has_evidence(plan, await run.crew.collection.load_sources()):
        return _Evidence(research, findings, rounds, proposals)
    most, inputs = run.job.settings.research.max_iterations, {"plan": plan}
    for number in range(1, max(1, most) + 1):
        propose = partial(_propose, run, plan, findings, rounds)
        proposed = await run.step(f"hypotheses:{number}", Hypotheses, propose, inputs=inputs)
        proposals.append(proposed)
        searches = _choose_searches(plan, proposed, rounds, research) if most else {}
        if searches:
            questions = [question for question in plan.syllabus.questions if question.key in searches]
            again = await research.research(f":{number}", questions, searches)
            findings |= {key: finding for key, finding in again.items() if key not in research.failed}
        test = partial(_test, run, plan, proposed, findings)
        tested = await run.step(
            f"evidence:{number}", tuple[TestedHypothesis, ...], test, inputs=inputs | {"hypotheses": proposed},
            announce=False,
        )  # fmt: skip
        is_same = bool(rounds) and tested == rounds[-1].tested and not (searches and research.newly_filed)
        if is_same and not searches:
            break
        judge = partial(_judge, run, plan, tested, findings, rounds)
        if is_same:
            assessment = rounds[-1].assessment
        else:
            assessment = await run.step(f"judge:{number}", Assessment, judge, inputs=inputs | {"evidence": tested})
        new = research.new_sources if searches else 0
        rounds.append(RepurposingRound(tested=tested, searches=searches, new_sources=new, assessment=assessment))
        if is_same or assessment.is_enough:
            break
    return _Evidence(research, findings, rounds, proposals)


def _has_evidence(plan: Plan, sources: Sequence[Source]) -> bool:
    """Whether a source was filed under a question on the disease; those on the drug alone say nothing of it."""
    on_disease = {question.key for question in plan.syllabus.questions if question.about or question.names}
    return any(not on_disease.isdisjoint(source.questions) for source in sources)


def _choose_searches(
    plan: Plan, proposed: Hypotheses, rounds: Sequence[RepurposingRound], research: QuestionResearch
) -> _Queries:
    """The searches that the hypotheses and the last assessment ask for, without those that a round ran before."""
    wanted: dict[str, dict[SearchQuery, None]] = {}
    for asked in (*(one.searches for one in proposed.proposed), *(one.assessment.searches for one in rounds[-1:])):
        for key, queries in asked.items():
            wanted.setdefault(key, {}).update(dict.fromkeys(queries))
    ran = {(key, query) for one in rounds for key, queries in one.searches.items() for query in queries}
    keys = [key for key in plan.syllabus.keys if key in wanted and key not in research.failed]
    new = {key: tuple(query for query in wanted[key] if (key, query) not in ran) for key in keys}
    return {key: queries for key, queries in new.items() if queries}


async def _propose(
    run: Run, plan: Plan, findings: Mapping[str, Finding], rounds: Sequence[RepurposingRound]
) -> Hypotheses | Provisional[Hypotheses]:
    sources = await run.crew.collection.load_sources()

    async def propose(roles: ResearchCrew) -> Hypotheses:
        return await _repurposing_roles(roles).hypothesizer.propose(plan, list(findings.values()), sources, rounds)

    return await make_or_fall_back(run, "The hypotheses", propose)


async def _test(
    run: Run, plan: Plan, proposed: Hypotheses, findings: Mapping[str, Finding]
) -> tuple[TestedHypothesis, ...]:
    answers = [finding.answer for finding in findings.values()]
    sources = await run.crew.collection.load_sources()
    # In a thread: every statement is read for every hypothesis, and the job's lease must be renewed meanwhile.
    return await asyncio.to_thread(find_evidence, proposed.proposed, answers, sources, plan)


async def _judge(
    run: Run,
    plan: Plan,
    tested: Sequence[TestedHypothesis],
    findings: Mapping[str, Finding],
    rounds: Sequence[RepurposingRound],
) -> Assessment | Provisional[Assessment]:
    sources = await run.crew.collection.load_sources()

    async def judge(roles: ResearchCrew) -> Assessment:
        return await _repurposing_roles(roles).judge.judge(plan, tested, list(findings.values()), sources, rounds)

    return await make_or_fall_back(run, "The assessment", judge)


async def _write_summary(run: Run, plan: Plan, evidence: _Evidence) -> SummaryText | Provisional[SummaryText]:
    sources = await run.crew.collection.load_sources()
    findings, last = list(evidence.findings.values()), evidence.rounds[-1]

    async def write(roles: ResearchCrew) -> SummaryText:
        return await _repurposing_roles(roles).summary_writer.write_summary(plan, last, findings, sources)

    return await make_or_fall_back(run, "The summary", write)


def _repurposing_roles(roles: ResearchCrew) -> RepurposingCrew:
    if roles.repurposing is None:
        raise StormError(
            "the crew has no roles for hypotheses",
            hint="give ResearchCrew.repurposing: storm.modes.RepurposingCrew has its parts",
        )
    return roles.repurposing


async def _compile_report(
    run: Run, plan: Plan, evidence: _Evidence, sections: Sequence[ReportSection], summary: SummaryText | None
) -> Dossier:
    failed = evidence.research.gaps
    research = Research(
        asked=run.job.request.text,
        plan=plan.research or ResearchPlan(),
        settings=run.job.settings.research,
        sections=tuple(sections),
        failed=failed,
    )
    repurposing = Repurposing(
        disease=plan.disease.label if plan.disease else "",
        rounds=tuple(evidence.rounds),
        summary=summary.text if summary else "",
        summary_note=summary.note if summary else "",
    )
    answers = [evidence.findings[key].answer for key in plan.syllabus.keys]
    is_unsure = run.is_provisional and not failed  # hypotheses, an assessment, a section or the summary by rules
    stopped = StopReason.MODEL_ERROR if evidence.research.model_failed or is_unsure else StopReason.COMPLETE
    remarks = [
        *describe_rules(plan, evidence.research.searches_by_rules, (), None, sections),
        *describe_rules_of_hypotheses(evidence.hypotheses, repurposing),
    ]
    return await compile_job(
        run, plan, stopped, answers, research=research, repurposing=repurposing, remarks=tuple(remarks)
    )
