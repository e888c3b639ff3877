"""Reads YAML configuration files; every error names file, line and key."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ValidationError

from storm.errors import ConfigError, UsageError, suggest_name
from storm.value_wording import describe_problem

#: A configuration file is a few pages of text; a larger file is something else.
MAX_BYTES = 256_000

#: Maximum nesting; the parser's time grows with the square of it.
MAX_DEPTH = 30

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")

#: What may be a key or a password in the wrong place: a usual prefix, a user in an address, or a long run of letters
#: and digits. Variable names of several words are not.
_SECRET = re.compile(r"(?:^|/)sk-|@|[?&]\w+=|(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{16}")
_WORDS = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")

#: The fields of a mapping: the node of each key, and of its value.
Fields = Mapping[str, tuple[yaml.Node, yaml.Node]]

_Model = TypeVar("_Model", bound=BaseModel)
_Item = TypeVar("_Item")


#: PyYAML's parser in C where its build has it: it is faster than the one in Python.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@lru_cache(maxsize=16)
def _compose(text: str) -> yaml.Node | None:
    """The top node of that text; cached, because each job of a process reads the same files."""
    try:
        return _compose_by(_Loader, text)
    except yaml.YAMLError:  # the parser in Python says more clearly what is wrong, and names the line where it is
        return _compose_by(yaml.SafeLoader, text)


def _compose_by(loader: type[yaml.SafeLoader], text: str) -> yaml.Node | None:
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            mark: Any = event.start_mark
            raise yaml.MarkedYAMLError(problem="nested too deep", problem_mark=mark)
    root: yaml.Node | None = yaml.compose(text, Loader=loader)
    return root


class ConfigFile:
    """One file as YAML nodes, which know their lines. Every mistake in it raises `error`, naming the line."""

    def __init__(self, path: Path, error: type[UsageError] = ConfigError) -> None:
        self._path = path
        self._error = error

    def root(self) -> yaml.Node | None:
        """The top node; None if the file holds only comments."""
        try:
            return _compose(self._read_file())
        except yaml.MarkedYAMLError as exc:
            line = exc.problem_mark.line + 1 if exc.problem_mark else 1
            raise self._error(f"{self._path.name}, line {line}: not YAML: {exc.problem or exc}") from exc
        except (yaml.YAMLError, ValueError) as exc:
            raise self._error(f"{self._path.name}: not YAML: {' '.join(str(exc).split())}") from exc

    @property
    def is_blank(self) -> bool:
        """Whether the file holds nothing, not even comments."""
        return not self._read_file().strip()

    def pairs(self, node: yaml.Node, place: str) -> list[tuple[yaml.Node, yaml.Node]]:
        """The keys and values of a mapping, in file order, without duplicate keys."""
        if not isinstance(node, yaml.MappingNode):
            self.fail(node, place, "must be a mapping (key: value)")
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.fail(key, place, "a key must be text")
            if key.value in seen:
                self.fail(key, _join_place(place, key.value), "the key is given twice")
            seen.add(key.value)
        return list(node.value)

    def fields(
        self, key: yaml.Node, node: yaml.Node, place: str, *, known: Sequence[str], required: Sequence[str]
    ) -> Fields:
        """The fields of the mapping under this key: all required ones, and only known ones."""
        found = {str(field.value): (field, value) for field, value in self.pairs(node, place)}
        for name, (field, _) in found.items():
            if name not in known:
                problem = f"unknown key; {suggest_name(name, known)}known: {', '.join(known)}"
                self.fail(field, _join_place(place, name), problem)
        for name in required:
            if name not in found:
                self.fail(key, _join_place(place, name), "the key is missing")
        return found

    def value(self, node: yaml.Node, place: str) -> Any:
        """A plain value, or a list of them as a tuple."""
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.value(item, place) for item in node.value)
        if not isinstance(node, yaml.ScalarNode):
            self.fail(node, place, "must be one value or a list")
        try:
            value = yaml.SafeLoader("").construct_object(node)
        except (yaml.YAMLError, ValueError, LookupError, AttributeError) as exc:  # what a wrong tag of YAML raises
            self.fail(node, place, f"{quote_value(node.value)} cannot be read: {' '.join(str(exc).split())}")
        if value == "" or value is None:
            self.fail(node, place, "must not be empty")
        return value

    def validate_values(self, model: type[_Model], values: Mapping[str, Any], fields: Fields, place: str) -> _Model:
        """The values as that model; fails at the first value of a wrong type or out of range."""
        try:
            return model.model_validate(values, strict=True)
        except ValidationError as exc:
            problem = exc.errors(include_input=False)[0]
            name = str(problem["loc"][0])
            self.fail(fields[name][1], f"{place}.{name}", f"{quote_value(values[name])}: {describe_problem(problem)}")

    def text(self, node: yaml.Node, place: str) -> str:
        """A text, without surrounding white space."""
        if not isinstance(node, yaml.ScalarNode) or node.tag != "tag:yaml.org,2002:str":
            self.fail(node, place, "must be text (put it in quotes)")
        text = str(node.value).strip()
        if not text:
            self.fail(node, place, "must not be empty")
        return text

    def integer(self, node: yaml.Node, place: str) -> int:
        """A whole number of 1 or more."""
        if node.tag != "tag:yaml.org,2002:int" or not re.fullmatch(r"[1-9]\d{0,5}", str(node.value)):
            self.fail(node, place, f"{_quote_value(node)} must be a whole number of 1 or more")
        return int(node.value)

    def number(self, node: yaml.Node, place: str) -> float:
        """A decimal number."""
        if not isinstance(node, yaml.ScalarNode) or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)", str(node.value)):
            self.fail(node, place, f"{_quote_value(node)} must be a number")
        return float(node.value)

    def boolean(self, node: yaml.Node, place: str) -> bool:
        """True or false."""
        if node.tag != "tag:yaml.org,2002:bool":
            self.fail(node, place, f"{_quote_value(node)} must be true or false")
        return str(node.value).lower() in ("true", "yes", "on")

    def items(
        self, node: yaml.Node, place: str, read: Callable[[yaml.Node, str], _Item], at_least: int = 0
    ) -> tuple[_Item, ...]:
        """The items of a list, each read by `read`."""
        if not isinstance(node, yaml.SequenceNode):
            self.fail(node, place, "must be a list")
        if len(node.value) < at_least:
            self.fail(node, place, f"needs at least {at_least} entry")
        return tuple(read(child, f"{place}[{n}]") for n, child in enumerate(node.value))

    def fail(self, node: yaml.Node, place: str, problem: str) -> NoReturn:
        raise self._error(f"{self.describe_place(node, place)}: {problem}")

    def describe_place(self, node: yaml.Node, place: str) -> str:
        """The location of the node: file, line and key."""
        return f"{self._path.name}, line {node.start_mark.line + 1}, {place or 'the file'}"

    def _read_file(self) -> str:
        try:
            content = read_regular(self._path, MAX_BYTES)
        except OSError as exc:
            raise self._error(f"{self._path}: the file cannot be read: {exc.strerror or exc}") from exc
        if len(content) > MAX_BYTES:
            raise self._error(f"{self._path}: the file has over {MAX_BYTES:,} bytes: too many for a configuration file")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as exc:
            raise self._error(f"{self._path}: the file is not UTF-8 (byte {exc.start})") from exc


def _join_place(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _quote_value(node: yaml.Node) -> str:
    return repr(node.value) if isinstance(node, yaml.ScalarNode) else "this"


def read_regular(path: Path, most: int) -> bytes:
    """The file's bytes, at most one more than `most`; OSError if it cannot be read, or is not a regular file."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(None, "not a regular file")
    with path.open("rb") as file:
        return file.read(most + 1)


def may_be_key(value: object) -> bool:
    """Whether it may be a key or a password in the wrong place."""
    return isinstance(value, str) and not _WORDS.fullmatch(value) and _SECRET.search(value) is not None


def quote_value(value: object) -> str:
    """A value as an error message shows it; a possible key is hidden."""
    return "[not shown: it may be a key]" if may_be_key(value) else repr(value)


def is_variable(name: object) -> bool:
    """Whether it can be the name of an environment variable."""
    return isinstance(name, str) and _VARIABLE.fullmatch(name) is not None


def is_web_address(url: object) -> bool:
    """Whether it is an http or https address with a host."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        return bool(parts and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0)
    except ValueError:
        return False


def has_secret_parts(url: str) -> bool:
    """Whether it has a user, a password, a query or a fragment, which may be secrets."""
    parts = urlsplit(url)
    return "@" in parts.netloc or bool(parts.query or parts.fragment)
