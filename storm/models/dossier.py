"""The finished dossier: what `dossier.json` holds and `dossier.md` is written from."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from pydantic import model_validator

from storm.models.answer import Answer, StatementCounts
from storm.models.base import Frozen
from storm.models.database import database_label
from storm.models.hit import Approval, Retraction
from storm.models.identity import DrugIdentity
from storm.models.plan import NAMES
from storm.models.publication import Publication
from storm.models.relation import Relation, RelationKind, with_kind
from storm.models.search import SearchStatus
from storm.models.spending import Spending
from storm.models.study import StudyDate
from storm.models.written_identifiers import lookup_keys


class Reference(Frozen):
    """One cited source, made from its record; `note` is what the research noted of it, in no words of the record.

    `retrieved` is the day (ISO) on which a public service gave the record; None for a record of this machine.
    `design` and what follows it are what the record says of the study that it reports: empty where it says nothing, and
    in a record that reports none. `participants` took part; a number that is only planned is not there.
    """

    n: int
    source_id: str
    source_type: str
    external_id: str
    url: str
    title: str
    authors: tuple[str, ...] = ()
    container: str | None = None
    year: int | None = None
    date: str | None = None
    agency: str | None = None
    country: str | None = None
    identifiers: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    relation: Relation = Relation.ITSELF
    relation_kind: RelationKind = RelationKind.ITSELF
    retraction: Retraction = Retraction.NOT_CHECKED
    notices: tuple[str, ...] = ()
    open_access: bool | None = None
    open_url: str | None = None
    note: str = ""
    retrieved: str | None = None
    design: str = ""
    participants: int | None = None
    population: str = ""
    animals: bool = False
    comparator: str = ""
    follow_up: str = ""
    dose: str = ""
    funding: str = ""
    trials: tuple[str, ...] = ()
    publication: Publication = Publication.model_construct()

    _kind = model_validator(mode="before")(with_kind)


class Fact(Frozen):
    """A value of a record's own field, with the source it comes from."""

    text: str
    source_id: str


class ApprovalFact(Approval):
    """A regulatory decision with the source that states it, and what that source is about."""

    source_id: str
    relation: Relation = Relation.ITSELF


class StudyFact(Frozen):
    """A registered study of the drug as its record has it; `participants` and the dates say what is only planned."""

    external_id: str
    phase: str | None = None
    status: str | None = None
    participants: str | None = None
    primary_completion: StudyDate | None = None
    completion: StudyDate | None = None
    why_stopped: str | None = None
    sponsor: str | None = None
    source_id: str


class ProtectionFact(Frozen):
    """A patent or exclusivity of the drug with its dates (ISO, possibly partial); the reader's day says if they passed.

    `paediatric_expiry` is until when paediatric exclusivity extends it.
    """

    text: str
    expiry: str | None = None
    paediatric_expiry: str | None = None
    source_id: str


class AtAGlance(Frozen):
    """What the records' own fields say about the drug; nothing here is a model's or a rule's wording."""

    names: tuple[Fact, ...] = ()
    drug_class: tuple[Fact, ...] = ()
    targets: tuple[Fact, ...] = ()
    sponsors: tuple[Fact, ...] = ()
    approvals: tuple[ApprovalFact, ...] = ()
    boxed_warnings: tuple[Fact, ...] = ()
    trials: dict[str, dict[str, int]] = {}
    studies: tuple[StudyFact, ...] = ()
    protections: tuple[ProtectionFact, ...] = ()
    designs: dict[str, dict[str, int]] = {}


class QuestionCoverage(Frozen):
    """How a question stands: sources it has and needs."""

    question: str
    label: str
    sources: int
    min_sources: int

    @property
    def sufficient(self) -> bool:
        """Whether the minimum is met."""
        return self.sources >= self.min_sources


class Coverage(Frozen):
    """How a syllabus stands; `ready` when each minimum and the number of databases are met."""

    questions: tuple[QuestionCoverage, ...]
    databases: tuple[str, ...]
    min_databases: int
    total: int
    ready: bool


class DatabaseUse(Frozen):
    """A database as this job used it: its scope, and how its searches ended; `incomplete` if a part of one failed."""

    name: str
    scope: str
    searched: int
    status: SearchStatus
    reason: str = ""
    incomplete: bool = False
    records: dict[str, int] = {}


class SearchLine(Frozen):
    """One line of the search log, with how many of its hits were kept.

    `address` is what was asked of a public service, without secrets; `answered` when it gave the oldest of its answers.
    """

    database: str
    scope: str
    question: str
    query: str
    at: datetime
    status: SearchStatus
    total: int
    hits: int
    kept: int
    reason: str = ""
    translated: str = ""
    address: str = ""
    answered: datetime | None = None
    incomplete: bool = False


class QuestionText(Frozen):
    """A question as the reader sees it."""

    key: str
    label: str
    description: str
    dated: bool = False


class Dossier(Frozen):
    """One drug, one dossier. Every source id in it resolves to a reference; every reference is cited.

    `names` were searched for; `also_known` were not, but records are known by them, too. `identity` is what the drug's
    name means, `named` how many sources have each of the names. `retrieved` is the day (ISO) of the databases' oldest
    answer. `mode` says who gathered and wrote, `by_model` that it was a language model; `statements` sums up what
    became of what was written, and `spending` is what the language models came to, by role and question.
    `judged_by_writer`: the language model that wrote the statements also judged them.
    """

    file_name: ClassVar[str] = "dossier"

    job_id: str
    drug: str
    names: tuple[str, ...]
    also_known: tuple[str, ...] = ()
    identity: DrugIdentity | None = None
    named: dict[str, int] = {}
    engine: str
    mode: str = ""
    by_model: bool = False
    judged_by_writer: bool = False
    created: datetime
    retrieved: str
    stopped: str
    questions: tuple[QuestionText, ...]
    exit_code: int
    databases: tuple[DatabaseUse, ...]
    coverage: Coverage
    at_a_glance: AtAGlance
    answers: tuple[Answer, ...]
    statements: StatementCounts = StatementCounts.model_construct()
    spending: tuple[Spending, ...] = ()
    references: tuple[Reference, ...]
    search_log: tuple[SearchLine, ...]
    notes: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _fill_by_model(cls, values: Any) -> Any:
        """A dossier that was stored before `by_model` says it by its mode."""
        if isinstance(values, dict) and values.get("mode") == "broad":
            return {"by_model": True, **values}
        return values

    def reference(self, source: str) -> Reference:
        """The cited source of this id, URL or identifier ("pmid:16236737"); LookupError if none of them is cited."""
        keys = {source, *lookup_keys("web", source, source)}
        for reference in self.references:
            if source in (reference.source_id, reference.url) or not keys.isdisjoint(reference.identifiers):
                return reference
        raise LookupError(f"{source!r} is no cited source of {self.job_id}")

    @property
    def goes_on(self) -> bool:
        """Whether a resume gathers on: what ended it was a language model that failed."""
        return self.stopped == "model_error"

    @property
    def unasked(self) -> tuple[str, ...]:
        """Who could not be asked what the drug's name means."""
        lines = [line for line in self.search_log if line.question == NAMES and line.status is SearchStatus.FAILED]
        return tuple(dict.fromkeys(database_label(line.database) for line in lines))

    @property
    def searched(self) -> tuple[DatabaseUse, ...]:
        """The databases that answered."""
        return tuple(use for use in self.databases if use.status is not SearchStatus.FAILED)
