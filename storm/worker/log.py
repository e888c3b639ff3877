"""The log of a worker: one fact a line, as text or JSON."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from dramatiq.middleware.shutdown import Shutdown

from storm.errors import StormError

#: Values that need no quotation marks.
_PLAIN = re.compile(r"[\w.:,/@+-]+")


class LogFormat(StrEnum):
    """How the lines are written."""

    TEXT = "text"
    JSON = "json"


class Fact:
    """What a line says: a name, and values by name. As text it is `name key=value …`, where a value with other than
    plain characters is a JSON string: ASCII, so that it moves no cursor."""

    def __init__(self, name: str, **values: str | int | float) -> None:
        self.name, self.values = name, values

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{key}={_quote(str(value))}" for key, value in self.values.items())))


def _quote(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else json.dumps(value)


class JsonLines(logging.Formatter):
    """One JSON object a line: `at` (UTC), `level`, `logger`, `fact`, and its values; for other libraries' lines
    `message`, and `error` with the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if isinstance(record.msg, Fact):
            line |= {"fact": record.msg.name, **record.msg.values}
        else:
            line["message"] = record.getMessage()
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


def is_news(record: logging.LogRecord) -> bool:
    """Whether the line says what no fact has said: Dramatiq reports each job that is put back as an error."""
    error = record.exc_info[1] if record.exc_info else None
    return not (record.name.startswith("dramatiq") and isinstance(error, Shutdown | StormError))


def start_log(form: LogFormat) -> None:
    """Write storm's facts, and the warnings of other libraries, to standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(is_news)
    text = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if form is LogFormat.JSON else text)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("storm").setLevel(logging.INFO)
