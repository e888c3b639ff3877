"""Convert openFDA's counts of adverse event reports (FAERS) to one Hit, with a caution on their meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, end_sentence, mapping_at, text_line
from storm.errors import RecordError
from storm.models import Hit, Retraction, Section, SectionKind

_CAUTION = (
    "These are numbers of reports that name the drug, sent to the FDA Adverse Event Reporting System (FAERS), and no "
    "rates: a report does not show that the drug caused the event, and one event may be reported more than once."
)


def count_hit(answer: Mapping[str, Any], external_id: str, name: str, url: str) -> Hit | RecordError:
    """Convert counts by reaction to one Hit about the drug with this name."""
    counts = [(text_line(row.get("term")), row.get("count")) for row in map(as_mapping, as_list(answer.get("results")))]
    lines = [_describe_count(term, count, name) for term, count in counts if term and type(count) is int and count > 0]
    if not lines:
        return RecordError("the answer counts no reactions")
    meta = mapping_at(answer, "meta")
    date = parse_date(text_line(meta.get("last_updated")))
    caution = " ".join(end_sentence(part) for part in (_CAUTION, text_line(meta.get("disclaimer"))) if part)
    return Hit.of(
        "openfda",
        external_id,
        url,
        f"Adverse event reports that name {name}: the most reported reactions",
        sections=tuple(
            Section(label=label, text=text, kind=SectionKind.FIELD)
            for label, text in (("REPORTED REACTIONS", "\n".join(lines)), ("CAUTION", caution))
        ),
        year=year_of(date),
        date=date,
        container="FDA Adverse Event Reporting System (FAERS), by openFDA",
        publication_types=("Adverse event reports",),
        retraction=Retraction.NOT_RETRACTED,
    )


def _describe_count(term: str, count: int, name: str) -> str:
    many = "1 report that names" if count == 1 else f"{count:,} reports that name"
    return f"{term[:1].upper()}{term[1:].lower()}: {many} {name} (reports, not incidence)."
