"""Where the recorded answers of the public databases are. They are not part of the project; without them tests skip."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SETTING = "STORM_RECORDED_ANSWERS"
CHECKOUT = Path(__file__).resolve().parents[1]

#: One folder for each service. No test looks for recorded answers anywhere else.
ANSWERS = Path(os.environ.get(SETTING) or CHECKOUT.parent / "shared" / "payloads").expanduser().absolute()

#: Records that were filed under questions by hand; they are kept beside the recorded answers.
LABELLED_RECORDS = ANSWERS.parent / "facts" / "records.jsonl"

needs_recorded_answers = pytest.mark.skipif(
    not ANSWERS.is_dir(), reason=f"no recorded answers at {ANSWERS}; {SETTING} says where they are"
)
needs_labelled_records = pytest.mark.skipif(
    not LABELLED_RECORDS.is_file(), reason=f"no labelled records at {LABELLED_RECORDS}, beside {SETTING}"
)
