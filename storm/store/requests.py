"""The stored form of a request, in the fields of the first version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from storm.errors import StoreError, StoreSchemaError, UsageError
from storm.models import JobRequest, Place, RunSettings, Scope
from storm.store.faults import damage_error
from storm.version import __version__

#: Fields with the scope of jobs begun before the scope was a step.
_SCOPE: Mapping[str, Any] = {"place": "", "unreachable": {}}
#: The fields of the settings, with that of jobs begun before `research` was one.
_SETTINGS = (*RunSettings.model_fields, "rounds")


class StoredRequest(NamedTuple):
    """A request, and the scope of its job if it was stored in the request."""

    request: JobRequest
    scope: Scope | None


def request_to_json(request: JobRequest) -> str:
    """The request with its text as `drug`, and its settings beside the other fields."""
    fields = request.model_dump(mode="json")
    return json.dumps({"drug": fields.pop("text"), **fields.pop("settings"), **fields, **_SCOPE}, ensure_ascii=False)


def request_from_json(text: str) -> StoredRequest:
    """Parse what `request_to_json` of this or an earlier version wrote; ValueError or UsageError if it is neither."""
    fields = json.loads(text)
    place, unreachable = (fields.pop(name, empty) for name, empty in _SCOPE.items())
    # The settings first: the validator of requests is built of theirs, in half the time.
    settings = RunSettings.model_validate({name: fields.pop(name) for name in _SETTINGS if name in fields})
    request = JobRequest.model_validate({"text": fields.pop("drug"), "settings": settings, **fields})
    return StoredRequest(request, Scope(place=Place(place), unreachable=unreachable) if place else None)


def read_request(job_id: str, fields: Mapping[str, str]) -> StoredRequest:
    """The request of a job's metadata; CollectionDamaged if this version wrote it and cannot read it, StoreSchemaError
    if another one did."""
    try:
        return request_from_json(fields["request"])
    except (UsageError, ValueError, LookupError, TypeError, AttributeError) as exc:
        raise unreadable_error(job_id, fields, "request") from exc


def unreadable_error(job_id: str, fields: Mapping[str, str], part: str) -> StoreError:
    """The error for a part of a job's metadata that cannot be read: CollectionDamaged if this version wrote it,
    StoreSchemaError if another one did."""
    version = fields.get("version")
    if version == __version__:
        return damage_error(job_id, [f"its {part} cannot be read"])
    made_by = f"version {version}" if version else "an earlier version"
    return StoreSchemaError(
        f"{job_id} was made by {made_by}: this one cannot read its {part}", hint="use the version that made it"
    )


def read_settings(fields: Mapping[str, str], request: JobRequest) -> RunSettings:
    """The decided settings of a job; of an older job, those requested, with its mode."""
    if "settings" in fields:
        return RunSettings.model_validate_json(fields["settings"])
    return request.settings.model_copy(update={"mode": request.settings.mode or fields.get("mode", "")})
