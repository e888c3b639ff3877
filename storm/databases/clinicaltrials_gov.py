"""ClinicalTrials.gov, API version 2: studies whose interventions name the drug."""

from __future__ import annotations

from functools import partial

from storm.databases.answers import Found, Page, collect, json_object, must_list, only_record
from storm.databases.formats.clinicaltrials import study_hit
from storm.databases.formats.fields import line, members
from storm.databases.formats.json_records import JsonRecord
from storm.databases.public import PublicDatabase
from storm.databases.query_text import first_day, last_day, name_phrases, phrases
from storm.errors import BadAnswer, QueryRejected, RecordError
from storm.models import Hit, SearchQuery
from storm.models.identifiers import normalize_nct

#: What a Hit is made of. Whole studies are up to 1.5 MB; participants, sites and each adverse event are left out.
FIELDS = ",".join((
    "hasResults",
    "protocolSection.identificationModule.nctId",
    "protocolSection.identificationModule.briefTitle",
    "protocolSection.identificationModule.officialTitle",
    "protocolSection.statusModule.overallStatus",
    "protocolSection.statusModule.startDateStruct",
    "protocolSection.sponsorCollaboratorsModule.leadSponsor",
    "protocolSection.descriptionModule",
    "protocolSection.conditionsModule.conditions",
    "protocolSection.designModule",
    "protocolSection.armsInterventionsModule",
    "protocolSection.outcomesModule.primaryOutcomes",
    "resultsSection.outcomeMeasuresModule",
    "resultsSection.adverseEventsModule.eventGroups",
))  # fmt: skip
_PAGE_SIZE = 50


class ClinicalTrials(PublicDatabase):
    """Names must be in the fields about interventions. Words never narrow: they are asked for beside the names, so that
    studies with them come first. `since` and `until` bound the start of the study.
    """

    name = "clinicaltrials"
    example_id = "NCT00045032"

    async def fetch(self, external_id: str) -> Hit | None:
        """The study of that NCT number, or None if the registry has none; ServiceError if it could not be asked."""
        nct = normalize_nct(external_id)
        if nct is None:
            raise self.no_id(external_id)

        def study(body: bytes) -> Hit:
            record = JsonRecord(json_object(body, self._service.label), nct)
            return only_record([study_hit(record)], nct, self._service.label)

        params = {"format": "json", "fields": FIELDS}
        try:
            answer = await self._http.ask(self._service, f"studies/{nct}", params, read=study)
        except QueryRejected as exc:
            if exc.status == 404:
                return None
            raise
        hit: Hit = answer.value
        return hit

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        params = search_params(query, min(max(limit, 1), _PAGE_SIZE))

        async def ask(token: str) -> Page:
            page = {**params, "pageToken": token} if token else params
            read = partial(_page, label=self._service.label, is_first=not token)
            found: Page = (await self._http.ask(self._service, "studies", page, read=read)).value
            return found

        return await collect(ask, "", limit)


def search_params(query: SearchQuery, page_size: int) -> dict[str, str | int]:
    """The search as the registry's parameters; QueryRejected where no name can be looked for or a date is none."""
    names = name_phrases(query, "ClinicalTrials.gov")
    params: dict[str, str | int] = {
        "format": "json",
        "query.intr": " OR ".join(names),
        "fields": FIELDS,
        "pageSize": page_size,
        "countTotal": "true",
    }
    if words := phrases(query.words):
        params["query.term"] = " OR ".join([*words, *names])
    first, last = first_day(query), last_day(query)
    if first or last:
        params["filter.advanced"] = f"AREA[StartDate]RANGE[{first or 'MIN'},{last or 'MAX'}]"
    return params


def _page(body: bytes, label: str, *, is_first: bool) -> Page:
    answer = json_object(body, label)
    if not isinstance(answer.get("studies"), list):
        raise BadAnswer("the answer lists no studies", service=label)
    items: list[Hit | RecordError] = []
    for number, study in enumerate(members(answer["studies"]), 1):
        place = f"record {number}"
        whole = isinstance(study, dict)
        items.append(study_hit(JsonRecord(study, place)) if whole else RecordError("not a study", position=place))
    told = answer.get("totalCount")
    total = told if type(told) is int else None
    if is_first:
        must_list(items, total, label)
    return Page(items, total, line(answer.get("nextPageToken")) or None)
