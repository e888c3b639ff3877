"""The research of a job's questions, in rounds: search, file, look up, answer.

Every question is searched before any record is filed, and all are filed before any is answered: what two searches find
becomes one source, and the result does not depend on which of them was faster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from storm import wording
from storm.errors import ModelError, StoreError, StormError
from storm.extractive.unsearched import log_unsearched, log_web_unsearched
from storm.models import Answer, Exclusion, Finding, Plan, Question, SearchQuery
from storm.models.base import Frozen
from storm.models.research import QuestionQueries
from storm.models.search import WEB
from storm.modes.answer_check import check_answer
from storm.modes.fallback import roles_of
from storm.modes.run import Provisional, Run
from storm.roles import SelectedRecord, Selection
from storm.tools import finalize_sources

T = TypeVar("T")

#: By question: its searches as they were written, and as they are run; the keys of the records that each search found.
_Written = dict[str, QuestionQueries]
_Queries = dict[str, tuple[SearchQuery, ...]]
_Found = dict[str, tuple[tuple[str, ...], ...]]


class FiledRecords(Frozen):
    """The records that one round filed: their keys by question, best first."""

    keys: dict[str, tuple[str, ...]]

    def list_keys(self) -> set[str]:
        """The keys of all records."""
        return {key for keys in self.keys.values() for key in keys}


class QuestionResearch:
    """Searches, files and answers the questions of one job, in rounds."""

    def __init__(self, run: Run, plan: Plan) -> None:
        self._run = run
        self._plan = plan
        self._roles = roles_of(run)
        self.failed: dict[str, str] = {}
        self.model_failed = False
        self.searches_by_rules: dict[str, str] = {}
        self._filed: list[FiledRecords] = []
        #: The searches of the last round, by question, and how many records they found.
        self.searches: _Queries = {}
        self.results = 0

    @property
    def gaps(self) -> dict[str, str]:
        """Why the research of questions failed, in the order of the plan."""
        return {key: self.failed[key] for key in self._plan.syllabus.keys if key in self.failed}

    @property
    def newly_filed(self) -> int:
        """How many sources the last round filed, including those that an earlier one filed under another question."""
        return len(self._filed[-1].list_keys()) if self._filed else 0

    @property
    def new_sources(self) -> int:
        """How many sources the last round added."""
        before = {key for one in self._filed[:-1] for key in one.list_keys()}
        return len(self._filed[-1].list_keys() - before) if self._filed else 0

    async def research(
        self, suffix: str, questions: Sequence[Question], wanted: _Queries | None = None
    ) -> dict[str, Finding]:
        """Run one round. Returns the findings of the questions under which it filed records; the first round, for which
        no searches are `wanted`, writes the searches and answers all questions. `suffix` is added to the names of its
        steps (`search:2`)."""
        run, inputs = self._run, {"plan": self._plan}
        if (queries := wanted) is None:
            written = await run.step("queries", _Written, partial(self._write_queries, questions), inputs=inputs)
            queries = {key: one.queries for key, one in written.items()}
            self.searches_by_rules = {key: one.note for key, one in written.items() if one.note}
        search = partial(self._search, questions, queries)
        found = await run.step(f"search{suffix}", _Found, search, inputs=inputs | {"searches": queries})
        self.searches = queries
        self.results = len({key for searches in found.values() for keys in searches for key in keys})
        file_records = partial(self._file_records, questions, found)
        filed = await run.step(f"file{suffix}", FiledRecords, file_records, inputs=inputs | {"results": found})
        before, self._filed = self._filed, [*self._filed, filed]
        check = partial(self._check, filed, before)
        await run.step(f"check{suffix}", type(None), check, inputs=inputs | {"filed records": filed})
        changed = [question for question in questions if wanted is None or filed.keys[question.key]]
        answer = partial(self._answer, changed, suffix)
        return dict(await run.step(f"answer{suffix}", dict[str, Finding], answer, inputs=inputs))

    async def _write_queries(self, questions: Sequence[Question]) -> _Written:
        async def write(question: Question) -> QuestionQueries:
            queries = await self._roles.query_writer.write_queries(question, self._plan.of_question(question))
            return QuestionQueries(queries=tuple(queries), note=self._roles.explain_rules(question.key))

        written = await self._each("queries", questions, QuestionQueries, write, lambda _: QuestionQueries())
        return {question.key: queries for question, queries in zip(questions, written, strict=True)}

    async def _search(self, questions: Sequence[Question], queries: _Queries) -> _Found:
        searcher = self._roles.searcher
        found = await searcher.search_side_by_side(queries)
        is_offline = self._run.job.request.offline  # there the web is left out on purpose, which is not a failure
        is_of_web = self._plan.research is not None and not self._plan.research.is_biomedical
        unsearched = is_of_web and all(database.name != WEB for database in searcher.databases)
        for question in questions:
            asked = dict.fromkeys(database for query in queries[question.key] for database in query.databases)
            is_searched = bool(found[question.key] or self._filed)  # now, or in an earlier round
            lacks_web = unsearched or self._is_unsearchable(WEB, queries[question.key])
            if lacks_web and (is_offline or (is_searched and not unsearched)):
                await log_web_unsearched(searcher, question, once=is_searched)
                asked.pop(WEB, None)
            elif unsearched:
                await log_unsearched(searcher, question, [WEB])
            if not (unsearched or found[question.key]):
                await log_unsearched(searcher, question, asked)
        return {key: tuple(map(tuple, keys)) for key, keys in found.items()}

    def _is_unsearchable(self, name: str, queries: Sequence[SearchQuery]) -> bool:
        """Whether there are searches for that database, and none that the job searches takes them."""
        own = [query for query in queries if query.databases == (name,)]
        databases = self._roles.searcher.databases
        return bool(own) and not any(database.narrow_query(query) for database in databases for query in own)

    async def _file_records(self, questions: Sequence[Question], found: _Found) -> FiledRecords:
        """File the best records of each question, in the order of their identifiers."""
        number = wording.format_large_count(self.results, "result")
        await self._run.crew.journal.report("results", f"Processing {number}", results=self.results)
        before = {
            question.key: {key for filed in self._filed for key in filed.keys.get(question.key, ())}
            for question in questions
        }
        selections: dict[str, Selection] = {}
        for alike in _group_by_names(questions):
            plan = self._plan.of_question(alike[0])
            selected = await self._roles.selector.select(alike, found, plan, before)
            unsaved = await self._save_sources(selected, plan)
            selections |= {
                key: one._replace(records=[record for record in one.records if record.hit.key not in unsaved])
                for key, one in selected.items()
            }
        await self._run.crew.collection.record_exclusions(_find_excluded(selections))
        keys = {question: tuple(one.hit.key for one in selection.records) for question, selection in selections.items()}
        return FiledRecords(keys=keys)

    async def _save_sources(self, selections: Mapping[str, Selection], plan: Plan) -> set[str]:
        """Save the records as sources of their questions; returns the keys of those that could not be saved."""
        toolbox, unsaved = self._roles.toolbox(plan), set[str]()
        for key, filed in sorted(_group_by_record(selections).items()):
            hit, excerpt = filed[0][1]
            saved = await toolbox.save_source(
                hit.database, hit.external_id, hit.url, hit.title, [question for question, _ in filed], excerpt
            )
            if "error" in saved:
                unsaved.add(key)
                await self._run.crew.journal.report("unsaved", f"{key} was not filed: {saved['error']}")
        return unsaved

    async def _check(self, filed: FiledRecords, before: Sequence[FiledRecords]) -> None:
        """Look up the new sources, and read the best of each question in full while there is time."""
        most = 0 if self._run.crew.is_out_of_time() else self._run.job.settings.research.pages_read
        best = [key for keys in filed.keys.values() for key in keys[:most]]
        checked = {key for one in before for keys in one.keys.values() for key in keys}
        await self._run.crew.checker.check(list(dict.fromkeys(best)), checked)

    async def _answer(self, questions: Sequence[Question], suffix: str) -> dict[str, Finding]:
        crew, plan = self._run.crew, self._plan

        async def answer(question: Question) -> Finding:
            if question.key in self.failed:
                return self._make_gap(question)
            collected = await finalize_sources(crew.collection, question)
            draft = await crew.synthesizer.answer(collected, plan.of_question(question))
            checked = await check_answer(draft, collected.sources, crew.collection, self._run.job.settings.unsupported)
            shown = len(checked.all_statements)
            await crew.journal.report(
                "answer", f"{question.label}: {shown} statement{'s' * (shown != 1)}", question=question.key
            )
            return Finding(
                answer=checked, digest=await self._roles.digester.digest(question, checked, plan.of_question(question))
            )

        findings = await self._each(f"answer{suffix}", questions, Finding, answer, self._make_gap)
        return {question.key: finding for question, finding in zip(questions, findings, strict=True)}

    def _make_gap(self, question: Question) -> Finding:
        gap = f"It could not be researched: {self.failed[question.key]}"
        return Finding(answer=Answer(question=question.key, gaps=(gap,), cut_short=True))

    async def _each(
        self,
        name: str,
        questions: Sequence[Question],
        result: type[T],
        work: Callable[[Question], Awaitable[T]],
        make_gap: Callable[[Question], T],
    ) -> list[T]:
        """The results of the work on each question. A question whose work failed gets a gap, which is provisional: a
        resume tries again. The others go on."""

        async def work_or_leave_gap(question: Question) -> T | Provisional[T]:
            try:
                return await work(question)
            except StoreError:
                raise
            except StormError as exc:
                self.failed[question.key] = exc.message
                self.model_failed |= isinstance(exc, ModelError)
                await self._run.crew.journal.report("failed", f"{question.label}: {exc.message}", question=question.key)
                return Provisional(make_gap(question))

        return await self._run.each(
            name, questions, result, work_or_leave_gap, key=lambda q: q.key, inputs={"plan": self._plan},
            at_once=len(questions),
        )  # fmt: skip


def _group_by_names(questions: Sequence[Question]) -> Sequence[Sequence[Question]]:
    """The questions on the drug, and those on each other subject."""
    groups: dict[tuple[str, ...], list[Question]] = {}
    for question in questions:
        groups.setdefault(question.names, []).append(question)
    return list(groups.values())


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
