"""`storm databases`: list the public databases, or search one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from storm.api import searching
from storm.api.searching import plan_user_searches
from storm.app import open_app
from storm.cli.console import exit_with, make_printable, print_json, print_line, print_note, run_async
from storm.databases.catalogue import read_services
from storm.databases.clients import CLIENTS
from storm.databases.http.service import Service
from storm.databases.search_words import Attempt
from storm.errors import QueryRejected, ServiceError, UsageError
from storm.models import Hit, SearchOutcome, SearchStatus, database_label
from storm.settings import Settings, read_settings

app = typer.Typer(
    help="List or search the public databases.\n\nExample: storm databases search pubmed trastuzumab",
    rich_markup_mode=None,
    invoke_without_command=True,
)


@app.callback()
def list_databases(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the public databases: scope, key, rate limit and licence.

    Example: storm databases
    """
    if context.invoked_subcommand:
        return

    settings = read_settings()
    listed = [
        _describe_service(service) for service in read_services(settings.databases, settings.environment).values()
    ]
    if as_json:
        print_json(listed)
        return
    for each in listed:
        print_line(f"{each['name']}: {each['label']} ({each['scope']})")
        print_line(f"    {each['use']}; {each['state']}; at most {each['per_second']:g} calls a second")
        print_line(f"    data: {each['licence']}")
    print_line(f"From {settings.databases}; a list of your own: STORM_DATABASES=FILE")


def _describe_service(service: Service) -> dict[str, Any]:
    return {
        "name": service.name,
        "label": service.label,
        "scope": service.scope,
        "use": _describe_use(service),
        "state": _describe_state(service),
        "enabled": service.enabled,
        "key": service.key_variable,
        "key_needed": service.key_required,
        "key_set": bool(service.key),
        "per_second": round(service.per_second, 3),
        "licence": service.licence or "not stated",
        "url": service.base_url,
    }


def _describe_use(service: Service) -> str:
    if use := CLIENTS[service.name].use:
        return use
    return "searched in every job" if service.in_jobs else "asked about the sources of a job; searched by hand"


def _describe_state(service: Service) -> str:
    if not service.enabled:
        return "switched off"
    if service.key:
        return f"on, with {service.credential} from {service.key_variable}"
    if service.key_required:
        return f"waits for {service.credential}: {service.key_variable}"
    if service.key_variable:
        return f"on, faster with {service.credential}: {service.key_variable}"
    return "on, no key needed"


