"""Read ClinicalTrials.gov studies (API version 2): one study, a search answer, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from storm.databases.formats.clinicaltrials_findings import (
    MAX_OUTCOMES,
    MAX_VALUES,
    describe_adverse_events,
    describe_outcomes,
)
from storm.databases.formats.clinicaltrials_results import read_adverse_events, read_outcomes
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, end_sentence, mapping_at, text_line, text_lines
from storm.databases.formats.json_records import JsonRecord, read_json_records
from storm.databases.formats.markdown_escapes import unescape_line, unescape_text
from storm.errors import RecordError
from storm.models import Hit, Publication, RecordFacts, Retraction, Section, SectionKind, TrialDetails
from storm.models.identifiers import normalize_nct
from storm.models.study import EnrollmentKind, StudyDate, describe_date, describe_enrollment, enrollment_kind

_DRUG_TYPES = ("DRUG", "BIOLOGICAL", "COMBINATION_PRODUCT")
#: API version 1 wrote "anticipated" for "estimated".
_ENROLLMENT = {
    "ACTUAL": EnrollmentKind.ENROLLED, "ESTIMATED": EnrollmentKind.PLANNED, "ANTICIPATED": EnrollmentKind.PLANNED,
}  # fmt: skip
#: Whether a date is only expected; older records leave the type out.
_EXPECTED = {"ACTUAL": False, "ESTIMATED": True, "ANTICIPATED": True}
_STATUS = {"ACTIVE_NOT_RECRUITING": "Active, not recruiting"}
_PHASES = {"EARLY_PHASE1": "Early Phase 1", "PHASE1": "Phase 1", "PHASE2": "Phase 2", "PHASE3": "Phase 3",
           "PHASE4": "Phase 4"}  # fmt: skip
#: Sections on the people of a study.
_OF_PEOPLE = ("ELIGIBILITY", "PARTICIPANT FLOW")


def read_studies(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the studies of a file one at a time; yield an error for each unreadable one and continue."""
    for item in read_json_records(stream, "studies"):
        yield item if isinstance(item, RecordError) else study_hit(item)


def study_hit(record: JsonRecord) -> Hit | RecordError:
    """Convert a study to a Hit, identified by its NCT number and not by the articles that it cites."""
    study = record.value
    if "FullStudiesResponse" in study or "Study" in study:
        return RecordError(
            "old API shape (version 1, retired)",
            position=record.position,
            hint="download the study again: https://clinicaltrials.gov/api/v2/studies/NCT…",
        )
    protocol = mapping_at(study, "protocolSection")
    names = mapping_at(protocol, "identificationModule")
    nct = normalize_nct(text_line(names.get("nctId")))
    if nct is None:
        return RecordError("not a study: no protocolSection with an NCT number", position=record.position)
    title = text_line(names.get("briefTitle")) or text_line(names.get("officialTitle"))
    if not title:
        return RecordError(f"{nct} has no title", position=record.position)
    facts = _read_facts(protocol)
    date = parse_date(text_line(mapping_at(protocol, "statusModule", "startDateStruct").get("date")))
    return Hit.of(
        "clinicaltrials",
        nct,
        f"https://clinicaltrials.gov/study/{nct}",
        title,
        sections=tuple(_read_sections(study, protocol, facts)),
        year=year_of(date),
        date=date,
        container=facts.sponsor,
        publication_types=_read_types(mapping_at(protocol, "designModule")),
        trials=(nct,),
        drugs=_read_drugs(protocol),
        retraction=Retraction.NOT_RETRACTED,
        facts=facts,
        publication=Publication(trial=_read_entry(protocol, nct, facts.sponsor)),
    )


def _read_entry(protocol: Mapping[str, Any], nct: str, sponsor: str | None) -> TrialDetails:
    """The study's entry in the registry, with the days on which it was made and last changed there."""
    first, last = (
        parse_date(text_line(mapping_at(protocol, "statusModule", name).get("date")))
        for name in ("studyFirstPostDateStruct", "lastUpdatePostDateStruct")
    )
    return TrialDetails(
        registry="ClinicalTrials.gov", number=nct, sponsor=sponsor, first_posted=first, last_update=last
    )


