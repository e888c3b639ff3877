"""What a job stores: sources filed under questions, and citations of their words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from pydantic import model_validator

from storm.models.base import Frozen
from storm.models.hit import Hit
from storm.models.relation import Relation, RelationKind, with_kind


class QuoteCheck(StrEnum):
    """Whether a quote occurs word for word in its source's text or title."""

    VERIFIED = "verified"
    NOT_FOUND = "not found"
    UNCHECKED = "unchecked"


class Source(Frozen):
    """A Hit that was saved for questions, described by its Hit alone. `note` is an excerpt that is not verbatim.

    `relation_kind` is derived from `relation` if it is missing. A `carried` one was a source of the job that this one
    updates.
    """

    source_id: str
    number: int
    hit: Hit
    questions: tuple[str, ...]
    citation_ids: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    relation: Relation = Relation.ITSELF
    relation_kind: RelationKind = RelationKind.ITSELF
    note: str = ""
    carried: bool = False

    _kind = model_validator(mode="before")(with_kind)


class ListedSource(NamedTuple):
    """A source without its text: its identifiers, questions and citations."""

    source_id: str
    database: str
    external_id: str
    url: str
    title: str
    relation: Relation
    relation_kind: RelationKind
    questions: tuple[str, ...]
    citation_ids: tuple[str, ...]
    note: str
    year: int | None = None


class Citation(Frozen):
    """A claim with its quote, bound to a Source. `answer_to` is the question in whose answer it was made, empty if it
    was registered while gathering. `section` names the part of the document that contains the quote."""

    citation_id: str
    source_id: str
    claim: str
    quote: str
    quote_check: QuoteCheck
    context: str = ""
    metadata: Mapping[str, str] = {}
    answer_to: str = ""
    section: str = ""


def citation_id(source_key: str, claim: str, quote: str) -> str:
    """The id derived from what is cited: the same source, claim and quote give the same id."""
    digest = hashlib.sha256("\x1f".join((source_key, claim, quote)).encode()).hexdigest()
    return f"cit_{digest[:12]}"
