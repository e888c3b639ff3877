"""A database's description of one document."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Self

from pydantic import Field

from storm.models.base import Frozen
from storm.models.database import database_rank
from storm.models.identifiers import identifiers_of
from storm.models.identity import DrugName
from storm.models.publication import Publication, merge_publications
from storm.models.retraction import Retraction
from storm.models.section import Section
from storm.models.study import EnrollmentKind, StudyDate

#: Fields of which merged records have the values of all.
_UNITED = ("publication_types", "headings", "trials", "drugs", "notices")
#: The last author of a record whose list of authors is incomplete.
ET_AL = "et al"


class Approval(Frozen):
    """One regulatory decision, as a record states it; dates are ISO, possibly partial."""

    agency: str
    date: str | None = None
    product: str | None = None
    number: str | None = None
    indication: str | None = None


class RecordFacts(Frozen):
    """Structured facts from a record's own fields; empty if it does not state them.

    `names` are the drug's own names with their kinds; `substances` and `uniis` are the names and identifiers of a
    product's ingredients (several in a combination); `parent` is ChEMBL's id of the molecule without its salt.
    `enrollment_kind` says whether the enrolment was reached or is planned; `paediatric_expiry` is the date to which
    paediatric exclusivity extends a patent; `marketed_since` is the first day (ISO) on which a
    product was marketed.
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
    marketed_since: str | None = None
    country: str | None = None
    expiry: str | None = None
    paediatric_expiry: str | None = None
    names: tuple[DrugName, ...] = ()
    substances: tuple[str, ...] = ()
    uniis: tuple[str, ...] = ()
    parent: str | None = None

    @property
    def last_day(self) -> str:
        """The day (ISO) until which a patent or exclusivity lasts, with its extension; empty if none is stated."""
        return max(self.expiry or "", self.paediatric_expiry or "")


class Hit(Frozen):
    """One search result, as the database described it: the only description that may reach a report.

    `text` is the joined sections; quotes are verified against it. `identifiers` are canonical and identify the work;
    `headings` are the MeSH descriptors that it is indexed under. `trials` are links. `drugs` are names that the record
    lists for its own drug. Dates are ISO, possibly partial. `open_access` says whether the whole work is open access,
    None if the record does not say; `open_url` is a lawful free copy. `publication` is what a bibliography needs
    besides.
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
    headings: tuple[str, ...] = ()
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
        """The record's text: its sections, separated by blank lines."""
        return "\n\n".join(self.texts)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its sections."""
        return tuple(section.text for section in self.sections)

    def list_first_texts(self, most: int) -> list[str]:
        """The texts of its first sections, up to so many characters in all."""
        ends = accumulate(map(len, self.texts))
        return [text[: max(0, most - end + len(text))] for text, end in zip(self.texts, ends, strict=True)]

    @property
    def prose(self) -> str:
        """The text without tables and back matter."""
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
        sections: Iterable[Section] = (),
        **fields: object,
    ) -> Self:
        """A Hit from a record's own fields, with normalised identifiers, its longest sections divided."""
        parts = (Section(text=text),) if text else sections
        return cls.model_validate(
            {
                "database": database,
                "external_id": external_id,
                "url": url,
                "title": title,
                "identifiers": identifiers_of(database, external_id, url=url, pmid=pmid, pmcid=pmcid, doi=doi),
                "sections": tuple(part for section in parts for part in section.divide()),
                **fields,
            }
        )


def _merge_rank(hit: Hit) -> tuple[int, str, str]:
    """The sort key of a record; registers come last, as they state one fact and do not describe the work."""
    return database_rank(hit.database), hit.database, hit.external_id


def _tidy_hit(hit: Hit) -> Hit:
    """The hit with each value of its lists once, and the strongest identifier first."""
    tidy = {name: tuple(dict.fromkeys(getattr(hit, name))) for name in _UNITED}
    tidy["identifiers"] = tuple(sorted(dict.fromkeys(hit.identifiers), key=identifier_rank))
    changed = {name: values for name, values in tidy.items() if values != getattr(hit, name)}
    return hit.model_copy(update=changed) if changed else hit


def merge_hits(hits: Iterable[Hit]) -> Hit:
    """Merge the records of one work: each field from the first database that has it, and the longest text.

    The result depends on the set of records only, not on their order or repetitions. At least one is needed.
    """
    ranked = list(hits)
    if len(ranked) > 1:  # most works have one record, and comparing is slow
        ranked = sorted(set(ranked), key=lambda hit: (*_merge_rank(hit), hit.model_dump_json()))
    best = ranked[0]
    if len(ranked) == 1:
        return _tidy_hit(best)
    longest = max(ranked, key=lambda hit: (len(hit.text), hit.text))
    severity = (Retraction.RETRACTED, Retraction.CONCERN, Retraction.NOT_RETRACTED, Retraction.NOT_CHECKED)

    def unite_field(field: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for hit in ranked for value in getattr(hit, field)))

    unions = {name: unite_field(name) for name in _UNITED}
    unions["identifiers"] = tuple(sorted(unite_field("identifiers"), key=identifier_rank))
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


def identifier_rank(identifier: str) -> tuple[int, str]:
    """The sort key of a canonical identifier, the strongest first."""
    order = ("pmid", "pmcid", "doi", "registry", "chembl", "patent")
    kind = identifier.partition(":")[0]
    return (order.index(kind) if kind in order else len(order), identifier)
