"""What goes into a collection and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from storm.models.source import Citation


class DraftCitation(NamedTuple):
    """A citation before it has an id: `quote_verified` is None where the quote was not checked."""

    claim: str
    quote: str
    quote_verified: bool | None
    context: str = ""
    metadata: Mapping[str, str] = {}


class Saved(NamedTuple):
    """What one save did."""

    source_id: str
    number: int
    created: bool
    assigned_to: tuple[str, ...]
    citation_id: str
    citation_existed: bool
    counts: Mapping[str, int]


class Registered(NamedTuple):
    """A registered citation, and whether it was there before."""

    citation: Citation
    existed: bool


class Progress(NamedTuple):
    """Where a collection stands: sources per question, all sources, databases they came from."""

    counts: Mapping[str, int]
    total: int
    databases: tuple[str, ...]
