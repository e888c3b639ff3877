"""Two versions of a record differ in what they say, and in nothing that depends on who was asked."""

from __future__ import annotations

from typing import Any

import pytest

from storm.models import Approval, Hit, LabelDetails, Publication, RecordFacts, Retraction, Section, TrialDetails
from storm.models.record_changes import compare_records
from storm.models.study import EnrollmentKind, StudyDate

HIT = Hit.of("clinicaltrials", "NCT00000001", "https://example.org/1", "A trial", text="It is tried.")


def changed(**fields: Any) -> Hit:
    return HIT.model_copy(update=fields)


def compare(old: Hit, new: Hit) -> dict[str, tuple[str | None, str | None]]:
    return {field.field: (field.old, field.new) for field in compare_records(old, new)}


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (changed(title="RETRACTED: A trial"), {"title": ("A trial", "RETRACTED: A trial")}),
        (changed(facts=RecordFacts(status="Completed")), {"status": (None, "Completed")}),
        (
            changed(facts=RecordFacts(enrollment=12, enrollment_kind=EnrollmentKind.ENROLLED)),
            {"enrolment": (None, "12 participants enrolled")},
        ),
        (
            changed(facts=RecordFacts(completion=StudyDate(date="2026-01", expected=False))),
            {"completion": (None, "2026-01")},
        ),
        (
            changed(facts=RecordFacts(approvals=(Approval(agency="FDA", date="2026-01-02", number="BLA1"),))),
            {"approvals": (None, "FDA BLA1 2026-01-02")},
        ),
        (changed(publication=Publication(label=LabelDetails(version="7"))), {"label version": (None, "7")}),
        (
            changed(publication=Publication(trial=TrialDetails(last_update="2026-01-02"))),
            {"last update": (None, "2026-01-02")},
        ),
        (
            changed(sections=(Section(text="It is tried."), Section(label="Results", text="It works."))),
            {"text": ("12 characters", "23 characters (changed: Results)")},
        ),
        (changed(publication_types=("Journal Article",)), {"publication types": (None, "Journal Article")}),
    ],
)  # fmt: skip
def test_each_field_that_differs_is_named_with_both_values(
    new: Hit, expected: dict[str, tuple[str | None, str | None]]
) -> None:
    assert compare(HIT, new) == expected
    assert compare(new, HIT).keys() == expected.keys()


@pytest.mark.parametrize(
    "same", [HIT, changed(open_access=True), changed(open_url="https://example.org/free"), changed(authors=("Lee A",))]
)
def test_what_depends_on_which_databases_answered_is_no_change(same: Hit) -> None:
    assert compare(HIT, same) == {}


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        (Retraction.NOT_RETRACTED, Retraction.RETRACTED, True),
        (Retraction.NOT_CHECKED, Retraction.CONCERN, True),
        (Retraction.CONCERN, Retraction.NOT_RETRACTED, True),
        (Retraction.NOT_RETRACTED, Retraction.NOT_CHECKED, False),
        (Retraction.RETRACTED, Retraction.NOT_CHECKED, False),
        (Retraction.NOT_CHECKED, Retraction.NOT_RETRACTED, False),
    ],
)
def test_a_retraction_that_was_not_looked_for_is_none_that_was_lifted(
    old: Retraction, new: Retraction, differs: bool
) -> None:
    assert bool(compare(changed(retraction=old), changed(retraction=new))) is differs
