"""An effect is stated by results of the drug in the disease: by no denial, dose, duration or other drug."""

from __future__ import annotations

import pytest

from storm.extractive.effect_results import Result, is_narrower, is_of_mark, read_result
from storm.models import Disease

BREAST = Disease(label="breast cancer", names=("breast cancer",))
CANCER = Disease(label="cancer", names=("cancer",))
NAMES = ("trastuzumab",)


@pytest.mark.parametrize(
    "text",
    [
        "Trastuzumab added to docetaxel extended overall survival from 22.7 months to 31.2 months (P=0.03).",
        "Trastuzumab prolonged survival in treatment-resistant breast cancer.",
        "Trastuzumab reduced tumour growth in mice with breast cancer.",
        "After 6 months of treatment trastuzumab improved survival compared with placebo (P=0.01).",
    ],
)
def test_a_result_of_the_drug_states_an_effect(text: str) -> None:
    assert read_result(text, NAMES, BREAST) is Result.STATED


@pytest.mark.parametrize(
    "text",
    [
        "Trastuzumab did not prolong overall survival relative to placebo.",
        "There was no difference in survival between trastuzumab and placebo.",
        "Trastuzumab failed to improve survival compared with placebo.",
    ],
)
def test_a_denial_denies_an_effect(text: str) -> None:
    assert read_result(text, NAMES, BREAST) is Result.DENIED


@pytest.mark.parametrize(
    "text",
    [
        "Overall survival was shorter among patients whose trastuzumab trough concentrations were the lowest.",
        "Disease-free survival was 76% with the short trastuzumab course, against 73% with the conventional one.",
        "Disease-free survival was 89.4% for six months of adjuvant trastuzumab and 89.8% for twelve months.",
        "Survival was alike after 9 weeks versus 12 months of trastuzumab.",
        "Survival was better with higher doses of trastuzumab.",
        "Overall survival with pertuzumab, trastuzumab and a taxane was 65.3 months in the median.",
        "Pertuzumab added to neoadjuvant trastuzumab raised the rate of pathological complete response (P=0.01).",
        "Discontinuation of trastuzumab shortened survival.",
        "Trastuzumab-resistant tumours had a lower survival.",
        "Tumour growth was resistant to trastuzumab therapy.",
        "We evaluated the effect of trastuzumab on survival.",
    ],
)
def test_doses_durations_withdrawal_other_drugs_and_aims_state_no_effect(text: str) -> None:
    assert read_result(text, NAMES, BREAST) is Result.NONE


def test_the_cancer_of_one_organ_is_not_cancer() -> None:
    text = "Trastuzumab prolonged survival in breast cancer."
    assert read_result(text, NAMES, CANCER) is Result.NONE
    assert read_result(text, NAMES, BREAST) is Result.STATED
    assert not is_narrower("Trastuzumab prolonged survival in cancer.", CANCER)


def test_how_common_or_telling_a_molecule_is_states_no_effect() -> None:
    assert is_of_mark("Later publications put the share of breast cancers with HER2 at 25% and name reduced survival.")
    assert is_of_mark("HER2 is prognostic for survival.")
    assert not is_of_mark("Loss of HER2 slowed tumour growth.")
