"""Converts a tool's result to text for a prompt; pictures and raw bytes are refused."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import dspy
from pydantic import BaseModel

from storm.errors import ToolError

#: Methods of picture objects, in PIL and matplotlib for example.
_PICTURES = ("_repr_png_", "_repr_jpeg_", "_repr_svg_")
#: A string that contains a picture, a sound or a film.
_DATA_URL = re.compile(r"\s{0,99}(data:(?:image|audio|video)/[\w.+-]{1,60})[;,]", re.IGNORECASE)


class _NoText(Exception):
    """A value without text; the message names its kind."""


def read_observation(result: Any, tool: str) -> str:
    """The result as lines of text; ToolError, naming the tool, if any part of it is not text."""
    try:
        value = _plain_value(result)
    except _NoText as exc:
        raise ToolError(f"{tool} returned {exc}, which an observation cannot hold: it must return text") from None
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_format_inline(part)}" for name, part in value.items())
    return "\n".join(map(_format_inline, value)) if isinstance(value, list) else str(value)


def cut_observation(text: str, limit: int) -> str:
    """At most so many characters, with a count of those left out; lone surrogates are replaced."""
    text = text.encode("utf-8", "replace").decode()
    if len(text) <= limit:
        return text
    kept = text[: limit - 60].rstrip()
    return f"{kept}\n(cut here: {len(text) - len(kept):,} characters more)"


def _plain_value(value: Any) -> Any:
    """The value as dicts, lists and values with a text; _NoText names the first part without one."""
    if isinstance(value, dspy.Type) and not isinstance(value.format(), str):
        raise _NoText(_name_type(value))
    if isinstance(value, dspy.Type):
        return value.format()
    if isinstance(value, BaseModel):
        return {name: _plain_value(getattr(value, name)) for name in type(value).model_fields}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain_value(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping | dspy.Example):
        return {name: _plain_value(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain_value(part) for part in value]
    if isinstance(value, str) and (encoded := _DATA_URL.match(value)):
        raise _NoText(f"a string that is {encoded[1].lower()}")
    if not _has_text(value):
        raise _NoText(_name_type(value))
    return value


def _has_text(value: Any) -> bool:
    if isinstance(value, bytes | bytearray | memoryview) or any(hasattr(value, name) for name in _PICTURES):
        return False
    return any("__str__" in vars(kind) or "__repr__" in vars(kind) for kind in type(value).__mro__[:-1])


def _name_type(value: Any) -> str:
    kind = type(value).__name__
    return f"an {kind}" if kind[:1].lower() in "aeiou" else f"a {kind}"


def _format_inline(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_format_inline(part)}" if part != "" else str(name) for name, part in value.items())
    return ", ".join(map(_format_inline, value)) if isinstance(value, list) else str(value)
