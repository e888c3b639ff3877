"""Finds the sentences of a source that may be printed, and the question that each answers best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from threading import Lock
from typing import NamedTuple

from storm.evidence.clinical_outcomes import (
    averts_outcome,
    compares_survival,
    is_compared,
    is_of_patients,
    is_on_conduct,
    is_on_kinetics,
    is_on_marker,
    names_outcome_of_patients,
)  # fmt: skip
from storm.evidence.comparison import compares_drugs, reports_both_arms
from storm.evidence.conditions import remove_condition
from storm.evidence.design import design_of
from storm.evidence.grave_results import is_serious
from storm.evidence.levels import is_registration_only, text_read_of
from storm.evidence.narrowing import is_on_question, names_anything, names_outcome
from storm.evidence.other_effects import is_only_comparator
from storm.evidence.own_words import has_words_of
from storm.evidence.passages import Passage
from storm.evidence.prominence import is_prominent
from storm.evidence.readings import readings_for
from storm.evidence.score import is_official, rate_source
from storm.evidence.sentence_kinds import SentenceKind, is_borrowed
from storm.evidence.sentence_worth import score_sentence
from storm.evidence.sentences import Sentence, read_sentences
from storm.evidence.short_terms import spell_out_terms
from storm.evidence.significance import overstates
from storm.evidence.subjects import is_of_level
from storm.models import Plan, Question, Relation, RelationKind, Section, SectionKind, Source, database_info
from storm.models.design import OUTSIDE_BODIES, Design
from storm.ranking import count_cues, split_terms

#: What somebody foresaw of a market or of a status.
_FORESEEN = re.compile(r"\b(?:predict(?:s|ed)|forecast(?:s|ed)?|projected|expect(?:s|ed)) (?:\w+ ){0,2}20\d\d\b", re.I)
#: How a label or an agency's report says what a drug is for.
_FOR_USE = re.compile(r"\bindicated\b|\bis (?:to be )?(?:used|given|combined)\b|\b(?:may|can) be used\b", re.I)
#: Titles of papers that propose what nobody has found.
_IS_THEORY = re.compile(
    r"\btheoretical (?:perspective|approach|proposal|basis|consideration)|\b(?:a|our) hypothesis$", re.I
)
#: Animals that are treated for a disease of their own, unlike those of a laboratory.
_ANIMAL_PATIENTS = re.compile(r"\b(?:dogs?|cats?|horses?|equine|canine|feline|cows|calves|sheep|goats|alpacas)\b", re.I)
#: Harm that is looked for in cells.
_HARMS_CELLS = re.compile(r"toxic|adverse|safe|harm|arrhythm|hERG|QT\b|injur|damage", re.I)
#: What a model reckons from outcomes.
_OF_COSTS = re.compile(
    r"\b(?:ICERs?|QALYs?|cost[- ]\w+|costs|utilit(?:y|ies) (?:scores?|values?|gains?|weights?))\b", re.I
)
#: A result in healthy people is not clinical efficacy, unless it is a symptom or sensation.
_FELT = re.compile(
    r"\b(?:pain|analges|anal?esthe|anaesthe|antinocicept|nocicept|symptom|sedat|sleep|mood|itch|cough|nausea)", re.I
)
#: A verdict that is of efficacy first, and mentions safety in general: "was effective and well tolerated".
_PRAISES = re.compile(
    r"[^.;]{0,200}?\b(?:effective|efficacious|successful in|(?:significantly )?(?:improv|prolong|reliev)\w*)\b[^.;]*?"
    r"\b(?:well[- ]tolerated|tolerabl[ey]|safe(?:ly)?|acceptable side effects|sedative effect|"
    r"without (?:any )?(?:significant |serious |major )?(?:adverse|side)[- ]effects?)\b",
    re.I,
)
#: A missed primary endpoint, and a target that was reached without a harm: results on efficacy.
_OF_EFFICACY = re.compile(
    r"\b(?:did not|failed to) (?:meet|reach) (?:the|its|their) primary\b(?!.{0,300}\d ?%)|"
    r"\b(?:reach|achiev|attain)\w*\b[^.;]{0,60}\bwithout\b[^.;]{0,40}\b(?:hypogly\w+|weight gain|relapse)",
    re.I,
)
#: What guidelines advise, and what patients preferred.
_RECOMMENDED = re.compile(r"\bguidelines?\b[^.;]{0,40}\b(?:recommend|suggest|advise)s?\b", re.I)
_PREFERRED = re.compile(r"\b(?:patients?|participants?|subjects?)\b[^.;]{0,40}\b(?:preferences?|preferred)\b", re.I)
#: A trial of others, in an introduction.
_OF_TRIAL = re.compile(r"\btrials?\b|\brandomi[sz]ed\b|\b\d+ (?:\w+ )?(?:patients|subjects|participants)\b", re.I)
_NAMES_HARMS = re.compile(
    r"\d ?%|\bn ?=|\b(?:not|less|poorly|never|but|although|however|because|owing|despite|grade|toxic\w*|"
    r"adverse events?|discontinu\w*|bleeding|hypotens\w*|bradycard\w*|nausea|vomit\w*|headaches?|dizz\w*|rash|"
    r"seizures?|anaphyla\w*|\w+penia)\b",
    re.I,
)
#: Findings that assign a source to a question: their number, and their share of those on its main question.
_SEVERAL = 3
#: The worth of a sentence that does so alone: on serious harm, or on what the drug is or does.
_OF_HARM, _OF_FACT = 1.0, 1.3
_NOT_MANY_FEWER = 0.5


class Candidate(NamedTuple):
    """A sentence that may be printed under a question.

    `text` is the printed form, `place` its position in the source, and `remark` names its subject if that is not the
    drug. The section of its passage has its heading and kind, and no text.
    """

    source: Source
    passage: Passage
    text: str
    question: str
    kind: SentenceKind
    worth: float
    place: int
    remark: str = ""


class _Found(NamedTuple):
    """A candidate without its source: the other fields of `Candidate`, in the same order."""

    passage: Passage
    text: str
    question: str
    kind: SentenceKind
    worth: float
    place: int
    remark: str


class CandidateReader:
    """Reads the sentences of the sources of one job, each source only once for all questions."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.readings = readings_for(plan)
        self._read: dict[str, tuple[int, tuple[_Found, ...]]] = {}
        self._lock = Lock()

    def find(self, question: Question, sources: Sequence[Source]) -> list[Candidate]:
        """The sentences of these sources that answer the question, best first, in whatever order the sources are."""
        found = [
            Candidate(source, *one)
            for source in sources
            if question.key in source.questions
            for one in self._find_in_source(source)
            if one.question == question.key
        ]
        answering = {one.source.hit.key: one.source for one in found}
        scores = {key: -rate_source(source).score for key, source in answering.items()}
        return sorted(found, key=lambda one: (-one.worth, scores[one.source.hit.key], one.source.hit.key, one.place))

    def reported_questions(self, source: Source) -> tuple[str, ...]:
        """The questions, in the order of the syllabus, that a source reports on, whatever the rules on its text say:
        a rule on the share of sentences fails on a long text.

        On results it has several findings that can be printed, and not many fewer than on any other question; of harms
        one is enough in a full text, or if it is serious. On established facts one good sentence of a full text is.
        """
        if not any(question.wants_results for question in self.plan.syllabus.questions):
            return ()
        found = [one for one in self._find_in_source(source) if not one.remark]
        is_full = text_read_of(source.hit) == "full text"
        counts = Counter(one.question for one in found)
        facts = {one.question for one in found if one.worth >= _OF_FACT and is_full}
        serious = {one.question for one in found if one.worth >= _OF_HARM and is_serious(one.passage.shown)}
        most = max(counts.values(), default=0) * _NOT_MANY_FEWER

        def is_reported(question: Question) -> bool:
            if not question.wants_results:
                return question.takes_facts and not question.dated and question.key in facts
            if question.precedence:
                return counts[question.key] >= (1 if is_full else _SEVERAL) or question.key in serious
            return counts[question.key] >= max(_SEVERAL, most)

        return tuple(question.key for question in self.plan.syllabus.questions if is_reported(question))

    def _find_in_source(self, source: Source) -> tuple[_Found, ...]:
        # Several threads answer questions at the same time.
        with self._lock:
            state = hash((source.hit, source.relation, source.relation_kind))
            known = self._read.get(source.hit.key)
            if known is None or known[0] != state:
                about = (source.relation, source.relation_kind)
                found = self.readings.findings.find(
                    source.hit, about, lambda: tuple(_find_candidates(source, self.plan))
                )
                known = self._read[source.hit.key] = (state, found)
            return known[1]


