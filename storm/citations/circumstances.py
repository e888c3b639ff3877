"""Whether grade, condition and time in a statement are those of its quote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from storm.citations.comparisons import quote_words
from storm.citations.cues import is_direction
from storm.citations.measures import TIMES, read_values
from storm.citations.pairings import find_mismatch
from storm.citations.terms import Term, content_keys, has_word, is_content, is_neutral, split_terms, table_keys
from storm.citations.vocabulary import words_of

_PEOPLE = "patient participant subject people individual child adult woman man volunteer"
_BEARING_ENDS = words_of("( ) , ; . to and or was were had who than")
_LIST_ENDS = words_of("( ) ; . was were is are had occurred developed in with during after observed between for")
_FORMER = words_of("from initial initially before start began previously starting")
_ABSENCES = words_of("without no not never none neither nor lack lacked lacking absence absent free naive non alone")
_MOMENTS = {"before": "before", "until": "before", "after": "after", "following": "after", "during": "during"}


def find_circumstance_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One fault of each kind at most."""
    yield from _find_grade_faults(said, quoted)
    yield from _find_condition_faults(said, quoted)
    yield from _find_baseline_faults(said, quoted)
    yield from _find_absence_faults(said, quoted)
    yield from _find_moment_faults(said, quoted)


def _find_moment_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """During a phase is not after it."""
    if mismatch := find_mismatch(_read_moments(said), _read_moments(quoted)):
        noun, moment = mismatch
        yield f"the quote does not say '{moment}' of '{quote_words((noun,), said)}'"


def _read_moments(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each word that follows "before", "during" or "after", with which of them it is."""
    for n, term in enumerate(terms):
        after = [other for other in terms[n + 1 : n + 4] if other.word not in ("the", "their", "a", "an", "this")]
        if term.word in _MOMENTS and after and is_content(after[0]):
            yield after[0].key, _MOMENTS[term.word]


def _find_absence_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """What the quote names only after "without", the statement must not claim to be there."""
    if has_word(said, _ABSENCES):
        return
    places = [n for n, term in enumerate(quoted) if term.word == "without"]
    spans = [range(n + 1, n + 1 + len(split_terms(quoted[n + 1 : n + 5], _BEARING_ENDS)[0])) for n in places]
    spans += _read_absent_lists(quoted)
    inside = {quoted[n].key for span in spans for n in span if is_content(quoted[n]) and not is_neutral(quoted[n])}
    outside = {term.key for n, term in enumerate(quoted) if not any(n in span for span in spans)}
    if found := (inside - outside) & content_keys(said):
        yield f"the quote says it 'without {quote_words(found, quoted)}'"


def _read_absent_lists(terms: Sequence[Term]) -> Iterator[range]:
    """What comes after the "or" of "no A or B were seen"."""
    for n, term in enumerate(terms):
        rest = split_terms(terms[n + 1 : n + 9], _LIST_ENDS)[0] if term.word == "no" else ()
        joint = next((at for at, other in enumerate(rest) if other.word in ("or", "nor")), len(rest))
        if not any(is_direction(other) or is_neutral(other) for other in rest):
            yield range(n + 2 + joint, n + 1 + len(rest))


def _find_grade_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A grade keeps the event that it is of: "grade 3 rash and grade 2 bleeding"."""
    graded = list(_read_grades(quoted))
    grades = {grade for _, grade in graded}
    if mismatch := find_mismatch((pair for pair in _read_grades(said) if pair[1] in grades), graded):
        noun, grade = mismatch
        yield f"the quote does not say '{grade}' of '{quote_words((noun,), said)}'"


def _read_grades(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    """Each noun after "grade 3", up to the next grade, with that grade."""
    grade = ""
    for before, term in pairwise(terms):
        if before.key in ("grade", "stage", "class") and term.kind == "number":
            grade = f"{before.key} {term.key}"
        elif term.word in (",", ";", "."):
            grade = ""
        elif grade and is_content(term) and not is_neutral(term):
            yield term.key, grade


def _find_condition_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Patients with a condition are not those without it."""
    bearing, lacking = _read_conditions(said)
    present, absent = _read_conditions(quoted)
    for own, other, word in (
        (bearing & absent - lacking, present, "without"),
        (lacking & present - bearing, absent, "with"),
    ):
        if own - other:
            yield f"the quote is about people {word} '{quote_words(own - other, quoted)}'"
            return


def _read_conditions(terms: Sequence[Term]) -> tuple[set[str], set[str]]:
    """What people have, and what they lack: the words after "patients with" and after "patients without"."""
    found: dict[str, set[str]] = {"with": set(), "without": set()}
    for n, term in enumerate(terms):
        if term.word in found and n and terms[n - 1].key in table_keys(_PEOPLE):
            after = split_terms(terms[n + 1 : n + 5], _BEARING_ENDS)[0]
            found[term.word] |= {other.key for other in after if is_content(other) and not is_neutral(other)}
    return found["with"], found["without"]


def _find_baseline_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A value at baseline is not a result."""
    if "baseline" in content_keys(said) or has_word(said, _FORMER):
        return
    places = {value.token: value.at for value in read_values(quoted)}
    for value in read_values(said):
        at = places.get(value.token, 0)
        before = split_terms(quoted[max(0, at - 5) : at], _BEARING_ENDS)[-1]
        if value.unit not in TIMES and any(term.key == "baseline" for term in before):
            yield f"the quote says that {value.name} was at baseline"
            return
