"""Cuts long texts for the results of tools."""

from __future__ import annotations


def cut_at_line(text: str, limit: int) -> str:
    """At most so many characters of the text and a notice of how many are left out, cut where a line ends, if one
    does in the second half."""
    if len(text) <= limit:
        return text
    kept, newline, _ = text[:limit].rpartition("\n")
    if not newline or len(kept) < limit // 2:
        kept = text[:limit]
    return f"{kept.rstrip()}\n(cut here: {len(text) - len(kept):,} characters more)"
