"""BibTeX, RIS and CSL-JSON as other people's readers find them."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import bibtexparser
import citeproc
import pybtex.database
import pytest
import rispy
from bibliographies import (
    CSL,
    CSL_DATE,
    CSL_NAMES,
    HOSTILE,
    WRITERS,
    Found,
    hostile,
    read_bibtex,
    read_csl,
    read_ris,
    reference,
    same,
    written,
)
from citeproc.source.json import CiteProcJSON
from dossiers import dossier
from hypothesis import given
from hypothesis import strategies as st

from storm.errors import StormError
from storm.export import FORMATS, write_report
from storm.export.bibtex import to_bibtex
from storm.export.citation_keys import make_citation_keys
from storm.export.csl_json import to_csl
from storm.export.ris import to_ris
from storm.models import (
    Answer,
    Contributor,
    Dossier,
    LabelDetails,
    Pages,
    PatentDetails,
    Publication,
    Retraction,
    Statement,
    TrialDetails,
)

TOGA = reference(
    title="Trastuzumab in combination with chemotherapy.",
    date="2010-08-28",
    identifiers=("pmid:20728210", "pmcid:PMC1", "doi:10.1016/s0140-6736(10)61121-x"),
    retrieved="2026-11-22",
    publication=Publication(
        authors=(
            Contributor(family="Bang", given="Yung-Jue", initials="YJ"),
            Contributor(family="Van Cutsem", initials="E", suffix="Jr"),
            Contributor(collective="ToGA and Other Investigators"),
        ),
        authors_complete=False,
        journal="Lancet (London, England)",
        journal_abbreviation="Lancet",
        volume="376",
        issue="9742",
        pages=Pages(first="687", last="697"),
        issn="0140-6736",
        language="eng",
    ),
)
PATENT = reference(
    2, source_type="patents", external_id="US5821337", identifiers=("patent:US5821337",), country="US",
    publication=Publication(
        patent=PatentDetails(
            number="5821337", country="US", kind="A", applicants=("Genentech, Inc.",),
            inventors=(Contributor(family="Carter", initials="PJ"),), filing_date="1992-08-21",
            publication_date="1998-10-13", application_number="US93446192", priority_numbers=("US71598991",),
        )
    ),
)  # fmt: skip
#: A reference of each kind: an article, a preprint, a trial, a patent, a label, a molecule and a page.
KINDS = (
    TOGA,
    reference(3, source_type="crossref", publication_types=("Preprint",), container="medRxiv", date="2022-09"),
    reference(4, source_type="clinicaltrials", external_id="NCT00287391", identifiers=("registry:NCT00287391",)),
    PATENT,
    reference(5, source_type="openfda", external_id="BLA103792", agency="FDA", authors=()),
    reference(6, source_type="chembl", external_id="CHEMBL1201585", authors=(), year=None),
    reference(7, source_type="web", container="example.org", identifiers=("url:https://example.org/7",)),
)
OLD_READER = os.environ.get("STORM_BIBTEXPARSER_1", "")
by_writer = pytest.mark.parametrize("name", WRITERS)
texts = st.text(st.characters(categories=("L", "M", "N", "P", "S", "Z", "C")), max_size=80)
markup = st.lists(st.sampled_from([*"\\{}$&%#_^~@,=\"'`-|<>[]\n ", "and", "AU  - ", "a", "é", "王"]), max_size=12).map(
    "".join
)


@by_writer
def test_hostile_texts_are_found_again_and_damage_no_other_entry(name: str) -> None:
    write, read = WRITERS[name]
    found = read(write(written(*(hostile(n, text) for n, text in enumerate(HOSTILE, 1)))))
    assert [entry.title for entry in found] == list(map(same, HOSTILE))
    for text, entry in zip(map(same, HOSTILE), found, strict=True):
        assert not text or shown(name, text) in entry.authors


def shown(name: str, group: str) -> str:
    """In RIS a group's name has no comma, which would part it into a person's."""
    return " ".join(group.replace(",", " ").split()) if name == "ris" else group


@by_writer
@given(text=texts | markup)
def test_any_text_is_read_again_as_it_was_written(name: str, text: str) -> None:
    write, read = WRITERS[name]
    marked = f"T {text} T"
    first, second = read(write(written(hostile(1, marked), reference(2))))
    assert first.title == same(marked)
    assert shown(name, same(marked)) in first.authors
    assert second == Found("Paper 2", ("Doe, J.",))


@by_writer
def test_a_bibliography_without_an_entry_is_read_as_an_empty_one(name: str) -> None:
    write, read = WRITERS[name]
    assert read(write(())) == []


@pytest.mark.slow
@by_writer
def test_a_thousand_entries_and_four_hundred_authors_are_all_there(name: str) -> None:
    write, read = WRITERS[name]
    many = tuple(f"Doe{'abcdefghij'[n % 10]} J" for n in range(400))
    found = read(write(written(*(reference(n, authors=many if n == 7 else ("Doe J",)) for n in range(1, 1_001)))))
    assert [entry.title for entry in found] == [f"Paper {n}" for n in range(1, 1_001)]
    assert [len(entry.authors) for entry in found[5:8]] == [1, 400, 1]


def test_bibtex_says_of_an_article_what_its_record_states() -> None:
    (entry,) = bibtexparser.parse_string(to_bibtex(written(TOGA))).entries
    assert (entry.entry_type, entry.key) == ("article", "bang2010trastuzumab")
    assert {field.key: field.value for field in entry.fields} == {
        "author": "Bang, Yung-Jue and Van Cutsem, Jr, E. and {ToGA and Other Investigators} and others",
        "title": "Trastuzumab in combination with chemotherapy", "journal": "Lancet (London, England)",
        "shortjournal": "Lancet", "volume": "376", "number": "9742", "pages": "687--697", "issn": "0140-6736",
        "language": "eng", "pmid": "20728210", "pmcid": "PMC1", "year": "2010", "month": "aug",
        "doi": "10.1016/s0140-6736(10)61121-x", "url": "https://example.org/1", "urldate": "2026-11-22",
    }  # fmt: skip


def test_bibtex_has_names_that_pybtex_takes_apart_as_they_were() -> None:
    (entry,) = pybtex.database.parse_string(to_bibtex(written(TOGA)), "bibtex").entries.values()
    first, second, group, _others = entry.persons["author"]
    assert (first.last_names, first.first_names) == (["Bang"], ["Yung-Jue"])
    assert (second.last_names, second.first_names, second.lineage_names) == (["Van", "Cutsem"], ["E."], ["Jr"])
    assert group.last_names == ["{ToGA and Other Investigators}"]


def test_bibtex_has_only_types_that_old_readers_keep() -> None:
    entries = bibtexparser.parse_string(to_bibtex(written(*KINDS))).entries
    assert [entry.entry_type for entry in entries] == [
        "article", "misc", "misc", "misc", "techreport", "misc", "misc",
    ]  # fmt: skip
    patent, page = entries[3].fields_dict, entries[6].fields_dict
    assert (patent["type"].value, patent["number"].value) == ("Patent", "US5821337A")
    assert page["howpublished"].value == r"\url{https://example.org/7}"


@pytest.mark.skipif(
    not OLD_READER,
    reason="bibtexparser 1 cannot share an environment with 2: STORM_BIBTEXPARSER_1 is the Python of one that has it",
)
def test_the_reader_that_drops_types_it_does_not_know_keeps_every_entry(tmp_path: Path) -> None:
    path = tmp_path / "many.bib"
    references = (*KINDS, *(hostile(n, text) for n, text in enumerate(HOSTILE, 10)))
    path.write_text(to_bibtex(written(*references)), encoding="utf-8")
    program = "import bibtexparser, sys; print(len(bibtexparser.load(open(sys.argv[1], encoding='utf-8')).entries))"
    done = subprocess.run([OLD_READER, "-c", program, path], check=True, capture_output=True, text=True)
    assert int(done.stdout) == len(references)


def test_no_text_of_a_record_is_a_command_of_latex() -> None:
    for text in (r"\input{/etc/passwd}", r"\write18{id}", r"a \ b"):
        assert r"\input" not in to_bibtex(written(hostile(1, text)))
        assert r"\write" not in to_bibtex(written(hostile(1, text)))
    assert to_bibtex(written(reference(url=r"https://x.org/}\input{y}")))[-60:].count(r"\input") == 0


def test_ris_has_types_that_zotero_knows_and_a_tag_for_each_field() -> None:
    records = rispy.loads(to_ris(written(*KINDS)))
    assert [record["type_of_reference"] for record in records] == [
        "JOUR", "JOUR", "DATA", "PAT", "RPRT", "DATA", "ELEC",
    ]  # fmt: skip
    article = records[0]
    assert (article["volume"], article["number"], article["start_page"], article["end_page"]) == (
        "376", "9742", "687", "697",
    )  # fmt: skip
    assert article["authors"] == ["Bang, Yung-Jue", "Van Cutsem, E., Jr", "ToGA and Other Investigators"]
    assert (article["year"], article["date"], article["access_date"]) == ("2010", "2010/08/28/", "2026/11/22/")
    assert article["notes"] == ["PMID: 20728210; PMCID: PMC1", "The record names only some of the authors"]


def test_ris_says_of_a_patent_who_owns_it_and_where() -> None:
    lines = to_ris(written(PATENT)).splitlines()
    for line in (
        "PB  - Genentech, Inc.", "SN  - US5821337A", "M1  - US93446192", "C1  - 1992/08/21", "C3  - US",
        "A2  - United States Patent and Trademark Office", "OP  - US71598991", "DA  - 1998/10/13/",
        "AU  - Carter, P. J.",
    ):  # fmt: skip
        assert line in lines


def test_csl_json_has_the_types_and_fields_of_csl() -> None:
    items: list[dict[str, Any]] = json.loads(to_csl(written(*KINDS)))
    assert [item["type"] for item in items] == [
        "article-journal", "article", "dataset", "patent", "report", "dataset", "webpage",
    ]  # fmt: skip
    article = items[0]
    assert article["author"][1:] == [
        {"family": "Van Cutsem", "given": "E.", "suffix": "Jr"}, {"literal": "ToGA and Other Investigators"},
    ]  # fmt: skip
    assert (article["issued"], article["page"]) == ({"date-parts": [[2010, 8, 28]]}, "687-697")
    assert read_csl(to_csl(written(*KINDS)))[0].title == "Trastuzumab in combination with chemotherapy"


def test_each_type_and_field_that_is_written_is_one_of_the_schema_of_csl() -> None:
    """The schema of citationstyles.org, as citeproc-py carries it; its dates and names are the kinds of our form."""
    folder = files("citeproc") / "data/schema/schemas/styles"
    types, variables = (
        dict(re.findall(r"^  ([\w.-]+) =\n(.*?)(?=\n  \n|\n}|\Z)", (folder / name).read_text(), re.M | re.S))
        for name in ("csl-types.rnc", "csl-variables.rnc")
    )
    known = {name: set(re.findall(r'"([\w-]+)"', text)) for name, text in (types | variables).items()}
    fields = CSL["items"]["properties"]  # type: ignore[index]
    assert set(fields["type"]["enum"]) <= known["item-types"]
    kinds = {"variables.names": CSL_NAMES, "variables.dates": CSL_DATE}
    texts = {"id", "type"}.union(*(known[f"variables.{kind}"] for kind in ("strings", "numbers", "titles")))
    assert {name for name, form in fields.items() if form not in kinds.values()} <= texts
    for kind, own in kinds.items():
        assert {name for name, form in fields.items() if form == own} <= known[kind]


def test_a_citation_processor_prints_each_kind_of_work() -> None:
    items = json.loads(to_csl(written(*KINDS)))
    style = citeproc.CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = citeproc.CitationStylesBibliography(style, CiteProcJSON(items), citeproc.formatter.plain)
    for item in items:
        bibliography.register(citeproc.Citation([citeproc.CitationItem(item["id"])]))
    bibliography.sort()
    printed = list(map(str, bibliography.bibliography()))
    assert len(printed) == len(KINDS)
    (toga,) = (line for line in printed if "Bang" in line)
    assert "Lancet (London, England), 376(9742), pp. 687–697" in toga


def test_what_is_retracted_says_so_in_each_format() -> None:
    retracted = written(reference(retraction=Retraction.RETRACTED))
    assert all("RETRACTED" in write(retracted) for write, _ in WRITERS.values())


@pytest.mark.parametrize(
    ("title", "written_title"),
    [
        ("Use of HER2 blockade in ToGA", "Use of {HER2} blockade in {ToGA}"),
        ("mTOR and Herceptin", "{mTOR} and {Herceptin}"),
        ("A plain title", "A plain title"),
    ],
)
def test_a_title_is_in_braces_once_and_so_are_the_words_whose_capitals_stay(title: str, written_title: str) -> None:
    assert f"  title = {{{written_title}}},\n" in to_bibtex(written(reference(title=title)))


def test_an_entry_of_a_dossier_is_found_by_its_number_and_source_id() -> None:
    bib = to_bibtex(written(TOGA, PATENT.model_copy(update={"n": 26, "source_id": "src_070"})))
    assert "% [26] src_070\n@misc{carter1998paper," in bib
    ris = to_ris(written(PATENT.model_copy(update={"n": 26, "source_id": "src_070"}))).splitlines()
    assert "ID  - src_070" in ris and "LB  - 26" in ris
    (item,) = json.loads(to_csl(written(PATENT.model_copy(update={"n": 26}))))
    assert (item["id"], item["citation-number"]) == ("carter1998paper", "26")


def test_what_has_no_field_of_its_own_is_in_the_note() -> None:
    trial = Publication(trial=TrialDetails(sponsor="Hoffmann-La Roche", last_update="2024-05-01"))
    label = Publication(label=LabelDetails(labeler="Genentech, Inc.", version="12"))
    study, insert = {"source_type": "clinicaltrials"}, {"source_type": "dailymed"}
    noted = written(reference(publication=trial, **study), reference(publication=label, **insert), PATENT)
    notes = [
        "Sponsor: Hoffmann-La Roche; Last update: 2024-05-01", "Version 12", "Application US93446192; Filed 1992-08-21",
    ]  # fmt: skip
    assert [f"note = {{{note}}}" in to_bibtex(noted) for note in notes] == [True, True, True]
    assert [item["note"] for item in json.loads(to_csl(noted))] == notes
    assert [record.get("notes") for record in rispy.loads(to_ris(noted))][:2] == [
        ["PMID: 1", notes[0]], ["PMID: 1", notes[1]],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (("Thesis/Dissertation",), ("phdthesis", "THES", "thesis")),
        (("Conference paper",), ("inproceedings", "CPAPER", "paper-conference")),
        (("Conference proceeding",), ("inproceedings", "CPAPER", "paper-conference")),
        (("Report",), ("techreport", "RPRT", "report")),
    ],
)
def test_a_work_of_a_reference_list_keeps_its_type(types: tuple[str, ...], expected: tuple[str, str, str]) -> None:
    own = Publication(publisher="A University")
    work = written(reference(source_type="ris", publication_types=types, container="A Meeting", publication=own))
    (bib,) = bibtexparser.parse_string(to_bibtex(work)).entries
    (ris,), (csl,) = rispy.loads(to_ris(work)), json.loads(to_csl(work))
    assert (bib.entry_type, ris["type_of_reference"], csl["type"]) == expected
    assert len(read_csl(to_csl(work))) == 1


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"source_type": "clinicaltrials", "external_id": "NCT01772472"}, "nct01772472"),
        ({"source_type": "chembl", "external_id": "CHEMBL1201585"}, "chembl1201585"),
        ({"source_type": "patents", "external_id": "US5821337", "identifiers": ("patent:US5821337",)}, "us5821337"),
        ({"source_type": "openfda", "external_id": "BLA103792", "agency": "FDA", "year": 2023}, "fda2023herceptin"),
        ({"source_type": "web", "container": "European Medicines Agency"}, "ema2001herceptin"),
        ({"source_type": "web", "container": "www.oncoprescribe.com"}, "oncoprescribe2001herceptin"),
        ({"source_type": "pubmed", "container": "Lancet"}, "lancet2001herceptin"),
    ],
)
def test_a_key_without_an_author_names_the_institution_or_is_the_number(fields: dict[str, Any], key: str) -> None:
    values = {"title": "Herceptin", "authors": ()} | fields
    assert make_citation_keys(written(reference(**values))) == (key,)


def test_keys_are_ascii_unique_and_the_same_again() -> None:
    names = ["Slamon DJ", "Slamon DJ", "SLAMON dj", "Ærø K", "王伟", "", "1st Group of All"]
    entries = written(
        *(
            reference(n, authors=(name,) if name else (), title="Use of HER2 blockade")
            for n, name in enumerate(names, 1)
        )
    )
    keys = make_citation_keys(entries)
    assert keys[:2] == ("slamon2001her2", "slamon2001her2a")
    assert len(set(keys)) == len(keys) and all(key.isascii() and key[0].isalpha() for key in keys)
    assert make_citation_keys(entries) == keys
    assert len(set(make_citation_keys(written(*(reference(n, title="Same") for n in range(1_000)))))) == 1_000


def _cited(*records: object) -> Dossier:
    """A dossier whose one answer cites all the records."""
    ids = tuple(getattr(record, "source_id", "") for record in records)
    said = (Statement(text="It harms.", quote="It harms.", source_ids=ids),) if ids else ()
    return dossier(answers=(Answer(question="harm.x", statements=said),), references=records)


@pytest.mark.parametrize("name", ["md", "json", "bib", "ris", "csl"])
def test_a_job_that_was_stored_before_there_were_publications_is_exported(name: str, tmp_path: Path) -> None:
    stored = dossier().model_dump(mode="json")
    for described in stored["references"]:
        del described["publication"]
    (path,) = write_report(Dossier.model_validate(stored), tmp_path, [name])
    assert "Paper 1" in path.read_text(encoding="utf-8")


def test_a_dossier_without_references_has_empty_bibliographies(tmp_path: Path) -> None:
    paths = write_report(_cited(), tmp_path, ["bib", "ris", "csl"])
    bib, ris, csl = (path.read_text(encoding="utf-8") for path in paths)
    assert (read_bibtex(bib), read_ris(ris), read_csl(csl)) == ([], [], [])


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_job_gives_the_same_bytes_twice(name: str, tmp_path: Path) -> None:
    records = [record.model_copy(update={"n": n}) for n, record in enumerate(KINDS, 1)]
    first, second = (write_report(_cited(*records), tmp_path / part, [name]) for part in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.parametrize("name", FORMATS)
def test_a_disk_that_fills_while_a_file_is_written_leaves_the_old_one_whole(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = write_report(_cited(TOGA), tmp_path, [name])
    before = [path.read_bytes() for path in paths]

    def fill_up(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill_up)
    with pytest.raises(StormError, match="No space left on device"):
        write_report(_cited(PATENT.model_copy(update={"n": 1})), tmp_path, [name])
    assert [path.read_bytes() for path in paths] == before
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_a_dossier_without_references_has_a_bibliography_that_says_so() -> None:
    assert to_bibtex([]) == "% No source is cited, so this file has no entry.\n"
    assert not pybtex.database.parse_string(to_bibtex([]), "bibtex").entries
