"""Translating redis-py's errors into storm's, in one table."""

from __future__ import annotations

import re
import ssl
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from redis import exceptions as foreign

from storm.errors import (
    Code,
    CollectionDamaged,
    LeaseLost,
    StoreError,
    StoreRefused,
    StoreSchemaError,
    StoreUnavailable,
    StormError,
    ToolError,
)


class _Fault(NamedTuple):
    """An error of redis-py, recognised by class and first words of its message, and the error that storm raises.

    `{at}` is the server's address without password, `{text}` the message after its first word.
    """

    foreign: type[Exception]
    word: str
    ours: type[StormError]
    message: str
    hint: str | None = None
    code: Code | None = None


_WANTS = "the store at {at} wants a password that the URL does not give"
_REFUSES = "the store at {at} refuses the user or the password of the URL"
_CHECK = "check both in STORM_REDIS_URL (redis://USER:PASSWORD@HOST:6379/0); a server without a password takes none"
_PASSWORD = "put the password into the URL: redis://:PASSWORD@HOST:6379/0"

_CLOSED = "the server at {at} closed the connection without an answer"
_MAY_BE_TLS = "see its log; where it speaks TLS, write rediss:// in STORM_REDIS_URL"
_FOREIGN_VALUE = "it holds something that storm did not write"
_RESTORE = "restore the store from a copy, or gather again; nothing of the job was changed"

#: The permissions that storm needs: all commands on its own keys, and INFO.
ACL_RULES = "~source_collection* ~rate_limit:* ~job_* +@all -@dangerous +info"

_FORBIDS = "the store at {at} does not let this user do that"
_ALLOW = f"on the server: ACL SETUSER NAME {ACL_RULES}"

#: The first match counts: error codes of storm's scripts, then the server's own, then the classes.
_FAULTS = (
    _Fault(foreign.ResponseError, "LEASELOST", LeaseLost, "{text}", code=Code.LEASE_LOST),
    _Fault(foreign.ResponseError, "SCHEMA", StoreSchemaError, "{text}", "delete that key, or use another database"),
    _Fault(foreign.ResponseError, "DAMAGED", CollectionDamaged, "{text}", _RESTORE, Code.JOB_DAMAGED),
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
    _Fault(foreign.AuthenticationError, "invalid", StoreRefused, _REFUSES, _CHECK),
    _Fault(foreign.AuthenticationError, "AUTH <password> called without", StoreRefused, _REFUSES, _CHECK),
    _Fault(foreign.AuthenticationError, "", StoreRefused, _WANTS, _PASSWORD),
    _Fault(foreign.AuthenticationWrongNumberOfArgsError, "", StoreRefused, _WANTS, _PASSWORD),
    _Fault(foreign.ResponseError, "NOAUTH", StoreRefused, _WANTS, _PASSWORD),
    _Fault(foreign.ResponseError, "WRONGPASS", StoreRefused, _REFUSES, _CHECK),
    _Fault(foreign.NoPermissionError, "", StoreRefused, _FORBIDS, _ALLOW),
    _Fault(foreign.ResponseError, "ACL failure in script", StoreRefused, _FORBIDS, _ALLOW),
    _Fault(foreign.ResponseError, "The user executing the script can't", StoreRefused, _FORBIDS, _ALLOW),  # Redis 6.2
    _Fault(foreign.AuthorizationError, "", StoreRefused, "the store at {at} does not let this user in"),
    _Fault(
        foreign.MovedError, "", StoreRefused,
        "the store at {at} is a node of a cluster", "give the address of a single server",
    ),
    _Fault(
        foreign.InvalidResponse, "", StoreUnavailable,
        "what answers at {at} is not a Redis server",
        "check host and port of STORM_REDIS_URL; where it speaks TLS, write rediss://",
    ),
    _Fault(
        foreign.BusyLoadingError, "", StoreUnavailable,
        "the store at {at} is still loading its data", "try again in a moment",
    ),
    _Fault(foreign.ConnectionError, "Connection closed", StoreUnavailable, _CLOSED, _MAY_BE_TLS),
    _Fault(foreign.ConnectionError, "Error while reading", StoreUnavailable, _CLOSED, _MAY_BE_TLS),
    _Fault(
        foreign.ConnectionError, "", StoreUnavailable,
        "no Redis server answers at {at}", "start it, or change STORM_REDIS_URL",
    ),
    _Fault(
        foreign.TimeoutError, "", StoreUnavailable,
        "the Redis server at {at} does not answer in time", "see what keeps it busy; one without TLS does not answer rediss://",
    ),
)  # fmt: skip


