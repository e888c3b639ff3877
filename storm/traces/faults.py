"""The errors of databases become storm's, in one table. SQLAlchemy is not needed here."""

from __future__ import annotations

from typing import NamedTuple

from storm.errors import TracesBusy, TracesError, TracesRefused, TracesSchemaError, TracesUnavailable

#: Seconds that a write waits for another process.
BUSY_SECONDS = 5


class _Fault(NamedTuple):
    """Which of our errors stands for the codes that begin so: names of SQLite, SQLSTATE of PostgreSQL."""

    codes: tuple[str, ...]
    ours: type[TracesError]
    message: str
    hint: str


_FAULTS = (
    _Fault(
        ("SQLITE_BUSY", "SQLITE_LOCKED", "55P03", "57014", "40"), TracesBusy,
        "the traces at {at} are locked by another process", "try again when it is done",
    ),
    _Fault(
        ("SQLITE_FULL", "53100"), TracesRefused,
        "there is no space left for the traces at {at}", "free disk space, or remove old traces (prune)",
    ),
    _Fault(
        ("SQLITE_READONLY", "SQLITE_PERM", "25006", "42501"), TracesRefused,
        "the traces at {at} may be read, but not written", "give this user the right to write, or set STORM_TRACES_URL",
    ),
    _Fault(
        ("SQLITE_CANTOPEN", "SQLITE_AUTH"), TracesUnavailable,
        "the traces at {at} cannot be opened", "see that the folder is there and that this user may write to it",
    ),
    _Fault(
        ("SQLITE_NOTADB", "SQLITE_CORRUPT"), TracesRefused,
        "the traces at {at} are damaged, or no SQLite database", "restore them from a copy, or move the file away",
    ),
    _Fault(
        ("SQLITE_IOERR",), TracesRefused, "the disk of the traces at {at} fails", "see that it is there and not full",
    ),
    _Fault(("28",), TracesRefused, "the database at {at} refuses the user or password", "correct STORM_TRACES_URL"),
    _Fault(("3D",), TracesUnavailable, "there is no database at {at}", "create it, or correct STORM_TRACES_URL"),
    _Fault(
        ("42P01", "42703", "42P07"), TracesSchemaError,
        "the tables at {at} are not those of storm", "name another database in STORM_TRACES_URL",
    ),
)  # fmt: skip

#: SQLite has one code for a missing table and for any mistake.
_FOREIGN = ("no such table", "no such column", "already exists", "has no column")


def make_error(driver: BaseException, place: str) -> TracesError:
    """Storm's error for that of a driver; `place` names the database without its password."""
    code = str(getattr(driver, "sqlite_errorname", None) or getattr(driver, "sqlstate", None) or "")
    for fault in _FAULTS:
        if code.startswith(fault.codes):
            return fault.ours(fault.message.format(at=place), hint=fault.hint)
    if any(word in str(driver) for word in _FOREIGN):
        return _translate_code("42P01", place)
    if not code or code[:2] in ("08", "57"):
        return unreachable(place, str(driver))
    return TracesError(f"the database at {place} answered: {driver}")


def _translate_code(code: str, place: str) -> TracesError:
    fault = next(fault for fault in _FAULTS if code in fault.codes)
    return fault.ours(fault.message.format(at=place), hint=fault.hint)


def unreachable(place: str, said: str = "") -> TracesError:
    """The error for a database that does not answer; `said` is what its driver says."""
    if 'database "' in said and "does not exist" in said:  # psycopg knows no code while it connects
        return _translate_code("3D", place)
    if "authentication failed" in said or "no password supplied" in said:
        return _translate_code("28", place)
    return TracesUnavailable(f"no database answers at {place}", hint="start it, or correct STORM_TRACES_URL")
