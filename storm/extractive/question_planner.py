"""The plan of a question without a model: its subject by drug databases' records, and sub-questions by its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm.databases.identity.known_names import NO_NAMES, KnownNames
from storm.extractive.asked_question import AskedQuestion, read_question
from storm.extractive.drug_names import DrugNames, drop_repeats
from storm.extractive.narrowings import add_drug_names
from storm.extractive.question_subject import Subject, SubjectFinder, places_of
from storm.extractive.question_words import Phrase
from storm.extractive.sub_questions import Topic, make_sub_questions
from storm.models import JobRequest, Plan, Relation, ResearchPlan, Syllabus
from storm.models.names import fold_text, split_words
from storm.ports import Collection, Searcher

#: At most so many terms name a subject that is not a drug.
_MOST_TERMS = 6


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
        drug_names = DrugNames(searcher, collection, known_names)
        self._subjects = SubjectFinder(searcher, drug_names, known_names, needs_answer=needs_answer)
        self._drug_syllabus = drug_syllabus
        self._max_questions = max_questions
        self._known = known_names

    async def plan(self, request: JobRequest) -> Plan:
        """The subject's names, and at most `max_questions` sub-questions, or those given; NothingSearched if an answer
        is needed and no database gives one in time."""
        asked = read_question(request)
        subject = await self._subjects.find(request, asked)
        drug = subject.drug
        phrases = asked.phrases(places_of(drug.names, asked) if drug else ())
        is_biomedical = self._subjects.is_biomedical(asked, subject)
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
            notes=tuple(self._subjects.write_notes(request, asked, subject, is_biomedical=is_biomedical)),
            research=ResearchPlan(
                intent=asked.intent,
                complexity=asked.complexity,
                is_biomedical=is_biomedical,
                preferences=asked.preferences,
            ),
        )

    def _name_terms(
        self, asked: AskedQuestion, phrases: Sequence[Phrase], subject: Subject, *, is_biomedical: bool
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
        made = make_sub_questions(asked, topic, self._max_questions)
        questions = tuple(add_drug_names(question, self._known) for question in made)
        return Syllabus(name="question", questions=questions, min_databases=2 if topic.is_biomedical else 1)


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
