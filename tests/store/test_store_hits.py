import base64
import json
import zlib

import pytest

from storm.models import Cell, Contributor, Hit, Publication, Section, SectionKind, TableRow
from storm.store import hits as hits_module
from storm.store.hits import find_work_key, find_work_records, pack_hits, unpack_records


def _stored(hit: Hit) -> str:
    ((about, fields),) = pack_hits([hit])
    return f"{about}\t{fields}"


def _hit(*sections: Section) -> Hit:
    return Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Title", pmid="1", sections=sections)


def test_sections_come_back_with_their_kind_and_place() -> None:
    hit = _hit(
        Section(label="RESULTS", text="HbA1c fell.", kind=SectionKind.ABSTRACT),
        Section(label="Results", text="HbA1c: -1.2 %", kind=SectionKind.TABLE, place="Table 2"),
        Section(label="Discussion", text="Few died.", kind=SectionKind.DISCUSSION, cited=(8,)),
        Section.of_rows((TableRow(heading="Pain", cells=(Cell(column="A", text="5", unit="mm"),)),), "", "Table 3"),
    )

    assert unpack_records(_stored(hit)) == [hit]


def test_sections_that_were_stored_without_a_kind_have_that_of_their_heading() -> None:
    about, _, fields = _stored(_hit()).partition("\t")
    before = base64.b64encode(zlib.compress(json.dumps([["Results: Survival", "Few died."]]).encode())).decode()
    stored = f"{about}\t{json.dumps({**json.loads(fields), 'sections': before})}"

    (read,) = unpack_records(stored)

    assert read.sections == (Section(label="Results: Survival", text="Few died.", kind=SectionKind.RESULTS),)


def test_a_text_that_several_searches_return_is_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compressed: list[bytes] = []
    compress = zlib.compress
    monkeypatch.setattr(hits_module, "_packed_texts", {})
    monkeypatch.setattr(zlib, "compress", lambda text: compressed.append(text) or compress(text))  # type: ignore[func-returns-value]
    first, again, other = (_hit(Section(text=text)) for text in ("HbA1c fell.", "HbA1c fell.", "HbA1c rose."))

    read = [unpack_records(_stored(hit)) for hit in (first, again, other, first)]
    assert read == [[first], [again], [other], [first]]
    assert len(compressed) == 2


def test_few_packed_texts_are_remembered_and_no_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered: dict[bytes, str] = {}
    monkeypatch.setattr(hits_module, "_packed_texts", remembered)
    monkeypatch.setattr(hits_module, "_MAX_PACKED_TEXTS", 2)
    pack_hits([_hit(Section(text=text)) for text in ("A.", "B.", "A.", "C.", "D" * hits_module._MAX_PACKED_BYTES)])
    assert len(remembered) == 2
    assert unpack_records(_stored(_hit(Section(text="A.")))) == [_hit(Section(text="A."))]


def test_a_publication_comes_back_and_a_record_that_states_none_is_stored_as_before() -> None:
    publication = Publication(volume="344", authors=(Contributor(family="Slamon", initials="DJ"),))
    hit = _hit().model_copy(update={"publication": publication})

    assert unpack_records(_stored(hit)) == [hit]
    assert "publication" not in _stored(_hit())


def _named(number: int, *identifiers: str) -> Hit:
    return Hit(
        database="pubmed", external_id=str(number), url=f"https://example.org/{number}", title=f"Work {number}",
        identifiers=identifiers,
    )  # fmt: skip


def test_a_pmid_is_that_of_its_own_work_though_a_record_of_another_names_it_too() -> None:
    first, second = _named(1, "pmid:1", "pmid:2"), _named(2, "pmid:2", "doi:10.1000/b")
    for records in ([first, second], [second, first]):
        assert find_work_records(records, "pmid:2") == [second]
        assert find_work_records(records, "pmid:1") == [first]
        headers = "\n".join(json.dumps({"identifiers": record.identifiers}) for record in records)
        assert [find_work_key(headers, f"pmid:{n}") for n in (1, 2, 3)] == ["pmid:1", "pmid:2", "pmid:3"]
    assert find_work_records([first], "pmid:2") == [first]
    assert find_work_records([first, second], "pmid:3") == ()
