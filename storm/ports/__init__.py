"""Interfaces between folders: what databases, the store and the tools offer to modules that may not import them.

`app/` connects them. A part of your own, or a test, implements only the port.
"""

from storm.ports.databases import Database, Limiter, Pages, Register, TextRegister
from storm.ports.executor import JobExecutor
from storm.ports.store import Collection, DetailSink, EventSink, Journal, Observer
from storm.ports.tools import Searcher, SearchResult, Toolbox

__all__ = [
    "Collection",
    "Database",
    "DetailSink",
    "EventSink",
    "JobExecutor",
    "Journal",
    "Limiter",
    "Observer",
    "Pages",
    "Register",
    "SearchResult",
    "Searcher",
    "TextRegister",
    "Toolbox",
]
