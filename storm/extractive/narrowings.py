"""Reads what a question is narrowed to: the harms, patients, treatments and comparators that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, product

from storm.citations.vocabulary import words_of
from storm.databases.identity.known_names import KnownNames
from storm.evidence.narrowing import COPIES
from storm.extractive.asked_question import AskedQuestion
from storm.extractive.biomedical_words import is_biomedical, is_everyday
from storm.extractive.facets import find_facets
from storm.extractive.narrower_words import expand_term, strip_fillers
from storm.extractive.question_words import Phrase
from storm.models import Narrowing, NarrowingRole, Question
from storm.syllabus.drug_names import DRUG_NAME

#: What stands before a thing that is given and not looked for: "in gastric cancer", "after surgery".
_GIVEN = re.compile(
    r"\b(?:in|on|with|during|after|before|among|against|having|has|have|by|giving|adding)"
    r"(?: (?:an?|the|her|his|my|their|patients?|people|those|women|men|adults|who|have|has|with|having))*\s$"
)
#: What is asked for as well: "for her heart" in a question of harms.
_FOR = re.compile(r"\bfor(?: (?:an?|the|her|his|my|their|patients?|people|those|women|men|adults|with))*\s$")
#: Words between two things of which a text needs to name only one; the second may be an abbreviation of the first.
_OR = re.compile(r"\s*(?:,|;|,? (?:or|and)(?: [a-z]{1,15})?|/|\(|\[)\s*")
#: Where a question begins to ask for something else.
_CLAUSE = re.compile(r"[,;] (?:and|but|or) (?=is|are|does|do|can|could|what|how|which|why)|[?!;] ")
#: Facets of which one question may ask one of one thing, one of another.
_APART = frozenset(("benefit", "harm", "mechanism", "cost"))
#: What stands before a side of a comparison.
_AGAINST = re.compile(
    r"(?:^|\b(?:compar\w+ (?:with|to)|than|versus|vs\.?|from|between|as|is|are)(?: (?:an?|the|its))?\s)$"
)
#: What is given with the drug, and the treatments of "the effect of these on that".
_GIVEN_WITH = re.compile(
    r"\b(?:plus|added to|in addition to|on top of|combined with|together with)(?: [\w-]+)?\s$|[+/]\s?$"
)
_EFFECT_OF = re.compile(r"\beffects? of (.{1,300}?) on\b", re.I)
_NO_DRUG = words_of("placebo sham vehicle")
_AGAINST_THIS = re.compile(r"\b(?:compared (?:with|to)|than|versus|vs\.?)(?: (?:an?|the))?\s$")
_ASKS_TO_PREVENT = re.compile(r"\b(?:prevent|delay)(?:s|ed|ing)?\b", re.I)
_PREVENTION = Narrowing(
    label="prevention", role="setting",
    phrases=("prevent", "prevention", "incidence", "onset", "developed", "development", "new cases", "risk", "odds",
             "frequency", "frequent", "diagnosis", "delay"),
)  # fmt: skip
#: How a question asks how a drug acts on cells, whichever they are, and what texts on that name.
_KILLED = re.compile(
    r"(?:kill|destroy|attack|fight)s? (?:the )?(?:[\w-]+ ){0,2}(?:(?:tumou?r|cancer|malignant) (?:cells?|growth)|"
    r"tumou?rs?|cancers?|bacteria|virus(?:es)?)",
    re.I,
)
_KILLING = Narrowing(
    label="what it does to cells", role="outcome",
    phrases=("cell death", "apoptosis", "cytotoxicity", "cytotoxic", "kills", "killed", "killing", "growth inhibition",
             "proliferation", "tumour growth", "tumour cells", "cancer cells", "cell lines", "receptor", "replication",
             "cell wall", "protein synthesis", "polymerase", "immune cells"),
)  # fmt: skip
#: How a question asks for their number, which compares nothing.
_HOW_MANY = re.compile(r"\bhow many\b", re.I)
#: A sort of dose.
_DOSE = re.compile(r"\b(loading|maximum|starting|initial|maintenance) (?:daily )?dos(?:e|es|age)\b")
#: What effects and harms are measured by.
_EFFECTS = ("survival", "mortality", "equivalence", "similar", "effect", "events", "rate", "risk", "immunogenicity")
#: A sort of harm, of which the word asks for harms.
_HARM = re.compile(r"\b(addictive|overdos(?:e|es)|complications?|interactions?)\b")
_MUST_NOT = re.compile(
    r"\b(?:who|whom|when|patients|people) (?:should|must|can|may)(?:(?: [\w-]+){0,2} (?:never|not)|not|n't)\b|"
    r"\bcontraindicat"
)
_CONTRAINDICATED = ("contraindicated", "contraindication", "contraindications", "avoided", "must not")
_INTERACTS = re.compile(r"\binteract(?:s|ing)?\b")
#: What stands after and before the thing with which a drug may interact.
_INTERACTS_AFTER = re.compile(r"\s+interacts? with\b", re.I)
_INTERACTS_WITH = re.compile(r"\binteract(?:s|ing|ions?)? with(?: (?:an?|the))?\s$")
#: How a question asks for what happens after too much or too little of a drug, and what texts on that say.
_WRONG_AMOUNTS = (
    (re.compile(r"\b(?:take|takes|took|taking|taken|given|gets?|got) too (?:much|many (?:tablets|pills|doses))\b"),
     "overdose", ("overdose", "overdosage", "overdoses", "excessive dose", "poisoning", "intoxication")),
    (re.compile(r"\b(?:miss|misses|missed|forgets?|forgot|skips?|skipped)\b[^.?!]{0,30}\b(?:dose|doses|tablets?|pills?|"
                r"injections?|infusions?)\b"), "a missed dose",
     ("missed dose", "missed doses", "dose is missed", "doses are missed", "miss a dose", "forgotten dose",
      "skipped dose", "omitted dose")),
)  # fmt: skip
#: What a drug is asked to prevent, or to cause.
_PREVENTED = re.compile(r"\b(?:prevent|delay|avert|caus|induc|lead)\w*(?: (?:to|the|a|an|onset of))*\s$")
#: What a part of is asked for: "the incidence of pneumonitis".
_RATE_OF = re.compile(r"\b(?:incidence|frequency|rates?|risk|prevalence|percentage|proportion) of (?:the )?$")
#: What a treatment may lengthen.
_MEASURED = words_of("survival remission life")
#: Words of amounts, which name nothing that texts must name.
_AMOUNTS = words_of(
    "half third quarter double one two three four five six seven eight nine ten eleven twelve od bid tid qd qid o.d "
    "b.i.d t.i.d q.d fdc"
)
#: What follows a word for whom the question is of: "HER2-positive patients".
_PEOPLE = re.compile(r" (?:patients|people|women|men|adults|children)\b", re.I)
#: Durations that are compared: "for six or twelve months", "9 weeks versus 1 year".
_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "twelve": "12", "eighteen": "18", "twenty-four": "24",
}  # fmt: skip
_NUMBERS |= {digits: word for word, digits in _NUMBERS.items()}
_NUMBER = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_UNIT = r"(?:day|week|month|year)s?"
_DURATIONS = re.compile(
    rf"\b({_NUMBER}|a(?= {_UNIT}\b))(?: ({_UNIT})\b[^.?!]{{0,60}}?)?,? "
    rf"(?:or|versus|vs\.?|than|to|and|as|compared (?:with|to)) "
    rf"({_NUMBER}|a(?= {_UNIT}\b))(?: ({_UNIT}))?\b"
)
#: Characters between a phrase and its abbreviation.
_GAP = 25


def read_narrowings(
    asked: AskedQuestion, phrases: Sequence[Phrase], facet: str, copies: Sequence[str] = ()
) -> tuple[Narrowing, ...]:
    """What the sentences that ask name beside their subject; `copies` are the names of the drug's copies."""
    narrowing = [one for one in phrases if _is_specific(one, asked) and is_asked_of(one, asked, facet)]
    asking = [one for one in narrowing if any(one.text in sentence for sentence in asked.sentences)] or narrowing[-1:]
    killed = [one for one in asking if facet == "mechanism" and _KILLED.fullmatch(one.text)]
    made: list[Narrowing] = [_KILLING] if killed else []
    for group in _join_alternatives([one for one in asking if one not in killed], asked.text):
        if len(group) == 1 and (parts := _split_drug(group[0])):
            made += _narrow_to_parts(*parts, group[0], asked, facet)
            continue
        label = " or ".join(phrase.text for phrase in group)
        words = tuple(dict.fromkeys(chain.from_iterable(expand_term(phrase.text) for phrase in group)))
        if any(COPIES.fullmatch(word.folded) for phrase in group for word in phrase.words):
            words = tuple(dict.fromkeys((*words, *copies)))
        made.append(Narrowing(label=label, phrases=words, role=_role_of(group[0], asked, facet)))
    if facet == "comparison" and (effects := [one for one in asked.facets if one.facet.key in ("benefit", "harm")]):
        words = tuple(word for one in effects for word in (one.facet.key, *one.facet.focus, *_EFFECTS))
        label = " or ".join(one.facet.label.lower() for one in effects)
        made.append(Narrowing(label=label, phrases=tuple(dict.fromkeys(words))))
    prevented = (_PREVENTION,) if _ASKS_TO_PREVENT.search(asked.text) and made else ()
    durations = _narrow_to_durations(asked)
    named = any(_interacts(phrase, asked) for phrase in narrowing)
    kinds = (one for one in _narrow_to_kinds(asked, facet) if not (named and one.label.startswith("interact")))
    return (*made, *prevented, *durations, *_narrow_to_ages(asked, made), *kinds)


