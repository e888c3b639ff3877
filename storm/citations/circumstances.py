"""Of what, in whom and when the quote says it: the grade, who has what, what was left away, at baseline, during."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from storm.citations.measures import TIMES, read_values
from storm.citations.terms import Term, content_keys, is_content, is_neutral, split_terms, table_keys
from storm.citations.vocabulary import words_of

_PEOPLE = "patient participant subject people individual child adult woman man volunteer"
_BEARING_ENDS = words_of("( ) , ; . to and or was were had who than")
_FORMER = words_of("from initial initially before start began previously starting")
_ABSENCES = words_of("without no not never none neither nor lack lacked lacking absence absent free naive non alone")
_MOMENTS = {"before": "before", "until": "before", "after": "after", "following": "after", "during": "during"}


def find_circumstance_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One reason for each."""
    yield from _find_grade_faults(said, quoted)
    yield from _find_condition_faults(said, quoted)
    yield from _find_baseline_faults(said, quoted)
    yield from _find_absence_faults(said, quoted)
    yield from _find_moment_faults(said, quoted)


def _find_moment_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """During a phase is not after it."""
    told: dict[str, set[str]] = {}
    for moment, noun in _read_moments(quoted):
        told.setdefault(noun, set()).add(moment)
    for moment, noun in _read_moments(said):
        if noun in told and moment not in told[noun]:
            yield f"the quote does not say '{moment}' of '{noun}'"
            return


def _read_moments(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each of before, during and after with the word that follows it."""
    for n, term in enumerate(terms):
        after = [other for other in terms[n + 1 : n + 4] if other.word not in ("the", "their", "a", "an", "this")]
        if term.word in _MOMENTS and after and is_content(after[0]):
            yield _MOMENTS[term.word], after[0].key


def _find_absence_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """What the quote names only as what was left away is not there in the statement."""
    if {term.word for term in said} & _ABSENCES:
        return
    places = [n for n, term in enumerate(quoted) if term.word == "without"]
    spans = [range(n + 1, n + 1 + len(split_terms(quoted[n + 1 : n + 5], _BEARING_ENDS)[0])) for n in places]
    inside = {quoted[n].key for span in spans for n in span if is_content(quoted[n]) and not is_neutral(quoted[n])}
    outside = {term.key for n, term in enumerate(quoted) if not any(n in span for span in spans)}
    if found := (inside - outside) & content_keys(said):
        yield f"the quote says it 'without {min(found)}'"


def _find_grade_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A grade keeps the event that it is of: "grade 3 rash and grade 2 bleeding"."""
    told: dict[str, set[str]] = {}
    for grade, noun in _read_grades(quoted):
        told.setdefault(noun, set()).add(grade)
    grades = {grade for owners in told.values() for grade in owners}
    for grade, noun in _read_grades(said):
        if grade in grades and noun in told and grade not in told[noun]:
            yield f"the quote does not say '{grade}' of '{noun}'"
            return


def _read_grades(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each "grade 3" with the nouns up to the next one."""
    grade = ""
    for before, term in pairwise(terms):
        if before.key in ("grade", "stage", "class") and term.kind == "number":
            grade = f"{before.key} {term.key}"
        elif term.word in (",", ";", "."):
            grade = ""
        elif grade and is_content(term) and not is_neutral(term):
            yield grade, term.key


def _find_condition_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Patients with something are not those without it."""
    bearing, lacking = _read_conditions(said)
    told, denied = _read_conditions(quoted)
    for own, other, word in ((bearing & denied - lacking, told, "without"), (lacking & told - bearing, denied, "with")):
        if own - other:
            yield f"the quote is about people {word} '{' '.join(sorted(own - other))}'"
            return


def _read_conditions(terms: Sequence[Term]) -> tuple[set[str], set[str]]:
    """What people have, and what they have not: the words after "patients with" and "patients without"."""
    found: dict[str, set[str]] = {"with": set(), "without": set()}
    for n, term in enumerate(terms):
        if term.word in found and n and terms[n - 1].key in table_keys(_PEOPLE):
            after = split_terms(terms[n + 1 : n + 5], _BEARING_ENDS)[0]
            found[term.word] |= {other.key for other in after if is_content(other) and not is_neutral(other)}
    return found["with"], found["without"]


def _find_baseline_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A value at baseline is none that something reached or changed by."""
    if content_keys(said) & {"baseline"} or {term.word for term in said} & _FORMER:
        return
    held = {value.token: value for value in read_values(quoted)}
    for value in read_values(said):
        before = quoted[max(0, held[value.token].at - 5) : held[value.token].at] if value.token in held else ()
        before = split_terms(before, _BEARING_ENDS)[-1]
        if value.unit not in TIMES and any(term.key == "baseline" for term in before):
            yield f"the quote says that {value.name} was at baseline"
            return
