"""The values that travel between folders: frozen, typed, without I/O."""

from typing import TYPE_CHECKING

from storm.lazy_imports import import_on_first_use

if TYPE_CHECKING:
    from storm.models.answer import Answer, Conflict, Statement, StatementCounts, SummarySentence, Verdict
    from storm.models.citation import Citation, QuoteCheck, citation_id
    from storm.models.collection import CollectedQuestion
    from storm.models.completion import StageRange, gathered_part, stage_ranges
    from storm.models.database import DATABASES, DatabaseInfo, Holds, database_info, database_label
    from storm.models.deep_research import (
        AnsweredBefore,
        AnswerSource,
        ChecklistCoverage,
        ChecklistReview,
        DeepResearch,
        DeepResearchResult,
        ItemJudgement,
        ItemState,
        RefinedQuestion,
        ResearchStatus,
        SearchIteration,
    )
    from storm.models.dossier import (
        ApprovalFact,
        AtAGlance,
        Coverage,
        DatabaseUse,
        Dossier,
        ExecutiveSummary,
        Fact,
        LaunchFact,
        ProtectionFact,
        QuestionCoverage,
        QuestionText,
        SearchLine,
        StudyFact,
    )
    from storm.models.evidence import Evidence
    from storm.models.exclusion import Exclusion
    from storm.models.filing import CollectionProgress, DraftCitation, Refiled, Registered, Saved
    from storm.models.flow import FlowCounts, RecordFlow
    from storm.models.hit import Approval, Hit, RecordFacts, identifier_rank, merge_hits
    from storm.models.identifiers import find_trials, number_of_trial
    from storm.models.identity import Candidate, DrugIdentity, DrugName, Related
    from storm.models.job import Event, Job, JobState, StopReason, is_job_of_request, new_job_id, request_job_id
    from storm.models.lacks import Lack, LackKind
    from storm.models.name_kind import NameKind
    from storm.models.plan import Complexity, Disease, Intent, Plan, ResearchPlan
    from storm.models.program import SavedPredictor, SavedProgram
    from storm.models.publication import (
        BookDetails,
        Contributor,
        LabelDetails,
        Pages,
        PatentDetails,
        Publication,
        TrialDetails,
    )
    from storm.models.record_table import RecordRow, RecordTable, TableName
    from storm.models.reference import Reference, ReferenceList
    from storm.models.relation import Relation, RelationKind, Subject, implied_kind
    from storm.models.repurposing import (
        Assessment,
        DrugCandidate,
        EvidencePiece,
        FindingsSection,
        Hypotheses,
        HypothesisLink,
        HypothesisStatus,
        MechanismHypothesis,
        ProposedHypothesis,
        RemovedReference,
        ReportReference,
        Repurposing,
        RepurposingReport,
        RepurposingRound,
        Score,
        SummaryText,
        TestedHypothesis,
    )
    from storm.models.request import (
        DEFAULT_FORMATS,
        DEFAULT_PREFILL,
        JobLimits,
        JobRequest,
        Paper,
        Prefill,
        ReportPreferences,
        RequestKind,
        RunSettings,
        Unsupported,
        check_drug_name,
    )
    from storm.models.research import (
        Finding,
        Outline,
        OutlinePart,
        ReportSection,
        Research,
        ResearchRound,
        Review,
        Weakness,
        WeaknessKind,
    )
    from storm.models.research_report import ResearchReport
    from storm.models.research_settings import ResearchSettings
    from storm.models.retraction import Retraction
    from storm.models.scope import Place, Scope
    from storm.models.search import SearchQuery, SearchRecord, SearchStatus, group_by_reason
    from storm.models.search_outcome import SearchOutcome
    from storm.models.section import Section, SectionKind
    from storm.models.source import ListedSource, Source, index_sources
    from storm.models.span import Span
    from storm.models.spending import PaidReply, Spending, Spent, SpentSoFar, sum_amounts
    from storm.models.step import AGENT, Step, ToolCall
    from storm.models.syllabus import Narrowing, NarrowingRole, Question, Rule, Syllabus
    from storm.models.table import Cell, TableRow
    from storm.models.written_identifiers import lookup_keys

