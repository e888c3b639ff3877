"""Scores the roles of a finished research job by their metrics, from what its report holds: questions, headings,
sections, hypotheses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dspy

from storm.agents.repurposing_material import list_statements
from storm.agents.repurposing_summary import count_round
from storm.citations.sections import list_free
from storm.models import (
    Disease,
    Dossier,
    Finding,
    JobRequest,
    Outline,
    Plan,
    Question,
    ReportSection,
    RepurposingRound,
    RequestKind,
    ResearchReport,
    Syllabus,
)
from storm.optimize.checklist_metrics import checklist_metric, rate_judgements, rate_refined
from storm.optimize.report_metrics import outline_metric, section_metric
from storm.optimize.repurposing_metrics import rate_grounds, rate_hypotheses, rate_summary
from storm.optimize.role_metrics import plan_metric


def score_plan(dossier: Dossier) -> float:
    """How well the planned questions cover what was asked; 1 for a drug, whose questions are given."""
    if not isinstance(dossier, ResearchReport) or dossier.research is None:
        return 1.0
    request = JobRequest(kind=RequestKind.QUESTION, text=dossier.research.asked)
    return plan_metric(dspy.Example(request=request), dspy.Prediction(plan=_read_plan(dossier)))


def score_outline(dossier: Dossier) -> float:
    """Whether each heading stands once, every answered question is under one, and they fit what is asked for."""
    example = dspy.Example(plan=_read_plan(dossier), findings=_read_findings(dossier))
    return outline_metric(example, dspy.Prediction(outline=_read_outline(_read_sections(dossier))))


def score_sections(dossier: Dossier) -> Mapping[str, float]:
    """The score of each section that statements are there for, by its heading."""
    sections, findings = _read_sections(dossier), _read_findings(dossier)
    outline = _read_outline(sections)
    scores: dict[str, float] = {}
    for number, section in enumerate(sections):
        before = sections[:number]
        if free := list_free(section.part, outline, findings, before):
            whole = ReportSection(part=section.part, paragraphs=(tuple(free),))
            example = dspy.Example(section=whole, before=before)
            scores[section.part.heading] = section_metric(example, dspy.Prediction(section=section))
    return scores


def score_hypotheses(dossier: Dossier) -> float:
    """Whether the hypotheses of the last round are stated by their quotes, and differ."""
    last = _read_last(dossier)
    return rate_hypotheses([(one.hypothesis, one.basis) for one in last.tested], dossier.names) if last else 0.0


def score_assessment(dossier: Dossier) -> float:
    """Whether the last assessment rests on statements of the report."""
    last = _read_last(dossier)
    return rate_grounds(last.assessment, list_statements(_read_findings(dossier))) if last else 0.0


def score_summary(dossier: Dossier) -> float:
    """Whether the executive summary has the right length and numbers."""
    last = _read_last(dossier)
    if last is None or dossier.repurposing is None or not dossier.repurposing.summary:
        return 0.0
    plan = _read_plan(dossier)
    if dossier.repurposing.disease:
        disease = Disease(label=dossier.repurposing.disease, names=(dossier.repurposing.disease,))
        plan = plan.model_copy(update={"disease": disease})
    statements = [one.statement for one in list_statements(_read_findings(dossier)).values()]
    return rate_summary(dossier.repurposing.summary, count_round(plan, last), statements)


def score_refined_question(dossier: Dossier) -> float:
    """Whether the question as it is understood asks what was asked."""
    if dossier.deep_research is None or dossier.research is None:
        return 0.0
    return rate_refined(dossier.deep_research.refined, dossier.research.asked, dossier.deep_research.context)


def score_checklist(dossier: Dossier) -> float:
    """Whether the checklist has three to seven items that cover the question and differ."""
    if dossier.deep_research is None:
        return 0.0
    request = JobRequest(kind=RequestKind.QUESTION, text=dossier.deep_research.refined.text)
    return checklist_metric(dspy.Example(request=request), dspy.Prediction(plan=_read_plan(dossier)))


def score_judgements(dossier: Dossier) -> float:
    """Whether the last judgement of the checklist rests on statements of the report."""
    judged = dossier.deep_research.judgements if dossier.deep_research else ()
    return rate_judgements(judged, _read_findings(dossier))


def _read_last(dossier: Dossier) -> RepurposingRound | None:
    return dossier.repurposing.rounds[-1] if dossier.repurposing and dossier.repurposing.rounds else None


def _read_sections(dossier: Dossier) -> Sequence[ReportSection]:
    return dossier.research.sections if dossier.research else ()


def _read_findings(dossier: Dossier) -> list[Finding]:
    return [Finding(answer=answer) for answer in dossier.answers]


def _read_outline(sections: Sequence[ReportSection]) -> Outline:
    return Outline(parts=tuple(section.part for section in sections))


def _read_plan(dossier: Dossier) -> Plan:
    """The names and the questions that the job worked with."""
    needed = {question.question: question.min_sources for question in dossier.coverage.questions}
    questions = tuple(
        Question(key=one.key, label=one.label, description=one.description, min_sources=needed[one.key])
        for one in dossier.questions
    )
    syllabus = Syllabus(name="report", questions=questions)
    return Plan(names=dossier.names, syllabus=syllabus, research=dossier.research and dossier.research.plan)
