"""What is known of a database that is in no list."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storm.models import DatabaseInfo, Hit, Holds, database_info, database_label, merge_hits
from storm.models import database as databases


@pytest.fixture
def described() -> Iterator[None]:
    """A client describes the database `papers`."""
    before = databases._find_more
    databases.find_more_databases(lambda: [DatabaseInfo("papers", "Papers of the World")])
    yield
    databases.find_more_databases(before)


@pytest.mark.usefixtures("described")
def test_a_client_describes_a_database_that_is_not_listed() -> None:
    assert database_label("papers") == "Papers of the World"
    assert database_info("papers").is_literature


@pytest.mark.usefixtures("described")
def test_one_that_nobody_describes_is_written_as_it_is_and_is_no_literature() -> None:
    assert database_label("others") == "others"
    assert database_info("others").holds is Holds.PAGES


def test_a_listed_database_describes_a_work_before_one_that_is_not_and_that_before_a_web_page() -> None:
    doi = "10.1000/w1"
    page, paper, listed = (
        Hit.of(name, f"{name}-1", f"https://example.org/{name}", f"By {name}", doi=doi)
        for name in ("web", "papers", "ris")
    )
    assert merge_hits([page, paper]).title == "By papers"
    assert merge_hits([page, paper, listed]).title == "By ris"
