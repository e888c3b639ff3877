"""Reads the results that a registry posted from the rows of its outcome tables: values by arm, and comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.databases.formats.clinicaltrials_results import NOT_POSTED, POSTED_AS, ROWS_NOT_READ
from storm.models import Cell, Hit, Section, TableRow
from storm.reports import table_wording as words

#: The columns of a comparison of arms, besides that of its effect.
_P, _METHOD, _INTERVAL = "p", "Method", "CI"
_OTHERS = (_P, _METHOD, POSTED_AS, "Hypothesis")
_VERSUS = " versus "
_RESULTS, _OUTCOME, _PRIMARY = "RESULTS: ", " outcome", "RESULTS: Primary outcome"


class Effect(NamedTuple):
    """A comparison of arms: its measure, value, interval and p as posted; `arms` are in the registry's order.

    `participants` counts those analysed in these arms, None if an arm's number is not posted.
    """

    endpoint: str
    measure: str
    value: str
    unit: str
    interval: str
    p: str
    method: str
    arms: tuple[str, ...]
    participants: int | None
    is_of_subgroup: bool = False
    posted_as: str = ""


class Outcome(NamedTuple):
    """A posted outcome: the rows of its values, and its comparisons of arms.

    `unclear` counts comparisons that differ in something that their rows do not say, such as a subgroup.
    """

    place: str
    is_primary: bool
    values: tuple[TableRow, ...]
    effects: tuple[Effect, ...]
    unclear: int

    @property
    def is_posted(self) -> bool:
        """Whether it has values."""
        return any(cell.text != NOT_POSTED for row in self.values for cell in row.cells)


def read_outcomes(hit: Hit) -> Iterator[Outcome]:
    """The outcomes that a registry record holds, in the registry's order."""
    for section in hit.sections:
        if section.rows and section.label.startswith(_RESULTS) and section.label.endswith(_OUTCOME):
            yield _read_outcome(section)


def describe_arms(effect: Effect) -> str:
    """The compared arms, and which is measured against which if the registry says so: their order does not."""
    posted = words.POSTED_AS.format(note=effect.posted_as) if effect.posted_as else ""
    return f"{' and '.join(effect.arms)}{posted}"


def describe_effect(effect: Effect) -> str:
    """ "Odds Ratio (OR) 15.231, 95% CI 7.336 to 31.623, p <0.001"."""
    p = f"p {effect.p}" if effect.p else ""
    return ", ".join(filter(None, (f"{effect.measure} {effect.value}", effect.interval, p)))


def describe_values(row: TableRow) -> str:
    """ "Placebo (n=158): 7.0; certolizumab (n=159): 47.2 percentage of subjects", with the kind of the values."""
    values = "; ".join(f"{cell.column}: {cell.text}" for cell in row.cells)
    measured = row.heading.removeprefix(describe_endpoint(row)).strip(" []")
    unit = next((cell.unit for cell in row.cells), "")
    return f"{values} {measured or unit}".strip()


def describe_endpoint(row: TableRow) -> str:
    """The heading of a row of values without the measure and unit in brackets at its end."""
    unit = next((cell.unit for cell in row.cells), "")
    ends = row.heading.endswith(f"{unit}]")
    start = row.heading.rfind(" [", 0, len(row.heading) - len(unit)) if ends else -1
    return row.heading[:start] if start > 0 else row.heading


