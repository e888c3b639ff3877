"""Imports all of storm and reads what comes with it, for the process from which those of tests are forked."""

import gc
import os
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from python_process import SHARED_SAMPLE
from sample_copies import share_index

import storm
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

for _module in pkgutil.walk_packages(storm.__path__, "storm."):
    if "__main__" not in _module.name and ".migrations." not in _module.name:
        import_module(_module.name)
bundled_syllabus(read_settings().config_dir)
share_index(pytest.MonkeyPatch(), Path(os.environ[SHARED_SAMPLE]))
gc.collect()
gc.freeze()  # so that no garbage collection of a forked process looks through it
