"""One job's sources, citations and seen hits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from storm.errors import ToolError
from storm.models import (
    Citation,
    DraftCitation,
    Hit,
    ListedSource,
    Progress,
    QuoteCheck,
    Registered,
    Relation,
    RelationKind,
    Saved,
    Source,
    Subject,
    citation_id,
    database_label,
    kind_of,
)
from storm.models.relation import STUDIED
from storm.store.client import Held, JobScripts, StoreClient
from storm.store.entries import read_citation
from storm.store.events import shortened
from storm.store.faults import damaged, reading
from storm.store.hits import BATCH, batches, describe, packed, strongest, unpack, work_of
from storm.store.round_trips import read_ahead

_CHECKS = {None: QuoteCheck.UNCHECKED, True: QuoteCheck.VERIFIED, False: QuoteCheck.NOT_FOUND}


class SourceCollector:
    """The collection of one job (ports.Collection); without a lease it only reads.

    `report` is given the sources of each question after each save.
    """

    def __init__(
        self,
        store: StoreClient,
        job_id: str,
        lease: Held | None,
        report: Callable[[Mapping[str, int]], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._scripts = JobScripts(store, job_id, lease)
        self._keys = self._scripts.keys
        self._report = report

    async def set_questions(self, keys: Sequence[str]) -> None:
        """Which questions sources can be filed under, once they are planned; StepMismatch if some are filed under
        others."""
        await self._scripts.set_questions(keys)

    async def record_hits(self, hits: Sequence[Hit]) -> None:
        """Remember what a search returned. Records of one work become one hit, and saved sources of it one source."""
        for batch in packed(hits):
            await self._scripts.learn(await self._scripts.write("record_hits", self._now(), *batch))

    async def find_hit(self, lookup_keys: Sequence[str]) -> Hit | None:
        """The seen hit with the first of these canonical identifiers that is known, or None."""
        return next((hit for hit in await self._hits(lookup_keys) if hit), None)

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        """The seen hit of each of these canonical identifiers, or None, in few round trips."""
        return await self._hits(keys)

    async def seen_identifiers(self) -> Sequence[str]:
        """All canonical identifiers of seen hits, sorted."""
        return sorted(await self._store.run(lambda redis: redis.hkeys(self._keys.hits)))

    async def save(
        self,
        hit: Hit,
        questions: Sequence[str],
        citation: DraftCitation | str,
        subject: Subject = STUDIED,
        note: str = "",
    ) -> Saved:
        """File a seen hit under questions with a citation (a draft, or the id of a registered one), in one step.

        A source whose subject is no evidence of the drug counts for none of them.
        A draft whose quote is only its own claim gives the source's first citation, where it has one. ToolError if
        the hit was not seen, no question is the job's, or the citation is unknown or another source's.
        """
        valid = await self._scripts.questions()
        wanted = list(dict.fromkeys(questions))
        if not wanted or (unknown := [question for question in wanted if question not in valid]):
            named = f"unknown questions: {', '.join(unknown)}" if wanted else "no question was named"
            raise ToolError(f"{named}; valid are {', '.join(valid)}")
        asked = {
            "identifiers": hit.identifiers,
            "questions": wanted,
            "record": {
                "database": hit.database, "external_id": hit.external_id, "title": hit.title, "url": hit.url,
            },
            "label": shortened(f"{database_label(hit.database)}: {hit.title}"),
            "relation": subject.relation,
            "relation_kind": subject.kind,
            "counted": subject.kind.is_evidence,
            "note": note,
            **({"citation_id": citation} if isinstance(citation, str) else {"citation": _new_citation(hit, citation)}),
        }  # fmt: skip
        source_id, number, created, cited, existed, *standing = await self._scripts.write(
            "save_source", self._now(), _to_json(asked)
        )
        counts = (await self._scripts.learn(standing)).counts
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

    async def register(self, hit: Hit, citation: DraftCitation) -> Registered:
        """A citation of a seen hit, registered once; until its source is saved its `source_id` is empty."""
        asked = {"identifiers": hit.identifiers, "citation": _new_citation(hit, citation)}
        text, existed = await self._scripts.write("register_citation", _to_json(asked))
        return Registered(read_citation(text), bool(existed))

    async def citation(self, citation_id: str) -> Citation | None:
        """The registered citation, or None."""
        text = await self._store.run(lambda redis: redis.hget(self._keys.citations, citation_id))
        return read_citation(text) if text else None

    async def progress(self) -> Progress:
        """Counts per question; a database counts where a source's record was taken from it. Who holds the job's lease
        knows them from its last write."""
        return await self._scripts.progress()

    async def sources(self) -> Sequence[Source]:
        """All sources by number, each described by all that its records say by now."""
        return tuple([source async for source in self.stream()])

    async def stream(self, question: str = "") -> AsyncIterator[Source]:
        """The sources of a question, or all, by number, a few at a time: however many there are, few are in memory."""
        order = await self._order()
        names = await self._names(question)
        async for stored, hits in read_ahead(partial(self._described, batch) for batch in batches(names)):
            for fields, hit in zip(stored, hits, strict=True):
                yield _source(fields, self._there(hit), order)

    async def list_sources(self) -> AsyncIterator[Sequence[ListedSource]]:
        """All sources by number, without their texts, in batches."""
        order = await self._order()
        last = await self._store.run(lambda redis: redis.hget(self._keys.metadata, "last_number"))
        async for pairs in read_ahead(partial(self._listed, n) for n in range(1, int(last or 0) + 1, BATCH)):
            with reading(self._keys.job_id, "a record among its hits cannot be read"):
                stored = json.loads(f"[{','.join(pairs[::2])}]")  # in half the time that one by one takes
                listed = [_listed(fields, lines, order) for fields, lines in zip(stored, pairs[1::2], strict=True)]
            yield listed

    async def _names(self, question: str) -> Sequence[str]:
        """The ids of the sources of a question, or of all, by number."""
        keys = self._keys
        if question:
            names = await self._store.run(lambda redis: redis.zrange(keys.question(question), 0, -1))
        else:
            names = await self._store.run(lambda redis: redis.hkeys(keys.sources))
        return sorted(names, key=lambda name: (len(name), name))

    async def _described(self, names: Sequence[str]) -> tuple[list[Any], list[Hit | None]]:
        """What is stored of each, and its record. One that has become another meanwhile is left out."""
        texts = await self._store.run(partial(_values, self._keys.sources, names))
        with reading(self._keys.job_id):
            stored = [json.loads(text) for text in texts if text]
            places = [strongest(fields["identifiers"]) for fields in stored]
        return stored, await self._hits(places)

    async def _listed(self, first: int) -> Sequence[str]:
        keys = (self._keys.sources, self._keys.hits)
        found: Sequence[str] = await self._store.script("list_sources", keys, (first, first + BATCH - 1), alone=True)
        return found

    async def find_source(self, source_id: str) -> Source | None:
        """The source of that id, also of one that it had before two became one; None if there is none."""
        with reading(self._keys.job_id, f"the record of {source_id} cannot be read"):
            text, lines = await self._store.script("find_source", (self._keys.sources, self._keys.hits), (source_id,))
            if not text:
                return None
            fields = json.loads(text)
            hit = work_of(unpack(lines), strongest(fields["identifiers"]))
        return _source(fields, self._there(hit), await self._order())

    def _there(self, hit: Hit | None) -> Hit:
        """A source's hit; CollectionDamaged if it was lost."""
        if hit is None:
            raise damaged(self._keys.job_id, ["a source has no record among the hits"])
        return hit

    async def _order(self) -> Mapping[str, int]:
        return {question: n for n, question in enumerate(await self._scripts.questions())}

    async def citations(self) -> Sequence[Citation]:
        """All citations, by id."""
        texts = await self._store.run(lambda redis: redis.hvals(self._keys.citations))
        found = [read_citation(text) for text in texts]
        return sorted(found, key=lambda citation: citation.citation_id)

    async def find_citations(self, citation_ids: Sequence[str]) -> Sequence[Citation]:
        """Those of these ids, in their order."""
        found: list[Citation] = []
        for batch in batches(citation_ids):
            texts = await self._store.run(partial(_values, self._keys.citations, batch))
            with reading(self._keys.job_id):
                found += [read_citation(text) for text in texts if text]
        return found

    async def _hits(self, identifiers: Sequence[str]) -> list[Hit | None]:
        found: list[Hit | None] = []
        for batch in batches(identifiers):
            with reading(self._keys.job_id, "a record among its hits cannot be read"):
                lines = await self._store.script("find_hits", (self._keys.hits,), batch)
                found += [work_of(unpack(text), key) for key, text in zip(batch, lines, strict=True)]
        return found

    def _now(self) -> str:
        return self._store.clock().isoformat()