def _read_outcome(section: Section) -> Outcome:
    rows = [row for row in section.rows if row.heading != ROWS_NOT_READ]
    values = tuple(row for row in rows if not _is_comparison(row))
    of_part = {describe_endpoint(row): dict(_read_size(cell.column) for cell in row.cells) for row in values}
    are_counted = len({tuple(counts.items()) for counts in of_part.values()}) > 1
    arms = {arm: number for counts in of_part.values() for arm, number in counts.items() if arm}
    sizes = dict.fromkeys(arms) if are_counted else arms
    units = {cell.unit for row in values for cell in row.cells}
    unit = units.pop() if len(units) == 1 else ""
    parts = {describe_endpoint(row) for row in values}
    read = (_read_effect(row, sizes, unit) for row in rows if _is_comparison(row))
    effects = [
        _mark_subgroup(effect, of_part[effect.endpoint] if are_counted else {})
        if effect.endpoint in parts and len(parts) > 1
        else effect
        for effect in read
        if effect
    ]
    times = Counter(map(_key_of, effects))
    clear = tuple(effect for effect in effects if times[_key_of(effect)] == 1)
    shown = Counter(_key_of(effect._replace(method="")) for effect in clear)
    distinct = tuple(_name_method(e) if shown[_key_of(e._replace(method=""))] > 1 else e for e in clear)
    return Outcome(section.place, section.label == _PRIMARY, values, distinct, len(effects) - len(clear))


def _name_method(effect: Effect) -> Effect:
    """The comparison with its method beside its measure, where another of the same arms differs in that alone."""
    return effect._replace(measure=f"{effect.measure} ({effect.method or words.NO_METHOD})")


def _mark_subgroup(effect: Effect, sizes: Mapping[str, int | None]) -> Effect:
    """The comparison of a subgroup, whose number is that of its arms only if the registry counts them for it."""
    counts = [sizes.get(arm) for arm in effect.arms]
    number = None if None in counts else sum(one for one in counts if one is not None)
    return effect._replace(participants=number, is_of_subgroup=True)


def _key_of(effect: Effect) -> tuple[str, ...]:
    """What tells one comparison of an outcome from the others."""
    return effect.endpoint, effect.measure, effect.method, *effect.arms


def _is_comparison(row: TableRow) -> bool:
    columns = [cell.column for cell in row.cells]
    return any(column in (*_OTHERS, "Effect") or _is_interval(column) for column in columns)


def _is_interval(column: str) -> bool:
    return column == _INTERVAL or column.endswith(f"% {_INTERVAL}")


def _read_size(column: str) -> tuple[str, int | None]:
    """An arm and its number of participants, from "Placebo (n=158)"."""
    arm, _, number = column.rpartition(" (n=")
    digits = number.removesuffix(")").replace(",", "")
    return (arm, int(digits)) if arm and digits.isascii() and digits.isdigit() else (column, None)


def _read_effect(row: TableRow, sizes: Mapping[str, int | None], unit: str) -> Effect | None:
    """The comparison of a row; None if it has no value, or its arms are not those of the outcome."""
    named = _split_arms(row.heading, sizes)
    cells = {cell.column: cell.text for cell in row.cells}
    effect = next((cell for cell in row.cells if cell.column not in _OTHERS and not _is_interval(cell.column)), None)
    if named is None or effect is None:
        return None
    endpoint, arms = named
    counts = [sizes[arm] for arm in arms]
    return Effect(
        endpoint=endpoint,
        measure=effect.column,
        value=effect.text,
        unit=unit,
        interval=_read_interval(row.cells),
        p=cells.get(_P, "").removeprefix("="),
        method=cells.get(_METHOD, ""),
        arms=arms,
        posted_as=cells.get(POSTED_AS, ""),
        participants=sum(n for n in counts if n is not None) if None not in counts else None,
    )


def _read_interval(cells: Sequence[Cell]) -> str:
    """ "95% CI 7.336 to 31.623"; empty if none is posted."""
    return next((f"{cell.column} {cell.text}" for cell in cells if _is_interval(cell.column)), "")


def _split_arms(heading: str, arms: Mapping[str, int | None]) -> tuple[str, tuple[str, ...]] | None:
    """The endpoint and the arms of "ENDPOINT, ARM versus ARM"; None if they are not arms of this outcome."""
    rest, named = heading, list[str]()
    while arm := max((arm for arm in arms if rest.endswith(arm)), key=len, default=""):
        named.insert(0, arm)
        rest = rest[: -len(arm)]
        if not rest.endswith(_VERSUS):
            break
        rest = rest[: -len(_VERSUS)]
    is_whole = len(named) > 1 and rest.endswith(", ")
    return (rest[:-2], tuple(named)) if is_whole else None
