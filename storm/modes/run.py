"""Running a job: the result of each step is stored, so that a resume does not repeat it.

A mode is ordinary Python: rounds are loops, and a step gets its inputs as arguments. The rules:
- A step's name comes from a stable key (`answer:clinical.efficacy`), never from a position, and is used once in a run.
- A step runs at least once: after a crash before its result is stored it runs again, so it must be idempotent.
- A result holds ids of sources, not their texts.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from pydantic import BaseModel, RootModel, TypeAdapter, ValidationError

from storm.errors import StepMismatch, StoreError, StormError
from storm.models import Job, StageRange, stage_ranges
from storm.modes.crew import Crew
from storm.modes.versions import Versions

T = TypeVar("T")
Item = TypeVar("Item")

#: How many items of `each` run at once, unless the mode says otherwise.
AT_ONCE = 8
#: Without shares, steps do not change the progress.
NO_SHARES: Mapping[str, float] = MappingProxyType({})
#: For a mode without earlier versions.
FIRST_VERSION = Versions()

_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


class Provisional(NamedTuple, Generic[T]):
    """A result that is used now but not stored: a resume repeats its step and every later one."""

    value: T


class Run:
    """What a mode gets: the job, the roles that work on it, and its remembered steps.

    A remembered step (`step`, `each`) is a part of the mode whose result is stored under its name, so that a resume
    reads it; an agent step (`storm.models.Step`) is one reply of a language model with its tool calls.
    """

    def __init__(
        self, job: Job, crew: Crew, finished: Mapping[str, int], shares: Mapping[str, float], versions: Versions
    ) -> None:
        self.job = job
        self.crew = crew
        self._finished = finished
        self._ranges = stage_ranges(shares)
        self._versions = versions
        self._has_converted = False
        self._provisional = False
        self._used: set[str] = set()
        self._digests: dict[int, tuple[BaseModel, str]] = {}

    @classmethod
    async def resume(
        cls, job: Job, crew: Crew, shares: Mapping[str, float] = NO_SHARES, versions: Versions = FIRST_VERSION
    ) -> Run:
        """The run of a job from where it stopped. `shares` are the announced steps' shares of the progress; `versions`
        reads what earlier versions of the mode stored."""
        finished = {
            name: made_by or job.mode_version for name, made_by in (await crew.journal.stage_versions()).items()
        }
        return cls(job, crew, finished, shares, versions)

    async def step(
        self,
        name: str,
        result: type[T],
        make: Callable[[], Awaitable[T | Provisional[T]]],
        *,
        inputs: Mapping[str, Any] | None = None,
        announce: bool = True,
    ) -> T:
        """The stored result of `name`; without one, the result of `make`, which is stored unless it is provisional.

        StepMismatch, and nothing overwritten, if the stored result was made from other `inputs`, or by a version whose
        result can be neither read nor converted. StormError if the result of `make` is not of type `result` (nothing is
        stored), or if this run has already used `name` (`make` is not called).
        """
        with self._use_once(name):
            inputs = inputs or {}
            if name in self._finished:
                await self._check_inputs(name, inputs)
                stored = await self.crew.journal.find_stage(name) or ""
                made_by = self._finished[name]
                self._has_converted |= bool(self._versions.converters_of(name, made_by))
                return self._versions.read(self.job, name, stored, made_by, result)
            digests = {key: self._digest_input(value) for key, value in inputs.items()}
            if announce:
                await self.crew.journal.begin_stage(name, self._ranges.get(name, StageRange()))
            made = await make()
            if isinstance(made, Provisional):
                self._provisional = True
                _dump_result(name, made.value, result)
                value: T = made.value
                return value
            text = _dump_result(name, made, result)
            if not self._provisional:
                inputs_text = json.dumps(digests) if digests else ""
                await self.crew.journal.finish_stage(name, text, inputs_text, self._versions.current)
            return made

    async def each(
        self,
        name: str,
        items: Iterable[Item],
        result: type[T],
        make: Callable[[Item], Awaitable[T | Provisional[T]]],
        *,
        key: Callable[[Item], str],
        inputs: Mapping[str, Any] | None = None,
        at_once: int = AT_ONCE,
    ) -> list[T]:
        """A step `NAME:KEY` for each item, several at once; the results are in the order of the items.

        If one fails, the others finish and are stored first, so that their cost is not paid again. A lost lease,
        another store error or a cancellation stops all of them at once.
        """
        gate = asyncio.Semaphore(at_once)
        named = [(f"{name}:{key(item)}", item) for item in items]
        if twice := [step for step, times in Counter(step for step, _ in named).items() if times > 1]:
            raise _repeated_step_error(twice[0])

        async def make_one(step: str, item: Item) -> T | Exception:
            async with gate:
                try:
                    return await self.step(step, result, partial(make, item), inputs=inputs, announce=False)
                except StoreError:
                    raise
                except Exception as exc:
                    return exc

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(make_one(step, item)) for step, item in named]
        except ExceptionGroup as faults:  # store errors only: any other error is an outcome
            raise faults.exceptions[0] from None
        made: list[T] = []
        for task in tasks:
            outcome = task.result()
            if isinstance(outcome, Exception):
                raise outcome
            made.append(outcome)
        return made

    def count_remembered(self, name: str) -> int:
        """How many items of `each` an earlier run stored."""
        return sum(step.startswith(f"{name}:") for step in self._finished)

    @property
    def is_provisional(self) -> bool:
        """Whether a result of this run was not stored, and so none after it."""
        return self._provisional

    def has_stored(self, name: str) -> bool:
        """Whether an earlier run stored the result of the step of that name."""
        return name in self._finished

    def has_used(self, name: str) -> bool:
        """Whether this run has used the step of that name."""
        return name in self._used

    @contextmanager
    def _use_once(self, name: str) -> Iterator[None]:
        """StormError if the name was used before; the name of a failed step may be used again."""
        if name in self._used:
            raise _repeated_step_error(name)
        if name.startswith(inputs_of("")):
            raise StormError(
                f"a step cannot be named {name!r}: under such names the inputs of steps are stored",
                hint="give the step another name",
            )
        self._used.add(name)
        try:
            yield
        except BaseException:  # a cancelled step is not used either; raised again
            self._used.discard(name)
            raise

    async def _check_inputs(self, name: str, inputs: Mapping[str, Any]) -> None:
        """StepMismatch if an input changed. Inputs that an older job did not record are not compared, nor are those of
        an earlier version of the mode once one of its results was converted."""
        if self._has_converted and self._finished[name] < self._versions.current:
            return
        recorded: Mapping[str, str] = json.loads(await self.crew.journal.find_stage(inputs_of(name)) or "{}")
        changed = [
            key
            for key, digest in recorded.items()
            if key not in inputs
            or (digest != self._digest_input(inputs[key]) and digest != _digest_as_before(inputs[key]))
        ]
        if changed:
            raise StepMismatch(
                f"{self.job.job_id} cannot go on: its step {name!r} was made with another {' and '.join(changed)}",
                hint="nothing was overwritten; start a new job, or resume with its original version and settings",
            )

    def _digest_input(self, value: Any) -> str:
        """The digest of the value. That of a frozen model, such as the plan of all steps, is made once."""
        if not isinstance(value, BaseModel) or not value.model_config.get("frozen"):
            return _digest_value(value)
        if id(value) not in self._digests:
            self._digests[id(value)] = value, _digest_value(value)
        return self._digests[id(value)][1]


def _repeated_step_error(name: str) -> StormError:
    return StormError(
        f"the step {name!r} is used twice in one run: on a resume both would return the last stored result",
        hint="give each step of the mode, and each item of `each`, a unique name",
    )


def inputs_of(name: str) -> str:
    """The name under which the digests of a step's inputs are stored."""
    return f"inputs:{name}"


