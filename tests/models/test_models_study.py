"""What a study's status says of its number of participants."""

from __future__ import annotations

import pytest

from storm.models.study import EnrollmentKind, enrollment_kind


@pytest.mark.parametrize("status", ["Not yet recruiting", "Recruiting", "Enrolling by invitation"])
def test_a_study_that_still_enrols_has_planned_participants(status: str) -> None:
    assert enrollment_kind(None, status) is EnrollmentKind.PLANNED
    assert enrollment_kind(EnrollmentKind.ENROLLED, status) is EnrollmentKind.ENROLLED


@pytest.mark.parametrize("status", ["Completed", "Terminated", None])
def test_of_another_study_nothing_is_known_by_its_status(status: str | None) -> None:
    assert enrollment_kind(None, status) is None
