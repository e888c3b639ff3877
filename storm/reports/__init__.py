"""Reports: compiled from a job's data and laid out as documents."""

from typing import TYPE_CHECKING

from storm.lazy_imports import import_on_first_use
from storm.reports.report import Report, Summary, references_of

if TYPE_CHECKING:
    from storm.reports.dossier import DossierMaterial, compile_dossier
    from storm.reports.failures import describe_failures
    from storm.reports.methodology import why_stopped
    from storm.reports.report import document_of, summary_of

__all__ = [
    "DossierMaterial", "Report", "Summary", "compile_dossier", "describe_failures", "document_of", "references_of",
    "summary_of", "why_stopped",
]  # fmt: skip

# Imported on first use: a stored report is read without what reads the evidence of sources, and its references are
# written without what lays it out. The functions that serve any report come from where they are registered for ours.
_HOMES = {
    "DossierMaterial": "dossier", "compile_dossier": "dossier", "document_of": "dossier_document",
    "summary_of": "dossier_summary", "describe_failures": "failures", "why_stopped": "methodology",
}  # fmt: skip

__getattr__ = import_on_first_use(__name__, _HOMES)
