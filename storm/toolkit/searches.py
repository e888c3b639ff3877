"""The tools that look something up: a public database, the user's corpus, a source of a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from storm.errors import ServiceError, UsageError
from storm.toolkit.excerpts import cut_at_line
from storm.toolkit.tool import Params, ToolConfig, ToolContext, ToolResult

# What only a running tool needs is imported where it is used: listing the tools must not wait for it.
if TYPE_CHECKING:
    from storm.models import Hit, SearchOutcome, Source

#: Characters of a source that the text of a result shows.
_SHOWN = 6_000
_NOT_NOTHING = "This does not mean that there is nothing."
_WORDS: Params = {"type": "string", "maxLength": 400}
_DAYS: Params = {
    "since": {"type": "string", "description": "From this date on: 2020, 2020-06 or 2020-06-30."},
    "until": {"type": "string", "description": "Up to this date."},
}
_LIMIT: Params = {"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "Records to show."}
_CARD = "Each record is shown as: database id · year title, then the sentence that matches best."


async def _search_database(params: Params, context: ToolContext) -> ToolResult:
    from storm.api.job import reuse_or_open
    from storm.api.searching import plan_agent_searches, search_database

    names, words = tuple(params["names"]), params["words"]
    attempts = plan_agent_searches(words, names, since=params.get("since"), until=params.get("until"))
    try:
        async with reuse_or_open(context.app, context.settings) as app:
            answer = await search_database(app, params["database"], attempts, params["limit"])
    except ServiceError as exc:  # switched off, or without its key
        data = {"database": params["database"], "status": "failed", "reason": exc.message}
        why = "; ".join(filter(None, (exc.message, exc.hint)))
        return _make_result("search_database", [f"failed: {why}. {_NOT_NOTHING}"], data, 3)
    shown = _describe_outcome(answer.outcome, answer.scope)
    any_word = answer.outcome.hits and answer.attempt is not attempts[0]
    lines = ["No record holds all of these words. With any of them:"] if any_word else []
    lines += [shown, *_write_cards(answer.outcome.hits, words, names)]
    return _make_result("search_database", lines, answer.outcome.model_dump(mode="json"), _exit_code(answer.outcome))


def _exit_code(outcome: SearchOutcome) -> int:
    """That of `storm databases search`."""
    from storm.models import SearchStatus

    return 3 if outcome.incomplete else {SearchStatus.FOUND: 0, SearchStatus.NONE: 4}.get(outcome.status, 3)


def _describe_outcome(outcome: SearchOutcome, scope: str) -> str:
    """How the search ended, in one line: found, none, or failed and why."""
    from storm.models import SearchStatus, database_label
    from storm.wording import format_large_count

    label, reason = database_label(outcome.database), " ".join(outcome.reason.split())
    if outcome.status is SearchStatus.FAILED:
        return f"failed: {label} could not be searched: {reason}. {_NOT_NOTHING}"
    if outcome.status is SearchStatus.NOT_APPLICABLE:
        return f"not applicable: {label}: {reason}."
    note = f" ({'searched in part' if outcome.incomplete else 'note'}: {reason})" if reason else ""
    if outcome.status is SearchStatus.NONE:
        return f"none: {label} ({scope}) was searched and has nothing that matches{note}; try fewer or other words."
    return f"found: {format_large_count(outcome.total, 'record')} in {label}, the best {len(outcome.hits)} shown{note}."


async def _search_corpus(params: Params, context: ToolContext) -> ToolResult:
    import asyncio

    from storm.api.searching import plan_corpus_searches, search_corpus
    from storm.settings import read_settings
    from storm.wording import format_large_count

    settings = context.app.settings if context.app else context.settings or read_settings()
    query, words = params["query"], tuple(params["words"])
    only = tuple(name.lower() for name in params["databases"])
    since, until = params.get("since"), params.get("until")
    attempts = plan_corpus_searches(query, words, databases=only, since=since, until=until)
    answer = await asyncio.to_thread(search_corpus, settings, attempts, params["limit"])
    if answer.total:
        notice = answer.attempt.describe_match(query)
        lines = [
            *filter(None, [notice]),
            f"found: {format_large_count(answer.total, 'record')}, the best {len(answer.hits)} shown.",
        ]
    elif answer.is_empty:
        lines = ["none: the corpus is empty; its user has to add files to it first"]
    else:
        lines = ["none: nothing in the corpus matches; try fewer or other words."]
    lines += _write_cards(answer.hits, " ".join((query, *words)), ())
    found = {"total": answer.total, "hits": [hit.model_dump(mode="json") for hit in answer.hits]}
    return _make_result("search_corpus", lines, found, 0 if answer.total else 4)


async def _get_source(params: Params, context: ToolContext) -> ToolResult:
    from storm.api.job import reuse_or_open

    job, source_id = params["job"], params["source_id"]
    async with reuse_or_open(context.app, context.settings) as app:
        await app.store.jobs.get(job)  # raises UnknownJob
        source = await app.collection(job).find_source(source_id)
    if source is None:
        raise UsageError(
            f"{job} has no source {source_id}", hint="the ids are src_001 and so on, as the report has them"
        )
    return _make_result("get_source", _describe_source(source, params["start"]), source.model_dump(mode="json"), 0)


def _describe_source(source: Source, start: int) -> Sequence[str]:
    from storm.models import Retraction

    hit = source.hit
    if start > len(hit.text):
        raise UsageError(f"start is {start}; the text has {len(hit.text)} characters", hint="give a smaller start")
    about = [hit.date or str(hit.year or ""), hit.container, ", ".join(hit.authors[:3])]
    retracted = {Retraction.RETRACTED: "RETRACTED", Retraction.CONCERN: "EXPRESSION OF CONCERN"}
    lines = [
        f"{source.source_id}: {hit.database} {hit.external_id}: {hit.title}",
        " · ".join(filter(None, (*about, hit.url, retracted.get(hit.retraction)))),
        f"Answers: {', '.join(source.questions)}",
        f"Note of the research, not the source's words: {source.note}" if source.note else "",
        f"Text from character {start:,} of {len(hit.text):,}:",
        cut_at_line(hit.text[start:], _SHOWN),
    ]
    return [line for line in lines if line]


def _write_cards(hits: Sequence[Hit], words: str, names: Sequence[str]) -> Sequence[str]:
    from storm.tools.cards import write_card

    return [write_card(hit, words, names) for hit in hits]


def _make_result(tool: str, lines: Sequence[str], data: Any, exit_code: int) -> ToolResult:
    """The lines as text. What could not be searched at all has failed; what was searched in part has not."""
    failed = exit_code == 3 and data.get("status") == "failed"
    return ToolResult("\n".join(lines), {"type": f"{tool}_result", "data": data}, failed=failed, exit_code=exit_code)


def _make_schema(required: Params, optional: Params) -> Params:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": [*required],
        "additionalProperties": False,
    }


SEARCH_DATABASE = ToolConfig(
    name="search_database",
    description=(
        "Search one public database for records: titles, years, identifiers and the sentences that match. Use it to "
        "look up a few records, or whether there are any. Do not use it to answer a question that needs several "
        "sources (report), or for the user's own records (search_corpus). The answer begins with found, none "
        "(searched, nothing matches) or failed (not searched: there may be records; try another database). It takes "
        f"seconds. {_CARD}"
    ),
    input_schema=_make_schema(
        {
            "database": {
                "type": "string",
                "minLength": 1,
                "description": "pubmed, pmc, europepmc, clinicaltrials, chembl, openfda, dailymed, patents, web …",
            }
        },
        {
            "words": {
                **_WORDS,
                "default": "",
                "description": 'All must match. `a OR b` matches either word, "a b" in quotes the phrase; no NOT.',
            },
            "names": {
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "maxItems": 50,
                "default": [],
                "description": "Names of one drug, target or disease; a record names it by any of them.",
            },
            **_DAYS,
            "limit": _LIMIT,
        },
    ),
    executor=_search_database,
)
SEARCH_CORPUS = ToolConfig(
    name="search_corpus",
    description=(
        "Search the user's own records (files that were added to the corpus). Use it for what the user's files say. Do "
        "not use it for public databases (search_database). The answer begins with found or none. It takes less than "
        f"a second. {_CARD}"
    ),
    input_schema=_make_schema(
        {
            "query": {
                **_WORDS,
                "minLength": 1,
                "description": "A name, phrase or question. Where no record has the phrase, its words are searched.",
            }
        },
        {
            "words": {
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "maxItems": 50,
                "default": [],
                "description": "Words or phrases, all of which a record must hold; patent OR patents: either.",
            },
            "databases": {
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "default": [],
                "description": "Search only records of these databases.",
            },
            **_DAYS,
            "limit": _LIMIT,
        },
    ),
    executor=_search_corpus,
)
GET_SOURCE = ToolConfig(
    name="get_source",
    description=(
        "Read one source of a job: its title, link, which questions it answers, and its text. Use it to check a "
        "sentence of a report, or to read on where a quote ends. Do not use it to search (search_database, "
        "search_corpus). It takes less than a second."
    ),
    input_schema=_make_schema(
        {
            "job": {"type": "string", "minLength": 1, "description": "The job's id: trastuzumab-20261121-7f3a9c."},
            "source_id": {"type": "string", "minLength": 1, "description": "The source's id in the report: src_012."},
        },
        {
            "start": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "The character of the text to begin with, for the rest of a long one.",
            }
        },
    ),
    executor=_get_source,
)
