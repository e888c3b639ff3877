"""Each remembered step records what it was made from, in every mode."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
from stores import use_quick_test_apps

import storm
from storm.app import App
from storm.modes.run import inputs_of
from storm.testing import open_test_app

#: What is stored beside the steps.
BESIDE = {"scope", "engines", "trials"}


@pytest.fixture
async def app(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    use_quick_test_apps(monkeypatch)
    async with open_test_app() as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dossier", "report", "deep research", "repurposing"])
async def test_every_step_has_its_inputs(app: App, mode: str) -> None:
    job = "job-of-the-test"
    match mode:
        case "dossier":
            await storm.arun("metformin", offline=True, app=app, job_id=job)
        case "report":
            await storm.areport("Is metformin safe?", offline=True, app=app, job_id=job)
        case "deep research":
            await storm.aask("Is metformin safe?", offline=True, app=app, job_id=job)
        case _:
            await storm.arepurpose("metformin for breast cancer", offline=True, app=app, job_id=job)
    stages = await app.journal(job).stages()
    steps = {name for name in stages if not name.startswith(inputs_of(""))} - BESIDE
    assert {"plan", "report"} <= steps
    assert {name for name in steps if inputs_of(name) not in stages} == set()
    made_of = json.loads(stages[inputs_of("report")]).keys()
    assert {"plan", "answers" if mode == "dossier" else "sections"} <= made_of
