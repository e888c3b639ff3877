"""Whether a quote says what a statement claims, by rule: words, values, arms, directions, and what limits them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm.citations.abbreviations import align_abbreviations
from storm.citations.arms import find_arm_faults
from storm.citations.changes import find_change_faults
from storm.citations.circumstances import find_circumstance_faults
from storm.citations.clauses import find_clause_faults
from storm.citations.comparisons import Words, own_words, side_words
from storm.citations.counts import find_count_faults
from storm.citations.coverage import Record, find_word_faults, names_humans, names_nonhuman
from storm.citations.cues import Direction, read_cues
from storm.citations.denials import find_contradiction, find_equivalence_fault
from storm.citations.directions import find_direction_faults
from storm.citations.excepted import align_exceptions
from storm.citations.focus import find_focus_faults
from storm.citations.items import find_item_faults
from storm.citations.measures import find_value_faults, read_values
from storm.citations.populations import PEOPLE
from storm.citations.positions import find_next, word_at
from storm.citations.pressures import WORDS, find_pressure_faults, read_pressure_pairs
from storm.citations.qualifiers import denies_by_p, find_qualifier_faults, read_participation, repeats_insignificant_p
from storm.citations.quotes import normalize_text
from storm.citations.restrictions import find_restriction_faults
from storm.citations.terms import Term, content_keys, has_word, number_keys, read_terms, stem_word, table_keys
from storm.citations.vocabulary import words_of

_NO_RECORD = Record()
#: Longest text, in characters, that is compared: a quote is a sentence or a few.
_LONGEST = 3_000
#: Most faults that are reported: a model fixes the first ones first.
_MOST = 3
_COMPARED = words_of("than versus vs placebo compared")
_TREATED = words_of(
    "treated given receiving taking assigned randomised randomized group groups arm arms without on than"
)
#: A comparison set aside within a statement, whose arm is not the one that the values are of.
_ASIDE = re.compile(r"\b(?:(?:by|in) contrast (?:to|with)|unlike|as opposed to) [^,;.]{1,60},", re.IGNORECASE)
_STUDIES = words_of("trial trials study studies analysis analyses")
_LATIN = re.compile(r"[a-z]")
_LETTER = re.compile(r"[^\W\d_]")
_RELATIONS = "related associated"
#: Grade 3 or more is severe (CTCAE).
_SEVERE_GRADE = re.compile(r"\bgrades?\s?(?:≥|>=)?\s?(?:[3-5]|III|IV)\b", re.IGNORECASE)
_LEADS = re.compile(r"\W{0,3}(?:although|though|while|whereas|despite)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:was|were|is|are|had|has|have|did|rose|fell|[a-z]{3,20}ed)\b")
_PARTS = re.compile(
    r";\s|\.\s(?=[A-Z])|,\s(?:but|whereas|while|although|though|however)\s|,?\s(?:and|but|with)\s(?=(?:\w{2,9}\s){0,2}no(?:t|ne)?\s)"
    r"|\s\((?=(?:although|though|but|while|with\sno)\s)|,\s(?=(?:neither|none)\s)|,\s(?=and\s\d)"
)


def find_claim_faults(statement: str, quote: str, record: Record = _NO_RECORD, most: int = _MOST) -> tuple[str, ...]:
    """Why the quote does not support the statement, worded for whoever has to fix it; at most `most` reasons.

    Empty where the rules find nothing, where the statement is its quote word for word, and for quotes in other scripts
    than the Latin one, which are not read.
    """
    if _normalize_sentence(statement) == _normalize_sentence(quote) or not _is_readable(quote):
        return ()
    if len(quote) > _LONGEST or len(statement) > _LONGEST:
        return ("its quote is too long to be compared with it: give the sentence that says it",)
    statement, quote = align_exceptions(align_abbreviations(statement, quote, record.title), quote)
    faults = dict[str, None]()
    for fault in _find_faults(statement, quote, record):
        faults[fault] = None
        if len(faults) == most:
            break
    return tuple(faults)


def _find_faults(statement: str, quote: str, record: Record) -> Iterator[str]:
    said, quoted = read_terms(statement), read_terms(quote)
    if _ASIDE.search(statement):
        yield from find_arm_faults(read_terms(_ASIDE.sub("", statement)), quoted)
    if names_nonhuman(record.beside_terms) and not (names_nonhuman((*said, *quoted)) or names_humans(quoted)):
        yield "beside its quote animals or cells are named, the statement does not say so"
    is_inverted = read_participation(said) * read_participation(quoted) < 0
    has_fall = _repeats_negative_value(said, quoted)
    is_less = has_fall or any(cue.direction is Direction.DOWN and not cue.negated for cue in read_cues(quoted))
    pressures = WORDS if read_pressure_pairs(quote) else ()
    severe = ("sever",) if _SEVERE_GRADE.search(quote) else ()
    permitted = (*(("only",) if is_inverted else ()), *(("loss",) if is_less else ()), *pressures, *severe)
    yield from find_word_faults(statement, quote, record, permitted)
    bounds = tuple(find_value_faults(statement, quote, inverted=is_inverted))
    yield from bounds
    yield from find_pressure_faults(statement, quote)
    if is_inverted and not _has_bound(said):
        yield "the quote says who did not take part, the statement who did, or the other way round"
    is_value = _reports_values_only(said, quoted) or repeats_insignificant_p(said, quoted)
    if not is_value and not denies_by_p(said, quoted):
        yield from filter(None, (find_contradiction(statement, _select_part(said, quote)),))
    yield from filter(None, (find_equivalence_fault(statement, quote),))
    yield from _find_side_faults(_drop_setting(said), _drop_setting(quoted), falls=has_fall)
    yield from find_qualifier_faults(said, quoted)
    yield from find_restriction_faults(said, quoted)
    yield from find_circumstance_faults(said, quoted)


def _find_side_faults(said: Sequence[Term], quoted: Sequence[Term], *, falls: bool) -> Iterator[str]:
    """Values, changes and directions that do not keep their arm, subject or item."""
    yield from find_arm_faults(said, quoted)
    yield from find_change_faults(said, quoted)
    yield from find_count_faults(said, quoted)
    yield from find_clause_faults(said, quoted)
    yield from find_item_faults(said, quoted)
    yield from find_focus_faults(said, quoted)
    yield from find_direction_faults(said, quoted, falls=falls, equal=denies_by_p(said, quoted))


def _normalize_sentence(text: str) -> str:
    return normalize_text(text).rstrip(" .;,")


def _is_readable(quote: str) -> bool:
    letters = _LETTER.findall(normalize_text(quote))
    return 2 * len(_LATIN.findall(normalize_text(quote))) > len(letters)


def _has_bound(terms: Sequence[Term]) -> bool:
    return any(value.bound for value in read_values(terms))


def _select_part(said: Sequence[Term], quote: str) -> str:
    """The part of the quote that has all of the statement's words, if any: denials in other parts do not count."""
    quoted = read_terms(quote)
    relations = content_keys(said) & content_keys(quoted) & table_keys(_RELATIONS)
    words = (side_words(said) & side_words(quoted)) | relations
    parts = [part for whole in _PARTS.split(quote) for part in _split_at_conjunction(whole)]
    if any(map(_denies_what_precedes, parts)):
        return quote
    tokens = number_keys(said)
    if own := _find_part_by_numbers(parts, tokens):
        return own
    return next((part for part in parts if words and _covers_statement(read_terms(part), words, tokens)), quote)


