"""What an agent's prompts come to while it collects sources: storm's, beside the two that come with DSPy.

All play the same script with the same tools and observations: a search answers 2,500 characters, every second source is
read (8,000), and each is saved (300): 2.5 calls a source. The tools are explained in the words of storm's own. A token
is four characters; `effective` counts what a prompt has in common with the beginning of the one before it at a tenth,
as providers bill it. With a `context` the model refuses longer prompts. Each run has a process of its own, in which a
short one went before; `own` is the processor time beside that of the model, which answers at once.

Then whole jobs with and without a first pass of rules (_agent_prefill.py), where labelled records are at hand.

Then whole runs of storm are killed with kill -9 at random steps of the agent, and resumed (_agent_kills.py).
"""

from __future__ import annotations

import asyncio
import functools
import logging
import multiprocessing
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import dspy
from _bibliographer import fields
from _report import Row, parser, report
from assign import FACTS
from dspy import lm15

from storm.agents.adapters import adapter_of
from storm.agents.bounded import BoundedAgent
from storm.agents.broad_researcher import GatherSources, syllabus_text
from storm.models import Plan, SearchOutcome, SearchQuery, database_label
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus
from storm.tools import JobSearch, JobTools, SourceReader, database_tools

SIZES = (10, 30, 100, 300, 1_000)
#: Beyond these a stock agent takes gigabytes and many minutes.
STOCK_SIZES = (10, 30, 100, 300)
CONTEXTS = (131_072, 32_768)
#: Sizes of the jobs with and without a first pass.
PREFILLED = (30, 100, 300)
DATABASES = (
    "pubmed", "pmc", "europepmc", "patents", "epo_ops", "uspto_odp", "clinicaltrials", "chembl", "openfda", "dailymed",
    "crossref", "web", "corpus",
)  # fmt: skip
TOKEN = 4
WARM_UP = 2
LENGTHS = {"search": 2_500, "read_source": 8_000, "save_source": 300}


class Call(NamedTuple):
    """What the script has the model ask for."""

    tool: str
    arguments: dict[str, Any]


class Shelf:
    """A database that has only a name here."""

    limit = 50

    def __init__(self, name: str) -> None:
        self.name = name
        self.scope = f"{database_label(name)} (what such a database has, with abstracts)"

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        return query

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        raise AssertionError("the tools answer from a script; no database is searched here")


