"""What a reader is reported beside a statement of the study that it comes from."""

from __future__ import annotations

import pytest
from dossiers import dossier, reference

from storm.export import to_markdown
from storm.models import (
    Answer,
    Hit,
    Reference,
    Relation,
    RelationKind,
    Retraction,
    Section,
    SectionKind,
    Source,
    Statement,
    Verdict,
)
from storm.models.design import Design
from storm.reports.studies import Finding, add_studies, evidence_line, study_remark

TEXT = "Sixty adults with asthma were randomised to zorvimab or placebo for 12 weeks."

NOT_COUNTED = "Cited as randomised, but not counted: 1 reference ({})."
OF_ANOTHER, NO_RESULT = "on another drug or product", "cited for no result of its own"


def described(n: int, **fields: object) -> Reference:
    return reference(n).model_copy(update=fields)


def trial(n: int, participants: int | None, *trials: str, **fields: object) -> Reference:
    return described(n, design="randomised trial", participants=participants, trials=trials, **fields)


SAID = Statement(text="It helps.", quote="It helps.", source_ids=("src_001",), verdict=Verdict.SUPPORTED)


def line(*papers: Reference) -> str:
    return evidence_line(Finding(SAID, paper) for paper in papers)


def words(record: Reference, sentence: str = "It helps.") -> str:
    return "".join(piece.model_dump()["text"] for piece in study_remark(record, saying(sentence)))


def saying(sentence: str, **fields: object) -> Statement:
    return SAID.model_copy(update={"text": sentence, "quote": sentence, **fields})


def test_a_reference_says_what_its_record_says_of_the_study() -> None:
    hit = Hit.of(
        "pubmed", "1", "https://example.org/1", "Zorvimab in adults with asthma", trials=("NCT00000001",),
        sections=(Section(text=TEXT, kind=SectionKind.ABSTRACT),),
    )  # fmt: skip
    source = Source(source_id="src_001", number=1, hit=hit, questions=())
    (found,) = add_studies([reference(1)], [source], ("zorvimab",))
    assert (found.design, found.participants, found.population) == ("randomised trial", 60, "adults with asthma")
    assert (found.comparator, found.follow_up, found.trials) == ("placebo", "12 weeks", ("NCT00000001",))
    against = source.model_copy(update={"relation_kind": RelationKind.COMPARATOR})
    (other,) = add_studies([reference(1)], [against], ("zorvimab",))
    assert other.comparator == ""


def test_the_dose_of_the_drug_alone_is_not_that_of_its_combination_product() -> None:
    text = "Zorvimab/placebin (ZOR/PLA) was compared with zorvimab. They had zorvimab 150 μg."
    hit = Hit.of(
        "pubmed", "1", "https://example.org/1", "Zorvimab/placebin in a trial",
        sections=(Section(text=text, kind=SectionKind.ABSTRACT),),
    )  # fmt: skip
    alone = Source(source_id="src_001", number=1, hit=hit, questions=())
    product = alone.model_copy(update={"relation": Relation.COMBINATION})
    both = product.model_copy(update={"hit": hit.model_copy(update={
        "sections": (Section(text=text.replace("zorvimab 150", "ZOR/PLA 150/50"), kind=SectionKind.ABSTRACT),),
    })})  # fmt: skip
    doses = [add_studies([reference(1)], [one], ("zorvimab",))[0].dose for one in (alone, product, both)]
    assert doses == ["150 μg", "", "150/50 μg"]


def test_a_result_in_a_subgroup_is_of_a_part_of_the_participants() -> None:
    assert words(trial(1, 60), "In a subgroup it helped.").startswith("randomised trial, part of 60 participants")
    both = "It was noninferior in the per-protocol and superior in the intent-to-treat population."
    assert words(trial(1, 60), both).startswith("randomised trial, 60 participants")
    headed = saying("It helped.", section="Results: Subgroup analysis")
    remark = "".join(piece.model_dump()["text"] for piece in study_remark(trial(1, 60), headed))
    assert remark.startswith("randomised trial, part of 60 participants")
    assert words(trial(1, 60)).startswith("randomised trial, 60 participants")


