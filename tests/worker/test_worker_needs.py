"""What a job needs of a worker, and what is said where none has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from stores import NOW

from storm.settings import Environment, Settings, read_settings
from storm.store import JobNeeds, WorkerRecord, find_waiting_reason
from storm.worker.needs import find_needs, name_queue

NEEDS = JobNeeds(version="0.1.0", configuration="c", corpus="")
QUEUE = name_queue(NEEDS, "normal")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings()._replace(data_dir=tmp_path, environment=Environment())


def worker(needs: JobNeeds, *priorities: str) -> WorkerRecord:
    queues = tuple(name_queue(needs, priority) for priority in priorities)
    return WorkerRecord(
        worker_id="w", host="one", pid=7, **needs.model_dump(), queues=queues, jobs=4, started=NOW, seen=NOW
    )


def test_the_same_settings_need_the_same_and_the_place_of_the_data_is_not_among_them(
    settings: Settings, tmp_path: Path
) -> None:
    assert find_needs(settings) == find_needs(settings._replace(data_dir=tmp_path / "elsewhere"))


def test_another_list_of_databases_is_another_configuration(settings: Settings, tmp_path: Path) -> None:
    other = tmp_path / "databases.yaml"
    other.write_bytes(settings.databases.read_bytes() + b"\n# one more line\n")
    assert name_queue(find_needs(settings), "low") != name_queue(find_needs(settings._replace(databases=other)), "low")


def test_whether_a_key_is_set_counts_and_its_value_does_not(settings: Settings) -> None:
    first = settings._replace(environment=Environment(NCBI_API_KEY="one", HOME="/home/a"))
    second = settings._replace(environment=Environment(NCBI_API_KEY="two", HOME="/home/b"))
    assert find_needs(first) == find_needs(second)
    assert find_needs(first) != find_needs(settings)


@pytest.mark.parametrize(
    ("workers", "why"),
    [
        ([], "no worker is running"),
        ([worker(NEEDS, "high", "normal")], ""),
        ([worker(NEEDS, "high")], "worker 7 on one does not take jobs of priority normal"),
        ([worker(NEEDS.model_copy(update={"version": "0.2.0"}), "normal")], "is storm 0.2.0, and the job needs 0.1.0"),
        ([worker(NEEDS.model_copy(update={"configuration": "d"}), "normal")], "has another configuration"),
        ([worker(NEEDS.model_copy(update={"corpus": "e"}), "normal")], "has other records of its own (corpus)"),
    ],
)
def test_a_job_that_no_worker_takes_says_why(workers: list[WorkerRecord], why: str) -> None:
    found = find_waiting_reason(QUEUE, NEEDS, workers)
    assert why in found
    assert bool(found) is bool(why)
