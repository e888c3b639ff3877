"""Whether rules file sources before the agent is asked is decided with a job and kept with it."""

from __future__ import annotations

from typing import Any

import pytest
from agents.library import says
from agents.scripted import asked

import storm
from storm.errors import UsageError
from storm.models import Dossier, Job, RunSettings
from storm.testing import ScriptedModel, open_test_app


def finishing(prompt: str) -> str:
    """An agent that gathers nothing; whoever writes finds nothing to say."""
    return says("finish", {}) if "recent_steps" in asked(prompt) else "[[ ## statements ## ]]\n[]\n"


async def run(**options: Any) -> tuple[Dossier, Job, list[str]]:
    """A job offline, its dossier, and the prompts of its agent."""
    model = ScriptedModel(finishing)
    async with open_test_app(model) as app:
        dossier = await storm.arun("trastuzumab", offline=True, app=app, **options)
        prompts = [prompt for prompt in model.prompts if "recent_steps" in asked(prompt)]
        return dossier, await app.store.jobs.get(dossier.job_id), prompts


@pytest.mark.slow
async def test_rules_file_first_unless_it_is_forbidden() -> None:
    dossier, job, prompts = await run()
    assert job.settings.prefill == "rules" and dossier.coverage.total > 20
    assert "Rules filed these before you began" in prompts[0]
    dossier, job, prompts = await run(prefill="none")
    assert job.settings.prefill == "none" and dossier.coverage.total == 0
    assert "refile_source" not in prompts[0] and asked(prompts[0])["recent_steps"] == "none yet"


@pytest.mark.slow
async def test_a_job_with_a_first_pass_has_a_search_log_and_a_flow_like_any_other() -> None:
    dossier, _, _ = await run()
    assert dossier.flow is not None and dossier.coverage.total > 20
    total = dossier.flow.total
    assert total.identified == total.duplicates + total.automatic + total.screened
    assert total.sought == dossier.coverage.total


@pytest.mark.slow
async def test_an_update_has_no_first_pass() -> None:
    model = ScriptedModel(finishing)
    async with open_test_app(model) as app:
        first = await storm.arun("trastuzumab", offline=True, app=app)
        before = len(model.prompts)
        second = await storm.aupdate(first.job_id, app=app)
        job = await app.store.jobs.get(second.job_id)
        assert not any("recent_steps" in asked(prompt) for prompt in model.prompts[before:])
    assert second.coverage.total == first.coverage.total
    assert (job.request.update_of, second.changes is not None) == (first.job_id, True)


@pytest.mark.slow
async def test_a_job_without_an_agent_has_none_and_refuses_one() -> None:
    async with open_test_app() as app:
        dossier = await storm.arun("trastuzumab", offline=True, app=app)
        assert (await app.store.jobs.get(dossier.job_id)).settings.prefill == ""
        with pytest.raises(UsageError, match="the mode extractive has no agent before which rules could file"):
            await storm.arun("trastuzumab", offline=True, mode="extractive", prefill="rules", app=app)
        with pytest.raises(UsageError, match="prefill is 'all'; it must be rules or none"):
            await storm.arun("trastuzumab", offline=True, prefill="all", app=app)


def test_settings_of_a_job_begun_before_have_none() -> None:
    assert RunSettings.model_validate_json('{"mode": "broad"}').prefill == ""