def test_a_change_within_one_arm_is_against_nothing() -> None:
    reference = trial(1, 60).model_copy(update={"comparator": "losartan"})
    assert "vs losartan" in words(reference, "Pain fell more (p < 0.01).")
    within = words(reference, "Zorvimab caused a significant decline (p < 0.001) in CRP in group B.")
    assert "losartan" not in within and "change within a group" in within


def test_a_result_in_animals_of_a_study_in_cells_is_not_called_one_in_vitro() -> None:
    reference = trial(1, 60).model_copy(update={"design": Design.IN_VITRO})
    assert words(reference, "It killed cells.").startswith("in vitro")
    assert "in vitro" not in words(reference, "In vivo, it inhibited tumours in mice.")


def test_analyses_of_trials_are_named_beside_the_trials_and_not_added() -> None:
    pooled = [described(n, design="secondary analysis of trials", participants=14_000 + n) for n in (2, 3)]
    review = described(4, design="meta-analysis", participants=None)
    assert line(trial(1, 60), *pooled, review) == (
        "Randomised evidence: 1 trial, 60 participants. Besides, not added: 1 meta-analysis (size not stated); "
        "2 secondary analyses of trials (14,002 participants, 14,003 participants)."
    )
    unknown = [described(n, design="secondary analysis of trials", participants=None) for n in (2, 3)]
    assert line(*unknown) == "Analyses of other studies: 2 secondary analyses of trials (sizes not stated)."
    assert line(pooled[0]) == "Analyses of other studies: 1 secondary analysis of trials (14,002 participants)."


def test_the_remark_tells_what_is_known_in_one_order() -> None:
    record = trial(1, 1_600, population="adults with asthma", comparator="placebo", follow_up="12 weeks", dose="5 mg")
    remark = "randomised trial, 1,600 participants, adults with asthma, vs placebo, 12 weeks, 5 mg, 2001"
    assert words(record) == remark
    assert words(record, "The primary endpoint was met.") == f"{remark}, primary endpoint"
    assert words(described(1, design="animal", participants=40, animals=True)) == "animal, 40 animals, 2001"


def test_a_comparator_that_the_sentence_names_or_replaces_is_not_said_again() -> None:
    record = trial(1, 60, comparator="placebo")
    assert words(record) == "randomised trial, 60 participants, vs placebo, 2001"
    for sentence in ("It was better than placebo.", "It sedated less than morphine."):
        assert words(record, sentence) == "randomised trial, 60 participants, 2001"


def test_what_is_given_with_the_drug_is_said_of_a_combination_unless_the_sentence_names_it() -> None:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "Zorvimab plus metformin and insulin: a randomised trial")
    alone = Source(source_id="src_001", number=1, hit=hit, questions=())
    joined = alone.model_copy(update={"relation_kind": RelationKind.COMBINATION})
    of_drug, of_both = (add_studies([reference(1)], [one], ("zorvimab",))[0] for one in (alone, joined))
    assert (of_drug.partners, of_both.partners) == ((), ("metformin", "insulin"))
    assert words(of_both) == "randomised trial, given with metformin + insulin, 2001"
    assert words(of_both, "Metformin and insulin helped with it.") == "randomised trial, 2001"


def test_what_all_groups_received_is_said_unless_the_sentence_or_the_population_names_it() -> None:
    record = trial(1, 60, shared_treatment="insulin")
    assert words(record) == "randomised trial, 60 participants, all also on insulin, 2001"
    assert words(record, "It lowered the need for insulin.") == "randomised trial, 60 participants, 2001"
    on_insulin = trial(1, 60, shared_treatment="insulin", population="adults on insulin")
    assert words(on_insulin) == "randomised trial, 60 participants, adults on insulin, 2001"


def test_a_historical_control_is_said_beside_the_design() -> None:
    assert words(trial(1, 60, historical_control=True)) == (
        "randomised trial with a historical control, 60 participants, 2001"
    )


def test_blinding_and_crossover_are_said_behind_the_design_unless_the_sentence_says_them() -> None:
    record = trial(1, 60, crossover=True, blinding="double-blind")
    assert words(record) == "randomised trial, double-blind, crossover, 60 participants, 2001"
    neutropenia = "Neutropenia was more frequent."
    assert words(record, neutropenia) == "randomised trial, double-blind, crossover, 60 participants, 2001"
    said = "It helped in this double-blind cross-over study."
    assert words(record, said) == "randomised trial, 60 participants, 2001"


