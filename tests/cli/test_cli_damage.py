"""A job that lost data, as after an eviction: one clear line, exit 1, and neither keys nor files are overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from storm_program import FinishedJob, Program

from storm.store.keys import JobKeys

#: What is taken back of the finished job, so that it stands where an interrupted one does.
STATES = {
    "gathered": ("check", "answer", "report"),
    "answering": ("answer", "report"),
    "finished": (),
}
#: Every key of a job without a model.
NAMES = [
    *(name for name in vars(JobKeys("job")) if name not in ("job_id", "prefix", "lease", "spending")),
    "question:clinical.safety",
]


def rewind(redis: Redis, keys: JobKeys, stages: tuple[str, ...]) -> None:
    if stages:
        redis.hdel(keys.stages, *stages)
        redis.hset(keys.metadata, "state", "running")
        redis.hdel(keys.metadata, "finished", "exit_code")


def written(folder: Path) -> dict[Path, tuple[int, int]]:
    """When each file was written, and which it is; reading one changes only when it was read."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.iterdir()}


def contents(redis: Redis) -> dict[str, object]:
    return {key: redis.execute_command("DUMP", key, NEVER_DECODE=True) for key in sorted(redis.keys("*"))}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("state", STATES)
def test_a_job_that_lost_a_key_is_reported_to_be_damaged_and_nothing_is_overwritten(
    program_with_job: Program, finished: FinishedJob, state: str, name: str
) -> None:
    program, job_id = program_with_job, finished.job_id
    keys = JobKeys(job_id)
    reports = written(finished.reports)
    program.server().ensure_running()
    with program.redis() as redis:
        rewind(redis, keys, STATES[state])
        assert redis.delete(keys.metadata.replace("metadata", name)) == 1
        before = contents(redis)
        for command in ("resume", "resume", "inspect", "export"):
            outcome = program(command, job_id)
            assert outcome.code == 1 and outcome.is_one_clear_error()
            assert f"the collection of {job_id} is damaged: " in outcome.err
            assert "storm run DRUG" in outcome.err
        assert contents(redis) == before
    assert written(finished.reports) == reports
    assert not (program.folder / "storm-reports").exists()


@pytest.mark.slow
def test_the_drug_of_a_damaged_job_can_be_run_again(program_with_job: Program, finished: FinishedJob) -> None:
    program = program_with_job
    program("store", "cli", "DEL", JobKeys(finished.job_id).sources)
    assert program("run", "trastuzumab", "--offline", "--out", "again").code == 0
    program("store", "cli", "DEL", JobKeys(finished.job_id).metadata)
    outcome = program("jobs")
    assert (outcome.code, len(outcome.out.splitlines())) == (0, 2)
    assert f"Not listed, since its metadata is damaged: {finished.job_id}" in outcome.err


def test_an_empty_collection_is_no_damage(program: Program) -> None:
    assert program("run", "nosuchdrug", "--offline").code == 4
    (job,) = program.jobs()
    assert program("resume", job["job_id"]).code == 4
    assert program("inspect", job["job_id"]).code == 0


def test_jobs_are_listed_though_their_index_was_lost(program_with_job: Program, finished: FinishedJob) -> None:
    program_with_job("store", "cli", "DEL", "source_collections")
    assert [job["job_id"] for job in program_with_job.jobs()] == [finished.job_id]


