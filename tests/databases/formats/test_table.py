"""One's own records as CSV and JSON lines: what is needed, what is taken, and how errors are placed."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.formats import csv_rows, json_records
from storm.databases.formats.table import MAX_IGNORED, read_csv, read_jsonl
from storm.errors import RecordError
from storm.models import Approval, Hit, Retraction, Section

ROW = {"database": "web", "external_id": "z1", "url": "https://example.org/1", "title": "Zorvimab study"}
FULL = {
    **ROW,
    "database": "pubmed",
    "external_id": "PMID: 11248153",
    "authors": ["Slamon DJ", "Leyland-Jones B"],
    "year": 2001,
    "container": "N Engl J Med",
    "publication_type": ["Randomized Controlled Trial"],
    "text": "The response rate was 50%.",
    "doi": "10.1056/NEJM200103153441101",
    "pmcid": "PMC123",
    "nct": ["NCT09990001"],
    "chembl": "CHEMBL1201585",
    "drugs": ["zorvimab", "Zorvia"],
    "drug_class": ["antibody"],
    "targets": ["QX7"],
    "sponsor": "Zorvi Pharma",
    "phase": "Phase 3",
    "status": "Completed",
    "enrollment": 469,
    "boxed_warning": "Cardiomyopathy",
    "approvals": [{"agency": "FDA", "date": "1998-09-25", "product": "Zorvia", "number": "BLA1", "indication": "QX7"}],
    "country": "US",
    "expiry": "2021-03",
}


def jsonl(*records: object) -> list[Hit | RecordError]:
    return list(read_jsonl(io.BytesIO("\n".join(map(json.dumps, records)).encode())))


def csv_of(text: str | bytes) -> list[Hit | RecordError]:
    return list(read_csv(io.BytesIO(text if isinstance(text, bytes) else text.encode())))


def as_csv(record: dict[str, object], delimiter: str = ",") -> str:
    def cell(value: object) -> str:
        values = value if isinstance(value, list) else [value]
        parts = ["|".join(map(str, item.values())) if isinstance(item, dict) else str(item) for item in values]
        return '"' + ";".join(parts).replace('"', '""') + '"'

    return delimiter.join(record) + "\n" + delimiter.join(map(cell, record.values())) + "\n"


def only(items: list[Hit | RecordError]) -> Hit:
    (hit,) = items
    assert isinstance(hit, Hit), hit
    return hit


def test_all_columns_are_taken() -> None:
    hit = only(jsonl(FULL))
    assert hit.external_id == "11248153"
    assert hit.identifiers == ("pmid:11248153", "pmcid:PMC123", "doi:10.1056/nejm200103153441101")
    assert (hit.authors, hit.year, hit.container) == (("Slamon DJ", "Leyland-Jones B"), 2001, "N Engl J Med")
    assert (hit.publication_types, hit.text) == (("Randomized Controlled Trial",), "The response rate was 50%.")
    assert hit.drugs == ("zorvimab", "Zorvia")
    facts = hit.facts
    assert (facts.drug_class, facts.targets, facts.sponsor) == (("antibody",), ("QX7",), "Zorvi Pharma")
    assert (facts.phase, facts.status, facts.enrollment) == ("Phase 3", "Completed", 469)
    assert (facts.boxed_warning, facts.country, facts.expiry) == ("Cardiomyopathy", "US", "2021-03")
    assert facts.approvals == (
        Approval(agency="FDA", date="1998-09-25", product="Zorvia", number="BLA1", indication="QX7"),
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_says_the_same_as_json_whatever_parts_it(delimiter: str) -> None:
    assert only(csv_of(as_csv(FULL, delimiter))) == only(jsonl(FULL))


def test_two_authors_of_one_name_stay_two() -> None:
    hit = only(jsonl(FULL | {"authors": ["Wang, Y", "Li, X", "Wang, Y"]}))
    assert hit.authors == ("Wang, Y", "Li, X", "Wang, Y")
    assert [one.family for one in hit.publication.authors] == ["Wang", "Li", "Wang"]


def test_a_trial_number_is_a_link_but_for_the_registry() -> None:
    paper = only(jsonl({**ROW, "nct": ["nct09990001"]}))
    assert (paper.identifiers, paper.trials) == (("web:z1", "url:example.org/1"), ("NCT09990001",))
    entry = only(jsonl({**ROW, "database": "clinicaltrials", "external_id": "nct09990001"}))
    assert (entry.identifiers, entry.trials) == (("registry:NCT09990001",), ("NCT09990001",))


def test_a_chembl_id_identifies_only_a_record_of_chembl() -> None:
    assert only(jsonl({**ROW, "chembl": "CHEMBL1"})).identifiers == ("web:z1", "url:example.org/1")
    assert only(jsonl({**ROW, "database": "chembl", "external_id": "CHEMBL1"})).identifiers == ("chembl:CHEMBL1",)


def test_sections_keep_their_labels() -> None:
    hit = only(jsonl({**ROW, "sections": [["METHODS", "We asked."], ["RESULTS", "It worked."]]}))
    assert hit.sections == (Section(label="METHODS", text="We asked."), Section(label="RESULTS", text="It worked."))


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("BACKGROUND: New. RESULTS: Half were well. CONCLUSIONS: Good.", ["BACKGROUND", "RESULTS", "CONCLUSIONS"]),
        ("# Results\nHalf were well.\n# Discussion\nIt helps.", ["Results", "Discussion"]),
        ("Half were well. RESULTS: none.", [""]),
    ],
)
def test_a_text_is_divided_at_the_headings_of_markdown_or_of_an_abstract(text: str, labels: list[str]) -> None:
    (hit,) = jsonl({**ROW, "database": "pubmed", "external_id": "1", "text": text})
    assert isinstance(hit, Hit) and [section.label for section in hit.sections] == labels


def test_a_byte_order_mark_and_quoted_line_breaks_are_read() -> None:
    text = b"\xef\xbb\xbf" + as_csv({**ROW, "text": "One line.\nAnother, with a comma."}).encode()
    assert only(csv_of(text)).text == "One line.\nAnother, with a comma."


@pytest.mark.parametrize(
    "mark", "\0\x1b\x7f\x9f\u00ad\u061c\u200b\u200d\u200f\u202a\u202e\u2066\u2069\ufeff\U000e0041\udfff"
)
def test_what_no_reader_sees_does_not_come_through(mark: str) -> None:
    hit = only(jsonl({**ROW, "title": f"Zor{mark}vimab", "drugs": [f"{mark}Zorvia"], "text": f"One{mark}.\nTwo."}))
    assert (hit.title, hit.drugs, hit.text) == ("Zorvimab", ("Zorvia",), "One.\nTwo.")


@pytest.mark.parametrize("hyphen", "\u2010\u2011")
def test_a_hyphen_of_typesetters_is_a_plain_one(hyphen: str) -> None:
    hit = only(
        jsonl({**ROW, "title": f"Once{hyphen}weekly zorvimab", "text": f"A double{hyphen}blind trial – and more."})
    )
    assert (hit.title, hit.text) == ("Once-weekly zorvimab", "A double-blind trial – and more.")


def test_a_line_end_of_another_kind_is_a_space() -> None:
    assert only(jsonl({**ROW, "text": "One.\u2028Two.\x0bThree."})).text == "One. Two. Three."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"title": ""}, "column title is missing or empty"),
        ({"url": None}, "column url is missing or empty"),
        (
            {"database": "pubmed", "external_id": "90000005", "url": "https://pubmed.ncbi.nlm.nih.gov/90000006/"},
            "the row names two works: pmid:90000005 and pmid:90000006",
        ),
        (
            {
                "database": "clinicaltrials",
                "external_id": "NCT00000011",
                "url": "https://clinicaltrials.gov/NCT00000012",
            },
            "works: registry:NCT00000011 and registry:NCT00000012",
        ),
        ({"database": "pubmed", "external_id": "90000005", "pmid": "90000006"}, "the row names two works: pmid:9"),
        ({"doi": "10.1000/one", "url": "https://doi.org/10.1000/two"}, "doi:10.1000/one and doi:10.1000/two"),
        ({"url": "javascript:alert(1)"}, "column url: 'javascript:alert(1)' is not an http or https address"),
        ({"url": "file:///etc/passwd"}, "is not an http or https address"),
        ({"url": "https://example.org/a b"}, "column url: 'https://example.org/a b' is not an http or https address"),
        ({"url": "https://example.org/\u202etxt.exe"}, r"'https://example.org/\u202etxt.exe' is not an http"),
        ({"url": "https://example\u200b.org/"}, "is not an http or https address"),
        ({"url": "https://example.org/a\nb"}, "is not an http or https address"),
        ({"database": "Web"}, "column database: 'Web' must consist of"),
        ({"database": "a" * 41}, "column database"),
        ({"database": "pubmed"}, "column external_id: 'z1' is not a valid PubMed id"),
        ({"database": "clinicaltrials"}, "column external_id: 'z1' is not a valid NCT number"),
        ({"external_id": "x" * 201}, "column external_id is longer than 200 characters"),
        ({"doi": "not-a-doi"}, "column doi: 'not-a-doi' is not a valid DOI"),
        ({"year": "last"}, "column year: 'last' is not a whole number from 1000 to 2999"),
        ({"year": 20}, "column year"),
        ({"date": "03/2019"}, "column date: '03/2019' is not a valid date"),
        ({"date": "2019-02-30"}, "column date: '2019-02-30' is not a valid date"),
        ({"expiry": "2021-09-31"}, "column expiry: '2021-09-31' is not a valid date"),
        (
            {"approvals": [{"agency": "FDA", "date": "2019-02-29"}]},
            "column approvals: '2019-02-29' is not a valid date",
        ),
        ({"approvals": [{"date": "2001"}]}, "column approvals: an approval names no agency"),
        ({"approvals": [{"agency": "FDA", "date": "then"}]}, "column approvals: 'then' is not a valid date"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_line_and_column(change: dict[str, object], message: str) -> None:
    good, error, last = jsonl(ROW, {**ROW, **change}, {**ROW, "external_id": "z2"})
    assert isinstance(good, Hit) and isinstance(last, Hit)
    assert isinstance(error, RecordError)
    assert (error.position, message in error.message) == ("line 2", True), error


def test_all_wrong_values_of_a_row_are_named_at_once_each_once() -> None:
    (error,) = csv_of("database,external_id,url,title,year,expiry,doi\npubmed,abc,ftp://x,,19,soon,none\n")
    assert isinstance(error, RecordError)
    parts = error.message.split("; ")
    columns = ("title", "external_id", "url", "doi", "year", "expiry")
    assert [part.split()[1].rstrip(":") for part in parts] == list(columns)


def test_a_missing_column_of_a_csv_is_reported_once() -> None:
    (error,) = csv_of("database,external_id,title\nweb,1,One\nweb,2,Two\n")
    assert str(error) == "line 1: the header has no column url"


def test_unknown_columns_are_ignored_and_reported_to_the_caller() -> None:
    text = "database,external_id,url,title,abstract,mood,\n" + "web,z1,https://example.org/1,Zorvimab study,x,y,\n"
    lines = "".join(json.dumps({**ROW, name: "x"}) + "\n" for name in ("abstract", "mood"))
    for read, content, count in ((read_csv, text, 1), (read_jsonl, lines, 2)):
        ignored: set[str] = set()
        assert list(read(io.BytesIO(content.encode()), ignored)) == [only(jsonl(ROW))] * count
        assert ignored == {"abstract", "mood"}


def test_sections_are_a_column_of_json_only() -> None:
    ignored: set[str] = set()
    text = as_csv({**ROW, "sections": "RESULTS", "text": "It worked."})
    (hit,) = read_csv(io.BytesIO(text.encode()), ignored)
    assert isinstance(hit, Hit)
    assert (hit.text, ignored) == ("It worked.", {"sections"})


def test_names_of_ignored_columns_take_no_more_than_so_much_memory() -> None:
    ignored: set[str] = set()
    list(read_jsonl(io.BytesIO(json.dumps({**ROW, **{f"{n}-{'x' * 500}": n for n in range(500)}}).encode()), ignored))
    assert (len(ignored), {len(name) for name in ignored}) == (MAX_IGNORED, {40})


def test_lines_of_a_csv_that_are_none_are_named_and_the_rest_goes_on() -> None:
    header = "database,external_id,url,title\n"
    row = "web,{},https://example.org/{},One\n"
    text = header.encode() + row.format(1, 1).encode() + b"web,2,https://example.org/2,\xff\xfe\n"
    text += b"web,3,https://example.org/3,One,two,three\n" + b"web\n" + row.format(4, 4).encode()
    items = csv_of(text)
    assert [item.external_id for item in items if isinstance(item, Hit)] == ["1", "4"]
    assert [str(item) for item in items if isinstance(item, RecordError)] == [
        "line 3: the line is not UTF-8 text",
        "line 4: 6 fields under 4 columns",
        "line 5: column external_id is missing or empty; column url is missing or empty; column title is missing or "
        "empty",
    ]


HEADER = "database,external_id,url,title\n"
GOOD = "web,{0},https://example.org/{0},Title {0}\n"


def ids_of(items: list[Hit | RecordError]) -> list[str]:
    return [item.external_id if isinstance(item, Hit) else item.position for item in items]


@pytest.mark.parametrize(
    ("bad", "after"),
    [
        ('web,x,https://example.org/x,"never closed\n', ""),
        ('web,x,https://example.org/x,"never closed\n', 'web,10,https://example.org/10,"A title, quoted"\n'),
        ('web,x,https://example.org/x,"never closed\n', 'web,10,https://example.org/10,"Two\nlines"\n'),
        ('web,x,https://example.org/x,"5" tall\n', ""),
        # The quote is closed by another line's inch mark, as if eight records stood in one title.
        ('web,x,https://example.org/x,"never closed\n', 'web,10,https://example.org/10,Screen of 10"\n'),
    ],
)
def test_a_quote_that_is_left_open_costs_its_own_line_and_not_the_next_ones(bad: str, after: str) -> None:
    body = HEADER + GOOD.format(1) + bad + "".join(map(GOOD.format, range(2, 10))) + after
    expected = ["1", "line 3", *map(str, range(2, 10)), *(["10"] if after else [])]
    assert ids_of(csv_of(body)) == expected


def test_a_broken_line_in_a_row_of_several_is_counted_with_each_line_of_it() -> None:
    body = HEADER.encode() + b'web,1,https://example.org/1,"One\n\xff\xfe\nthree"\n' + GOOD.format(2).encode()
    assert ids_of(csv_of(body)) == ["line 2", "line 3", "line 4", "2"]


def test_the_position_of_a_row_of_several_lines_is_all_of_them() -> None:
    assert ids_of(csv_of(HEADER + 'web,,https://example.org/1,"One\ntwo"\n' + GOOD.format(2))) == [
        "lines 2-3",
        "2",
    ]


_LINES = {
    "good": GOOD.format,
    "quoted": 'web,{0},https://example.org/{0},"A title, ""{0}"""\n'.format,
    "several lines": 'web,{0},https://example.org/{0},"A\n\n {0}, b"\n'.format,
    "open quote": 'web,{0},https://example.org/{0},"A title\n'.format,
    "inch": 'web,{0},https://example.org/{0},5"\n'.format,
    "no url": "web,{0},,T\n".format,
    "too many": "web,{0},https://example.org/{0},T,5,6\n".format,
    "blank": lambda number: "\n",
    "latin-1": "web,{0},https://example.org/{0},\udcff\n".format,
    "bare quotes": lambda number: '"a","b"\n',
    "closing and opening": lambda number: 'b","b\n',
}


