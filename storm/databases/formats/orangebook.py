"""Read the FDA Orange Book's `~`-separated files: products.txt, patent.txt and exclusivity.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from sys import intern
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote

from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import text_line, text_lines
from storm.errors import RecordError
from storm.models import Approval, Hit, RecordFacts, Retraction, Section, SectionKind
from storm.models.publication import PATENT_LISTING

#: The largest known lines and files have about 400 bytes and 8 MB.
MAX_LINE = 100_000
MAX_FILE = 100_000_000

_URL = "https://www.accessdata.fda.gov/scripts/cder/ob/results_product.cfm?Appl_Type={}&Appl_No={}"
#: The suffix of a patent number that paediatric exclusivity extends.
_PAEDIATRIC = re.compile(r"\s{0,3}[*-]\s{0,3}PED$", re.IGNORECASE)
_TYPES = {"RX": "Prescription", "OTC": "Over the counter", "DISCN": "Discontinued"}


class Row(NamedTuple):
    """The fields of a line, and the columns that all lines share."""

    columns: Mapping[str, int]
    fields: tuple[str, ...]

    def get(self, column: str) -> str:
        """The field in this column, or an empty text."""
        return self.fields[self.columns[column]] if column in self.columns else ""

    @property
    def application(self) -> str:
        return self.get("appl_type") + self.get("appl_no")


class ProductNames(NamedTuple):
    """An application's trade names, ingredients and applicant, as listed in products.txt."""

    trade_names: tuple[str, ...] = ()
    ingredients: tuple[str, ...] = ()
    applicant: str = ""

    @property
    def drugs(self) -> tuple[str, ...]:
        """All names, trade names first."""
        return text_lines([*self.trade_names, *self.ingredients])


class _Listing(NamedTuple):
    """An application's rows on one patent or exclusivity, or, if `item` is empty, on its products."""

    application: str
    item: str
    rows: tuple[Row, ...]
    names: ProductNames

    def distinct_values(self, column: str) -> tuple[str, ...]:
        return text_lines([row.get(column) for row in self.rows])

    @property
    def full_name(self) -> str:
        """The application's full name: "GLUMETZA (METFORMIN HYDROCHLORIDE), application N021748"."""
        name = ", ".join(self.names.trade_names[:3])
        ingredients = "; ".join(self.names.ingredients)
        product = f"{name} ({ingredients})" if name and ingredients else name or ingredients
        return f"{product}, application {self.application}" if product else f"application {self.application}"

    @property
    def number(self) -> str:
        """The application number with its type, as the FDA writes it: "NDA021748"."""
        return {"N": "NDA", "A": "ANDA"}.get(self.application[:1], "") + self.rows[0].get("appl_no")

    @property
    def products(self) -> str:
        return _name_products(self.distinct_values("product_no"))

    def products_by_date(self, column: str) -> Mapping[str, tuple[str, ...]]:
        """The product numbers by the dates in this column, earliest first."""
        dates = sorted({date for row in self.rows if (date := _parse_listed_date(row.get(column)))})
        return {
            date: text_lines(
                [row.get("product_no") for row in self.rows if _parse_listed_date(row.get(column)) == date]
            )
            for date in dates
        }


def read_orangebook(
    stream: BinaryIO, products: Mapping[str, ProductNames] | None = None
) -> Iterator[Hit | RecordError]:
    """Yield a Hit for each patent, exclusivity or set of products of an application, by the file's columns.

    An application's rows are scattered, so the file (at most `MAX_FILE`) is held in memory. A patent may be listed for
    several applications, so its number alone identifies no record; a `*PED` row extends the record of its patent.
    `products` (from `read_product_names`) names the drugs that the other two files only number.
    """
    applications: dict[str, list[Row]] = {}
    for item in _read_rows(stream):
        if isinstance(item, RecordError):
            yield item
        else:
            applications.setdefault(item.application, []).append(item)
    for rows in applications.values():
        yield from _read_listings(rows, products or {})


