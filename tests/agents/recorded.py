"""What a model was asked and replied, kept in a file: so that a test notices when a prompt is no longer what it was.

A recording has a line a call, as JSON: the parts of its prompt, null where they are those of the line before, and the
reply. A replay answers by the digest of the prompt, in any order; what nobody recorded is reported as a difference.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

import dspy
from agents.scripted import scripted_lm
from dspy import lm15

#: How a recording is made anew.
AGAIN = "STORM_RECORD=1 scripts/test -n 0 tests/agents/test_agents_recorded.py"
_PART = re.compile(r"\n\n(?=\[\[ ## )")
_DIFFERENT_LINES = 60


class Recording:
    """The calls in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.calls: list[tuple[str, str]] = []

    @classmethod
    def read(cls, path: Path) -> Recording:
        """What was recorded there."""
        recording, parts = cls(path), [""]
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            parts = [
                old if new is None else new for new, old in zip_longest(line["prompt"], parts[: len(line["prompt"])])
            ]
            recording.calls.append(("\n\n".join(parts), line["reply"]))
        return recording

    def write(self) -> None:
        """Keep it."""
        lines, before = [], [""]
        for prompt, reply in self.calls:
            parts = _PART.split(prompt)
            shown = [None if part == old else part for part, old in zip_longest(parts, before[: len(parts)])]
            lines.append(json.dumps({"prompt": shown, "reply": reply}, ensure_ascii=False))
            before = parts
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def recorder(self, model: Callable[[str], str]) -> dspy.LM:
        """An LM that this model plays, whose calls are recorded."""

        def reply(prompt: str) -> str:
            self.calls.append((prompt, model(prompt)))
            return self.calls[-1][1]

        return scripted_lm(reply)


class Replay:
    """An LM that replies as recorded; `differences` are the prompts that nobody recorded."""

    def __init__(self, recording: Recording) -> None:
        self.differences: list[str] = []
        self.lm = scripted_lm(self._reply)
        self._left = {_digest(prompt): prompt for prompt, _ in recording.calls}
        self._replies = {_digest(prompt): reply for prompt, reply in recording.calls}

    def assert_all_was_asked(self) -> None:
        """Each recorded prompt was asked, and no other."""
        assert not self.differences, "\n".join((*self.differences, f"If that is meant, record again: {AGAIN}"))
        assert not self._left, f"{len(self._left)} recorded prompts were not asked; if that is meant: {AGAIN}"

    def _reply(self, prompt: str) -> str | Exception:
        digest = _digest(prompt)
        if digest not in self._replies:
            self.differences.append(self._difference(prompt))
            return lm15.ServerError("this was not recorded")
        self._left.pop(digest, None)
        return self._replies[digest]

    def _difference(self, prompt: str) -> str:
        """From the recorded prompt that is most like it, of those that were not asked yet."""
        lines = prompt.splitlines()
        known = [recorded.splitlines() for recorded in self._left.values()]
        nearest = max(known, key=lambda one: len(set(one) & set(lines)), default=[])
        difference = difflib.unified_diff(nearest, lines, "recorded", "asked now", lineterm="", n=1)
        return "\n".join(list(difference)[:_DIFFERENT_LINES])


def _digest(prompt: str) -> str:
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()
