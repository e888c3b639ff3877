"""`storm ask` with a model: wall time beside its critical path, and prompts by sources and rounds.

Wall time is that of a whole job in this process (_research_job.py), whose model answers by its prompt alone. The
prompts are those of the roles of the checklist, with a model whose replies are not usable, so that each asks again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from _report import Row
from _research_job import Call, Job, write_report

from storm.agents.budget import Budget, Limits
from storm.agents.checklist_judge import ModelChecklistJudge
from storm.agents.checklist_planner import ModelChecklistPlanner
from storm.agents.item_query_writer import ModelItemQueryWriter
from storm.agents.model_choice import ModelChoice
from storm.agents.predictor_calls import PARALLEL
from storm.agents.question_refiner import ModelRefiner
from storm.agents.scripted import ScriptedModel
from storm.models import (
    Answer,
    ChecklistReview,
    Finding,
    Hit,
    ItemJudgement,
    ItemState,
    JobRequest,
    Plan,
    Question,
    RefinedQuestion,
    RequestKind,
    SearchIteration,
    SearchQuery,
    Source,
    Statement,
    Syllabus,
    Verdict,
)
from storm.models.search import NAMES

#: Seconds of a call of the model, and of a search; rounds, and results of a search.
CALL, SEARCH, ROUNDS, RESULTS = 1.0, 0.3, 3, 10
#: Calls of one item of which several are sent at once, and those that wait for all of them.
BATCHED, AFTER = ("statement writer", "judge"), ("composer",)
ITERATIONS = range(1, 11)
ITEMS = ("survival", "cardiac", "biosimilar", "approval", "response")
ASKED = "How does trastuzumab compare with its biosimilars in survival, cardiac harm and response?"


# Wall time


def wall_rows(folder: Path) -> list[Row]:
    """Five items, three rounds; a short run goes before."""
    run = partial(write_report, mode="deep_research", databases=("pubmed", "web"), max_search_results=RESULTS)
    run(folder / "short", model=lambda: 0.0, searches=lambda: 0.0, max_iterations=1)
    job = run(folder / "ask", model=lambda: CALL, searches=lambda: SEARCH, max_iterations=ROUNDS)
    assert job.report.deep_research is not None
    path = find_critical_path(job)
    return [
        {
            "variant": "ask, with a model", "items": len(job.report.questions),
            "rounds": len(job.report.deep_research.iterations), "calls": len(job.calls),
            "searches": len(job.report.search_log), "sources": job.report.coverage.total,
            "wall_s": round(job.seconds, 1), "critical_path_s": round(path, 1),
            "to_critical_path": round(job.seconds / path, 2), "own_cpu_s": round(job.own_seconds, 1),
        }
    ]  # fmt: skip


def find_critical_path(job: Job) -> float:
    """The seconds that the job takes at least: of each round the searches of one item in one database come one after
    the other, then the calls of one item, then the judgement; items and databases are side by side."""
    assert job.report.deep_research is not None
    roles = Counter(call.role for call in job.calls)
    names = Counter(line.database for line in job.report.search_log if line.question == NAMES)
    calls = roles["refiner"] + roles["checklist planner"] + roles["section writer"]
    calls += longest(Counter(call.matter for call in job.calls if call.role == "item query writer"))
    searches = longest(names)
    for iteration, asked in zip(job.report.deep_research.iterations, split_rounds(job.calls), strict=False):
        made = Counter((key, name) for key, queries in iteration.searches.items()
                       for query in queries for name in query.databases or ("all",))  # fmt: skip
        searches += longest(made)
        calls += longest(count_steps(asked)) + sum(call.role == "checklist judge" for call in asked)
    return calls * CALL + searches * SEARCH


def split_rounds(calls: Sequence[Call]) -> list[list[Call]]:
    """The calls of each round, which ends with its judgement."""
    rounds: list[list[Call]] = [[]]
    for call in calls:
        rounds[-1].append(call)
        if call.role == "checklist judge":
            rounds.append([])
    return rounds


def count_steps(calls: Sequence[Call]) -> Counter[str]:
    """How many calls wait for each other, by item: a few prompts of one item are sent at once."""
    steps: Counter[str] = Counter()
    for (matter, role), number in Counter((call.matter, call.role) for call in calls).items():
        if role in BATCHED:
            steps[matter] += -(-number // PARALLEL)
        elif role in AFTER:
            steps[matter] += number
    return steps


def longest(counts: Counter[Any]) -> int:
    """The largest of the counts."""
    return max(counts.values(), default=0)


# Prompts


def ask_prompt_rows(sizes: Sequence[int]) -> list[Row]:
    """The largest prompt of each role of the checklist by the number of sources, over ten rounds, tokens being
    characters / 4; beside it the smallest of all sizes and rounds."""
    found = {size: [largest_prompts(size, rounds) for rounds in ITERATIONS] for size in sizes}
    rows: list[Row] = []
    for role in next(iter(found.values()))[0]:
        smallest = min(one[role] for each in found.values() for one in each)
        for size, each in found.items():
            largest = max(one[role] for one in each)
            rows.append(
                {
                    "variant": role, "sources": size, "rounds": len(each), "largest_prompt_tokens": largest // 4,
                    "to_the_smallest": round(largest / smallest, 3),
                }
            )  # fmt: skip
    return rows


class NoRules:
    """The twins that the roles fall back on: they say next to nothing."""

    async def refine(self, request: JobRequest) -> RefinedQuestion:
        """As it was asked."""
        return RefinedQuestion(text=request.text)

    async def plan(self, request: JobRequest, refined: RefinedQuestion) -> Plan:
        """Always the same items."""
        return make_plan()

    async def judge(self, plan: Plan, *given: Any) -> ChecklistReview:
        """Nothing is answered."""
        return ChecklistReview(items=tuple(ItemJudgement(question=key) for key in plan.syllabus.keys))

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        """The names."""
        return (SearchQuery(names=plan.names),)


def largest_prompts(sources: int, rounds: int) -> Mapping[str, int]:
    """The characters of the largest prompt of each role, with so many sources after so many rounds."""
    return asyncio.run(_ask_roles(sources, rounds))


async def _ask_roles(sources: int, rounds: int) -> Mapping[str, int]:
    plan, found = make_plan(), [make_source(number) for number in range(1, sources + 1)]
    request = JobRequest(kind=RequestKind.QUESTION, text=ASKED, context="It was asked about breast cancer.")
    refined, played = RefinedQuestion(text=ASKED), [make_iteration(number) for number in range(1, rounds + 1)]
    findings = [make_finding(place, found) for place in range(len(ITEMS))]
    rules = NoRules()
    models = {name: ScriptedModel(lambda prompt: "") for name in ("refiner", "planner", "query writer", "judge")}
    lms = {name: one.make_lm(_CHOICE, Budget(Limits(), monotonic=lambda: 0.0), "agent") for name, one in models.items()}
    await ModelRefiner(lms["refiner"], rule_based=rules).refine(request)
    await ModelChecklistPlanner(lms["planner"], rule_based=rules).plan(request, refined)
    for question in plan.syllabus.questions:
        await ModelItemQueryWriter(lms["query writer"], rule_based=rules).write_queries(question, plan)
    await ModelChecklistJudge(lms["judge"], rule_based=rules).judge(plan, findings, found, played)
    return {name: max(map(len, one.prompts)) for name, one in models.items()}


_CHOICE = ModelChoice(name="openai/scripted", context=128_000)


def make_plan() -> Plan:
    """A plan with an item for each matter."""
    questions = (
        Question(key=name, label=f"{name.capitalize()} of trastuzumab", description=f"What of {name}?", min_sources=1)
        for name in ITEMS
    )
    return Plan(names=("trastuzumab", "Herceptin"), syllabus=Syllabus(name="checklist", questions=tuple(questions)))


def make_source(number: int) -> Source:
    """A paper of one long sentence on one of the items."""
    name = ITEMS[number % len(ITEMS)]
    text = (
        f"In cohort {number:04}, {name} with trastuzumab was {number % 89 + 10} % after {number % 23 + 10} months of "
        "observation, and no different from that of the women who were given a biosimilar of it in the same centres, "
        "whatever their age, the stage of their disease and the chemotherapy that they were given before it."
    )
    hit = Hit.of("pubmed", str(30_000_000 + number), f"https://records.example/{number}", f"Cohort {number}", text=text)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(name,))


def make_finding(place: int, sources: Sequence[Source]) -> Finding:
    """The answer to one item: what each of its sources says, word for word."""
    own = [source for source in sources if ITEMS[place] in source.questions]
    statements = tuple(
        Statement(
            text=source.hit.text, quote=source.hit.text, source_ids=(source.source_id,), verdict=Verdict.SUPPORTED,
            citation_id=f"cit_{source.number:012}",
        )
        for source in own
    )  # fmt: skip
    return Finding(answer=Answer(question=ITEMS[place], statements=statements))


def make_iteration(number: int) -> SearchIteration:
    """A round with four searches for each item."""
    searches = {
        name: tuple(SearchQuery(names=("trastuzumab",), words=(name, f"round{number}", f"no{n}")) for n in range(4))
        for name in ITEMS
    }
    items = tuple(ItemJudgement(question=name, state=ItemState.PARTIAL) for name in ITEMS)
    return SearchIteration(number=number, searches=searches, review=ChecklistReview(items=items))
