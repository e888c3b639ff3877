"""Normalising names: the same rules for the index, its queries and the texts of records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from storm.models.normal_forms import normal_form

_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(
    range(128, 256)
)
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
#: Marks beside a name that are not part of it, although they decompose into letters.
_TRADE_MARKS = "™℠Ⓡ"
#: The first raised digit after a word: a footnote or a power, not part of the word.
_RAISED = re.compile(r"([⁰¹²³⁴-⁹])(?<=[^\W_⁰¹²³⁴-⁹].)")
_NO_WORD = re.compile(r"[\W_]")
_FUNCTION_WORDS = frozenset(("and", "by", "for", "in", "not", "of", "or", "the", "to", "with"))


def split_words(text: str) -> list[str]:
    """The words of a text for comparison: letters and digits, case and accents folded."""
    return plain_words(text).split()


def plain_words(text: str) -> str:
    """The same words in one text, separated by spaces, for the index's whitespace tokeniser."""
    if not text.isascii():
        text = _FOREIGN.sub(lambda run: _split_run(run[0]), _RAISED.sub(r"^\1", text))
    return text.encode("utf-8", errors="replace").translate(_ASCII).decode("utf-8")


def fold_text(text: str) -> str:
    """The text with case and accents folded and every dash a hyphen; unlike `words` it keeps punctuation.

    A raised number after a word is written `^2`, as in texts read from markup.
    """
    if not text.isascii():
        text = _FOREIGN.sub(lambda run: _fold_run(run[0]), _RAISED.sub(r"^\1", text))
    # bytes.lower changes ASCII only: some other characters have a small letter that case folding does not give.
    return text.encode("utf-8", errors="replace").lower().decode("utf-8")


#: What does not follow the name of a drug: "creatine kinase" is an enzyme, not the drug.
NO_ENZYME = r"(?![ -](?:phospho)?kinase\b)(?![ -](?:dehydrogenase|synth(?:et)?ase|oxidase|reductase|transporter)\b)"


def phrases_of(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The words of each name, each phrase once; a name without a letter or digit is left out."""
    return [phrase for phrase in dict.fromkeys(tuple(split_words(name)) for name in names) if phrase]


def is_odd(phrase: Sequence[str]) -> bool:
    """Whether a name looks like query syntax ("AND", "trastuzumab OR", "a:b"): a record must then list this drug."""
    return phrase[0] in _FUNCTION_WORDS or phrase[-1] in _FUNCTION_WORDS or all(len(word) == 1 for word in phrase)


@lru_cache(maxsize=4096)
def _fold_run(run: str) -> str:
    for mark in _TRADE_MARKS:
        run = run.replace(mark, " ")
    plain = normal_form("NFKD", normal_form("NFKD", run).casefold())
    return _DASHES.sub("-", _MARKS.sub("", plain))


@lru_cache(maxsize=4096)
def _split_run(run: str) -> str:
    return _NO_WORD.sub(" ", _fold_run(run))