def truncate_hits(redis: Redis, keys: JobKeys) -> None:
    for name, text in redis.hgetall(keys.hits).items():
        redis.hset(keys.hits, name, text[: len(text) // 2])


def move_citation(redis: Redis, keys: JobKeys) -> None:
    name, text = sorted(redis.hgetall(keys.citations).items())[0]
    citation = json.loads(text)
    citation["source_id"] = next(one for one in sorted(redis.hkeys(keys.sources)) if one != citation["source_id"])
    redis.hset(keys.citations, name, json.dumps(citation))


def forget_citations(redis: Redis, keys: JobKeys) -> None:
    for name, text in redis.hgetall(keys.sources).items():
        redis.hset(keys.sources, name, json.dumps({**json.loads(text), "citation_ids": {}}))


#: What is done to a job, and which commands need what it spoils.
DAMAGES: dict[str, tuple[Callable[[Redis, JobKeys], object], tuple[str, ...]]] = {
    "a hit is cut": (truncate_hits, ("resume", "export", "inspect --sources")),
    "a hit is no text": (lambda r, k: r.hset(k.hits, r.hkeys(k.hits)[0], b"\xff"), ("resume", "export")),
    "state": (lambda r, k: r.hset(k.metadata, "state", "odd"), ("resume", "export", "inspect", "cancel", "watch")),
    "created": (lambda r, k: r.hset(k.metadata, "created", "x"), ("resume", "export", "inspect", "cancel", "watch")),
    "no text": (
        lambda r, k: r.hset(k.metadata, "request", b"\xff"),
        ("resume", "export", "inspect", "cancel", "watch"),
    ),
    "questions": (lambda r, k: r.hset(k.metadata, "questions", "clinical.safety"), ("resume", "export", "inspect")),
    "plan": (lambda r, k: r.hset(k.stages, "plan", "{}"), ("resume", "export", "inspect")),
    "citation moved": (move_citation, ("resume", "export", "inspect")),
    "citations forgotten": (forget_citations, ("resume", "export", "inspect")),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("state", ["gathered", "finished"])
def test_a_value_that_is_spoilt_is_reported_in_one_line_and_nothing_is_overwritten(
    program_with_job: Program, finished: FinishedJob, state: str, damage: str
) -> None:
    program, job_id = program_with_job, finished.job_id
    spoil, commands = DAMAGES[damage]
    program.server().ensure_running()
    with program.redis() as redis:
        rewind(redis, JobKeys(job_id), STATES[state])
        spoil(redis, JobKeys(job_id))
        before = contents(redis)
        for command in commands:
            name, *options = command.split()
            outcome = program(name, job_id, *options)
            assert (outcome.code, outcome.is_one_clear_error()) == (1, True), outcome.text
            assert f"the collection of {job_id} is damaged: " in outcome.err
        assert contents(redis) == before
    assert not (program.folder / "storm-reports").exists()


def test_an_export_of_sources_that_meets_a_record_that_is_cut_leaves_no_file(
    program_with_job: Program, finished: FinishedJob
) -> None:
    program = program_with_job
    program.server().ensure_running()
    with program.redis() as redis:
        truncate_hits(redis, JobKeys(finished.job_id))
    outcome = program("export", finished.job_id, "--format", "sources", "--out", "out")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True), outcome.text
    assert f"the collection of {finished.job_id} is damaged: " in outcome.err
    assert list((program.folder / "out").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["plan", "answer", "report"])
def test_a_result_that_is_spoilt_is_damage_and_not_another_version(
    program_with_job: Program, finished: FinishedJob, stage: str
) -> None:
    program, keys = program_with_job, JobKeys(finished.job_id)
    program("store", "cli", "HSET", keys.stages, stage, "{}")
    for command in ("resume", "export"):
        outcome = program(command, finished.job_id)
        assert f"is damaged: the result of {stage} is not what was stored" in outcome.err
    program("store", "cli", "HSET", keys.metadata, "version", "0.0.9")
    program("store", "cli", "HDEL", keys.metadata, f"made:{stage}")  # which that version did not note
    outcome = program("export", finished.job_id)
    assert outcome.code == (stage == "report")  # the other results are not read for its files
    assert ("made by version 0.0.9: this one cannot read its step 'report'" in outcome.err) == (stage == "report")


@pytest.mark.slow
def test_a_job_whose_state_cannot_be_read_is_named_and_can_be_deleted(
    program_with_job: Program, finished: FinishedJob
) -> None:
    program = program_with_job
    assert program("run", "nosuchdrug", "--offline").code == 4
    program("store", "cli", "HSET", JobKeys(finished.job_id).metadata, "state", "odd")
    outcome = program("jobs")
    assert (outcome.code, len(outcome.out.splitlines())) == (0, 2)
    assert f"Not listed, since its metadata is damaged: {finished.job_id}" in outcome.err
    assert program("delete", finished.job_id).code == 0