def _read_facts(protocol: Mapping[str, Any]) -> RecordFacts:
    design = mapping_at(protocol, "designModule")
    phases = [_PHASES[phase] for phase in text_lines(design.get("phases")) if phase in _PHASES]
    state = mapping_at(protocol, "statusModule")
    status = _spell_code(state.get("overallStatus")) or None
    enrollment = mapping_at(design, "enrollmentInfo")
    count = enrollment.get("count")
    is_counted = type(count) is int and count >= 0
    return RecordFacts(
        phase="/".join(phases) or None,
        status=status,
        sponsor=text_line(mapping_at(protocol, "sponsorCollaboratorsModule", "leadSponsor").get("name")) or None,
        enrollment=count if is_counted else None,
        enrollment_kind=enrollment_kind(_ENROLLMENT.get(text_line(enrollment.get("type")).upper()), status)
        if is_counted
        else None,
        why_stopped=unescape_line(state.get("whyStopped")) or None,
        primary_completion=_read_study_date(state, "primaryCompletionDateStruct"),
        completion=_read_study_date(state, "completionDateStruct"),
    )


def _read_study_date(state: Mapping[str, Any], name: str) -> StudyDate | None:
    date = parse_date(text_line(mapping_at(state, name).get("date")))
    return (
        StudyDate(date=date, expected=_EXPECTED.get(text_line(mapping_at(state, name).get("type")).upper()))
        if date
        else None
    )


def _spell_code(code: Any) -> str:
    """Write a registry code as words: "Not yet recruiting" for `NOT_YET_RECRUITING`."""
    text = text_line(code)
    return _STATUS.get(text, text.replace("_", " ").capitalize())


def _read_types(design: Mapping[str, Any]) -> tuple[str, ...]:
    kind = text_line(design.get("studyType"))
    allocation = text_line(mapping_at(design, "designInfo").get("allocation"))
    types = ["Clinical Trial"] if kind == "INTERVENTIONAL" else []
    types += [_spell_code(kind)] if kind else []
    types += [_spell_code(allocation)] if allocation not in ("", "NA") else []
    return tuple(types)


def _read_drugs(protocol: Mapping[str, Any]) -> tuple[str, ...]:
    interventions = map(as_mapping, as_list(mapping_at(protocol, "armsInterventionsModule").get("interventions")))
    return text_lines([item.get("name") for item in interventions if item.get("type") in _DRUG_TYPES])


def _read_sections(study: Mapping[str, Any], protocol: Mapping[str, Any], facts: RecordFacts) -> Iterator[Section]:
    results = mapping_at(study, "resultsSection")
    measures, events = mapping_at(results, "outcomeMeasuresModule"), mapping_at(results, "adverseEventsModule")
    flow = mapping_at(results, "participantFlowModule")
    description = mapping_at(protocol, "descriptionModule")
    arms = mapping_at(protocol, "armsInterventionsModule")
    conditions = text_lines(mapping_at(protocol, "conditionsModule").get("conditions"))
    parts = {
        "BRIEF SUMMARY": unescape_text(description.get("briefSummary")),
        "DETAILED DESCRIPTION": unescape_text(description.get("detailedDescription")),
        "DESIGN": _describe_design(mapping_at(protocol, "designModule"), facts),
        "STATUS": _describe_status(
            facts, _read_study_date(mapping_at(protocol, "statusModule"), "startDateStruct"), study
        ),
        "CONDITIONS": end_sentence("Conditions: " + "; ".join(conditions)) if conditions else "",
        "INTERVENTIONS": _list_items(arms.get("interventions"), "name"),
        "ARMS": _list_items(arms.get("armGroups"), "label"),
        "ELIGIBILITY": _describe_eligibility(mapping_at(protocol, "eligibilityModule")),
        "PRIMARY OUTCOMES": _list_primary_outcomes(mapping_at(protocol, "outcomesModule")),
        "PARTICIPANT FLOW": "\n\n".join(_describe_flow(flow)),
        "RESULTS": describe_outcomes(measures),
        "ADVERSE EVENTS": describe_adverse_events(events),
    }
    for label, text in parts.items():
        if text:
            # These describe who was to take part and who did: the drugs and diseases in them are not findings.
            kind = SectionKind.METHODS if label in _OF_PEOPLE else SectionKind.FIELD
            yield Section(label=label, text=text, kind=kind)
    yield from read_outcomes(measures)
    yield from read_adverse_events(events)


def _describe_design(design: Mapping[str, Any], facts: RecordFacts) -> str:
    how = mapping_at(design, "designInfo")
    words = [_spell_code(design.get("studyType")), facts.phase or "", _spell_code(how.get("allocation"))]
    words += [_spell_code(how.get("interventionModel")), _describe_masking(mapping_at(how, "maskingInfo"))]
    parts = [", ".join(word for word in words if word and word != "Na")]
    if facts.enrollment is not None:
        parts.append(describe_enrollment(facts.enrollment, facts.enrollment_kind))
    parts += [f"status: {facts.status}"] if facts.status else []
    parts += [f"lead sponsor: {facts.sponsor}"] if facts.sponsor else []
    text = "; ".join(part for part in parts if part)
    return end_sentence(text) if text else ""


