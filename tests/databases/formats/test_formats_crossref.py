"""What is read of Crossref's works is what its search is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from storm.databases.formats.crossref import READ_FIELDS, UNSELECTABLE_FIELDS, work_hit
from storm.databases.formats.json_records import JsonRecord
from storm.databases.services.crossref import search_params
from storm.models import Hit, SearchQuery

#: What Crossref's documentation lists for `select`; a search that names another field is refused.
SELECTABLE = {
    "abstract", "URL", "resource", "member", "posted", "score", "created", "degree", "update-policy", "short-title",
    "license", "ISSN", "container-title", "issued", "update-to", "issue", "prefix", "approved", "indexed",
    "article-number", "clinical-trial-number", "accepted", "author", "group-title", "DOI", "is-referenced-by-count",
    "updated-by", "event", "chair", "standards-body", "original-title", "funder", "translator", "published",
    "archive", "published-print", "alternative-id", "subject", "subtitle", "published-online", "publisher-location",
    "content-domain", "reference", "title", "link", "type", "publisher", "volume", "references-count", "ISBN",
    "issn-type", "assertion", "deposited", "page", "content-created", "short-container-title", "relation", "editor",
}  # fmt: skip


class Work(dict[str, Any]):
    """A work that remembers which of its fields were read."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(fields)
        self.read: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("a work is read by the names of its fields")


def test_the_search_asks_for_each_field_that_is_read_and_may_be_asked_for() -> None:
    work = Work(DOI="10.1000/1", title=["A trial"], type="book-chapter")
    assert isinstance(work_hit(JsonRecord(work, "work")), Hit)
    assert work.read == {*READ_FIELDS, *UNSELECTABLE_FIELDS}
    select = search_params(SearchQuery(names=("aspirin",)), 5)["select"]
    assert str(select).split(",") == list(READ_FIELDS)
    assert set(READ_FIELDS) <= SELECTABLE
    assert not set(UNSELECTABLE_FIELDS) & SELECTABLE
