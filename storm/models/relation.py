"""What a record can be about."""

from __future__ import annotations

from enum import StrEnum


class Relation(StrEnum):
    """What a record is about, seen from the drug of the job."""

    ITSELF = "itself"
    DERIVATIVE = "conjugate or derivative"
    COMBINATION = "combination product"
    BIOSIMILAR = "biosimilar or generic"
    COMPARATOR = "comparator"
    CONTEXT = "does not name the drug"
