"""Unpaywall: where a work may be read free of charge and lawfully."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from storm.databases.answers import json_object
from storm.databases.formats.fields import inside, line
from storm.databases.http import Http
from storm.databases.service import Service
from storm.errors import BadAnswer, NotConfigured, QueryRejected
from storm.models.identifiers import normalize_doi


class OpenCopy(NamedTuple):
    """One place where a work is open: its address, that of its PDF, licence, version and host, as far as known."""

    url: str
    pdf_url: str = ""
    licence: str = ""
    version: str = ""
    host: str = ""


class Unpaywall:
    """Asks for one DOI at a time. It wants a real e-mail address and is not configured without one."""

    name = "unpaywall"

    def __init__(self, http: Http, service: Service) -> None:
        self.scope = service.scope
        self._http = http
        self._service = service

    async def open_copy(self, doi: str) -> OpenCopy | None:
        """The best open copy of the work of that DOI, or None if Unpaywall knows of none; ServiceError otherwise."""
        name = normalize_doi(doi)
        if name is None:
            return None
        if not self._service.contact:
            raise NotConfigured("Unpaywall wants an e-mail address", service=self._service.label)
        try:
            answer = await self._http.ask(
                self._service, quote(name, safe=""), secret_params={"email": self._service.contact}
            )
        except QueryRejected as exc:
            if exc.status == 404:
                return None
            raise
        value = json_object(answer.body, self._service.label)
        if (found := normalize_doi(line(value.get("doi")))) != name:
            raise BadAnswer(f"{found or 'no work'} came where {name} was asked for", service=self._service.label)
        return open_copy(value)


def open_copy(answer: Mapping[str, Any]) -> OpenCopy | None:
    """The best copy that an answer names, if it names one that can be reached."""
    place = inside(answer, "best_oa_location")
    url = line(place.get("url")) or line(place.get("url_for_landing_page"))
    if not url.startswith(("https://", "http://")):
        return None
    names = ("url_for_pdf", "license", "version", "host_type")
    return OpenCopy(url, *(line(place.get(name)) for name in names))
