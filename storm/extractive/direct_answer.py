"""Answers a question by its own words: the records that have most of them, and the sentences that have them together.

Rules and names decide what is filed under the questions of a drug. What a question itself asks may be about no drug,
and is often answered by a sentence that names none: "Survival did not differ between the groups."
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.citations.terms import stem_words
from storm.evidence.abbreviations import read_abbreviations
from storm.evidence.levels import is_registration_only
from storm.evidence.narrowing import IN_CONTRAST, is_on_question, names_all_words
from storm.evidence.passages import Passage
from storm.evidence.population import say_of_whom
from storm.evidence.repetition import is_repetition
from storm.evidence.score import is_official
from storm.evidence.sentence_kinds import SentenceKind, continues_other_work, kind_of
from storm.evidence.sentence_worth import is_interim
from storm.evidence.sentences import assign_roles, join_previous
from storm.evidence.species import is_preclinical
from storm.evidence.standalone import has_unexplained_groups, is_taken_back, names_group_by_code, stands_alone
from storm.evidence.strength import evidence_of
from storm.extractive.asked_values import (
    PLANNED,
    asks_for_first,
    asks_for_ongoing,
    asks_for_studies,
    is_of_combination,
    is_of_other_drug,
    is_ongoing,
)
from storm.extractive.checklist_items import asks_number_of_people, is_direct, list_specific
from storm.extractive.direct_selector import NO_RESULTS
from storm.extractive.effect_results import is_of_mark
from storm.extractive.synthesizer import find_gaps
from storm.models import (
    Answer,
    CollectedQuestion,
    Evidence,
    Holds,
    Plan,
    Question,
    Relation,
    SectionKind,
    Source,
    Statement,
    Verdict,
    database_info,
)
from storm.models.names import split_words
from storm.ranking import count_cues, rank_for_question
from storm.roles import Synthesizer
from storm.syllabus.relation import relations_in

#: A source of an answer about no drug has this share of the words of the closest one.
_CLOSEST = 0.8
#: Statements of an answer, and those of one source.
_MOST_STATEMENTS, _MOST_OF_SOURCE = 8, 5
#: Sentences with this share of the best one's score are ordered by the evidence.
_NEAR_BEST = 0.6
#: What a question names that is not answered by people.
_OF_LABORATORY = re.compile(r"\b(?:animals?|rodents?|preclinical|cells?(?! (?:lung|carcinoma|cancer|lymphoma|leuk)))\b")
#: The short name of a trial, or another in capitals.
_SHORT_NAME = re.compile(r"\b[A-Z]{4,}\b")
#: Words for how a value is given.
_MEASURES = ("hazard", "odds", "ratio")
_YEAR, _NO_YEAR = re.compile(r"\b(?:19|20)\d\d\b"), 9_999
#: Values in the order of arms, and what names these.
_RESPECTIVELY = re.compile(r"\brespectively\b")
_NAMES_ARMS = re.compile(r"\b(?:groups?|arms?|placebo|controls?|versus|vs|with|on|for|than)\b|\d ?mg\b", re.I)
#: The strongest designs.
_STRONG = (Evidence.META_ANALYSIS, Evidence.RANDOMISED, Evidence.REGULATORY)
#: A sentence has this share of the best one's score, and so many words of the question if it has as many.
_LEAST_SCORE, _LEAST_WORDS = 0.3, 2


class DirectSynthesizer:
    """Implements `roles.Synthesizer` for the items on the question itself; `others` answers all others."""

    def __init__(self, others: Synthesizer) -> None:
        self._others = others

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        """Statements that are each one sentence of a source, word for word, those that answer best first."""
        if not is_direct(collected.question):
            answer = await self._others.answer(collected, plan)
            return _order_by_year(answer) if asks_for_first(collected.question) else answer
        return await asyncio.to_thread(_write_answer, collected, plan)


def _order_by_year(answer: Answer) -> Answer:
    """The answer with the statement of the earliest year first, those without a year last."""

    def first_year(one: Statement) -> int:
        return min((int(year) for year in _YEAR.findall(one.text)), default=_NO_YEAR)

    return answer.model_copy(update={"statements": tuple(sorted(answer.statements, key=first_year))})


class _Sentence(NamedTuple):
    """A sentence of a source, the role of its section, what follows it there, and its text with short names of the drug
    explained."""

    source: Source
    passage: Passage
    role: SectionKind
    following: str
    text: str
    score: float = 0.0


def _write_answer(collected: CollectedQuestion, plan: Plan) -> Answer:
    question, sources = collected.question, collected.sources
    chosen = _choose_sentences(question, _rank_sentences(question, sources, plan), plan)
    answer = Answer(question=question.key, statements=tuple(map(_make_statement, chosen)))
    return answer.model_copy(update={"gaps": tuple(find_gaps(question, sources, 0, answer))})


def _rank_sentences(question: Question, sources: Sequence[Source], plan: Plan) -> Iterator[_Sentence]:
    """The sentences, best first, as far as they score a share of the best."""
    sentences = [
        sentence
        for source in sorted(_keep_closest(question, sources, plan), key=lambda one: one.hit.key)
        if source.relation_kind.is_evidence or asks_number_of_people(question)
        for sentence in _read_sentences(source, plan)
        if not plan.identity or _is_on_people(sentence, question)
    ]
    titled = any(one.is_setting for one in question.about) or asks_number_of_people(question)
    texts = [_add_of_whom(one, question) if titled else one.passage.text for one in sentences]
    roles = [one.role for one in sentences]
    wanted = question
    if plan.identity:  # the other words for what the question names find sentences on it, too
        named = [one for one in question.about if one.role == "comparator" or not _wants_results(question)]
        words = (word for one in named for word in one.phrases)
        wanted = question.model_copy(update={"focus": tuple(dict.fromkeys((*question.focus, *words)))})
    ranked = rank_for_question(wanted, plan.names if plan.identity else (), texts, roles)
    if _wants_results(question):
        ranked.sort(key=lambda one: evidence_of(sentences[one.index].source.hit) in NO_RESULTS)
    best = ranked[0].score if ranked else 0.0
    kept = (one for one in ranked if one.score > 0 and one.score >= _LEAST_SCORE * best)
    return (sentences[one.index]._replace(score=one.score) for one in kept)


def _add_of_whom(one: _Sentence, question: Question) -> str:
    """A sentence with those words of the question, or their synonyms, by which its record says of whom it is."""
    of_whom = say_of_whom(one.source.hit)
    said, record = stem_words((one.passage.text,)), stem_words((of_whom,))
    added = (word for word in question.focus if (stems := stem_words((word,))) <= record and not stems <= said)
    settings = (about.label for about in question.about if about.is_setting and names_all_words(about, of_whom))
    return " ".join((one.passage.text, *added, *settings))


def _keep_closest(question: Question, sources: Sequence[Source], plan: Plan) -> Sequence[Source]:
    """Without a drug, the sources with about as many words of the question as the best: the others are on another
    treatment of the disease, or on another disease."""
    if plan.identity:
        return sources
    wanted = stem_words(list_specific(question.focus))
    shares = [len(wanted & stem_words((one.hit.title, *one.hit.texts))) for one in sources]
    least = _CLOSEST * max(shares, default=0)
    return [one for one, share in zip(sources, shares, strict=True) if share >= least]


def _read_sentences(source: Source, plan: Plan) -> Iterator[_Sentence]:
    """Those that add to no other work's, have no values of arms that they do not name, and name no group by its letter
    alone, unless it is known to be the drug's."""
    short = read_abbreviations(source.hit, plan.names) if plan.identity else None
    passages = list(assign_roles(source))
    for place, (passage, role) in enumerate(passages):
        before, after = passages[max(0, place - 1)][0], passages[min(place + 1, len(passages) - 1)][0]
        if (place and continues_other_work(passage, before, role)) or has_unexplained_groups(passage.shown):
            continue
        if _RESPECTIVELY.search(passage.shown) and not _NAMES_ARMS.search(passage.shown):
            continue
        following = after.shown if after is not passage and after.section is passage.section else ""
        whole = join_previous(passages, place, pointing=True) or passage
        is_named = short is None or relations_in(whole.shown, plan.names, plan.related_names)
        text = "" if short is None or is_named else short.explain_short_names(whole.shown)
        if short is None or is_named or text or not names_group_by_code(whole.shown):
            yield _Sentence(source, whole, role, following, text or whole.shown)


