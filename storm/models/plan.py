"""What a job will look for."""

from __future__ import annotations

from pydantic import Field

from storm.models.base import Frozen
from storm.models.identity import DrugIdentity, Related
from storm.models.syllabus import Syllabus


class Plan(Frozen):
    """The names that the drug is searched by, its own first, the questions to cover, and what the name means."""

    names: tuple[str, ...] = Field(min_length=1)
    syllabus: Syllabus
    identity: DrugIdentity | None = None

    @property
    def related(self) -> tuple[Related, ...]:
        """The names of products that are not the drug itself."""
        return self.identity.related if self.identity else ()
