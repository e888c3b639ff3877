"""The sources, citations and seen hits of one job."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from storm.errors import ToolError
from storm.models import (
    Citation,
    CollectionProgress,
    DraftCitation,
    Exclusion,
    Refiled,
    Registered,
    Saved,
    Subject,
    database_label,
)
from storm.models.relation import STUDIED
from storm.store.client import JobScripts, LeaseState, StoreClient
from storm.store.entries import make_citation, read_citation
from storm.store.events import shorten_message
from storm.store.faults import damage_error, reject_malformed_value, reject_undecodable_reply
from storm.store.hits import (
    describe_works,
    find_work_key,
    find_work_records,
    merge_work,
    pack_hits,
    split_chunks,
    strongest_identifier,
    unpack_records,
)
from storm.store.pipelining import Command, read_ahead
from storm.store.sources import make_listed_source, make_source

if TYPE_CHECKING:
    from storm.models import Hit, ListedSource, Source


#: Sources without their texts in one call.
_SOURCES_PER_CALL = 500
_UNREADABLE_HIT = "a record among its hits cannot be read"


class SourceCollector:
    """The collection of one job (ports.Collection); without a lease it only reads.

    `report` gets the number of sources of each question after each save.
    """

    def __init__(
        self,
        store: StoreClient,
        job_id: str,
        lease: LeaseState | None,
        report: Callable[[Mapping[str, int]], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._scripts = JobScripts(store, job_id, lease)
        self._keys = self._scripts.keys
        self._report = report

    async def set_questions(self, keys: Sequence[str]) -> None:
        """Set the questions under which sources can be filed; StepMismatch if some are filed under others."""
        await self._scripts.set_questions(keys)

    async def record_hits(self, hits: Sequence[Hit], *, carried: bool = False) -> None:
        """Store web pages fetched in full, or records of another job that are `carried` over. Records of one work are
        merged into one hit, and its sources into one; one that this job finds replaces a carried record."""
        for chunk in pack_hits(hits, provisional=carried):
            await self._scripts.cache_progress(await self._scripts.run_write("record_hits", self._format_now(), *chunk))

    async def find_hit(self, identifiers: Sequence[str]) -> Hit | None:
        """The seen hit of the first of these canonical identifiers that has one, or None."""
        return next((hit for hit in await self.find_hits(identifiers) if hit), None)

    async def find_hits(self, identifiers: Sequence[str]) -> Sequence[Hit | None]:
        """The seen hit of each of these canonical identifiers, or None, in few round trips."""
        found: list[Hit | None] = []
        for chunk in split_chunks(identifiers):
            lines = await self._read_hits("find_records", chunk)
            with reject_malformed_value(self._keys.job_id, _UNREADABLE_HIT):
                found += [merge_work(unpack_records(text), key) for key, text in zip(chunk, lines, strict=True)]
        return found

    async def find_records(self, identifiers: Sequence[str]) -> Sequence[Sequence[Hit]]:
        """The records of the work of each of these identifiers, as each database gave them; empty if none was seen."""
        found: list[Sequence[Hit]] = []
        for chunk in split_chunks(identifiers):
            lines = await self._read_hits("find_records", chunk)
            with reject_malformed_value(self._keys.job_id, _UNREADABLE_HIT):
                found += [find_work_records(unpack_records(text), key) for key, text in zip(chunk, lines, strict=True)]
        return found

    async def find_saved(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """The source id of each of these canonical identifiers that belongs to a source."""
        saved: dict[str, str] = {}
        for chunk in split_chunks(identifiers):
            sources = await self._read(partial(_hmget, self._keys.identifiers, chunk))
            saved |= {key: source for key, source in zip(chunk, sources, strict=True) if source}
        return saved

    async def find_works(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """The canonical key of the work of each of these identifiers; an unknown identifier is its own."""
        works: dict[str, str] = {}
        for chunk in split_chunks(identifiers):
            lines = await self._read_hits("find_record_headers", chunk)
            with reject_malformed_value(self._keys.job_id, _UNREADABLE_HIT):
                works |= {key: find_work_key(text, key) for key, text in zip(chunk, lines, strict=True)}
        return works

    async def find_titles(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """The title of the work of each of these identifiers of which a record was seen, read without the texts."""
        titles: dict[str, str] = {}
        for chunk in split_chunks(identifiers):
            lines = await self._read_hits("find_record_summaries", chunk)
            with reject_malformed_value(self._keys.job_id, _UNREADABLE_HIT):
                works = {key: merge_work(unpack_records(text), key) for key, text in zip(chunk, lines, strict=True)}
                titles |= {key: work.title for key, work in works.items() if work}
        return titles

    async def record_exclusions(self, reasons: Mapping[str, Exclusion]) -> None:
        """Record why found records were not kept; a later reason of the same record replaces the first."""
        for chunk in split_chunks(list(reasons.items())):
            await self._scripts.run_write("record_exclusions", *(part for pair in chunk for part in pair))

    async def exclusions(self) -> Mapping[str, Exclusion]:
        """Why found records were not kept, by identifier; the entry of a record that was saved all the same is left
        out."""
        stored = await self._read(lambda redis: redis.hgetall(self._keys.exclusions))
        saved = await self.find_saved(sorted(stored))
        with reject_malformed_value(self._keys.job_id):
            return {key: Exclusion(stored[key]) for key in sorted(stored) if key not in saved}

    async def seen_identifiers(self) -> Sequence[str]:
        """All canonical identifiers of seen hits, sorted."""
        return sorted(await self._read(lambda redis: redis.hkeys(self._keys.hits)))

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

        A source whose subject is not evidence on the drug counts for no question. A draft whose quote equals its claim
        adds nothing to a source that is already cited: its first citation is returned. ToolError if the hit was not
        seen, a question is unknown, or the citation is unknown or belongs to another source.
        """
        wanted = list(dict.fromkeys(questions))
        if not wanted:
            valid = ", ".join(await self._scripts.read_questions())
            raise ToolError(f"no question was named; valid are {valid}")
        request = {
            "identifiers": hit.identifiers,
            "questions": wanted,
            "record": {
                "database": hit.database, "external_id": hit.external_id, "title": hit.title, "url": hit.url,
            },
            "label": shorten_message(f"{database_label(hit.database)}: {hit.title}"),
            "relation": subject.relation,
            "relation_kind": subject.kind,
            "counted": subject.kind.is_evidence,
            "note": note,
            **({"carried": True} if carried else {}),
            **(
                {"citation_id": citation} if isinstance(citation, str)
                else {"citation": make_citation(hit.key, citation)}
            ),
        }  # fmt: skip
        source_id, number, created, cited, existed, *progress = await self._scripts.run_write(
            "save_source", self._format_now(), _to_json(request)
        )
        counts = (await self._scripts.cache_progress(progress)).counts
        if self._report:
            await self._report(counts)
        return Saved(
            source_id=source_id,
            number=number,
            created=bool(created),
            assigned_to=tuple(wanted),
            citation_id=cited,
            citation_existed=bool(existed),
            counts=counts,
        )

    async def refile(self, source_id: str, questions: Sequence[str], why: str = "") -> Refiled:
        """File a source under these questions and no others, atomically; without questions it is dropped: it is no
        source any more, and its citations wait for it.

        Dropping a source again changes nothing. ToolError if there is no such source, or a question is unknown.
        """
        wanted = list(dict.fromkeys(questions))
        request = {"source_id": source_id, "questions": wanted, "why": shorten_message(why)}
        found, *progress = await self._scripts.run_write("refile_source", self._format_now(), _to_json(request))
        counts = (await self._scripts.cache_progress(progress)).counts
        if self._report:
            await self._report(counts)
        return Refiled(source_id=found, counts=counts)

    async def register(self, hit: Hit, citation: DraftCitation) -> Registered:
        """Register a citation of a seen hit, once; its `source_id` is empty until its source is saved."""
        request = {"identifiers": hit.identifiers, "citation": make_citation(hit.key, citation)}
        text, existed = await self._scripts.run_write("register_citation", _to_json(request))
        with reject_malformed_value(self._keys.job_id):
            return Registered(read_citation(text), bool(existed))

    async def citation(self, citation_id: str) -> Citation | None:
        """The registered citation, or None."""
        text = await self._read(lambda redis: redis.hget(self._keys.citations, citation_id))
        with reject_malformed_value(self._keys.job_id):
            return read_citation(text) if text else None

    async def progress(self) -> CollectionProgress:
        """Sources per question, and the databases that their records come from. The lease's holder knows them from its
        last write."""
        return await self._scripts.read_progress()

    async def load_sources(self) -> Sequence[Source]:
        """All sources by number, each described by its current records."""
        return tuple([source async for source in self.iter_sources()])

    async def iter_sources(self, question: str = "") -> AsyncIterator[Source]:
        """The sources of a question, or all, by number; only a few hundred are in memory."""
        positions = await self._question_positions()
        names = await self._list_source_ids(question)
        async for stored, hits in read_ahead(partial(self._read_chunk, chunk) for chunk in split_chunks(names)):
            for fields, hit in zip(stored, hits, strict=True):
                yield self._make_source(fields, hit, positions)

    async def iter_source_summaries(self) -> AsyncIterator[Sequence[ListedSource]]:
        """All sources by number, without their texts, in chunks."""
        positions = await self._question_positions()
        last = await self._read(lambda redis: redis.hget(self._keys.metadata, "last_number"))
        with reject_malformed_value(self._keys.job_id):
            numbers = range(1, int(last or 0) + 1, _SOURCES_PER_CALL)
        async for pairs in read_ahead(partial(self._read_listing, number) for number in numbers):
            with reject_malformed_value(self._keys.job_id, _UNREADABLE_HIT):
                stored = from_json(f"[{','.join(pairs[::2])}]")  # twice as fast as one by one
                works = describe_works(pairs[1::2], [fields["identifiers"] for fields in stored])
                listed = [make_listed_source(fields, hit, positions) for fields, hit in zip(stored, works, strict=True)]
            yield listed

    async def _list_source_ids(self, question: str) -> Sequence[str]:
        """The ids of a question's sources, or of all sources, by number."""
        keys = self._keys
        if question:
            names = await self._read(lambda redis: redis.zrange(keys.question(question), 0, -1))
        else:
            names = await self._read(lambda redis: redis.hkeys(keys.sources))
        return sorted(names, key=lambda name: (len(name), name))

    async def _read_chunk(self, names: Sequence[str]) -> tuple[list[Any], Sequence[Hit | None]]:
        """The stored fields and hits of these sources; those merged into another meanwhile are left out."""
        texts = await self._read(partial(_hmget, self._keys.sources, names))
        with reject_malformed_value(self._keys.job_id):
            stored = [from_json(text) for text in texts if text]
            identifiers = [strongest_identifier(fields["identifiers"]) for fields in stored]
        return stored, await self.find_hits(identifiers)

    async def _read_listing(self, first: int) -> Sequence[str]:
        keys = (self._keys.sources, self._keys.hits)
        with reject_undecodable_reply(self._keys.job_id):
            found: Sequence[str] = await self._store.run_script(
                "list_sources", keys, (first, first + _SOURCES_PER_CALL - 1), pipelined=False
            )
        return found

    async def _read_hits(self, script: str, identifiers: Sequence[str]) -> Sequence[str]:
        """What the script finds among the hits for each of these identifiers."""
        with reject_undecodable_reply(self._keys.job_id, _UNREADABLE_HIT):
            found: Sequence[str] = await self._store.run_script(script, (self._keys.hits,), identifiers)
        return found

    async def _read(self, command: Command) -> Any:
        """The reply to a command that reads the job's keys; CollectionDamaged if it is not text."""
        with reject_undecodable_reply(self._keys.job_id):
            return await self._store.run_command(command)

    async def find_source(self, source_id: str) -> Source | None:
        """The source of that id, or of an id that it had before sources were merged; None if there is none."""
        damage, keys = f"the record of {source_id} cannot be read", (self._keys.sources, self._keys.hits)
        with reject_undecodable_reply(self._keys.job_id, damage):
            text, lines = await self._store.run_script("find_source", keys, (source_id,))
        if not text:
            return None
        with reject_malformed_value(self._keys.job_id, damage):
            fields = json.loads(text)
            hit = merge_work(unpack_records(lines), strongest_identifier(fields["identifiers"]))
        return self._make_source(fields, hit, await self._question_positions())

    def _make_source(self, fields: Mapping[str, Any], hit: Hit | None, positions: Mapping[str, int]) -> Source:
        """The source; CollectionDamaged if its hit was lost, or its fields are not what storm wrote."""
        if hit is None:
            raise damage_error(self._keys.job_id, ["a source has no record among the hits"])
        with reject_malformed_value(self._keys.job_id):
            return make_source(fields, hit, positions)

    async def _question_positions(self) -> Mapping[str, int]:
        return {question: n for n, question in enumerate(await self._scripts.read_questions())}

    async def citations(self) -> Sequence[Citation]:
        """All citations, by id."""
        texts = await self._read(lambda redis: redis.hvals(self._keys.citations))
        with reject_malformed_value(self._keys.job_id):
            found = [read_citation(text) for text in texts]
        return sorted(found, key=lambda citation: citation.citation_id)

    async def find_citations(self, citation_ids: Sequence[str]) -> Sequence[Citation]:
        """The citations of these ids, in the order of the ids."""
        found: list[Citation] = []
        for chunk in split_chunks(citation_ids):
            texts = await self._read(partial(_hmget, self._keys.citations, chunk))
            with reject_malformed_value(self._keys.job_id):
                found += [read_citation(text) for text in texts if text]
        return found

    def _format_now(self) -> str:
        return self._store.clock().isoformat()


def _hmget(key: str, fields: Sequence[str], redis: Any) -> Any:
    return redis.hmget(key, fields)


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
