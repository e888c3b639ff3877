"""A search in a database's own syntax, beside the plain terms for every other place."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from storm.models import SearchQuery
from storm.models.search import MAX_NATIVE

NATIVE = SearchQuery(
    names=("metformin",), databases=("pubmed",), native="metformin[tiab]\n AND  cancer[mh]", since="2020"
)


def test_the_log_shows_the_text_as_it_was_written_on_one_line() -> None:
    assert str(NATIVE) == "metformin[tiab] AND cancer[mh] in pubmed 2020–…"


def test_searches_with_other_native_texts_differ() -> None:
    assert NATIVE.model_copy() == NATIVE
    assert NATIVE.model_copy(update={"native": "metformin"}) != NATIVE
    assert len({NATIVE, NATIVE.model_copy(update={"native": ""})}) == 2


@pytest.mark.parametrize("databases", [(), ("pubmed", "web")])
def test_the_own_syntax_is_that_of_exactly_one_database(databases: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError, match="for that one database"):
        SearchQuery(names=("metformin",), databases=databases, native="metformin[tiab]")


def test_a_search_in_its_own_syntax_has_terms_for_other_places() -> None:
    with pytest.raises(ValidationError, match="a search needs a name or a word"):
        SearchQuery(databases=("pubmed",), native="metformin[tiab]")


def test_a_long_text_is_kept_one_character_longer_than_can_be_sent() -> None:
    query = SearchQuery(words=("a",), databases=("pubmed",), native="a" * 100_000)
    assert len(query.native) == MAX_NATIVE + 1


def test_a_search_that_was_stored_before_is_read() -> None:
    earlier = json.loads(NATIVE.model_dump_json(exclude={"native"}))
    assert SearchQuery.model_validate(earlier).native == ""
    assert SearchQuery.model_validate_json(NATIVE.model_dump_json()) == NATIVE