class Engine:
    """The model: it says what the script says next, and counts what it is asked."""

    def __init__(self, replies: Iterator[str], context: int | None) -> None:
        self.calls = self.rejected = self.largest = self.total = 0
        self.effective = self.seconds = 0.0
        self._replies = replies
        self._context = context
        self._before = ""

    def complete(self, request: lm15.Request) -> lm15.Response:
        began = time.process_time()
        try:
            return self._answer(request)
        finally:
            self.seconds += time.process_time() - began

    def _answer(self, request: lm15.Request) -> lm15.Response:
        texts: Sequence[Any] = [request.system, *(message.parts[0].text for message in request.messages)]
        prompt = "\n\n".join(filter(None, texts))
        if self._context and len(prompt) > TOKEN * self._context:
            self.rejected += 1
            raise lm15.ContextLengthError(f"maximum context length is {self._context} tokens")
        same = common(self._before, prompt)
        self.calls += 1
        self.largest = max(self.largest, len(prompt) // TOKEN)
        self.total += len(prompt) // TOKEN
        self.effective += (len(prompt) - 0.9 * same) / TOKEN
        self._before = prompt
        reply = next(self._replies)
        return lm15.Response(
            id=None,
            model=request.model,
            message=lm15.Message.assistant(reply),
            finish_reason="stop",
            usage=lm15.Usage(),
        )


class AsyncEngine:
    """The same for those that await."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def complete(self, request: lm15.Request) -> lm15.Response:
        return self._engine.complete(request)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("agent", "Prompts, own time and memory of an agent that collects N sources.")
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of sources")
    options.add_argument("--stock", type=int, nargs="*", default=STOCK_SIZES, help="numbers of sources for DSPy's own")
    options.add_argument("--contexts", type=int, nargs="*", default=CONTEXTS, help="limits that models may have")
    options.add_argument("--no-store", dest="store", action="store_false", help="leave out the steps with a store")
    options.add_argument("--prefill", type=int, nargs="*", default=PREFILLED, help="sizes of jobs with a first pass")
    options.add_argument("--facts", type=Path, default=FACTS, help="records with hand labels, for these (JSON lines)")
    options.add_argument("--kills", type=int, default=20, help="runs that are killed and resumed")
    options.add_argument("--seed", type=int, default=1, help="of the random steps")
    options.add_argument("--at-once", type=int, default=2, help="killed runs under way at the same time")
    given = options.parse_args(argv)
    asked = [("storm", n, None) for n in given.sizes]
    asked += [("storm", max(given.sizes), context) for context in given.contexts]
    asked += [(name, n, None) for name in ("dspy.ReAct", "dspy.ReActV2") for n in given.stock]
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        rows = [pool.apply(measure, one) for one in asked]
    # Not imported above: the memory of those that are measured would hold it, too.
    if given.store:
        from _agent_store import store_rows

        rows += store_rows()
    if given.prefill and given.facts.is_file():
        from _agent_prefill import prefill_rows

        rows += prefill_rows(given.facts, given.prefill)
    if given.kills:
        from _agent_kills import kill_rows

        rows += kill_rows(given.kills, given.seed, given.at_once)
    report(rows, as_json=given.json)
    return 0


def measure(variant: str, n: int, context: int | None) -> Row:
    """One run, after a short one: what is done once a process is no step's."""
    logging.disable()
    run(variant, WARM_UP, None)
    return run(variant, n, context)


def run(variant: str, n: int, context: int | None) -> Row:
    """The prompts, time and memory of one run."""
    saved: list[str] = []
    engine = Engine(REPLIES[variant](n), context)
    lm = dspy.LM("scripted", cache=False, num_retries=0, engine=engine, async_engine=AsyncEngine(engine))
    inputs = {"drug": "trastuzumab, Herceptin", "today": "2026-11-21", "syllabus": syllabus_text(plan())}
    agent = AGENTS[variant](tools(saved), 3 * n + 2)
    began = time.process_time()
    with dspy.context(lm=lm, **SETTINGS[variant]):
        asyncio.run(agent.acall(**inputs))
    seconds = time.process_time() - began - engine.seconds
    return {
        "variant": variant,
        "n": n,
        "context": context or 0,
        "largest_prompt_tokens": engine.largest,
        "total_prompt_tokens": engine.total,
        "effective_prompt_tokens": int(engine.effective),
        "own_ms_per_step": round(1000 * seconds / engine.calls, 3),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "rejected": engine.rejected,
        "saved": len(saved),
    }


# The task, the same for all


@functools.cache
def plan() -> Plan:
    """The drug syllabus, as a job has it."""
    return Plan(names=("trastuzumab", "Herceptin"), syllabus=bundled_syllabus(read_settings().config_dir))


def tools(saved: list[str]) -> list[Callable[..., Awaitable[str]]]:
    """Storm's tools by name, arguments and explanation, with answers of a fixed length."""
    none: Any = None
    box = JobTools(none, plan())
    searcher = JobSearch([Shelf(name) for name in DATABASES], none, lambda: datetime.now(UTC))
    real: list[Callable[..., Awaitable[Any]]] = [
        *database_tools(searcher, none, plan()), SourceReader(none).read_source, box.scrape_url, box.save_source,
        box.register_citation, box.get_citation, box.get_progress, box.check_completion,
    ]  # fmt: skip
    return [canned(tool, saved) for tool in real]


def canned(tool: Callable[..., Awaitable[Any]], saved: list[str]) -> Callable[..., Awaitable[str]]:
    """The tool with an answer of the length that its kind has."""
    name = tool.__name__

    @functools.wraps(tool)
    async def answer(*args: Any, **kwargs: Any) -> str:
        if name == "save_source":
            saved.append(kwargs["external_id"])
        text = f"{name} {len(saved)}: " + "what the record says of the drug and its effects " * 200
        return text[: LENGTHS["search" if name.startswith("search_") else name]]

    return answer


def script(n: int) -> Iterator[Call]:
    """The calls that collect n sources."""
    for number in range(n):
        external_id = str(10_000_000 + number)
        yield Call(f"search_{DATABASES[number % len(DATABASES)]}", {"words": f"survival in cohort {number}"})
        if number % 2:
            yield Call("read_source", {"source": f"pubmed {external_id}"})
        question = plan().syllabus.keys[number % len(plan().syllabus.keys)]
        saving = {"source_type": "pubmed", "external_id": external_id, "url": "", "title": f"Cohort {number}"}
        yield Call("save_source", {**saving, "relevant_questions": [question], "key_excerpts": "what the record says"})


# The agents


THOUGHT = "The question needs more sources; this is the next thing to do."


def react_replies(n: int) -> Iterator[str]:
    """The script as dspy.ReAct and storm read it; only the former asks for an answer at the end."""
    for call in (*script(n), Call("finish", {})):
        yield fields(next_thought=THOUGHT, next_tool_name=call.tool, next_tool_args=call.arguments)
    while True:
        yield fields(reasoning=THOUGHT, summary="All is there.")


def react_v2_replies(n: int) -> Iterator[str]:
    """The script as dspy.ReActV2 reads it."""
    for call in (*script(n), Call("submit", {"summary": "All is there."})):
        yield fields(next_thought=THOUGHT, tool_calls={"tool_calls": [{"name": call.tool, "args": call.arguments}]})


def storm_agent(given: Sequence[Callable[..., Any]], max_iters: int) -> Any:
    """Storm's agent, with a state as long as a job's."""

    async def state() -> str:
        return "\n".join(f"  clinical.question: {number} of 5" for number in range(30))

    return BoundedAgent(GatherSources, given, max_iters=max_iters, describe_state=state)


def stock_signature() -> Any:
    """The same task with an output, without which the stock agents do nothing."""
    return GatherSources.append("summary", dspy.OutputField(), type_=str)


def react(given: Sequence[Callable[..., Any]], max_iters: int) -> Any:
    """DSPy's agent."""
    return dspy.ReAct(stock_signature(), list(given), max_iters=max_iters)


def react_v2(given: Sequence[Callable[..., Any]], max_iters: int) -> Any:
    """DSPy's next agent."""
    return dspy.ReActV2(stock_signature(), list(given), max_iters=max_iters)


REPLIES = {"storm": react_replies, "dspy.ReAct": react_replies, "dspy.ReActV2": react_v2_replies}
AGENTS = {"storm": storm_agent, "dspy.ReAct": react, "dspy.ReActV2": react_v2}
#: Storm's are those that a job sets; the stock agents run as they come.
SETTINGS: dict[str, dict[str, Any]] = {
    "storm": {"adapter": adapter_of("chat"), "disable_history": True, "trace": None},
    "dspy.ReAct": {"adapter": dspy.ChatAdapter(use_json_adapter_fallback=False)},
    "dspy.ReActV2": {"adapter": dspy.ChatAdapter(use_json_adapter_fallback=False)},
}


def common(before: str, now: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(before), len(now))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == now[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


if __name__ == "__main__":
    sys.exit(main())
