"""Short descriptions of search results for an agent: one or two lines each, enough to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import Hit, Retraction
from storm.models.step import AFTER_RECORD
from storm.ranking import rank_sentences, split_sentences
from storm.tools.answers import clip_text

#: Characters of the excerpt and of the title on a card.
EXCERPT = 200
TITLE = 120
#: How much of a long text is searched for the sentence to quote.
_LOOKED_AT = 6_000
_REMARKS = {Retraction.RETRACTED: "RETRACTED ", Retraction.CONCERN: "EXPRESSION OF CONCERN "}


def write_card(hit: Hit, words: str, names: Sequence[str], saved: str = "") -> str:
    """The record's id, year and title, and the sentence that matches `words` best, cut to 200 characters; one that is
    `saved` only with the id of its source."""
    year = f"{hit.year} " if hit.year else ""
    remark = _REMARKS.get(hit.retraction, "") + (f"(saved: {saved}) " if saved else "")
    head = f"{hit.database} {hit.external_id}{AFTER_RECORD}{year}{remark}{clip_text(hit.title, TITLE)}"
    if saved:
        return head
    sentences = [span.text for span in split_sentences(hit.text[:_LOOKED_AT])]
    ranked = rank_sentences(sentences, (words,), names, ())
    excerpt = " ".join((ranked[0].text if ranked else hit.text[:EXCERPT]).split())
    said = f"\n  {clip_text(excerpt, EXCERPT)}" if excerpt and excerpt != hit.title else ""
    return f"{head}{said}"
