"""Spell publication types alike: PubMed's `Review`, JATS's `research-article`, Europe PMC's `journal article`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD_START = re.compile(r"(?:^|(?<=[\s.\-/]))[a-z]")
_NUMERAL = re.compile(r"\b(?:iv|i{1,3})\b")


def publication_types(names: Iterable[str]) -> tuple[str, ...]:
    """The distinct types in order; lower-case types are capitalised, JATS's hyphens become spaces."""
    spelt: dict[str, str] = {}
    for name in names:
        if text := _normalize_spelling(name.strip()):
            spelt.setdefault(text.casefold(), text)
    return tuple(spelt.values())


def _normalize_spelling(name: str) -> str:
    if name != name.lower():
        return name
    if re.fullmatch(r"[a-z]+(?:-[a-z]+)+", name) and name.endswith(("article", "report", "review", "notice")):
        name = name.replace("-", " ")
    name = _NUMERAL.sub(lambda numeral: numeral[0].upper(), name)
    return _WORD_START.sub(lambda letter: letter[0].upper(), name)