@app.command("search")
def search_database(
    name: Annotated[str, typer.Argument(help="The database, as `storm databases` lists it; `web` for the web.")],
    query: Annotated[
        str,
        typer.Argument(help="A name, phrase or question. If no record holds the phrase, its words are searched."),
    ],
    words: Annotated[list[str] | None, typer.Argument(metavar="WORD", help="Words that rank a record higher.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of records to show.")] = 10,
    since: Annotated[str | None, typer.Option(help="From this date on: 2020, 2020-06 or 2020-06-30.")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this date.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search one public database. Exit 0: found; 4: nothing matches; 3: it could not be searched, or only in part.

    Example: storm databases search clinicaltrials "interferon beta-1a" relapse --since 2015
    """
    attempts = plan_user_searches(query, words or (), since=since, until=until)
    scope, outcome, attempt = run_async(_search_until_found(read_settings(), name, attempts, limit))
    if as_json:
        print_json({**outcome.model_dump(mode="json"), "matching": attempt.matching, "terms": attempt.terms})
    else:
        if outcome.hits and (notice := attempt.describe_match(query)):
            print_line(make_printable(notice))
        _print_outcome(outcome, scope)
    exit_with(3 if outcome.incomplete else {SearchStatus.FOUND: 0, SearchStatus.NONE: 4}.get(outcome.status, 3))


@app.command("fetch")
def fetch_record(
    name: Annotated[str, typer.Argument(help="The database, as `storm databases` lists it.")],
    record: Annotated[str, typer.Argument(help="The record's id there: a PMID, PMCID, NCT number, set id …")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Fetch one record by its id. Exit 4: the database has no such record; 3: it could not be asked.

    Example: storm databases fetch clinicaltrials NCT00045032
    """
    hit = run_async(_fetch_hit(read_settings(), name, record))
    if hit is None:
        print_line(f"{name} has no record {make_printable(record)}.")
    elif as_json:
        print_json(hit.model_dump(mode="json"))
    else:
        _print_record(hit)
    exit_with(0 if hit else 4)


async def _fetch_hit(settings: Settings, name: str, record: str) -> Hit | None:
    async with open_app(settings) as app:
        client = (await app.scope.open_live()).find_client(name)
        try:
            return await client.database.fetch(record)
        except QueryRejected as exc:
            if exc.status is None and client.database.example_id:  # refused before it was sent: not a valid id there
                raise UsageError(exc.message, hint=exc.hint) from exc
            raise _prefix_label(exc, client.service.label) from exc
        except ServiceError as exc:
            raise _prefix_label(exc, client.service.label) from exc


def _prefix_label(error: ServiceError, label: str) -> ServiceError:
    """The error with the name of the database in its message."""
    if label in error.message:
        return error
    return type(error)(f"{label}: {error.message}", service=error.service, status=error.status, hint=error.hint)


@app.command("read")
def read_page(
    url: Annotated[str, typer.Argument(help="A web page or PDF on the public internet.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the main text of a web page, as a job reads it. Exit 3: it has none.

    Example: storm databases read https://www.fda.gov/drugs/drug-safety-and-availability
    """
    if not url.lower().startswith(("http://", "https://")):
        raise UsageError(f"{url!r} is not the address of a web page", hint="write it with https:// in front")
    hit = run_async(_fetch_page(read_settings(), url))
    if as_json:
        print_json(hit.model_dump(mode="json"))
    else:
        _print_record(hit)


def _print_record(hit: Hit) -> None:
    print_line(f"{make_printable(hit.title)} ({hit.date or 'no date'}), {len(hit.text):,} characters of text")
    print_line(make_printable(hit.url))
    for paragraph in hit.text.splitlines():
        print_line(make_printable(paragraph))


async def _fetch_page(settings: Settings, url: str) -> Hit:

    async def allow_any(asked: str) -> str:
        return asked

    async with open_app(settings) as app:
        pages = (await app.scope.open_live()).open_pages(allow_any)
        if pages is None:
            raise UsageError("web pages are not read while STORM_HTTP is set", hint="unset STORM_HTTP")
        return await pages.fetch(url)


async def _search_until_found(
    settings: Settings, name: str, attempts: Sequence[Attempt], limit: int
) -> searching.DatabaseAnswer:
    async with open_app(settings) as app:
        return await searching.search_database(app, name, attempts, limit)


def _print_outcome(outcome: SearchOutcome, scope: str) -> None:
    label = database_label(outcome.database)
    for hit in outcome.hits:
        date = hit.date or hit.year or "no date"
        print_line(f"{hit.database} {make_printable(hit.external_id)} ({date}): {make_printable(hit.title)}")
        print_line(f"    {make_printable(hit.url)}")
    if outcome.translated:
        print_note(f"{label} searched for: {make_printable(outcome.translated)}")
    reason = make_printable(outcome.reason)
    if outcome.status is SearchStatus.FAILED:
        print_note(f"{label} could not be searched: {reason}. It may hold matching records.")
    elif outcome.status is SearchStatus.NOT_APPLICABLE:
        print_note(f"{label} does not apply: {reason}.")
    else:
        if reason:
            print_note(f"{'Searched in part' if outcome.incomplete else 'Note'}: {reason}.")
        nothing = f"{label} ({scope}) was searched and has nothing that matches."
        print_line(f"{len(outcome.hits)} of {outcome.total:,} shown." if outcome.hits else nothing)
