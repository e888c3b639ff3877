"""What the store offers of one job, and who takes its events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pydantic import JsonValue

from storm.models import AGENT, Event
from storm.models.relation import STUDIED

if TYPE_CHECKING:
    from storm.models import (
        Citation,
        CollectionProgress,
        DraftCitation,
        Exclusion,
        Hit,
        ListedSource,
        PaidReply,
        Refiled,
        Registered,
        Saved,
        SearchRecord,
        Source,
        Spending,
        SpentSoFar,
        StageRange,
        Step,
        Subject,
    )


class Collection(Protocol):
    """One job's sources, citations and recorded hits; every write needs the job's lease and is atomic, large sets of
    hits chunk by chunk."""

    async def set_questions(self, keys: Sequence[str]) -> None:
        """Which questions sources can be filed under, once they are planned; StepMismatch if some are filed under
        others."""
        ...

    async def record_hits(self, hits: Sequence[Hit], *, carried: bool = False) -> None:
        """Record hits that did not come from a search (web pages fetched in full); only recorded hits can be saved. Two
        records of one work are merged into one hit; one `carried` over from another job yields to one found now."""
        ...

    async def find_hit(self, identifiers: Sequence[str]) -> Hit | None:
        """The seen hit with the first of these canonical identifiers that is known, or None."""
        ...

    async def find_hits(self, identifiers: Sequence[str]) -> Sequence[Hit | None]:
        """The seen hit of each of these canonical identifiers, or None, in few round trips."""
        ...

    async def find_records(self, identifiers: Sequence[str]) -> Sequence[Sequence[Hit]]:
        """The records of the work of each of these identifiers, as each database gave them."""
        ...

    async def find_saved(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """The source id of each of these canonical identifiers that belongs to a source."""
        ...

    async def find_works(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """The canonical key of the work of each of these identifiers; an unknown identifier is its own."""
        ...

    async def find_titles(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """The title of the work of each of these identifiers of which a record was seen."""
        ...

    async def record_exclusions(self, reasons: Mapping[str, Exclusion]) -> None:
        """Record why found records were not kept, by identifier; a later reason replaces the first."""
        ...

    async def exclusions(self) -> Mapping[str, Exclusion]:
        """Why found records were not kept, by identifier, without those that were saved all the same."""
        ...

    async def seen_identifiers(self) -> Sequence[str]:
        """All canonical identifiers of seen hits."""
        ...

    async def save(
        self,
        hit: Hit,
        questions: Sequence[str],
        citation: DraftCitation | str,
        subject: Subject = STUDIED,
        note: str = "",
        *,
        carried: bool = False,
    ) -> Saved:
        """File a seen hit under questions with a citation (a draft, or the id of a registered one), atomically.

        A hit whose subject is not evidence on the drug is not counted. A `carried` one was a source of another job.
        """
        ...

    async def refile(self, source_id: str, questions: Sequence[str], why: str = "") -> Refiled:
        """File a source under these questions and no others; without any it is dropped, and its citations wait."""
        ...

    async def register(self, hit: Hit, citation: DraftCitation) -> Registered:
        """Register a citation of a seen hit once; this may precede saving its source."""
        ...

    async def citation(self, citation_id: str) -> Citation | None:
        """The registered citation, or None."""
        ...

    async def progress(self) -> CollectionProgress:
        """Counts per question, in at most one round trip."""
        ...

    async def load_sources(self) -> Sequence[Source]:
        """All sources by number."""
        ...

    def iter_source_summaries(self) -> AsyncIterator[Sequence[ListedSource]]:
        """All sources by number, without their texts, in chunks."""
        ...

    def iter_sources(self, question: str = "") -> AsyncIterator[Source]:
        """The sources of a question, or all, by number, loaded a few at a time."""
        ...

    async def find_source(self, source_id: str) -> Source | None:
        """The source of that id, also under an id from before a merge; None if there is none."""
        ...

    async def citations(self) -> Sequence[Citation]:
        """All citations, by id."""
        ...

    async def find_citations(self, citation_ids: Sequence[str]) -> Sequence[Citation]:
        """The citations of these ids, in their order."""
        ...


class Journal(Protocol):
    """What a job has done and does not repeat."""

    async def searches(self) -> Sequence[SearchRecord]:
        """The search log, in the order of first completion."""
        ...

    async def log_search(self, record: SearchRecord, hits: Sequence[Hit] = (), seconds: float | None = None) -> bool:
        """Record the hits of a search, log and report it; False if it was logged. A success replaces a failure.
        `seconds` is how long it took."""
        ...

    async def steps(self, agent: str = AGENT) -> Sequence[Step]:
        """The steps of the job's agent of this name, in order."""
        ...

    async def log_step(self, step: Step) -> bool:
        """Log an agent step; False if its agent already has one of that number."""
        ...

    async def count_steps(self) -> Mapping[str, int]:
        """How many steps each agent of the job has taken, by its name."""
        ...

    async def find_stage(self, name: str) -> str | None:
        """What `finish_stage` stored under that name, as JSON, or None."""
        ...

    async def stage_versions(self) -> Mapping[str, int]:
        """The names under which `finish_stage` stored something, each with the version of the mode that made it; 0 if
        that was not recorded yet."""
        ...

    async def finish_stage(self, name: str, artefact: str, inputs: str = "", mode_version: int = 0) -> None:
        """Store the artefact of a stage or of a part of one, with digests of its inputs and the version of the mode; it
        is not made again."""
        ...

    async def log_spending(self, spending: Spending, seconds: float, reply: PaidReply | None = None) -> None:
        """Store what a role has spent on a question so far, the seconds that count towards the time limit, and the
        paid reply, atomically."""
        ...

    async def replies(self) -> Sequence[PaidReply]:
        """The replies of the job's models, in order."""
        ...

    async def spending(self) -> SpentSoFar:
        """What the job's models have spent so far, by role and question."""
        ...

    async def begin_stage(self, name: str, part_of_job: StageRange) -> None:
        """Report that a stage begins, and which share of the job it is."""
        ...

    async def report(self, kind: str, message: str, part: float = 0.0, /, **data: JsonValue) -> None:
        """Report an event to the job's stream and to the sinks of the process that holds it. `part` is how much of the
        stage is done, from 0 to 1."""
        ...

    async def report_detail(self, kind: str, message: str, /, **data: JsonValue) -> None:
        """Report an event to the recorders of the process that holds the job alone: neither the job's stream nor an
        observer gets it."""
        ...

    async def report_state(self, **state: JsonValue) -> None:
        """Report to recorders what is known by now, by name: of each name the last value is kept in the trace's state.

        await journal.report_state(checklist=[{"id": "1", "satisfied": True}])
        """
        ...


@runtime_checkable
class EventSink(Protocol):
    """Takes the events of a job beside its stream in the store: an observer, a recorder.

        class Printer:
            async def write(self, event: storm.Event) -> None:
                print(event.message)

        storm.run("trastuzumab", on_event=Printer())

    Each is given when the store has it, one at a time. The job waits for `write`; an error that it raises is logged and
    written in the stream, and the job goes on without that sink.
    """

    async def write(self, event: Event) -> None: ...


@runtime_checkable
class DetailSink(EventSink, Protocol):
    """An EventSink that also takes details: each call of a model (`call`), and the state of the mode (`state`)."""

    async def write_detail(self, event: Event) -> None: ...


#: A function that is called with each event, under the rules of EventSink.
Observer = Callable[[Event], object]
