"""One tokeniser for records and queries: what is a word, and which records hold a name."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storm.databases.corpus.index import CorpusIndex
from storm.databases.corpus.query import day_bounds
from storm.databases.corpus.writer import CorpusWriter
from storm.errors import UsageError
from storm.models import Hit, SearchQuery, Section
from storm.models.names import split_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5-FU", ["5", "fu"]),
        ("[177Lu]Lu-PSMA-617", ["177lu", "lu", "psma", "617"]),
        ("α-Tocopherol", ["α", "tocopherol"]),
        ("Interferon  beta-1a", ["interferon", "beta", "1a"]),
        ("naïve NAI\u0308VE", ["naive", "naive"]),
        ("Straße ﬁbrosis µg", ["strasse", "fibrosis", "μg"]),
        ("a_b\u00a0c", ["a", "b", "c"]),
        ('"(*)', []),
        ("", []),
    ],
)
def test_words_are_letters_and_digits_with_case_and_accents_folded(text: str, expected: list[str]) -> None:
    assert split_words(text) == expected


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert split_words(" ".join(split_words(text))) == split_words(text)


@given(st.text(), st.text())
def test_white_space_between_two_texts_keeps_their_words_apart(one: str, other: str) -> None:
    assert split_words(f"{one} {other}") == split_words(one) + split_words(other)


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2019", (20190101, 20191231)),
        ("2019-03", (20190301, 20190331)),
        ("2019-03-05", (20190305, 20190305)),
        ("2019-13", None),
        ("19", None),
        ("", None),
    ],
)
def test_a_partial_date_is_a_span_of_days(date: str, expected: tuple[int, int] | None) -> None:
    assert day_bounds(date) == expected


_TEXT = st.text(alphabet="aA1é\u0301αβςΣß-_ ()*\"'µ²~.\u00a0\u3000中\x1f", max_size=12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(title=_TEXT, sections=st.lists(_TEXT, max_size=2), drugs=st.lists(_TEXT, max_size=2), name=_TEXT)
def test_the_index_finds_a_name_exactly_where_its_words_stand_in_a_row(
    title: str, sections: list[str], drugs: list[str], name: str
) -> None:
    hit = Hit(
        database="web",
        external_id="zzz",
        url="https://example.org/zzz",
        title=title,
        identifiers=("web:zzz",),
        sections=tuple(Section(text=text) for text in sections),
        drugs=tuple(drugs),
    )
    phrase = split_words(name)
    single = bool(phrase) and all(len(word) == 1 for word in phrase)
    places = [split_words(text) for text in (title, *sections, *drugs)]
    expected = any(split_words(drug) == phrase for drug in drugs) if single else any(_holds(p, phrase) for p in places)
    with tempfile.TemporaryDirectory() as folder:
        index = CorpusIndex(Path(folder) / "corpus")
        with CorpusWriter(index) as writer:
            writer.add_record(hit, "file")
        assert index.search(SearchQuery(names=(name,)), 5).total == int(expected)


def _holds(place: list[str], phrase: list[str]) -> bool:
    length = len(phrase)
    return bool(phrase) and any(place[at : at + length] == phrase for at in range(len(place) - length + 1))


TITLES = {
    "1": "Trastuzumab and chemotherapy",
    "2": "Trastuzumab-dkst, a biosimilar",
    "3": "Trastuzumab deruxtecan or placebo",
    "4": "Interferon beta-1a in multiple sclerosis",
    "5": "Fluorouracil (5-FU) with leucovorin",
    "6": "[177Lu]Lu-PSMA-617 in prostate cancer",
    "7": "α-Tocopherol, and not selenium, or both",
    "8": "Influenza A B vaccines: trastuzumab or not",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CorpusIndex:
    made = CorpusIndex(tmp_path_factory.mktemp("names") / "corpus")
    with CorpusWriter(made) as writer:
        for number, title in TITLES.items():
            writer.add_record(Hit.of("pubmed", number, f"https://pubmed.ncbi.nlm.nih.gov/{number}/", title), "file")
        writer.add_record(
            Hit.of("web", "and", "https://example.org/and", "A drug of an odd name", drugs=("AND",)), "file"
        )
    return made


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("trastuzumab", {"1", "2", "3", "8"}),
        ("TRASTUZUMAB", {"1", "2", "3", "8"}),
        ("trastuzumab deruxtecan", {"3"}),
        ("trastuzumab-deruxtecan", {"3"}),
        ("interferon beta-1a", {"4"}),
        ("interferon beta-1b", set()),
        ("5-FU", {"5"}),
        ("[177Lu]Lu-PSMA-617", {"6"}),
        ("α-tocopherol", {"7"}),
        ("tocopherol trastuzumab", set()),
        ("AND", {"and"}),
        ("NOT*", set()),
        ("trastuzumab OR *", set()),
        ("a:b", set()),
        ('"', set()),
        ("(", set()),
        ("title:trastuzumab", set()),
        ("trastuzumab^9 AND (", set()),
        ("x" * 5000, set()),
    ],
)
def test_a_name_is_a_name_whatever_it_is_written_with(index: CorpusIndex, name: str, found: set[str]) -> None:
    assert {hit.external_id for hit in index.search(SearchQuery(names=(name,)), 20).hits} == found


def test_a_date_that_is_none_is_a_usage_error(index: CorpusIndex) -> None:
    with pytest.raises(UsageError, match="since is 'last year'; it must be a date such as 2019"):
        index.search(SearchQuery(names=("trastuzumab",), since="last year"), 5)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"names": ("trastuzumab",), "required": (("chemotherapy",),)}, {"1"}),
        ({"names": ("trastuzumab",), "required": (("chemotherapy", "placebo"),)}, {"1", "3"}),
        ({"names": ("trastuzumab",), "required": (("chemotherapy",), ("placebo",))}, set()),
        ({"names": ("trastuzumab",), "required": (("vaccines trastuzumab",),)}, {"8"}),
        ({"names": ("trastuzumab", "5-FU"), "required": (("leucovorin",),)}, {"5"}),
        ({"names": ("trastuzumab",), "required": (("zzzz",), ("qqqq",))}, set()),
        ({"required": (("cancer",),)}, {"6"}),
        ({"required": (("4",),)}, {"4"}),
        ({"words": ("chemotherapy", "placebo", "zzzz")}, {"1", "3"}),
        ({"words": ("zzzz",)}, set()),
        ({"words": ("*",)}, set()),
        ({"names": ("*",), "required": (("cancer",),)}, set()),
        ({"names": ("trastuzumab",), "words": ("zzzz",)}, {"1", "2", "3", "8"}),
    ],
)
def test_required_words_must_match_and_words_alone_are_alternatives(
    index: CorpusIndex, query: dict[str, Any], found: set[str]
) -> None:
    assert {hit.external_id for hit in index.search(SearchQuery(**query), 20).hits} == found


def test_a_word_of_a_sentence_says_more_in_a_text_that_repeats_it_than_in_a_title(tmp_path: Path) -> None:
    """Of records that are searched for words alone; records of a name are ranked as before."""
    made = CorpusIndex(tmp_path / "corpus")
    with CorpusWriter(made) as writer:
        writer.add_record(
            Hit.of("pubmed", "1", "https://example.org/1", "Mortality of zorvimab", text="A letter."), "f"
        )
        repeated = "Mortality fell with zorvimab. All-cause mortality was 3 %, mortality at a year 5 %."
        writer.add_record(Hit.of("pubmed", "2", "https://example.org/2", "A trial of zorvimab", text=repeated), "f")
    alone, named = (
        made.search(query, 2).hits[0].external_id
        for query in (SearchQuery(words=("mortality",)), SearchQuery(names=("zorvimab",), words=("mortality",)))
    )
    assert (alone, named) == ("2", "1")
