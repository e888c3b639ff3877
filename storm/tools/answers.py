"""Tool answers: flat dictionaries of at most 500 characters as JSON, however large the collection."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

#: Characters of one answer, as `json.dumps(answer, ensure_ascii=False)` writes it.
LIMIT = 500
_SHORTEST_TEXT = 60


def answer_size(answer: Mapping[str, Any]) -> int:
    """Characters of the answer as JSON."""
    return len(json.dumps(answer, ensure_ascii=False))


def fold_complete(answer: dict[str, Any], field: str, complete: Sequence[str]) -> dict[str, Any]:
    """The answer unchanged if it fits; otherwise complete questions become one entry, and the rest is cut to fit.

    `answer[field]` maps questions to texts, the neediest first.
    """
    if answer_size(answer) <= LIMIT:
        return answer
    entries = {key: text for key, text in answer[field].items() if key not in complete}
    if complete:
        entries[f"{len(complete)} complete"] = "✓"
    return fit_answer({**answer, field: entries})


def fit_answer(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with its largest parts cut at the end until it fits; what was left out is counted as "+3 more"."""
    answer = dict(answer)
    dropped = dict.fromkeys(answer, 0)
    while answer_size(answer) > LIMIT:
        name = max(answer, key=lambda key: _cuttable_size(answer[key]))
        if _cuttable_size(answer[name]) <= 0:
            break
        dropped[name] += 1
        answer[name] = _cut_end(answer[name], dropped[name])
    return answer


def clip_text(text: str, limit: int) -> str:
    """The text, or its beginning and an ellipsis, in at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _cuttable_size(value: Any) -> int:
    """How many characters could be cut here; 0 if none."""
    if isinstance(value, str):
        return len(value) - _SHORTEST_TEXT
    if isinstance(value, dict | list):
        kept = [key for key in value if not str(key).startswith("+")]
        return len(json.dumps(value, ensure_ascii=False)) if len(kept) > 1 else 0
    return 0


def _cut_end(value: Any, count: int) -> Any:
    if isinstance(value, str):
        return clip_text(value, max(_SHORTEST_TEXT, len(value) - 40))
    kept = [key for key in value if not str(key).startswith("+")][:-1]
    if isinstance(value, dict):
        return {**{key: value[key] for key in kept}, f"+{count} more": ""}
    return [*kept, f"+{count} more"]
