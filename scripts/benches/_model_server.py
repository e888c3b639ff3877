"""A language model as a server on loopback, which speaks OpenAI's chat interface."""

from __future__ import annotations

import json
import threading
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

MODEL = "openai/house-model"
#: Tokens of its context: it tells them, so that no call tries them out.
CONTEXT = 131_072


class ModelServer(ThreadingHTTPServer):
    """Replies to each call in a thread of its own, after at least so many seconds as `pause` says."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, pause: Callable[[], float] = float) -> None:
        super().__init__(("127.0.0.1", 0), Chat)
        self._pause = pause
        self._asked: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self.most_at_once = 0
        self._lock = threading.Lock()

    @property
    def base(self) -> str:
        """What OPENAI_API_BASE is set to."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which storm asks this model."""
        return {"OPENAI_API_BASE": self.base, "OPENAI_API_KEY": "none"}

    def in_flight(self) -> list[str]:
        """The prompts that have no reply yet."""
        with self._lock:
            return [*(self._asked - self._answered)]

    def repeated(self) -> list[str]:
        """The prompts that came more than once."""
        with self._lock:
            return [prompt for prompt, times in self._asked.items() if times > 1]

    def take(self, prompt: str) -> str:
        """The reply, counted, and not before its time."""
        began = time.monotonic()
        with self._lock:
            self._asked[prompt] += 1
            self.most_at_once = max(self.most_at_once, self._asked.total() - self._answered.total())
        said = self.reply(prompt)
        time.sleep(max(0.0, began + self._pause() - time.monotonic()))
        with self._lock:
            self._answered[prompt] += 1
        return said

    @property
    def calls(self) -> int:
        """How many calls came."""
        return self._asked.total()

    @abstractmethod
    def reply(self, prompt: str) -> str:
        """What it says to the prompt."""

    def replied(self, prompt: str) -> None:
        """The reply to it is on its way."""


class Chat(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: ModelServer

    def do_GET(self) -> None:
        """The list of models: what the preflight asks for, so that it makes no call."""
        self.answer({"object": "list", "data": [{"id": MODEL.partition("/")[2], "max_model_len": CONTEXT}]})

    def do_POST(self) -> None:
        """A call."""
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:  # who asked was killed meanwhile
            return
        prompt = "\n\n".join(message["content"] for message in json.loads(body)["messages"])
        message = {"role": "assistant", "content": self.server.take(prompt)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 50}
        self.answer({"id": "x", "object": "chat.completion", "created": 1, "choices": [choice], "usage": usage})
        self.server.replied(prompt)

    def answer(self, body: Mapping[str, Any]) -> None:
        """Send it; who was killed reads no more."""
        content = json.dumps(body).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        with suppress(OSError):
            self.wfile.write(head.encode() + content)

    def handle(self) -> None:
        """Who was killed does not hang up."""
        with suppress(ConnectionResetError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


Server = TypeVar("Server", bound=ThreadingHTTPServer)


@contextmanager
def served(server: Server) -> Iterator[Server]:
    """The server at work."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
