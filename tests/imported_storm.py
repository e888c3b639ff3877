"""Imports all of storm and makes two dossiers, for the process from which those of tests are forked: they find compiled
and read what a first job must."""

import asyncio
import gc
import os
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from python_process import SHARED_SAMPLE
from sample_copies import keep_readings, share_index

import storm

for _module in pkgutil.walk_packages(storm.__path__, "storm."):
    if "__main__" not in _module.name and ".migrations." not in _module.name:
        import_module(_module.name)
share_index(pytest.MonkeyPatch(), Path(os.environ[SHARED_SAMPLE]))
keep_readings(pytest.MonkeyPatch())


async def _make_dossiers() -> None:
    from storm.testing import open_test_app

    async with open_test_app() as app:
        for drug in ("trastuzumab", "metformin"):
            await storm.arun(drug, offline=True, app=app)


asyncio.run(_make_dossiers())
gc.collect()
gc.freeze()  # so that no garbage collection of a forked process looks through it
