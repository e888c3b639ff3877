"""The plan of a question without a model: its subject by drug databases' records, and sub-questions by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm import planning_wording, wording
from storm.databases.identity.known_names import NO_NAMES, KnownNames
from storm.extractive.asked_question import AskedQuestion, read_question
from storm.extractive.biomedical_words import are_biomedical
from storm.extractive.drug_names import DrugNames, NamedDrug, drop_repeats, resolve_name
from storm.extractive.question_words import MOST_READ, Candidate, Phrase
from storm.extractive.sub_questions import Topic, make_sub_questions
from storm.models import DrugIdentity, JobRequest, NameKind, Plan, Relation, ResearchPlan, Syllabus
from storm.models.names import fold_text, split_words
from storm.models.search import WEB
from storm.ports import Collection, Searcher

#: At most so many terms name a subject that is no drug.
_MOST_TERMS = 6
#: Substances of daily life: the drug beside them is the subject.
_DAILY = frozenset((
    "alcohol", "water", "caffeine", "oxygen", "sugar", "glucose", "salt", "nicotine", "iron", "calcium", "zinc",
    "magnesium", "potassium", "sodium", "cholesterol", "honey", "coffee", "tea", "gold", "silver", "lead", "air", "ice",
))  # fmt: skip
#: The longest abbreviation that only a list of names, a generic name or a code explains: "CBT", "NBA".
_ABBREVIATION = 4
#: "The HERA trial": a study by its name.
_NAMED_STUDY = re.compile(r"\b[A-Z][A-Z\d-]{2,20} (?:trial|study)\b|\b(?:trial|study) [A-Z][A-Z\d-]{2,20}\b")
#: Names longer than this may have the ending of another language.
_LONG_NAME = 6


class _Subject(NamedTuple):
    """What a question is about: a drug, or words; and drugs' names that may mean several."""

    drug: NamedDrug | None = None
    ambiguous: tuple[DrugIdentity, ...] = ()


class QuestionPlanner:
    """Implements `roles.Planner` for questions and topics, without a model: sub-questions of the drug's syllabus or of
    the question's own words. With `needs_answer` it makes no plan unless a database answers. `known_names` are names
    that no database can resolve."""

    def __init__(
        self,
        searcher: Searcher,
        collection: Collection,
        drug_syllabus: Syllabus,
        *,
        max_questions: int = 10,
        needs_answer: bool = False,
        known_names: KnownNames = NO_NAMES,
    ) -> None:
        self._searcher = searcher
        self._drug_names = DrugNames(searcher, collection, known_names)
        self._drug_syllabus = drug_syllabus
        self._max_questions = max_questions
        self._needs_answer = needs_answer
        self._known = known_names

    async def plan(self, request: JobRequest) -> Plan:
        """The subject's names, and at most `max_questions` sub-questions, or those given; NothingSearched if an answer
        is needed and no database gives one within three seconds."""
        asked = read_question(request)
        subject = await self._find_subject(request, asked)
        drug = subject.drug
        phrases = asked.phrases(_places_of(drug.names, asked) if drug else ())
        is_biomedical = bool(drug or subject.ambiguous or self._is_biomedical(asked))
        names = drug.names if drug else self._name_terms(asked, phrases, subject, is_biomedical=is_biomedical)
        related = drug.identity.related if drug else ()
        main = [phrase for phrase in phrases if phrase.text.casefold() == names[0].casefold()]
        topic = Topic(
            phrases=[phrase for phrase in phrases if phrase not in main],
            has_effects=bool(drug) or any(phrase.names_condition or phrase.names_drug for phrase in main),
            drug_syllabus=self._drug_syllabus if drug else None,
            is_biomedical=is_biomedical,
            relatives=frozenset(fold_text(one.text) for one in related),
            copies=tuple(one.text for one in related if one.relation is Relation.BIOSIMILAR),
            is_taken=bool(drug) and not any(_names_any(names, sentence) for sentence in asked.sentences),
        )
        return Plan(
            names=drop_repeats((*names, *request.also)),
            syllabus=request.syllabus or self._make_syllabus(asked, topic),
            identity=drug.identity if drug else None,
            notes=tuple(self._write_notes(request, asked, subject, is_biomedical=is_biomedical)),
            research=ResearchPlan(
                intent=asked.intent,
                complexity=asked.complexity,
                is_biomedical=is_biomedical,
                preferences=asked.preferences,
            ),
        )

    async def _find_subject(self, request: JobRequest, asked: AskedQuestion) -> _Subject:
        """The first drug that the question names."""
        candidates = asked.candidates
        named = [_other_spellings(one.names) if not asked.is_readable else one.names for one in candidates]
        groups = [drop_repeats((*names, *map(self._known.full_name, names))) for names in named]
        if request.also:
            groups.append(request.also)
        if self._needs_answer:
            groups = groups or [(phrase.text,) for phrase in asked.phrases()[:1]] or [(asked.text,)]
            hits = await self._drug_names.find_records_in_time(groups, request.databases)
        else:
            hits = await self._drug_names.find_records(groups, request.databases)
        ambiguous: list[DrugIdentity] = []
        for name in _order_names(candidates, named, request):
            if self._known.breadth_of(name):
                continue
            identity = resolve_name(name, self._known.full_name(name), request.meaning, hits)
            if identity.is_ambiguous:
                ambiguous.append(identity)
            elif identity.inn and self._is_drug_name(name, identity):
                written = tuple(one for names in named for one in names[:-1] if name in names and one[:-1] == name)
                also = (*request.also, *written)
                drug = await self._drug_names.resolve(name, also, request.meaning, request.databases)
                if not drug.identity.is_ambiguous:
                    return _Subject(drug)
                ambiguous.append(drug.identity)
        return _Subject(ambiguous=tuple(ambiguous))

    def _is_drug_name(self, name: str, identity: DrugIdentity) -> bool:
        """Whether a word of a question means the drug that it is a name of: not an abbreviation of something else, nor
        a word that only ChEMBL lists as a brand."""
        kinds = {kind for _, kind in identity.matched}
        if kinds & {NameKind.INN, NameKind.SALT} or self._known.full_name(name) != name:
            return True
        if name.isupper() and name.isalpha() and len(name) <= _ABBREVIATION:
            return False
        brands = {fold_text(brand) for brand in identity.brands}
        return fold_text(name) in brands or not name.islower() or any(map(str.isdigit, name))

    def _is_biomedical(self, asked: AskedQuestion) -> bool:
        """Whether a word of the question is of medicine or biology; one in another language may be."""
        words = [part for word in asked.words for part in (word.folded, *word.folded.split("-"))]
        is_class = any(self._known.breadth_of(word.text) for word in asked.words if word.folded not in _DAILY)
        is_class = is_class or bool(_NAMED_STUDY.search(asked.text))
        return is_class or are_biomedical(words) or any(p.names_drug for p in asked.phrases()) or not asked.is_readable

    def _name_terms(
        self, asked: AskedQuestion, phrases: Sequence[Phrase], subject: _Subject, *, is_biomedical: bool
    ) -> tuple[str, ...]:
        """The terms by which records on the question are recognised, without a drug: one phrase and its other forms
        where one names the subject, otherwise all."""
        ambiguous = tuple(identity.asked for identity in subject.ambiguous[:1])
        if ambiguous:
            return ambiguous
        longest = sorted(phrases, key=lambda phrase: -len(phrase.words))
        drugs = [one for one in longest if one.names_drug or self._known.breadth_of(one.text)]
        conditions = [phrase for phrase in longest if phrase.names_condition]
        medical = [phrase for phrase in longest if phrase.is_biomedical]
        if is_biomedical and (main := (drugs or conditions or medical)[:1]):
            return tuple(_find_forms(main[0]))
        named = [phrase for phrase in longest if phrase.is_proper] if not is_biomedical else []
        terms = tuple(phrase.text for phrase in (named or longest)[:_MOST_TERMS])
        return drop_repeats(terms) or (" ".join(asked.text.split()[:_MOST_TERMS]),)

    def _make_syllabus(self, asked: AskedQuestion, topic: Topic) -> Syllabus:
        questions = make_sub_questions(asked, topic, self._max_questions)
        return Syllabus(name="question", questions=tuple(questions), min_databases=2 if topic.is_biomedical else 1)

    def _write_notes(
        self, request: JobRequest, asked: AskedQuestion, subject: _Subject, *, is_biomedical: bool
    ) -> Iterator[str]:
        """What a reader must know of how the question was read."""
        drug = subject.drug
        if drug and drug.full_name != drug.asked:
            yield wording.SHORT_NAME.format(asked=drug.asked, meant=drug.full_name)
        for identity in () if drug else subject.ambiguous:
            named = ", ".join(one.name for one in identity.candidates)
            yield planning_wording.AMBIGUOUS_WORD.format(asked=identity.asked, drugs=named)
        if not asked.is_readable:
            yield planning_wording.NOT_READ_IN_LANGUAGE
        if asked.is_cut:
            yield planning_wording.QUESTION_CUT.format(most=MOST_READ)
        if not is_biomedical:
            yield planning_wording.NOT_BIOMEDICAL if self._searches_web(request) else planning_wording.NO_WEB

    def _searches_web(self, request: JobRequest) -> bool:
        is_allowed = not request.databases or WEB in request.databases
        return is_allowed and any(database.name == WEB for database in self._searcher.databases)


