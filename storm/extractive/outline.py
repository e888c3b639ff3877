"""Plans the headings of a report from its questions, without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm import planning_wording
from storm.citations.section_length import limit_section
from storm.citations.sections import list_free
from storm.evidence.species import is_preclinical
from storm.extractive.facets import find_facets
from storm.extractive.headings import distinct_headings, find_sides, word_comparison
from storm.extractive.table_places import find_place
from storm.models import Finding, Intent, Outline, OutlinePart, Plan, Question, Statement
from storm.models.names import split_words
from storm.models.record_table import TableName
from storm.ranking import split_terms

#: A question with so many statements has sub-headings, if so many at least are in each group.
_MANY, _LEAST = 6, 2
#: What a heading that asks for a question's facet counts, beside three for a common word: "Harms" of clinical safety.
_SAME = 4
#: Letters by which two words are taken for the same.
_STEM = 5
#: Words that say nothing of a section's subject.
_EMPTY = frozenset(
    split_words("a about an and any by clinical current for from in its of on or overview section the to with")
)
#: Headings of an opinion, and how the words of the questions under them begin; the rest is considered last.
_BENEFITS = ("effic", "effect", "benefi", "advant", "outcom", "strength", "value", "gain", "support")
_RISKS = ("safe", "harm", "risk", "advers", "toxic", "side", "cost", "price", "limit", "disadv", "against", "critic")


class _Draft(NamedTuple):
    """A heading with its questions; `key` is what its anchor is made of."""

    key: str
    heading: str
    questions: tuple[Question, ...] = ()
    below: tuple[_Draft, ...] = ()

    @property
    def all_questions(self) -> tuple[Question, ...]:
        return (*self.questions, *(question for draft in self.below for question in draft.questions))


def in_people(statement: Statement) -> bool:
    """Whether a statement names neither animals nor cells outside of the body."""
    return not is_preclinical(statement.text)


#: The groups into which the statements of one question fall, in their order.
_GROUPS: Mapping[str, tuple[str, Callable[[Statement], bool]]] = {
    "people": (planning_wording.PART_IN_PEOPLE, in_people),
    "preclinical": (planning_wording.PART_PRECLINICAL, lambda statement: not in_people(statement)),
}


def belongs_to(part: OutlinePart, statement: Statement) -> bool:
    """Whether a statement is of the group that this sub-heading is for; any is if it is for no group."""
    _, _, name = part.anchor.removeprefix(part.parent).partition("-")
    group = _GROUPS.get(name) if part.parent and part.anchor == f"{part.parent}-{name}" else None
    return group is None or group[1](statement)


def make_outline(plan: Plan, findings: Sequence[Finding], tables: Sequence[TableName]) -> Outline:
    """The headings by intent, those that the reader wants first, with these tables under the parts they serve."""
    wanted, rest = _match_wanted(plan)
    drafts = [*wanted, *_SHAPES[_intent_of(plan)](rest, plan)]
    parts = list(_list_parts(drafts))
    outline = Outline(parts=tuple(_name_apart(parts)))
    if limit_section(plan, outline) is None:
        outline = outline.model_copy(update={"parts": tuple(_add_groups(outline, findings))})
    return outline.model_copy(update={"parts": tuple(_add_tables(outline, plan, tables))})


def _intent_of(plan: Plan) -> Intent:
    return plan.research.intent if plan.research else Intent.SURVEY


def _match_wanted(plan: Plan) -> tuple[list[_Draft], list[Question]]:
    """The sections that the reader wants, with the questions that they match best; the other questions."""
    wanted = list(dict.fromkeys(filter(None, (" ".join(s.split()) for s in _wanted_sections(plan)))))
    matched: dict[int, list[Question]] = {index: [] for index in range(len(wanted))}
    rest: list[Question] = []
    for question in _by_importance(plan.syllabus.questions):
        scores = [_count_common(heading, question) for heading in wanted]
        best = max(scores, default=0)
        (matched[scores.index(best)] if best else rest).append(question)
    drafts = [_make_wanted(n, heading, tuple(matched[n - 1])) for n, heading in enumerate(wanted, start=1)]
    return drafts, rest


def _wanted_sections(plan: Plan) -> Sequence[str]:
    return plan.research.preferences.sections if plan.research else ()


def _make_wanted(number: int, heading: str, questions: tuple[Question, ...]) -> _Draft:
    if len(questions) < 2:
        return _Draft(f"wanted-{number}", heading, questions)
    return _Draft(f"wanted-{number}", heading, below=tuple(_Draft(q.key, q.label, (q,)) for q in questions))


def _count_common(heading: str, question: Question) -> int:
    """How many words of a heading are the question's, those of its label most; and whether it asks for the same."""
    words = _stems(heading)
    asks_for_it = any(one.facet.question_key == question.key for one in find_facets(heading))
    return (
        _SAME * asks_for_it
        + 3 * len(words & _stems(f"{question.label} {question.key}"))
        + 2 * len(words & _stems(" ".join(question.focus)))
        + len(words & _stems(question.description))
    )


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in split_terms(text.replace(".", " ")) if word not in _EMPTY}


