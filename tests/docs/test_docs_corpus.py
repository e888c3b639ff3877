"""docs/corpus.md: its example is added and found, and its tables say what the code does."""

from __future__ import annotations

import gzip
import os
import re
import shlex

import pytest
from pages import CORPUS, code_blocks, examples
from storm_program import Program

from storm.cli import corpus as commands
from storm.databases.corpus import database as corpus
from storm.databases.corpus.writer import BATCH_BYTES, BATCH_RECORDS
from storm.databases.formats import csv_rows, json_records, orangebook, recognition, records, tagged_text
from storm.databases.formats.table import OPTIONAL, REQUIRED
from storm.models import Approval
from storm.models.database import DATABASE_ORDER

PAGE = CORPUS.read_text(encoding="utf-8")
HEADER = b"database,external_id,url,title\n"
ROW = b"web,1,https://example.org/1,One\n"
RECORD = b'{"database": "web", "external_id": "1", "url": "https://example.org/1", "title": "One"}\n'
BOMB = gzip.compress(RECORD + (b" " * 2**20 + b"\n") * 70)
ENTITIES = b'<!DOCTYPE PubmedArticleSet [<!ENTITY a "b">]><PubmedArticleSet/>'

#: A file each of what the page says is refused; None is a pipe.
REFUSED = {
    "not a format that storm reads": b"Dear reader,\n",
    "JSON that is cut off, holds no record, or is of no service whose answers storm reads": b'{"a": 1, ',
    "an HTML page, not a data file": b"<!DOCTYPE html><html></html>",
    "a service's rate-limit error, no records": b'{"error": "API rate limit exceeded"}',
    "not a regular file": None,
    "a zip archive: unpack it first": b"PK\x03\x04\x14",
    "a PDF, which is not read: add the article's XML, or its record": b"%PDF-1.7\n",
    "binary data, or text that is not UTF-8": HEADER.decode().encode("utf-16"),
    "the document declares entities of its own, which are never expanded": ENTITIES,
    "a gzip file that unpacks to more than 200 times its size": BOMB,
    "the gzip file is cut off": gzip.compress(HEADER + ROW)[:-9],
    "a quote that opens in this line is not closed where its field ends (unexpected end of data)": (
        HEADER + ROW.replace(b"One", b'"One') + ROW
    ),
    "the header has no column url": HEADER.replace(b"url", b"link") + ROW,
    "old API shape (version 1, retired)": b'{"FullStudiesResponse": {}}',
    "an error answer from openFDA: NOT_FOUND No matches found!": (
        b'{"error": {"code": "NOT_FOUND", "message": "No matches found!"}}'
    ),
}  # fmt: skip


def section(title: str) -> str:
    """What stands under a heading of the page."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def documented_first(title: str) -> list[str]:
    """The names in the first column of a section's table."""
    cells = re.findall(r"^\| (.*?) \|", section(title), re.M)[2:]
    return [name for cell in cells for name in (re.findall("`(.*?)`", cell) or [cell])]


def test_the_example_is_added_found_listed_and_removed_as_the_page_says(program: Program) -> None:
    (table,) = code_blocks(CORPUS, "csv")
    (program.folder / "notes.csv").write_text(table, encoding="utf-8")
    for command, answer in examples(CORPUS):
        result = program(*shlex.split(command)[1:])
        assert (result.code, result.out.replace(str(program.folder), "…"), result.err) == (0, answer, "")


def test_each_record_of_the_example_is_found_by_its_drug(program: Program) -> None:
    (program.folder / "notes.csv").write_text(code_blocks(CORPUS, "csv")[0], encoding="utf-8")
    program("corpus", "add", "notes.csv")
    for drug, external_id in {"zorvimab": "lab-17", "trastuzumab": "11248153"}.items():
        (hit,) = program("corpus", "search", drug, "--json").json()["hits"]
        assert hit["external_id"] == external_id


def test_every_column_of_the_code_is_reported_and_no_other() -> None:
    columns = documented_first("Columns of CSV and JSON lines")
    assert sorted(columns) == sorted((*REQUIRED, *OPTIONAL))


def test_the_needed_columns_are_reported_as_needed() -> None:
    rows = section("Columns of CSV and JSON lines")
    assert tuple(re.findall(r"^\| `(\w+)` \| needed", rows, re.M)) == REQUIRED


def test_the_parts_of_an_approval_are_reported_in_order() -> None:
    assert r"\|".join(Approval.model_fields) in section("Columns of CSV and JSON lines")


def test_the_databases_that_have_a_name_for_readers_are_reported() -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| `database` |"))
    known = set(DATABASE_ORDER) - {"ris", "crossref"}
    assert set(re.findall(r"`(\w+)`", row)) - {"database"} == known


