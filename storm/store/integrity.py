"""Whether what the store holds of a job agrees with itself: lost data must never pass for data that was not found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from storm.models import JobRequest, citation_id
from storm.store.client import StoreClient
from storm.store.entries import (
    StoredCitation,
    StoredSource,
    check_spending,
    is_readable_result,
    read_citation,
    read_journal_entry,
)
from storm.store.faults import damaged, reading
from storm.store.hits import batches, strongest, unpack
from storm.store.keys import JobKeys
from storm.version import __version__

#: The modes that make a dossier (empty where none was named), and their stages in order: none is written before those
#: in front of it.
_MODES = ("", "extractive", "broad")
_STAGES = ("plan", "gather", "check", "answer", "report")
#: What each job has in its metadata from its first moment on.
_FIELDS = ("request", "state", "created", "questions", "last_number", "databases")
#: Damages that are named in one message.
_NAMED = 3


class Snapshot(NamedTuple):
    """All keys of a job at one moment but the lease; of the hits only their identifiers, of the events those that
    began a stage, and how many there are."""

    metadata: Mapping[str, str]
    sources: Mapping[str, StoredSource]
    identifiers: Mapping[str, str]
    hits: Collection[str]
    citations: Mapping[str, StoredCitation]
    journal: Sequence[tuple[str, Any]]
    stages: Mapping[str, str]
    events: int
    begun: Sequence[str]
    spending: Mapping[str, str]
    questions: Mapping[str, Collection[str]]


async def check_collection(client: StoreClient, keys: JobKeys, *, texts: bool = False) -> None:
    """CollectionDamaged if what the store holds of the job contradicts itself or cannot be read; a job that is not
    there passes. The records of the hits are read only with `texts`."""
    with reading(keys.job_id):
        metadata = await client.run(lambda redis: redis.hgetall(keys.metadata))
        found = await _snapshot(client, keys, metadata)
        if not found.metadata:  # not there, or expired in between
            return
        if damages := list(islice(find_damages(found), _NAMED)):
            raise damaged(keys.job_id, damages)
        if texts:
            await _read_hits(client, keys, found.hits)


async def _snapshot(client: StoreClient, keys: JobKeys, before: Mapping[str, str]) -> Snapshot:
    questions = before.get("questions", "").split()

    async def read(redis: Any) -> Sequence[Any]:
        async with redis.pipeline(transaction=True) as pipe:
            pipe.hgetall(keys.metadata).hgetall(keys.sources).hgetall(keys.identifiers).hkeys(keys.hits)
            pipe.hgetall(keys.citations).lrange(keys.journal, 0, -1).hgetall(keys.stages).xlen(keys.events)
            # A job of before the keys were noted: what it had begun says what it must have finished.
            pipe.hgetall(keys.spending).xrange(keys.events, count=1 if "keys" in before else None)
            for question in questions:
                pipe.zrange(keys.question(question), 0, -1)
            answers: Sequence[Any] = await pipe.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    read_once = await client.run(read, alone=True)
    metadata, sources, identifiers, hits, citations, journal, stages, events, spending, entries, *by_question = (
        read_once
    )
    check_spending(spending)
    return Snapshot(
        metadata=metadata,
        sources={name: StoredSource.model_validate_json(text) for name, text in sources.items()},
        identifiers=identifiers,
        hits=frozenset(hits),
        citations={name: read_citation(text) for name, text in citations.items()},
        journal=[read_journal_entry(text) for text in journal],
        stages=stages,
        events=events,
        begun=[fields["message"] for _, fields in entries if fields["kind"] == "stage"] if "keys" not in before else [],
        spending=spending,
        questions=dict(zip(questions, map(frozenset, by_question), strict=True)),
    )


async def _read_hits(client: StoreClient, keys: JobKeys, identifiers: Collection[str]) -> None:
    """Fail if a hit cannot be read. A job that is worked on meanwhile may add some, and removes none."""
    for batch in batches(list(identifiers)):
        for text in await client.run(partial(_values, keys.hits, batch), alone=True):
            if text is None:  # the job was deleted meanwhile
                return
            if text[1:] not in identifiers if text.startswith("@") else not unpack(text):
                raise LookupError(f"no record is kept where one was: {text[:80]!r}")


async def _values(key: str, fields: Sequence[str], redis: Any) -> Any:
    return await redis.hmget(key, fields)


def find_damages(found: Snapshot) -> Iterator[str]:
    """What contradicts itself, in words; a counter that a job of an earlier version does not have is not missed."""
    missing = [field for field in _FIELDS if field not in found.metadata]
    if missing:
        yield f"its metadata has no {', '.join(missing)}"
        return
    lost = list(_lost_keys(found))
    if lost:
        yield f"of its keys {', '.join(lost)} {'is' if len(lost) == 1 else 'are'} gone"
    yield from _in_metadata(found)
    yield from _in_sources(found)
    yield from _in_assignments(found)
    yield from _in_evidence(found)
    yield from _in_journal(found)
    yield from _in_stages(found)


def _lost_keys(found: Snapshot) -> Iterator[str]:
    """Keys that were there once; a key of a job never becomes empty again."""
    held: dict[str, Any] = {**found._asdict(), **{f"question:{key}": ids for key, ids in found.questions.items()}}
    noted = found.metadata.get("keys", "events").split()
    return (name for name in noted if name in held and not held[name])


def _in_metadata(found: Snapshot) -> Iterator[str]:
    request = JobRequest.model_validate_json(found.metadata["request"])
    if tuple(found.metadata["questions"].split()) != request.syllabus.keys:
        yield "its questions are not those of its request"


def _in_sources(found: Snapshot) -> Iterator[str]:
    counted = sum(json.loads(found.metadata["databases"]).values())
    if counted != len(found.sources):
        yield f"{counted} sources were counted and {len(found.sources)} are there"
    numbers = Counter(source.number for source in found.sources.values())
    if len(numbers) < len(found.sources):
        number, sources = numbers.most_common(1)[0]
        yield f"{sources} of its sources have the number {number}"
    highest = max(numbers, default=0)
    if highest > int(found.metadata["last_number"]):
        yield f"a source has the number {highest} and the last one given is {found.metadata['last_number']}"


def _in_assignments(found: Snapshot) -> Iterator[str]:
    """The indexes of the sources, by id, by identifier and by question."""
    if swapped := [name for name, source in found.sources.items() if source.source_id != name]:
        yield f"{len(swapped)} sources are kept under the id of another"
    owners = {identifier: name for name, source in found.sources.items() for identifier in source.identifiers}
    if owners != found.identifiers:
        yield f"its sources have {len(owners)} identifiers and {len(found.identifiers)} are listed"
    for question, listed in found.questions.items():
        own = {name for name, source in found.sources.items() if question in source.questions}
        if own != listed:
            yield f"{len(own)} sources belong to {question} and {len(listed)} are listed there"


def _in_evidence(found: Snapshot) -> Iterator[str]:
    """Where the sources come from and what is cited of them."""
    unseen = [name for name, source in found.sources.items() if strongest(source.identifiers) not in found.hits]
    if unseen:
        yield f"{len(unseen)} of its sources have no record among the hits"
    waiting = {key for field, ids in found.metadata.items() if field.startswith("waiting:") for key in json.loads(ids)}
    cited = {(key, name) for name, source in found.sources.items() for key in source.citation_ids}
    listed = waiting | {key for key, _ in cited}
    if not listed <= found.citations.keys():
        yield f"{len(listed - found.citations.keys())} of its {len(listed)} citations are gone"
        return
    bound = {(key, stored.citation.source_id) for key, stored in found.citations.items() if stored.citation.source_id}
    orphans = {source for _, source in bound} - found.sources.keys()
    if orphans:
        yield f"its citations are of {len(orphans)} sources that are not there"
    elif apart := {key for key, _ in cited ^ bound}:
        yield f"{len(apart)} of its citations and their sources do not name each other"
    if lost := found.citations.keys() - {key for key, _ in bound} - waiting:
        yield f"{len(lost)} of its citations are of no source"
    if changed := [key for key, stored in found.citations.items() if not _is_of_its_words(key, stored)]:
        yield f"{len(changed)} of its citations are not in the words that they were made in"


def _is_of_its_words(key: str, stored: StoredCitation) -> bool:
    citation = stored.citation
    return key == citation.citation_id == citation_id(stored.identifier, citation.claim, citation.quote)


def _in_journal(found: Snapshot) -> Iterator[str]:
    searches = [entry for kind, entry in found.journal if kind == "search"]
    counted = sum(field.startswith("searched:") for field in found.metadata)
    if counted != len(searches):
        yield f"{counted} searches were counted and {len(searches)} stand in the search log"
    unseen = {key for search in searches for key in search.hits} - set(found.hits)
    if unseen:
        yield f"{len(unseen)} hits of its searches are gone"
    steps = max((entry.number for kind, entry in found.journal if kind == "step"), default=0)
    if steps != int(found.metadata.get("steps", 0)):
        yield f"{found.metadata.get('steps', 0)} steps of its agent were counted and {steps} stand in the journal"
    if not found.spending and any(kind == "reply" for kind, _ in found.journal):
        yield "what its language models have spent is gone"


def _in_stages(found: Snapshot) -> Iterator[str]:
    """A stage is there with all those before it: they are what it was made from."""
    mode = found.metadata.get("mode", "")
    is_ours = mode in _MODES[1:] and found.metadata.get("version") == __version__
    for name, text in found.stages.items():
        if not is_readable_result(name, text, is_ours=is_ours):
            yield f"the result of {name} cannot be read"
    if mode not in _MODES:
        return
    done = [stage for stage in _STAGES if stage in found.stages]
    needed = set(_STAGES[: _STAGES.index(done[-1])]) if done else set()
    if "gather" in found.begun:
        needed.add("plan")
    if found.metadata["state"] == "finished" and (found.stages or found.begun):
        needed.add("report")
    if gone := [stage for stage in _STAGES if stage in needed and stage not in found.stages]:
        yield f"the result of {', '.join(gone)} is gone"
