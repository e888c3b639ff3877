"""An agent that searches the bundled sample: its words decide what it is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from agents.jobs import Job, open_job
from agents.library import says
from agents.scripted import asked, prompts_of, scripted_lm

from storm.databases.corpus.database import CorpusDatabase, sample_index
from storm.models import SearchRecord, SearchStatus


@pytest.fixture
async def job(tmp_path: Path) -> AsyncIterator[Job]:
    async with open_job(CorpusDatabase(sample_index(tmp_path), "sample", "a sample")) as made:  # type: ignore[arg-type]
        yield made


async def searched(job: Job, *words: str) -> tuple[Sequence[SearchRecord], str]:
    """The log after an agent searched so, and what it was shown last."""
    lm = scripted_lm(
        [*(says("search_sample", {"words": text}) for text in words), says("finish", {}), says("finish", {})]
    )
    await job.gather(lm)
    return await job.journal.searches(), asked(prompts_of(lm)[len(words)])["recent_steps"]


async def test_words_that_no_record_holds_find_nothing(job: Job) -> None:
    records, shown = await searched(job, "zzzz qqqq")
    assert {record.status for record in records} == {SearchStatus.NONE}
    assert records[0].query == '("trastuzumab" OR "Herceptin") AND zzzz AND qqqq'
    assert "has no record of this; try fewer or other words" in shown


async def test_different_words_find_different_records_first(job: Job) -> None:
    records, shown = await searched(job, "patent expiry", "lapatinib comparison", "cardiac dysfunction", "gastric")
    found = [record for record in records if record.status is SearchStatus.FOUND]
    assert len({record.hits[0] for record in found}) == 4
    assert max(record.total for record in found) < 77
    assert "none holds all of these words. With any of them: " in shown


async def test_where_no_record_holds_all_words_both_searches_stand_in_the_log(job: Job) -> None:
    records, _ = await searched(job, "lapatinib qqqq")
    assert [(record.query.split(" AND ", 1)[1], record.status) for record in records] == [
        ("lapatinib AND qqqq", SearchStatus.NONE), ("(lapatinib OR qqqq)", SearchStatus.FOUND),
    ]  # fmt: skip


async def test_quotes_or_and_the_drugs_own_names_are_understood(job: Job) -> None:
    records, _ = await searched(job, '"boxed warning"', "warning boxed", "lapatinib OR pertuzumab", "Herceptin")
    phrase, words, either, names = (record.total for record in records)
    assert 0 < phrase <= words < either < names


async def test_not_is_explained_and_not_searched(job: Job) -> None:
    records, shown = await searched(job, "safety NOT children")
    assert not records and "NOT is not supported" in shown
