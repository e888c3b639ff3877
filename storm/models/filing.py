"""Arguments and results of a collection's methods."""

from collections.abc import Mapping
from typing import NamedTuple

from storm.models.citation import Citation


class DraftCitation(NamedTuple):
    """A citation before it has an id; `quote_verified` is None if the quote was not checked."""

    claim: str
    quote: str
    quote_verified: bool | None
    context: str = ""
    metadata: Mapping[str, str] = {}
    answer_to: str = ""
    section: str = ""


class Saved(NamedTuple):
    """The result of saving a source."""

    source_id: str
    number: int
    created: bool
    assigned_to: tuple[str, ...]
    citation_id: str
    citation_existed: bool
    counts: Mapping[str, int]


class Refiled(NamedTuple):
    """The result of filing a source anew: its id, and the sources per question."""

    source_id: str
    counts: Mapping[str, int]


class Registered(NamedTuple):
    """A registered citation, and whether it existed before."""

    citation: Citation
    existed: bool


class CollectionProgress(NamedTuple):
    """The progress of a collection: sources per question, all sources, the databases they came from, and how many
    works were dropped."""

    counts: Mapping[str, int]
    total: int
    databases: tuple[str, ...]
    dropped: int = 0
