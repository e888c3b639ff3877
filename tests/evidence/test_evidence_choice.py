"""Which of the sentences that answer a question are printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.candidates import Candidate
from storm.evidence.choice import MAX_SOURCES, MAX_STATEMENTS, choose
from storm.evidence.passages import Passage
from storm.evidence.sentence_kinds import SentenceKind
from storm.models import Hit, Question, RecordFacts, Section, SectionKind, Source
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
EFFICACY, MECHANISM = SYLLABUS.question("clinical.efficacy"), SYLLABUS.question("mechanism.moa")
PATENTS, SAFETY = SYLLABUS.question("ip.patents"), SYLLABUS.question("clinical.safety")
_WORDS = ["relapse", "survival", "pain", "sleep", "weight", "glucose", "fever", "mood", "memory", "cough", "sight"]


def candidate(number: int, text: str, worth: float = 1.3, title: str = "Zorvimab", remark: str = "") -> Candidate:
    hit = Hit.of(
        "pubmed", str(number), f"https://pubmed.ncbi.nlm.nih.gov/{number}/", title, pmid=str(number), text=text
    )
    source = Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(EFFICACY.key,))
    passage = Passage(text, text, Section(text=text))
    return Candidate(source, passage, text, EFFICACY.key, SentenceKind.FINDING, worth, 0, remark)


def test_every_source_is_heard_before_one_is_heard_twice() -> None:
    many = [candidate(1, f"Zorvimab improved {word} in adults.", 2.0) for word in _WORDS]
    one = candidate(2, "Zorvimab lowered cholesterol.", 1.0)
    sources = [found.source.source_id for found in choose(EFFICACY, [*many, one])]
    assert sources.count("src_002") == 1
    assert sources.count("src_001") == 3


def test_a_sentence_whose_quote_was_registered_is_chosen_before_better_ones_of_its_source() -> None:
    better = [candidate(1, f"Zorvimab improved {word} in adults.", 2.0) for word in _WORDS]
    quoted = candidate(1, "Zorvimab raised the appetite.", 1.0)
    assert quoted in choose(EFFICACY, [quoted, *better], first=1)
    assert quoted not in choose(EFFICACY, [quoted, *better])


def test_the_warnings_of_a_label_are_not_crowded_out_by_trials() -> None:
    trials = [candidate(n, f"Zorvimab caused {word} {n}.", 1.4) for n, word in enumerate(_WORDS * 2, start=2)]
    text = "Zorvimab is contraindicated in pregnancy."
    section = Section(label="Boxed warning", text=text, kind=SectionKind.LABEL)
    label = Hit.of("openfda", "set-1", "https://example.org/1", "Zorvex", sections=(section,))
    source = Source(source_id="src_999", number=1, hit=label, questions=(EFFICACY.key,))
    warning = Candidate(source, Passage(text, text, section), text, EFFICACY.key, SentenceKind.FACT, 1.0, 0)
    assert warning in choose(EFFICACY, [*trials, warning])


def test_poor_sentences_are_left_out() -> None:
    assert choose(EFFICACY, [candidate(1, "Zorvimab improved sleep.", 0.3)]) == []


def test_of_each_of_many_trials_something_is_printed_and_of_facts_no_more_than_eight() -> None:
    said = [f"Zorvimab {verb} {word}." for verb in ("improved", "changed") for word in _WORDS]
    ranked = [candidate(n, text) for n, text in enumerate(said)]
    assert len(choose(EFFICACY, ranked)) == MAX_SOURCES
    assert len(choose(MECHANISM, ranked)) == MAX_STATEMENTS


def test_serious_harm_of_a_source_is_printed_whatever_it_is_worth() -> None:
    harm = candidate(99, "Two patients on zorvimab died of liver failure.", 0.1)
    ranked = [candidate(n, f"Zorvimab improved {word}.") for n, word in enumerate(_WORDS)]
    assert harm in choose(EFFICACY, [*ranked, harm])
    assert harm not in choose(MECHANISM, [*ranked, harm])


def test_when_protection_ends_is_printed_though_other_sentences_on_patents_rank_higher() -> None:
    expiry = candidate(99, "The basic patent on zorvimab was to run out on 28 July 2014.", 0.9)
    ranked = [candidate(n, f"The patent on zorvimab covers {word}.") for n, word in enumerate(_WORDS)]
    assert expiry in choose(PATENTS, [*ranked, expiry])
    stated = candidate(98, "The patent on zorvimab for sleep expires in 2031.", 2.0)
    assert expiry not in choose(PATENTS, [stated, *ranked, expiry])


def test_what_is_listed_and_in_force_comes_before_what_has_expired() -> None:
    def listed(number: int, expiry: str, paediatric: str | None = None) -> Candidate:
        one = candidate(number, f"US patent {number}, listed for zorvimab; expiry date {expiry}.", 1.5)
        facts = RecordFacts(expiry=expiry, paediatric_expiry=paediatric)
        return one._replace(
            source=one.source.model_copy(update={"hit": one.source.hit.model_copy(update={"facts": facts})})
        )

    other = candidate(9, "The patent on zorvimab was challenged by Generix.", 1.6)
    expired, last, extended = listed(1, "2020-01-01"), listed(2, "2031-01-01"), listed(3, "2030-12-31", "2031-06-30")
    assert choose(PATENTS, [expired, other, last, extended]) == [extended, other, last, expired]
    later = [listed(number, f"20{number}-01-01") for number in range(40, 40 + MAX_STATEMENTS)]
    assert expired in choose(PATENTS, [expired, *later], first=1)


def test_a_missed_primary_endpoint_is_printed_whatever_it_is_worth() -> None:
    missed = candidate(99, "Zorvimab had no significant effect on the primary endpoint.", 0.1)
    ranked = [candidate(n, f"Zorvimab improved {word}.") for n, word in enumerate(_WORDS)]
    assert missed in choose(EFFICACY, [*ranked, missed])


def test_of_each_randomised_trial_that_is_cited_a_result_without_an_effect_is_printed() -> None:
    trial, cohort = "Zorvimab: a randomised trial", "Zorvimab: a cohort study"
    null = "Days in hospital did not differ between the zorvimab and placebo arms."
    for title, text, printed in (
        (trial, null, True),
        (trial, "Zorvimab was not associated with a significant reduction in any of the preplanned outcomes.", True),
        (trial, "Although not significant, pain was lower with zorvimab.", False),
        (trial, "Smith and colleagues saw no significant difference between zorvimab and placebo.", False),
        (cohort, null, False),
    ):
        best = [candidate(1, f"Zorvimab improved {word}.", 2.0, title) for word in _WORDS]
        other = candidate(1, text, 0.95, title)
        assert (other in choose(EFFICACY, [*best, other])) is printed


def test_another_missed_result_of_the_source_does_not_stand_for_its_primary_endpoint() -> None:
    missed = candidate(98, "The trial of zorvimab did not achieve its primary endpoint.", 0.1)
    other = candidate(98, "Use of opioids on zorvimab did not reach the level on placebo.", 9.0)
    assert {one.text for one in choose(EFFICACY, [other, missed])} == {other.text, missed.text}


@pytest.mark.parametrize(
    ("title", "question", "printed"),
    [
        ("Zorvimab: a randomised trial", EFFICACY, True),
        ("Zorvimab: a randomised trial", SAFETY, False),
        ("Zorvimab: a cohort study", EFFICACY, False),
    ],
)
def test_of_each_randomised_trial_that_is_cited_for_efficacy_the_primary_result_is_printed(
    title: str, question: Question, printed: bool
) -> None:
    best = [candidate(1, f"Zorvimab improved {word}.", 2.0, title) for word in _WORDS]
    primary = candidate(1, "The primary endpoint, relapse by month 6, was commoner with zorvimab (42%).", 0.95, title)
    assert (primary in choose(question, [*best, primary])) is printed


def test_missing_every_primary_outcome_is_printed_whatever_it_is_worth() -> None:
    missed = candidate(9, "Zorvimab was not followed by a change in any of the prespecified primary outcomes.", 0.1)
    assert missed in choose(EFFICACY, [candidate(1, "Zorvimab improved sleep.", 2.0), missed])


def test_among_many_sources_trials_come_before_what_was_not_seen_in_people() -> None:
    trials = [candidate(n, f"Zorvimab improved {word}.", 1.2, f"Zorvimab {n}: a randomised trial")
              for n, word in enumerate((*_WORDS, "appetite"))]  # fmt: skip
    mice = candidate(99, "Zorvimab improved memory in old mice.", 1.3, "Zorvimab in mice")
    assert mice in choose(EFFICACY, [mice, *trials[:-1]])
    assert mice not in choose(EFFICACY, [mice, *trials])


def test_cell_death_and_a_lower_mortality_are_no_harm_that_must_be_printed() -> None:
    ranked = [candidate(number, f"Zorvimab lowered marker {number} by {number} %.", 2.0) for number in range(1, 20)]
    for text in ("Zorvimab induced cell death.", "Zorvimab was followed by 42% fewer deaths."):
        other = candidate(99, text, 0.1)
        assert other not in choose(EFFICACY, [*ranked, other])


def test_neither_a_harm_nor_a_null_finding_is_left_out_for_its_opposite() -> None:
    frame = "Serious adverse events were {} with zorvimab than with placebo in adults with asthma."
    null = "There was no {} of zorvimab over placebo in adults with asthma on the primary endpoint of the trial."
    best = [candidate(1, frame.format("less frequent"), 2.0), candidate(2, null.format("harm"), 2.0)]
    said = [*best, candidate(1, frame.format("more frequent"), 0.1), candidate(2, null.format("benefit"), 1.3)]
    assert set(choose(EFFICACY, said)) >= set(said[3:])
    more = [candidate(3, "Zorvimab improved sleep.", 2.0), candidate(3, "No patient on zorvimab died.", 2.0)]
    died = candidate(3, "Five patients on zorvimab died.", 1.3)
    assert died in choose(EFFICACY, [*more, died])


def test_what_one_source_repeats_and_what_two_say_in_the_same_words_is_printed_once() -> None:
    again = candidate(1, "In conclusion, zorvimab improved sleep in most adults.")
    first = candidate(1, "Zorvimab improved sleep in most adults.", 1.4)
    same = candidate(2, "Zorvimab improved sleep in most adults.")
    assert choose(EFFICACY, [first, again, same]) == [first]


def test_the_same_values_of_one_source_are_printed_once_in_whatever_words() -> None:
    first = candidate(1, "Relapse fell from 25.3% to 12.1% in adults given zorvimab for a year.")
    again = candidate(1, "Of those on the active drug 12.1% had one again, against 25.3% of controls.")
    other = candidate(1, "Pain scores fell from 25.3 to 18.7 points with zorvimab.")
    assert choose(EFFICACY, [first, again, other]) == [first, other]


def test_a_sentence_is_not_printed_beside_the_quote_that_holds_it() -> None:
    first, second = "Zorvimab raised mortality to 9.1%.", "Zorvimab also raised the rate of relapse to 8.4%."
    both = candidate(1, f"{first} {second}", 1.2)
    assert [one.text for one in choose(EFFICACY, [candidate(1, first, 1.4), both])] == [both.text]


def test_the_strongest_evidence_comes_first() -> None:
    cohort = candidate(1, "Zorvimab improved sleep.", 2.0, "Zorvimab: a cohort study")
    trial = candidate(2, "Zorvimab improved mood.", 1.0, "Zorvimab: a randomised trial")
    review = candidate(3, "Zorvimab improved pain.", 1.0, "Zorvimab: a meta-analysis of randomised trials")
    rats = candidate(4, "Zorvimab improved weight.", 2.0, "Zorvimab in a randomised study of rats")
    assert choose(EFFICACY, [cohort, rats, trial, review]) == [review, trial, cohort, rats]


def test_what_the_drug_does_comes_before_what_the_body_does_with_it() -> None:
    fate = candidate(1, "The half-life of zorvimab is 5.8 days.", 2.0, "Zorvimab: a randomised trial")
    action = candidate(2, "Zorvimab blocks the receptor HER2.", 1.0, "Zorvimab: a review")
    assert choose(MECHANISM, [fate, action]) == [action, fate]
    nature = candidate(
        3, "Zorvimab is a selective HER2 inhibitor with a half-life of 6 days.", 0.9, "Zorvimab: a trial"
    )
    assert choose(MECHANISM, [fate, action, nature]) == [nature, action, fate]


def test_a_boxed_warning_comes_before_case_reports() -> None:
    warning = Section(text="Zorvimab can cause fatal bleeding.", label="BOXED WARNING", kind=SectionKind.LABEL)
    label = candidate(1, warning.text, 1.0)
    hit = label.source.hit.model_copy(update={"database": "openfda", "publication_types": ("Drug Label",)})
    source = label.source.model_copy(update={"hit": hit})
    label = label._replace(source=source, passage=Passage(warning.text, warning.text, warning))
    case = candidate(2, "Zorvimab caused a rash.", 2.0, "Zorvimab: a case report")
    assert choose(EFFICACY, [case, label]) == [label, case]


def test_sentences_on_other_drugs_stand_only_where_there_is_little_of_the_drug() -> None:
    other = candidate(9, "Rosuvastatin improved sight.", 0.4, remark="about: rosuvastatin")
    own = [candidate(1, "Zorvimab improved sleep."), candidate(2, "Zorvimab improved mood.")]
    assert choose(MECHANISM, [own[0], other]) == [own[0], other]
    assert choose(MECHANISM, [*own, other]) == own


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(_WORDS), st.floats(0.1, 2.0)), max_size=20))
def test_nothing_is_printed_twice_and_nothing_is_made_up(drawn: list[tuple[int, str, float]]) -> None:
    ranked = [candidate(n, f"Zorvimab improved {word}.", worth) for n, word, worth in drawn]
    ranked.sort(key=lambda one: -one.worth)
    chosen = choose(EFFICACY, ranked)
    assert len({one.text for one in chosen}) == len(chosen)
    assert all(one in ranked for one in chosen)
    assert choose(EFFICACY, ranked) == chosen


def test_the_deaths_of_each_source_are_printed_whatever_other_harm_is() -> None:
    serious = candidate(1, "Serious adverse events occurred in 12% on zorvimab.", 2.0)
    deaths = candidate(1, "Two deaths were reported on zorvimab.", 0.1)
    assert deaths in choose(SAFETY, [serious, deaths])
    assert deaths not in choose(EFFICACY, [serious, deaths])


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Bradycardia was significantly more frequent in the zorvimab group.", True),
        ("Bradycardia was more frequent with zorvimab (P = 0.01).", True),
        ("Zorvimab did not result in any clinically significant increase in toxicity.", False),
        ("Bradycardia was not significantly more frequent with zorvimab.", False),
        ("Bradycardia was more frequent with zorvimab (P = 0.4).", False),
        ("Bradycardia was more frequent with zorvimab (P < 0.05).", True),
        ("Bradycardia was more frequent with zorvimab (RR 2.5, 95% CI 1.4 to 4.4).", True),
        ("Bradycardia was more frequent with zorvimab (RR 1.5, 95% CI 0.9 to 2.4).", False),
        ("Significantly more bradycardia occurred on zorvimab (P=0.003), although deaths did not differ.", True),
        ("Neither bradycardia nor hypotension was significantly more frequent.", False),
    ],
)
def test_of_a_cited_trial_a_harm_that_was_significantly_more_frequent_is_printed(text: str, printed: bool) -> None:
    title = "Zorvimab in pain: a randomised controlled trial"
    better = candidate(1, "Shivering and pain on injection were rare in all.", 1.2, title)
    harm = candidate(1, text, 0.8, title)
    assert (harm in choose(SAFETY, [better, harm])) is printed


def test_a_harm_that_was_less_frequent_stands_for_none_that_was_more() -> None:
    title = "Zorvimab in pain: a randomised controlled trial"
    less = candidate(1, "Vomiting was significantly less frequent with zorvimab.", 1.2, title)
    more = candidate(1, "Bradycardia was significantly more frequent with zorvimab.", 0.8, title)
    assert more in choose(SAFETY, [less, more])
