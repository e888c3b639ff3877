"""Lays out the answer to one question: the answer first, then its checklist, its limits and how it was searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording, wording
from storm.models import (
    Answer,
    Conflict,
    DeepResearch,
    Dossier,
    ItemState,
    SearchIteration,
    StopReason,
    SummarySentence,
    database_label,
)
from storm.models.deep_research import IDLE_ROUNDS
from storm.reports import deep_research_wording as words
from storm.reports.advice import asks_advice
from storm.reports.answers import make_sentence
from storm.reports.bibliography import Bibliography
from storm.reports.checklist import (
    ChecklistItem,
    describe_failed_searches,
    describe_state,
    explain_missing,
    has_failed,
    has_searched,
    is_cut_short,
    items_of,
    list_searched,
    says_nothing,
)
from storm.reports.document import (
    SECTION,
    Block,
    BulletList,
    Inlines,
    Paragraph,
    Sentence,
    Style,
    Table,
    Text,
    fill_template,
    join_inlines,
    join_texts,
    make_cells,
    make_heading,
    record_text,
    to_inlines,
)
from storm.reports.failures import describe_unresearched
from storm.reports.language import is_not_english
from storm.reports.section_blocks import is_list
from storm.reports.sections import list_sections

#: Characters shown of what was said before a question, and of why an item is answered in part.
_CONTEXT, _LONGEST_REASON = 300, 150
#: The statements on an item that the section of the answer leaves out: so many are added to it.
_MOST_ADDED = 3


def asked_blocks(deep_research: DeepResearch, items: int) -> Iterator[Block]:
    """What was said before the question, and what belongs to it."""
    if context := " ".join(deep_research.context.split()):
        shown = context if len(context) <= _CONTEXT else f"{context[:_CONTEXT].rstrip()}…"
        yield Paragraph(content=fill_template(words.CONTEXT, context=shown))
    refined = deep_research.refined
    said = [to_inlines(words.READ.format(items=wording.format_count(items, "item")))]
    for template, name, texts in (
        (words.SCOPE_IN, "scope", refined.scope_in),
        (words.SCOPE_OUT, "scope", refined.scope_out),
        (words.KEY_TERMS, "terms", refined.key_terms),
    ):
        said += [fill_template(template, **{name: join_texts("; ", texts)})] if texts else []
    yield Paragraph(content=join_inlines(" ", said))


def answered_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The answer, the coverage of the checklist, and the limits."""
    yield make_heading(planning_wording.ANSWER, f"{SECTION}answer")
    yield from answer_text_blocks(dossier, bibliography)
    yield make_heading(wording.COVERAGE, "coverage")
    yield _tabulate_items(dossier, bibliography)
    yield make_heading(words.LIMITS, "limits")
    yield Paragraph(content=(record_text(describe_limits(dossier)),))
    if dossier.notes:
        yield BulletList(items=tuple((record_text(note),) for note in dossier.notes))


