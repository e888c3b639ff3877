"""The stages of a job in words."""

from __future__ import annotations

from collections.abc import Mapping

STAGES = {
    "refine": "Refining the question", "plan": "Planning", "queries": "Writing searches", "search": "Searching",
    "carry": "Carrying sources over", "gather": "Gathering", "file": "Filing", "check": "Checking",
    "answer": "Answering", "reflect": "Reviewing answers", "hypotheses": "Proposing hypotheses",
    "judge": "Judging the evidence", "summary": "Writing the summary", "outline": "Planning headings",
    "section": "Writing sections", "report": "Writing",
}  # fmt: skip

#: What these stages do where a question is answered in rounds.
OF_QUESTION = {
    **STAGES, "plan": "Making the checklist", "judge": "Judging the checklist", "section": "Writing the answer",
    "report": "Writing the answer",
}  # fmt: skip


def describe_stage(name: str, stages: Mapping[str, str] = STAGES) -> str:
    """`Searching`, or `Searching, round 2` of research that searches again."""
    stage, _, turn = name.partition(":")
    described = stages.get(stage, stage)
    return f"{described}, round {turn}" if turn else described
