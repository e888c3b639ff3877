"""Which questions a record answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from recorded_answers import LABELLED_RECORDS, needs_labelled_records
from steps import count_steps

from storm.models import Hit, Question, Relation, Rule, Section, SectionKind, Syllabus
from storm.patterns.matches import _compile_lowered
from storm.syllabus.assignment import MOST_READ, MOST_SENTENCES, Assigned, assign
from storm.syllabus.loader import bundled_syllabus

ROOT = Path(__file__).resolve().parents[2]
DRUG = bundled_syllabus(ROOT / "config")

SENTENCES = {
    "mechanism.moa": "Zorvimab binds the QX7 receptor with a Kd of 21 nM and inhibits its signalling",
    "clinical.efficacy": "In a randomised phase 3 trial zorvimab gave a response rate of 22% against 11% with placebo",
    "clinical.safety": "Grade 3 adverse events of zorvimab were neutropenia in 23% of patients",
    "competitive.landscape": "Zorvimab was compared with velotinib in 24 patients",
    "market.status": "Zorvimab was approved in 25 countries by 2021",
    "ip.patents": "The patent claims zorvimab formulations and expires 26 months after grant",
}


def hit(title: str = "A record", text: str = "", database: str = "pubmed", **fields: Any) -> Hit:
    return Hit.of(database, "90000001", "https://example.org/1", title, text=text, **fields)


def syllabus(*rules: Rule, threshold: float = 1.0) -> Syllabus:
    question = Question(
        key="q", label="Label", description="What it asks", min_sources=1, rules=rules, threshold=threshold
    )
    return Syllabus(name="test", questions=(question,))


@pytest.mark.parametrize("question", SENTENCES)
@pytest.mark.parametrize("database", ["pubmed", "web"])
def test_a_short_record_is_filed_under_the_question_that_it_answers(question: str, database: str) -> None:
    record = hit("Zorvimab study 1", f"{SENTENCES[question]}. The follow-up was short [12].", database)
    assert question in {assigned.question for assigned in assign(record, DRUG)}


def filed(title: str, text: str = "", **fields: Any) -> set[str]:
    record = hit(title, text, **fields)
    return {assigned.question for assigned in assign(record, DRUG, Relation.ITSELF, ("zorvimab", "Zorva"))}


@pytest.mark.parametrize(
    "title",
    [
        "Efficacy and safety of zorvimab in psoriasis",
        "Safety, tolerability and efficacy of zorvimab in chronic hepatitis C",
        "Benefits and harms of zorvimab",
    ],
)
def test_a_title_on_efficacy_and_safety_is_both(title: str) -> None:
    assert {"clinical.efficacy", "clinical.safety"} <= filed(title)


@pytest.mark.parametrize(
    "title",
    [
        "Five-year follow-up of zorvimab in multiple sclerosis",
        "Zorvimab for migraine: an open-label extension",
        "Long-term outcomes of zorvimab in arthritis",
    ],
)
def test_a_long_term_follow_up_carries_safety(title: str) -> None:
    assert "clinical.safety" in filed(title, "The relapse rate stayed at 0.2 a year.")


def test_resistance_mutations_are_mechanism() -> None:
    assert "mechanism.moa" in filed("Acquired T790M and C797S resistance mutations under zorvimab")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Zorvimab for low back pain: a randomised trial", "Pain fell by 21 mm with zorvimab and 12 with placebo."),
        ("Zorvimab in severe asthma", "Exacerbations fell by 53% and FEV1 rose by 100 ml."),
        ("Effect of zorvimab on seizure frequency", "Seizures fell from 12.4 to 5.9 a month."),
    ],
)
def test_outcomes_of_all_fields_are_efficacy(title: str, text: str) -> None:
    assert "clinical.efficacy" in filed(title, text)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Ventilation under zorvimab", "Expired air was analysed. The end-expiratory pressure was 5 cm."),
        ("Zorvimab implants in goats versus none", "The duct was patent. The authors claim that it stayed so."),
        ("Volumizing zorvimab", "It is made with a patented technology. Patent ductus arteriosus was seen in 2010."),
        ("Zorvimab in adults", "The study was approved by the ethics committee of the university in 2010."),
        ("Zorvimab in rats", "Zorvimab doses were approved by the Animal Care and Use Committee in Japan in 2012."),
        ("Ethical approval and funding", "The protocol on zorvimab was approved by the review board in the US."),
        ("Zorvimab and knee strength", "In this open‐label trial all authors approved the final manuscript."),
    ],
)
def test_words_that_approvals_and_patents_share_with_other_matters_file_nothing_there(title: str, text: str) -> None:
    assert filed(title, f"{text} " + "Pain was measured. " * 20).isdisjoint({"market.status", "ip.patents"})


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("market.status", "Zorvimab was approved by the FDA in 2006 for psoriasis."),
        ("market.status", "Since its approval in Japan, Zorva has been used widely."),
        ("ip.patents", "Zorvimab was patented in 1966."),
        ("ip.patents", "The patent on Zorva was held by Example Pharma."),
    ],
)
def test_in_a_full_text_one_sentence_that_says_who_or_when_is_enough_if_it_names_the_drug(
    question: str, sentence: str
) -> None:
    rest = "Pain was measured. " * 200
    assert question in filed("Zorvimab in pain", f"{rest}{sentence}")
    other = sentence.replace("Zorvimab", "Velotinib").replace("Zorva", "Velo")
    assert question not in filed("Zorvimab in pain", f"{rest}{other}")


@pytest.mark.parametrize("text", ["", "The weather was fine.", "Zorvimab is a name."])
def test_a_record_that_says_nothing_answers_nothing(text: str) -> None:
    assert assign(hit("Zorvimab study 1", text), DRUG) == ()


def test_databases_that_hold_one_kind_of_record_speak_for_its_question() -> None:
    assert assign(hit("Compositions", "A composition.", "patents"), DRUG)[0].question == "ip.patents"
    assert assign(hit("ZORVIMAB", "An antibody.", "chembl"), DRUG)[0].question == "mechanism.moa"


def test_weights_are_added_and_the_threshold_is_included() -> None:
    two = syllabus(Rule(pattern="alpha", weight=0.6), Rule(pattern="beta", weight=0.4, where="title"))
    assert assign(hit("Beta", "alpha"), two) == (Assigned("q", 0.0),)
    assert assign(hit("Gamma", "alpha beta"), two) == ()


def test_a_negative_weight_speaks_against_the_question() -> None:
    rules = syllabus(Rule(pattern="trial"), Rule(pattern="review", weight=-1, where="type"))
    assert assign(hit(text="A trial"), rules)
    assert not assign(hit(text="A trial", publication_types=("Review",)), rules)


def test_a_sentence_rule_counts_facts_that_name_the_drug() -> None:
    rules = syllabus(Rule(pattern="approved by the fda", where="sentence"))
    named, unnamed = "Zorvimab was approved by the FDA. It works.", "It was approved by the FDA. Zorvimab works."
    assert assign(hit(text=named), rules, names=("zorvimab", "Zorva"))
    assert assign(hit(text="ZORVA was approved by the FDA."), rules, names=("zorvimab", "Zorva"))
    assert not assign(hit(text=unnamed), rules, names=("zorvimab", "Zorva"))
    assert assign(hit(text=unnamed), rules)


@pytest.mark.parametrize("label", ["Methods", "Funding", "Methods: Ethics"])
def test_how_a_study_was_done_and_paid_for_holds_no_facts_for_sentence_rules(label: str) -> None:
    rules = syllabus(Rule(pattern="approved", where="sentence"))
    record = hit().model_copy(update={"sections": (Section(label=label, text="The protocol was approved."),)})
    assert not assign(record, rules)
    assert assign(hit(text="The drug was approved."), rules)


def test_a_share_rule_counts_in_full_from_half_of_the_sentences_on() -> None:
    rules = syllabus(Rule(pattern="alpha", weight=2, where="share"), threshold=0)
    texts = ["Alpha. B. C. D.", "Alpha. Alpha. C. D.", "Alpha. Alpha. Alpha. Alpha."]
    assert [assign(hit(text=text), rules)[0].score for text in texts] == [1.0, 2.0, 2.0]


def test_each_field_is_looked_at_by_its_own_rules_alone() -> None:
    record = hit("In title", "In text", "web", publication_types=("In type",))
    texts = {"title": "in title", "text": "in text", "sentence": "in text"}
    places = {**texts, "type": "in type", "database": "web", "relation": "comparator"}
    for where, pattern in places.items():
        assert assign(record, syllabus(Rule(pattern=pattern, where=where)), Relation.COMPARATOR)
        for other in (name for name in places if places[name] != pattern):
            assert not assign(record, syllabus(Rule(pattern=pattern, where=other)), Relation.COMPARATOR)


def test_case_does_not_matter_in_text_or_pattern() -> None:
    for pattern in ("HbA1c", "HBA1C", r"\bHbA1c\b", "[H]bA1c", "(?P<Name>HbA)1c"):
        assert assign(hit(text="hba1C fell"), syllabus(Rule(pattern=pattern)))
    assert assign(hit(text="NaCl 5"), syllabus(Rule(pattern=r"NaCl\s\d")))
    assert not assign(hit(text="NaCl 5"), syllabus(Rule(pattern=r"NaCl\S\d")))


def test_questions_come_best_first_and_those_without_rules_never() -> None:
    base = {"label": "Label", "description": "What it asks", "min_sources": 1}
    questions = (
        Question(key="weak", rules=(Rule(pattern="a"),), **base),
        Question(key="bare", threshold=0.0, **base),
        Question(key="strong", rules=(Rule(pattern="a", weight=3),), **base),
    )
    found = assign(hit(text="a"), Syllabus(name="test", questions=questions))
    assert [assigned.question for assigned in found] == ["strong", "weak"]


def test_patterns_are_compiled_once_and_twice_the_text_is_at_most_twice_the_work() -> None:
    text = " ".join(f"{text}." for text in SENTENCES.values())
    short, long = (
        hit("Zorvimab study").model_copy(update={"sections": (Section(text=text),) * times}) for times in (50, 100)
    )
    assign(short, DRUG)
    compiled = _compile_lowered.cache_info().misses
    assert count_steps(lambda: assign(long, DRUG)) <= 2 * count_steps(lambda: assign(short, DRUG))
    assert _compile_lowered.cache_info().misses == compiled


def bench(facts: Path, *options: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "benches" / "assign.py"), "--facts", str(facts), *options]
    return subprocess.run(command, capture_output=True, text=True, check=check, cwd=ROOT)


@pytest.mark.slow
@needs_labelled_records
def test_rules_beat_plain_keywords_on_records_that_they_were_not_written_for() -> None:
    answer = bench(LABELLED_RECORDS, "--json")
    held_out = {row["variant"]: row for row in json.loads(answer.stdout)["rows"] if row["split"] == "held out"}
    assert held_out["storm"]["n"] > 80
    assert held_out["storm"]["f1"] >= 0.82 > 0.7 > held_out["plain keywords"]["f1"]


@pytest.mark.slow
def test_the_bench_says_so_where_the_labels_are_missing(tmp_path: Path) -> None:
    answer = bench(tmp_path / "none", check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "no labelled records" in answer.stderr


def test_of_a_text_longer_than_any_article_the_first_sentences_are_counted() -> None:
    rules = syllabus(Rule(pattern="alpha", weight=2, where="share"), threshold=0)
    text = "Alpha. " * MOST_SENTENCES + "Beta. " * 3 * MOST_SENTENCES
    assert assign(Hit.of("pubmed", "1", "https://example.org/1", "T", text=text), rules)[0].score == 2


@pytest.mark.parametrize("where", ["text", "sentence"])
def test_rules_read_a_text_of_more_than_twice_the_longest_article(where: str) -> None:
    rules = syllabus(Rule(pattern="alpha", where=where))
    sentence = f"{'Beta ' * 19}beta. "
    for before, is_read in ((MOST_READ - 1_000, True), (MOST_READ + 1_000, False)):
        record = hit(text=f"{sentence * (before // len(sentence))}Alpha.")
        assert bool(assign(record, rules)) is is_read


def test_what_others_are_thanked_for_is_not_read() -> None:
    thanks = Section(label="Acknowledgements", text="Alpha was given.", kind=SectionKind.BACK_MATTER)
    for where in ("text", "sentence"):
        rules = syllabus(Rule(pattern="alpha", where=where))
        assert not assign(Hit.of("pubmed", "1", "https://example.org/1", "T", sections=[thanks]), rules)
