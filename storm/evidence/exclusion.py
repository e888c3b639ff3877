"""Why a record is not evidence on the drug, by rules."""

from __future__ import annotations

from storm.evidence.design import is_report
from storm.models import Exclusion, Hit, RelationKind, Retraction, Subject


def find_exclusion(hit: Hit, subject: Subject | None) -> Exclusion | None:
    """Why a record that is about this subject is not evidence on the drug; None if it may be some."""
    if subject is None or subject.kind is RelationKind.NONE:
        return Exclusion.NOT_NAMED
    if not subject.kind.is_evidence:
        return Exclusion.MENTIONED
    if hit.retraction is Retraction.RETRACTED:
        return Exclusion.RETRACTED
    return None if is_report(hit) else Exclusion.NO_REPORT
