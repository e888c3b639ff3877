"""Finds the part of a report under which a table of records stands: that whose questions it serves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storm.models import Question
from storm.models.record_table import TableName
from storm.ranking import split_terms

_EFFECT = ("effic", "effect", "benefi", "outcom", "surviv", "respon")
_MARKET = ("market", "regulat", "approv", "licen", "authori", "availab")
_RIVALS = ("compar", "compet", "versus", "altern")
#: How the words of a question begin that a table serves; of several groups the first that a part has counts.
_SERVED: Mapping[TableName, Sequence[Sequence[str]]] = {
    TableName.TRIALS: (_EFFECT, ("trial", "stud", "evidence", "research")),
    TableName.EFFECT_SIZES: (_EFFECT,),
    TableName.COMPARISONS: (_EFFECT, _RIVALS),
    TableName.ADVERSE_EVENTS: (("safe", "harm", "advers", "toxic", "tolerab", "side"), ("risk", "warn")),
    TableName.APPROVALS: (_MARKET, ("indicat", "status", "label")),
    TableName.PATENTS: (("patent", "exclusiv", "intellect"), _MARKET),
    TableName.BIOSIMILARS: (("biosim", "generic"), _MARKET, _RIVALS),
}


def find_place(table: TableName, parts: Sequence[tuple[str, Sequence[Question]]]) -> int | None:
    """The index of the part, given by the heading that the reader wants and its questions, that the table serves; None
    if there is none. Headings and labels count before descriptions."""
    named = [_split_words(heading, *(f"{q.key} {q.label}" for q in questions)) for heading, questions in parts]
    described = [_split_words(*(q.description for q in questions)) for _, questions in parts]
    for words in (named, described):
        for stems in _SERVED[table]:
            for index, own in enumerate(words):
                if any(word.startswith(tuple(stems)) for word in own):
                    return index
    return None


def _split_words(*texts: str) -> set[str]:
    return {word for text in texts for word in split_terms(text.replace(".", " "))}
