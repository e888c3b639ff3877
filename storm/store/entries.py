"""The values of a job's keys, each parsed by its model; faults.reject_malformed_value reports the unreadable ones."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, NotRequired, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from storm.errors import StepMismatch
from storm.models import (
    Citation,
    DraftCitation,
    Exclusion,
    PaidReply,
    QuoteCheck,
    Relation,
    RelationKind,
    SearchRecord,
    Spending,
    Step,
    citation_id,
)
from storm.store.faults import damage_error
from storm.version import __version__

T = TypeVar("T")

_JOURNAL: Mapping[str, type[BaseModel]] = {"search": SearchRecord, "step": Step, "reply": PaidReply}
_CHECKS = {None: QuoteCheck.UNCHECKED, True: QuoteCheck.VERIFIED, False: QuoteCheck.NOT_FOUND}
#: Lua writes an empty list as an empty object.
_Strings = list[str] | Annotated[dict[str, str], Field(max_length=0)]


class StoredSource(TypedDict):
    """A source as lua/save_source.lua writes it; its record is among the hits. A model would take twice as long."""

    source_id: str
    number: StrictInt
    identifiers: Annotated[list[str], Field(min_length=1)]
    questions: _Strings
    citation_ids: _Strings
    aliases: _Strings
    relation: Relation
    relation_kind: NotRequired[RelationKind | None]
    counted: NotRequired[bool]
    note: str
    database: str


class StoredCitation(TypedDict):
    """A citation with the identifier of the hit for which it was registered."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    citation_id: str
    source_id: str
    claim: str
    quote: str
    quote_check: QuoteCheck
    context: NotRequired[str]
    metadata: NotRequired[Any]
    answer_to: NotRequired[str]
    section: NotRequired[str]
    identifier: str


@cache
def _list_adapter(entry: type[T]) -> TypeAdapter[list[T]]:
    """Built on first use, since most commands check no job."""
    return TypeAdapter(list[entry])  # type: ignore[valid-type]


def read_sources(texts: Iterable[str]) -> list[StoredSource]:
    """Values of the key `sources`; parsing them together takes a third of the time."""
    return _list_adapter(StoredSource).validate_json(f"[{','.join(texts)}]")


def read_citations(texts: Iterable[str]) -> list[StoredCitation]:
    """Values of the key `citations`, with the identifier needed to check them."""
    return _list_adapter(StoredCitation).validate_json(f"[{','.join(texts)}]")


def read_citation(text: str) -> Citation:
    """A value of the key `citations`."""
    fields = json.loads(text)
    del fields["identifier"]
    fields["metadata"] = dict(fields["metadata"])  # Lua writes an empty object as an empty list
    return Citation.model_validate(fields)


def make_citation(identifier: str, draft: DraftCitation) -> dict[str, Any]:
    """The fields of a new citation of the hit with this identifier; its source may not be saved yet."""
    return {
        "citation_id": citation_id(identifier, draft.claim, draft.quote),
        "source_id": "",
        "identifier": identifier,
        "claim": draft.claim,
        "quote": draft.quote,
        "quote_check": _CHECKS[draft.quote_verified],
        "context": draft.context,
        "metadata": dict(draft.metadata),
        **({"answer_to": draft.answer_to} if draft.answer_to else {}),
        **({"section": draft.section} if draft.section else {}),
    }


def read_journal_entry(text: str) -> tuple[str, Any]:
    """The kind of a journal entry, and the parsed entry; one of an unknown kind unchanged."""
    entry = json.loads(text)
    kind = entry["kind"]
    return kind, _JOURNAL[kind].model_validate(entry[kind]) if kind in _JOURNAL else entry


def check_spending(fields: Mapping[str, str]) -> None:
    """ValueError if a value of the key `spending` cannot be read."""
    for name, text in fields.items():
        if name == "milliseconds":
            int(text)
        else:
            Spending.model_validate_json(text)


def check_exclusions(fields: Mapping[str, str]) -> None:
    """ValueError if a value of the key `exclusions` is not a reason."""
    for reason in fields.values():
        Exclusion(reason)


def read_result(job_id: str, version: str, name: str, text: str, result: type[T]) -> T:
    """The result of a step. If it cannot be read: CollectionDamaged if it is not JSON and this version of storm wrote
    it, else StepMismatch: another `version`, or other code of this one, made it."""
    try:
        return TypeAdapter(result).validate_json(text)
    except ValidationError as exc:
        is_same = version == __version__
        if is_same and exc.errors(include_url=False)[0]["type"] == "json_invalid":
            raise damage_error(job_id, [f"the result of {name} cannot be read"]) from exc
        made_by = f"version {version}" if version else "an earlier version"
        made_by += ", whose code has changed since" if is_same else ""
        raise StepMismatch(
            f"{job_id} was made by {made_by}: this one cannot read its step {name!r}",
            hint="nothing was overwritten; resume the job with that version",
        ) from exc


def fingerprint_result(mode_version: int, result: str, inputs: str) -> str:
    """The value of the metadata field `made:STEP`: the mode's version, and a digest of the step's result and inputs."""
    both = "\x1f".join((result, inputs)).encode()
    return f"{mode_version} {hashlib.sha256(both).hexdigest()[:16]}"


def matches_fingerprint(fingerprint: str, result: str, inputs: str) -> bool:
    """Whether the fingerprint is that of this result and inputs; ValueError if it is malformed."""
    version, _ = fingerprint.split()
    return fingerprint == fingerprint_result(int(version), result, inputs)