def read_product_names(path: Path) -> Mapping[str, ProductNames]:
    """Read the product names of each application; empty if the file is missing or unreadable."""
    names: dict[str, ProductNames] = {}
    try:
        with path.open("rb") as stream:
            for row in _read_rows(stream):
                if not isinstance(row, RecordError):
                    names[row.application] = _add_row(names.get(row.application, ProductNames()), row)
    except OSError:
        return {}
    return names


def _add_row(known: ProductNames, row: Row) -> ProductNames:
    return ProductNames(
        text_lines([*known.trade_names, row.get("trade_name")]),
        text_lines([*known.ingredients, *row.get("ingredient").split(";")]),
        known.applicant or row.get("applicant_full_name") or row.get("applicant"),
    )


def _read_rows(stream: BinaryIO) -> Iterator[Row | RecordError]:
    header = _split_fields(stream.readline(MAX_LINE))
    columns = {name.lower(): place for place, name in enumerate(header)}
    if "appl_no" not in columns:
        yield RecordError("not an Orange Book file: its first line names no Appl_No", position="line 1")
        return
    number, size = 1, 0
    while raw := stream.readline(MAX_LINE):
        number += 1
        size += len(raw)
        if size > MAX_FILE:
            reason = f"too long for an Orange Book file: nothing beyond {MAX_FILE:,} bytes is read"
            yield RecordError(reason, position=f"line {number}")
            return
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            yield RecordError("too long for a line of the Orange Book", position=f"line {number}")
            size += _skip_line(stream)
            continue
        fields = _split_fields(raw)
        if len(fields) == len(header) and fields[columns["appl_no"]]:
            yield Row(columns, fields)
        elif any(fields):
            yield RecordError(
                "no application number, or fields and columns differ in number", position=f"line {number}"
            )


def _skip_line(stream: BinaryIO) -> int:
    """Read to the end of the line and count the bytes."""
    size = 0
    while raw := stream.readline(MAX_LINE):
        size += len(raw)
        if raw.endswith(b"\n"):
            break
    return size


def _split_fields(raw: bytes) -> tuple[str, ...]:
    return tuple(intern(text_line(field)) for field in raw.decode("utf-8-sig", errors="replace").split("~"))


def _read_listings(rows: Sequence[Row], products: Mapping[str, ProductNames]) -> Iterator[Hit]:
    """Convert one application's rows to Hits, in the order of the file."""
    column = next((name for name in ("patent_no", "exclusivity_code") if name in rows[0].columns), "")
    make = {"patent_no": _patent_hit, "exclusivity_code": _exclusivity_hit, "": _product_hit}[column]
    names = products.get(rows[0].application)
    rows_by_item: dict[str, list[Row]] = {}
    for row in rows:
        rows_by_item.setdefault(_PAEDIATRIC.sub("", row.get(column)), []).append(row)
    for item, item_rows in rows_by_item.items():
        known = names or reduce(_add_row, item_rows, ProductNames())
        yield make(_Listing(rows[0].application, item, tuple(item_rows), known))


def _make_hit(listing: _Listing, external_id: str, title: str, details: Sequence[str], **fields: Any) -> Hit:
    first = listing.rows[0]
    kind = listing.number.removesuffix(first.get("appl_no"))
    spellings = text_lines([listing.application, listing.number, f"{kind} {first.get('appl_no')}"])
    text = f"{'; '.join(details)}. Application number: {', '.join(spellings)}."
    return Hit.of(
        "orangebook",
        external_id,
        _URL.format(quote(first.get("appl_type")), quote(first.get("appl_no"))),
        title,
        sections=(Section(text=text, kind=SectionKind.FIELD),),
        container="FDA Orange Book",
        drugs=listing.names.drugs,
        retraction=Retraction.NOT_RETRACTED,
        **fields,
    )


