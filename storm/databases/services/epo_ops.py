"""The European Patent Office's Open Patent Services: patents of more than a hundred countries; needs a key."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from storm.databases.formats.epo_ops import read_epo_ops, read_total
from storm.databases.formats.fields import text_line
from storm.databases.http.client import Answer, Expect, Http, Read
from storm.databases.http.service import Service
from storm.databases.http.verdict import fault_message
from storm.databases.services.answers import (
    FoundRecords,
    Page,
    collect_pages,
    interleave_hits,
    json_object,
    must_list,
    only_record,
    records_of,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import first_day, last_day, plain_term, transliterate_term
from storm.errors import BadAnswer, NotConfigured, QueryRejected, RateLimited, RecordError, ServiceError
from storm.models import Hit, SearchQuery, database_info

_PAGE_SIZE = 100
#: The answer that a recording holds in place of a token.
_TOKEN_RECORDED = b'{"access_token": "[redacted]"}'
#: A search returns no more results.
_MAX_HITS = 2_000
#: A query has at most ten terms per index and twenty in all; a date range takes two of another index.
_MAX_TERMS = 10
#: Wildcards, and the slash, which is not allowed in a term, become blanks.
_BLANKS = str.maketrans("*?#/", "    ")
_WORD = re.compile(r"[A-Za-z0-9]+")
_NOTHING = re.compile(rb"SERVER\.EntityNotFound|No results found")
_NUMBER = re.compile(r"([A-Z]{2})[\s.]*((?:RE|D|PP)?\d[\d/]{2,14})[\s.]*([A-Z]\d?)?", re.A)


class EpoOps(PublicDatabase):
    """Its base URL ends in the version; its key has the form `consumer key:consumer secret`.

    Names and required words are searched in title and abstract. Words that only rank are not searched: results come by
    date, and the words could only exclude. `since` and `until` bound the day of publication.
    """

    info = database_info("epo_ops")
    example_id = "EP2400812A1"
    reads_words = False

    def __init__(self, http: Http, service: Service) -> None:
        super().__init__(http, service)
        self._token: str | None = None

    async def fetch(self, external_id: str) -> Hit | None:
        """The patent of that publication number (`EP2400812A1`), or None if there is none; ServiceError otherwise."""
        match = _NUMBER.fullmatch(external_id.strip().upper())
        if not match:
            raise self.invalid_id_error(external_id)
        country, digits, kind = match[1], match[2].replace("/", ""), match[3] or ""
        number = f"docdb/{country}.{digits}.{kind}" if kind else f"epodoc/{country}{digits}"
        # Without its kind a number may stand for several documents, such as the application and the grant.
        wanted = re.compile(re.escape(country + digits) + (kind or r"(?:[A-Z]\d?)?"))

        def read_patent(body: bytes) -> Hit | None:
            items = records_of(body, read_epo_ops, self.service.label)
            found = next((item for item in items if isinstance(item, Hit) and wanted.fullmatch(item.external_id)), None)
            return found or (only_record(items, country + digits + kind, self.service.label) if items else None)

        answer = await self._fetch_answer(f"published-data/publication/{number}/biblio,abstract", {}, read_patent)
        hit: Hit | None = answer.value if answer else None
        return hit

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        texts, remarks = search_texts(query)
        parts: list[FoundRecords] = []
        failed: list[ServiceError] = []
        for text in texts:
            try:
                parts.append(await self._read_pages(text, limit))
            except (NotConfigured, RateLimited) as exc:  # the others would be refused as well
                failed.append(exc)
                break
            except ServiceError as exc:
                failed.append(exc)
        if not parts:
            raise failed[0]
        return _merge_parts(parts, failed, len(texts), limit, remarks)

    async def _read_pages(self, text: str, limit: int) -> FoundRecords:
        """The results of one CQL request, page after page."""
        size = min(max(limit, 1), _PAGE_SIZE)

        async def fetch_page(first: str) -> Page:
            last = min(int(first) + size - 1, _MAX_HITS)
            params = {"q": text, "Range": f"{first}-{last}"}
            answer = await self._fetch_answer("published-data/search/biblio,abstract", params, self._read_listing)
            if answer is None:
                return Page((), 0, None)
            items, total = answer.value
            return Page(items, total, str(last + 1) if last < min(total, _MAX_HITS) else None)

        return await collect_pages(fetch_page, "1", limit, most=_MAX_HITS)

    def _read_listing(self, body: bytes) -> tuple[Sequence[Hit | RecordError], int]:
        """The patents of an answer to a search, and the total."""
        total = read_total(body)
        if total is None:
            raise BadAnswer(self._with_fault("the answer is not that of a search", body), service=self.service.label)
        items = records_of(body, read_epo_ops, self.service.label)
        must_list(items, total, self.service.label)
        return items, total

    async def _fetch_answer(self, path: str, params: dict[str, str], read: Read) -> Answer | None:
        """The answer, or None if the office says that nothing matches; an expired token is renewed once."""
        renewed = self._token is None
        token = self._token or await self._new_token()
        try:
            answer = await self._send_call(path, params, token, read)
        except ServiceError as exc:
            if renewed or exc.status not in (400, 401):
                raise
            answer = await self._send_call(path, params, await self._new_token(), read)
        if answer.status == 200:
            return answer
        if _NOTHING.search(answer.body):
            return None
        message = self._with_fault("it answered HTTP 404", answer.body)
        raise QueryRejected(message, service=self.service.label, status=404)

    def _with_fault(self, what: str, body: bytes) -> str:
        """The problem, with the message of the office's XML fault if there is one."""
        message = fault_message(body, self.service.secrets)
        return f"{what}: {message}" if message else what

    async def _send_call(self, path: str, params: dict[str, str], token: str, read: Read) -> Answer:
        return await self._http.fetch_answer(
            self.service,
            f"rest-services/{path}",
            params,
            expect=Expect.XML,
            secret_headers={"Authorization": f"Bearer {token}"},
            accept_status=frozenset({200, 404}),
            read=read,
        )

    async def _new_token(self) -> str:
        """A token for about twenty minutes (RFC 6749, 4.4); answers to a POST are never cached."""
        key = self.service.key or ""
        if not re.fullmatch(r"[^:\s]+:[^:\s]+", key):
            raise NotConfigured(
                "it needs a key", service=self.service.label, hint=f"set {self.service.key_variable} to KEY:SECRET"
            )
        basic = base64.b64encode(key.encode()).decode()
        answer = await self._http.fetch_answer(
            self.service,
            "auth/accesstoken",
            method="POST",
            data={"grant_type": "client_credentials"},
            secret_headers={"Authorization": f"Basic {basic}"},
            recorded_as=_TOKEN_RECORDED,
        )
        self._token = text_line(json_object(answer.body, self.service.label).get("access_token"))
        if not self._token:
            raise BadAnswer("it returned no access token", service=self.service.label)
        return self._token


