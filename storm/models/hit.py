"""What a database says about one document."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from storm.models.base import Frozen
from storm.models.database import database_rank
from storm.models.identifiers import identifiers_of
from storm.models.identity import DrugName
from storm.models.publication import Publication, merge_publications
from storm.models.section import Section
from storm.models.study import EnrollmentKind, StudyDate

#: The last of the authors where a record says that its list is not complete.
ET_AL = "et al"


class Retraction(StrEnum):
    """What is known of a work's retraction; `not_checked` is never told as `not_retracted`."""

    RETRACTED = "retracted"
    CONCERN = "expression_of_concern"
    NOT_RETRACTED = "not_retracted"
    NOT_CHECKED = "not_checked"


class Approval(Frozen):
    """One regulatory decision, as a record states it; dates are ISO, possibly partial."""

    agency: str
    date: str | None = None
    product: str | None = None
    number: str | None = None
    indication: str | None = None


class RecordFacts(Frozen):
    """Structured facts that a record states in fields of its own; empty where it does not.

    `names` are the drug's own with their kinds; `substances` are what a product consists of, by name, and `uniis` their
    identifiers (several of each in a combination); `parent` is ChEMBL's id of the molecule without its salt.
    `enrollment_kind` says whether the number was reached or is planned; `paediatric_expiry` is until when paediatric
    exclusivity extends a patent.
    """

    drug_class: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    sponsor: str | None = None
    phase: str | None = None
    status: str | None = None
    enrollment: int | None = None
    enrollment_kind: EnrollmentKind | None = None
    why_stopped: str | None = None
    primary_completion: StudyDate | None = None
    completion: StudyDate | None = None
    approvals: tuple[Approval, ...] = ()
    boxed_warning: str | None = None
    country: str | None = None
    expiry: str | None = None
    paediatric_expiry: str | None = None
    names: tuple[DrugName, ...] = ()
    substances: tuple[str, ...] = ()
    uniis: tuple[str, ...] = ()
    parent: str | None = None


class Hit(Frozen):
    """One search result, as the database described it: the only description that may reach a report.

    `text` is the joined sections; quotes are verified against it. `identifiers` are canonical and identify the work;
    `trials` are links. `drugs` are names that the record lists for its own drug. Dates are ISO, possibly partial.
    `open_access` is whether the record says that the whole work is open access, None where it does not say; `open_url`
    is where it can be read free and lawfully. `publication` is what a bibliography needs besides.
    """

    database: str
    external_id: str
    url: str
    title: str
    identifiers: tuple[str, ...] = Field(min_length=1)
    sections: tuple[Section, ...] = ()
    authors: tuple[str, ...] = ()
    year: int | None = None
    date: str | None = None
    container: str | None = None
    publication_types: tuple[str, ...] = ()
    trials: tuple[str, ...] = ()
    drugs: tuple[str, ...] = ()
    retraction: Retraction = Retraction.NOT_CHECKED
    notices: tuple[str, ...] = ()
    open_access: bool | None = None
    open_url: str | None = None
    facts: RecordFacts = RecordFacts.model_construct()
    publication: Publication = Publication.model_construct()

    @property
    def key(self) -> str:
        """The strongest canonical identifier."""
        return self.identifiers[0]

    @property
    def text(self) -> str:
        """The record's text: its sections, a blank line between two."""
        return "\n\n".join(section.text for section in self.sections)

    @property
    def prose(self) -> str:
        """The text without its tables and what stands behind it."""
        return "\n\n".join(section.text for section in self.sections if section.is_prose)

    @classmethod
    def of(
        cls,
        database: str,
        external_id: str,
        url: str,
        title: str,
        *,
        text: str = "",
        pmid: str | None = None,
        pmcid: str | None = None,
        doi: str | None = None,
        **fields: object,
    ) -> Hit:
        """A Hit from a record's own fields, its identifiers normalised."""
        if text:
            fields["sections"] = (Section(text=text),)
        return cls.model_validate(
            {
                "database": database,
                "external_id": external_id,
                "url": url,
                "title": title,
                "identifiers": identifiers_of(database, external_id, url=url, pmid=pmid, pmcid=pmcid, doi=doi),
                **fields,
            }
        )


def _merge_rank(hit: Hit) -> tuple[int, str, str]:
    """Registers come last: they tell one thing of a work, and are not what describes it."""
    return database_rank(hit.database), hit.database, hit.external_id


def merge_hits(hits: Iterable[Hit]) -> Hit:
    """One description of a work that several records describe: fields by the order of databases, the longest text.

    A function of the set of records: neither their order nor a repetition changes it. At least one is needed.
    """
    ranked = list(hits)
    if len(ranked) > 1:  # most works have one record, and comparing takes longer than all the rest
        ranked = sorted(set(ranked), key=lambda hit: (*_merge_rank(hit), hit.model_dump_json()))
    best = ranked[0]
    longest = max(ranked, key=lambda hit: (len(hit.text), hit.text))
    severity = (Retraction.RETRACTED, Retraction.CONCERN, Retraction.NOT_RETRACTED, Retraction.NOT_CHECKED)

    def unite_field(field: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for hit in ranked for value in getattr(hit, field)))

    unions = {name: unite_field(name) for name in ("publication_types", "trials", "drugs", "notices")}
    unions["identifiers"] = tuple(sorted(unite_field("identifiers"), key=_identifier_rank))
    if len(ranked) == 1:
        return best.model_copy(update=unions)
    facts = {
        name: next((value for hit in ranked if (value := getattr(hit.facts, name))), getattr(best.facts, name))
        for name in RecordFacts.model_fields
    }
    counted = next((hit.facts for hit in ranked if hit.facts.enrollment is not None), best.facts)
    facts |= {name: getattr(counted, name) for name in ("enrollment", "enrollment_kind")}
    return best.model_copy(
        update={
            **unions,
            "sections": longest.sections,
            "retraction": min((hit.retraction for hit in ranked), key=severity.index),
            "open_access": max((hit.open_access for hit in ranked if hit.open_access is not None), default=None),
            "facts": RecordFacts.model_validate(facts),
            "publication": merge_publications([hit.publication for hit in ranked]),
            **{
                name: next((value for hit in ranked if (value := getattr(hit, name))), getattr(best, name))
                for name in ("authors", "year", "date", "container", "open_url")
            },
        }
    )


def _identifier_rank(identifier: str) -> tuple[int, str]:
    order = ("pmid", "pmcid", "doi", "registry", "chembl", "patent")
    kind = identifier.partition(":")[0]
    return (order.index(kind) if kind in order else len(order), identifier)
