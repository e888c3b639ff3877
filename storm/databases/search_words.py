"""Reads the words of a search: which must match, which only rank, and whether a record contains them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from storm.errors import UsageError
from storm.models import Hit, SearchQuery
from storm.models.names import split_words

#: Stop words. In capitals they are names ("WHO", the A of "hepatitis A"), and capitalised too ("Will") unless they
#: begin a sentence.
_STOP_WORDS = frozenset((
    "a", "about", "after", "against", "all", "among", "an", "and", "any", "are", "as", "at", "be", "been", "between",
    "by", "can", "could", "did", "do", "does", "during", "for", "from", "had", "has", "have", "how", "if", "in", "into",
    "is", "it", "its", "may", "of", "on", "or", "should", "than", "that", "the", "their", "there", "these", "this",
    "those", "to", "was", "were", "what", "when", "where", "whether", "which", "who", "why", "will", "with", "would",
))  # fmt: skip
_TERM = re.compile(r'"(?P<phrase>[^"]*)"|(?P<word>[^\s"|]+|\|+)')
_OPERATORS = frozenset(("AND", "OR", "NOT"))
_PHRASE = re.compile(r'"[^"]*"')
#: Words in parentheses, with an OR before or after them.
_PARENTHESES = re.compile(r"(?P<before>(?:\bOR\b|\|)\s*)?(?<!\w)\((?P<inner>[^()]*)\)(?=\s*(?P<after>OR\b|\|)?)")
_LEADING_MINUS = re.compile(r"\(*[-\u2010-\u2015\u2212][^\W\d_]")
_SENTENCE_END = (".", "?", "!")
_QUOTES = str.maketrans("“”„«»", '"""""')
#: A text with this many stop words is a sentence: a name has at most one ("oil of cloves").
_SENTENCE = 2

#: One phrase of every group must match.
Required = tuple[tuple[str, ...], ...]


class Matching(StrEnum):
    """How a record matches what a user searches for."""

    PHRASE = "phrase"
    ALL = "all words"
    ANY = "any word"


class Attempt(NamedTuple):
    """One search for a user's text, and how its results match the text."""

    matching: Matching
    query: SearchQuery
    terms: tuple[str, ...]

    def describe_match(self, text: str) -> str:
        """The notice that no record contains the text as written; empty where one does or the text is a sentence."""
        if self.matching is Matching.PHRASE or is_sentence(text):
            return ""
        how = "all" if self.matching is Matching.ALL else "any"
        return f"No record contains {' '.join(text.split())!r} as written. With {how} of {', '.join(self.terms)}:"


def required_terms(text: str, names: Iterable[str] = ()) -> Required:
    """The terms of an agent's query, all of which must match: `a OR b` is one group, `"a b"` a phrase.

    Stop words are dropped, and so is a group with one of the drug's `names`, which every searched record contains.
    Raises UsageError for NOT, a leading minus and `(a b) OR c`, which not every service supports.
    """
    text = text.translate(_QUOTES)
    _check_parentheses(text)
    drug_names = {tuple(split_words(name)) for name in names}
    groups = (
        tuple(dict.fromkeys(group))
        for group in _parse_groups(text)
        if not any(tuple(split_words(term)) in drug_names for term in group)
    )
    return tuple(dict.fromkeys(groups))


def _parse_groups(text: str) -> list[list[str]]:
    """The terms of a text; terms joined by OR share a group."""
    groups: list[list[str]] = []
    joined, starts_sentence = False, True
    for match in _TERM.finditer(text):
        term = match["phrase"] if match["phrase"] is not None else match["word"]
        is_word = match["phrase"] is None
        operator = is_word and term.strip("()")
        if operator == "NOT" or (is_word and _LEADING_MINUS.match(term)):
            unsupported = "NOT" if operator == "NOT" else f"a minus before a word ({term})"
            hint = "leave it out: all words must match, and OR separates alternatives"
            raise UsageError(f"{unsupported} is not supported", hint=hint)
        if operator == "OR" or (is_word and term.startswith("|")):
            joined = bool(groups)
        elif split_words(term) and not (
            is_word and (operator == "AND" or _is_stop_word(_trim_signs(term), starts_sentence))
        ):
            groups = [*groups[:-1], [*groups[-1], _trim_signs(term)]] if joined else [*groups, [_trim_signs(term)]]
            joined = False
        starts_sentence = term.endswith(_SENTENCE_END)
    return groups


