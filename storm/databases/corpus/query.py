"""Builds tantivy queries for the local corpus from the same tokens that its records are indexed by.

User text never reaches a query parser: a name is a phrase of tokens, whatever its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from tantivy import FieldType, Occur, Query, Schema

from storm.errors import UsageError
from storm.models import SearchQuery
from storm.models.names import is_odd, phrases_of

#: The fields searched for a name, with their weights.
NAME_FIELDS = (("title", 2.0), ("drugs", 3.0), ("text", 1.0), ("numbers", 1.0))
#: The fields searched for words that rank the records of a name.
WORD_FIELDS = (("title", 2.0), ("text", 1.0))
#: The fields searched where a query has words only. Measured (scripts/bench evidence): a match in the title says little
#: more than one in the text, and stemming does not help.
TERM_FIELDS = (("title", 0.3), ("text", 1.0))
#: The fields searched for required words.
REQUIRED_FIELDS = (*TERM_FIELDS, ("drugs", 1.0), ("numbers", 1.0))

_DATE = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?")


def day_bounds(date: str) -> tuple[int, int] | None:
    """The first and last day, as YYYYMMDD, of an ISO date that may be partial; None if it is not a date."""
    match = _DATE.fullmatch(date.strip())
    if not match:
        return None
    year, month, day = match.groups()
    return int(f"{year}{month or '01'}{day or '01'}"), int(f"{year}{month or '12'}{day or '31'}")


def build_query(schema: Schema, query: SearchQuery) -> Query:
    """A query for records with a name and all required terms, within the filters; the words raise their scores.

    Without names and required terms a record must contain a word. Raises UsageError for a bad date.
    """
    conditions = list(_required_queries(schema, query))
    if None in conditions:
        return Query.empty_query()
    matching = reduce(_match_both, filter(None, conditions))
    filters = [(Occur.Must, Query.const_score_query(part, 0.0)) for part in _filter_queries(schema, query)]
    filtered = Query.boolean_query([(Occur.Must, matching), *filters]) if filters else matching
    ranking = query.words if query.names or query.required else ()
    return reduce(_add_ranking, _boosted_phrases(schema, phrases_of(ranking), WORD_FIELDS), filtered)


def _required_queries(schema: Schema, query: SearchQuery) -> Iterator[Query | None]:
    """The conditions on each record, at least one; None cannot be matched."""
    if query.names:
        yield _match_names(schema, query.names)
    for group in query.required:
        yield _any_term(schema, group, REQUIRED_FIELDS)
    if not (query.names or query.required):
        yield _any_term(schema, query.words, TERM_FIELDS)


def _any_term(schema: Schema, terms: Iterable[str], fields: Sequence[tuple[str, float]]) -> Query | None:
    phrases = list(_boosted_phrases(schema, phrases_of(terms), fields))
    return _match_any(phrases) if phrases else None


def _match_both(one: Query, other: Query) -> Query:
    return Query.boolean_query([(Occur.Must, one), (Occur.Must, other)])


def _add_ranking(query: Query, other: Query) -> Query:
    return Query.boolean_query([(Occur.Must, query), (Occur.Should, other)])


def _match_names(schema: Schema, names: Iterable[str]) -> Query | None:
    phrases: list[Query] = []
    for phrase in phrases_of(names):
        if is_odd(phrase):
            phrases.append(Query.boost_query(Query.term_query(schema, "drug", " ".join(phrase)), 3.0))
        else:
            phrases += _boosted_phrases(schema, [phrase], NAME_FIELDS)
    return _match_any(phrases) if phrases else None


def _boosted_phrases(
    schema: Schema, phrases: Iterable[Sequence[str]], fields: Sequence[tuple[str, float]]
) -> Iterator[Query]:
    for phrase in phrases:
        for field, boost in fields:
            yield Query.boost_query(_phrase_query(schema, field, phrase), boost)


def _phrase_query(schema: Schema, field: str, words: Sequence[str]) -> Query:
    if len(words) == 1:
        return Query.term_query(schema, field, words[0])
    return Query.phrase_query(schema, field, list(words))


def _match_any(queries: list[Query]) -> Query:
    """Any of the queries (at least one), as a tree of pairs.

    tantivy adds three or more scores in an order that depends on the index layout; two floats have only one sum.
    """
    if len(queries) == 1:
        return queries[0]
    middle = len(queries) // 2
    return Query.boolean_query([(Occur.Should, _match_any(half)) for half in (queries[:middle], queries[middle:])])


def _filter_queries(schema: Schema, query: SearchQuery) -> Iterable[Query]:
    if query.databases:
        yield Query.term_set_query(schema, "database", list(query.databases))
    if query.since:
        yield Query.range_query(
            schema, "last_day", FieldType.Integer, lower_bound=_parse_bound("since", query.since)[0]
        )
    if query.until:
        yield Query.range_query(
            schema, "first_day", FieldType.Integer, upper_bound=_parse_bound("until", query.until)[1]
        )


def _parse_bound(name: str, date: str) -> tuple[int, int]:
    span = day_bounds(date)
    if span is None:
        raise UsageError(f"{name} is {date!r}; it must be a date such as 2019, 2019-03 or 2019-03-31", setting=name)
    return span
