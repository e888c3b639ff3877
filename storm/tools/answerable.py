"""Which questions a record may be saved under."""

from __future__ import annotations

from collections.abc import Sequence

from storm import wording
from storm.errors import ToolError
from storm.evidence.design import is_report
from storm.models import Hit, Subject, Syllabus


def select_answerable(
    hit: Hit, questions: Sequence[str], subject: Subject, syllabus: Syllabus
) -> tuple[list[str], list[str]]:
    """The questions that a record may answer, and remarks; ToolError if it may answer none.

    A record that only mentions the drug is not evidence: it counts for no question and answers none about the drug's
    own effects. Nor does an erratum, a protocol or an editorial, which has no results.
    """
    is_evidence = subject.kind.is_evidence
    if is_evidence and is_report(hit):
        return list(questions), []
    why = f"{hit.key} {wording.NO_RESULTS if is_evidence else wording.NO_EVIDENCE[subject.kind]}"
    kept = [key for key in questions if not syllabus.question(key).itself_only]
    if not kept:
        raise ToolError(f"{why}, so it answers none of these; save a record that studies the drug")
    place = "under the other questions" if is_evidence else "as context, it counts for no question"
    return kept, [f"{why}: kept {place}"]
