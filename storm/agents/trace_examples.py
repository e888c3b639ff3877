"""What an optimiser sees of a job: some calls of each predictor, short enough to serve as demonstrations.

Their size is decided here: inputs that every prompt repeats (tools, syllabus) are left out, and of a long field only
the part that the answer refers to is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import dspy

from storm.agents.drafts import MIN_QUOTE_WORDS
from storm.agents.fencing import CLOSE, OPEN, cut_text
from storm.agents.run import FINISH

#: Maximum calls of one predictor in one job, and characters of their long fields.
CALLS = 4
_STEP, _STATE, _RECORDS, _STATEMENTS, _FENCED, _OTHER = 1_600, 800, 2_400, 2_400, 600, 400
#: Characters of a long record: its beginning, and the context of a quote.
_HEAD, _AROUND = 240, 160

_FENCE = re.compile(
    r'<untrusted id="([^"<>\n]*)">\n((?:[^<\n]++|<(?!/?untrusted\b)|\n(?!</untrusted>))*+)\n</untrusted>'
)


class Call(NamedTuple):
    """One call of a predictor in DSPy's trace."""

    predictor: Any
    inputs: dict[str, Any]
    outputs: Mapping[str, Any]


@contextmanager
def shorten_trace(roles: Mapping[int, str], *, examples: bool | None = None) -> Iterator[None]:
    """Replace the calls made within the context, in DSPy's trace, by `select_calls` of them; `roles` are by id."""
    trace = dspy.settings.trace
    before = len(trace) if trace is not None else 0
    yield
    if trace is not None:
        trace[before:] = select_calls(trace[before:], roles, examples=examples)


def select_calls(
    trace: Sequence[tuple[Any, ...]], names: Mapping[int, str], *, examples: bool | None = None
) -> list[tuple[Any, ...]]:
    """Some calls of each predictor, spread over the job, in order; `names` are the predictors' names by id.

    With `examples` only calls worth imitating: steps that did something, statements whose quotes are in the records
    shown. With None, such calls if there are any, else all.
    """
    made: list[tuple[int, tuple[Any, ...]]] = []
    for name in dict.fromkeys(names.values()):
        own = [(index, Call(*call)) for index, call in enumerate(trace) if names.get(id(call[0])) == name]
        kept = _shorten_calls(name, own, examples=examples is not False)
        if not kept and examples is None:
            kept = _shorten_calls(name, own, examples=False)
        made += [
            (index, (one.predictor, one.inputs, dspy.Prediction(**one.outputs))) for index, one in _spread_calls(kept)
        ]
    return [call for _, call in sorted(made, key=lambda one: one[0])]


def _shorten_calls(name: str, calls: Sequence[tuple[int, Call]], *, examples: bool) -> list[tuple[int, Call]]:
    short = [(index, _SHORTENERS[name](call, examples)) for index, call in calls]
    return [(index, call) for index, call in short if call]


