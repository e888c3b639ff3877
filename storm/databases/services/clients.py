"""The clients of the public services, and which of them a job can search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.catalogue import ENGINES
from storm.databases.services.chembl import Chembl
from storm.databases.services.clinicaltrials_gov import ClinicalTrials
from storm.databases.services.crossref import Crossref
from storm.databases.services.dailymed import DailyMed
from storm.databases.services.epo_ops import EpoOps
from storm.databases.services.europepmc import EuropePmc
from storm.databases.services.openfda import OpenFda
from storm.databases.services.patents import Patents
from storm.databases.services.pmc import Pmc
from storm.databases.services.public import PublicDatabase
from storm.databases.services.pubmed import PubMed
from storm.databases.services.unpaywall import Unpaywall
from storm.databases.services.uspto_odp import UsptoOdp
from storm.databases.services.web_search import WebSearch, choose_engine
from storm.ports import Limiter, Register

#: Each service with one client of its own that searches it, in the order in which databases are told.
CLIENTS: Mapping[str, type[PublicDatabase]] = {
    client.name: client
    for client in (
        PubMed, EuropePmc, ClinicalTrials, Chembl, OpenFda, DailyMed, Patents, EpoOps, UsptoOdp, Crossref,
    )
}  # fmt: skip


class Client(NamedTuple):
    """A database that can be searched, and the service behind it."""

    database: PublicDatabase
    service: Service


def clients(http: Http, services: Mapping[str, Service], limiter: Limiter) -> dict[str, Client]:
    """The databases that are switched on and have the key that they need, by name."""
    usable = {name: service for name, service in services.items() if is_usable(service)}
    found = {name: Client(kind(http, usable[name]), usable[name]) for name, kind in CLIENTS.items() if name in usable}
    if "pmc" in usable:
        found["pmc"] = Client(_pmc(http, usable["pmc"], usable), usable["pmc"])
    if chosen := choose_engine(http, usable, limiter):
        engine, service = chosen
        found["web"] = Client(WebSearch(http, service, engine), service)
    return found


def registers(http: Http, services: Mapping[str, Service]) -> list[Register]:
    """Who can be asked about works that were found: full texts, retractions, free copies."""
    usable = {name: service for name, service in services.items() if is_usable(service)}
    kinds: Mapping[str, Callable[[Http, Service], Register]] = {
        "pmc": lambda http, service: _pmc(http, service, usable), "crossref": Crossref, "unpaywall": Unpaywall,
    }  # fmt: skip
    return [make(http, usable[name]) for name, make in kinds.items() if name in usable]


def _pmc(http: Http, service: Service, usable: Mapping[str, Service]) -> Pmc:
    return Pmc(http, service, usable.get("europepmc"))


def is_usable(service: Service) -> bool:
    """Whether it is switched on and has the key that it needs."""
    return service.enabled and bool(service.key or not service.key_required)


def missing_keys(services: Mapping[str, Service]) -> Sequence[Service]:
    """The services that are switched on and wait for a key, where no other does their work.

    Of the engines for the web one is enough.
    """
    waiting = [service for service in services.values() if service.enabled and not is_usable(service)]
    has_web = any(name in ENGINES and is_usable(service) for name, service in services.items())
    return [service for service in waiting if not (has_web and service.name in ENGINES)]