def _describe_masking(masking: Mapping[str, Any]) -> str:
    """ "masking: double (participant, investigator)"."""
    if not (kind := _spell_code(masking.get("masking")).lower()):
        return ""
    masked = [_spell_code(who).lower() for who in text_lines(masking.get("whoMasked"))]
    return f"masking: {kind}" + (f" ({', '.join(masked)})" if masked else "")


def _describe_status(facts: RecordFacts, start: StudyDate | None, study: Mapping[str, Any]) -> str:
    """State why the study stopped, its dates (marked if only expected), and whether results are posted."""
    posted = _read_study_date(mapping_at(study, "protocolSection", "statusModule"), "resultsFirstPostDateStruct")
    dates = (
        ("start", start),
        ("primary completion", facts.primary_completion),
        ("completion", facts.completion),
        ("results first posted", posted),
    )
    events = [describe_date(event, date) for event, date in dates if date]
    text = end_sentence("; ".join(events).capitalize()) if events else ""
    stopped = (
        end_sentence(f"{facts.status or 'Stopped'}; why stopped: {facts.why_stopped}") if facts.why_stopped else ""
    )
    unposted = "Results: not posted." if study.get("hasResults") is False else ""
    return "\n\n".join(filter(None, (stopped, text, unposted)))


def _list_items(items: Any, name: str) -> str:
    """One paragraph per item: its type, name and description."""
    texts = []
    for item in map(as_mapping, as_list(items)):
        if title := unescape_line(item.get(name)):
            kind = _spell_code(item.get("type"))
            description = unescape_line(item.get("description"))
            texts.append(
                end_sentence((f"{kind}: " if kind else "") + title + (f" – {description}" if description else ""))
            )
    return "\n\n".join(texts)


def _describe_eligibility(module: Mapping[str, Any]) -> str:
    """The sexes and ages that are eligible, then the registry's criteria."""
    ages = [
        f"{word} {age}"
        for word, name in (("from", "minimumAge"), ("to", "maximumAge"))
        if (age := unescape_line(module.get(name)).lower())
    ]
    sex = _spell_code(module.get("sex")).lower()
    people = " ".join(filter(None, ("all sexes" if sex == "all" else sex, *ages)))
    return "\n\n".join(filter(None, (end_sentence(f"Eligible: {people}") if people else "", _read_criteria(module))))


def _read_criteria(module: Mapping[str, Any]) -> str:
    """The criteria, one paragraph each, without list markers."""
    points = (point.strip(" *-\t") for point in unescape_text(module.get("eligibilityCriteria")).splitlines())
    return "\n\n".join(filter(None, points))


def _list_primary_outcomes(module: Mapping[str, Any]) -> str:
    outcomes = []
    for outcome in map(as_mapping, as_list(module.get("primaryOutcomes"))[:MAX_OUTCOMES]):
        if measure := unescape_line(outcome.get("measure")):
            frame = unescape_line(outcome.get("timeFrame"))
            outcomes.append(end_sentence(measure + (f" (time frame: {frame})" if frame else "")))
    return "\n\n".join(outcomes)


def _describe_flow(module: Mapping[str, Any]) -> Iterator[str]:
    """One sentence for each period: how many of each group started and completed it, and why others did not."""
    groups = {
        text_line(item.get("id")): unescape_line(item.get("title"))
        for item in map(as_mapping, as_list(module.get("groups")))
    }
    for period in map(as_mapping, as_list(module.get("periods"))):
        counts = [
            (_spell_code(item.get("type")).lower(), as_list(item.get("achievements")))
            for item in map(as_mapping, as_list(period.get("milestones")))
        ]
        counts += [
            (f"left for: {_spell_code(item.get('type')).lower()}", as_list(item.get("reasons")))
            for item in map(as_mapping, as_list(period.get("dropWithdraws")))
        ]
        listed = [
            f"{kind} {', '.join(numbers)}"
            for kind, of_groups in counts[:MAX_VALUES]
            if (numbers := list(_count_by_group(of_groups, groups)))
        ]
        if listed:
            yield end_sentence(f"{unescape_line(period.get('title')) or 'Period'}: {'; '.join(listed)}")


def _count_by_group(counts: list[Any], groups: Mapping[str, str]) -> Iterator[str]:
    """ "Placebo 521" for each group with a number."""
    for item in map(as_mapping, counts[:MAX_VALUES]):
        number, name = text_line(item.get("numSubjects")), groups.get(text_line(item.get("groupId")), "")
        if number and name:
            yield f"{name} {number}"
