"""The scores of an outline and of a section: what must not be costs more than what could be better."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from storm.models import (
    Answer,
    Finding,
    Intent,
    Outline,
    OutlinePart,
    Plan,
    Question,
    ReportPreferences,
    ReportSection,
    ResearchPlan,
    Statement,
    SummarySentence,
    Syllabus,
)
from storm.optimize.report_metrics import outline_metric, section_metric

QUESTIONS = tuple(Question(key=key, label=key, description=key, min_sources=1) for key in ("benefit", "harm"))
FINDINGS = [
    Finding(answer=Answer(question=q.key, statements=(Statement(text=q.key, quote=q.key, source_ids=("src_1",)),)))
    for q in QUESTIONS
]


def plan(intent: Intent, *sections: str) -> Plan:
    research = ResearchPlan(intent=intent, preferences=ReportPreferences(sections=sections))
    return Plan(names=("zorvimab",), syllabus=Syllabus(name="plan", questions=QUESTIONS), research=research)


def score_outline(headings: dict[str, str], intent: Intent = Intent.SURVEY, *sections: str) -> float:
    """The score of headings, each with the key of its question."""
    parts = [OutlinePart(anchor=f"p{n}", heading=h, questions=(q,)) for n, (h, q) in enumerate(headings.items())]
    example = dspy.Example(plan=plan(intent, *sections), findings=FINDINGS)
    return outline_metric(example, dspy.Prediction(outline=Outline(parts=tuple(parts))))


def test_an_outline_that_fits_scores_one() -> None:
    assert score_outline({"Benefit": "benefit", "Harm": "harm"}) == 1
    assert score_outline({"A compared with B": "benefit", "Harm of A versus B": "harm"}, Intent.COMPARISON) == 1
    assert score_outline({"Benefit": "benefit", "Harm": "harm"}, Intent.SURVEY, "harm") == 1


@pytest.mark.parametrize(
    ("headings", "intent", "sections"),
    [
        ({"Benefit": "benefit", "BENEFIT": "harm"}, Intent.SURVEY, ()),
        ({"Benefit": "benefit", "Harm": "benefit"}, Intent.SURVEY, ()),
        ({"Benefit": "benefit", "Harm": "harm"}, Intent.COMPARISON, ()),
        ({"Benefit": "benefit", "Harm": "harm"}, Intent.SURVEY, ("Costs",)),
        ({f"Part {n}": "harm" if n else "benefit" for n in range(9)}, Intent.FACT, ()),
    ],
)
def test_an_outline_with_a_fault_scores_less(headings: dict[str, str], intent: Intent, sections: Any) -> None:
    assert 0 < score_outline(headings, intent, *sections) < 1


def test_no_outline_scores_nothing() -> None:
    example = dspy.Example(plan=plan(Intent.SURVEY), findings=FINDINGS)
    assert outline_metric(example, dspy.Prediction(outline=None)) == 0
    assert outline_metric(example, dspy.Prediction(outline=Outline())) == 0


PART = OutlinePart(anchor="p", heading="Benefit", questions=("benefit",))


def sentence(number: int, text: str = "") -> SummarySentence:
    own = Statement(text=f"No. {number}.", quote=f"No. {number}.", source_ids=("s",), citation_id=f"c{number}")
    return SummarySentence.place(own, "benefit").model_copy(update={"text": text} if text else {})


def score_section(*written: SummarySentence, before: tuple[SummarySentence, ...] = ()) -> float:
    """The score of a section that could have two statements."""
    offered = ReportSection(part=PART, paragraphs=((sentence(1), sentence(2)),))
    example = dspy.Example(section=offered, before=(ReportSection(part=PART, paragraphs=(before,)),))
    return section_metric(example, dspy.Prediction(section=ReportSection(part=PART, paragraphs=(written,))))


def test_a_section_scores_by_what_it_places_and_what_it_rewords() -> None:
    assert score_section(sentence(1, "One."), sentence(2, "Two.")) == 1
    assert score_section(sentence(1), sentence(2)) == pytest.approx(0.7)
    assert score_section(sentence(1, "One."), sentence(2)) == pytest.approx(0.85)
    assert score_section(sentence(1)) == pytest.approx(0.35)


def test_a_section_that_repeats_or_invents_scores_nothing() -> None:
    assert score_section() == 0
    assert score_section(sentence(1), sentence(1, "One.")) == 0
    assert score_section(sentence(1), sentence(3)) == 0
    assert score_section(sentence(1), before=(sentence(1),)) == 0