def _values(key: str, fields: Sequence[str], redis: Any) -> Any:
    return redis.hmget(key, fields)


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _new_citation(hit: Hit, draft: DraftCitation) -> dict[str, Any]:
    return {
        "citation_id": citation_id(hit.key, draft.claim, draft.quote),
        "source_id": "",
        "identifier": hit.key,
        "claim": draft.claim,
        "quote": draft.quote,
        "quote_check": _CHECKS[draft.quote_verified],
        "context": draft.context,
        "metadata": dict(draft.metadata),
        **({"answer_to": draft.answer_to} if draft.answer_to else {}),
        **({"section": draft.section} if draft.section else {}),
    }


def _source(fields: Mapping[str, Any], hit: Hit, order: Mapping[str, int]) -> Source:
    return Source(
        source_id=fields["source_id"],
        number=fields["number"],
        hit=hit,
        questions=tuple(sorted(_list(fields["questions"]), key=order.__getitem__)),
        citation_ids=_list(fields["citation_ids"]),
        aliases=_list(fields["aliases"]),
        relation=Relation(fields["relation"]),
        relation_kind=_kind(fields),
        note=fields["note"],
    )


def _listed(fields: Mapping[str, Any], lines: str, order: Mapping[str, int]) -> ListedSource:
    hit = describe(lines, strongest(fields["identifiers"]))
    return ListedSource(
        source_id=fields["source_id"],
        database=hit["database"],
        external_id=hit["external_id"],
        url=hit["url"],
        title=hit["title"],
        relation=Relation(fields["relation"]),
        relation_kind=_kind(fields),
        questions=tuple(sorted(_list(fields["questions"]), key=order.__getitem__)),
        citation_ids=_list(fields["citation_ids"]),
        note=fields["note"],
    )


def _kind(fields: Mapping[str, Any]) -> RelationKind:
    """A source that was stored before kinds were has the one that its relation implies."""
    kind = fields.get("relation_kind")
    return RelationKind(kind) if kind else kind_of(Relation(fields["relation"]))


def _list(value: Any) -> tuple[str, ...]:
    """Lua writes an empty list as an empty object."""
    return tuple(value)
