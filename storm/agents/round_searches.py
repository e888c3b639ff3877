"""Reads the searches that a model asks for to test hypotheses: its words, to which the names are added here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field, model_validator

from storm.agents.fencing import fence_text, plain_line
from storm.agents.reply_values import Text, read_mapping
from storm.agents.repurposing_material import list_ran
from storm.agents.written_searches import read_searches
from storm.models import Plan, Question, RepurposingRound, SearchQuery

#: How many names of the disease may match.
_NAMES = 6
#: How many searches are read of one reply, and the characters of a question's label in a prompt.
_MAX_SEARCHES, _LABEL_CHARACTERS = 40, 120


class WrittenSearch(BaseModel):
    """A search as the model wrote it."""

    question: Text = Field(default="", description="the key of the question for which it searches")
    words: Text = Field(default="", description="two to four plain words, all of which a record must contain")

    _accept_mapping = model_validator(mode="before")(read_mapping)


class RoundSearches(NamedTuple):
    """The new searches by question, and what is wrong with the others."""

    queries: dict[str, tuple[SearchQuery, ...]]
    faults: tuple[str, ...]


class SearchReader:
    """Reads searches for the questions of a plan: at most `most` for each, none that an earlier round ran."""

    def __init__(self, plan: Plan, most: int, databases: Sequence[str], rounds: Sequence[RepurposingRound]) -> None:
        self._plan = plan
        self._most = most
        self._databases = databases
        self._taken = list_ran(rounds)
        self._counts = dict.fromkeys(plan.syllabus.keys, 0)

    def read(self, said: Iterable[WrittenSearch]) -> RoundSearches:
        """The searches that can be run, each once over all calls."""
        queries: dict[str, tuple[SearchQuery, ...]] = {}
        faults: list[str] = []
        for one in list(said)[:_MAX_SEARCHES]:
            key = one.question.strip(" \"'`[]().")
            if key not in self._counts:
                faults.append(f"a search names no key of the questions: {', '.join(self._counts)}")
                continue
            question = self._plan.syllabus.question(key)
            written = read_searches([one.words], self._plan.of_question(question), 1, self._databases)
            faults += written.faults
            for query in written.queries:
                named = self._add_disease(query, question)
                if (key, named) not in self._taken and self._counts[key] < self._most:
                    self._taken.add((key, named))
                    self._counts[key] += 1
                    queries[key] = (*queries.get(key, ()), named)
        return RoundSearches(queries, tuple(dict.fromkeys(faults)))

    def _add_disease(self, query: SearchQuery, question: Question) -> SearchQuery:
        """The search with the disease's names, if its question is on the drug in the disease."""
        if self._plan.disease is None or question.names or not question.about:
            return query
        group = self._plan.disease.names[:_NAMES]
        return query.model_copy(update={"required": (group, *(one for one in query.required if one != group))})


def describe_questions(plan: Plan) -> str:
    """The questions for which searches can be run: their keys and labels."""
    lines = (f"{question.key}: {plain_line(question.label, _LABEL_CHARACTERS)}" for question in plan.syllabus.questions)
    return fence_text("\n".join(lines), "questions")