def _choose_sentences(question: Question, ranked: Iterator[_Sentence], plan: Plan) -> list[_Sentence]:
    """The first that may be printed, answer, and do not repeat each other; one that is printed with the sentence before
    it takes the place of that."""
    chosen: list[_Sentence] = []
    used: Counter[str] = Counter()
    wanted = _list_wanted_stems(question, plan)
    for one in ranked:
        name = one.source.source_id
        if used[name] == _MOST_OF_SOURCE or not _answers(one, question, wanted, plan):
            continue
        alike = [place for place, other in enumerate(chosen) if _repeats(one.passage, other.passage)]
        if len(alike) == 1 and chosen[alike[0]].passage.text in one.passage.text:
            chosen[alike[0]] = one._replace(score=chosen[alike[0]].score)
        elif not alike:
            chosen.append(one)
            used[name] += 1
        if len(chosen) == _MOST_STATEMENTS:
            break
    return _order_by_strength(chosen, wants_results=_wants_results(question))


def _repeats(one: Passage, other: Passage) -> bool:
    """Whether two sentences say the same, or one is printed with the other already."""
    return one.text in other.text or other.text in one.text or is_repetition(one.shown, other.shown)


def _order_by_strength(chosen: Sequence[_Sentence], *, wants_results: bool) -> list[_Sentence]:
    """Of the sentences that answer about as well as the best, those of the strongest designs first, and those on
    animals and cells and of interim analyses last of all; where results are wanted, approvals after them."""
    best = max((one.score for one in chosen), default=0.0)

    def weigh(one: _Sentence) -> tuple[bool, bool, bool]:
        kind = evidence_of(one.source.hit)
        is_last = kind is Evidence.PRECLINICAL or (wants_results and kind in NO_RESULTS)
        is_last = is_last or is_interim(one.passage.shown)
        return is_last, one.score < _NEAR_BEST * best, kind not in _STRONG

    return sorted(chosen, key=weigh)


