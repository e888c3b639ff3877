"""The values that travel between folders: frozen, typed, without I/O."""

from storm.models.answer import Answer, Conflict, Statement, Verdict
from storm.models.collection import DraftCitation, Progress, Saved
from storm.models.dossier import (
    ApprovalFact,
    AtAGlance,
    Coverage,
    DatabaseUse,
    Dossier,
    Fact,
    QuestionCoverage,
    QuestionText,
    Reference,
    SearchLine,
)
from storm.models.hit import Approval, Hit, RecordFacts, Retraction, Section, database_label, merge_hits
from storm.models.identifiers import find_trials, lookup_keys
from storm.models.job import Event, Job, JobRequest, JobState, check_drug_name, new_job_id
from storm.models.plan import Plan
from storm.models.search import SearchOutcome, SearchQuery, SearchRecord, SearchStatus
from storm.models.source import Citation, QuoteCheck, Relation, Source, citation_id
from storm.models.span import Span
from storm.models.syllabus import Question, Rule, Syllabus

__all__ = [
    "Answer", "Approval", "ApprovalFact", "AtAGlance", "Citation", "Conflict", "Coverage", "DatabaseUse", "Dossier",
    "DraftCitation", "Event", "Fact", "Hit", "Job", "JobRequest", "JobState", "Plan", "Progress", "Question",
    "QuestionCoverage", "QuestionText", "QuoteCheck", "RecordFacts", "Reference", "Relation", "Retraction", "Rule", "Saved",
    "SearchLine", "SearchOutcome", "SearchQuery", "SearchRecord", "SearchStatus", "Section", "Source", "Span",
    "Statement", "Syllabus", "Verdict", "check_drug_name", "citation_id", "database_label", "find_trials",
    "lookup_keys", "merge_hits", "new_job_id",
]  # fmt: skip
