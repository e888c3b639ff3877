"""The only reader of the environment."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from storm.errors import UsageError
from storm.value_wording import list_choices

#: A job's keys expire this long after the last write, unless STORM_JOB_TTL_DAYS is set.
DEFAULT_TTL_DAYS = 30


class Environment(dict[str, str]):
    """The environment's values, among them the services' keys; printing it shows none of them."""

    def __repr__(self) -> str:
        return "Environment()"


class Settings(NamedTuple):
    """The settings from the environment. `config_dir` holds the files that a non-programmer may change.

        settings = storm.read_settings()._replace(data_dir=Path("/tmp/storm"))
        storm.run("trastuzumab", settings=settings)

    `databases` lists the public services, `models` the language models. `http` selects the transport (`record:DIR`,
    `replay:DIR`; empty: the network), `contact` is sent to the services, `honour_robots` is whether a site's
    robots.txt is obeyed, `may_evict` whether a Redis that evicts keys when its memory is full is accepted. `traces_url`
    is the SQL database of the traces; None is a file in the data directory. `queue_url` is the Redis database of the
    workers' queue; None is the next one on the store's server. `unattended` is whether nobody waits at a terminal, so
    that calls of public services wait for their turn for as long as it takes many jobs to share a rate limit.
    """

    data_dir: Path
    config_dir: Path
    redis_url: str | None
    job_ttl: timedelta
    progress_plain: bool
    databases: Path
    models: Path | None = None
    http: str = ""
    contact: str | None = None
    honour_robots: bool = True
    environment: Environment = Environment()
    may_evict: bool = False
    traces_url: str | None = None
    queue_url: str | None = None
    unattended: bool = False


def read_settings() -> Settings:
    """Read the settings from the environment.

        settings = storm.read_settings()._replace(data_dir=Path("my-data"))

    Raises UsageError if one of them is wrong.
    """
    config_dir = _find_config_dir()
    return Settings(
        data_dir=_find_data_dir(),
        config_dir=config_dir,
        databases=_read_path("STORM_DATABASES", config_dir / "databases.yaml"),
        models=_read_path("STORM_MODELS", config_dir / "models.yaml"),
        http=os.environ.get("STORM_HTTP", ""),
        contact=_read_contact(),
        honour_robots=_read_choice("STORM_ROBOTS", ("honour", "ignore")) == "honour",
        environment=Environment({name: value for name, value in os.environ.items() if value.strip()}),
        may_evict=_read_choice("STORM_REDIS_EVICTION", ("refuse", "allow")) == "allow",
        traces_url=os.environ.get("STORM_TRACES_URL") or None,
        queue_url=_read_queue_url(),
        redis_url=os.environ.get("STORM_REDIS_URL") or os.environ.get("REDIS_URL") or None,
        job_ttl=timedelta(days=_read_days("STORM_JOB_TTL_DAYS", DEFAULT_TTL_DAYS)),
        progress_plain="NO_COLOR" in os.environ,
    )


def _find_data_dir() -> Path:
    if named := os.environ.get("STORM_DATA_DIR"):
        folder = Path(named).expanduser().absolute()
        if folder.exists() and not folder.is_dir():
            raise UsageError(
                f"STORM_DATA_DIR is {named!r}, which is not a folder", hint="name a folder, or leave it unset"
            )
        return folder
    import platformdirs

    return Path(platformdirs.user_data_dir("storm", appauthor=False))


def _find_config_dir() -> Path:
    """The wheel's own copy, or the checkout's folder beside the package."""
    package = Path(__file__).parent
    inside = package / "config"
    return inside if inside.is_dir() else package.parent / "config"


def _read_path(name: str, default: Path) -> Path:
    named = os.environ.get(name)
    return Path(named).expanduser() if named else default


def _read_contact() -> str | None:
    text = os.environ.get("STORM_CONTACT", "").strip()
    if text and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s.]+|https?://\S+", text):
        raise UsageError(
            f"STORM_CONTACT is {text[:80]!r}, which is not an e-mail address", hint="give one like me@example.org"
        )
    return text or None


def _read_queue_url() -> str | None:
    """The address of the workers' queue; what else is wrong with it is found where the queue is opened."""
    url = os.environ.get("STORM_QUEUE_URL") or None
    if url and not re.match(r"(?:redis(?:\+sentinel)?|rediss|unix)://", url):  # which may hold a password
        raise UsageError(
            "STORM_QUEUE_URL is not a Redis URL",
            hint="write redis://[:PASSWORD@]HOST[:PORT][/NUMBER], rediss://… or unix:///PATH, or leave it unset",
        )
    return url


def _read_choice(name: str, choices: tuple[str, ...]) -> str:
    """One of the choices; the first where nothing is set."""
    text = os.environ.get(name) or choices[0]
    if text not in choices:
        raise UsageError(f"{name} is {text!r}; it must be {list_choices(choices)}")
    return text


def _read_days(name: str, default: int) -> float:
    text = os.environ.get(name, "")
    try:
        days = float(text) if text else float(default)
    except ValueError:
        days = 0.0
    if not 0.01 <= days <= 3650:
        raise UsageError(f"{name} is {text!r}; it must be a number of days from 0.01 to 3650")
    return days
