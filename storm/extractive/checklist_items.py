"""The items of a checklist that ask the question itself: its answer, how strong that is, and what speaks against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from storm import planning_wording
from storm.citations.vocabulary import GRAMMAR
from storm.evidence.narrowing import names_copies
from storm.extractive.asked_question import AskedQuestion
from storm.extractive.asked_values import ASKS_PRICE, ASKS_PRICE_DIFFERENCE, find_value_patterns
from storm.extractive.biomedical_words import is_everyday, is_grammar
from storm.extractive.narrower_words import expand_term
from storm.extractive.narrowings import read_narrowings
from storm.extractive.question_subject import places_of
from storm.extractive.question_words import MOST_DESCRIPTION, MOST_LABEL, Phrase, cut_at_word
from storm.models import Narrowing, Question
from storm.ranking.cues import SHORT_ODDS_RATIO, SHORT_RATIO

#: The keys of these items. A sentence answers one of them by the words of the question.
ANSWER, STRENGTH, LIMITS = "answer", "answer.strength", "answer.limits"
DIRECT = (ANSWER, STRENGTH, LIMITS)
#: Questions on what is true of a drug or disease, not on what a study found.
_ASKING_FACTS = frozenset(("mechanism", "dose", "cost", "market", "patents"))
#: Of these, what records say and no study finds; a price is such a fact, too, but cost-effectiveness is not.
_OF_RECORDS = frozenset(("market", "patents"))
_IMPORTANCE = {ANSWER: 1.0, STRENGTH: 0.95, LIMITS: 0.9}
#: The sources that these items need.
_NEEDED = 2
#: Most words that name the subject of a question without a phrase.
_MOST_NAMES = 6
#: How sentences say how large an effect is and how sure, and what speaks against one or limits it.
_OF_STRENGTH = (
    r"\b(?:confidence interval|CI|hazard ratio|odds ratio|risk ratio|relative risk|NNT)\b",
    SHORT_RATIO,
    SHORT_ODDS_RATIO,
    r"\bmean difference|\b(?:absolute|relative) (?:risk )?reduction",
    r"\bmeta-?analys|\bsystematic review|\brandomi[sz]ed|\bquality of (?:the )?evidence|\bcertainty",
    r"\bp ?[<=>≤≥] ?0?[.·]\d",
    r"\d ?%",
)
#: How sentences say what a fact was found in.
_OF_STUDIES = (
    *_OF_STRENGTH,
    r"\b(?:mice|mouse|rats?|cells?|animals?|humans?|patients|volunteers|in vitro|in vivo|studies|study|trials?)\b",
)
_OF_LIMITS = (
    r"\bno (?:different|better|worse)\b",
    r"\bno (?:\w+ ){0,3}(?:differences?|effects?|benefits?|improvements?|reductions?|associations?|evidence)\b",
    r"\bnot (?:\w+ ){0,2}(?:differ|different|significant|improve|reduce|superior|associated|recommended|known)",
    r"\bnon-?significant|\bfailed to\b|\bunclear|\binconclusive|\buncertain|\binconsistent|\bconflicting|\bcontrary",
    r"\blimit(?:ed|ations?)\b|\bsmall (?:sample|number|trial|study)|\blow quality|\brisk of bias|\bfurther (?:\w+ )?"
    r"(?:research|studies|trials)|\binsufficient",
    r"\bdebate|\bdisput|\bcontrovers|\bnot accompanied\b",
    r"\badverse|\bside effects?|\bharm|\btoxicit|\bserious|\bdiscontinu|\bwithdr[ae]w|\bsafety|\btolerab",
)
#: The short name of a study, and words of questions on it that its report need not have: "the results of the ToGA
#: trial".
_STUDY_NAME = re.compile(r"(?=[\w-]{4,})[A-Z][\w-]*[A-Z][\w-]*")
_OF_ANY_STUDY = frozenset(
    ("result", "results", "findings", "outcome", "outcomes", "trial", "study", "positive", "negative")
)
#: How a question asks for a number of people, and how sentences give one.
_ASKS_NUMBER = re.compile(r"\bhow many (?:\w+ )?(?:patients|people|participants|women|men|children|subjects)\b", re.I)
#: Of these, the number of those who took part; how many had what is what studies find.
_TOOK_PART = re.compile(
    r"\b(?:took part|take part|taken part|participated|were (?:in|studied)|enrol\w*|recruit\w*|includ\w*|"
    r"randomi[sz]\w*)\b",
    re.I,
)
#: How a question asks who may have a drug, and how sentences say so.
_ASKS_WHO_MAY = re.compile(
    r"\bavoid(?:ed)? in\b|\bcontraindicated\b|"
    r"\b(?:can|may|could|should)\b[^.?!]{0,60}\b(?:take|use|receive|get|have|give|prescribe|start|"
    r"be (?:given|treated|prescribed))\b",
    re.I,
)
_OF_WHO_MAY = (
    r"\bcontraindicat",
    r"\b(?:should|must) (?:not|be avoided)\b|\b(?:advis|recommend)\w* against\b|\bnot recommended\b",
    r"\b(?:may|can) be (?:used|given|taken|continued)\b",
)
#: How a question asks who makes a drug, and how sentences say so.
_ASKS_MAKER = re.compile(
    r"\bwho (?:makes?|made|manufactur\w+|produc\w+|sells?|sold|markets?|owns?|develop\w*)\b|\bmanufacturers?\b|"
    r"\b(?:which|what) compan(?:y|ies)\b",
    re.I,
)
_OF_MAKERS = (
    r"\b(?:made|manufactured|produced|marketed|sold|developed|distributed|supplied|owned) by\b",
    r"\b(?:manufacturer|sponsor|labell?er|applicant|distributor)s?\b|\bholds? (?:the|its) (?:authori|licen)",
    r"\b(?:Inc|Ltd|Limited|LLC|GmbH|AG|plc|Laboratories|Pharmaceuticals?)\b",
)
#: How a question asks when a drug was approved, and how sentences say so.
_ASKS_WHEN = re.compile(r"\s*(?:when|since when|in (?:which|what) year)\b", re.I)
_OF_DATES = (
    r"\b(?:approv|licen[sc]|authori[sz]|launch|clear|extend)\w*\b.{0,120}?\b(?:19|20)\d\d\b",
    r"\b(?:19|20)\d\d\b.{0,120}?\b(?:approv|licen[sc]|authori[sz]|launch|clear|extend)",
)
#: How a question asks whether a drug is approved, which sentences also say of what an approval was extended to.
_APPROVED = re.compile(r"\b(?:approv|licen[sc]|authori[sz]|indicated)", re.I)
_EXTENDED = r"\bextend(?:ed|s)\b.{0,60} to\b"
#: Where something is approved or sold.
_PLACE = re.compile(
    r"(?:the )?(?:europe(?:an union)?|eu|usa?|u\.s\.|united states|america|uk|united kingdom|england|japan|china|india|"
    r"korea|canada|australia|germany|france|italy|spain|switzerland|brazil)",
    re.I,
)
#: How a question asks for what labels state.
_OF_LABELS = re.compile(r"\b(?:boxed|black[- ]box) warnings?\b|\bcontraindications?\b", re.I)
#: How a question asks what a drug is.
_ASKS_WHAT = re.compile(r"\s*what (?:is|are) [\w-]{4,40} ?\??\s*", re.I)
OF_NUMBERS = (
    r"\b(?!(?:19|20)\d\d\b)\d[\d,]* (?:[\w-]+ ){0,3}(?:patients|people|participants|women|men|children|subjects|"
    r"adults)\b",
    r"\b(?:randomi[sz]ed|enrolled|recruited|included|enrolment|enrollment)(?: of)? \d|\bn ?= ?\d",
    r"\d (?:[\w-]+ ){0,3}(?:took part|participated|were (?:enrolled|included|recruited|randomi[sz]ed))\b",
)
#: What a question asks of a drug in the body, which its mechanism does not answer.
_ASKS_QUANTITY = re.compile(
    r"\b(?:(?:elimination |terminal |plasma )?half[- ]li(?:fe|ves)|bioavailability|clearance|volume of distribution|"
    r"cmax|protein binding)\b",
    re.I,
)
#: How it asks for the half-life of a drug in plain words: "How long does it stay in the body?"
_ASKS_STAY = re.compile(
    r"\bhow (?:long|quickly|fast) (?:do|does|is|are|will|would) (it|[\w-]{3,40}) (?:stays?|remains?|lasts?|leaves?|"
    r"cleared|eliminated|excreted)(?: in| from| out of)?(?: (?:the|your|my|our))? (?:body|system|blood(?:stream)?|"
    r"plasma|circulation)\b",
    re.I,
)
#: What sentences on harms name, of which a question on "side effects" or "safety" names nothing itself.
_HARMS = (
    "adverse", "side effects", "harm", "toxicity", "safety", "tolerability", "tolerate", "intolerance",
    "boxed warning", "contraindicated", "discontinued because", "overdose", "death", "bleeding", "hypoglycaemia",
    "acidosis", "diarrhoea", "nausea", "vomiting", "gastrointestinal", "rash", "hypersensitivity", "anaphylaxis",
    "infusion reaction", "injection site", "heart failure", "cardiomyopathy", "cardiac events", "ejection fraction",
    "liver injury", "hepatotoxicity", "kidney injury", "pneumonitis", "neuropathy", "neutropenia", "anaemia",
    "thrombocytopenia", "infection", "malformation", "deficiency", "oedema", "weight gain", "suicidal", "myopathy",
    "seizures",
)  # fmt: skip
_OF_HARMS = "clinical.safety"
#: How a question asks whether a treatment may end, and how sentences name that.
_ASKS_TO_STOP = re.compile(r"\b(?:stop(?:ping|ped)?|discontinu\w+|quit(?:ting)?|com(?:e|ing) off|withdraw\w*)\b", re.I)
_STOPPING = Narrowing(
    label="stopping", role="outcome",
    phrases=("stop", "stopped", "stopping", "discontinue", "discontinuation", "withdrawn", "withdrawal", "cessation",
             "interruption", "interrupted"),
)  # fmt: skip
#: The words of which texts on a price have one.
_COSTS = ("cost", "price")
#: The endpoint that a question on no drug may ask for, which is not that of other survival.
_ASKS_OVERALL_SURVIVAL = re.compile(r"\boverall survival\b|\bOS\b|\b(?:ratio|risk) (?:for|of) death\b")
_OVERALL_SURVIVAL = Narrowing(
    label="overall survival", phrases=("overall survival", "death", "died", "mortality"), role="outcome"
)
#: The question of a drug's syllabus that is asked in many words that name nothing: "how does it work?"
_OF_ACTION = "mechanism.moa"
#: How they say that a fact is not known.
_OF_DOUBT = (*_OF_LIMITS, r"\bnot (?:\w+ )?(?:understood|established|clear)\b")


def is_direct(question: Question) -> bool:
    """Whether the words of the question decide what answers it, and not the rules of a drug's question."""
    return question.key in DIRECT and not question.rules


