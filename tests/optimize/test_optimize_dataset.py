"""Datasets: what a line may say, how a mistake in one is reported, and that no drug is on both sides."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from optimize.example import DATASET, ROOT

from storm.errors import ConfigError, UsageError
from storm.models import Question, Syllabus
from storm.optimize import Case, read_cases, split_cases
from storm.optimize.dataset import check_mode

CONFIG = ROOT / "config"
SYLLABUS = Syllabus(name="one", questions=(Question(key="a.b", label="A", description="What?", min_sources=1),))


def dataset(folder: Path, *lines: object) -> Path:
    path = folder / "drugs.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_a_line_needs_a_drug_and_no_more(tmp_path: Path) -> None:
    (case,) = read_cases(dataset(tmp_path, "", {"drug": "metformin"}), CONFIG)
    assert (case.line, case.drug, case.also, case.corpus) == (2, "metformin", (), ())
    assert case.syllabus.name == "drug"


def test_synonyms_a_syllabus_and_a_corpus_are_taken_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.csv").touch()
    (tmp_path / "harm.yaml").write_text(
        "name: harm\nquestions:\n  - {key: harm, label: Harm, description: Adverse events, min_sources: 1}\n"
    )
    lines = [
        {"drug": "Zorvi", "also": ["zorvimab"], "syllabus": "harm.yaml", "corpus": ["mine", "mine/notes.csv"]},
        {"drug": "Orli", "corpus": "mine"},
        {"drug": "metformin", "corpus": "sample"},
    ]
    first, second, third = read_cases(dataset(tmp_path, *lines), CONFIG)
    assert (first.also, first.syllabus.name) == (("zorvimab",), "harm")
    assert first.corpus == (tmp_path / "mine", tmp_path / "mine/notes.csv")
    assert (second.corpus, third.corpus) == ((tmp_path / "mine",), ())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "not JSON"),
        ("[1]", "a line is an object"),
        ('{"drug": 1}', "drug: it must be text"),
        ("{}", "a line has a drug, a question or a query; this one has none of them"),
        ('{"drug": "a", "question": "b?"}', ".*this one has a drug and a question"),
        ('{"question": "?"}', "the question has no letter or digit"),
        ('{"question": "b?", "also": ["c"]}', "also: synonyms are of a drug"),
        ('{"query": "a for b", "also": ["c"]}', "also: synonyms are of a drug, and the line has a query"),
        ('{"query": "a for b", "disease": "b"}', "disease: it is of a drug, and the line has a query"),
        ('{"question": "b?", "disease": "b"}', "disease: it is of a drug, and the line has a question"),
        ('{"query": ""}', "the query is empty"),
        ('{"disease": "b"}', ".*this one has none of them"),
        ('{"drug": "a", "query": "a for b"}', ".*this one has a drug and a query"),
        ('{"drug": "a", "disease": " "}', "the disease is empty"),
        ('{"drug": "a", "disease": "b", "syllabus": "x.yaml"}', "syllabus: the questions on a drug and a disease"),
        ('{"drug": " "}', "the drug name is empty"),
        ('{"drug": "a", "also": ["b\\tc"]}', "the synonym contains control characters"),
        ('{"drug": "!"}', "the drug name has no letter or digit"),
        (
            '{"drug": "a", "drugs": []}',
            "drugs: unknown key; known: drug, question, disease, query, also, syllabus, corpus",
        ),
        ('{"drug": "a", "syllabus": "none.yaml"}', "syllabus: .*none.yaml: the file cannot be read"),
        ('{"drug": "a", "corpus": "none"}', "corpus: there is no .*none"),
        ('{"drug": "a", "corpus": ["sample", "drugs.jsonl"]}', "corpus: names files or folders"),
        ('{"drug": "a", "corpus": ""}', "corpus: names files or folders"),
    ],
)
def test_a_mistake_is_reported_with_its_file_and_line(tmp_path: Path, line: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=rf"drugs\.jsonl, line 2: {expected}"):
        read_cases(dataset(tmp_path, {"drug": "metformin"}, line), CONFIG)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xff\xfe", None])
def test_a_file_without_a_drug_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "drugs.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"drugs\.jsonl: "):
        read_cases(path, CONFIG)


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ConfigError, match="cannot be read: not a regular file"):
            read_cases(path, CONFIG)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "drugs.jsonl"
    path.write_bytes(b"\n" * 4_000_001)
    with pytest.raises(ConfigError, match="too large for a dataset"):
        read_cases(path, CONFIG)


def cases(*names: tuple[str, ...]) -> list[Case]:
    return [
        Case(line=n, drug=drug, also=tuple(also), syllabus=SYLLABUS) for n, (drug, *also) in enumerate(names, start=1)
    ]


@given(
    names=st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=3).map(tuple), min_size=1, max_size=12),
    share=st.floats(0.01, 0.99),
    seed=st.integers(0, 5),
)
def test_each_case_is_on_one_side_both_have_some_and_no_name_is_on_both(
    names: list[tuple[str, ...]], share: float, seed: int
) -> None:
    given_cases = cases(*names)
    try:
        train, dev = split_cases(given_cases, share, seed)
    except UsageError as exc:
        assert "one drug" in exc.message
        return
    assert train and dev
    assert sorted([*train, *dev], key=lambda case: case.line) == given_cases
    assert not frozenset[str]().union(*(case.names for case in train)) & frozenset[str]().union(
        *(case.names for case in dev)
    )
    assert split_cases(given_cases, share, seed) == (train, dev)


def test_cases_that_no_file_has_are_on_one_side_each() -> None:
    made = [Case(drug=name) for name in ("metformin", "trastuzumab", "zorvimab")]
    train, dev = split_cases(made, 0.5, 0)
    assert (len(train), len(dev)) == (1, 2)
    assert {case.drug for case in (*train, *dev)} == {"metformin", "trastuzumab", "zorvimab"}


def test_a_case_that_no_file_has_is_refused_by_its_subject() -> None:
    with pytest.raises(UsageError, match="the case 'metformin' of the dataset is a drug, and the mode deep_research"):
        check_mode([Case(drug="metformin")], "deep_research")


def test_two_names_of_one_drug_are_one_drug() -> None:
    with pytest.raises(UsageError, match="has only one drug or question"):
        split_cases(cases(("Herceptin", "trastuzumab"), ("Trastuzumab",), ("Kanjinti", "HERCEPTIN")), 0.5, 0)


@pytest.mark.parametrize(
    "names",
    [
        ("5-fluorouracil", "5\u2011Fluorouracil"),
        ("interferon alpha", "interferon-alpha"),
        ("metformin", "metformin  hydrochloride"),
        ("imatinib mesylate", "Imatinib-Mesylate"),
        ("trastuzumab", "trastuzumab-dkst"),
        ("Glucophage®", "glucophage"),
        ("naïvecillin", "naivecillin"),
    ],
)
def test_one_name_in_two_spellings_or_with_its_salt_is_one_drug(names: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match="has only one drug or question"):
        split_cases(cases(*[(name,) for name in names]), 0.5, 0)


@pytest.mark.parametrize("names", [("sodium chloride", "sodium"), ("insulin lispro", "insulin"), ("x 1", "x 2")])
def test_names_that_only_begin_alike_are_two_drugs(names: tuple[str, str]) -> None:
    assert all(split_cases(cases(*[(name,) for name in names]), 0.5, 0))


def test_the_share_says_how_many_drugs_only_measure() -> None:
    many = cases(*[(name,) for name in "abcdefghij"])
    assert [len(split_cases(many, share, 0).dev) for share in (0.01, 0.2, 0.5, 0.99)] == [1, 2, 5, 9]


def test_the_example_has_a_drug_for_each_side() -> None:
    train, dev = split_cases(read_cases(DATASET, CONFIG), 0.5, 0)
    assert {train[0].drug, dev[0].drug} == {"trastuzumab", "metformin"}


def test_a_line_may_have_a_question_whose_syllabus_the_planner_makes(tmp_path: Path) -> None:
    (tmp_path / "harm.yaml").write_text(
        "name: harm\nquestions:\n  - {key: harm, label: Harm, description: Adverse events, min_sources: 1}\n"
    )
    lines = [{"question": "Does zorvimab harm the heart?"}, {"question": "Is it safe?", "syllabus": "harm.yaml"}]
    first, second = read_cases(dataset(tmp_path, *lines), CONFIG)
    assert (first.question, first.drug, first.syllabus) == ("Does zorvimab harm the heart?", "", None)
    assert second.syllabus and second.syllabus.name == "harm"
    assert first.subject == "Does zorvimab harm the heart?"


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ({"question": "Does Trastuzumab-dkst harm?"}, {"drug": "trastuzumab"}),
        ({"question": "Does Herceptin harm?"}, {"drug": "trastuzumab", "also": ["Herceptin"]}),
        ({"question": "Does it harm?"}, {"question": "does it  HARM"}),
    ],
)
def test_a_question_that_names_a_drug_is_on_the_side_of_the_drug(
    tmp_path: Path, question: dict[str, str], other: dict[str, str]
) -> None:
    for lines in ([question, other], [other, question]):
        with pytest.raises(UsageError, match="has only one drug or question"):
            split_cases(read_cases(dataset(tmp_path, *lines), CONFIG), 0.5, 0)


def test_questions_on_other_subjects_are_on_either_side(tmp_path: Path) -> None:
    lines = [{"question": "Is metformin safe?"}, {"question": "Is sun safe?"}, {"drug": "form"}]
    assert len(split_cases(read_cases(dataset(tmp_path, *lines), CONFIG), 0.34, 0).dev) == 1


def test_a_question_is_refused_by_a_mode_that_takes_drugs(tmp_path: Path) -> None:
    cases_read = read_cases(dataset(tmp_path, {"drug": "a"}, {"question": "Does it harm?"}), CONFIG)
    check_mode(cases_read, "parallel")
    with pytest.raises(UsageError, match="line 2 of the dataset is a question, and the mode broad takes drugs only"):
        check_mode(cases_read, "broad")


def test_a_drug_with_a_disease_and_a_query_are_for_the_mode_that_tests_hypotheses(tmp_path: Path) -> None:
    lines = [{"drug": "Zorvi", "also": ["zorvimab"], "disease": "Blorp disease"}, {"query": "Could orli treat gout?"}]
    made = read_cases(dataset(tmp_path, *lines), CONFIG)
    assert [(case.subject, case.syllabus) for case in made] == [
        ("Zorvi for Blorp disease", None),
        ("Could orli treat gout?", None),
    ]
    check_mode(made, "repurposing")
    for mode in ("broad", "parallel"):
        with pytest.raises(UsageError, match=f"line 1 of the dataset asks for a disease, and the mode {mode}"):
            check_mode(made, mode)


@pytest.mark.parametrize("line", [{"drug": "metformin"}, {"question": "Is it safe?"}])
def test_the_mode_that_tests_hypotheses_takes_nothing_without_a_disease(tmp_path: Path, line: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=r"line 1 of the dataset is a \w+, and the mode repurposing takes a drug"):
        check_mode(read_cases(dataset(tmp_path, line), CONFIG), "repurposing")


def test_the_mode_with_a_checklist_takes_questions_only(tmp_path: Path) -> None:
    made = read_cases(dataset(tmp_path, {"question": "Is it safe?"}, {"drug": "metformin"}), CONFIG)
    check_mode(made[:1], "deep_research")
    with pytest.raises(UsageError, match="line 2 of the dataset is a drug, and the mode deep_research takes questions"):
        check_mode(made, "deep_research")


def test_a_drug_is_on_one_side_whatever_disease_it_is_tried_for(tmp_path: Path) -> None:
    lines = [
        {"drug": "Zorvi", "disease": "gout"},
        {"drug": "zorvi sodium", "disease": "lupus"},
        {"query": "zorvi for asthma"},
        {"query": "orli for asthma"},
    ]
    split = split_cases(read_cases(dataset(tmp_path, *lines), CONFIG), 0.5, 0)
    assert {frozenset(case.line for case in side) for side in split} == {frozenset((1, 2, 3)), frozenset((4,))}
