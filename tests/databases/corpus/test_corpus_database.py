"""Adding files and folders, the bundled sample, and the corpus as a database; hostile files cost themselves only."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers

from storm import wording
from storm.databases.corpus.database import (
    MAX_ERRORS_A_FILE,
    SAMPLE_FOLDER,
    AddedFile,
    CorpusDatabase,
    add_paths,
    corpus_index,
    origin_name,
    remove_files,
    sample_index,
)
from storm.databases.corpus.index import CorpusIndex
from storm.databases.formats.recognition import Format, format_of, read_file
from storm.errors import CorpusError
from storm.models import Contributor, Hit, Pages, Publication, SearchQuery, SearchStatus, SectionKind

ZORVIMAB = SearchQuery(names=("zorvimab",))


def record(number: int, title: str = "Zorvimab study", **more: object) -> dict[str, object]:
    about = {"database": "web", "external_id": f"z{number}", "url": f"https://example.org/{number}", "title": title}
    return about | more


def jsonl(path: Path, *records: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in records))
    return path


@pytest.fixture
def index(tmp_path: Path) -> CorpusIndex:
    return corpus_index(tmp_path / "data")


def test_files_of_a_folder_are_added_in_order_and_hidden_ones_left_out(index: CorpusIndex, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    jsonl(folder / "deep" / "b.jsonl", record(2), record(3))
    jsonl(folder / "a.jsonl", record(1), record(2))
    jsonl(folder / ".hidden.jsonl", record(7))
    jsonl(folder / ".git" / "c.jsonl", record(8))
    (folder / "a.jsonl.gz").write_bytes(gzip.compress((folder / "a.jsonl").read_bytes()))
    report = add_paths(index, [folder])
    assert report.errors == ()
    assert report.files == (
        AddedFile(str(folder / "a.jsonl"), "JSON lines", 2, 0, 0),
        AddedFile(str(folder / "a.jsonl.gz"), "JSON lines", 0, 0, 2),
        AddedFile(str(folder / "deep" / "b.jsonl"), "JSON lines", 1, 0, 1),
    )
    assert index.search(ZORVIMAB, 9).total == 3


def test_a_link_that_leads_back_is_followed_once(index: CorpusIndex, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    jsonl(folder / "a.jsonl", record(1))
    (folder / "again").symlink_to(folder, target_is_directory=True)
    (folder / "nowhere.jsonl").symlink_to(folder / "gone.jsonl")
    report = add_paths(index, [folder])
    assert [Path(file.path).name for file in report.files] == ["a.jsonl", "nowhere.jsonl"]
    assert [str(error) for error in report.errors] == [
        f"{folder / 'nowhere.jsonl'}: cannot be read: no such file or directory"
    ]


def test_what_is_no_file_is_an_error_and_the_rest_goes_on(index: CorpusIndex, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    good = jsonl(tmp_path / "good.jsonl", record(1))
    report = add_paths(index, [tmp_path / "pipe", tmp_path / "absent.xml", Path("/dev/zero"), good])
    assert [error.message for error in report.errors] == [
        "not a regular file",
        "cannot be read: no such file or directory",
        "not a regular file",
    ]
    assert report.files[-1].added == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_or_file_without_permission_is_an_error(index: CorpusIndex, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0)
    file = jsonl(tmp_path / "file.jsonl", record(1))
    file.chmod(0)
    try:
        report = add_paths(index, [closed, file])
    finally:
        closed.chmod(0o700)
    assert [error.message for error in report.errors] == ["cannot be read: permission denied"] * 2


@pytest.mark.slow
def test_hostile_and_broken_files_are_named_and_cost_only_themselves(index: CorpusIndex, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET-CANARY-7731")
    start = "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>12345670</PMID><Article><ArticleTitle>"
    end = "</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    files = {
        "binary.dat": bytes(range(256)) * 20,
        "bomb.xml.gz": gzip.compress(b"<PubmedArticleSet>" + b" " * 90_000_000),
        "cut.json": b'{"studies": [{"protocolSection": {"identificationModule": {"nctId": "NCT0',
        "cut.jsonl.gz": gzip.compress(random.Random(1).randbytes(5000) + b"\n")[:2000],
        "cut.xml": start.encode() + b"Cut",
        "deep.json": b'{"studies": ' + b"[" * 100_000,
        "empty.xml": b"",
        "external.xml": f'<!DOCTYPE x [<!ENTITY x SYSTEM "file://{secret}">]>{start}canary &x; title{end}'.encode(),
        "laughs.xml": f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>{start}&l9;{end}'.encode(),
        "page.html": b"<!DOCTYPE html><html><body>Please wait</body></html>",
        "rows.csv": b"database,external_id,url,title\nweb,1,javascript:alert(1),Zorvimab\n",
    }
    for name, content in files.items():
        (bad / name).write_bytes(content)
    jsonl(bad / "good.jsonl", record(1))
    report = add_paths(index, [bad])
    assert {Path(error.path).name for error in report.errors} >= set(files) - {"external.xml"}
    assert index.search(ZORVIMAB, 5).total == 1
    found = index.search(SearchQuery(names=("canary",)), 5).hits
    assert "SECRET-CANARY" not in repr(found) + repr(report)


def test_errors_of_a_file_beyond_a_hundred_are_counted(index: CorpusIndex, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text(json.dumps(record(1)) + "\n" + "[]\n" * (MAX_ERRORS_A_FILE + 23))
    report = add_paths(index, [file])
    assert len(report.errors) == MAX_ERRORS_A_FILE + 1
    assert str(report.errors[-1]) == f"{file}: 23 more records cannot be read"
    assert report.files[0].added == 1
    assert (report.files[0].not_read, report.not_read) == (MAX_ERRORS_A_FILE + 23, MAX_ERRORS_A_FILE + 23)


_RECORDS = {
    "new": lambda n: json.dumps(record(n)),
    "known": lambda n: json.dumps(record(0)),
    "changed": lambda n: json.dumps({**record(0), "title": f"Zorvimab, version {n}"}),
    "broken": lambda n: '{"database": "web", ',
    "no url": lambda n: json.dumps({**record(n), "url": ""}),
    "no object": lambda n: "[]",
    "no text": lambda n: "\udcff",
}


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(sorted(_RECORDS)), min_size=1, max_size=12))
def test_each_line_is_added_updated_unchanged_or_not_read(kinds: list[str]) -> None:
    lines = [json.dumps(record(0)), *(_RECORDS[kind](number) for number, kind in enumerate(kinds, 1))]
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "own.jsonl"
        file.write_bytes("\n".join(lines).encode("utf-8", errors="surrogateescape"))
        (added,) = add_paths(corpus_index(Path(place) / "data"), [file]).files
    assert added.added == 1 + kinds.count("new")
    assert added.not_read == sum(kinds.count(kind) for kind in ("broken", "no url", "no object", "no text"))
    assert added.added + added.updated + added.unchanged + added.not_read == len(lines)


def test_an_orange_book_file_without_its_products_is_added_with_a_warning_and_found_by_number(
    index: CorpusIndex, tmp_path: Path
) -> None:
    file = tmp_path / "exclusivity.txt"
    file.write_text("Appl_Type~Appl_No~Product_No~Exclusivity_Code~Exclusivity_Date\nN~021574~001~NPP~Mar 17, 2021\n")
    report = add_paths(index, [file])
    assert (report.errors, report.files[0].added) == ((), 1)
    assert report.files[0].note.startswith("warning: 1 of its records name no drug, as no products.txt beside it")
    for number in ("N021574", "NDA021574", "NDA 021574", "021574", "application N021574"):
        assert index.search(SearchQuery(names=(number,)), 5).total == 1, number


@pytest.mark.slow
def test_what_a_damaged_archive_held_before_it_broke_is_accounted_for(index: CorpusIndex, tmp_path: Path) -> None:
    text = random.Random(7).randbytes(60)
    lines = "".join(f"{json.dumps(record(n, text=(text * n).hex()[-240:]))}\n[]\n" for n in range(1, 2_000))
    packed = gzip.compress(lines.encode(), 1)
    file = tmp_path / "own.jsonl.gz"
    file.write_bytes(packed[: len(packed) * 2 // 3])
    report = add_paths(index, [file])
    (added,) = report.files
    assert added.added > 100
    assert added.not_read - added.added in (0, 1)  # a broken line for each record, and the archive itself
    assert report.errors[-1].message.endswith("more records cannot be read")


def test_a_file_is_remembered_and_can_be_removed(index: CorpusIndex, tmp_path: Path) -> None:
    one = jsonl(tmp_path / "one.jsonl", record(1), record(2))
    two = jsonl(tmp_path / "two.jsonl", record(2))
    add_paths(index, [one, two])
    assert [(file.path, file.records) for file in index.files()] == [(str(one), 2), (str(two), 1)]
    assert remove_files(index, [one]) == 1
    assert index.search(ZORVIMAB, 5).total == 1
    with pytest.raises(CorpusError, match="was not added to the corpus"):
        remove_files(index, [one])


def test_of_several_files_all_are_known_before_one_is_removed(index: CorpusIndex, tmp_path: Path) -> None:
    one = jsonl(tmp_path / "one.jsonl", record(1), record(2))
    two = jsonl(tmp_path / "two.jsonl", record(2))
    add_paths(index, [one, two])
    with pytest.raises(CorpusError, match=r"other\.jsonl was not added"):
        remove_files(index, [one, tmp_path / "other.jsonl", two])
    assert len(index.files()) == 2
    assert remove_files(index, [one, two, one]) == 2
    assert index.files() == ()


def test_ignored_columns_are_noted_and_no_error(index: CorpusIndex, tmp_path: Path) -> None:
    few = jsonl(tmp_path / "few.jsonl", {**record(1), "mood": "x"}, {**record(2), "abstract": "y"})
    many = jsonl(tmp_path / "many.jsonl", {**record(3), **{f"c{n:02}": n for n in range(12)}})
    report = add_paths(index, [few, many])
    assert report.errors == ()
    assert [file.note for file in report.files] == [
        "ignored columns: abstract, mood",
        "ignored columns: c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, …",
    ]


def test_a_pipe_beside_an_orange_book_file_is_not_waited_for(index: CorpusIndex, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "products.txt")
    file = tmp_path / "patent.txt"
    file.write_text("Appl_Type~Appl_No~Product_No~Patent_No\nN~021574~001~6790459\n")
    assert add_paths(index, [file]).files[0].added == 1


def test_a_file_name_of_odd_bytes_is_remembered(index: CorpusIndex, tmp_path: Path) -> None:
    path = jsonl(Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd-\xff.jsonl")), record(1))
    add_paths(index, [path])
    assert [file.path for file in index.files()] == [origin_name(path)]
    assert remove_files(index, [path]) == 1


def test_nothing_to_add_makes_no_corpus(index: CorpusIndex, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert add_paths(index, [tmp_path / "empty"]) == ((), ())
    assert not index.folder.exists()


def test_orange_book_files_are_named_by_the_products_beside_them(index: CorpusIndex, tmp_path: Path) -> None:
    (tmp_path / "patent.txt").write_text(
        "Appl_Type~Appl_No~Product_No~Patent_No~Patent_Expire_Date_Text~Drug_Substance_Flag~Drug_Product_Flag"
        "~Patent_Use_Code~Delist_Flag~Submission_Date\nN~021574~001~6790459~Mar 17, 2021~~Y~~~\n"
    )
    (tmp_path / "products.txt").write_text(
        "Ingredient~DF;Route~Trade_Name~Applicant~Strength~Appl_Type~Appl_No~Product_No~TE_Code~Approval_Date~RLD~RS"
        "~Type~Applicant_Full_Name\nMETFORMIN HYDROCHLORIDE~TABLET;ORAL~FORTAMET~ANDRX~500MG~N~021574~001~~"
        "Apr 27, 2004~Yes~Yes~RX~ANDRX LABS LLC\n"
    )
    add_paths(index, [tmp_path / "patent.txt"])
    (hit,) = index.search(SearchQuery(names=("metformin",)), 5).hits
    assert hit.drugs == ("FORTAMET", "METFORMIN HYDROCHLORIDE")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["pubmed", "pmc", "clinicaltrials", "europepmc", "orangebook", "openfda", "patents"])
@needs_recorded_answers
def test_folders_of_recorded_answers_are_read_to_their_end(index: CorpusIndex, folder: str) -> None:
    report = add_paths(index, [PAYLOADS / folder])
    assert all(error.path and error.message for error in report.errors)
    assert len(report.files) == sum(path.is_file() for path in (PAYLOADS / folder).rglob("*"))
    assert sum(index.count().values()) == sum(file.added for file in report.files)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    folder = tmp_path / "sample"
    folder.mkdir()
    jsonl(folder / "records.jsonl", *(record(n) for n in range(30)))
    return folder


def test_the_sample_is_indexed_once_for_each_version_of_its_files(tmp_path: Path, sample: Path) -> None:
    data = tmp_path / "data"
    first = sample_index(data, sample)
    assert first.count() == {"web": 30}
    built = (first.folder / "meta.json").stat().st_mtime_ns
    again = sample_index(data, sample)
    assert (again.folder, (again.folder / "meta.json").stat().st_mtime_ns) == (first.folder, built)
    jsonl(sample / "more.jsonl", record(99))
    assert sample_index(data, sample).count() == {"web": 31}
    assert not list(data.glob(".sample-*"))


def test_the_bundled_sample_holds_the_records_and_the_full_articles_that_its_notice_counts(tmp_path: Path) -> None:
    articles = [path for path in SAMPLE_FOLDER.iterdir() if format_of(path) is Format.JATS]
    total = sum(sample_index(tmp_path / "data").count().values())
    assert (total, total - len(articles), len(articles)) == (146, 143, 3)
    notice = SAMPLE_FOLDER.with_name("SAMPLE-NOTICE.md").read_text(encoding="utf-8")
    assert f"{total} records" in notice
    assert "Of its 146 records, 143" in wording.BUNDLED_SAMPLE


@pytest.mark.parametrize("name", ["PMC5158040.xml", "PMC5673730.xml", "elife-02242.xml"])
def test_the_notice_names_title_doi_and_licence_of_each_full_article(name: str) -> None:
    notice = " ".join(SAMPLE_FOLDER.with_name("SAMPLE-NOTICE.md").read_text(encoding="utf-8").split())
    (hit,) = read_file(SAMPLE_FOLDER / name)
    assert isinstance(hit, Hit)
    licence = re.search(r'<license[^>]* xlink:href="(http://creativecommons.org/licenses/by/\d\.0/?)"', _text(name))
    assert licence and licence[1] in notice
    assert name in notice and hit.title in notice and hit.identifiers[-1].removeprefix("doi:") in notice.lower()
    assert any(section.kind is SectionKind.RESULTS and len(section.text) > 1_500 for section in hit.sections)


def _text(name: str) -> str:
    return (SAMPLE_FOLDER / name).read_text(encoding="utf-8")


def test_two_at_once_build_one_sample(tmp_path: Path, sample: Path) -> None:
    together = threading.Barrier(4)

    def build(_: int) -> CorpusIndex:
        together.wait()
        return sample_index(tmp_path / "data", sample)

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(build, range(4)))
    assert [index.count() for index in made] == [{"web": 30}] * 4
    assert len(list((tmp_path / "data").iterdir())) == 1


@pytest.mark.parametrize("files", ["absent", "empty"])
def test_a_sample_without_files_is_an_error(tmp_path: Path, files: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match="the bundled sample is missing"):
        sample_index(tmp_path / "data", tmp_path / files)
    assert not list(tmp_path.glob("data/*"))


def test_a_damaged_sample_is_an_error(tmp_path: Path, sample: Path) -> None:
    (sample / "broken.jsonl").write_text('{"database": "web"}\n')
    with pytest.raises(CorpusError, match=r"the bundled sample is damaged: .*column external_id"):
        sample_index(tmp_path / "data", sample)


def test_a_data_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path, sample: Path) -> None:
    (tmp_path / "data").write_text("a file is in the way")
    with pytest.raises(CorpusError, match="the sample cannot be indexed in"):
        sample_index(tmp_path / "data", sample)


async def test_a_search_is_found_or_none_and_says_what_was_asked(tmp_path: Path, sample: Path) -> None:
    database = CorpusDatabase(sample_index(tmp_path / "data", sample), "sample", "bundled sample: zorvimab; 30 records")
    found = await database.search(ZORVIMAB, 4)
    assert (found.database, found.status, found.total, len(found.hits)) == ("sample", SearchStatus.FOUND, 30, 4)
    none = await database.search(SearchQuery(names=("aspirin",)), 4)
    assert (none.status, none.hits, none.query) == (SearchStatus.NONE, (), '"aspirin"')
    assert database.scope == "bundled sample: zorvimab; 30 records"


def test_a_search_in_a_databases_own_syntax_is_one_for_its_terms_here(tmp_path: Path, sample: Path) -> None:
    database = CorpusDatabase(sample_index(tmp_path / "data", sample), "sample", "")
    held = next(iter(sample_index(tmp_path / "data", sample).count()))
    query = SearchQuery(names=("zorvimab",), databases=(held,), native="metformin[tiab]")
    assert database.narrow_query(query) == query.model_copy(update={"native": ""})


async def test_a_corpus_that_cannot_be_read_is_a_failed_search(tmp_path: Path, sample: Path) -> None:
    index = sample_index(tmp_path / "data", sample)
    (index.folder / "meta.json").write_text("{")
    outcome = await CorpusDatabase(CorpusIndex(index.folder), "corpus", "").search(ZORVIMAB, 4)
    assert outcome.status is SearchStatus.FAILED
    assert "is damaged" in outcome.reason


async def test_a_wrong_date_is_a_failed_search(index: CorpusIndex, tmp_path: Path) -> None:
    add_paths(index, [jsonl(tmp_path / "a.jsonl", record(1))])
    query = SearchQuery(names=("zorvimab",), until="soon")
    outcome = await CorpusDatabase(index, "corpus", "").search(query, 4)
    assert (outcome.status, outcome.reason[:15]) == (SearchStatus.FAILED, "until is 'soon'")


ORANGE_BOOK = SearchQuery(names=("zorvimab",), databases=("orangebook",))


@pytest.mark.parametrize(
    ("licence", "status"),
    [
        (record(2, database="purplebook", drugs=["Zorvimab"]), SearchStatus.NOT_APPLICABLE),
        (record(2, database="openfda", external_id="BLA761000", drugs=["zorvimab"]), SearchStatus.NOT_APPLICABLE),
        (record(2, database="openfda", external_id="NDA021000", drugs=["zorvimab"]), SearchStatus.NONE),
        (record(2, database="purplebook", drugs=["other"]), SearchStatus.NONE),
    ],
)
async def test_the_orange_book_does_not_apply_to_a_biologic(
    index: CorpusIndex, tmp_path: Path, licence: dict[str, object], status: SearchStatus
) -> None:
    other = record(1, database="orangebook", title="Aspirin", drugs=["aspirin"], text="")
    add_paths(index, [jsonl(tmp_path / "a.jsonl", other, licence)])
    outcome = await CorpusDatabase(index, "corpus", "").search(ORANGE_BOOK, 4)
    assert outcome.status is status
    assert outcome.reason == ("the Orange Book lists no biologics" if status is SearchStatus.NOT_APPLICABLE else "")


def test_a_corpus_is_not_asked_for_records_that_it_does_not_hold(index: CorpusIndex, tmp_path: Path) -> None:
    add_paths(index, [jsonl(tmp_path / "a.jsonl", record(1, database="pubmed", external_id="1"))])
    database = CorpusDatabase(index, "corpus", "")
    assert database.narrow_query(ORANGE_BOOK) is None
    both = ORANGE_BOOK.model_copy(update={"databases": ("orangebook", "pubmed")})
    assert database.narrow_query(both) == both


CSV_HEAD = "database,external_id,url,title\n"


def test_a_folder_stands_for_the_files_that_were_added_from_it(index: CorpusIndex, tmp_path: Path) -> None:
    inner, outer, beside = tmp_path / "b" / "in" / "one.csv", tmp_path / "b" / "two.csv", tmp_path / "bc" / "three.csv"
    for number, path in enumerate((inner, outer, beside), 1):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{CSV_HEAD}web,{number},https://example.org/{number},Trastuzumab {number}\n")
    add_paths(index, [tmp_path])
    with pytest.raises(CorpusError, match="was not added"):
        remove_files(index, [tmp_path / "b", tmp_path / "c"])
    assert len(index.files()) == 3
    assert remove_files(index, [tmp_path / "b" / "in"]) == 1
    assert remove_files(index, [tmp_path / "b"]) == 1
    assert [file.path for file in index.files()] == [str(beside)]
    assert remove_files(index, [Path("/")]) == 1


def test_a_csv_file_with_an_id_twice_is_unchanged_when_it_is_added_again(index: CorpusIndex, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    one, two, three, other = (
        f"web,{n},https://example.org/{n},Title {n}{end}\n" for n, end in ((1, ""), (1, "b"), (1, "c"), (2, ""))
    )
    path.write_text(CSV_HEAD + one + two + other)
    assert add_paths(index, [path]).files[0][2:5] == (2, 1, 0)
    assert add_paths(index, [path]).files[0][2:5] == (0, 0, 3)
    path.write_text(CSV_HEAD + two + three + other)
    assert add_paths(index, [path]).files[0][2:5] == (0, 1, 2)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.nbib", "PMID- 101\nVI  - 344\nIP  - 11\nDP  - 2001\nTI  - A trial\nPG  - 783-92\nFAU - Slamon, Dennis J\n"),
        (
            "a.ris",
            "TY  - JOUR\nTI  - A trial\nVL  - 344\nIS  - 11\nSP  - 783\nEP  - 792\nAU  - Slamon, Dennis J\nER  - \n",
        ),
    ],
)
async def test_what_a_bibliography_needs_is_kept(index: CorpusIndex, tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    add_paths(index, [file])
    (hit,) = (await CorpusDatabase(index, "corpus", "").search(SearchQuery(names=("trial",)), 5)).hits
    assert hit.publication == Publication(
        volume="344",
        issue="11",
        pages=Pages(first="783", last="792"),
        authors=(Contributor(family="Slamon", given="Dennis J"),),
    )