def _check_parentheses(text: str) -> None:
    """Raise UsageError where OR joins several words in parentheses: it joins single terms only."""

    def strip_parentheses(match: re.Match[str]) -> str:
        several = len(_parse_groups(match["inner"])) > 1
        if several and (match["before"] or match["after"]):
            raise UsageError(
                f"OR with several words in parentheses is not supported: ({match['inner']})",
                hint='OR joins single words and "phrases in quotes": a OR b c is (a or b) and c; or search twice',
            )
        return f"{match['before'] or ''}{match['inner']}"

    text, found = _PHRASE.sub('"x"', text), 1
    while found:
        text, found = _PARENTHESES.subn(strip_parentheses, text)


def is_sentence(text: str) -> bool:
    """Whether a text is a question or sentence rather than a name or phrase."""
    meaningful = len(list(_without_stop_words(text)))
    return text.rstrip().endswith("?") or sum(1 for word in text.split() if split_words(word)) - meaningful >= _SENTENCE


def plan_searches(text: str, words: Iterable[str] = (), **limits: Any) -> Sequence[Attempt]:
    """The searches for a user's text; each further one is for where the one before finds nothing. `words` only rank.

    A name or phrase is searched as written, then by all of its words, then by any; a sentence by any word at once.
    """
    terms, words = sentence_terms(text), tuple(words)
    if is_sentence(text):
        query = SearchQuery(words=tuple(dict.fromkeys((*terms, *words))), **limits)
        return [Attempt(Matching.ANY, query, terms)]
    attempts = [Attempt(Matching.PHRASE, SearchQuery(names=(text,), words=words, **limits), (text,))]
    if len(terms) > 1 or split_words(terms[0]) != split_words(text):
        query = SearchQuery(required=tuple((term,) for term in terms), words=words, **limits)
        attempts.append(Attempt(Matching.ALL, query, terms))
        if len(terms) > 1:
            some = match_any_term(query)
            attempts.append(Attempt(Matching.ANY, some, some.required[0]))
    return attempts


def match_any_term(query: SearchQuery) -> SearchQuery:
    """The query with any one of its required terms; single letters count only where there are no longer terms."""
    terms = tuple(dict.fromkeys(term for group in query.required for term in group))
    long_enough = tuple(term for term in terms if len("".join(split_words(term))) > 1)
    return query.model_copy(update={"required": (long_enough or terms,)})


def sentence_terms(text: str) -> tuple[str, ...]:
    """The words of a sentence without stop words; the whole sentence if it has no others."""
    return tuple(dict.fromkeys(_without_stop_words(text))) or (" ".join(text.split()),)


def _without_stop_words(text: str) -> Iterator[str]:
    starts_sentence = True
    for word in text.split():
        if split_words(word) and word not in _OPERATORS and not _is_stop_word(_trim_signs(word), starts_sentence):
            yield _trim_signs(word)
        starts_sentence = word.endswith(_SENTENCE_END)


def holds_terms(hit: Hit, required: Required) -> bool:
    """Whether title, text, drugs or numbers of the record contain a phrase of each group, as whole words."""
    places = (hit.title, *hit.texts, *hit.drugs, hit.external_id, *hit.identifiers)
    texts = [f" {' '.join(split_words(place))} " for place in places]
    phrases = [[f" {' '.join(split_words(term))} " for term in group] for group in required]
    return all(any(phrase in text for phrase in group for text in texts) for group in phrases)


def _is_stop_word(word: str, starts_sentence: bool) -> bool:
    """Whether it is a stop word; inside a sentence a capital letter makes it a name."""
    is_plain = word.islower() or (starts_sentence and len(word) > 1 and word.istitle())
    return is_plain and word.casefold() in _STOP_WORDS


def _trim_signs(term: str) -> str:
    """The term without surrounding punctuation: `expiry` of `(expiry,`. Combining vowel signs stay."""
    ends: Sequence[int] = [place for place, character in enumerate(term) if _is_of_word(character)]
    return " ".join(term[ends[0] : ends[-1] + 1].split())


def _is_of_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
