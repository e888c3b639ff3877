"""Compiles a dossier from a job's data; everything in it is in a source or in the search log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from storm import wording
from storm.citations.verification import build_references, list_cited_sources
from storm.models import (
    Answer,
    AtAGlance,
    Coverage,
    DatabaseUse,
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
    RecordTable,
    Repurposing,
    RequestKind,
    Research,
    ResearchReport,
    SearchLine,
    SearchRecord,
    SearchStatus,
    Source,
    Spending,
    StatementCounts,
    StopReason,
    database_label,
)
from storm.models.names import split_words
from storm.models.search import CHECK
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
from storm.reports.references import add_retrieval_days, list_shown_sources, number_as_printed, number_references
from storm.reports.repurposing import complete_repurposing
from storm.reports.studies import add_studies
from storm.syllabus.coverage import coverage

#: The most terms by which an empty report names its subject.
_MOST_NAMED = 3


def compile_dossier(
    job: Job,
    plan: Plan,
    *,
    engine: str,
    stopped: StopReason,
    sources: Sequence[Source],
    answers: Sequence[Answer],
    searches: Sequence[SearchRecord],
    exclusions: Mapping[str, Exclusion] = MappingProxyType({}),
    works: Mapping[str, str] = MappingProxyType({}),
    notes: Sequence[str] = (),
    spending: Sequence[Spending] = (),
    judged_by_writer: bool = False,
    by_model: bool = False,
    previous: PreviousVersion | None = None,
    research: Research | None = None,
    repurposing: Repurposing | None = None,
    deep_research: DeepResearch | None = None,
) -> Dossier:
    """Compile the dossier of a job, with what changed since the `previous` one that it updates.

    It is partial if a search failed or a question with sources is not fully answered, and empty only if every search
    succeeded and found nothing. Where hypotheses were tested, that sources say nothing on a question is a finding, and
    no lack. `by_model`: a model chose which records to save. `exclusions`: why found records were
    not saved. `works`: the key of the work of each found identifier. `research`: how the questions were
    planned and their statements put into sections; what was not asked for by a drug's name becomes a ResearchReport.
    `repurposing`: the hypotheses that were tested. `deep_research`: the checklist and rounds of one question; its
    answer needs no summary, tables or facts on a drug."""
    searches = _sort_searches(searches, plan.syllabus.keys)
    has_evidence = repurposing is None or bool(repurposing.rounds)
    if not has_evidence:  # on the disease: what is said of the drug alone answers nothing
        answers = [Answer(question=answer.question) for answer in answers]
        research = research and research.model_copy(update={"sections": ()})
    uses = tuple(_list_database_uses(searches, sources))
    approvals = (glance := at_a_glance(plan, sources)).approvals
    report = Dossier if job.request.kind is RequestKind.DRUG or research is None else ResearchReport
    of_no_drug = report is ResearchReport and (plan.identity is None or not has_evidence)
    if of_no_drug or deep_research:  # records of no one drug, or an answer, which is on its question alone
        glance = AtAGlance(designs=glance.designs)
    gathered = _measure_coverage(plan, sources)
    state = _add_answering_counts(gathered, answers)
    on_drug = list_on_drug(plan, sources) if has_evidence else ()
    tables: tuple[RecordTable, ...] = ()
    if deep_research is None:
        tables = collect_tables(plan.names, on_drug, answers, approvals if has_evidence else (), job.created.date())
    summary = ExecutiveSummary()
    if repurposing is None and deep_research is None:
        summary = make_summary(plan, sources, answers, state, uses, job.created.date())
    basis = list_basis_sources(repurposing, sources)
    named = [*_list_summary_sources(summary), *list_glance_sources(glance), *basis]
    cited = build_references([*named, *list_cited_sources(answers), *list_table_sources(tables)], sources)
    studied = add_studies(cited, sources, plan.names)
    studied = add_confirmations(studied, answers, plan) if deep_research else studied
    numbered = number_references(studied, [*named, *list_shown_sources(answers, studied)])
    references = tuple(add_retrieval_days(numbered, searches, find_retrieval_days(previous)))
    settled = list_settled(deep_research)
    open_answers = [one for one in answers if one.cut_short or one.counts.unjudged or one.question not in settled]
    lacks = tuple(_list_lacks(plan, open_answers, sources if repurposing is None else ()))
    about = job.request.subject if report is Dossier else ", ".join(plan.names[:_MOST_NAMED])
    empty = [] if sources or repurposing else [explain_empty(about, report.file_name, searches, stopped, by_model)]
    own_judge = _note_own_judge(answers, judged_by_writer)
    outcome = Outcome(gathered, searches, answers, by_model, repurposing, deep_research)
    is_partial = stopped in CUT_SHORT or _is_partial(outcome, lacks, research)
    dossier = report(
        **_describe_job(job, plan, sources, searches),
        engine=engine,
        by_model=by_model,
        judged_by_writer=judged_by_writer,
        stopped="nothing_searched" if have_all_failed(searches) else stopped,
        exit_code=PARTIAL if is_partial else outcome.exit_code,
        databases=uses,
        summary=summary,
        coverage=state,
        at_a_glance=glance,
        tables=tables,
        answers=tuple(_add_search_gaps(answers, state, searches, cut=stopped in CUT_SHORT)),
        statements=StatementCounts.sum_counts(answer.counts for answer in answers),
        spending=tuple(sorted(spending, key=partial(_spending_order, plan.syllabus.keys))),
        references=references,
        search_log=tuple(_list_search_lines(searches, sources)),
        flow=count_flow(
            searches,
            sources,
            references,
            exclusions,
            works,
            before=previous.dossier if previous else None,
            ids=previous.ids if previous else {},
        ),
        version=job.version,
        syllabus=plan.syllabus.name,
        syllabus_version=plan.syllabus.version,
        notes=(*plan.notes, *own_judge, *notes, *_note_changed_scopes(searches), *(one.note for one in lacks), *empty),
        lacks=lacks,
        research=research,
        repurposing=repurposing,
        deep_research=deep_research,
    )
    dossier = number_as_printed(dossier) if research else dossier
    if repurposing:
        dossier = dossier.model_copy(update={"repurposing": complete_repurposing(dossier, repurposing)})
    changes = previous and compare_versions(previous, dossier, sources, searches)
    return dossier.model_copy(update={"changes": changes}) if changes else dossier


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


def _note_changed_scopes(searches: Sequence[SearchRecord]) -> Iterator[str]:
    """A note for each database whose scope changed while the job ran."""
    for name in dict.fromkeys(search.database for search in searches):
        own = sorted((search for search in searches if search.database == name), key=lambda search: search.at)
        scopes = list(dict.fromkeys(search.scope for search in own))
        if len(scopes) > 1:
            yield wording.CHANGED_SCOPE.format(database=database_label(name), scopes=wording.NEXT_SCOPE.join(scopes))


def _spending_order(questions: Sequence[str], spending: Spending) -> tuple[int, str]:
    """Sort key: the order of the questions, since parallel calls finish in random order."""
    asked = spending.question
    return questions.index(asked) if asked in questions else -1, spending.role


def _add_search_gaps(
    answers: Sequence[Answer], state: Coverage, searches: Sequence[SearchRecord], *, cut: bool
) -> Iterator[Answer]:
    """Add gaps to answers that lack sources: failed databases, a search cut short, and matching records not read."""
    failed = dict.fromkeys(database_label(search.database) for search in searches if search.has_failed)
    lacking = {question.question for question in state.questions if not question.sufficient}
    not_asked = [wording.NOT_ASKED.format(databases=", ".join(failed))] if failed else []
    for answer in answers:
        if answer.question not in lacking:
            yield answer
            continue
        unread = _note_unread_records(search for search in searches if search.question == answer.question)
        more = [*([wording.CUT_SHORT] if cut else []), *not_asked, *unread]
        yield answer.model_copy(update={"gaps": (*answer.gaps, *more)})


def _note_unread_records(searches: Iterable[SearchRecord]) -> Iterator[str]:
    """Note, for each database, the search that left the most records unread."""
    most: dict[str, SearchRecord] = {}
    for search in searches:
        known = most.setdefault(search.database, search)
        if search.total - len(search.hits) > known.total - len(known.hits):
            most[search.database] = search
    for search in most.values():
        read = len(search.hits)
        if 0 < read < search.total:
            label = database_label(search.database)
            yield wording.READ_IN_PART.format(database=label, read=read, total=search.total)


def _sort_searches(searches: Sequence[SearchRecord], planned: Sequence[str]) -> Sequence[SearchRecord]:
    """Sort the log by question, in the order of the plan, and database: parallel searches finish in random order."""
    named = dict.fromkeys(search.question for search in searches)
    questions = [*(key for key in named if key not in planned and key != CHECK), *planned, CHECK]
    return sorted(searches, key=lambda search: (questions.index(search.question), search.database))


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


def _list_database_uses(searches: Sequence[SearchRecord], sources: Sequence[Source]) -> Iterator[DatabaseUse]:
    """Summarise each database by its worst outcome, so that successful searches do not hide a failed one."""
    worst = (SearchStatus.FAILED, SearchStatus.FOUND, SearchStatus.NONE, SearchStatus.NOT_APPLICABLE)
    for name in dict.fromkeys(search.database for search in searches):
        own = [search for search in searches if search.database == name]
        returned = {key for search in own for key in search.hits}
        records = Counter(s.hit.database for s in sources if returned.intersection(s.hit.identifiers))
        status = min((search.status for search in own), key=worst.index)
        incomplete = any(search.incomplete for search in own)
        in_part = incomplete and status is not SearchStatus.FAILED
        reported = [search for search in own if (search.incomplete if in_part else search.status is status)]
        reasons = dict.fromkeys(search.reason for search in reported if search.reason)
        yield DatabaseUse(
            name=name,
            scope=own[0].scope,
            searched=len(own),
            status=status,
            reason="; ".join(reasons),
            incomplete=incomplete,
            records=dict(sorted(records.items())),
        )


def _list_search_lines(searches: Sequence[SearchRecord], sources: Sequence[Source]) -> Iterator[SearchLine]:
    saved = {identifier: source.source_id for source in sources for identifier in source.hit.identifiers}
    for search in searches:
        yield SearchLine(
            **search.model_dump(exclude={"hits"}),
            hits=len(search.hits),
            kept=len({saved[key] for key in search.hits if key in saved}),
        )
