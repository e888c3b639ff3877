"""The plan of a repurposing report without a model: the drug by databases' records, the disease by the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording
from storm.databases.identity.known_names import NO_NAMES, KnownNames
from storm.databases.identity.substance_names import strip_salt
from storm.errors import UsageError
from storm.extractive.asked_disease import find_disease, find_other_diseases, find_substances, names_pair
from storm.extractive.asked_question import AskedQuestion, read_question
from storm.extractive.disease_names import name_disease
from storm.extractive.drug_names import (
    DrugNames,
    NamedDrug,
    drop_repeats,
    is_meant,
    make_ambiguity_error,
)
from storm.extractive.question_subject import Subject, SubjectFinder, describe_unlisted, places_of
from storm.extractive.question_words import Phrase
from storm.extractive.repurposing_questions import make_syllabus, make_web_syllabus
from storm.extractive.target_names import list_target_names
from storm.models import Disease, DrugIdentity, JobRequest, Plan, ResearchPlan, Syllabus
from storm.ports import Collection, Searcher

#: At most so many terms name a subject that is not a drug.
_MOST_TERMS = 6
#: Words for "for" or "against" in other languages, and no English ones.
_AIMS_ELSEWHERE = frozenset(("gegen", "bei", "contre", "pour", "chez", "contra", "contro", "tegen", "voor"))


class RepurposingPlanner:
    """Implements `roles.Planner` for requests whether a drug could treat a disease, without a model. With
    `needs_answer` it makes no plan unless a database answers. `known_names` are names that no database can resolve."""

    def __init__(
        self,
        searcher: Searcher,
        collection: Collection,
        drug_syllabus: Syllabus,
        *,
        needs_answer: bool = False,
        known_names: KnownNames = NO_NAMES,
    ) -> None:
        drug_names = DrugNames(searcher, collection, known_names)
        self._subjects = SubjectFinder(searcher, drug_names, known_names, needs_answer=needs_answer)
        self._drug_syllabus = drug_syllabus
        self._known = known_names

    async def plan(self, request: JobRequest) -> Plan:
        """The drug's names, the disease, and the questions on both; DrugNotIdentified if it is not the one that the
        user means, NothingSearched if an answer is needed and no database gives one in time, UsageError if
        no word names either."""
        asked = read_question(request)
        if not (asked.phrases() or asked.candidates or request.also):
            raise UsageError(
                "the repurposing question names neither a drug nor a disease",
                hint='name both, as in "metformin for psoriasis"',
            )
        subject = await self._subjects.find(request, asked, find_substances(asked), _find_unlikely(asked))
        _check_meaning(request, subject, asked)
        is_biomedical = self._subjects.is_biomedical(asked, subject) or names_pair(asked)
        places = _places_of_drugs(subject, asked)
        phrase = find_disease(asked, places) if is_biomedical else None
        names_drug = _names_drug(asked, subject, phrase)
        disease = name_disease(phrase) if phrase and names_drug else None
        names = subject.drug.names if subject.drug else _name_terms(asked, subject, phrase)
        syllabus = self._make_syllabus(subject, names[0], disease) if is_biomedical else make_web_syllabus(names)
        notes = self._subjects.write_notes(request, asked, subject, is_biomedical=is_biomedical)
        own_notes = (
            _write_notes(request, self._known, subject, names[0] if names_drug else "", phrase) if is_biomedical else ()
        )
        diseases = _write_notes_of_diseases(asked, disease, phrase, places)
        return Plan(
            names=drop_repeats((*names, *request.also)),
            syllabus=request.syllabus or syllabus,
            identity=subject.drug.identity if subject.drug else None,
            notes=(*notes, *own_notes, *diseases),
            research=ResearchPlan(
                intent=asked.intent,
                complexity=asked.complexity,
                is_biomedical=is_biomedical,
                preferences=asked.preferences,
            ),
            disease=disease,
        )

    def _make_syllabus(self, subject: Subject, name: str, disease: Disease | None) -> Syllabus:
        drug = subject.drug
        called, targets = (_write_name(drug), list_target_names(drug)) if drug else (name, ())
        return make_syllabus(called, disease, targets, self._drug_syllabus)


def _check_meaning(request: JobRequest, subject: Subject, asked: AskedQuestion) -> None:
    """DrugNotIdentified if the drug found is not the one that the user means."""
    drug = subject.drug
    if request.meaning and not (drug and is_meant(drug.identity, request.meaning)):
        found = (*((drug.identity,) if drug else ()), *subject.ambiguous)
        raise make_ambiguity_error(next(iter(found), DrugIdentity(asked=asked.text)), request.meaning)


def _find_unlikely(asked: AskedQuestion) -> frozenset[int]:
    """Where the words of the disease stand, unless they are all that may name a drug, too."""
    disease = find_disease(asked, ())
    places = frozenset(word.start for word in disease.words) if disease else frozenset()
    return places if any(one.word.start not in places for one in asked.candidates) else frozenset()


def _write_name(drug: NamedDrug) -> str:
    """The drug's generic name, in small letters where the databases write it in capitals."""
    name = drug.identity.inn or drug.asked
    return name.casefold() if name.isupper() else name


