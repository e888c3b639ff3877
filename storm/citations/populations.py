"""The people that a record is about according to its title, and whether its quote names its people itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.citations import vocabulary
from storm.citations.positions import find_next, word_at
from storm.citations.terms import Term, content_keys, has_word, is_content, is_neutral, table_keys
from storm.citations.vocabulary import words_of

_LEADS = words_of("in among")
#: After these, "in" introduces what changed, not the people.
_CHANGES = words_of(
    "reduction reductions decrease decreases increase increases change changes improvement improvements difference "
    "differences decline declines trends role use advances"
)
_AIMS = words_of("treatment prevention management therapy prophylaxis")
_ENDS = words_of(": ; . ( )")
#: Words for people.
PEOPLE = words_of(
    "patient patients participant participants people persons person subjects adults children those individuals women "
    "men volunteers"
)
_BEARING = words_of("with without having")
#: T2D and T2DM: type 2 diabetes.
_SHORT = re.compile(r"\bT([12])DM?\b")
#: A number that is part of a name.
_NAMED = re.compile(
    r"\b(?:type|stage|grade|phase|class|group|factor|hepatitis|covid|hiv|htlv|mucopolysaccharidosis)s?[\s-]"
    r"(?:\d{1,2}|i{1,3}|iv)[a-c]?\b",
    re.IGNORECASE,
)


def read_title_population(title: Sequence[Term]) -> frozenset[str]:
    """The people that the title names: its words after "in", "among" and "for the treatment of"."""
    found: list[Term] = []
    for n, term in enumerate(title):
        before = word_at(title, n - 1)
        leads = term.word in _LEADS and before not in _CHANGES
        aimed = term.word in ("of", "for") and before in _AIMS
        if leads or aimed:
            found += title[n + 1 : find_next(title, _ENDS, n + 1)]
    return content_keys(found)


def names_people(terms: Sequence[Term]) -> bool:
    """Whether the text names the sex, age or state of people."""
    return any(term.key in table_keys(vocabulary.DEMOGRAPHICS) for term in terms)


def names_disease(terms: Sequence[Term]) -> bool:
    """Whether the text names the condition of its people: "patients with asthma", "in metastatic cancer"."""
    return any(_names_condition(terms, n) or _is_in_disease(terms, n) for n in range(len(terms)))


def _names_condition(terms: Sequence[Term], n: int) -> bool:
    """Whether "with" stands there after a word for people, and a condition after it."""
    if terms[n].word not in _BEARING or not n or terms[n - 1].word not in PEOPLE:
        return False
    after = terms[n + 1 : n + 4]
    return bool(after) and after[0].kind != "number" and any(is_content(t) and not is_neutral(t) for t in after)


def _is_in_disease(terms: Sequence[Term], n: int) -> bool:
    if terms[n].key not in table_keys(vocabulary.PEOPLE) - table_keys(vocabulary.DEMOGRAPHICS):
        return False
    return has_word(terms[max(0, n - 3) : n], ("in", "among"))


def without_named_numbers(statement: str, title: str, quote: str = "") -> str:
    """The statement without numbers that are part of a name in the title, or of type 2 diabetes where the quote has
    T2D."""
    named = {_compact_name(match[0]) for match in _NAMED.finditer(title)}
    named |= {f"type{match[1]}" for match in _SHORT.finditer(f"{title} {quote}")}
    return _NAMED.sub(lambda match: " " if _compact_name(match[0]) in named else match[0], statement)


def _compact_name(name: str) -> str:
    return re.sub(r"[\s-]", "", name).lower()
