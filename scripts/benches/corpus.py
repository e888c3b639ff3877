"""The local corpus beside SQLite's FTS5: the same PubMed XML added to both, the same queries asked of both.

Both keep the whole record, compressed, beside its words, and answer with whole records. A query wants the records that
hold a drug's name, those with four more words first, as a job asks it. Each file is added in a process of its own,
whose peak memory is read from the system.
"""

from __future__ import annotations

import random
import resource
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

from _report import Row, p50, p95, parser, report

from storm.databases.corpus.database import add_paths
from storm.databases.corpus.index import CorpusIndex, record_key, stored_form
from storm.databases.formats.recognition import read_file
from storm.errors import RecordError
from storm.models import Hit, SearchQuery

T = TypeVar("T")

SEED = 20_261_121
WORDS, DRUGS = 40_000, 400
ABSTRACT_LETTERS = 1_500
#: Hits asked for: what `storm corpus search` shows, and what a job takes.
LIMITS = (10, 100)
COMMITTED_AT = 20_000


class Added(NamedTuple):
    """What adding a file took."""

    records: int
    seconds: float
    peak_mb: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("corpus", "Adding PubMed XML and searching it, in storm's corpus and in SQLite FTS5.")
    options.add_argument("--records", type=int, default=100_000, help="of the larger file; the other has a fifth")
    options.add_argument("--queries", type=int, default=300, help="queries asked of both")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        rows = measure(Path(folder), given.records, given.queries)
    report(rows, as_json=given.json)
    return 0


