"""What the prompts of a report's compiler show besides its findings, each part of bounded length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storm.agents.fencing import fence_text, plain_line
from storm.models import Outline, OutlinePart, Plan, ReportSection, SummarySentence

#: Characters of a wish of the reader, of a heading, and of the last sentence of a section.
_WISH, _HEADING, _LAST = 200, 100, 300
#: Characters of the question that a section answers.
_QUESTION = 400
#: How many sections before are shown, and how many headings.
_BEFORE, _HEADINGS = 8, 60
#: How many sections the reader may want.
_SECTIONS = 12
#: How a report is written that is one answer.
ANSWER_DIRECTLY = (
    "The report is this one section: the answer to the question in the outline. Begin with the statements that answer "
    "it directly; then address each of its items, and last say what limits the answer or contradicts it. Be brief."
)


def describe_wishes(plan: Plan) -> str:
    """How the reader wants the report."""
    if plan.research is None:
        return "none"
    wishes = plan.research.preferences
    named = {name: getattr(wishes, name) for name in ("audience", "length", "tone", "format")}
    named["sections"] = "; ".join(plain_line(section, _HEADING) for section in wishes.sections[:_SECTIONS])
    longest = {"sections": _SECTIONS * (_HEADING + 2)}
    lines = (f"{name}: {plain_line(text, longest.get(name, _WISH))}" for name, text in named.items() if text)
    return "\n".join(lines) or "none"


def is_answer(outline: Outline) -> bool:
    """Whether the report is one section on several questions: the answer to what was asked."""
    return len(outline.parts) == 1 and len(outline.parts[0].questions) > 1


def describe_answer(outline: Outline, plan: Plan, shown: Mapping[int, SummarySentence]) -> str:
    """What such a section answers: its question and its items, each with the numbers of its statements."""
    own = [question for question in plan.syllabus.questions if question.key in outline.parts[0].questions]
    numbers = {key: [number for number, one in shown.items() if one.question == key] for key in plan.syllabus.keys}
    lines = (
        f"{plain_line(one.label, _HEADING)}: {', '.join(map(str, numbers[one.key])) or 'no statement'}"
        for one in own[:_HEADINGS]
    )
    asked = plain_line(outline.title, _QUESTION)
    return fence_text("\n".join((asked, "", "Its items, with the statements on each:", *lines)), "outline")


def describe_outline(outline: Outline, part: OutlinePart) -> str:
    """The headings around the one that is to be written, which is marked."""
    index = outline.parts.index(part)
    first = max(0, min(index - _HEADINGS // 2, len(outline.parts) - _HEADINGS))
    shown = outline.parts[first : first + _HEADINGS]
    lines = (
        f"{'  ' * bool(one.parent)}{plain_line(one.heading, _HEADING)}{'  <- this section' * (one == part)}"
        for one in shown
    )
    return fence_text("\n".join(lines), "outline")


def describe_before(sections: Sequence[ReportSection]) -> str:
    """The headings and last sentences of the sections before; of many, the last ones."""
    written = [section for section in sections if section.paragraphs]
    lines = (
        f"{plain_line(one.part.heading, _HEADING)} … {plain_line(one.paragraphs[-1][-1].text, _LAST)}"
        for one in written[-_BEFORE:]
    )
    return fence_text("\n".join(lines), "before") if written else "none"
