"""Adding, updating and removing records: counts, origins, and what is left after an error or a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from storm.databases.corpus import writer as corpus_writer
from storm.databases.corpus.index import CorpusFile, CorpusIndex
from storm.databases.corpus.writer import Change, CorpusWriter
from storm.errors import CorpusError
from storm.models import Hit, SearchQuery

TRASTUZUMAB = SearchQuery(names=("trastuzumab",))


def article(number: int, title: str = "Trastuzumab", text: str = "") -> Hit:
    return Hit.of("pubmed", str(number), f"https://pubmed.ncbi.nlm.nih.gov/{number}/", title, text=text)


def add(index: CorpusIndex, *hits: Hit, origin: str = "a.xml") -> list[Change]:
    with CorpusWriter(index) as writer:
        return [writer.add_record(hit, origin) for hit in hits]


@pytest.fixture
def index(tmp_path: Path) -> CorpusIndex:
    return CorpusIndex(tmp_path / "corpus")


def test_a_record_is_added_then_unchanged_then_updated(index: CorpusIndex) -> None:
    assert add(index, article(1)) == [Change.ADDED]
    assert add(index, article(1)) == [Change.UNCHANGED]
    assert add(index, article(1, "Trastuzumab, revised")) == [Change.UPDATED]
    assert [hit.title for hit in index.search(TRASTUZUMAB, 5).hits] == ["Trastuzumab, revised"]


def test_the_last_of_several_versions_in_one_file_counts(index: CorpusIndex) -> None:
    assert add(index, article(1), article(1), article(1, "Trastuzumab 2"), article(1, "Trastuzumab 3")) == [
        Change.ADDED, Change.UNCHANGED, Change.UPDATED, Change.UPDATED,
    ]  # fmt: skip
    assert [hit.title for hit in index.search(TRASTUZUMAB, 5).hits] == ["Trastuzumab 3"]


def test_a_version_that_is_known_from_another_file_is_unchanged(index: CorpusIndex) -> None:
    add(index, article(1), origin="a.xml")
    assert add(index, article(1), origin="b.xml") == [Change.UNCHANGED]
    assert add(index, article(1, "Trastuzumab 2"), origin="c.xml") == [Change.UPDATED]
    assert add(index, article(1, "Trastuzumab 2"), origin="a.xml") == [Change.UPDATED]
    assert add(index, article(1, "Trastuzumab 2"), origin="a.xml") == [Change.UNCHANGED]
    assert index.files() == (CorpusFile("a.xml", 1), CorpusFile("b.xml", 1), CorpusFile("c.xml", 1))


def test_a_file_that_differs_from_another_replaces_its_own_version_only(index: CorpusIndex) -> None:
    add(index, article(1, "Trastuzumab", text="One."), origin="a.xml")
    add(index, article(1, "Trastuzumab", text="One and two."), origin="b.xml")
    add(index, article(1, "Trastuzumab", text="Three."), origin="b.xml")
    assert [hit.text for hit in index.search(TRASTUZUMAB, 5).hits] == ["Three."]
    add(index, article(1, "Trastuzumab", text="4."), origin="b.xml")
    assert [hit.text for hit in index.search(TRASTUZUMAB, 5).hits] == ["One."]


def test_what_is_unchanged_is_not_written_again(index: CorpusIndex) -> None:
    add(index, article(1), article(2))
    before = (index.folder / "meta.json").read_bytes()
    add(index, article(2), article(1))
    assert (index.folder / "meta.json").read_bytes() == before


def test_the_index_never_holds_deleted_records(index: CorpusIndex) -> None:
    add(index, *(article(n) for n in range(1, 40)))
    add(index, *(article(n, "Trastuzumab, revised") for n in range(1, 9)))
    add(index, article(40), origin="b.xml")
    with CorpusWriter(index) as writer:
        assert writer.remove_files({"b.xml"}) == 1
    assert '"deletes": {' not in (index.folder / "meta.json").read_text()
    assert index.count() == {"pubmed": 39}


def test_a_removed_file_takes_the_records_that_no_other_file_holds(index: CorpusIndex) -> None:
    add(index, article(1), article(2), origin="a.xml")
    add(index, article(2), article(3), origin="b.xml")
    assert index.files() == (CorpusFile("a.xml", 2), CorpusFile("b.xml", 2))
    with CorpusWriter(index) as writer:
        assert writer.remove_files({"a.xml"}) == 1
    assert index.files() == (CorpusFile("b.xml", 2),)
    assert {hit.external_id for hit in index.search(TRASTUZUMAB, 5).hits} == {"2", "3"}
    with CorpusWriter(index) as writer:
        assert writer.remove_files({"never-added.xml"}) == 0


def test_files_removed_together_take_the_records_that_they_alone_hold(index: CorpusIndex) -> None:
    add(index, article(1), article(2, text="One."), origin="a.xml")
    add(index, article(2, text="Two words."), article(3), origin="b.xml")
    add(index, article(3), origin="c.xml")
    with CorpusWriter(index) as writer:
        assert writer.remove_files({"a.xml", "b.xml"}) == 2
    assert index.files() == (CorpusFile("c.xml", 1),)


def test_what_is_removed_while_it_is_added_is_gone(index: CorpusIndex) -> None:
    add(index, article(1, text="One."), origin="a.xml")
    with CorpusWriter(index) as writer:
        writer.add_record(article(1, text="Two words."), "b.xml")
        writer.remove_files({"a.xml"})
    assert [hit.text for hit in index.search(TRASTUZUMAB, 5).hits] == ["Two words."]
    assert index.files() == (CorpusFile("b.xml", 1),)


def test_an_error_keeps_the_last_commit_and_lets_go_of_the_lock(index: CorpusIndex) -> None:
    add(index, article(1))
    with pytest.raises(KeyboardInterrupt), CorpusWriter(index) as writer:
        writer.add_record(article(2), "b.xml")
        writer.add_record(article(1, "Trastuzumab, revised"), "b.xml")
        raise KeyboardInterrupt
    assert [hit.title for hit in index.search(TRASTUZUMAB, 5).hits] == ["Trastuzumab"]
    assert add(index, article(2)) == [Change.ADDED]


def test_a_long_addition_is_committed_in_batches(index: CorpusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_writer, "BATCH_RECORDS", 10)
    with pytest.raises(KeyboardInterrupt), CorpusWriter(index) as writer:
        for number in range(1, 26):
            writer.add_record(article(number), "a.xml")
        raise KeyboardInterrupt
    assert index.count() == {"pubmed": 20}


def test_an_error_of_the_caller_stays_what_it_is(index: CorpusIndex) -> None:
    with pytest.raises(ValueError, match="mine"), CorpusWriter(index):
        raise ValueError("mine")


def test_a_full_disk_is_reported_as_such(index: CorpusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(hit: Hit, origins: object = ()) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(corpus_writer, "stored_form", full)
    with pytest.raises(CorpusError, match="no space left on the disk") as error, CorpusWriter(index) as writer:
        writer.add_record(article(1), "a.xml")
    assert "what was committed before is kept" in (error.value.hint or "")


_REWRITE = """
import sys
from pathlib import Path
from storm.databases.corpus import writer as corpus_writer
from storm.databases.corpus.index import CorpusIndex
from storm.models import Hit
made = corpus_writer.build_document
count = 0
def slow(hit, record):
    global count
    count += 1
    if count == 150:
        print("in the middle", flush=True)
        sys.stdin.read()
    return made(hit, record)
