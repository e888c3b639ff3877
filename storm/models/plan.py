"""The plan of a job."""

from __future__ import annotations

from pydantic import Field

from storm.models.base import Frozen
from storm.models.identity import DrugIdentity, Related
from storm.models.syllabus import Syllabus

#: How many names are searched for, most reliable first: services limit the length of a query.
MOST_NAMES = 16


class Plan(Frozen):
    """The drug's names, its own first, by which records are recognised; the questions to cover; and what the name
    means. `notes` say what a reader must know of that meaning."""

    names: tuple[str, ...] = Field(min_length=1)
    syllabus: Syllabus
    identity: DrugIdentity | None = None
    notes: tuple[str, ...] = ()

    @property
    def searched_names(self) -> tuple[str, ...]:
        """The names used in queries."""
        return self.names[:MOST_NAMES]

    @property
    def related_names(self) -> tuple[Related, ...]:
        """The names of related products that are not the drug itself."""
        return self.identity.related if self.identity else ()
