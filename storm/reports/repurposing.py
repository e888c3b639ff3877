"""The report on the hypotheses of a job, made from its compiled document: its references are that document's."""

from __future__ import annotations

from storm.models import Dossier, Repurposing


def complete_repurposing(dossier: Dossier, repurposing: Repurposing) -> Repurposing:
    """With its report, whose [n] are the numbers of the document's references; without rounds there is none."""
    raise NotImplementedError