def _split_drug(phrase: Phrase) -> tuple[str, str] | None:
    """The drug in a phrase, and what stands beside it that is no drug: "pioglitazone HbA1c"."""
    is_drug = [bool(DRUG_NAME.fullmatch(word.folded)) for word in phrase.words]
    if all(is_drug) or not any(is_drug):
        return None
    drug, rest = (
        " ".join(word.text for word, own in zip(phrase.words, is_drug, strict=True) if own is wanted)
        for wanted in (True, False)
    )
    return (drug, rest) if all(map(is_biomedical, rest.casefold().split())) else None


def _narrow_to_parts(drug: str, rest: str, phrase: Phrase, asked: AskedQuestion, facet: str) -> Iterator[Narrowing]:
    yield Narrowing(label=drug, phrases=expand_term(drug), role=_role_of(phrase, asked, facet))
    yield Narrowing(label=rest, phrases=expand_term(rest), role="outcome")


def add_drug_names(question: Question, known: KnownNames) -> Question:
    """The question with the full and the short names of drugs in what it is narrowed to, and with the full ones among
    its words: "T-DM1" is "trastuzumab emtansine", too."""
    about = [one.model_copy(update={"phrases": _complete_names(one.phrases, known)}) for one in question.about]
    full = [name for word in question.focus if (name := known.full_name(word)) != word]
    queries = {
        database: tuple(" ".join((phrase, *full)) for phrase in phrases)
        for database, phrases in question.queries.items()
    }
    focus = tuple(dict.fromkeys((*question.focus, *full)))
    return question.model_copy(update={"about": tuple(about), "focus": focus, "queries": queries})


