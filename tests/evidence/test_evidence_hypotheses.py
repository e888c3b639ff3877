from __future__ import annotations

import random

import pytest
from hypotheses import answer, make_plan, make_source, make_statement, propose
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.hypotheses import find_evidence
from storm.models import (
    Answer,
    Conflict,
    Disease,
    HypothesisStatus,
    ProposedHypothesis,
    RecordFacts,
    Relation,
    RelationKind,
    Retraction,
    Source,
    TestedHypothesis,
    Verdict,
)

BENEFIT = "Metformin slowed cognitive decline compared with placebo (P = 0.01)."
NULL = "Metformin did not slow cognitive decline compared with placebo."
PLAN = make_plan()


def test_one(source: Source, question: str = "clinical.benefit", **fields: object) -> TestedHypothesis:
    answers = [Answer(question=question, statements=(make_statement(source, **fields),))]
    return find_evidence([propose()], answers, [source], PLAN)[0]


test_one.__test__ = False  # type: ignore[attr-defined]


def test_statements_are_counted_by_source_on_the_side_of_their_own_direction() -> None:
    sources = [make_source(1, BENEFIT), make_source(2, BENEFIT), make_source(3, NULL)]
    (tested,) = find_evidence([propose()], [answer("clinical.benefit", *sources)], sources, PLAN)
    assert (tested.supporting, tested.contradicting) == (("cit_1", "cit_2"), ("cit_3",))
    assert (tested.supported, tested.contradicted, tested.status) == (2, 1, HypothesisStatus.SUPPORTED)


def test_statements_of_a_conflict_count_like_others() -> None:
    sources = [make_source(1, BENEFIT), make_source(2, NULL)]
    sides = tuple(map(make_statement, sources))
    answers = [Answer(question="clinical.benefit", conflicts=(Conflict(trial="", endpoint="x", statements=sides),))]
    (tested,) = find_evidence([propose()], answers, sources, PLAN)
    assert tested.status is HypothesisStatus.MIXED


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("We aimed to test whether metformin slowed cognitive decline.", {}),
        ("Metformin may slow cognitive decline.", {}),
        ("Patients in whom metformin slowed cognitive decline were excluded from the study.", {}),
        ("Smith et al. found that metformin slowed cognitive decline.", {"label": "DISCUSSION"}),
        ("Metformin slowed cognitive decline.", {"publication_types": ("Clinical Trial Protocol",)}),
        (BENEFIT, {"retraction": Retraction.RETRACTED}),
        (BENEFIT, {"database": "clinicaltrials", "label": "SUMMARY"}),
        (BENEFIT, {"title": "Metformin in stroke"}),
        (BENEFIT, {"title": "Metformin in healthy volunteers, and dementia"}),
    ],
)
def test_what_is_no_result_in_the_disease_is_on_no_side(text: str, fields: dict[str, object]) -> None:
    assert test_one(make_source(1, text, **fields)).status is HypothesisStatus.UNTESTED


def test_posted_results_of_a_registered_trial_count() -> None:
    source = make_source(1, BENEFIT, database="clinicaltrials", label="RESULTS")
    assert test_one(source).supported == 1


@pytest.mark.parametrize("fields", [{"remark": "about: donepezil"}, {"verdict": Verdict.UNSUPPORTED}])
def test_statements_on_another_drug_and_unsupported_ones_are_on_no_side(fields: dict[str, object]) -> None:
    assert test_one(make_source(1, BENEFIT), **fields).status is HypothesisStatus.UNTESTED


def test_a_text_that_its_quote_denies_is_on_no_side() -> None:
    assert test_one(make_source(1, NULL), text=BENEFIT).status is HypothesisStatus.UNTESTED


def test_a_quote_whose_side_cannot_be_read_leaves_its_text_on_none() -> None:
    quote = "Metformin was given to 40 patients with dementia."
    assert test_one(make_source(1, quote), text=BENEFIT).status is HypothesisStatus.UNTESTED


def test_a_harm_counts_only_where_it_is_the_effect() -> None:
    assert test_one(make_source(1, "Metformin increased mortality in dementia."), "clinical.harm").contradicted == 0
    assert test_one(make_source(1, "Metformin accelerated cognitive decline."), "clinical.harm").contradicted == 1


def test_a_result_in_animals_that_lack_the_target_is_on_no_side() -> None:
    said = "Metformin failed to improve memory in AMPK-null mice with dementia."
    assert test_one(make_source(1, said), "mechanism.models").status is HypothesisStatus.UNTESTED


def test_what_another_drug_does_to_the_target_says_nothing_of_this_one() -> None:
    text = "Activation of AMPK improved memory in mice with dementia."
    source = make_source(1, text, "AMPK in dementia")
    record = make_source(2, "A record.", facts=RecordFacts(targets=("AMPK activator",)))
    for relation, supported in ((Relation.ITSELF, 1), (Relation.COMPARATOR, 0)):
        other = record.model_copy(update={"relation": relation})
        (tested,) = find_evidence([propose("AMPK")], [answer("mechanism.disease", source)], [source, other], PLAN)
        assert tested.supported == supported


def test_how_much_of_a_target_patients_have_is_on_no_side() -> None:
    text = "Overexpression of AMPK was connected with worse memory in dementia."
    source = make_source(1, text, "AMPK in dementia")
    proposed = [propose("AMPK", action="Metformin inhibits AMPK.")]
    (tested,) = find_evidence(proposed, [answer("mechanism.disease", source)], [source], PLAN)
    assert tested.status is HypothesisStatus.UNTESTED


