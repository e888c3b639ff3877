"""A database's answer to a search."""

from datetime import datetime

from storm.models.base import Frozen
from storm.models.hit import Hit
from storm.models.search import SearchStatus


class SearchOutcome(Frozen):
    """A database's answer. `total` counts all matches, `hits` are those returned; `reason` explains a failure.

    `translated` is the query as the service interpreted it, if it says so. `address` is the first request, without
    secrets; `answered` is the time of the oldest answer, which may come from a cache. `incomplete` says that part of
    the search failed; `down`, that other searches there would fail too. `queued` is for how many seconds its calls
    waited for their turn under a rate limit.
    """

    database: str
    query: str
    status: SearchStatus
    hits: tuple[Hit, ...] = ()
    total: int = 0
    reason: str = ""
    translated: str = ""
    address: str = ""
    answered: datetime | None = None
    incomplete: bool = False
    down: bool = False
    queued: float = 0.0
