"""Short names of the drug and of those who got it, as a document defines them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.abbreviations import Abbreviations, read_abbreviations
from storm.models import Hit


def read(text: str) -> Abbreviations:
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A trial", pmid="1", text=text)
    return read_abbreviations(hit, ("zorvimab",))


@pytest.mark.parametrize(
    ("defined", "said", "explained"),
    [
        (
            "Women were given zorvimab (ZOR) or placebo (PLA).",
            "Relapse was rarer with ZOR than with PLA.",
            "Relapse was rarer with ZOR [zorvimab] than with PLA.",
        ),
        (
            "Zorvimab (ZOR-M) was combined with placebin (PBN).",
            "Pressure fell more with ZOR-M/PBN than with FLU.",
            "Pressure fell more with ZOR-M/PBN [Zorvimab/placebin] than with FLU.",
        ),
        (
            "We studied zorvimab acetate nasal spray (ZANS) in children.",
            "Congestion fell more with ZANS than with placebo.",
            "Congestion fell more with ZANS [zorvimab acetate nasal spray] than with placebo.",
        ),
        (
            "We studied zorvimab extended release (ZXR) in children.",
            "Attention was better with ZXR than with placebo.",
            "Attention was better with ZXR [zorvimab extended release] than with placebo.",
        ),
        (
            "We compared zorvimab-placebin (ZP) with placebo.",
            "Relapse was rarer with ZP than with placebo.",
            "Relapse was rarer with ZP [zorvimab-placebin] than with placebo.",
        ),
        (
            "Children had zorvimab plus placebin (ZOR+PLA) or quibaxan.",
            "Cure was commoner in the ZOR+PLA group.",
            "Cure was commoner in the ZOR+PLA group [zorvimab plus placebin].",
        ),
        (
            "They had zorvimab-placebin-quibaxan (ZPQ) or zorvimab + placebin (ZP).",
            "Sedation was commoner in the ZPQ group.",
            "Sedation was commoner in the ZPQ group [zorvimab-placebin-quibaxan].",
        ),
        (
            "Two combinations of zorvimab and placebin (ZV-828) were compared.",
            "Pressure fell more with ZV-828 than with placebo.",
            "Pressure fell more with ZV-828 [zorvimab and placebin] than with placebo.",
        ),
        (
            "Two kinase inhibitors, zorvimab and quibaxan (QB-2031), were compared.",
            "QB-2031 reduced survival.",
            "",
        ),
        (
            "Tumours were zorvimab-resistant (ZR).",
            "Survival was shorter in ZR.",
            "",
        ),
        (
            "ZOR = zorvimab; PLA = placebin.",
            "Cure was commoner with ZOR than with PLA.",
            "Cure was commoner with ZOR [zorvimab] than with PLA.",
        ),
        (
            "Adults had zorvimab-eluting stents (ZES).",
            "Struts of ZES were covered.",
            "",
        ),
        (
            "The growth factor has a zorvimab-binding domain (ZBD).",
            "Growth was slower without ZBD.",
            "",
        ),
        (
            "The thyroid's zorvimab uptake (ZU) was measured.",
            "There was no difference in ZU between the arms.",
            "",
        ),
        (
            "We gave zorvimab to adults with asthma (AWA) and to others.",
            "Cough was rarer in AWA than in others.",
            "",
        ),
        (
            "Chemotherapy was given with zorvimab (Zor) or without it.",
            "Survival was longer with Zor-free chemotherapy than with Zor.",
            "Survival was longer with Zor-free chemotherapy than with Zor [zorvimab].",
        ),
        (
            "Adults had a dual therapy group treated with placebin, and a triple therapy group treated with zorvimab.",
            "Bleeding in the dual therapy group was rarer than in the triple therapy group.",
            "Bleeding in the dual therapy group was rarer than in the triple therapy group [with zorvimab].",
        ),
        (
            "Patients were assigned to receive zorvimab (S group) or metoprolol (P group).",
            "Pain was lower in the S group than in the P group.",
            "Pain was lower in the S group [zorvimab] than in the P group [metoprolol].",
        ),
        (
            "Group A received zorvimab 20 mg daily. Group B received placebo.",
            "Pain was lower in group A than in group B.",
            "Pain was lower in group A [zorvimab 20 mg daily] than in group B [placebo].",
        ),
        (
            "Patients formed two groups: K2 group: zorvimab infusion for two days; control group: saline.",
            "Less morphine was used in the K2 group (47 mg) than in the control group.",
            "Less morphine was used in the K2 group [zorvimab] (47 mg) than in the control group.",
        ),
        (
            "The intervention group was given zorvimab, and the control group saline.",
            "Recovery was faster in the intervention group.",
            "Recovery was faster in the intervention group [zorvimab].",
        ),
        (
            "Zorvimab/placebin (ZOR/PLA) was tried against fluzorin.",
            "Lung function was better with ZOR/PLA than with FLU.",
            "Lung function was better with ZOR/PLA [Zorvimab/placebin] than with FLU.",
        ),
        (
            "Adults had zorvimab (ZOR)/placebin (PLA) or either alone.",
            "Lung function was better with ZOR/PLA than with PLA.",
            "Lung function was better with ZOR/PLA [zorvimab/placebin] than with PLA.",
        ),
        (
            "Zorvimab/placebin combination was given as zorvimab/placebin (ZPC).",
            "Cough was rarer with ZPC.",
            "Cough was rarer with ZPC [zorvimab/placebin].",
        ),
        (
            "Group BK received bupivacaine plus zorvimab, and group B bupivacaine.",
            "Scores were lower in groups BK and B.",
            "Scores were lower in groups BK [with zorvimab] and B.",
        ),
        (
            "New zorvimab 300 U/ml (Zor‐300) was compared with zorvimab 100 U/ml (Zor‐100).",
            "Weight rose less with Zor‐300 than with Zor‐100.",
            "Weight rose less with Zor‐300 [zorvimab 300 U/ml] than with Zor‐100 [zorvimab 100 U/ml].",
        ),
        (
            "Children had osmotic-release oral system zorvimab (OROS-ZVB) or placebo.",
            "Scores were lower with OROS-ZVB.",
            "Scores were lower with OROS-ZVB [zorvimab].",
        ),
        (
            "Women had training (BT), zorvimab (ZV, 2 mg twice daily) or both (Co).",
            "Dry mouth occurred in 40% of the ZV group.",
            "Dry mouth occurred in 40% of the ZV group [zorvimab].",
        ),
        (
            "Group H1 = zorvimab 1 mg, and group H2 = saline. Nausea: group H1 (n = 49), 12 (24 %).",
            "Nausea was rarer in group H1 than in group H2.",
            "Nausea was rarer in group H1 [zorvimab 1 mg] than in group H2 [saline].",
        ),
    ],
)
def test_a_short_name_is_explained_in_brackets_after_it(defined: str, said: str, explained: str) -> None:
    assert read(f"{defined} {said}").explain_short_names(said) == explained


@pytest.mark.parametrize(
    ("defined", "said", "explained"),
    [
        (
            "We studied ZV-1012 (Zorvex XR™, Maker), an extended-release tablet of zorvimab.",
            "Relapse was rarer with ZV-1012.",
            "Relapse was rarer with ZV-1012 [zorvimab].",
        ),
        (
            "Adults were given zorvimab (code ZV-1012; Maker).",
            "Relapse was rarer with ZV-1012.",
            "Relapse was rarer with ZV-1012 [zorvimab].",
        ),
        (
            "Zorvimab (Zorvex®) was given.",
            "Pain fell with Zorvex.",
            "Pain fell with Zorvex [Zorvimab].",
        ),
        (
            "Extended-release zorvimab (ZOR XR) was given.",
            "Pain fell with ZOR XR.",
            "Pain fell with ZOR XR [zorvimab].",
        ),
    ],
)
def test_codes_and_brands_are_names_of_the_drug(defined: str, said: str, explained: str) -> None:
    assert read(defined).explain_short_names(said) == explained
    assert read(defined).names_drug(said)


def test_the_code_of_a_product_of_two_drugs_is_a_name_of_neither() -> None:
    assert not read("We studied ZV-1012 (zorvimab/placebin).").explain_short_names("ZV-1012 killed bacteria.")


def test_a_target_or_a_registration_in_brackets_is_no_name_of_the_drug() -> None:
    assert read("Zorvimab (IL-17) was tried (NCT01234).").explain_short_names("IL-17 fell in NCT01234.") == ""


def test_a_group_is_not_a_name_of_the_drug() -> None:
    assert not read("Group A received zorvimab.").names_drug("Pain was lower in group A.")


def test_an_abbreviation_needs_the_letters_of_the_name() -> None:
    assert read("Zorvimab (FDA) was approved.").explain_short_names("The FDA approved it in 2020.") == ""


def test_a_sentence_that_uses_no_short_name_is_not_explained() -> None:
    assert read("Women were given zorvimab (ZOR).").explain_short_names("Relapse was rare with zorvimab.") == ""


@given(st.text(max_size=200), st.text(max_size=100))
def test_only_brackets_are_added_to_a_sentence(defined: str, sentence: str) -> None:
    explained = read(f"{defined} Group A received zorvimab. {sentence}").explain_short_names(f"In group A {sentence}")
    assert explained.replace(" [zorvimab]", "").replace(" [with zorvimab]", "") == f"In group A {sentence}".replace(
        " [zorvimab]", ""
    ).replace(" [with zorvimab]", "")


def test_the_second_word_of_a_name_that_begins_with_its_genus_stands_for_the_drug_where_it_is_used_alone() -> None:
    text = (
        "Insulin glargine was tried. With glargine weight rose; glargine doses were low. Glargine and detemir differed."
    )
    often = Hit.of("pubmed", "1", "https://example.org/1", "A trial", pmid="1", text=f"{text} {text}")
    said = "Weight gain was higher for glargine than for detemir."
    assert read_abbreviations(often, ("insulin glargine",)).explain_short_names(said) == (
        "Weight gain was higher for glargine [insulin glargine] than for detemir."
    )
    once = Hit.of("pubmed", "1", "https://example.org/1", "A trial", pmid="1", text="Insulin glargine was tried.")
    assert read_abbreviations(once, ("insulin glargine",)).explain_short_names(said) == ""


def explain(defined: str, said: str, name: str = "zorvimab") -> str:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "A trial", pmid="1", text=defined)
    return read_abbreviations(hit, (name,)).explain_short_names(said)


@pytest.mark.parametrize(
    ("defined", "short"),
    [
        ("Patients had weekly zorvimab radiotherapy (RT).", "RT"),
        ("We compared zorvimab placebo (PBO) capsules.", "PBO"),
        ("We compared zorvimab placebo (ZP) capsules.", "ZP"),
        ("The active drug (zorvimab) placebo (PLA) was tried.", "PLA"),
        ("They had the zorvimab placebin (PBN) regimen.", "PBN"),
        ("Zorvimab 24 hours (HRS) after surgery.", "HRS"),
        ("Zorvimab 24 hours (ZH) after surgery.", "ZH"),
    ],
)
def test_what_follows_the_drug_has_an_abbreviation_of_its_own(defined: str, short: str) -> None:
    assert explain(defined, f"Nausea was rarer with {short}.") == ""


def test_the_initials_of_a_later_word_of_the_name_itself_are_a_name_of_the_drug() -> None:
    defined = "We gave insulin zorvimab 300 U/mL (Zor-300) daily."
    assert explain(defined, "Falls were rarer with Zor-300.", "insulin zorvimab") == (
        "Falls were rarer with Zor-300 [insulin zorvimab 300 U/mL]."
    )


@pytest.mark.parametrize(
    ("defined", "short"),
    [
        ("They had gemcitabine and oral zorvimab (GEM-ZVB).", "GEM-ZVB"),
        ("They had gemcitabine zorvimab (GEM-ZVB).", "GEM-ZVB"),
        ("They had zorvimab (PEG-ZVB).", "PEG-ZVB"),
        ("They had pegylated zorvimab (PEG-ZVB).", "PEG-ZVB"),
    ],
)
def test_a_partner_or_a_pegylated_drug_is_no_form_of_the_drug(defined: str, short: str) -> None:
    assert explain(defined, f"Survival was 12 months with {short}.") == ""


def test_the_form_of_a_drug_may_follow_the_treatment_it_is_compared_with() -> None:
    defined = "They had gemcitabine or extended-release zorvimab (ER-ZVB)."
    assert explain(defined, "Pain fell with ER-ZVB.") == "Pain fell with ER-ZVB [zorvimab]."


@pytest.mark.parametrize(
    ("name", "word"), [("insulin human", "human"), ("insulin regular", "regular"), ("interferon gamma", "gamma")]
)
def test_the_second_word_of_a_name_that_is_a_common_word_does_not_stand_for_the_drug(name: str, word: str) -> None:
    defined = f"They had {name}. There were {word} tests, {word} rays, {word} visits and {word} meals."
    assert explain(defined, f"Events were fewer with {word} meals.", name) == ""


def test_the_second_word_of_the_name_of_an_insulin_may_begin_a_sentence() -> None:
    defined = "They had insulin glargine. Weight rose with glargine, and glargine was stopped, or glargine was halved."
    assert explain(defined, "Glargine reduced glucose.", "insulin glargine") == (
        "Glargine [insulin glargine] reduced glucose."
    )


def test_uses_of_the_whole_name_of_an_insulin_at_the_start_of_a_sentence_are_no_uses_of_its_second_word() -> None:
    defined = "Insulin glargine was used. Insulin glargine was stopped. Insulin glargine was halved."
    assert explain(defined, "Glucose fell with glargine.", "insulin glargine") == ""


@pytest.mark.parametrize("strength", ["300 U/ml", "10 mL/kg", "0.5%", "50 µg", "100 IU"])
def test_a_strength_may_stand_between_the_drug_and_its_abbreviation(strength: str) -> None:
    assert explain(f"We gave zorvimab {strength} (ZOR).", "It fell with ZOR.") == "It fell with ZOR [zorvimab]."
