"""Rules file what is plainly about the drug before the model is asked, which sees it listed and may move or drop it."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from agents.jobs import Job, open_job
from agents.library import PLAN, Library, competent, says
from agents.scripted import asked, engines, prompts_of, scripted_lm
from dspy import lm15
from stores import JOB

from storm.agents.budget import Budget, Limits
from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM
from storm.agents.scripted import estimate_tokens
from storm.errors import ModelError
from storm.models import Exclusion, Hit, Plan, Question, Rule, Saved
from storm.store import JobJournal, SourceCollector

EFFICACY, SAFETY = PLAN.syllabus.keys
_RULES = {EFFICACY: "responded", SAFETY: "cardiac"}


def with_rules(question: Question, least: int) -> Question:
    rule = Rule(where="text", pattern=_RULES[question.key], weight=2.0)
    return question.model_copy(
        update={
            "rules": (rule,),
            "threshold": 1.0,
            "min_sources": least,
            "queries": {"default": ("cohort",)},
            "itself_only": True,
        }
    )


def plan_of(efficacy: int, safety: int) -> Plan:
    needed = {EFFICACY: efficacy, SAFETY: safety}
    questions = tuple(with_rules(q, needed[q.key]) for q in PLAN.syllabus.questions)
    return PLAN.model_copy(update={"syllabus": PLAN.syllabus.model_copy(update={"questions": questions})})


#: Its rules are met by all records, and by half as many as a question needs.
RULED = plan_of(3, 2)
SHORT = plan_of(50, 2)


@pytest.fixture
async def new_job() -> AsyncIterator[Callable[[], Any]]:
    """Makes jobs, each in a store of its own."""
    async with AsyncExitStack() as opened:

        async def make() -> Job:
            return await opened.enter_async_context(open_job(Library("pubmed", 20), Library("chembl", 20)))

        yield make


@pytest.fixture
async def job(new_job: Callable[[], Any]) -> Job:
    made: Job = await new_job()
    return made


async def gather(job: Job, reply: Any, plan: Plan = RULED, **limits: Any) -> tuple[str, list[str]]:
    """The job after a first pass of rules; why it stopped, and the prompts."""
    lm = scripted_lm(reply)
    return await job.gather(lm, plan=plan, prefill=True, **limits), prompts_of(lm)


def listed(prompt: str) -> list[str]:
    """The ids of the sources that a prompt lists."""
    return re.findall(r"^(src_\d+) · ", asked(prompt)["recent_steps"], re.M)


def finishing(prompt: str) -> str:
    return says("finish", {})


def dropping(prompt: str) -> str:
    """Drops all that it sees; when there is nothing, it finishes."""
    if not (names := listed(prompt)) or "is dropped" in asked(prompt)["recent_steps"].rpartition("Step ")[2]:
        return says("list_sources", {}) if "Sources saved: 0." not in asked(prompt)["state"] else says("finish", {})
    first, *more = [{"source_id": name, "questions": [], "reason": "not about it"} for name in names[-8:]]
    return says("refile_source", first, more_calls=[{"tool": "refile_source", "args": args} for args in more])


async def test_rules_file_before_the_model_is_asked_and_it_sees_one_line_each(job: Job) -> None:
    reason, (prompt,) = await gather(job, finishing)
    assert reason == "complete"
    saved = await job.saved()
    assert len(saved) >= 3 and {question for _, own in saved for question in own} == {EFFICACY, SAFETY}
    lines = re.findall(r"^src_\d+ · \w+ \d{4} Trastuzumab in cohort \d+ → clinical\.\w+.*$", prompt, re.M)
    assert len(lines) == len(saved)
    assert "Rules filed these before you began" in prompt and "refile_source(source_id: string" in prompt
    events = [event.message for event in await job.journal.events(100) if event.kind == "agent"]
    assert events[0] == f"rules filed {len(saved)} sources before the first call of the model"


async def test_what_a_rule_filed_is_searched_and_quoted_as_what_an_agent_filed(job: Job) -> None:
    await gather(job, finishing)
    assert {search.status for search in await job.journal.searches()} == {"found"}
    citations = await job.collection.citations()
    assert len(citations) == len(await job.saved()) and {one.quote_check.value for one in citations} == {"verified"}
    reasons = set((await job.collection.exclusions()).values())
    assert reasons <= {Exclusion.MINIMUM_MET, Exclusion.BELOW_CUT}


async def test_a_question_without_rules_is_left_to_the_model(job: Job) -> None:
    reason, prompts = await gather(job, competent(), PLAN)
    assert reason == "complete" and "no source is saved yet" in prompts[0]
    assert len(await job.saved()) == 5


async def test_a_search_says_of_a_record_that_it_is_a_source_already(job: Job) -> None:
    replies = [
        says("refile_source", {"source_id": "src_001", "questions": []}), says("search_pubmed", {"words": "cohort"}),
        says("finish", {}),
    ]  # fmt: skip
    _, prompts = await gather(job, replies)
    cards = re.findall(r"^pubmed (\d+) · \d{4} (\(saved: src_\d+\) )?", prompts[2], re.M)
    marked = {record for record, mark in cards if mark}
    saved = {key.removeprefix("pubmed:").removeprefix("pmid:") for key, _ in await job.saved()}
    assert marked and marked == {record for record, _ in cards} & saved


class Others(Library):
    """Records that name the drug in their text alone, or are about another."""

    def __init__(self) -> None:
        super().__init__("pubmed", 0)
        text = "Of 9 patients who took trastuzumab 9 % responded."
        titles = ("Cohort nine", "Trastuzumab emtansine in cohort nine", "Pertuzumab versus trastuzumab")
        self._hits = [Hit.of("pubmed", str(n), "", title, text=text) for n, title in enumerate(titles, 1)]


async def test_only_what_names_the_drug_in_its_title_is_plain() -> None:
    async with open_job(Others()) as job:
        await gather(job, finishing)
        assert await job.saved() == []


async def test_a_model_moves_and_drops_and_the_reasons_stay(job: Job) -> None:
    def reply(prompt: str) -> str:
        if "is dropped" in prompt:
            return says("finish", {})
        moved = {"source_id": "src_001", "questions": [SAFETY]}
        dropped = {"tool": "refile_source", "args": {"source_id": "src_002", "questions": [], "reason": "a letter"}}
        return says("refile_source", moved, more_calls=[dropped])

    _, prompts = await gather(job, reply)
    assert f"✓ src_001 is filed under {SAFETY}; {SAFETY} has " in prompts[-1]
    assert "✓ src_002 is dropped: no source any more" in prompts[-1]
    sources = {source.source_id: source.questions for source in await job.collection.load_sources()}
    assert sources["src_001"] == (SAFETY,) and "src_002" not in sources
    assert list((await job.collection.exclusions()).values()).count(Exclusion.DROPPED) == 1
    (event,) = [event for event in await job.journal.events(100) if event.kind == "dropped"]
    assert event.data["why"] == "a letter"


async def test_a_model_that_drops_everything_ends_with_nothing_but_the_reasons(job: Job) -> None:
    reason, prompts = await gather(job, dropping)
    assert reason == "no_progress" and len(prompts) < 12
    assert await job.saved() == []
    assert Exclusion.DROPPED in (await job.collection.exclusions()).values()
    assert len(await job.collection.citations()) > 0
    await job.journal._store.jobs.check(JOB, check_records=True)


async def test_dropping_is_progress_but_dropping_and_saving_by_turns_is_none(job: Job) -> None:
    def reply(prompt: str) -> str:
        if "Sources saved: 0." in asked(prompt)["state"]:
            found = {"source_type": "pubmed", "external_id": "10000001", "url": "", "title": ""}
            return says("save_source", {**found, "relevant_questions": [EFFICACY]})
        return dropping(prompt)

    reason, prompts = await gather(job, reply)
    assert reason == "no_progress" and len(prompts) < 40


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"source_id": "src_999", "questions": [EFFICACY]}, "no source 'src_999' is saved in this job; list_sources"),
        ({"source_id": "src_999", "questions": []}, "no source src_999 is saved in this job"),
        (
            {"source_id": "src_001", "questions": ["clinical.nonsense"]},
            "no such question: 'clinical.nonsense';",
        ),
        ({"source_id": "src_001", "questions": [""]}, "no such question: ''; nothing was changed; valid: clinical."),
        ({"source_id": "src_001", "questions": "nonsense"}, "no such question: 'nonsense'"),
        ({"source_id": "src_001"}, "Wrong arguments: questions: Field required"),
        ({"source_id": "src_001", "questions": None}, "Wrong arguments: questions: Input should be a valid list"),
    ],
)
async def test_a_move_that_cannot_be_made_says_why_and_changes_nothing(
    job: Job, arguments: dict[str, Any], error: str
) -> None:
    replies = [says("refile_source", arguments), says("finish", {})]
    _, prompts = await gather(job, replies)
    assert error in prompts[1]
    assert len(await job.saved()) == len(listed(prompts[0]))
    assert Exclusion.DROPPED not in (await job.collection.exclusions()).values()


@pytest.mark.slow
async def test_the_list_shows_further_sources_and_those_of_one_question() -> None:
    replies = [
        says("list_sources", {"first": 41}), says("list_sources", {"question": SAFETY}),
        says("list_sources", {"first": 900}), says("list_sources", {"question": "nonsense"}), says("finish", {}),
        says("finish", {}),
    ]  # fmt: skip
    library = Library("pubmed", 60)
    library.limit = 60
    async with open_job(library, Library("chembl", 20)) as job:
        _, prompts = await gather(job, replies, SHORT)
        total = len(await job.saved())
    assert f"{total} sources, 1 to 40; first=41 shows the next" in prompts[0] and len(listed(prompts[0])) == 40
    assert f"{total} sources, 41 to {total}\n" in prompts[1] and total > 40
    assert f"{total} sources; none from 900 on" in prompts[3]
    assert "no such question: 'nonsense'" in prompts[4]


@pytest.mark.long
@pytest.mark.slow
async def test_a_prompt_stays_as_short_as_it_is_however_much_is_filed() -> None:
    sizes = []
    for number in (60, 300):
        library = Library("pubmed", number)
        library.limit = number
        async with open_job(library, Library("chembl", 20)) as job:
            _, prompts = await gather(job, finishing, plan_of(number, 2))
            assert len(await job.saved()) >= number
            sizes.append(estimate_tokens(prompts[0]))
    assert sizes[1] <= 1.1 * sizes[0] and max(sizes) < 8_000


async def test_with_a_budget_of_one_call_what_rules_filed_is_kept(job: Job) -> None:
    budget = Budget(Limits(calls=1), monotonic=lambda: 0.0)
    answers = itertools.repeat(says("list_sources", {}))
    lm = MeteredLM(
        ModelChoice(name="openai/scripted", context=128_000), budget, "agent", **engines(lambda _: next(answers))
    )
    assert await job.gather(lm, plan=SHORT, prefill=True) == "budget"
    assert len(prompts_of(lm)) <= 1 and len(await job.saved()) > 20


async def test_a_model_that_cannot_be_asked_at_all_is_reported_although_rules_have_filed(job: Job) -> None:
    with pytest.raises(ModelError, match="oops"):
        await gather(job, lambda _: lm15.ServerError("oops"))
    reason, _ = await gather(job, finishing)
    assert reason == "complete"


class Killed(BaseException):
    """The process is gone."""


class DyingCollection(SourceCollector):
    """It is killed at a save."""

    at = 0

    async def save(self, *args: Any, **kwargs: Any) -> Saved:
        self.at -= 1
        if self.at < 0:
            raise Killed
        return await super().save(*args, **kwargs)


class DyingJournal(JobJournal):
    """It is killed at a step, before it is written, or after a search."""

    at = 0
    searches_left = 1_000

    async def log_step(self, step: Any) -> bool:
        if step.number >= self.at:
            raise Killed
        return await super().log_step(step)

    async def log_search(self, *args: Any, **kwargs: Any) -> bool:
        logged = await super().log_search(*args, **kwargs)
        self.searches_left -= 1
        if self.searches_left < 0:
            raise Killed
        return logged


def reviewing(prompt: str) -> str:
    """Drops the second source and moves the third, then fills what is missing."""
    recent = asked(prompt)["recent_steps"]
    if "src_002 is dropped" not in recent and "Step 2." not in recent:
        moved = {"tool": "refile_source", "args": {"source_id": "src_003", "questions": [SAFETY]}}
        return says("refile_source", {"source_id": "src_002", "questions": []}, more_calls=[moved])
    return says("finish", {})


def dying_at_save(job: Job, number: int) -> Job:
    collection = DyingCollection(job.collection._store, JOB, job.collection._scripts._lease)
    collection.at = number
    return job._replace(collection=collection)


def dying_at_search(job: Job, number: int) -> Job:
    journal = DyingJournal(job.journal._store, JOB, job.journal._scripts._lease)
    journal.at, journal.searches_left = 1_000, number
    return job._replace(journal=journal)


def dying_at_step(job: Job, number: int) -> Job:
    journal = DyingJournal(job.journal._store, JOB, job.journal._scripts._lease)
    journal.at = number
    return job._replace(journal=journal)


KILLS: Sequence[tuple[Callable[[Job, int], Job], int]] = (
    *((dying_at_search, n) for n in range(2)), *((dying_at_save, n) for n in (0, 1, 2)),
    *((dying_at_step, n) for n in (1, 2, 3)),
)  # fmt: skip


@pytest.mark.parametrize(("dying", "number"), KILLS, ids=[f"{kill.__name__} {number}" for kill, number in KILLS])
async def test_a_job_killed_in_the_first_pass_or_after_it_ends_as_one_that_was_not(
    new_job: Callable[[], Any], dying: Callable[[Job, int], Job], number: int
) -> None:
    whole, cut = await new_job(), await new_job()
    ended, prompts = await gather(whole, reviewing)
    with pytest.raises((Killed, BaseExceptionGroup)):
        await gather(dying(cut, number), reviewing)
    reason, rest = await gather(cut, reviewing)
    assert reason == ended and rest[0] in prompts and rest[-1] == prompts[-1]
    assert await cut.saved() == await whole.saved()
    assert await cut.collection.exclusions() == await whole.collection.exclusions()
    assert [one.asked for one in cut.databases] == [one.asked for one in whole.databases]
    await cut.journal._store.jobs.check(JOB, check_records=True)
