"""The list of names that no database can tell the meaning of."""

from __future__ import annotations

from pathlib import Path

import pytest

from storm.databases.identity.known_names import NO_NAMES, Breadth, BroadName, read_known_names
from storm.errors import ConfigError

NAMES = read_known_names(Path(__file__).parents[3] / "config" / "names.yaml")


def read(folder: Path, text: str) -> object:
    path = folder / "names.yaml"
    path.write_text(text, encoding="utf-8")
    return read_known_names(path)


@pytest.mark.parametrize("name", ["vitamin D", "Vitamin-D", "VITAMIN D", "vitamind"])
def test_case_hyphens_and_blanks_do_not_count(name: str) -> None:
    found = NAMES.breadth_of(name)
    assert found is not None
    assert found.breadth is Breadth.SEVERAL


@pytest.mark.parametrize("name", ["beta blocker", "beta-blockers", "ACE inhibitors", "monoclonal antibodies", "drugs"])
def test_a_word_of_a_class_at_the_end_makes_a_class(name: str) -> None:
    assert NAMES.breadth_of(name) == BroadName(Breadth.DRUG_CLASS)


@pytest.mark.parametrize(
    "name", ["aspirin", "inhibitor IX-1", "insulin glargine", "imatinib", "", "s", "'; DROP TABLE drugs; --"]
)
def test_any_other_name_is_one_drugs(name: str) -> None:
    assert NAMES.breadth_of(name) is None
    assert NO_NAMES.breadth_of(name) is None


@pytest.mark.parametrize("name", ["T-DXd", "TDXD", "t dxd"])
def test_a_short_name_has_a_full_one(name: str) -> None:
    assert NAMES.full_name(name) == "trastuzumab deruxtecan"
    assert NAMES.full_name("trastuzumab") == "trastuzumab"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("others: [a]", "line 1, others: unknown key"),
        ("several: [a]", "line 1, several: must be a mapping"),
        ("several:\n  insulin: glargine", "line 2, several.insulin: must be a list"),
        ("no_drug: placebo", "line 1, no_drug: must be a list"),
    ],
)
def test_a_mistake_is_reported_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        read(tmp_path, text)


def test_each_spelling_of_a_drug_is_reported_with_the_others() -> None:
    assert NAMES.spellings_of("lignocaine") == ("lidocaine",)
    assert NAMES.spellings_of("Azacitidine") == ("azacytidine",)
    assert NAMES.spellings_of("zorvimab") == ()
