"""Assigns records to questions by the weighted rules of the syllabus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from storm.models import Hit, Question, Relation, Rule, Section, SectionKind, Syllabus
from storm.patterns.matches import Matches, Pattern, pattern_index
from storm.syllabus.relation import names_drug

#: A "share" rule scores its full weight from this share of matching sentences on.
FULL_SHARE = 0.5
#: Characters of a title, and of a sentence, that rules read: a rule may read each many times.
TITLE_LENGTH = 1_000
SENTENCE_LENGTH = 2_000
#: At most so many sentences are counted: twice as many as the longest real full texts have.
MOST_SENTENCES = 10_000
#: Characters of running text that rules read: more than twice the longest of 437 real full texts.
MOST_READ = 100_000
#: Rough sentence borders are enough for counting; storm.ranking splits exactly.
_SENTENCE_BORDER = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])|\n\s*\n")
#: Fields with much text: rules on them use an index of patterns.
_LONG_FIELDS = ("any", "text", "share", "sentence")
#: Sections on how a study was done, or who paid for it: they state no facts about the drug.
NO_FACTS = (SectionKind.METHODS, SectionKind.BACK_MATTER, SectionKind.CAPTION)


class Assigned(NamedTuple):
    """A question that a record answers, and by how much its rules exceed the question's threshold."""

    question: str
    score: float


class _Record(NamedTuple):
    """A record as rules read it, in lower case; `facts` are the indexes of the sentences that may state facts."""

    title: str
    sentences: tuple[str, ...]
    facts: frozenset[int]
    matches: Matches
    types: str
    database: str
    relation: str
    names: tuple[str, ...]


def assign(
    hit: Hit, syllabus: Syllabus, relation: Relation | None = None, names: Sequence[str] = ()
) -> tuple[Assigned, ...]:
    """The questions whose rules reach their threshold on this record, best first; equal scores in the syllabus' order.

    Rules may match `relation`, the relation of the record to the drug. "sentence" rules count only sentences with one
    of the drug's `names`, or all sentences if there are no names.
    """
    record = _read_record(hit, syllabus, relation, tuple(names))
    scored = [
        Assigned(question.key, round(_score_question(question, record) - question.threshold, 6))
        for question in syllabus.questions
        if question.rules
    ]
    return tuple(sorted((a for a in scored if a.score >= 0), key=lambda a: -a.score))


def _read_record(hit: Hit, syllabus: Syllabus, relation: Relation | None, names: tuple[str, ...]) -> _Record:
    prose = list(_cut_prose(hit))
    found = ((sentence, section) for text, section in prose for sentence in _SENTENCE_BORDER.split(text))
    counted = list(islice(((text, section) for text, section in found if text.strip()), MOST_SENTENCES))
    sentences = tuple(text[:SENTENCE_LENGTH].lower() for text, _ in counted)
    index = pattern_index(
        tuple(_build_pattern(q, r) for q in syllabus.questions for r in q.rules if r.where in _LONG_FIELDS)
    )
    return _Record(
        title=hit.title[:TITLE_LENGTH].lower(),
        sentences=sentences,
        facts=frozenset(number for number, (_, section) in enumerate(counted) if _states_facts(section)),
        matches=Matches(index, "\n\n".join(text for text, _ in prose).lower()[:MOST_READ], sentences),
        types="; ".join(hit.publication_types).lower(),
        database=hit.database.lower(),
        relation=relation.value if relation else "",
        names=names,
    )


def _cut_prose(hit: Hit) -> Iterator[tuple[str, Section]]:
    """The texts of the running sections, up to `MOST_READ` characters, each with its section."""
    left = MOST_READ
    for section in hit.sections:
        if section.is_prose and left > 0:
            yield section.text[:left], section
            left -= len(section.text)


def _states_facts(section: Section) -> bool:
    return section.role not in NO_FACTS


def _build_pattern(question: Question, rule: Rule) -> Pattern:
    return Pattern(rule.pattern, question.places.get(rule.pattern, ""))


def _score_question(question: Question, record: _Record) -> float:
    return sum(_score_rule(rule, _build_pattern(question, rule), record) for rule in question.rules)


def _score_rule(rule: Rule, pattern: Pattern, record: _Record) -> float:
    if rule.where == "share":
        found = len(record.matches.sentences(pattern))
        return rule.weight * min(1.0, found / max(1.0, FULL_SHARE * len(record.sentences)))
    return rule.weight if _is_found(rule.where, pattern, record) else 0.0


def _is_found(where: str, pattern: Pattern, record: _Record) -> bool:
    if where == "text":
        return record.matches.in_text(pattern)
    if where == "sentence":
        numbers = record.facts.intersection(record.matches.sentences(pattern))
        return any(not record.names or names_drug(record.sentences[number], record.names) for number in numbers)
    if where == "any":
        return bool(pattern.compile().search(record.title)) or record.matches.in_text(pattern)
    place = {"title": record.title, "type": record.types, "database": record.database, "relation": record.relation}
    return bool(pattern.compile().search(place[where]))
