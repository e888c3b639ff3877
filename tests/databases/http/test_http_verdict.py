"""What an answer means where its status alone does not tell."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from storm.databases.http.service import Service
from storm.databases.http.sniffing import Expect
from storm.databases.http.verdict import Failure, Retry, excerpt_error, judge_answer
from storm.errors import QueryRejected, ServiceDown

OPENFDA = Service(name="openfda", label="openFDA", base_url="https://api.example.org", scope="labels", rate=4)


def judged(status: int, details: str) -> Failure:
    error = {"code": "SERVER_ERROR", "message": "Check your request and try again", "details": details}
    failure = judge_answer(
        status,
        {},
        json.dumps({"error": error}).encode(),
        service=OPENFDA,
        expect=Expect.JSON,
        accept_status=frozenset({200}),
        secrets=frozenset(),
        now=datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert failure is not None
    return failure


@pytest.mark.parametrize(
    "details",
    [
        '[token_mgr_error] token_mgr_error: Lexical error at line 1, column 94. Encountered: "}" (125), after : ""',
        "[parse_exception] parse_exception: Cannot parse 'openfda.brand_name:(': Encountered \"<EOF>\"",
        "[query_shard_exception] Failed to parse query [effective_time:[20200101 TO]]",
    ],
)
def test_a_query_that_openfda_cannot_parse_is_not_sent_again(details: str) -> None:
    failure = judged(500, details)
    assert (failure.kind, failure.retry, failure.status) == (QueryRejected, Retry.NEVER, 500)


@pytest.mark.parametrize(
    "details", ["", "[circuit_breaking_exception] Data too large", "[es_rejected_execution_exception]"]
)
def test_a_fault_of_openfda_s_own_is_worth_another_try(details: str) -> None:
    failure = judged(500, details)
    assert (failure.kind, failure.retry) == (ServiceDown, Retry.A_FEW_TIMES)


def test_the_error_of_an_xml_answer_is_its_message_whatever_mark_it_begins_with() -> None:
    fault = "\ufeff<fault><code>CLIENT</code><message>Too many terms</message></fault>"
    assert excerpt_error(fault.encode(), ()) == "Too many terms"
