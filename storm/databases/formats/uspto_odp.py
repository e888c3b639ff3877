"""Read patent applications from the JSON of the USPTO's Open Data Portal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storm.databases.formats.author_names import name_contributor, short_name
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, end_sentence, mapping_at, text_line, text_lines
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.patent_numbers import PatentNumber, split_patent_number
from storm.errors import RecordError
from storm.models import Contributor, Hit, PatentDetails, Publication, RecordFacts, Retraction, Section, SectionKind
from storm.models.identifiers import normalize_patent


def read_applications(answer: Mapping[str, Any]) -> list[Any]:
    """The applications in an answer of the portal or of its beta version."""
    return as_list(answer.get("patentFileWrapperDataBag")) or as_list(answer.get("patentBag"))


def application_hit(record: JsonRecord) -> Hit | RecordError:
    """Convert an application to a Hit, identified by its patent, else its publication, else its own number."""
    data = mapping_at(record.value, "applicationMetaData") or record.value
    application = text_line(record.value.get("applicationNumberText"))
    title = text_line(data.get("inventionTitle"))
    if not application:
        return RecordError("not a patent application: it has no application number", position=record.position)
    if not title:
        return RecordError(f"application {application} has no title", position=record.position)
    date = next(
        filter(None, map(parse_date, _read_lines(data, "grantDate", "earliestPublicationDate", "filingDate"))), None
    )
    return Hit.of(
        "patents",
        _read_number(data) or application,
        f"https://patentcenter.uspto.gov/applications/{application}",
        title,
        sections=(Section(text=_describe_application(data, application), kind=SectionKind.FIELD),),
        authors=_read_inventors(data),
        year=year_of(date),
        date=date,
        container=text_line(data.get("firstApplicantName")) or None,
        publication_types=("Patent" if text_line(data.get("patentNumber")) else "Patent Application",),
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(country="US", status=text_line(data.get("applicationStatusDescriptionText")) or None),
        publication=Publication(authors=_read_people(data), patent=_read_patent(record.value, data)),
    )


def _read_patent(record: Mapping[str, Any], data: Mapping[str, Any]) -> PatentDetails:
    """The patent if it was granted, else the publication of the application, else the application by its number."""
    granted, published = text_line(data.get("patentNumber")), text_line(data.get("earliestPublicationNumber"))
    parts = PatentNumber("US", granted) if granted else split_patent_number(published)
    claims = [as_mapping(claim) for claim in as_list(record.get("foreignPriorityBag"))]
    dates = filter(None, (parse_date(text_line(claim.get("filingDate"))) for claim in claims))
    return PatentDetails(
        number=parts.number if parts else None,
        kind=parts.kind if parts else None,
        country=parts.country if parts else "US",
        applicants=_read_applicants(data),
        inventors=_read_people(data),
        application_number=text_line(record.get("applicationNumberText")),
        priority_numbers=text_lines([claim.get("applicationNumberText") for claim in claims]),
        filing_date=parse_date(text_line(data.get("filingDate"))),
        priority_date=min(dates, default=None),
        publication_date=parse_date(text_line(data.get("grantDate" if granted else "earliestPublicationDate"))),
        legal_status=text_line(data.get("applicationStatusDescriptionText")) or None,
    )


def _read_people(data: Mapping[str, Any]) -> tuple[Contributor, ...]:
    """The inventors with their names in parts; without a list of them none is known but by one text."""
    people = tuple(person for item in as_list(data.get("inventorBag")) if (person := _read_inventor(item)))
    first = text_line(data.get("firstInventorName"))
    return people or ((Contributor(collective=first),) if first else ())


def _read_inventor(item: Any) -> Contributor | None:
    person = as_mapping(item)
    family, suffix = text_line(person.get("lastName")), text_line(person.get("nameSuffix"))
    given = " ".join(_read_lines(person, "firstName", "middleName"))
    return name_contributor(family, given, suffix=suffix, collective=text_line(person.get("inventorNameText")))


def _read_applicants(data: Mapping[str, Any]) -> tuple[str, ...]:
    names = [as_mapping(item).get("applicantNameText") for item in as_list(data.get("applicantBag"))]
    return text_lines(names) or text_lines(data.get("firstApplicantName"))


def read_numbers(record: Any) -> frozenset[str]:
    """The numbers of the application, its publication (`US20240362478A1`) and its patent (`11646472`)."""
    data = mapping_at(record, "applicationMetaData") or as_mapping(record)
    published = normalize_patent(text_line(data.get("earliestPublicationNumber")))
    return frozenset(
        (
            text_line(as_mapping(record).get("applicationNumberText")),
            published or "",
            text_line(data.get("patentNumber")),
        )
    )


def _read_number(data: Mapping[str, Any]) -> str | None:
    """`US11646472` for a grant, else `US20240362478A1` for a publication, also written `US 2024-0362478 A1`."""
    if granted := text_line(data.get("patentNumber")):
        return normalize_patent(f"US{granted}")
    return normalize_patent(text_line(data.get("earliestPublicationNumber")))


def _read_inventors(data: Mapping[str, Any]) -> tuple[str, ...]:
    people = [as_mapping(item) for item in as_list(data.get("inventorBag"))]
    names = [
        short_name(text_line(person.get("lastName")), forenames=text_line(person.get("firstName")))
        or text_line(person.get("inventorNameText"))
        for person in people
    ]
    return tuple(filter(None, names)) or text_lines(data.get("firstInventorName"))


def _describe_application(data: Mapping[str, Any], application: str) -> str:
    """Write the portal's fields as sentences, since it has neither abstracts nor claims."""
    classes = [" ".join(code.split()) for code in text_lines(data.get("cpcClassificationBag"))]
    facts = (
        ("US patent application", application),
        ("Filed", text_line(data.get("filingDate"))),
        ("Published", " as ".join(_read_lines(data, "earliestPublicationDate", "earliestPublicationNumber"))),
        ("Granted", " as US patent ".join(_read_lines(data, "grantDate", "patentNumber"))),
        ("Status", text_line(data.get("applicationStatusDescriptionText"))),
        ("Applicant", "; ".join(_read_applicants(data))),
        ("CPC classes", "; ".join(classes)),
    )
    return " ".join(end_sentence(f"{label}: {value}") for label, value in facts if value)


def _read_lines(data: Mapping[str, Any], *names: str) -> list[str]:
    return [text for name in names if (text := text_line(data.get(name)))]
