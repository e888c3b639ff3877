"""The public services as config/databases.yaml lists them; every mistake names file, line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import yaml
from pydantic import ValidationError

from storm.databases.service import CONTACT_VARIABLE, Service
from storm.errors import ConfigError

#: The engines for the web, in the order in which one is chosen.
ENGINES = ("tavily", "brave", "searxng", "duckduckgo")
#: The services that storm has a client for.
SERVICES = (
    "pubmed", "pmc", "europepmc", "patents", "epo_ops", "uspto_odp", "clinicaltrials", "chembl", "openfda", "dailymed",
    "crossref", "unpaywall", *ENGINES,
)  # fmt: skip

_MAX_BYTES = 256_000
_FROM_ENVIRONMENT = ("key", "contact")
_FIELDS = tuple(name for name in Service.model_fields if name not in ("name", *_FROM_ENVIRONMENT))
_REQUIRED = tuple(name for name in _FIELDS if Service.model_fields[name].is_required())
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")


def read_services(path: Path, environment: Mapping[str, str]) -> dict[str, Service]:
    """The services by name, in the order of the file, with the keys that the environment has for them.

    ConfigError naming file, line and key if there is a mistake in the file.
    """
    return _Reader(path).services(environment)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path

    def services(self, environment: Mapping[str, str]) -> dict[str, Service]:
        found: dict[str, Service] = {}
        for key, node in self._pairs(self._root(), ""):
            name = str(key.value)
            if name not in SERVICES:
                self._fail(key, name, f"storm has no client for it; it knows {', '.join(SERVICES)}")
            found[name] = self._service(name, key, node, environment)
        return found

    def _service(self, name: str, key: yaml.Node, node: yaml.Node, environment: Mapping[str, str]) -> Service:
        nodes = {str(field.value): (field, value) for field, value in self._pairs(node, name)}
        for field, (place, _) in nodes.items():
            if field in _FROM_ENVIRONMENT:
                self._fail(place, f"{name}.{field}", "it is read from the environment only; give `key_variable`")
            if field not in _FIELDS:
                self._fail(place, f"{name}.{field}", f"unknown key; known: {', '.join(_FIELDS)}")
        for field in _REQUIRED:
            if field not in nodes:
                self._fail(key, f"{name}.{field}", "the key is missing")
        values = {field: self._value(value, f"{name}.{field}") for field, (_, value) in nodes.items()}
        self._check(name, nodes, values)
        variable = values.get("key_variable")
        secrets = {"key": environment.get(variable or "") or None, "contact": environment.get(CONTACT_VARIABLE) or None}
        try:
            return Service.model_validate({"name": name, **values, **secrets}, strict=True)
        except ValidationError as exc:
            problem = exc.errors(include_input=False)[0]
            field = str(problem["loc"][0])
            self._fail(nodes[field][1], f"{name}.{field}", f"{values[field]!r}: {problem['msg']}")

    def _check(self, name: str, nodes: Mapping[str, tuple[yaml.Node, yaml.Node]], values: Mapping[str, Any]) -> None:
        """What the types of the fields do not say."""
        url, variable = values["base_url"], values.get("key_variable")
        if not _is_web_address(url):
            self._fail(nodes["base_url"][1], f"{name}.base_url", f"{url!r} is not an http or https address")
        if variable is not None and not (isinstance(variable, str) and _VARIABLE.fullmatch(variable)):
            self._fail(nodes["key_variable"][1], f"{name}.key_variable", f"{variable!r} is no name of a variable")
        if values.get("key_required") and variable is None:
            self._fail(nodes["key_required"][1], f"{name}.key_required", "there is no key_variable beside it")

    def _root(self) -> yaml.Node:
        try:
            root = yaml.compose(self._text(), Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as exc:
            line = exc.problem_mark.line + 1 if exc.problem_mark else 1
            raise ConfigError(f"{self._path.name}, line {line}: not YAML: {exc.problem or exc}") from exc
        except (yaml.YAMLError, RecursionError, ValueError) as exc:
            raise ConfigError(f"{self._path.name}: not YAML: {' '.join(str(exc).split())}") from exc
        if root is None:
            raise ConfigError(f"{self._path.name}: the file is empty")
        return root

    def _text(self) -> str:
        try:
            content = self._path.read_bytes()
        except OSError as exc:
            raise ConfigError(f"{self._path}: the file cannot be read: {exc.strerror or exc}") from exc
        if len(content) > _MAX_BYTES:
            raise ConfigError(f"{self._path}: the file has {len(content):,} bytes, a list of services fewer")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as exc:
            raise ConfigError(f"{self._path}: the file is not UTF-8 (byte {exc.start})") from exc

    def _pairs(self, node: yaml.Node, place: str) -> list[tuple[yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, place, "must be a mapping (key: value)")
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fail(key, place, "a key must be text")
            inner = f"{place}.{key.value}" if place else str(key.value)
            if key.value in seen:
                self._fail(key, inner, "the key is given twice")
            seen.add(key.value)
        return list(node.value)

    def _value(self, node: yaml.Node, place: str) -> Any:
        """A plain value, or a list of them."""
        if isinstance(node, yaml.SequenceNode):
            return tuple(self._value(item, place) for item in node.value)
        if not isinstance(node, yaml.ScalarNode):
            self._fail(node, place, "must be one value or a list")
        try:
            value = yaml.SafeLoader("").construct_object(node)
        except (yaml.YAMLError, ValueError, LookupError, AttributeError) as exc:  # what a wrong tag of YAML raises
            self._fail(node, place, f"{node.value!r} cannot be read: {' '.join(str(exc).split())}")
        if value == "" or value is None:
            self._fail(node, place, "must not be empty")
        return value

    def _fail(self, node: yaml.Node, place: str, problem: str) -> NoReturn:
        raise ConfigError(f"{self._path.name}, line {node.start_mark.line + 1}, {place or 'the file'}: {problem}")


def _is_web_address(url: object) -> bool:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        plain = parts and "@" not in parts.netloc  # a password there would be shown
        return bool(parts and plain and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0)
    except ValueError:
        return False