def measure(folder: Path, records: int, queries: int) -> list[Row]:
    """Adding a smaller and a larger file, then asking of the larger."""
    rows: list[Row] = []
    for n in (records // 5, records):
        file, index, database = folder / f"{n}.xml", folder / f"{n}-storm", folder / f"{n}.sqlite"
        write_pubmed(file, n)
        rows.append(added_row("reading alone", file, Path(), alone(read_only, file)))
        rows.append(added_row("storm", file, index, alone(add_to_storm, file, index)))
        rows.append(added_row("SQLite FTS5", file, database, alone(add_to_fts5, file, database)))
    for limit in LIMITS:
        rows += alone(ask_both, index, database, queries, limit)
    return rows


def alone(work: Callable[..., T], *given: object) -> T:
    """The work's result, done in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *given).result()


def added_row(variant: str, file: Path, place: Path, added: Added) -> Row:
    """One line about adding a file."""
    return {
        "variant": variant, "n": added.records, "file_mb": round(megabytes(file)), "seconds": round(added.seconds, 1),
        "records_per_second": round(added.records / added.seconds), "peak_mb": round(added.peak_mb),
        "disk_mb": round(megabytes(place)) if place != Path() else 0,
    }  # fmt: skip


def megabytes(place: Path) -> float:
    """Of a file, or of all files in a folder."""
    files = [path for path in place.rglob("*") if path.is_file()] if place.is_dir() else [place]
    return sum(path.stat().st_size for path in files) / 1e6


# The file


class Language(NamedTuple):
    """Made-up words, the frequent ones short, with the weights of Zipf's law."""

    words: Sequence[str]
    weights: Sequence[float]
    drugs: Sequence[str]
    drug_weights: Sequence[float]


def made_language() -> Language:
    """The same one each time."""
    dice = random.Random(SEED)
    syllables = [c + v for c in "bcdfglmnprstv" for v in "aeiou"] + [c + "er" for c in "bcdlmnst"] + ["in", "an", "or"]

    def word(length: int) -> str:
        return "".join(dice.choices(syllables, k=length))

    words = list(dict.fromkeys(word(1 + (rank > 40) + (rank > 1_500) + rank % 2) for rank in range(WORDS)))
    drugs = list(dict.fromkeys(word(3) + dice.choice(("mab", "nib", "cillin", "statin")) for _ in range(DRUGS)))
    return Language(words, zipf(len(words)), drugs, zipf(len(drugs)))


def zipf(count: int) -> list[float]:
    """Cumulative weights of Zipf and Mandelbrot: 1 / (rank + 2.7)."""
    return list(accumulate(1 / (rank + 2.7) for rank in range(count)))


def write_pubmed(path: Path, records: int) -> None:
    """PubMed XML of that many articles; the first articles of every size are the same."""
    dice, language = random.Random(SEED), made_language()
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<PubmedArticleSet>\n')
        for number in range(records):
            file.write(article(dice, language, 10_000_000 + number))
        file.write("</PubmedArticleSet>\n")


def article(dice: random.Random, language: Language, pmid: int) -> str:
    """One article about one drug, which its title and each part of its abstract name."""
    drug = dice.choices(language.drugs, cum_weights=language.drug_weights)[0]
    labels = ("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS")
    parts = "".join(
        f'<AbstractText Label="{label}">{prose(dice, language, drug, ABSTRACT_LETTERS // 4)}</AbstractText>'
        for label in labels
    )
    names = dice.sample(language.words, 8)
    authors = "".join(
        f'<Author ValidYN="Y"><LastName>{last.title()}</LastName><ForeName>{first.title()}</ForeName>'
        f"<Initials>{first[0].upper()}</Initials></Author>"
        for last, first in zip(names[:4], names[4:], strict=True)
    )
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{pmid}</PMID>
<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><Volume>{pmid % 90}</Volume>
<PubDate><Year>{1990 + pmid % 36}</Year><Month>{1 + pmid % 12:02}</Month></PubDate></JournalIssue>
<Title>Journal of {names[0]} {names[1]}</Title><ISOAbbreviation>J {names[0]}</ISOAbbreviation></Journal>
<ArticleTitle>{prose(dice, language, drug, 90)}</ArticleTitle><Abstract>{parts}</Abstract>
<AuthorList CompleteYN="Y">{authors}</AuthorList><Language>eng</Language>
<PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article>
</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>
<ArticleId IdType="doi">10.1000/bench.{pmid}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
"""


def prose(dice: random.Random, language: Language, drug: str, letters: int) -> str:
    """A sentence of about so many letters that names the drug."""
    words = dice.choices(language.words, cum_weights=language.weights, k=letters // 6)
    words.insert(dice.randrange(len(words) // 2), drug)
    text = " ".join(words)[: letters + dice.randrange(letters // 4)]
    return f"{text.capitalize()} ({dice.randrange(100)}.{dice.randrange(10)}%)."


# Adding


def read_only(file: Path) -> Added:
    """Parsing alone: what both ways share."""
    return timed(lambda: sum(1 for _ in hits_of(file)))


def add_to_storm(file: Path, folder: Path) -> Added:
    """As `storm corpus add` does it."""

    def add() -> int:
        report = add_paths(CorpusIndex(folder), [file])
        return sum(added.added for added in report.files)

    return timed(add)


def add_to_fts5(file: Path, place: Path) -> Added:
    """Parsed by the same reader; a commit every 20,000 records, as storm makes them, and `optimize` at the end."""

    def add() -> int:
        database, count = new_fts5(place), 0
        for count, hit in enumerate(hits_of(file), 1):
            body = zlib.compress(stored_form(hit).body, level=1)
            database.execute("INSERT INTO records VALUES (?, ?, ?)", (count, record_key(hit), body))
            database.execute("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", (count, hit.title, hit.text))
            if count % COMMITTED_AT == 0:
                database.commit()
        database.execute("INSERT INTO words (words) VALUES ('optimize')")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        return count

    return timed(add)


def new_fts5(place: Path) -> sqlite3.Connection:
    """The records, and their words without a second copy of the text."""
    database = sqlite3.connect(place)
    database.executescript("""
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        CREATE TABLE records (id INTEGER PRIMARY KEY, key TEXT UNIQUE, record BLOB);
        CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize='unicode61 remove_diacritics 2');
    """)
    return database


def hits_of(file: Path) -> Iterator[Hit]:
    """The records; a generated file has no errors."""
    for hit in read_file(file):
        if isinstance(hit, RecordError):
            raise hit
        yield hit


def timed(work: Callable[[], int]) -> Added:
    """How many records, seconds, and the most memory that this process ever had."""
    began = time.perf_counter()
    records = work()
    unit = 1 if sys.platform == "darwin" else 1024
    return Added(records, time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6)


# Asking


def ask_both(folder: Path, place: Path, count: int, limit: int) -> list[Row]:
    """The same queries of both in turn; both must find the same number of records."""
    index, database = CorpusIndex(folder), sqlite3.connect(place)
    ours, theirs = [], []
    matching = [0, 0]
    for n, query in enumerate(queries(count + 20)):
        seconds, found = ask(partial(search_storm, index, query, limit))
        other_seconds, other_found = ask(partial(search_fts5, database, query, limit))
        if len(found) != len(other_found):
            raise SystemExit(f"{query}: storm found {len(found)}, FTS5 {len(other_found)}")
        if n >= 20:  # the first ones warm both up
            ours.append(seconds)
            theirs.append(other_seconds)
            matching[0] += index.search(query, 1).total
            matching[1] += count_fts5(database, query)
    return [query_row("storm", ours, limit, matching[0]), query_row("SQLite FTS5", theirs, limit, matching[1])]


def queries(count: int) -> Iterator[SearchQuery]:
    """Drugs as often as they are written about, each with four frequent words, such as a query template has."""
    dice, language = random.Random(SEED + 1), made_language()
    for drug in dice.choices(language.drugs, cum_weights=language.drug_weights, k=count):
        yield SearchQuery(names=(drug,), words=tuple(dice.sample(language.words[20:500], 4)))


def ask(search: Callable[[], Sequence[Hit]]) -> tuple[float, Sequence[Hit]]:
    """Seconds, and what was found."""
    began = time.perf_counter()
    found = search()
    return time.perf_counter() - began, found


def search_storm(index: CorpusIndex, query: SearchQuery, limit: int) -> Sequence[Hit]:
    """As `storm corpus search` and a job ask it."""
    return index.search(query, limit).hits


def search_fts5(database: sqlite3.Connection, query: SearchQuery, limit: int) -> list[Hit]:
    """The best records by BM25, the title counted twice as storm does."""
    rows = database.execute(
        "SELECT record FROM (SELECT rowid, bm25(words, 2.0, 1.0) AS score FROM words WHERE words MATCH ?"
        " ORDER BY score LIMIT ?) AS best JOIN records ON records.id = best.rowid ORDER BY score",
        (match(query), limit),
    )
    return [Hit.model_validate_json(zlib.decompress(body)) for (body,) in rows]


def count_fts5(database: sqlite3.Connection, query: SearchQuery) -> int:
    """How many match in all, which storm tells with each answer; not timed."""
    return int(database.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match(query),)).fetchone()[0])


def match(query: SearchQuery) -> str:
    """The name must be there; the words raise the rank."""
    return f"{query.names[0]} AND ({' OR '.join((*query.names, *query.words))})"


def query_row(variant: str, seconds: Sequence[float], limit: int, matching: int) -> Row:
    """One line about the queries; `matching` is the mean number of records that match one."""
    return {
        "variant": variant, "limit": limit, "n": len(seconds), "p50_ms": p50(seconds), "p95_ms": p95(seconds),
        "matching": round(matching / len(seconds), 1),
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
