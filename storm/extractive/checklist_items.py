"""The items of a checklist that ask the question itself: its answer, how strong that is, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording
from storm.citations.vocabulary import GRAMMAR
from storm.extractive.asked_question import AskedQuestion
from storm.extractive.biomedical_words import is_everyday, is_grammar
from storm.models import Narrowing, Question

#: The keys of these items. A sentence answers one of them by the words of the question.
ANSWER, STRENGTH, LIMITS = "answer", "answer.strength", "answer.limits"
DIRECT = (ANSWER, STRENGTH, LIMITS)
#: Questions on what is true of a drug or disease, not on what a study found.
_ASKING_FACTS = frozenset(("mechanism", "dose", "cost", "status"))
_IMPORTANCE = {ANSWER: 1.0, STRENGTH: 0.95, LIMITS: 0.9}
#: The sources that these items need.
_NEEDED = 2
_LABEL, _DESCRIPTION = 100, 600
#: Most words that name the subject of a question without a phrase.
_MOST_NAMES = 6
#: How sentences say how large an effect is and how sure, and what speaks against one or limits it.
_OF_STRENGTH = (
    r"\b(?:confidence interval|CI|hazard ratio|odds ratio|risk ratio|relative risk|HR|OR|RR|NNT)\b",
    r"\bmean difference|\b(?:absolute|relative) (?:risk )?reduction",
    r"\bmeta-?analys|\bsystematic review|\brandomi[sz]ed|\bquality of (?:the )?evidence|\bcertainty",
    r"\bp ?[<=>≤≥] ?0?[.·]\d",
    r"\d ?%",
)
_OF_LIMITS = (
    r"\bno (?:\w+ ){0,3}(?:differences?|effects?|benefits?|improvements?|reductions?|associations?|evidence)\b",
    r"\bnot (?:\w+ ){0,2}(?:differ|different|significant|improve|reduce|superior|associated|recommended|known)",
    r"\bnon-?significant|\bfailed to\b|\bunclear|\binconclusive|\buncertain|\binconsistent|\bconflicting|\bcontrary",
    r"\blimit(?:ed|ations?)\b|\bsmall (?:sample|number|trial|study)|\blow quality|\brisk of bias|\bfurther (?:\w+ )?"
    r"(?:research|studies|trials)|\binsufficient",
    r"\badverse|\bside effects?|\bharm|\btoxicit|\bserious|\bdiscontinu|\bwithdr[ae]w|\bsafety|\btolerab",
)


def is_direct(question: Question) -> bool:
    """Whether the words of the question decide what answers it."""
    return question.key in DIRECT


def list_words(asked: AskedQuestion) -> tuple[str, ...]:
    """The words of the question, without those of grammar and of what it is not about."""
    words = " ".join(asked.searches).split()
    plain = dict.fromkeys(word for word in words if word.casefold() not in GRAMMAR and not is_grammar(word.casefold()))
    return tuple(plain) or tuple(dict.fromkeys(words)) or (asked.text[:_LABEL],)


def list_specific(words: Sequence[str]) -> tuple[str, ...]:
    """The words that name what a question is about, all where none does."""
    return tuple(word for word in words if not is_everyday(word.casefold())) or tuple(words)


def asks_for_effects(asked: AskedQuestion) -> bool:
    """Whether studies answer the question, by what they found."""
    return not (_ASKING_FACTS & asked.direct) or bool({"benefit", "harm", "comparison"} & asked.direct)


def make_direct_items(
    text: str,
    asked: AskedQuestion,
    *,
    has_drug: bool,
    is_biomedical: bool,
    cues: Sequence[str],
) -> Iterator[Question]:
    """The items on the question in this `text`. Without a drug, the names of what they are about are its phrases;
    `cues` are how sentences report results."""
    phrases = asked.phrases()
    words, of_effects = list_words(asked), asks_for_effects(asked)
    drugs = tuple(dict.fromkeys(phrase.text for phrase in phrases if phrase.names_drug)) if not has_drug else ()
    about = (Narrowing(label=" or ".join(drugs), phrases=drugs, role="setting"),) if drugs else ()
    place = "default" if is_biomedical else "web"

    def make(key: str, label: str, description: str, own_cues: Sequence[str], queries: Sequence[str]) -> Question:
        return Question(
            key=key,
            label=_cut(label, _LABEL),
            description=_cut(description, _DESCRIPTION),
            min_sources=_NEEDED,
            focus=words,
            cues=tuple(own_cues),
            says=tuple(own_cues) if key != ANSWER else (),
            about=about,
            names=() if has_drug else tuple(dict.fromkeys(phrase.text for phrase in phrases)) or words[:_MOST_NAMES],
            queries={place: tuple(dict.fromkeys(queries))},
            takes_facts=not of_effects,
            importance=_IMPORTANCE[key],
        )

    joined = " ".join(words)
    yield make(ANSWER, text, text, cues if of_effects else (), (joined, " ".join(list_specific(words))))
    strength = planning_wording.STRENGTH if of_effects else planning_wording.STUDIES
    limits = planning_wording.LIMITS if of_effects else planning_wording.OPEN
    yield make(STRENGTH, *strength, _OF_STRENGTH, (f"{joined} randomised meta-analysis", f"{joined} trial"))
    yield make(LIMITS, *limits, _OF_LIMITS, (f"{joined} adverse limitations", f"{joined} uncertain"))


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rsplit(' ', 1)[0]}…"