__all__ = [
    "AGENT", "DATABASES", "DEFAULT_FORMATS", "DEFAULT_PREFILL", "Answer", "AnswerSource", "AnsweredBefore", "Approval",
    "ApprovalFact", "Assessment", "AtAGlance", "BookDetails", "Candidate", "Cell", "ChecklistCoverage",
    "ChecklistReview", "Citation", "CollectedQuestion", "CollectionProgress", "Complexity", "Conflict", "Contributor",
    "Coverage", "DatabaseInfo", "DatabaseUse", "DeepResearch", "DeepResearchResult", "Disease", "Dossier",
    "DraftCitation", "DrugCandidate", "DrugIdentity", "DrugName", "Event", "Evidence", "EvidencePiece", "Exclusion",
    "ExecutiveSummary", "Fact", "Finding", "FindingsSection", "FlowCounts", "Hit", "Holds", "Hypotheses",
    "HypothesisLink", "HypothesisStatus", "Intent", "ItemJudgement", "ItemState", "Job", "JobLimits", "JobRequest",
    "JobState", "LabelDetails", "Lack", "LackKind", "LaunchFact", "ListedSource", "MechanismHypothesis", "NameKind",
    "Narrowing", "NarrowingRole", "Outline", "OutlinePart", "Pages", "PaidReply", "Paper", "PatentDetails", "Place",
    "Plan", "Prefill", "ProposedHypothesis", "ProtectionFact", "Publication", "Question", "QuestionCoverage",
    "QuestionText", "QuoteCheck", "RecordFacts", "RecordFlow", "RecordRow", "RecordTable", "Reference", "ReferenceList",
    "Refiled", "RefinedQuestion", "Registered", "Related", "Relation", "RelationKind", "RemovedReference",
    "ReportPreferences", "ReportReference", "ReportSection", "Repurposing", "RepurposingReport", "RepurposingRound",
    "RequestKind", "Research", "ResearchPlan", "ResearchReport", "ResearchRound", "ResearchSettings", "ResearchStatus",
    "Retraction", "Review", "Rule", "RunSettings", "Saved", "SavedPredictor", "SavedProgram", "Scope", "Score",
    "SearchIteration", "SearchLine", "SearchOutcome", "SearchQuery", "SearchRecord", "SearchStatus", "Section",
    "SectionKind", "Source", "Span", "Spending", "Spent", "SpentSoFar", "StageRange", "Statement", "StatementCounts",
    "Step", "StopReason", "StudyFact", "Subject", "SummarySentence", "SummaryText", "Syllabus", "TableName", "TableRow",
    "TestedHypothesis", "ToolCall", "TrialDetails", "Unsupported", "Verdict", "Weakness", "WeaknessKind",
    "check_drug_name", "citation_id", "database_info", "database_label", "find_trials", "gathered_part",
    "group_by_reason", "identifier_rank", "implied_kind", "index_sources", "is_job_of_request", "lookup_keys",
    "merge_hits", "new_job_id", "number_of_trial", "request_job_id", "stage_ranges", "sum_amounts",
]  # fmt: skip

#: The names of each module, which is loaded when one of them is first used: a command such as `storm inspect` must
#: start without the types of records and reports.
_NAMES = {
    "answer": "Answer Conflict Statement StatementCounts SummarySentence Verdict",
    "citation": "Citation QuoteCheck citation_id",
    "collection": "CollectedQuestion",
    "completion": "StageRange gathered_part stage_ranges",
    "database": "DATABASES DatabaseInfo Holds database_info database_label",
    "deep_research": (
        "AnswerSource AnsweredBefore ChecklistCoverage ChecklistReview DeepResearch DeepResearchResult ItemJudgement "
        "ItemState RefinedQuestion ResearchStatus SearchIteration"
    ),
    "dossier": (
        "ApprovalFact AtAGlance Coverage DatabaseUse Dossier ExecutiveSummary Fact LaunchFact ProtectionFact "
        "QuestionCoverage QuestionText SearchLine StudyFact"
    ),
    "evidence": "Evidence",
    "exclusion": "Exclusion",
    "filing": "CollectionProgress DraftCitation Refiled Registered Saved",
    "flow": "FlowCounts RecordFlow",
    "hit": "Approval Hit RecordFacts identifier_rank merge_hits",
    "identifiers": "find_trials number_of_trial",
    "identity": "Candidate DrugIdentity DrugName Related",
    "job": "Event Job JobState StopReason is_job_of_request new_job_id request_job_id",
    "lacks": "Lack LackKind",
    "name_kind": "NameKind",
    "plan": "Complexity Disease Intent Plan ResearchPlan",
    "program": "SavedPredictor SavedProgram",
    "publication": "BookDetails Contributor LabelDetails Pages PatentDetails Publication TrialDetails",
    "record_table": "RecordRow RecordTable TableName",
    "reference": "Reference ReferenceList",
    "relation": "Relation RelationKind Subject implied_kind",
    "repurposing": (
        "Assessment DrugCandidate EvidencePiece FindingsSection Hypotheses HypothesisLink HypothesisStatus "
        "MechanismHypothesis ProposedHypothesis RemovedReference ReportReference Repurposing RepurposingReport "
        "RepurposingRound Score SummaryText TestedHypothesis"
    ),
    "request": (
        "DEFAULT_FORMATS DEFAULT_PREFILL JobLimits JobRequest Paper Prefill ReportPreferences RequestKind RunSettings "
        "Unsupported check_drug_name"
    ),
    "research": "Finding Outline OutlinePart ReportSection Research ResearchRound Review Weakness WeaknessKind",
    "research_report": "ResearchReport",
    "research_settings": "ResearchSettings",
    "retraction": "Retraction",
    "scope": "Place Scope",
    "search": "SearchQuery SearchRecord SearchStatus group_by_reason",
    "search_outcome": "SearchOutcome",
    "section": "Section SectionKind",
    "source": "ListedSource Source index_sources",
    "span": "Span",
    "spending": "PaidReply Spending Spent SpentSoFar sum_amounts",
    "step": "AGENT Step ToolCall",
    "syllabus": "Narrowing NarrowingRole Question Rule Syllabus",
    "table": "Cell TableRow",
    "written_identifiers": "lookup_keys",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__getattr__ = import_on_first_use(__name__, _HOMES)
