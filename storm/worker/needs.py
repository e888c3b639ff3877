"""What a job needs of the worker that carries it out: the same storm, configuration and records as where it was
submitted. The queue's name says it, so a worker never gets a job that it would carry out otherwise."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from storm.app import open_corpus
from storm.settings import Settings
from storm.store import JobNeeds
from storm.version import __version__

#: The priorities of jobs, the first first.
PRIORITIES = ("high", "normal", "low")
#: A key of a service, as the lists of databases and models name it.
_KEY_NAME = re.compile(r"\b[A-Z][A-Z0-9_]{2,60}\b")


def name_queue(needs: JobNeeds, priority: str) -> str:
    """The queue of jobs with these needs and this priority."""
    digest = _digest([needs.version.encode(), needs.configuration.encode(), needs.corpus.encode()])
    return f"storm-{digest}-{priority}"


def find_needs(settings: Settings) -> JobNeeds:
    """What a job that is submitted with these settings needs, and what a worker with them offers."""
    return JobNeeds(
        version=__version__,
        configuration=_digest_configuration(settings),
        corpus=open_corpus(settings).digest_records(),
    )


def _digest_configuration(settings: Settings) -> str:
    files = sorted(settings.config_dir.rglob("*.yaml"))
    named = {str(file.relative_to(settings.config_dir)): file for file in files}
    named |= {"databases.yaml": settings.databases, **({"models.yaml": settings.models} if settings.models else {})}
    texts = [(name, _read(file)) for name, file in sorted(named.items())]
    wanted = {key for _, text in texts for key in _KEY_NAME.findall(text.decode(errors="replace"))}
    keys = sorted(wanted & settings.environment.keys())  # whether they are set; never what they are
    ways = [settings.http, str(settings.honour_robots)]
    files_and_names = [part for name, text in texts for part in (name.encode(), text)]
    return _digest([*files_and_names, *(each.encode() for each in (*keys, *ways))])


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""


def _digest(parts: Iterable[bytes]) -> str:
    """A digest that differs where a part does."""
    digest = hashlib.blake2b(digest_size=6)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
