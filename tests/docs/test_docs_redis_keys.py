"""docs/redis-keys.md: each example answers as the page says, and no key, field or script is left out."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pages import REDIS_KEYS, ROOT, code_blocks, examples
from redis import Redis
from storm_program import Program, await_event, newest_job

from storm.models import Step, ToolCall
from storm.store import JobJournal, Lease, open_store
from storm.store.faults import ACL_RULES
from storm.store.holder import Holder
from storm.store.keys import BATCH_INDEX, INDEX, BatchKeys, JobKeys
from storm.store.lease import LEASE_MS

PAGE = REDIS_KEYS.read_text(encoding="utf-8")
EXAMPLES = list(examples(REDIS_KEYS))
LOOKING = [(command, answer) for command, answer in EXAMPLES if "DEL" not in command and command != "storm jobs"]
DELETING = [example for example in EXAMPLES if example not in LOOKING]

#: What differs from job to job, by what is compared in its place.
_MASKS = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "TIME"),
    (r"\b\d{13}-\d+\b", "ENTRY"),
    (r"\b(src|cit)_[0-9a-f]+", r"\1_ID"),
)
_NUMBER = (r"(?<![-\d])\d+(\.\d+)*", "N")
#: Commands that count what a job has: two jobs on the bundled sample have the same.
_COUNTS = ("HLEN", "ZCARD", "ZCOUNT", "last_number", "DEL")


class Looked(NamedTuple):
    """A program with a finished job, and its server, which stays up meanwhile."""

    program: Program
    job_id: str
    redis: Redis


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Looked]:
    """The job on the bundled sample that is looked into and never changed."""
    folder = tmp_path_factory.mktemp("looked")
    program = Program(folder / "data", folder)
    program("run", "trastuzumab", "--offline", "--quiet")
    job_id = newest_job(program)
    program.server().ensure_running()
    with program.redis() as redis:
        redis.ping()
        asyncio.run(log_steps(program, job_id))
        yield Looked(program, job_id, redis)
    program.server().stop_server(force=True)


async def log_steps(program: Program, job_id: str) -> None:
    """The steps of an agent, as a job with a model writes them."""
    call = ToolCall(tool="search_pubmed", arguments='{"words": "survival"}', observation="12 found")
    opened = open_store(
        data_dir=program.data, redis_url=None, job_ttl=timedelta(days=30), clock=lambda: datetime.now(UTC)
    )
    async with await opened as store, await Lease.take(store, job_id) as lease:
        for number in (1, 2):
            step = Step(number=number, thought="Efficacy first.", calls=(call,), progress=1, state="6 questions")
            await JobJournal(store, job_id, lease).log_step(step)


def answer_of(program: Program, job_id: str, command: str) -> str:
    """What the command prints; what stands behind a pipe is a shell's, with `storm` and `python3` on its PATH."""
    first, _, rest = command.replace("JOB", job_id).partition(" | ")
    result = program(*shlex.split(first)[1:])
    assert result.code == 0, result.err
    if not rest:
        return result.out
    tools = program.folder / "bin"
    tools.mkdir(exist_ok=True)
    for name, start in {"storm": '-m storm "$@"', "python3": '"$@"'}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {start}\n', encoding="utf-8")
        (tools / name).chmod(0o755)
    env = program.environment({})
    env["PATH"] = f"{tools}:{env['PATH']}"
    piped = subprocess.run(rest, shell=True, input=result.out, env=env, capture_output=True, text=True, check=True)
    return piped.stdout


def assert_same(command: str, printed: str, job_id: str, documented: str) -> None:
    """Ids, times and numbers that are no counts aside, what was printed is what the page tells; `…` on the page is
    anything."""
    exact = any(name in command.split() for name in _COUNTS)
    pattern = re.escape(masked(documented, exact=exact)).replace("…", ".*")
    assert re.fullmatch(pattern, masked(printed.replace(job_id, "JOB"), exact=exact), re.S), printed


