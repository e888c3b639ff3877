"""Numbers and dates the references of a dossier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm.models import Dossier, Reference, SearchRecord
from storm.reports.dossier_document import dossier_document

#: Databases in local files: their records have no day of retrieval.
_LOCAL = ("sample", "corpus")


def number_as_printed(report: Dossier) -> Dossier:
    """The report with its references numbered in the order of their first marks in its document."""
    printed = {n: position for position, n in enumerate(dict.fromkeys(dossier_document(report).marks), start=1)}
    ordered = sorted(report.references, key=lambda one: printed.get(one.n, len(printed) + one.n))
    numbered = (one.model_copy(update={"n": n}) for n, one in enumerate(ordered, start=1))
    return report.model_copy(update={"references": tuple(numbered)})


def add_retrieval_days(
    references: Sequence[Reference], searches: Sequence[SearchRecord], before: Mapping[str, str]
) -> Iterator[Reference]:
    """Date references from public services by the day of the answer, the oldest if there are several; `before` are the
    days of sources that were carried over, if no search returned them again."""
    days: dict[str, str] = {}
    for search in searches:
        if search.database not in _LOCAL:
            day = f"{search.answered or search.at:%Y-%m-%d}"
            days |= {key: min(day, days.get(key, day)) for key in search.hits}
    for reference in references:
        found = [days[identifier] for identifier in reference.identifiers if identifier in days]
        read = min(found, default=before.get(reference.source_id))
        yield reference.model_copy(update={"retrieved": read}) if read else reference
