import base64
import json
import zlib

from storm.models import Cell, Hit, Section, SectionKind, TableRow
from storm.store.hits import packed, unpack


def _stored(hit: Hit) -> str:
    ((about, fields),) = packed([hit])
    return f"{about}\t{fields}"


def _hit(*sections: Section) -> Hit:
    return Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Title", pmid="1", sections=sections)


def test_sections_come_back_with_their_kind_and_place() -> None:
    hit = _hit(
        Section(label="RESULTS", text="HbA1c fell.", kind=SectionKind.ABSTRACT),
        Section(label="Results", text="HbA1c: -1.2 %", kind=SectionKind.TABLE, place="Table 2"),
        Section.of_rows((TableRow(heading="Pain", cells=(Cell(column="A", text="5", unit="mm"),)),), "", "Table 3"),
    )

    assert unpack(_stored(hit)) == [hit]


def test_sections_that_were_stored_without_a_kind_have_that_of_their_heading() -> None:
    about, _, fields = _stored(_hit()).partition("\t")
    before = base64.b64encode(zlib.compress(json.dumps([["Results: Survival", "Few died."]]).encode())).decode()
    stored = f"{about}\t{json.dumps({**json.loads(fields), 'sections': before})}"

    (read,) = unpack(stored)

    assert read.sections == (Section(label="Results: Survival", text="Few died.", kind=SectionKind.RESULTS),)
