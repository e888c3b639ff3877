"""Convert dates in the forms that records use to ISO dates, as partial as the record is."""

from __future__ import annotations

import calendar
import re

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_FORMS = tuple(
    re.compile(form, re.I | re.A)
    for form in (
        r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})(?!\d)(?:[-/.](?P<d>\d{1,2})(?!\d))?",
        r"(?P<y>\d{4})[\s/]+(?P<m>[a-z]{3})[a-z]*\.?(?:[\s/]+(?P<d>\d{1,2})(?!\d))?",
        r"(?:(?P<d>\d{1,2})\s+)?(?P<m>[a-z]{3})[a-z]*\.?,?\s+(?P<y>\d{4})(?!\d)",
        r"(?P<m>[a-z]{3})[a-z]*\.?\s+(?P<d>\d{1,2}),\s*(?P<y>\d{4})(?!\d)",
    )
)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)", re.A)
_ISO = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?", re.A)


def is_iso_date(text: str) -> bool:
    """Whether the text is a valid ISO date, month or year: `2012-10-03`, `2012-10`, `2012`."""
    match = _ISO.fullmatch(text)
    return bool(match and (not match[3] or int(match[3]) <= calendar.monthrange(int(match[1]), int(match[2]))[1]))


def partial_date(year: str, month: str = "", day: str = "") -> str | None:
    """`2012`, `2012-10` or `2012-10-03` from a record's fields; the month may be a number or a name.

    An invalid month (such as a season) or day is left out; an invalid year gives None.
    """
    if not _YEAR.fullmatch(year.strip()):
        return None
    text = month.strip().lower()
    number = int(text) if re.fullmatch(r"\d{1,2}", text, re.A) else _MONTHS.get(text[:3], 0)
    if not 1 <= number <= 12:
        return year.strip()
    date = f"{year.strip()}-{number:02}"
    days = calendar.monthrange(int(year), number)[1]
    return f"{date}-{int(day):02}" if re.fullmatch(r"\s*\d{1,2}\s*", day, re.A) and 1 <= int(day) <= days else date


def parse_date(text: str) -> str | None:
    """The first date in a text such as `1978 Jul-Sep`, `2000 Dec-2001 Jan`, `2008/04/05`, `3 October 2012`, `2012`."""
    for form in _FORMS:
        match = form.match(text.strip())
        if match and (date := partial_date(match["y"], match["m"] or "", match["d"] or "")):
            return date
    year = _YEAR.search(text)
    return year[0] if year else None


def year_of(date: str | None) -> int | None:
    """The year of an ISO date."""
    return int(date[:4]) if date else None
