"""Where a job searches, as storm decided it."""

from __future__ import annotations

from enum import StrEnum

from storm.models.base import Frozen


class Place(StrEnum):
    """The public databases (with the user's corpus), that corpus alone, or the bundled sample."""

    LIVE = "live"
    CORPUS = "corpus"
    SAMPLE = "sample"


class Scope(Frozen):
    """What was there to be searched when the job's plan was made, so that a resume searches the same; `unreachable` is
    why each public service was not."""

    place: Place
    unreachable: dict[str, str] = {}