def _patent_hit(listing: _Listing) -> Hit:
    extended = tuple(row for row in listing.rows if _PAEDIATRIC.search(row.get("patent_no")))
    unextended = listing._replace(rows=tuple(row for row in listing.rows if row not in extended))
    expiries = unextended.products_by_date("patent_expire_date_text")
    extensions = listing._replace(rows=extended).products_by_date("patent_expire_date_text")
    listed = min(filter(None, map(_parse_listed_date, listing.distinct_values("submission_date"))), default=None)
    details = [f"US patent {listing.item}, listed in the Orange Book for {listing.full_name}, {listing.products}"]
    details += [_describe_dates("expiry date", expiries)] if expiries else []
    details += [_describe_dates("with paediatric exclusivity until", extensions)] if extensions else []
    details += _describe_claims(unextended)
    if codes := unextended.distinct_values("patent_use_code"):
        details.append(f"use code {', '.join(codes)}")
    details += ["its removal from the list was requested"] if "Y" in unextended.distinct_values("delist_flag") else []
    return _make_hit(
        listing,
        f"{listing.application}-{listing.item}",
        f"Orange Book: US patent {listing.item} for {listing.full_name}",
        details,
        date=listed,
        year=year_of(listed),
        publication_types=(PATENT_LISTING,),
        facts=RecordFacts(
            sponsor=listing.names.applicant or None,
            country="US",
            expiry=max(expiries, default=None),
            paediatric_expiry=max(extensions, default=None),
        ),
    )


def _describe_claims(listing: _Listing) -> list[str]:
    """State what the patent claims according to its flags; a blank flag states nothing."""
    words = {"Y": "yes", "N": "no"}
    flags = (("drug substance", "drug_substance_flag"), ("drug product", "drug_product_flag"))
    stated = [(name, max(listing.distinct_values(column), default="")) for name, column in flags]
    return [f"{name}: {words[flag]}" for name, flag in stated if flag in words]


def _name_products(numbers: Sequence[str]) -> str:
    return f"product{'s' if len(numbers) > 1 else ''} {', '.join(sorted(numbers))}"


def _describe_dates(words: str, expiries: Mapping[str, tuple[str, ...]]) -> str:
    """State the dates in words that stay true: do not say whether a date has passed."""
    if len(expiries) == 1:
        return f"{words} {next(iter(expiries))}"
    return f"{words} " + ", ".join(f"{date} for {_name_products(numbers)}" for date, numbers in expiries.items())


def _exclusivity_hit(listing: _Listing) -> Hit:
    expiries = listing.products_by_date("exclusivity_date")
    details = [f"Exclusivity {listing.item}, listed in the Orange Book for {listing.full_name}, {listing.products}"]
    details += [_describe_dates("expiry date", expiries)] if expiries else []
    return _make_hit(
        listing,
        f"{listing.application}-{listing.item}",
        f"Orange Book: exclusivity {listing.item} for {listing.full_name}",
        details,
        publication_types=("Exclusivity listing",),
        facts=RecordFacts(sponsor=listing.names.applicant or None, country="US", expiry=max(expiries, default=None)),
    )


def _product_hit(listing: _Listing) -> Hit:
    dates = listing.distinct_values("approval_date")
    approved = min(filter(None, map(_parse_listed_date, dates)), default=None)
    applicant = listing.names.applicant
    kinds = [_TYPES.get(kind, kind) for kind in listing.distinct_values("type")]
    details = [f"{listing.full_name}, is listed in the Orange Book with {listing.products}"]
    details += [f"applicant: {applicant}"] if applicant else []
    details += [f"approved on {approved}"] if approved else ["approved before 1982"] if _predates_1982(dates) else []
    strengths, forms = listing.distinct_values("strength"), listing.distinct_values("df;route")
    fields = (("strength", strengths), ("form and route", forms), ("market", kinds))
    details += [f"{name}: {', '.join(values)}" for name, values in fields if values]
    trade_name = next(iter(listing.names.trade_names), None)
    return _make_hit(
        listing,
        listing.application,
        f"Orange Book: {listing.full_name}",
        details,
        date=approved,
        year=year_of(approved),
        publication_types=("Approved drug product",),
        facts=RecordFacts(
            sponsor=applicant or None,
            status="/".join(kinds) or None,
            approvals=(Approval(agency="FDA", date=approved, product=trade_name, number=listing.number),),
            country="US",
        ),
    )


def _predates_1982(dates: Sequence[str]) -> bool:
    return any(date.lower().startswith("approved prior") for date in dates)


def _parse_listed_date(text: str) -> str | None:
    """An ISO date from `Feb 6, 2026`; None for "Approved Prior to Jan 1, 1982"."""
    return None if _predates_1982([text]) else parse_date(text)
