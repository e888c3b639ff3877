"""The flow for the R package PRISMA2020: its columns, and numbers that add up."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from dossiers import WHOLE, dossier

from storm.errors import StormError
from storm.export import FORMATS, write_report
from storm.export.flow import flow_to_csv, flow_to_svg
from storm.models import SearchStatus
from storm.models.dossier import DatabaseUse

#: The data that PRISMA_data() of the package looks for, each once.
DATA = [
    "previous_studies", "previous_reports", "database_results", "database_specific_results", "register_results",
    "register_specific_results", "website_results", "organisation_results", "citations_results", "duplicates",
    "excluded_automatic", "excluded_other", "records_screened", "records_excluded", "dbr_sought_reports",
    "dbr_notretrieved_reports", "other_sought_reports", "other_notretrieved_reports", "dbr_assessed", "dbr_excluded",
    "other_assessed", "other_excluded", "new_studies", "new_reports", "total_studies", "total_reports",
    "identification", "screening", "included",
]  # fmt: skip


def rows_of(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode())))


def test_the_table_has_the_columns_and_data_that_the_package_reads() -> None:
    rows = rows_of(flow_to_csv(dossier(flow=WHOLE)))
    assert list(rows[0]) == ["data", "node", "box", "description", "boxtext", "tooltips", "url", "n"]
    assert [row["data"] for row in rows if row["data"] != "NA"] == DATA
    assert {row["box"] for row in rows if row["data"] == "NA"} == {"prevstud", "newstud", "othstud"}
    assert sorted(row["node"] for row in rows if row["node"] != "NA") == sorted(f"node{n}" for n in range(1, 23))


def test_its_numbers_are_those_of_the_flow_and_reasons_are_listed_as_the_package_splits_them() -> None:
    numbers = {row["data"]: row["n"] for row in rows_of(flow_to_csv(dossier(flow=WHOLE)))}
    assert (numbers["database_results"], numbers["register_results"]) == ("1500", "1")
    assert numbers["database_specific_results"] == "PubMed, 1500"
    assert (numbers["website_results"], numbers["organisation_results"]) == ("1", "1")
    assert numbers["dbr_excluded"] == "not cited in the dossier, 35"
    assert (numbers["new_studies"], numbers["new_reports"]) == ("50", "63")
    identified = int(numbers["database_results"]) + int(numbers["register_results"])
    removed = int(numbers["duplicates"]) + int(numbers["excluded_automatic"]) + int(numbers["excluded_other"])
    assert identified == removed + int(numbers["records_screened"])
    assert int(numbers["records_screened"]) == int(numbers["records_excluded"]) + int(numbers["dbr_sought_reports"])


def test_what_could_not_be_searched_stands_below_the_picture() -> None:
    failed = DatabaseUse(name="openfda", scope="x", searched=1, status=SearchStatus.FAILED, reason="timed out")
    assert b"openFDA (timed out)" in flow_to_svg(dossier(flow=WHOLE, databases=(failed,)))


def test_a_dossier_from_before_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StormError, match="does not say what became of the records") as refused:
        write_report(dossier(flow=None), tmp_path, ["flow"])
    assert refused.value.hint == "leave the format flow out; dossiers of new jobs have it"


@pytest.mark.parametrize("name", ["log", "flow"])
def test_a_report_of_another_kind_is_refused(name: str) -> None:
    class Shortlist:
        file_name, job_id, exit_code, can_go_on = "shortlist", "t1", 0, False

    with pytest.raises(StormError, match="the shortlist "):
        FORMATS[name].render(Shortlist())  # type: ignore[arg-type]
