"""Abbreviations written as the quote has them: PPH for "postpartum haemorrhage", and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from storm.citations import vocabulary
from storm.citations.quotes import normalize_text
from storm.citations.terms import names_synonym

_SHORT = re.compile(r"\b(?:[A-Z][a-z]?){2,6}s?\b")
#: "S. aureus".
_SHORT_GENUS = re.compile(r"\b([A-Z])\. ?([a-z]{4,20})\b")
_LONG_GENUS = re.compile(r"\b([A-Z])[a-z]{3,20} ([a-z]{4,20})\b")
_WORD = re.compile(r"[^\W\d_]{1,40}")
#: Between the words of one name.
_JOINT = re.compile(r"[ -]")
#: From so many letters on, an abbreviation may take several of one word: PPH.
_MANY = 3
_LONG = 8
#: Most abbreviations that are read of one text.
_MOST = 10


def align_abbreviations(statement: str, quote: str, title: str = "") -> str:
    """The statement with each name and its abbreviation as the quote writes it, where the quote has one of the two.

    The abbreviation of a single word counts only for a word of the title: AZM for azithromycin.
    """
    ours, theirs = _find_shorts(statement), _find_shorts(quote)
    for short in theirs:
        if short not in ours and not _find_long_form(short, quote):
            name = _find_long_form(short, statement) or _find_title_word(short, statement, title)
            statement = statement.replace(name, short) if name else statement
    for letter, species in _SHORT_GENUS.findall(quote):
        statement = _shorten_genus(statement, letter, species)
    for short in ours:
        if short not in theirs and (name := _find_long_form(short, quote)):
            statement = _write_out(statement, short, name)
    return statement


def _shorten_genus(text: str, letter: str, species: str) -> str:
    """ "S. aureus" for "Staphylococcus aureus"."""
    return _LONG_GENUS.sub(
        lambda match: f"{letter}. {species}" if (match[1], match[2]) == (letter, species) else match[0], text
    )


def _write_out(text: str, short: str, name: str) -> str:
    return _SHORT.sub(lambda match: name if match[0].rstrip("s") == short else match[0], text)


def _find_shorts(text: str) -> list[str]:
    """The abbreviations of a text, without those that the synonyms explain."""
    found = dict.fromkeys(match[0].rstrip("s") for match in islice(_SHORT.finditer(text), _MOST))
    return [short for short in found if len(short) > 1 and not names_synonym(short.lower())]


def _find_long_form(short: str, text: str) -> str:
    """The words of the text that the letters stand for; empty without any."""
    letters = "".join(map(str.lower, filter(str.isalpha, short)))
    words = list(_WORD.finditer(text))
    for n, first in enumerate(words):
        if first[0][0].lower() != letters[0] or first[0].isupper():
            continue
        for row in _grow_rows(text, words[n : n + 2 * len(letters)]):
            if _stands_for(letters, [match[0] for match in row]):
                return text[row[0].start() : row[-1].end()]
    return ""


def _find_title_word(short: str, text: str, title: str) -> str:
    """The one long word of the title with these letters that the text has, too."""
    if len(short) < _MANY:
        return ""
    names = [word for word in _WORD.findall(title) if len(word) >= _LONG and not word.isupper()]
    fitting = [name for name in names if _takes_letters(short.lower(), [normalize_text(name)])]
    if len(set(fitting)) != 1:
        return ""
    return next((word for word in _WORD.findall(text) if word.lower() == fitting[0].lower()), "")


def _grow_rows(text: str, words: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    """The first two words, the first three …, as long as nothing but a space or a hyphen is between them."""
    for size in range(2, len(words) + 1):
        if not _JOINT.fullmatch(text[words[size - 2].end() : words[size - 1].start()]):
            return
        yield words[:size]


def _stands_for(letters: str, words: Sequence[str]) -> bool:
    """Whether the letters are the initials of the words, without those of grammar; three and more may take others from
    inside of words that have none of grammar between them."""
    names = [word for word in map(normalize_text, words) if word not in vocabulary.GRAMMAR]
    if len(names) < 2 or normalize_text(words[-1]) != names[-1]:
        return False
    if "".join(name[0] for name in names) == letters:
        return True
    is_whole = len(names) == len(words)  # "authorised for children" is no ATC
    return is_whole and len(letters) >= _MANY and len(names) < len(letters) and _takes_letters(letters, names)


def _takes_letters(letters: str, names: Sequence[str]) -> bool:
    """Whether the letters stand in the words in order, the first of each word among them."""
    if not names or not letters or letters[0] != names[0][0]:
        return not names and not letters
    taken, at = 1, 0
    while True:
        if _takes_letters(letters[taken:], names[1:]):
            return True
        at = names[0].find(letters[taken], at + 1) if taken < len(letters) else -1
        if at < 0:
            return False
        taken += 1
