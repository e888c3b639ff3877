"""How two versions of a record differ, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from storm.models.changes import FieldChange
from storm.models.hit import Hit
from storm.models.publication import LabelDetails, PatentDetails, TrialDetails
from storm.models.retraction import Retraction
from storm.models.study import StudyDate, describe_date, describe_enrollment

#: Statuses that a check found; `not_checked` says nothing of a record.
_MARKED = (Retraction.RETRACTED, Retraction.CONCERN)
#: At most this many changed sections of a text are named.
_NAMED = 5

#: The fields that are compared, as a reader calls them. What depends on which databases answered is left out.
_FIELDS: Mapping[str, Callable[[Hit], str | None]] = {
    "title": lambda hit: hit.title,
    "status": lambda hit: hit.facts.status,
    "phase": lambda hit: hit.facts.phase,
    "enrolment": lambda hit: _describe_enrollment(hit),
    "why stopped": lambda hit: hit.facts.why_stopped,
    "primary completion": lambda hit: _describe_date(hit.facts.primary_completion),
    "completion": lambda hit: _describe_date(hit.facts.completion),
    "sponsor": lambda hit: hit.facts.sponsor,
    "last update": lambda hit: (hit.publication.trial or TrialDetails()).last_update,
    "label version": lambda hit: (hit.publication.label or LabelDetails()).version,
    "label effective": lambda hit: (hit.publication.label or LabelDetails()).effective_date,
    "boxed warning": lambda hit: hit.facts.boxed_warning,
    "approvals": lambda hit: "; ".join(_describe_approvals(hit)),
    "expiry": lambda hit: hit.facts.expiry,
    "paediatric expiry": lambda hit: hit.facts.paediatric_expiry,
    "legal status": lambda hit: (hit.publication.patent or PatentDetails()).legal_status,
    "publication types": lambda hit: "; ".join(sorted(hit.publication_types)),
}


def compare_records(old: Hit, new: Hit) -> tuple[FieldChange, ...]:
    """The fields that differ, old and new; empty for versions that say the same."""
    return tuple(_list_changes(old, new))


def _list_changes(old: Hit, new: Hit) -> Iterator[FieldChange]:
    if old.retraction is not new.retraction and _is_marked(old, new):
        yield FieldChange(field="retraction", old=old.retraction, new=new.retraction)
    for name, read in _FIELDS.items():
        before, after = read(old) or None, read(new) or None
        if before != after:
            yield FieldChange(field=name, old=before, new=after)
    if old.text != new.text:
        changed = _list_sections(old, new)
        named = f" (changed: {', '.join(changed)})" if changed else ""
        yield FieldChange(field="text", old=_describe_length(old), new=f"{_describe_length(new)}{named}")


def _is_marked(old: Hit, new: Hit) -> bool:
    """Whether a status that was found came, or one was lifted; one that was not looked for says nothing."""
    return new.retraction in _MARKED or (old.retraction in _MARKED and new.retraction is Retraction.NOT_RETRACTED)


def _describe_length(hit: Hit) -> str:
    return f"{len(hit.text):,} characters"


def _list_sections(old: Hit, new: Hit) -> list[str]:
    """The headings of the new version's sections that the old one does not have with these words."""
    before = {(section.label, section.text) for section in old.sections}
    changed = (section.label for section in new.sections if (section.label, section.text) not in before)
    return list(dict.fromkeys(filter(None, changed)))[:_NAMED]


def _describe_enrollment(hit: Hit) -> str | None:
    count = hit.facts.enrollment
    return None if count is None else describe_enrollment(count, hit.facts.enrollment_kind)


def _describe_date(date: StudyDate | None) -> str | None:
    return describe_date("", date).strip() if date else None


def _describe_approvals(hit: Hit) -> Iterator[str]:
    for one in hit.facts.approvals:
        yield " ".join(filter(None, (one.agency, one.number, one.product, one.date, one.indication)))