def test_a_dropped_column_is_reported_as_dropped(program: Program) -> None:
    own = program.folder / "own.csv"
    own.write_bytes(HEADER.replace(b"\n", b",chembl\n") + ROW.replace(b"\n", b",CHEMBL1201585\n"))
    program("corpus", "add", own)
    kept = "CHEMBL1201585" in program("corpus", "search", "One", "--json").out
    assert kept is ("| `chembl` | taken, but not kept" not in PAGE)


def test_every_format_is_in_the_table() -> None:
    assert re.findall(r"^\| (.*?) \|", section("What is read"), re.M)[2:] == [str(name) for name in recognition.Format]


def test_the_limits_are_those_of_the_code() -> None:
    limits = section("Limits")
    for number in (
        f"at most {recognition.MAX_RATIO} times", f"the first {recognition.FREE_BYTES // 2**20} MB",
        f"{records.MAX_RECORD_BYTES:,} bytes; one text", f"{tagged_text.MAX_RECORD_BYTES:,} bytes |",
        f"{json_records.MAX_RECORD:,} bytes", f"{json_records.MAX_DEPTH} levels", f"{csv_rows.MAX_LINE:,} bytes",
        f"{orangebook.MAX_FILE:,} bytes, a line {orangebook.MAX_LINE:,}",
        f"{corpus.MAX_ERRORS_A_FILE} of a file; {commands._MAX_ERRORS} in all",
    ):  # fmt: skip
        assert number in limits


def test_what_a_crash_may_lose_is_reported() -> None:
    text = " ".join(section("Update and remove").split())
    assert f"the last {BATCH_RECORDS:,} records or {BATCH_BYTES // 10**6} MB" in text


def test_each_refusal_of_the_page_is_tried() -> None:
    assert documented_first("What is refused, and why") == list(REFUSED)


@pytest.mark.parametrize("reason", REFUSED)
def test_a_file_is_refused_in_the_words_of_the_page(program: Program, reason: str) -> None:
    content = REFUSED[reason]
    if content is None:
        os.mkfifo(program.folder / "file")
    else:
        (program.folder / "file").write_bytes(content)
    result = program("corpus", "add", "file", "--json")
    assert result.code == 3
    assert [error["reason"] for error in result.json()["errors"]] == [reason]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["search", "zorvimab"], 0),
        (["search", "ZRV 12"], 0),
        (["search", "zorvimab receptor"], 0),
        (["search", "nosuchword"], 4),
        (["search", "zorvimab", "receptor"], 0),
        (["search", "zorvi"], 4),
        (["search", "AND"], 4),
        (["search", "zorvimab", "--since", "2024-03-15"], 0),
        (["search", "zorvimab", "--until", "2023"], 4),
        (["search", "zorvimab", "--since", "soon"], 2),
        (["search", "zorvimab", "--databases", "pubmed"], 4),
        (["search", "undated", "--since", "1900"], 4),
        (["search", "undated"], 0),
        (["remove", "other.csv"], 1),
        (["remove", "notes.csv", "other.csv"], 1),
        (["add", "coloured.csv"], 0),
        (["add", "other.csv"], 3),
        (["add", "other.csv", "notes.csv"], 3),
    ],
)
def test_searching_and_the_exit_codes_are_as_reported(program: Program, arguments: list[str], code: int) -> None:
    (program.folder / "notes.csv").write_text(code_blocks(CORPUS, "csv")[0], encoding="utf-8")
    (program.folder / "undated.csv").write_bytes(HEADER + ROW.replace(b"One", b"Undated"))
    coloured = HEADER.replace(b"\n", b",colour\n") + ROW.replace(b"\n", b",red\n")
    (program.folder / "coloured.csv").write_bytes(coloured)
    assert program("corpus", "add", "notes.csv", "undated.csv").code == 0
    assert program("corpus", *arguments).code == code


def test_a_record_that_has_gone_from_a_file_stays_until_the_file_is_removed(program: Program) -> None:
    own = program.folder / "own.csv"
    own.write_bytes(HEADER + ROW + ROW.replace(b"1", b"2"))
    program("corpus", "add", own)
    own.write_bytes(HEADER + ROW.replace(b"One", b"First"))
    assert program("corpus", "add", own).out.splitlines()[-1] == "0 added, 1 updated, 0 unchanged, 0 not read."
    assert program("corpus", "list", "--json").json()["databases"] == {"web": 2}
    own.unlink()
    assert program("corpus", "remove", own).out == "2 records removed.\n"
