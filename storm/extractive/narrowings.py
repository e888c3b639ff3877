"""Reads what a question is narrowed to: the harms, patients, treatments and comparators that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from storm.citations.vocabulary import words_of
from storm.extractive.asked_question import AskedQuestion
from storm.extractive.biomedical_words import is_everyday
from storm.extractive.facets import find_facets
from storm.extractive.narrower_words import expand_term
from storm.extractive.question_words import Phrase
from storm.models import Narrowing, NarrowingRole

#: What stands before a thing that is given and not looked for: "in gastric cancer", "after surgery".
_GIVEN = re.compile(
    r"\b(?:in|on|with|during|after|before|among|against|having|has|have|by|giving|adding)"
    r"(?: (?:an?|the|her|his|my|their|patients?|people|those|women|men|adults|who|have|has|with|having))*\s$"
)
#: What is asked for as well: "for her heart" in a question of harms.
_FOR = re.compile(r"\bfor(?: (?:an?|the|her|his|my|their|patients?|people|those|women|men|adults|with))*\s$")
#: Words between two things of which a text needs to name only one.
_OR = re.compile(r"\s*(?:,|,? (?:or|and)(?: [a-z]{1,15})?|/)\s*")
#: Where a question begins to ask for something else.
_CLAUSE = re.compile(r"[,;] (?:and|but|or) (?=is|are|does|do|can|could|what|how|which|why)|[?!;] ")
#: Facets of which one question may ask one of one thing, one of another.
_APART = frozenset(("benefit", "harm", "mechanism", "cost"))
#: What stands before a side of a comparison.
_AGAINST = re.compile(
    r"(?:^|\b(?:compar\w+ (?:with|to)|than|versus|vs\.?|from|between|as|is|are)(?: (?:an?|the|its))?\s)$"
)
#: Names of copies, of which the records name products.
_COPIES = re.compile(r"(?:biosimilar|generic)s?")
#: A sort of dose.
_DOSE = re.compile(r"\b(loading|maximum|starting|initial|maintenance) (?:daily )?dos(?:e|es|age)\b")
#: What effects and harms are measured by.
_EFFECTS = ("survival", "mortality", "equivalence", "similar", "effect", "events", "rate", "risk", "immunogenicity")
#: A sort of harm, of which the word asks for harms.
_HARM = re.compile(r"\b(addictive|overdos(?:e|es)|complications?|interactions?)\b")
#: What a treatment may lengthen.
_MEASURED = words_of("survival remission life")
#: Words of amounts, which name nothing that texts must name.
_AMOUNTS = words_of("half third quarter double one two three four five six seven eight nine ten eleven twelve")
#: Characters read before a phrase.
_REACH = 60


def read_narrowings(
    asked: AskedQuestion, phrases: Sequence[Phrase], facet: str, copies: Sequence[str] = ()
) -> tuple[Narrowing, ...]:
    """What the sentences that ask name beside their subject; `copies` are the names of the drug's copies."""
    narrowing = [one for one in phrases if _is_specific(one, asked) and is_asked_of(one, asked, facet)]
    asking = [one for one in narrowing if any(one.text in sentence for sentence in asked.sentences)]
    made: list[Narrowing] = []
    for group in _join_alternatives(asking or narrowing[-1:], asked.text):
        label = " or ".join(phrase.text for phrase in group)
        words = tuple(dict.fromkeys(chain.from_iterable(expand_term(phrase.text) for phrase in group)))
        if any(_COPIES.fullmatch(word.folded) for phrase in group for word in phrase.words):
            words = tuple(dict.fromkeys((*words, *copies)))
        made.append(Narrowing(label=label, phrases=words, role=_role_of(group[0], asked, facet)))
    if facet == "comparison" and (effects := [one for one in asked.facets if one.facet.key in ("benefit", "harm")]):
        words = tuple(word for one in effects for word in (one.facet.key, *one.facet.focus, *_EFFECTS))
        label = " or ".join(one.facet.label.lower() for one in effects)
        made.append(Narrowing(label=label, phrases=tuple(dict.fromkeys(words))))
    return (*made, *_narrow_to_ages(asked, made), *_narrow_to_kinds(asked, facet))


def _narrow_to_ages(asked: AskedQuestion, made: Sequence[Narrowing]) -> Iterator[Narrowing]:
    """The people whom the question names by their age."""
    named = {phrase for one in made for phrase in one.phrases}
    for people in asked.people():
        if people in ("elderly", "children") and people not in named:
            yield Narrowing(label=people, phrases=expand_term(people), role="setting")


def _narrow_to_kinds(asked: AskedQuestion, facet: str) -> Iterator[Narrowing]:
    """The sort of dose or of harm that the question names with the word that asks for it."""
    text = asked.text.casefold()
    for kind in dict.fromkeys(_DOSE.findall(text)) if facet == "dose" else ():
        yield Narrowing(label=f"the {kind} dose", phrases=expand_term(kind))
    for kind in dict.fromkeys(_HARM.findall(text)) if facet == "harm" else ():
        yield Narrowing(label=kind, phrases=expand_term(kind))


def _is_specific(phrase: Phrase, asked: AskedQuestion) -> bool:
    """Whether a phrase names something that texts on it must name."""
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
    groups: list[list[Phrase]] = []
    for phrase in phrases:
        start = phrase.words[0].start
        if groups and _OR.fullmatch(text[groups[-1][-1].words[-1].end : start]):
            groups[-1].append(phrase)
        else:
            groups.append([phrase])
    return groups


def _role_of(phrase: Phrase, asked: AskedQuestion, facet: str) -> NarrowingRole:
    start = phrase.words[0].start
    before = asked.text[max(0, start - _REACH) : start].casefold()
    if asked.names_people(phrase):
        return "setting"
    is_of_body = phrase.names_condition or phrase.is_biomedical or phrase.words[0].folded in _MEASURED
    is_given = bool(_GIVEN.search(before) or (facet != "harm" and _FOR.search(before)))
    if "comparison" in asked.direct and _is_compared(phrase, before, is_of_body):
        return "comparator"
    is_name = phrase.names_drug or (phrase.is_proper and not is_of_body)
    return "outcome" if is_of_body and not (is_given or is_name or facet == "mechanism") else "setting"


def _is_compared(phrase: Phrase, before: str, is_of_body: bool) -> bool:
    """Whether a question that compares does so with what a phrase names, with this text before it."""
    if phrase.names_drug or any(_COPIES.fullmatch(word.folded) for word in phrase.words):
        return True
    return not is_of_body and bool(_AGAINST.search(before))