@pytest.mark.parametrize(
    ("sentence", "is_said"),
    [
        ("A significant decrease in blood pressure (P < 0.01) was found in the zorvimab group.", True),
        ("Scores fell when compared with previous scores in both groups (P < 0.001).", True),
        ("Blood pressure decreased more in the zorvimab group than in the placebo group (P < 0.01).", False),
    ],
)
def test_a_change_within_one_group_of_a_trial_is_called_one(sentence: str, *, is_said: bool) -> None:
    assert ("change within a group, not between groups" in words(trial(1, 60), sentence)) is is_said


def test_of_a_trial_against_the_drug_the_other_drug_is_named() -> None:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "Prednisolone versus zorvimab: a randomised trial")
    against = Source(source_id="src_001", number=1, hit=hit, questions=(), relation_kind=RelationKind.COMPARATOR)
    assert add_studies([reference(1)], [against], ("zorvimab",))[0].comparator == "prednisolone"


def test_of_a_record_that_says_nothing_nothing_is_reported() -> None:
    assert words(reference(1)) == words(described(1, design="other")) == ""


def test_papers_of_one_named_trial_count_once() -> None:
    dpp = {"study_names": ("diabetes prevention program",)}
    papers = trial(1, 3_234, **dpp), trial(2, 3_234, **dpp), trial(3, 40, study_names=("cimt",))
    each = "2 trials (papers without a trial number or a shared name counted as one each)"
    assert line(*papers) == f"Randomised evidence: {each}, 3,274 participants."
    numbered = trial(1, 808, "NCT00567190", study_names=("cleopatra",)), trial(2, None, study_names=("cleopatra",))
    assert line(*numbered) == "Randomised evidence: 1 trial, 808 participants."


def test_trials_with_numbers_of_their_own_are_not_joined_by_a_name() -> None:
    papers = [trial(n, 50, f"NCT0000000{n}", study_names=("pioneer",)) for n in (1, 2)]
    assert line(*papers) == "Randomised evidence: 2 trials, 100 participants."


def test_background_has_no_study_beside_it_and_is_no_randomised_evidence() -> None:
    paper = trial(1, 142, population="adults with asthma", comparator="placebo", follow_up="24 weeks", year=2010)
    known = saying("It is a pro-drug.", background=True)
    assert "".join(piece.model_dump()["text"] for piece in study_remark(paper, known)) == (
        "background in: randomised trial, 2010"
    )
    assert evidence_line([Finding(known, paper)]) == ""
    assert (
        evidence_line([Finding(known, paper), Finding(SAID, paper)])
        == "Randomised evidence: 1 trial, 142 participants."
    )


def test_papers_of_one_trial_count_once() -> None:
    papers = [trial(1, 100, "NCT00000001"), trial(2, 120, "NCT00000001"), trial(3, 30), trial(4, 5, animals=True)]
    each = "2 trials (papers without a trial number or a shared name counted as one each)"
    assert line(*papers) == f"Randomised evidence: {each}, 150 participants."
    two_registries = trial(5, 90, "NCT00000005", "ISRCTN00000005"), trial(6, 80, "ISRCTN00000005")
    assert line(*two_registries) == "Randomised evidence: 1 trial, 90 participants."
    record = trial(7, 60, source_type="clinicaltrials", identifiers=("registry:NCT00000007",))
    posted = Finding(SAID.model_copy(update={"section": "RESULTS: Primary outcome"}), record)
    paper = Finding(SAID, trial(8, 50, "NCT00000007"))
    assert evidence_line([posted, paper]) == "Randomised evidence: 1 trial, 60 participants."


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"retraction": Retraction.RETRACTED}, "retracted"),
        ({"relation_kind": RelationKind.BACKGROUND}, OF_ANOTHER),
        ({"relation_kind": RelationKind.DERIVATIVE}, OF_ANOTHER),
        ({"source_type": "clinicaltrials"}, NO_RESULT),
    ],
)
def test_what_is_no_trial_of_the_drug_with_results_is_no_randomised_evidence(
    fields: dict[str, object], why: str
) -> None:
    assert line(trial(1, 100, **fields)) == NOT_COUNTED.format(why)


