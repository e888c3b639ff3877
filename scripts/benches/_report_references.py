"""Written references as those of a repurposing report, whose evidence is collected sources."""

from __future__ import annotations

from collections.abc import Sequence

from storm.citations import WrittenReference
from storm.citations.report_references import describe_reference, validate_references
from storm.citations.verification import build_references
from storm.models import EvidencePiece, FindingsSection, ReportReference, RepurposingReport, Source

#: References of one report.
EACH = 2_500


def validate_in_reports(sources: Sequence[Source], references: Sequence[WrittenReference]) -> list[int | None]:
    """The number of the source that the validation of a report takes each reference for, None if it removes it.

    Each is a reference of a report and the citation of a section of its own: SystemExit where these do not agree.
    """
    evidence = [EvidencePiece(content=one.title, citation=one) for one in map(describe_source, sources)]
    numbers = {piece.citation: source.number for piece, source in zip(evidence, sources, strict=True)}
    written = [*map(describe_written, references)]
    parts = [written[at : at + EACH] for at in range(0, len(written), EACH)]
    taken = [one for part in parts for one in validate_in_report(part, evidence)]
    return [numbers[one] if one else None for one in taken]


def validate_in_report(
    references: Sequence[ReportReference], evidence: Sequence[EvidencePiece]
) -> list[ReportReference | None]:
    """The reference of the evidence that each is taken for."""
    validated = validate_references(report_with(references), evidence)
    taken = [section.citations for section in validated.mechanistic_findings]
    places = {reference: n for n, reference in enumerate(validated.references, start=1)}
    marks = [f"Found [{places[cited[0]]}]." if cited else "Found [reference removed]." for cited in taken]
    if marks != [section.content for section in validated.mechanistic_findings]:
        raise SystemExit("the marks of the sections are not those of their citations")
    if {one for cited in taken for one in cited} != {*validated.references}:
        raise SystemExit("the references of the report are not those of its sections")
    return [cited[0] if cited else None for cited in taken]


def report_with(references: Sequence[ReportReference]) -> RepurposingReport:
    """A report with a section for each reference."""
    sections = (
        FindingsSection(title=f"Section {n}", content=f"Found [{n}].", citations=(reference,))
        for n, reference in enumerate(references, start=1)
    )
    return RepurposingReport(
        title="A drug for a disease", executive_summary="Nothing is known of it. " * 5, methodology="None.",
        research_question="Does the drug help?", conclusion="None.", references=tuple(references),
        mechanistic_findings=tuple(sections),
    )  # fmt: skip


def describe_source(source: Source) -> ReportReference:
    """The reference to a source, in the words of its record."""
    return describe_reference(build_references([source.source_id], [source])[0])


def describe_written(reference: WrittenReference) -> ReportReference:
    """A written reference as a report has it."""
    return ReportReference(
        title=reference.title, source=reference.source_type, date=str(reference.year or ""), url=reference.url,
        identifiers=reference.identifiers,
    )  # fmt: skip
