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
    """The records that one turn filed: their keys by question, best first; and the number of sources after it."""

    keys: dict[str, tuple[str, ...]]
    total: int


class _Researched(NamedTuple):
    """What all rounds found out; `failed` says why the research of a question failed, and `searches_by_rules` why rules
    wrote those of a question where a model was to."""

    findings: Mapping[str, Finding]
    rounds: Sequence[ResearchRound]
    failed: Mapping[str, str]
    searches_by_rules: Mapping[str, str]
    reviews: Sequence[Review]


async def write_report(run: Run) -> Dossier:
    """The job's report: the dossier of a drug, or a ResearchReport. What fails for one question leaves a gap in its
    answer; if a model failed there, the later steps are not stored, and a resume goes on from that question."""
    plan = await make_plan(run)
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
            *_, before, after = self._filed
            rounds.append(ResearchRound(weak=review.weak, new_sources=after.total - before.total))
            if not any(after.keys.values()):
                break
        return _Researched(findings, rounds, self._failed, self._by_rules, reviews)

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
        """Run all searches at once; a search that several questions share is that of the first."""
        searcher = self._roles.searcher
        taken: set[SearchQuery] = set()
        first: _Queries = {}
        for question in questions:
            first[question.key] = tuple(query for query in queries[question.key] if query not in taken)
            taken.update(first[question.key])
        try:
            async with asyncio.TaskGroup() as group:
                for key, own in first.items():
                    group.create_task(searcher.search({key: own}))
        except ExceptionGroup as faults:  # of the store: a search that failed has an outcome
            raise faults.exceptions[0] from None
        found = await searcher.search(queries)  # from the log
        for question in questions:
            if not found[question.key]:
                asked = (database for query in queries[question.key] for database in query.databases)
                await log_unsearched(searcher, question, asked)
        return {key: tuple(map(tuple, keys)) for key, keys in found.items()}

    async def _file_records(self, questions: Sequence[Question], found: _Found) -> FiledRecords:
        """File the best records of each question, in the order of their identifiers."""
        selections = [(question.key, await self._select(question, found)) for question in questions]
        toolbox, collection = self._roles.toolbox(self._plan), self._run.crew.collection
        for key, filed in sorted(_group_by_record(selections).items()):
            hit, excerpt = filed[0][1]
            saved = await toolbox.save_source(
                hit.database, hit.external_id, hit.url, hit.title, [question for question, _ in filed], excerpt
            )
            if "error" in saved:
                await self._run.crew.journal.report("unsaved", f"{key} was not filed: {saved['error']}")
        await collection.record_exclusions(_find_excluded(selections))
        keys = {question: tuple(one.hit.key for one in selection.records) for question, selection in selections}
        return FiledRecords(keys=keys, total=(await collection.progress()).total)

    async def _select(self, question: Question, found: _Found) -> Selection:
        """The records to file under the question: of its own searches, and of those of the others."""
        before = {key for filed in self._filed for key in filed.keys.get(question.key, ())}
        others = [
            key for other, searches in found.items() if other != question.key for keys in searches for key in keys
        ]
        return await self._roles.selector.select(question, found[question.key], self._plan, before, others)

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


def _group_by_record(selections: Sequence[tuple[str, Selection]]) -> dict[str, list[tuple[str, SelectedRecord]]]:
    """For each selected record, by its key, the questions that it answers."""
    filed: defaultdict[str, list[tuple[str, SelectedRecord]]] = defaultdict(list)
    for question, selection in selections:
        for record in selection.records:
            filed[record.hit.key].append((question, record))
    return filed


def _find_excluded(selections: Sequence[tuple[str, Selection]]) -> dict[str, Exclusion]:
    """Why records were not filed under any question: the reason of the first that left them out."""
    excluded: dict[str, Exclusion] = {}
    for _, selection in reversed(selections):
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
    stopped = StopReason.MODEL_ERROR if run.is_provisional and run.crew.by_model else StopReason.COMPLETE
    remarks = describe_rules(plan, researched.searches_by_rules, researched.reviews, outline, sections)
    return await compile_job(run, plan, stopped, answers, research=research, remarks=tuple(remarks))
