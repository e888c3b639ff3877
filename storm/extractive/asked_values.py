"""What a question asks for beside its words, and how sentences give it: a value, the drug alone, studies."""

from __future__ import annotations

import re

from storm.evidence.subjects import compile_name_pattern
from storm.models import Question
from storm.ranking.cues import SHORT_ODDS_RATIO, SHORT_RATIO
from storm.syllabus.drug_names import DRUG_NAME

#: A number of people that is none yet.
PLANNED = re.compile(
    r"\b(?:planned|target(?:ed)?|estimated|anticipated|expected|to be (?:enrolled|randomi[sz]ed))\b", re.I
)
#: How a question asks of a drug by itself, and how sentences say that it was given with another.
_ALONE = re.compile(r"\b(?:alone|monotherapy|single[- ]agent)\b", re.I)
_WITH_ANOTHER = re.compile(r"\b(?:plus|added to|adding|(?:combined|in combination|together) with)\b", re.I)
#: How a question asks which studies there are.
_STUDIES = re.compile(
    r"\b(?:ongoing|registered|recruiting|planned|under way|underway|being (?:tested|studied|tried)|"
    r"(?:which|what|are there) (?:[\w-]+ ){0,2}(?:trials|studies))\b",
    re.I,
)
#: How a question asks for the first date of several.
_FIRST = re.compile(r"\b(?:when|which year|what year)\b[^.?!]{0,60}\b(?:first|initially|originally)\b", re.I)
#: How it asks for those that are not finished, and how sentences say that.
_ONGOING = re.compile(
    r"\b(?:ongoing|recruiting|planned|under ?way)\b[^.?!]{0,60}\b(?:trials|studies)\b|"
    r"\b(?:trials|studies)\b[^.?!]{0,80}\b(?:ongoing|recruiting|planned|under ?way)\b",
    re.I,
)
_UNDER_WAY = re.compile(
    r"\b(?:ongoing|recruit(?:s|ing)|under ?way|planned|estimated|expected|scheduled|due (?:in|to)|will|not yet|"
    r"is (?:testing|studying|comparing|investigating|being))\b",
    re.I,
)
#: How a question asks for a price, which records state and no study finds.
ASKS_PRICE = re.compile(
    r"\b(?:how much|what) (?:do|does|did|would|will)\b[^.?!]{0,60}\bcosts?\b|\b(?:price|cost)s? of\b|"
    r"\bhow (?:expensive|cheap)\b",
    re.I,
)
#: How a question asks which of two costs less.
ASKS_PRICE_DIFFERENCE = re.compile(
    r"\bhow much (?:cheaper|less expensive)\b|\bprice (?:discounts?|differences?)\b|"
    r"\b(?:is|are) (?:[\w-]+ ){1,6}(?:cheaper|(?:less|more) expensive)\b",
    re.I,
)
#: How a question asks for a dose, and how sentences give one.
_ASKS_DOSE = re.compile(
    r"\b(?:what|which) (?:(?:is|are|was|were) (?:the )?(?:[\w-]+ ){0,4}?|(?:[\w-]+ )?)dos(?:e|age)s?\b(?!-| "
    r"(?:limit|depend|relat|escalat|response))|^(?:the )?dos(?:e|age|ing) of\b|"
    r"\bhow (?:is|are|was|should|do|does|can) (?:[\w-]+ ){1,4}(?:be )?(?:dosed|given|administered)\b|"
    r"\bhow much (?:of )?(?!weight|more|less|longer|better)(?:[\w-]+ ){1,4}"
    r"(?:give|take|inject|use|prescribe|given|taken)\b(?! off)"
)
_DOSE = re.compile(r"\d ?(?:mg|mcg|µg|μg|g|iu|units?)\b", re.I)
#: Characters of a question in which the value that it asks for is looked for.
_MOST_READ = 600
#: How a question asks for a value, and patterns of which a sentence that gives one has at least one.
_VALUES = (
    (
        _ASKS_DOSE,
        (
            r"\d[ -]?(?:(?:milli|micro)?grams?|mg|mcg|µg|μg|g|iu|ml|units?|u/kg|gy|mbq\S*|tablets?|puffs?|drops?)\b"
            r"(?!/[dm]?l\b)",
            r"\b(?:one|two|three|half a|\d) (?:tablet|capsule|puff|drop|injection)|\bmillion (?:iu|units)\b",
            r"\bdos\w+\b.{0,60}?\b(?:halved|reduced|adjust\w*|doubled|increased)",
        ),
    ),
    (
        re.compile(
            r"\bhow (?:often|many times)\b.{0,60}\b(?:giv(?:e|en)|tak(?:e|en|ing)|dos(?:e|ed|ing)|administer\w*|"
            r"inject\w*|infus\w*|used?|using|check(?:ed)?|measured?|monitor(?:ed)?|test(?:ed)?|repeat(?:ed)?)\b"
        ),
        (
            r"\b(?:once(?! the\b)|twice|(?:two|three|four|\d) times)\b|"
            r"\bevery (?:\w+ )?(?:hours?|days?|weeks?|months?)\b",
            r"\b\w{0,8}-?(?:daily|weekly|monthly|yearly)\b|\b(?:a|per) (?:day|week|month)\b",
        ),
    ),
    (
        re.compile(r"\bhow long (?:should|must|can|may|do|does|is|are|to)\b"),
        (
            r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|eighteen|twenty|thirty|"
            r"several|some|many)[ -](?:minutes?|hours?|days?|weeks?|wk|months?|years?|cycles?|courses?)\b",
            r"\b(?:indefinite|lifelong|until)\b|\bduration of (?:treatment|therapy)\b",
        ),
    ),
    (
        re.compile(
            r"\bhow (?:often|commonly|frequently|likely)\b.{0,80}\b(?:caus|occur|happen|lead|develop|seen|get|"
            r"experienc|suffer|have)|\bhow (?:common|frequent) (?:is|are|was|were)\b|\bhow many (?:patients|people)\b|"
            r"\bwhat (?:is|was|are|were) the (?:incidence|frequency|prevalence|percentage|proportion|rates?) "
            r"of (?!dos)|\bwhat (?:percentage|proportion|share)\b"
        ),
        (
            r"\d ?%|\bper ?cent\b|\bper (?:1|10|100)[,.]?0{2,3}\b|\b\d[\d,]{0,9} (?:of|in|out of) (?:the )?\d",
            r"\b(?:rates?|incidence|frequency|prevalence|proportion) (?:of|was|were)\b[^.;]{0,80}\d|"
            r"\b(?:one|two|three|half) (?:in|out of) \w{1,12} patients\b|\b(?:a|one) (?:third|quarter|fifth|tenth)\b|"
            r"\bevery \w{2,10} patient|\d{1,5} ?/ ?\d{2,6}\b",
            r"\b(?:very |un)?common(?:ly)?\b|\brare(?:ly)?\b|\bseldom\b|\bunlikely\b|"
            r"\b(?:in|most |more |less )?frequent(?:ly)?\b|"
            r"\b(?:no|not one|one|a single) (?:\w+ )?(?:cases?|patients?|events?)\b|"
            r"\bnot (?:been )?(?:seen|observed)\b",
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
        ASKS_PRICE,
        (r"[$€£¥]|\b(?:dollars?|euros?|pounds?|francs?|yen|rupees?|usd|eur|gbp|chf)\b|\bcheaper\b|\bfree of charge\b",),
    ),
    (
        re.compile(
            r"(?<!know )\b(?:how|why) (?:do|does|did|can|could|would|might) (?:[\w-]+ ){1,4}?(?:act|block|caus|control|"
            r"damag|decreas|harm|help|improv|increas|induc|inhibit|kill|lead|lower|prevent|produc|protect|rais|reduc|"
            r"reliev|slow|stop|suppress|treat|work)e?\b(?! (?:as well|better|compar\w*|with|than|against)\b)"
        ),
        (
            r"\b(?:mechanis|pathway|signal+ing|mediat|inhibit|activat(?:e|ing|ion of)|suppress|stimulat|"
            r"phosphorylat|antagoni|agonis|block|bind|bound\b|recept|express|upregulat|downregulat|sensiti[sz]|induc|"
            r"promot|uptake|absor|secret|synthe|metabol|gluconeogen|apopto|autophag|oxidati|enzym|kinase|channel|transporter)",
            r"\b(?:through|via|by (?:\w+ )?\w+ing|because|owing to|due to|thereby|explained by|targets?|targeted|"
            r"acts? (?:on|by|as))\b",
        ),
    ),
    (
        re.compile(r"\bhow many\b.{0,40}\b(?:biosimilar|generic)s\b"),
        (
            r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|second|third|fourth|fifth|sixth)"
            r"\b[^.;]{0,40}\b(?:biosimilar|generic)s?\b",
        ),
    ),
    (
        re.compile(
            r"\b(?:who|whom|when|patients|people) (?:should|must|can|may)(?: [\w-]+){0,2} ?n[o']t\b|\bcontraindicat"
        ),
        (
            r"\bcontraindicat|\b(?:must|should) (?:not|never|be avoided)\b|\bnot recommended\b|"
            r"\b(?:advis|recommend)\w* against\b",
        ),
    ),
    (re.compile(r"\b(?:cut-?offs?|thresholds?)\b"), (r"\d",)),
    (
        ASKS_PRICE_DIFFERENCE,
        (r"\b(?:undercut\w*|discounts?|cheaper|sav(?:e[ds]?|ings?)|less expensive|lower prices?)\b",),
    ),
    (
        re.compile(r"\bfirst (?:[\w-]+ ){0,3}(?:biosimilar|generic)\b"),
        (r"\b(?:first|earliest)\b[^.;]{0,60}\b(?:biosimilar|generic)|\b(?:biosimilar|generic)\b[^.;]{0,60}\bfirst\b",),
    ),
    (
        re.compile(r"\bprimary (?:end-?points?|outcomes?)\b"),
        (r"\bprimary (?:\w+ )?(?:end-?points?|outcomes?|analys[ei]s)\b",),
    ),
    (
        re.compile(r"\b(?:sales|revenues?|turnover)\b"),
        (r"\b(?:sales|revenues?|turnover|sold|earn(?:ed|ings))\b.{0,120}\d|\d.{0,120}\b(?:sales|revenues?|turnover|sold)\b",),
    ),
    (re.compile(r"\b(?:boxed|black[- ]box) warnings?\b"), (r"\bwarn|\bboxed\b|\bblack[- ]box\b",)),
    (re.compile(r"\bhazard ratios?\b"), (r"\bhazard ratio", SHORT_RATIO)),
    (re.compile(r"\bodds ratios?\b"), (r"\bodds ratio", SHORT_ODDS_RATIO)),
    (
        re.compile(r"\bcost[- ]effective(?:ness)?\b|\bvalue for money\b|\bqalys?\b"),
        (
            r"\bcost[- ]?(?:effective|utility|benefit|saving|per\b)|\bincremental cost|\bvalue for money\b",
            r"\bcosts? (?:less|more)\b|\bsav(?:ed|es|ing) (?:\w+ )?costs?\b|\bdominant\b",
            r"\bqalys?\b|\bquality-adjusted\b|\bicers?\b|\bwillingness to pay\b",
        ),
    ),
    (
        re.compile(
            r"\b(?:when|until when|how long)\b.{0,80}\b(?:expir|patent|exclusivity)|"
            r"\bexpir(?:y|es?|ation) (?:date|of)\b"
        ),
        (
            r"\bexpir\w+|\blaps(?:e[sd]?|ing)\b|\b(?:runs?|ran|running) (?:out|to|until)\b|\bin force\b|"
            r"\bexclusivity\b|\b(?:valid|protected) (?:until|through|to)\b|\bprotection (?:\w+ )?end|"
            r"\buntil \w+ ?\d|\bterm (?:ends|ended|extension)\b",
        ),
    ),
)  # fmt: skip


