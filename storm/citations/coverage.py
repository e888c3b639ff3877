"""Whether the quote has a word of the same meaning for each word of the statement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from storm.citations import implications, vocabulary
from storm.citations.comparisons import DOSE_SIZES
from storm.citations.cues import is_direction
from storm.citations.everyday import words_alike
from storm.citations.measures import parse_number, read_plain_values
from storm.citations.populations import names_disease, names_people, read_title_population
from storm.citations.positions import word_at
from storm.citations.support import is_carrier, supports_word
from storm.citations.terms import (
    Term,
    content_keys,
    has_word,
    is_content,
    is_neutral,
    is_same_word,
    read_terms,
    split_terms,
    stem_word,
    table_keys,
    written_words,
)
from storm.citations.vocabulary import words_of

_ABBREVIATION = re.compile(r"\b(?:[A-Z][a-z]?){2,6}s?\b")
#: Words for people, which a quote about animals does not support.
_HUMAN = words_of("patient patients participant participants people person persons subject subjects individual")
#: Kinds of treatment that a title describes.
_INTERVENTIONS = (
    "supplementation supplement extract vaccine injection infusion cream gel ointment patch spray drops rinse "
    "mouthwash training education counselling massage surgery acupuncture diet exercise program programme remedy"
)
#: Nouns that say nothing of their own: "T3 disease".
_GENERIC = words_of("disease diseases")
#: What a drug causes, by the word itself.
_HARMS = frozenset(("adverse effect", "adverse effects", "side effect", "side effects", "adverse reactions"))
_RELATED = words_of("related associated correlated linked")
#: Between two treatments of a title.
_SIDES = words_of("and or versus vs plus")
_HEALTHY = words_of("healthy volunteer volunteers")
#: Before these, "appeared" means "came", not "seemed".
_PLACES = words_of("in on at after within during before later earlier first")
#: After a comparative, these are part of the comparison, which another rule checks.
_FREQUENCIES = frozenset(("frequent", "rare", "severe", "mild"))
#: Percentage from which on "nearly all" is right.
_NEARLY_ALL = 85
#: Most missing words that are reported at once.
_MOST = 4


class Record(NamedTuple):
    """What a source may supply where its quote names nothing: its title, and the names of its drug and trial."""

    title: str = ""
    drugs: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    #: The sentences around the quoted one; people and diseases that they name are not taken from the title.
    beside: tuple[str, ...] = ()

    @property
    def beside_terms(self) -> tuple[Term, ...]:
        """The terms of the sentences beside the quote, in order."""
        return tuple(term for sentence in self.beside for term in read_terms(sentence))


def find_word_faults(statement: str, quote: str, record: Record, permitted: Iterable[str] = ()) -> Iterator[str]:
    """The words of the statement that neither the quote supports nor, where allowed, the record."""
    said, quoted = read_terms(statement), read_terms(quote)
    in_quote = content_keys(quoted) | set(map(stem_word, written_words(quoted))) | set(permitted)
    anti = " ".join(word[4:] for word in written_words(quoted) if word.startswith("anti"))
    in_quote |= table_keys(anti)
    in_quote |= {term.key for term in quoted if len(term.word) == 1 and term.key != term.word}  # "h" is an hour
    written = written_words(quoted) - vocabulary.GRAMMAR
    short = _abbreviated_words(statement, said, quote, quoted) | _title_abbreviations(statement, record, quoted)
    from_record = _words_from_record(record, quoted)
    missing: dict[str, str] = {}
    for n, term in enumerate(said):
        if not is_content(term) or term.key in short or _is_in_quote(term, in_quote):
            continue
        if _needs_no_support(said, n, quoted) or term.key in from_record:
            continue
        if not supports_word(term.word, written) and not is_carrier(said, n):
            missing.setdefault(term.key, term.word)
    for key, word in list(missing.items())[:_MOST]:
        yield _describe_missing_word(key, word, in_quote)


def names_nonhuman(terms: Sequence[Term]) -> bool:
    """Whether the text is about animals or cell cultures."""
    return any(term.key in table_keys(vocabulary.NONHUMAN) for term in terms)


def names_humans(terms: Sequence[Term]) -> bool:
    """Whether the text says that it is about people."""
    return has_word(terms, ("human", "humans", "patients", "participants", "volunteers", "people"))


def names_harm(terms: Sequence[Term]) -> bool:
    """Whether the text speaks of what a drug causes: adverse effects, which adverse events need not be."""
    return has_word(terms, _HARMS)


def is_hedge(term: Term) -> bool:
    """Whether the word expresses doubt."""
    return term.word in _hedge_words()


def is_occurrence(terms: Sequence[Term], n: int) -> bool:
    """Whether something "appeared" at a place or a time, which expresses no doubt."""
    after = (term.word for term in terms[n + 1 : n + 4] if not term.word.endswith("ly"))
    return terms[n].word in ("appear", "appears", "appeared") and next(after, "") in _PLACES


@cache
def _hedge_words() -> frozenset[str]:
    return frozenset(vocabulary.HEDGES.split())


def names_drug(term: Term) -> bool:
    """Whether the word is a drug's name, by its ending."""
    word = term.word
    return (
        word in vocabulary.DRUGS
        or word.startswith(vocabulary.REGIMENS)
        or (len(word) >= 6 and any(map(word.endswith, vocabulary.DRUG_ENDINGS)))
    )


