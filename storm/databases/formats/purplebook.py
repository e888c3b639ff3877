"""Read the FDA Purple Book of licensed biological products from its monthly CSV file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import BinaryIO

from storm.databases.formats.csv_rows import CsvRows
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import text_line, text_lines
from storm.errors import RecordError
from storm.models import Approval, Hit, RecordFacts, Retraction, Section, SectionKind

_URL = "https://purplebooksearch.fda.gov/"
#: The most lines before the table, with the month and a key to the first column.
_MAX_PREAMBLE = 500
_EMPTY = ("", "N/A", "n/a")

Row = Mapping[str, str]


def read_purplebook(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Yield a Hit for each licensed product, by column names, since releases differ in columns and preamble.

    A file lists the month's changes first, under their own header, and then all products. A product in both lists is
    yielded once, or twice if its rows differ.
    """
    header: list[str] = []
    seen: dict[str, Hit] = {}
    rows = CsvRows(stream)
    for item in rows:
        if isinstance(item, RecordError):
            yield item
            continue
        if item.last > item.first and any(_product_hit(_name_fields(header, line)) for line in rows.read_inner_lines()):
            yield rows.reject_row()  # a quote was left open
            continue
        fields = [text_line(field) for field in item.fields]
        if "BLA Number" in fields:
            header = fields
        elif header:
            hit = _product_hit(_name_fields(header, fields))
            if hit is None and sum(map(bool, fields)) > 2:
                yield RecordError("no valid BLA Number, or no Proper Name", position=item.position)
            elif hit and seen.get(hit.external_id) != hit:
                seen[hit.external_id] = hit
                yield hit
        elif item.last > _MAX_PREAMBLE:
            break
    if not header:
        yield RecordError("not a Purple Book file: no header with a BLA Number")


def _name_fields(header: Sequence[str], fields: Sequence[str]) -> Row:
    return dict(zip(header, fields, strict=False))


def _product_hit(row: Row) -> Hit | None:
    number = _read_value(row, "BLA Number").removeprefix("BLA").strip()
    proper = _read_value(row, "Proper Name")
    if not number.isdigit() or not proper:
        return None
    name = _read_value(row, "Proprietary Name")
    kind = _read_value(row, "BLA Type") or _read_value(row, "License Type")
    approved = _parse_listed_date(_read_value(row, "Approval Date"))
    product = _read_value(row, "Product Number")
    applicant = _read_value(row, "Applicant")
    title = f"{name} ({proper})" if name and name.lower() != proper.lower() else proper
    return Hit.of(
        "purplebook",
        f"BLA{number}-{product or _read_value(row, 'Strength') or '1'}",
        _URL,
        f"Purple Book: {title}, BLA{number}",
        sections=(Section(text=_describe_product(row, title, number, kind, approved), kind=SectionKind.FIELD),),
        year=year_of(approved),
        date=approved,
        container="FDA Purple Book",
        publication_types=_product_types(kind),
        drugs=text_lines([name, proper]),
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(
            sponsor=applicant or None,
            status=_read_value(row, "Marketing Status") or None,
            country="US",
            approvals=(Approval(agency="FDA", date=approved, product=name or None, number=f"BLA{number}"),),
        ),
    )


def _read_value(row: Row, column: str) -> str:
    text = row.get(column, "")
    return "" if text in _EMPTY else text


def _product_types(kind: str) -> tuple[str, ...]:
    if not kind.startswith("351(k)") and kind.lower() not in ("biosimilar", "interchangeable"):
        return ("Licensed biological product",)
    return ("Biosimilar", "Interchangeable") if "interchangeable" in kind.lower() else ("Biosimilar",)


def _describe_product(row: Row, title: str, number: str, kind: str, approved: str | None) -> str:
    applicant = _read_value(row, "Applicant")
    reference = text_lines(
        [_read_value(row, "Ref. Product Proprietary Name"), _read_value(row, "Ref. Product Proper Name")]
    )
    parts = [
        f"{title} is listed in the Purple Book under BLA{number}" + (f", held by {applicant}" if applicant else "")
    ]
    parts += [f"licensed under {kind}"] if kind.startswith("351") else [f"licence type: {kind}"] if kind else []
    parts += [f"approved on {approved}"] if approved else []
    parts += (
        [f"its reference product is {' ('.join(reference)}{')' if len(reference) > 1 else ''}"] if reference else []
    )
    for name, column in (("strength", "Strength"), ("form", "Dosage Form"), ("route", "Route of Administration"),
                         ("presentation", "Product Presentation"), ("marketing status", "Marketing Status"),
                         ("licensure", "Licensure")):  # fmt: skip
        if value := _read_value(row, column):
            parts.append(f"{name}: {value}")
    for name, column in (("first licensed on", "Date of First Licensure"),
                         ("exclusivity expiry date", "Exclusivity Expiration Date"),
                         ("reference product exclusivity expiry date", "Ref. Product Exclusivity Exp. Date"),
                         ("orphan exclusivity expiry date", "Orphan Exclusivity Exp. Date")):  # fmt: skip
        if date := _parse_listed_date(_read_value(row, column)):
            parts.append(f"{name} {date}")
    return "; ".join(parts) + "."


def _parse_listed_date(text: str) -> str | None:
    """An ISO date from the forms in releases: `2017-12-01`, `12/1/2017`, `1-Dec-17`, `December 1, 2017`."""
    for form in ("%m/%d/%Y", "%m/%d/%y", "%d-%b-%y", "%d-%b-%Y"):
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return parse_date(text)
