"""A model plans questions of any request, and whatever it replies, the plan can be used."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.research_roles import EFFICACY, PLAN, REQUEST, SETTINGS, TODAY, TOPIC, RulePlanner
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import metered
from dspy import lm15

from storm import planning_wording
from storm.agents.question_planner import ModelQuestionPlanner
from storm.errors import DrugNotIdentified, ModelError, UsageError
from storm.models import Complexity, Intent, JobRequest, Plan, ReportPreferences, RequestKind, ResearchPlan
from storm.optimize.role_metrics import plan_metric

DOSE = {
    "label": "Dose of zorvimab",
    "description": "At which dose is zorvimab given?",
    "search_words": ["dose", "infusion"],
    "importance": 0.4,
}
EFFECT = {
    "label": "Efficacy",
    "description": "Does zorvimab work as well as its biosimilars?",
    "search_words": ["equivalence"],
    "importance": 0.9,
}


def reply(*questions: Any, **fields: Any) -> dict[str, Any]:
    """The fields of a reply with these sub-questions."""
    return {
        "intent": "comparison",
        "complexity": "complex",
        "is_biomedical": True,
        "also_look_up": [],
        "preferences": {},
        "questions": list(questions),
        **fields,
    }


async def planned(
    lm: Any,
    request: JobRequest = REQUEST,
    rule_based: RulePlanner | None = None,
    dialect: str = "chat",
    **settings: Any,
) -> Plan:
    planner = ModelQuestionPlanner(
        lm,
        rule_based=rule_based or RulePlanner(),
        settings=SETTINGS.model_copy(update=settings),
        adapter=adapter(dialect),
        today=lambda: TODAY,
    )
    return await planner.plan(request)


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_its_questions_are_those_of_the_model_and_names_and_identity_those_of_the_rules(dialect: str) -> None:
    lm = scripted_lm([DIALECTS[dialect](**reply(EFFECT, DOSE))])
    plan = await planned(lm, dialect=dialect)
    assert [q.label for q in plan.syllabus.questions] == ["Efficacy", "Dose of zorvimab"]
    assert (plan.names, plan.identity) == (PLAN.names, PLAN.identity)
    assert plan.research is not None and plan.research.intent is Intent.COMPARISON
    shown = asked(prompts_of(lm)[0])
    assert shown["today"] == "2026-11-23" and REQUEST.text in shown["request"]


async def test_a_sub_question_that_rules_planned_too_keeps_their_rules_and_key_and_another_has_search_words() -> None:
    efficacy, dose = (await planned(scripted_lm([chat(**reply(EFFECT, DOSE))]))).syllabus.questions
    assert (efficacy.key, efficacy.rules) == (EFFICACY.key, EFFICACY.rules)
    assert efficacy.focus == ("survival", "response", "equivalence")
    assert (dose.key, dose.rules, dose.focus) == ("dose_of_zorvimab", (), ("dose", "infusion"))


async def test_a_part_of_what_a_rule_asks_is_a_question_of_its_own() -> None:
    children = {**EFFECT, "label": "Efficacy in children"}
    (question,) = (await planned(scripted_lm([chat(**reply(children))]))).syllabus.questions
    assert (question.key, question.rules) == ("efficacy_in_children", ())


#: A request with so many outcomes in its own words.
MANY = REQUEST.model_copy(update={"text": f"What of zorvimab and outcome {', '.join(f'no{n}' for n in range(40))}?"})


async def test_of_forty_sub_questions_the_most_important_are_kept_in_their_order() -> None:
    many = [{**DOSE, "label": f"Zorvimab outcome no{n}", "description": f"zorvimab outcome no{n}?", "importance": n % 7}
            for n in range(40)]  # fmt: skip
    plan = await planned(scripted_lm([chat(**reply(*many))]), MANY, max_questions=6)
    kept = [5, 6, 13, 20, 27, 34]
    assert [q.label for q in plan.syllabus.questions] == [f"Zorvimab outcome no{n}" for n in kept]
    assert {q.importance for q in plan.syllabus.questions} <= {1.0, 0.833}


async def test_sub_questions_that_ask_the_same_are_merged_with_their_words() -> None:
    again = {**DOSE, "label": "The dose of Zorvi", "search_words": ["loading"], "importance": 0.8}
    (question,) = (await planned(scripted_lm([chat(**reply(DOSE, again))]))).syllabus.questions
    assert question.label == "The dose of Zorvi" and set(question.focus) == {"dose", "infusion", "loading"}


async def test_labels_of_any_script_have_keys_of_their_own() -> None:
    odd = ["安全性", "有効性", "5-FU doses", "___ ", "x" * 300, "Dose!", "dose?"]
    written = [{"label": label, "description": f"zorvimab {n * 'very '}{label}"} for n, label in enumerate(odd)]
    request = REQUEST.model_copy(update={"text": f"What is known of zorvimab, {', '.join(odd)}?"})
    plan = await planned(scripted_lm([chat(**reply(*written))]), request)
    assert len(set(plan.syllabus.keys)) == len(plan.syllabus.keys) >= 4


async def test_without_a_sub_question_the_model_is_asked_once_more_with_what_was_wrong() -> None:
    lm = scripted_lm([chat(**reply()), chat(**reply(DOSE))])
    assert (await planned(lm)).syllabus.keys == ("dose_of_zorvimab",)
    assert "It has no sub-question." in asked(prompts_of(lm)[1])["problems"]


async def test_a_plan_that_fits_nothing_twice_is_that_of_the_rules_and_says_so() -> None:
    basketball = {"label": "Basketball", "description": "Who won the finals?", "search_words": ["league"]}
    lm = scripted_lm([chat(**reply(basketball))] * 2)
    plan = await planned(lm)
    assert plan.syllabus == PLAN.syllabus
    assert plan.notes == (
        "Rules planned the questions of this report, since the model gave no reply that can be used.",
    )
    assert "has to do with the request" in asked(prompts_of(lm)[1])["problems"]


async def test_what_fits_the_request_is_kept_where_another_sub_question_does_not() -> None:
    basketball = {"label": "Basketball", "description": "Who won the finals?"}
    assert (await planned(scripted_lm([chat(**reply(basketball, DOSE))]))).syllabus.keys == ("dose_of_zorvimab",)


async def test_a_sub_question_fits_that_shares_its_words_with_another_that_does() -> None:
    heart = {"label": "Heart failure", "description": "Does zorvimab cause heart failure?"}
    detail = {"label": "Monitoring", "description": "How often is the heart to be examined?"}
    plan = await planned(scripted_lm([chat(**reply(detail, heart))]))
    assert plan.syllabus.keys == ("monitoring", "heart_failure")


async def test_sub_questions_in_english_fit_a_request_in_another_language() -> None:
    request = REQUEST.model_copy(update={"text": "Welche Behandlung hilft bei chronischen Schmerzen?"})
    therapy = {"label": "Pain relief", "description": "Which therapy helps?", "search_words": ["exercise"]}
    plan = await planned(scripted_lm([chat(**reply(therapy))]), request, RulePlanner(otherwise=TOPIC))
    assert plan.syllabus.keys == ("pain_relief",)


async def test_half_a_reply_is_asked_for_again_and_then_rules_plan() -> None:
    half = chat(**reply(DOSE)).partition("[[ ## questions")[0]
    lm = scripted_lm([half] * 3)
    plan = await planned(lm)
    assert plan.syllabus == PLAN.syllabus and "no reply that can be read" in plan.notes[-1]
    assert "could not be read" in asked(prompts_of(lm)[1])["problems"]


async def test_of_a_list_that_was_cut_the_whole_sub_questions_are_read() -> None:
    written = chat(**reply(DOSE, EFFECT))
    plan = await planned(scripted_lm([written[: written.rindex("Does zorvimab work")]]))
    assert "dose_of_zorvimab" in plan.syllabus.keys and plan.notes == ()


async def test_entries_that_are_no_sub_questions_are_left_out() -> None:
    odd = ["dose", 7, None, [], {"label": {}}, {"label": True}, {**DOSE, "importance": "high", "search_words": "a, b"}]
    plan = await planned(scripted_lm([chat(**reply(*odd))]))
    assert [(q.focus, q.importance) for q in plan.syllabus.questions] == [(("a", "b"), 0.5)]


async def test_without_budget_rules_plan_and_the_reader_reads_why() -> None:
    plan = await planned(metered([], calls=0))
    assert plan.syllabus == PLAN.syllabus and "the budget was spent" in plan.notes[-1]


async def test_a_failing_model_ends_the_step_so_that_the_job_can_be_resumed() -> None:
    with pytest.raises(ModelError, match="nobody there"):
        await planned(metered([lm15.AuthError("nobody there")]))


async def test_a_given_syllabus_is_kept_and_no_model_is_called() -> None:
    request = REQUEST.model_copy(update={"syllabus": PLAN.syllabus})
    assert (await planned(scripted_lm([]), request)).syllabus == PLAN.syllabus


async def test_given_preferences_win_then_those_that_rules_read() -> None:
    by_rules = PLAN.model_copy(update={"research": ResearchPlan(preferences=ReportPreferences(length="two pages"))})
    wanted = ReportPreferences(audience="nurses")
    text = f"{REQUEST.text} A book for children, in a plain tone, on costs, please."
    request = REQUEST.model_copy(update={"preferences": wanted, "text": text})
    said = {"audience": "children", "length": "a book", "tone": "plain", "sections": ["Costs", "Costs", "x" * 500]}
    plan = await planned(scripted_lm([chat(**reply(DOSE, preferences=said))]), request, RulePlanner(otherwise=by_rules))
    assert plan.research is not None and plan.research.preferences == ReportPreferences(
        audience="nurses", length="two pages", tone="plain", sections=("Costs",)
    )


async def test_wishes_that_do_not_stand_in_the_request_and_headings_that_claim_something_are_dropped() -> None:
    text = f"{REQUEST.text} Is it true that zorvimab doubles mortality? Write of costs."
    said = {
        "audience": "investors",
        "sections": ["Zorvimab cures women over 60", "zorvimab doubles mortality", "Costs"],
    }
    lm = scripted_lm([chat(**reply(DOSE, preferences=said))])
    plan = await planned(lm, REQUEST.model_copy(update={"text": text}))
    assert plan.research is not None and plan.research.preferences == ReportPreferences(sections=("Costs",))


@pytest.mark.parametrize(
    "label",
    [
        "Zorvimab kills 80% of women",
        "Zorvimab is not safe",
        "Safety in 80 women",
        "Nephrotoxicity of zorvimab",
        "Zorvimab harms women",
        "Improved survival with zorvimab",
    ],
)
async def test_a_sub_question_whose_label_claims_or_adds_something_is_left_out(label: str) -> None:
    claim = {**DOSE, "label": label, "search_words": ["kidney"]}
    assert (await planned(scripted_lm([chat(**reply(claim, EFFECT))]))).syllabus.keys == (EFFICACY.key,)


@pytest.mark.parametrize(
    "description",
    [
        "Zorvimab is not safe.",
        "Why does zorvimab kill 80% of women?",
        "How does nephrotoxicity of zorvimab compare?",
    ],
)
async def test_a_description_that_claims_or_adds_something_is_replaced(description: str) -> None:
    lm = scripted_lm([chat(**reply({**DOSE, "description": description}))])
    (question,) = (await planned(lm)).syllabus.questions
    assert question.description == "What is known of this: Dose of zorvimab"


async def test_words_of_the_request_may_stand_in_a_label_whatever_they_are() -> None:
    request = REQUEST.model_copy(update={"text": "Is zorvimab 8 mg the best choice in nephrotic women?"})
    best = {"label": "Zorvimab 8 mg", "description": "Is zorvimab 8 mg the best choice?"}
    (question,) = (await planned(scripted_lm([chat(**reply(best))]), request)).syllabus.questions
    assert (question.label, question.description) == (best["label"], best["description"])


@pytest.mark.parametrize("label", ["Sources", "Names"])
async def test_no_key_is_one_of_the_search_logs_look_ups(label: str) -> None:
    own = {"label": label, "description": f"Which {label} has zorvimab?"}
    request = REQUEST.model_copy(update={"text": f"Which {label} has zorvimab?"})
    assert (await planned(scripted_lm([chat(**reply(own))]), request)).syllabus.keys == (f"{label.casefold()}_2",)


async def test_a_simple_request_gets_few_sub_questions_with_more_sources_each() -> None:
    many = [{**DOSE, "label": f"Zorvimab outcome no{n}", "description": f"zorvimab outcome no{n}?"} for n in range(9)]
    simple, complicated = [
        await planned(scripted_lm([chat(**reply(*many, complexity=complexity, intent="fact"))]), MANY)
        for complexity in ("simple", "Complex.")
    ]
    assert (len(simple.syllabus.questions), len(complicated.syllabus.questions)) == (4, 9)
    assert simple.syllabus.questions[0].min_sources > complicated.syllabus.questions[0].min_sources


async def test_intent_and_complexity_that_do_not_exist_are_those_of_the_rules() -> None:
    rules = PLAN.model_copy(update={"research": ResearchPlan(intent=Intent.OPINION, complexity=Complexity.SIMPLE)})
    lm = scripted_lm([chat(**reply(DOSE, intent="rant", complexity="fiendish"))])
    plan = await planned(lm, rule_based=RulePlanner(otherwise=rules))
    assert plan.research is not None
    assert (plan.research.intent, plan.research.complexity) == (Intent.OPINION, Complexity.SIMPLE)


async def test_a_drug_that_only_the_model_recognises_is_looked_up_in_the_databases() -> None:
    rules = RulePlanner({"Zorvi": PLAN}, TOPIC)
    request = REQUEST.model_copy(update={"text": "ゾルビマブは安全ですか"})
    dose = {**DOSE, "label": "Dose of Zorvi"}
    plan = await planned(scripted_lm([chat(**reply(dose, also_look_up=["Zorvi"]))]), request, rules)
    assert plan.identity == PLAN.identity and plan.names == PLAN.names
    assert rules.requests[-1].text.startswith("Zorvi. ")


@pytest.mark.parametrize("known", [None, DrugNotIdentified("several drugs")])
async def test_a_drug_that_no_database_identifies_sets_no_name(known: Any) -> None:
    rules = RulePlanner({"Nonsense": known} if known else {}, TOPIC)
    request = REQUEST.model_copy(update={"text": "What helps against chronic pain?"})
    pain = {"label": "Pain relief", "description": "What relieves chronic pain?"}
    plan = await planned(scripted_lm([chat(**reply(pain, also_look_up=["Nonsense", "\n", "x" * 900]))]), request, rules)
    assert (plan.names, plan.identity) == (TOPIC.names, None)


async def test_a_name_that_no_database_identifies_gives_labels_no_words() -> None:
    request = REQUEST.model_copy(update={"text": "What helps against chronic pain?"})
    claimed = {"label": "Nonsensine", "description": "What is Nonsensine?"}
    lm = scripted_lm([chat(**reply(claimed, also_look_up=["Nonsensine"]))])
    plan = await planned(lm, request, RulePlanner(otherwise=TOPIC))
    assert plan.syllabus == TOPIC.syllabus and "no reply that can be used" in plan.notes[-1]


async def test_a_request_that_is_not_biomedical_is_searched_on_the_web_and_says_so() -> None:
    request = JobRequest(kind=RequestKind.QUESTION, text="Who's the best player in the NBA?")
    player = {"label": "Best player", "description": "Who is the best player in the NBA?", "search_words": ["MVP"]}
    rules = RulePlanner(otherwise=TOPIC)
    plan = await planned(scripted_lm([chat(**reply(player, is_biomedical=False))]), request, rules)
    assert plan.research is not None and not plan.research.is_biomedical
    assert plan.notes == (planning_wording.NOT_BIOMEDICAL,)
    assert plan.syllabus.questions[0].queries == {"web": ("Best player MVP",)}


async def test_where_the_job_searches_no_web_a_plan_for_it_says_so() -> None:
    player = {"label": "Best player", "description": "Who is the best player in the NBA?"}
    request = JobRequest(kind=RequestKind.QUESTION, text="Who's the best player in the NBA?")
    planner = ModelQuestionPlanner(
        scripted_lm([chat(**reply(player, is_biomedical=False))]),
        rule_based=RulePlanner(otherwise=TOPIC),
        settings=SETTINGS,
        searches_web=False,
    )
    assert (await planner.plan(request)).notes == (planning_wording.NO_WEB,)


async def test_where_the_model_knows_better_the_note_that_the_request_is_not_biomedical_is_dropped() -> None:
    by_rules = TOPIC.model_copy(
        update={"notes": ("Kept.", planning_wording.NOT_BIOMEDICAL), "research": ResearchPlan(is_biomedical=False)}
    )
    pain = {"label": "Pain relief", "description": "What relieves chronic pain?"}
    plan = await planned(scripted_lm([chat(**reply(pain))]), rule_based=RulePlanner(otherwise=by_rules))
    assert plan.notes == ("Kept.",) and plan.syllabus.questions[0].queries == {}


async def test_a_question_of_the_rules_in_the_requests_own_words_lends_a_sub_question_no_rules() -> None:
    own = EFFICACY.model_copy(update={"key": "asked", "label": REQUEST.text, "focus": ()})
    by_rules = PLAN.model_copy(update={"syllabus": PLAN.syllabus.model_copy(update={"questions": (own,)})})
    plan = await planned(scripted_lm([chat(**reply(EFFECT))]), rule_based=RulePlanner(otherwise=by_rules))
    assert plan.syllabus.keys == ("efficacy",)


async def test_a_request_about_a_drug_is_biomedical_whatever_the_model_says() -> None:
    plan = await planned(scripted_lm([chat(**reply(DOSE, is_biomedical=False))]))
    assert plan.research is not None and plan.research.is_biomedical and plan.notes == ()


async def test_a_long_request_is_shown_by_its_beginning_and_end() -> None:
    request = REQUEST.model_copy(update={"text": f"Begin zorvimab? {'very ' * 3_900}End?"})
    lm = scripted_lm([chat(**reply(DOSE))])
    await planned(lm, request)
    shown = asked(prompts_of(lm)[0])["request"]
    assert "Begin" in shown and "End?" in shown and len(shown) < 6_200


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_a_request_are_not_obeyed(name: str) -> None:
    try:
        request = JobRequest(kind=RequestKind.QUESTION, text=f"Is zorvimab safe?\n{HOSTILE[name]}"[:19_000])
    except UsageError:  # of control characters, which no request has
        return
    lm = scripted_lm([chat(**reply(DOSE))])
    await planned(lm, request)
    assert not obeys(prompts_of(lm)[0])


def program(**options: Any) -> ModelQuestionPlanner:
    return ModelQuestionPlanner(rule_based=RulePlanner(), settings=SETTINGS, today=lambda: TODAY, **options)


def test_it_has_one_predictor_that_is_saved_and_loaded(tmp_path: Path) -> None:
    made = program()
    assert [name for name, _ in made.named_predictors()] == ["plan_questions"]
    made.plan_questions.signature = made.plan_questions.signature.with_instructions("Plan well.")
    made.save(tmp_path / "planner.json")
    again = program()
    again.load(tmp_path / "planner.json")
    assert again.plan_questions.signature.instructions == "Plan well."


def test_a_copy_plans_with_the_same_rules_and_learns_apart() -> None:
    made = program()
    copied = copy.deepcopy(made)
    copied.plan_questions.demos = [dspy.Example(request="x")]
    assert made.plan_questions.demos == []
    with dspy.context(lm=scripted_lm([chat(**reply(DOSE))]), adapter=adapter("chat")):
        assert copied(request=REQUEST).plan.syllabus.keys == ("dose_of_zorvimab",)


def test_it_is_compiled_by_example() -> None:
    example = dspy.Example(request=REQUEST, facets=("efficacy", "dose")).with_inputs("request")
    with dspy.context(lm=scripted_lm(lambda _: chat(**reply(EFFECT, DOSE))), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=plan_metric, metric_threshold=0.9)
        made = optimiser.compile(program(), trainset=[example])
    (demo,) = made.plan_questions.demos
    assert [one.label for one in demo.questions] == ["Efficacy", "Dose of zorvimab"]
