"""Whether one sentence of a source says again what another one says."""

from __future__ import annotations

import pytest

from storm.evidence.repetition import is_repetition

#: What the two sentences of a pair have in common: seven words in ten, or two numbers.
_DIFFERENT = [
    ("Zorvimab reduced {} in adults with asthma over 24 weeks.", "the relapse rate", "the response rate"),
    ("Zorvimab significantly improved {} in adults with asthma over 24 weeks.", "sleep", "mood"),
    ("Zorvimab significantly improved sleep in adults with asthma over {} weeks.", "24", "12"),
    ("Zorvimab {} the relapse rate in adults with asthma.", "significantly reduced", "did not significantly reduce"),
    ("{} in reducing relapse in adults.", "Zorvimab was superior to placebo", "Placebo was superior to zorvimab"),
    ("The rate of serious adverse events was {} zorvimab than placebo.", "higher with", "lower with"),
    ("Serious adverse events were {} with zorvimab as compared with placebo.", "more frequent", "equally frequent"),
    ("Of 120 patients given 40 mg zorvimab, {}.", "two died of liver failure", "most slept better at night"),
    ("In the {} group pain scores fell significantly by the end of the trial.", "zorvimab", "placebo"),
    ("In group {} pain scores fell significantly by the end of the trial.", "A", "B"),
    ("{} relapse fell with zorvimab in adults with asthma.", "In summary,", "It was not shown that"),
    ("Zorvimab improved survival {} an increase in bleeding in adults.", "with", "without"),
]


@pytest.mark.parametrize(("frame", "one", "other"), _DIFFERENT)
def test_another_value_endpoint_arm_denial_or_direction_says_something_else(frame: str, one: str, other: str) -> None:
    assert not is_repetition(frame.format(one), frame.format(other))
    assert not is_repetition(frame.format(other), frame.format(one))


def test_a_result_with_four_values_in_common_is_the_same_in_other_words() -> None:
    one = "Survival did not differ (564.0 [241.9] with zorvimab vs 587.0 [226.2]; difference 7.9 [-22.0 to 37.8])."
    other = (
        "There was no significant difference between groups: the area was 564.0 (241.9) and 587.0 (226.2), 7.9 apart."
    )
    assert is_repetition(other, one)
    deaths = "PFS was 12.1 vs 8.4 months (HR 0.61, 95% CI 0.50-0.75), and 14 patients died of hepatic failure."
    assert not is_repetition(
        deaths, "PFS was 12.1 months with zorvimab and 8.4 with placebo (HR 0.61, 95% CI 0.50-0.75)."
    )


def test_a_sentence_that_adds_a_direction_is_no_repetition_and_one_that_leaves_it_out_is() -> None:
    both = "Zorvimab increased pain and reduced relapse in adults with asthma."
    one = "Zorvimab reduced relapse in adults with asthma."
    assert not is_repetition(both, one)
    assert is_repetition(one, both)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("In conclusion, zorvimab improved sleep in most adults.", "Zorvimab improved sleep in most adults."),
        ("In summary, sleep improved in both groups.", "Sleep (PSQI) improved in both groups on zorvimab and placebo."),
        ("Our study also showed that zorvimab reduced relapse.", "Zorvimab reduced relapse."),
        ("In summary, zorvimab reduced relapse.", "Zorvimab reduced relapse."),
        ("Relapse was reduced by zorvimab from 25.3% to 12.1%.", "Zorvimab reduced relapse from 25.3% to 12.1%."),
        ("Zorvimab was well tolerated and reduced relapses.", "Zorvimab reduced relapses and was well tolerated."),
        (
            "Sleep was better at night with zorvimab in this study.",
            "In summary, sleep was better at night with zorvimab, and there was no significant difference in mood.",
        ),
        (
            "No significant differences between zorvimab and placebo were observed in the rate of bleeding.",
            "There was no significant difference in the rate of bleeding between zorvimab and placebo.",
        ),
        (
            "The VAS score was higher on zorvimab than on placebo only at 30 min [Table 2].",
            "The visual analog scale score was higher on zorvimab than on placebo only at 30 min (Fig. 1).",
        ),
    ],
)
def test_the_same_in_other_words_is_a_repetition(sentence: str, other: str) -> None:
    assert is_repetition(sentence, other)
    assert is_repetition(other, sentence) is (sentence.count("mood") == other.count("mood"))


def test_overall_mortality_is_another_endpoint_than_one_cause() -> None:
    assert not is_repetition("Overall mortality was lower on zorvimab.", "Cardiac mortality was lower on zorvimab.")
