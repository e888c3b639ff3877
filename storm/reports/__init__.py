"""What a reader gets, put together from what a job has."""

from storm.reports.dossier import compile_dossier

__all__ = ["compile_dossier"]
