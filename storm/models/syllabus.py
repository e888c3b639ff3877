"""The questions that a job must cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from storm.models.base import Frozen

#: Where a rule looks: the title, the text, either ("any"), the share of the text's sentences, a sentence that names the
#: drug, the publication types, the database's name, or the record's relation to the drug.
RULE_FIELDS = ("any", "title", "text", "share", "sentence", "type", "database", "relation")


class Rule(Frozen):
    """One weighted pattern of the rule-based assignment of texts to a question.

    `pattern` is a regular expression, matched without regard to case; `where` is one of RULE_FIELDS. A rule that
    matches adds its weight; a "share" rule adds a part of it that grows with the share of sentences that match.
    """

    pattern: str
    weight: float = 1.0
    where: str = "any"


class Question(Frozen):
    """One research question: what it asks, how many sources it needs, and the rules that work without a model.

    A record about a relative of the drug (a conjugate, a biosimilar …) answers no `itself_only` question; where it
    answered one, it counts for the `takes_relatives` ones instead. Answers of `dated` questions state agency or
    country, the document's date and the day of retrieval. A sub-question names its `parent`; `importance` says how much
    the whole depends on it. Established facts answer a `takes_facts` question wherever they stand; any other wants
    results, which stand in the results of a study. `says` are the words of which a sentence needs one to answer it; of
    several questions that a sentence answers the one with the highest `precedence` has it. `places` says of each
    pattern of a user's own file where it stands there: such patterns are matched in bounded time.
    """

    key: str = Field(pattern=r"^[a-z][a-z0-9_.]{0,39}$")
    label: str = Field(min_length=1)
    description: str = Field(min_length=1)
    min_sources: int = Field(ge=1)
    rules: tuple[Rule, ...] = ()
    threshold: float = 1.0
    cues: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    precedence: int = 0
    queries: Mapping[str, tuple[str, ...]] = {}
    itself_only: bool = False
    takes_relatives: bool = False
    takes_facts: bool = False
    dated: bool = False
    places: Mapping[str, str] = {}
    parent: str = ""
    importance: float = Field(default=1.0, ge=0, le=1)

    @property
    def asked_for(self) -> tuple[str, ...]:
        """The words that matter most when sentences are ranked: `focus`, or without it the label and description."""
        return self.focus or (self.label, self.description)

    @property
    def wants_results(self) -> bool:
        """Whether it asks what the drug itself did in studies, and established facts do not answer it."""
        return self.itself_only and not self.takes_facts


class Syllabus(Frozen):
    """The questions to cover, and from how many different databases their sources must come."""

    name: str
    questions: tuple[Question, ...] = Field(min_length=1)
    min_databases: int = Field(default=2, ge=1)

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        twice = [key for key, count in Counter(self.keys).items() if count > 1]
        if twice:
            raise ValueError(f"{twice[0]!r} is the key of several questions")
        orphans = [q.parent for q in self.questions if q.parent and (q.parent == q.key or q.parent not in self.keys)]
        if orphans:
            raise ValueError(f"{orphans[0]!r} is named as a parent, and is no other question's key")
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """The questions' keys, in order."""
        return tuple(question.key for question in self.questions)

    def question(self, key: str) -> Question:
        """The question of that key; KeyError where there is none."""
        for question in self.questions:
            if question.key == key:
                return question
        raise KeyError(key)
