"""A model plans a checklist of any question: three to seven items, whatever it replies."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.checklist_roles import EFFECT, HARMS, PLAN, REFINED, REQUEST, STRENGTH, Rules
from agents.hostile import HOSTILE, obeys
from agents.research_roles import TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import metered
from dspy import lm15

from storm import planning_wording
from storm.agents.checklist_planner import ModelChecklistPlanner
from storm.errors import ModelError
from storm.models import JobRequest, Plan, RefinedQuestion, ResearchPlan, Syllabus
from storm.optimize.checklist_metrics import checklist_metric


def item(label: str, importance: float = 0.5, **fields: Any) -> dict[str, Any]:
    description = f"What is known of zorvimab and {label}?"
    return {"label": label, "description": description, "search_words": [], "importance": importance, **fields}


SURVIVAL, CERTAINTY, CHILDREN = (item(label) for label in ("Survival", "Limitations of trials", "Survival in children"))


def reply(*items: Any, is_biomedical: Any = True) -> str:
    return chat(is_biomedical=is_biomedical, checklist=list(items))


async def planned(
    lm: Any, request: JobRequest = REQUEST, plan: Plan = PLAN, refined: RefinedQuestion = REFINED, dialect: str = "chat"
) -> Plan:
    made = ModelChecklistPlanner(lm, rule_based=Rules(plan), adapter=adapter(dialect), today=lambda: TODAY)
    return await made.plan(request, refined)


def labels(plan: Plan) -> list[str]:
    return [question.label for question in plan.syllabus.questions]


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_its_items_are_those_of_the_model_and_names_and_identity_those_of_the_rules(dialect: str) -> None:
    lm = scripted_lm([DIALECTS[dialect](is_biomedical=True, checklist=[SURVIVAL, CERTAINTY, CHILDREN])])
    made = await planned(lm, dialect=dialect)
    assert labels(made) == ["Survival", "Limitations of trials", "Survival in children"]
    assert (made.names, made.identity, made.notes) == (PLAN.names, PLAN.identity, ())
    first = made.syllabus.questions[0]
    assert (first.key, first.rules) == (EFFECT.key, EFFECT.rules), "what rules planned too has their rules and key"
    assert {question.min_sources for question in made.syllabus.questions} == {2}
    shown = asked(prompts_of(lm)[0])
    assert shown["today"] == "2026-11-23" and (shown["fewest"], shown["most"]) == ("3", "7")
    assert REFINED.text in shown["question"] and REQUEST.text in shown["question"] and "asthma" in shown["context"]


async def test_too_few_items_are_completed_by_those_of_the_rules_that_ask_something_else() -> None:
    made = await planned(scripted_lm([reply(SURVIVAL)]))
    assert labels(made) == ["Survival", STRENGTH.label, HARMS.label]
    assert made.syllabus.keys == PLAN.syllabus.keys and not made.notes


async def test_of_thirty_items_the_seven_most_important_are_kept_and_the_same_one_stands_once() -> None:
    request = REQUEST.model_copy(update={"text": f"What of zorvimab and {', '.join(f'no{n}' for n in range(30))}?"})
    many = [item(f"Outcome no{n}", n % 9) for n in range(30)]
    made = await planned(scripted_lm([reply(*many, *many)]), request)
    assert labels(made) == [f"Outcome no{n}" for n in (6, 7, 8, 16, 17, 25, 26)]
    assert len(set(made.syllabus.keys)) == 7


@pytest.mark.parametrize(
    "items",
    [
        [],
        [item("Orlimab"), item("Survival of 40%"), item("Zorvimab is safe")],
        [item("", description="")],
        ["Survival", 7, None],
        [{"name": "Survival"}],
    ],
)
async def test_without_a_usable_item_the_model_is_asked_once_more_and_then_rules_plan_and_say_so(items: Any) -> None:
    lm = scripted_lm([reply(*items)] * 2)
    made = await planned(lm)
    assert made.syllabus == PLAN.syllabus
    note = planning_wording.PLANNED_BY_RULES.format(reason="the model gave no reply that can be used")
    assert made.notes == (note,)
    assert "Write 3 to 7" in asked(prompts_of(lm)[1])["problems"]


async def test_names_and_figures_of_the_model_reach_no_label_and_no_description() -> None:
    said = item("Survival", description="Does zorvimab beat orlimab by 7 months?")
    made = await planned(scripted_lm([reply(said, item("Orlimab"), CERTAINTY)]))
    texts = [f"{one.label} {one.description}" for one in made.syllabus.questions]
    assert len(texts) == 3 and not any("orlimab" in text.casefold() or "7" in text for text in texts)


async def test_given_questions_are_kept_and_no_model_is_asked() -> None:
    request = REQUEST.model_copy(update={"syllabus": Syllabus(name="own", questions=(HARMS,))})
    assert (await planned(scripted_lm([]), request)).syllabus.keys == (HARMS.key,)


async def test_a_question_that_is_not_biomedical_is_for_the_web_and_a_drug_is_never_so() -> None:
    topic = PLAN.model_copy(update={"identity": None, "research": ResearchPlan()})
    made = await planned(scripted_lm([reply(SURVIVAL, is_biomedical=False)]), plan=topic)
    assert made.research is not None and not made.research.is_biomedical
    assert planning_wording.NOT_BIOMEDICAL in made.notes
    drug = await planned(scripted_lm([reply(SURVIVAL, is_biomedical=False)]))
    assert drug.research is not None and drug.research.is_biomedical


async def test_an_unreadable_reply_and_a_spent_budget_leave_it_to_rules_and_a_failing_model_ends_the_step() -> None:
    assert "no reply that can be read" in (await planned(scripted_lm(["[[ ## it"] * 3))).notes[0]
    assert "the budget was spent" in (await planned(metered([], calls=0))).notes[0]
    with pytest.raises(ModelError, match="nobody there"):
        await planned(metered([lm15.AuthError("nobody there")]))


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_a_question_and_in_its_context_are_not_obeyed(name: str) -> None:
    request = REQUEST.model_copy(update={"text": f"{REQUEST.text} {HOSTILE[name]}", "context": HOSTILE[name]})
    refined = REFINED.model_copy(update={"text": HOSTILE[name], "key_terms": (HOSTILE[name],)})
    lm = scripted_lm(lambda _: reply(SURVIVAL))
    await planned(lm, request, refined=refined)
    assert not any(map(obeys, prompts_of(lm)))


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    def planner() -> ModelChecklistPlanner:
        return ModelChecklistPlanner(rule_based=Rules(), today=lambda: TODAY)

    example = dspy.Example(request=REQUEST, refined=REFINED).with_inputs("request", "refined")
    with dspy.context(lm=scripted_lm(lambda _: reply(item("Prolonged survival in women"))), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=checklist_metric, metric_threshold=0.7)
        made = optimiser.compile(copy.deepcopy(planner()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["plan_checklist"]
    assert len(made.plan_checklist.demos) == 1
    made.save(tmp_path / "planner.json")
    again = planner()
    again.load(tmp_path / "planner.json")
    assert len(again.plan_checklist.demos) == 1