def _complete_names(phrases: Sequence[str], known: KnownNames) -> tuple[str, ...]:
    full = [known.full_name(phrase) for phrase in phrases]
    return tuple(dict.fromkeys((*phrases, *full, *known.short_names_of(*full), *known.spellings_of(*full))))


def _interacts(phrase: Phrase, asked: AskedQuestion) -> bool:
    """Whether the question is whether the drug and what the phrase names interact."""
    after = asked.text[phrase.words[-1].end :]
    return bool(_INTERACTS_WITH.search(asked.text_before(phrase)) or _INTERACTS_AFTER.match(after))


def _narrow_to_durations(asked: AskedQuestion) -> Iterator[Narrowing]:
    """The two durations that the question compares: "six or twelve months"."""
    if found := _DURATIONS.search(asked.text.casefold()):
        first, own, second, last = found.groups()
        if not (own or last):
            return
        first, second = ("one" if number == "a" else number for number in (first, second))
        sides = list(_spell_duration(first, own or last)), list(_spell_duration(second, last or own))
        pairs = dict.fromkeys(f"{one} {other}" for one, other in product(*sides))
        searched = dict.fromkeys(one if one.startswith(("1 ", "one ")) else f"{one}s" for side in sides for one in side)
        named = f"{first} {own}" if own and last and own != last else first
        label = f"{named} or {second} {last or own}"
        yield Narrowing(label=label, phrases=tuple(pairs), role="setting", searched=tuple(searched))


