"""Where a job searches, as storm decided."""

from enum import StrEnum

from storm.models.base import Frozen


class Place(StrEnum):
    """The public databases (with the user's corpus), that corpus alone, or the bundled sample."""

    LIVE = "live"
    CORPUS = "corpus"
    SAMPLE = "sample"


class Scope(Frozen):
    """Where the job searches since its plan was made, so that a resume searches the same place; `unreachable` says why
    each public service could not be searched."""

    place: Place
    unreachable: dict[str, str] = {}
