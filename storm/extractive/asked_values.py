"""How sentences give the kind of value that a question asks for: an amount, a rate, a price, a duration, a date."""

from __future__ import annotations

import re

#: Characters of a question in which the value that it asks for is looked for.
_MOST_READ = 600
#: How a question asks for a value, and patterns of which a sentence that gives one has at least one.
_VALUES = (
    (
        re.compile(
            r"\b(?:what|which|how) (?:[\w-]+ ){0,3}?dos(?:e|age)\b|\bhow (?:much|many mg)\b.{0,60}\btak(?:e|en)\b"
        ),
        (r"\d ?(?:mg|mcg|µg|μg|g|iu|ml|units?)\b",),
    ),
    (
        re.compile(r"\bhow long (?:should|must|can|may|do|does|is|are|to)\b"),
        (
            r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen)[ -]"
            r"(?:day|week|month|year|cycle|course)s?\b",
            r"\b(?:indefinite|lifelong|until)\b|\bduration of (?:treatment|therapy)\b",
        ),
    ),
    (
        re.compile(
            r"\bhow (?:often|common|commonly|frequent|frequently|likely|many (?:patients|people))\b|"
            r"\b(?:incidence|frequency|prevalence|percentage|proportion) of\b|\bwhat (?:percentage|proportion|share)\b"
        ),
        (
            r"\d ?%|\bper ?cent\b|\bper (?:1|10|100)[,.]?0{2,3}\b|\b\d[\d,]{0,9} (?:of|in|out of) (?:the )?\d",
            r"\b(?:rates?|incidence|frequency|prevalence|proportion) (?:of|was|were)\b|"
            r"\b(?:one|two|three|half) (?:in|out of) \w{1,12} patients\b",
            r"\b(?:very |un)?common(?:ly)?\b|\brare(?:ly)?\b|\binfrequent(?:ly)?\b|\bmost frequent\b|"
            r"\b(?:no|not one|one|a single) (?:\w+ )?(?:cases?|patients?|events?)\b",
        ),
    ),
    (
        re.compile(r"\bresponse rates?\b|\bhow many\b.{0,60}\brespond"),
        (
            r"\brespond(?:ed|ers)\b|\bresponse rates?\b|\bresponses?\b[^.;]{0,80}?\d ?%|"
            r"\b(?:complete|partial|objective|overall|clinical) (?:\w+ )?responses?\b",
        ),
    ),
    (re.compile(r"\bhazard ratios?\b"), (r"\bhazard ratio|\bHR\b[ =:(,]{0,2}\d",)),
    (re.compile(r"\bodds ratios?\b"), (r"\bodds ratio|\bOR[ =:(,]{1,2}\d{1,2}[.·]\d",)),
    (
        re.compile(r"\bcost[- ]effective(?:ness)?\b|\bvalue for money\b|\bqalys?\b"),
        (
            r"\bcost[- ]?(?:effective|utility|benefit|saving|per\b)|\bincremental cost|\bvalue for money\b",
            r"\bqalys?\b|\bquality-adjusted\b|\bicers?\b|\bwillingness to pay\b",
        ),
    ),
    (
        re.compile(
            r"\b(?:when|until when|how long)\b.{0,80}\b(?:expir|patent|exclusivity)|"
            r"\bexpir(?:y|es?|ation) (?:date|of)\b"
        ),
        (
            r"\bexpir\w+|\blaps(?:e[sd]?|ing)\b|\bin force\b|\bexclusivity\b|\buntil \w+ ?\d|"
            r"\bterm (?:ends|ended|extension)\b",
        ),
    ),
)  # fmt: skip


def find_value_patterns(text: str) -> tuple[str, ...]:
    """Patterns of which a sentence has one if it gives the value that this question asks for; none if it asks for
    none."""
    folded = " ".join(text.casefold().split())[:_MOST_READ]
    return tuple(pattern for asks, patterns in _VALUES for pattern in patterns if asks.search(folded))