corpus_writer.build_document = slow
with corpus_writer.CorpusWriter(CorpusIndex(Path(sys.argv[1]))) as writer:
    writer.add_record(Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Trastuzumab, revised"), "a.xml")
"""


def test_a_kill_in_the_middle_of_a_rewrite_leaves_the_last_commit(index: CorpusIndex) -> None:
    add(index, *(article(n) for n in range(1, 300)))
    with subprocess.Popen(
        [sys.executable, "-c", _REWRITE, str(index.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in the middle\n"
        os.kill(process.pid, signal.SIGKILL)
    assert index.search(TRASTUZUMAB, 1).total == 299
    assert index.search(SearchQuery(names=("revised",)), 1).total == 0
    assert add(index, article(1, "Trastuzumab, revised")) == [Change.UPDATED]
    assert index.search(TRASTUZUMAB, 1).total == 299


def test_updates_that_a_later_record_of_the_file_takes_back_are_reported_and_change_nothing(index: CorpusIndex) -> None:
    one, two, three = (article(1, f"Trastuzumab {n}") for n in (1, 2, 3))
    add(index, one, two)
    with CorpusWriter(index) as writer:
        assert [writer.add_record(hit, "a.xml") for hit in (one, three, two)] == [
            Change.UPDATED, Change.UPDATED, Change.UNCHANGED,
        ]  # fmt: skip
        assert (writer.take_reverted("b.xml"), writer.take_reverted("a.xml"), writer.take_reverted("a.xml")) == (
            0,
            2,
            0,
        )
    assert add(index, two) == [Change.UNCHANGED]
    with CorpusWriter(index) as writer:
        assert [writer.add_record(hit, "a.xml") for hit in (two, one)] == [Change.UNCHANGED, Change.UPDATED]
        assert writer.take_reverted("a.xml") == 0
    assert [hit.title for hit in index.search(TRASTUZUMAB, 5).hits] == ["Trastuzumab 1"]
