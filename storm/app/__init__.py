"""Builds an App from settings: the only place where objects are built and joined."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from storm.app.app import App, ChangeCrew, open_app, utc_now
from storm.lazy_imports import import_on_first_use
from storm.models.database import DatabaseInfo, find_more_databases

if TYPE_CHECKING:
    from storm.app.crews import Crews, choose_models
    from storm.app.events import event_sinks
    from storm.app.scope import open_corpus
    from storm.app.workbench import Workbench

__all__ = [
    "App", "ChangeCrew", "Crews", "Workbench", "choose_models", "event_sinks", "open_app", "open_corpus", "utc_now",
]  # fmt: skip

__getattr__ = import_on_first_use(
    __name__,
    {
        "Crews": "crews",
        "choose_models": "crews",
        "event_sinks": "events",
        "open_corpus": "scope",
        "Workbench": "workbench",
    },
)


def _list_clients() -> Iterable[DatabaseInfo]:
    from storm.databases.clients import CLIENTS

    return (client.info for client in CLIENTS.values())


find_more_databases(_list_clients)
