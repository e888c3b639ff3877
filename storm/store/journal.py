"""What a job has done and need not do again, and what it tells those who watch."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from storm.models import Event, Hit, PaidReply, SearchRecord, Spending, SpentSoFar, Step
from storm.store.client import Held, JobScripts, StoreClient
from storm.store.faults import reading
from storm.store.hits import packed
from storm.store.holder import is_alive

#: Milliseconds that one look at the event stream waits; longer than the client's own timeout would be an error.
_BLOCK_MS = 2000


class JobJournal:
    """The journal of one job (ports.Journal); without a lease it only reads. `observer` is told each event, too."""

    def __init__(
        self,
        store: StoreClient,
        job_id: str,
        lease: Held | None,
        observer: Callable[[Event], None] | None = None,
    ) -> None:
        self._store = store
        self._scripts = JobScripts(store, job_id, lease)
        self._keys = self._scripts.keys
        self._observer = observer

    async def searches(self) -> Sequence[SearchRecord]:
        """The search log, each (database, query) once, in the order of first completion."""
        records = [SearchRecord.model_validate(search) for search in await self._entries("search")]
        return list({(record.database, record.query): record for record in records}.values())

    async def log_search(self, record: SearchRecord, hits: Sequence[Hit] = ()) -> bool:
        """Remember what a search returned, write it down and report it; False if this (database, query) was already
        written. A success replaces a failure."""
        failed = "failed" if record.failed else ""
        identity = "\x1f".join((record.database, record.query, failed))
        digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
        step = json.dumps({"kind": "search", "search": record.model_dump(mode="json")}, ensure_ascii=False)
        event = self._event("search", record.told, {"database": record.database, "question": record.question})
        at, data = event.at.isoformat(), json.dumps(event.data, ensure_ascii=False)
        *first, last = packed(hits)
        for batch in first:
            await self._scripts.learn(await self._scripts.write("record_hits", at, *batch))
        new, *standing = await self._scripts.write("log_search", at, digest, step, event.message, data, *last)
        await self._scripts.learn(standing)
        self._observe(event)
        return bool(new)

    async def steps(self) -> Sequence[Step]:
        """The steps of the job's agent, in order."""
        return [Step.model_validate(step) for step in await self._entries("step")]

    async def log_step(self, step: Step) -> bool:
        """Write a step; False if one of its number was already written."""
        entry = json.dumps({"kind": "step", "step": step.model_dump(mode="json")}, ensure_ascii=False)
        return bool(await self._scripts.write("log_step", step.number, entry))

    async def _entries(self, kind: str) -> Sequence[Any]:
        """What was written of one kind, in order."""
        texts = await self._store.run(lambda redis: redis.lrange(self._keys.journal, 0, -1))
        return [entry[kind] for entry in map(json.loads, texts) if entry["kind"] == kind]

    async def finish_stage(self, name: str, artefact: str, inputs: str = "") -> None:
        """Write the artefact (JSON text) of a stage, or of a part of one: with it that is done. `inputs` are digests of
        what it was made from (a JSON object), kept beside it as `inputs:NAME`."""
        await self._scripts.write("finish_stage", name, artefact, inputs)

    async def stages(self) -> dict[str, str]:
        """What `finish_stage` wrote, by name."""
        stages: dict[str, str] = await self._store.run(lambda redis: redis.hgetall(self._keys.stages))
        return stages

    async def log_spending(self, spending: Spending, seconds: float, reply: PaidReply | None = None) -> None:
        """Keep what a role has spent on a question so far, for how many seconds models could be asked, and the reply
        that was paid for, in one step."""
        field = f"{spending.role} {spending.question or ''}".strip()
        entry = json.dumps({"kind": "reply", "reply": reply.model_dump()}, ensure_ascii=False) if reply else ""
        await self._scripts.write(
            "log_spending", field, spending.calls, spending.model_dump_json(), math.floor(seconds * 1000), entry
        )

    async def replies(self) -> Sequence[PaidReply]:
        """The replies of the job's models, in order."""
        return [PaidReply.model_validate(reply) for reply in await self._entries("reply")]

    async def spending(self) -> SpentSoFar:
        """What the job's models have spent so far, by role and question."""
        kept: dict[str, str] = await self._store.run(lambda redis: redis.hgetall(self._keys.spending))
        milliseconds = int(kept.pop("milliseconds", 0))
        rows = (Spending.model_validate_json(kept[field]) for field in sorted(kept))
        return SpentSoFar(tuple(rows), milliseconds / 1000)

    async def report(self, kind: str, message: str, **data: str) -> None:
        """Append an event for whoever watches."""
        event = self._event(kind, message, data)
        stored = json.dumps(data, ensure_ascii=False)
        await self._scripts.write("report_event", event.at.isoformat(), kind, message, stored)
        self._observe(event)

    def _event(self, kind: str, message: str, data: dict[str, str]) -> Event:
        return Event(at=self._store.clock(), kind=kind, message=message, data=data)

    def _observe(self, event: Event) -> None:
        if self._observer:
            self._observer(event)

    async def events(self, count: int) -> list[Event]:
        """The last events, newest last."""
        with reading(self._keys.job_id, "its events cannot be read"):
            entries = await self._store.run(lambda redis: redis.xrevrange(self._keys.events, count=count))
            return [_event(entry_id, fields) for entry_id, fields in reversed(entries)]

    async def follow(self, after_id: str = "0-0") -> AsyncIterator[Event]:
        """Events after that id as they come; ends when nobody holds the job and nothing more came."""
        last = after_id
        while True:
            held = is_alive(await self._store.run(lambda redis: redis.get(self._keys.lease)))
            entries = await self._entries_after(last, _BLOCK_MS if held else None)
            if not entries and not held:
                return
            for entry_id, fields in entries:
                last = entry_id
                with reading(self._keys.job_id, "its events cannot be read"):
                    event = _event(entry_id, fields)
                yield event

    async def _entries_after(self, last: str, wait: int | None) -> Sequence[tuple[str, dict[str, str]]]:
        streams = await self._store.run(lambda redis: redis.xread({self._keys.events: last}, block=wait), alone=True)
        found: Sequence[tuple[str, dict[str, str]]] = (streams or {}).get(self._keys.events, ())
        return found


def _event(entry_id: str, fields: Mapping[str, str]) -> Event:
    return Event.model_validate({"id": entry_id, **fields, "data": json.loads(fields["data"])})
