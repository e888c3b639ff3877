"""The model that gives the vectors of texts: it is asked at its own server, and its failures are said in one line."""

from __future__ import annotations

import asyncio
import json

import pytest
from agents.openai_server import KEY, ModelServer
from fault_server import Reply

from storm.agents.embedder import make_embed
from storm.agents.model_choice import ModelChoice
from storm.errors import ModelError, UsageError

NAME = "openai/text-embedding-3-small"
#: litellm keeps its connections; one that is still open when the test ends is a warning.
CLOSED = {"Connection": "close"}


async def test_it_gives_a_vector_for_each_text() -> None:
    data = [{"object": "embedding", "index": place, "embedding": [1.0, place]} for place in range(2)]
    usage = {"prompt_tokens": 2, "total_tokens": 2}
    async with ModelServer() as server:
        server.on(
            "/embeddings",
            Reply(json.dumps({"object": "list", "model": "x", "data": data, "usage": usage}), headers=CLOSED),
        )
        made = await asyncio.to_thread(make_embed(server.choice(NAME)), ["memory", "a kinase"])
        (asked,) = server.requests
    assert made == [[1.0, 0.0], [1.0, 1.0]]
    assert asked.json["input"] == ["memory", "a kinase"]


async def test_a_failure_is_an_error_of_the_model_that_shows_no_key() -> None:
    async with ModelServer() as server:
        server.on(
            "/embeddings", Reply(json.dumps({"error": {"message": f"bad key {KEY}"}}), status=401, headers=CLOSED)
        )
        with pytest.raises(ModelError, match="text-embedding-3-small") as raised:
            await asyncio.to_thread(make_embed(server.choice(NAME)), ["memory"])
    assert KEY not in str(raised.value)


def test_an_unknown_provider_and_a_missing_key_are_errors_before_any_call() -> None:
    with pytest.raises(UsageError, match="unknown provider"):
        make_embed(ModelChoice(name="nobody/vectors"))
    with pytest.raises(ModelError, match="needs a key"):
        make_embed(ModelChoice(name=NAME, key_variable="OPENAI_API_KEY"))
