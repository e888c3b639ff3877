"""Reports: compiled from a job's data and laid out as documents."""

from typing import TYPE_CHECKING, Any

from storm.reports.dossier_document import dossier_document
from storm.reports.dossier_summary import summarize_dossier
from storm.reports.failures import describe_failures
from storm.reports.methodology import why_stopped
from storm.reports.report import Report, Summary, document_of, references_of, summary_of

if TYPE_CHECKING:
    from storm.reports.dossier import DossierMaterial, compile_dossier

__all__ = [
    "DossierMaterial", "Report", "Summary", "compile_dossier", "describe_failures", "document_of", "dossier_document",
    "references_of", "summarize_dossier", "summary_of", "why_stopped",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # Imported on first use: a stored report is read and written without what reads the evidence of sources.
    if name not in ("DossierMaterial", "compile_dossier"):
        raise AttributeError(f"module 'storm.reports' has no attribute {name!r}")
    from storm.reports import dossier

    return getattr(dossier, name)
