"""A model proposes hypotheses; a link stands only where the statements and records given for it name it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import dspy
import pytest
from agents.hostile import HOSTILE, obeys
from agents.repurposing_roles import (
    BENEFIT,
    BY_RULES,
    CHAIN,
    DISEASE,
    FINDINGS,
    IN_DISEASE,
    MECHANISM,
    PLAN,
    SAID,
    SOURCES,
    Rules,
    finding,
    many,
    played,
    statement,
    weighed,
)
from agents.research_roles import SETTINGS, TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import fences, metered
from dspy import lm15

from storm.agents.hypothesizer import ModelHypothesizer
from storm.errors import ModelError
from storm.models import (
    Hypotheses,
    MechanismHypothesis,
    ProposedHypothesis,
    RepurposingRound,
    SearchQuery,
    TestedHypothesis,
)
from storm.optimize.repurposing_metrics import hypotheses_metric


def ids_in(prompt: str) -> dict[str, str]:
    """The ids of the statements in a prompt, by their text."""
    return {text: label for label, text in fences(asked(prompt)["findings"])}


def said(**fields: Any) -> dict[str, Any]:
    """A hypothesis as a model writes it; links of texts of statements are given by these texts."""
    return {"drug": "zorvimab", "target": "", "pathway": "", "effect": "", "confidence": 0.5, "searches": [], **fields}


def chain(prompt: str, **fields: Any) -> dict[str, Any]:
    """The hypothesis that the findings state in full."""
    ids = ids_in(prompt)
    full = {
        "target": "ZRK1", "target_ids": [ids[SAID[0].text]], "pathway": "tau phosphorylation",
        "pathway_ids": [ids[SAID[1].text]], "effect": "cognitive decline", "effect_ids": [ids[SAID[2].text]],
    }  # fmt: skip
    return said(**{**full, **fields})


def hypothesizer(
    lm: Any = None, dialect: str = "chat", rule_based: Rules | None = None, **settings: Any
) -> ModelHypothesizer:
    return ModelHypothesizer(
        lm,
        rule_based=rule_based or Rules(),
        settings=SETTINGS.model_copy(update=settings),
        adapter=adapter(dialect),
        today=lambda: TODAY,
    )


async def proposed(lm: Any, rounds: tuple[RepurposingRound, ...] = (), **options: Any) -> Hypotheses:
    return await hypothesizer(lm, **options).propose(PLAN, FINDINGS, SOURCES, rounds)


def replying(*made: dict[str, Any], dialect: str = "chat") -> Any:
    return scripted_lm(lambda prompt: DIALECTS[dialect](hypotheses=[chain(prompt, **one) for one in made]))


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_each_link_has_the_quote_that_states_it(dialect: str) -> None:
    (one,) = (await proposed(replying({}, dialect=dialect), dialect=dialect)).proposed
    assert one.hypothesis.mechanism == "zorvimab → ZRK1 → tau phosphorylation → cognitive decline"
    assert [(link.link, link.source_id, link.quote) for link in one.basis] == [
        ("target", "src_001", SAID[0].quote),
        ("pathway", "src_002", SAID[1].quote),
        ("effect", "src_003", SAID[2].quote),
    ]


async def test_a_field_of_a_record_states_a_link_without_a_quote() -> None:
    lm = scripted_lm([chat(hypotheses=[said(target="ZRK1 inhibitor", target_ids=["R1"])])])
    (one,) = (await proposed(lm)).proposed
    assert [(link.source_id, link.quote) for link in one.basis] == [("src_009", "")]


@pytest.mark.parametrize(
    ("pathway", "ids"),
    [
        ("tau phosphorylation", ["S99", "R7", "src_002", "", 4, None]),
        ("amyloid clearance", ["S1", "S2", "S3", "S4"]),
        ("tau", []),
        ("zorvimab", ["S1", "S2", "S3", "S4"]),
        ("BLORPOSIS", ["S1", "S2", "S3", "S4"]),
        ("not stated", ["S1", "S2", "S3", "S4"]),
        ("tau phosphorylation in 99 patients", ["S1", "S2", "S3", "S4"]),
        ("tau " * 60, ["S1", "S2", "S3", "S4"]),
        ({"name": "tau"}, {"id": "S1"}),
    ],
)
async def test_a_link_that_its_ids_do_not_name_is_not_stated(pathway: Any, ids: Any) -> None:
    (one,) = (await proposed(replying({"pathway": pathway, "pathway_ids": ids}))).proposed
    assert (one.hypothesis.target, one.hypothesis.pathway) == ("ZRK1", "not stated")
    assert [link.link for link in one.basis] == ["target", "effect"]


async def test_a_change_that_the_quote_denies_is_not_stated() -> None:
    def reply(prompt: str) -> str:
        denied = {"effect": "improved memory", "effect_ids": [ids_in(prompt)[SAID[3].text]]}
        return chat(hypotheses=[chain(prompt, **denied)])

    (one,) = (await proposed(scripted_lm(reply))).proposed
    assert one.hypothesis.effect == "not stated"


async def test_a_target_is_stated_only_by_a_quote_that_names_the_drug() -> None:
    def reply(prompt: str) -> str:
        ids = [ids_in(prompt)[one.text] for one in SAID]
        return chat(hypotheses=[chain(prompt, target_ids=ids[1:2]), chain(prompt, target_ids=ids[:2], pathway="")])

    without, named = (await proposed(scripted_lm(reply))).proposed
    assert without.hypothesis.target == "not stated"
    assert [link.source_id for link in named.basis if link.link == "target"] == ["src_001"]


async def test_hypotheses_for_another_drug_are_dropped_and_counted() -> None:
    made = await proposed(replying({"drug": "aspirin"}, {"drug": "ZORVI"}, {"drug": "zorvimab-x"}))
    assert [one.hypothesis.drug for one in made.proposed] == ["zorvimab"]
    assert made.remark == "The language model proposed 2 hypotheses for another drug, left out."
    assert made.note == ""


@pytest.mark.parametrize(
    ("given", "kept"), [(7, 1.0), (-3, 0.0), ("high", 0.0), ("NaN", 0.0), (None, 0.0), (True, 0.0), ("0.7", 0.7)]
)
async def test_the_confidence_is_a_number_from_0_to_1(given: Any, kept: float) -> None:
    (one,) = (await proposed(replying({"confidence": given}))).proposed
    assert one.hypothesis.confidence == kept


async def test_a_mechanism_stands_once_and_there_are_at_most_five() -> None:
    (one,) = (await proposed(replying({}, {"target": "zrk1"}))).proposed
    assert one.hypothesis.target == "ZRK1"
    words = ["Zorvimab", "inhibits ZRK1", "ZRK1 in neurons", "neurons", "inhibits", "inhibits ZRK1 in neurons", "ZRK1"]
    assert len((await proposed(replying(*({"target": word} for word in words)))).proposed) == 5


async def test_searches_have_the_names_that_are_known_here_and_only_keys_of_the_plan() -> None:
    wanted = [
        {"question": BENEFIT.key, "words": "randomised trial"},
        {"question": IN_DISEASE.key, "words": "ZRK1 knockout"},
        {"question": MECHANISM.key, "words": "tau"},
        {"question": "clinical.beauty", "words": "skin"},
        {"question": BENEFIT.key, "words": "NOT placebo"},
        "nonsense",
    ]
    (one,) = (await proposed(replying({"searches": wanted}))).proposed
    assert one.searches == {
        BENEFIT.key: (SearchQuery(names=PLAN.names, required=(DISEASE.names, ("randomised",), ("trial",))),),
        IN_DISEASE.key: (SearchQuery(names=DISEASE.names, required=(("ZRK1",), ("knockout",))),),
        MECHANISM.key: (SearchQuery(names=PLAN.names, required=(("tau",),)),),
    }
    assert set(one.hypothesis.search_suggestions) == {query.terms for (query,) in one.searches.values()}


async def test_no_search_is_proposed_twice_and_none_that_a_round_ran() -> None:
    ran = SearchQuery(names=PLAN.names, required=(("tau",),))
    rounds = (played(searches={MECHANISM.key: (ran,)}),)
    wanted = [{"question": MECHANISM.key, "words": word} for word in ("tau", "kinase", "kinase", "rat", "mouse")]
    (one,) = (await proposed(replying({"searches": wanted}), rounds, queries_per_question=2)).proposed
    assert [query.terms for query in one.searches[MECHANISM.key]] == ["kinase", "rat"]


async def test_what_was_tested_with_evidence_stays_whatever_the_model_proposes() -> None:
    rounds = (played(weighed((), SAID[3:])),)
    lm = scripted_lm(lambda prompt: chat(hypotheses=[chain(prompt, effect="")]))
    made = await proposed(lm, rounds)
    assert [one.hypothesis.mechanism for one in made.proposed] == [
        "zorvimab → ZRK1 → tau phosphorylation → not stated",
        CHAIN.mechanism,
    ]
    assert "contradicted: 0 sources for, 1 against" in asked(prompts_of(lm)[0])["tested"]


@pytest.mark.parametrize(("new_sources", "confidence"), [(0, 0.5), (3, 0.9)])
async def test_a_hypothesis_changes_only_if_sources_were_added_since_it_was_tested(
    new_sources: int, confidence: float
) -> None:
    (before,) = (await proposed(replying({}))).proposed
    rounds = (played(TestedHypothesis.of(before, SAID[:1], ()), new_sources=new_sources),)
    (again,) = (await proposed(replying({"confidence": 0.9, "target": "zrk1"}), rounds)).proposed
    assert (again.hypothesis == before.hypothesis) is (new_sources == 0)
    assert again.hypothesis.confidence == confidence


@pytest.mark.parametrize("reply", ["nonsense", [], [said(target="beauty")], [said(drug="aspirin")], [7], "[[ ## hy"])
async def test_a_reply_of_no_use_is_asked_for_once_more_and_then_the_rules_propose(reply: Any) -> None:
    lm = scripted_lm(lambda _: chat(hypotheses=reply))
    made = await proposed(lm)
    assert made.proposed == BY_RULES.proposed and made.note.startswith("the model gave no reply that can be")
    assert asked(prompts_of(lm)[1])["problems"]


async def test_no_hypothesis_is_a_reply_where_rules_find_none_either() -> None:
    made = await proposed(scripted_lm([chat(hypotheses=[])]), rule_based=Rules(Hypotheses()))
    assert made == Hypotheses()


async def test_without_budget_rules_propose_and_a_failing_model_ends_the_step() -> None:
    made = await proposed(metered([], calls=0))
    assert made == BY_RULES.model_copy(update={"note": "the budget was spent"})
    with pytest.raises(ModelError, match="nobody there"):
        await proposed(metered([lm15.AuthError("nobody there")]))


@pytest.mark.parametrize("missing", ["disease", "identity"])
async def test_without_a_disease_or_a_drug_no_model_is_called(missing: str) -> None:
    plan = PLAN.model_copy(update={missing: None})
    assert await hypothesizer(scripted_lm([])).propose(plan, FINDINGS, SOURCES, ()) == BY_RULES


async def test_without_statements_and_records_no_model_is_called() -> None:
    assert await hypothesizer(scripted_lm([])).propose(PLAN, (), (), ()) == BY_RULES


async def test_its_prompt_keeps_its_size_however_much_was_found() -> None:
    lengths = []
    for number in (20, 200, 1_000):
        lm = scripted_lm([chat(hypotheses=[])])
        findings, sources = many(number)
        await hypothesizer(lm, rule_based=Rules(Hypotheses())).propose(PLAN, findings, sources, ())
        lengths.append(len(prompts_of(lm)[0]))
    assert max(lengths) <= 1.1 * min(lengths)


async def test_statements_that_repeat_another_give_way_to_one_that_differs() -> None:
    alike = [
        statement(n, f"Zorvimab slowed cognitive decline in {n} patients with Blorp disease.") for n in range(10, 50)
    ]
    lm = scripted_lm([chat(hypotheses=[])])
    findings = (finding(BENEFIT, *alike), finding(MECHANISM, SAID[0]))
    await hypothesizer(lm, rule_based=Rules(Hypotheses())).propose(PLAN, findings, SOURCES, ())
    shown = ids_in(prompts_of(lm)[0])
    assert len(shown) == 20 and SAID[0].text in shown


async def test_statements_are_compared_by_their_vectors_where_a_model_gives_them() -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        return [[1.0, float("memory" in text)] for text in texts]

    lm = scripted_lm([chat(hypotheses=[])])
    rules = Rules(Hypotheses())
    made = ModelHypothesizer(lm, rule_based=rules, settings=SETTINGS, adapter=adapter("chat"), embed=embed)
    await made.propose(PLAN, FINDINGS, SOURCES, ())
    assert set(ids_in(prompts_of(lm)[0])) == {one.text for one in SAID}


async def test_what_it_shows_does_not_depend_on_the_order_of_what_was_found() -> None:
    prompts = []
    for step in (1, -1):
        lm = scripted_lm([chat(hypotheses=[])])
        await hypothesizer(lm, rule_based=Rules(Hypotheses())).propose(PLAN, FINDINGS[::step], SOURCES[::step], ())
        prompts += prompts_of(lm)
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_the_evidence_are_not_obeyed(name: str) -> None:
    text = HOSTILE[name]
    lm = scripted_lm([chat(hypotheses=[])])
    plan = PLAN.model_copy(update={"disease": DISEASE.model_copy(update={"names": (text,)})})
    hypothesis = MechanismHypothesis(drug="zorvimab", target=text)
    rules = Rules(Hypotheses(proposed=(ProposedHypothesis(hypothesis=hypothesis),)))
    rounds = (played(weighed().model_copy(update={"mechanism": text})),)
    lm = scripted_lm([chat(hypotheses=[])] * 2)
    await hypothesizer(lm, rule_based=rules).propose(plan, [finding(BENEFIT, statement(1, text))], SOURCES, rounds)
    assert not any(map(obeys, prompts_of(lm)))


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    example = dspy.Example(plan=PLAN, findings=FINDINGS, sources=SOURCES, rounds=()).with_inputs(
        "plan", "findings", "sources", "rounds"
    )
    with dspy.context(lm=replying({}), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=hypotheses_metric, metric_threshold=0.9)
        made = optimiser.compile(copy.deepcopy(hypothesizer()), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["propose_hypotheses"]
    (demo,) = made.propose_hypotheses.demos
    assert [one.target for one in demo.hypotheses] == ["ZRK1"]
    made.save(tmp_path / "made.json")
    again = hypothesizer()
    again.load(tmp_path / "made.json")
    assert again.propose_hypotheses.demos[0]["hypotheses"][0]["target"] == "ZRK1"