def _dump_result(name: str, made: Any, result: type[Any]) -> str:
    """The result as JSON that a resume can read; StormError if it is not of its type."""
    adapter = TypeAdapter(result)
    try:
        text = adapter.dump_json(made, warnings=False)
        adapter.validate_json(text)
    except ValueError as exc:
        wrong = _first_fault(exc) if isinstance(exc, ValidationError) else str(exc)
        raise StormError(
            f"the result of the step {name!r} is not of its type {_type_name(result)}: {wrong}",
            hint="nothing of it was stored; correct the code that made it, and resume the job",
        ) from exc
    return text.decode()


def _first_fault(invalid: ValidationError) -> str:
    fault = invalid.errors(include_url=False)[0]
    location = ".".join(map(str, fault["loc"]))
    return f"{location}: {fault['msg']}" if location else fault["msg"]


def _type_name(result: Any) -> str:
    return str(result) if get_args(result) else result.__name__


def _digest_value(value: Any) -> str:
    """Equal values have equal digests; a field that a later version adds changes nothing while it has its default."""
    return _hash_bytes(json.dumps(_to_canonical(value), sort_keys=True).encode())


def _digest_as_before(value: Any) -> str:
    """The digest that older jobs recorded, which depends on the order in a dict or set."""
    return _hash_bytes(_ANYTHING.dump_json(value, exclude_defaults=True))


def _hash_bytes(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def _to_canonical(value: Any) -> Any:
    """The value as JSON, equal for equal values; fields with default values are left out."""
    match value:
        case RootModel():
            return _to_canonical(value.root)
        case BaseModel():
            return {
                name: _to_canonical(getattr(value, name))
                for name in value.model_dump(mode="json", exclude_defaults=True)
            }
        case Mapping():
            return {str(_to_canonical(key)): _to_canonical(item) for key, item in value.items()}
        case set() | frozenset():
            return sorted(map(_to_canonical, value), key=lambda item: json.dumps(item, sort_keys=True))
        case list() | tuple():
            return [_to_canonical(item) for item in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            try:
                return _ANYTHING.dump_python(value, mode="json", exclude_defaults=True)
            except ValueError as exc:
                raise StormError(
                    f"an input of a step is a {type(value).__name__}, which has no JSON: {exc}",
                    hint="give the step's inputs as texts, numbers, lists, mappings or models",
                ) from exc