@given(st.lists(st.sampled_from(sorted(_LINES)), max_size=30))
def test_each_line_of_a_table_is_part_of_one_row_or_one_error(kinds: list[str]) -> None:
    text = HEADER + "".join(_LINES[kind](number) for number, kind in enumerate(kinds))
    body = text.encode("utf-8", errors="surrogateescape")
    covered: list[int] = []
    for item in csv_rows.CsvRows(io.BytesIO(body)):
        first, _, last = item.position.removeprefix("lines ").removeprefix("line ").partition("-")
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(1, text.count("\n") + 1))
    found = {item.external_id for item in csv_of(body) if isinstance(item, Hit)}
    assert found >= {str(number) for number, kind in enumerate(kinds) if kind == "good"}


def test_lines_under_a_header_that_cannot_be_used_are_counted() -> None:
    (error,) = csv_of("database,external_id,title\nweb,1,One\n\nweb,2,Two\n")
    assert isinstance(error, RecordError) and error.records == 2


@pytest.mark.parametrize(
    ("first", "errors"),
    [
        ('{"database": "web", "external_id": "1"\n', ["line 1"]),
        ("\n", []),
        ("{broken\n{broken\n", ["line 1", "line 2"]),
        ('{"database":"pubmed",\n', ["line 1"]),
        ('{"database":"pubmed","authors":["A",\n', ["line 1"]),
        ('{"database":"pubmed","title":\n', ["line 1"]),
        ("{\n", ["line 1"]),
    ],
)
def test_a_broken_first_line_of_json_lines_costs_itself(first: str, errors: list[str]) -> None:
    lines = "".join(json.dumps({**ROW, "external_id": str(n)}) + "\n" for n in range(2, 5))
    assert ids_of(list(read_jsonl(io.BytesIO((first + lines).encode())))) == [*errors, "2", "3", "4"]


