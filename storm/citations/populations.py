"""Whom a record is about by its title, and whether a quote names whom it is about itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.citations import vocabulary
from storm.citations.terms import Term, content_keys, is_content, is_neutral, table_keys
from storm.citations.vocabulary import words_of

_LEADS = words_of("in among")
#: Before "in" these say what changed, not in whom.
_CHANGES = words_of(
    "reduction reductions decrease decreases increase increases change changes improvement improvements difference "
    "differences decline declines trends role use advances"
)
_AIMS = words_of("treatment prevention management therapy prophylaxis")
_ENDS = words_of(": ; . ( )")
_PEOPLE = words_of(
    "patient patients participant participants people persons person subjects adults children those individuals women "
    "men volunteers"
)
_BEARING = words_of("with without having")
#: A number that is part of a name.
#: T2D and T2DM name type 2 diabetes.
_SHORT = re.compile(r"\bT([12])DM?\b")
_NAMED = re.compile(
    r"\b(?:type|stage|grade|phase|class|group|factor|hepatitis|covid|hiv|htlv|mucopolysaccharidosis)s?[\s-]"
    r"(?:\d{1,2}|i{1,3}|iv)[a-c]?\b",
    re.IGNORECASE,
)


def read_title_population(title: Sequence[Term]) -> frozenset[str]:
    """Whom the title names: its words after "in", "among" and "for the treatment of"."""
    found: list[Term] = []
    for n, term in enumerate(title):
        before = title[n - 1].word if n else ""
        leads = term.word in _LEADS and before not in _CHANGES
        aimed = term.word in ("of", "for") and before in _AIMS
        if leads or aimed:
            end = next((at for at in range(n + 1, len(title)) if title[at].word in _ENDS), len(title))
            found += title[n + 1 : end]
    return content_keys(found)


def names_people(terms: Sequence[Term]) -> bool:
    """Whether the text says of which sex, age or state the people are."""
    return any(term.key in table_keys(vocabulary.DEMOGRAPHICS) for term in terms)


def names_disease(terms: Sequence[Term]) -> bool:
    """Whether the text says what its people have: "patients with asthma", "in metastatic cancer"."""
    return any(_names_condition(terms, n) or _is_in_disease(terms, n) for n in range(len(terms)))


def _names_condition(terms: Sequence[Term], n: int) -> bool:
    """Whether "patients with" and a word that is no value and no reporting stands here."""
    if terms[n].word not in _BEARING or not n or terms[n - 1].word not in _PEOPLE:
        return False
    after = terms[n + 1 : n + 4]
    return bool(after) and after[0].kind != "number" and any(is_content(t) and not is_neutral(t) for t in after)


def _is_in_disease(terms: Sequence[Term], n: int) -> bool:
    if terms[n].key not in table_keys(vocabulary.PEOPLE) - table_keys(vocabulary.DEMOGRAPHICS):
        return False
    return any(term.word in ("in", "among") for term in terms[max(0, n - 3) : n])


def without_named_numbers(statement: str, title: str, quote: str = "") -> str:
    """The statement without numbers that are part of a name in the title, or of type 2 diabetes where the quote has
    T2D."""
    named = {_compact_name(match[0]) for match in _NAMED.finditer(title)}
    named |= {f"type{match[1]}" for match in _SHORT.finditer(f"{title} {quote}")}
    return _NAMED.sub(lambda match: " " if _compact_name(match[0]) in named else match[0], statement)


def _compact_name(name: str) -> str:
    return re.sub(r"[\s-]", "", name).lower()
