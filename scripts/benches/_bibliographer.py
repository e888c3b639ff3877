"""A model without a memory that plays the agent of a job: what it replies follows from its prompt alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

#: What it searches for, one after the other.
WORDS = (
    "binding inhibits", "survival trial", "adverse cardiac", "biosimilar versus", "approval sales", "patent expiry",
    "response", "resistance", "dose", "label",
)  # fmt: skip


def fields(**values: Any) -> str:
    """A reply as the Chat adapter reads it."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    return "\n\n".join([*(f"[[ ## {name} ## ]]\n{text}" for name, text in texts.items()), "[[ ## completed ## ]]"])


def inputs_of(prompt: str) -> Mapping[str, str]:
    """The fields of a prompt's request, as the Chat adapter writes them."""
    request = prompt.rpartition("\n\nRespond with ")[0].rpartition("In adhering to this structure")[2]
    parts = re.split(r"^\[\[ ## (\w+) ## \]\]$", request, flags=re.M)
    return dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))


def next_step(recent: str, state: str) -> str:
    """It searches, saves all that it sees, some of it read or cited before, and finishes when all is there.

    At the same time it only makes calls of which no two write: which of those comes first is a matter of chance.
    """
    if "All that the syllabus needs is there" in state:
        return says("finish")
    needy = re.findall(r"^  (\S+): \d+ of \d+$", state, re.M)
    saved = _called(r'save_source\(.*?external_id="([^"]+)"', recent)
    shown = re.findall(r"^(\w+) (\S+) · (?:\d{4} )?(.+)$", recent, re.M)
    new = [card for card in dict.fromkeys(shown) if card[1] not in saved]
    if not new:
        step = int(re.findall(r"^Step (\d+)\.", f"Step 0.\n{recent}", re.M)[-1])
        return says(("search_sample", {"words": WORDS[step % len(WORDS)], "question": needy[0]}))
    database, record, title = new[0]
    kind = sum(map(ord, record)) % 4
    if kind == 0 and record not in _called(r'read_source\(source="\w+ ([^"]+)"', recent):
        return says(("read_source", {"source": f"{database} {record}"}))
    if kind == 1 and record not in _called(r'register_citation\(.*?source_id="([^"]+)"', recent):
        cited = {"claim": f"It is about {title}", "source_type": database, "source_id": record, "direct_quote": title}
        return says(("register_citation", cited))
    found = {"source_type": database, "external_id": record, "url": "", "title": title}
    saving = {**found, "relevant_questions": needy[: 1 + len(title) % 2]}
    reading = [("read_source", {"source": " ".join(card[:2])}) for card in new[1 : kind // 3 + 1]]
    return says(("save_source", saving), *reading)


def busy_step(recent: str, state: str) -> str:
    """The same, and as many other calls as a step may make, of all kinds."""
    shown = list(dict.fromkeys(re.findall(r"^(\w+) (\S+) · (?:\d{4} )?(.+)$", recent, re.M)))
    needy = re.findall(r"^  (\S+): \d+ of \d+$", state, re.M)
    if len(shown) < 3 or not needy:
        return next_step(recent, state)
    found = [{"source_type": database, "external_id": record, "url": "", "title": ""} for database, record, _ in shown]
    cited = {"claim": shown[1][2], "source_type": shown[1][0], "source_id": shown[1][1], "direct_quote": shown[1][2]}
    words = [f"{WORDS[len(recent) % len(WORDS)]} {len(recent) + n}" for n in range(3)]
    return says(
        *(("search_sample", {"words": each}) for each in words),
        ("save_source", {**found[0], "relevant_questions": needy[:1]}),
        ("save_source", {**found[2], "relevant_questions": needy[-1:]}),
        ("read_source", {"source": " ".join(shown[0][:2])}),
        ("register_citation", cited),
        "check_completion",
    )


def says(*calls: str | tuple[str, Mapping[str, Any]]) -> str:
    """A reply that asks for these calls."""
    (tool, arguments), *more = [(call, {}) if isinstance(call, str) else call for call in calls]
    further = [{"tool": name, "args": given} for name, given in more]
    return fields(next_thought="Next.", next_tool_name=tool, next_tool_args=arguments, more_calls=further)


def _called(pattern: str, recent: str) -> set[str]:
    return set(re.findall(rf"^{pattern}", recent, re.M))
