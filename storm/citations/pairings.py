"""Words that belong together, such as a grade and its event: does the quote pair them as the statement does?"""

from __future__ import annotations

from collections.abc import Iterable

Pair = tuple[str, str]


def find_mismatch(said: Iterable[Pair], quoted: Iterable[Pair]) -> Pair | None:
    """The first pair of the statement whose first word the quote pairs only with other words."""
    partners: dict[str, set[str]] = {}
    for word, partner in quoted:
        partners.setdefault(word, set()).add(partner)
    return next(((word, own) for word, own in said if own not in partners.get(word, {own})), None)
