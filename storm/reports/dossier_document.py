"""Lays out a dossier or a report as a document, in reading order."""

from __future__ import annotations

from collections.abc import Iterator

from storm import wording
from storm.models import Dossier, Holds, ResearchReport, database_info, database_label
from storm.reports import research_wording as words
from storm.reports.answers import answer_blocks
from storm.reports.bibliography import Bibliography
from storm.reports.change_blocks import change_blocks
from storm.reports.deep_research_blocks import answered_blocks
from storm.reports.document import (
    Block,
    Document,
    Inlines,
    Note,
    Paragraph,
    Style,
    Table,
    Text,
    fill_template,
    join_texts,
    make_cells,
    make_heading,
    record_text,
    to_inlines,
)
from storm.reports.failures import describe_failures, describe_unresearched
from storm.reports.glance_tables import describe_designs, glance_blocks
from storm.reports.hypotheses import has_no_evidence
from storm.reports.methodology import methodology_blocks
from storm.reports.pictures import evidence_figure
from storm.reports.prisma_s import prisma_s_blocks
from storm.reports.record_table_blocks import record_table_blocks
from storm.reports.report import document_of
from storm.reports.repurposing_blocks import conclusion_blocks, describe_authorship, hypothesis_blocks
from storm.reports.research_blocks import request_blocks, title_of
from storm.reports.search_log import search_log_blocks
from storm.reports.section_blocks import section_blocks
from storm.reports.sections import is_on_drug, name_relation
from storm.reports.summary_blocks import summary_blocks

#: Records that are fields and no prose.
_OF_FIELDS = (Holds.STUDIES, Holds.LICENCES, Holds.MOLECULES)


@document_of.register
def dossier_document(dossier: Dossier) -> Document:
    """The whole dossier, or report; each statement has its quote, each mark its reference."""
    bibliography = Bibliography(dossier.references, lambda text: name_relation(text, dossier))
    lay_out = _answer_blocks if dossier.deep_research else _report_blocks
    return Document(
        title=title_of(dossier),
        created=dossier.created,
        blocks=(
            *_head_blocks(dossier),
            *lay_out(dossier, bibliography),
            make_heading(wording.REFERENCES, "references"),
            *_reference_notes(dossier),
        ),
        references=bibliography.numbered_references(),
        appendix=(*search_log_blocks(dossier), *prisma_s_blocks(dossier)),
    )


def _report_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    yield from hypothesis_blocks(dossier, bibliography)
    yield from summary_blocks(dossier, bibliography)
    yield from change_blocks(dossier, bibliography)
    yield from section_blocks(dossier, bibliography)
    yield from conclusion_blocks(dossier)
    yield from _finding_blocks(dossier, bibliography)
    yield from methodology_blocks(dossier)


def _answer_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The answer to one question comes first; what else its sources say, last."""
    yield from answered_blocks(dossier, bibliography)
    yield from methodology_blocks(dossier)
    yield from answer_blocks(dossier, bibliography)


def _finding_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The facts on the drug, the coverage, the answers and the tables; of a report without evidence the coverage."""
    if has_no_evidence(dossier):
        yield from _coverage_blocks(dossier)
        return
    yield from _drug_blocks(dossier, bibliography)
    yield from _coverage_blocks(dossier)
    yield from answer_blocks(dossier, bibliography)
    yield from record_table_blocks(dossier, bibliography)


