"""Split a text at its headings, as in web pages and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

#: A Markdown heading: one to six `#`, then words.
_MARKDOWN = re.compile(r"^(#{1,6})[ \t]{1,9}(\S.*)$", re.M)


def group_by_heading(blocks: Iterable[tuple[int, str]]) -> list[tuple[str, str]]:
    """Group blocks (heading level, or 0 for text) into (label, text) parts, with a blank line between two blocks.

    The label joins the heading with those of higher levels above it: "Results: Survival".
    """
    path: dict[int, str] = {}
    parts: list[tuple[str, list[str]]] = []
    for level, text in blocks:
        if level:
            path = {above: heading for above, heading in path.items() if above < level} | {level: text}
            parts.append((": ".join(path.values()), []))
        elif text:
            parts = parts or [("", [])]
            parts[-1][1].append(text)
    return [(label, "\n\n".join(texts)) for label, texts in parts if texts]


def markdown_parts(text: str) -> list[tuple[str, str]]:
    """Split a text at its Markdown headings; without headings it is one part without a label."""
    return group_by_heading(_markdown_blocks(text))


def _markdown_blocks(text: str) -> Iterator[tuple[int, str]]:
    # re.split with two groups gives text, signs, heading, text, signs, heading, text …
    first, *rest = _MARKDOWN.split(text)
    yield 0, first.strip()
    for signs, heading, below in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        yield len(signs), heading.rstrip("# \t")
        yield 0, below.strip()