class SharedReader:
    """Shares one reader in a job, so that assigning sources and answering questions read each text only once."""

    def __init__(self) -> None:
        self._reader: CandidateReader | None = None

    def for_plan(self, plan: Plan) -> CandidateReader:
        """The reader for this plan; results for another plan are discarded."""
        if self._reader is None or self._reader.plan != plan:
            self._reader = CandidateReader(plan)
        return self._reader


def _find_candidates(source: Source, plan: Plan) -> Iterator[_Found]:
    if not (source.relation_kind.is_evidence and is_prominent(source.hit, plan.names)):
        return
    if design_of(source.hit) is Design.IN_SILICO or _IS_THEORY.search(source.hit.title):  # predictions are no findings
        return
    headings: dict[int, Section] = {}
    for sentence in read_sentences(source, plan):
        question = _find_best_question(sentence, plan)
        if question is not None and _is_of_drug(sentence, question):
            worth, section = score_sentence(sentence, question, plan), sentence.passage.section
            # Without their texts, of which all of a job would stay in memory.
            heading = headings.setdefault(id(section), section.model_copy(update={"text": "", "rows": (), "cited": ()}))
            passage = sentence.passage._replace(section=heading)
            yield _Found(passage, sentence.text, question.key, sentence.kind, worth, sentence.place, sentence.remark)


