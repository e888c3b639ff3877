"""The store in memory and the scripted model that programs which use storm are tested with."""

from __future__ import annotations

from pathlib import Path

import pytest

import storm
from storm.databases.corpus.database import sample_index
from storm.testing import ScriptedModel, open_test_app


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("testing")
    sample_index(data)
    return data


@pytest.mark.slow
async def test_a_job_leaves_no_store_behind(data_dir: Path) -> None:
    async with open_test_app(data_dir=data_dir) as app:
        dossier = await storm.arun("metformin", offline=True, app=app)
        assert [job.job_id for job in await storm.ajobs(app=app)] == [dossier.job_id]
    async with open_test_app(data_dir=data_dir) as app:
        assert await storm.ajobs(app=app) == ()
    assert not (data_dir / "store").exists()


async def test_a_scripted_model_plays_every_role_and_says_what_it_was_asked(data_dir: Path) -> None:
    finish = (
        "[[ ## next_thought ## ]]\nNothing to do.\n\n[[ ## next_tool_name ## ]]\nfinish\n\n"
        "[[ ## next_tool_args ## ]]\n{}\n\n[[ ## more_calls ## ]]\n[]\n\n[[ ## completed ## ]]\n"
    )
    model = ScriptedModel(lambda prompt: finish)
    async with open_test_app(model, data_dir=data_dir) as app:
        dossier = await storm.arun("metformin", offline=True, prefill="none", app=app)
    assert (dossier.by_model, dossier.coverage.total) == (True, 0)
    assert "metformin" in model.prompts[-1]
