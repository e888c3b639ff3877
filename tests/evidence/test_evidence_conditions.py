"""What a drug was given for is no harm of the drug."""

from __future__ import annotations

import pytest

from storm.evidence.conditions import remove_condition

SENTENCE = "Zorvimab did not reduce diarrhoea or headache."


@pytest.mark.parametrize(
    "title",
    [
        "Zorvimab for diarrhoea of infants: a randomised trial",
        "A trial of zorvimab to reduce diarrhoea",
        "Zorvimab in infants with acute diarrhoeal disease",
    ],
)
def test_the_condition_of_a_title_is_taken_out_in_all_its_forms(title: str) -> None:
    assert remove_condition(SENTENCE, title) == "Zorvimab did not reduce  or headache."


@pytest.mark.parametrize("title", ["Zorvimab and diarrhoea", "Diarrhoea", "", "Zorvimab in us"])
def test_a_title_that_names_no_condition_takes_nothing_out(title: str) -> None:
    assert remove_condition(SENTENCE, title) == SENTENCE


@pytest.mark.parametrize(
    "title",
    [
        "Zorvimab plus chemotherapy for breast cancer: survival and congestive heart failure in a randomised trial",
        "Zorvimab in women with breast cancer and a history of heart failure",
    ],
)
def test_a_harm_that_the_title_names_stays_a_harm(title: str) -> None:
    said = "Congestive heart failure developed in 4.1% with zorvimab and in 0.8% with placebo (P<0.001)."
    assert remove_condition(said, title) == said


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Days with diarrhoea were 2.3% with zorvimab and 2.5% with placebo (P = 0.85).", "Days with  were"),
        ("Diarrhoea recurred in 9% with zorvimab.", " recurred"),
    ],
)
def test_a_condition_that_came_back_or_was_as_frequent_in_each_group_is_no_harm(said: str, left: str) -> None:
    assert remove_condition(said, "A trial of zorvimab to reduce diarrhoea").startswith(left)


def test_what_the_participants_were_at_risk_for_is_no_harm() -> None:
    said = "Children at high risk for diarrhoea remembered more words with zorvimab."
    assert remove_condition(said, "Zorvimab and memory") == " remembered more words with zorvimab."
    thus = "Zorvimab improved memory in small children (and thus at high risk for the deficits of diarrhoea)."
    assert remove_condition(thus, "Zorvimab and memory") == "Zorvimab improved memory in small children ."
    found = "Zorvimab raised glucose (patients at risk for hypoglycaemia had nausea and 12% had hypoglycaemia)."
    assert "12% had hypoglycaemia" in remove_condition(found, "Zorvimab and memory")


def test_words_of_harm_are_no_condition() -> None:
    said = "Adverse effects were rare and tolerability was good."
    assert remove_condition(said, "Zorvimab in adults with asthma: tolerability and adverse effects") == said


@pytest.mark.parametrize(
    ("title", "said", "left"),
    [
        ("Antiemetic effects of zorvimab", "Vomiting was seen in 14 adults.", " was seen in 14 adults."),
        (
            "Oral zorvimab on decreasing the vomiting of children",
            "Ten had persistent vomiting.",
            "Ten had persistent .",
        ),
        ("Zorvimab in osteoporosis", "New fractures were seen in 7.2%.", "New  were seen in 7.2%."),
        ("Zorvimab for falciparum malaria", "Fever was seen on day 2 in 16%.", " was seen on day 2 in 16%."),
    ],
)
def test_the_outcome_for_which_a_drug_is_tried_is_no_harm_whatever_became_of_it(
    title: str, said: str, left: str
) -> None:
    assert remove_condition(said, title) == left


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Zorvimab in osteoporosis", "One atypical fracture occurred with zorvimab."),
        ("Antiemetic effects of zorvimab", "Vomiting was a serious adverse event in two adults."),
        ("Antiemetic effects of zorvimab", "Vomiting occurred in 30% on zorvimab and in 12% on placebo."),
        ("Zorvimab in adults", "Vomiting was seen in 14 adults."),
        ("Antiemetic effects of zorvimab", "Vomiting was more frequent with zorvimab."),
        ("Zorvimab vaccine against influenza", "Fever was seen in 9% with zorvimab."),
        ("Zorvimab and bone mineral density", "Fractures were seen in 4% with zorvimab."),
        ("Zorvimab for headache of adults", "The intensity of headache was greater with zorvimab."),
    ],
)
def test_it_is_a_harm_where_it_is_called_one_or_was_commoner_than_on_placebo(title: str, said: str) -> None:
    assert remove_condition(said, title) == said
