"""How the records that a job found became the reports that its dossier cites, counted as PRISMA 2020 does."""

from collections.abc import Iterable, Mapping
from typing import Self

from pydantic import model_validator

from storm.models.base import Frozen
from storm.models.database import Holds, database_info
from storm.models.exclusion import Exclusion


class FlowCounts(Frozen):
    """The records of one or several databases, by their way through the job.

    A record is identified by each search that returned it: it counts once as screened and otherwise as a duplicate.
    `known_before` are sources of the job that is updated, removed before screening. `sought` are the sources,
    `not_retrieved` those of them without text that are not cited, `included` those that are cited. `reasons` say why
    records were removed, excluded or not cited.
    """

    identified: int = 0
    duplicates: int = 0
    automatic: int = 0
    known_before: int = 0
    screened: int = 0
    excluded: int = 0
    sought: int = 0
    not_retrieved: int = 0
    assessed: int = 0
    not_included: int = 0
    included: int = 0
    reasons: dict[Exclusion, int] = {}

    @property
    def automatic_reasons(self) -> Mapping[Exclusion, int]:
        """Why records were removed before screening."""
        return {reason: number for reason, number in self.reasons.items() if reason.is_automatic}

    @property
    def exclusion_reasons(self) -> Mapping[Exclusion, int]:
        """Why screened records were excluded."""
        return {
            reason: number
            for reason, number in self.reasons.items()
            if not (reason.is_automatic or reason.is_of_source)
        }

    @property
    def uncited_reasons(self) -> Mapping[Exclusion, int]:
        """Why reports that were assessed are not included."""
        return {reason: number for reason, number in self.reasons.items() if reason.is_of_source}

    @model_validator(mode="after")
    def _require_sums(self) -> Self:
        sums = (
            (self.identified, self.duplicates + self.automatic + self.known_before + self.screened),
            (self.screened, self.excluded + self.sought),
            (self.sought, self.not_retrieved + self.assessed),
            (self.assessed, self.not_included + self.included),
            (self.automatic, sum(self.automatic_reasons.values())),
            (self.excluded, sum(self.exclusion_reasons.values())),
            (self.not_included, sum(self.uncited_reasons.values())),
        )
        if any(whole != parts for whole, parts in sums):
            raise ValueError("the numbers of records do not add up")
        return self

    @classmethod
    def add_up(cls, parts: Iterable[Self]) -> Self:
        """The sum of the counts, each number and each reason."""
        totals: dict[str, int] = {}
        reasons: dict[Exclusion, int] = {}
        for part in parts:
            for name, number in part.model_dump(exclude={"reasons"}).items():
                totals[name] = totals.get(name, 0) + number
            for reason, number in part.reasons.items():
                reasons[reason] = reasons.get(reason, 0) + number
        return cls.model_validate({**totals, "reasons": {one: reasons[one] for one in Exclusion if one in reasons}})


class PreviousFlow(Frozen):
    """The previous version of a dossier: what it included, and what of its sources is included now.

    `no_longer` are reports of it that are not cited any more, `now_cited` sources that it had and did not cite.
    """

    job_id: str
    studies: int
    reports: int
    no_longer: int = 0
    now_cited: int = 0
    total_studies: int

    @property
    def still(self) -> int:
        """Its sources that are included now."""
        return self.reports - self.no_longer + self.now_cited

    @model_validator(mode="after")
    def _limit_reports(self) -> Self:
        if min(self.studies, self.reports, self.no_longer, self.now_cited) < 0 or self.no_longer > self.reports:
            raise ValueError("more reports are gone than there were")
        return self


class RecordFlow(Frozen):
    """The flow of a job's records. `databases` are those that were searched, with their registers; `others` are web
    pages and records that were looked up, by database. `studies` are papers and registered studies; reports of one
    trial are one. In an update all these count what is new, and `previous` what there was. `not_kept` says of each
    record that was found and is not cited why it is not, by the key of its work; `not_kept_titles` are the titles of
    these and of `duplicates`: identifiers under which a work was found besides another, with the key of the work."""

    databases: dict[str, FlowCounts] = {}
    others: dict[str, FlowCounts] = {}
    studies: int = 0
    previous: PreviousFlow | None = None
    not_kept: dict[str, Exclusion] = {}
    not_kept_titles: dict[str, str] = {}
    duplicates: dict[str, str] = {}

    @property
    def search_counts(self) -> FlowCounts:
        """The counts of all databases and registers."""
        return FlowCounts.add_up(self.databases.values())

    @property
    def other_counts(self) -> FlowCounts:
        """The counts of web pages and look-ups."""
        return FlowCounts.add_up(self.others.values())

    @property
    def total(self) -> FlowCounts:
        """The counts of all that was found."""
        return FlowCounts.add_up((self.search_counts, self.other_counts))

    @property
    def total_studies(self) -> int:
        """The studies that are included now, new ones and those of the previous version."""
        return self.previous.total_studies if self.previous else self.studies

    @property
    def total_reports(self) -> int:
        """The reports that are included now: the references."""
        return self.total.included + (self.previous.still if self.previous else 0)

    @property
    def registers(self) -> Mapping[str, FlowCounts]:
        """The registers of studies among the databases."""
        return {name: counts for name, counts in self.databases.items() if _is_register(name)}

    @property
    def bibliographic(self) -> Mapping[str, FlowCounts]:
        """The databases that are not registers of studies."""
        return {name: counts for name, counts in self.databases.items() if not _is_register(name)}

    @model_validator(mode="after")
    def _limit_studies(self) -> Self:
        if not 0 <= self.studies <= self.total.included:
            raise ValueError("there are more studies than reports of them")
        if not self.studies <= self.total_studies <= self.total_reports:
            raise ValueError("there are more studies in all than reports of them")
        return self


def _is_register(name: str) -> bool:
    return database_info(name).holds is Holds.STUDIES