@pytest.mark.parametrize("ends", ["\n]}\n", "]}", "\n\n]}", "\n ] }"])
@pytest.mark.parametrize("begins", ['{"records": [\n', '{"source": "x",\n"records":[\n'])
def test_an_array_of_one_record_a_line_is_no_json_lines(begins: str, ends: str) -> None:
    one, two = json.dumps(ROW), json.dumps({**ROW, "external_id": "z2"})
    for records, found in ((one, ["z1"]), (f"{one},\n{two}", ["z1", "z2"]), (f"{one}\n,{two}", ["z1", "z2"])):
        assert ids_of(list(read_jsonl(io.BytesIO((begins + records + ends).encode())))) == found


def test_a_table_whose_lines_end_with_carriage_returns_is_read() -> None:
    text = as_csv(ROW) + as_csv({**ROW, "external_id": "z2"}).partition("\n")[2]
    assert ids_of(csv_of(text.replace("\n", "\r"))) == ids_of(csv_of(text.replace("\n", "\r\n"))) == ["z1", "z2"]
    assert ids_of(csv_of("\ufeff" + text.replace("\n", "\r") + "web,x\r")) == ["z1", "z2", "line 4"]


def test_a_title_before_the_header_is_one_error_that_says_what_the_first_line_must_be() -> None:
    (error,) = csv_of("Our trials of 2024\n" + as_csv(ROW))
    assert isinstance(error, RecordError)
    assert str(error) == (
        "line 1: not a header: the first line must name the columns, database, external_id, url, title among them; "
        "remove what precedes it"
    )