def asks_number_of_people(question: Question) -> bool:
    """Whether the question asks how many people there were, which methods and titles say."""
    return question.key == ANSWER and question.says == OF_NUMBERS


def list_words(asked: AskedQuestion) -> tuple[str, ...]:
    """The words of the question, without those of grammar and of what it is not about."""
    words = " ".join(asked.searches).split()
    plain = dict.fromkeys(word for word in words if word.casefold() not in GRAMMAR and not is_grammar(word.casefold()))
    plain = dict.fromkeys(word for word in plain if not word.isdigit()) or plain
    if any(map(_STUDY_NAME.fullmatch, plain)):
        plain = dict.fromkeys(word for word in plain if word.casefold() not in _OF_ANY_STUDY)
    return tuple(plain) or tuple(dict.fromkeys(words)) or (asked.text[:MOST_LABEL],)


def list_specific(words: Sequence[str]) -> tuple[str, ...]:
    """The words that name what a question is about, all where none does."""
    return tuple(word for word in words if not is_everyday(word.casefold())) or tuple(words)


def asks_for_effects(asked: AskedQuestion) -> bool:
    """Whether studies answer the question, by what they found."""
    if _ASKS_NUMBER.search(asked.text):
        return False
    return not (_ASKING_FACTS & asked.direct) or bool({"benefit", "harm", "comparison"} & asked.direct)


