"""The paragraph of a record around a quote, cut at the ends of sentences where it is long."""

from __future__ import annotations

import re

from storm.models import Span

#: Most characters of a paragraph, apart from a longer quote.
LIMIT = 1_200
#: Between paragraphs, and between the rows of a table.
_BREAK = "\n\n"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[)\]\"'”’]{0,3}\s")


def cut_paragraph(text: str, quote: Span) -> str:
    """The paragraph of the text around the quote, which stands in it unchanged; … is where it was cut."""
    first, last = _find_paragraph(text, quote)
    if last - first <= LIMIT:
        return text[first:last].strip()
    room = max(0, LIMIT - (quote.end - quote.start))
    before = min(quote.start - first, max(room // 2, room - (last - quote.end)))
    start = _start_of_sentence(text, quote.start - before, quote.start) if quote.start - before > first else first
    end = min(last, quote.end + room - (quote.start - start))
    end = _end_of_sentence(text, quote.end, end) if end < last else last
    return f"{'… ' if start > first else ''}{text[start:end].strip()}{' …' if end < last else ''}"


def _find_paragraph(text: str, quote: Span) -> tuple[int, int]:
    before, after = text.rfind(_BREAK, 0, quote.start), text.find(_BREAK, quote.end)
    return (before + len(_BREAK) if before >= 0 else 0), (after if after >= 0 else len(text))


def _start_of_sentence(text: str, earliest: int, latest: int) -> int:
    """The first start of a sentence in this part of a text; its end if no sentence starts in it."""
    found = _SENTENCE_END.search(text, earliest, latest)
    return found.end() if found else latest


def _end_of_sentence(text: str, earliest: int, latest: int) -> int:
    """The last end of a sentence in this part of a text; its beginning if no sentence ends in it."""
    return max((match.end() for match in _SENTENCE_END.finditer(text, earliest, latest)), default=earliest)
