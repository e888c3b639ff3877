"""Many jobs at a time in one worker, against a public service and a model on loopback that take their time."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

from _bibliographer import fields, inputs_of, next_step
from _model_server import MODEL, ModelServer, served
from _program import indexed
from _report import Row
from _workers import await_end, discard, find_finished, settings_of, submit_jobs, workers

from storm.app import open_app
from storm.models import JobLimits, SearchStatus
from storm.settings import Settings

#: Calls of the model that a job may make.
_CALLS = 25
_SERVICE = """europepmc:
  label: Europe PMC
  base_url: {url}
  scope: made records
  rate: {rate:g}
  ttl: 0
  limit: 10
"""


class SlowModel(ModelServer):
    """The model of an agent; each reply takes so many seconds, however many are asked for at a time."""

    def __init__(self, pause: float) -> None:
        super().__init__(lambda: pause)

    def reply(self, prompt: str) -> str:
        given = inputs_of(prompt)
        asked = "recent_steps" in given
        said = next_step(given["recent_steps"], given["state"]) if asked else fields(statements=[])
        return said.replace("search_sample", "search_europepmc")


class SlowService(ThreadingHTTPServer):
    """Europe PMC's search, with made records; each answer takes so many seconds."""

    daemon_threads, request_queue_size = True, 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was stopped closes its connection, which is no error."""

    def __init__(self, pause: float) -> None:
        super().__init__(("127.0.0.1", 0), _Search)
        self.pause, self.searches, self.counting = pause, 0, Lock()


class _Search(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: SlowService

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query).get("query", [""])[0]
        time.sleep(self.server.pause)
        with self.server.counting:  # a thread a request
            self.server.searches += 1
        records = [_make_record(query, place) for place in range(5)]
        page = {"hitCount": len(records), "nextCursorMark": "*", "resultList": {"result": records}}
        content = json.dumps(page).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


def _make_record(query: str, place: int) -> Mapping[str, Any]:
    number = crc32(f"{query} {place}".encode()) % 90_000_000 + 10_000_000
    text = f"The rate of response was {number % 89 + 10} % with trastuzumab in cohort {number}."
    return {
        "id": str(number), "source": "MED", "title": f"Trastuzumab in cohort {number}", "authorString": "Lee A.",
        "authorList": {"author": [{"fullName": "Lee A"}]}, "pubYear": "2019", "abstractText": text,
        "pubTypeList": {"pubType": ["Journal Article"]}, "firstPublicationDate": "2019-03-01",
    }  # fmt: skip


def at_once_rows(
    folder: Path, numbers: Sequence[int], model_pause: float, service_pause: float, rate: float
) -> list[Row]:
    """One worker with so many slots, and as many jobs: how fast they end, and what they take."""
    rows: list[Row] = []
    for number in numbers:
        row = _carry_out(indexed(folder / f"at-once-{number}"), number, model_pause, service_pause, rate)
        grown = float(str(row["worker_mb"])) - float(str((rows or [row])[0]["worker_mb"]))
        rows.append({**row, "mb_a_job": round(grown / max(1, number - numbers[0]), 2)})
    return rows


def _carry_out(data_dir: Path, number: int, model_pause: float, service_pause: float, rate: float) -> Row:
    with ExitStack() as stack:
        model = stack.enter_context(served(SlowModel(model_pause)))
        service = stack.enter_context(served(SlowService(service_pause)))
        databases = data_dir / "databases.yaml"
        url = f"http://127.0.0.1:{service.server_port}"
        databases.write_text(_SERVICE.format(url=url, rate=rate), encoding="utf-8")
        env = {**model.environment, "STORM_DATABASES": str(databases)}
        settings = settings_of(data_dir, **env)._replace(databases=databases)
        job_ids = submit_jobs(settings, range(number), MODEL, offline=False, limits=JobLimits(calls=_CALLS))
        memory: list[float] = []
        (worker,) = stack.enter_context(workers(data_dir, 1, number, **env))
        began, before = time.monotonic(), _read_cpu(worker.process.pid)
        asyncio.run(await_end(settings, lambda: memory.append(worker.memory())))
        seconds, own = time.monotonic() - began, _read_cpu(worker.process.pid) - before

        finished, failed = asyncio.run(_count(settings, job_ids))
    discard(data_dir)
    return {
        "variant": f"storm worker --jobs {number}", "n": number, "finished": finished, "seconds": round(seconds, 1),
        "jobs_a_minute": round(number / seconds * 60, 1), "worker_cpu": round(own / seconds, 2),
        "cpu_s_a_job": round(own / number, 2), "worker_mb": round(max(memory), 1),
        "model_calls": model.calls, "most_calls_at_once": model.most_at_once, "searches": service.searches,
        "searches_failed": failed,
        "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


async def _count(settings: Settings, job_ids: Sequence[str]) -> tuple[int, int]:
    """How many of the jobs are finished, and how many of their searches failed."""
    async with open_app(settings) as app:
        searches = [search for job_id in job_ids for search in await app.journal(job_id).searches()]
        failed = [search for search in searches if search.status is SearchStatus.FAILED]
        for reason in {search.reason for search in failed}:
            print(f"a search failed: {reason}", file=sys.stderr)
        return len(await find_finished(app, job_ids)), len(failed)


def _read_cpu(process: int) -> float:
    """Seconds of the processor that the process has used."""
    fields_after_name = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields_after_name[11]) + int(fields_after_name[12])) / os.sysconf("SC_CLK_TCK")
