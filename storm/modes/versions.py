"""Results that earlier versions of a mode stored: a resume converts them, or refuses."""

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
    """Converts results of `step`, and of its items (`answer` for `answer:KEY`), that were stored before `version` of
    the mode. `convert` takes and returns JSON values, and raises ValueError if it cannot convert one.

    Plan and scope are read without a mode, so they cannot be converted.
    """

    step: str
    version: int
    convert: Callable[[Any], Any]


class Versions(NamedTuple):
    """The version of a mode, and its converters for what earlier versions stored."""

    current: int = 1
    converters: Sequence[Converter] = ()

    def converters_of(self, name: str, made_by: int) -> Sequence[Converter]:
        """The converters that a result made by version `made_by` goes through, in order."""
        wanted = (one for one in self.converters if one.step in (name, name.partition(":")[0]))
        return sorted((one for one in wanted if made_by < one.version), key=lambda one: one.version)

    def read(self, job: Job, name: str, text: str, made_by: int, result: type[T]) -> T:
        """The result of a step that version `made_by` of the mode stored.

        StepMismatch if it cannot be read after conversion, or if a later version made it.
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
            hint="nothing was overwritten; resume the job with the version of storm that made it",
        )
