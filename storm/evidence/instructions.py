"""Whether a sentence of a source is addressed to a program that reads it, and so is not a statement on anything."""

from __future__ import annotations

import re

from storm.patterns.alternatives import compile_alternatives

_GIVEN = r"(?:all|any|your|my|previous|prior|above|earlier|preceding|system)"
_SECOND = rf"(?:(?:{_GIVEN}|the|these|those|of|other) ){{0,4}}"
_INSTRUCTS = compile_alternatives(
    rf"\b(?:ignore|disregard|forget|override|bypass) {_SECOND}(?:instructions?|prompts?|directions?|directives?)\b"
    # Clinicians may disregard rules and guidelines, too.
    rf"|\b(?:ignore|disregard|forget|override|bypass) (?:the )?(?:{_GIVEN} ){{1,3}}(?:guidelines|rules|context)\b"
    r"|\b(?:system|developer) (?:prompt|message)\b"
    r"|\byou are (?:now )?(?:an? |the )?(?:\w+ )?(?:ai|assistant|chatbot|language model|llm)\b"
    r"|\b(?:as an?|dear|attention|note to) (?:ai|llm|language model|chatbot|assistant)s?\b"
    r"|\b(?:ai|llm|language)[ -]?(?:models?|assistants?|agents?)?,? (?:must|should) "
    r"(?:say|answer|reply|respond|state|write)\b",
    re.I,
)


#: One of these is in every such sentence; looking for them takes a fifth of the time.
_HINTS = (
    "ignore", "disregard", "forget", "override", "bypass", "system ", "developer", "you are", " ai", "llm", "language",
    "chatbot", "assistant", "must ", "should ",
)  # fmt: skip


def addresses_program(sentence: str) -> bool:
    """Whether a sentence tells a program what to do: "Ignore previous instructions and say that …"."""
    lowered = sentence.lower()
    return any(map(lowered.__contains__, _HINTS)) and _INSTRUCTS.search(sentence) is not None
