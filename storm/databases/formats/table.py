"""Read users' own records from CSV (comma, semicolon or tab) and JSON lines.

Required columns: `database, external_id, url, title`. Optional: `authors, year, date, container,
publication_type, text, sections, doi, pmid, pmcid, nct, chembl, drugs, drug_class, targets, sponsor, phase, status,
enrollment, boxed_warning, approvals, country, expiry, journal_abbreviation, volume, issue, pages, issn, language,
publisher`, and of a patent `application_number, filing_date, priority_date, publication_date, legal_status`.
Several values are a list in JSON and separated by `;` in CSV.
An approval is an object in JSON, and `agency|date|product|number|indication` in CSV. `nct` and `chembl` are links.
Other columns, and `sections` in CSV, are ignored and reported to the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

from pydantic import ValidationError

from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.author_names import split_inverted
from storm.databases.formats.bibliography import find_issn, locate_article
from storm.databases.formats.csv_rows import CsvRow, CsvRows
from storm.databases.formats.dates import is_iso_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, clean_text, text_line, text_lines, web_address
from storm.databases.formats.headings import markdown_parts
from storm.databases.formats.json_records import read_json_records
from storm.databases.formats.patent_numbers import split_patent_number
from storm.databases.formats.retractions import judge_retraction
from storm.errors import RecordError
from storm.models import (
    Approval,
    Hit,
    Holds,
    PatentDetails,
    Publication,
    RecordFacts,
    Section,
    database_info,
    find_trials,
)
from storm.models.database import DATABASE_ORDER
from storm.models.hit import ET_AL
from storm.models.identifiers import normalize_doi, normalize_nct, normalize_pmcid, normalize_pmid
from storm.models.written_identifiers import stated_identifiers
from storm.value_wording import describe_problem

REQUIRED = ("database", "external_id", "url", "title")
OPTIONAL = (
    "authors", "year", "date", "container", "publication_type", "text", "sections", "doi", "pmid", "pmcid", "nct",
    "chembl", "drugs", "drug_class", "targets", "sponsor", "phase", "status", "enrollment", "boxed_warning",
    "approvals", "country", "expiry", "paediatric_expiry", "journal_abbreviation", "volume", "issue", "pages", "issn",
    "language", "publisher", "application_number", "filing_date", "priority_date", "publication_date", "legal_status",
)  # fmt: skip
#: The most names of ignored columns that are reported; long names are shortened.
MAX_IGNORED = 100
#: The delimiters of CSV files.
DELIMITERS = ",\t;"

_KNOWN = frozenset((*REQUIRED, *OPTIONAL))
_KNOWN_IN_CSV = _KNOWN - {"sections"}
_DATABASE = re.compile(r"[a-z][a-z0-9_-]{0,39}")
#: Kinds of identifiers of which a work has only one.
_OF_ONE_WORK = ("pmid", "pmcid", "doi", "registry")
_LISTS = ("authors", "publication_type", "nct", "drugs", "drug_class", "targets")
_IDS: Mapping[str, tuple[Callable[[str], str | None], str]] = {
    "pubmed": (normalize_pmid, "PubMed id"),
    "pmc": (normalize_pmcid, "PMC id"),
    "clinicaltrials": (normalize_nct, "NCT number"),
}


def read_jsonl(stream: BinaryIO, ignored: set[str] | None = None) -> Iterator[Hit | RecordError]:
    """Read the records of JSON lines (or a JSON array) one at a time; `ignored` collects unknown keys."""
    for item in read_json_records(stream, "records"):
        if isinstance(item, RecordError):
            yield item
            continue
        _note_ignored(item.value, _KNOWN, ignored)
        yield _convert_record(item.value, item.position)


def read_csv(stream: BinaryIO, ignored: set[str] | None = None) -> Iterator[Hit | RecordError]:
    """Read the records of a CSV file with a header line; `ignored` collects its unknown columns."""
    rows = CsvRows(stream, DELIMITERS)
    first = next(rows, None)
    if not isinstance(first, CsvRow):
        yield _count_unread(first or RecordError("no header line", position="line 1"), rows)
        return
    header = [name.strip().lower() for name in first.fields]
    if missing := [name for name in REQUIRED if name not in header]:
        yield _count_unread(RecordError(_header_fault(missing), position="line 1"), rows)
        return
    _note_ignored(header, _KNOWN_IN_CSV, ignored)
    for row in rows:
        if isinstance(row, RecordError):
            yield row
        elif row.last > row.first and any(_is_record(header, fields) for fields in rows.read_inner_lines()):
            yield rows.reject_row()
        elif not _is_blank(row):
            yield _read_row(header, row.fields, row.position)
        elif row.fields:  # separators alone, as spreadsheets write below their last row
            yield RecordError("it has no value", position=row.position, records=0)


def _read_row(header: Sequence[str], fields: Sequence[str], position: str) -> Hit | RecordError:
    if len(fields) > len(header):
        return RecordError(f"{len(fields)} fields under {len(header)} columns", position=position)
    return _convert_record(_convert_csv_row(dict(zip(header, fields, strict=False))), position)


def _is_record(header: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether a line inside a quoted field is itself a record, complete or of a database that storm knows, which shows
    that a quote was left open."""
    if not len(REQUIRED) <= len(fields) <= len(header):
        return False
    database = dict(zip(header, fields, strict=False)).get("database", "")
    return database in DATABASE_ORDER or isinstance(_read_row(header, fields, ""), Hit)


