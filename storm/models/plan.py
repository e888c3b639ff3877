"""What a job will look for."""

from __future__ import annotations

from pydantic import Field

from storm.models.base import Frozen
from storm.models.syllabus import Syllabus


class Plan(Frozen):
    """The names that the drug is searched by, its own first, and the questions to cover."""

    names: tuple[str, ...] = Field(min_length=1)
    syllabus: Syllabus