def _spread_calls(calls: Sequence[tuple[int, Call]]) -> Iterator[tuple[int, Call]]:
    most = min(CALLS, len(calls))
    yield from (calls[n * (len(calls) - 1) // max(1, most - 1)] for n in range(most))


def _shorten_step(call: Call, examples: bool) -> Call | None:
    """An agent's step, with the previous step and the state; finishing is not an example."""
    if examples and call.outputs["next_tool_name"] == FINISH:
        return None
    kept = {name: value for name, value in call.inputs.items() if name not in ("tools", "syllabus")}
    _, more, last = kept["recent_steps"].rpartition("\n\nStep ")
    kept["recent_steps"] = cut_text(f"Step {last}" if more else last, _STEP)
    kept["state"] = cut_text(kept["state"], _STATE)
    return call._replace(inputs=kept)


def _shorten_writing(call: Call, examples: bool) -> Call | None:
    """A writer's reply with the records that it quotes, as many as fit."""
    inputs = {**call.inputs, "problems": cut_text(call.inputs["problems"], _OTHER)}
    statements = call.outputs["statements"]
    inputs["records"] = _quoted_records(inputs["records"], statements)
    if not examples:
        return call._replace(inputs=inputs)
    good = [one for one in statements if len(one.quote.split()) >= MIN_QUOTE_WORDS and one.quote in inputs["records"]]
    if not good or inputs["problems"]:
        return None
    return call._replace(inputs=inputs, outputs={**call.outputs, "statements": good})


def _shorten_composing(call: Call, examples: bool) -> Call | None:
    """A composer's choice, limited to the statements that fit."""
    inputs = {**call.inputs, "problems": cut_text(call.inputs["problems"], _OTHER)}
    shown: dict[str, str] = {}
    for match in _FENCE.finditer(inputs["statements"]):
        if shown and sum(map(len, shown.values())) + len(match[0]) > _STATEMENTS:
            break
        shown[match[1].removeprefix("statement ")] = match[0]
    inputs["statements"] = "\n".join(shown.values())
    outputs = dict(call.outputs)
    outputs["order"] = [number for number in outputs["order"] if str(number) in shown]
    outputs["disagreements"] = [one for one in outputs["disagreements"] if {*map(str, one.numbers)} <= shown.keys()]
    return call._replace(inputs=inputs, outputs=outputs) if outputs["order"] or not examples else None


def _shorten_research(call: Call, examples: bool) -> Call | None:
    """A call with its long inputs cut, each fenced text by itself; a call that corrects a reply is not an example."""
    if examples and call.inputs["problems"]:
        return None
    inputs = {name: _cut_fenced(value) if isinstance(value, str) else value for name, value in call.inputs.items()}
    return call._replace(inputs=inputs)


def _shorten_section(call: Call, examples: bool) -> Call | None:
    """A section with the statements that it places, as many as fit."""
    short = _shorten_research(call, examples)
    if short is None:
        return None
    shown: dict[int, str] = {}
    for match in _FENCE.finditer(call.inputs["statements"]):
        if shown and sum(map(len, shown.values())) + len(match[0]) > _STATEMENTS:
            break
        shown[int(match[1].removeprefix("statement "))] = match[0]
    placed = [[one for one in said.sentences if one.number in shown] for said in call.outputs["paragraphs"]]
    paragraphs = [said.model_copy(update={"sentences": own}) for said, own in
                  zip(call.outputs["paragraphs"], placed, strict=True) if own]  # fmt: skip
    if examples and not paragraphs:
        return None
    inputs = {**short.inputs, "statements": "\n".join(shown.values())}
    return short._replace(inputs=inputs, outputs={**call.outputs, "paragraphs": paragraphs})


def _cut_fenced(text: str) -> str:
    """The text with each of its fenced texts cut, and cut as a whole."""
    return cut_text(_FENCE.sub(lambda m: f'{OPEN}id="{m[1]}">\n{cut_text(m[2], _FENCED)}\n{CLOSE}', text), _STATEMENTS)


_SHORTENERS = {
    "agent": _shorten_step,
    "writer": _shorten_writing,
    "composer": _shorten_composing,
    "section": _shorten_section,
    **dict.fromkeys(
        (
            "planner", "query_writer", "digester", "reflector", "outline", "hypothesizer", "hypothesis_judge",
            "summary", "refiner", "checklist_planner", "item_query_writer", "checklist_judge",
        ),
        _shorten_research,
    ),
}  # fmt: skip


def _quoted_records(records: str, statements: Sequence[Any]) -> str:
    """The quoted records, as many as fit; if none is quoted, the beginning of all."""
    kept: list[str] = []
    for label, text in _FENCE.findall(records):
        own = [one.quote for one in statements if one.quote and one.quote in text]
        if own and (not kept or sum(map(len, kept)) + min(len(text), _RECORDS) <= _RECORDS):
            kept.append(f'{OPEN}id="{label}">\n{_quote_context(text, own)}\n{CLOSE}')
    return "\n\n".join(kept) or cut_text(records, _RECORDS)


def _quote_context(text: str, quotes: Sequence[str]) -> str:
    """The beginning of a long text, and the context of its quotes."""
    if len(text) <= _RECORDS:
        return text
    parts = [text[:_HEAD]]
    for quote in quotes:
        at = text.index(quote)
        part = text[max(0, at - _AROUND) : at + len(quote) + _AROUND]
        if sum(map(len, parts)) + len(part) <= _RECORDS:
            parts.append(part)
    return "\n[…]\n".join(parts)
