"""How an agent's words and a user's sentence become terms, and which records hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.search_words import (
    Matching,
    holds_terms,
    is_sentence,
    match_any_term,
    plan_searches,
    required_terms,
    sentence_terms,
)
from storm.errors import UsageError
from storm.models import Hit, SearchQuery
from storm.models.names import split_words


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ("patent expiry", [["patent"], ["expiry"]]),
        ("patent (expiry OR expires), US", [["patent"], ["expiry", "expires"], ["US"]]),
        ('"boxed warning" OR “black box” label', [["boxed warning", "black box"], ["label"]]),
        ("does trastuzumab cause heart failure?", [["cause"], ["heart"], ["failure"]]),
        ("Herceptin safety AND efficacy", [["safety"], ["efficacy"]]),
        ("WHO guideline, who wrote it", [["WHO"], ["guideline"], ["wrote"]]),
        ("5-FU · β-blocker *", [["5-FU"], ["β-blocker"]]),
        ("OR expiry OR", [["expiry"]]),
        ("hepatitis A", [["hepatitis"], ["A"]]),
        ("May Will, botulinum toxin A?", [["Will"], ["botulinum"], ["toxin"], ["A"]]),
        ("the use in dialysis. Does it help", [["use"], ["dialysis"], ["help"]]),
        ('"the effect of"', [["the effect of"]]),
        ("रोगी", [["रोगी"]]),
        ("cost|price || fee", [["cost", "price", "fee"]]),
        ("-5 °C anti-TNF", [["5"], ["C"], ["anti-TNF"]]),
        ("poly(ADP-ribose) (x OR y) OR z", [["poly(ADP-ribose"], ["x", "y", "z"]]),
        ("(the heart) OR kidney (x y)", [["heart", "kidney"], ["x"], ["y"]]),
        ("", []),
        ('"" ( OR )', []),
    ],
)
def test_all_words_must_match_or_stands_for_either_and_quotes_make_a_phrase(
    text: str, required: list[list[str]]
) -> None:
    assert [list(group) for group in required_terms(text, ("trastuzumab", "Herceptin"))] == required


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("safety NOT children", "NOT is not supported"),
        ("patent -children", r"a minus before a word \(-children\) is not supported"),
        ("safety (−children)", "is not supported"),
        ("(x y) OR z", "OR with several words in parentheses is not supported"),
        ("z OR (x y)", "several words"),
        ("x | ((y b) c)", "several words"),
        ('("a b" c)|d', "several words"),
        ("(a) OR (b c)", "several words"),
    ],
)
def test_what_cannot_be_searched_is_refused_and_not_read_otherwise(text: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        required_terms(text)


@given(st.text(alphabet='aORNTbé "()|-“?\n', max_size=40))
def test_each_term_that_must_match_has_a_word_in_it(text: str) -> None:
    try:
        required = required_terms(text)
    except UsageError:
        return
    assert all(group and all(split_words(term) for term in group) for group in required)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("does metformin reduce mortality in diabetes?", True),
        ("effect of metformin on mortality", True),
        ("interferon beta-1a", False),
        ("insulin glargine and lixisenatide", False),
        ("oil of cloves", False),
        ("trastuzumab OR *", False),
    ],
)
def test_a_question_or_sentence_is_distinguished_from_a_name(text: str, sentence: bool) -> None:
    assert is_sentence(text) is sentence


def test_a_sentence_is_searched_by_its_words_at_once() -> None:
    (attempt,) = plan_searches("Does metformin reduce mortality?", ["trial"])
    assert attempt.query == SearchQuery(words=("metformin", "reduce", "mortality", "trial"))
    assert (attempt.matching, attempt.describe_match("Does metformin reduce mortality?")) == (Matching.ANY, "")
    assert plan_searches("what is it?")[0].query == SearchQuery(words=("what is it?",))


@pytest.mark.parametrize("name", ["pembrolizumab", "5-FU", "a:b", "beta-lactam *"])
def test_a_name_of_one_word_is_searched_as_it_is_written_alone(name: str) -> None:
    assert plan_searches(name) == [(Matching.PHRASE, SearchQuery(names=(name,)), (name,))]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("metformin for diabetes", ("metformin", "diabetes")),
        ("Does metformin reduce mortality", ("metformin", "reduce", "mortality")),
        ("trastuzumab cardiac toxicity", ("trastuzumab", "cardiac", "toxicity")),
        ("half-life of trastuzumab", ("half-life", "trastuzumab")),
    ],
)
def test_a_phrase_that_no_record_holds_is_searched_by_all_and_then_by_any_of_its_words(
    text: str, terms: tuple[str, ...]
) -> None:
    phrase, every, some = plan_searches(text, ["rank"], since="2019")
    assert phrase.query == SearchQuery(names=(text,), words=("rank",), since="2019")
    assert every.query == SearchQuery(required=tuple((t,) for t in terms), words=("rank",), since="2019")
    assert some.query == SearchQuery(required=(terms,), words=("rank",), since="2019")
    assert (phrase.describe_match(text), every.describe_match(text)) == (
        "", f"No record contains {text!r} as written. With all of {', '.join(terms)}:"
    )  # fmt: skip


def test_a_single_letter_is_a_word_and_never_the_only_one_of_several_that_matches() -> None:
    phrase, every, some = plan_searches("hepatitis A and B")
    assert phrase.query.names == ("hepatitis A and B",)
    assert (every.terms, some.terms) == (("hepatitis", "A", "B"), ("hepatitis",))
    assert match_any_term(SearchQuery(required=(("A",), ("B",)))).required == (("A", "B"),)
    assert sentence_terms("What is vitamin A in the eye?") == ("vitamin", "A", "eye")


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("cardiac", True),
        ("CARDIAC failure", True),
        ('"cardiac failure"', False),
        ('"failure was cardiac"', True),
        ("card", False),
        ("expiry OR title", True),
        ("expiry cardiac", False),
        ("12345", True),
    ],
)
def test_a_record_holds_words_whole_and_phrases_in_one_place(words: str, held: bool) -> None:
    hit = Hit.of("pubmed", "12345", "https://example.org", "Of cardiac", text="Failure was cardiac. A title")
    assert holds_terms(hit, required_terms(words)) is held


def test_a_query_reads_as_it_is_searched() -> None:
    required = required_terms('patent expiry OR expires "United States"')
    assert str(SearchQuery(names=("a", "b"), required=required, since="2019")) == (
        '("a" OR "b") AND patent AND (expiry OR expires) AND "United States" 2019–…'
    )
    assert str(SearchQuery(names=("a",), words=("x", "y"))) == '"a" + x y'
    assert str(SearchQuery(words=("x", "y"))) == "x y"


@pytest.mark.parametrize("empty", [{}, {"databases": ("pubmed",)}, {"names": ("a",), "required": ((),)}])
def test_a_search_for_nothing_cannot_be_made(empty: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a name or a word"):
        SearchQuery(**empty)  # type: ignore[arg-type]