def _by_importance(questions: Sequence[Question]) -> list[Question]:
    return sorted(questions, key=lambda question: -question.importance)


def _shape_survey(questions: Sequence[Question], plan: Plan) -> list[_Draft]:
    """A heading for each question, with its sub-questions below."""
    left = {question.key: question for question in questions}
    tops = [question for question in questions if question.parent not in left]
    return [
        _Draft(top.key, top.label, (top,), tuple(_Draft(q.key, q.label, (q,)) for q in _list_below(top, questions)))
        for top in tops
    ]


def _list_below(top: Question, questions: Sequence[Question]) -> Iterator[Question]:
    """The sub-questions of a question, and theirs."""
    for question in questions:
        if question.parent == top.key:
            yield question
            yield from _list_below(question, questions)


def _shape_fact(questions: Sequence[Question], plan: Plan) -> list[_Draft]:
    """One section, in which the most important question is answered first."""
    return [_Draft("part-answer", planning_wording.PART_ANSWER, tuple(questions))] if questions else []


def _shape_comparison(questions: Sequence[Question], plan: Plan) -> list[_Draft]:
    """The headings of a survey, which say what is compared."""
    sides = find_sides(plan)
    return [draft._replace(heading=word_comparison(draft.heading, sides)) for draft in _shape_survey(questions, plan)]


def _shape_opinion(questions: Sequence[Question], plan: Plan) -> list[_Draft]:
    """What speaks for it, what speaks against it, and what else is to be considered; a survey if all is of one kind."""
    kinds = {
        "part-benefits": (
            planning_wording.PART_BENEFITS,
            [q for q in questions if _begins(q, _BENEFITS) and not _begins(q, _RISKS)],
        ),
        "part-risks": (planning_wording.PART_RISKS, [q for q in questions if _begins(q, _RISKS)]),
    }
    sided = [question for _, own in kinds.values() for question in own]
    kinds["part-considerations"] = (planning_wording.PART_CONSIDERATIONS, [q for q in questions if q not in sided])
    drafts = [_make_kind(key, heading, own) for key, (heading, own) in kinds.items() if own]
    return drafts if len(drafts) > 1 else _shape_survey(questions, plan)


def _make_kind(key: str, heading: str, questions: Sequence[Question]) -> _Draft:
    if len(questions) == 1:
        return _Draft(key, heading, tuple(questions))
    return _Draft(key, heading, below=tuple(_Draft(q.key, q.label, (q,)) for q in questions))


def _begins(question: Question, stems: tuple[str, ...]) -> bool:
    return any(word.startswith(stems) for word in split_terms(question.label))


_SHAPES: Mapping[Intent, Callable[[Sequence[Question], Plan], list[_Draft]]] = {
    Intent.FACT: _shape_fact,
    Intent.COMPARISON: _shape_comparison,
    Intent.OPINION: _shape_opinion,
    Intent.SURVEY: _shape_survey,
}


def _list_parts(drafts: Sequence[_Draft]) -> Iterator[OutlinePart]:
    for draft in drafts:
        own = tuple(question.key for question in draft.all_questions)
        yield OutlinePart(anchor=draft.key, heading=draft.heading, questions=own)
        for below in draft.below:
            keys = tuple(question.key for question in below.questions)
            yield OutlinePart(anchor=below.key, heading=below.heading, questions=keys, parent=draft.key)


def _name_apart(parts: Sequence[OutlinePart]) -> Iterator[OutlinePart]:
    """The parts with headings that each stand once."""
    for part, heading in zip(parts, distinct_headings(part.heading for part in parts), strict=True):
        yield part.model_copy(update={"heading": heading})


def _add_groups(outline: Outline, findings: Sequence[Finding]) -> Iterator[OutlinePart]:
    """The parts, with sub-headings where the many statements of one question fall into clear groups."""
    parents = {part.parent for part in outline.parts}
    for part in outline.parts:
        yield part
        if part.parent or part.anchor in parents or len(part.questions) != 1:
            continue
        free = list_free(part, outline, findings)
        sizes = [sum(map(holds, free)) for _, holds in _GROUPS.values()]
        if len(free) >= _MANY and min(sizes) >= _LEAST:
            for group, (name, _) in _GROUPS.items():
                heading = planning_wording.PART_OF_GROUP.format(heading=part.heading, group=name)
                anchor = f"{part.anchor}-{group}"
                yield OutlinePart(anchor=anchor, heading=heading, questions=part.questions, parent=part.anchor)


def _add_tables(outline: Outline, plan: Plan, tables: Sequence[TableName]) -> list[OutlinePart]:
    """The parts, each table under the first that it serves: where a question has groups, under that of people."""
    parts = list(outline.parts)
    parents = {part.parent for part in parts}
    leaves = [index for index, part in enumerate(parts) if part.anchor not in parents]
    described = [
        ("" if parts[n].questions else parts[n].heading, [plan.syllabus.question(key) for key in parts[n].questions])
        for n in leaves
    ]
    for table in tables:
        found = find_place(table, described)
        if found is not None:
            part = parts[leaves[found]]
            parts[leaves[found]] = part.model_copy(update={"tables": (*part.tables, table)})
    return parts
