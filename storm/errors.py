"""Every error that storm raises on purpose.

StormError                  exit code 1
├── UsageError              2   what was asked for cannot be done as asked
│   ├── SyllabusError           a syllabus file is wrong: names file, line and key
│   └── UnknownJob              no job of that name in this store
├── StoreError              1   the store cannot be used
│   ├── StoreUnavailable        no server answers, or none can be started
│   ├── StoreRefused            the server answers and refuses (password, read-only, full, misconfigured)
│   ├── StoreSchemaError        a key holds another type, or was written by another version
│   ├── JobHeld                 another process holds the job's lease
│   └── LeaseLost               this process no longer holds the job's lease, and wrote nothing
├── CorpusError             1   the local corpus cannot be read or written
│   └── CorpusBusy              another process is writing to it
├── RecordError             3   one record or file cannot be read: names file, position and reason
├── ToolError               -   a tool's refusal, told to the agent as short text
└── Interrupted           130   stopped by the user; the job can be resumed
"""

from __future__ import annotations


class StormError(Exception):
    """The root: one clear line for the user, and optionally what to do about it."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(StormError):
    """What was asked for cannot be done as asked."""

    exit_code = 2


class SyllabusError(UsageError):
    """A syllabus file is wrong; the message names file, line and key."""


class UnknownJob(UsageError):
    """No job of that name is in this store."""


class StoreError(StormError):
    """The store cannot be used."""


class StoreUnavailable(StoreError):
    """No server answers, or none can be started."""


class StoreRefused(StoreError):
    """The server answers and refuses: password, read-only, memory or disk full."""


class StoreSchemaError(StoreError):
    """A key holds another type than ours, or was written by another version."""


class JobHeld(StoreError):
    """Another process holds the job's lease."""


class LeaseLost(StoreError):
    """This process no longer holds the job's lease; nothing was written."""


class CorpusError(StormError):
    """The local corpus cannot be read or written."""


class CorpusBusy(CorpusError):
    """Another process is writing to the local corpus."""


class RecordError(StormError):
    """One record or file cannot be read; `path` and `position` say where, the message says why."""

    exit_code = 3

    def __init__(self, message: str, *, path: str = "", position: str = "", hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.position = position

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.path, self.position) if part)
        return f"{place}: {self.message}" if place else self.message


class ToolError(StormError):
    """A tool's refusal: short text that an agent can act on."""


class Interrupted(StormError):
    """Stopped by the user; what was gathered is kept and the job can be resumed."""

    exit_code = 130
