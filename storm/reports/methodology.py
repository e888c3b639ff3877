"""Lays out how a dossier was made: engine, databases, the flow of records, and costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storm import wording
from storm.models import DatabaseUse, Dossier, Spent, database_label, sum_amounts
from storm.reports import flow_wording as words
from storm.reports.answers import count_paragraph
from storm.reports.deep_research_blocks import why_ended
from storm.reports.document import (
    Block,
    BulletList,
    Inlines,
    Paragraph,
    Table,
    fill_template,
    make_cells,
    make_heading,
    to_inlines,
)
from storm.reports.flow import is_look_up
from storm.reports.flow_blocks import flow_blocks
from storm.reports.repurposing_method import why_rounds_ended
from storm.reports.research_blocks import research_method_blocks, why_research_ended


def methodology_blocks(dossier: Dossier) -> Iterator[Block]:
    """The method, the counts of statements, the models' cost, the databases, the research, and the flow of records."""
    made = wording.MADE_BY if dossier.by_model else wording.MADE_BY_ENGINE
    has_statements = any(answer.all_statements for answer in dossier.answers)
    yield make_heading(wording.METHODOLOGY, "methodology")
    yield Paragraph(
        content=fill_template(
            wording.METHOD,
            made=fill_template(made, engine=dossier.engine),
            searched=_describe_search_days(dossier),
            why=why_stopped(dossier),
            checked=to_inlines(wording.QUOTES_CHECKED) if has_statements else (),
        )
    )
    yield from count_paragraph(dossier.statements, by_model=dossier.by_model)
    if dossier.spending:
        yield _spending_table(dossier)
    if dossier.databases:
        yield BulletList(items=tuple(_describe_database_use(dossier, use) for use in dossier.databases))
    yield from research_method_blocks(dossier)
    yield from flow_blocks(dossier)


def why_stopped(dossier: Dossier) -> str:
    """Why gathering stopped, phrased as the end of a sentence."""
    if dossier.deep_research and dossier.stopped == dossier.deep_research.stop_reason:
        return why_ended(dossier.deep_research)
    if dossier.repurposing and dossier.stopped == "complete":
        return why_rounds_ended(dossier)
    if dossier.research and dossier.stopped == "complete":
        return why_research_ended(dossier.research)
    return wording.WHY_STOPPED.get(dossier.stopped, dossier.stopped)


def _describe_search_days(dossier: Dossier) -> str:
    """The day of the first search, and of the oldest cached answer if that is earlier."""
    first = f"{min((line.at for line in dossier.search_log), default=dossier.created):%Y-%m-%d}"
    if dossier.retrieved >= first:
        return first
    return wording.SEARCHED_IN_CACHE.format(day=first, oldest=dossier.retrieved)


def _spending_table(dossier: Dossier) -> Table:
    """The cost of the language models, by role and by question."""
    rows = dossier.spending
    labels = {question.key: question.label for question in dossier.questions}
    by_role = [
        (to_inlines(role), [row for row in rows if row.role == role])
        for role in _drop_repeats(row.role for row in rows)
    ]
    by_question = [
        (fill_template(wording.OF_THAT, question=labels.get(key, key)), [row for row in rows if row.question == key])
        for key in _drop_repeats(row.question for row in rows if row.question)
    ]
    lines = [*by_role, *by_question, (to_inlines(wording.ALL_ROLES), rows)]
    return Table(
        head=make_cells(*wording.SPENDING_HEAD),
        rows=tuple(make_cells(name, *_format_amounts(sum_amounts(row.amounts for row in own))) for name, own in lines),
    )


def _format_amounts(spent: Spent) -> tuple[str, ...]:
    counts = (spent.calls, spent.prompt_tokens, spent.completion_tokens)
    return (*(f"{count:,}" for count in counts), spent.price)


def _drop_repeats(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _describe_database_use(dossier: Dossier, use: DatabaseUse) -> Inlines:
    searched = _count_searches(dossier, use)
    return fill_template(
        wording.DATABASE_USE, scope=describe_scope(use.name, use.scope), searched=searched, status=use.status.value
    )


def _count_searches(dossier: Dossier, use: DatabaseUse) -> str:
    """The searches of a database; look-ups, which are not searches for records, are said apart."""
    look_ups = sum(line.database == use.name and is_look_up(line) for line in dossier.search_log)
    if not look_ups:
        return str(use.searched)
    number = wording.format_count(look_ups, "look-up")
    return words.SEARCHED_AND_LOOKED_UP.format(searched=use.searched - look_ups, look_ups=number)


def describe_scope(database: str, scope: str) -> str:
    """The database and its scope, if that is known; the name is not repeated if the scope begins with it."""
    label = database_label(database)
    if not scope:
        return label
    if scope.casefold().removeprefix("the ").startswith(label.casefold()):
        return f"{scope[:1].upper()}{scope[1:]}"
    return wording.SCOPE.format(database=label, scope=scope)
