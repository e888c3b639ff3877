"""Reading a syllabus from YAML; every mistake names file, line and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn, TypeVar

import yaml
from pydantic import ValidationError

from storm.config_file import read_regular
from storm.errors import SyllabusError
from storm.models import Question, Rule, Syllabus
from storm.models.syllabus import RULE_FIELDS

#: A syllabus is a page or two of text; a bigger file is another kind of file.
MAX_BYTES = 256_000

#: The yes-or-no fields of a question.
_MARKS = ("itself_only", "takes_relatives", "dated")

_Item = TypeVar("_Item")


def load_syllabus(path: Path) -> Syllabus:
    """The syllabus of a YAML file; SyllabusError naming file, line and key if there is a mistake in it."""
    return _Reader(path).syllabus()


def bundled_syllabus(config_dir: Path, name: str = "drug") -> Syllabus:
    """The syllabus of that name from the configuration folder; SyllabusError listing the names there if it is none."""
    folder = config_dir / "syllabus"
    known = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in known:
        raise SyllabusError(
            f"there is no syllabus {name!r}; known: {', '.join(known) or 'none'}",
            hint=f"they are the files of {folder}; a path to a file of your own works too",
        )
    return load_syllabus(folder / f"{name}.yaml")


def _read(path: Path) -> str:
    try:
        content = read_regular(path, MAX_BYTES)
        if len(content) > MAX_BYTES:
            raise SyllabusError(f"{path}: the file has more than the {MAX_BYTES:,} bytes of a syllabus")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise SyllabusError(f"{path}: the file is not UTF-8 (byte {exc.start})") from exc
    except OSError as exc:
        raise SyllabusError(f"{path}: the file cannot be read: {exc.strerror or exc}") from exc


class _Reader:
    """One file on its way from YAML nodes, which know their lines, to a Syllabus."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def syllabus(self) -> Syllabus:
        fields = self._mapping(self._root(), "", required=("name", "questions"), optional=("min_databases",))
        questions = self._list(fields["questions"], "questions", self._question, at_least=1)
        self._unique(fields["questions"], questions)
        least = self._integer(fields["min_databases"], "min_databases") if "min_databases" in fields else 2
        return Syllabus(name=self._text(fields["name"], "name"), questions=questions, min_databases=least)

    def _root(self) -> yaml.Node:
        text = _read(self._path)
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as exc:
            line = exc.problem_mark.line + 1 if exc.problem_mark else 1
            raise SyllabusError(f"{self._path.name}, line {line}: not YAML: {exc.problem or exc}") from exc
        except (yaml.YAMLError, RecursionError, ValueError) as exc:
            reason = "nested too deep" if isinstance(exc, RecursionError) else " ".join(str(exc).split())
            raise SyllabusError(f"{self._path.name}: not YAML: {reason}") from exc
        if root is None:
            raise SyllabusError(f"{self._path.name}: the file is empty")
        return root

    def _question(self, node: yaml.Node, place: str) -> Question:
        fields = self._mapping(
            node,
            place,
            required=("key", "label", "description", "min_sources"),
            optional=("rules", "threshold", "cues", "focus", "queries", *_MARKS),
        )
        values: dict[str, object] = {
            name: self._text(fields[name], f"{place}.{name}") for name in ("key", "label", "description")
        }
        values["min_sources"] = self._integer(fields["min_sources"], f"{place}.min_sources")
        if "threshold" in fields:
            values["threshold"] = self._number(fields["threshold"], f"{place}.threshold")
        values |= {name: self._boolean(fields[name], f"{place}.{name}") for name in _MARKS if name in fields}
        readers: dict[str, Callable[[yaml.Node, str], object]] = {
            "rules": self._rule,
            "cues": self._pattern,
            "focus": self._text,
        }
        values |= {n: self._list(fields[n], f"{place}.{n}", read) for n, read in readers.items() if n in fields}
        if "queries" in fields:
            values["queries"] = self._queries(fields["queries"], f"{place}.queries")
        return self._checked(node, place, values)

    def _checked(self, node: yaml.Node, place: str, values: dict[str, object]) -> Question:
        try:
            return Question.model_validate(values)
        except ValidationError as exc:
            problem = exc.errors()[0]
            name = str(problem["loc"][0])
            self._fail(node, f"{place}.{name}", f"{values.get(name)!r}: {problem['msg']}", child=name)

    def _rule(self, node: yaml.Node, place: str) -> Rule:
        fields = self._mapping(node, place, required=("pattern",), optional=("weight", "where"))
        rule = Rule(pattern=self._pattern(fields["pattern"], f"{place}.pattern"))
        if "weight" in fields:
            rule = rule.model_copy(update={"weight": self._number(fields["weight"], f"{place}.weight")})
        if "where" in fields:
            where = self._text(fields["where"], f"{place}.where")
            if where not in RULE_FIELDS:
                self._fail(fields["where"], f"{place}.where", f"{where!r} is none of {', '.join(RULE_FIELDS)}")
            rule = rule.model_copy(update={"where": where})
        return rule

    def _queries(self, node: yaml.Node, place: str) -> dict[str, tuple[str, ...]]:
        fields = self._mapping(node, place)
        return {name: self._list(words, f"{place}.{name}", self._text) for name, words in fields.items()}

    def _unique(self, node: yaml.Node, questions: Sequence[Question]) -> None:
        seen: dict[str, int] = {}
        for n, (question, child) in enumerate(zip(questions, node.value, strict=True)):
            if question.key in seen:
                place = f"questions[{n}].key"
                self._fail(child, place, f"{question.key!r} is already the key of questions[{seen[question.key]}]")
            seen[question.key] = n

    def _mapping(
        self, node: yaml.Node, place: str, required: Sequence[str] = (), optional: Sequence[str] | None = None
    ) -> dict[str, yaml.Node]:
        """The fields of a mapping; with `optional` given, no others than those named are allowed."""
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, place, "must be a mapping (key: value)")
        fields: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self._text(key_node, place)
            inner = f"{place}.{key}" if place else key
            if optional is not None and key not in (*required, *optional):
                self._fail(key_node, inner, f"unknown key; known: {', '.join((*required, *optional))}")
            if key in fields:
                self._fail(key_node, inner, "the key is given twice")
            fields[key] = value
        for key in required:
            if key not in fields:
                self._fail(node, f"{place}.{key}" if place else key, "the key is missing")
        return fields

    def _list(
        self, node: yaml.Node, place: str, read: Callable[[yaml.Node, str], _Item], at_least: int = 0
    ) -> tuple[_Item, ...]:
        if not isinstance(node, yaml.SequenceNode):
            self._fail(node, place, "must be a list")
        if len(node.value) < at_least:
            self._fail(node, place, f"needs at least {at_least} entry")
        return tuple(read(child, f"{place}[{n}]") for n, child in enumerate(node.value))

    def _text(self, node: yaml.Node, place: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag != "tag:yaml.org,2002:str":
            self._fail(node, place, "must be text (put it in quotes)")
        text = str(node.value).strip()
        if not text:
            self._fail(node, place, "must not be empty")
        return text

    def _pattern(self, node: yaml.Node, place: str) -> str:
        """A regular expression, or a list of them of which any may match."""
        if isinstance(node, yaml.SequenceNode):
            return "|".join(self._list(node, place, self._pattern, at_least=1))
        text = self._text(node, place)
        try:
            re.compile(text, re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as exc:
            self._fail(node, place, f"{text!r} is not a regular expression: {exc}")
        return text

    def _integer(self, node: yaml.Node, place: str) -> int:
        if node.tag != "tag:yaml.org,2002:int" or not re.fullmatch(r"[1-9]\d{0,5}", str(node.value)):
            self._fail(node, place, f"{_shown(node)} must be a whole number of 1 or more")
        return int(node.value)

    def _number(self, node: yaml.Node, place: str) -> float:
        if not isinstance(node, yaml.ScalarNode) or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)", str(node.value)):
            self._fail(node, place, f"{_shown(node)} must be a number")
        return float(node.value)

    def _boolean(self, node: yaml.Node, place: str) -> bool:
        if node.tag != "tag:yaml.org,2002:bool":
            self._fail(node, place, f"{_shown(node)} must be true or false")
        return str(node.value).lower() in ("true", "yes", "on")

    def _fail(self, node: yaml.Node, place: str, problem: str, child: str = "") -> NoReturn:
        line = next((key.start_mark.line for key in _keys(node) if key.value == child), node.start_mark.line) + 1
        name = place or "the file"
        raise SyllabusError(f"{self._path.name}, line {line}, {name}: {problem}")


def _keys(node: yaml.Node) -> Iterator[yaml.Node]:
    return (key for key, _ in node.value) if isinstance(node, yaml.MappingNode) else iter(())


def _shown(node: yaml.Node) -> str:
    return repr(node.value) if isinstance(node, yaml.ScalarNode) else "this"
