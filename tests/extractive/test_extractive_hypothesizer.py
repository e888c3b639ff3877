"""Hypotheses by rules: only links that a record or a sentence states, each with what states it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storm.extractive.hypothesizer import RuleHypothesizer
from storm.models import (
    Answer,
    Assessment,
    Disease,
    Finding,
    Hit,
    Hypotheses,
    HypothesisLink,
    MechanismHypothesis,
    Narrowing,
    Plan,
    ProposedHypothesis,
    Question,
    RepurposingRound,
    ResearchSettings,
    Section,
    Source,
    Statement,
    Syllabus,
    TestedHypothesis,
)
from storm.models.repurposing import NOT_STATED

NAMES = ("Alzheimer's disease", "Alzheimer disease")
SETTING = Narrowing(label="Alzheimer's disease", phrases=NAMES, role="setting")


def question(key: str, **fields: Any) -> Question:
    return Question(key=key, label=key, description=key, min_sources=1, **fields)


MODELS = question("mechanism.models", about=(SETTING,), itself_only=True)
BENEFIT = question("clinical.benefit", about=(SETTING,), itself_only=True, focus=("cognitive", "survival"))
PLAN = Plan(
    names=("zorvimab",),
    syllabus=Syllabus(
        name="own", questions=(question("mechanism.drug"), question("mechanism.disease", names=NAMES), MODELS, BENEFIT)
    ),
    disease=Disease(label="Alzheimer's disease", names=NAMES),
)


def source(number: int, text: str, title: str = "A study", database: str = "pubmed", **fields: Any) -> Source:
    hit = Hit.of(database, str(number), "https://example.org", title, text=text, **fields)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=PLAN.syllabus.keys)


def finding(text: str, number: int, key: str = "clinical.benefit") -> Finding:
    said = Statement(text=text, quote=text, source_ids=(f"src_{number:03}",), citation_id="cit_001")
    return Finding(answer=Answer(question=key, statements=(said,)))


async def propose(
    *sources: Source,
    findings: Sequence[Finding] = (),
    rounds: Sequence[RepurposingRound] = (),
    plan: Plan = PLAN,
    most: int = 5,
    queries: int = 4,
) -> Hypotheses:
    hypothesizer = RuleHypothesizer(ResearchSettings(queries_per_question=queries), ("pubmed",), most)
    return await hypothesizer.propose(plan, findings, sources, rounds)


async def targets_of(text: str) -> list[str]:
    return sorted(one.hypothesis.target for one in (await propose(source(1, text))).proposed)


ACTS = source(1, "Zorvimab activates AMPK in neurons.")
DOWN = source(2, "In Alzheimer's disease AMPK suppresses neuroinflammation, and low AMPK precedes cognitive decline.")
RESULT = "Zorvimab slowed cognitive decline in patients with Alzheimer's disease compared with placebo."
RANDOMISED = ("Randomized Controlled Trial",)
TRIAL = source(3, RESULT, "Zorvimab in Alzheimer's disease: a randomised trial", publication_types=RANDOMISED)


async def test_each_link_is_stated_by_a_quote_of_a_source() -> None:
    [proposed] = (await propose(ACTS, DOWN)).proposed
    assert proposed.hypothesis.mechanism == "zorvimab → AMPK → neuroinflammation → cognitive decline"
    texts = {one.source_id: one.hit.text for one in (ACTS, DOWN)}
    assert [(link.link, link.source_id) for link in proposed.basis] == [
        ("target", "src_001"), ("pathway", "src_002"), ("effect", "src_002")
    ]  # fmt: skip
    assert all(link.quote and link.quote in texts[link.source_id] for link in proposed.basis)


async def test_a_link_that_nothing_states_is_not_stated() -> None:
    [proposed] = (await propose(ACTS)).proposed
    assert proposed.hypothesis.mechanism == f"zorvimab → AMPK → {NOT_STATED} → {NOT_STATED}"


async def test_what_another_drug_does_to_the_target_states_no_link() -> None:
    other = source(2, "In Alzheimer's disease the AMPK activator imatinib suppressed autophagy and cognitive decline.")
    [proposed] = (await propose(ACTS, other)).proposed
    assert proposed.hypothesis.mechanism == f"zorvimab → AMPK → {NOT_STATED} → {NOT_STATED}"


async def test_a_target_of_a_record_has_no_quote() -> None:
    record = source(
        1, "Zorvimab is an antibody.", "ZORVIMAB", "chembl", facts={"targets": ("Dihydrofolate reductase",)}
    )
    [proposed] = (await propose(record)).proposed
    assert proposed.hypothesis.target == "Dihydrofolate reductase"
    assert proposed.basis == (HypothesisLink(link="target", source_id="src_001"),)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Zorvimab, a PCSK9 inhibitor, was given.", ["PCSK9"]),
        ("The potent NMDA receptor antagonist zorvimab acts fast.", ["NMDA receptor"]),
        ("It was shown that mTORC1 is inhibited by zorvimab.", ["mTORC1"]),
        ("Activation of AMPK by zorvimab was seen in all cells.", ["AMPK"]),
        ("Zorvimab-induced AMPK activation was seen in all cells.", ["AMPK"]),
        ("Zorvimab slows growth by inhibiting mitochondrial complex I.", ["mitochondrial complex I"]),
        ("Zorvimab inhibits dihydrofolate reductase (DHFR) and mTOR.", ["dihydrofolate reductase", "mTOR"]),
        ("Zorvimab is an inhibitor of dipeptidyl peptidase-4.", ["dipeptidyl peptidase-4"]),
    ],
)
async def test_targets_are_read_from_sentences_that_say_the_drug_acts_on_them(text: str, targets: list[str]) -> None:
    assert await targets_of(text) == targets


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab does not inhibit mTOR in neurons.",
        "It is unknown whether zorvimab inhibits mTOR.",
        "Zorvimab may inhibit mTOR in neurons.",
        "Imatinib, unlike zorvimab, inhibits ABL1.",
        "Rosuvastatin plus zorvimab inhibits PCSK9.",
        "Zorvimab was given with imatinib, an ABL1 inhibitor.",
        "Zorvimab inhibited tumour growth and inflammation.",
        "Zorvimab suppressed EAE in all groups.",
        "Zorvimab activated CD8+ T cells and Th17 cells.",
        "Zorvimab is a strong cytochrome P450 3A4 inhibitor.",
        "Zorvimab vedotin inhibits TUBB3 in cells.",
    ],
)
async def test_denials_questions_other_drugs_and_what_is_no_molecule_make_no_target(text: str) -> None:
    assert await targets_of(text) == []


async def test_names_that_a_text_defines_are_one_target() -> None:
    long = source(1, "Zorvimab activates AMP-activated protein kinase (AMPK) in neurons.")
    [proposed] = (await propose(long, source(2, "Treatment with zorvimab activated AMPK."))).proposed
    assert {link.source_id for link in proposed.basis} == {"src_001", "src_002"}
    assert proposed.searches["mechanism.disease"][0].required == (("AMPK", "AMP-activated protein kinase"),)


async def test_a_symbol_within_a_name_stands_for_its_long_form() -> None:
    long = source(1, "Zorvimab is an antagonist of the N-methyl-D-aspartate (NMDA) receptor. It was tested.")
    short = source(2, "The NMDA receptor antagonist zorvimab was tested in cells.")
    full = source(3, "Zorvimab is an N-methyl-D-aspartate receptor antagonist. It was tested.")
    [proposed] = (await propose(long, short, full)).proposed
    assert {link.source_id for link in proposed.basis} >= {"src_002", "src_003"}


async def test_a_symbol_that_a_text_defines_as_no_molecule_is_no_target() -> None:
    assert await targets_of("Zorvimab suppressed XQZ. Experimental quick zoster (XQZ) is a model.") == ["XQZ"]
    assert await targets_of("Zorvimab suppressed XQZ. The xeno quick zoster (XQZ) is a model.") == []


async def test_results_without_a_target_make_one_hypothesis_on_the_effect() -> None:
    [proposed] = (await propose(TRIAL, findings=[finding(RESULT, 3)])).proposed
    assert proposed.hypothesis.mechanism == f"zorvimab → {NOT_STATED} → {NOT_STATED} → cognitive decline"
    assert list(proposed.searches) == ["clinical.benefit"]


async def test_without_target_and_result_there_is_no_hypothesis() -> None:
    assert (await propose(source(1, "Zorvimab is stored in a cool place."))).proposed == ()
    assert (await propose(ACTS, DOWN, plan=PLAN.model_copy(update={"disease": None}))).proposed == ()


async def test_back_matter_and_tables_state_nothing() -> None:
    hit = ACTS.hit.model_copy(update={"sections": (Section(label="Acknowledgements", text=ACTS.hit.text),)})
    assert (await propose(ACTS.model_copy(update={"hit": hit}))).proposed == ()


async def test_confidence_is_above_a_half_only_with_a_result_in_people() -> None:
    more = [source(n, "In Alzheimer's disease AMPK suppresses neuroinflammation.") for n in range(10, 20)]
    [without] = (await propose(ACTS, DOWN, *more)).proposed
    [with_people] = (await propose(ACTS, DOWN, *more, TRIAL, findings=[finding(RESULT, 3)])).proposed
    assert without.hypothesis.confidence == 0.5
    assert with_people.hypothesis.confidence == 0.6


async def test_a_null_result_in_people_adds_no_confidence() -> None:
    null = "There was no difference in cognitive decline between zorvimab and placebo in Alzheimer's disease."
    trial = source(3, null, TRIAL.hit.title, publication_types=RANDOMISED)
    [with_null] = (await propose(trial, findings=[finding(null, 3)])).proposed
    [with_result] = (await propose(TRIAL, findings=[finding(RESULT, 3)])).proposed
    assert (with_null.hypothesis.confidence, with_result.hypothesis.confidence) == (0.1, 0.2)


async def test_searches_test_the_links_and_are_suggested_in_words() -> None:
    [proposed] = (await propose(ACTS, DOWN)).proposed
    searches = {key: query for key, (query,) in proposed.searches.items()}
    assert searches["mechanism.disease"].names == NAMES
    assert searches["mechanism.disease"].required == (("AMPK",),)
    assert searches["mechanism.models"].names == ("zorvimab",)
    assert searches["mechanism.models"].required == (NAMES, ("AMPK",))
    assert searches["clinical.benefit"].required == (NAMES, ("cognitive decline",))
    assert proposed.hypothesis.search_suggestions == tuple(map(str, searches.values()))
    assert {query.databases for query in searches.values()} == {("pubmed",)}


async def test_no_question_gets_more_searches_than_allowed_or_any_that_is_not_planned() -> None:
    text = source(1, "Zorvimab inhibits AMPK, PCSK9 and HDAC6.")
    only = PLAN.model_copy(update={"syllabus": Syllabus(name="own", questions=(MODELS,))})
    proposed = (await propose(text, plan=only, queries=2)).proposed
    assert [list(one.searches) for one in proposed] == [["mechanism.models"], ["mechanism.models"], []]


async def test_the_best_stated_hypotheses_come_first_and_no_more_than_wanted() -> None:
    others = source(4, "Zorvimab inhibits PCSK9 and HDAC6.")
    proposed = (await propose(others, ACTS, DOWN, most=2)).proposed
    assert [one.hypothesis.target for one in proposed] == ["AMPK", "HDAC6"]


def round_of(*tested: ProposedHypothesis) -> RepurposingRound:
    return RepurposingRound(
        tested=tuple(TestedHypothesis.of(one, (), ()) for one in tested), assessment=Assessment.model_construct()
    )


async def test_a_hypothesis_of_the_last_round_stays_while_its_quote_is_there() -> None:
    link = HypothesisLink(link="target", source_id="src_005", quote="Zorvimab seems to favour KEAP1.")
    earlier = ProposedHypothesis(hypothesis=MechanismHypothesis(drug="zorvimab", target="KEAP1"), basis=(link,))
    stands = await propose(ACTS, source(5, link.quote), rounds=[round_of(earlier)])
    lost = await propose(ACTS, source(5, "Something else."), rounds=[round_of(earlier)])
    other = earlier.model_copy(update={"hypothesis": MechanismHypothesis(drug="imatinib", target="KEAP1")})
    of_another_drug = await propose(ACTS, source(5, link.quote), rounds=[round_of(other)])
    assert [one.hypothesis.target for one in stands.proposed] == ["AMPK", "KEAP1"]
    assert [one.hypothesis.target for one in lost.proposed] == ["AMPK"]
    assert [one.hypothesis.target for one in of_another_drug.proposed] == ["AMPK"]


async def test_a_later_round_completes_a_chain_instead_of_repeating_it() -> None:
    first = await propose(ACTS)
    second = await propose(ACTS, DOWN, rounds=[round_of(*first.proposed)])
    assert [one.hypothesis.pathway for one in second.proposed] == ["neuroinflammation"]


SOURCES = (
    ACTS,
    DOWN,
    TRIAL,
    source(4, "Zorvimab inhibits PCSK9 and HDAC6. HDAC6 regulates autophagy in Alzheimer's disease."),
    source(5, "Treatment with zorvimab activated AMPK. AMPK inhibits the mTOR pathway in Alzheimer's disease."),
    source(6, "In Alzheimer's disease AMPK limits neuroinflammation and memory loss."),
)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.permutations(SOURCES))
async def test_the_order_of_the_sources_changes_nothing(sources: Sequence[Source]) -> None:
    expected = await propose(*SOURCES)
    assert await propose(*sources) == expected
    assert [one.hypothesis.target for one in expected.proposed] == ["AMPK", "HDAC6", "PCSK9"]


async def test_a_denial_names_an_effect_only_where_nothing_states_one() -> None:
    text = "Zorvimab did not slow cognitive decline compared with placebo in patients with Alzheimer's disease."
    null = source(4, text, TRIAL.hit.title, publication_types=RANDOMISED)
    [alone] = (await propose(null, findings=[finding(text, 4)])).proposed
    [both] = (await propose(TRIAL, null, findings=[finding(RESULT, 3), finding(text, 4)])).proposed
    assert alone.hypothesis.effect == both.hypothesis.effect == "cognitive decline"
    assert {link.source_id for link in alone.basis} == {"src_004"}
    assert {link.source_id for link in both.basis} == {"src_003"}


async def test_what_is_measured_in_cells_gives_way_to_an_outcome() -> None:
    cells = "Zorvimab reduced cell viability in Alzheimer's disease."
    decline = "Zorvimab slowed memory loss in Alzheimer's disease."
    found = [finding(cells, 1, MODELS.key), finding(decline, 2, MODELS.key)]
    [proposed] = (await propose(source(1, cells), source(2, decline), findings=found)).proposed
    assert proposed.hypothesis.effect == "memory loss"


async def test_an_effect_that_a_sentence_states_of_another_target_is_not_given_to_this_one() -> None:
    own = "By activating AMPK, zorvimab slowed memory loss in Alzheimer's disease."
    others = source(2, "Zorvimab activates AMPK. Zorvimab inhibits PCSK9.")
    proposed = (await propose(source(1, own), others, findings=[finding(own, 1)])).proposed
    effects = {one.hypothesis.target: one.hypothesis.effect for one in proposed}
    assert effects == {"AMPK": "memory loss", "PCSK9": NOT_STATED}


async def test_a_pathway_is_read_from_sentences_on_the_drug_or_the_disease_alone() -> None:
    elsewhere = source(2, "In the liver AMPK suppresses gluconeogenesis.")
    [proposed] = (await propose(ACTS, elsewhere)).proposed
    assert proposed.hypothesis.pathway == NOT_STATED


async def test_of_hypotheses_that_differ_only_in_a_records_target_two_are_left() -> None:
    facts = {"targets": ("Alpha reductase", "Beta reductase", "Gamma reductase", "Delta reductase")}
    record = source(1, "Zorvimab is a drug.", "ZORVIMAB", "chembl", facts=facts)
    assert len((await propose(record)).proposed) == 2
    with_sentence = (await propose(record, source(2, "Zorvimab inhibits HDAC6 and PCSK9."))).proposed
    assert [one.hypothesis.target for one in with_sentence] == ["HDAC6", "PCSK9"]


async def test_names_of_one_target_make_one_hypothesis_under_the_shortest_usual_name() -> None:
    facts = {"targets": ("Receptor protein-tyrosine kinase erbB-2",)}
    record = source(1, "Zorvimab is an antibody.", "ZORVIMAB", "chembl", facts=facts)
    [proposed] = (await propose(record, source(2, "Zorvimab, a HER2 antagonist, was given."))).proposed
    assert proposed.hypothesis.target == "HER2"
    assert {link.source_id for link in proposed.basis} == {"src_001", "src_002"}


async def test_a_hypothesis_of_the_last_round_under_another_name_of_its_target_is_not_repeated() -> None:
    link = HypothesisLink(link="target", source_id="src_002", quote="Zorvimab, a HER2 antagonist, was given.")
    earlier = ProposedHypothesis(hypothesis=MechanismHypothesis(drug="zorvimab", target="ERBB2"), basis=(link,))
    texts = source(2, link.quote), source(3, "Zorvimab inhibits ERBB2.")
    [proposed] = (await propose(*texts, rounds=[round_of(earlier)])).proposed
    assert proposed.hypothesis.target == "HER2"