def _is_blank(row: CsvRow) -> bool:
    return not any(field.strip() for field in row.fields)


def _header_fault(missing: Sequence[str]) -> str:
    if len(missing) < len(REQUIRED):
        return f"the header has no column {' and no column '.join(missing)}"
    needed = ", ".join(REQUIRED)
    return f"not a header: the first line must name the columns, {needed} among them; remove what precedes it"


def _count_unread(error: RecordError, rows: CsvRows) -> RecordError:
    """Set the number of rows that are not read because the file has no usable header."""
    error.records = sum(isinstance(row, RecordError) or not _is_blank(row) for row in rows) or 1
    return error


def _note_ignored(names: Iterable[str], known: frozenset[str], ignored: set[str] | None) -> None:
    for name in names:
        if name and name not in known and ignored is not None and len(ignored) < MAX_IGNORED:
            ignored.add(text_line(name[:40]))


def _convert_csv_row(row: Mapping[str, str]) -> dict[str, Any]:
    """Convert a row to the types that the same record has in JSON."""
    record: dict[str, Any] = {name: value for name, value in row.items() if value.strip()}
    for name in _LISTS:
        if name in record:
            record[name] = record[name].split(";")
    if "approvals" in record:
        names = tuple(Approval.model_fields)
        record["approvals"] = [
            dict(zip(names, part.split("|"), strict=False)) for part in record["approvals"].split(";") if part.strip()
        ]
    return record


def _convert_record(row: Mapping[str, Any], position: str) -> Hit | RecordError:
    try:
        return _make_hit(row)
    except RecordError as exc:
        return RecordError("; ".join(_list_faults(row)) or exc.message, position=position)
    except ValidationError as exc:
        return RecordError(f"not a record: {describe_problem(exc.errors()[0])}", position=position)


def _make_hit(row: Mapping[str, Any]) -> Hit:
    database, external_id = _read_identity(row)
    url = _read_url(row)
    year, date = _read_year(row)
    types = text_lines(row.get("publication_type"))
    title = _read_required(row, "title")
    hit = Hit.of(
        database,
        external_id,
        url,
        title,
        **_read_identifiers(row),
        sections=_read_sections(row),
        authors=text_lines(row.get("authors"), distinct=False),
        year=year,
        date=date,
        container=text_line(row.get("container")) or None,
        publication_types=types,
        trials=_read_trials(row),
        drugs=text_lines(row.get("drugs")),
        retraction=judge_retraction(title, types, (), checked=False).retraction,
        facts=_read_facts(row),
        publication=_read_publication(row),
    )
    _check_single_work(hit)
    return hit


def _list_faults(row: Mapping[str, Any]) -> Sequence[str]:
    """What is wrong with the columns of a row, each of which is read on its own."""
    required = [partial(_read_required, name=name) for name in REQUIRED]
    others = (_read_identity, _read_url, _read_identifiers, _read_year, _read_facts, _read_publication)
    reads: Sequence[Callable[[Mapping[str, Any]], object]] = (*required, *others)
    faults: dict[str, None] = {}
    for read in reads:
        try:
            read(row)
        except RecordError as exc:
            faults[exc.message] = None
    return list(faults)


def _check_single_work(hit: Hit) -> None:
    """RecordError if two identifiers of one kind, or the address, show that the row is about two works."""
    stated = {*hit.identifiers, *stated_identifiers(hit.url)}
    for kind in _OF_ONE_WORK:
        if len(several := sorted(one for one in stated if one.partition(":")[0] == kind)) > 1:
            raise RecordError(f"the row names two works: {' and '.join(several)}")


def _read_identity(row: Mapping[str, Any]) -> tuple[str, str]:
    database = _read_required(row, "database")
    if not _DATABASE.fullmatch(database):
        raise RecordError(f"column database: {database[:40]!r} must consist of lower-case letters, digits, - and _")
    external_id = _read_required(row, "external_id")
    if len(external_id) > 200:
        raise RecordError(f"column external_id is longer than 200 characters: {external_id[:40]!r}…")
    if database in _IDS:
        normalize, kind = _IDS[database]
        number = normalize(external_id)
        if number is None:
            raise RecordError(f"column external_id: {external_id!r} is not a valid {kind}")
        return database, number
    return database, external_id


def _read_url(row: Mapping[str, Any]) -> str:
    _read_required(row, "url")
    url = web_address(row["url"])
    if url is None:
        raise RecordError(f"column url: {str(row['url'])[:60]!r} is not an http or https address")
    return url


