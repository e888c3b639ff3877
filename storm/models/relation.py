"""What a record can be about."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple


class Relation(StrEnum):
    """What a record is about, seen from the drug of the job."""

    ITSELF = "itself"
    DERIVATIVE = "conjugate or derivative"
    COMBINATION = "combination product"
    BIOSIMILAR = "biosimilar or generic"
    COMPARATOR = "comparator"
    CONTEXT = "does not name the drug"


class RelationKind(StrEnum):
    """What part the drug has in what a record reports; finer than `Relation`, which tells products apart.

    `COMBINATION`: another treatment together with it is studied, or a product holds both. `BACKGROUND`: the patients or
    animals had it, before or besides, and it is not what is studied. `MENTIONED`: named in passing. `NONE`: not named.
    """

    ITSELF = "itself"
    COMBINATION = "combination"
    COMPARATOR = "comparator"
    DERIVATIVE = "derivative"
    BACKGROUND = "background"
    MENTIONED = "mentioned"
    NONE = "none"

    @property
    def is_evidence(self) -> bool:
        """Whether the record says something of the drug, and so counts among the sources of a question."""
        return self not in (RelationKind.BACKGROUND, RelationKind.MENTIONED, RelationKind.NONE)


class Subject(NamedTuple):
    """What a record is about, and what part the drug has in it."""

    relation: Relation
    kind: RelationKind


#: A record that is about the drug itself.
STUDIED = Subject(Relation.ITSELF, RelationKind.ITSELF)


_KINDS = {
    Relation.ITSELF: RelationKind.ITSELF,
    Relation.DERIVATIVE: RelationKind.DERIVATIVE,
    Relation.BIOSIMILAR: RelationKind.DERIVATIVE,
    Relation.COMBINATION: RelationKind.COMBINATION,
    Relation.COMPARATOR: RelationKind.COMPARATOR,
    Relation.CONTEXT: RelationKind.NONE,
}


def with_kind(values: Any) -> Any:
    """A source's fields with a kind; one that was stored before kinds were has the one that its relation implies."""
    if isinstance(values, dict) and not values.get("relation_kind"):
        return {**values, "relation_kind": kind_of(Relation(values.get("relation", Relation.ITSELF)))}
    return values


def kind_of(relation: Relation) -> RelationKind:
    """What follows from the relation alone, where nothing finer is known."""
    return _KINDS[relation]
