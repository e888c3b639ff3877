"""The headings and sections of a job that writes its report section by section."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from storm.models import Answer, Finding, Outline, OutlinePart, Plan, ReportSection
from storm.models.record_table import RecordTable
from storm.modes.crew import ResearchCrew
from storm.modes.fallback import make_or_fall_back
from storm.modes.run import Provisional, Run
from storm.reports.glance import at_a_glance
from storm.reports.record_tables import collect_tables


async def plan_outline(run: Run, plan: Plan, findings: Sequence[Finding]) -> Outline | Provisional[Outline]:
    """The headings, with the tables of records that have rows beside them."""
    tables = await _collect_tables(run, plan, [finding.answer for finding in findings])
    return await make_or_fall_back(
        run, "The headings", lambda roles: roles.compiler.plan_outline(plan, findings, tables)
    )


async def write_sections(
    run: Run, plan: Plan, findings: Sequence[Finding], outline: Outline
) -> tuple[ReportSection, ...]:
    """The sections, written one after the other; each is given those before it."""
    written: list[ReportSection] = []
    inputs = {"plan": plan, "outline": outline}

    async def write(part: OutlinePart, roles: ResearchCrew) -> ReportSection:
        return await roles.compiler.write_section(part, outline, plan, findings, tuple(written))

    for part in outline.parts:
        make = partial(make_or_fall_back, run, part.heading, partial(write, part))
        section = await run.step(f"section:{part.anchor}", ReportSection, make, inputs=inputs, announce=False)
        written.append(section)
        await run.crew.journal.report("section", part.heading, len(written) / len(outline.parts))
    return tuple(written)


async def _collect_tables(run: Run, plan: Plan, answers: Sequence[Answer]) -> Sequence[RecordTable]:
    """The tables of records with rows."""
    sources = await run.crew.collection.load_sources()
    approvals = at_a_glance(plan, sources).approvals
    tables = await asyncio.to_thread(collect_tables, plan.names, sources, answers, approvals, run.job.created.date())
    return [table for table in tables if table.rows]
