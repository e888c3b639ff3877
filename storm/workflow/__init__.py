"""The stages of a job in order, and the dossier at their end."""

from storm.workflow.stages import Crew, run_stages

__all__ = ["Crew", "run_stages"]
