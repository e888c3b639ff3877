"""What a dossier lacks although sources were found, for those that act on it; its notes say the same to a reader."""

from enum import StrEnum
from typing import Any

from storm.models.base import Frozen


class LackKind(StrEnum):
    """What is lacking: a full answer, or a judgement of statements."""

    UNFINISHED = "unfinished"
    UNJUDGED = "unjudged"


class Lack(Frozen):
    """Questions that are not fully answered, or statements that were not judged, with the note that says so."""

    kind: LackKind
    note: str


#: How these notes begin in dossiers of versions that did not store their kinds.
_EARLIER = {
    "Not answered, or only in part, although sources were found: ": LackKind.UNFINISHED,
    "Not judged: ": LackKind.UNJUDGED,
}


def read_lacks(notes: Any) -> tuple[Lack, ...]:
    """The lacks among the notes of a dossier that was stored without them; of what is not a list of notes, none."""
    texts = [note for note in notes if isinstance(note, str)] if isinstance(notes, list | tuple) else []
    return tuple(
        Lack(kind=kind, note=note)
        for note in texts
        for beginning, kind in _EARLIER.items()
        if note.startswith(beginning)
    )