def masked(text: str, *, exact: bool = False) -> str:
    for pattern, name in (*_MASKS, *(() if exact else (_NUMBER,))):
        text = re.sub(pattern, name, text)
    return text


@pytest.mark.parametrize(("command", "answer"), LOOKING, ids=[command for command, _ in LOOKING])
def test_an_example_answers_as_the_page_says(looked: Looked, command: str, answer: str) -> None:
    lease = Holder.of_this_process(datetime.now(UTC)).to_json()
    looked.redis.set(JobKeys(looked.job_id).lease, lease, px=LEASE_MS)
    assert_same(command, answer_of(looked.program, looked.job_id, command), looked.job_id, answer)


def test_one_command_each_reads_progress_sources_citations_and_steps(looked: Looked) -> None:
    (block,) = (found for found in code_blocks(REDIS_KEYS, "bash") if "HVALS" in found)
    commands = block.replace(":KEY", ":clinical.efficacy").splitlines()
    progress, sources, citations, steps = (answer_of(looked.program, looked.job_id, one) for one in commands)
    keys = JobKeys(looked.job_id)
    assert progress.splitlines() == ["finished", "report", "1"]
    assert len(sources.splitlines()) == looked.redis.zcard(keys.question("clinical.efficacy"))
    assert {*sources.splitlines()} <= {str(name) for name in looked.redis.hkeys(keys.sources)}
    assert {json.loads(line)["citation_id"] for line in citations.splitlines()} == {*looked.redis.hkeys(keys.citations)}
    assert [json.loads(line)["step"]["number"] for line in steps.splitlines()] == [1, 2]


def test_where_there_is_nothing_the_commands_print_what_the_page_says(looked: Looked) -> None:
    looked.redis.delete(JobKeys(looked.job_id).lease)
    for command, printed in (
        ("GET 'source_collection:{JOB}:lease'", "\n"),
        ("PTTL 'source_collection:{JOB}:lease'", "-2\n"),
        ("HGET 'source_collection:{JOB}:metadata' steps:another", "\n"),
    ):
        assert answer_of(looked.program, looked.job_id, f"storm store cli {command}") == printed
    for nothing in ("", "\n"):
        formatted = subprocess.run([sys.executable, "-m", "json.tool"], input=nothing, capture_output=True, text=True)
        assert formatted.returncode and "Expecting value" in formatted.stderr


def test_the_rules_of_the_page_are_those_of_the_error() -> None:
    assert f"ACL SETUSER storm on >PASSWORD {ACL_RULES}\n" in PAGE


@pytest.mark.skipif(not shutil.which("redis-cli"), reason="redis-cli is not installed")
@pytest.mark.parametrize("command", [command for command, _ in LOOKING if "store cli" in command])
def test_redis_cli_prints_the_same(looked: Looked, command: str) -> None:
    first = command.replace("JOB", looked.job_id).partition(" | ")[0]
    attached = ["redis-cli", "-s", str(looked.program.server().socket), *shlex.split(first)[3:]]
    printed = subprocess.run(attached, capture_output=True, text=True, check=True).stdout
    assert masked(printed) == masked(looked.program(*shlex.split(first)[1:]).out)


def look_from_python(program: Program, job_id: str) -> dict[str, Any]:
    """What the Python block of the page finds of the job."""
    (block,) = code_blocks(REDIS_KEYS, "python")
    names: dict[str, Any] = {}
    exec(block.replace("/the/path/above/store.sock", str(program.server().socket)).replace("JOB", job_id), names)
    return names


def test_python_finds_what_the_commands_print(looked: Looked) -> None:
    found = look_from_python(looked.program, looked.job_id)
    inspected = looked.program("inspect", looked.job_id, "--json").json()
    assert (found["state"], found["stage"], found["progress"]) == ("finished", "report", "1")
    assert found["sources"] == {key: row["sources"] for key, row in inspected["questions"].items()}
    assert len(found["citations"]) == looked.redis.hlen(JobKeys(looked.job_id).citations) > 0
    assert {"claim", "quote", "source_id"} <= found["citations"][0].keys()
    assert found["steps"] == 2


