"""The names of a job's keys.

The braces are part of the key: they are a hash tag, by which all keys of a job would be in one slot of a Redis Cluster,
where one script can access them all. Today a cluster is refused (connection.py).

    source_collections                       sorted set  job ids by the time of creation
    source_collection:{JOB}:lease            string      who works on the job (JSON of a Holder), for 15 s at a time
    source_collection:{JOB}:metadata         hash        request, state, counters; `searched:…` marks a logged search,
                                                         `waiting:…` lists citations of a hit that is not saved yet,
                                                         `made:…` is the fingerprint of a stage's result
    source_collection:{JOB}:sources          hash        source id -> JSON of the source
    source_collection:{JOB}:identifiers      hash        canonical identifier -> source id
    source_collection:{JOB}:hits             hash        canonical identifier -> its records (lua/hits.lua)
    source_collection:{JOB}:citations        hash        citation id -> JSON of the citation
    source_collection:{JOB}:journal          list        completed searches, steps of an agent, replies (JSON)
    source_collection:{JOB}:stages           hash        stage -> artefact (JSON)
    source_collection:{JOB}:events           stream      at, kind, message, data (JSON)
    source_collection:{JOB}:spending         hash        role and question -> what models spent (JSON); `milliseconds`
    source_collection:{JOB}:exclusions       hash        canonical identifier -> why the record was not kept
    source_collection:{JOB}:question:KEY     sorted set  source ids by number

    job_submissions                          hash        job id -> the queue that it is in, for workers (JSON)
    job_attempts:JOB                         set         the attempts of workers at the job that did not end
    job_submission_check:QUEUE               string      the worker that looks for lost messages of QUEUE
    job_workers                              set         the ids of workers
    job_worker:WORKER                        string      what the worker is and does (JSON), for some seconds at a time

    job_batches                              sorted set  batch names by the time of creation
    job_batch:{BATCH}:lease                  string      who works on the batch (JSON of a Holder)
    job_batch:{BATCH}:metadata               hash        digest of its jobs, limits, state
    job_batch:{BATCH}:rows                   hash        job id -> the options of its row (JSON)
    job_batch:{BATCH}:order                  sorted set  job ids, those to start first before others
    job_batch:{BATCH}:running                set         ids of the jobs that were handed over and have not ended
    job_batch:{BATCH}:ended                  hash        job id -> how it ended (JSON)
    job_batch:{BATCH}:changes                stream      the ids of jobs that began or ended
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Self

from storm.errors import Code, UsageError
from storm.models import AGENT

#: All jobs by time of creation.
INDEX = "source_collections"
#: All batches by time of creation.
BATCH_INDEX = "job_batches"

#: What workers know of each other and of their jobs.
SUBMISSIONS, WORKERS = "job_submissions", "job_workers"

#: The metadata field, or its prefix, that counts the steps of an agent.
STEPS = "steps"
#: The prefix of the metadata fields that hold the fingerprint of a stage's result (entries.fingerprint_result).
MADE = "made:"

#: The schema version in a job's metadata; jobs of another schema are refused.
SCHEMA = "1"

_JOB_ID = re.compile(r"[a-z0-9-]{1,80}")


def worker_key(worker_id: str) -> str:
    """The key of a worker."""
    return f"job_worker:{worker_id}"


def requeue_lock_key(queue: str) -> str:
    """The key of the lock that one worker has while it looks for lost messages of this queue."""
    return f"job_submission_check:{queue}"


def attempts_key(job_id: str) -> str:
    """The key of the attempts of workers at a job."""
    return f"job_attempts:{job_id}"


def steps_field(agent: str) -> str:
    """The metadata field that counts the steps of the agent of this name (`Step.thread`)."""
    return STEPS if agent == AGENT else f"{STEPS}:{agent}"


def agent_of(field: str) -> str:
    """The name of the agent whose steps this field counts."""
    return AGENT if field == STEPS else field.removeprefix(f"{STEPS}:")


class JobKeys:
    """The keys of one job; UsageError if the id is invalid."""

    def __init__(self, job_id: str) -> None:
        if not _JOB_ID.fullmatch(job_id):
            raise _bad_job_id_error(job_id)
        self.job_id = job_id
        self.prefix = f"source_collection:{{{job_id}}}:"
        self.lease = self.prefix + "lease"
        self.metadata = self.prefix + "metadata"
        self.sources = self.prefix + "sources"
        self.identifiers = self.prefix + "identifiers"
        self.hits = self.prefix + "hits"
        self.citations = self.prefix + "citations"
        self.journal = self.prefix + "journal"
        self.stages = self.prefix + "stages"
        self.events = self.prefix + "events"
        self.spending = self.prefix + "spending"
        self.exclusions = self.prefix + "exclusions"

    @classmethod
    def of_new(cls, job_id: str) -> Self:
        """The keys of a new job; UsageError also for an id that a command would read as an option."""
        try:
            keys = cls(job_id)
        except UsageError as error:
            error.details["setting"] = "job_id"
            raise
        if job_id.startswith("-"):
            raise _bad_job_id_error(job_id)
        return keys

    def question(self, key: str) -> str:
        """The sorted set of the sources of one question."""
        return f"{self.prefix}question:{key}"

    def all_keys(self, questions: Iterable[str]) -> tuple[str, ...]:
        """Every key of the job, in the order that lua/guard.lua names them."""
        return (
            self.lease,
            self.metadata,
            self.sources,
            self.identifiers,
            self.hits,
            self.citations,
            self.journal,
            self.stages,
            self.events,
            self.spending,
            self.exclusions,
            *map(self.question, questions),
        )


class BatchKeys:
    """The keys of one batch; UsageError if its name is invalid."""

    def __init__(self, name: str) -> None:
        if not _JOB_ID.fullmatch(name) or name.startswith("-"):
            raise UsageError(
                f"{name[:80]!r} is not a valid name of a batch: use 1 to 80 of a-z, 0-9 and -, first a letter or digit",
                hint="write it like oncology-2026",
            )
        prefix = f"job_batch:{{{name}}}:"
        self.lease = prefix + "lease"
        self.metadata = prefix + "metadata"
        self.rows = prefix + "rows"
        self.order = prefix + "order"
        self.running = prefix + "running"
        self.ended = prefix + "ended"
        self.changes = prefix + "changes"

    def all_keys(self) -> tuple[str, ...]:
        """Every key of the batch, in the order that lua/batch.lua names them."""
        return self.lease, self.metadata, self.rows, self.order, self.running, self.ended, self.changes


def _bad_job_id_error(job_id: str) -> UsageError:
    return UsageError(
        f"{job_id[:80]!r} is not a valid job id: use 1 to 80 of a-z, 0-9 and -, beginning with a letter or digit",
        hint="write it like trastuzumab-1",
        code=Code.JOB_ID_INVALID,
    )
