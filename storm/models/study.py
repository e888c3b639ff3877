"""Enrolment and dates of a registered study, reached or planned, and their wording."""

from enum import StrEnum

from storm.models.base import Frozen

#: Statuses of a study that still enrols, so that its number of participants is not final.
_STILL_ENROLLING = frozenset(("Not yet recruiting", "Recruiting", "Enrolling by invitation"))


class EnrollmentKind(StrEnum):
    """Whether a number of participants was reached or is planned."""

    ENROLLED = "enrolled"
    PLANNED = "planned"


class StudyDate(Frozen):
    """A study's date from the registry, possibly partial; `expected` is None if the registry does not say."""

    date: str
    expected: bool | None = None


def enrollment_kind(kind: EnrollmentKind | None, status: str | None) -> EnrollmentKind | None:
    """What the registry says of the number, or what follows from the study's status; None if neither says."""
    return kind or (EnrollmentKind.PLANNED if status in _STILL_ENROLLING else None)


def describe_enrollment(count: int, kind: EnrollmentKind | None) -> str:
    """ "800 participants planned"; if the registry does not say whether a number was reached, the text says so."""
    participants = f"{count:,} participant{'' if count == 1 else 's'}"
    return f"{participants} {kind}" if kind else f"{participants} (planned or enrolled: not stated)"


def describe_date(event: str, date: StudyDate, day: str = "") -> str:
    """ "completion expected 2028-03", or "completion 2019-12-30". If the registry does not say whether a date is
    expected or reached, the ISO `day` of reading decides; without one, the text says that it is not stated. An expected
    date that has passed by that day "was expected": the record does not say whether it was reached."""
    if date.expected and day and date.date < day[: len(date.date)]:
        return f"{event} was expected {date.date}"
    if date.expected or (date.expected is None and day and date.date > day[: len(date.date)]):
        return f"{event} expected {date.date}"
    return f"{event} {date.date}" + ("" if date.expected is False or day else " (actual or estimated: not stated)")