def _spell_duration(number: str, unit: str) -> Iterator[str]:
    """The duration in figures and in words, in months and in years."""
    unit = unit.removesuffix("s")
    spelt = (number, _NUMBERS.get(number, number))
    yield from (f"{one} {unit}" for one in spelt)
    for years, months in (("1", "12"), ("2", "24")):
        if unit == "month" and months in spelt:
            yield from (f"{one} year" for one in (years, _NUMBERS[years]))
        if unit == "year" and years in spelt:
            yield from (f"{one} month" for one in (months, _NUMBERS[months]))


def _narrow_to_ages(asked: AskedQuestion, made: Sequence[Narrowing]) -> Iterator[Narrowing]:
    """The people whom the question names by their age."""
    named = {phrase for one in made for phrase in one.phrases}
    for people in asked.people():
        if people in ("elderly", "children") and people not in named:
            yield Narrowing(label=people, phrases=expand_term(people), role="population")


def _narrow_to_kinds(asked: AskedQuestion, facet: str) -> Iterator[Narrowing]:
    """The sort of dose or of harm that the question names with the word that asks for it."""
    text = asked.text.casefold()
    for kind in dict.fromkeys(_DOSE.findall(text)) if facet == "dose" or "dose" in asked.direct else ():
        words = expand_term(kind)
        phrases = tuple(f"{word} dose" for word in words) if kind == "maximum" else words
        yield Narrowing(label=f"the {kind} dose", phrases=phrases)
    yield from (Narrowing(label=label, phrases=phrases) for asks, label, phrases in _WRONG_AMOUNTS if asks.search(text))
    if facet == "harm" and _MUST_NOT.search(text):
        yield Narrowing(label="contraindications", phrases=_CONTRAINDICATED)
    kinds = (*_HARM.findall(text), *("interactions" for _ in _INTERACTS.findall(text)))
    for kind in dict.fromkeys(kinds) if facet == "harm" else ():
        yield Narrowing(label=kind, phrases=expand_term(kind))


def names_amount(text: str) -> bool:
    """Whether a text is nothing but an amount ("twelve")."""
    return all(word in _AMOUNTS for word in text.casefold().split())


def _is_specific(phrase: Phrase, asked: AskedQuestion) -> bool:
    """Whether a phrase names something that texts on it must name; an abbreviation in brackets does with what stands
    before it."""
    if not any(map(str.isalpha, phrase.text)) or all(word.folded in _AMOUNTS for word in phrase.words):
        return False
    if not strip_fillers(phrase.text):
        return False
    if phrase.is_biomedical or phrase.names_condition or phrase.names_drug or phrase.is_proper:
        return True
    return asked.names_people(phrase) or not all(
        is_everyday(word.folded) or word.folded in _AMOUNTS for word in phrase.words
    )


