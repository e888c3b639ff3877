"""How sentences give the kind of value that a question asks for: an amount, a rate, a price, a duration, a date."""

from __future__ import annotations

import re

from storm.models import Question

#: A number of people that is none yet.
PLANNED = re.compile(
    r"\b(?:planned|target(?:ed)?|estimated|anticipated|expected|to be (?:enrolled|randomi[sz]ed))\b", re.I
)
#: How a question asks of a drug by itself, and how sentences say that it was given with another.
_ALONE = re.compile(r"\b(?:alone|monotherapy|single[- ]agent)\b", re.I)
_WITH_ANOTHER = re.compile(r"\b(?:plus|added to|adding|(?:combined|in combination|together) with)\b", re.I)
#: Characters of a question in which the value that it asks for is looked for.
_MOST_READ = 600
#: How a question asks for a value, and patterns of which a sentence that gives one has at least one.
_VALUES = (
    (
        re.compile(
            r"\b(?:what|which|how) (?:[\w-]+ ){0,6}?dos(?:e|age)\b|\bhow (?:much|many mg)\b.{0,60}\btak(?:e|en)\b"
        ),
        (r"\d ?(?:mg|mcg|µg|μg|g|iu|ml|units?)\b",),
    ),
    (
        re.compile(r"\bhow long (?:should|must|can|may|do|does|is|are|to)\b"),
        (
            r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen)[ -]"
            r"(?:minute|hour|day|week|month|year|cycle|course)s?\b",
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
    (
        re.compile(r"\bnumbers? needed to (?:treat|harm)\b|\bnnts?\b"),
        (r"\bnn[th]\b|\bneeded to (?:treat|harm)\b|\b(?:people|patients|persons) (?:\w+ ){0,3}to be treated\b",),
    ),
    (
        re.compile(
            r"\b(?:price|cost)s? of\b|\b(?:how much|what) (?:do|does|did|would|will)\b.{0,60}\bcosts?\b|"
            r"\bhow (?:expensive|cheap)\b"
        ),
        (r"[$€£¥]|\b(?:dollars?|euros?|pounds?|francs?|yen|rupees?|usd|eur|gbp|chf)\b|\bcheaper\b|\bfree of charge\b",),
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
            r"\bexpir\w+|\blaps(?:e[sd]?|ing)\b|\b(?:run|ran|running) out\b|\bin force\b|\bexclusivity\b|"
            r"\buntil \w+ ?\d|\bterm (?:ends|ended|extension)\b",
        ),
    ),
)  # fmt: skip


def find_value_patterns(text: str) -> tuple[str, ...]:
    """Patterns of which a sentence has one if it gives the value that this question asks for; none if it asks for
    none."""
    folded = " ".join(text.casefold().split())[:_MOST_READ]
    return tuple(pattern for asks, patterns in _VALUES for pattern in patterns if asks.search(folded))


def is_of_combination(sentence: str, question: Question) -> bool:
    """Whether a sentence is on a drug with another, where the question asks of it alone."""
    return bool(_ALONE.search(" ".join(question.focus)) and _WITH_ANOTHER.search(sentence))
