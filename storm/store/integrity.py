"""Checking that a job's keys are consistent: lost data must never look like data that was not found."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any, NamedTuple

from storm.store.client import StoreClient
from storm.store.entries import check_exclusions, check_spending, matches_fingerprint, read_journal_entry
from storm.store.faults import damage_error, reject_malformed_value
from storm.store.hits import unpack_records
from storm.store.key_reader import KeyReader, ServerKeys, copy_keys
from storm.store.keys import MADE, STEPS, JobKeys, steps_field
from storm.store.requests import request_from_json
from storm.store.tallies import CitationTally, SourceTally

#: The stages, in order, of jobs begun before results had fingerprints: each needs those before it.
_STAGES = ("plan", "gather", "check", "answer", "report")
_INPUTS = "inputs:"
#: Metadata fields that every job has from the start.
_FIELDS = ("request", "state", "created", "questions", "last_number", "databases")
#: Inconsistencies listed in one message.
_MAX_REPORTED = 3
#: Identifiers in one call: a script must not block others for long.
_ASKED_AT_ONCE = 1_000


class Snapshot(NamedTuple):
    """All keys of a job except the lease, large ones as tallies or numbers: of `identifiers`, `hits`, `events`, and the
    sources of each question; of `lost_hits` of its searches. `begun` are the stages that events say have begun."""

    metadata: Mapping[str, str]
    sources: SourceTally
    identifiers: int
    hits: int
    lost_hits: int
    citations: CitationTally
    journal: Sequence[tuple[str, Any]]
    stages: Mapping[str, str]
    events: int
    begun: Sequence[str]
    spending: Mapping[str, str]
    exclusions: Mapping[str, str]
    questions: Mapping[str, int]


async def check_collection(client: StoreClient, keys: JobKeys, *, check_records: bool = False) -> None:
    """CollectionDamaged if the job's keys contradict each other or cannot be read; a missing job passes. The records
    of the hits are read only with `check_records`.

    The keys are read in batches. Writes in between may look like an inconsistency, so each is confirmed on an atomic
    copy.
    """
    with reject_malformed_value(keys.job_id):
        live = ServerKeys(client)
        found = await _list_inconsistencies(client, keys, live)
        if found:
            found = await _list_inconsistencies(client, keys, await copy_keys(client, keys))
        if found:
            raise damage_error(keys.job_id, found)
        if check_records:
            await _check_hits(client, keys, live)


async def _list_inconsistencies(client: StoreClient, keys: JobKeys, reader: KeyReader) -> list[str]:
    """The first inconsistencies; none for a job that does not exist or has just expired."""
    metadata = await reader.read_hash(keys.metadata)
    if not metadata:
        return []
    return list(islice(find_inconsistencies(await _read_snapshot(client, keys, reader, metadata)), _MAX_REPORTED))


async def _read_snapshot(
    client: StoreClient, keys: JobKeys, reader: KeyReader, metadata: Mapping[str, str]
) -> Snapshot:
    questions = metadata.get("questions", "").split()
    sources = SourceTally()
    citations = CitationTally(sources, _waiting_citations(metadata))

    async def add_sources() -> None:
        async for part in reader.scan_sources(keys, questions):
            sources.add_sources(part)

    async def add_citations() -> None:
        async for stored in reader.scan_hash(keys.citations):
            citations.add_citations(stored)

    await asyncio.gather(add_sources(), add_citations())  # one is read while the server collects the other
    (spending, exclusions), stages, entries, (identifiers, hits), (events, begun), sizes = await asyncio.gather(
        asyncio.gather(reader.read_hash(keys.spending), reader.read_hash(keys.exclusions)),  # all in one round trip
        reader.read_hash(keys.stages),
        reader.read_list(keys.journal),
        asyncio.gather(reader.count_fields(keys.identifiers), reader.count_fields(keys.hits)),
        reader.read_events(keys.events, with_stages="keys" not in metadata),
        asyncio.gather(*(reader.count_members(keys.question(question)) for question in questions)),
    )
    check_spending(spending)
    check_exclusions(exclusions)
    journal = [read_journal_entry(text) for text in entries]
    found = {key for kind, entry in journal if kind == "search" for key in entry.hits}
    return Snapshot(
        metadata=metadata,
        sources=sources,
        identifiers=identifiers,
        hits=hits,
        lost_hits=await _count_missing(client, keys, list(found)),
        citations=citations,
        journal=journal,
        stages=stages,
        events=events,
        begun=begun,
        spending=spending,
        exclusions=exclusions,
        questions=dict(zip(questions, sizes, strict=True)),
    )


def _waiting_citations(metadata: Mapping[str, str]) -> frozenset[str]:
    """The ids of citations whose source is not saved yet."""
    listed = (ids for field, ids in metadata.items() if field.startswith("waiting:"))
    return frozenset(key for ids in listed for key in json.loads(ids))


async def _count_missing(client: StoreClient, keys: JobKeys, identifiers: Sequence[str]) -> int:
    """How many of these have no record among the hits. A job only adds records, so it does not matter when they are
    read."""
    missing = 0
    for start in range(0, len(identifiers), _ASKED_AT_ONCE):
        asked = identifiers[start : start + _ASKED_AT_ONCE]
        missing += await client.run_script("count_missing", (keys.hits,), asked, pipelined=False)
    return missing


async def _check_hits(client: StoreClient, keys: JobKeys, reader: KeyReader) -> None:
    """LookupError, or that of the parser, if the records of a hit are missing or cannot be read."""
    async for stored in reader.scan_hash(keys.hits):
        targets = [text[1:] for text in stored.values() if text.startswith("@")]
        empty = [text for text in stored.values() if not text.startswith("@") and not unpack_records(text)]
        if empty or await _count_missing(client, keys, targets):
            raise LookupError("no record is kept where one was")


def find_inconsistencies(found: Snapshot) -> Iterator[str]:
    """Descriptions of the inconsistencies; a counter that older jobs do not have may be missing."""
    missing = [field for field in _FIELDS if field not in found.metadata]
    if missing:
        yield f"its metadata has no {', '.join(missing)}"
        return
    lost = list(_list_lost_keys(found))
    if lost:
        yield f"of its keys {', '.join(lost)} {'is' if len(lost) == 1 else 'are'} gone"
    yield from _check_metadata(found)
    yield from _check_sources(found)
    yield from _check_assignments(found)
    yield from _check_evidence(found)
    yield from _check_journal(found)
    yield from _check_stages(found)


def _list_lost_keys(found: Snapshot) -> Iterator[str]:
    """Keys that existed and are gone; a key of a job never becomes empty again."""
    sizes_by_key = {
        "metadata": len(found.metadata),
        "sources": len(found.sources),
        "identifiers": found.identifiers,
        "hits": found.hits,
        "citations": len(found.citations),
        "journal": len(found.journal),
        "stages": len(found.stages),
        "events": found.events,
        "spending": len(found.spending),
        "exclusions": len(found.exclusions),
        **{f"question:{key}": size for key, size in found.questions.items()},
    }
    recorded = found.metadata.get("keys", "events").split()  # jobs without the field have events at least
    return (name for name in recorded if sizes_by_key.get(name) == 0)


def _check_metadata(found: Snapshot) -> Iterator[str]:
    """The questions must be those of the plan, or, in older jobs, of the request."""
    asked = request_from_json(found.metadata["request"]).request
    questions = tuple(found.metadata["questions"].split())
    planned = _planned_questions(found)
    if planned is not None and questions != planned:
        yield "its questions are not those of its plan"
    elif planned is None and not questions and found.sources:
        yield "its questions are gone"
    elif "settings" not in found.metadata and asked.syllabus and questions != asked.syllabus.keys:
        yield "its questions are not those of its request"


def _planned_questions(found: Snapshot) -> tuple[str, ...] | None:
    """The keys of the plan's questions; None without a plan, or with one that cannot be read."""
    try:
        plan = json.loads(found.stages["plan"])
        return tuple(question["key"] for question in plan["syllabus"]["questions"])
    except (ValueError, LookupError, TypeError):
        return None


