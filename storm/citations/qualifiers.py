"""What a statement must neither drop nor add: animals, doubt, significance, causes, and exclusion from a trial."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from storm.citations import vocabulary
from storm.citations.comparisons import Words, quote_words, side_words
from storm.citations.coverage import is_hedge, is_occurrence, names_nonhuman
from storm.citations.cues import finds_no_difference, is_direction, is_negated, read_cues
from storm.citations.measures import read_values
from storm.citations.positions import find_next, word_at
from storm.citations.readings import read_clauses
from storm.citations.terms import Term, has_word, is_content, is_neutral, number_keys, stem_word, table_keys
from storm.citations.vocabulary import words_of

_NEGATORS = words_of("not no never cannot neither nor without")
_TAKEN = frozenset(
    map(stem_word, words_of("included include inclusion eligible eligibility enrolled enroll recruited"))
)
_LEFT_OUT = frozenset(map(stem_word, words_of("excluded exclude excluding exclusion ineligible")))
_CAUSES = frozenset(map(stem_word, words_of("cause caused causes causing causal")))
_CAUSING = re.compile(
    r"\b(?:caus\w+|le(?:d|ads?|ading) to|because of|due to|owing to|result(?:s|ed|ing)? (?:in|from)|attribut\w+|"
    r"induc\w+|trigger\w+|provok\w+|(?:drug|treatment|therapy)[ -]+related)\b"
)
_OCCURS = frozenset(map(stem_word, words_of("occurred occur reported experienced observed seen recorded noted")))
#: What of an event or a body is measured; the words of a line mean nearly the same.
_ATTRIBUTES = tuple(
    frozenset(map(stem_word, words_of(line)))
    for line in (
        "frequency rate incidence occurrence number count proportion percentage share risk",
        "severity intensity",
        "duration length",
        "volume size",
    )
)
_LINKS = frozenset(map(stem_word, words_of("associated association correlated correlation linked")))
_STUDIED = frozenset(
    map(
        stem_word,
        words_of("evaluate assess compare examine study investigate test explore determine measure analyse ask"),
    )
)
_UNKNOWN = frozenset(map(stem_word, words_of("unclear unknown know known ask asked question see uncertain")))
#: Before "to" these introduce an aim.
_LEADING_TO = words_of("was is were are : aim aims aimed objective objectives purpose goal")
_SIGNIFICANT = frozenset(("signific", "significant"))
_INSIGNIFICANT = frozenset(("nonsignific", "insignific"))
_POSSIBLE = words_of("can could")
_AT = words_of("at since before after from until of")
_NEVER = words_of("never nobody none always")
_NONE = words_of("never nobody none always no neither zero 0 without all every")
_PERIODS = frozenset(("day", "week", "month", "year", "hour"))
_ALPHA = 0.05


def find_qualifier_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """One fault of each kind at most."""
    if names_nonhuman(quoted) and not names_nonhuman(said):
        yield "the quote is about animals or cells, the statement does not say so"
    yield from _find_denial_faults(said, quoted)
    if _affirms_effect(said) and _denies_effects(quoted):
        yield "the quote denies an effect, the statement does not"
    if has_word(said, _NEVER) and not has_word(quoted, _NONE):
        yield "the statement says 'never' or 'none', the quote does not"
    yield from _find_frequency_faults(said, quoted)
    yield from _find_doubt_faults(said, quoted)
    yield from _find_significance_faults(said, quoted)
    if _has_stem(said, _CAUSES) and not _has_stem(quoted, _CAUSES) and _has_stem(quoted, _LINKS):
        yield "the quote reports an association, the statement a cause"
    elif _names_cause(said) and not _names_cause(quoted) and _only_occurs(quoted):
        yield "the quote reports that it occurred, the statement what caused it"
    yield from _find_attribute_faults(said, quoted)


def _affirms_effect(terms: Sequence[Term]) -> bool:
    places = [n for n, term in enumerate(terms) if stem_word(term.word) == "effect"]
    return bool(places) and not is_negated(terms, places[0])


def _denies_effects(terms: Sequence[Term]) -> bool:
    places = [n for n, term in enumerate(terms) if term.word in ("effect", "effects")]
    return bool(places) and is_negated(terms, places[0])


def _find_frequency_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """ "Twice" for "once", or "weekly" for "daily"."""
    claimed, frequencies = _read_frequencies(said), _read_frequencies(quoted)
    for count, period in claimed:
        if frequencies and period not in {other for _, other in frequencies}:
            yield f"the quote does not say 'each {period}'"
        elif frequencies and count and not {(count, period), ("", period)} & set(frequencies):
            yield f"the quote does not say '{count} each {period}'"


def _read_frequencies(terms: Sequence[Term]) -> list[tuple[str, str]]:
    """How often in which period: ("twice", "day"), ("", "week")."""
    found = []
    for n, term in enumerate(terms):
        if term.key not in _PERIODS:
            continue
        before = [other.word for other in terms[max(0, n - 3) : n]]
        if interval := _read_interval(terms[max(0, n - 2) : n]):
            found.append(("", f"{interval} {term.key}s"))
            continue
        led = before[-1:] and before[-1] in ("a", "per", "every", "each", "/")
        if term.word.endswith("ly") or led:
            counts = [word for word in before if word in ("once", "twice", "thrice")]
            found.append((counts[-1] if counts else "", term.key))
    return found


def _read_interval(before: Sequence[Term]) -> str:
    """Every how many periods: "2" for "every other day" and "every 2 days"."""
    if len(before) < 2 or before[0].word not in ("every", "per", "/"):
        return "2" if before and before[-1].word == "alternate" else ""
    if before[1].word in ("other", "second"):
        return "2"
    return before[1].key if before[1].kind == "number" and before[1].key != "1" else ""


def _find_denial_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """A word that one of the two denies right before it, and the other asserts."""
    if _is_elliptic(quoted) or _is_elliptic(said):
        return
    for one, other, name in ((said, quoted, "statement"), (quoted, said, "quote")):
        denied = _denied_keys(one)
        asserted = {term.key for n, term in enumerate(other) if not _is_denied(other, n) and not _is_lacked(other, n)}
        open_here = {term.key for n, term in enumerate(one) if not _is_denied(one, n)}
        denials = (denied - open_here) & asserted
        if denials:
            yield f"the {name} denies '{quote_words(denials, one)}', the other does not"
            return


def _is_elliptic(terms: Sequence[Term]) -> bool:
    """Whether a denial omits what it denies: "those who did not"."""
    return any(
        term.word == "not" and (n + 1 == len(terms) or terms[n + 1].kind == "mark") for n, term in enumerate(terms)
    )


def _denied_keys(terms: Sequence[Term]) -> set[str]:
    return {term.key for n, term in enumerate(terms) if is_content(term) and _is_denied(terms, n)}


def _is_denied(terms: Sequence[Term], n: int) -> bool:
    """Whether "not", "never" or "cannot" stands before the word, with nothing but small words between."""
    if is_direction(terms[n]) or is_neutral(terms[n]) or stem_word(terms[n].word) in _TAKEN | _LEFT_OUT | _SIGNIFICANT:
        return False
    for back in range(n - 1, max(-1, n - 4), -1):
        word = terms[back].word
        if word in ("not", "never", "cannot"):
            return True
        if word not in ("well", "be", "been", "yet", "to", "have", "a", "an", "the") and not word.endswith("ly"):
            return False
    return False


def _is_lacked(terms: Sequence[Term], n: int) -> bool:
    """Whether "without" or "no" stands before the word: "without clinical relevance" means that it is not relevant."""
    before = [term.word for term in terms[max(0, n - 3) : n]]
    led = [at for at, word in enumerate(before) if word in ("without", "no", "non", "lack", "absence")]
    return bool(led) and not any(word in (",", ";", "and", "but") for word in before[led[-1] :])


def read_participation(terms: Sequence[Term]) -> int:
    """1 if the text says who took part, -1 if it says who did not, 0 if neither."""
    for n, term in enumerate(terms):
        if word_at(terms, n - 1) in _AT:  # a time: "at enrolment"
            continue
        stemmed = stem_word(term.word)
        took_part = (stemmed == "particip" and word_at(terms, n - 1) in ("to", "not", "could")) or _is_taking_part(
            terms, n
        )
        sign = 1 if stemmed in _TAKEN or took_part else -1 if stemmed in _LEFT_OUT else 0
        if sign:
            return -sign if has_word(terms[max(0, n - 4) : n], _NEGATORS) else sign
    return 0


def _is_taking_part(terms: Sequence[Term], n: int) -> bool:
    return terms[n].word == "part" and word_at(terms, n - 1) in ("take", "took", "taken", "taking")


def _find_doubt_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    if _first_hedge(quoted, side_words(said)) and not (
        has_word(said, _POSSIBLE) or _first_hedge(said) or _has_stem(said, table_keys(vocabulary.AIMS))
    ):
        yield f"the quote says '{_first_hedge(quoted, side_words(said))}', the statement leaves no doubt"
    aims = [term.word for n, term in enumerate(quoted) if _is_aim(quoted, n)]
    if aims and not (_has_stem(said, table_keys(vocabulary.AIMS)) or _has_stem(said, _STUDIED) or _first_hedge(said)):
        yield f"the quote says what was asked or planned ('{aims[0]}'), the statement what was found"


def _is_aim(terms: Sequence[Term], n: int) -> bool:
    """Whether the word introduces a question or a plan; "irrespective of whether" and "above their goals" do not."""
    term = terms[n]
    if term.key not in table_keys(vocabulary.AIMS) or term.word.startswith("investigation"):
        return False
    if term.word == "whether":
        before = terms[max(0, n - 4) : n]
        return any(
            stem_word(other.word) in _STUDIED | _UNKNOWN or other.key in table_keys(vocabulary.AIMS) for other in before
        )
    if term.key in table_keys(vocabulary.GOALS):
        return any(a.word in _LEADING_TO and b.word == "to" for a, b in pairwise(terms[n : n + 16])) or n == 0
    return True


def _first_hedge(terms: Sequence[Term], claimed: Words | None = None) -> str:
    """The first word of doubt, if any. "More likely" compares and doubts nothing; a doubt after a comma ("…, which may
    be due to") counts only if the `claimed` words are among its own."""
    for n, term in enumerate(terms):
        if not is_hedge(term):
            continue
        compares = term.word in ("likely", "probable") and n and terms[n - 1].word in ("more", "less", "as", "most")
        compares = compares or is_occurrence(terms, n) or _is_side_remark(terms, n, claimed)
        compares = compares or (term.word == "potential" and n + 1 < len(terms) and not is_content(terms[n + 1]))
        compares = compares or (term.word == "trend" and n and terms[n - 1].word == "for")
        if not compares:
            return term.word
    return ""


def denies_by_p(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether the statement denies a (significant) difference, and every P value of the quote agrees."""
    values = [value for value in read_values(quoted) if value.label == "p" and re.fullmatch(r"0\.\d+", value.token)]
    insignificant = bool(values) and all(
        value.bound in ("", "=", ">", "≥") and float(value.token) > _ALPHA for value in values
    )
    claimed = _read_significance(said)
    return insignificant and (claimed is False or (claimed is None and _finds_no_change(said)))


def _finds_no_change(said: Sequence[Term]) -> bool:
    cues = read_cues(said)
    return finds_no_difference(cues) or any(cue.negated for cue in cues)


def repeats_insignificant_p(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether the statement itself gives a P value of the quote that shows no significant difference."""
    ours, theirs = _insignificant_values(said), _insignificant_values(quoted)
    return bool(ours & theirs) and _read_significance(said) is not True


def _insignificant_values(terms: Sequence[Term]) -> set[str]:
    values = [value for value in read_values(terms) if value.label == "p" and value.bound in ("", "=", ">", "≥")]
    return {value.token for value in values if re.fullmatch(r"0\.\d+", value.token) and float(value.token) > _ALPHA}


def _is_side_remark(terms: Sequence[Term], n: int, claimed: Words | None) -> bool:
    """Whether a doubt stands in a part after a comma of whose own words the claim uses none."""
    start = next((at for at in range(n, -1, -1) if terms[at].word in (",", ";")), 0)
    end = find_next(terms, (",", ";"), n)
    if n == start + 1:  # "A, a kind of B, might improve C"
        return False
    rest = side_words([*terms[:start], *terms[end:]])
    return claimed is not None and bool(start and rest & claimed) and not claimed & side_words(terms[start:end]) - rest


def _find_significance_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    claimed = _read_significance(said)
    if claimed is None:
        return
    known = _first_known(_read_significance(quoted), _read_significance_by_p(quoted))
    if known is not None and (own := _closest_clause(said, quoted)):
        known = _first_known(_read_significance(own), _read_significance_by_p(own), known)
    if known is None:
        yield "the quote does not say whether it is significant"
    elif known is not claimed:
        yield f"the quote says that it is {'' if known else 'not '}significant"


def _first_known(*verdicts: bool | None) -> bool | None:
    return next((verdict for verdict in verdicts if verdict is not None), None)


def _closest_clause(said: Sequence[Term], quoted: Sequence[Term]) -> Sequence[Term]:
    """The one clause of the quote with the most words and numbers of the statement; empty if there are several."""
    tokens = number_keys(said) | side_words(said)
    clauses = read_clauses(quoted)
    shared = [len(tokens & (side_words(one) | {term.key for term in one})) for one in clauses]
    return clauses[shared.index(max(shared))] if shared.count(max(shared)) == 1 else ()


def _read_significance(terms: Sequence[Term]) -> bool | None:
    """True if the text calls something significant, False if it denies that, None if it says neither."""
    for n, term in enumerate(terms):
        stemmed = stem_word(term.word)
        if stemmed in _INSIGNIFICANT or (stemmed in _SIGNIFICANT and n and terms[n - 1].word == "non"):
            return False
        if stemmed in _SIGNIFICANT:
            return not (has_word(terms[max(0, n - 5) : n], _NEGATORS) or has_word(terms[:n], ("neither",)))
    return None


def _read_significance_by_p(terms: Sequence[Term]) -> bool | None:
    """Whether the first P value of the text is significant; None without one."""
    for value in read_values(terms):
        if value.label == "p" and value.bound in ("=", "<", "≤", ">", "≥"):
            p = float(value.token) if value.token.replace(".", "", 1).isdigit() else 1.0
            if value.bound in ("=", "<", "≤"):
                return p < _ALPHA or (value.bound == "<" and p <= _ALPHA)
            return False
    return None


def _has_stem(terms: Sequence[Term], stems: frozenset[str]) -> bool:
    return any(stem_word(term.word) in stems or term.key in stems for term in terms)


def _names_cause(terms: Sequence[Term]) -> bool:
    return _CAUSING.search(" ".join(term.word for term in terms)) is not None


def _only_occurs(quoted: Sequence[Term]) -> bool:
    """Whether a quote tells that something occurred, and of no rise or fall of it."""
    return _has_stem(quoted, _OCCURS) and not any(cue.direction for cue in read_cues(quoted))


def _find_attribute_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """The severity of what the quote gives the frequency of."""
    ours, theirs = _find_attributes(said), _find_attributes(quoted)
    added, left = ours.keys() - theirs.keys(), theirs.keys() - ours.keys()
    if added and left:
        yield f"the quote is on the {theirs[min(left)]}, not on the {ours[min(added)]}"


def _find_attributes(terms: Sequence[Term]) -> dict[int, str]:
    """The attributes that are named, by their line."""
    return {n: term.word for n, group in enumerate(_ATTRIBUTES) for term in terms if stem_word(term.word) in group}
