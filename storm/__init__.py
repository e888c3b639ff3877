"""storm turns a drug name into a cited dossier.

    dossier = storm.run("trastuzumab", offline=True)

Model-free, key-free and offline where it is asked to be; see README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from storm.version import __version__

if TYPE_CHECKING:
    from storm.api import arun, run
    from storm.export import to_json, to_markdown
    from storm.models import Dossier, JobLimits
    from storm.ports import EventSink

__all__ = ["Dossier", "EventSink", "JobLimits", "__version__", "arun", "run", "to_json", "to_markdown"]

_HOMES = {
    "arun": "storm.api", "run": "storm.api", "to_json": "storm.export", "to_markdown": "storm.export",
    "EventSink": "storm.ports",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    # Looked up when first used: the command line must start without importing the whole program.
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module 'storm' has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "storm.models")), name)


def __dir__() -> list[str]:
    return sorted(__all__)
