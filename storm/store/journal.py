"""The journal of a job: finished work that a resume does not repeat, and events for watchers."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from storm.models import (
    AGENT,
    Event,
    Holds,
    PaidReply,
    SearchRecord,
    Spending,
    SpentSoFar,
    StageRange,
    Step,
    database_info,
)
from storm.store.client import JobScripts, LeaseState, StoreClient
from storm.store.entries import fingerprint_result
from storm.store.events import read_event, shorten_message
from storm.store.faults import reject_malformed_value, reject_undecodable_reply
from storm.store.hits import WrittenHits, pack_hits
from storm.store.holder import is_alive
from storm.store.keys import MADE, STEPS, agent_of, steps_field

if TYPE_CHECKING:
    from storm.models import Hit

#: Milliseconds that one read of the event stream blocks; must be shorter than the client's timeout.
_BLOCK_MS = 2000
#: Fields of a search that its event reports, beside the number of hits.
_REPORTED = {"database", "query", "question", "status", "total", "reason"}
_UNREADABLE_EVENT = "its events cannot be read"


class JobJournal:
    """The journal of one job (ports.Journal); without a lease it only reads."""

    def __init__(self, store: StoreClient, job_id: str, lease: LeaseState | None) -> None:
        self._store = store
        self._scripts = JobScripts(store, job_id, lease)
        self._keys = self._scripts.keys
        self._stage = StageRange()
        self._written = WrittenHits()

    async def searches(self) -> Sequence[SearchRecord]:
        """The search log, each (database, query) once, in the order of first completion; a success replaces a failure,
        and a failure no success."""
        kept: dict[tuple[str, str], SearchRecord] = {}
        for search in await self._read_entries("search"):
            record = SearchRecord.model_validate(search)
            key = record.database, record.query
            if key not in kept or kept[key].has_failed or not record.has_failed:
                kept[key] = record
        return list(kept.values())

    async def log_search(self, record: SearchRecord, hits: Sequence[Hit] = (), seconds: float | None = None) -> bool:
        """Store the hits of a search, log it and report it, with its `seconds`; False, and reported only, if a success
        of this (database, query) for these questions was logged before, or a failure where this is one."""
        failed = "failed" if record.has_failed else ""
        identity = "\x1f".join((record.database, record.query, failed, *record.shared_with))
        digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
        entry = json.dumps({"kind": "search", "search": record.model_dump(mode="json")}, ensure_ascii=False)
        data = record.model_dump(mode="json", include=_REPORTED) | {"hits": len(record.hits)}
        if seconds is not None:
            data["seconds"] = round(seconds, 3)
        at, message = self._store.clock().isoformat(), shorten_message(record.summary)
        # A search engine returns excerpts of its pages.
        provisional = record.incomplete or database_info(record.database).holds is Holds.PAGES
        new_hits = self._written.select_new(hits, provisional=provisional, resend_count=self._store.resend_count)
        *first, last = pack_hits(new_hits, provisional=provisional)
        for chunk in first:
            await self._scripts.cache_progress(await self._scripts.run_write("record_hits", at, *chunk))
        new, *progress = await self._scripts.run_write(
            "log_search", at, digest, entry, message, json.dumps(data, ensure_ascii=False), *last
        )
        self._written.add_hits(new_hits, provisional=provisional)
        await self._scripts.cache_progress(progress)
        return bool(new)

    async def steps(self, agent: str = AGENT) -> Sequence[Step]:
        """The steps of the agent of this name, in order."""
        steps = (Step.model_validate(step) for step in await self._read_entries("step"))
        return [step for step in steps if step.thread == agent]

    async def log_step(self, step: Step) -> bool:
        """Write an agent step; False if its agent already has a step of that number."""
        entry = json.dumps({"kind": "step", "step": step.model_dump(mode="json")}, ensure_ascii=False)
        return bool(await self._scripts.run_write("log_step", step.number, entry, steps_field(step.thread)))

    async def count_steps(self) -> Mapping[str, int]:
        """The number of steps of each agent of the job, by its name."""
        fields = await self._scan_metadata(f"{STEPS}*")
        return {agent_of(name): int(fields[name]) for name in sorted(fields)}

    async def _scan_metadata(self, pattern: str) -> dict[str, str]:
        """The metadata fields whose names match this pattern of Redis."""
        found: dict[str, str] = await self._store.run_command(
            partial(_scan_fields, self._keys.metadata, pattern), pipelined=False
        )
        return found

    async def _read_entries(self, kind: str) -> Sequence[Any]:
        """The entries of one kind, in order."""
        texts = await self._store.run_command(lambda redis: redis.lrange(self._keys.journal, 0, -1))
        return [entry[kind] for entry in map(json.loads, texts) if entry["kind"] == kind]

    async def finish_stage(self, name: str, artefact: str, inputs: str = "", mode_version: int = 0) -> None:
        """Store the artefact (JSON text) of a stage, or of part of one, which completes it. `inputs` are digests of its
        inputs (a JSON object), stored as `inputs:NAME`; the metadata get the mode's version and a fingerprint."""
        fingerprint = fingerprint_result(mode_version, artefact, inputs)
        await self._scripts.run_write("finish_stage", name, artefact, inputs, fingerprint)

    async def find_stage(self, name: str) -> str | None:
        """What `finish_stage` wrote under that name, or None."""
        artefact: str | None = await self._store.run_command(lambda redis: redis.hget(self._keys.stages, name))
        return artefact

    async def stage_versions(self) -> Mapping[str, int]:
        """The names that `finish_stage` wrote, with the version of the mode that made each; 0 if not recorded."""
        names = await self._store.run_command(lambda redis: redis.hkeys(self._keys.stages))
        fingerprints = await self._scan_metadata(f"{MADE}*")
        return {name: int(fingerprints.get(MADE + name, "0").split()[0]) for name in names}

    async def stages(self) -> dict[str, str]:
        """What `finish_stage` wrote, by name."""
        stages: dict[str, str] = await self._store.run_command(lambda redis: redis.hgetall(self._keys.stages))
        return stages

    async def log_spending(self, spending: Spending, seconds: float, reply: PaidReply | None = None) -> None:
        """Store what a role has spent on a question so far, the seconds used of the time budget, and the paid reply,
        atomically."""
        field = f"{spending.role} {spending.question or ''}".strip()
        entry = json.dumps({"kind": "reply", "reply": reply.model_dump()}, ensure_ascii=False) if reply else ""
        await self._scripts.run_write(
            "log_spending", field, spending.calls, spending.model_dump_json(), math.floor(seconds * 1000), entry
        )

    async def replies(self) -> Sequence[PaidReply]:
        """The replies of the job's models, in order."""
        return [PaidReply.model_validate(reply) for reply in await self._read_entries("reply")]

    async def spending(self) -> SpentSoFar:
        """What the job's models have spent so far, by role and question."""
        kept: dict[str, str] = await self._store.run_command(lambda redis: redis.hgetall(self._keys.spending))
        milliseconds = int(kept.pop("milliseconds", 0))
        rows = (Spending.model_validate_json(kept[field]) for field in sorted(kept))
        return SpentSoFar(tuple(rows), milliseconds / 1000)

    async def begin_stage(self, name: str, part_of_job: StageRange) -> None:
        """Report that a stage begins; `part_of_job` is its share of the progress."""
        self._stage = part_of_job
        await self.report("stage", name)

    async def report(self, kind: str, message: str, part: float = 0.0, /, **data: JsonValue) -> None:
        """Append an event for watchers; `part` is how much of the stage is done, from 0 to 1."""
        await self._scripts.report_event(kind, message, self._stage.progress_at(part), data)

    async def report_detail(self, kind: str, message: str, /, **data: JsonValue) -> None:
        """Pass an event to the recorders of this process; it is not in the stream."""
        await self._scripts.report_detail(kind, message, data)

    async def report_state(self, **state: JsonValue) -> None:
        """Pass what is known by now to the recorders of this process, by name."""
        await self.report_detail("state", "", **state)

    async def events(self, count: int) -> list[Event]:
        """The last events, newest last."""
        with reject_undecodable_reply(self._keys.job_id, _UNREADABLE_EVENT):
            entries = await self._store.run_command(lambda redis: redis.xrevrange(self._keys.events, count=count))
        with reject_malformed_value(self._keys.job_id, _UNREADABLE_EVENT):
            return [read_event(self._keys.job_id, entry_id, fields) for entry_id, fields in reversed(entries)]

    async def follow(self, after_id: str = "0-0") -> AsyncIterator[Event]:
        """Events after that id as they arrive; ends when nobody holds the job and no event is left."""
        last = after_id
        while True:
            held = is_alive(await self._store.run_command(lambda redis: redis.get(self._keys.lease)))
            entries = await self._read_events_after(last, _BLOCK_MS if held else None)
            if not entries and not held:
                return
            for entry_id, fields in entries:
                last = entry_id
                with reject_malformed_value(self._keys.job_id, _UNREADABLE_EVENT):
                    event = read_event(self._keys.job_id, entry_id, fields)
                yield event

    async def _read_events_after(self, last: str, wait: int | None) -> Sequence[tuple[str, dict[str, str]]]:
        streams = await self._store.run_command(
            lambda redis: redis.xread({self._keys.events: last}, block=wait), pipelined=False
        )
        found: Sequence[tuple[str, dict[str, str]]] = (streams or {}).get(self._keys.events, ())
        return found


async def _scan_fields(key: str, pattern: str, redis: Any) -> dict[str, str]:
    return {name: value async for name, value in redis.hscan_iter(key, match=pattern, count=1000)}