def _check_sources(found: Snapshot) -> Iterator[str]:
    counted = sum(json.loads(found.metadata["databases"]).values())
    sources = found.sources
    if counted != len(sources):
        yield f"{counted} sources were counted and {len(sources)} are there"
    number, times = sources.most_common_number
    if times > 1:
        yield f"{times} of its sources have the number {number}"
    if sources.highest_number > int(found.metadata["last_number"]):
        last = found.metadata["last_number"]
        yield f"a source has the number {sources.highest_number} and the last one given is {last}"


def _check_assignments(found: Snapshot) -> Iterator[str]:
    """The indexes of the sources by id, identifier and question must agree."""
    sources = found.sources
    if stray := sources.questions.keys() - found.questions.keys():
        yield f"sources are filed under {', '.join(sorted(stray))}, which is none of its questions"
    if sources.misfiled:
        yield f"{sources.misfiled} sources are kept under the id of another"
    if not sources.identifiers == sources.resolved_identifiers == found.identifiers:
        yield f"its sources have {sources.identifiers} identifiers and {found.identifiers} are listed"
    for question, size in found.questions.items():
        assigned = sources.questions[question]
        if not assigned == sources.indexed[question] == size:
            yield f"{assigned} sources belong to {question} and {size} are listed there"


def _check_evidence(found: Snapshot) -> Iterator[str]:
    """Sources need their records, and citations their sources."""
    if found.sources.without_record:
        yield f"{found.sources.without_record} of its sources have no record among the hits"
    citations = found.citations
    if citations.missing:
        yield f"{citations.missing} of its {citations.expected} citations are gone"
        return
    if citations.orphans:
        yield f"its citations refer to {citations.orphans} sources that are not there"
    elif citations.mismatched:
        yield f"{citations.mismatched} of its citations and their sources do not name each other"
    if citations.sourceless:
        yield f"{citations.sourceless} of its citations belong to no source"
    if citations.changed:
        yield f"{citations.changed} of its citations were changed after they were made"


