"""Read titles as PubMed writes them, with brackets around translated ones."""

from __future__ import annotations

_PLACEHOLDERS = frozenset({"not available", "in process citation"})


def best_title(title: str, vernacular: str = "") -> str:
    """The title without brackets around a translation, or else the vernacular title; may be empty."""
    plain = _strip_brackets(title)
    return vernacular if plain.rstrip(".").lower() in ("", *_PLACEHOLDERS) else plain


def _strip_brackets(title: str) -> str:
    """`Title.` for `[Title.]` and `[Title].`; brackets that do not enclose the whole title stay."""
    body = title.removesuffix(".")
    if not (body.startswith("[") and body.endswith("]")):
        return title
    depth = 0
    for n, character in enumerate(body):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if depth == 0 and n < len(body) - 1:
            return title
    inner = body[1:-1].strip()
    return f"{inner}." if body != title and not inner.endswith((".", "?", "!")) else inner
