"""Reads from a request which disease a drug could treat, and by which names texts name it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from storm.extractive.asked_question import AskedQuestion
from storm.extractive.biomedical_words import is_common, is_grammar
from storm.extractive.disease_names import is_organ, is_tumour
from storm.extractive.facets import fold_spaced
from storm.extractive.question_words import Phrase, Word

#: Words of such a request that name neither the drug nor the disease.
_OF_REQUEST = re.compile(
    r"re-?(?:purpos|position)(?:e|es|ed|ing)|off-label|adjunct(?:ive)?|add-on|monotherapy|low-dose|high-dose|candidate"
)
#: What stands before what a drug is given for.
_AIM = re.compile(
    r"\b(?:for|in|against|of|on|treat(?:s|ing)?|help(?:s|ing)?|prevent(?:s|ing)?|slow(?:s|ing)?|cur(?:e|es|ing)|"
    r"revers(?:e|es|ing)|improv(?:e|es|ing)|manag(?:e|es|ing)|gegen|bei|contre|contra|contro)"
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
_KIND = re.compile(r" (?:drug|medicine|medication|pill|tablet|agent)s?\b(?! (?:for|against|in)\b)")
_PILLS = frozenset(("pill", "pills", "tablet", "tablets"))
#: Characters read after a phrase.
_REACH = 60
#: Most words after the first "of" or "with" of a name.
_MOST_WORDS = 6
#: Longer words in capitals are not abbreviations of diseases.
_LONGEST = 6
#: What joins the parts of a disease's name.
_JOINING = ("of", "the", "with")
_JOINING_ELSEWHERE = (*_JOINING, "de", "du", "des", "del", "della", "do", "da", "der")
#: "My mum's tumour".
_OF_SOMEONE = re.compile(
    r"(?:mum|mom|mother|dad|father|wife|husband|partner|sister|brother|son|daughter|child|friend|gran|aunt|uncle|"
    r"grand(?:mother|father|ma|pa)|patient)['’]?s"
)
#: What a phrase may end with and a disease does not.
_NO_DISEASE = frozenset((
    "cells", "therapy", "rate", "rates", "score", "exposure", "control", "recovery", "transmission", "prophylaxis",
    "progression", "survival", "flares", "complications", "relapse", "relapses", *_PILLS,
))  # fmt: skip
#: What a drug may do for people with a disease: no disease where the request names one.
_OUTCOMES = frozenset((
    "mortality", "survival", "death", "deaths", "recurrence", "recurrences", "relapse", "relapses", "remission",
    "progression", "symptom", "symptoms", "outcome", "outcomes", "prognosis", "incidence", "severity", "risk", "risks",
    "quality", "life", "dying", "chance", "chances", "odds", "hospitalisation", "hospitalization", "hospitalisations",
    "hospitalizations",
))  # fmt: skip
#: "Cardiovascular" in "cardiovascular mortality".
_ADJECTIVE = re.compile(r".*(?:al|ar|ic|ac|ive|ous)")
#: "In the breast", after "tumour".
_IN_ORGAN = re.compile(r" in (?:the )?(\w+)")
#: Such questions ask who or what, not what something is for.
_WHO = re.compile(r"\s*(?:who|whom|whose|what|which|where|when|why|how)\b")
#: What joins diseases that share a word: "breast or prostate cancer".
_OR = re.compile(r" ?(?:,|/|,? ?and|,? ?or|and/or) ?")
#: What a substance has to be taken for: the substance is then no drug asked about.
_OF_SUBSTANCE = re.compile(
    r"(?:use disorders?|addiction|dependence|dependency|withdrawal|overdoses?|poisoning|intoxication|abuse|misuse|"
    r"craving|toxicity)\b"
)


def find_substances(asked: AskedQuestion) -> frozenset[int]:
    """Where words stand for what patients are dependent on or poisoned by: "cocaine" in "cocaine addiction"."""
    text = fold_spaced(asked.text)
    pairs = pairwise(asked.words)
    return frozenset(word.start for word, after in pairs if after.joined and _OF_SUBSTANCE.match(text, after.start))


def find_disease(asked: AskedQuestion, without: Collection[int]) -> Phrase | None:
    """The phrase for the disease: one that names a condition, or else what stands after "for", "in" or "against", or is
    left beside a drug. `without` are places of words that name drugs."""
    phrases = _find_phrases(asked, without)
    named = [phrase for phrase in phrases if not names_outcome(phrase)]
    new = [phrase for phrase in named if not _is_known_use(phrase, asked)]
    conditions = [phrase for phrase in new if phrase.names_condition]
    aimed = [phrase for phrase in new if _AIM.search(asked.text_before(phrase))]
    known = [phrase for phrase in named if phrase not in new and phrase.names_condition]
    medical = [phrase for phrase in (*named, *phrases) if phrase.is_biomedical]
    rest = (*new, *phrases) if without else ()
    chosen = next(iter((*conditions, *aimed[-1:], *known, *medical, *rest)), None)
    return _complete(chosen, asked, without) if chosen else None


def find_other_diseases(asked: AskedQuestion, disease: Phrase, without: Collection[int]) -> Sequence[Phrase]:
    """What the request names beside the disease, and the drug is not for already."""
    own = {word.start for word in disease.words}
    return [
        _complete(phrase, asked, without)
        for phrase in _find_phrases(asked, without)
        if (phrase.names_condition or _is_abbreviation(phrase, disease, asked))
        and not (names_outcome(phrase) or _is_known_use(phrase, asked))
        and phrase.words[0].start not in own
    ]


def _is_abbreviation(phrase: Phrase, disease: Phrase, asked: AskedQuestion) -> bool:
    """Whether a phrase is a word in capitals that stands beside the disease: "NASH or obesity"."""
    first, second = sorted((phrase, disease), key=lambda one: one.words[0].start)
    between = fold_spaced(asked.text)[first.words[-1].end : second.words[0].start]
    (word, *more) = phrase.words
    return not more and 1 < len(word.text) <= _LONGEST and word.text.isupper() and bool(_OR.fullmatch(between))


def names_pair(asked: AskedQuestion) -> bool:
    """Whether all that a request says is a word for something, and what it is for: "qwertyx for blorp"."""
    match asked.phrases():
        case [Phrase(words=(_,)), second] if not _WHO.match(fold_spaced(asked.text)):
            return bool(_AIM.search(asked.text_before(second)))
    return False


def _find_phrases(asked: AskedQuestion, without: Collection[int]) -> Sequence[Phrase]:
    """The phrases of the request, each of diseases that share a word with that word."""
    others = (word.start for word in asked.words if _OF_REQUEST.fullmatch(word.folded))
    phrases = list(asked.phrases((*without, *others)))
    for at in range(len(phrases) - 2, -1, -1):
        first, second = phrases[at : at + 2]
        between = fold_spaced(asked.text)[first.words[-1].end : second.words[0].start]
        if is_organ(first.words[-1].folded) and is_tumour(second.words[-1].folded) and _OR.fullmatch(between):
            phrases[at] = Phrase((*first.words, second.words[-1]))
    return phrases


def names_outcome(phrase: Phrase) -> bool:
    """Whether a phrase names what is studied of a disease, or an organ alone, and no disease."""
    rest = _drop_outcomes(phrase.words)
    is_of_any = len(rest) < len(phrase.words) and all(is_tumour(word.folded) for word in rest)
    return is_of_any or all(is_organ(word.folded) for word in phrase.words)


def _drop_outcomes(words: Sequence[Word]) -> Sequence[Word]:
    """The words without those of outcomes around the name of a disease; none if nothing names one."""
    rest = words
    while rest and rest[-1].folded in _OUTCOMES:
        rest = rest[:-1]
    while rest and rest[0].folded in _OUTCOMES:
        rest = rest[1:]
    if len(rest) == len(words):
        return words
    is_named = rest and Phrase(tuple(rest)).names_condition and not _ADJECTIVE.fullmatch(rest[-1].folded)
    return rest if is_named else ()


def _is_known_use(phrase: Phrase, asked: AskedQuestion) -> bool:
    """Whether the request says that the drug is used for it already."""
    end = phrase.words[-1].end
    after = asked.text[end : end + _REACH].casefold()
    is_kind = len(phrase.words) > 1 and phrase.words[-1].folded in _PILLS
    return bool(is_kind or _USED.search(asked.text_before(phrase)) or _KIND.match(after))


def _complete(phrase: Phrase, asked: AskedQuestion, without: Collection[int]) -> Phrase:
    """The phrase without words for what is studied of the disease, and with what follows its "of" or "with"."""
    words = list(_cut_verb(_drop_outcomes(phrase.words) or phrase.words, asked))
    while len(words) > 1 and _OF_SOMEONE.fullmatch(words[0].folded):
        words.pop(0)
    whole = len(words)
    while len(words) > 1 and words[-1].folded in _NO_DISEASE:
        words.pop()
    return Phrase(tuple(words) if len(words) < whole else (*words, *_find_rest(words[-1], asked, without)))


def _cut_verb(words: Sequence[Word], asked: AskedQuestion) -> Sequence[Word]:
    """The words of another language without what follows a noun in capitals: "Magenkrebs helfen"."""
    nouns = [at for at, word in enumerate(words, 1) if word.text[:1].isupper()]
    return words if asked.is_readable or not nouns else words[: nouns[-1]]


def _find_rest(last: Word, asked: AskedQuestion, without: Collection[int]) -> Sequence[Word]:
    """The words of the name after its "of" or "with"; none if they lead to a drug, or name nothing."""
    asking = {index for one in asked.facets if one.facet.key != "population" for span in one.spans for index in span}
    joining = _JOINING if asked.is_readable else _JOINING_ELSEWHERE
    within = _IN_ORGAN.match(fold_spaced(asked.text), last.end)
    if within and is_tumour(last.folded) and is_organ(within[1]):
        joining = (*joining, "in")
    rest: list[Word] = []
    for word in (word for word in asked.words if word.start >= last.end):
        is_joining = word.folded in joining
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
    while rest and rest[-1].folded in joining:
        rest.pop()
    return rest if any(not is_common(word.folded) for word in rest) else ()
