"""Lays out what was asked, and how it was planned and researched."""

from __future__ import annotations

from collections.abc import Iterator

from storm import wording
from storm.models import Dossier, ReportPreferences, Research, ResearchReport, ResearchRound, Weakness
from storm.models.report_form import read_form
from storm.reports import deep_research_wording, repurposing_wording
from storm.reports import research_wording as words
from storm.reports.deep_research_blocks import asked_blocks, deep_method_blocks, describe_steps
from storm.reports.document import (
    Block,
    Inlines,
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
from storm.reports.hypotheses import name_drug, title_report
from storm.reports.repurposing_method import round_blocks
from storm.reports.sections import find_tables


def request_blocks(dossier: Dossier) -> Iterator[Block]:
    """The question in full, as what it was read, and the preferences that were applied; a dossier's is its drug."""
    research = dossier.research
    if research is None:
        return
    if isinstance(dossier, ResearchReport):
        yield from _write_question(research, title_of(dossier))
        if dossier.deep_research:
            yield from asked_blocks(dossier.deep_research, len(dossier.questions))
            return
        yield Paragraph(content=_describe_reading(dossier, research))
    if wishes := list(_list_wishes(research.plan.preferences, has_model=dossier.by_model)):
        yield Paragraph(content=fill_template(words.WISHES, wishes=join_texts("; ", wishes)))


def title_of(dossier: Dossier) -> str:
    """The title of the document."""
    if dossier.repurposing:
        return title_report(dossier, dossier.repurposing)
    if isinstance(dossier, ResearchReport):
        return (dossier.research.title if dossier.research else "") or dossier.drug.strip()
    return wording.TITLE.format(drug=dossier.drug.strip())


def research_method_blocks(dossier: Dossier) -> Iterator[Block]:
    """The sub-questions, the settings and the rounds of searching again; nothing for other dossiers."""
    research = dossier.research
    if research is None:
        return
    yield make_heading(words.PLANNED, "research", level=3)
    yield Paragraph(content=to_inlines(_describe_steps(dossier, research)))
    yield Table(
        caption=words.QUESTIONS,
        head=make_cells(*words.QUESTIONS_HEAD),
        rows=tuple(make_cells(one.label, one.description, f"{one.importance:g}") for one in dossier.questions),
    )
    values = research.settings.model_dump().items()
    settings = words.SETTINGS | _describe_settings(dossier)
    yield Table(
        caption=words.SETTINGS_TITLE,
        head=make_cells(*words.SETTINGS_HEAD),
        rows=tuple(make_cells(name, f"{value:,}", settings[name]) for name, value in values),
    )
    if dossier.deep_research:
        yield from deep_method_blocks(dossier, dossier.deep_research)
    else:
        yield from round_blocks(dossier) if dossier.repurposing else _describe_rounds(dossier, research)


def _describe_steps(dossier: Dossier, research: Research) -> str:
    if dossier.deep_research:
        return describe_steps(dossier)
    sections, has_tables = _describe_sections(dossier, research), find_tables(dossier)
    return words.STEPS.format(sections=sections, tables=words.TABLES_BESIDE if has_tables else "")


def _describe_settings(dossier: Dossier) -> dict[str, str]:
    """What settings mean in modes that search in rounds of their own."""
    if dossier.deep_research:
        return {"max_iterations": deep_research_wording.ROUNDS_SETTING}
    return {"max_iterations": repurposing_wording.ROUNDS_SETTING} if dossier.repurposing else {}


def why_research_ended(research: Research) -> str:
    """Why no answer was searched for again, phrased as the end of a sentence."""
    rounds, most = research.rounds, research.settings.max_iterations
    if rounds and not rounds[-1].new_sources:
        return words.NOTHING_NEW
    if not most:
        return words.ONCE_ONLY
    if len(rounds) >= most:
        return words.WAS_TO_STOP.format(times=wording.format_count(most, "time"))
    return words.NONE_WEAK


def _write_question(research: Research, title: str) -> Iterator[Block]:
    """The question, line by line; nothing if it is the title."""
    lines = [line.strip() for line in research.asked.splitlines() if line.strip()]
    if lines == [title]:
        return
    first, *others = (record_text(line, Style.STRONG) for line in lines)
    yield Paragraph(content=fill_template(words.ASKED, asked=(first,)))
    yield from (Paragraph(content=(line,)) for line in others)


def _describe_reading(dossier: Dossier, research: Research) -> Inlines:
    plan, questions = research.plan, wording.format_count(len(dossier.questions), "question")
    if dossier.repurposing:
        drug, disease = name_drug(dossier), dossier.repurposing.disease
        if not disease:
            return fill_template(repurposing_wording.READ_WITHOUT_DISEASE, drug=drug, questions=questions)
        return fill_template(repurposing_wording.READ_AS, drug=drug, disease=disease, questions=questions)
    return fill_template(
        words.READ_AS,
        intent=words.INTENTS[plan.intent],
        complexity=words.COMPLEXITIES[plan.complexity],
        other="" if plan.is_biomedical else words.NOT_BIOMEDICAL,
        questions=questions,
    )


def _list_wishes(preferences: ReportPreferences, *, has_model: bool) -> Iterator[str]:
    """The preferences; those without an effect say so."""
    from storm.citations.section_length import is_length  # what `storm export` loads for this alone

    for name, value in preferences:
        text = value if isinstance(value, str) else ", ".join(value)
        if not text:
            continue
        wish = words.WISH.format(name=words.PREFERENCES[name], value=text)
        if name in ("audience", "tone") and not has_model:
            wish = words.NEEDS_MODEL.format(wish=wish)
        elif (name == "length" and not is_length(text)) or (name == "format" and not read_form(text)):
            wish = words.NOT_APPLIED.format(wish=wish)
        yield wish


def _describe_sections(dossier: Dossier, research: Research) -> str:
    if not research.sections:
        return words.NO_SECTIONS
    if dossier.repurposing:
        return repurposing_wording.SECTIONS_BY_MODEL if dossier.by_model else repurposing_wording.SECTIONS
    written = [section for section in research.sections if section.paragraphs]
    by_rules = [section for section in written if section.note]
    all_by_rules = bool(written) and written == by_rules
    if not dossier.by_model or (research.outline_note and all_by_rules):
        return words.SECTIONS_BY_RULES
    if all_by_rules:
        return words.SECTIONS_OUTLINED_BY_MODEL
    return words.SECTIONS_BY_MODEL.format(
        planned=words.PLANNED_BY_RULES if research.outline_note else words.PLANNED_BY_MODEL,
        them=words.MOST_OF_THEM if by_rules else words.THEM,
    )


def _describe_rounds(dossier: Dossier, research: Research) -> Iterator[Block]:
    labels = {question.key: question.label for question in dossier.questions}
    for number, one in enumerate(research.rounds, start=1):
        yield Paragraph(content=to_inlines(words.ROUND.format(number=number, sources=_count_new(one))))
        rows = (
            make_cells(labels.get(weak.question, weak.question), _describe_weakness(weak), _list_searches(weak))
            for weak in one.weak
        )
        yield Table(head=make_cells(*words.ROUND_HEAD), rows=tuple(rows))
    ended = words.ENDED if research.rounds else words.NEVER_AGAIN
    yield Paragraph(content=to_inlines(ended.format(why=why_research_ended(research))))


def _count_new(one: ResearchRound) -> str:
    if not one.new_sources:
        return words.NO_NEW_SOURCE
    return words.NEW_SOURCES.format(sources=wording.format_large_count(one.new_sources, words.NEW_SOURCE))


def _describe_weakness(weak: Weakness) -> str:
    kinds = ", ".join(weak.kinds)
    return words.WHY_WEAK.format(kinds=kinds, reason=weak.reason) if weak.reason else kinds


def _list_searches(weak: Weakness) -> Inlines:
    """The searches, without the names of the subject, which all have."""
    shown = dict.fromkeys(query.terms or str(query) for query in weak.searches)
    return join_texts("; ", shown) or to_inlines(Text(text=words.NO_SEARCH, style=Style.EMPHASIS))
