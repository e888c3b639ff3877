"""Records of one's own: added, listed, searched, removed, and made into a dossier that says nothing else."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from storm_program import Outcome, Program, dossiers, newest_job

SENTENCES = [
    "Zorvimab binds the QX7 receptor with a Kd of {n} nM and inhibits its signalling",
    "In a randomised phase 3 trial zorvimab gave a response rate of {n}% against 11% with placebo",
    "Grade 3 adverse events of zorvimab were neutropenia in {n}% of patients",
    "Zorvimab was compared with velotinib in {n} patients",
    "Zorvimab was approved in {n} countries by 2021",
    "The patent claims zorvimab formulations and expires {n} months after grant",
]
#: Zorvimab does not exist: what a dossier says about it can only be from here.
RECORDS: list[dict[str, Any]] = [
    {
        "database": "pubmed" if n % 2 else "web",
        "external_id": str(90000000 + n),
        "url": f"https://example.org/{n}",
        "title": f"Zorvimab study {n}",
        "year": 2001 + n,
        "text": SENTENCES[n % 6].format(n=21 + n) + ". The follow-up was short [12].",
    }
    for n in range(24)
]


def write_jsonl(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_csv(path: Path, records: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(records[0]))
        table.writeheader()
        table.writerows(records)
    return path


@pytest.fixture
def own(program: Program) -> Program:
    """A program whose corpus holds the records of zorvimab, from one file."""
    assert program("corpus", "add", write_jsonl(program.folder / "own.jsonl", RECORDS)).code == 0
    return program


def run(program: Program, folder: str, *options: str | Path) -> tuple[Outcome, dict[str, Any]]:
    outcome = program("run", "zorvimab", "--offline", "--out", folder, *options)
    return outcome, json.loads((program.folder / folder / "dossier.json").read_text(encoding="utf-8"))


# The commands.


@pytest.mark.parametrize("write", [write_jsonl, write_csv])
def test_added_records_are_found(program: Program, write: Any) -> None:
    outcome = program("corpus", "add", write(program.folder / "own.txt", RECORDS))
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith("24 added, 0 updated")
    found = program("corpus", "search", "zorvimab", "--json", "--limit", "100")
    assert found.code == 0
    assert {hit["external_id"] for hit in found.json()["hits"]} == {record["external_id"] for record in RECORDS}


def test_the_first_records_end_the_use_of_the_sample_and_adding_says_so(program: Program) -> None:
    said = "no longer the bundled sample"
    assert said in program("corpus", "add", write_jsonl(program.folder / "one.jsonl", RECORDS[:1])).out
    assert said not in program("corpus", "add", write_jsonl(program.folder / "more.jsonl", RECORDS)).out


def test_a_table_and_json_lines_give_the_same_records(program: Program) -> None:
    program("corpus", "add", write_csv(program.folder / "own.csv", RECORDS))
    outcome = program("corpus", "add", write_jsonl(program.folder / "own.jsonl", RECORDS), "--json").json()
    assert [(file["added"], file["updated"]) for file in outcome["files"]] == [(0, 0)]


def test_a_changed_record_is_updated(own: Program) -> None:
    changed = [RECORDS[0] | {"title": "Zorvimab, corrected"}, *RECORDS[1:]]
    outcome = own("corpus", "add", write_jsonl(own.folder / "own.jsonl", changed))
    assert outcome.out.splitlines()[-1].startswith("0 added, 1 updated")
    assert "Zorvimab, corrected" in own("corpus", "search", "corrected").out


def test_a_record_without_its_text_takes_none_away_in_either_order(program: Program) -> None:
    full = write_jsonl(program.folder / "a.jsonl", RECORDS[:1])
    bare = write_jsonl(program.folder / "b.jsonl", [{**RECORDS[0], "text": ""}])
    found = []
    for order in ((full, bare), (bare, full)):
        for file in order:
            program("corpus", "add", file)
        found.append(program("corpus", "search", "zorvimab", "--json").out)
        program("corpus", "remove", *order)
    assert found[0] == found[1]
    assert RECORDS[0]["text"] in found[0]


def test_ignored_columns_are_reported_in_the_line_of_their_file(program: Program) -> None:
    file = write_csv(program.folder / "own.csv", [RECORDS[0] | {"mood": "good", "abstract": "none"}])
    outcome = program("corpus", "add", file)
    assert (outcome.code, outcome.err) == (0, "")
    assert (
        outcome.out.splitlines()[0]
        == f"{file}: CSV, 1 added, 0 updated, 0 unchanged, 0 not read; ignored columns: abstract, mood"
    )
    assert program("corpus", "add", file, "--json").json()["files"][0]["note"] == "ignored columns: abstract, mood"


def test_rows_without_a_value_are_named_in_the_line_of_their_file_and_no_error(program: Program) -> None:
    file = write_csv(program.folder / "own.csv", RECORDS[:1])
    lines = file.read_text(encoding="utf-8").splitlines()
    empty = "," * lines[0].count(",")
    file.write_text("\n".join([*lines, empty, "", empty]), encoding="utf-8")
    outcome = program("corpus", "add", file)
    assert (outcome.code, outcome.err) == (0, "")
    said = f"{file}: CSV, 1 added, 0 updated, 0 unchanged, 0 not read; 2 without a value: line 3, line 5"
    assert outcome.out.splitlines()[0] == said


def test_what_is_no_regular_file_is_reported_once(program: Program) -> None:
    outcome = program("corpus", "add", "/dev/zero")
    assert (outcome.code, outcome.out) == (3, "0 added, 0 updated, 0 unchanged, 1 not read.\n")
    assert "/dev/zero: not a regular file" in outcome.err


def test_a_folder_is_added_with_all_its_files(program: Program) -> None:
    folder = program.folder / "downloads"
    (folder / "deeper").mkdir(parents=True)
    write_jsonl(folder / "a.jsonl", RECORDS[:10])
    write_csv(folder / "deeper/b.csv", RECORDS[10:])
    assert program("corpus", "add", folder).out.splitlines()[-1].startswith("24 added")


def test_ten_files_are_listed_and_the_others_with_verbose(program: Program) -> None:
    folder = program.folder / "many"
    folder.mkdir()
    for n, record in enumerate(RECORDS[:12]):
        write_jsonl(folder / f"f{n:02}.jsonl", [record])
    write_csv(folder / "z.csv", [RECORDS[12] | {"mood": "good"}])
    first, second = program("corpus", "add", folder), program("corpus", "add", folder, "-v")
    assert len(first.out.splitlines()) == 13
    assert first.out.splitlines()[9].endswith(
        "z.csv: CSV, 1 added, 0 updated, 0 unchanged, 0 not read; ignored columns: mood"
    )
    assert first.out.splitlines()[10:] == [
        "… and 3 more files (-v lists them)",
        "From now on jobs search these records, and no longer the bundled sample.",
        "13 added, 0 updated, 0 unchanged, 0 not read.",
    ]  # fmt: skip
    assert len(second.out.splitlines()) == 14
    assert second.out.splitlines()[-1] == "0 added, 0 updated, 13 unchanged, 0 not read."


def test_of_many_files_those_with_rows_that_were_not_read_are_listed(program: Program) -> None:
    folder = program.folder / "many"
    folder.mkdir()
    for n, record in enumerate(RECORDS[:12]):
        write_jsonl(folder / f"f{n:02}.jsonl", [record])
    write_csv(folder / "z.csv", [RECORDS[12] | {"url": ""}, RECORDS[13]])
    assert any("z.csv: CSV, 1 added" in line for line in program("corpus", "add", folder).out.splitlines())


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(program: Program) -> None:
    bad = program.folder / "noise.xml"
    bad.write_bytes(bytes(range(128, 256)) * 20)
    outcome = program("corpus", "add", bad, write_jsonl(program.folder / "own.jsonl", RECORDS))
    assert outcome.code == 3
    assert f"Not read: {bad}" in outcome.err
    assert outcome.out.splitlines()[-1] == "24 added, 0 updated, 0 unchanged, 1 not read."


def test_a_broken_line_is_named_by_its_place(program: Program) -> None:
    file = write_jsonl(program.folder / "own.jsonl", RECORDS[:3])
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"database": "web", "external_id": "1"\n')
    outcome = program("corpus", "add", file, "--json")
    assert outcome.code == 3
    (error,) = outcome.json()["errors"]
    assert error["path"] == str(file) and "4" in error["position"] and error["reason"]


def test_a_file_that_is_not_there_is_an_error_in_the_json_too(program: Program) -> None:
    outcome = program("corpus", "add", "nosuch.csv", "--json")
    (error,) = outcome.json()["errors"]
    assert outcome.code == 3 and "no such file" in error["reason"]


def test_a_file_that_is_not_there_is_named_beside_one_that_is_read(program: Program) -> None:
    outcome = program("corpus", "add", "nosuch.csv", write_jsonl(program.folder / "own.jsonl", RECORDS))
    assert outcome.code == 3 and "nosuch.csv: cannot be read: no such file" in outcome.err
    assert outcome.out.splitlines()[-1] == "24 added, 0 updated, 0 unchanged, 1 not read."


def test_the_list_has_databases_and_files(own: Program) -> None:
    listed = own("corpus", "list", "--json").json()
    assert listed["databases"] == {"pubmed": 12, "web": 12}
    assert listed["files"] == [{"path": str(own.folder / "own.jsonl"), "records": 24}]
    assert "PubMed: 12 records" in own("corpus", "list").out


def test_an_empty_corpus_says_how_to_fill_it(program: Program) -> None:
    assert "storm corpus add" in program("corpus", "list").out
    outcome = program("corpus", "search", "zorvimab", "--databases", "pubmed")
    assert (outcome.code, outcome.out) == (
        4, "Your corpus is empty, and the bundled sample is not searched here: storm corpus add PATHS\n",
    )  # fmt: skip


@pytest.mark.parametrize("words", [["no-such-word-xyzzy"], ["x*"], ["title:zorvimab"], ['"x']])
def test_a_search_takes_words_as_they_are_and_says_when_nothing_matches(own: Program, words: list[str]) -> None:
    outcome = own("corpus", "search", *words)
    assert (outcome.code, outcome.out) == (4, "Nothing in your corpus matches.\n")


@pytest.mark.parametrize("text", ["zorvimab OR *", "zorvimab for psoriasis", "Does zorvimab reduce psoriasis"])
def test_a_phrase_that_no_record_holds_is_searched_by_its_words_and_it_is_said(own: Program, text: str) -> None:
    outcome = own("corpus", "search", text)
    assert outcome.code == 0 and outcome.out.startswith(f"No record contains {text!r} as written. With a")
    found = own("corpus", "search", text, "--json").json()
    assert found["matching"] in ("all words", "any word") and found["terms"][0] == "zorvimab" and found["total"] > 0


def test_a_phrase_that_a_record_holds_is_searched_as_it_is_written(own: Program) -> None:
    found = own("corpus", "search", "zorvimab", "--json").json()
    assert (found["matching"], found["terms"]) == ("phrase", ["zorvimab"])


def test_a_question_is_searched_by_its_words(own: Program) -> None:
    outcome = own("corpus", "search", "does zorvimab improve survival in psoriasis?", "--json")
    assert outcome.code == 0 and outcome.json()["total"] > 0
    assert own("corpus", "search", "does xyzzy qwfpgj in the?").code == 4


def test_a_search_can_be_narrowed_by_database_and_date(own: Program) -> None:
    found = own("corpus", "search", "zorvimab", "--databases", "pubmed", "--since", "2020", "--until", "2022", "--json")
    assert {(hit["database"], hit["year"]) for hit in found.json()["hits"]} == {("pubmed", 2020), ("pubmed", 2022)}


@pytest.mark.parametrize("named", ["nosuch", "pubmed,nosuch"])
def test_a_database_that_the_corpus_has_not_is_a_usage_error_that_names_those_it_has(own: Program, named: str) -> None:
    outcome = own("corpus", "search", "zorvimab", "--databases", named)
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert "has no records of nosuch; it has those of pubmed, web" in outcome.err


def test_a_database_that_is_nearly_one_of_the_corpus_is_answered_with_that_one(own: Program) -> None:
    outcome = own("corpus", "search", "zorvimab", "--databases", "pubmd")
    assert outcome.code == 2 and outcome.is_one_clear_error() and "did you mean pubmed?" in outcome.err


def test_a_date_that_is_none_is_a_usage_error(own: Program) -> None:
    outcome = own("corpus", "search", "zorvimab", "--since", "yesterday")
    assert outcome.code == 2 and outcome.is_one_clear_error() and "yesterday" in outcome.err


def test_a_file_is_removed_with_its_records(own: Program) -> None:
    outcome = own("corpus", "remove", "own.jsonl")
    assert (outcome.code, outcome.out) == (0, "24 records removed.\n")
    assert own("corpus", "search", "zorvimab").code == 4


def test_what_another_file_gave_too_stays(own: Program) -> None:
    own("corpus", "add", write_jsonl(own.folder / "some.jsonl", RECORDS[:5]))
    assert own("corpus", "remove", "own.jsonl").out == "19 records removed.\n"
    assert own("corpus", "list", "--json").json()["files"] == [{"path": str(own.folder / "some.jsonl"), "records": 5}]


def test_removing_what_was_never_added_is_one_clear_line(own: Program) -> None:
    outcome = own("corpus", "remove", "other.jsonl")
    assert outcome.code != 0 and outcome.is_one_clear_error()
    assert "other.jsonl was not added to the corpus" in outcome.err


def test_nothing_is_removed_where_one_of_the_files_was_never_added(own: Program) -> None:
    outcome = own("corpus", "remove", "own.jsonl", "other.jsonl")
    assert outcome.code == 1 and outcome.is_one_clear_error()
    assert own("corpus", "list", "--json").json()["databases"] == {"pubmed": 12, "web": 12}


@pytest.mark.parametrize("name", ["", " ", '"*('])
def test_a_search_for_no_letter_and_no_digit_is_a_usage_error(own: Program, name: str) -> None:
    outcome = own("corpus", "search", name)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert outcome.err.startswith("Error: the name has no letter or digit\n")


# The dossier of one's own records.


@pytest.mark.slow
def test_own_records_make_a_dossier(own: Program) -> None:
    outcome, report = run(own, "reports")
    assert outcome.code in (0, 3)
    assert sum(len(answer["statements"]) for answer in report["answers"]) >= 6


@pytest.mark.slow
def test_each_quote_stands_word_for_word_in_the_own_records(own: Program) -> None:
    report = run(own, "reports")[1]
    texts = {record["external_id"]: record["text"] for record in RECORDS}
    external = {reference["source_id"]: reference["external_id"] for reference in report["references"]}
    for answer in report["answers"]:
        for statement in answer["statements"]:
            assert statement["quote"] in texts[external[statement["source_ids"][0]]]


@pytest.mark.slow
def test_each_reference_is_one_of_the_own_records(own: Program) -> None:
    known = {(record["database"], record["external_id"], record["url"], record["title"]) for record in RECORDS}
    for reference in run(own, "reports")[1]["references"]:
        assert tuple(reference[f] for f in ("source_type", "external_id", "url", "title")) in known


@pytest.mark.slow
def test_the_marks_of_a_quoted_paper_are_not_taken_for_ours(program: Program) -> None:
    said = "Zorvimab lowered mortality by 31% in the ZOR-1 trial [12], with P = 0.01."
    program("corpus", "add", write_jsonl(program.folder / "own.jsonl", [RECORDS[1] | {"text": said}]))
    report = run(program, "reports")[1]
    statements = [statement for answer in report["answers"] for statement in answer["statements"]]
    assert {statement["quote"] for statement in statements} == {said}
    assert not any("12" in statement["text"] for statement in statements)
    assert "12]" not in (program.folder / "reports/dossier.md").read_text(encoding="utf-8")


def test_with_own_records_the_sample_is_not_searched(own: Program) -> None:
    outcome = own("run", "trastuzumab", "--offline", "--out", "reports")
    assert outcome.code == 4
    assert "sample" not in outcome.text


@pytest.mark.slow
def test_adding_twice_changes_nothing(own: Program) -> None:
    run(own, "once")
    once = dossiers(own.folder / "once", newest_job(own))
    own("corpus", "add", "own.jsonl")
    own("corpus", "add", write_csv(own.folder / "own.csv", RECORDS))
    run(own, "twice")
    assert dossiers(own.folder / "twice", newest_job(own)) == once


@pytest.mark.slow
def test_the_order_of_adding_changes_nothing(own: Program, tmp_path: Path) -> None:
    run(own, "one")
    other = Program(tmp_path / "other", tmp_path)
    for n in (2, 0, 1):
        other("corpus", "add", write_jsonl(tmp_path / f"{n}.jsonl", RECORDS[::-1][n::3]))
    run(other, "two")
    assert dossiers(tmp_path / "two", newest_job(other)) == dossiers(tmp_path / "one", newest_job(own))


# A syllabus of one's own.


MINIMAL = """\
name: mine
questions:
  - key: receptor
    label: Receptor
    description: Which receptor zorvimab binds
    min_sources: 2
  - key: harm
    label: Harm
    description: Adverse events of zorvimab
    min_sources: 2