def _find_best_question(sentence: Sentence, plan: Plan) -> Question | None:
    """The question on the plan's subject that a sentence answers; None if there is none.

    Of several, it is the one of the highest precedence, then the one with most words in the sentence, then the first.
    """
    ordered = sorted(plan.own_questions, key=lambda question: -question.precedence)
    for _, equals in groupby(ordered, key=lambda question: question.precedence):
        fitting = [question for question in equals if _answers_question(question, sentence, plan)]
        if fitting and sentence.in_animals:  # how it works, before what it does in patients
            fitting = [question for question in fitting if not question.wants_results] or fitting
        if fitting:
            return max(fitting, key=lambda question: _count_common_words(question, sentence.passage.shown))
    return None


def _count_common_words(question: Question, text: str) -> int:
    focus = {term for phrase in question.asked_for for term in split_terms(phrase)}
    return count_cues(text, question.cues, question.places) + len(focus.intersection(split_terms(text)))


def _answers_question(question: Question, sentence: Sentence, plan: Plan) -> bool:
    text, hit = sentence.passage.shown, sentence.source.hit
    is_on = not question.about or (not sentence.remark and is_on_question(sentence.passage, hit, question, plan.names))
    states_own_fact = question.takes_facts and sentence.kind is SentenceKind.FACT and Relation.ITSELF in sentence.named
    of_itself = states_own_fact or _is_of_itself(sentence.source, question, plan)
    if not is_on or (question.itself_only and not of_itself):
        return False
    if question.itself_only and question.takes_facts and _is_outcome(sentence):
        return False
    if question.takes_facts and not question.dated and not sentence.in_animals and is_of_patients(text):
        return False
    is_none = is_borrowed(sentence.passage, sentence.role) or _OF_COSTS.search(text) or overstates(text)
    if question.wants_results and is_none:
        return False
    in_introduction = sentence.role is SectionKind.INTRODUCTION
    is_premise = in_introduction and sentence.passage.section.kind is SectionKind.ABSTRACT
    if question.wants_results and (is_premise or (in_introduction and sentence.kind is SentenceKind.FINDING)):
        return False
    of_other_trial = in_introduction and _OF_TRIAL.search(text)
    if question.takes_facts and not question.dated and of_other_trial:
        return False
    if (question.dated or question.takes_relatives) and _FORESEEN.search(text):
        return False
    takes_any = question.takes_relatives and not (question.about and question.says)
    if takes_any and (sentence.named - {Relation.ITSELF} or compares_drugs(text, plan.names)):
        return True
    if takes_any and sentence.source.relation_kind is RelationKind.COMPARATOR and reports_both_arms(text, plan.names):
        return True
    # A trial of a combination product names its arms by their initials.
    if takes_any and sentence.source.relation is Relation.COMBINATION and is_compared(text):
        return True
    is_efficacy = question.wants_results and not question.precedence
    is_safety = question.wants_results and question.precedence > 0
    if is_safety and (compares_survival(text) or averts_outcome(text)):
        return False
    if is_safety and _PRAISES.match(text) and not (_NAMES_HARMS.search(text) or is_serious(text)):
        return False
    if is_safety and _OF_EFFICACY.search(text) and not is_serious(text):
        return False
    if is_safety and sentence.design in OUTSIDE_BODIES and not _HARMS_CELLS.search(text):
        return False
    is_kinetic = is_on_kinetics(text) or is_of_level(text, plan.names)
    if is_efficacy and (sentence.design in OUTSIDE_BODIES or (is_kinetic and not names_outcome_of_patients(text))):
        return False
    if is_efficacy and (is_on_marker(text) or is_on_conduct(text)):
        return False
    if question.wants_results and _RECOMMENDED.search(text):
        return False
    if is_efficacy and _PREFERRED.search(text) and question.says:
        return False
    if is_efficacy and sentence.in_animals and not _ANIMAL_PATIENTS.search(hit.title):
        return False
    if is_efficacy and is_only_comparator(text, plan.names):
        return False
    if question.wants_results and sentence.in_healthy and not _FELT.search(text) and not question.precedence:
        return False
    if question.says:
        wanted = sentence.kind is SentenceKind.FINDING or question.takes_facts or question.precedence > 0
        said = remove_condition(text, hit.title) if question.wants_results else text
        asks_for = question.dated and any(one.is_setting for one in question.about)
        if asks_for and is_official(hit) and _FOR_USE.search(text):
            return True  # what it is approved for, in the words of its label
        names_it = names_outcome(spell_out_terms(said, hit), question) and not is_registration_only(hit)
        return wanted and bool(names_it or count_cues(said, question.says, question.places))
    if not (question.cues or question.focus):
        return has_words_of(text, question, plan.names)
    focus = {term for phrase in question.focus for term in split_terms(phrase)}
    has_cue = count_cues(text, question.cues, question.places)
    has_words = has_cue or focus.intersection(split_terms(text))
    return bool(has_words or names_anything(spell_out_terms(text, hit), question))


