"""Lists of public services for tests: each on loopback, so that no test asks a real one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

#: Two services where nobody listens: what a machine without a network meets.
NOBODY = Path(__file__).parent / "nobody.yaml"


def services_at(path: Path, url: str, names: Iterable[str], **settings: str) -> Path:
    """A list of these services in that file, all of them played by the server of that URL, each below its own name."""
    fields = {"rate": "1000", "ttl": "0", "limit": "10", **settings}
    lines = [line for name in names for line in _entry(name, {**fields, "base_url": f"{url}/{name}"})]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _entry(name: str, settings: dict[str, str]) -> list[str]:
    labels = {"label": f"The {name}", "scope": f"what {name} has", "in_jobs": str(name != "crossref").lower()}
    return [f"{name}:", *(f"  {key}: {value}" for key, value in {**labels, **settings}.items())]
