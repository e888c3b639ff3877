"""What a reader gets, put together from what a job has."""

from storm.reports.dossier import compile_dossier
from storm.reports.dossier_document import dossier_document, failures
from storm.reports.methodology import why_stopped

__all__ = ["compile_dossier", "dossier_document", "failures", "why_stopped"]
