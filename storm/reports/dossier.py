"""Compiles a dossier from a job's data; everything in it is in a source or in the search log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from storm import wording
from storm.citations.verification import build_references, list_cited_sources
from storm.models import (
    Answer,
    AtAGlance,
    Coverage,
    DeepResearch,
    Dossier,
    Exclusion,
    ExecutiveSummary,
    Hit,
    Job,
    Lack,
    LackKind,
    Plan,
    QuestionText,
    RecordFlow,
    RecordTable,
    Reference,
    Repurposing,
    RequestKind,
    Research,
    ResearchReport,
    SearchRecord,
    Source,
    Spending,
    StatementCounts,
    StopReason,
)
from storm.models.names import split_words
from storm.reports.changes import PreviousVersion, compare_versions, find_retrieval_days
from storm.reports.checklist import list_settled
from storm.reports.confirmation import add_confirmations
from storm.reports.drug_sources import list_on_drug
from storm.reports.executive_summary import make_summary
from storm.reports.flow import count_flow
from storm.reports.glance import at_a_glance, list_glance_sources
from storm.reports.hypotheses import list_basis_sources
from storm.reports.outcome import CUT_SHORT, PARTIAL, Outcome, explain_empty, have_all_failed
from storm.reports.record_tables import collect_tables, list_table_sources
from storm.reports.reference_style import spell_identifier
from storm.reports.references import add_retrieval_days, number_as_printed
from storm.reports.repurposing import complete_repurposing
from storm.reports.searches import (
    add_search_gaps,
    list_database_uses,
    list_search_lines,
    note_changed_scopes,
    sort_searches,
)
from storm.reports.studies import add_studies
from storm.syllabus.coverage import coverage

#: The most terms by which an empty report names its subject.
_MOST_NAMED = 3


class DossierMaterial(NamedTuple):
    """What a job left in the store, of which its dossier is compiled.

    `by_model`: a model chose which records to save. `exclusions`: why found records were not saved. `works`: the key of
    the work of each found identifier; `titles`: those of works that were not saved. `previous`: the dossier that this
    one updates. `research`: how the questions were planned and their statements put into sections; what was not asked
    for by a drug's name becomes a ResearchReport. `repurposing`: the hypotheses that were tested. `deep_research`: the
    checklist and rounds of one question; its answer needs no summary, tables or facts on a drug."""

    job: Job
    plan: Plan
    engine: str
    stopped: StopReason
    sources: Sequence[Source]
    answers: Sequence[Answer]
    searches: Sequence[SearchRecord]
    exclusions: Mapping[str, Exclusion] = MappingProxyType({})
    works: Mapping[str, str] = MappingProxyType({})
    titles: Mapping[str, str] = MappingProxyType({})
    notes: Sequence[str] = ()
    spending: Sequence[Spending] = ()
    judged_by_writer: bool = False
    by_model: bool = False
    previous: PreviousVersion | None = None
    research: Research | None = None
    repurposing: Repurposing | None = None
    deep_research: DeepResearch | None = None

    @property
    def has_evidence(self) -> bool:
        """Whether the answers are on what was asked: without a tested hypothesis they are on the disease alone."""
        return self.repurposing is None or bool(self.repurposing.rounds)


def compile_dossier(material: DossierMaterial) -> Dossier:
    """Compile the dossier of a job, with what changed since the previous one that it updates.

    It is partial if a search failed or a question with sources is not fully answered, and empty only if every search
    succeeded and found nothing. Where hypotheses were tested, that sources say nothing on a question is a finding, and
    no lack.
    """
    given = material._replace(searches=sort_searches(material.searches, material.plan.syllabus.keys))
    if not given.has_evidence:  # what is said of the drug alone answers nothing
        research = given.research and given.research.model_copy(update={"sections": ()})
        given = given._replace(answers=[Answer(question=each.question) for each in given.answers], research=research)
    dossier = number_as_printed(_Compilation(given).build())
    if given.repurposing:
        dossier = dossier.model_copy(update={"repurposing": complete_repurposing(dossier, given.repurposing)})
    changes = given.previous and compare_versions(given.previous, dossier, given.sources, given.searches)
    return dossier.model_copy(update={"changes": changes}) if changes else dossier


class _Compilation:
    """The parts of a dossier, each made of the material and of parts before it."""

    def __init__(self, given: DossierMaterial) -> None:
        self._given = given
        of_drug = given.job.request.kind is RequestKind.DRUG or given.research is None
        self._report: type[Dossier] = Dossier if of_drug else ResearchReport
        self._uses = tuple(list_database_uses(given.searches, given.sources))
        self._gathered = _measure_coverage(given.plan, given.sources)
        self._coverage = _add_answering_counts(self._gathered, given.answers)
        facts = at_a_glance(given.plan, given.sources)
        self._glance = facts if self._shows_drug else AtAGlance(designs=facts.designs)
        self._tables = self._collect_tables(facts)
        self._summary = self._make_summary()
        self._references = self._collect_references()
        self._lacks = self._list_lacks()

    @property
    def _shows_drug(self) -> bool:
        """Whether the records are of one drug, and the report is more than the answer to one question."""
        given = self._given
        of_no_drug = self._report is ResearchReport and (given.plan.identity is None or not given.has_evidence)
        return not of_no_drug and given.deep_research is None

    def _collect_tables(self, facts: AtAGlance) -> tuple[RecordTable, ...]:
        given = self._given
        if given.deep_research:
            return ()
        on_drug = list_on_drug(given.plan, given.sources) if given.has_evidence else ()
        approvals = facts.approvals if given.has_evidence else ()
        return collect_tables(given.plan.names, on_drug, given.answers, approvals, given.job.created.date())

    def _make_summary(self) -> ExecutiveSummary:
        given = self._given
        if given.repurposing or given.deep_research:
            return ExecutiveSummary()
        day = given.job.created.date()
        return make_summary(given.plan, given.sources, given.answers, self._coverage, self._uses, day)

    def _collect_references(self) -> tuple[Reference, ...]:
        """The sources that the report cites anywhere, each once."""
        given = self._given
        facts = (*list_glance_sources(self._glance), *list_table_sources(self._tables))
        basis = list_basis_sources(given.repurposing, given.sources)
        cited = (*_list_summary_sources(self._summary), *facts, *basis, *list_cited_sources(given.answers))
        studied = add_studies(build_references(cited, given.sources), given.sources, given.plan.names)
        if given.deep_research:
            studied = add_confirmations(studied, given.answers, given.plan)
        return tuple(add_retrieval_days(studied, given.searches, find_retrieval_days(given.previous)))

    def _list_lacks(self) -> tuple[Lack, ...]:
        given = self._given
        settled = list_settled(given.deep_research)
        open_answers = [
            each for each in given.answers if each.cut_short or each.counts.unjudged or each.question not in settled
        ]
        return tuple(_list_lacks(given.plan, open_answers, () if given.repurposing else given.sources))

    def _list_notes(self) -> Iterator[str]:
        given = self._given
        yield from given.plan.notes
        yield from _note_own_judge(given.answers, given.judged_by_writer)
        yield from given.notes
        yield from note_changed_scopes(given.searches)
        if retracted := self._list_retracted():
            yield wording.RETRACTED_RECORDS.format(records=", ".join(map(spell_identifier, retracted)))
        yield from (lack.note for lack in self._lacks)
        if not given.sources and not given.repurposing:
            about = given.job.request.subject
            if self._report is not Dossier:
                about = ", ".join(given.plan.names[:_MOST_NAMED])
            yield explain_empty(about, self._report.file_name, given.searches, given.stopped, given.by_model)

    def _list_retracted(self) -> list[str]:
        """The records that were not kept because they are retracted."""
        given = self._given
        kept = {name for source in given.sources for name in source.hit.identifiers}
        retracted = (record for record, reason in given.exclusions.items() if reason is Exclusion.RETRACTED)
        return sorted(record for record in retracted if record not in kept)

    def _find_exit_code(self) -> int:
        given = self._given
        outcome = Outcome(
            self._gathered, given.searches, given.answers, given.by_model, given.repurposing, given.deep_research
        )
        is_partial = given.stopped in CUT_SHORT or _is_partial(outcome, self._lacks, given.research)
        return PARTIAL if is_partial else outcome.exit_code

    def _count_flow(self) -> RecordFlow:
        given, previous = self._given, self._given.previous
        return count_flow(
            given.searches,
            given.sources,
            self._references,
            given.exclusions,
            given.works,
            titles=given.titles,
            refused={source_id for answer in given.answers for source_id in answer.refused},
            before=previous.dossier if previous else None,
            ids=previous.ids if previous else {},
        )

    def build(self) -> Dossier:
        """The dossier, its statements numbered as the parts are, not as they are printed."""
        given = self._given
        cut = given.stopped in CUT_SHORT
        return self._report(
            **_describe_job(given.job, given.plan, given.sources, given.searches),
            engine=given.engine,
            by_model=given.by_model,
            judged_by_writer=given.judged_by_writer,
            stopped="nothing_searched" if have_all_failed(given.searches) else given.stopped,
            exit_code=self._find_exit_code(),
            databases=self._uses,
            summary=self._summary,
            coverage=self._coverage,
            at_a_glance=self._glance,
            tables=self._tables,
            answers=tuple(add_search_gaps(given.answers, self._coverage, given.searches, cut=cut)),
            statements=StatementCounts.sum_counts(answer.counts for answer in given.answers),
            spending=tuple(sorted(given.spending, key=partial(_spending_order, given.plan.syllabus.keys))),
            references=self._references,
            search_log=tuple(list_search_lines(given.searches, given.sources)),
            flow=self._count_flow(),
            version=given.job.version,
            syllabus=given.plan.syllabus.name,
            syllabus_version=given.plan.syllabus.version,
            notes=tuple(self._list_notes()),
            lacks=self._lacks,
            research=given.research,
            repurposing=given.repurposing,
            deep_research=given.deep_research,
        )


def _describe_job(
    job: Job, plan: Plan, sources: Sequence[Source], searches: Sequence[SearchRecord]
) -> Mapping[str, Any]:
    """The fields of a dossier that say which job it is of, and when and by which names it searched."""
    return {
        "job_id": job.job_id,
        "drug": job.request.subject,
        "names": plan.searched_names,
        "also_known": plan.names[len(plan.searched_names) :],
        "identity": plan.identity,
        "named": _count_names(plan.names, [source.hit for source in sources]),
        "mode": job.settings.mode,
        "created": job.created,
        "retrieved": f"{min((search.answered or search.at for search in searches), default=job.created):%Y-%m-%d}",
        "questions": tuple(_question_texts(plan)),
    }


def _is_partial(outcome: Outcome, lacks: Sequence[Lack], research: Research | None) -> bool:
    """Whether a search failed, or an answer is lacking although sources were found; that the answer to one question has
    no statement at all is an outcome of its own."""
    is_empty = outcome.deep_research is not None and not any(one.says_something for one in outcome.answers)
    in_rounds = bool(outcome.repurposing or outcome.deep_research)
    return (
        (bool(lacks) and not is_empty)
        or any(search.has_failed for search in outcome.searches)
        or bool(in_rounds and research and research.failed)
    )


def _note_own_judge(answers: Sequence[Answer], judged_by_writer: bool) -> Iterator[str]:
    if judged_by_writer and any(answer.statements for answer in answers):
        yield wording.OWN_JUDGE


def _is_unfinished(answer: Answer, sources: Sequence[Source]) -> bool:
    has_sources = any(answer.question in source.questions for source in sources)
    return answer.cut_short or (has_sources and not answer.says_something)


def _list_lacks(plan: Plan, answers: Sequence[Answer], sources: Sequence[Source]) -> Iterator[Lack]:
    """What is lacking: answers to questions with one of these sources, judgements of statements."""
    unfinished = [answer.question for answer in answers if _is_unfinished(answer, sources)]
    labels = "; ".join(plan.syllabus.question(key).label for key in unfinished)
    unjudged = sum(answer.counts.unjudged for answer in answers)
    if unfinished:
        yield Lack(kind=LackKind.UNFINISHED, note=wording.UNFINISHED.format(labels=labels))
    if unjudged:
        yield Lack(kind=LackKind.UNJUDGED, note=wording.UNJUDGED.format(number=unjudged))


def _question_texts(plan: Plan) -> Iterator[QuestionText]:
    for question in plan.syllabus.questions:
        yield QuestionText.model_validate(question.model_dump(include=set(QuestionText.model_fields)))


def _spending_order(questions: Sequence[str], spending: Spending) -> tuple[int, str]:
    """Sort key: the order of the questions, since parallel calls finish in random order."""
    asked = spending.question
    return questions.index(asked) if asked in questions else -1, spending.role


def _count_names(names: Sequence[str], hits: Sequence[Hit]) -> dict[str, int]:
    """Count the records that contain each name in title, text or drug names; names in no record are left out."""
    texts = [f" {_join_tokens(' '.join((hit.title, *hit.drugs, hit.text)))} " for hit in hits]
    counts = {name: sum(f" {_join_tokens(name)} " in text for text in texts) for name in names}
    return {name: count for name, count in counts.items() if count}


def _join_tokens(text: str) -> str:
    return " ".join(split_words(text))


def _measure_coverage(plan: Plan, sources: Sequence[Source]) -> Coverage:
    counts = Counter(question for s in sources if s.relation_kind.is_evidence for question in s.questions)
    databases = sorted({source.hit.database for source in sources})
    return coverage(plan.syllabus, counts, databases, len(sources))


def _add_answering_counts(state: Coverage, answers: Sequence[Answer]) -> Coverage:
    """Add to the coverage how many sources support each answer."""
    answering = {answer.question: len(answer.answering) for answer in answers}
    questions = (q.model_copy(update={"answering": answering.get(q.question)}) for q in state.questions)
    return state.model_copy(update={"questions": tuple(questions)})


def _list_summary_sources(summary: ExecutiveSummary) -> Iterator[str]:
    for sentence in summary.sentences:
        yield from sentence.source_ids
