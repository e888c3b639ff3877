"""Which sentences of the sources answer which question, and which of them are worth printing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from storm.citations.quotes import normalize
from storm.evidence.abbreviations import Abbreviations, read_abbreviations
from storm.evidence.comparison import compares_drugs
from storm.evidence.passages import Passage, read_passages
from storm.evidence.sentence_kinds import SentenceKind, kind_of
from storm.evidence.standalone import stands_alone
from storm.models.section import kind_of_heading
from storm.models import Plan, Question, Relation, SectionKind, Source, database_info
from storm.ranking import count_cues, terms
from storm.syllabus.relation import names_first, relations_in

#: Statements of an answer; where more sources than that report, one of each, up to so many.
MAX_STATEMENTS = 8
MAX_SOURCES = 14
#: Who is heard first: (worth at least, statements of one source at most, statements at most).
_ROUNDS = ((1.0, 1, MAX_SOURCES), (1.2, 2, MAX_STATEMENTS), (0.6, 1, MAX_SOURCES), (1.0, 3, MAX_STATEMENTS))
#: Two sentences of one source say the same where the shorter shares so many of its words with the other.
_SAME = 0.7
#: How much a sentence is worth by where it stands.
_SECTIONS: Mapping[SectionKind, float] = {
    SectionKind.CONCLUSION: 1.3,
    SectionKind.RESULTS: 1.1,
    SectionKind.DISCUSSION: 0.8,
    SectionKind.INTRODUCTION: 0.4,
    SectionKind.METHODS: 0.2,
}
_ABSTRACT = 1.25
_EXPLAINED = 0.4
#: A conclusion of more sentences is a discussion under another name.
_LONG_CONCLUSION = 8
_CUE = 0.05
_MOST_CUES = 4


_INLINE = re.compile(r"(?:Background|Introduction|Objectives?|Aims?|Purpose|Methods?|Results?|Findings|Conclusions?|Interpretation): ")
_WEAK = re.compile(r"^(?:However|Moreover|Furthermore|Although|This|These|Of note)\b|\b(?:correlat|interaction|alone\b)", re.I)


class Candidate(NamedTuple):
    """A sentence that may be printed under a question: `text` is what is shown of it."""

    source: Source
    passage: Passage
    text: str
    question: str
    kind: SentenceKind
    worth: float
    place: int


def find_candidates(question: Question, sources: Sequence[Source], plan: Plan) -> list[Candidate]:
    """The sentences of the sources that answer the question, best first; the order of the sources changes nothing."""
    found = (one for source in sources for one in candidates(source, plan) if one.question == question.key)
    return sorted(found, key=lambda one: (-one.worth, one.source.hit.key, one.place))


def choose(ranked: Sequence[Candidate]) -> list[Candidate]:
    """What is printed of the sentences that answer a question, given best first: of each source its best before the
    second of any, and nothing twice."""
    chosen: list[Candidate] = []
    for least, most, limit in _ROUNDS:
        for one in ranked:
            used = sum(other.source.source_id == one.source.source_id for other in chosen)
            fits = one.worth >= least and len(chosen) < limit and used < most
            if fits and not any(_says_the_same(one, other) for other in chosen):
                chosen.append(one)
    return chosen


def _says_the_same(one: Candidate, other: Candidate) -> bool:
    if normalize(one.passage.shown) == normalize(other.passage.shown):
        return True
    if one.source.source_id != other.source.source_id:
        return False
    words, others = set(terms(one.passage.shown)), set(terms(other.passage.shown))
    return len(words & others) >= _SAME * min(len(words), len(others))


def candidates(source: Source, plan: Plan) -> tuple[Candidate, ...]:
    """The sentences of a source that may be printed, each under the one question that it answers best."""
    return tuple(_candidates(source, plan))


def _candidates(source: Source, plan: Plan) -> Iterator[Candidate]:
    names = tuple(plan.names)
    if not _is_studied(source, names):
        return
    short = read_abbreviations(source.hit, names)
    for place, (passage, role) in enumerate(_with_roles(source)):
        if not stands_alone(passage.shown):
            continue
        kind = kind_of(passage, role)
        if not kind.is_printable:
            continue
        if passage.section.kind is SectionKind.ABSTRACT and role is SectionKind.INTRODUCTION:
            continue
        named = relations_in(passage.shown, names, plan.related)
        own = Relation.ITSELF in named
        question = _question_of(passage, kind, role, source, plan, named)
        if question is None or question.key not in source.questions:
            continue
        if not own and not short.stand_in(passage.shown) and not _needs_no_name(question, source, named):
            continue
        text = passage.shown if own else short.explain(passage.shown)
        worth = _worth(passage, role, question, names, own)
        yield Candidate(source, passage, text, question.key, kind, worth, place)


def _with_roles(source: Source) -> Iterator[tuple[Passage, SectionKind]]:
    """Each sentence with what its section is; a conclusion of many sentences is a discussion."""
    passages = list(read_passages(source.hit))
    lengths = Counter(id(passage.section) for passage in passages)
    section, inline = None, None
    for passage in passages:
        role = passage.section.role
        if labelled := _INLINE.match(passage.shown):
            inline = kind_of_heading(labelled[0])
        elif passage.section is not section:
            inline = None
        section = passage.section
        role = inline or role
        if role is SectionKind.CONCLUSION and lengths[id(passage.section)] > _LONG_CONCLUSION:
            role = SectionKind.DISCUSSION
        yield passage, role


def _question_of(
    passage: Passage, kind: SentenceKind, role: SectionKind, source: Source, plan: Plan, named: frozenset[Relation]
) -> Question | None:
    """The question that a sentence answers; the first of equals."""
    fitting = [q for q in plan.syllabus.questions if _answers(q, passage, kind, role, source, plan, named)]
    return max(fitting, key=lambda q: q.precedence, default=None)


def _answers(
    question: Question, passage: Passage, kind: SentenceKind, role: SectionKind, source: Source, plan: Plan, named: frozenset[Relation]
) -> bool:
    text = passage.shown
    if question.itself_only and source.relation is not Relation.ITSELF:
        return False
    if question.takes_relatives and (named - {Relation.ITSELF} or compares_drugs(text, plan.names)):
        return True
    if question.precedence == 0 and question.says and kind is not SentenceKind.FINDING:
        return False
    if question.says:
        return bool(count_cues(text, question.says, question.places))
    focus = {term for phrase in question.asked_for for term in terms(phrase)}
    return bool(count_cues(text, question.cues, question.places) or focus.intersection(terms(text)))


def _needs_no_name(question: Question, source: Source, named: frozenset[Relation]) -> bool:
    """Whether a sentence is of the drug by its record: a licence's, a patent's; or of a relative where they belong."""
    info = database_info(source.hit.database)
    own_record = info.is_product and source.relation is Relation.ITSELF
    return own_record or (question.dated and not info.is_literature) or (question.takes_relatives and bool(named))


def _is_studied(source: Source, names: tuple[str, ...]) -> bool:
    """Whether the record is about the drug: in its title, or in two sentences of its abstract."""
    hit = source.hit
    if not database_info(hit.database).is_literature or relations_in(hit.title, names):
        return True
    abstract = [p for p in read_passages(hit) if p.section.kind is SectionKind.ABSTRACT]
    return not abstract or sum(bool(relations_in(p.shown, names)) for p in abstract) >= 2


def _worth(passage: Passage, role: SectionKind, question: Question, names: Sequence[str], own: bool) -> float:
    cues = min(_MOST_CUES, count_cues(passage.shown, question.cues, question.places))
    worth = _SECTIONS.get(role, 0.9) * (1 + _CUE * cues)
    if passage.section.kind is SectionKind.ABSTRACT:
        worth *= _ABSTRACT
    if names_first(passage.shown, names):
        worth *= 1.25
    if not own:
        worth *= _EXPLAINED
    if _WEAK.search(passage.shown):
        worth *= 0.7
    return worth
