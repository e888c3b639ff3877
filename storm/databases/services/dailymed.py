"""DailyMed: the labels of products on the US market, as their makers submit them (SPL)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from urllib.parse import quote

from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, mapping_at, read_quantity, text_line
from storm.databases.formats.spl import LABEL_URL, read_spl
from storm.databases.http.client import Expect
from storm.databases.services.answers import (
    FoundRecords,
    Page,
    UnrequestedRecord,
    collect_pages,
    gather_all,
    interleave_hits,
    json_object,
    must_be_about,
    must_list,
    names_any,
    only_record,
    records_of,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import first_day, in_span, last_day, name_phrases, plain_term
from storm.errors import BadAnswer, QueryRejected, RecordError, ServiceError
from storm.models import Hit, Retraction, SearchQuery, database_info

#: The number of labels per search whose text is read; the labels of one generic drug are nearly the same.
TEXTS = 20
_PAGE_SIZE = 100
_FIRST = "1"
_SET_ID = re.compile(r"[0-9A-Fa-f-]{32,40}", re.A)


class DailyMed(PublicDatabase):
    """Labels whose product or generic name is a name of the query.

    Each name is a separate search, as the service accepts one. Required words are matched against the labels found;
    words that only rank are not searched: a label is a whole document. Labels after the first `TEXTS` have title and
    date only. Dates bound the publication of a label's version.
    """

    info = database_info("dailymed")
    example_id = "492dbdb2-077e-4064-bff3-372d6af0a7a2"
    reads_words = False
    needs_name = True
    searches_required = False

    async def fetch(self, external_id: str) -> Hit | None:
        """The label of that set id, or None if there is none; ServiceError if DailyMed cannot be searched."""
        set_id = external_id.strip()
        if not _SET_ID.fullmatch(set_id):
            raise self.invalid_id_error(external_id)

        try:
            return await self._fetch_label(set_id)
        except QueryRejected as exc:
            if exc.status != 404 or await self._lists_label(set_id):
                raise
            return None

    async def _fetch_label(self, set_id: str) -> Hit:
        def read_label(body: bytes) -> Hit:
            return only_record(records_of(body, read_spl, self.service.label), set_id, self.service.label)

        answer = await self._http.fetch_answer(self.service, f"spls/{set_id}.xml", expect=Expect.XML, read=read_label)
        hit: Hit = answer.value
        return hit

    async def _lists_label(self, set_id: str) -> bool:
        """Whether the service lists the label: a 404 alone may also mean that its address has changed."""

        def read_list(body: bytes) -> bool:
            items = _parse_page(body, self.service.label, is_first=True).items
            listed_ids = [hit.external_id.casefold() for hit in items if isinstance(hit, Hit)]
            must_be_about(listed_ids, [set_id.casefold()], self.service.label)
            return bool(items)

        answer = await self._http.fetch_answer(self.service, "spls.json", {"setid": set_id}, read=read_list)
        found: bool = answer.value
        return found

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        name_phrases(query, self.service.label)
        names = list(dict.fromkeys(text for name in query.names if (text := plain_term(name))))
        founds, failed = await gather_all([self._list_labels(name, query, limit) for name in names])
        distinct = interleave_hits([found.hits for found in founds], sum(len(found.hits) for found in founds))
        listed, total = distinct[:limit], max(len(distinct), *(found.total for found in founds))
        texts, without = await self._fetch_texts(listed[:TEXTS])
        hits: list[Hit] = []
        foreign: list[Hit] = []
        for hit in listed:
            label = texts.get(hit.key, hit)
            is_named = names_any(query.names, hit.title, label.title, *label.drugs, label.text)
            (hits if is_named else foreign).append(label)
        unrequested = [UnrequestedRecord(hit.external_id).message for hit in foreign]
        notes = [*failed, *(note for found in founds for note in found.notes), *unrequested, *without]
        return FoundRecords(hits, total - len(foreign), notes)

    async def _fetch_texts(self, listed: Sequence[Hit]) -> tuple[dict[str, Hit], list[str]]:
        """The labels with their texts by key, and a note about those without."""
        try:
            labels, failed = await gather_all([self._fetch_label(hit.external_id) for hit in listed])
        except ServiceError as exc:
            labels, failed = [], [exc.message]
        without = len(listed) - len(labels)
        notes = [f"labels without their text: {without} ({failed[0]})"] if without else []
        return {hit.key: hit for hit in labels}, notes

    async def _list_labels(self, name: str, query: SearchQuery, limit: int) -> FoundRecords:
        params: dict[str, str | int] = {
            "drug_name": name,
            "pagesize": min(max(limit, 1), _PAGE_SIZE),
            **_date_params(query),
        }

        async def fetch_page(page: str) -> Page:
            read = partial(_parse_page, label=self.service.label, is_first=page == _FIRST)
            found: Page = (
                await self._http.fetch_answer(self.service, "spls.json", {**params, "page": page}, read=read)
            ).value
            return found

        return await collect_pages(fetch_page, _FIRST, limit, lambda hit: in_span(hit.date, query))


def _date_params(query: SearchQuery) -> dict[str, str]:
    """The date parameters: the service accepts one bound, the other is checked in each record."""
    first, last = first_day(query), last_day(query)
    if first:
        return {"published_date": first, "published_date_comparison": "gte"}
    return {"published_date": last, "published_date_comparison": "lte"} if last else {}


def _parse_page(body: bytes, label: str, *, is_first: bool) -> Page:
    answer = json_object(body, label)
    if not isinstance(answer.get("data"), list):
        raise BadAnswer("the answer lists no labels", service=label)
    items = [_listed_label(as_mapping(item)) for item in as_list(answer["data"])]
    about = mapping_at(answer, "metadata")
    counted, following = read_quantity(about.get("total_elements")), text_line(about.get("next_page"))
    total = None if counted is None else int(counted)
    if is_first:
        must_list(items, total, label)
    return Page(items, total, following if following.isdecimal() and items else None)


def _listed_label(item: object) -> Hit | RecordError:
    """A label of the list: its title and the publication date of this version."""
    record = as_mapping(item)
    set_id, title = text_line(record.get("setid")), text_line(record.get("title"))
    if not _SET_ID.fullmatch(set_id) or not title:
        return RecordError("a label without set id or title")
    date = parse_date(text_line(record.get("published_date")))
    return Hit.of(
        "dailymed",
        set_id,
        LABEL_URL.format(quote(set_id, safe="")),
        title,
        year=year_of(date),
        date=date,
        container="DailyMed drug label",
        publication_types=("Drug Label",),
        retraction=Retraction.NOT_RETRACTED,
    )
