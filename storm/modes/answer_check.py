"""Checks an answer before it is shown: each statement is verified against its source and gets a citation of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storm.citations.paragraphs import cut_paragraph
from storm.citations.quotes import locate_quote
from storm.citations.verification import verify_statement
from storm.errors import StormError
from storm.evidence.background import is_background
from storm.models import Answer, DraftCitation, Hit, Source, Statement, StatementCounts, Unsupported, Verdict
from storm.ports import Collection


async def check_answer(
    draft: Answer, sources: Sequence[Source], collection: Collection, unsupported: Unsupported
) -> Answer:
    """The answer with each statement verified and cited, and counts of what happened to the statements.

    Statements that their source does not support, or that the writer found unsupported, are removed; with
    `unsupported="mark"` those that name known sources are marked instead. Statements that nobody judged stay
    `unchecked`. A conflict is shown only if all of its statements are supported.
    """
    hits = {source.source_id: source.hit for source in sources}
    sides = [statement for conflict in draft.conflicts for statement in conflict.statements]
    written = list(dict.fromkeys((*draft.statements, *sides)))
    cited = {s: await _cite_statement(s, hits, collection, draft.question) for s in written if _is_supported(s, hits)}
    marked = {
        s: s.model_copy(update={"verdict": Verdict.UNSUPPORTED})
        for s in written
        if unsupported == "mark" and s not in cited and s.source_ids and hits.keys() >= set(s.source_ids)
    }
    kept = [conflict for conflict in draft.conflicts if cited.keys() >= set(conflict.statements)]
    in_conflict = {statement for conflict in kept for statement in conflict.statements}
    alone = dict.fromkeys((*draft.statements, *(side for side in sides if side not in in_conflict)))
    shown = cited | marked
    refused = {source_id for s in written if s not in shown for source_id in s.source_ids}
    unjudged = sum(s.verdict is Verdict.UNCHECKED for s in cited)
    # Statements that were written but are not in the draft, which shows only some of them.
    unseen = draft.counts.supported - sum(s.verdict is Verdict.SUPPORTED for s in written)
    unseen_unjudged = draft.counts.unjudged - sum(s.verdict is Verdict.UNCHECKED for s in written)
    return draft.model_copy(
        update={
            "statements": tuple(shown[statement] for statement in alone if statement in shown),
            "conflicts": tuple(
                conflict.model_copy(update={"statements": tuple(cited[side] for side in conflict.statements)})
                for conflict in kept
            ),
            "refused": tuple(sorted({*draft.refused, *refused})),
            "counts": StatementCounts.of(
                supported=len(cited) - unjudged + max(0, unseen),
                removed=draft.counts.removed + len(written) - len(shown),
                marked=len(marked),
                unjudged=unjudged + max(0, unseen_unjudged),
            ),
        }
    )


def _is_supported(statement: Statement, hits: Mapping[str, Hit]) -> bool:
    """Whether its source supports it; a statement found unsupported before stays so."""
    was_refused = statement.verdict is Verdict.UNSUPPORTED
    return not was_refused and verify_statement(statement, hits).verdict is Verdict.SUPPORTED


async def _cite_statement(
    statement: Statement, hits: Mapping[str, Hit], collection: Collection, question: str
) -> Statement:
    """The statement with a registered citation of the source that contains its quote; that source is named first."""
    places = ((name, locate_quote(statement.quote, hits[name])) for name in statement.source_ids)
    source_id, located = next(((name, located) for name, located in places if located), ("", None))
    if located is None:
        raise StormError(f"no source of this statement has its quote: {statement.text}")
    draft = DraftCitation(
        statement.text, statement.quote, True, hits[source_id].url, answer_to=question, section=located.section
    )
    citation = (await collection.register(hits[source_id], draft)).citation
    named = tuple(dict.fromkeys((source_id, *statement.source_ids)))
    found = {
        "section": located.section,
        "paragraph": cut_paragraph(located.within, located.span),
        "background": is_background(located.text, hits[source_id]),
    }
    return statement.model_copy(update={"citation_id": citation.citation_id, "source_ids": named, **found})