def drug_keys(terms: Iterable[Term]) -> tuple[str, ...]:
    """The drugs that a text names, in order, each once."""
    return tuple(dict.fromkeys(term.key for term in terms if names_drug(term)))


def names_indication(terms: Iterable[Term]) -> bool:
    """Whether the text says what a drug is approved, indicated or recommended for."""
    return not content_keys(terms).isdisjoint(table_keys(vocabulary.USES))


def _describe_missing_word(key: str, word: str, in_quote: Iterable[str]) -> str:
    if other := _contrasts(key, in_quote):
        return f"the quote says '{other}', the statement '{word}'"
    return f"the quote does not say '{word}'"


def _contrasts(key: str, in_quote: Iterable[str]) -> str:
    """A word of the quote that must not be confused with this one; empty without any."""
    others = (other for contrast in vocabulary.CONTRASTS if key in contrast for other in contrast if other != key)
    return next((other for other in others if other in in_quote), "")


def _is_in_quote(term: Term, in_quote: Iterable[str]) -> bool:
    if term.key in in_quote or any(is_same_word(term.key, other) for other in in_quote):
        return True
    alike = words_alike(stem_word(term.word)) | words_alike(stem_word(term.key))
    if not alike.isdisjoint(in_quote) and not _contrasts(term.key, in_quote):
        return True
    if any(
        term.key in table_keys(word) and _names_any(needs, in_quote) for word, needs in implications.IMPLIED.items()
    ):
        return True
    parts = term.word.split()
    free = vocabulary.GRAMMAR | _HUMAN
    return len(parts) > 1 and all(part in free or stem_word(part) in in_quote for part in parts)


def _names_any(words: Iterable[str], in_quote: Iterable[str]) -> bool:
    return any(word in in_quote or stem_word(word) in in_quote for word in words)


