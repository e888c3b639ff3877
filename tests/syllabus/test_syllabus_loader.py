"""Reading a syllabus: the bundled one, one's own, and every mistake in one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from storm.config_file import MAX_BYTES
from storm.errors import SyllabusError
from storm.syllabus import trial
from storm.syllabus.loader import bundled_syllabus, load_syllabus

CONFIG = Path(__file__).resolve().parents[2] / "config"

GOOD = r"""name: pair
questions:
  - key: a.one
    label: One
    description: The first question
    min_sources: 2
    itself_only: true
    threshold: 1.5
    rules:
      - {where: title, weight: -0.5, pattern: '\bone\b'}
      - {where: share, pattern: [first, 'second\d']}
    focus: [one]
    cues: ['\d%']
    queries:
      default: [one two, three]
      pubmed: [four]
  - {key: b.two, label: Two, description: The second question, min_sources: 1}
"""


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def mistake(tmp_path: Path, text: str | bytes) -> str:
    with pytest.raises(SyllabusError) as caught:
        load_syllabus(write(tmp_path, text))
    return caught.value.message


def test_the_bundled_taxonomy_has_its_six_questions_and_26_sources() -> None:
    syllabus = bundled_syllabus(CONFIG)
    assert {q.key: q.min_sources for q in syllabus.questions} == {
        "mechanism.moa": 5, "clinical.efficacy": 5, "clinical.safety": 5, "competitive.landscape": 5,
        "market.status": 3, "ip.patents": 3,
    }  # fmt: skip
    assert syllabus.min_databases == 2
    assert all(q.rules and q.cues and q.focus and q.queries["default"] for q in syllabus.questions)
    assert [q.key for q in syllabus.questions if q.takes_relatives] == ["competitive.landscape"]


def test_an_unknown_bundled_name_lists_the_known_ones() -> None:
    with pytest.raises(SyllabusError, match="no syllabus 'drugs'; known: drug"):
        bundled_syllabus(CONFIG, "drugs")


def test_a_name_is_no_path() -> None:
    with pytest.raises(SyllabusError, match="no syllabus"):
        bundled_syllabus(CONFIG, "../syllabus/drug")


def test_a_file_is_read_field_by_field(tmp_path: Path) -> None:
    syllabus = load_syllabus(write(tmp_path, GOOD))
    first, second = syllabus.questions
    assert (syllabus.name, syllabus.min_databases, syllabus.keys) == ("pair", 2, ("a.one", "b.two"))
    assert [(r.where, r.weight, r.pattern) for r in first.rules] == [
        ("title", -0.5, r"\bone\b"), ("share", 1.0, r"first|second\d"),
    ]  # fmt: skip
    assert (first.threshold, first.focus, first.itself_only) == (1.5, ("one",), True)
    assert first.queries == {"default": ("one two", "three"), "pubmed": ("four",)}
    assert (second.rules, second.itself_only) == ((), False)


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    assert load_syllabus(write(tmp_path, b"\xef\xbb\xbf" + GOOD.encode())).name == "pair"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("min_sources: 2", "min_sources: many", "mine.yaml, line 6, questions[0].min_sources: 'many' must be a whole"),
        ("min_sources: 2", "min_sources: 0", "line 6, questions[0].min_sources: '0' must be a whole number of 1"),
        (
            "min_sources: 2",
            "min_source: 2",
            "line 6, questions[0].min_source: unknown key; did you mean min_sources?",
        ),
        ("    label: One\n", "", "line 3, questions[0].label: the key is missing"),
        ("label: One", "label: [One]", "line 4, questions[0].label: must be text"),
        ("label: One", "label: 12", "line 4, questions[0].label: must be text (put it in quotes)"),
        ("label: One", "label: ''", "line 4, questions[0].label: must not be empty"),
        ("label: One", "label: One\n    label: Eins", "line 5, questions[0].label: the key is given twice"),
        ("key: a.one", "key: A one", "line 3, questions[0].key: 'A one'"),
        ("key: b.two", "key: sources", "line 17, questions[1].key: 'sources' is taken: the search log has it"),
        ("key: a.one", "key: names", "line 3, questions[0].key: 'names' is taken: the search log has it"),
        ("key: b.two", "key: a.one", "line 17, questions[1].key: 'a.one' is already the key of questions[0]"),
        ("key: b.two", "key: sources", "line 17, questions[1].key: 'sources' is taken: the search log has it"),
        ("'\\bone\\b'", "'(one'", "line 10, questions[0].rules[0].pattern: '(one' is not a regular expression"),
        ("'second\\d'", "'*'", "line 11, questions[0].rules[1].pattern[1]: '*' is not a regular expression"),
        ("'\\d%'", "'['", "line 13, questions[0].cues[0]: '[' is not a regular expression"),
        ("where: title", "where: abstract", "line 10, questions[0].rules[0].where: 'abstract' is none of any, title"),
        ("weight: -0.5", "weight: heavy", "line 10, questions[0].rules[0].weight: 'heavy' must be a number"),
        ("weight: -0.5", "wait: 1", "line 10, questions[0].rules[0].wait: unknown key"),
        ("threshold: 1.5", "threshold: .nan", "line 8, questions[0].threshold: '.nan' must be a number"),
        ("itself_only: true", "itself_only: maybe", "line 7, questions[0].itself_only: 'maybe' must be true or false"),
        ("focus: [one]", "focus: one", "line 12, questions[0].focus: must be a list"),
        ("default: [one two, three]", "default: one", "line 15, questions[0].queries.default: must be a list"),
        ("name: pair", "name: pair\ntitle: x", "line 2, title: unknown key; known: name, questions, min_databases"),
        ("name: pair\n", "", "line 1, name: the key is missing"),
        ("name: pair", "name: pair\nmin_databases: -1", "line 2, min_databases: '-1' must be a whole number"),
        ("focus: [one]", "focus: [one", "mine.yaml, line 13: not YAML"),
        ("default: [one two, three]", "default: []", "line 15, questions[0].queries.default: needs at least 1 entry"),
        (
            "pubmed: [four]",
            "pubmd: [four]",
            "line 16, questions[0].queries.pubmd: there is no database of this name; did",
        ),
        ("name: pair", "name: !!python/object:os.system x", "line 1, name: must be text"),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_key(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in GOOD
    assert expected in mistake(tmp_path, GOOD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "mine.yaml: the file is empty"),
        ("# nothing\n", "mine.yaml: the file is empty"),
        ("- a\n- b\n", "mine.yaml, line 1, the file: must be a mapping"),
        ("name: x\nquestions: []\n", "line 2, questions: needs at least 1 entry"),
        ("name: x\nquestions: [1]\n", "line 2, questions[0]: must be a mapping"),
        (b"name: caf\xe9\n", "is not UTF-8 (byte 9)"),
        ("a: \x07\n", "mine.yaml: not YAML"),
        ("[" * 20_000, "mine.yaml, line 1: not YAML: nested too deep"),
        ("x" * (MAX_BYTES + 1), "over 256,000 bytes: too many for a configuration"),
        ("name: x\n--- \nname: y\n", "not YAML"),
        ("a: *b\n", "line 1: not YAML"),
    ],
)
def test_a_file_that_is_no_syllabus_is_refused_in_one_line(tmp_path: Path, text: str | bytes, expected: str) -> None:
    message = mistake(tmp_path, text)
    assert expected in message
    assert "\n" not in message


def test_an_empty_file_is_refused_with_an_example_to_copy(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("")
    with pytest.raises(SyllabusError, match="the file is empty") as caught:
        load_syllabus(path)
    assert "config/syllabus/drug.yaml" in str(caught.value.hint)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(SyllabusError, match="cannot be read"):
            load_syllabus(path)


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(SyllabusError, match="cannot be read: not a regular file"):
            load_syllabus(path)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(x+x+)+y", "(fo|foo|o)+$", "(\\d+,?)+%", "([a-z]+\\s*)+\\."])
@pytest.mark.parametrize("where", ["text", "title", "share"])
def test_a_rule_that_could_take_for_ever_is_found_when_its_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, where: str
) -> None:
    monkeypatch.setattr(trial, "SECONDS", 0.05)
    message = mistake(
        tmp_path,
        GOOD.replace(r"where: title, weight: -0.5, pattern: '\bone\b'", f"where: {where}, pattern: '{pattern}'"),
    )
    assert message.startswith(
        f"mine.yaml, line 10, questions[0].rules[0].pattern: {pattern!r} takes too long: more than "
    )


@pytest.mark.slow
def test_a_cue_and_one_of_several_expressions_are_tried_too(tmp_path: Path) -> None:
    assert mistake(tmp_path, GOOD.replace("['\\d%']", "['\\d%', '(a|aa)+$']")).startswith(
        "mine.yaml, line 13, questions[0].cues[1]: '(a|aa)+$' takes too long"
    )
    assert mistake(tmp_path, GOOD.replace("[first, ", "[first, (a|aa)+$, ")).startswith(
        "mine.yaml, line 11, questions[0].rules[1].pattern[1]: '(a|aa)+$' takes too long"
    )


@pytest.mark.slow
def test_a_users_copy_of_the_bundled_file_is_taken_and_says_where_each_pattern_stands(tmp_path: Path) -> None:
    copy = load_syllabus(write(tmp_path, (CONFIG / "syllabus" / "drug.yaml").read_bytes()))
    for question, bundled in zip(copy.questions, bundled_syllabus(CONFIG).questions, strict=True):
        assert question.places.keys() == {*question.cues, *question.says, *(rule.pattern for rule in question.rules)}
        assert not bundled.places
        assert question.model_copy(update={"places": {}}) == bundled