def test_a_trial_of_another_drug_against_it_counts_and_is_said_to_be_one() -> None:
    papers = [trial(1, 60, "NCT00000001"), trial(2, 40, "NCT00000002", relation_kind=RelationKind.COMPARATOR)]
    assert line(*papers) == "Randomised evidence: 2 trials, 100 participants; the drug is the comparator in 1."
    assert line(papers[0], trial(3, 9, relation_kind=RelationKind.DERIVATIVE)).endswith(
        f" 60 participants. {NOT_COUNTED.format(OF_ANOTHER)}"
    )


def test_trials_that_give_the_drug_with_another_under_test_are_said_to_do_so() -> None:
    papers = [trial(1, 60, "NCT00000001"), trial(2, 40, "NCT00000002", relation_kind=RelationKind.COMBINATION)]
    combined = "it is combined with another drug, which may account for the result."
    assert line(*papers).endswith(f"100 participants; in 1 of them (40 participants) {combined}")
    alone = "Randomised evidence: 1 trial, 40 participants; in each it is combined with another drug, which may"
    assert line(papers[1]).startswith(alone)
    unsized = trial(2, None, "NCT00000002", relation_kind=RelationKind.COMBINATION)
    assert line(papers[0], unsized).endswith(f"(1 without a stated number); in 1 of them {combined}")


def test_the_size_of_a_trial_may_stand_in_another_reference_that_has_its_number() -> None:
    paper, record = trial(1, None, "NCT00000001"), trial(2, 5_099, identifiers=("registry:NCT00000001",))
    found = evidence_line([Finding(SAID, paper)], [paper, record, trial(3, 7, "NCT00000003"), trial(4, 8)])
    assert found == "Randomised evidence: 1 trial, 5,099 participants."


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"remark": "about: x"}, OF_ANOTHER),
        ({"verdict": Verdict.UNSUPPORTED}, "not supported by its source"),
        ({"section": "Methods"}, NO_RESULT),
    ],
)
def test_a_statement_that_is_no_finding_on_the_drug_makes_no_evidence(fields: dict[str, object], why: str) -> None:
    found = evidence_line([Finding(SAID.model_copy(update=fields), trial(1, 100))])
    assert found == NOT_COUNTED.format(why)


def test_a_trial_without_a_number_is_counted_and_said_to_have_none() -> None:
    papers = [trial(1, 3_000), trial(2, None), described(3, design="cohort", participants=9)]
    each = "2 trials (papers without a trial number or a shared name counted as one each)"
    assert line(*papers) == f"Randomised evidence: {each}, 3,000 participants (1 without a stated number)."
    assert line(trial(2, None)) == "Randomised evidence: 1 trial, participants not stated."
    assert line(described(3, design="cohort")) == ""


def test_preclinical_statements_stand_apart_and_remarks_beside_the_words() -> None:
    said = [
        Statement(text=text, quote=text, source_ids=(source_id,), verdict=Verdict.SUPPORTED)
        for text, source_id in (("It sedates.", "src_001"), ("It helps.", "src_002"))
    ]
    references = (described(1, design=Design.ANIMAL.value, animals=True), trial(2, 60))
    page = to_markdown(dossier(answers=(Answer(question="harm.x", statements=tuple(said)),), references=references))
    helps, heading, sedates = (
        page.index(text) for text in ("- It helps. (", "Preclinical, in animals", "- It sedates.")
    )
    assert helps < heading < sedates
    assert "- It helps. (randomised trial, 60 participants, 2001) [2]" in page
    assert "Randomised evidence: 1 trial, 60 participants." in page


def test_background_is_not_said_to_be_of_the_product_that_was_studied() -> None:
    record = trial(1, 60, relation=Relation.COMBINATION, relation_kind=RelationKind.COMBINATION)
    for background, remark in ((True, "background in: randomised trial"), (False, "combination product; randomised")):
        said = saying("Zorvimab is a pro-drug.", background=background)
        answer = Answer(question="harm.x", statements=(said,))
        assert f"- Zorvimab is a pro-drug. ({remark}" in to_markdown(dossier(answers=(answer,), references=(record,)))


def test_the_references_say_who_paid_and_what_is_no_report() -> None:
    page = to_markdown(dossier(references=(described(1, design="erratum"), described(2, funding="Zorvi Pharma"))))
    assert "(erratum; `src_001`)" in page
    assert "funding: Zorvi Pharma" in page
