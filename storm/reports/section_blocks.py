"""Lays out the sections of a researched report: its statements as running text or as lists, and tables beside them."""

from __future__ import annotations

from collections.abc import Iterator

from storm.models import Dossier, ReportSection, SummarySentence
from storm.models.report_form import ReportForm, read_form
from storm.reports import research_wording as words
from storm.reports.answers import make_sentence
from storm.reports.bibliography import Bibliography
from storm.reports.document import (
    SECTION,
    Block,
    BulletList,
    Paragraph,
    Sentence,
    Style,
    Text,
    fill_template,
    join_inlines,
    make_heading,
    to_inlines,
)
from storm.reports.record_table_blocks import lay_out_table
from storm.reports.sections import find_levels, list_sections, list_tables_beside


def section_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The sections; one that was left out is said where it would stand."""
    levels, sections = find_levels(dossier), list_sections(dossier)
    parents = {section.part.parent for section in sections}
    for section in sections:
        yield make_heading(section.part.heading, f"{SECTION}{section.part.anchor}", levels[section.part.anchor])
        blocks = [*_write_text(section, dossier, bibliography), *_write_tables(section, dossier, bibliography)]
        reason = section.left_out or ("" if blocks or section.part.anchor in parents else words.NOTHING_PLACED)
        if reason:
            label = Text(text=words.NO_SECTION, style=Style.EMPHASIS)
            yield Paragraph(content=fill_template(words.LEFT_OUT, label=label, why=reason.rstrip(".")))
        yield from blocks


def is_list(dossier: Dossier) -> bool:
    """Whether statements stand in lists: as the reader wants it, or else where no language model wrote."""
    wanted = read_form(dossier.research.plan.preferences.format) if dossier.research else None
    return wanted is ReportForm.BULLETS if wanted else not dossier.by_model


def _write_text(section: ReportSection, dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    questions = {question.key: question for question in dossier.questions}
    known: set[str] | None = None if is_list(dossier) else set()

    def write(sentence: SummarySentence) -> Sentence:
        question = questions[sentence.question]
        shown = make_sentence(sentence, dossier, question, bibliography, names_species=True, known=known)
        if known is not None:
            known.add(sentence.source_ids[0])
        return shown

    written = [[write(sentence) for sentence in paragraph] for paragraph in section.paragraphs]
    if known is not None:
        yield from (Paragraph(content=join_inlines(" ", map(to_inlines, paragraph))) for paragraph in written)
    elif written:
        yield BulletList(items=tuple((sentence,) for paragraph in written for sentence in paragraph))


def _write_tables(section: ReportSection, dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    for table in list_tables_beside(dossier, section.part.anchor):
        yield from lay_out_table(table, dossier, bibliography, captioned=True)
