"""Checks of a dossier's statements, marks and references against the sources that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from storm.citations.numbers import find_unsupported_numbers
from storm.citations.quotes import is_quote_verified, normalize_text
from storm.models import Answer, Hit, Reference, Source, Statement, Verdict, database_info, index_sources
from storm.patterns.amounts import AMOUNT

#: A bracket that begins with a word, any bracket, and amounts of a drug.
_BRACKET, _ANY_BRACKET = re.compile(r" \[([A-Za-z][^\[\]]{4,100})\]"), re.compile(r" \[[^\[\]]{1,200}\]")
_DOSE = re.compile(rf"(?<![\w.])(?!\S{{1,12}} ?[a-zµμ]{{1,3}}/dl){AMOUNT}(?![\w/])", re.I)
_HAS_NUMBER = re.compile(r"\d")


def verify_statement(statement: Statement, sources: Mapping[str, Hit]) -> Statement:
    """The statement with its verdict.

    Supported: every source id is known, and the quote stands word for word in one of them and has each number of the
    statement. Unchecked: it names known sources, but no quote. Unsupported: everything else.
    """
    return statement.model_copy(update={"verdict": _find_verdict(statement, sources)})


def build_references(cited: Iterable[str], sources: Iterable[Source]) -> tuple[Reference, ...]:
    """The cited sources, numbered by first appearance in `cited`; unknown ids get no reference."""
    by_id = index_sources(sources)
    known = dict.fromkeys(by_id[source_id].source_id for source_id in cited if source_id in by_id)
    return tuple(_build_reference(n, by_id[source_id]) for n, source_id in enumerate(known, start=1))


def list_cited_sources(answers: Iterable[Answer]) -> Iterator[str]:
    """The source ids of the answers, statement by statement, in reading order."""
    for answer in answers:
        for statement in answer.all_statements:
            yield from statement.source_ids


def _find_verdict(statement: Statement, sources: Mapping[str, Hit]) -> Verdict:
    hits = [sources[source_id] for source_id in statement.source_ids if source_id in sources]
    if not hits or len(hits) < len(statement.source_ids):
        return Verdict.UNSUPPORTED
    if not statement.quote.strip():
        return Verdict.UNCHECKED
    found = any(is_quote_verified(statement.quote, hit) for hit in hits)
    is_supported = found and not (
        find_unsupported_numbers(statement.text, statement.quote)
        and find_unsupported_numbers(_drop_doses(statement, hits), statement.quote)
    )
    return Verdict.SUPPORTED if is_supported else Verdict.UNSUPPORTED


def _drop_doses(statement: Statement, hits: Sequence[Hit]) -> str:
    """The text of a copied sentence without those brackets that say which dose a group had, in words that stand in one
    of the records: the quote need not have these."""

    def drop(bracket: re.Match[str]) -> str:
        is_stated = any(is_quote_verified(bracket[1], hit) for hit in hits)
        return "" if is_stated and not _HAS_NUMBER.search(_DOSE.sub("", bracket[1])) else bracket[0]

    copied = normalize_text(_ANY_BRACKET.sub("", statement.text))
    return _BRACKET.sub(drop, statement.text) if copied in normalize_text(statement.quote) else statement.text


def _build_reference(n: int, source: Source) -> Reference:
    hit = source.hit
    return Reference(
        n=n,
        source_id=source.source_id,
        source_type=hit.database,
        external_id=hit.external_id,
        url=hit.url,
        title=hit.title,
        authors=hit.authors,
        container=hit.container,
        year=hit.year,
        identifiers=hit.identifiers,
        publication_types=hit.publication_types,
        date=hit.date,
        agency=database_info(hit.database).agency,
        country=hit.facts.country,
        relation=source.relation,
        relation_kind=source.relation_kind,
        retraction=hit.retraction,
        notices=hit.notices,
        open_access=hit.open_access,
        open_url=hit.open_url,
        extended_until=hit.facts.paediatric_expiry,
        note=source.note,
        publication=hit.publication,
    )
