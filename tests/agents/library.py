"""A job whose databases hold made records, and the models that play its agent from a script."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from agents.scripted import DIALECTS, asked

from storm.models import Hit, JobRequest, Plan, Question, SearchOutcome, SearchQuery, SearchStatus, Syllabus

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SYLLABUS = Syllabus(
    name="drug",
    questions=(
        Question(key="clinical.efficacy", label="Efficacy", description="What does it achieve?", min_sources=3),
        Question(key="clinical.safety", label="Safety", description="What harm does it do?", min_sources=2),
    ),
)
PLAN = Plan(names=("trastuzumab", "Herceptin"), syllabus=SYLLABUS)
REQUEST = JobRequest(text="trastuzumab", syllabus=SYLLABUS)

Model = Callable[[str], str]


def record(database: str, number: int) -> Hit:
    """A record of that database, with an abstract of about 1,000 characters."""
    words = " ".join(random.Random(number).choices(("response", "survival", "cohort", "dose", "cardiac"), k=120))
    return Hit.of(
        database,
        str(10_000_000 + number),
        f"https://example.org/{number}",
        f"Trastuzumab in cohort {number}",
        text=f"Of {number} patients who took trastuzumab {number % 90} % responded. {words}.",
        year=2000 + number % 25,
    )


class Library:
    """A database with made records: the words "cohort 7" find the seventh, any other words the first ones."""

    limit = 20

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.scope = f"what {name} has"
        self.asked: list[str] = []
        self._hits = [record(name, number) for number in range(1, size + 1)]

    def narrow_query(self, query: SearchQuery) -> SearchQuery:
        return query

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        self.asked.append(str(query))
        words = [*query.words, *(term for group in query.required for term in group)]
        if "broken" in words:
            return self._outcome(query, SearchStatus.FAILED, (), "no answer in time")
        named = [int(word) for word in words if word.isdigit()]
        if named:
            hits = self._hits[named[0] - 1 : named[0]]
        elif "nothing" in words:
            hits = []
        else:
            hits = self._hits[:limit]
        return self._outcome(query, SearchStatus.FOUND if hits else SearchStatus.NONE, hits)

    def _outcome(
        self, query: SearchQuery, status: SearchStatus, hits: Sequence[Hit], reason: str = ""
    ) -> SearchOutcome:
        return SearchOutcome(
            database=self.name, query=str(query), status=status, hits=tuple(hits), total=len(hits), reason=reason
        )


def says(tool: str, arguments: dict[str, Any], thought: str = "Next.", dialect: str = "chat", **more: Any) -> str:
    """A reply that asks for a call, as the adapter of that dialect reads it."""
    return DIALECTS[dialect](next_thought=thought, next_tool_name=tool, next_tool_args=arguments, **more)


def competent(dialect: str = "chat", databases: Sequence[str] = ("pubmed", "chembl")) -> Model:
    """Finds one record after the other, saves each for the neediest question, and finishes when all is there.

    What it does follows from its prompt alone.
    """

    def reply(prompt: str) -> str:
        fields = asked(prompt)
        if "All that the syllabus needs is there" in fields["state"]:
            return says("finish", {}, dialect=dialect)
        saved = int(re.search(r"Sources saved: (\d+)", fields["state"])[1])  # type: ignore[index]
        needy = re.search(r"^  (\S+): \d+ of \d+$", fields["state"], re.M)
        question = needy[1] if needy else SYLLABUS.keys[0]
        database = databases[saved % len(databases)]
        wanted = str(10_000_000 + saved + 1)
        if f"\n{database} {wanted} · " in fields["recent_steps"]:
            excerpt = f"Of {saved + 1} patients who took trastuzumab"
            found = {"source_type": database, "external_id": wanted, "url": "", "title": ""}
            found |= {"relevant_questions": [question], "key_excerpts": excerpt}
            return says("save_source", found, f"Saved {saved}, now {wanted}.", dialect)
        return says(f"search_{database}", {"words": f"cohort {saved + 1}", "question": question}, dialect=dialect)

    return reply


def last_calls(prompt: str) -> list[str]:
    """The calls in the steps that a prompt shows, oldest first."""
    return re.findall(r"^You called this, with this result:\n<.*>\n(\w+)\(", asked(prompt)["recent_steps"], re.M)


def rubbish(number: int) -> str:
    """A reply that no adapter can read, of one kind or another."""
    kinds = (
        "",
        "I will now search PubMed.",
        "[[ ## next_thought ## ]]\nhm",
        "{",
        json.dumps({"next_thought": 1}),
        "\x00",
    )
    return kinds[number % len(kinds)]