def _merge_parts(
    parts: Sequence[FoundRecords], failed: Sequence[ServiceError], requests: int, limit: int, remarks: Sequence[str]
) -> FoundRecords:
    """The merged results of several requests, each record once; they overlap, so the total is a lower bound."""
    if requests == 1:
        return parts[0]._replace(remarks=[*parts[0].remarks, *remarks])
    hits = interleave_hits([part.hits for part in parts], sum(len(part.hits) for part in parts))
    total = max(len(hits), *(part.total for part in parts))
    notes = [note for part in parts for note in part.notes]
    if missing := requests - len(parts):
        reasons = "; ".join(dict.fromkeys(exc.message for exc in failed))
        notes.append(f"{missing} of {requests} requests for the names failed: {reasons}")
    if any(len(part.hits) < part.total for part in parts):
        remarks = [*remarks, f"searched in {requests} requests with overlapping results: at least {total:,} match"]
    return FoundRecords(hits[:limit], total, notes, [*(text for part in parts for text in part.remarks), *remarks])


def search_texts(query: SearchQuery) -> tuple[list[str], list[str]]:
    """The search in the office's CQL, in requests within its limits: any name and all required terms, in title or
    abstract.

    Also returns remarks on names that were changed or left out. Raises QueryRejected if nothing is left to search for,
    or if one term of each required group and a name do not fit into one request.
    """
    parts = list(_divide_groups(_required_terms(query), _MAX_TERMS - bool(query.names)))
    room = _MAX_TERMS - max(map(_count_all, parts))
    names, remarks = _accepted_terms(query.names, room)
    if query.names and not names:
        raise QueryRejected("; ".join(remarks) or "no name with a letter or digit to look for", service="EPO OPS")
    first, last = first_day(query), last_day(query)
    span = f"{first or '1800-01-01'} {last or '2999-12-31'}".replace("-", "") if first or last else ""
    batches = _split_batches(names, room) or [[]]
    texts = [[*([batch] if batch else []), *required] for required in parts for batch in batches]
    return [_in_cql(groups, span) for groups in texts], remarks


