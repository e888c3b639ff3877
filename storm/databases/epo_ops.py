"""The European Patent Office's Open Patent Services: patents of more than a hundred countries; needs a key."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from storm.databases.answers import Found, Page, collect, json_object, must_list, only_record, records_of
from storm.databases.formats.epo_ops import read_epo_ops, total_of
from storm.databases.formats.fields import line
from storm.databases.http import Answer, Expect, Http, Read
from storm.databases.public import PublicDatabase
from storm.databases.query_text import first_day, last_day, phrases
from storm.databases.service import Service
from storm.errors import BadAnswer, NotConfigured, QueryRejected, RecordError, ServiceError
from storm.models import Hit, SearchQuery

_PAGE_SIZE = 100
#: What a recording holds in place of a token.
_TOKEN_RECORDED = b'{"access_token": "[redacted]"}'
#: A search shows no more of what it finds.
_MAX_HITS = 2_000
_WILDCARDS = "*?#"
_NOTHING = re.compile(rb"SERVER\.EntityNotFound|No results found")
_NUMBER = re.compile(r"([A-Z]{2})[\s.]*((?:RE|D|PP)?\d[\d/]{2,14})[\s.]*([A-Z]\d?)?", re.A)


class EpoOps(PublicDatabase):
    """Its base URL ends in the version; its key is written `consumer key:consumer secret`.

    Names are looked for in title and abstract. Words are not searched: what matches comes by date, and words could only
    exclude. `since` and `until` bound the day of publication.
    """

    name = "epo_ops"
    example_id = "EP2400812A1"
    holds = "patents"
    reads_words = False

    def __init__(self, http: Http, service: Service) -> None:
        super().__init__(http, service)
        self._token: str | None = None

    async def fetch(self, external_id: str) -> Hit | None:
        """The patent of that publication number (`EP2400812A1`), or None if there is none; ServiceError otherwise."""
        match = _NUMBER.fullmatch(external_id.strip().upper())
        if not match:
            raise self.no_id(external_id)
        country, digits, kind = match[1], match[2].replace("/", ""), match[3] or ""
        number = f"docdb/{country}.{digits}.{kind}" if kind else f"epodoc/{country}{digits}"
        # Without its kind a number may stand for several documents, such as the application and the grant.
        wanted = re.compile(re.escape(country + digits) + (kind or r"(?:[A-Z]\d?)?"))

        def patent(body: bytes) -> Hit | None:
            items = records_of(body, read_epo_ops, self._service.label)
            found = next((item for item in items if isinstance(item, Hit) and wanted.fullmatch(item.external_id)), None)
            return found or (only_record(items, country + digits + kind, self._service.label) if items else None)

        answer = await self._ask(f"published-data/publication/{number}/biblio,abstract", {}, patent)
        hit: Hit | None = answer.value if answer else None
        return hit

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        text = search_text(query)
        size = min(max(limit, 1), _PAGE_SIZE)

        async def ask(first: str) -> Page:
            last = min(int(first) + size - 1, _MAX_HITS)
            params = {"q": text, "Range": f"{first}-{last}"}
            answer = await self._ask("published-data/search/biblio,abstract", params, self._listed)
            if answer is None:
                return Page((), 0, None)
            items, total = answer.value
            return Page(items, total, str(last + 1) if last < min(total, _MAX_HITS) else None)

        return await collect(ask, "1", limit, most=_MAX_HITS)

    def _listed(self, body: bytes) -> tuple[Sequence[Hit | RecordError], int]:
        """The patents of an answer to a search, and how many match in all."""
        total = total_of(body)
        if total is None:
            raise BadAnswer("the answer is not that of a search", service=self._service.label)
        items = records_of(body, read_epo_ops, self._service.label)
        must_list(items, total, self._service.label)
        return items, total

    async def _ask(self, path: str, params: dict[str, str], read: Read) -> Answer | None:
        """The answer, or None where the office says that nothing matches. A token that has expired is renewed once."""
        renewed = self._token is None
        token = self._token or await self._new_token()
        try:
            answer = await self._call(path, params, token, read)
        except ServiceError as exc:
            if renewed or exc.status not in (400, 401):
                raise
            answer = await self._call(path, params, await self._new_token(), read)
        if answer.status == 200:
            return answer
        if _NOTHING.search(answer.body):
            return None
        raise QueryRejected("it answered HTTP 404", service=self._service.label, status=404)

    async def _call(self, path: str, params: dict[str, str], token: str, read: Read) -> Answer:
        return await self._http.ask(
            self._service,
            f"rest-services/{path}",
            params,
            expect=Expect.XML,
            secret_headers={"Authorization": f"Bearer {token}"},
            accept_status=frozenset({200, 404}),
            read=read,
        )

    async def _new_token(self) -> str:
        """A token for some twenty minutes (RFC 6749, 4.4). A POST's answer is never cached."""
        key = self._service.key or ""
        if not re.fullmatch(r"[^:\s]+:[^:\s]+", key):
            raise NotConfigured(
                "it needs a key", service=self._service.label, hint=f"set {self._service.key_variable} to KEY:SECRET"
            )
        basic = base64.b64encode(key.encode()).decode()
        answer = await self._http.ask(
            self._service,
            "auth/accesstoken",
            method="POST",
            data={"grant_type": "client_credentials"},
            secret_headers={"Authorization": f"Basic {basic}"},
            recorded_as=_TOKEN_RECORDED,
        )
        self._token = line(json_object(answer.body, self._service.label).get("access_token"))
        if not self._token:
            raise BadAnswer("it gave no access token", service=self._service.label)
        return self._token


def search_text(query: SearchQuery) -> str:
    """The search in the office's CQL: any of the names in title or abstract."""
    names = " or ".join(f"ta={phrase}" for phrase in phrases(query.names, _WILDCARDS))
    if not names:
        raise QueryRejected("no name with a letter or digit to look for", service="EPO OPS")
    first, last = first_day(query), last_day(query)
    if not (first or last):
        return names
    span = f"{first or '1800-01-01'} {last or '2999-12-31'}".replace("-", "")
    return f'({names}) and pd within "{span}"'
