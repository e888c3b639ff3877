from __future__ import annotations

import pytest
from dossiers import dossier
from pydantic import ValidationError

from storm.models import Dossier, Lack, LackKind

UNFINISHED = "Not answered, or only in part, although sources were found: Harm. The gaps under each question say why."
UNJUDGED = "Not judged: 2 of the statements; where one is shown, it says so."


def _store_before(**fields: object) -> dict[str, object]:
    """The fields of a dossier as a version without lacks stored them."""
    return {**dossier().model_dump(mode="json", exclude={"lacks"}), **fields}


def test_the_notes_of_an_earlier_version_are_read_as_what_is_lacking() -> None:
    read = Dossier.model_validate(_store_before(notes=["Of no kind.", UNFINISHED, UNJUDGED]))
    assert read.lacks == (
        Lack(kind=LackKind.UNFINISHED, note=UNFINISHED), Lack(kind=LackKind.UNJUDGED, note=UNJUDGED),
    )  # fmt: skip
    assert read.notes == ("Of no kind.", UNFINISHED, UNJUDGED)


def test_what_a_dossier_stores_of_its_lacks_is_read_whatever_its_notes_say() -> None:
    said = Lack(kind=LackKind.UNJUDGED, note="Nobody judged one statement.")
    made = dossier(notes=(UNFINISHED, said.note), lacks=(said,))
    assert Dossier.model_validate_json(made.model_dump_json()).lacks == (said,)


@pytest.mark.parametrize("notes", [None, 5, [5]])
def test_notes_that_are_no_texts_are_refused_as_a_field_that_cannot_be_read(notes: object) -> None:
    with pytest.raises(ValidationError, match="notes"):
        Dossier.model_validate(_store_before(notes=notes))
