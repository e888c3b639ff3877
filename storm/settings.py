"""The only reader of the environment."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from storm.errors import UsageError

#: A job's keys live this long after the last write, unless STORM_JOB_TTL_DAYS says otherwise.
DEFAULT_TTL_DAYS = 30


class Settings(NamedTuple):
    """What the environment says. `config_dir` holds the files that a non-programmer may change."""

    data_dir: Path
    config_dir: Path
    redis_url: str | None
    job_ttl: timedelta
    progress_plain: bool


def read_settings() -> Settings:
    """Settings from STORM_DATA_DIR, STORM_REDIS_URL or REDIS_URL, STORM_JOB_TTL_DAYS; UsageError if one is wrong."""
    return Settings(
        data_dir=_data_dir(),
        config_dir=_config_dir(),
        redis_url=os.environ.get("STORM_REDIS_URL") or os.environ.get("REDIS_URL") or None,
        job_ttl=timedelta(days=_days("STORM_JOB_TTL_DAYS", DEFAULT_TTL_DAYS)),
        progress_plain="NO_COLOR" in os.environ,
    )


def _data_dir() -> Path:
    if named := os.environ.get("STORM_DATA_DIR"):
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("storm", appauthor=False))


def _config_dir() -> Path:
    """The wheel's own copy, or the checkout's folder beside the package."""
    package = Path(__file__).parent
    inside = package / "config"
    return inside if inside.is_dir() else package.parent / "config"


def _days(name: str, default: int) -> float:
    text = os.environ.get(name, "")
    try:
        days = float(text) if text else float(default)
    except ValueError:
        days = 0.0
    if not 0.01 <= days <= 3650:
        raise UsageError(f"{name} is {text!r}; it takes a number of days from 0.01 to 3650")
    return days
