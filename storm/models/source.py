"""A record that a job keeps under its questions."""

from collections.abc import Iterable
from typing import NamedTuple

from pydantic import model_validator

from storm.models.base import Frozen
from storm.models.hit import Hit
from storm.models.relation import Relation, RelationKind, with_kind


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


def index_sources(sources: Iterable[Source]) -> dict[str, Source]:
    """The sources by each id under which statements may cite them: their own, and those of sources that became part of
    them."""
    return {name: source for source in sources for name in (source.source_id, *source.aliases)}


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
