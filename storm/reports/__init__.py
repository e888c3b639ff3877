"""Reports: compiled from a job's data and laid out as documents."""

from storm.reports.dossier import compile_dossier
from storm.reports.dossier_document import dossier_document
from storm.reports.dossier_summary import summarize_dossier
from storm.reports.failures import describe_failures
from storm.reports.methodology import why_stopped
from storm.reports.report import Report, Summary, document_of, summary_of

__all__ = [
    "Report", "Summary", "compile_dossier", "describe_failures", "document_of", "dossier_document",
    "summarize_dossier", "summary_of", "why_stopped",
]  # fmt: skip
