from __future__ import annotations

import pytest

from storm.errors import UsageError
from storm.store.keys import JobKeys


def test_the_braces_are_literally_in_each_key() -> None:
    keys = JobKeys("trastuzumab-20261121-7f3a")
    assert keys.sources == "source_collection:{trastuzumab-20261121-7f3a}:sources"
    assert keys.question("ip.patents") == "source_collection:{trastuzumab-20261121-7f3a}:question:ip.patents"
    assert len(set(keys.all_keys(["a", "b"]))) == 13


@pytest.mark.parametrize("job_id", ["", "A", "a b", "a}b", "a*", "../a", "ä", "a\n", "a" * 81])
def test_what_cannot_be_a_job_id_never_becomes_a_key(job_id: str) -> None:
    with pytest.raises(UsageError, match="is not a valid job id"):
        JobKeys(job_id)


@pytest.mark.parametrize("job_id", ["-", "-a", "--quiet"])
def test_no_new_job_has_an_id_that_a_command_would_read_as_an_option(job_id: str) -> None:
    with pytest.raises(UsageError, match="beginning with a letter or digit"):
        JobKeys.of_new(job_id)
    assert JobKeys(job_id).job_id == job_id  # a job that is there stays readable