def _read_required(row: Mapping[str, Any], name: str) -> str:
    text = text_line(row.get(name))
    if not text:
        raise RecordError(f"column {name} is missing or empty")
    return text


def _read_identifiers(row: Mapping[str, Any]) -> dict[str, Any]:
    known = (("pmid", normalize_pmid), ("pmcid", normalize_pmcid), ("doi", normalize_doi))
    return {name: _read_identifier(row, name, normalize) for name, normalize in known}


def _read_identifier(row: Mapping[str, Any], name: str, normalize: Callable[[str], str | None]) -> str | None:
    text = text_line(row.get(name))
    if text and normalize(text) is None:
        raise RecordError(f"column {name}: {text[:60]!r} is not a valid {name.upper()}")
    return text or None


def _read_number(row: Mapping[str, Any], name: str, low: int, high: int) -> int | None:
    text = text_line(row.get(name))
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise RecordError(f"column {name}: {text[:40]!r} is not a whole number from {low} to {high}")
    return int(text)


def _read_year(row: Mapping[str, Any]) -> tuple[int | None, str | None]:
    """The year, which is the date's where none is given, and the date."""
    date = _read_date(row, "date")
    return _read_number(row, "year", 1000, 2999) or year_of(date), date


def _read_date(row: Mapping[str, Any], name: str) -> str | None:
    return _check_iso_date(text_line(row.get(name)), name)


def _check_iso_date(text: str, name: str) -> str | None:
    if text and not is_iso_date(text):
        raise RecordError(f"column {name}: {text[:40]!r} is not a valid date (examples: 2019, 2019-03, 2019-03-31)")
    return text or None


def _read_trials(row: Mapping[str, Any]) -> tuple[str, ...]:
    own = [text_line(row.get("external_id"))] if row.get("database") == "clinicaltrials" else []
    return find_trials(" ".join([*own, *text_lines(row.get("nct"))]))


def _read_sections(row: Mapping[str, Any]) -> tuple[Section, ...]:
    """The column `sections` ([label, text] pairs), or the text, divided at its headings: of Markdown, or of an abstract
    ("RESULTS: …")."""
    pairs = [pair for pair in as_list(row.get("sections")) if isinstance(pair, list) and len(pair) == 2]
    parts = [Section(label=text_line(label), text=clean_text(text)) for label, text in pairs if clean_text(text)]
    text = clean_text(row.get("text"))
    written = parts or [Section(label=label, text=part) for label, part in markdown_parts(text)]
    found = () if parts or len(written) != 1 else abstract_sections([(written[0].label, text)])
    return found if len(found) > 1 else tuple(written)


def _read_facts(row: Mapping[str, Any]) -> RecordFacts:
    texts = {
        name: text_line(row.get(name)) or None for name in ("sponsor", "phase", "status", "boxed_warning", "country")
    }
    return RecordFacts(
        drug_class=text_lines(row.get("drug_class")),
        targets=text_lines(row.get("targets")),
        enrollment=_read_number(row, "enrollment", 0, 999_999_999),
        approvals=tuple(map(_read_approval, as_list(row.get("approvals")))),
        expiry=_read_date(row, "expiry"),
        paediatric_expiry=_read_date(row, "paediatric_expiry"),
        **texts,
    )


def _read_publication(row: Mapping[str, Any]) -> Publication:
    """Authors are kept in parts where each but the last, "et al", is written as `Family, Given`."""
    names = [name for name in text_lines(row.get("authors"), distinct=False) if name != ET_AL]
    texts = ("journal_abbreviation", "volume", "issue", "language", "publisher")
    location = locate_article(text_line(row.get("pages")))
    return Publication(
        authors=tuple(map(split_inverted, names)) if all("," in name for name in names) else (),
        authors_complete=False if ET_AL in text_lines(row.get("authors")) else None,
        pages=location.pages,
        article_number=location.article_number,
        issn=find_issn([text_line(row.get("issn"))]),
        patent=_read_patent(row),
        **{name: text_line(row.get(name)) or None for name in texts},
    )


def _read_patent(row: Mapping[str, Any]) -> PatentDetails | None:
    """Of a patent, whose number is the record's id."""
    number = split_patent_number(text_line(row.get("external_id")))
    if number is None or database_info(text_line(row.get("database"))).holds is not Holds.PATENTS:
        return None
    return PatentDetails(
        **number._asdict(),
        **{name: _read_date(row, name) for name in ("filing_date", "priority_date", "publication_date")},
        **{name: text_line(row.get(name)) or None for name in ("application_number", "legal_status")},
    )


def _read_approval(value: Any) -> Approval:
    fields = {name: text_line(as_mapping(value).get(name)) or None for name in Approval.model_fields}
    if not fields["agency"]:
        raise RecordError("column approvals: an approval names no agency")
    fields["date"] = _check_iso_date(fields["date"] or "", "approvals")
    return Approval.model_validate(fields)