def _needs_no_support(said: Sequence[Term], n: int, quoted: Sequence[Term]) -> bool:
    """Whether the word needs no support by a word of the quote: reporting, a direction, a unit."""
    term = said[n]
    if is_occurrence(said, n):
        return True
    if term.word in _HUMAN:
        return not names_nonhuman(quoted)
    if stem_word(term.word) == "prevent" and names_indication(quoted):
        return False
    if is_neutral(term) or is_direction(term) or term.word in _GENERIC:
        return True
    if term.word in vocabulary.INTENSIFIERS and written_words(quoted) & vocabulary.INTENSIFIERS:
        return True
    if term.key == "cause" and names_harm(quoted):
        return True
    if term.word == "twice":
        return _counts_two(quoted)
    if term.key in _FREQUENCIES and n and (is_direction(said[n - 1]) or said[n - 1].word == "as"):
        return term.key in ("frequent", "rare")
    if term.word == "all" and n and said[n - 1].word in ("nearly", "almost", "virtually", "practically"):
        return any(float(t.key[:-1]) >= _NEARLY_ALL for t in quoted if re.fullmatch(r"\d+(?:\.\d+)?%", t.key))
    if term.word.startswith("un") and _is_said(term.word[2:], quoted):
        return has_word(quoted, ("not", "no", "neither", "none", "never", "nor"))
    if term.key == "only" and _precedes_number(said, n):
        return True
    if term.key == "double" and not _names_any(("double", "twice"), content_keys(quoted)):
        return _has_doubled(said, quoted)
    if term.word == "may" and _names_any(vocabulary.PERMISSIONS, content_keys(quoted)):
        return True
    if is_hedge(term) and not (term.word == "likely" and n and is_direction(said[n - 1])):
        return any(map(is_hedge, quoted))
    if term.key in table_keys(vocabulary.AIMS + vocabulary.ASKING) and term.word != "whether":
        return any(other.key in table_keys(vocabulary.AIMS) for other in quoted)
    if term.key == "incidence":
        return "prevalence" not in content_keys(quoted)
    if (
        term.word in ("older", "younger")
        and n
        and (said[n - 1].word in ("and", "or") or word_at(said, n + 1) == "than")
    ):
        return True
    return (
        term.word in _FREE or term.key in DOSE_SIZES or (term.word == "likely" and n > 0 and is_direction(said[n - 1]))
    )


def _is_said(word: str, quoted: Sequence[Term]) -> bool:
    written = written_words(quoted)
    related = word in _RELATED and any(other.startswith(("relat", "associat", "correlat", "link")) for other in written)
    return related or stem_word(word) in content_keys(quoted) or supports_word(word, written)


def _has_doubled(said: Sequence[Term], quoted: Sequence[Term]) -> bool:
    """Whether of the statement's values one is about twice another one in the quote."""
    tokens = {value.token for value in read_plain_values(quoted)}
    values = [parse_number(value) for value in read_plain_values(said) if value.token in tokens]
    return any(1.8 * a <= b <= 2.6 * a for a in values for b in values if a > 0)


def _counts_two(terms: Sequence[Term]) -> bool:
    """Whether something is done two times a period: "two sessions per week"."""
    places = [n for n, term in enumerate(terms) if term.key == "2"]
    return any(has_word(terms[n + 1 : n + 4], ("per", "a", "each", "every", "/")) for n in places)


def _precedes_number(terms: Sequence[Term], n: int) -> bool:
    """Whether "only" says that a number is small: "only 4%", "only by 4%"."""
    after = terms[n + 1 : n + 3]
    led = after and after[0].word in ("by", "to", "in", "of", "about", "at", "for")
    return any(term.kind == "number" for term in (after if led else after[:1]))


#: Other rules check denials, significance, participation, and units beside a number.
_FREE = words_of(
    """
    non neither whether hardly insignificantly nonsignificantly numerically barely scarcely nobody nothing fail
    failed fails lack lacked lacking none never absence unable percentage point points like significant
    significantly statistically signific eligible eligibility excluded exclude exclusion included include inclusion
    enrolled enrol enroll recruited part ineligible fewer alone same mg kg ml
    """
)


def _abbreviated_words(statement: str, said: Sequence[Term], quote: str, quoted: Sequence[Term]) -> frozenset[str]:
    """The words of the statement that abbreviate words of the quote, or are abbreviated there."""
    found = {short for short in _find_abbreviations(statement) if short in _join_initials(quoted)}
    words = [(word, term.key) for term in said for word in term.word.split()]
    for short in _find_abbreviations(quote):
        for n in range(len(words) - len(short) + 1):
            row = words[n : n + len(short)]
            if "".join(word[0] for word, _ in row) == short:
                found |= {key for _, key in row}
    return frozenset(found) | {stem_word(short) for short in found}


