"""Which questions a record answers, by the syllabus' weighted rules."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from storm.models import Hit, Question, Relation, Rule, Syllabus
from storm.models.own_patterns import own_pattern

#: From this share of matching sentences on, a "share" rule counts in full.
FULL_SHARE = 0.5
#: Characters of a title, and of one sentence, that rules look at: a rule may read each many times.
TITLE_LENGTH = 1_000
SENTENCE_LENGTH = 2_000
#: So many sentences are counted; the longest of real full texts have half of them.
MOST_SENTENCES = 10_000
#: A rough border is enough to count sentences; the exact ones are a matter of storm.ranking.
_SENTENCE_BORDER = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])|\n\s*\n")


class Assigned(NamedTuple):
    """A question that a record answers, and by how much its rules exceed the question's threshold."""

    question: str
    score: float


class _Fields(NamedTuple):
    """A record as rules see it, in small letters."""

    title: str
    text: str
    sentences: tuple[str, ...]
    types: str
    database: str
    relation: str


def assign(hit: Hit, syllabus: Syllabus, relation: Relation | None = None) -> tuple[Assigned, ...]:
    """The questions whose rules reach their threshold on this record, best first; equal scores in the syllabus' order.

    `relation` is what the record is about, seen from the drug: rules may count it.
    """
    fields = _fields(hit, relation)
    scored = [
        Assigned(question.key, round(_score(question, fields) - question.threshold, 6))
        for question in syllabus.questions
        if question.rules
    ]
    return tuple(sorted((a for a in scored if a.score >= 0), key=lambda a: -a.score))


def _fields(hit: Hit, relation: Relation | None) -> _Fields:
    sentences = (s for section in hit.sections for s in _SENTENCE_BORDER.split(section.text) if s.strip())
    return _Fields(
        title=hit.title[:TITLE_LENGTH].lower(),
        text=hit.text.lower(),
        sentences=tuple(s[:SENTENCE_LENGTH].lower() for s in islice(sentences, MOST_SENTENCES)),
        types="; ".join(hit.publication_types).lower(),
        database=hit.database.lower(),
        relation=relation.value if relation else "",
    )


def _score(question: Question, fields: _Fields) -> float:
    return sum(_points(rule, question.places.get(rule.pattern, ""), fields) for rule in question.rules)


def _points(rule: Rule, place: str, fields: _Fields) -> float:
    pattern = own_pattern(rule.pattern, place) if place else _compiled(rule.pattern)
    if rule.where == "share":
        found = sum(1 for sentence in fields.sentences if pattern.search(sentence))
        return rule.weight * min(1.0, found / max(1.0, FULL_SHARE * len(fields.sentences)))
    places = {
        "title": (fields.title,),
        "text": (fields.text,),
        "any": (fields.title, fields.text),
        "type": (fields.types,),
        "database": (fields.database,),
        "relation": (fields.relation,),
    }[rule.where]
    return rule.weight if any(pattern.search(place) for place in places) else 0.0


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern for lower-case text: without the flag for case the engine is several times faster."""
    lowered = re.sub(r"\\.|\(\?P|[A-Z]+", lambda m: m[0] if m[0][0] in "\\(" else m[0].lower(), pattern)
    try:
        return re.compile(lowered)
    except re.error:
        return re.compile(pattern, re.IGNORECASE)
