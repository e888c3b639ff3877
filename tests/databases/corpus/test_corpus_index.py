"""The corpus on disk: ranking that depends on the records alone, filters, look-up, and what is said when it breaks."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st
from tantivy import Query

from storm.databases.corpus.index import SCHEMA, CorpusFile, CorpusIndex, map_corpus_errors, record_key
from storm.databases.corpus.writer import CorpusWriter
from storm.errors import Code, CorpusBusy, CorpusError
from storm.models import Hit, SearchQuery

WORDS = ("trastuzumab", "herceptin", "response", "survival", "cardiac", "approved", "placebo", "her2")


def article(number: int, title: str = "", text: str = "", **fields: Any) -> Hit:
    url = f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
    return Hit.of("pubmed", str(number), url, title or f"Study {number}", text=text, **fields)


def filled(folder: Path, hits: Iterable[Hit], origin: str = "file") -> CorpusIndex:
    index = CorpusIndex(folder)
    with CorpusWriter(index) as writer:
        for hit in hits:
            writer.add_record(hit, origin)
    return index


def ranking(index: CorpusIndex, limit: int = 10) -> list[tuple[str, float]]:
    query = SearchQuery(names=("trastuzumab", "Herceptin"), words=("response", "survival", "cardiac"))
    found = index.search(query, limit)
    return [(hit.key, score) for hit, score in zip(found.hits, found.scores, strict=True)]


@pytest.mark.long
@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(1, 60), cut=st.integers(0, 60), limit=st.integers(1, 20))
def test_order_repetition_and_batches_of_adding_change_neither_ranking_nor_scores(
    seed: int, size: int, cut: int, limit: int
) -> None:
    dice = random.Random(seed)
    hits = [
        article(n, " ".join(dice.choices(WORDS, k=3)), " ".join(dice.choices(WORDS, k=dice.choice((4, 4, 90)))))
        for n in range(1, size + 1)
    ]
    shuffled = dice.sample(hits, len(hits))
    older = [
        hit.model_copy(update={"title": "Trastuzumab, an older title"}) for hit in dice.sample(hits, len(hits) // 2)
    ]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        once = filled(folder / "once", hits)
        others = [
            filled(folder / "shuffled", shuffled),
            _in_batches(folder / "batches", [shuffled[:cut], shuffled[cut:]]),
            _in_batches(folder / "twice", [hits, shuffled]),
            _in_batches(folder / "updated", [older, shuffled]),
            filled(folder / "updated-at-once", [*older, *shuffled]),
        ]
        assert all(ranking(other, limit) == ranking(once, limit) for other in others)


def _versions(number: int) -> tuple[Hit, ...]:
    """How three files may describe one article."""
    return (
        article(number, text="Trastuzumab improved survival.", doi=f"10.1000/x{number}", authors=("Slamon DJ",)),
        article(number, f"Trastuzumab study {number}", year=2001, drugs=("Herceptin",)),
        article(number, f"Trastuzumab study {number}", text="The response was cardiac.", trials=("NCT00045032",)),
    )


_FILE = st.dictionaries(st.integers(1, 6), st.integers(0, 2), min_size=1, max_size=6)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(data=st.data(), files=st.lists(_FILE, min_size=1, max_size=4))
def test_files_added_in_any_order_and_number_give_the_same_corpus(
    data: st.DataObject, files: list[dict[int, int]]
) -> None:
    named = {f"{number}.xml": [_versions(n)[which] for n, which in file.items()] for number, file in enumerate(files)}
    order = data.draw(st.permutations([*named, *data.draw(st.lists(st.sampled_from(sorted(named)), max_size=3))]))
    together = data.draw(st.booleans())
    with tempfile.TemporaryDirectory() as place:
        once, other = CorpusIndex(Path(place) / "once"), CorpusIndex(Path(place) / "other")
        _add_files(once, named, list(named), together=True)
        _add_files(other, named, order, together=together)
        query = SearchQuery(names=("trastuzumab", "Herceptin"), words=("response", "survival", "cardiac"))
        assert other.search(query, 10) == once.search(query, 10)
        assert (other.files(), other.count()) == (once.files(), once.count())
        assert sorted(other.iterate_records()) == sorted(once.iterate_records())


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(files=st.lists(_FILE, min_size=1, max_size=3), newer=_FILE, gone=st.booleans())
def test_an_updated_or_removed_file_leaves_what_the_others_and_its_last_versions_give(
    files: list[dict[int, int]], newer: dict[int, int], gone: bool
) -> None:
    first, *rest = [{n: _versions(n)[which] for n, which in file.items()} for file in files]
    changed = {n: _versions(n)[which] for n, which in newer.items()}
    others = {f"{number}.xml": [*file.values()] for number, file in enumerate(rest)}
    with tempfile.TemporaryDirectory() as place:
        updated, anew = CorpusIndex(Path(place) / "updated"), CorpusIndex(Path(place) / "anew")
        _add_files(updated, {"own.xml": [*first.values()], **others}, ["own.xml", *others], together=False)
        _add_files(updated, {"own.xml": [*changed.values()]}, ["own.xml"], together=True)
        own = {} if gone else {"own.xml": [*{**first, **changed}.values()]}
        if gone:
            with CorpusWriter(updated) as writer:
                writer.remove_files({"own.xml"})
        _add_files(anew, {**own, **others}, [*own, *others], together=True)
        assert sorted(updated.iterate_records()) == sorted(anew.iterate_records())
        assert ranking(updated) == ranking(anew)


def _add_files(index: CorpusIndex, files: dict[str, list[Hit]], order: Sequence[str], *, together: bool) -> None:
    """Each file by a command of its own, or all by one."""
    for names in [order] if together else [[name] for name in order]:
        with CorpusWriter(index) as writer:
            for name in names:
                for hit in files[name]:
                    writer.add_record(hit, name)


def test_a_record_of_several_files_is_all_of_what_they_say(tmp_path: Path) -> None:
    index = CorpusIndex(tmp_path / "corpus")
    bare, full, other = article(7), article(7, text="Trastuzumab improved survival."), article(7, year=2001)
    _add_files(index, {"a": [full], "b": [bare], "c": [other]}, ["a", "b", "c"], together=False)
    (hit,) = index.search(SearchQuery(names=("trastuzumab",)), 5).hits
    assert (hit.text, hit.year) == ("Trastuzumab improved survival.", 2001)


def _in_batches(folder: Path, batches: Sequence[Sequence[Hit]]) -> CorpusIndex:
    for batch in batches:
        index = filled(folder, batch)
    return index


def test_equal_scores_are_ordered_by_key_across_the_limit(tmp_path: Path) -> None:
    numbers = random.Random(5).sample(range(100, 400), 200)
    index = filled(tmp_path / "corpus", (article(n, "Trastuzumab in the same words") for n in numbers))
    found = index.search(SearchQuery(names=("trastuzumab",)), 7)
    assert found.total == 200
    assert [hit.external_id for hit in found.hits] == [str(n) for n in sorted(numbers)[:7]]


def test_words_raise_a_record_and_do_not_choose_it(tmp_path: Path) -> None:
    index = filled(
        tmp_path / "corpus",
        [
            article(1, text="Trastuzumab and nothing else was told here."),
            article(2, text="Trastuzumab improved overall survival a lot."),
            article(3, text="Lapatinib improved overall survival a lot."),
        ],
    )
    found = index.search(SearchQuery(names=("trastuzumab",), words=("overall survival",)), 10)
    assert [hit.external_id for hit in found.hits] == ["2", "1"]


def test_a_name_in_the_list_of_drugs_weighs_more_than_in_the_title_than_in_the_text(tmp_path: Path) -> None:
    index = filled(
        tmp_path / "corpus",
        [
            article(1, "Four plain words here", "Trastuzumab was given once."),
            article(2, "Trastuzumab was given once", "Four plain words here."),
            article(3, "Four plain words here", "Some other words here.", drugs=("trastuzumab",)),
        ],
    )
    assert [hit.external_id for hit in index.search(SearchQuery(names=("trastuzumab",)), 3).hits] == ["3", "2", "1"]


def test_a_phrase_does_not_reach_from_one_drug_of_the_list_into_the_next(tmp_path: Path) -> None:
    index = filled(tmp_path / "corpus", [article(1, drugs=("insulin", "glargine"))])
    assert index.search(SearchQuery(names=("insulin glargine",)), 3).total == 0


def test_databases_and_dates_narrow_a_search(tmp_path: Path) -> None:
    hits = [
        article(1, "Trastuzumab", year=2005),
        article(2, "Trastuzumab", date="2010-05", year=2010),
        article(3, "Trastuzumab"),
        Hit.of("web", "4", "https://example.org/4", "Trastuzumab", date="2010-05-20"),
    ]
    index = filled(tmp_path / "corpus", hits)

    def found(**limits: Any) -> set[str]:
        query = SearchQuery(names=("trastuzumab",), **limits)
        return {hit.external_id for hit in index.search(query, 9).hits}

    assert found() == {"1", "2", "3", "4"}
    assert found(databases=("pubmed",)) == {"1", "2", "3"}
    assert found(since="2006") == {"2", "4"}
    assert found(since="2010-05-21") == {"2"}  # its day is not known: it may be later
    assert found(until="2010-05-01") == {"1", "2"}
    assert found(since="2005", until="2005", databases=("web",)) == set()


def test_a_filter_changes_no_score(tmp_path: Path) -> None:
    index = filled(tmp_path / "corpus", (article(n, "Trastuzumab", "word " * n, year=2000) for n in range(1, 9)))
    plain = index.search(SearchQuery(names=("trastuzumab",)), 9)
    narrowed = index.search(SearchQuery(names=("trastuzumab",), databases=("pubmed",), since="1999", until="2001"), 9)
    assert narrowed == plain


def test_a_record_is_found_by_its_numbers(tmp_path: Path) -> None:
    hit = article(11248153, "A study", doi="10.1056/NEJM200103153441101", trials=("NCT00045032",))
    index = filled(tmp_path / "corpus", [hit])
    for name in ("11248153", "10.1056/nejm200103153441101", "NCT00045032"):
        assert index.search(SearchQuery(names=(name,)), 2).hits == (hit,)
    assert index.search(SearchQuery(names=("pmid",)), 2).total == 0


def test_a_hit_comes_back_as_it_was_given(tmp_path: Path) -> None:
    hit = article(5, "T", "x ≥ 5 µg", authors=("Müller A",), drugs=("α-tocopherol",), year=1999, notices=("Erratum",))
    assert filled(tmp_path / "corpus", [hit]).search(SearchQuery(names=("α-tocopherol",)), 1).hits == (hit,)


def test_an_empty_corpus_answers_without_being_made(tmp_path: Path) -> None:
    index = CorpusIndex(tmp_path / "corpus")
    assert index.search(SearchQuery(names=("trastuzumab",)), 5).total == 0
    assert (index.count(), index.files(), index.find_record("pubmed:1")) == ({}, (), None)
    assert not (tmp_path / "corpus").exists()


def test_a_limit_of_none_counts_only(tmp_path: Path) -> None:
    found = filled(tmp_path / "corpus", [article(1, "Trastuzumab")]).search(SearchQuery(names=("trastuzumab",)), 0)
    assert (found.hits, found.total) == ((), 1)


def test_a_reader_sees_what_another_added_since(tmp_path: Path) -> None:
    reader = filled(tmp_path / "corpus", [article(1, "Trastuzumab")])
    assert reader.search(SearchQuery(names=("trastuzumab",)), 5).total == 1
    filled(tmp_path / "corpus", [article(2, "Trastuzumab")], "other file")
    assert reader.search(SearchQuery(names=("trastuzumab",)), 5).total == 2
    assert reader.files() == (CorpusFile("file", 1), CorpusFile("other file", 1))


def test_a_second_writer_is_shown_that_the_corpus_is_busy(tmp_path: Path) -> None:
    with CorpusWriter(CorpusIndex(tmp_path / "corpus")):
        with pytest.raises(CorpusBusy, match="another process is writing to the corpus") as busy:
            CorpusWriter(CorpusIndex(tmp_path / "corpus"))
        assert busy.value.hint is not None
    assert filled(tmp_path / "corpus", [article(1)]).count() == {"pubmed": 1}


def test_a_corpus_of_another_version_says_how_to_rebuild(tmp_path: Path) -> None:
    filled(tmp_path / "corpus", [article(1)])
    (tmp_path / "corpus" / "storm-corpus.json").write_text(json.dumps({"version": 999}))
    for use in (lambda index: index.count(), CorpusWriter):
        with pytest.raises(CorpusError, match="written by another version of storm \\(999\\)") as error:
            use(CorpusIndex(tmp_path / "corpus"))
        assert "remove the folder" in (error.value.hint or "")


@pytest.mark.parametrize("damage", ["empty", "half", "noise", "gone"])
def test_a_damaged_corpus_says_how_to_rebuild(tmp_path: Path, damage: str) -> None:
    filled(tmp_path / "corpus", [article(n, "Trastuzumab") for n in range(1, 50)])
    store = next((tmp_path / "corpus").glob("*.store"))
    whole = store.read_bytes()
    if damage == "gone":
        store.unlink()
    else:
        store.write_bytes({"empty": b"", "half": whole[: len(whole) // 2], "noise": os.urandom(len(whole))}[damage])
    with pytest.raises(CorpusError, match="is damaged") as error:
        CorpusIndex(tmp_path / "corpus").search(SearchQuery(names=("trastuzumab",)), 5)
    assert "remove the folder" in (error.value.hint or "") and error.value.code is Code.CORPUS_UNREADABLE


def test_a_record_that_is_stored_damaged_says_how_to_rebuild(tmp_path: Path) -> None:
    filled(tmp_path / "corpus", [article(1, "Trastuzumab")])
    store = next((tmp_path / "corpus").glob("*.store"))
    store.write_bytes(store.read_bytes().replace(b'{"database', b'{"datubase'))
    with pytest.raises(CorpusError, match="is damaged") as error:
        CorpusIndex(tmp_path / "corpus").search(SearchQuery(names=("trastuzumab",)), 5)
    assert "remove the folder" in (error.value.hint or "") and error.value.code is Code.CORPUS_UNREADABLE


def test_an_error_that_is_none_of_the_index_is_not_reported_as_damage(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not defined in the schema"), map_corpus_errors(tmp_path):
        Query.term_query(SCHEMA, "no such field", "x")
    with pytest.raises(CorpusError, match="is damaged"), map_corpus_errors(tmp_path):
        tantivy.Index(SCHEMA, path=str(tmp_path / "absent"))


@pytest.mark.parametrize("title", ["Herceptin™ at home", "Herceptin® at home", "Herceptin² at home", "Herceptin℠¹,²"])
def test_a_mark_beside_a_name_is_no_part_of_it(tmp_path: Path, title: str) -> None:
    found = filled(tmp_path / "corpus", [article(1, title)]).search(SearchQuery(names=("herceptin",)), 5)
    assert found.total == 1


def test_a_damaged_list_of_segments_says_how_to_rebuild(tmp_path: Path) -> None:
    filled(tmp_path / "corpus", [article(1)])
    (tmp_path / "corpus" / "meta.json").write_text("{")
    with pytest.raises(CorpusError, match="is damaged"):
        CorpusIndex(tmp_path / "corpus").count()


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "corpus").write_text("a file is in the way")
    with pytest.raises(CorpusError, match="cannot be used"):
        CorpusWriter(CorpusIndex(tmp_path / "corpus"))


def test_the_key_of_a_record_is_its_database_and_its_id_there() -> None:
    assert record_key(article(1)) == "pubmed:1"