def _is_outcome(sentence: Sentence) -> bool:
    """Whether the sentence reports a clinical outcome of a trial, rather than how a drug works."""
    text = sentence.passage.shown
    return sentence.kind is SentenceKind.FINDING and bool(names_outcome_of_patients(text) and is_compared(text))


def _is_of_itself(source: Source, question: Question, plan: Plan) -> bool:
    """Whether the source has results of the drug itself for this question.

    Of a trial that compares another drug with it, those on questions above comparisons, such as harms, count.
    """
    if source.relation_kind is RelationKind.COMPARATOR:
        return all(question.precedence > other.precedence for other in plan.syllabus.questions if other.takes_relatives)
    return source.relation is Relation.ITSELF


def _is_of_drug(sentence: Sentence, question: Question) -> bool:
    """Whether the sentence is about a subject that the question accepts.

    It names the drug, belongs to a record of the drug, or names a related product that the question accepts.
    """
    info = database_info(sentence.source.hit.database)
    if Relation.ITSELF in sentence.named or sentence.text != sentence.passage.shown:
        return True
    if sentence.remark:
        return question.takes_relatives or (question.takes_facts and not question.dated)
    own_record = info.is_product and sentence.source.relation is Relation.ITSELF
    dated_record = question.dated and not info.is_literature
    return own_record or dated_record or (question.takes_relatives and bool(sentence.named))
