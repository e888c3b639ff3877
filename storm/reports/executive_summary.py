"""Summarises a dossier: its statements with the strongest evidence, word for word, and what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest
from typing import NamedTuple

from storm import wording
from storm.evidence.other_effects import is_of_another_drug
from storm.evidence.planned_endpoint import is_minor_null, read_planned_endpoint
from storm.evidence.repetition import is_repetition
from storm.evidence.score import Rating, is_binding, is_official, rate_source, weakness_of
from storm.evidence.species import is_preclinical
from storm.evidence.standalone import is_linked
from storm.evidence.strength import evidence_of
from storm.evidence.subjects import is_added_to, is_aside
from storm.models import (
    Answer,
    Coverage,
    DatabaseUse,
    Evidence,
    ExecutiveSummary,
    Holds,
    Plan,
    Question,
    Relation,
    RelationKind,
    Retraction,
    SearchStatus,
    SectionKind,
    Source,
    Statement,
    SummarySentence,
    Verdict,
    database_info,
    database_label,
    index_sources,
)
from storm.models.section import kind_of_heading
from storm.ranking import split_sentences
from storm.reports.expiries import passed_expiries, stated_dates
from storm.reports.overtaken import is_open
from storm.syllabus.relation import relations_in

#: At most this many sentences, on evidence that starts at this level for efficacy or a higher one.
MAX_SENTENCES = 8
#: One paper must not stand for all of the evidence.
_MOST_OF_SOURCE = 2
WEAKEST_LEVEL = 3
#: The roles of the drug in a source of the summary.
_OF_DRUG = (RelationKind.ITSELF, RelationKind.COMBINATION)
_NO_RESULTS = (SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.DISCUSSION)
#: How the names of an abstract's parts begin.
_ABSTRACT = "Abstract"
_DOUBTED = (Retraction.RETRACTED, Retraction.CONCERN)


class _Finding(NamedTuple):
    """A statement that may stand in the summary, with its first source."""

    question: Question
    statement: Statement
    source: Source
    rating: Rating

    def rank_in_question(self) -> tuple[bool, bool, tuple[int, int]]:
        """The strongest evidence first: in abstracts and records before the body of a paper; combinations last."""
        weakness = weakness_of(self.source, self.statement.section, self.question)
        return self.source.relation_kind is RelationKind.COMBINATION, self._is_of_body(), weakness

    def _is_of_body(self) -> bool:
        section = self.statement.section
        return kind_of_heading(section) is SectionKind.RESULTS and not section.startswith(_ABSTRACT)


def make_summary(
    plan: Plan,
    sources: Sequence[Source],
    answers: Sequence[Answer],
    coverage: Coverage,
    uses: Sequence[DatabaseUse],
    day: date,
) -> ExecutiveSummary:
    """The summary of a dossier with these answers on the day of the job; one without sources has none."""
    if not coverage.total:
        return ExecutiveSummary()
    sentences = _choose_sentences(_find_strong(plan, sources, answers, day))
    return ExecutiveSummary(sentences=sentences, not_known=_describe_unknown(answers, coverage, uses))


def _find_strong(
    plan: Plan, sources: Sequence[Source], answers: Sequence[Answer], day: date
) -> Iterator[list[_Finding]]:
    """For each question its statements on strong evidence of the drug, one from each source, the strongest first."""
    by_id = index_sources(sources)
    for answer in answers:
        question = plan.syllabus.question(answer.question)
        findings = [
            _Finding(question, statement, cited[0], rate_source(cited[0]))
            for statement in answer.statements
            if (cited := [by_id[source_id] for source_id in statement.source_ids if source_id in by_id])
            and len(cited) == len(statement.source_ids)
            and all(map(_is_reliable, cited))
            and _is_on_drug(statement, cited[0], plan)
        ]
        strong = [one for one in findings if _is_strong(one, day)]
        yield list(_drop_same_sources(sorted(strong, key=_Finding.rank_in_question)))


def _is_reliable(source: Source) -> bool:
    """Whether a source is of the drug, and neither retracted nor doubted."""
    return source.relation_kind in _OF_DRUG and source.hit.retraction not in _DOUBTED


def _is_on_drug(statement: Statement, source: Source, plan: Plan) -> bool:
    """Whether a supported statement is about the drug itself in people, and not about a temporary state."""
    text = statement.text
    if statement.verdict is not Verdict.SUPPORTED or statement.remark or is_preclinical(text) or is_open(text):
        return False
    if is_linked(text) or is_aside(text, plan.names) or is_added_to(text, plan.names):
        return False
    if is_of_another_drug(text, plan.names):
        return False
    named = relations_in(text, plan.names, plan.related_names)
    return Relation.ITSELF in named or not (named or database_info(source.hit.database).is_literature)


def _is_strong(one: _Finding, day: date) -> bool:
    """Whether the evidence is strong: for dated questions, an official record; for others, the results of a study,
    rather than its introduction or discussion, or a regulatory record."""
    if one.question.dated:
        return _is_dated_fact(one, day)
    if is_minor_null(one.statement.text, read_planned_endpoint(one.source.hit)):
        return False
    level = None if one.question.takes_facts else one.rating.level_efficacy
    is_strong = level <= WEAKEST_LEVEL if level else evidence_of(one.source.hit) is Evidence.REGULATORY
    return is_strong and kind_of_heading(one.statement.section) not in _NO_RESULTS


def _is_dated_fact(one: _Finding, day: date) -> bool:
    """Whether an official record states a date that is not a passed expiry; of labels, the sections that bind alone."""
    hit, text, section = one.source.hit, one.statement.text, one.statement.section
    is_label = database_info(hit.database).holds is Holds.LICENCES and bool(section)
    if not is_official(hit) or (is_label and not is_binding(hit, section)):
        return False
    return bool(stated_dates(text)) and not passed_expiries(text, day)


def _drop_same_sources(findings: Iterable[_Finding]) -> Iterator[_Finding]:
    """The first finding of each source."""
    seen: set[str] = set()
    for one in findings:
        if seen.isdisjoint(one.statement.source_ids):
            yield one
        seen.update(one.statement.source_ids)


def _choose_sentences(by_question: Iterable[Sequence[_Finding]]) -> tuple[SummarySentence, ...]:
    """The first of each question, then the second, until there are enough sentences; the strongest first."""
    chosen: list[_Finding] = []
    room = MAX_SENTENCES
    for row in zip_longest(*by_question):
        for one in sorted(filter(None, row), key=lambda one: -one.rating.score):
            size = len(split_sentences(one.statement.text))
            of_source = sum(one.source.source_id == other.source.source_id for other in chosen)
            if of_source < _MOST_OF_SOURCE and size <= room and not any(_is_repeated(one, other) for other in chosen):
                chosen.append(one)
                room -= size
    ranked = sorted(chosen, key=lambda one: -one.rating.score)
    return tuple(SummarySentence(**one.statement.model_dump(), question=one.question.key) for one in ranked)


def _is_repeated(one: _Finding, other: _Finding) -> bool:
    """Whether the other has the same words, or the same finding of the same source."""
    text, said = one.statement.text, other.statement.text
    return text == said or (one.source.source_id == other.source.source_id and is_repetition(text, said))


def _describe_unknown(answers: Sequence[Answer], coverage: Coverage, uses: Sequence[DatabaseUse]) -> str:
    """One sentence on questions without an answer or with too few sources, and on searches that failed."""
    silent = {answer.question for answer in answers if not answer.says_something}
    without = [question.label for question in coverage.questions if question.question in silent]
    few = [
        wording.HAS_OF.format(question=question.label, number=number, needed=question.min_sources)
        for question in coverage.questions
        if question.question not in silent
        and (number := min(question.sources, question.answering or 0)) < question.min_sources
    ]
    failed = [database_label(use.name) for use in uses if use.status is SearchStatus.FAILED]
    partly = [database_label(use.name) for use in uses if use.status is not SearchStatus.FAILED and use.incomplete]
    gaps = (
        wording.UNANSWERED.format(questions=", ".join(without)) if without else "",
        wording.ON_TOO_FEW.format(questions=", ".join(few)) if few else "",
        wording.NOT_SEARCHED_AT_ALL.format(databases=", ".join(failed)) if failed else "",
        wording.NOT_SEARCHED_IN_FULL.format(databases=", ".join(partly)) if partly else "",
    )
    shown = "; ".join(filter(None, gaps))
    return wording.LEFT_OPEN.format(gaps=shown) if shown else wording.NOTHING_LACKS
