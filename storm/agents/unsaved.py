"""Why records that an agent's searches found did not become sources: it did not save them, or was never shown them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence, Set

from storm.evidence.exclusion import find_exclusion
from storm.models import Exclusion, Hit, Plan, Step, lookup_keys
from storm.models.database import DATABASE_ORDER
from storm.models.step import AFTER_RECORD, SEARCH
from storm.ports import Collection, Journal
from storm.syllabus.aboutness import subject_of


async def record_unsaved(plan: Plan, collection: Collection, journal: Journal) -> None:
    """Record a reason for each found record: it holds only where the record is not saved. The reasons of rules that
    searched before the agent stay for what it was not shown, and what it dropped stays dropped."""
    found = list(dict.fromkeys(key for search in await journal.searches() for key in search.hits))
    recorded = await collection.exclusions()
    works = await collection.find_works([*found, *recorded])
    earlier = {works[key]: reason for key, reason in recorded.items()}
    reasons = dict.fromkeys((works[key] for key in found), Exclusion.BELOW_CUT) | earlier
    known = {*DATABASE_ORDER, *(key.partition(":")[0] for key in found)}
    cards = [key for agent in await journal.count_steps() for key in list_cards(await journal.steps(agent), known)]
    shown = [hit for hit in await collection.find_hits(list(dict.fromkeys(cards))) if hit and hit.key in reasons]
    reasons |= await asyncio.to_thread(_judge_shown, shown, plan)
    reasons |= {key: reason for key, reason in earlier.items() if reason is Exclusion.DROPPED}
    await collection.record_exclusions(reasons)


def list_cards(steps: Sequence[Step], databases: Set[str]) -> Iterator[str]:
    """The identifiers of the records whose cards searches of these steps showed: lines that begin with a database.

    A record's own text is in indented lines or in what other tools returned, so that none can pass for a card."""
    searches = (call for step in steps for call in step.calls if call.tool.startswith(SEARCH))
    for line in (line for call in searches for line in call.observation.split("\n")):
        record, border, _ = line.partition(AFTER_RECORD)
        database, _, external_id = record.partition(" ")
        if border and external_id and database in databases:
            yield from lookup_keys(database, external_id)


def _judge_shown(hits: Sequence[Hit], plan: Plan) -> dict[str, Exclusion]:
    return {hit.key: _judge_declined(hit, plan) for hit in hits}


def _judge_declined(hit: Hit, plan: Plan) -> Exclusion:
    """The rule that speaks against a record; otherwise that the agent declined it."""
    return find_exclusion(hit, subject_of(hit, plan.names, plan.related_names)) or Exclusion.DECLINED
