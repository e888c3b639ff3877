"""Finds the sentences of a source that may be printed, and the question that each answers best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from threading import Lock
from typing import NamedTuple

from storm.evidence.design import design_of
from storm.evidence.grave_results import is_serious
from storm.evidence.levels import text_read_of
from storm.evidence.passages import Passage
from storm.evidence.prominence import is_prominent
from storm.evidence.question_fit import answers_question, is_of_drug
from storm.evidence.readings import readings_for
from storm.evidence.score import rate_source
from storm.evidence.sentence_kinds import SentenceKind
from storm.evidence.sentence_worth import score_sentence
from storm.evidence.sentences import Sentence, read_sentences
from storm.evidence.strength import evidence_of
from storm.models import Evidence, Plan, Question, Relation, RelationKind, Section, Source
from storm.models.design import Design
from storm.ranking import count_cues, split_terms

#: Titles of papers that propose what nobody has found.
_IS_THEORY = re.compile(
    r"\btheoretical (?:perspective|approach|proposal|basis|consideration)|\b(?:a|our) hypothesis$", re.I
)
#: Findings that assign a source to a question: their number, and their share of those on its main question.
_SEVERAL = 3
#: The worth of a sentence that does so alone: on serious harm, or on what the drug is or does.
_OF_HARM, _OF_FACT = 0.5, 1.3
_NOT_MANY_FEWER = 0.5
#: The worth of a finding that does so alone in the abstract of a randomised trial of the drug.
_OF_TRIAL = 0.6


#: How much of a substance there was, and what a body does with food: how a drug works.
_OF_SUBSTANCE = re.compile(
    r"\b(?:levels?|concentrations?|secretion|expression|activity|emptying|sensitivity|amplitudes?|activation|"
    r"circulating|(?:bio)?markers?|peptides?)\b",
    re.I,
)
#: Levels by which a disease is treated.
_TREATED_BY = re.compile(
    r"\b(?:cholesterol|LDL|HDL|triglycerides?|HbA1c)\b[\w-]{0,3}(?:,? (?:and )?[\w-]{2,12}){0,2} "
    r"(?:levels?|concentrations?)\b",
    re.I,
)


class Candidate(NamedTuple):
    """A sentence that may be printed under a question.

    `text` is the printed form, `place` its position in the source, and `remark` names its subject if that is not the
    drug. A comparison that also tells of an effect has a second candidate, for sources that were not assigned to the
    question on comparisons, which is its `unless_assigned`.
    The section of its passage has its heading and kind, and no text.
    """

    source: Source
    passage: Passage
    text: str
    question: str
    kind: SentenceKind
    worth: float
    place: int
    remark: str = ""
    unless_assigned: str = ""


class _Found(NamedTuple):
    """A candidate without its source: the other fields of `Candidate`, in the same order."""

    passage: Passage
    text: str
    question: str
    kind: SentenceKind
    worth: float
    place: int
    remark: str
    unless_assigned: str = ""


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
            if one.question == question.key and one.unless_assigned not in source.questions
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
        found = [
            one
            for one in self._find_in_source(source)
            if not one.remark and one.unless_assigned not in source.questions
        ]
        is_full = text_read_of(source.hit) == "full text"
        counts = Counter(one.question for one in found)
        facts = {one.question for one in found if one.worth >= _OF_FACT and is_full}
        serious = {one.question for one in found if one.worth >= _OF_HARM and is_serious(one.passage.shown)}
        most = max(counts.values(), default=0) * _NOT_MANY_FEWER

        is_trial = evidence_of(source.hit) is Evidence.RANDOMISED and source.relation_kind is RelationKind.ITSELF
        of_trial = {one.question for one in found if one.worth >= _OF_TRIAL and is_trial}

        def is_reported(question: Question) -> bool:
            if not question.wants_results:
                return question.takes_facts and not question.dated and question.key in facts
            if question.key in of_trial:
                return True
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
    found = list(_file_sentences(source, plan))
    on_effects = {question.key for _, question in found if question.wants_results and not question.precedence}
    for sentence, main in found:
        section = sentence.passage.section
        # Without their texts, of which all of a job would stay in memory.
        heading = headings.setdefault(id(section), section.model_copy(update={"text": "", "rows": (), "cited": ()}))
        passage = sentence.passage._replace(section=heading)
        for question, unless in _list_filings(sentence, main, plan, has_effects=bool(on_effects)):
            worth = score_sentence(sentence, question, plan)
            yield _Found(
                passage, sentence.text, question.key, sentence.kind, worth, sentence.place, sentence.remark, unless
            )


def _list_filings(
    sentence: Sentence, main: Question, plan: Plan, *, has_effects: bool
) -> Iterator[tuple[Question, str]]:
    """The questions of a sentence, each with the one that it gives way to if the source is assigned to that. A
    comparison of a trial of the drug that tells of its effect is on effects; if the trial has other results on them, it
    gives way to the question on comparisons."""
    source = sentence.source
    is_by_itself = source.relation is Relation.ITSELF and source.relation_kind is RelationKind.ITSELF
    may_be_effect = is_by_itself and not (sentence.remark or _OF_SUBSTANCE.search(sentence.passage.shown))
    effects = _list_effects(sentence, plan) if main.takes_relatives and may_be_effect else []
    if has_effects or not effects:
        yield main, ""
    if effects:
        yield effects[0], main.key if has_effects else ""


def _file_sentences(source: Source, plan: Plan) -> Iterator[tuple[Sentence, Question]]:
    for sentence in read_sentences(source, plan):
        question = _find_best_question(sentence, plan)
        if question is not None and is_of_drug(sentence, question):
            yield sentence, question


def _list_effects(sentence: Sentence, plan: Plan) -> list[Question]:
    """The questions on effects that a sentence answers, whatever else it does."""
    effects = (question for question in plan.own_questions if question.wants_results and not question.precedence)
    return [question for question in effects if answers_question(question, sentence, plan)]


def _is_result_of_trial(sentence: Sentence) -> bool:
    """Whether it reports what a randomised trial found in patients, other than how much of a substance."""
    of_trial = evidence_of(sentence.source.hit) is Evidence.RANDOMISED and not sentence.in_healthy
    text = sentence.passage.shown
    is_of_substance = _OF_SUBSTANCE.search(text) and not _TREATED_BY.search(text)
    return of_trial and sentence.kind is SentenceKind.FINDING and not is_of_substance


def _find_best_question(sentence: Sentence, plan: Plan) -> Question | None:
    """The question on the plan's subject that a sentence answers; None if there is none.

    Of several, it is the one of the highest precedence, then the one with most words in the sentence, then the first.
    """
    ordered = sorted(plan.own_questions, key=lambda question: -question.precedence)
    for _, equals in groupby(ordered, key=lambda question: question.precedence):
        fitting = [question for question in equals if answers_question(question, sentence, plan)]
        if fitting and sentence.in_animals:  # how it works, before what it does in patients
            fitting = [question for question in fitting if not question.wants_results] or fitting
        if fitting and fitting[0].takes_facts and not fitting[0].dated and _is_result_of_trial(sentence):
            fitting = _list_effects(sentence, plan) or fitting
        if fitting:
            return max(fitting, key=lambda question: _count_common_words(question, sentence.passage.shown))
    return None


def _count_common_words(question: Question, text: str) -> int:
    focus = {term for phrase in question.asked_for for term in split_terms(phrase)}
    return count_cues(text, question.cues, question.places) + len(focus.intersection(split_terms(text)))
