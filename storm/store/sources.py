"""Builds sources from what the store has of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from storm import models
from storm.models import Relation, RelationKind, implied_kind

if TYPE_CHECKING:
    from storm.models import Hit, ListedSource, Source


def make_source(fields: Mapping[str, Any], hit: Hit, positions: Mapping[str, int]) -> Source:
    """A source from its stored fields; `positions` are those of the job's questions."""
    relation, kind = _read_relation(fields["relation"], fields.get("relation_kind"))
    return models.Source(
        source_id=fields["source_id"],
        number=fields["number"],
        hit=hit,
        questions=tuple(sorted(_to_tuple(fields["questions"]), key=positions.__getitem__)),
        citation_ids=_to_tuple(fields["citation_ids"]),
        aliases=_to_tuple(fields["aliases"]),
        relation=relation,
        relation_kind=kind,
        note=fields["note"],
        carried=bool(fields.get("carried")),
    )


def make_listed_source(fields: Mapping[str, Any], hit: Mapping[str, Any], positions: Mapping[str, int]) -> ListedSource:
    """A source from its stored fields and those of its hit without the text."""
    relation, kind = _read_relation(fields["relation"], fields.get("relation_kind"))
    return models.ListedSource(  # by place, as there may be very many
        fields["source_id"],
        hit["database"],
        hit["external_id"],
        hit["url"],
        hit["title"],
        relation,
        kind,
        tuple(sorted(fields["questions"], key=positions.__getitem__)),
        tuple(fields["citation_ids"]),
        fields["note"],
        hit.get("year"),
    )


@cache
def _read_relation(relation: str, kind: str | None) -> tuple[Relation, RelationKind]:
    """A stored relation and its kind; a source stored before kinds existed has the one that its relation implies."""
    known = Relation(relation)
    return known, RelationKind(kind) if kind else implied_kind(known)


def _to_tuple(value: Any) -> tuple[str, ...]:
    """As a tuple; Lua writes an empty list as an empty object."""
    return tuple(value)
