"""Authors' names as bibliographies abbreviate them: `Slamon DJ`."""

from __future__ import annotations

import re


def short_name(last: str, initials: str = "", forenames: str = "", suffix: str = "") -> str:
    """Family name, initials (from the forenames if none are given) and suffix, without the empty parts."""
    letters = re.sub(r"[\s.]", "", initials) or _make_initials(forenames)
    return " ".join(part for part in (last, letters, suffix) if part)


def from_inverted(name: str) -> str:
    """`Slamon DJ` from `Slamon, Dennis J.` and `Slamon DJ Jr` from `Slamon, D. J., Jr`; other names unchanged."""
    last, *rest = (part.strip() for part in name.split(","))
    return short_name(last, forenames=rest[0], suffix=" ".join(rest[1:])) if rest else last


def _make_initials(forenames: str) -> str:
    if re.fullmatch(r"[A-Z]{1,3}", forenames):
        return forenames
    return "".join(word[0].upper() for word in re.split(r"[\s.\-]+", forenames) if word)
