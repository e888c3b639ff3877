"""Searches that a model wrote in PubMed's syntax."""

from __future__ import annotations

import pytest
from agents.research_roles import PLAN

from storm.agents.written_searches import read_pubmed_search
from storm.errors import UsageError
from storm.models import SearchQuery

EMPTY = PLAN.model_copy(update={"names": (), "identity": None})


def test_a_search_in_pubmeds_syntax_has_plain_terms_beside_it() -> None:
    text = f'{PLAN.names[0]}[tiab] AND ("overall survival"[tiab] OR mortality[mh])\nAND 2015:2020[dp]'
    assert read_pubmed_search(text, PLAN) == SearchQuery(
        names=PLAN.searched_names,
        required=(("overall survival", "mortality"),),
        databases=("pubmed",),
        native=text.replace("\n", " "),
    )


def test_in_a_job_without_pubmed_the_plain_terms_are_searched_for() -> None:
    query = read_pubmed_search("survival[tiab]", PLAN, ["europepmc"])
    assert (query.native, query.databases, query.required) == ("", ("europepmc",), (("survival",),))


def test_a_search_of_the_subject_alone_is_one() -> None:
    assert read_pubmed_search(f"{PLAN.names[0]}[tiab]", PLAN).names == PLAN.searched_names


@pytest.mark.parametrize("text", ["", "NOT animals[mh]", "[tiab] AND ()"])
def test_a_search_without_a_word_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no word to search for"):
        read_pubmed_search(text, EMPTY)


def test_a_very_long_text_is_a_bounded_search() -> None:
    query = read_pubmed_search("survival[tiab] OR " * 6_000, EMPTY)
    assert query.required == (("survival",),)
    assert len(query.native) == 4_001
