"""The headings of a repurposing report."""

from __future__ import annotations

from repurposed import ANSWERS, BENEFIT, DRUG, OF_DISEASE, PLAN

from storm.models import Answer, Finding
from storm.reports.repurposing_outline import make_outline


def questions_by_anchor(*answers: Answer) -> dict[str, tuple[str, ...]]:
    return {part.anchor: part.questions for part in make_outline(PLAN, [Finding(answer=one) for one in answers]).parts}


def test_each_question_with_a_statement_has_a_sub_heading() -> None:
    assert questions_by_anchor(*ANSWERS) == {
        "mechanistic": (), f"mechanistic-{DRUG}": (DRUG,), f"mechanistic-{OF_DISEASE}": (OF_DISEASE,),
        "clinical": (), f"clinical-{BENEFIT}": (BENEFIT,),
    }  # fmt: skip


def test_a_heading_without_any_is_on_its_questions_itself() -> None:
    found = questions_by_anchor(ANSWERS[0], Answer(question=OF_DISEASE), Answer(question=BENEFIT))
    assert found == {"mechanistic": (), f"mechanistic-{DRUG}": (DRUG,), "clinical": (BENEFIT,)}
