"""Parts of a caller's own, and a program that runs a job with them and is killed at an event of its choice."""

from __future__ import annotations

import os
import signal
import sys

import storm
from storm.app import Workbench
from storm.models import Event, JobRequest, Plan, Question, Syllabus
from storm.modes import Crew

MADE = Syllabus(
    name="made",
    min_databases=1,
    questions=(
        Question(
            key="heart", label="The heart", description="Does it harm the heart?", min_sources=1,
            queries={"default": ("cardiac dysfunction",)}, cues=("cardiac",),
        ),
        Question(
            key="survival", label="Survival", description="Do patients live longer?", min_sources=2, importance=0.5,
        ),
    ),
)  # fmt: skip


class OwnPlanner:
    """Makes questions that nobody asked for."""

    async def plan(self, request: JobRequest) -> Plan:
        return Plan(names=(request.text, "Herceptin"), syllabus=MADE)


def with_own_planner(bench: Workbench, crew: Crew) -> Crew:
    return crew._replace(planner=OwnPlanner())


def killed_at(kind: str, number: int) -> None:
    """Run the job `mine`; the process dies at so manyth event of the kind."""
    left = number

    def observe(event: Event) -> None:
        nonlocal left
        left -= event.kind == kind
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    storm.run("trastuzumab", offline=True, job_id="mine", on_event=observe, crew=with_own_planner)


if __name__ == "__main__":
    killed_at(sys.argv[1], int(sys.argv[2]))