def asks_quantity(asked: AskedQuestion) -> bool:
    """Whether a question asks for a property of a drug, such as its half-life."""
    return bool(_list_quantities(asked))


def asks_how_long_it_stays(asked: AskedQuestion) -> bool:
    """Whether a question asks in plain words how long the drug that it names first stays in the body."""
    return bool(_find_stay(asked))


def _find_stay(asked: AskedQuestion) -> str:
    """The words of a question on how long its drug stays in the body; empty if it asks no such thing."""
    found = _ASKS_STAY.search(asked.text)
    names = {"it", *(one.word.folded for one in asked.candidates[:1])}
    return found[0].casefold() if found and found[1].casefold() in names else ""


def _list_quantities(asked: AskedQuestion) -> Sequence[str]:
    named = tuple(dict.fromkeys(_ASKS_QUANTITY.findall(asked.text)))
    return named or (("half-life",) if asks_how_long_it_stays(asked) else ())


def asks_price(asked: AskedQuestion) -> bool:
    """Whether a question asks what something costs, or which of two costs less."""
    is_difference = asked.direct <= {"cost", "dose", "comparison"} and ASKS_PRICE_DIFFERENCE.search(asked.text)
    return bool(is_difference or (asked.direct == {"cost"} and ASKS_PRICE.search(asked.text)))


