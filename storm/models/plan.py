"""What a job will look for."""

from __future__ import annotations

from pydantic import Field

from storm.models.base import Frozen
from storm.models.identity import DrugIdentity, Related
from storm.models.syllabus import Syllabus

#: The search log's name for finding out what a name means: these searches belong to no question.
NAMES = "names"
#: The names that are searched for, the surest first: a service takes no query of any length.
MOST_NAMES = 16


class Plan(Frozen):
    """The drug's names, its own first, by which records are known; the questions to cover; and what the name means.

    `notes` are what a reader must know of that meaning.
    """

    names: tuple[str, ...] = Field(min_length=1)
    syllabus: Syllabus
    identity: DrugIdentity | None = None
    notes: tuple[str, ...] = ()

    @property
    def searched(self) -> tuple[str, ...]:
        """The names that queries look for."""
        return self.names[:MOST_NAMES]

    @property
    def related(self) -> tuple[Related, ...]:
        """The names of products that are not the drug itself."""
        return self.identity.related if self.identity else ()
