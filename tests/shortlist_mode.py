"""A mode that answers a question with a shortlist of sources, which is no dossier: what storm would have in one file of
`modes/` (the planner and the coroutine) and one of `reports/` (the report and its document)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from storm.citations.verification import build_references
from storm.models import JobRequest, Plan, Question, Reference, RequestKind, StopReason, Syllabus
from storm.models.base import Frozen
from storm.modes import Mode, Run, make_plan
from storm.reports import document_of
from storm.reports.bibliography import Bibliography
from storm.reports.document import BulletList, Document, make_heading, record_text, to_inlines

SHARES = {"plan": 0.1, "gather": 0.7, "pick": 0.1, "report": 0.1}
MOST = 3


class Shortlist(Frozen):
    """The first sources of a question."""

    file_name: ClassVar[str] = "shortlist"

    job_id: str
    question: str
    created: datetime
    exit_code: int
    picked: tuple[Reference, ...]
    can_go_on: bool = False


@document_of.register
def shortlist_document(report: Shortlist) -> Document:
    bibliography = Bibliography(report.picked)
    items = tuple(to_inlines(record_text(one.title), " ", bibliography.mark_of(one.source_id)) for one in report.picked)
    return Document(
        title=f"Shortlist: {report.question}",
        created=report.created,
        blocks=(make_heading("First to read", "picked"), *([BulletList(items=items)] if items else [])),
        references=bibliography.numbered_references(),
    )


class AsOneQuestion:
    """A planner that takes what was asked as the only question."""

    async def plan(self, request: JobRequest) -> Plan:
        heart = Question(
            key="asked", label="As asked", description=request.text, min_sources=1, cues=("cardiac",),
            queries={"default": ("cardiac dysfunction",)},
        )  # fmt: skip
        return Plan(names=("trastuzumab",), syllabus=Syllabus(name="asked", questions=(heart,), min_databases=1))


async def write_shortlist(run: Run) -> Shortlist:
    run.crew = run.crew._replace(planner=AsOneQuestion())
    plan = await make_plan(run)
    await run.step("gather", StopReason, lambda: run.crew.researcher.gather(run.job.request, plan))

    async def pick() -> tuple[str, ...]:
        return tuple([source.source_id async for source in run.crew.collection.iter_sources("asked")][:MOST])

    async def report() -> Shortlist:
        return Shortlist(
            job_id=run.job.job_id, question=run.job.request.subject, created=run.job.created,
            exit_code=0 if picked else 4, picked=build_references(picked, await run.crew.collection.load_sources()),
        )  # fmt: skip

    picked = await run.step("pick", tuple[str, ...], pick, inputs={"plan": plan})
    return await run.step("report", Shortlist, report)


SHORTLIST = Mode(
    "shortlist", version=1, needs_model=False, run=write_shortlist, shares=SHARES, report=Shortlist,
    kinds=(RequestKind.QUESTION,),
)  # fmt: skip
