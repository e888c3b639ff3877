"""Every error that storm raises on purpose.

StormError                  exit code 1
├── UsageError              2   the request cannot be carried out as given
│   ├── SyllabusError           a syllabus file is wrong: names file, line and key
│   ├── ConfigError             another configuration file is wrong: names file, line and key
│   ├── UnknownJob              no job of that name in this store
│   ├── UnknownTrace            no trace of that id belongs to this user and organisation
│   ├── TraceFinished           a finished trace is not changed
│   └── DrugNotIdentified       the drug's name means several drugs, or not the one that was given as its meaning
├── StoreError              1   the store cannot be used
│   ├── StoreUnavailable        no server answers, or none can be started
│   ├── StoreRefused            the server answers and refuses (password, read-only, full, misconfigured)
│   ├── StoreSchemaError        a key holds an unexpected type, or was written by another version
│   ├── StepMismatch            a finished step was made from different inputs, or by an unsupported version
│   ├── CollectionDamaged       a job's keys contradict each other: something was lost
│   ├── JobHeld                 another process holds the job's lease
│   └── LeaseLost               this process no longer holds the job's lease, and wrote nothing
├── TracesError             1   the traces cannot be read or written; a job goes on without them
│   ├── TracesUnavailable       no database answers, or none is there
│   ├── TracesBusy              another process is writing
│   ├── TracesRefused           the database answers and refuses (password, read-only, full, damaged)
│   └── TracesSchemaError       it was written by a newer version of storm, or by another program
├── CorpusError             1   the local corpus cannot be read or written
│   └── CorpusBusy              another process is writing to it
├── ServiceError            3   a public service could not be queried, or its answer not used: names service and reason
│   ├── NotConfigured           it is switched off, or its key is missing
│   ├── QueryRejected           it rejected the query; a retry will not help
│   ├── RateLimited             rate-limited for longer than storm waits
│   ├── ServiceDown             no answer in time, no connection, or an error of its own, after every retry
│   ├── BadAnswer               an answer that is not what was asked for: HTML for data, cut, too large, another record
│   └── Blocked                 an address that must not be requested (private, local, a forbidden port or scheme)
├── NothingSearched         3   every search of a job failed: says why, by database
├── RecordError             3   one record or file cannot be read: names file, position and reason
├── ModelError              1   a language model could not be called, or its answer not used: names the model
│   ├── PromptTooLong           the prompt does not fit into the model's context; a shorter one may
│   └── BadReply                an empty reply, or one cut at its length limit; a retry may help
├── FormatUnavailable       3   a format of the report lacks its library or its template; the others are written
├── BudgetSpent             3   the next call could pass a limit in dollars, tokens, calls or minutes
├── ToolError               -   a tool's refusal, returned to the agent as short text
└── Interrupted           130   stopped by the user; the job can be resumed
    └── JobCancelled            stopped by `storm cancel`, perhaps from another machine
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from storm.error_codes import Code as Code


def name_install(extra: str) -> str:
    """How to install what an extra of the package holds."""
    return f"pip install 'storm-research[{extra}]' (in a clone: scripts/install {extra})"


def suggest_name(wrong: str, known: Iterable[str]) -> str:
    """`did you mean pubmed? ` for a name that is close to a known one, to put before the list of them; else empty."""
    import difflib  # of use for a wrong name only

    close = difflib.get_close_matches(wrong.lower(), list(known), n=1)
    return f"did you mean {close[0]}? " if close else ""


class StormError(Exception):
    """The root: one clear line for the user, and optionally what to do about it.

        try:
            storm.run("trastuzumab")
        except storm.StormError as error:
            print(error.message, error.hint, error.exit_code)

    `hint` is for callers from Python. Where the remedy differs on the command line, `code` identifies the error and
    `details` holds what its hint names; its `setting` is the argument that is wrong. `unfinished_job` is a job that can
    be resumed once this is fixed.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None, code: Code | None = None, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
        self.details = details
        self.unfinished_job = ""


class UsageError(StormError):
    """The request cannot be carried out as given."""

    exit_code = 2


