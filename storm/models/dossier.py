"""The finished dossier: the contents of `dossier.json`, from which `dossier.md` is written."""

from datetime import datetime
from typing import Any, ClassVar

from pydantic import model_validator

from storm.models.answer import Answer, StatementCounts, SummarySentence
from storm.models.base import Frozen
from storm.models.changes import Changes
from storm.models.database import database_label
from storm.models.deep_research import DeepResearch
from storm.models.flow import RecordFlow
from storm.models.hit import Approval
from storm.models.identity import DrugIdentity
from storm.models.lacks import Lack, read_lacks
from storm.models.record_table import RecordTable
from storm.models.reference import Reference
from storm.models.relation import Relation
from storm.models.repurposing import Repurposing
from storm.models.research import Research
from storm.models.search import NAMES, LoggedSearch, SearchStatus
from storm.models.spending import Spending
from storm.models.study import StudyDate

#: The part of a score for what independent works confirm in the answer to a question.
CONFIRMATION = "confirmation"


class Fact(Frozen):
    """A value of a record's own field, with its source."""

    text: str
    source_id: str


class ApprovalFact(Approval):
    """A regulatory decision with its source, and what that source is about."""

    source_id: str
    relation: Relation = Relation.ITSELF


class LaunchFact(Frozen):
    """The first day (ISO) on which a product was marketed in the United States, from its label's listing."""

    product: str
    date: str
    source_id: str
    relation: Relation = Relation.ITSELF


class StudyFact(Frozen):
    """A registered study of the drug, from its record; `participants` and the dates say what is only planned."""

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
    """A patent or exclusivity of the drug with its dates (ISO, possibly partial), which may have passed.

    `paediatric_expiry` is the date to which paediatric exclusivity extends it.
    """

    text: str
    expiry: str | None = None
    paediatric_expiry: str | None = None
    source_id: str

    @property
    def last_day(self) -> str:
        """The day until which it lasts, with its extension; empty if none is stated."""
        return max(self.expiry or "", self.paediatric_expiry or "")


class AtAGlance(Frozen):
    """Facts about the drug from the records' own fields; no wording of a model or a rule."""

    names: tuple[Fact, ...] = ()
    drug_class: tuple[Fact, ...] = ()
    targets: tuple[Fact, ...] = ()
    sponsors: tuple[Fact, ...] = ()
    approvals: tuple[ApprovalFact, ...] = ()
    launches: tuple[LaunchFact, ...] = ()
    boxed_warnings: tuple[Fact, ...] = ()
    trials: dict[str, dict[str, int]] = {}
    studies: tuple[StudyFact, ...] = ()
    protections: tuple[ProtectionFact, ...] = ()
    designs: dict[str, dict[str, int]] = {}


class QuestionCoverage(Frozen):
    """The sources that a question has and needs, and how many its answer cites (None before there is an answer)."""

    question: str
    label: str
    sources: int
    min_sources: int
    answering: int | None = None

    @property
    def sufficient(self) -> bool:
        """Whether enough sources were collected; how many of them the answer cites is another matter."""
        return self.sources >= self.min_sources

    @property
    def answered(self) -> bool:
        """Whether enough sources were collected, and the answer, if there is one, cites enough of them."""
        return self.sufficient and (self.answering is None or self.answering >= self.min_sources)


class Coverage(Frozen):
    """The coverage of a syllabus; `ready` if each question has its minimum and enough databases contributed."""

    questions: tuple[QuestionCoverage, ...]
    databases: tuple[str, ...]
    min_databases: int
    total: int
    ready: bool


class DatabaseUse(Frozen):
    """A database as this job used it: its scope and the outcome of its searches; `incomplete` if part of one failed."""

    name: str
    scope: str
    searched: int
    status: SearchStatus
    reason: str = ""
    incomplete: bool = False
    records: dict[str, int] = {}


