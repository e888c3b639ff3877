"""A text as terms: its words by meaning, its numbers, and the marks between them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

import snowballstemmer

from storm.citations import synonyms, vocabulary
from storm.citations.numbers import find_numbers, flatten_text
from storm.models.names import split_words

Kind = Literal["word", "number", "mark"]

#: In capitals before a number or a bracket these are measures; "or" is a word and "hr" a unit.
_MEASURES = (
    (re.compile(r"\b[a]?HRs?\b(?=\s?[=:,;(]|\s?\d|\s(?:was|of|for))"), " hazard ratio "),
    (re.compile(r"\b[a]?ORs?\b(?=\s?[=:,;(]|\s?\d|\s(?:was|of|for)\s[\d.])"), " odds ratio "),
    (re.compile(r"\b[a]?RRs?\b(?=\s?[=:,;(]|\s?\d|\s(?:was|of|for)\s[\d.])"), " relative risk "),
)
#: Groups by their letters or numbers: "Groups 1, 2 and 5", "Group A".
_GROUP_NAME = r"(?:[A-Z]\d?|I{1,3}|IV|VI{0,3}|\d{1,2})\b"
_GROUPS = re.compile(
    rf"\b(?i:group|arm|cohort)s? {_GROUP_NAME}(?:(?:, (?:and )?| and | or |/){_GROUP_NAME}(?![.,]?\d|\s?%)){{0,9}}"
    r"(?![.,·]?\d|\s?(?:%|mg|min|minutes|h|hours|weeks|days|months|years|times|patients|participants)\b)"
)
_GROUP = re.compile(_GROUP_NAME)
_MONTH = re.compile(r"\bMay\b(?=\s\d|,)|(?<=\bin )May\b|(?<=\d )May\b")
#: "p.o.", "b.i.d."; "anti-coagulant".
_DOTTED = re.compile(r"\b[a-z]\.[a-z]\.(?:[a-z]\.)?(?![a-z])")
_PREFIX = re.compile(r"\b([Aa]nti|[Cc]o|[Rr]e|[Mm]ulti|[Ss]emi|[Ss]ub|[Ii]nter|[Ii]ntra|[Mm]icro|[Nn]eo)-(?=[a-z]{4})")
#: "SAEs" are several of "SAE".
_PLURAL = re.compile(r"\b([A-Z]{2,6})s\b")
#: "Went up" and "brought it down" are directions; "brought up" is not.
_MOVED = (
    r"\b(?:go(?:es|ne)?|went|came|come|(?:brought|bring|moved|pushed)\b(?! up\b| down\b))\b((?:\s[^\s]{1,30}){0,4}?)\s"
)
_ORDINAL = re.compile(r"\b([1-9]|10)(?:st|nd|rd|th)(?= (?:day|week|month|year|visit|cycle)\b)")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SIGNS = (
    (re.compile(r"\bnon-?(?=(?:inferior|superior|signific|equival))"), "non "),
    (re.compile(r"\bnon-(?!small|hodgkin)(?=[a-z]{3})"), "non"),
    (re.compile(r"\ball-cause\b"), "any cause"),
    (re.compile(r"\bmore slowly\b"), "less"),
    (re.compile(r"\bmore (?:quickly|rapidly)\b"), "more"),
    (re.compile(r"\bcut[- ]?offs?\b"), "cutoff"),
    (re.compile(r"\bprior to\b"), "before"),
    (re.compile(r"\bmm hg\b"), "mmhg"),
    (re.compile(r"\b(hepato|nephro|cardio|neuro)(?=toxic)"), r"\1 "),
    (re.compile(r"\binterleukin[- ](?=\d)"), "il-"),
    (re.compile(r"\bwith (and|or|versus|vs) without ([a-z]+(?: [a-z]+)?)"), r"with \2 \1 without \2"),
    (re.compile(r"\bweight loss\b|\bloss of (?:body )?weight\b"), "weight reduction"),
    (re.compile(r"\bweight gain\b|\bgain (?:in|of) (?:body )?weight\b"), "weight increase"),
    (re.compile(r"\b(?:lost|lose|loses|losing) ((?:more|less|much|some) )?weight\b"), r"reduced \1weight"),
    (re.compile(r"\b(?:fell|falls|fall) short of (?:statistical )?significance\b"), "was not significant"),
    (
        re.compile(r"\b(?:failed to|missed|did not) (?:reach|attain|achieve)(?:ing)? (?:statistical )?significance\b"),
        "was not significant",
    ),
    (re.compile(r"(?<=[a-z]) (ml|dl|l|kg|min|h|day)-1\b"), r"/\1"),
    (re.compile(r"\((?:see )?(?:supplementary |online ){0,2}(?:fig|table)(?:s|ures?)?\b[^()]{0,60}\)"), " "),
    (re.compile(r"\b(which|this|that) means\b"), r"\1 indicates"),
    (re.compile(r"\b(high|low|higher|lower) (?!total\b|mean\b|median\b)([a-z]{3,20}) (?=doses?\b)"), r"\2 \1 "),
    (re.compile(r"\b(with|to|versus) none (?=(?:of|in|on|assigned|given|with|receiving|taking)\b)"), r"\1 0 "),
    (re.compile(r"\bnumerically,? but not (?:statistically )?significantly\b"), "numerically"),
    (
        re.compile(
            r"\bpost-?(?=(?:operativ|surg|treatment|training|intervention|prandial|birth|partum|dos|infus|inject))"
        ),
        "after ",
    ),
    (re.compile(r"\bpre-?(?=(?:operativ|surg|treatment|training|intervention|prandial|dos|infus|inject))"), "before "),
    (re.compile(rf"{_MOVED}up\b"), r"\1 rose"),
    (re.compile(rf"{_MOVED}down\b"), r"\1 lowered"),
    (re.compile(r"\b([nm]) ?\+(?=[\s,.;)])"), r"\1 positive "),
    (re.compile(r"(?<=[a-z\d])\+(?=[a-z])|(?<=[a-z\d]) \+ (?=[a-z])"), " plus "),
    (re.compile(r"(?<=[a-z\d])\+(?!\d)"), " positive "),
    (re.compile(r"(?<=[a-z]\d)-(?=[\s,.;)]|$)"), " negative "),
    (re.compile(r"\bm(?:\^2|\(2\))"), "m2"),
    (re.compile(r"\bpercentage points?\b"), " percentage points "),
    (re.compile(r"\b(phase|grade|type|stage|week|day|month|year|cycle|line|arm|every)s?-(?=\d)"), r"\1 "),
    (re.compile(r"(?<=\w)n't\b"), " not"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"\bin particular\b"), "specifically"),
    (re.compile(r"\bg[ia]v(?:es?|ing) rise to\b"), "leads to"),
    (re.compile(r"\bvs\."), "vs"),
    (re.compile(r"(?<=[a-z])/d\b"), "/day"),
    (re.compile(r"(?<![\d.:])(\d{1,3}):(\d{1,3})(?!\.?\d|:)"), r"ratio\1x\2"),
    (re.compile(r"\(([a-z]{2,5})\)-(?=\d)"), r"\1-"),
    (re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten)-?fold\b"), r"\1 times"),
    (re.compile(r"\b(?P<nth>first|second|third|fourth) (?=(?:group|arm|cohort)\b)"), r"grp\g<nth> "),
    (re.compile(r"\["), "("),
    (re.compile(r"\]"), ")"),
    (re.compile(r"'s?(?!\w)"), " "),
)
_TERM = re.compile(
    r"(?P<name>(?<![^\W_])(?:[^\W\d_]+-?)\d[^\W_]*)|(?P<word>[^\W\d_]+)|(?P<mark>[<>=≤≥±/;,:()]|\.(?=\s|$)|%)"
)
_SPELLINGS = ((re.compile("ae|oe"), "e"), (re.compile(r"(?<=[^aeio])our(?=$|s$|ed$|ing$|abl)"), "or"))
_ISING = re.compile(r"(?<=[a-z]{3})is(?=(?:e|es|ed|ing|ation|ations)$)")
_RELIEF = re.compile(r"(?<=li)ef(s?)$")
_CENTRE = re.compile(r"(?<=[nlbt])tre(s?)$|(?<=i)tre(s?)$")
#: Single letters that count as words: hepatitis C, vitamin D.
_LETTERS = frozenset("bcdek")
#: Beginnings of words that the stemmer would give the stem of another word: severe, author, position, quit.
_OWN_STEMS = (
    "severity", "several", "fasting", "fasted", "specificity", "authori", "positive", "negative", "quite",
    "importan", "enteric", "enteral", "extremit", "extensive", "hepatitis", "identity", "numerical",
    "personalit", "borne", "successive", "substantiat", "terminat", "topical", "underlying", "useful", "responsib",
    "clearly", "careful",
)  # fmt: skip
#: Most words of a phrase.
_LONGEST = 6
#: Endings by which two stems of one word may differ.
_SUFFIXES = vocabulary.words_of(
    "e i s y ion at ation al ic iz ist iv anc ent ant ous ment ness abl iti er or ar ical ed ing ly li est it "
    "ag a c t d b pt th n an ian"
) | {""}


class Term(NamedTuple):
    """One word, phrase, number or mark: `key` is the same for all words of one meaning."""

    key: str
    word: str
    kind: Kind


def read_terms(text: str) -> tuple[Term, ...]:
    """The terms of a text in order; phrases and synonyms of one meaning share a key."""
    return _read_terms(text)


@lru_cache(maxsize=256)
def _read_terms(text: str) -> tuple[Term, ...]:
    flat = _prepare_text(text)
    placed: list[tuple[int, Term]] = []
    blank = list(flat)
    for number in find_numbers(flat):
        placed.append((number.start, Term(number.token, flat[number.start : number.end], "number")))
        blank[number.start : number.end] = " " * (number.end - number.start)
    placed += [(match.start(), _make_term(match)) for match in _TERM.finditer("".join(blank))]
    return tuple(_join_phrases([term for _, term in sorted(placed, key=lambda one: one[0])]))


def content_keys(terms: Iterable[Term]) -> frozenset[str]:
    """The keys of the content words: no grammar, no marks, no numbers."""
    return frozenset(term.key for term in terms if is_content(term))


def is_content(term: Term) -> bool:
    """Whether the term is a word other than one of grammar."""
    is_word = len(term.word) > 1 or term.word in _LETTERS
    return term.kind == "word" and is_word and term.word not in vocabulary.GRAMMAR


def has_word(terms: Iterable[Term], words: Container[str]) -> bool:
    """Whether any of these words stands in the text as it is written."""
    return any(term.word in words for term in terms)


def written_words(terms: Iterable[Term]) -> frozenset[str]:
    """The words of the text as they are written, those of phrases one by one."""
    return frozenset(word for term in terms for word in term.word.split())


def number_keys(terms: Iterable[Term]) -> frozenset[str]:
    """The numbers of the text."""
    return frozenset(term.key for term in terms if term.kind == "number")


def is_neutral(term: Term) -> bool:
    """Whether the word is one of reporting ("patients", "showed"), which adds nothing to a claim."""
    return stem_word(term.word) in _neutral_stems() and term.word not in ("observation", "controls")


def split_terms(terms: Sequence[Term], joints: frozenset[str]) -> list[Sequence[Term]]:
    """The parts of a text between these words, including empty ones."""
    parts: list[list[Term]] = [[]]
    for term in terms:
        if term.word in joints:
            parts.append([])
        else:
            parts[-1].append(term)
    return list(parts)


def names_synonym(word: str) -> bool:
    """Whether the word stands for a meaning of the synonyms, as "os" does for overall survival."""
    return stem_word(word) in _meaning_by_stem()


def means_same(name: str, text: str) -> bool:
    """Whether the text has the name or a synonym: HbA1c, where it says glycated haemoglobin."""
    return content_keys(read_terms(name)) <= content_keys(read_terms(text))


def is_same_word(one: str, other: str) -> bool:
    """Whether two stems are forms of one word: hospital and hospitaliz, cardi and cardiac."""
    if one in _OWN_STEMS or other in _OWN_STEMS:
        return False
    pairs = enumerate(zip(one, other, strict=False))
    shared = next((n for n, (left, right) in pairs if left != right), min(len(one), len(other)))
    return shared >= 5 and one[shared:] in _SUFFIXES and other[shared:] in _SUFFIXES


@lru_cache(maxsize=20_000)
def stem_word(word: str) -> str:
    """The stem of a word, the same in British and American spelling."""
    if own := next(filter(word.startswith, _OWN_STEMS), ""):
        return own
    for pattern, plain in _SPELLINGS:
        word = pattern.sub(plain, word)
    word = _ISING.sub("iz", word)
    word = _CENTRE.sub("ter", _RELIEF.sub("eve", word))
    # A stemmer keeps state, and statements are compared in several threads: no two may share one.
    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


def stem_words(texts: Iterable[str]) -> frozenset[str]:
    """The stems of the words of these texts."""
    return frozenset(map(stem_word, {word for text in texts for word in split_words(text)}))


@cache
def table_keys(words: str) -> frozenset[str]:
    """The keys of the words of a table."""
    return frozenset(_key_of_word(word) for word in words.split())


def _prepare_text(text: str) -> str:
    text = _PREFIX.sub(r"\1", _DOTTED.sub(lambda match: match[0].replace(".", ""), text))
    text = _PLURAL.sub(r"\1", _MONTH.sub("maius", text))
    text = _GROUPS.sub(lambda match: _GROUP.sub(lambda name: f" grp{name[0]}", match[0]), text)
    for pattern, measure in _MEASURES:
        text = pattern.sub(measure, text)
    flat = flatten_text(text)
    for pattern, plain in _SIGNS:
        flat = pattern.sub(plain, flat)
    return _ORDINAL.sub(lambda match: _ORDINALS[int(match[1])], flat)


def _make_term(match: re.Match[str]) -> Term:
    text = match[0]
    if match["mark"]:
        return Term(text, text, "mark")
    if match["name"]:
        plain = text.replace("-", "")
        return Term(_meaning_by_stem().get(plain, plain), text, "word")
    return Term(_key_of_word(text), text, "word")


def _join_phrases(terms: Sequence[Term]) -> Iterator[Term]:
    stems = tuple(stem_word(term.word) if term.kind == "word" else term.word for term in terms)
    meanings, first_words = _meaning_by_phrase(), _first_words()
    n = 0
    while n < len(terms):
        sizes = range(_LONGEST, 1, -1) if stems[n] in first_words else ()
        size = next((size for size in sizes if stems[n : n + size] in meanings), 1)
        if size == 1:
            yield terms[n]
        else:
            words = " ".join(term.word for term in terms[n : n + size])
            yield Term(meanings[stems[n : n + size]], words, "word")
        n += size


def _key_of_word(word: str) -> str:
    stemmed = stem_word(word)
    return _meaning_by_stem().get(stemmed, stemmed)


@cache
def _synonym_groups() -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """Each line of synonyms: its name, and its members as stems."""
    lines = (line.split(", ") for line in synonyms.SYNONYMS.strip().splitlines())
    return tuple((line[0], tuple(tuple(map(stem_word, _split_member(member))) for member in line)) for line in lines)


def _split_member(member: str) -> list[str]:
    return re.findall(r"\w+", member)


@cache
def _meaning_by_stem() -> dict[str, str]:
    return {words[0]: name for name, members in reversed(_synonym_groups()) for words in members if len(words) == 1}


@cache
def _first_words() -> frozenset[str]:
    """The words with which the phrases begin."""
    return frozenset(words[0] for words in _meaning_by_phrase())


@cache
def _meaning_by_phrase() -> dict[tuple[str, ...], str]:
    return {words: name for name, members in reversed(_synonym_groups()) for words in members if len(words) > 1}


@cache
def _neutral_stems() -> frozenset[str]:
    return frozenset(map(stem_word, vocabulary.NEUTRAL))
