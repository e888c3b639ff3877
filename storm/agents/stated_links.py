"""Whether a quote states a link of a hypothesis: the link's words stand together in it, and nothing turns or denies
them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from storm.citations.denials import find_contradiction
from storm.citations.numbers import find_unsupported_names, find_unsupported_numbers
from storm.citations.quotes import normalize_text
from storm.citations.terms import Term, is_content, read_terms
from storm.citations.vocabulary import BETTER, DOWN, UP, WORSE, words_of

#: Words and marks that may stand between those of a link.
_BE = words_of("is are was were be been being")
_ARTICLES = words_of("the a an its their this these")
_JOINING = _BE | _ARTICLES | words_of("of in /")
#: Where the reach of a word of direction ends; "and" ends it unless a noun follows, as in "less growth and activation".
_BREAKS = words_of("through via by to thereby which that but whereas while although though . ; : ( )")
_JOINED = words_of("and or ,")
_NOUN = re.compile(r"(?:tion|sion|ment|ance|ade|ism)$")
#: Changes besides those of the vocabulary; those that take away what they are said of.
_CHANGES = (
    f"{UP} {DOWN} {BETTER} {WORSE} activate activation activator agonist induce induction inhibitor antagonist "
    "regression remission recovery"
)
_TAKES_AWAY = f"{DOWN} {WORSE} abolish abrogate reverse disrupt impair counteract oppose antagonise loss blockade"
#: After a link they make a drug of it: "the AMPK inhibitor".
_AGENTS = "inhibitor activator agonist antagonist blocker"
#: What a quote may deny; "heart failure" and "insulin resistance" are names.
_DENIES = re.compile(
    r"\b(?:not(?! only)|no|never|neither|nor|none|cannot|without|fail(?:s|ed|ing)?|failure (?:to|of)|lack(?:s|ed|ing)?|"
    r"absence|whether|if|unlike|unaffected|unchanged|hypothesi\w+|resistan\w+ to|withdrawal of|instead of|rather than|"
    r"independent(?:ly)? of|\w+-independent|null|deficient|knock-?out)\b|n['’]t\b"
)


class _Span(NamedTuple):
    """The terms of a quote in which a link stands: from `start` to before `end`."""

    start: int
    end: int


def names_link(link: str, quote: str) -> bool:
    """Whether the quote has the link's words in their order, with words of grammar between them at most, with its
    numbers; denies nothing that the link does not deny; and does not say that a change in the link was taken away."""
    wanted = [term for term in read_terms(link.rstrip(" .")) if term.word not in _JOINING]
    if not any(map(is_content, wanted)) or _denies(link, quote):
        return False
    if find_unsupported_numbers(link, quote) or find_unsupported_names(link, quote, (quote,)):
        return False
    said = read_terms(quote)
    turns = any(term.key in _keys(_CHANGES) for term in wanted)
    return any(not (turns and _is_taken_away(said, span)) for span in _find_spans(wanted, said))


def _denies(link: str, quote: str) -> bool:
    own, quoted = (len(_DENIES.findall(normalize_text(text))) for text in (link, quote))
    return quoted > own or bool(find_contradiction(link, quote))


def _find_spans(wanted: Sequence[Term], said: Sequence[Term]) -> Iterator[_Span]:
    """The spans in which the words stand in this order, or with the last one first: "phosphorylation of tau", "inhibits
    mTOR"."""
    keys = [term.key for term in wanted]
    for start in range(len(said)):
        if end := _match_keys(keys, said, start) or _match_turned(keys, said, start):
            yield _Span(start, end)


def _match_turned(keys: Sequence[str], said: Sequence[Term], start: int) -> int:
    """As `_match_keys`, with the last key first: it is a change, or followed by "of"."""
    follows = [term.word for term in said[start + 1 : start + 2]]
    if len(keys) < 2 or not (keys[-1] in _keys(_CHANGES) or follows == ["of"]):
        return 0
    return _match_keys([keys[-1], *keys[:-1]], said, start)


def _match_keys(keys: Sequence[str], said: Sequence[Term], start: int) -> int:
    """The index after the keys if they stand from `start` on, else 0."""
    index = start
    for number, key in enumerate(keys):
        while number and index < len(said) and said[index].key != key and said[index].word in _JOINING:
            index += 1
        if index >= len(said) or said[index].key != key:
            return 0
        index += 1
    return index


def _is_taken_away(said: Sequence[Term], span: _Span) -> bool:
    """Whether the nearest change before it, or the one said of it after it, takes it away."""
    breaks = _BREAKS if _NOUN.search(said[span.start].word) else _BREAKS | _JOINED
    for term in reversed(said[: span.start]):
        if term.word in breaks:
            break
        if term.key in _keys(_CHANGES) or term.key in _keys(_TAKES_AWAY):
            return term.key in _keys(_TAKES_AWAY) and not _is_course(said[span.end - 1])
    return _is_taken_away_after(said, span.end)


def _is_taken_away_after(said: Sequence[Term], end: int) -> bool:
    """Whether "was reduced", "decreased in …" or "inhibitor" follows; not if an object does: "reduced mortality"."""
    if end < len(said) and said[end].key in _keys(_AGENTS):
        return True
    index = end
    while index < len(said) and (said[index].word in _BE or said[index].word.endswith("ly")):
        index += 1
    if index >= len(said) or said[index].key not in _keys(_TAKES_AWAY):
        return False
    is_passive = any(term.word in _BE for term in said[end:index])
    after = said[index + 1 : index + 2]
    return is_passive or not (after and (is_content(after[0]) or after[0].word in _ARTICLES))


def _is_course(term: Term) -> bool:
    """Whether it names the course of a disease, of which less is not a contradiction: "slowed cognitive decline"."""
    return term.key in _keys("decline deterioration worsening progression loss drop fall")


@cache
def _keys(words: str) -> Collection[str]:
    return frozenset(term.key for word in words_of(words) for term in read_terms(word))
