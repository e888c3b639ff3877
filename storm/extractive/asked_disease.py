"""Reads from a request which disease a drug could treat, and by which names texts name it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from storm.extractive.asked_question import AskedQuestion
from storm.extractive.biomedical_words import is_biomedical, is_common, is_condition, is_grammar
from storm.extractive.drug_names import drop_repeats
from storm.extractive.facets import fold_spaced
from storm.extractive.narrower_words import find_synonyms
from storm.extractive.question_words import Phrase, Word
from storm.models import Disease

#: Words of such a request that name neither the drug nor the disease.
_OF_REQUEST = re.compile(
    r"re-?(?:purpos|position)(?:e|es|ed|ing)|off-label|adjunct(?:ive)?|add-on|monotherapy|low-dose|high-dose|candidate"
)
#: What stands before what a drug is given for.
_AIM = re.compile(
    r"\b(?:for|in|against|of|on|treat(?:s|ing)?|help(?:s|ing)?|prevent(?:s|ing)?|slow(?:s|ing)?|cur(?:e|es|ing)|"
    r"revers(?:e|es|ing)|improv(?:e|es|ing)|manag(?:e|es|ing))"
    r"(?: (?:an?|the|patients?|people|those|women|men|adults|children|with|having|who|have|has|of|treatment|treating|"
    r"managing|preventing|management|prevention))*\s$"
)
#: What stands before what the drug is for already: "approved for type 2 diabetes", "from hypertension to".
_USED = re.compile(
    r"\b(?:(?:(?<!be )used|approved|licensed|indicated|marketed|known|given|prescribed|taken) "
    r"(?:mainly |mostly |usually |today |now )?(?:for|in|against|to treat)|from)"
    r"(?: (?:an?|the|treating|patients|with))*\s$"
)
#: "The diabetes drug metformin": what a drug is for already.
_KIND = re.compile(r" (?:drug|medicine|medication|pill|agent)s?\b(?! (?:for|against|in)\b)")
#: Characters read before a phrase, and after it.
_REACH = 60
#: Most words after the first "of" or "with" of a name.
_MOST_WORDS = 6
#: What joins the parts of a disease's name.
_JOINING = ("of", "the", "with")
#: What a phrase may end with and a disease does not.
_NO_DISEASE = frozenset((
    "cells", "therapy", "rate", "rates", "score", "exposure", "control", "recovery", "transmission", "prophylaxis",
    "progression", "survival", "flares", "complications", "relapse", "relapses",
))  # fmt: skip
#: What a substance has to be taken for: the substance is then no drug asked about.
_OF_SUBSTANCE = re.compile(
    r"(?:use disorders?|addiction|dependence|dependency|withdrawal|overdoses?|poisoning|intoxication|abuse|misuse|"
    r"craving|toxicity)\b"
)
#: Parts of words as Americans and as the British write them.
_SPELLINGS = (
    ("emia", "aemia"), ("emic", "aemic"), ("tumor", "tumour"), ("edema", "oedema"), ("esophag", "oesophag"),
    ("rrhea", "rrhoea"), ("celiac", "coeliac"), ("hemo", "haemo"), ("hemat", "haemat"), ("pnea", "pnoea"),
    ("pediatr", "paediatr"), ("behavior", "behaviour"),
)  # fmt: skip
#: The shortest synonym that means nothing else.
_SHORTEST = 3
#: Longer words in capitals are no abbreviations.
_LONGEST_ABBREVIATION = 4


def find_substances(asked: AskedQuestion) -> frozenset[int]:
    """Where words stand for what patients are dependent on or poisoned by: "cocaine" in "cocaine addiction"."""
    text = fold_spaced(asked.text)
    pairs = pairwise(asked.words)
    return frozenset(word.start for word, after in pairs if after.joined and _OF_SUBSTANCE.match(text, after.start))


def find_disease(asked: AskedQuestion, without: Collection[int]) -> Phrase | None:
    """The phrase for the disease: one that names a condition, or else what stands after "for", "in" or "against", or is
    left beside a drug. `without` are places of words that name drugs."""
    others = (word.start for word in asked.words if _OF_REQUEST.fullmatch(word.folded))
    phrases = asked.phrases((*without, *others))
    new = [phrase for phrase in phrases if not _is_known_use(phrase, asked)]
    conditions = [phrase for phrase in new if phrase.names_condition]
    aimed = [phrase for phrase in new if _AIM.search(_text_before(phrase, asked))]
    known = [phrase for phrase in phrases if phrase not in new and phrase.names_condition]
    medical = [phrase for phrase in phrases if phrase.is_biomedical]
    chosen = next(iter((*conditions, *aimed[-1:], *known, *medical, *(new if without else ()))), None)
    return _complete(chosen, asked, without) if chosen else None


def name_disease(phrase: Phrase) -> Disease:
    """The disease that a phrase names, with its other names."""
    words = [_write_word(word) for word in phrase.words]
    if _is_eponym(words[-1]):
        words = [*words[:-1], words[-1].removesuffix("'s") + "'s", "disease"]
    label = " ".join(words)
    forms = drop_repeats((label, *_find_forms(words)))
    spelt = drop_repeats((*forms, *(_exchange_spelling(form) for form in forms)))
    same = (one for form in forms for one in find_synonyms(form))
    names = drop_repeats((*spelt, *(one for one in same if len(one) >= _SHORTEST and not is_common(one))))
    return Disease(label=label, names=names)


def _text_before(phrase: Phrase, asked: AskedQuestion) -> str:
    start = phrase.words[0].start
    return asked.text[max(0, start - _REACH) : start].casefold()


def _is_known_use(phrase: Phrase, asked: AskedQuestion) -> bool:
    """Whether the request says that the drug is used for it already."""
    end = phrase.words[-1].end
    after = asked.text[end : end + _REACH].casefold()
    return bool(_USED.search(_text_before(phrase, asked)) or _KIND.match(after))


def _complete(phrase: Phrase, asked: AskedQuestion, without: Collection[int]) -> Phrase:
    """The phrase without words for what is studied of the disease, and with what follows its "of" or "with"."""
    words = list(phrase.words)
    while len(words) > 1 and words[-1].folded in _NO_DISEASE:
        words.pop()
    if len(words) < len(phrase.words):
        return Phrase(tuple(words))
    return Phrase((*words, *_find_rest(words[-1], asked, without)))


def _find_rest(last: Word, asked: AskedQuestion, without: Collection[int]) -> Sequence[Word]:
    """The words of the name after its "of" or "with"; none if they lead to a drug, or name nothing."""
    asking = {place for one in asked.facets if one.facet.key != "population" for span in one.spans for place in span}
    rest: list[Word] = []
    for word in (word for word in asked.words if word.start >= last.end):
        is_joining = word.folded in _JOINING
        if (
            not word.joined
            or len(rest) == _MOST_WORDS
            or (not rest and not is_joining)
            or (is_grammar(word.folded) and not is_joining)
        ):
            break
        if word.start in without:
            return ()
        if word.start in asking:
            break
        rest.append(word)
    while rest and rest[-1].folded in _JOINING:
        rest.pop()
    return rest if any(not is_common(word.folded) for word in rest) else ()


def _write_word(word: Word) -> str:
    """The word as it is written in a text: "Alzheimer's" for "alzheimers", "cancer" for "CANCER"."""
    text = word.text.replace("’", "'")
    if _is_eponym(text):
        folded = text.casefold()
        own = folded if folded.endswith("'s") or not folded.endswith("s") else f"{folded[:-1]}'s"
        return own[:1].upper() + own[1:]
    is_loud = text.isupper() and len(text) > _LONGEST_ABBREVIATION
    is_first = word.begins_sentence and text.istitle()
    return text.casefold() if (is_loud or is_first) and is_biomedical(text.casefold()) else text


def _is_eponym(word: str) -> bool:
    """Whether a word is the name of someone by which a disease is known: "Alzheimer's", "alzheimers"."""
    bare = word.casefold().removesuffix("'s")
    return is_condition(f"{bare}'s") or (bare.endswith("s") and is_condition(f"{bare[:-1]}'s"))


def _find_forms(words: Sequence[str]) -> Iterator[str]:
    """The name without the possessive, without a "disease" after a name that means no other, and in the singular."""
    *first, last = words
    plain = " ".join(word.removesuffix("'s") for word in words)
    yield plain
    if last.casefold() == "disease" and first and _is_eponym(first[-1]):
        yield " ".join(first)
    if last.endswith("s") and is_condition(last.casefold()[:-1]):
        yield " ".join((*first, last[:-1]))
    if not last.endswith("s") and is_condition(f"{last.casefold()}s"):
        yield " ".join((*first, f"{last}s"))


def _exchange_spelling(name: str) -> str:
    """The name in the other spelling of English, if it has one."""
    for american, british in _SPELLINGS:
        if british in name:
            return name.replace(british, american)
        if american in name:
            return name.replace(american, british)
    return name
