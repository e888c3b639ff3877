"""The checklist of a question without a model: the question itself, then the sub-questions of its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording
from storm.databases.identity.known_names import NO_NAMES, KnownNames
from storm.extractive.asked_question import AskedQuestion, read_question
from storm.extractive.checklist_items import (
    DIRECT,
    asks_for_any_harm,
    asks_for_effects,
    asks_for_label,
    asks_how_long_it_stays,
    asks_price,
    asks_quantity,
    make_direct_items,
    names_more,
)
from storm.extractive.narrowings import add_drug_names
from storm.models import JobRequest, Plan, Question, RefinedQuestion, Syllabus
from storm.models.deep_research import MOST_ITEMS
from storm.roles import Planner

#: The sub-questions in the question's own words, which the first item is.
_OWN_WORDS = "asked"
#: The sub-questions that a question on an effect, or on a comparison, is itself.
_OF_EFFECTS, _OF_COMPARISONS = ("benefit", "clinical.efficacy"), ("comparison", "competitive.landscape")
#: Those that a question on a price is, or is taken for ("how much").
_OF_PRICES = ("cost", "dose")
#: The one on how a drug works, which a question on its half-life is not.
_OF_ACTION = "mechanism.moa"
#: The sub-question on the people whom a question names.
_OF_PEOPLE = "population"
#: The drug's question whose cues are how sentences report results.
_OF_RESULTS = "clinical.efficacy"
#: Its question whose cues are how they report harms.
_OF_HARMS = "clinical.safety"


class RuleChecklistPlanner:
    """Implements `roles.ChecklistPlanner`: three items on the question itself, then the sub-questions of `planner`,
    which makes them by rules, until there are seven. Of a syllabus that is given the seven most important questions
    are the checklist, all if there are fewer. `known_names` are names that no database can resolve."""

    def __init__(self, planner: Planner, drug_syllabus: Syllabus, known_names: KnownNames = NO_NAMES) -> None:
        self._planner = planner
        self._known = known_names
        self._cues = {question.key: question.cues for question in drug_syllabus.questions}

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
        notes = (*plan.notes, *([planning_wording.SEVERAL_QUESTIONS] if asked.has_several_questions else ()))
        return plan.model_copy(update={"syllabus": syllabus, "notes": notes})

    def _make_items(self, request: JobRequest, refined: RefinedQuestion, plan: Plan) -> Sequence[Question]:
        asked = read_question(request.model_copy(update={"text": refined.text}))
        is_biomedical = plan.research is None or plan.research.is_biomedical
        drug = plan.names if plan.identity else ()
        facet = _find_facet(asked, plan)
        reporting = (_OF_RESULTS, _OF_HARMS) if drug and "harm" in asked.direct else (_OF_RESULTS,)
        cues = tuple(cue for key in reporting for cue in self._cues.get(key, ()))
        items = make_direct_items(refined.text, asked, drug=drug, is_biomedical=is_biomedical, cues=cues, facet=facet)
        return [add_drug_names(item, self._known) for item in items]


def _write_question(asked: AskedQuestion, refined: RefinedQuestion) -> str:
    """What was asked, with its first question as it was refined."""
    first = asked.sentences[0]
    return asked.text.replace(first, refined.text, 1) if first in asked.text else refined.text


def _list_others(plan: Plan, asked: AskedQuestion) -> Iterator[Question]:
    """The sub-questions that are not the question itself, by importance."""
    if asks_how_long_it_stays(asked) and not asked.has_several_questions:
        return
    facet = _find_facet(asked, plan)
    same = {_OWN_WORDS, *DIRECT, *([facet.key] if facet else ())}
    effects = asked.direct - {"population"}
    if effects and effects <= {"benefit", "comparison"}:
        same.update(_OF_EFFECTS)
    if "comparison" in effects:
        same.update(_OF_COMPARISONS)
    if facet and not asked.people():
        same.add(_OF_PEOPLE)
    if asks_quantity(asked):
        same.add(_OF_ACTION)
    if not asks_for_effects(asked) and len(asked.facets) == 1:
        same.add(asked.facets[0].facet.key)
    if asks_price(asked):
        same.update(_OF_PRICES)
    if asks_for_label(asked):
        same.add(_OF_HARMS)
    for question in _sort_questions(plan):
        if question.key not in same:
            yield question


def _find_facet(asked: AskedQuestion, plan: Plan) -> Question | None:
    """The question of the drug's syllabus that was asked, if it is one on facts, or has no words but the drug's name
    by which to find an answer, or asks for harms, whichever they are."""
    if not plan.identity or asks_quantity(asked):
        return None
    if asks_for_effects(asked) and names_more(asked, plan.names) and not asks_for_any_harm(asked, plan.names):
        return None
    return next((question for question in _sort_questions(plan) if question.rules), None)


def _sort_questions(plan: Plan) -> Sequence[Question]:
    return sorted(plan.syllabus.questions, key=lambda question: -question.importance)


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
