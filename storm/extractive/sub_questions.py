"""Makes the sub-questions of a question: those of the drug's syllabus that it asks for, and those of its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.extractive.asked_question import AskedQuestion
from storm.extractive.facets import FACETS, Facet, find_facets
from storm.extractive.narrowings import is_asked_of, names_amount, read_narrowings
from storm.extractive.question_words import MOST_DESCRIPTION, MOST_LABEL, Phrase, cut_at_word
from storm.models import Complexity, Narrowing, Question, Syllabus

#: The sources that a question needs: of a simple request, and of any other.
_DEEP, _BROAD = 8, 4
#: Importance: of the first facet that is asked for, of a section wanted, of what is only mentioned, of what is added.
_ASKED, _SECTION, _MENTIONED, _ADDED = 1.0, 0.7, 0.6, 0.4
#: What holds for the people whom a question names comes after what it asks for.
_PEOPLE = 0.85
_STEP = 0.05
#: Most of the sentences that ask for no facet, and words of the question in one search.
_MOST_SENTENCES, _WORDS = 5, 8
#: With these words a question is about copies and relatives of the drug, too.
_OF_RELATIVES = re.compile(r"(?:biosimilar|generic|conjugate)s?|[a-z]{1,20}(?:tecan|tansine|vedotin|ozogamicin)")
_BY_KEY = {facet.key: facet for facet in FACETS}


class Topic(NamedTuple):
    """What a question is about: its phrases beside the names of the subject.

    `has_effects` says that the subject is a disease or a treatment; `drug_syllabus` is given if it is a drug, and
    `relatives` are folded names of products that are not that drug itself, `copies` the names of its copies. A drug
    `is_taken` if only the sentences around the question name it. A question that is not biomedical is researched on
    the web.
    """

    phrases: Sequence[Phrase]
    has_effects: bool = False
    drug_syllabus: Syllabus | None = None
    is_biomedical: bool = True
    relatives: frozenset[str] = frozenset()
    copies: tuple[str, ...] = ()
    is_taken: bool = False

    @property
    def terms(self) -> tuple[str, ...]:
        """The phrases as they are written."""
        return tuple(phrase.text for phrase in self.phrases)


def make_sub_questions(asked: AskedQuestion, topic: Topic, most: int) -> Sequence[Question]:
    """The questions that the words ask for, by importance; at most so many."""
    made = list(_make_all(asked, topic))
    first: dict[str, Question] = {}
    for question in made:
        first.setdefault(question.key, question)
    chosen = sorted(first.values(), key=lambda question: -question.importance)[:most]
    needed = _DEEP if asked.complexity is Complexity.SIMPLE else 0
    return [question.model_copy(update={"min_sources": max(needed, question.min_sources)}) for question in chosen]


def _make_all(asked: AskedQuestion, topic: Topic) -> Iterator[Question]:
    if not topic.is_biomedical:
        yield from _ask_in_own_words(asked, asked.sentences, topic)
        yield from _make_sections(asked, topic)
        return
    plain = [sentence for sentence in asked.sentences if _asks_no_facet(sentence)]
    # "Can X be used in children?" is one question: it is narrowed to them.
    is_plain = len(plain) == len(asked.sentences) and any(_names_topic(sentence, topic) for sentence in plain)
    direct = [one.facet for one in asked.facets if one.facet.key in asked.direct and not is_plain]
    mentioned = [one.facet for one in asked.facets if one.facet.key not in asked.direct]
    for start, facets in ((_ASKED, direct), (_MENTIONED, mentioned)):
        for number, facet in enumerate(facets):
            least = _PEOPLE if facet.key == "population" else start
            yield _ask_facet(facet, asked, topic, max(0.0, min(least, start - number * _STEP)))
    for facet in asked.wanted:
        yield _ask_facet(facet, asked, topic, _SECTION)
    if any(_names_topic(sentence, topic) for sentence in plain) or not (asked.facets or asked.wanted):
        yield from _ask_in_own_words(asked, plain, topic)
    yield from _make_sections(asked, topic)
    for facet in _find_unasked(asked, topic):
        yield _ask_facet(facet, asked, topic, _ADDED)


def _names_topic(sentence: str, topic: Topic) -> bool:
    return any(term in sentence for term in topic.terms)


def _asks_no_facet(sentence: str) -> bool:
    return all(one.facet.key == "population" for one in find_facets(sentence))


def _find_unasked(asked: AskedQuestion, topic: Topic) -> Iterator[Facet]:
    """Effects and harms, of a broad question that names neither: of a drug or a disease that it asks about in general,
    and of what it compares; harms of what someone takes who asks about something else."""
    named = {one.facet.key for one in asked.facets} | {facet.key for facet in asked.wanted}
    named -= {"population"}
    is_general = not named and asked.complexity is Complexity.COMPLEX
    if topic.is_taken and "harm" not in named:
        yield _BY_KEY["harm"]
    if (is_general and topic.has_effects) or named == {"comparison"}:
        yield from (_BY_KEY["benefit"], _BY_KEY["harm"])


def _ask_facet(facet: Facet, asked: AskedQuestion, topic: Topic, importance: float) -> Question:
    known = topic.drug_syllabus.questions if topic.drug_syllabus else ()
    counterpart = next((question for question in known if question.key == facet.counterpart), None)
    if counterpart:
        return _narrow_question(counterpart, asked, topic, facet, importance)
    if facet.key == "population":
        return _ask_for_people(facet, asked, topic, importance)
    own = _join_words(topic.terms)
    return Question(
        key=facet.key,
        label=facet.label,
        description=facet.description,
        min_sources=_BROAD,
        focus=tuple(dict.fromkeys((*facet.focus, *topic.terms))),
        queries=_write_queries({"default": facet.queries}, own),
        about=_read_about(asked, topic, facet.key),
        takes_facts=True,
        says=facet.says,
        dated=facet.dated,
        importance=importance,
    )


def _read_about(asked: AskedQuestion, topic: Topic, facet: str) -> tuple[Narrowing, ...]:
    return read_narrowings(asked, topic.phrases, facet, topic.copies)


def _list_of_others(asked: AskedQuestion, topic: Topic, facet: str) -> frozenset[str]:
    """The phrases that are asked of other facets alone."""
    return frozenset(phrase.text for phrase in topic.phrases if not is_asked_of(phrase, asked, facet))


def _narrow_question(
    question: Question, asked: AskedQuestion, topic: Topic, facet: Facet, importance: float
) -> Question:
    """A question of the drug's syllabus, about what was asked of it."""
    about = _read_about(asked, topic, facet.key)
    elsewhere = _list_of_others(asked, topic, facet.key)
    terms = [term for term in topic.terms if term not in elsewhere]
    words = [word.folded for phrase in topic.phrases for word in phrase.words]
    named = ", ".join([term for term in terms if not names_amount(term)][:3])
    of_relatives = any(_OF_RELATIVES.fullmatch(word) or word in topic.relatives for word in words)
    return question.model_copy(
        update={
            "label": cut_at_word(f"{question.label}: {named}" if named else question.label, MOST_LABEL),
            "focus": tuple(dict.fromkeys((*terms, *question.asked_for))),
            "queries": _write_queries(question.queries, _join_words(terms)),
            "about": about,
            "itself_only": question.itself_only and not of_relatives,
            "takes_relatives": question.takes_relatives or of_relatives,
            "importance": importance,
            "parent": "",
        }
    )


