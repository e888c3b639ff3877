"""Checks the input of a tool against its JSON Schema, with errors that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jsonschema import Draft202012Validator, SchemaError, ValidationError

from storm.errors import UsageError, suggest_name
from storm.toolkit.tool import ToolConfig

#: Problems that one error names, and characters of a value and of a problem in it.
_NAMED, _VALUE, _PROBLEM = 5, 60, 200


def check_schema(tool: ToolConfig) -> None:
    """UsageError if the tool's schema is not a JSON Schema (2020-12) of an object."""
    try:
        Draft202012Validator.check_schema(tool.input_schema)
    except SchemaError as exc:
        raise UsageError(
            f"the input_schema of {tool.name} is not a JSON Schema: {exc.json_path}: {exc.message[:_PROBLEM]}"
        ) from exc
    if tool.input_schema.get("type") != "object":
        raise UsageError(f'the input_schema of {tool.name} has no "type": "object"', hint="parameters have names")


def read_params(tool: ToolConfig, given: Any) -> dict[str, Any]:
    """The input with the schema's defaults; UsageError names each problem with the field and what is allowed.

    A null stands for an optional parameter that was left out, as models write it.
    """
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(
            f"{tool.name} takes an object of parameters by name, not {_show(given)}", hint=_list_parameters(tool)
        )
    schema = tool.input_schema
    properties: Mapping[str, Any] = schema.get("properties", {})
    params = {name: part["default"] for name, part in properties.items() if "default" in part}
    required = schema.get("required", ())
    params |= {name: value for name, value in (given or {}).items() if value is not None or name in required}
    try:
        problems = [*_list_problems(Draft202012Validator(schema).iter_errors(params))]
    except RecursionError:
        problems = ["the input is nested too deep"]
    if problems:
        more = f"; and {len(problems) - _NAMED} more" if len(problems) > _NAMED else ""
        raise UsageError(
            f"wrong input of {tool.name}: {'; '.join(problems[:_NAMED])}{more}", hint=_list_parameters(tool)
        )
    return params


def _list_problems(errors: Iterable[ValidationError]) -> Iterable[str]:
    """Each problem once, in the order of the fields."""
    found = sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])
    return dict.fromkeys(problem for error in found for problem in _describe_problem(error))


def _describe_problem(error: ValidationError) -> list[str]:
    where = error.json_path.removeprefix("$").removeprefix(".")
    prefix = f"{where[:_PROBLEM]}." if where else ""
    properties = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
    if error.validator == "required":  # one error for each that is missing
        missing = [name for name in error.validator_value if name not in error.instance]
        return [f"{prefix}{name} is missing" for name in missing]
    if error.validator == "additionalProperties" and error.validator_value is False:
        unknown = [name for name in error.instance if name not in properties]
        return [
            f"{prefix}{_show(name)} is not a parameter ({suggest_name(str(name), properties)}"
            f"the parameters are {', '.join(properties)})"
            for name in unknown
        ]
    describe = _WORDS.get(str(error.validator))
    said = (
        f"is {_show(error.instance)}, but {describe(error.validator_value)}" if describe else error.message[:_PROBLEM]
    )
    return [f"{where[:_PROBLEM] or 'the input'} {said}"]


def _show(value: Any) -> str:
    """The value as JSON, cut."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _VALUE else f"{text[:_VALUE]}…"


def _name_type(wanted: str | list[str]) -> str:
    kinds = {"object": "an object", "array": "a list", "integer": "a whole number", "string": "a text"}
    names = [wanted] if isinstance(wanted, str) else wanted
    return f"it must be {' or '.join(kinds.get(name, f'a {name}') for name in names)}"


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "type": _name_type,
    "enum": lambda values: f"it must be one of {', '.join(map(_show, values))}",
    "const": lambda value: f"it must be {_show(value)}",
    "minimum": lambda least: f"it must be at least {least}",
    "maximum": lambda most: f"it must be at most {most}",
    "exclusiveMinimum": lambda least: f"it must be more than {least}",
    "exclusiveMaximum": lambda most: f"it must be less than {most}",
    "minLength": lambda least: f"it must have at least {least} characters",
    "maxLength": lambda most: f"it must have at most {most:,} characters: shorten it",
    "minItems": lambda least: f"it must have at least {least} items",
    "maxItems": lambda most: f"it must have at most {most} items",
    "pattern": lambda pattern: f"it must match {pattern}",
}


def _list_parameters(tool: ToolConfig) -> str:
    required = tool.input_schema.get("required", ())
    names = [name if name in required else f"{name} (optional)" for name in tool.input_schema.get("properties", {})]
    return f"{tool.name} takes {', '.join(names) or 'no parameters'}"
