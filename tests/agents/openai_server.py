"""A model server on this machine that speaks OpenAI's chat interface, well and badly.

    async with ModelServer(answer("yes"), rate_limited(after=7)) as server:
        lm = make_lm(server.choice(), budget, "agent")
        ...                                     # server.calls: what the model was asked

The replies are played in turn and the last one again and again, as in `fault_server`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fault_server import Entry, FaultServer, Reply, Seen

from storm.agents.model_choice import ModelChoice

KEY = "sk-verysecret"

#: A model of which DSPy knows the price, and one that nobody knows.
PRICED = "openai/gpt-4o-mini"
UNKNOWN = "openai/house-model"


class ModelServer(FaultServer):
    """Plays the script to chat completions; every other path answers 404 until `on` gives it a script."""

    def __init__(self, *script: Entry) -> None:
        super().__init__()
        self.on("/chat/completions", *(script or (answer(),)))

    @property
    def base(self) -> str:
        return f"{self.url}/v1"

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        return [seen.json for seen in self.requests if seen.path.endswith("/chat/completions")]

    def choice(self, name: str = PRICED, **changes: Any) -> ModelChoice:
        return ModelChoice(name=name, api_base=self.base, key_variable="MODEL_KEY", key=KEY, **changes)


def answer(
    text: str | None = "yes", *, prompt: int = 11, cached: int = 0, reply: int = 2, finish: str = "stop"
) -> Reply:
    """A good answer with what it counts."""
    usage: dict[str, Any] = {"prompt_tokens": prompt, "completion_tokens": reply}
    if cached:
        usage["prompt_tokens_details"] = {"cached_tokens": cached}
    return _json(_completion(text, finish) | {"usage": usage})


def uncounted(text: str = "yes") -> Reply:
    """A good answer that does not say what it counts."""
    return _json(_completion(text, "stop"))


def cut(text: str = "The sur") -> Reply:
    """An answer that ended at the length limit."""
    return answer(text, finish="length")


def truncating(context: int) -> Entry:
    """Ollama's way: a longer prompt is cut to the context, and answered as if it were whole."""

    def play(seen: Seen) -> Reply:
        words = sum(len(message["content"].split()) for message in seen.json["messages"])
        return answer(prompt=min(words, context))

    return play


def limited(context: int, dialect: str) -> Entry:
    """Refuses prompts of more words than that in the words of this dialect; counts a token a word."""

    def play(seen: Seen) -> Reply:
        words = sum(len(message["content"].split()) for message in seen.json["messages"])
        return too_long(dialect, context) if words > context else answer(prompt=words)

    return play


def failed(status: int, message: str = "it failed", **more: Any) -> Reply:
    return _json(_error(message, **more), status)


def rate_limited(after: float | None = None) -> Reply:
    headers = {} if after is None else {"Retry-After": f"{after:g}"}
    return Reply(json.dumps({"error": {"message": "too many tokens per minute"}}), status=429, headers=headers)


def _error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


_OPENAI = "This model's maximum context length is CONTEXT tokens. However, your messages resulted in 99999 tokens."
_VLLM = "This model's maximum context length is CONTEXT tokens. However, you requested 99999 tokens."
_LLAMA = "the request exceeds the available context size. try increasing the context size or enable context shift"
_LLAMA_NUMBERED = "request (99999 tokens) exceeds the available context size (CONTEXT tokens), try increasing it"
_SGLANG = "The input (99999 tokens) is longer than the model's context length (CONTEXT tokens)."
_GEMINI = "The input token count (99999) exceeds the maximum number of tokens allowed (CONTEXT)."
_LM_STUDIO = (
    "Trying to keep the first 99999 tokens when context the overflows. However, the model is loaded with context "
    "length of only CONTEXT tokens, which is not enough."
)
_XAI = "This model's maximum prompt length is CONTEXT but the request contains 99999 tokens."
_SIZE = {"type": "exceed_context_size_error"}

#: How servers say that a prompt is too long: status and body, with CONTEXT for their limit.
DIALECTS: Mapping[str, tuple[int, dict[str, Any]]] = {
    "openai": (400, _error(_OPENAI, type="invalid_request_error", code="context_length_exceeded")),
    "vllm": (400, _error(_VLLM, type="BadRequestError", code=400)),
    "vllm, not nested": (400, {"object": "error", "message": _VLLM, "type": "BadRequestError", "code": 400}),
    "llama.cpp": (400, _error(_LLAMA_NUMBERED, code=400, n_prompt_tokens=99999, n_ctx=4096, **_SIZE)),
    "llama.cpp, 500": (500, _error(_LLAMA, code=500, **_SIZE)),
    "llama.cpp, 200": (200, _error(_LLAMA, code=400, **_SIZE)),
    "llama-cpp-python": (400, _error("Requested tokens (99999) exceed context window of CONTEXT", code=None)),
    "anthropic": (400, _error("prompt is too long: 99999 tokens > CONTEXT maximum", type="invalid_request_error")),
    "ollama": (400, _error("the input length exceeds the context length", type="invalid_request_error")),
    "gemini": (400, _error(_GEMINI, status="INVALID_ARGUMENT", code=400)),
    "sglang": (400, _error(_SGLANG, type="BadRequestError", code=400)),
    "lm studio": (400, {"error": _LM_STUDIO}),
    "xai": (400, {"error": _XAI}),
    "bedrock": (400, _error("Input is too long for requested model.", code="ValidationException")),
}

#: Those of them that do not name their limit.
NUMBERLESS = ("vllm, not nested", "llama.cpp, 500", "llama.cpp, 200", "ollama", "bedrock")


def too_long(dialect: str, context: int = 4096) -> Reply:
    """A refusal of a long prompt as that kind of server says it."""
    status, body = DIALECTS[dialect]
    return Reply(json.dumps(body).replace("CONTEXT", str(context)), status=status)


def models(*entries: Mapping[str, Any]) -> Reply:
    """A list of models."""
    return _json({"object": "list", "data": list(entries)})


def _completion(text: str | None, finish: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "as-asked",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }


def _json(body: Mapping[str, Any], status: int = 200) -> Reply:
    return Reply(json.dumps(body), status=status)
