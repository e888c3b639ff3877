"""ClinicalTrials.gov, API version 2: studies whose interventions name the drug."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from storm.databases.formats.clinicaltrials import study_hit
from storm.databases.formats.fields import as_list, mapping_at, text_line, text_lines
from storm.databases.formats.json_records import JsonRecord
from storm.databases.services.answers import FoundRecords, Page, collect_pages, json_object, must_list, only_record
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import build_clauses, first_day, last_day
from storm.errors import BadAnswer, RecordError
from storm.models import Hit, SearchQuery, database_info
from storm.models.identifiers import canonical_id, normalize_nct

#: The fields of a Hit. Whole studies are up to 1.5 MB; participants, sites and single adverse events are left out.
FIELDS = ",".join((
    "hasResults",
    "protocolSection.identificationModule.nctId",
    "protocolSection.identificationModule.nctIdAliases",
    "protocolSection.identificationModule.briefTitle",
    "protocolSection.identificationModule.officialTitle",
    "protocolSection.statusModule.overallStatus",
    "protocolSection.statusModule.whyStopped",
    "protocolSection.statusModule.startDateStruct",
    "protocolSection.statusModule.primaryCompletionDateStruct",
    "protocolSection.statusModule.completionDateStruct",
    "protocolSection.statusModule.studyFirstPostDateStruct",
    "protocolSection.statusModule.lastUpdatePostDateStruct",
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
    """Names must be in the intervention fields; required words may be anywhere in a study. Words that only rank are
    sent with the names and never narrow. `since` and `until` bound the start of the study, `changed_since` the day on
    which its last update, or its registration, was posted.
    """

    info = database_info("clinicaltrials")
    dates_changes = True
    example_id = "NCT00045032"

    async def fetch(self, external_id: str) -> Hit | None:
        """The study of that NCT number, or None if the registry has none; ServiceError if it cannot be searched.

        A former number finds the study under its current one.
        """
        nct = normalize_nct(external_id)
        if nct is None:
            raise self.invalid_id_error(external_id)

        def read_wanted_study(body: bytes) -> Hit:
            value = json_object(body, self.service.label)
            hit = read_study(JsonRecord(value, nct))
            if isinstance(hit, Hit) and nct in _former_numbers(value):
                return hit
            return only_record([hit], nct, self.service.label)

        params = {"format": "json", "fields": FIELDS}
        missing = re.compile(rb"NCT number\s+%b\s+not found" % nct.encode(), re.I)
        answer = await self._http.fetch_answer(
            self.service, f"studies/{nct}", params, missing=missing, read=read_wanted_study
        )
        found: Hit | None = answer.value
        return found

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        params = search_params(query, min(max(limit, 1), _PAGE_SIZE))

        async def fetch_page(token: str) -> Page:
            page = {**params, "pageToken": token} if token else params
            read = partial(_parse_page, label=self.service.label, is_first=not token)
            found: Page = (await self._http.fetch_answer(self.service, "studies", page, read=read)).value
            return found

        return await collect_pages(fetch_page, "", limit)


def search_params(query: SearchQuery, page_size: int) -> dict[str, str | int]:
    """The registry's parameters for the search; QueryRejected for a name without letters or an invalid date."""
    params: dict[str, str | int] = {"format": "json", "fields": FIELDS, "pageSize": page_size, "countTotal": "true"}
    terms = build_clauses(query, "ClinicalTrials.gov")
    if query.names:
        params["query.intr"] = terms.pop(0)
    if terms:
        params["query.term"] = " AND ".join(f"({clause})" for clause in terms) if len(terms) > 1 else terms[0]
    first, last = first_day(query), last_day(query)
    filters = [f"AREA[StartDate]RANGE[{first or 'MIN'},{last or 'MAX'}]"] if first or last else []
    filters += [f"AREA[LastUpdatePostDate]RANGE[{query.changed_since},MAX]"] if query.changed_since else []
    if filters:
        params["filter.advanced"] = " AND ".join(filters)
    return params


def read_study(record: JsonRecord) -> Hit | RecordError:
    """One study as a Hit under its current number; its former numbers identify it too."""
    hit = study_hit(record)
    if isinstance(hit, RecordError) or not (aliases := _former_numbers(record.value)):
        return hit
    former = tuple(canonical_id("clinicaltrials", alias) for alias in aliases)
    return hit.model_copy(update={"identifiers": (*hit.identifiers, *former), "trials": (*hit.trials, *aliases)})


def _former_numbers(study: Mapping[str, Any]) -> tuple[str, ...]:
    """The former NCT numbers of a study."""
    names = mapping_at(study, "protocolSection", "identificationModule")
    own = normalize_nct(text_line(names.get("nctId")))
    former = map(normalize_nct, text_lines(as_list(names.get("nctIdAliases"))))
    return tuple(dict.fromkeys(nct for nct in former if nct and nct != own))


def _parse_page(body: bytes, label: str, *, is_first: bool) -> Page:
    answer = json_object(body, label)
    if not isinstance(answer.get("studies"), list):
        raise BadAnswer("the answer lists no studies", service=label)
    items: list[Hit | RecordError] = []
    for number, study in enumerate(as_list(answer["studies"]), 1):
        place = f"record {number}"
        whole = isinstance(study, dict)
        items.append(read_study(JsonRecord(study, place)) if whole else RecordError("not a study", position=place))
    count = answer.get("totalCount")
    total = count if type(count) is int else None
    if is_first:
        must_list(items, total, label)
    return Page(items, total, text_line(answer.get("nextPageToken")) or None)
