"""Steps are made once, remembered under their names, and never taken for the result of something else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import pytest
from stores import JOB

from storm.errors import CollectionDamaged, ModelError, StepMismatch, StoreUnavailable, StormError
from storm.models import Plan, Question
from storm.modes import Converter, Crew, Provisional, Run
from storm.modes.versions import Versions
from storm.store import JobJournal, Lease, Store
from storm.store.keys import JobKeys


async def run_of(store: Store, lease: Lease, version: int = 1, *converters: Converter) -> Run:
    """What a process does that takes the job up; the parts are not asked for anything here."""
    nobody = cast(Any, None)
    journal = JobJournal(store, JOB, lease)
    crew = Crew("none", nobody, nobody, nobody, nobody, collection=nobody, journal=journal)
    return await Run.resume(await store.jobs.get(JOB), crew, versions=Versions(version, converters))


def giving(value: int, calls: list[str], name: str = "") -> Callable[[], Awaitable[int]]:
    async def make() -> int:
        calls.append(name or str(value))
        return value

    return make


async def test_a_step_is_made_once_and_remembered_by_the_next_process(store: Store, lease: Lease) -> None:
    calls: list[str] = []
    assert await (await run_of(store, lease)).step("count", int, giving(7, calls)) == 7
    assert await (await run_of(store, lease)).step("count", int, giving(8, calls)) == 7
    assert calls == ["7"]


async def test_a_provisional_result_is_used_and_neither_it_nor_what_follows_is_stored(
    store: Store, lease: Lease
) -> None:
    async def fail_over() -> Provisional[int]:
        return Provisional(1)

    run = await run_of(store, lease)
    await run.step("plan", int, giving(0, []))
    assert await run.step("gather", int, fail_over) == 1
    assert await run.step("answer", int, giving(2, [])) == 2
    assert await run.each("part", ["a"], int, lambda item: giving(3, [])(), key=str) == [3]
    assert list(await JobJournal(store, JOB, None).stages()) == ["plan"]


async def test_a_resume_with_another_input_says_which_one_changed_and_overwrites_nothing(
    store: Store, lease: Lease
) -> None:
    asked = {"drug name": "trastuzumab", "synonyms": ("Herceptin",)}
    await (await run_of(store, lease)).step("plan", int, giving(1, []), inputs=asked)
    before = await JobJournal(store, JOB, None).stages()
    with pytest.raises(StepMismatch, match="'plan' was made with another synonyms"):
        await (await run_of(store, lease)).step("plan", int, giving(2, []), inputs=asked | {"synonyms": ()})
    assert await JobJournal(store, JOB, None).stages() == before
    assert await (await run_of(store, lease)).step("plan", int, giving(2, []), inputs=asked) == 1


async def step_twice(store: Store, lease: Lease, first: Any, second: Any) -> int:
    """What a resume with `second` as its input gives of a step that was made with `first`."""
    await (await run_of(store, lease)).step("a", int, giving(1, []), inputs={"value": first})
    return await (await run_of(store, lease)).step("a", int, giving(2, []), inputs={"value": second})


def asked_of(**queries: Sequence[str]) -> Question:
    return Question(key="safety", label="Safety", description="Is it safe?", min_sources=1, queries=queries)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({8, 16, 0}, {0, 16, 8}),  # listed in the order of their making, since their hashes collide
        ([frozenset((8, 16, 0))], [frozenset((0, 16, 8))]),
        (1, 1.0),
        (asked_of(pubmed=("x",), chembl=("y",)), asked_of(chembl=("y",), pubmed=("x",))),
    ],
)
async def test_equal_inputs_are_the_same_whatever_their_order(
    store: Store, lease: Lease, first: Any, second: Any
) -> None:
    assert first == second
    assert await step_twice(store, lease, first, second) == 1


@pytest.mark.parametrize(
    ("first", "second"), [({"a": 1}, {"a": 2}), ({"a"}, {"b"}), ([1, 2], [2, 1]), (1, 1.5), (None, ""), ("1", 1)]
)
async def test_other_inputs_are_distinguished(store: Store, lease: Lease, first: Any, second: Any) -> None:
    with pytest.raises(StepMismatch, match="'a' was made with another value"):
        await step_twice(store, lease, first, second)


@pytest.mark.parametrize("inputs", [{"y": 2}, {"y": 2, "z": 1}, {}])
async def test_an_input_that_is_gone_or_has_another_name_is_a_mismatch(
    store: Store, lease: Lease, inputs: dict[str, int]
) -> None:
    await (await run_of(store, lease)).step("a", int, giving(1, []), inputs={"x": 1, "y": 2})
    with pytest.raises(StepMismatch, match="'a' was made with another x"):
        await (await run_of(store, lease)).step("a", int, giving(2, []), inputs=inputs)


async def test_the_digest_that_an_earlier_version_recorded_is_still_that_of_its_input(
    store: Store, lease: Lease
) -> None:
    question = asked_of(pubmed=("x",), chembl=("y",))
    await JobJournal(store, JOB, lease).finish_stage("a", "5", json.dumps({"question": "d38380982bc128ff"}))
    run = await run_of(store, lease)
    assert await run.step("a", int, giving(1, []), inputs={"question": question}) == 5


async def test_a_step_stored_before_inputs_were_recorded_is_taken_as_it_is(store: Store, lease: Lease) -> None:
    await JobJournal(store, JOB, lease).finish_stage("plan", "5")
    assert await (await run_of(store, lease)).step("plan", int, giving(1, []), inputs={"drug name": "x"}) == 5


async def test_a_result_that_cannot_be_read_names_the_version_that_made_it(store: Store, lease: Lease) -> None:
    await JobJournal(store, JOB, lease).finish_stage("plan", '"five"')
    await store.run_command(lambda redis: redis.hset(JobKeys(JOB).metadata, "version", "0.0.9"))
    with pytest.raises(StepMismatch, match=r"was made by version 0\.0\.9: this one cannot read its step 'plan'"):
        await (await run_of(store, lease)).step("plan", int, giving(1, []))
    assert (await JobJournal(store, JOB, None).stages())["plan"] == '"five"'


async def test_a_result_of_this_very_version_that_cannot_be_read_is_damage(store: Store, lease: Lease) -> None:
    await JobJournal(store, JOB, lease).finish_stage("plan", "five")
    with pytest.raises(
        CollectionDamaged, match=f"the collection of {JOB} is damaged: the result of plan cannot be read"
    ):
        await (await run_of(store, lease)).step("plan", int, giving(1, []))
    assert (await JobJournal(store, JOB, None).stages())["plan"] == "five"


async def test_a_result_of_another_type_in_this_very_version_says_that_the_code_has_changed(
    store: Store, lease: Lease
) -> None:
    await JobJournal(store, JOB, lease).finish_stage("plan", '"five"')
    with pytest.raises(StepMismatch, match="whose code has changed since: this one cannot read its step 'plan'"):
        await (await run_of(store, lease)).step("plan", int, giving(1, []))


async def test_a_provisional_value_is_of_the_type_of_its_step(store: Store, lease: Lease) -> None:
    async def make() -> Any:
        return Provisional("abc")

    with pytest.raises(StormError, match="the result of the step 'plan' is not of its type int"):
        await (await run_of(store, lease)).step("plan", int, make)


async def test_an_input_without_json_and_a_name_of_inputs_are_refused(store: Store, lease: Lease) -> None:
    run = await run_of(store, lease)
    with pytest.raises(StormError, match="an input of a step is a object, which has no JSON"):
        await run.step("plan", int, giving(1, []), inputs={"x": object()})
    with pytest.raises(StormError, match="a step cannot be named 'inputs:plan'"):
        await run.step("inputs:plan", int, giving(1, []))


async def nothing() -> Any:
    raise AssertionError("it is remembered")


async def test_a_result_goes_through_the_converters_of_all_versions_since_it_was_made(
    store: Store, lease: Lease
) -> None:
    converters = (
        Converter("size", 3, lambda size: {"of": size}),
        Converter("size", 2, lambda size: size * 10),
        Converter("other", 2, lambda size: 0),
    )
    await (await run_of(store, lease)).each("size", [1], int, lambda item: giving(item, [])(), key=str)
    second = await run_of(store, lease, 2)
    await second.each("size", [2], int, lambda item: giving(item * 10, [])(), key=str)
    third = await run_of(store, lease, 3, *converters)
    made = [await third.step(f"size:{n}", dict[str, int], nothing) for n in (1, 2)]
    assert made == [{"of": 10}, {"of": 20}]


async def test_what_was_made_from_a_result_that_is_converted_now_is_not_made_again(store: Store, lease: Lease) -> None:
    run = await run_of(store, lease)
    plan = await run.step("outline", int, giving(1, []))
    await run.step("gather", int, giving(7, []), inputs={"outline": plan})
    converter = Converter("outline", 2, lambda outline: [outline, "new"])
    later = await run_of(store, lease, 2, converter)
    converted = await later.step("outline", list[Any], nothing)
    assert await later.step("gather", int, nothing, inputs={"outline": converted}) == 7
    assert await later.step("answer", int, giving(8, []), inputs={"outline": converted}) == 8
    again = await run_of(store, lease, 2, converter)
    converted = await again.step("outline", list[Any], nothing)
    with pytest.raises(StepMismatch, match="'answer' was made with another outline"):
        await again.step("answer", int, nothing, inputs={"outline": [*converted, "and more"]})


async def test_a_result_of_another_type_without_a_converter_names_both_versions(store: Store, lease: Lease) -> None:
    await (await run_of(store, lease)).step("size", int, giving(1, []))
    for version, result in ((2, list[int]), (3, dict[str, int])):
        with pytest.raises(StepMismatch, match=f"made by version 1 of the mode .*: version {version} cannot read it"):
            await (await run_of(store, lease, version)).step("size", result, nothing)
    assert await (await run_of(store, lease, 4)).step("size", int, nothing) == 1
    assert (await JobJournal(store, JOB, None).stages()) == {"size": "1"}


async def test_a_result_that_a_later_version_made_is_not_read_by_an_earlier_one(store: Store, lease: Lease) -> None:
    """Though the job was begun by that one."""
    await (await run_of(store, lease, 2)).step("size", int, giving(1, []))
    with pytest.raises(StepMismatch, match=r"made by version 2 of the mode .*: version 1 cannot read it"):
        await (await run_of(store, lease)).step("size", int, nothing)


@pytest.mark.parametrize(
    ("result", "made", "expected"),
    [
        (int, "not an int", "step 'a' is not of its type int: Input should be a valid integer"),
        (Plan, {"names": ("x",)}, "step 'a' is not of its type Plan: syllabus: Field required"),
        (int, object(), "step 'a' is not of its type int: Unable to serialize"),
        (tuple[int, ...], (1, "b"), r"is not of its type tuple\[int, \.\.\.\]: 1: Input should be a valid integer"),
    ],
)
async def test_what_is_not_of_the_type_of_its_step_is_named_and_not_stored(
    store: Store, lease: Lease, result: type[Any], made: Any, expected: str
) -> None:
    async def make() -> Any:
        return made

    with pytest.raises(StormError, match=expected):
        await (await run_of(store, lease)).step("a", result, make)
    assert await JobJournal(store, JOB, None).stages() == {}


async def test_a_name_that_is_used_twice_in_one_run_is_refused_before_anything_is_made(
    store: Store, lease: Lease
) -> None:
    calls: list[str] = []
    run = await run_of(store, lease)
    await run.step("a", int, giving(1, calls))
    with pytest.raises(StormError, match="the step 'a' is used twice in one run"):
        await run.step("a", int, giving(2, calls))
    with pytest.raises(StormError, match="the step 'part:same' is used twice in one run"):
        await run.each("part", [3, 4], int, lambda item: giving(item, calls)(), key=lambda item: "same")
    assert calls == ["1"]
    assert await JobJournal(store, JOB, None).stages() == {"a": "1"}


async def test_a_step_that_failed_may_be_made_again_in_the_same_run(store: Store, lease: Lease) -> None:
    async def fail() -> int:
        raise ModelError("the model is gone")

    run = await run_of(store, lease)
    with pytest.raises(ModelError):
        await run.step("a", int, fail)
    assert await run.step("a", int, giving(2, [])) == 2


async def test_each_gives_results_in_the_order_of_the_items_with_so_many_at_once(store: Store, lease: Lease) -> None:
    running, most = 0, 0

    async def double(item: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(5 - item):  # the first item ends last
            await asyncio.sleep(0)
        running -= 1
        return 2 * item

    run = await run_of(store, lease)
    assert await run.each("double", range(5), int, double, key=str, at_once=2) == [0, 2, 4, 6, 8]
    assert most == 2


async def test_where_one_item_fails_the_others_are_finished_and_kept_before_it_is_raised(
    store: Store, lease: Lease
) -> None:
    async def work(item: str) -> str:
        await asyncio.sleep(0)
        if item == "a":
            raise ModelError("the model is gone")
        return item

    with pytest.raises(ModelError, match="the model is gone"):
        await (await run_of(store, lease)).each("part", "abc", str, work, key=str)
    kept = await JobJournal(store, JOB, None).stages()
    assert [name for name in kept if name.startswith("part")] == ["part:b", "part:c"]


@pytest.mark.parametrize("stop", [StoreUnavailable("gone"), asyncio.CancelledError()])
async def test_a_fault_of_the_store_or_a_cancellation_stops_all_items_at_once(
    store: Store, lease: Lease, stop: BaseException
) -> None:
    stopped: list[str] = []

    async def work(item: str) -> str:
        if item == "a" and isinstance(stop, StoreUnavailable):
            raise stop
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(item)
            raise
        return item

    run = await run_of(store, lease)
    task = asyncio.create_task(run.each("part", "abc", str, work, key=str))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    if isinstance(stop, asyncio.CancelledError):
        task.cancel()
    with pytest.raises(type(stop)):
        await task
    assert sorted(stopped)[-2:] == ["b", "c"]
    assert await JobJournal(store, JOB, None).stages() == {}


async def test_what_an_earlier_run_stored_is_known_before_it_is_read(store: Store, lease: Lease) -> None:
    await (await run_of(store, lease)).step("judge:1", int, giving(1, []))
    run = await run_of(store, lease)
    assert run.has_stored("judge:1") and not run.has_stored("judge:2")