def _title_abbreviations(statement: str, record: Record, quoted: Sequence[Term]) -> frozenset[str]:
    """COPD for the chronic obstructive pulmonary disease of the title, where the quote names no disease."""
    if not record.title or names_disease((*quoted, *record.beside_terms)):
        return frozenset()
    title = _join_initials(read_terms(record.title))
    found = {short for short in _find_abbreviations(statement) if len(short) > 2 and short in title}
    return frozenset(found) | {stem_word(short) for short in found}


def _find_abbreviations(text: str) -> list[str]:
    return [match[0].rstrip("s").lower() for match in _ABBREVIATION.finditer(text) if len(match[0]) >= 2]


def _join_initials(terms: Sequence[Term]) -> str:
    words = [word for term in terms if term.kind == "word" for word in term.word.split()]
    content = [word for word in words if word not in vocabulary.GRAMMAR]
    return "".join(word[0] for word in words) + " " + "".join(word[0] for word in content)


def _words_from_record(record: Record, quoted: Sequence[Term]) -> frozenset[str]:
    """The words that the record may supply: its drug where the quote names no other, its people where the quote names
    none, and the design of the study."""
    title = [term for term in read_terms(record.title) if is_content(term)]
    own = content_keys(term for name in record.drugs for term in read_terms(name))
    around = (*quoted, *record.beside_terms)
    names_any_drug = bool(drug_keys(around))
    words = {term.key for term in title if term.key in table_keys(vocabulary.DESIGN)} | {
        *_names_from_record(record, title)
    }
    if not names_any_drug or any(term.key in own for term in around):
        words |= own
    if has_word(quoted, ("vs", "versus", "than")):
        words |= {term.key for term in record.beside_terms if term.word == "placebo"}
    if not names_any_drug:
        words |= set(_drugs_from_title(read_terms(record.title), quoted)) | set(
            _interventions_from_title(record, quoted)
        )
    return frozenset(words) | _people_from_title(record, title, around)


def _drugs_from_title(title: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """The drugs of the title; of "A versus B" not B where the quote has A."""
    parts = split_terms(title, _SIDES)
    last = [next((term.key for term in reversed(part) if is_content(term)), "") for part in parts]
    for n, part in enumerate(parts):
        beside = {key for at, key in enumerate(last) if abs(at - n) == 1}
        if not beside & content_keys(quoted):
            yield from drug_keys(part)


def _interventions_from_title(record: Record, quoted: Sequence[Term]) -> Iterator[str]:
    """The words before an intervention of the title that the quote names by its kind: vitamin D supplementation."""
    title, kinds = read_terms(record.title), content_keys(quoted) & table_keys(_INTERVENTIONS)
    for n, term in enumerate(title):
        if term.key in kinds:
            yield from (other.key for other in title[max(0, n - 2) : n] if is_content(other))


def _people_from_title(record: Record, title: Sequence[Term], around: Sequence[Term]) -> frozenset[str]:
    """The people that the title names, as far as the quote names none."""
    if names_nonhuman(around):
        return frozenset()
    people = frozenset(term.key for term in title if term.key in table_keys(vocabulary.PEOPLE))
    people |= {key for key in read_title_population(read_terms(record.title)) if not names_drug(Term(key, key, "word"))}
    demographics = table_keys(vocabulary.DEMOGRAPHICS)
    people -= table_keys(vocabulary.GRADES)
    words = frozenset[str]() if names_people(around) else people & demographics
    return words if names_disease(around) or written_words(around) & _HEALTHY else words | (people - demographics)


def _names_from_record(record: Record, title: Sequence[Term]) -> Iterator[str]:
    """Names with a number in them, which another rule checks, and the acronym of a trial."""
    yield from (term.key for term in title if re.search(r"\d", term.key))
    yield from (re.sub(r"\W", "", name).lower() for name in record.identifiers)
    yield from (stem_word(short) for short in _find_abbreviations(record.title))