def _wants_results(question: Question) -> bool:
    """Whether a question on an effect names no outcome: "does it help in asthma?" asks what studies found."""
    return bool(question.about) and not question.takes_facts and all(one.role != "outcome" for one in question.about)


def _is_on_people(one: _Sentence, question: Question) -> bool:
    """Whether a sentence is not a result in animals or cells, or the question asks for those."""
    if question.takes_facts or not question.about:
        return True
    asked = " ".join(question.focus).casefold()
    if is_preclinical(asked) or _OF_LABORATORY.search(asked):
        return True
    return evidence_of(one.source.hit) is not Evidence.PRECLINICAL and not is_preclinical(one.passage.shown)


def _answers(one: _Sentence, question: Question, wanted: frozenset[str], plan: Plan) -> bool:
    """Whether a sentence may be printed, has words of the question, and says what it asks for."""
    return (
        _is_of_kind(one, question)
        and _is_on_question(one, question, plan)
        and _has_enough_words(one, question, wanted, plan)
        and not is_taken_back(one.passage.shown, one.following)
        and (not question.says or bool(count_cues(one.passage.shown, question.says, question.places)))
        and _is_of_drug(one, question, plan)
    )


def _is_of_kind(one: _Sentence, question: Question) -> bool:
    """Whether a sentence stands alone and states a finding, or a fact where the question takes those."""
    text, database = one.passage.shown, database_info(one.source.hit.database)
    kind = kind_of(one.passage, one.role)
    is_page = database.holds is Holds.PAGES and not is_official(one.source.hit)
    is_no_result = is_of_mark(text) or (is_page and kind not in (SentenceKind.FINDING, SentenceKind.SECOND_HAND))
    asks_number = asks_number_of_people(question)
    takes_plans = question.takes_facts or asks_number or asks_for_studies(question)
    return (
        not (_wants_results(question) and is_no_result)
        and stands_alone(text)
        and (asks_number or not database.is_literature or kind.is_printable)
        and (takes_plans or not is_registration_only(one.source.hit))
        and (not asks_for_ongoing(question) or is_registration_only(one.source.hit) or is_ongoing(text))
        and not (asks_number and PLANNED.search(text))
    )