def _find_part_by_numbers(parts: Sequence[str], tokens: frozenset[str]) -> str:
    """The one part whose own numbers the statement has, and no other part's; empty if there is none."""
    numbers = [number_keys(read_terms(part)) for part in parts]
    own = [tokens & ours for ours in own_words(numbers)]
    return parts[own.index(max(own, key=len))] if sum(map(bool, own)) == 1 else ""


def _denies_what_precedes(part: str) -> bool:
    """Whether the part has a denial and no subject of its own: "but the differences were not significant"."""
    terms = read_terms(part)
    return has_word(terms, ("not",)) and not side_words(terms)


def _covers_statement(part: Sequence[Term], words: Words, tokens: frozenset[str]) -> bool:
    """Whether a part has all of these words, or all of the numbers and one of the words."""
    own = side_words(part) | content_keys(part)
    if tokens:
        return bool(words & own) and words & table_keys(_RELATIONS) <= own and tokens <= number_keys(part)
    return words <= own


def _split_at_conjunction(text: str) -> list[str]:
    """The two halves of "A did this, and B did that"; all of it where not each has a verb."""
    halves = text.split(", " if _LEADS.match(text) else ", and ", 1)
    if _LEADS.match(text):  # "Although A did not, B did"
        return halves
    return halves if len(halves) == 2 and all(map(_VERB.search, halves)) else [text]


def _drop_setting(terms: Sequence[Term]) -> Sequence[Term]:
    """The text without "In a trial of A and B in adults," before a comparison, whose sides these words do not name."""
    start = find_next(terms, (",",), 0)
    lead, rest = terms[:start], terms[start + 1 :]
    is_setting = has_word(lead, _STUDIES) or (word_at(lead, 1) in PEOPLE and word_at(lead, 2) == "with")
    is_setting = is_setting and word_at(lead, 0) in ("in", "among", "during") and not number_keys(lead)
    if is_setting and has_word(rest, _COMPARED) and not has_word(lead, _TREATED):
        return rest
    return _drop_people(terms) if has_word(terms, _COMPARED) else terms


def _drop_people(terms: Sequence[Term]) -> Sequence[Term]:
    """The text without "in patients with asthma" after its two sides, where it names people once."""
    people = [n for n, term in enumerate(terms) if term.word in PEOPLE]
    if len(people) != 1 or word_at(terms, people[0] - 1) not in ("in", "among"):
        return terms
    start, end = people[0] - 1, find_next(terms, (",", ";", ".", "(", ")"), people[0])
    is_last = word_at(terms, start + 2) == "with" and has_word(terms[:start], _COMPARED)
    names = terms[start:end]
    return (
        [*terms[:start], *terms[end:]] if is_last and not (number_keys(names) or has_word(names, _TREATED)) else terms
    )


def _reports_values_only(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether the quote denies a difference, and the statement gives values without speaking of a difference."""
    differs = any(stem_word(term.word) in ("differ", "differenc") for term in said)
    cues = read_cues(quoted)
    is_equal = bool(cues) and all(cue.direction is Direction.EQUAL for cue in cues)
    return is_equal and not differs and not read_cues(said) and any(term.kind == "number" for term in said)


def _repeats_negative_value(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether the statement repeats a number below zero of the quote."""
    return any(key.startswith("-") for key in number_keys(said) & number_keys(quoted))
