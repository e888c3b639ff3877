"""What a record is about, relative to the drug."""

from enum import StrEnum
from typing import Any, NamedTuple


class Relation(StrEnum):
    """What a record is about, relative to the drug of the job."""

    ITSELF = "itself"
    DERIVATIVE = "conjugate or derivative"
    COMBINATION = "combination product"
    BIOSIMILAR = "biosimilar or generic"
    COMPARATOR = "comparator"
    CONTEXT = "does not name the drug"


class RelationKind(StrEnum):
    """The drug's role in what a record reports; finer than `Relation`, which distinguishes products.

    `COMBINATION`: studied together with another treatment, or a product contains both. `BACKGROUND`: the patients or
    animals received it, but it is not studied. `MENTIONED`: named in passing. `NONE`: not named.
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
        """Whether the record is evidence of the drug, and so counts for its questions."""
        return self not in (RelationKind.BACKGROUND, RelationKind.MENTIONED, RelationKind.NONE)


class Subject(NamedTuple):
    """What a record is about, and the drug's role in it."""

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
    """A source's fields with a kind; a source stored before kinds existed gets the one that its relation implies."""
    if isinstance(values, dict) and not values.get("relation_kind"):
        return {**values, "relation_kind": implied_kind(Relation(values.get("relation", Relation.ITSELF)))}
    return values


def implied_kind(relation: Relation) -> RelationKind:
    """The kind that the relation alone implies."""
    return _KINDS[relation]