def damage_error(job_id: str, inconsistencies: Sequence[str]) -> CollectionDamaged:
    """The error that says what a job has lost, and what to do."""
    message = f"the collection of {job_id} is damaged: {'; '.join(inconsistencies)}"
    return CollectionDamaged(message, hint=_RESTORE, code=Code.JOB_DAMAGED)


@contextmanager
def reject_malformed_value(job_id: str, what: str = _FOREIGN_VALUE) -> Iterator[None]:
    """Guard code that reads a job's values: CollectionDamaged if they are not what storm wrote."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, zlib.error) as exc:
        raise damage_error(job_id, [what]) from exc


@contextmanager
def reject_undecodable_reply(job_id: str, what: str = _FOREIGN_VALUE) -> Iterator[None]:
    """Guard a round trip that asks for a job's values: CollectionDamaged if the answer is not text."""
    try:
        yield
    except UnicodeDecodeError as exc:
        raise damage_error(job_id, [what]) from exc


#: How redis-py reports an error in a MULTI: "Command # 1 (SADD …) of pipeline caused error: ('MISCONF …',)".
_OF_PIPELINE = " of pipeline caused error: ("
#: How Redis 6.2 reports that it refused a command of a script: its own error stands behind the script's line.
_IN_SCRIPT = re.compile(r"user_script: ?\d+: -(?P<word>OOM|MISCONF|READONLY) (?P<rest>.*)", re.S)
_ERRORS_BY_WORD = {"OOM": foreign.OutOfMemoryError, "READONLY": foreign.ReadOnlyError}

_REFUSALS = (foreign.AuthenticationError, foreign.AuthorizationError)


def _root_cause(error: foreign.RedisError) -> foreign.RedisError:
    """The original error: the client wraps errors while connecting, even a wrong password, in a ConnectionError."""
    while error.args and isinstance(error.args[0], foreign.RedisError):
        error = error.args[0]
    return error


def _unwrap_script_error(error: foreign.RedisError) -> foreign.RedisError:
    """The error of the command in a script of Redis 6.2; any other error unchanged."""
    if isinstance(error, foreign.ResponseError) and (found := _IN_SCRIPT.search(str(error))):
        return _ERRORS_BY_WORD.get(found["word"], foreign.ResponseError)(f"{found['word']} {found['rest']}")
    return error


def _tls_refusal(error: BaseException | None) -> tuple[str, str] | None:
    """Message and hint if TLS is why there is no connection."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return (
                f"the certificate of the store at {{at}} is not trusted: {error.verify_message}",
                "add ?ssl_ca_certs=/PATH/CA.pem to STORM_REDIS_URL, or install the certificate of its authority",
            )
        if isinstance(error, ssl.SSLError):
            reason = (error.reason or "unknown reason").replace("_", " ").lower()
            return (
                f"the store at {{at}} does not speak TLS as requested ({reason})",
                "without TLS write redis:// in STORM_REDIS_URL; with it, check port and certificates",
            )
        error = error.__cause__ or error.__context__
    return None


def is_loading(error: foreign.RedisError) -> bool:
    """Whether the server is still loading its data."""
    return isinstance(_root_cause(error), foreign.BusyLoadingError)


def is_transient(error: foreign.RedisError) -> bool:
    """Whether the same command may succeed in a moment."""
    if _tls_refusal(error):
        return False
    error = _root_cause(error)
    return isinstance(error, foreign.ConnectionError | foreign.TimeoutError) and not isinstance(error, _REFUSALS)


def unwrap_pipeline_error(error: foreign.RedisError) -> foreign.RedisError:
    """The server's error without what redis-py writes around it in a MULTI: its first word says which it is."""
    _, mark, reason = str(error).partition(_OF_PIPELINE)
    return type(error)(reason.rstrip("),")[1:-1]) if mark else error


def translate_error(error: foreign.RedisError, address: str) -> StormError:
    """Storm's error for one of redis-py; an error that is not in the table keeps its message."""
    if refused := _tls_refusal(error):
        return StoreUnavailable(refused[0].format(at=address), hint=refused[1])
    error = _unwrap_script_error(_root_cause(error))
    rest = str(error).partition(" ")[2]
    for fault in _FAULTS:
        if isinstance(error, fault.foreign) and str(error).startswith(fault.word):
            return fault.ours(fault.message.format(at=address, text=rest), hint=fault.hint, code=fault.code)
    if isinstance(error, foreign.ResponseError) and "user_script" in str(error):
        return StoreSchemaError(
            f"a script of storm found data at {address} that storm did not write: {error}",
            code=Code.KEY_FOREIGN,
        )
    return StoreError(f"the store at {address} answered: {error}")