"""


def test_a_syllabus_of_four_fields_a_question_is_enough(own: Program) -> None:
    (own.folder / "mine.yaml").write_text(f"{MINIMAL}min_databases: 1\n", encoding="utf-8")
    outcome, report = run(own, "reports", "--syllabus", "mine.yaml")
    assert outcome.code == 0
    assert [answer["question"] for answer in report["answers"]] == ["receptor", "harm"]
    quotes = {answer["question"]: answer["statements"][0]["quote"] for answer in report["answers"]}
    assert "binds the QX7 receptor" in quotes["receptor"]
    assert "adverse events" in quotes["harm"]


@pytest.mark.parametrize(
    ("wrong", "line", "key"),
    [
        (MINIMAL.replace("min_sources: 2", "min_sources: none", 1), 6, "min_sources"),
        (MINIMAL.replace("    label: Harm\n", ""), 7, "label"),
        (MINIMAL.replace("    label: Harm", "    lable: Harm"), 8, "lable"),
        (MINIMAL.replace("key: harm", "key: receptor"), 7, "key"),
        (MINIMAL.replace("name: mine\n", ""), 1, "name"),
        (MINIMAL + "    rules:\n      - {pattern: '('}\n", 12, "pattern"),
    ],
)
def test_a_broken_syllabus_is_reported_with_file_line_and_key(own: Program, wrong: str, line: int, key: str) -> None:
    (own.folder / "mine.yaml").write_text(wrong, encoding="utf-8")
    outcome = own("run", "zorvimab", "--offline", "--syllabus", "mine.yaml")
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert f"mine.yaml, line {line}, " in outcome.err and key in outcome.err
    assert own.jobs() == []


def test_a_wrong_key_of_a_question_is_answered_with_what_it_may_have(own: Program) -> None:
    (own.folder / "mine.yaml").write_text(MINIMAL.replace("key: harm", "key: Harm!"), encoding="utf-8")
    outcome = own("run", "zorvimab", "--offline", "--syllabus", "mine.yaml")
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert "'Harm!': a key has 1 to 40 of a-z, 0-9, _ and . and begins with a letter" in outcome.err


@pytest.mark.parametrize("text", ["", "questions: [", "\x00", "- a\n- b\n"])
def test_a_file_that_is_no_syllabus_is_a_usage_error(own: Program, text: str) -> None:
    (own.folder / "mine.yaml").write_text(text, encoding="utf-8")
    outcome = own("run", "zorvimab", "--offline", "--syllabus", "mine.yaml")
    assert outcome.code == 2 and outcome.is_one_clear_error() and "mine.yaml" in outcome.err


def test_a_syllabus_that_is_not_there_is_a_usage_error(own: Program) -> None:
    outcome = own("run", "zorvimab", "--offline", "--syllabus", "nosuch.yaml")
    assert outcome.code == 2 and outcome.is_one_clear_error() and "nosuch.yaml" in outcome.err


REFERENCE = f"TY  - JOUR\nTI  - Zorvimab in small doses\nPY  - 2020\nAB  - {SENTENCES[2].format(n=30)}.\nER  - \n"


def test_a_source_without_an_address_shows_no_hash_and_no_gap(program: Program) -> None:
    (program.folder / "own.ris").write_text(REFERENCE, encoding="utf-8")
    assert program("corpus", "add", "own.ris").code == 0
    listed = program("corpus", "search", "zorvimab").out
    assert "" not in [line.strip() for line in listed.splitlines()]
    run(program, "reports")
    references = (program.folder / "reports/dossier.md").read_text(encoding="utf-8").partition("## References")[2]
    assert "Zorvimab in small doses" in references
    assert "sha256" not in references and "  " not in references


@pytest.mark.parametrize("name", ["empty", "header.csv"])
def test_what_has_no_records_is_reported_as_that(program: Program, name: str) -> None:
    (program.folder / "empty").mkdir()
    (program.folder / "header.csv").write_text("database,external_id,url,title\n", encoding="utf-8")
    outcome = program("corpus", "add", name)
    assert outcome.code == 4 and "No records were found there" in outcome.err


def test_a_retracted_work_is_named_and_not_used(program: Program) -> None:
    rows = (
        "database,external_id,url,title,text,publication_type\n"
        "pubmed,90000001,https://example.org/1,Zorvimab in itch,Zorvimab reduced itch by 4.1 points (P<0.001).,"
        "Randomized Controlled Trial; Retracted Publication\n"
        "pubmed,90000002,https://example.org/2,Zorvimab and sleep,Sleep improved with zorvimab.,Journal Article\n"
    )
    (program.folder / "own.csv").write_text(rows, encoding="utf-8")
    assert program("corpus", "add", "own.csv").code == 0
    outcome = program("run", "zorvimab", "--offline", "--out", "out")
    assert "Note: Found and not used, since retracted: PMID 90000001." in outcome.out
    page = (program.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert "> Found and not used, since retracted: PMID 90000001." in page
    assert "4.1 points" not in page