def _order_names(candidates: Sequence[Candidate], named: Sequence[Sequence[str]], request: JobRequest) -> Iterator[str]:
    """The names in the order in which the question has them; those that the user gives first, those of daily life
    last."""
    yield from request.also
    together = zip(candidates, named, strict=True)
    for _, names in sorted(together, key=lambda pair: (pair[0].word.folded in _DAILY, pair[0].word.start)):
        yield from names


def _other_spellings(names: Sequence[str]) -> tuple[str, ...]:
    """The names, and their international spelling: French "metformine", Spanish "metformina"."""
    return (*names, *(name[:-1] for name in names if len(name) > _LONG_NAME and name.endswith(("a", "e"))))


def _places_of(names: Sequence[str], asked: AskedQuestion) -> Sequence[int]:
    """Where the words stand that name the drug."""
    own = {" ".join(split_words(name)) for name in names}
    parts = set(split_words(names[0]))
    places = []
    for word in asked.words:
        folded = " ".join(split_words(word.folded.removesuffix("'s").removesuffix("’s")))
        if folded in own or folded in parts or parts.issuperset(folded.split()):
            places.append(word.start)
    return places


def _names_any(names: Sequence[str], text: str) -> bool:
    """Whether a text has one of the names."""
    words = f" {' '.join(split_words(text))} "
    return any(f" {' '.join(split_words(name))} " in words for name in names)


def _find_forms(phrase: Phrase) -> Iterator[str]:
    """A phrase, in the other number, and without its first words as long as it has two."""
    texts = [" ".join(word.text for word in phrase.words[start:]) for start in range(len(phrase.words))]
    has_one_number = phrase.names_drug or phrase.names_condition
    for text in [text for text in texts if " " in text] or texts[:1]:
        yield text
        if text.endswith("s") and not text.endswith(("ss", "is", "us", "'s")):
            yield text[:-1]
        elif text[-2:].isalpha() and not (text.endswith(("s", "y", "ing")) or has_one_number):
            yield f"{text}s"
