"""What a value of the wrong kind should have been, in words of ours: those of pydantic are for programmers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: By pydantic's type of a problem; braces take the values of its context.
_WANTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "enum": "{expected}",
    "literal_error": "{expected}",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "string_too_short": "text of {min_length} characters or more",
    "string_too_long": "text of at most {max_length} characters",
}


def describe_problem(problem: Mapping[str, Any]) -> str:
    """`it must be a whole number`, of one of the errors that a ValidationError lists; its own words where it is of
    another type."""
    context = problem.get("ctx", {})
    if problem["type"] in _WANTED:
        return f"it must be {_WANTED[problem['type']].format_map(context)}"
    return str(context["error"]) if "error" in context else str(problem["msg"])


def list_choices(choices: Iterable[str]) -> str:
    """`text or json`, `one of high, normal, low`."""
    known = list(choices)
    return " or ".join(known) if len(known) < 3 else f"one of {', '.join(known)}"


def describe_range(least: float | None, most: float | None, *, is_whole: bool) -> str:
    """`a whole number from 1 to 50`, `a number of 0.001 or more`."""
    kind = "a whole number" if is_whole else "a number"
    if least is not None and most is not None:
        return f"{kind} from {least:,.10g} to {most:,.10g}"
    if least is not None:
        return f"{kind} of {least:,.10g} or more"
    return kind if most is None else f"{kind} of at most {most:,.10g}"
