from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypotheses import answer, make_plan, make_source, propose
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.hypotheses import find_evidence
from storm.extractive import RuleHypothesisJudge
from storm.models import (
    Answer,
    Assessment,
    Finding,
    HypothesisLink,
    ProposedHypothesis,
    RepurposingRound,
    ResearchSettings,
    Source,
)

BENEFIT = "Metformin slowed cognitive decline compared with placebo (P = 0.01)."
NULL = "Metformin did not slow cognitive decline compared with placebo."
IN_MICE = "Metformin improved memory in mice with dementia."
TRIAL = ("Randomized Controlled Trial",)
PLAN = make_plan()


def judge(
    answers: Sequence[Answer],
    sources: Sequence[Source],
    proposed: Sequence[ProposedHypothesis] = (propose("AMPK"),),
    rounds: Sequence[RepurposingRound] = (),
    most: int = 4,
) -> Assessment:
    tested = find_evidence(proposed, answers, sources, PLAN)
    findings = [Finding(answer=one) for one in answers]
    role = RuleHypothesisJudge(ResearchSettings(queries_per_question=most), ("pubmed",))
    return asyncio.run(role.judge(PLAN, tested, findings, sources, rounds))


def judge_texts(*texts: str, types: tuple[str, ...] = TRIAL, key: str = "clinical.benefit") -> Assessment:
    sources = [make_source(n, text, publication_types=types) for n, text in enumerate(texts, 1)]
    return judge([answer(key, *sources)], sources)


def test_without_evidence_both_scores_are_zero_and_the_reasons_say_so() -> None:
    assessment = judge([], [])
    assert (assessment.mechanism.value, assessment.clinical.value, assessment.confidence) == (0, 0, 0)
    assert assessment.clinical.reasons == ("no result of the drug in people was recognised",)
    assert assessment.mechanism.reasons == ("no mechanism is stated, and no result is for one",)
    assert not assessment.is_enough


def test_a_randomised_trial_counts_by_its_level_its_number_and_its_directness() -> None:
    assessment = judge_texts(BENEFIT)
    assert assessment.clinical.value == 4 + 1 + 1 + 1
    assert assessment.clinical.statements == ("cit_1",)
    assert assessment.clinical.reasons == (
        "1 study in people for it: the best of them by design is of level 2",
        "the title of a study for it names the disease",
        "no result is against it",
    )
    assert assessment.confidence == 0.3  # one study agrees with none


def test_as_many_studies_against_as_for_halve_the_score() -> None:
    assessment = judge_texts(BENEFIT, NULL)
    assert assessment.clinical.value == (4 + 1 + 1) / 2
    assert assessment.clinical.reasons[-1] == "1 study against it, as many as for it or more: halved"


def test_only_null_results_give_no_clinical_points_and_the_reason_says_so() -> None:
    assessment = judge_texts(NULL, NULL)
    assert assessment.clinical.value == 0
    assert assessment.clinical.reasons == ("only null or negative results in people: 2 studies",)
    assert assessment.clinical.statements == ("cit_1", "cit_2")


def test_animals_give_points_for_the_mechanism_and_none_for_patients() -> None:
    source = make_source(1, IN_MICE, "Metformin in a mouse model of dementia")
    assessment = judge([answer("mechanism.models", source)], [source])
    assert assessment.clinical.value == 0
    assert assessment.mechanism.value == 1 + 2 + 1
    assert "the most direct of animals" in assessment.mechanism.reasons[1]


def test_a_result_whose_subjects_no_one_states_gives_no_clinical_points() -> None:
    source = make_source(1, BENEFIT, "Metformin in dementia")
    assessment = judge([answer("clinical.benefit", source)], [source])
    assert assessment.clinical.value == 0
    assert "none says of whom" in assessment.mechanism.reasons[1]


def test_two_reports_of_one_trial_are_one_study() -> None:
    sources = [make_source(n, BENEFIT, publication_types=TRIAL, trials=("NCT00000001",)) for n in (1, 2)]
    assessment = judge([answer("clinical.benefit", *sources)], sources)
    assert assessment.clinical.reasons[0].startswith("1 study in people")


def test_links_that_a_source_states_count() -> None:
    one = propose("AMPK", action="Metformin activates AMPK.")
    effect = HypothesisLink(link="effect", source_id="src_901", quote="Metformin slowed cognitive decline.")
    stated = one.model_copy(update={"basis": (*one.basis, effect)})
    assessment = judge([], [], [stated])
    assert assessment.mechanism.value == 2
    assert assessment.mechanism.reasons == (
        "metformin → AMPK → not stated → slower cognitive decline: sources state the target and the effect",
        "no result in cells or animals, or on its target, is for it",
    )


def test_what_is_missing_is_searched_for_and_no_search_is_named_twice() -> None:
    first = judge([], [])
    assert set(first.searches) == {"mechanism.disease", "mechanism.models", "clinical.benefit"}
    trial, *_ = first.searches["clinical.benefit"]
    assert trial.names == ("metformin",) and trial.required == (("Alzheimer's disease", "dementia"),)
    assert trial.databases == ("pubmed",)
    (on_target,) = first.searches["mechanism.disease"]
    assert on_target.names == ("Alzheimer's disease", "dementia") and on_target.required == (("AMPK",),)
    tested = find_evidence([propose("AMPK")], [], [], PLAN)
    again = judge([], [], rounds=[RepurposingRound(tested=tested, assessment=first)])
    assert not again.searches and not again.is_enough
    fewer = judge([], [], most=1)
    assert [len(queries) for queries in fewer.searches.values()] == [1, 1, 1]


def test_it_is_enough_if_nothing_is_missing() -> None:
    assessment = judge_texts(BENEFIT, BENEFIT)
    assert assessment.is_enough and not assessment.searches


def test_contradicted_results_are_searched_for_again() -> None:
    queries = judge_texts(BENEFIT, NULL).searches["clinical.benefit"]
    assert any("meta-analysis" in query.words for query in queries)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from([BENEFIT, NULL, IN_MICE]), st.sampled_from([TRIAL, ("Review",), ()]))),
    st.sampled_from(["clinical.benefit", "mechanism.models", "mechanism.disease"]),
)
def test_scores_are_in_range_and_do_not_depend_on_the_order_of_the_sources(
    made: list[tuple[str, tuple[str, ...]]], key: str
) -> None:
    sources = [make_source(n, text, publication_types=types) for n, (text, types) in enumerate(made[:6], 1)]
    answers = [answer(key, *sources)]
    assessment = judge(answers, sources)
    assert 0 <= assessment.mechanism.value <= 10 and 0 <= assessment.clinical.value <= 10
    assert 0 <= assessment.confidence <= 1
    assert assessment == judge(answers, sources[::-1])
    if not any(text == BENEFIT for text, _ in made[:6]):
        assert assessment.clinical.value == 0
