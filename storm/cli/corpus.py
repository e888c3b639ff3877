"""`storm corpus …`: your own records, searched like a database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from storm.api import searching
from storm.api.searching import plan_user_searches
from storm.app import open_corpus
from storm.cli.console import (
    count_noun,
    exit_with,
    make_printable,
    name_program,
    print_json,
    print_line,
    print_note,
    split_list,
)
from storm.databases.corpus.database import AddedFile, add_paths, remove_files
from storm.databases.formats.recognition import UNKNOWN_FORMAT, Format
from storm.models import database_label
from storm.settings import read_settings

app = typer.Typer(
    help="Manage your own records. They are searched like a database.\n\nExample: storm corpus add downloads/",
    rich_markup_mode=None,
    no_args_is_help=True,
)
_MAX_ERRORS = 50
#: Files that are listed without --verbose; those with a note come first.
_MAX_FILES = 10


@app.command("add")
def add_records(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Files or folders, plain or gzip; recognised by content.")
    ],
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List every file, not only ten.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Add records; adding them again updates them. Files that cannot be read are listed (exit 3). Exit 4 if there are
    no records.

    Example: storm corpus add pubmed.xml.gz studies/ notes.csv
    """
    corpus = open_corpus(read_settings())
    was_empty = not corpus.count()
    report = add_paths(corpus, paths)
    is_empty = not report.errors and not any(file.added + file.updated + file.unchanged for file in report.files)
    if as_json:
        print_json(
            {
                "files": [
                    {
                        "path": f.path,
                        "format": f.format,
                        "added": f.added,
                        "updated": f.updated,
                        "unchanged": f.unchanged,
                        "not_read": f.not_read,
                        "note": f.note,
                    }
                    for f in report.files
                ],
                "not_read": report.not_read,
                "errors": [{"path": e.path, "position": e.position, "reason": e.message} for e in report.errors],
            }
        )
    else:
        read = [file for file in report.files if file.format]
        listed = read if verbose else _choose_files(read)
        for file in listed:
            note = f"; {make_printable(file.note)}" if file.note else ""
            print_line(f"{make_printable(file.path)}: {file.format}, {_format_counts([file], file.not_read)}{note}")
        if more := len(read) - len(listed):
            print_line(f"… and {count_noun(more, 'more file')} (-v lists them)")
        for error in report.errors[:_MAX_ERRORS]:
            print_note(f"Not read: {make_printable(str(error))}")
        if len(report.errors) > _MAX_ERRORS:
            print_note(f"… and {len(report.errors) - _MAX_ERRORS} more; --json lists them all")
        if was_empty and any(file.added for file in report.files):
            print_line("From now on jobs search these records, and no longer the bundled sample.")
        print_line(f"{_format_counts(report.files, report.not_read)}.")
        if any(error.message == UNKNOWN_FORMAT for error in report.errors):
            print_note("Files of these formats are read (docs/corpus.md): " + ", ".join(Format))
        elif is_empty:
            print_note("No records were found there: see docs/corpus.md for the files that are read.")
    exit_with(4 if is_empty else 3 if report.errors else 0)


def _choose_files(files: Sequence[AddedFile]) -> list[AddedFile]:
    """Choose ten files: those with a note or unread records first."""
    telling = sorted(range(len(files)), key=lambda place: not (files[place].note or files[place].not_read))
    return [files[place] for place in sorted(telling[:_MAX_FILES])]


def _format_counts(files: Sequence[AddedFile], not_read: int) -> str:
    added, updated, unchanged = (
        sum(getattr(file, name) for file in files) for name in ("added", "updated", "unchanged")
    )
    return f"{added} added, {updated} updated, {unchanged} unchanged, {not_read} not read"


@app.command("list")
def list_records(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the records per database and the files they came from.

    Example: storm corpus list
    """
    corpus = open_corpus(read_settings())
    counts, files = corpus.count(), corpus.files()
    if as_json:
        print_json({"databases": counts, "files": [{"path": f.path, "records": f.records} for f in files]})
        return
    for name, count in sorted(counts.items()):
        print_line(f"{database_label(name)}: {count_noun(count, 'record')}")
    for file in files:
        print_line(f"  {make_printable(file.path)}: {count_noun(file.records, 'record')}")
    if not counts:
        print_line(name_program("The corpus is empty. Add records: storm corpus add PATHS"))


@app.command("search")
def search_corpus(
    name: Annotated[
        str, typer.Argument(help="A name, phrase or question. If no record holds the phrase, its words are searched.")
    ],
    words: Annotated[list[str] | None, typer.Argument(metavar="WORD", help="Words that rank a record higher.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of records to show.")] = 10,
    databases: Annotated[str, typer.Option(help="Search only records of these databases, separated by commas.")] = "",
    since: Annotated[str | None, typer.Option(help="From this date on: 2020, 2020-06 or 2020-06-30.")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this date.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search the corpus; exit 4 when nothing matches.

    Example: storm corpus search "interferon beta-1a" safety --databases pubmed --since 2015
    """
    only = tuple(database.lower() for database in split_list(databases))
    attempts = plan_user_searches(name, words or (), databases=only, since=since, until=until, what="name")
    hits, total, attempt, is_empty = searching.search_corpus(read_settings(), attempts, limit)
    if as_json:
        found = [hit.model_dump(mode="json") for hit in hits]
        print_json({"total": total, "matching": attempt.matching, "terms": attempt.terms, "hits": found})
    else:
        if total and (notice := attempt.describe_match(name)):
            print_line(make_printable(notice))
        for hit in hits:
            date = hit.date or hit.year or "no date"
            print_line(f"{hit.database} {make_printable(hit.external_id)} ({date}): {make_printable(hit.title)}")
            if hit.url:
                print_line(f"    {make_printable(hit.url)}")
        nothing = (
            name_program("Your corpus is empty, and the bundled sample is not searched here: storm corpus add PATHS")
            if is_empty
            else "Nothing in your corpus matches."
        )
        print_line(f"{len(hits)} of {total} shown." if total else nothing)
    exit_with(0 if total else 4)


@app.command("remove")
def remove_records(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Files as `storm corpus list` shows them, or folders.")
    ],
) -> None:
    """Remove the records that came only from these files or folders.

    Example: storm corpus remove downloads/pubmed.xml.gz
    """
    corpus = open_corpus(read_settings())
    print_line(f"{count_noun(remove_files(corpus, paths), 'record')} removed.")
