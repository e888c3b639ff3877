"""The tool that answers a question: it refines it, works through a checklist in rounds, and cites its sources."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from storm.toolkit.excerpts import cut_at_line
from storm.toolkit.jobs import SHOWN, STATES, list_files, make_schema, stream_job_of
from storm.toolkit.tool import Params, ToolConfig, ToolContext, ToolProgress, ToolResult
from storm.toolkit.tracing import record_answer

if TYPE_CHECKING:
    from storm.api.asking import Researched
    from storm.models import AnsweredBefore, ResearchReport


async def _deep_research(params: Params, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    from storm.api.asking import research_question
    from storm.toolkit.question_progress import QuestionProgress

    read_event = QuestionProgress(params["max_iterations"]).read_event
    steps = stream_job_of(research_question, "question", params, context, read_event, _describe)
    async with aclosing(steps):
        async for step in steps:
            if isinstance(step, ToolResult) and step.payload["data"]["earlier"]:
                await record_answer(DEEP_RESEARCH.name, params, context, step)  # no job of its own is recorded
            yield step


def _describe(researched: Researched, out: Path | None) -> ToolResult:
    return describe_answer(researched.report, out, researched.earlier)


def describe_answer(
    report: ResearchReport, out: Path | None = None, earlier: AnsweredBefore | None = None
) -> ToolResult:
    """The answer with its sources as text, its fields as payload; failed if no database could be searched."""
    from storm.models import ResearchStatus
    from storm.reports.answer_text import write_answer
    from storm.reports.deep_research import make_result

    result = make_result(report, earlier)
    failed = result.status is ResearchStatus.ERROR
    state = "failed" if failed else STATES.get(report.exit_code, "failed")
    head = [f"{report.job_id}: {state}, asked on {report.created:%Y-%m-%d}."]
    head += [f"File: {file}" for file in list_files(report, out)]
    return ToolResult(
        "\n".join((*head, "", cut_at_line(write_answer(result), SHOWN))),
        {"type": "deep_research_result", "data": result.model_dump(mode="json")},
        failed=failed,
        exit_code=report.exit_code,
    )


DEEP_RESEARCH = ToolConfig(
    name="deep_research",
    description=(
        "Answer a biomedical question from public databases and the web, with cited sources: the question is refined, "
        "a checklist of what a complete answer must address is made, and rounds of searches go on until each item is "
        "answered. It takes 1 to 3 minutes: before you call it, tell the user so and ask whether to go on. Use it for "
        "a question that needs several sources, or recent ones. Do not use it for a simple fact, for what the current "
        "report or the conversation answers already, for a long report (report), or for all of a drug (run_drug)."
    ),
    input_schema=make_schema(
        "question",
        {"maxLength": 20_000, "description": "The whole question, as a reader would ask it, in English."},
        {
            "context": {
                "type": "string",
                "maxLength": 20_000,
                "default": "",
                "description": "What the question leaves open and the conversation has said: the drug, the patients.",
            },
            "max_iterations": {
                "type": "integer",
                "minimum": 1,
                "maximum": 50,
                "default": 10,
                "description": "The most rounds of searches. It ends earlier when every item is answered.",
            },
            "fresh": {
                "type": "boolean",
                "default": False,
                "description": "Search again, even if the same question was answered before.",
            },
        },
    ),
    streaming=True,
    executor=_deep_research,
)
