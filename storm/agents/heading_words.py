"""Which words a model may put into a heading: it names a matter, and claims nothing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from storm.citations.terms import stem_word
from storm.citations.vocabulary import BETTER, DOWN, EQUAL, GRAMMAR, NEUTRAL, UP, WORSE, words_of
from storm.models.names import split_words

#: Words that name what can be asked of any drug, disease or treatment.
MATTERS = words_of(
    """
    efficacy effectiveness safety tolerability harm benefit risk adverse side effect toxicity mortality death survival
    response remission relapse progression recurrence relief reduction symptom quality life burden prevalence incidence
    prognosis
    diagnosis screening monitoring prevention management mechanism pharmacology pharmacokinetics pharmacodynamics
    metabolism interaction contraindication warning precaution discontinuation adherence resistance immunogenicity
    formulation manufacturing approval regulation regulatory indication label guideline recommendation standard
    alternative competitor market price cost reimbursement access patent exclusivity biosimilar generic availability
    children adolescents adults elderly pregnancy women men renal hepatic cardiac heart liver kidney lung brain skin
    bone blood nerve infection cancer cardiovascular disease disorder failure impairment subgroup biomarker surrogate
    endpoint all meta systematic review consensus controversy uncertainty limitation gap preclinical animal
    background history overview definition epidemiology future direction policy ethics practice recent current
    biology real world often clinical medical question answer role summary area aspect challenge concern consideration
    implication landscape option argument opposing perspective position view context detail profile property rationale
    head long short term main key general particular special specific individual direct indirect different further
    additional relevant remaining open opposing against around early older aims strength weakness
    """
)
#: Words of comparison and change that name a matter: "dose reduction", "triple-negative".
_NOUNS = words_of(
    """
    effectiveness efficacy benefit benefits harm reduction reductions inhibition suppression prevention extension
    elevation stimulation escalation titration prolongation improvement improvements amelioration deterioration
    superiority inferiority noninferiority equivalence advantage disadvantage detriment triple extended
    """
)
#: Negations, comparatives, judgements, and what makes a verb: with these a heading would claim something.
_CLAIMING = words_of(
    f"""
    is isn are aren was wasn were weren be been being am do don does doesn did didn done has hasn have haven had hadn
    can cannot could couldn may might must shall should shouldn will won would wouldn
    not no never nor neither none nothing nobody without lacks lacking absent zero
    more most less least fewer fewest much many better best worse worst than only always every everybody everyone
    safe safer safest unsafe dangerous harmless useless useful promising proven unproven significant significantly
    led leads found become becomes remain remains doubling equals differ differs
    {UP} {DOWN} {BETTER} {WORSE} {EQUAL}
    """
)
#: Verbs that claim something in the third person or in the past.
_VERBS = words_of(
    """
    cause produce trigger provoke achieve provide make get give keep increase raise extend prolong improve boost
    reduce decrease lower lessen prevent stop avert eliminate eradicate inhibit suppress block slow shorten halve
    worsen cure kill heal save rescue double triple fail work help protect damage destroy injure threaten endanger
    show prove suggest indicate demonstrate reveal confirm find affect treat outperform beat match equal win lose
    """
)
_FORMS = _CLAIMING - _NOUNS
#: A text that begins with one of these asks something.
_QUESTION_WORDS = [[word] for word in ("what", "which", "how", "who", "when", "where", "why", "whether")]
#: Verbs that are also nouns: "benefits and harms" names matters, "zorvimab harms women" claims something.
_VERBS_OR_NOUNS = words_of("benefits harms causes risks changes results")


class KnownWords:
    """The words of texts, by their stems, with those that name any matter."""

    def __init__(self, *texts: str) -> None:
        self._words = frozenset(word for text in texts for word in split_words(text))
        self._stems = stem_words(self._words) | _stems_of_any_matter()

    def list_unknown(self, text: str) -> list[str]:
        """The words and figures of the text that are not among these."""
        return [word for word in split_words(text) if word not in self._words and not self._is_of_a_matter(word)]

    def _is_of_a_matter(self, word: str) -> bool:
        return not any(map(str.isdigit, word)) and (len(word) == 1 or stem_word(word) in self._stems)


def list_claiming(text: str) -> list[str]:
    """The words of the text that claim something: verbs, negations, comparatives, judgements."""
    words = split_words(text)
    together = zip(("", *words), words, (*words[1:], ""), strict=False)
    return [word for before, word, after in together if _claims(word, before, after)]


def stands_in(text: str, request: str) -> bool:
    """Whether the words of the text stand in the request, one after the other."""
    words = " ".join(split_words(text))
    return bool(words) and f" {words} " in f" {' '.join(split_words(request))} "


def is_neutral(text: str, known: KnownWords, request: str) -> bool:
    """Whether a text of the model adds no word and no figure to what is `known`, and asks or names instead of
    claiming; words of the request are the reader's own."""
    if stands_in(text, request):
        return True
    asks = text.endswith("?") or split_words(text)[:1] in _QUESTION_WORDS
    return not known.list_unknown(text) and (asks or not list_claiming(text))


def stem_words(words: Iterable[str]) -> frozenset[str]:
    """The stems of these words."""
    return frozenset(map(stem_word, words))


def _claims(word: str, before: str, after: str) -> bool:
    if word in _VERBS_OR_NOUNS:
        return bool(before and after) and after not in GRAMMAR
    is_verb = word.endswith(("s", "ed")) and stem_word(word) in _verb_stems() and word not in _NOUNS
    return word in _FORMS or is_verb


@cache
def _verb_stems() -> frozenset[str]:
    return stem_words(_VERBS)


@cache
def _stems_of_any_matter() -> frozenset[str]:
    return stem_words(GRAMMAR | NEUTRAL | MATTERS)
