"""Reading the full text of a record, a part at a time. The tool's docstring is part of the prompt."""

from __future__ import annotations

from storm.errors import ToolError
from storm.models import Hit, lookup_keys
from storm.models.database import DATABASE_ORDER
from storm.ports import Collection
from storm.tools.answers import clip_text
from storm.tools.toolbox import nearest_identifiers

#: Characters of one piece.
PIECE = 3_000


class SourceReader:
    """Reads records that the searches of one job returned."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    async def read_source(self, source: str, part: int | None = 1) -> str:
        """Read the full text of a record that a search of this job returned, a part at a time.

        source is the database and id as the search showed them ("pubmed 11248153"), or the id of a saved source
        ("src_012"). Quotes for register_citation and key_excerpts are copied from this text word for word.
        """
        hit = await self._find_hit(source.strip())
        pieces = _split_pieces(hit.text)
        number = part or 1
        if not 1 <= number <= len(pieces):
            raise ToolError(f"there is no part {number}: the text has {len(pieces)}")
        head = f"{hit.database} {hit.external_id}: {clip_text(hit.title, 120)} (part {number} of {len(pieces)})"
        return f"{head}\n{pieces[number - 1] or 'The record has no text beside its title.'}"

    async def _find_hit(self, source: str) -> Hit:
        if source.startswith("src_"):
            if saved := await self._collection.find_source(source):
                return saved.hit
            raise ToolError(f"no source {clip_text(source, 60)!r} is saved in this job")
        hit = await self._collection.find_hit(_possible_keys(source))
        if hit is None:
            near = nearest_identifiers(source.replace(" ", ":"), await self._collection.seen_identifiers())
            advice = f"nearest seen: {', '.join(near)}" if near else "search first"
            raise ToolError(f"{clip_text(source, 80)!r} was not returned by any search of this job; {advice}")
        return hit


def _possible_keys(source: str) -> tuple[str, ...]:
    """Every identifier that `source` may mean: "pubmed 11248153", "pubmed:11248153", "NCT00045032" or a URL."""
    database, _, external_id = source.partition(" ") if " " in source else source.partition(":")
    external_id = external_id.strip()
    meant = lookup_keys(database.rstrip(":").lower(), external_id, external_id) if external_id else ()
    bare = (key for name in DATABASE_ORDER for key in lookup_keys(name, source, source))
    return tuple(dict.fromkeys((*meant, *bare)))


def _split_pieces(text: str) -> list[str]:
    """The text cut at white space, in order; one empty piece for an empty text."""
    pieces = []
    while len(text) > PIECE:
        ends = (text.rfind(mark, PIECE // 2, PIECE) for mark in ("\n\n", ". ", " "))
        end = next((end + 1 for end in ends if end > 0), PIECE)
        pieces.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*pieces, text]