def test_a_merged_source_counts_once_and_a_retracted_one_never() -> None:
    sources = [
        make_source(1, BENEFIT).model_copy(update={"aliases": ("src_007",)}),
        make_source(2, BENEFIT, retraction=Retraction.RETRACTED),
        make_source(3, BENEFIT),
    ]
    said = [
        make_statement(sources[0], source_ids=("src_001", "src_007", "src_002")),
        make_statement(sources[2], source_ids=("src_003", "src_007")),
    ]
    answers = [Answer(question="clinical.benefit", statements=tuple(said))]
    assert find_evidence([propose()], answers, sources, PLAN)[0].supported == 2


@pytest.mark.parametrize(
    ("text", "title", "supported"),
    [
        ("Metformin improved memory.", "Cancer of the breast", 1),
        ("Metformin improved memory.", "Early breast cancer", 1),
        ("Metformin improved memory.", "Gastric or breast and lung cancers", 1),
        ("Metformin improved memory.", "Prostate cancer after breast surgery", 0),
        ("Metformin improved memory.", "Breast surgery and prostate cancer", 0),
        ("Metformin reduced the incidence of cancer.", "Early breast cancer", 0),
        ("Metformin reduced the incidence of breast cancer.", "Early breast cancer", 1),
    ],
)
def test_the_words_of_the_name_of_the_disease_stand_together(text: str, title: str, supported: int) -> None:
    plan = PLAN.model_copy(update={"disease": Disease(label="breast cancer", names=("breast cancer",))})
    source = make_source(1, text, title)
    (tested,) = find_evidence([propose(effect="better memory")], [answer("clinical.benefit", source)],
                              [source], plan)  # fmt: skip
    assert tested.supported == supported


def test_a_word_of_the_disease_in_the_paragraph_alone_does_not_make_it_the_disease() -> None:
    source = make_source(1, "Metformin improved memory.", "Metformin in mice")
    assert test_one(source, paragraph="As in dementia, metformin improved memory.").supported == 0


def test_no_result_of_a_source_in_which_the_drug_is_the_comparator_counts() -> None:
    source = make_source(1, BENEFIT).model_copy(update={"relation_kind": RelationKind.COMPARATOR})
    assert test_one(source).status is HypothesisStatus.UNTESTED


def test_a_statement_on_another_target_counts_by_the_effect_alone() -> None:
    said = [
        "Metformin inhibited mTOR and reduced neuroinflammation in mice with dementia.",
        "Metformin inhibited mTOR and slowed cognitive decline in mice with dementia.",
    ]
    sources = [make_source(n, text) for n, text in enumerate(said, 1)]
    proposed = [propose("AMPK"), propose("mTOR")]
    tested = find_evidence(proposed, [answer("mechanism.models", *sources)], sources, PLAN)
    assert [one.supporting for one in tested] == [("cit_2",), ("cit_1", "cit_2")]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Activation of AMPK improved memory in mice with dementia.", (1, 0)),
        ("Deletion of AMPK improved memory in mice with dementia.", (0, 1)),
        ("Deletion of AMPK impaired memory in mice with dementia.", (0, 0)),
        ("AMPK-deficient mice with dementia had worse memory.", (1, 0)),
        ("Activation of AMPK had no effect on memory in mice with dementia.", (0, 1)),
        ("AMPK was found in the brain in dementia.", (0, 0)),
        ("Activation of mTOR improved memory in mice with dementia.", (0, 0)),
    ],
)
def test_a_result_on_the_target_counts_by_what_the_drug_does_to_it(text: str, sides: tuple[int, int]) -> None:
    source = make_source(1, text, "AMPK in dementia")
    proposed = [propose("AMPK", action="Metformin activates AMPK.")]
    (tested,) = find_evidence(proposed, [answer("mechanism.disease", source)], [source], PLAN)
    assert (tested.supported, tested.contradicted) == sides


def test_a_result_on_a_target_is_on_no_side_where_nothing_says_what_the_drug_does_to_it() -> None:
    source = make_source(1, "Activation of AMPK improved memory in mice with dementia.", "AMPK in dementia")
    (tested,) = find_evidence([propose("AMPK")], [answer("mechanism.disease", source)], [source], PLAN)
    assert tested.status is HypothesisStatus.UNTESTED


def test_without_a_disease_nothing_is_tested() -> None:
    source = make_source(1, BENEFIT)
    plan = PLAN.model_copy(update={"disease": None})
    (tested,) = find_evidence([propose()], [answer("clinical.benefit", source)], [source], plan)
    assert tested.status is HypothesisStatus.UNTESTED


@given(st.permutations(range(4)), st.integers(0, 2**32))
def test_the_order_of_the_sources_changes_nothing_and_the_status_follows_the_counts(
    order: list[int], seed: int
) -> None:
    texts = [BENEFIT, NULL, "Metformin increased mortality in dementia.", "Dementia is common."]
    chosen = random.Random(seed).choices(texts, k=4)
    sources = [make_source(n, text) for n, text in enumerate(chosen, 1)]
    proposed: list[ProposedHypothesis] = [propose(), propose("AMPK")]
    answers = [answer("clinical.benefit", *sources)]
    tested = find_evidence(proposed, answers, [sources[n] for n in order], PLAN)
    assert tested == find_evidence(proposed, answers, sources, PLAN)
    for one in tested:
        assert one.status is HypothesisStatus.of(one.supported, one.contradicted)
        assert set(one.supporting).isdisjoint(one.contradicting)
        assert (one.supported, one.contradicted) == (chosen.count(BENEFIT), 4 - chosen.count(BENEFIT)
                                                     - chosen.count(texts[3]))  # fmt: skip