def test_a_line_without_end_is_an_error_and_not_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MAX_LINE", 1000)
    monkeypatch.setattr(json_records, "MAX_RECORD", 1000)
    row = "web,{},https://example.org/{},One\n"
    text = "database,external_id,url,title\n" + row.format(1, 1) + "x" * 50_000 + "\n" + row.format(2, 2)
    first, error, last = csv_of(text)
    assert isinstance(first, Hit) and isinstance(last, Hit)
    assert str(error) == "line 3: the line is longer than 1,000 bytes"
    first, error, last = jsonl(ROW, {**ROW, "text": "x" * 50_000}, {**ROW, "external_id": "z2"})
    assert isinstance(first, Hit) and isinstance(last, Hit)
    assert str(error) == "line 2: the line is longer than 1,000 bytes"


def test_a_record_of_an_array_without_end_is_an_error_and_not_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_records, "MAX_RECORD", 100_000)
    array = json.dumps([ROW, {**ROW, "text": "x" * 1_000_000}], indent=1)
    first, error = read_jsonl(io.BytesIO(array.encode()))
    assert isinstance(first, Hit)
    assert str(error) == "record 2: a record is longer than 100,000 bytes"


@pytest.mark.slow
def test_a_field_of_a_csv_may_be_as_long_as_one_of_json_lines() -> None:
    record = {**ROW, "text": "One sentence. " * 70_000}
    assert only(csv_of(as_csv(record))) == only(jsonl(record))
    assert len(only(csv_of(as_csv(record))).text) > 900_000
    assert csv_rows.MAX_LINE == json_records.MAX_RECORD


