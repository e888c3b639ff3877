"""Whether a statement keeps the subjects, exceptions and quantifiers of its quote's clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from storm.citations.comparisons import Words, quote_words, side_words
from storm.citations.cues import is_direction
from storm.citations.positions import find_next
from storm.citations.terms import Term, content_keys, has_word, is_content, is_neutral, number_keys, split_terms
from storm.citations.vocabulary import words_of

_BORDERS = words_of("; . whereas while but although and")
_HARD_BORDERS = words_of("; . whereas while but although")
_AUXILIARIES = words_of("was were is are am be been has have had did does do could can may might would should will")
_LEADS = words_of("in at by with of for from to on than as")
_ALL = words_of("all every each any both always")
_MOST = words_of("most majority")
_SOME = words_of("some several few certain")
_DENIALS = words_of("not no never neither nor without none")
_NONE = words_of("none no nobody never")
#: Quotes with more clauses are not compared clause by clause.
_MOST_CLAUSES = 12


class _Clause(NamedTuple):
    """The words and numbers of a clause, and the words of its subject."""

    subject: Words
    words: Words
    numbers: Words


def find_clause_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One fault of each kind at most."""
    yield from _find_subject_faults(said, quoted)
    yield from _find_only_faults(said, quoted)
    yield from _find_exception_faults(said, quoted)
    yield from _find_conjunction_faults(said, quoted)
    yield from _find_quantifier_faults(said, quoted)


def _find_subject_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A subject with what the quote says of another clause's subject: "A fell" from "A rose and B fell"."""
    own, clauses = _read_clauses(said), _read_clauses(quoted)
    if len(own) != 1 or not 2 <= len(clauses) <= _MOST_CLAUSES:
        return
    subject, rest = own[0].subject, own[0].words - own[0].subject
    for one, other in permutations(clauses, 2):
        if own[0].numbers and own[0].numbers <= one.numbers:  # another clause may name their arms
            continue
        if not subject & (one.subject - other.words) or subject & other.subject:
            continue
        taken = rest & (other.words - one.words - other.subject)
        if taken and not rest & (one.words - other.words):
            yield f"the quote says '{quote_words(taken, quoted)}' of '{quote_words(other.subject, quoted)}'"
            return


def _read_clauses(terms: Sequence[Term]) -> list[_Clause]:
    """The clauses with a subject of their own; a part without one belongs to the clause before it."""
    clauses: list[list[Term]] = []
    pending: list[Term] = []
    for part in split_terms(terms, _BORDERS):
        pending += part
        if any(map(_is_verb, part)):
            if clauses and (pending[0].word in _LEADS or not side_words(_subject_terms(pending))):
                clauses[-1] += pending
            else:
                clauses.append(pending)
            pending = []
    if clauses:
        clauses[-1] += pending
    return [_Clause(side_words(_subject_terms(clause)), side_words(clause), number_keys(clause)) for clause in clauses]


def _subject_terms(terms: Sequence[Term]) -> Sequence[Term]:
    verb = next((n for n, term in enumerate(terms) if _is_verb(term)), len(terms))
    return terms[:verb]


def _is_verb(term: Term) -> bool:
    is_past = term.kind == "word" and term.word.endswith("ed") and len(term.word) > 4
    return term.word in _AUXILIARIES or is_past or (is_direction(term) and term.word.endswith("s"))


def _find_only_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Statements about all where the quote speaks of "only" some."""
    if not has_word(said, _ALL) or has_word(said, frozenset(("only", "just"))):
        return
    parts = split_terms(quoted, _HARD_BORDERS)[:_MOST_CLAUSES]
    words = content_keys(said)
    for part, rest in ((part, [term for other in parts if other is not part for term in other]) for part in parts):
        limited = has_word(part, frozenset(("only",))) and not has_word(part, _ALL)
        if limited and words & (content_keys(part) - content_keys(rest)):
            yield "the quote says 'only' of it, the statement says it of all"
            return


def _find_exception_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Statements about what the quote excepts: "in A but not in B alone"."""
    said = _drop_exception(said)
    if has_word(said, _DENIALS):
        return
    for n in range(1, len(quoted) - 1):
        if (
            quoted[n].word == "not"
            and quoted[n - 1].word in ("but", "and", "though", "although")
            and _is_exception(quoted[n + 1])
        ):
            end = find_next(quoted, (",", ";", "."), n)
            rest = [*quoted[: n - 1], *quoted[end:]]
            left_out = _named_words(quoted[n:end]) - _named_words(rest)
            if _named_words(said) & left_out and _named_words(quoted[:n]) & _named_words(said):
                yield f"the quote does not say it of '{quote_words(left_out, quoted)}'"
                return


def _drop_exception(terms: Sequence[Term]) -> Sequence[Term]:
    """The text without its own "but not in C"."""
    for n in range(1, len(terms) - 1):
        if terms[n].word == "not" and terms[n - 1].word == "but" and _is_exception(terms[n + 1]):
            return [*terms[: n - 1], *terms[find_next(terms, (",", ";", "."), n) :]]
    return terms


def _is_exception(term: Term) -> bool:
    """Whether a group or a time stands after "but not", and no verb or degree."""
    return not (_is_verb(term) or term.word.endswith("ly") or term.key in ("signific", "significant"))


def _named_words(terms: Sequence[Term]) -> Words:
    return side_words(terms) | {term.key for term in terms if term.key == "alone"}


def _find_conjunction_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "A or B" is not "A plus B"."""
    pairs = set(_read_conjunctions(quoted))
    for joint, pair in (
        () if has_word(said, frozenset(("whether", "regardless", "irrespective"))) else _read_conjunctions(said)
    ):
        other = "plus" if joint == "or" else "or"
        if (other, pair) in pairs and (joint, pair) not in pairs:
            yield f"the quote says '{' or '.join(sorted(pair))}'" if joint == "plus" else "the quote says 'plus'"
            return


def _read_conjunctions(terms: Sequence[Term]) -> Iterator[tuple[str, Words]]:
    for n in range(1, len(terms) - 1):
        both = terms[n].word == "and" and n > 1 and terms[n - 2].word == "both"
        if (terms[n].word in ("or", "plus") or both) and is_content(terms[n - 1]) and is_content(terms[n + 1]):
            yield "or" if terms[n].word == "or" else "plus", frozenset((terms[n - 1].key, terms[n + 1].key))


def _find_quantifier_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Some" for all or most, and all for some."""
    some = next((a.word for a, b in pairwise(said) if a.word in _SOME and is_neutral(b)), "")
    if some and has_word(quoted, _ALL | _MOST | _NONE) and not has_word(quoted, _SOME):
        yield f"the quote does not say '{some}'"
    limited = {b.key: a.word for a, b in pairwise(quoted) if a.word in _SOME | _MOST and is_neutral(b)}
    if said and said[0].key in limited and not any(term.kind == "number" for term in said):
        yield f"the quote says '{limited[said[0].key]} {said[0].word}'"
