"""What a registered study has done, and what it only plans: its enrolment and its dates, and how readers are told."""

from __future__ import annotations

from enum import StrEnum

from storm.models.base import Frozen

#: States of a study, as a reader knows them, in which nobody can have counted all who will take part.
_STILL_ENROLLING = frozenset(("Not yet recruiting", "Recruiting", "Enrolling by invitation"))


class EnrollmentKind(StrEnum):
    """Whether a number of participants was reached or is a plan."""

    ENROLLED = "enrolled"
    PLANNED = "planned"


class StudyDate(Frozen):
    """A study's date as the registry has it, possibly partial; `expected` is None where it does not say."""

    date: str
    expected: bool | None = None


def enrollment_kind(kind: EnrollmentKind | None, status: str | None) -> EnrollmentKind | None:
    """What the registry says of the number, or what follows from the study's state; None where neither says."""
    return kind or (EnrollmentKind.PLANNED if status in _STILL_ENROLLING else None)


def describe_enrollment(count: int, kind: EnrollmentKind | None) -> str:
    """ "800 participants planned"; a number of which it is not known whether it was reached says so."""
    participants = f"{count:,} participant{'' if count == 1 else 's'}"
    return f"{participants} {kind}" if kind else f"{participants} (planned or enrolled: not stated)"


def describe_date(event: str, date: StudyDate, day: str = "") -> str:
    """ "completion expected 2028-03", or "completion 2019-12-30". Of a date that the registry does not say to be
    expected or reached, the ISO `day` on which it is read decides; without one, the text says that it is not known. A
    date that was expected and has passed by that day was expected: the record does not say what came of it."""
    if date.expected and day and date.date < day[: len(date.date)]:
        return f"{event} was expected {date.date}"
    if date.expected or (date.expected is None and day and date.date > day[: len(date.date)]):
        return f"{event} expected {date.date}"
    return f"{event} {date.date}" + ("" if date.expected is False or day else " (reached or expected: not stated)")