def _drug_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The facts on the drug; nothing for a question without one."""
    if is_on_drug(dossier):
        yield make_heading(_name_glance(dossier), "at-a-glance")
        yield from glance_blocks(dossier, bibliography)


def _name_glance(dossier: Dossier) -> str:
    """The heading of the facts, which names the drug where the title need not."""
    drug = dossier.identity.inn if isinstance(dossier, ResearchReport) and dossier.identity else None
    return words.AT_A_GLANCE.format(drug=f"{drug[:1].upper()}{drug[1:]}") if drug else wording.AT_A_GLANCE


def _reference_notes(dossier: Dossier) -> Iterator[Block]:
    """What the levels in the list of references are, or that there is no reference."""
    if not dossier.references:
        yield Paragraph(content=to_inlines(wording.NO_REFERENCES))
    elif any(reference.score is not None for reference in dossier.references):
        yield Paragraph(content=to_inlines(wording.LEVELS))


def _head_blocks(dossier: Dossier) -> Iterator[Block]:
    yield from request_blocks(dossier)
    databases = join_texts("; ", (database_label(use.name) for use in dossier.searched_databases))
    yield Paragraph(
        content=fill_template(
            wording.JOB,
            job=Text(text=dossier.job_id, style=Style.CODE),
            started=f"{dossier.created:%Y-%m-%d %H:%M:%S}Z",
            engine=dossier.engine,
            databases=databases or wording.NOTHING,
        )
    )
    yield Paragraph(content=_describe_basis(dossier))
    notes = () if dossier.deep_research else dossier.notes  # an answer has them among its limits
    if notes := (*describe_failures(dossier), *describe_unresearched(dossier), *notes):
        yield Note(paragraphs=tuple((record_text(note),) for note in notes))


def _describe_basis(dossier: Dossier) -> Inlines:
    """The disclaimer, the basis of the statements, and how many are unsupported or not judged."""
    says_something = any(answer.statements or answer.conflicts for answer in dossier.answers)
    unwritten = wording.NOTHING_SAID if has_no_evidence(dossier) else wording.NO_STATEMENT
    written = wording.WRITTEN.format(report=dossier.file_name) if says_something else unwritten
    copied = _describe_copies(dossier) if says_something else to_inlines(wording.NOTHING_SAID)
    counts = dossier.statements
    marked = fill_template(
        wording.MARKED,
        statements=wording.format_count(counts.marked, "statement"),
        warning=Text(text=wording.NOT_SUPPORTED, style=Style.STRONG),
    )
    return fill_template(
        wording.BASIS,
        aid=Text(text=wording.RESEARCH_AID, style=Style.STRONG),
        basis=written if dossier.by_model else copied,
        marked=marked if counts.marked else (),
        to_be_judged=fill_template(wording.TO_BE_JUDGED, not_judged=wording.NOT_JUDGED) if counts.unjudged else (),
    ) + to_inlines(describe_authorship(dossier))


def _describe_copies(dossier: Dossier) -> Inlines:
    """That the sentences stand in their sources, and which of them storm puts together from fields."""
    has_fields = any(database_info(one.source_type).holds in _OF_FIELDS for one in dossier.references)
    return fill_template(
        wording.COPIED,
        added=Text(text=wording.ADDED, style=Style.EMPHASIS),
        fields=wording.OF_FIELDS if has_fields else "",
    )


def _coverage_blocks(dossier: Dossier) -> Iterator[Block]:
    state, designs = dossier.coverage, dossier.at_a_glance.designs
    yield make_heading(wording.COVERAGE, "coverage")
    rows = tuple(
        make_cells(
            question.label,
            str(question.sources),
            "" if question.answering is None else str(question.answering),
            str(question.min_sources),
            wording.ENOUGH if question.answered else wording.TOO_FEW,
            describe_designs(designs[question.question]),
        )
        for question in state.questions
    )
    yield Table(head=make_cells(*wording.COVERAGE_HEAD), rows=rows)
    yield from evidence_figure(dossier)
    names = ", ".join(map(database_label, state.databases))
    databases = wording.format_count(len(state.databases), "database")
    yield Paragraph(
        content=fill_template(
            wording.TOO_FEW_IN_ALL if len(state.databases) < state.min_databases else wording.IN_ALL,
            sources=wording.format_count(state.total, "source"),
            origins=fill_template(wording.ORIGINS, databases=databases, names=names) if names else (),
            needed=wording.format_count(state.min_databases, "database"),
        )
    )
