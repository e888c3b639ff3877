from __future__ import annotations

import pytest
from redis import exceptions as foreign

from storm.errors import (
    CollectionDamaged,
    LeaseLost,
    StoreError,
    StoreRefused,
    StoreSchemaError,
    StoreUnavailable,
    StormError,
    ToolError,
)
from storm.store.faults import is_transient, translate_error, unwrap_pipeline_error


@pytest.mark.parametrize(
    ("error", "ours", "message"),
    [
        (foreign.ResponseError("LEASELOST nothing was written"), LeaseLost, "nothing was written"),
        (foreign.ResponseError("SCHEMA the key k holds a list"), StoreSchemaError, "the key k holds a list"),
        (foreign.ResponseError("DAMAGED its hits are gone"), CollectionDamaged, "its hits are gone"),
        (
            foreign.ResponseError("ERR bad argument #1 to 'decode' script: 3f, on @user_script:9."),
            StoreSchemaError,
            "that storm did not write",
        ),
        (foreign.ConnectionError("Connection closed by server."), StoreUnavailable, "closed the connection"),
        (foreign.ResponseError("TOOL no such citation"), ToolError, "no such citation"),
        (foreign.ResponseError("WRONGTYPE Operation against a key"), StoreSchemaError, "holds another type"),
        (foreign.ResponseError("MISCONF Errors writing to the AOF file"), StoreRefused, "cannot write its data"),
        (foreign.OutOfMemoryError("command not allowed"), StoreRefused, "out of memory"),
        (foreign.ReadOnlyError("You can't write"), StoreRefused, "read-only replica"),
        (
            foreign.AuthenticationError("invalid username-password pair"),
            StoreRefused,
            "refuses the user or",
        ),
        (foreign.AuthenticationError("AUTH <password> called without any"), StoreRefused, "refuses the user or"),
        (foreign.AuthenticationError("Authentication required."), StoreRefused, "wants a password"),
        (foreign.AuthenticationError("HELLO must be called with"), StoreRefused, "wants a password"),
        (foreign.ResponseError("WRONGPASS invalid"), StoreRefused, "refuses the user or"),
        (foreign.ResponseError("NOAUTH Authentication required."), StoreRefused, "wants a password"),
        (foreign.NoPermissionError("this user has no permissions"), StoreRefused, "does not let this user"),
        (
            foreign.ResponseError("ACL failure in script: User u has no permissions script: 3f, on @user_script:9."),
            StoreRefused,
            "does not let this user",
        ),
        (
            foreign.ResponseError("The user executing the script can't run this command script: 3f, @user_script: 9"),
            StoreRefused,
            "does not let this user",
        ),
        (foreign.MovedError("866 127.0.0.1:7001"), StoreRefused, "a node of a cluster"),
        (foreign.InvalidResponse("Protocol Error"), StoreUnavailable, "not a Redis server"),
        (foreign.BusyLoadingError("Redis is loading"), StoreUnavailable, "still loading"),
        (foreign.ConnectionError("Error 111"), StoreUnavailable, "no Redis server answers at here:1"),
        (foreign.TimeoutError("Timeout reading"), StoreUnavailable, "does not answer in time"),
        (foreign.ResponseError("ERR unknown command"), StoreError, "answered: ERR unknown command"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_each_fault_of_the_client_is_reported_as_ours(
    error: foreign.RedisError, ours: type[StormError], message: str
) -> None:
    translated = translate_error(error, "here:1")
    assert type(translated) is ours
    assert message in translated.message


@pytest.mark.parametrize("error", [foreign.ConnectionError(), foreign.TimeoutError(), foreign.BusyLoadingError()])
def test_what_may_pass_is_tried_again(error: foreign.RedisError) -> None:
    assert is_transient(error)


@pytest.mark.parametrize(
    "error", [foreign.AuthenticationError(), foreign.AuthorizationError(), foreign.OutOfMemoryError()]
)
def test_what_stays_as_it_is_is_reported_at_once(error: foreign.RedisError) -> None:
    assert not is_transient(error)


@pytest.mark.parametrize(
    ("refusal", "message"),
    [
        ("OOM command not allowed when used memory > 'maxmemory'. ", "out of memory"),
        ("MISCONF Redis is configured to save RDB snapshots, but it's unable to persist", "cannot write its data"),
        ("READONLY You can't write against a read only replica. ", "read-only replica"),
    ],
)
def test_a_command_that_redis_6_refuses_in_a_script_is_reported_as_outside_of_one(refusal: str, message: str) -> None:
    error = foreign.ResponseError(
        f"Error running script (call to f_3fa8): @user_script:73: @user_script: 73: -{refusal}"
    )
    translated = translate_error(error, "here:1")
    assert type(translated) is StoreRefused
    assert message in translated.message


def test_a_fault_of_a_script_on_redis_6_is_data_that_storm_did_not_write() -> None:
    error = foreign.ResponseError(
        "Error running script (call to f_3fa8): @user_script:9: user_script:9: OOM is no JSON"
    )
    assert type(translate_error(error, "here:1")) is StoreSchemaError


@pytest.mark.parametrize("text", ["MISCONF it cannot write", "OOM it is full", "WRONGTYPE it's a list"])
def test_a_servers_error_in_a_transaction_is_recognised_by_its_own_first_word(text: str) -> None:
    annotated = foreign.ResponseError(f"Command # 1 (SADD key a) of pipeline caused error: {(text,)!r}")
    assert str(unwrap_pipeline_error(annotated)) == text
    assert str(unwrap_pipeline_error(foreign.ResponseError(text))) == text