def find_value_patterns(text: str) -> tuple[str, ...]:
    """Patterns of which a sentence has one if it gives the value that this question asks for; none if it asks for
    none."""
    folded = " ".join(text.casefold().split())[:_MOST_READ]
    return tuple(pattern for asks, patterns in _VALUES for pattern in patterns if asks.search(folded))


def asks_for_first(question: Question) -> bool:
    """Whether a question asks when something came about for the first time."""
    return bool(_FIRST.search(question.description))


def asks_for_ongoing(question: Question) -> bool:
    """Whether a question asks which studies are still under way."""
    return bool(_ONGOING.search(question.description))


def is_ongoing(sentence: str) -> bool:
    """Whether a sentence says that a study is under way or planned."""
    return bool(_UNDER_WAY.search(sentence))


def asks_for_studies(question: Question) -> bool:
    """Whether a question asks which studies there are, and not what they found."""
    return bool(_STUDIES.search(question.description))


def is_of_other_drug(sentence: str, names: tuple[str, ...], question: Question) -> bool:
    """Whether each dose in a sentence stands behind the name of another drug, where the question asks for a dose."""
    if not _ASKS_DOSE.search(question.description.casefold()[:_MOST_READ]):
        return False
    own = compile_name_pattern(names)
    named = sorted([*own.finditer(sentence), *DRUG_NAME.finditer(sentence)], key=lambda match: match.end())
    nearest = [[one for one in named if one.end() <= dose.start()][-1:] for dose in _DOSE.finditer(sentence)]
    return bool(nearest) and all(found and not own.fullmatch(found[0][0]) for found in nearest)


def is_of_combination(sentence: str, question: Question) -> bool:
    """Whether a sentence is on a drug with another, where the question asks of it alone."""
    return bool(_ALONE.search(" ".join(question.focus)) and _WITH_ANOTHER.search(sentence))
