"""The plain terms of a search in PubMed's syntax, for every place that does not read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm.databases.search_words import Required, sentence_terms
from storm.databases.services.pubmed_fields import SUBJECT_FIELDS, field_name
from storm.databases.services.pubmed_syntax import OPERATORS, is_tag, is_term, read_tokens
from storm.models.search import MAX_NATIVE

#: Alternatives, one of which a record must contain; a level of a search is a list of them.
_Groups = list[list[str]]


def read_terms(text: str) -> Required:
    """The terms of a search, whether it is right or wrong, in groups of which a record must contain one term each.

    They find more than the search: what it excludes, and what is a date, an author, a type or cut off by `*`, is left
    out, and an OR of several conditions becomes an OR of all their terms.
    """
    levels: list[tuple[_Groups, str]] = [([], "AND")]
    read = text if len(text) <= MAX_NATIVE else text[:MAX_NATIVE].rpartition(" ")[0]
    for piece in _read_pieces(read_tokens(read)):
        groups, operator = levels[-1]
        if piece == "(":
            levels.append(([], "AND"))
        elif piece == ")":
            if len(levels) > 1:
                _join_last(levels)
        elif isinstance(piece, str):
            levels[-1] = (groups, piece)
        else:
            levels[-1] = (_join_groups(groups, operator, piece), "AND")
    while len(levels) > 1:
        _join_last(levels)
    return tuple(dict.fromkeys(group for group in map(_list_terms, levels[0][0]) if group))


def _join_last(levels: list[tuple[_Groups, str]]) -> None:
    inner, _ = levels.pop()
    groups, operator = levels[-1]
    levels[-1] = (_join_groups(groups, operator, inner), "AND")


def _join_groups(groups: _Groups, operator: str, more: _Groups) -> _Groups:
    """Both under an AND; under an OR one group of all terms, as each record has one of them."""
    if operator == "NOT":
        return groups
    if operator == "OR" and groups:
        return [[term for group in (*groups, *more) for term in group]]
    groups += more
    return groups


def _list_terms(group: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term in group if "*" not in term))


def _read_pieces(tokens: Sequence[str]) -> Iterator[str | _Groups]:
    """Operators, parentheses, and the terms between them: with a field they are one phrase."""
    run: list[str] = []
    for token in (*tokens, ""):
        if is_tag(token):
            if run and (name := field_name(token).partition(":")[0]) in SUBJECT_FIELDS:
                yield [[_read_phrase(run, name)]]
            run = []
        elif token.startswith('"'):
            yield from _split_run(run)
            run = [token]
        elif is_term(token) and token.upper() not in OPERATORS:
            run.append(token)
        else:
            yield from _split_run(run)
            run = []
            if token in ("(", ")") or token.upper() in OPERATORS:
                yield token.upper()


def _read_phrase(run: Sequence[str], field: str) -> str:
    """The words before a field; of a subject heading without its subheading (`asthma/drug therapy`)."""
    phrase = " ".join(run).replace('"', "")
    return phrase.partition("/")[0].strip() if field.startswith(("mh", "mesh", "majr")) else phrase


def _split_run(run: Sequence[str]) -> Iterator[_Groups]:
    """Words without a field, each of which must be there, without those that mean nothing; a phrase is one of them."""
    phrases = [word.strip('" ') for word in run if word.startswith('"')]
    words = " ".join(word for word in run if not word.startswith('"') and "*" not in word)
    terms = [*phrases, *(sentence_terms(words) if words else ())]
    if groups := [[term] for term in terms if any(map(str.isalnum, term))]:
        yield groups
