"""From the client's errors to ours: the one table."""

from __future__ import annotations

from typing import NamedTuple

from redis import exceptions as foreign

from storm.errors import LeaseLost, StoreError, StoreRefused, StoreSchemaError, StoreUnavailable, StormError, ToolError


class _Fault(NamedTuple):
    """A foreign error, told by class and by the first word of its message, and what it is told as.

    `{at}` is the server's address without its password, `{text}` the message after its first word.
    """

    foreign: type[Exception]
    word: str
    ours: type[StormError]
    message: str
    hint: str | None = None


_WANTS = "the store at {at} wants a password that the URL does not give"
_PASSWORD = "put the password into the URL: redis://:PASSWORD@HOST:6379/0"

#: The first that fits counts: the words that our scripts answer with, then the server's own, then the classes.
_FAULTS = (
    _Fault(foreign.ResponseError, "LEASELOST", LeaseLost, "{text}", "see where it stands: storm inspect JOB"),
    _Fault(foreign.ResponseError, "SCHEMA", StoreSchemaError, "{text}", "delete that key, or use another database"),
    _Fault(foreign.ResponseError, "TOOL", ToolError, "{text}"),
    _Fault(
        foreign.ResponseError, "WRONGTYPE", StoreSchemaError,
        "a key of this job on {at} holds another type than ours", "another program writes to it: use another database",
    ),
    _Fault(
        foreign.ResponseError, "MISCONF", StoreRefused,
        "the store at {at} cannot write its data to disk", "free disk space (its log says more)",
    ),
    _Fault(
        foreign.OutOfMemoryError, "", StoreRefused,
        "the store at {at} is out of memory (maxmemory)", "raise maxmemory, or remove old jobs",
    ),
    _Fault(
        foreign.ReadOnlyError, "", StoreRefused,
        "the store at {at} is a read-only replica", "give the address of its primary",
    ),
    _Fault(foreign.AuthenticationError, "", StoreRefused, _WANTS, _PASSWORD),
    _Fault(foreign.AuthenticationWrongNumberOfArgsError, "", StoreRefused, _WANTS, _PASSWORD),
    _Fault(foreign.ResponseError, "NOAUTH", StoreRefused, _WANTS, _PASSWORD),
    _Fault(foreign.ResponseError, "WRONGPASS", StoreRefused, _WANTS, _PASSWORD),
    _Fault(
        foreign.NoPermissionError, "", StoreRefused,
        "the store at {at} does not let this user do that", "give it ~source_collection* +@all",
    ),
    _Fault(foreign.AuthorizationError, "", StoreRefused, "the store at {at} does not let this user in"),
    _Fault(
        foreign.MovedError, "", StoreRefused,
        "the store at {at} is one node of a cluster", "give the address of a single server",
    ),
    _Fault(
        foreign.InvalidResponse, "", StoreUnavailable,
        "what answers at {at} is not a Redis server", "check host and port of STORM_REDIS_URL",
    ),
    _Fault(
        foreign.BusyLoadingError, "", StoreUnavailable,
        "the store at {at} is still loading its data", "try again in a moment",
    ),
    _Fault(
        foreign.ConnectionError, "", StoreUnavailable,
        "no Redis server answers at {at}", "start it, or change STORM_REDIS_URL",
    ),
    _Fault(
        foreign.TimeoutError, "", StoreUnavailable,
        "the Redis server at {at} does not answer in time", "see what keeps it busy",
    ),
)  # fmt: skip

_REFUSALS = (foreign.AuthenticationError, foreign.AuthorizationError)


def _cause(error: foreign.RedisError) -> foreign.RedisError:
    """The client wraps what goes wrong while it connects, a wrong password too, in a ConnectionError."""
    while error.args and isinstance(error.args[0], foreign.RedisError):
        error = error.args[0]
    return error


def is_passing(error: foreign.RedisError) -> bool:
    """Whether the same command may work in a moment."""
    error = _cause(error)
    return isinstance(error, foreign.ConnectionError | foreign.TimeoutError) and not isinstance(error, _REFUSALS)


def translate(error: foreign.RedisError, address: str) -> StormError:
    """Our error for a foreign one; what is not in the table keeps its own words."""
    error = _cause(error)
    word, _, rest = str(error).partition(" ")
    for fault in _FAULTS:
        if isinstance(error, fault.foreign) and fault.word in ("", word):
            return fault.ours(fault.message.format(at=address, text=rest), hint=fault.hint)
    return StoreError(f"the store at {address} answered: {error}")
