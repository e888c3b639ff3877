"""`storm doctor` where things hang or are wrong in one place."""

from __future__ import annotations

import json
import socket
import threading

import pytest
from storm_program import DEADLINE, Program

from storm.cli import doctor


def test_the_checks_are_made_at_the_same_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """Each waits for the other: one after the other, they would never end."""
    both = threading.Barrier(2, timeout=DEADLINE)

    def meet() -> str:
        both.wait()
        return "met"

    monkeypatch.setattr(doctor, "_CHECKS", {"store": meet, "public databases": meet})
    doctor.doctor(as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [(check["name"], check["message"]) for check in told] == [("store", "met"), ("public databases", "met")]


def test_a_store_that_never_answers_is_given_up_soon(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_STORE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        told = program("doctor", STORM_REDIS_URL=f"redis://:S3CRET@127.0.0.1:{silent.getsockname()[1]}/0")
    assert told.code == 1
    assert "FAILS store: the store of STORM_REDIS_URL does not answer within 0.2 s" in told.out
    assert "ok    sample: " in told.out
    assert "S3CRET" not in told.text


def test_a_mistake_that_several_checks_meet_is_told_once(program: Program) -> None:
    told = program("doctor", "--json", STORM_JOB_TTL_DAYS="soon").json()
    assert [check["name"] for check in told if not check["ok"]] == ["settings"]
