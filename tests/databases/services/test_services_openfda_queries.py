"""How names are written for openFDA, which refuses a whole search for one character that it does not support."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.services.openfda import LABELS, search_text
from storm.models import SearchQuery


def names_in(text: str) -> list[str]:
    """The names asked for in the first field."""
    return re.findall(r'"([^"]+)"', text.partition(" OR openfda.generic_name")[0])


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Herceptin® (trastuzumab)", "herceptin (trastuzumab)"),
        ("Herceptin™", "herceptin"),
        ("Métformine", "metformine"),
        ("5\u2011FU", "5-fu"),
        ("panad*; Crohn's", "panad Crohn's"),
        ("Keytruda", "Keytruda"),
        ("β-blocker", "beta-blocker"),
        ("Interferon-γ 1b", "interferon-gamma 1b"),
    ],
)
def test_a_name_is_written_in_the_characters_that_openfda_reads(name: str, asked: str) -> None:
    assert names_in(search_text(LABELS, SearchQuery(names=(name,)))) == [asked]


def test_a_name_that_openfda_cannot_read_is_left_out_beside_others_and_alone_is_sent_as_it_is() -> None:
    assert names_in(search_text(LABELS, SearchQuery(names=("曲妥珠单抗", "Herceptin")))) == ["Herceptin"]
    assert names_in(search_text(LABELS, SearchQuery(names=("曲妥珠单抗",)))) == ["曲妥珠单抗"]


@given(st.lists(st.text(max_size=12), max_size=4))
def test_a_search_holds_nothing_that_openfda_refuses(names: list[str]) -> None:
    text = search_text(LABELS, SearchQuery(names=("imatinib", *names)))
    assert re.fullmatch(r"""[0-9A-Za-z@%&/',._:()"\[\]{}+><= -]+""", text)
