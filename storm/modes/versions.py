"""What a mode makes of the results that its earlier versions stored: a resume converts them, or refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import TypeAdapter

from storm.errors import StepMismatch
from storm.models import Job
from storm.store import read_result

T = TypeVar("T")


class Converter(NamedTuple):
    """Since `version` of its mode the result of `step`, or of its items (`answer` for `answer:KEY`), is another: what
    an earlier one stored is given to `convert`, JSON in and JSON out, which raises a ValueError where it cannot.

    The plan and the scope are no mode's to convert: they are read without one.
    """

    step: str
    version: int
    convert: Callable[[Any], Any]


class Versions(NamedTuple):
    """The version of a mode, and how it reads what earlier ones stored."""

    current: int = 1
    converters: Sequence[Converter] = ()

    def converters_of(self, name: str, made_by: int) -> Sequence[Converter]:
        """What the result of a step that this version of the mode made goes through, in order."""
        wanted = (one for one in self.converters if one.step in (name, name.partition(":")[0]))
        return sorted((one for one in wanted if made_by < one.version), key=lambda one: one.version)

    def read(self, job: Job, name: str, text: str, made_by: int, result: type[T]) -> T:
        """The result of a step that this version of the mode made.

        StepMismatch if no converter makes of it what can be read, or a later version made it.
        """
        if made_by == self.current:
            return read_result(job.job_id, job.version, name, text, result)
        if made_by > self.current:
            raise self._version_mismatch(job, name, made_by)
        try:
            value = json.loads(text)
            for converter in self.converters_of(name, made_by):
                value = converter.convert(value)
            return TypeAdapter(result).validate_json(json.dumps(value))
        except (ValueError, LookupError, TypeError, AttributeError) as exc:
            raise self._version_mismatch(job, name, made_by) from exc

    def _version_mismatch(self, job: Job, name: str, made_by: int) -> StepMismatch:
        return StepMismatch(
            f"the step {name!r} of {job.job_id} was made by version {made_by} of the mode {job.settings.mode}: version "
            f"{self.current} cannot read it",
            hint="nothing was overwritten; resume it with the version of storm that made it",
        )
