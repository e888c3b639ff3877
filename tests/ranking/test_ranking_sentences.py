"""Where sentences end, and which answer best."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.models import Question, SectionKind
from storm.ranking import rank_for_question, rank_sentences, split_sentences, split_terms


def split(text: str) -> list[str]:
    return [span.text for span in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Survival was longer (P<0.001).", "Toxicity was not."],
        ["The dose was 0.05 mg/kg, i.e. low.", "Smith et al. saw none, cf. Fig. 2 and Table 3."],
        ["It was 12.3 vs. 9.8 months.", "Patients were well."],
        ["It was (98.8. ± 236.9 N).", "Patients were well."],
        ["It has the U.S. Food and Drug Administration's consent.", "It is sold in the U.S.", "The price is high."],
        ["J. Smith and A.B. Jones wrote it.", "No. 5 was lost, as was No. 6."],
        ["It was given i.v. every week; then s.c. until relapse.", "Was it safe?", "Yes!"],
        ["Genentech, Inc. v. Amgen Inc. was settled.", "Amgen Inc. paid."],
        ["p53 was lost.", "mRNA fell.", "siRNA worked."],
        ["He had hepatitis B.", "The vaccine helped."],
        ["It was 3.9% in arm C.", "Diarrhoea was common."],
        ["Response was 61%.[12]", "It lasted.^3,4", "It ended.¹²", "Then it came back."],
        ["He said “it works.”", "(It did.)", "Dr. No agreed."],
        ["Enrolment ended in 2010.", "22 patients died.", "1,234 did not."],
        ["Is it p = 0.05?", "Or not?"],
        ["The ratio fell... and rose again.", "It stayed."],
        ["Levels were <0.5 ng/mL.", "α-Tocopherol rose."],
        ["It did not change the levels of SP.", "Streptococcus sp. Group B was found."],
    ],
    ids=lambda sentences: sentences[0][:40],
)  # fmt: skip
def test_biomedical_prose_is_split_where_its_sentences_end(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


def test_a_sentence_ends_where_only_the_space_after_it_is_missing() -> None:
    assert split("It was tested by logistic regression.Of 718 patients, 8 vomited. See e.g.The list.") == [
        "It was tested by logistic regression.", "Of 718 patients, 8 vomited.", "See e.g.The list.",
    ]  # fmt: skip


def test_a_point_within_a_number_or_after_a_value_and_versus_ends_no_sentence() -> None:
    text = "It was 0.48vs. 3.74 mmol. It was higher (P = 0. 028). It ended."
    assert split(text) == ["It was 0.48vs. 3.74 mmol.", "It was higher (P = 0. 028).", "It ended."]


def test_a_blank_line_ends_a_sentence_whatever_stands_before_and_after_it() -> None:
    text = "It fell (17.42.\n\np < 0.001), as by Goh et al.\n \nand others."
    assert [span.text for span in split_sentences(text)] == [
        "It fell (17.42.",
        "p < 0.001), as by Goh et al.",
        "and others.",
    ]


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not() -> None:
    assert split("A title without a stop\n \nThe text\ngoes on. It ends") == [
        "A title without a stop", "The text\ngoes on.", "It ends",
    ]  # fmt: skip


def test_a_figure_named_in_brackets_after_a_sentence_belongs_to_it() -> None:
    sentences = ["Zorvimab prolonged survival. (See Figure 2A)", "Moreover, it was safe."]
    assert [span.text for span in split_sentences(" ".join(sentences))] == sentences


def test_nothing_has_no_sentences() -> None:
    assert split("") == split(" \n\n ") == []


@given(st.text(alphabet="ab AB.?!;()[]\"' \n\t0135^²é-,", max_size=120))
def test_sentences_are_verbatim_pieces_in_order_that_leave_out_only_white_space(text: str) -> None:
    place, rest = 0, ""
    for start, end, sentence in split_sentences(text):
        assert start >= place
        assert text[start:end] == sentence == sentence.strip() != ""
        rest += text[place:start]
        place = end
    assert (rest + text[place:]).strip() == ""


CUES = (r"\bP\s?<", r"\d%", r"versus", "significant", "hazard ratio")


def test_a_sentence_that_reports_a_result_beats_one_that_announces_it() -> None:
    sentences = [
        "The primary endpoint was overall survival.",
        "Overall survival was 84% versus 75% (P<0.001).",
        "Patients came from 25 countries.",
    ]
    ranked = rank_sentences(sentences, ["survival"], ["zorvimab"], CUES)
    assert [scored.index for scored in ranked] == [1, 0, 2]
    assert ranked[0].text == sentences[1]
    assert ranked[0].score > ranked[1].score > ranked[2].score == 0


def test_the_focus_weighs_more_than_the_context() -> None:
    ranked = rank_sentences(["Zorvimab was given.", "Survival was measured.", "Other."], ["survival"], ["zorvimab"])
    assert [scored.index for scored in ranked] == [1, 0, 2]


def test_among_sentences_without_any_word_those_with_cues_come_first() -> None:
    assert [s.index for s in rank_sentences(["One.", "Two 5%."], ["survival"], [], CUES)] == [1, 0]


def test_a_result_weighs_more_where_results_stand_than_in_the_introduction_or_among_the_methods() -> None:
    question = Question(key="a", label="Survival", description="How long they live", min_sources=1, focus=("survival",))
    roles = [SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.DISCUSSION, SectionKind.RESULTS]
    ranked = rank_for_question(question, ["zorvimab"], ["Survival was longer with zorvimab."] * 4, roles)
    assert [scored.index for scored in ranked] == [3, 2, 1, 0]


def test_an_established_fact_weighs_as_much_in_the_introduction_as_in_the_results() -> None:
    question = Question(key="a", label="Target", description="What it binds", min_sources=1, takes_facts=True)
    roles = [SectionKind.METHODS, SectionKind.INTRODUCTION, SectionKind.RESULTS]
    ranked = rank_for_question(question, ["zorvimab"], ["Zorvimab binds its target."] * 3, roles)
    assert [scored.index for scored in ranked] == [1, 2, 0]
    assert ranked[0].score == ranked[1].score > ranked[2].score


def test_a_rare_word_weighs_more_than_one_in_every_sentence() -> None:
    ranked = rank_sentences(["Drug a.", "Drug b.", "Drug survival."], ["drug", "survival"])
    assert ranked[0].index == 2


def test_repeated_words_and_long_sentences_count_by_the_usual_parameters_of_bm25() -> None:
    ranked = rank_sentences(["Survival.", "Survival, survival, survival.", "It rained a lot."], ["survival"])
    scores = {scored.index: scored.score for scored in ranked}
    mean = (1 + 3 + 4) / 3
    rarity = 2.5 * math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert scores[0] == pytest.approx(rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / mean)))
    assert scores[1] == pytest.approx(rarity * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 3 / mean)))
    assert scores[2] == 0


def test_no_sentences_and_no_words_rank_to_nothing() -> None:
    assert rank_sentences([], ["a"]) == []
    assert [s.index for s in rank_sentences(["B.", "A.", ""], [])] == [0, 1, 2]


def test_terms_join_plurals_and_keep_hyphenated_words_whole_and_in_parts() -> None:
    assert split_terms("Adverse events, HER2-positive") == ("adverse", "event", "her2", "positive", "her2-positive")
    assert split_terms("virus diagnosis loss") == ("virus", "diagnosis", "loss")


@given(st.lists(st.sampled_from(["survival was long.", "it rained 5%.", "no effect.", "response 5% versus 6%."])))
def test_ranking_keeps_every_sentence_once_and_is_a_function_of_its_input(sentences: list[str]) -> None:
    ranked = rank_sentences(sentences, ["survival", "response"], ["effect"], CUES)
    assert sorted(scored.index for scored in ranked) == list(range(len(sentences)))
    assert ranked == rank_sentences(sentences, ["response", "survival"], ["effect"], CUES)