def answer_text_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The sentences of the answer, what sources disagree on, and why nothing is said on the other items."""
    if says_nothing(dossier):
        nothing = describe_error(dossier) if has_failed(dossier) else describe_nothing(dossier)
        yield Paragraph(content=(record_text(nothing),))
        return
    writer = _Writer(dossier, bibliography)
    for section in list_sections(dossier):
        for paragraph in section.paragraphs:
            yield from writer.write_paragraph(paragraph)
    for answer in dossier.answers:
        for conflict in answer.conflicts:
            yield Paragraph(content=writer.write_conflict(answer, conflict))
    items = items_of(dossier)
    for item in items:
        yield from writer.write_item(item)
    yield from (Paragraph(content=_describe_missing(dossier, item)) for item in items if not item.evidence)


def describe_nothing(dossier: Dossier) -> str:
    """That searches succeeded, and nothing answers the question; what failed is said."""
    nothing = words.NOTHING.format(databases=_name_databases(dossier))
    failures = describe_failed_searches(dossier)
    failed = [words.TRIED_AND_FAILED.format(failures=failures)] if failures else []
    said = words.NOTHING_YET if is_cut_short(dossier) else nothing
    asked = dossier.research.asked if dossier.research else ""
    foreign = [words.NOT_ENGLISH] if not dossier.by_model and is_not_english(asked) else []
    templates = (planning_wording.NOT_LISTED, wording.PERHAPS_MISTYPED, wording.RETRACTED_RECORDS)
    unknown = [note for note in dossier.notes if note.startswith(tuple(one.partition("{")[0] for one in templates))]
    return " ".join((said, *unknown, *foreign, *failed, *_list_unresearched(dossier)))


def describe_error(dossier: Dossier) -> str:
    """That no search succeeded, or that no item could be researched, and what was tried."""
    failures = describe_failed_searches(dossier)
    tried = [words.TRIED.format(failures=failures) if failures else words.NOT_TRIED]
    if has_searched(dossier):
        return words.NO_ITEM_RESEARCHED.format(tried=" ".join(_list_unresearched(dossier)))
    return words.NO_SEARCH_SUCCEEDED.format(tried=" ".join((*tried, *_list_unresearched(dossier))))


def describe_limits(dossier: Dossier) -> str:
    """In one paragraph: which items are open, what was searched and what failed, and why no more was searched for."""
    return " ".join(_list_limits(dossier))


def why_ended(deep_research: DeepResearch) -> str:
    """Why no further round was run, phrased as the end of a sentence."""
    last = deep_research.iterations[-IDLE_ROUNDS:]
    is_idle = len(last) == IDLE_ROUNDS and not any(one.new_facts for one in last)
    if deep_research.stop_reason is StopReason.NO_PROGRESS and is_idle:
        return words.NOTHING_NEW
    rounds = wording.format_count(len(deep_research.iterations), "round")
    return words.WHY_ENDED[deep_research.stop_reason].format(rounds=rounds)


def deep_method_blocks(dossier: Dossier, deep_research: DeepResearch) -> Iterator[Block]:
    """The rounds: what each searched for, what it found, and how many items were answered after it."""
    labels = {question.key: question.label for question in dossier.questions}
    if deep_research.iterations:
        yield Table(
            caption=words.ROUNDS_TITLE,
            head=make_cells(*words.ROUNDS_HEAD),
            rows=tuple(_describe_round(one, labels) for one in deep_research.iterations),
        )
    yield Paragraph(content=to_inlines(words.ENDED.format(why=why_ended(deep_research))))


def describe_steps(dossier: Dossier) -> str:
    """How the question was researched, and who put its answer together."""
    return words.STEPS.format(written=words.BY_MODEL if dossier.by_model else words.BY_RULES)


class _Writer:
    """Writes the statements of one answer; a study is described where it is first cited."""

    def __init__(self, dossier: Dossier, bibliography: Bibliography) -> None:
        self._dossier, self._bibliography = dossier, bibliography
        self._questions = {question.key: question for question in dossier.questions}
        self._known: set[str] = set()
        self._written: set[str] = set()
        self._listed: set[str] = set()

    def write_paragraph(self, paragraph: Sequence[SummarySentence]) -> Iterator[Block]:
        """Running text where a model wrote it, else a list below its item."""
        sentences = [self._write(sentence) for sentence in paragraph]
        if is_list(self._dossier):
            yield from self._list_below(paragraph[0].question, sentences)
        else:
            yield Paragraph(content=join_inlines(" ", map(to_inlines, sentences)))

    def write_item(self, item: ChecklistItem) -> Iterator[Block]:
        """The first statements on an item of which nothing was written yet; in a list, where its statements stand."""
        if not item.evidence or item.key in self._listed:
            return
        if not any(statement.identity in self._written for statement in item.evidence):
            own = (SummarySentence.place(statement, item.key) for statement in item.evidence[:_MOST_ADDED])
            yield from self._list_below(item.key, [self._write(sentence) for sentence in own])
        elif is_list(self._dossier):
            label = record_text(words.introduce_item(item.label), Style.STRONG)
            yield Paragraph(content=fill_template(words.ABOVE, label=(label,), marks=_cite(item, self._bibliography)))

    def write_conflict(self, answer: Answer, conflict: Conflict) -> Inlines:
        """The sides of a contradiction, one after the other."""
        sides = (SummarySentence.place(one, answer.question) for one in conflict.statements)
        return fill_template(
            words.DISAGREE,
            endpoint=conflict.endpoint,
            where=fill_template(wording.IN_TRIAL, trial=conflict.trial) if conflict.trial else (),
            sides=join_inlines(" ", (to_inlines(self._write(one)) for one in sides)),
        )

    def _write(self, sentence: SummarySentence) -> Sentence:
        question = self._questions[sentence.question]
        shown = make_sentence(
            sentence, self._dossier, question, self._bibliography, names_species=True, known=self._known
        )
        self._known.add(sentence.source_ids[0])
        self._written.add(sentence.identity)
        return shown

    def _list_below(self, question: str, sentences: Sequence[Sentence]) -> Iterator[Block]:
        if question not in self._listed:
            label = words.introduce_item(self._questions[question].label)
            yield Paragraph(content=(record_text(label, Style.STRONG),))
        self._listed.add(question)
        yield BulletList(items=tuple((sentence,) for sentence in sentences))


def _tabulate_items(dossier: Dossier, bibliography: Bibliography) -> Table:
    rows = (
        make_cells(
            item.label,
            describe_state(item),
            record_text(item.judgement.reason if item.evidence else explain_missing(dossier, item)),
            _cite(item, bibliography),
        )
        for item in items_of(dossier)
    )
    return Table(head=make_cells(*words.COVERAGE_HEAD), rows=tuple(rows))


def _cite(item: ChecklistItem, bibliography: Bibliography) -> Inlines:
    cited = dict.fromkeys(source for statement in item.evidence for source in statement.source_ids)
    return to_inlines(bibliography.mark_of(*cited)) if cited else ()


def _describe_missing(dossier: Dossier, item: ChecklistItem) -> Inlines:
    label = record_text(words.introduce_item(item.label), Style.STRONG)
    return fill_template(words.MISSING, label=(label,), why=explain_missing(dossier, item))


def _list_limits(dossier: Dossier) -> Iterator[str]:
    items = items_of(dossier)
    for state, template in words.ITEMS.items():
        if named := [_name_with_reason(item) for item in items if item.state is state]:
            yield template.format(items="; ".join(named)).replace("?.", "?")
    if without := [item.label for item in items if item.is_without_finding]:
        yield words.NOTHING_ON.format(items="; ".join(without)).replace("?.", "?")
    elif all(item.state is ItemState.SATISFIED for item in items):
        yield words.NONE_OPEN
    yield words.SEARCHED.format(databases=_name_databases(dossier))
    if failures := describe_failed_searches(dossier):
        yield words.FAILED.format(failures=failures)
    yield from _list_unresearched(dossier)
    if dossier.research and asks_advice(dossier.research.asked):
        yield words.NO_ADVICE
    if dossier.deep_research and dossier.deep_research.stop_reason is not StopReason.COMPLETE:
        yield words.ENDED.format(why=why_ended(dossier.deep_research))


def _name_with_reason(item: ChecklistItem) -> str:
    """The item; of one that is answered in part, why no more."""
    reason = item.judgement.reason.rstrip(".")
    if item.state is not ItemState.PARTIAL or not 0 < len(reason) <= _LONGEST_REASON:
        return item.label
    return words.WITH_REASON.format(item=item.label, reason=f"{reason[:1].lower()}{reason[1:]}")


def _list_unresearched(dossier: Dossier) -> Iterator[str]:
    return (f"{one}." for one in describe_unresearched(dossier))


def _name_databases(dossier: Dossier) -> str:
    return ", ".join(map(database_label, list_searched(dossier))) or wording.NOTHING


def _describe_round(one: SearchIteration, labels: dict[str, str]) -> tuple[Inlines, ...]:
    searched = [
        words.SEARCHES.format(item=labels.get(key, key), queries="; ".join(query.terms or str(query) for query in own))
        for key, own in one.searches.items()
        if own
    ]
    states = [item.state for item in one.review.items]
    counts = words.COUNTS.format(**{state.value: states.count(state) for state in ItemState})
    numbers = (f"{number:,}" for number in (one.results_count, one.new_sources, one.new_facts))
    shown = join_texts(". ", searched) or to_inlines(Text(text=words.NO_SEARCH, style=Style.EMPHASIS))
    return make_cells(str(one.number), shown, *numbers, counts)