def asks_for_label(asked: AskedQuestion) -> bool:
    """Whether a question asks for what labels state: contraindications, a boxed warning."""
    return bool(_OF_LABELS.search(asked.text))


def names_more(asked: AskedQuestion, drug: Sequence[str]) -> bool:
    """Whether a question names more than the drug of these names and what is asked of it."""
    return bool(_read_about(asked, (), drug))


def asks_for_any_harm(asked: AskedQuestion, drug: Sequence[str]) -> bool:
    """Whether a question asks for harms of the drug, in some patients or not, and names none: "What are its side
    effects in asthma?"."""
    named = _read_about(asked, (), drug)
    return bool(asked.direct) and asked.direct <= {"harm", "population"} and all(one.is_setting for one in named)


def make_direct_items(
    text: str,
    asked: AskedQuestion,
    *,
    drug: Sequence[str],
    is_biomedical: bool,
    cues: Sequence[str],
    facet: Question | None = None,
) -> Iterator[Question]:
    """The items on the question in this `text`, about the drug of these names. Without a drug, the names of what they
    are about are its phrases; `cues` are how sentences report results. With the `facet` of a drug's syllabus that the
    question is, that answers it: "how does it work?" has no words of its own to find an answer by. A plain fact (a
    number, what the drug is, who makes it, until when it is patented) is one item: no study finds it."""
    phrases = asked.phrases()
    words, of_effects = list_words(asked), asks_for_effects(asked)
    words = tuple(dict.fromkeys((*words, *_COSTS))) if "cost" in asked.direct else words
    counts, asks_who_may = bool(_ASKS_NUMBER.search(asked.text)), bool(_ASKS_WHO_MAY.search(asked.text))
    values = OF_NUMBERS if counts else find_value_patterns(text)
    about = _read_about(asked, phrases, drug)
    is_plain = _asks_plain_fact(asked, about, facet)
    own_parts = {part.casefold() for name in drug for part in name.split()}
    if facet:
        yield _ask_by_rules(facet, text, asked)
        said = tuple(word for word in words if word.casefold() not in own_parts) if facet.key != _OF_ACTION else ()
        words = tuple(dict.fromkeys(word for name in drug[:1] for word in name.split()))
        named = _HARMS if facet.key == _OF_HARMS else said or facet.focus
        about = (Narrowing(label=facet.label, phrases=named, role="outcome"), *about)
    database = "default" if is_biomedical else "web"

    def make(key: str, label: str, description: str, own_cues: Sequence[str], queries: Sequence[str]) -> Question:
        return Question(
            key=key,
            label=cut_at_word(label, MOST_LABEL),
            description=cut_at_word(description, MOST_DESCRIPTION),
            min_sources=_NEEDED,
            focus=words,
            cues=tuple(own_cues),
            says=tuple(own_cues) if key != ANSWER else values,
            about=about,
            names=() if drug else tuple(dict.fromkeys(phrase.text for phrase in phrases)) or words[:_MOST_NAMES],
            queries={database: tuple(dict.fromkeys(queries))},
            takes_facts=not of_effects or (key == ANSWER and (asks_who_may or is_plain)),
            takes_relatives=any(map(names_copies, about)),
            importance=_IMPORTANCE[key],
        )

    beside = [word for word in words if word.casefold() not in own_parts] or words  # records are found by its names
    joined = " ".join(beside)
    if not facet:
        reporting = OF_NUMBERS if counts else cues if of_effects else ()
        reporting = (*_OF_WHO_MAY, *reporting) if asks_who_may else reporting
        yield make(ANSWER, text, text, reporting, (joined, " ".join(list_specific(beside))))
    if is_plain:
        return
    strength = planning_wording.STRENGTH if of_effects else planning_wording.STUDIES
    limits = planning_wording.LIMITS if of_effects else planning_wording.OPEN
    found_in = _OF_STRENGTH if of_effects else _OF_STUDIES
    yield make(STRENGTH, *strength, found_in, (f"{joined} randomised meta-analysis", f"{joined} trial"))
    doubts = _OF_LIMITS if of_effects else _OF_DOUBT
    yield make(LIMITS, *limits, doubts, (f"{joined} adverse limitations", f"{joined} uncertain"))


