"""Whether a statement is relevant to a hypothesis: a result, on this drug or its target, in this disease."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from storm.citations.cues import Direction
from storm.citations.terms import Term, content_keys, read_terms
from storm.evidence.ambiguity import is_knockout_model
from storm.evidence.comparator import read_comparator
from storm.evidence.design import abstract_of, design_of
from storm.evidence.modulation import names_target, read_modulation, target_keys
from storm.evidence.narrowing import names_phrase
from storm.evidence.outcomes import Outcomes
from storm.evidence.passages import Passage
from storm.evidence.sentence_kinds import kind_of
from storm.evidence.sides import Side, Subject, read_stated_sides
from storm.evidence.species import is_preclinical, names_animals
from storm.models import (
    Disease,
    Hit,
    Holds,
    MechanismHypothesis,
    Question,
    RelationKind,
    Retraction,
    Section,
    Source,
    Statement,
    Verdict,
    database_info,
)
from storm.models.design import NO_REPORTS
from storm.models.repurposing import NOT_STATED

#: Records that report no results of their own.
_NO_RESULTS = (Holds.MOLECULES, Holds.PATENTS, Holds.REMARKS)
#: The questions on the drug whatever the disease, and on its harms in the disease.
_DRUG, _HARM = "mechanism.drug", "clinical.harm"
#: What is found in patients as often as it is done.
_OBSERVED = re.compile(r"\b(?:over-?express\w*|amplif\w+|loss|deficien\w+|null|deletions?)\b", re.I)
#: How a record says that its study has a control without an active drug, or adds the drug to what all get.
_CONTROLLED = re.compile(
    r"\b(?:placebo|sham|vehicle|saline|(?:usual|standard|supportive) (?:of )?care|untreated|no treatment|"
    r"controls?(?= groups?| arms?|$)|"
    r"add(?:ed|-?on) |adjunct)",
    re.I,
)
#: Who gets a disease, not what becomes of those who have it.
_ONSET = re.compile(
    r"\b(?:incidence|risks?|odds|diagnos[ei]s|onset|development|frequency|rates?) of (?:[\w-]+ ){0,4}?"
    r"(?:cancers?|carcinomas?|tumou?rs?|malignanc\w+|diabetes|dementia|diseases?|disorders?)\b(?![- ]related)",
    re.I,
)
_HEALTHY = re.compile(r"\bhealthy (?:\w+ ){0,2}(?:volunteers|subjects|adults|men|women|participants|humans)\b", re.I)


class Result(NamedTuple):
    """A statement that reports a result, the question that it answers, and whether its study is known to compare the
    drug with no active drug."""

    statement: Statement
    question: Question
    has_control: bool


class Tested(NamedTuple):
    """A hypothesis as it is tested: the words of its target and of the targets of the others, and which way the drug
    acts on it, where that is known."""

    hypothesis: MechanismHypothesis
    others: Sequence[frozenset[str]]
    action: Direction | None

    @property
    def outcomes_effect(self) -> str:
        """The effect, or nothing where it is not stated."""
        return "" if self.hypothesis.effect == NOT_STATED else self.hypothesis.effect


def reports_result(statement: Statement, source: Source, disease: Disease) -> bool:
    """Whether a statement is a result of its source, on the drug that was asked for, in this disease."""
    hit = source.hit
    if statement.remark or statement.verdict is Verdict.UNSUPPORTED or hit.retraction is Retraction.RETRACTED:
        return False
    if source.relation_kind is RelationKind.COMPARATOR:
        return False
    holds = database_info(hit.database).holds
    if holds in _NO_RESULTS or design_of(hit) in NO_REPORTS or _HEALTHY.search(hit.title):
        return False
    section = _find_section(statement, hit)
    if holds is Holds.STUDIES and not section.label.casefold().startswith("result"):
        return False
    passage = Passage(statement.text, statement.text, section)
    return kind_of(passage, section.role).is_printable and _names_disease(statement, hit, disease)


def _find_section(statement: Statement, hit: Hit) -> Section:
    quote = statement.quote or statement.text
    found = (section for section in hit.sections if quote in section.text)
    return next(found, Section(label=statement.section, text=quote))


def _names_disease(statement: Statement, hit: Hit, disease: Disease) -> bool:
    """Whether a statement or the title of its record is on the disease. One on who gets a disease says so itself."""
    if _ONSET.search(statement.text):
        return names_phrase(statement.text, disease.names)
    headings = (" ".join(reversed(heading.split(", "))) for heading in hit.headings)  # "Sclerosis, Multiple"
    said = (statement.text, statement.section, hit.title, *headings)
    return any(names_phrase(text, disease.names) for text in said)


def find_sides(result: Result, tested: Tested, names: tuple[str, ...], disease: Disease) -> frozenset[Side]:
    """Whether a result supports or contradicts a hypothesis (it may do both, or neither), by its text and its quote."""
    statement, question = result.statement, result.question
    outcomes = Outcomes(disease.names, tested.outcomes_effect)
    terms, own = read_terms(statement.text), target_keys(tested.hypothesis)
    if question.names and not names_phrase(statement.text, names):
        way = read_modulation(statement.text, own)
        if way is None or tested.action is None or _is_only_observed(statement.text):
            return frozenset()
        subject = Subject((tested.hypothesis.target,), outcomes, has_control=True)
        return _read_both(statement, subject, reverse=way is not tested.action)
    in_knockout = is_knockout_model(statement.text) or is_knockout_model(statement.quote)
    if in_knockout or _is_off_topic(result, outcomes, terms, disease):
        return frozenset()
    keys = content_keys(terms)
    names_other = names_target(keys, tested.others) and not names_target(keys, [own])
    if names_other and not outcomes.names_effect(terms):
        return frozenset()
    return _read_both(statement, Subject(names, outcomes, result.has_control))


def _is_only_observed(text: str) -> bool:
    """Whether a text says how much of a target there was in patients, to whom nothing was done."""
    return _OBSERVED.search(text) is not None and not names_animals(text) and not is_preclinical(text)


def _is_off_topic(result: Result, outcomes: Outcomes, terms: Sequence[Term], disease: Disease) -> bool:
    """Whether a statement is off topic: about harms without the effect, or about the drug without the disease."""
    if result.question.key == _HARM:
        return not outcomes.names_effect(terms)
    return result.question.key == _DRUG and not names_phrase(result.statement.text, disease.names)


def _read_both(statement: Statement, subject: Subject, *, reverse: bool = False) -> frozenset[Side]:
    said = read_stated_sides(statement.text, subject, reverse=reverse)
    quoted = read_stated_sides(statement.quote, subject, reverse=reverse) if statement.quote else frozenset()
    return said & quoted if statement.quote else said


def has_control(hit: Hit, names: tuple[str, ...]) -> bool:
    """Whether the study is known to compare the drug with no active drug."""
    abstract = abstract_of(hit)
    if comparator := read_comparator(hit.title, abstract, names):
        return _CONTROLLED.search(comparator) is not None
    return _CONTROLLED.search(f"{hit.title} {abstract}") is not None
