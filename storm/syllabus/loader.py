"""Reads a syllabus from YAML; error messages name file, line and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache, partial
from pathlib import Path

import yaml
from pydantic import ValidationError

from storm.config_file import ConfigFile
from storm.errors import SyllabusError
from storm.models import Question, Rule, Syllabus
from storm.models.database import DATABASE_ORDER
from storm.models.search import LOOK_UPS
from storm.models.syllabus import RULE_FIELDS
from storm.syllabus.assignment import SENTENCE_LENGTH, TITLE_LENGTH
from storm.syllabus.trial import try_pattern
from storm.value_wording import describe_problem

#: Boolean fields of a question.
_MARKS = ("itself_only", "takes_relatives", "takes_facts", "dated")
#: Length of the texts on which the patterns of a rule are timed, by field. A whole text is longer, but it is matched in
#: bounded time.
_LENGTHS = {
    "title": TITLE_LENGTH, "share": SENTENCE_LENGTH, "sentence": SENTENCE_LENGTH, "type": 500, "database": 100,
    "relation": 100,
}  # fmt: skip
#: Characters of a pattern, unless `_LENGTHS` has its own number.
_TEXT = 5_000
_KEY_RULE = "a key has 1 to 40 of a-z, 0-9, _ and . and begins with a letter"
_REQUIRED = ("key", "label", "description", "min_sources")
_QUESTION = (*_REQUIRED, "rules", "threshold", "cues", "focus", "says", "precedence", "queries", *_MARKS)


def load_syllabus(path: Path) -> Syllabus:
    """The syllabus of a user's file.

    SyllabusError with file, line and key if the file is invalid or a pattern takes too long.
    """
    return _SyllabusFile(path, own=True).read_syllabus()


def bundled_syllabus(config_dir: Path, name: str = "drug") -> Syllabus:
    """The syllabus of that name from the configuration folder; SyllabusError with the known names if there is none."""
    folder = config_dir / "syllabus"
    known = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in known:
        raise SyllabusError(
            f"there is no syllabus {name!r}; known: {', '.join(known) or 'none'}",
            hint=f"they are the files of {folder}; a path to a file of your own works too",
        )
    path = folder / f"{name}.yaml"
    return _read_bundled(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read_bundled(path: Path, changed: int) -> Syllabus:
    """The syllabus of a file, read once as long as it is not `changed`."""
    return _SyllabusFile(path, own=False).read_syllabus()


class _SyllabusFile(ConfigFile):
    """Builds a Syllabus from the YAML nodes of one file."""

    def __init__(self, path: Path, *, own: bool) -> None:
        super().__init__(path, SyllabusError)
        self._own = own
        self._places: dict[str, str] = {}

    def read_syllabus(self) -> Syllabus:
        root = self.root()
        if root is None:
            raise SyllabusError(
                f"{self._path.name}: the file is empty", hint="copy config/syllabus/drug.yaml and change its questions"
            )
        fields = self._read_fields(
            root, "", known=("name", "questions", "min_databases"), required=("name", "questions")
        )
        questions = self.items(fields["questions"], "questions", self._read_question, at_least=1)
        self._check_keys(fields["questions"], questions)
        least = self.integer(fields["min_databases"], "min_databases") if "min_databases" in fields else 2
        return Syllabus(name=self.text(fields["name"], "name"), questions=questions, min_databases=least)

    def _read_fields(
        self, node: yaml.Node, place: str, *, known: Sequence[str], required: Sequence[str]
    ) -> Mapping[str, yaml.Node]:
        fields = self.fields(node, node, place, known=known, required=required)
        return {name: value for name, (_, value) in fields.items()}

    def _read_question(self, node: yaml.Node, place: str) -> Question:
        fields = self._read_fields(node, place, known=_QUESTION, required=_REQUIRED)
        readers: dict[str, Callable[[yaml.Node, str], object]] = {
            "min_sources": self.integer,
            "threshold": self.number,
            **dict.fromkeys(_MARKS, self.boolean),
            "rules": lambda child, inner: self.items(child, inner, self._read_rule),
            "cues": lambda child, inner: self.items(child, inner, partial(self._read_pattern, length=SENTENCE_LENGTH)),
            "focus": lambda child, inner: self.items(child, inner, self.text),
            "says": lambda child, inner: self.items(child, inner, partial(self._read_pattern, length=SENTENCE_LENGTH)),
            "precedence": self.integer,
            "queries": self._read_queries,
        }
        self._places = {}
        values = {name: readers.get(name, self.text)(child, f"{place}.{name}") for name, child in fields.items()}
        values["places"] = self._places
        try:
            return Question.model_validate(values)
        except ValidationError as exc:
            problem = exc.errors()[0]
            name = str(problem["loc"][0])
            rule = _KEY_RULE if name == "key" else describe_problem(problem)
            self.fail(fields.get(name, node), f"{place}.{name}", f"{values.get(name)!r}: {rule}")

    def _read_rule(self, node: yaml.Node, place: str) -> Rule:
        fields = self._read_fields(node, place, known=("pattern", "weight", "where"), required=("pattern",))
        where = self.text(fields["where"], f"{place}.where") if "where" in fields else "any"
        if where not in RULE_FIELDS:
            self.fail(fields["where"], f"{place}.where", f"{where!r} is none of {', '.join(RULE_FIELDS)}")
        pattern = self._read_pattern(fields["pattern"], f"{place}.pattern", _LENGTHS.get(where, _TEXT))
        weight = self.number(fields["weight"], f"{place}.weight") if "weight" in fields else 1.0
        return Rule(pattern=pattern, weight=weight, where=where)

    def _read_queries(self, node: yaml.Node, place: str) -> dict[str, tuple[str, ...]]:
        pairs = ((self._read_database(key, place), words) for key, words in self.pairs(node, place))
        return {name: self.items(words, f"{place}.{name}", self.text, at_least=1) for name, words in pairs}

    def _read_database(self, node: yaml.Node, place: str) -> str:
        """`default` or a database. Unknown names are allowed, for users' own records, unless they look like a typo."""
        name = self.text(node, place)
        known = ("default", *DATABASE_ORDER)
        if name not in known and (meant := get_close_matches(name, known, n=1, cutoff=0.8)):
            self.fail(node, f"{place}.{name}", f"there is no database of this name; did you mean {meant[0]}?")
        return name

    def _check_keys(self, node: yaml.Node, questions: Sequence[Question]) -> None:
        seen: dict[str, int] = {}
        for n, (question, child) in enumerate(zip(questions, node.value, strict=True)):
            place = f"questions[{n}].key"
            if question.key in LOOK_UPS:
                self.fail(
                    child, place, f"{question.key!r} is taken: the search log has it for look-ups; use another key"
                )
            if question.key in seen:
                self.fail(child, place, f"{question.key!r} is already the key of questions[{seen[question.key]}]")
            seen[question.key] = n

    def _read_pattern(self, node: yaml.Node, place: str, length: int) -> str:
        """A regular expression, or alternatives from a list of them, for texts of that length."""
        text = self._read_expression(node, place, length)
        if self._own:
            self._places[text] = self.describe_place(node, place)
        return text

    def _read_expression(self, node: yaml.Node, place: str, length: int) -> str:
        if isinstance(node, yaml.SequenceNode):
            return "|".join(self.items(node, place, partial(self._read_expression, length=length), at_least=1))
        text = self.text(node, place)
        try:
            _check_expression(text)
            if self._own:
                try_pattern(text, self.describe_place(node, place), length)
        except (re.error, ValueError, OverflowError, RecursionError) as exc:
            self.fail(node, place, f"{text!r} is not a regular expression: {exc}")
        return text


@lru_cache(maxsize=1024)
def _check_expression(text: str) -> None:
    """Raise what `re` raises if it is not a regular expression; cached, since each job of a process reads the same."""
    re.compile(text, re.IGNORECASE)