class RowsRefused(UsageError):
    """Rows of a batch are wrong, so that nothing of it was started; `problems` has a line for each."""

    def __init__(self, message: str, *, problems: Iterable[str], hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.problems = tuple(problems)


class SyllabusError(UsageError):
    """A syllabus file is wrong; the message names file, line and key."""


class ConfigError(UsageError):
    """A configuration file other than a syllabus is wrong; the message names file, line and key."""


class UnknownJob(UsageError):
    """No job of that name is in this store."""


class UnknownTrace(UsageError):
    """No trace of that id belongs to this user and organisation."""


class TraceFinished(UsageError):
    """The trace is finished; it is not changed any more."""


class DrugNotIdentified(UsageError):
    """The drug's name means several drugs, or not the one that was given as its meaning; nothing was gathered."""


class StoreError(StormError):
    """The store cannot be used."""


class StoreUnavailable(StoreError):
    """No server answers, or none can be started."""


class StoreRefused(StoreError):
    """The server answers and refuses: password, read-only, memory or disk full."""


class StoreSchemaError(StoreError):
    """A key holds an unexpected type, or was written by another version."""


class StepMismatch(StoreError):
    """A finished step of a job was made from different inputs, or by a version whose result cannot be read."""


class CollectionDamaged(StoreError):
    """A job's keys contradict each other: data was lost, and nothing was written."""


class JobHeld(StoreError):
    """Another process holds the job's lease."""


class LeaseLost(StoreError):
    """This process no longer holds the job's lease; nothing was written."""


class TracesError(StormError):
    """The traces cannot be read or written; no job depends on them."""


class TracesUnavailable(TracesError):
    """No database answers, or none is there."""


class TracesBusy(TracesError):
    """Another process is writing to the traces."""


class TracesRefused(TracesError):
    """The database answers and refuses: password, read-only, full, damaged."""


class TracesSchemaError(TracesError):
    """The traces were written by a newer version of storm, or by another program."""


class CorpusError(StormError):
    """The local corpus cannot be read or written."""


class CorpusBusy(CorpusError):
    """Another process is writing to the local corpus."""


class ServiceError(StormError):
    """A public service could not be queried, or its answer not used; the text holds no secret and no local address.

    `status` is the HTTP status that it answered with, where it answered.
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        service: str = "",
        status: int | None = None,
        hint: str | None = None,
        code: Code | None = None,
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.service = service
        self.status = status


class NotConfigured(ServiceError):
    """The service is switched off, or its key is missing."""


class QueryRejected(ServiceError):
    """The service rejected the query; a retry will not help."""


class RateLimited(ServiceError):
    """The service is rate-limiting for longer than storm waits."""


class ServiceDown(ServiceError):
    """No answer in time, no connection, or an error of the service's own, after every retry."""


class BadAnswer(ServiceError):
    """An answer that is not what was asked for: HTML for data, cut, too large, another record."""


class DamagedAnswer(BadAnswer):
    """An answer that is cut off or damaged; a retry may help."""


class ForeignAnswer(BadAnswer):
    """An answer about something other than what was asked for; nothing in it is used."""


class Blocked(ServiceError):
    """An address that must not be requested: private, local, or a forbidden port or scheme."""


class NothingSearched(StormError):
    """No search of a job was answered: `reasons` says why, by database; `other`, of those that are not among them."""

    exit_code = 3

    def __init__(self, reasons: Mapping[str, str], other: str) -> None:
        super().__init__("nothing could be searched", hint="`reasons` says why", code=Code.NOTHING_SEARCHED)
        self.reasons = reasons
        self.other = other


class RecordError(StormError):
    """One record or file cannot be read; `path` and `position` say where, the message says why.

    `records` is how many records are not read for this reason, where that is known; 0 for a row that holds none.
    """

    exit_code = 3

    def __init__(
        self, message: str, *, path: str = "", position: str = "", records: int = 1, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.position = position
        self.records = records

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.path, self.position) if part)
        return f"{place}: {self.message}" if place else self.message


class ModelError(StormError):
    """A language model could not be called, or its answer not used; the text holds no key."""


class PromptTooLong(ModelError):
    """The prompt does not fit into the model's context; `context` is its size in tokens, where it is known."""

    def __init__(self, message: str, *, context: int | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.context = context


class BadReply(ModelError):
    """An empty reply, or one cut at its length limit; a retry may help."""


class FormatUnavailable(StormError):
    """A format of the report needs a library that is not installed, or a template that cannot be read.

    `files` are those of the other formats.
    """

    exit_code = 3

    def __init__(self, message: str, *, hint: str | None = None, files: Iterable[Path] = ()) -> None:
        super().__init__(message, hint=hint)
        self.files = tuple(files)


class BudgetSpent(StormError):
    """The next call could pass a limit in dollars, tokens, calls or minutes; it was not made."""

    exit_code = 3


class ToolError(StormError):
    """A tool's refusal: short text that an agent can act on."""


class Interrupted(StormError):
    """Stopped by the user; what was gathered is kept and the job can be resumed."""

    exit_code = 130


class JobCancelled(Interrupted):
    """The job was cancelled, perhaps from another machine; it can be resumed."""