def _check_journal(found: Snapshot) -> Iterator[str]:
    searches = [entry for kind, entry in found.journal if kind == "search"]
    counted = sum(field.startswith("searched:") for field in found.metadata)
    if counted != len(searches):
        yield f"{counted} searches were counted and {len(searches)} stand in the search log"
    if found.lost_hits:
        yield f"{found.lost_hits} hits of its searches are gone"
    yield from _check_steps(found)
    if not found.spending and any(kind == "reply" for kind, _ in found.journal):
        yield "what its language models have spent is gone"


def _check_steps(found: Snapshot) -> Iterator[str]:
    highest: dict[str, int] = {}
    for step in (entry for kind, entry in found.journal if kind == "step"):
        field = steps_field(step.thread)
        highest[field] = max(step.number, highest.get(field, 0))
    counted = {name: int(text) for name, text in found.metadata.items() if name.partition(":")[0] == STEPS}
    for field in sorted(highest.keys() | counted.keys()):
        if (steps := highest.get(field, 0)) != (count := counted.get(field, 0)):
            yield f"{count} steps of its agent were counted and {steps} stand in the journal"


def _check_stages(found: Snapshot) -> Iterator[str]:
    """Each stored result must exist and match its fingerprint."""
    fingerprints = {name.removeprefix(MADE): text for name, text in found.metadata.items() if name.startswith(MADE)}
    inputs = {f"{_INPUTS}{name}" for name in fingerprints}
    for name, text in found.stages.items():
        if name in fingerprints:
            if not matches_fingerprint(fingerprints[name], text, found.stages.get(f"{_INPUTS}{name}", "")):
                yield f"the result of {name} is not what was stored"
        elif name not in inputs and not _is_json(text):
            yield f"the result of {name} cannot be read"
    needed = dict.fromkeys((*fingerprints, *_list_needed(found, fingerprints.keys())))
    if found.metadata["state"] == "finished" and (found.stages or found.begun):
        needed["report"] = None
    if gone := [name for name in needed if name not in found.stages]:
        yield f"the result of {', '.join(gone)} is gone"


def _list_needed(found: Snapshot, recorded: Set[str]) -> Iterator[str]:
    """The stages that older jobs, without fingerprints, must have."""
    if not found.begun and recorded >= {name for name in found.stages if not name.startswith(_INPUTS)}:
        return
    done = [stage for stage in _STAGES if stage in found.stages]
    yield from _STAGES[: _STAGES.index(done[-1])] if done else ()
    if "gather" in found.begun:
        yield "plan"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
