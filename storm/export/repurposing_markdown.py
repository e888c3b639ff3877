"""Writes a repurposing report as Markdown, from its own fields alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm import planning_wording, wording
from storm.export.markdown import render_parts
from storm.models import FindingsSection, ReportReference, RepurposingReport, TestedHypothesis, database_label
from storm.models.repurposing import write_markdown_by
from storm.reports import repurposing_wording as words
from storm.reports.document import (
    Block,
    BulletList,
    Inlines,
    Link,
    Mark,
    Paragraph,
    Style,
    Text,
    fill_template,
    is_web_address,
    make_heading,
    one_line,
    record_text,
    to_inlines,
)

#: A citation mark in a section.
_MARK = re.compile(r"\[(\d{1,5}(?:,\s?\d{1,5})*)\]")
#: Authors of a reference that are named.
_AUTHORS = 3


def repurposing_markdown(report: RepurposingReport) -> str:
    """The report as Markdown: its sections, the numbered references, and how much was read and how sure it is."""
    references = ((n, _describe_reference(one)) for n, one in enumerate(report.references, start=1))
    return render_parts(one_line(report.title).strip(), _list_blocks(report), references, _close(report))


def _list_blocks(report: RepurposingReport) -> Iterator[Block]:
    yield from _write(words.SUMMARY, report.executive_summary)
    yield from _write(words.QUESTION, report.research_question)
    yield from _write(words.METHOD, report.methodology)
    hypotheses = [_describe_hypothesis(one) for one in report.hypotheses_tested]
    yield from _list(words.HYPOTHESES, hypotheses, f"{planning_wording.NO_HYPOTHESES}.")
    yield from _write_findings(words.MECHANISTIC, report.mechanistic_findings, len(report.references))
    yield from _write_findings(words.CLINICAL_FINDINGS, report.clinical_findings, len(report.references))
    yield from _list(words.CANDIDATES, list(_list_candidates(report)), words.NO_CANDIDATE)
    limitations = [(record_text(line),) for line in report.limitations]
    yield from _list(words.LIMITATIONS, limitations, words.NO_LIMITATION)
    yield from _write(words.CONCLUSION, report.conclusion)
    if report.removed_references:
        yield from _list(words.REMOVED, list(_list_removed(report)), words.NONE)
    yield make_heading(words.REFERENCES, "references")
    if not report.references:
        yield Paragraph(content=to_inlines(words.NONE))


def _write(heading: str, text: str) -> Iterator[Block]:
    """A heading, and the text line by line."""
    yield make_heading(heading, "part")
    yield from (Paragraph(content=(record_text(line),)) for line in text.splitlines() if line.strip())


def _list(heading: str, items: Sequence[Inlines], nothing: str) -> Iterator[Block]:
    """A heading, and the items, or what is said where there are none."""
    yield make_heading(heading, "part")
    yield BulletList(items=tuple(items)) if items else Paragraph(content=to_inlines(nothing))


def _write_findings(heading: str, sections: Sequence[FindingsSection], references: int) -> Iterator[Block]:
    yield make_heading(heading, "findings")
    for section in sections:
        yield make_heading(section.title, "section", level=3)
        lines = (line for line in section.content.splitlines() if line.strip())
        yield from (Paragraph(content=to_inlines(*_split_marks(line, references))) for line in lines)
    if not sections:
        yield Paragraph(content=to_inlines(words.NONE))


def _split_marks(line: str, references: int) -> Iterator[str | Mark]:
    """The text with its marks; one of a number without a reference is not a mark."""
    end = 0
    for found in _MARK.finditer(line):
        numbers = tuple(map(int, found[1].split(",")))
        if all(1 <= number <= references for number in numbers):
            yield line[end : found.start()]
            yield Mark(numbers=numbers)
            end = found.end()
    yield line[end:]


def _describe_hypothesis(one: TestedHypothesis) -> Inlines:
    return fill_template(
        words.TESTED_LINE,
        status=Text(text=words.STATUSES[one.status], style=Style.STRONG),
        supported=f"{one.supported:,}",
        contradicted=f"{one.contradicted:,}",
        mechanism=one.mechanism,
    )


def _list_candidates(report: RepurposingReport) -> Iterator[Inlines]:
    for one in report.drug_candidates:
        status = words.STATUSES[one.status]
        yield fill_template(words.CANDIDATE_LINE, name=one.name, mechanism=one.mechanism, status=status)


def _list_removed(report: RepurposingReport) -> Iterator[Inlines]:
    for one in report.removed_references:
        yield fill_template(words.REMOVED_LINE, title=one.title, place=one.place, reason=one.reason)


def _describe_reference(one: ReportReference) -> Inlines:
    """ "Doe J, Roe R. Title. PubMed. 2001. <link>"."""
    authors = ", ".join((*one.authors[:_AUTHORS], *([wording.ET_AL] if len(one.authors) > _AUTHORS else [])))
    parts = (authors, one.title, database_label(one.source) if one.source else "", one.date)
    text = " ".join(f"{part.strip().rstrip('.')}." for part in parts if part.strip())
    link = to_inlines(" ", Link(url=one.url)) if is_web_address(one.url) else ()
    return to_inlines(record_text(text), link)


def _close(report: RepurposingReport) -> tuple[Block, ...]:
    closing = words.CLOSING.format(
        papers=report.total_papers_reviewed,
        iterations=report.search_iterations,
        confidence=planning_wording.format_score(report.confidence_score),
    )
    return (Paragraph(content=to_inlines(closing)),)


write_markdown_by(repurposing_markdown)
