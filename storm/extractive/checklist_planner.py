"""The checklist of a question without a model: the question itself, then the sub-questions of its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording
from storm.extractive.asked_question import AskedQuestion, read_question
from storm.extractive.checklist_items import DIRECT, make_direct_items
from storm.models import JobRequest, Plan, Question, RefinedQuestion, Syllabus
from storm.models.deep_research import MOST_ITEMS
from storm.roles import Planner

#: The sub-questions in the question's own words, which the first item is.
_OWN_WORDS = "asked"
#: The sub-questions that a question on an effect alone is.
_OF_EFFECTS = ("benefit", "clinical.efficacy")
#: The drug's question whose cues are how sentences report results.
_OF_RESULTS = "clinical.efficacy"


class RuleChecklistPlanner:
    """Implements `roles.ChecklistPlanner`: three items on the question itself, then the sub-questions of `planner`,
    which makes them by rules, until there are seven. Of a syllabus that is given the seven most important questions
    are the checklist, all if there are fewer."""

    def __init__(self, planner: Planner, drug_syllabus: Syllabus) -> None:
        self._planner = planner
        self._cues = drug_syllabus.question(_OF_RESULTS).cues if _OF_RESULTS in drug_syllabus.keys else ()

    async def plan(self, request: JobRequest, refined: RefinedQuestion) -> Plan:
        """The plan, with the names of what the question is about; NothingSearched as of the planner."""
        asked = read_question(request)
        text = _write_question(asked, refined)
        wanted = request.model_copy(update={"text": text, "preferences": asked.preferences})
        plan = await self._planner.plan(wanted)
        if request.syllabus:
            return _cut_syllabus(plan)
        items = (*self._make_items(wanted, refined, plan), *_list_others(plan, read_question(wanted)))
        questions = [item.model_copy(update={"parent": ""}) for item in items[:MOST_ITEMS]]
        syllabus = plan.syllabus.model_copy(update={"name": "checklist", "questions": tuple(questions)})
        return plan.model_copy(update={"syllabus": syllabus})

    def _make_items(self, request: JobRequest, refined: RefinedQuestion, plan: Plan) -> Sequence[Question]:
        asked = read_question(request.model_copy(update={"text": refined.text}))
        is_biomedical = plan.research is None or plan.research.is_biomedical
        has_drug = plan.identity is not None
        return list(
            make_direct_items(refined.text, asked, has_drug=has_drug, is_biomedical=is_biomedical, cues=self._cues)
        )


def _write_question(asked: AskedQuestion, refined: RefinedQuestion) -> str:
    """What was asked, with its first question as it was refined."""
    first = asked.sentences[0]
    return asked.text.replace(first, refined.text, 1) if first in asked.text else refined.text


def _list_others(plan: Plan, asked: AskedQuestion) -> Iterator[Question]:
    """The sub-questions that are not the question itself, by importance."""
    same = {_OWN_WORDS, *DIRECT, *(_OF_EFFECTS if asked.direct - {"population"} == {"benefit"} else ())}
    for question in sorted(plan.syllabus.questions, key=lambda one: -one.importance):
        if question.key not in same:
            yield question


def _cut_syllabus(plan: Plan) -> Plan:
    """The plan with the most important of many questions that were given, in their order."""
    questions = plan.syllabus.questions
    if len(questions) <= MOST_ITEMS:
        return plan
    best = sorted(questions, key=lambda question: -question.importance)[:MOST_ITEMS]
    kept = tuple(one.model_copy(update={"parent": ""}) for one in questions if one in best)
    note = planning_wording.CHECKLIST_CUT.format(most=MOST_ITEMS, number=len(questions))
    syllabus = plan.syllabus.model_copy(update={"questions": kept})
    return plan.model_copy(update={"syllabus": syllabus, "notes": (*plan.notes, note)})