def _asks_plain_fact(asked: AskedQuestion, about: Sequence[Narrowing], facet: Question | None) -> bool:
    """Whether a question asks for what records state: a property, a holder, a date, or how many took part."""
    is_of_records = bool(facet and asked.direct and asked.direct <= _OF_RECORDS)
    asks_what = facet is not None and bool(_ASKS_WHAT.fullmatch(asked.text))
    is_quantity = asks_quantity(asked) and all(one.role == "outcome" for one in about)
    counts = bool(_ASKS_NUMBER.search(asked.text) and _TOOK_PART.search(asked.text))
    is_anywhere = all(_PLACE.fullmatch(one.label) or names_copies(one) for one in about)
    return (
        is_quantity
        or counts
        or asks_price(asked)
        or asks_for_label(asked)
        or (is_anywhere and is_of_records)
        or (not about and asks_what)
    )


def _ask_by_rules(facet: Question, text: str, asked: AskedQuestion) -> Question:
    """The question itself, answered by the rules of a drug's question."""
    own: dict[str, Any] = {"label": cut_at_word(text, MOST_LABEL), "description": cut_at_word(text, MOST_DESCRIPTION)}
    if asked.direct <= {"market"} and _ASKS_MAKER.search(asked.text):
        own["says"] = _OF_MAKERS
    elif asked.direct <= {"market"} and _ASKS_WHEN.match(asked.text):
        own["says"] = _OF_DATES
    elif values := find_value_patterns(asked.text):
        own["says"] = values
    elif asked.direct <= {"market"} and _APPROVED.search(asked.text):
        own["says"] = (_APPROVED.pattern, _EXTENDED)
    return facet.model_copy(update={"key": ANSWER, "importance": 1.0, **own})


def _read_about(asked: AskedQuestion, phrases: Sequence[Phrase], drug: Sequence[str]) -> tuple[Narrowing, ...]:
    """What a sentence must be on beside the drug; without one, the drugs and the people that the question names."""
    if drug:
        beside = asked.phrases(places_of(drug, asked))
        facet = next((one for one in ("harm", "mechanism") if one in asked.direct), "")
        named = (Narrowing(label=one, phrases=expand_term(one), role="outcome") for one in _list_quantities(asked))
        stopping = (_STOPPING,) if _ASKS_TO_STOP.search(asked.text) else ()
        stay = _find_stay(asked)
        narrowed = (one for one in read_narrowings(asked, beside, facet) if one.label.casefold() not in stay)
        return (*named, *stopping, *narrowed)
    drugs = tuple(dict.fromkeys(phrase.text for phrase in phrases if phrase.names_drug))
    others = [Narrowing(label=" or ".join(drugs), phrases=drugs, role="setting")] if drugs else []
    others += [_OVERALL_SURVIVAL] if _ASKS_OVERALL_SURVIVAL.search(asked.text) else []
    people = (one for one in read_narrowings(asked, phrases, "") if one.role == "population")
    return (*others, *people)
