"""The search log as tables: each search as it was run, and nothing in it is executed."""

from __future__ import annotations

import csv
import io
import json

import pytest
from bibliographies import HOSTILE
from dossiers import NOW, dossier

from storm.export.csv_text import to_csv
from storm.export.search_log import log_to_csv, log_to_json, not_kept_to_csv
from storm.models import Exclusion, SearchStatus
from storm.models.dossier import SearchLine
from storm.models.flow import RecordFlow


def rows_of(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode())))


def line(**fields: object) -> SearchLine:
    values = {
        "database": "pubmed", "scope": "PubMed by E-utilities", "question": "harm.x", "query": "q", "at": NOW,
        "status": SearchStatus.FOUND, "total": 900, "hits": 20, "kept": 3,
    }  # fmt: skip
    return SearchLine.model_validate(values | fields)


def test_each_strategy_stands_in_the_log_exactly_as_it_was_run() -> None:
    ran = line(
        query='"a"  OR b', translated="a[All]", address="https://example.org/?q=a", answered=NOW, incomplete=True
    )
    failed = line(status=SearchStatus.FAILED, reason="timed out", total=0, hits=0, kept=0)
    report = dossier(search_log=(ran, failed))
    first, second = rows_of(log_to_csv(report))
    assert (first["query"], first["translated"], first["address"]) == (ran.query, "a[All]", ran.address)
    assert (first["name"], first["total"], first["hits"], first["kept"]) == ("PubMed", "900", "20", "3")
    assert (first["at"], first["answered"], first["incomplete"]) == (
        "2026-11-21T09:30:00Z",
        "2026-11-21T09:30:00Z",
        "yes",
    )
    assert (second["status"], second["reason"], second["answered"]) == ("failed", "timed out", "")
    written = json.loads(log_to_json(report))
    assert [row["query"] for row in written] == ['"a"  OR b', "q"]
    assert list(written[0]) == list(first)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_text_that_a_spreadsheet_would_execute_is_guarded_and_each_search_is_one_row(hostile: str) -> None:
    report = dossier(search_log=(line(query=hostile, reason=hostile, database=hostile),))
    (row,) = rows_of(log_to_csv(report))
    for name in ("query", "reason", "database", "name"):
        assert not row[name].lstrip().startswith(("=", "+", "-", "@"))
    assert log_to_csv(report).count(b"\n") == 2
    assert len(json.loads(log_to_json(report))) == 1


def test_look_ups_are_marked_so_that_the_records_of_the_others_add_up_to_the_flow() -> None:
    report = dossier(search_log=(line(), line(question="names"), line(question="sources", database="unpaywall")))
    assert [row["look_up"] for row in rows_of(log_to_csv(report))] == ["no", "yes", "yes"]
    assert [row["look_up"] for row in json.loads(log_to_json(report))] == [False, True, True]


def test_each_record_that_was_not_kept_has_its_reason_and_its_address() -> None:
    kept = {
        "pmid:1": Exclusion.RETRACTED, "doi:10.1000/x": Exclusion.NO_QUESTION,
        "registry:NCT00000001": Exclusion.NO_TEXT,
        "url:example.org/a": Exclusion.MENTIONED, "chembl:CHEMBL1": Exclusion.NOT_CITED,
    }  # fmt: skip
    titles = {"chembl:CHEMBL1": "=ZORVIMAB", "unii:P188": "=ZORVIMAB"}
    duplicates = {"unii:P188": "chembl:CHEMBL1", "pmcid:PMC7": "pmid:7"}
    flow = RecordFlow.model_construct(not_kept=kept, not_kept_titles=titles, duplicates=duplicates)
    found = {row["record"]: row for row in rows_of(not_kept_to_csv(dossier().model_copy(update={"flow": flow})))}
    assert (found["pmid:1"]["reason"], found["pmid:1"]["explanation"]) == ("retracted", "retracted")
    assert {record: row["address"] for record, row in found.items()} == {
        "pmid:1": "https://pubmed.ncbi.nlm.nih.gov/1/",
        "doi:10.1000/x": "https://doi.org/10.1000/x",
        "registry:NCT00000001": "https://clinicaltrials.gov/study/NCT00000001",
        "url:example.org/a": "https://example.org/a",
        "chembl:CHEMBL1": "",
        "unii:P188": "",
        "pmcid:PMC7": "https://pmc.ncbi.nlm.nih.gov/articles/PMC7/",
    }
    assert {record: row["title"] for record, row in found.items() if row["title"]} == {
        "chembl:CHEMBL1": "'=ZORVIMAB", "unii:P188": "'=ZORVIMAB",
    }  # fmt: skip
    same = found["pmcid:PMC7"]
    assert (same["reason"], same["explanation"]) == ("duplicate", "the same work as pmid:7")


def test_numbers_are_no_formulas() -> None:
    assert to_csv([("-5", -5, "%", "-5x")]) == b"-5,-5,%,'-5x\r\n"