@pytest.mark.slow
def test_an_open_quote_ends_at_the_limit_of_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MAX_LINE", 100_000)
    header = "database,external_id,url,title\n"
    items = csv_of(header + 'web,1,https://example.org/1,"open\n' + "x" * 70 + "\n" * 140_000 + "web,2,u,t\n")
    assert any(isinstance(item, RecordError) and "the row is longer than 100,000" in item.message for item in items)


def test_rows_with_faults_of_their_own_show_that_a_quote_was_left_open() -> None:
    rows = [
        'pubmed,2,https://x.org/2,"open',
        "foo,bar",
        "pubmed,zz,https://x.org/3,T",
        'pubmed,4,notaurl,t4"',
        GOOD.format(5),
    ]
    items = list(read_csv(io.BytesIO((HEADER + "\n".join(rows)).encode())))
    assert [item.position for item in items if isinstance(item, RecordError)] == [f"line {n}" for n in (2, 3, 4, 5)]
    assert [item.external_id for item in items if isinstance(item, Hit)] == ["5"]


@pytest.mark.parametrize("title", ["WITHDRAWN: Foobarib cures all", "RETRACTED: Foobarib cures all"])
def test_a_title_that_says_so_marks_a_row_as_retracted(title: str) -> None:
    (hit,) = read_csv(io.BytesIO(f"{HEADER}web,1,https://example.org/1,{title}".encode()))
    assert isinstance(hit, Hit) and hit.retraction is Retraction.RETRACTED
