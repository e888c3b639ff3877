"""The questions that a job must cover."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field, model_validator

from storm.models.base import Frozen

#: What a rule matches: the title, the text, either ("any"), the share of the text's sentences, a sentence that names
#: the drug, the publication types, the database's name, or the record's relation to the drug.
RULE_FIELDS = ("any", "title", "text", "share", "sentence", "type", "database", "relation")


class Rule(Frozen):
    """One weighted pattern for assigning texts to a question.

    `pattern` is a case-insensitive regular expression; `where` is one of RULE_FIELDS. A rule that matches adds its
    weight; a "share" rule adds a part of it that grows with the share of matching sentences.
    """

    pattern: str
    weight: float = 1.0
    where: str = "any"


#: How a text names what a question is narrowed to.
NarrowingRole = Literal["outcome", "setting", "population", "comparator"]


class Narrowing(Frozen):
    """One thing that a question is narrowed to: a text is on it if it has all words of one of its phrases.

    `searched` are phrases to search for, where no text has its words side by side ("six" and "twelve months").
    A sentence names an `outcome` itself. A `setting`, such as a disease or what else is given, and a `population`, such
    as children, may be named by the title or section of its record instead. With a `comparator` the sentence compares;
    the title may name it.
    """

    label: str
    phrases: tuple[str, ...] = Field(min_length=1)
    role: NarrowingRole = "outcome"
    searched: tuple[str, ...] = ()

    @property
    def is_setting(self) -> bool:
        """Whether the record of a sentence may name it in its place."""
        return self.role in ("setting", "population")


class Question(Frozen):
    """One research question: what it asks, how many sources it needs, and its rules for work without a model.

    A record about a relative of the drug (a conjugate, a biosimilar …) answers no `itself_only` question; it counts for
    the `takes_relatives` questions instead. Answers of `dated` questions state agency or country, the document's date
    and the day of retrieval. A sub-question names its `parent`; `importance` says how much the whole depends on it.
    A `takes_facts` question accepts established facts from any section; others want results of a study. A sentence must
    contain one of the words in `says`; if it answers several questions, the one with the highest `precedence` gets it.
    Only texts on everything in `about` answer it. One that is not about the drug has the `names` of what it is about.
    `places` gives the place of each pattern in a user's file; such patterns are matched in bounded time.
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
    about: tuple[Narrowing, ...] = ()
    names: tuple[str, ...] = ()
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
        """The words that matter most for ranking sentences: `focus`, or without it the label and description."""
        return self.focus or (self.label, self.description)

    @property
    def wants_results(self) -> bool:
        """Whether it asks for results of the drug itself, and established facts do not answer it."""
        return self.itself_only and not self.takes_facts


class Syllabus(Frozen):
    """The questions to cover, and the number of databases that their sources must come from."""

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
            raise ValueError(f"{orphans[0]!r} is named as a parent, but is no other question's key")
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """The questions' keys, in order."""
        return tuple(question.key for question in self.questions)

    @property
    def version(self) -> str:
        """What tells this syllabus from every other version of it: a digest of its questions, templates and rules."""
        stated = self.model_dump(mode="json", exclude_defaults=True)
        return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:12]

    def question(self, key: str) -> Question:
        """The question of that key; KeyError where there is none."""
        for question in self.questions:
            if question.key == key:
                return question
        raise KeyError(key)