@pytest.mark.slow
def test_a_job_is_looked_into_while_it_runs(program: Program) -> None:
    child = program.start("run", "trastuzumab", "--offline")
    job_id = child.job_id()
    await_event(program, job_id, "saved", 3)
    child.send(signal.SIGSTOP)  # so that nothing changes between two looks
    (command, _), *_ = [example for example in LOOKING if "state stage progress" in example[0]]
    printed = answer_of(program, job_id, command).splitlines()
    found = look_from_python(program, job_id)
    assert printed == [found["state"], found["stage"], found["progress"]]
    assert (found["state"], found["stage"]) == ("running", "gather")
    assert 0 < float(found["progress"]) < 1
    assert sum(found["sources"].values()) >= 3 and found["citations"]
    child.kill()


@pytest.mark.slow
def test_a_job_is_deleted_as_the_page_says(program: Program) -> None:
    program("run", "metformin", "--offline", "--quiet")
    job_id = newest_job(program)
    for command, answer in DELETING:
        assert_same(command, answer_of(program, job_id, command), job_id, answer)
    program.server().ensure_running()
    with program.redis() as redis:
        assert redis.keys("*") == []


def test_every_key_is_in_the_table() -> None:
    keys = JobKeys("job").all_keys(["KEY"])
    batch = [key.replace("{batch}", "{BATCH}") for key in BatchKeys("batch").all_keys()]
    for key in (INDEX, BATCH_INDEX, *batch, *(key.replace("{job}", "{JOB}") for key in keys)):
        assert f"\n| `{key}` |" in PAGE


def test_each_key_has_the_type_that_the_table_says(looked: Looked) -> None:
    listed = dict(re.findall(r"^\| `(source_collection[^`]*)` \| ([a-z ]+) \|", PAGE, re.M))
    kept = JobKeys(looked.job_id).all_keys(["clinical.efficacy"])[1:]
    without_model = [key for key in (INDEX, *kept) if not key.endswith(":spending")]
    for key in without_model:
        name = key.replace(looked.job_id, "JOB").replace("clinical.efficacy", "KEY")
        assert looked.redis.type(key) == listed[name].replace("sorted set", "zset")
    assert listed["source_collection:{JOB}:spending"] == "hash"


def test_every_script_is_named() -> None:
    scripts = sorted(path.name for path in (ROOT / "storm/store/lua").iterdir())
    assert len(scripts) > 10
    assert [name for name in scripts if f"`{name}`" not in PAGE] == []


def test_no_script_is_named_that_is_not_there() -> None:
    named = set(re.findall(r"`(\w+\.lua)`", PAGE))
    assert named == {path.name for path in (ROOT / "storm/store/lua").glob("*.lua")}


def test_every_field_of_the_metadata_is_reported(looked: Looked) -> None:
    fields = {str(field).partition(":")[0] for field in looked.redis.hkeys(JobKeys(looked.job_id).metadata)}
    table = PAGE.partition("### Fields of the metadata")[2].partition("\n## ")[0]
    firsts = " ".join(re.findall(r"^\|([^|]*)\|", table, re.M))
    documented = {name.partition(":")[0] for name in re.findall("`(.*?)`", firsts)}
    assert documented == fields | {"waiting", "steps", "holder", "update_of", "user_id", "org_id", "dropped"}


def test_the_file_that_the_table_names_for_the_index_writes_it() -> None:
    named = re.search(rf"^\| `{INDEX}` .*`(storm/[\w/]+\.py)` \|$", PAGE, re.M)
    assert named and "zadd(INDEX" in Path(ROOT / named[1]).read_text(encoding="utf-8")
