"""Reads the study of a record: population, comparator, follow-up, dose and funding.

All values are words of the record. Values that the record does not have are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from storm.evidence.comparator import read_comparator
from storm.evidence.design import abstract_of, design_of, is_animal
from storm.evidence.participants import participants_of
from storm.evidence.species import names_animals
from storm.evidence.title_words import write_as_in_sentence
from storm.models import Hit, Holds, SectionKind, database_info
from storm.models.design import Design
from storm.models.names import phrases_of
from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

#: Characters read of an abstract and of a funding statement, and the maximum of a value.
_MOST_READ = 6_000
_MOST_FUNDING = 1_500
_LONGEST = 90
_BEFORE = 50
_SENTENCE = 500
#: Typographic hyphens.
_HYPHENS = str.maketrans("\u2010\u2011", "--")

_WHO = (
    r"(?:patients|participants|subjects|volunteers|women|men|children|adults|individuals|infants|neonates|adolescents|"
    r"outpatients|inpatients|persons|people|smokers|horses|dogs|cats|rats|mice|rabbits|pigs|sheep|goats|monkeys)"
)
_LIKE = (
    r"(?:(?!in\b|of\b|the\b|and\b|for\b|with\b|from\b|on\b|were\b|was\b|among\b|these\b|all\b|"
    r"by\b|to\b|it\b|we\b|included\b|identifying\b)[A-Za-z][\w/-]*+ ){0,3}(?:[A-Za-z]\w*+-)?"
)
#: The end of a description of people.
_END = re.compile(
    r"[:;(\[—]|[.,](?!\d)|\sbut\s\d|"
    r"\s(?:were|was|is|are|had been|received?|receiving either|to (?:receive|evaluate|assess)|treated with|"
    r"randomi[sz]ed|randomly|assigned|who (?:were|received)|during|using|compared|versus|vs|by means|"
    r"linked|whose|and in|in comparison|had|has|showed?|"
    r"in (?:a|an|the|this|our)|at (?:a|an|the)|"
    r"(?:a|an|the) (?:randomi|prospective|double|pilot|multi|phase|post|single|open|retrospective|controlled|\d))\b"
)
_PEOPLE = re.compile(
    rf"(?i)(?<!proportion of )(?<!percentage of )(?<!number of )(?<!share of )(?<!rate of )\b({_LIKE}{_WHO} "
    rf"(?:with|without|undergoing|after|who|aged|having|at|scheduled|requiring|presenting)\b.*)"
)
_HEALTHY = re.compile(rf"(?i)\b(healthy (?:[\w-]+ ){{0,2}}{_WHO})\b")
#: A long description up to the last word that begins a phrase, where it is cut.
_WHOLE = re.compile(
    r"(.{30,90}),? (?:who|that|which|with|without|and|or|requiring|despite|undergoing|for|to|at|after|by|from|in|on) "
)
_NO_END = frozenset(
    (
        "with",
        "and",
        "or",
        "of",
        "the",
        "a",
        "an",
        "to",
        "in",
        "for",
        "who",
        "that",
        "which",
        "on",
        "at",
        "by",
        "from",
        "not",
        "than",
        "do",
        "did",
    )
)
_COUNT = re.compile(
    r"(?i)^(?:(?:\d+|its|their|our|eligible|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|fou?rty|"
    r"fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand)[ -])+"
)
_BRACKET = re.compile(r" \([^()]{1,60}\)(?= (?:with|who|aged|undergoing)\b)")
#: Words of sentences on the study itself, rather than on background.
_OF_THE_STUDY = re.compile(
    r"(?i)\b(?:randomi[sz]\w+|randomly|enrol\w+|recruit\w+|includ\w+|we|our|this|aim\w*|objectives?|purpose|assigned|"
    r"allocated|conducted|evaluat\w+|investigat\w+|assess\w*|compar\w+|studied|received|treated|given|administered|"
    r"undergoing|underwent|were|trial|to (?:determine|examine|test))\b"
)
#: Words of sentences that say who took part, and of those on what was known before.
_TOOK_PART = re.compile(
    r"(?i)\b(?:randomi[sz](?:ed|ing)|randomly|enroll?ed|recruited|included|assigned|allocated|eligible|studied|"
    r"(?:were|was) (?:\w+ )?(?:treated|given|selected|observed)|received|underwent|"
    r"we (?:treated|gave|selected|studied))\b"
)
_KNOWN_BEFORE = re.compile(
    r"(?i)\banimal models?\b|\b(?:has|have|had) (?:been )?(?:previously )?(?:shown|suggested|reported|demonstrated|"
    r"associated|improved|reduced)\b|\b(?:previous|prior|earlier) (?:\w+ )?(?:stud|trial|work|report)|\bit is known\b"
)
_WORD_OF_TITLE = re.compile(r"^(?:Patients|Women|Men|Children|Adults|Adult|People|Participants|Healthy|Elderly)\b")
_ADJECTIVE = re.compile(rf"(?i)\b(?:in|among) ((?!the\b)(?:[\w-]+ ){{1,4}}{_WHO})\b")
_IN = re.compile(r"(?i)\b(?:in|treatment of) (?!vivo|vitro|humans?\b|the\b|a\b|an\b)([a-z][^:;.,?(]{5,90})$")
_A_STUDY = re.compile(
    r"(?i)\b(?:study|trial|analysis|model|clinic|randomi[sz]ed|effects?|efficacy|versus|vs|comparison|extension)\b"
)
_CONDITIONS = re.compile(r"Conditions: ([^\n]+?)\.?$", re.M)

_UNIT = r"(?:weeks?|months?|years?|days?)"
_DAYS = {"d": 1, "w": 7, "m": 30.4, "y": 365}
_TIME = r"(?<![\d.–-])(\d+(?:[–-]\d+)?)"
_FOLLOW_UP = re.compile(rf"(?i)\bfollow(?:ed)?[- ]?up\b[^.;]{{0,40}}?(?<![\d.])(\d+(?:\.\d+)?)[- ]({_UNIT})\b")
#: Words before years that are an age, or the duration of a programme of trials.
_NO_FOLLOW_UP = re.compile(
    r"(?i)(?:\b(?:aged?|ages)\b[^.;]{0,30}|\b(?:patients|women|men|adults|people|subjects|persons|individuals|those|"
    r"children|trials|studies)(?: \w+)? )$"
)
#: Words before and after a time that is that of a birth, of stored samples, or until an event.
_OF_SOMETHING_ELSE = re.compile(
    r"(?i)\b(?:deliver|born|birth|gestation|pregnan|stor(?:ed|age)\b|frozen|shelf|stable|stability|relapsed?\b|recurred|"
    r"half-li)[^.;]{0,40}$"
)
_OF_PREGNANCY = re.compile(r"(?i)[’']? (?:of |in )?(?:gestation|pregnan|post-?conception)")
_LONG = re.compile(
    rf"(?i){_TIME}[- ]({_UNIT})(?![- ]old|[- ]of[- ]age| of age|ly| in an? )(?=,? (?:(?!with\b)[\w-]+[ ,]+){{0,3}}"
    rf"(?:follow|trial|study|treatment|"
    rf"extension|period|results|double|open|randomi|main|core))"
)
_FOR = re.compile(
    rf"(?i)\b(?:for|after|over|at) (?:a further |approximately |about |up to )?{_TIME} ({_UNIT})\b(?! "
    rf"old| of age)"
)

_DOSE = (
    r"(?<![\d.])\d+(?:[.,]\d+)?(?:[-–]\d+(?:\.\d+)?)? ?(?:mgs?|µg|μg|mcg|g|ng|IU|units?|U)(?:/(?:kg|m\^?2|day|d|h|"
    r"hour|min|week|ml|dose))*"
)
_DOSES = rf"{_DOSE}(?:(?:,| and| or|, and|, or) {_DOSE})*"
#: A dose in place of a condition ("patients at 4 mg/kg"), or a condition cut before its noun ("women with advanced").
_NO_CONDITION = re.compile(
    rf"(?i) (?:at|on) {_DOSE}| (?:advanced|metastatic|early|recurrent|operable|severe|moderate|mild|acute|chronic|"
    r"inflammatory|newly diagnosed)$"
)
_OFTEN = (
    r"(?:,? (?:once|twice|three times|\d times)[ -](?:daily|a day|weekly|a week)|,? (?:daily|weekly|nightly|"
    r"q\.?d\.?|b\.?i\.?d\.?|every \w+ \w+))?"
)
_ROUTE = (
    r"(?:oral|intravenous|subcutaneous|intramuscular|intranasal|topical|inhaled|intrathecal|epidural|intravitreal|"
    r"transdermal|rectal|sublingual|i\.?v\.?|s\.?c\.?)"
)

_PAID = re.compile(
    r"(?i)\b(?:(?:fund(?:ed|ing)|support(?:ed)?|sponsored|financed)\b[^.;]{0,60}?\b(?:by|from|via)|grants? (?:of|"
    r"from)) "
    r"(?:(?:a|an|the|grants?|research|unrestricted|investigator[-‐]initiated|educational|funding|awarded|by|of|"
    r"from|in part)\s)*(?:to [^.;]{3,60}? from (?:the )?|[A-Z]*\d\S* from (?:the )?)?"
    r"([A-Z][^.;(]{2,160})"
)
_NOBODY = re.compile(r"(?i)\b(?:not?|nor|without|neither)\b[^.;]{0,60}$")
_ANY = re.compile(r"(?i)(?:any|no)\b")
_INTERESTS = re.compile(r"(?i)conflict|competing|interest|disclosure")
_NOT_THE_STUDY = re.compile(
    r"(?i)\b(?:medical writing|editorial|assistance|fees?|honoraria|speakers?|advisory|consult\w+|employee|has "
    r"received|have received|participated)\b"
)


#: Designs that describe the patients of other studies.
_OF_OTHERS = (Design.REVIEW, Design.GUIDELINE, Design.EDITORIAL)


class Study(NamedTuple):
    """The study of a record. Without a value in the record, `participants` is None and a text is empty."""

    design: Design
    participants: int | None = None
    population: str = ""
    animals: bool = False
    comparator: str = ""
    follow_up: str = ""
    dose: str = ""
    funding: str = ""


def read_study(hit: Hit, names: Sequence[str] = ()) -> Study:
    """The study that a record reports; `names` of the drug are needed for its dose and comparator."""
    return _read_study(hit, tuple(names))


@lru_cache(maxsize=256)
def _read_study(hit: Hit, names: tuple[str, ...]) -> Study:
    design = design_of(hit)
    if design is Design.NO_STUDY:
        return Study(design)
    title, abstract = hit.title, abstract_of(hit)[:_MOST_READ]
    registered = database_info(hit.database).holds is Holds.STUDIES
    own = "" if design in _OF_OTHERS else abstract
    animals = not registered and is_animal(hit)
    return Study(
        design=design,
        participants=participants_of(hit),
        population=_read_conditions(hit) if registered else _find_population(title, own, animals=animals),
        animals=animals,
        comparator="" if design in _OF_OTHERS else write_as_in_sentence(read_comparator(title, own, names), title, own),
        follow_up="" if design in _OF_OTHERS else _read_follow_up(title, own),
        dose=_read_dose(title, own, names),
        funding=_read_funding(hit),
    )


def _read_conditions(hit: Hit) -> str:
    found = _CONDITIONS.search("\n".join(section.text for section in hit.sections if section.label == "CONDITIONS"))
    return _shorten_phrase(found[1]) if found else ""


def _find_population(title: str, abstract: str, *, animals: bool) -> str:
    """The people studied, in words of the title or of the first sentence of the abstract that describes them."""
    title, abstract = title[:_SENTENCE].translate(_HYPHENS), abstract.translate(_HYPHENS)
    titled = (_find_people(title), _find_people_in_title(title))
    descriptions = chain(
        (write_as_in_sentence(words, title, abstract) for words in titled),
        map(_find_people, _find_sentences_of_the_study(abstract)),
        (write_as_in_sentence(_find_condition_in_title(title), title, abstract),),
    )
    fitting = (words for words in descriptions if words and (not animals or names_animals(words)))
    return next(
        (_WORD_OF_TITLE.sub(lambda m: m[0].lower(), _COUNT.sub("", _shorten_phrase(words))) for words in fitting), ""
    )


def _find_sentences_of_the_study(abstract: str) -> list[str]:
    """Sentences on the study itself; first those that say who took part. What was known before is left out."""
    sentences = [_BRACKET.sub("", span.text[:_SENTENCE]) for span in split_sentences(abstract)]
    own = [one for one in sentences if _OF_THE_STUDY.search(one) and not _KNOWN_BEFORE.search(one)]
    return sorted(own, key=lambda sentence: not _TOOK_PART.search(sentence))


def _find_people(text: str) -> str:
    for pattern in (_PEOPLE, _HEALTHY):
        if match := pattern.search(text):
            words = _END.split(match[1], maxsplit=1)[0].strip()
            phrase = _WHOLE.match(words[:_LONGEST]) if len(words) > _LONGEST else None
            if len(words.split()) > 1 and not _NO_CONDITION.search(words):
                return phrase[1] if phrase else words
    return ""


def _find_people_in_title(title: str) -> str:
    """People in the title who are described only by words before the noun: "in hyperlipidaemic adults"."""
    match = _ADJECTIVE.search(title)
    return match[1] if match else ""


def _find_condition_in_title(title: str) -> str:
    """The condition at the end of a title: "… in type 2 diabetes"."""
    head = re.split(r"[:?]|\. |: ", title, maxsplit=1)[0]
    match = _IN.search(head)
    words = match[1].rpartition(" in ")[2] if match else ""
    if len(words.split()) == 1 and words[0].isupper():
        return ""  # a name of something
    return "" if _A_STUDY.search(words) or DRUG_NAME.search(words.casefold()) else words


def _shorten_phrase(words: str) -> str:
    """The words, cut to the maximum length between two words, without a preposition or the like at the end."""
    words = " ".join(words.split())
    cut = words if len(words) <= _LONGEST else words[:_LONGEST].rpartition(" ")[0]
    words_left = cut.split(" ")
    while len(words_left) > 1 and words_left[-1].lower() in _NO_END:
        words_left.pop()
    return " ".join(words_left).strip(" ,;–-")


def _read_follow_up(title: str, abstract: str) -> str:
    for pattern, text in ((_LONG, title), (_FOLLOW_UP, abstract), (_LONG, abstract), (_FOR, title), (_FOR, abstract)):
        times = [found for found in pattern.finditer(text) if not _is_other_time(text, found, pattern)]
        if match := max(times, key=_count_days, default=None):
            unit = match[2].lower().rstrip("s")
            return f"{match[1]} {unit}{'' if match[1] == '1' else 's'}"
    return ""


def _count_days(time: re.Match[str]) -> float:
    """The duration in days; of a range, its end."""
    return float(re.split("[–-]", time[1])[-1]) * _DAYS[time[2][0].lower()]


def _is_other_time(text: str, time: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """Whether the time is an age ("aged 18-72 years"), that of a birth or of stored samples ("stored for 480 days"),
    or the duration of a programme ("trials over 11 years").
    """
    before = text[max(0, time.start() - _BEFORE) : time.start()]
    if _OF_SOMETHING_ELSE.search(before) or _OF_PREGNANCY.match(text, time.end()):
        return True
    if not time[1].isdigit() and time[2].lower().startswith("year") and pattern is not _FOLLOW_UP:
        return True
    return bool(_NO_FOLLOW_UP.search(before)) and (pattern is not _FOR or time[0].lower().startswith("over"))


def _read_dose(title: str, abstract: str, names: Sequence[str]) -> str:
    """The first dose next to a name of the drug, with its route if that is next to it too."""
    written = "|".join(r"[\W_]+".join(map(re.escape, phrase)) for phrase in phrases_of(names))
    if not written:
        return ""
    pattern = re.compile(
        rf"(?i)\b({_ROUTE} )?(?:{written})(?: [a-z]+){{0,2}} ?\(?({_DOSES}{_OFTEN})|({_DOSES})(?: of)?( {_ROUTE})? "
        rf"(?:{written})\b"
    )
    match = pattern.search(f"{title}\n{abstract}")
    if not match:
        return ""
    route, dose, before, route_after = match.groups()
    return " ".join(" ".join(filter(None, (dose or before, route or route_after))).split())


def _denies_funding(sentence: str, paid: re.Match[str]) -> bool:
    """Whether the sentence denies funding: "not supported by any company"."""
    return bool(_ANY.match(paid[1]) or _NOBODY.search(sentence[: paid.start()]) or _NOBODY.search(paid[0]))


def _read_funding(hit: Hit) -> str:
    """The funder of the study, by the back matter of the document."""
    parts = [s for s in hit.sections if s.kind is SectionKind.BACK_MATTER and not _INTERESTS.search(s.label)]
    parts.sort(key=lambda section: "fund" not in section.label.lower())
    return next(_find_funders(section.text[:_MOST_FUNDING] for section in parts), "")


def _find_funders(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for span in split_sentences(text):
            match = _PAID.search(span.text)
            if match and not (_NOT_THE_STUDY.search(span.text[: match.end(1)]) or _denies_funding(span.text, match)):
                yield _shorten_phrase(
                    re.split(
                        r", (?:a |the |which|who|grant)|\b(?:grant|under|through|in \d{4})\b", match[1], maxsplit=1
                    )[0]
                )