def _divide_groups(groups: list[list[str]], most: int) -> Iterator[list[list[str]]]:
    """The required groups, of which one term each must match, in requests of at most so many words: the group with the
    most is halved until they fit."""
    if _count_all(groups) <= most:
        yield groups
        return
    place = max(range(len(groups)), key=lambda n: (len(groups[n]) > 1, _count_all([groups[n]])))
    wide = groups[place]
    if len(wide) == 1:
        raise QueryRejected(f"it takes at most {_MAX_TERMS} words with the name; ask for fewer", service="EPO OPS")
    for half in (wide[: len(wide) // 2], wide[len(wide) // 2 :]):
        yield from _divide_groups([*groups[:place], half, *groups[place + 1 :]], most)


def _count_all(groups: Sequence[Sequence[str]]) -> int:
    return sum(_count_words(term) for group in groups for term in group)


def _required_terms(query: SearchQuery) -> list[list[str]]:
    """The groups of required terms; the ranking words as one group if the query has nothing else."""
    asked = query.required or (() if query.names else (query.words,))
    groups = [_accepted_terms(group) for group in asked]
    for terms, remarks in groups:
        if not terms:
            raise QueryRejected("; ".join(remarks) or "no word with a letter or digit to look for", service="EPO OPS")
    return [terms for terms, _ in groups]


def _in_cql(groups: Sequence[Sequence[str]], span: str) -> str:
    parts = [" or ".join(f'ta="{term}"' for term in group) for group in groups]
    if len(parts) == 1 and not span:
        return parts[0]
    return " and ".join([*(f"({part})" for part in parts), *([f'pd within "{span}"'] if span else [])])


def _count_words(term: str) -> int:
    """The number of words, each of which the office counts as a term."""
    return len(_WORD.findall(term))


def _accepted_terms(names: Sequence[str], most: int = _MAX_TERMS) -> tuple[list[str], list[str]]:
    """The names of at most so many words in the office's form, and remarks on changed and dropped names."""
    terms: dict[str, None] = {}
    changed, left_out = [], []
    for name in filter(None, map(plain_term, dict.fromkeys(names))):
        term = plain_term((transliterate_term(name) or "").translate(_BLANKS))
        if not 0 < _count_words(term) <= most:
            left_out.append(name)
            continue
        terms[term] = None
        if not name.isascii() or "/" in name:
            changed.append(f"“{term}” for “{name}”")
    remarks = [f"searched as {', '.join(changed)}"] if changed else []
    if left_out:
        remarks.append(f"not searched, as the service does not accept such names: {', '.join(left_out)}")
    return list(terms), remarks


def _split_batches(terms: Sequence[str], most: int) -> list[list[str]]:
    """The terms in order, in batches of at most `most` words."""
    batches: list[list[str]] = []
    room = 0
    for term in terms:
        needed = _count_words(term)
        if needed > room:
            batches.append([])
            room = most
        batches[-1].append(term)
        room -= needed
    return batches
