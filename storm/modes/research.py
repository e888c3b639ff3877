"""A report whose questions are researched side by side: plan, search, file, answer; review, search again; compile.

Every question is searched before any record is filed, and all are filed before any is answered: what two searches find
is one source, and the report does not depend on which of them was faster.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from storm import planning_wording
from storm.errors import ModelError, StoreError, StormError
from storm.extractive.unsearched import log_unsearched
from storm.models import (
    Answer,
    Dossier,
    Exclusion,
    Finding,
    Outline,
    OutlinePart,
    Plan,
    Question,
    ReportSection,
    RequestKind,
    Research,
    ResearchPlan,
    ResearchReport,
    ResearchRound,
    Review,
    SearchQuery,
    StopReason,
)
from storm.models.base import Frozen
from storm.models.record_table import RecordTable
from storm.models.research import QuestionQueries
from storm.models.search import WEB
from storm.modes.answer_check import check_answer
from storm.modes.compilation import compile_job
from storm.modes.crew import ResearchCrew
from storm.modes.planning import make_plan
from storm.modes.rule_notes import describe_rules
from storm.modes.run import Provisional, Run
from storm.reports.glance import at_a_glance
from storm.reports.record_tables import collect_tables
from storm.roles import SelectedRecord, Selection
from storm.tools import finalize_sources

T = TypeVar("T")
#: What rules can make in place of a model.
N = TypeVar("N", Review, Outline, ReportSection)

#: The searches of each question, as they were written and as they are run; what they found, as the keys of the records
#: of each search.
_Written = dict[str, QuestionQueries]
_Queries = dict[str, tuple[SearchQuery, ...]]
_Found = dict[str, tuple[tuple[str, ...], ...]]


class FiledRecords(Frozen):
    """The records that one turn filed: their keys by question, best first."""

    keys: dict[str, tuple[str, ...]]


class _Researched(NamedTuple):
    """What all rounds found out; `failed` says why the research of a question failed, `model_failed` whether a language
    model did, and `searches_by_rules` why rules wrote those of a question where a model was to."""

    findings: Mapping[str, Finding]
    rounds: Sequence[ResearchRound]
    failed: Mapping[str, str]
    model_failed: bool
    searches_by_rules: Mapping[str, str]
    reviews: Sequence[Review]


async def write_report(run: Run) -> Dossier:
    """The job's report: the dossier of a drug, or a ResearchReport. What fails for one question leaves a gap in its
    answer; if a model failed there, the later steps are not stored, and a resume goes on from that question."""
    plan = await make_plan(run)
    if plan.research is None:  # the questions are the user's
        plan = plan.model_copy(update={"research": ResearchPlan(preferences=run.job.request.preferences)})
    researched = await _Researcher(run, plan).research()
    outline = await run.step("outline", Outline, partial(_plan_outline, run, plan, researched))
    sections = await run.step(
        "section", tuple[ReportSection, ...], partial(_write_sections, run, plan, researched, outline)
    )
    kind = Dossier if run.job.request.kind is RequestKind.DRUG else ResearchReport
    return await run.step("report", kind, partial(_compile_report, run, plan, researched, outline, sections))


class _Researcher:
    """Searches, files and answers the questions of one job, in rounds."""

    def __init__(self, run: Run, plan: Plan) -> None:
        self._run = run
        self._plan = plan
        self._roles = _roles_of(run)
        self._failed: dict[str, str] = {}
        self._model_failed = False
        self._by_rules: dict[str, str] = {}
        self._filed: list[FiledRecords] = []

    async def research(self) -> _Researched:
        """The findings of all questions, after weak answers were searched for again. A round that adds no source is the
        last."""
        findings = await self._research("", self._plan.syllabus.questions)
        rounds: list[ResearchRound] = []
        reviews: list[Review] = []
        for number in range(1, self._run.job.settings.research.max_iterations + 1):
            review = await self._run.step(f"reflect:{number}", Review, partial(self._review, findings, tuple(reviews)))
            reviews.append(review)
            wanted = {
                weak.question: weak.searches
                for weak in review.weak
                if weak.searches and weak.question not in self._failed  # a resume researches those
            }
            if not wanted:
                break
            questions = [question for question in self._plan.syllabus.questions if question.key in wanted]
            again = await self._research(f":{number}", questions, wanted)
            findings |= {key: finding for key, finding in again.items() if key not in self._failed}
            searched = tuple(weak for weak in review.weak if weak.question in wanted or not weak.searches)
            filed = {key for keys in self._filed[-1].keys.values() for key in keys}
            rounds.append(ResearchRound(weak=searched, new_sources=len(filed)))
            if not filed:
                break
        failed = {key: self._failed[key] for key in self._plan.syllabus.keys if key in self._failed}
        return _Researched(findings, rounds, failed, self._model_failed, self._by_rules, reviews)

    async def _research(
        self, turn: str, questions: Sequence[Question], wanted: _Queries | None = None
    ) -> dict[str, Finding]:
        """The findings of this turn, of the questions that it filed records under; all in the first turn, which writes
        the searches itself. `turn` ends the names of its steps."""
        run = self._run
        if (queries := wanted) is None:
            written = await run.step("queries", _Written, partial(self._write_queries, questions))
            queries = {key: one.queries for key, one in written.items()}
            self._by_rules = {key: one.note for key, one in written.items() if one.note}
        found = await run.step(f"search{turn}", _Found, partial(self._search, questions, queries))
        filed = await run.step(f"file{turn}", FiledRecords, partial(self._file_records, questions, found))
        before, self._filed = self._filed, [*self._filed, filed]
        await run.step(f"check{turn}", type(None), partial(self._check, filed, before))
        changed = [question for question in questions if wanted is None or filed.keys[question.key]]
        return dict(await run.step(f"answer{turn}", dict[str, Finding], partial(self._answer, changed, turn)))

    async def _write_queries(self, questions: Sequence[Question]) -> _Written:
        async def write(question: Question) -> QuestionQueries:
            queries = await self._roles.query_writer.write_queries(question, self._plan)
            return QuestionQueries(queries=tuple(queries), note=self._roles.explain_rules(question.key))

        written = await self._each("queries", questions, QuestionQueries, write, lambda _: QuestionQueries())
        return {question.key: queries for question, queries in zip(questions, written, strict=True)}

    async def _search(self, questions: Sequence[Question], queries: _Queries) -> _Found:
        searcher = self._roles.searcher
        found = await searcher.search_side_by_side(queries)
        is_of_web = self._plan.research is not None and not self._plan.research.is_biomedical
        unsearched = is_of_web and all(database.name != WEB for database in searcher.databases)
        for question in questions:
            if unsearched:
                await log_unsearched(searcher, question, [WEB])
            elif not found[question.key]:
                asked = (database for query in queries[question.key] for database in query.databases)
                await log_unsearched(searcher, question, asked)
        return {key: tuple(map(tuple, keys)) for key, keys in found.items()}

    async def _file_records(self, questions: Sequence[Question], found: _Found) -> FiledRecords:
        """File the best records of each question, in the order of their identifiers."""
        before = {
            question.key: {key for filed in self._filed for key in filed.keys.get(question.key, ())}
            for question in questions
        }
        selections = await self._roles.selector.select(questions, found, self._plan, before)
        toolbox, collection = self._roles.toolbox(self._plan), self._run.crew.collection
        for key, filed in sorted(_group_by_record(selections).items()):
            hit, excerpt = filed[0][1]
            saved = await toolbox.save_source(
                hit.database, hit.external_id, hit.url, hit.title, [question for question, _ in filed], excerpt
            )
            if "error" in saved:
                await self._run.crew.journal.report("unsaved", f"{key} was not filed: {saved['error']}")
        await collection.record_exclusions(_find_excluded(selections))
        keys = {question: tuple(one.hit.key for one in selection.records) for question, selection in selections.items()}
        return FiledRecords(keys=keys)

    async def _check(self, filed: FiledRecords, before: Sequence[FiledRecords]) -> None:
        """Look up the new sources, and read the best of each question in full."""
        most = self._run.job.settings.research.pages_read
        best = [key for keys in filed.keys.values() for key in keys[:most]]
        checked = {key for one in before for keys in one.keys.values() for key in keys}
        await self._run.crew.checker.check(list(dict.fromkeys(best)), checked)

    async def _answer(self, questions: Sequence[Question], turn: str) -> dict[str, Finding]:
        crew, plan = self._run.crew, self._plan

        async def answer(question: Question) -> Finding:
            if question.key in self._failed:
                return self._make_gap(question)
            collected = await finalize_sources(crew.collection, question)
            draft = await crew.synthesizer.answer(collected, plan)
            checked = await check_answer(draft, collected.sources, crew.collection, self._run.job.settings.unsupported)
            shown = len(checked.all_statements)
            await crew.journal.report(
                "answer", f"{question.label}: {shown} statement{'s' * (shown != 1)}", question=question.key
            )
            return Finding(answer=checked, digest=await self._roles.digester.digest(question, checked, plan))

        findings = await self._each(f"answer{turn}", questions, Finding, answer, self._make_gap)
        return {question.key: finding for question, finding in zip(questions, findings, strict=True)}

    def _make_gap(self, question: Question) -> Finding:
        gap = f"It could not be researched: {self._failed[question.key]}"
        return Finding(answer=Answer(question=question.key, gaps=(gap,), cut_short=True))

    async def _each(
        self,
        name: str,
        questions: Sequence[Question],
        result: type[T],
        work: Callable[[Question], Awaitable[T]],
        make_gap: Callable[[Question], T],
    ) -> list[T]:
        """The results of the work on each question. Where it failed, that question has a gap, which is provisional, so
        that a resume tries again; the others go on."""

        async def work_or_leave_gap(question: Question) -> T | Provisional[T]:
            try:
                return await work(question)
            except StoreError:
                raise
            except StormError as exc:
                self._failed[question.key] = exc.message
                self._model_failed |= isinstance(exc, ModelError)
                await self._run.crew.journal.report("failed", f"{question.label}: {exc.message}", question=question.key)
                return Provisional(make_gap(question))

        return await self._run.each(
            name, questions, result, work_or_leave_gap, key=lambda q: q.key, inputs={"plan": self._plan},
            at_once=len(questions),
        )  # fmt: skip

    async def _review(self, findings: Mapping[str, Finding], earlier: Sequence[Review]) -> Review | Provisional[Review]:
        sources = await self._run.crew.collection.sources()

        async def review(roles: ResearchCrew) -> Review:
            return await roles.reflector.review(self._plan, list(findings.values()), sources, earlier)

        return await _make_or_rule(self._run, "A review of the answers", review)


def _roles_of(run: Run) -> ResearchCrew:
    if run.crew.research is None:
        raise StormError(
            "the crew has no roles for research", hint="give Crew.research: storm.modes.ResearchCrew has its parts"
        )
    return run.crew.research


async def _make_or_rule(run: Run, what: str, make: Callable[[ResearchCrew], Awaitable[N]]) -> N | Provisional[N]:
    """What the roles make; if a model fails, what rules make, which is provisional: a resume asks the model again."""
    roles = _roles_of(run)
    try:
        return await make(roles)
    except ModelError as exc:
        if roles.by_rules is None:
            raise
        await run.crew.journal.report("failed", f"{what}: {exc.message}")
        made = await make(roles.by_rules)
        note = planning_wording.MODEL_FAILED.format(message=exc.message)
        return Provisional(made.model_copy(update={"note": note}))


def _group_by_record(selections: Mapping[str, Selection]) -> dict[str, list[tuple[str, SelectedRecord]]]:
    """For each selected record, by its key, the questions that it answers."""
    filed: defaultdict[str, list[tuple[str, SelectedRecord]]] = defaultdict(list)
    for question, selection in selections.items():
        for record in selection.records:
            filed[record.hit.key].append((question, record))
    return filed


def _find_excluded(selections: Mapping[str, Selection]) -> dict[str, Exclusion]:
    """Why records were not filed under any question: the reason of the first that left them out."""
    excluded: dict[str, Exclusion] = {}
    for selection in reversed(list(selections.values())):
        excluded |= selection.excluded
    return excluded


async def _collect_tables(run: Run, plan: Plan, answers: Sequence[Answer]) -> Sequence[RecordTable]:
    """The tables of records with rows."""
    sources = await run.crew.collection.sources()
    approvals = at_a_glance(plan, sources).approvals
    tables = await asyncio.to_thread(collect_tables, plan.names, sources, answers, approvals, run.job.created.date())
    return [table for table in tables if table.rows]


async def _plan_outline(run: Run, plan: Plan, researched: _Researched) -> Outline | Provisional[Outline]:
    findings = list(researched.findings.values())
    tables = await _collect_tables(run, plan, [finding.answer for finding in findings])
    return await _make_or_rule(run, "The headings", lambda roles: roles.compiler.plan_outline(plan, findings, tables))


async def _write_sections(run: Run, plan: Plan, researched: _Researched, outline: Outline) -> tuple[ReportSection, ...]:
    """One section after the other, each knowing those before."""
    findings = list(researched.findings.values())
    written: list[ReportSection] = []

    async def write(part: OutlinePart, roles: ResearchCrew) -> ReportSection:
        return await roles.compiler.write_section(part, outline, plan, findings, tuple(written))

    for part in outline.parts:
        make = partial(_make_or_rule, run, part.heading, partial(write, part))
        section = await run.step(f"section:{part.anchor}", ReportSection, make, announce=False)
        written.append(section)
        await run.crew.journal.report("section", part.heading, len(written) / len(outline.parts))
    return tuple(written)


async def _compile_report(
    run: Run, plan: Plan, researched: _Researched, outline: Outline, sections: Sequence[ReportSection]
) -> Dossier:
    research = Research(
        asked=run.job.request.text,
        title=outline.title,
        plan=plan.research or ResearchPlan(),
        settings=run.job.settings.research,
        rounds=tuple(researched.rounds),
        sections=tuple(sections),
        failed=dict(researched.failed),
        outline_note=outline.note,
    )
    answers = [researched.findings[key].answer for key in plan.syllabus.keys]
    is_unsure = run.is_provisional and not researched.failed  # an outline, section or review by rules
    stopped = StopReason.MODEL_ERROR if researched.model_failed or is_unsure else StopReason.COMPLETE
    remarks = describe_rules(plan, researched.searches_by_rules, researched.reviews, outline, sections)
    return await compile_job(run, plan, stopped, answers, research=research, remarks=tuple(remarks))
