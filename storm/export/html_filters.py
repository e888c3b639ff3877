"""What statements and references can be filtered by: question, database, level of evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from storm.export import page_wording as words
from storm.export.html_text import make_element
from storm.models import Reference, database_label
from storm.reports.document import QUESTION, Document, Heading, escape_markup, to_text

_NONE = "none"


def make_filter_attributes(sources: Iterable[Reference], anchors: Iterable[str]) -> dict[str, str]:
    """The attributes of a statement or reference by which it is filtered: each a list of words."""
    records = list(sources)
    return {
        "data_question": " ".join(sorted(anchors)),
        "data_database": " ".join(sorted({record.source_type for record in records})),
        "data_level": " ".join(sorted({level for record in records for level in _levels_of(record)})),
    }


def write_filters(document: Document) -> str:
    """The controls, hidden until a script shows them; empty where there is nothing to choose from."""
    records = [entry.record for entry in document.references]
    databases = {record.source_type: database_label(record.source_type) for record in records}
    levels = sorted({level for record in records for level in _levels_of(record)})
    controls = (
        _write_choice("question", words.BY_QUESTION, dict(_list_questions(document))),
        _write_choice("database", words.BY_DATABASE, dict(sorted(databases.items(), key=lambda pair: pair[1].lower()))),
        _write_choice("level", words.BY_LEVEL, {level: _name_level(level) for level in levels}),
    )
    if not any(controls):
        return ""
    reset = make_element("button", words.RESET, type="button", id="reset")
    summary = make_element("summary", words.FILTERS)
    count = make_element("p", "", role="status", aria_live="polite", id="shown", data_text=words.SHOWN)
    folded = f"<details open>{summary}\n{''.join(controls)}\n{reset}</details>"
    return f'<form id="filters" aria-label="{words.FILTERS}" hidden>\n{folded}\n{count}\n</form>'


def _levels_of(record: Reference) -> Iterator[str]:
    levels = {record.level_efficacy, record.level_safety} - {None}
    yield from map(str, levels) if levels else (_NONE,)


def _name_level(level: str) -> str:
    return words.NO_LEVEL if level == _NONE else words.LEVEL.format(level=level)


def _list_questions(document: Document) -> Iterator[tuple[str, str]]:
    for block in document.blocks:
        if isinstance(block, Heading) and block.anchor.startswith(QUESTION):
            yield block.anchor, to_text(block.content)


def _write_choice(name: str, label: str, choices: Mapping[str, str]) -> str:
    """A list to choose one of several from; empty if there is but one."""
    if len(choices) < 2:
        return ""
    options = (make_element("option", escape_markup(text), value=value) for value, text in choices.items())
    chosen = f'<select name="{name}"><option value="">{words.ALL}</option>{"".join(options)}</select>'
    return make_element("label", f"{label} {chosen}")