def _places_of_drugs(subject: Subject, asked: AskedQuestion) -> frozenset[int]:
    """Where the words stand that name drugs, with those of their salts."""
    named = [subject.drug.names] if subject.drug else [(one.asked,) for one in subject.ambiguous]
    places = {place for names in named for place in places_of(names, asked)}
    places |= {candidate.word.start for candidate, _ in subject.others}
    for before, word in zip(asked.words, asked.words[1:], strict=False):
        together = f"{before.folded} {word.folded}"
        if word.joined and before.start in places and strip_salt(together) == before.folded:
            places.add(word.start)
    return frozenset(places)


def _name_terms(asked: AskedQuestion, subject: Subject, disease: Phrase | None) -> tuple[str, ...]:
    """The words for the drug where none was found: what is written like one, or all beside the disease."""
    if subject.ambiguous:
        return (subject.ambiguous[0].asked,)
    own = {word.start for word in disease.words} if disease else set()
    phrases: Sequence[Phrase] = asked.phrases(tuple(own))
    drugs = [phrase for phrase in phrases if phrase.names_drug]
    terms = tuple(_write_term(phrase) for phrase in (drugs or phrases)[:_MOST_TERMS])
    return drop_repeats(terms) or (" ".join(asked.text.split()[:_MOST_TERMS]),)


def _write_term(phrase: Phrase) -> str:
    """The phrase without the words for "against" of another language."""
    return " ".join(word.text for word in phrase.words if word.folded not in _AIMS_ELSEWHERE) or phrase.text


def _names_drug(asked: AskedQuestion, subject: Subject, disease: Phrase | None) -> bool:
    """Whether a word beside the disease may name a drug, though no database lists it."""
    own = {word.start for word in disease.words} if disease else set()
    return bool(subject.drug or subject.ambiguous or any(one.word.start not in own for one in asked.candidates))


def _write_notes(
    request: JobRequest, known: KnownNames, subject: Subject, name: str, disease: Phrase | None
) -> Iterator[str]:
    """What a reader must know of what was found in the request; `name` is empty if nothing in it may be a drug's."""
    if not name:
        yield planning_wording.NO_DRUG_NAMED
        return
    if subject.drug is None:
        if not subject.ambiguous:  # which has a note of its own
            yield describe_unlisted(name, request, known)
    else:
        inside = {word.start for word in disease.words} if disease else set()
        others = dict.fromkeys(inn.casefold() for one, inn in subject.others if one.word.start not in inside)
        if others:
            yield planning_wording.FIRST_DRUG.format(drug=_write_name(subject.drug), others=", ".join(others))
    if disease is None:
        yield planning_wording.NO_DISEASE.format(drug=name)


def _write_notes_of_diseases(
    asked: AskedQuestion, disease: Disease | None, phrase: Phrase | None, places: frozenset[int]
) -> Iterator[str]:
    """That the report is on one disease of several; and that the request is perhaps not in English."""
    if asked.is_readable and any(word.folded in _AIMS_ELSEWHERE for word in asked.words):
        yield planning_wording.NOT_READ_IN_LANGUAGE
    if disease and phrase:
        own = {name.casefold() for name in disease.names}
        texts = (one.text for one in find_other_diseases(asked, phrase, places))
        if others := list(dict.fromkeys(one for one in texts if one.casefold() not in own)):
            yield planning_wording.FIRST_DISEASE.format(disease=disease.label, others=", ".join(others))
