"""The stages of a job in order, and the dossier at their end."""

from storm.workflow.dossier import MODEL_ERROR
from storm.workflow.stages import Crew, run_stages

__all__ = ["MODEL_ERROR", "Crew", "run_stages"]