def _is_on_question(one: _Sentence, question: Question, plan: Plan) -> bool:
    """Whether a sentence is on what the question is narrowed to."""
    explained = one.passage._replace(shown=one.text)
    is_on = not question.about or is_on_question(explained, one.source.hit, question, plan.names)
    text = one.passage.shown
    return is_on and not (is_of_combination(text, question) or is_of_other_drug(text, plan.names, question))


def _list_wanted_stems(question: Question, plan: Plan) -> frozenset[str]:
    """The stems of the question's words that an answer may have. The drug's names are not counted, as the sentence may
    have another of them, nor what is looked for apart: outcomes, and how a value is given."""
    focus = list_specific(question.focus) if asks_number_of_people(question) else question.focus
    names = plan.names if plan.identity else ()
    outcomes = (phrase for one in question.about if one.role == "outcome" for phrase in one.phrases)
    return stem_words(focus) - stem_words((*names, *outcomes, *(_MEASURES if question.says else ())))


def _has_enough_words(one: _Sentence, question: Question, wanted: frozenset[str], plan: Plan) -> bool:
    """Whether a sentence has as many words of the question as an answer needs; a number of people, with its title."""
    own = _drop_short_names(IN_CONTRAST.sub(" ", one.passage.shown), question)
    said = stem_words((own, one.source.hit.title) if asks_number_of_people(question) else (own,))
    if database_info(one.source.hit.database).holds is Holds.PATENTS:
        said |= stem_words(("patent",))
    least = 0 if question.about and plan.identity else min(1 if plan.identity else _LEAST_WORDS, len(wanted))
    return len(wanted & said) >= least


def _drop_short_names(sentence: str, question: Question) -> str:
    """A sentence without the names in capitals that the question does not name: REMOVAL does not say "removed"."""
    asked = frozenset(word for name in question.focus for word in split_words(name))
    return _SHORT_NAME.sub(lambda name: name[0] if asked.issuperset(split_words(name[0])) else " ", sentence)


def _is_of_drug(one: _Sentence, question: Question, plan: Plan) -> bool:
    """Whether a sentence is on the drug: it names it, or its record is about it, or about a copy that is asked for;
    what an introduction knows before the study must name it."""
    if plan.identity is None or (question.takes_relatives and one.source.relation is Relation.BIOSIMILAR):
        return True
    # The fields of a registry's record are lines, of which some name nothing.
    is_registry = database_info(one.source.hit.database).holds is Holds.STUDIES
    is_known_before = one.role is SectionKind.INTRODUCTION
    is_about = one.source.relation is Relation.ITSELF and not is_known_before
    if is_about and (asks_number_of_people(question) or not is_registry):
        return True
    return Relation.ITSELF in relations_in(one.text, plan.names, plan.related_names)


def _make_statement(one: _Sentence) -> Statement:
    return Statement(
        text=one.text,
        quote=one.passage.text,
        source_ids=(one.source.source_id,),
        verdict=Verdict.SUPPORTED,  # by its own words
    )