class SearchLine(LoggedSearch, Frozen):
    """One line of the search log, with the number of its hits that were kept.

    `question` asked for it first, `shared_with` are the others that did. `address` is the request to a public service,
    without secrets; `answered` is the time of its oldest answer, and `changed_since` the day (ISO) since which records
    were searched for, in an update.
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
    changed_since: str | None = None
    shared_with: tuple[str, ...] = ()


class QuestionText(Frozen):
    """A question, as shown to the reader; `importance` says how much the whole depends on it."""

    key: str
    label: str
    description: str
    dated: bool = False
    importance: float = 1.0


class ExecutiveSummary(Frozen):
    """The statements of a dossier with the strongest evidence, the strongest first, and one sentence on what is not
    known; empty if nothing is lacking."""

    sentences: tuple[SummarySentence, ...] = ()
    not_known: str = ""


#: The version of the dossier's fields: a field that is added raises the second number, one that is removed, renamed or
#: retyped the first.
SCHEMA_VERSION = "1.10"


class Dossier(Frozen):
    """The dossier of one drug. Every source id in it resolves to a reference; every reference is cited.

        dossier = storm.run("trastuzumab")
        print(dossier.answers[0].statements[0].text)

    `names` were searched for; `also_known` were not, but records are recognised by them. `identity` is what the drug's
    name means; `named` counts the sources that have each name. `retrieved` is the day (ISO) of the databases' oldest
    answer. `mode` is the mode of the job, `by_model` whether a language model gathered and wrote. `statements` counts
    the written statements by outcome, and `spending` is the cost of the language models by role and question.
    `judged_by_writer` says that the model that wrote the statements also judged them. `tables` are copied from records.
    `flow` counts what became of the records that were found; None in dossiers that were stored before it was counted.
    `version` is the version of storm that began the job, `syllabus` the name of its questions and `syllabus_version`
    their version; empty in dossiers that were stored before. `schema_version` is that of the fields
    (docs/dossier.schema.json), also of a dossier that was stored with fewer of them. `changes` are those since the job
    that this one updates; None if it updates none. `research` says how its questions were planned and researched, and
    has the sections into which its statements were put; None in the modes that write no sections. `repurposing` has the
    hypotheses that were tested, and the report on them; None in the other modes. `deep_research` has the question as it
    was understood, its checklist and rounds; None in the other modes. `lacks` are the notes on what is not finished or
    not judged, by their kind.
    """

    file_name: ClassVar[str] = "dossier"

    schema_version: str = SCHEMA_VERSION
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
    summary: ExecutiveSummary = ExecutiveSummary.model_construct()
    coverage: Coverage
    at_a_glance: AtAGlance
    tables: tuple[RecordTable, ...] = ()
    answers: tuple[Answer, ...]
    statements: StatementCounts = StatementCounts.model_construct()
    spending: tuple[Spending, ...] = ()
    references: tuple[Reference, ...]
    search_log: tuple[SearchLine, ...]
    flow: RecordFlow | None = None
    version: str = ""
    syllabus: str = ""
    syllabus_version: str = ""
    notes: tuple[str, ...] = ()
    lacks: tuple[Lack, ...] = ()
    changes: Changes | None = None
    research: Research | None = None
    repurposing: Repurposing | None = None
    deep_research: DeepResearch | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_earlier(cls, values: Any) -> Any:
        """Complete a dossier that was stored with fewer fields: it has all of this version's, and their version."""
        if not isinstance(values, dict):
            return values
        by_model = {"by_model": True} if values.get("mode") == "broad" else {}
        lacks = {} if "lacks" in values else {"lacks": read_lacks(values.get("notes"))}
        return {**by_model, **lacks, **values, "schema_version": SCHEMA_VERSION}

    def reference(self, source: str) -> Reference:
        """The cited source with this id, URL or identifier ("pmid:16236737"); LookupError if there is none."""
        from storm.models.written_identifiers import lookup_keys  # its patterns, which nothing else here needs

        keys = {source, *lookup_keys("web", source, source)}
        for reference in self.references:
            if source in (reference.source_id, reference.url) or not keys.isdisjoint(reference.identifiers):
                return reference
        raise LookupError(f"{source!r} is not cited in {self.job_id}")

    @property
    def can_go_on(self) -> bool:
        """Whether a resume gathers more: a language model, or the research of a question, failed."""
        return self.stopped == "model_error" or bool(self.research and self.research.failed)

    @property
    def unanswered_databases(self) -> tuple[str, ...]:
        """The databases that could not be searched for the meaning of the drug's name."""
        lines = [line for line in self.search_log if line.question == NAMES and line.status is SearchStatus.FAILED]
        return tuple(dict.fromkeys(database_label(line.database) for line in lines))

    @property
    def searched_databases(self) -> tuple[DatabaseUse, ...]:
        """The databases that answered."""
        unanswered = (SearchStatus.FAILED, SearchStatus.NOT_APPLICABLE)
        return tuple(use for use in self.databases if use.status not in unanswered)
