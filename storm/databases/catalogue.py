"""Reads the public services from config/databases.yaml; every error names file, line and key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from storm.config_file import ConfigFile, Fields, has_secret_parts, is_variable, is_web_address
from storm.databases.clients import CLIENTS
from storm.databases.http.service import CONTACT_VARIABLE, Service
from storm.errors import ConfigError

_FROM_ENVIRONMENT = ("key", "contact")
_FIELDS = tuple(name for name in Service.model_fields if name not in ("name", *_FROM_ENVIRONMENT))
_REQUIRED = tuple(name for name in _FIELDS if Service.model_fields[name].is_required())


def read_services(path: Path, environment: Mapping[str, str]) -> dict[str, Service]:
    """The services by name, in the order of the file, with their keys from the environment.

    Raises ConfigError naming file, line and key if the file has a mistake.
    """
    file = ConfigFile(path)
    root = file.root()
    if root is None:
        raise ConfigError(f"{path.name}: the file is empty")
    services: dict[str, Service] = {}
    for key, node in file.pairs(root, ""):
        name = str(key.value)
        if name not in CLIENTS:
            file.fail(key, name, f"storm has no client for it; known services: {', '.join(sorted(CLIENTS))}")
        services[name] = _read_service(file, name, key, node, environment)
    return services


def _read_service(
    file: ConfigFile, name: str, key: yaml.Node, node: yaml.Node, environment: Mapping[str, str]
) -> Service:
    for field, _ in file.pairs(node, name):
        if field.value in _FROM_ENVIRONMENT:
            file.fail(field, f"{name}.{field.value}", "it is read from the environment only; use `key_variable`")
    fields = file.fields(key, node, name, known=_FIELDS, required=_REQUIRED)
    values = {field: file.value(value, f"{name}.{field}") for field, (_, value) in fields.items()}
    _check_values(file, name, fields, values)
    secrets = {"key": values.get("key_variable"), "contact": CONTACT_VARIABLE}
    # A key read from a file often ends in a line break, which is not allowed in a header.
    credentials = {field: environment.get(variable or "", "").strip() or None for field, variable in secrets.items()}
    return file.validate_values(Service, {"name": name, **values, **credentials}, fields, name)


def _check_values(file: ConfigFile, name: str, fields: Fields, values: Mapping[str, Any]) -> None:
    """Check what the field types cannot express."""
    url, variable = values["base_url"], values.get("key_variable")
    if not is_web_address(url):
        file.fail(fields["base_url"][1], f"{name}.base_url", f"{url!r} is not an http or https address")
    if has_secret_parts(url):
        problem = "it contains a user name, a password or a query; put keys into the environment"
        file.fail(fields["base_url"][1], f"{name}.base_url", problem)
    if variable is not None and not is_variable(variable):
        file.fail(fields["key_variable"][1], f"{name}.key_variable", f"{variable!r} is not a valid variable name")
    if values.get("key_required") and variable is None:
        file.fail(fields["key_required"][1], f"{name}.key_required", "key_variable is missing")
