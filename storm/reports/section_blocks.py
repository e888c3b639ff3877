"""Lays out the sections of a researched report: its statements as running text or as lists, and tables beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storm.models import Dossier, QuestionText, ReportSection, SummarySentence
from storm.reports import research_wording as words
from storm.reports.answers import make_sentence
from storm.reports.bibliography import Bibliography
from storm.reports.document import (
    Block,
    BulletList,
    Paragraph,
    Sentence,
    Style,
    Text,
    fill_template,
    join_inlines,
    make_heading,
    record_text,
    to_inlines,
)
from storm.reports.record_table_blocks import lay_out_table
from storm.reports.sections import find_levels, list_sections, list_tables_beside


def section_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The sections; one that was left out is said where it would stand."""
    levels, sections = find_levels(dossier), list_sections(dossier)
    parents = {section.part.parent for section in sections}
    for section in sections:
        yield make_heading(section.part.heading, f"section-{section.part.anchor}", levels[section.part.anchor])
        blocks = [*_write_text(section, dossier, bibliography), *_write_tables(section, dossier, bibliography)]
        reason = section.left_out or ("" if blocks or section.part.anchor in parents else words.NOTHING_PLACED)
        if reason:
            left_out = fill_template(words.LEFT_OUT, why=record_text(reason.rstrip("."), Style.EMPHASIS))
            yield Paragraph(content=to_inlines(Text(text=words.NO_SECTION, style=Style.EMPHASIS), " ", left_out))
        yield from blocks


def is_list(dossier: Dossier) -> bool:
    """Whether statements stand in lists: as the reader wants it, or else where no language model wrote."""
    wanted = dossier.research.plan.preferences.format.casefold() if dossier.research else ""
    if any(word in wanted for word in words.BULLETS):
        return True
    return not dossier.by_model and not any(word in wanted for word in words.PROSE)


def _write_text(section: ReportSection, dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    questions = {question.key: question for question in dossier.questions}
    shown = [
        [_make_sentence(sentence, dossier, questions, bibliography) for sentence in paragraph]
        for paragraph in section.paragraphs
    ]
    if is_list(dossier):
        if items := tuple((sentence,) for paragraph in shown for sentence in paragraph):
            yield BulletList(items=items)
        return
    for paragraph in shown:
        yield Paragraph(content=join_inlines(" ", ((sentence,) for sentence in paragraph)))


def _make_sentence(
    sentence: SummarySentence, dossier: Dossier, questions: Mapping[str, QuestionText], bibliography: Bibliography
) -> Sentence:
    return make_sentence(sentence, dossier, questions[sentence.question], bibliography, tells_species=True)


def _write_tables(section: ReportSection, dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    for table in list_tables_beside(dossier, section.part.anchor):
        yield from lay_out_table(table, dossier, bibliography, captioned=True)
