"""The flow for the R package PRISMA2020: its columns, and numbers that add up."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from dossiers import WHOLE, dossier

from storm.errors import StormError
from storm.export import FORMATS, write_report
from storm.export.flow import flow_to_csv, flow_to_svg
from storm.models import SearchStatus
from storm.models.dossier import DatabaseUse

#: The rows of the package's own table, `inst/extdata/PRISMA.csv` (696d35e): data, node and box, "" for NA.
ROWS = """
    -                          node4  prevstud
    previous_studies           node5  box1
    previous_reports           -      box1
    -                          node6  newstud
    database_results           node7  box2
    database_specific_results  -      box2
    register_results           -      box2
    register_specific_results  -      box2
    -                          node16 othstud
    website_results            node17 box11
    organisation_results       -      box11
    citations_results          -      box11
    duplicates                 node8  box3
    excluded_automatic         -      box3
    excluded_other             -      box3
    records_screened           node9  box4
    records_excluded           node10 box5
    dbr_sought_reports         node11 box6
    dbr_notretrieved_reports   node12 box7
    other_sought_reports       node18 box12
    other_notretrieved_reports node19 box13
    dbr_assessed               node13 box8
    dbr_excluded               node14 box9
    other_assessed             node20 box14
    other_excluded             node21 box15
    new_studies                node15 box10
    new_reports                -      box10
    total_studies              node22 box16
    total_reports              -      box16
    identification             node1  identification
    screening                  node2  screening
    included                   node3  included
"""
#: The rows whose number is a list of names with their numbers.
LISTS = {"database_specific_results", "register_specific_results", "dbr_excluded", "other_excluded"}


def rows_of(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode())))


def test_the_table_is_column_by_column_that_of_the_package() -> None:
    rows = rows_of(flow_to_csv(dossier(flow=WHOLE)))
    expected = [line.replace("-", "NA").split() for line in ROWS.strip().splitlines()]
    assert list(rows[0]) == ["data", "node", "box", "description", "boxtext", "tooltips", "url", "n"]
    assert [[row["data"], row["node"], row["box"]] for row in rows] == expected
    for row in rows:
        assert row["description"] and row["boxtext"]
        # A box has its tooltip and its link in its first row, which has its node.
        assert (row["tooltips"] == "NA", row["url"] == "NA") == (row["node"] == "NA",) * 2
        assert re.fullmatch(r"(?:[^,;]+, \d+(?:; )?)+" if row["data"] in LISTS else r"\d+", row["n"])


def test_its_numbers_are_those_of_the_flow_and_reasons_are_listed_as_the_package_splits_them() -> None:
    numbers = {row["data"]: row["n"] for row in rows_of(flow_to_csv(dossier(flow=WHOLE)))}
    assert (numbers["database_results"], numbers["register_results"]) == ("1500", "1")
    assert numbers["database_specific_results"] == "PubMed, 1500"
    assert (numbers["website_results"], numbers["organisation_results"]) == ("1", "1")
    assert numbers["dbr_excluded"] == "not cited, 35"
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