def _ask_for_people(facet: Facet, asked: AskedQuestion, topic: Topic, importance: float) -> Question:
    people = tuple(asked.people())
    named = ", ".join(people[:3])
    return Question(
        key=facet.key,
        label=cut_at_word(f"{facet.label}: {named}" if people else facet.label, MOST_LABEL),
        description=facet.description,
        min_sources=_BROAD,
        focus=people or facet.focus,
        queries=_write_queries({"default": ("safety", "dose", *facet.queries)}, _join_words(people or topic.terms)),
        about=_read_about(asked, topic, facet.key),
        takes_facts=True,
        importance=importance,
    )


def _ask_in_own_words(asked: AskedQuestion, sentences: Sequence[str], topic: Topic) -> Iterator[Question]:
    """One question for each sentence, to be answered by its words alone."""
    database = "default" if topic.is_biomedical else "web"
    named = {sentence: tuple(term for term in topic.terms if term in sentence) for sentence in sentences}
    specific = [sentence for sentence in sentences if named[sentence]] or sentences[:1] or (asked.text,)
    for number, sentence in enumerate(specific[:_MOST_SENTENCES], 1):
        terms = named[sentence] or topic.terms
        words = dict(zip(asked.sentences, asked.searches, strict=True)).get(sentence, "")
        searches = dict.fromkeys(filter(None, (words, _join_words(terms)))) or (sentence,)
        yield Question(
            key="asked" if number == 1 else f"asked.{number}",
            label=cut_at_word(sentence, MOST_LABEL),
            description=cut_at_word(sentence, MOST_DESCRIPTION),
            min_sources=_BROAD,
            focus=terms,
            queries={database: tuple(_bound_words(search) for search in searches)},
            about=_read_about(asked, topic, "") if topic.is_biomedical else (),
            takes_facts=True,
            importance=max(0.0, _ASKED - (number - 1) * _STEP),
        )


def _make_sections(asked: AskedQuestion, topic: Topic) -> Iterator[Question]:
    """The sections that the reader wants and that are not facets."""
    database = "default" if topic.is_biomedical else "web"
    plain = [name for name in asked.preferences.sections if not (topic.is_biomedical and find_facets(name))]
    for number, name in enumerate(plain, 1):
        yield Question(
            key=f"section.{number}",
            label=cut_at_word(name[:1].upper() + name[1:], MOST_LABEL),
            description=cut_at_word(f"{name}: {asked.text}", MOST_DESCRIPTION),
            min_sources=_BROAD,
            focus=(name,),
            queries={database: (_bound_words(f"{name} {_join_words(topic.terms)}"),)},
            takes_facts=True,
            importance=_SECTION,
        )


def _write_queries(templates: Mapping[str, Sequence[str]], own: str) -> Mapping[str, tuple[str, ...]]:
    """The templates, those for all databases with the question's own words first."""
    if not own:
        return {database: tuple(phrases) for database, phrases in templates.items()}
    first, *others = templates.get("default", ()) or ("",)
    default = dict.fromkeys(filter(None, (f"{own} {first}".strip(), own, first, *others)))
    return {**{database: tuple(phrases) for database, phrases in templates.items()}, "default": tuple(default)}


def _join_words(terms: Sequence[str]) -> str:
    """The words of the first terms, as many as a search takes."""
    return " ".join(" ".join(terms).split()[:_WORDS])


def _bound_words(text: str) -> str:
    return " ".join(text.split()[: 2 * _WORDS])
