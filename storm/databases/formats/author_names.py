"""Authors' names in parts, and as bibliographies abbreviate them: `Slamon DJ`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from storm.models import Contributor
from storm.models.hit import ET_AL


def name_contributor(
    family: str, given: str = "", initials: str = "", suffix: str = "", collective: str = ""
) -> Contributor | None:
    """A person by the parts of the name, else a group, else who has one name only; None if a record states no name."""
    if family:
        return Contributor(family=family, given=given, initials=re.sub(r"[\s.]", "", initials), suffix=suffix)
    whole = collective or given
    return Contributor(collective=whole) if whole else None


def split_inverted(name: str) -> Contributor:
    """The parts of `Slamon, Dennis J.` and `Slamon, D. J., Jr`; a name without a comma is not split."""
    family, *rest = (part.strip() for part in name.split(","))
    if not rest or not family:
        return Contributor(collective=name.strip())
    return Contributor(family=family, given=rest[0], suffix=" ".join(rest[1:]))


def write_short_name(person: Contributor) -> str:
    """`Slamon DJ`, or the name of a group."""
    return short_name(person.family, person.initials, person.given, person.suffix) or person.collective


def write_authors(people: Iterable[Contributor], is_complete: bool | None = None) -> tuple[str, ...]:
    """Their short names, with "et al" at the end where a record says that there are more."""
    names = tuple(map(write_short_name, people))
    return (*names, ET_AL) if names and is_complete is False else names


def stands_for_others(name: str) -> bool:
    """Whether an entry of a list of authors is "et al"."""
    return name.strip().rstrip(".").lower() == ET_AL


def short_name(last: str, initials: str = "", forenames: str = "", suffix: str = "") -> str:
    """Family name, initials (from the forenames if none are given) and suffix, without the empty parts."""
    letters = re.sub(r"[\s.]", "", initials) or _make_initials(forenames)
    return " ".join(part for part in (last, letters, suffix) if part)


def _make_initials(forenames: str) -> str:
    if re.fullmatch(r"[A-Z]{1,3}", forenames):
        return forenames
    return "".join(word[0].upper() for word in re.split(r"[\s.\-]+", forenames) if word)
