import pytest

from storm.evidence.standalone import stands_alone


@pytest.mark.parametrize("sentence", [
    "Zorvimab lowered the pain score by 12 points.",
    "There was no significant difference between the groups in pain (P = 0.32).",
    "There was also no evidence of a difference between the groups in any outcome.",
    "However, there were no differences in survival between zorvimab and placebo.",
    "In this randomised, double-blind, placebo-controlled study zorvimab lowered the pain score.",
    "This open-label trial met its primary endpoint of survival at one year.",
    "Those receiving zorvimab had less pain than those receiving placebo.",
    "It was found that zorvimab did not lower the pain score.",
    "These results show that zorvimab lowered the pain score.",
    "Both treatment groups had less pain at week 12 than at baseline.",
    "Pain was also lower with zorvimab than with placebo (P = 0.01).",
    "Pain fell with zorvimab (“from 8.1 to 4.2.”)",
])  # fmt: skip
def test_a_sentence_that_names_its_subject_stands_alone(sentence: str) -> None:
    assert stands_alone(sentence)


@pytest.mark.parametrize("sentence", [
    "It improved overall survival (hazard ratio 0.7; P<0.001).",
    "However, they had less pain at week 12 than at baseline.",
    "These patients had less pain at week 12 than at baseline.",
    "This difference was not significant at week 12 (P = 0.32).",
    "In these patients the pain score fell by 12 points.",
    "Of those, 500 patients were enrolled into the trial.",
    "In contrast to placebo, it lowered the pain score by 12 points.",
    "The latter was lower with zorvimab than with placebo.",
    "Both were lower with zorvimab than with placebo.",
    "Their pain score fell by 12 points with zorvimab.",
    "For this reason the dose of zorvimab was lowered to 5 mg.",
])  # fmt: skip
def test_a_sentence_whose_subject_stands_before_it_does_not(sentence: str) -> None:
    assert not stands_alone(sentence)


@pytest.mark.parametrize("sentence", [
    "Pain fell by 12 %.", "Effects of zorvimab on the pain score", "SAFETY OF ZORVIMAB IN PATIENTS WITH PAIN.",
    f"Zorvimab lowered {'the pain score and ' * 40}the dose.",
])  # fmt: skip
def test_a_fragment_a_heading_and_a_sentence_without_an_end_in_sight_do_not(sentence: str) -> None:
    assert not stands_alone(sentence)