def is_asked_of(phrase: Phrase, asked: AskedQuestion, facet: str) -> bool:
    """Whether the clause that names the phrase asks for the facet, or for none: "does it work, and is it safe for the
    heart?" asks of the heart whether it is safe."""
    start = phrase.words[0].start
    ends = [match.start() for match in _CLAUSE.finditer(asked.text)]
    clause = asked.text[
        max((end for end in ends if end <= start), default=0) : min(
            (end for end in ends if end > start), default=len(asked.text)
        )
    ]
    keys = {one.facet.key for one in find_facets(clause)} & _APART
    return not keys or facet in keys or facet not in (_APART & asked.direct)


def _join_alternatives(phrases: Sequence[Phrase], text: str) -> Sequence[Sequence[Phrase]]:
    """The phrases in groups of which a text needs to name one; treatments whose effect is asked for are one group."""
    groups: list[list[Phrase]] = []
    treated = _find_treated(text)
    for phrase in phrases:
        start = phrase.words[0].start
        before = groups[-1] if groups else []
        is_treatment = start in treated and bool(before) and before[0].words[0].start in treated
        if text[:start].endswith(("(", "[")):
            if is_treatment or (before and _abbreviates(phrase, before[-1])):
                before.append(phrase)
        elif is_treatment or (before and _OR.fullmatch(text[before[-1].words[-1].end : start])):
            before.append(phrase)
        else:
            groups.append([phrase])
    return groups


def _find_treated(text: str) -> range:
    """Where the treatments stand whose effect is asked for."""
    found = _EFFECT_OF.search(text)
    return range(*found.span(1)) if found else range(0)


def _abbreviates(short: Phrase, long: Phrase) -> bool:
    """Whether an abbreviation may be of a phrase before it: "progression-free survival (PFS)"."""
    is_near = 0 <= short.words[0].start - long.words[-1].end <= _GAP
    return is_near and short.text[:1].casefold() in {word.folded[:1] for word in long.words}


def _role_of(phrase: Phrase, asked: AskedQuestion, facet: str) -> NarrowingRole:
    start = phrase.words[0].start
    before = asked.text_before(phrase)
    if asked.names_people(phrase):
        return "population"
    if _PEOPLE.match(asked.text, phrase.words[-1].end):
        return "setting"
    is_compared = "comparison" in asked.direct and not _HOW_MANY.search(asked.text)
    if not is_compared and any(COPIES.fullmatch(word.folded) for word in phrase.words):
        return "outcome"
    is_of_body = phrase.names_condition or phrase.is_biomedical or phrase.words[0].folded in _MEASURED
    clause = _CLAUSE.search(asked.text)
    if clause and start >= clause.end() and not phrase.names_drug:  # "…, and is it reversible?" asks one thing more
        return "outcome"
    if _PREVENTED.search(before) or _RATE_OF.search(before) or _interacts(phrase, asked):
        return "outcome"
    treated = _find_treated(asked.text)
    if _GIVEN_WITH.search(before) or start in treated:
        return "setting"
    if treated and 0 <= start - treated.stop <= len(" on the ") and is_of_body:  # "the effect of this on survival"
        return "outcome"
    is_given = bool(_GIVEN.search(before) or (facet != "harm" and _FOR.search(before)))
    if "comparison" in asked.direct and _is_compared(phrase, before, is_of_body):
        return "comparator"
    is_name = phrase.names_drug or (phrase.is_proper and not is_of_body)
    return "outcome" if is_of_body and not (is_given or is_name or facet == "mechanism") else "setting"


def _is_compared(phrase: Phrase, before: str, is_of_body: bool) -> bool:
    """Whether a question that compares does so with what a phrase names, with this text before it."""
    if _AGAINST_THIS.search(before) or any(word.folded in _NO_DRUG for word in phrase.words):
        return True
    if phrase.names_drug or any(COPIES.fullmatch(word.folded) for word in phrase.words):
        return True
    return not is_of_body and bool(_AGAINST.search(before))
