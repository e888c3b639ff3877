"""Every recorded body of the public services has a reader here that takes it, or refuses it with an error of ours.

The literature's folders are read in test_literature_payloads.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bodies
import pytest
from mutations import check
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers

from storm.databases.formats.chembl import MoleculeTables, read_molecule
from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.crossref import read_works, work_hit
from storm.databases.formats.epo_ops import read_epo_ops
from storm.databases.formats.fields import as_list, as_mapping
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.openfda import read_openfda
from storm.databases.formats.openfda_counts import count_hit
from storm.databases.formats.orangebook import read_orangebook
from storm.databases.formats.recognition import read_file
from storm.databases.formats.spl import read_spl
from storm.databases.formats.uspto_odp import application_hit, read_applications
from storm.databases.pages.reading import read_page
from storm.databases.services.answers import json_object
from storm.databases.services.web_engines.brave import read_brave
from storm.databases.services.web_engines.tavily import read_tavily
from storm.databases.services.web_search import page_hit
from storm.errors import RecordError, StormError
from storm.models import Hit

pytestmark = needs_recorded_answers

Items = Iterator[Hit | RecordError]


def streamed(reader: Callable[[Any], Items]) -> Callable[[Path], Items]:
    def read(path: Path) -> Items:
        with path.open("rb") as stream:
            yield from reader(stream)

    return read


def answer(path: Path) -> Mapping[str, Any]:
    return json_object(path.read_bytes(), path.name)


def mechanism(path: Path) -> Items:
    rows = as_list(answer(path).get("mechanisms"))
    yield read_molecule(bodies.MOLECULE, MoleculeTables(mechanisms=rows))


def crossref(path: Path) -> Items:
    for work in read_works(json.loads(path.read_bytes())):
        yield work_hit(JsonRecord(dict(as_mapping(work)), path.name))


def us_applications(path: Path) -> Items:
    for record in read_applications(answer(path)) or [answer(path)]:
        yield application_hit(JsonRecord(record, path.name))


def counts(path: Path) -> Items:
    yield count_hit(answer(path), "faers:x", "x", "")


def page(path: Path) -> Items:
    text = read_page(path.read_bytes(), "text/html")
    yield Hit.of("web", path.name, "https://example.org/", text.title, text=text.text)


def tavily(path: Path) -> Items:
    for result in read_tavily(answer(path), "Tavily"):
        yield page_hit(result, "Tavily")


def brave(path: Path) -> Items:
    for result in read_brave(answer(path), "Brave"):
        yield page_hit(result, "Brave")


#: Which reader takes which files; the first pattern that fits decides.
READERS: tuple[tuple[str, Callable[[Path], Items]], ...] = (
    ("chembl/mechanism_*.json", mechanism),
    ("clinicaltrials/*.json", streamed(read_studies)),
    ("crossref_openalex_unpaywall/*.json", crossref),
    ("dailymed/*.xml", streamed(read_spl)),
    ("openfda/faers_count_*.json", counts),
    ("openfda/*.json", streamed(read_openfda)),
    ("orangebook/*.txt", streamed(read_orangebook)),
    ("patents/epo_ops_*.xml", streamed(read_epo_ops)),
    ("patents/*odp_*.json", us_applications),
    ("websearch/brave_*.json", brave),
    ("websearch/tavily_*.json", tavily),
    ("*/*.html", page),
    ("*/*", read_file),
)
#: Folders whose files test_literature_payloads.py reads.
LITERATURE = ("pubmed", "pmc", "europepmc")
#: What holds no record for its reader: other services' answers, refusals, lists of bare numbers, pages that are none.
NO_RECORDS = (
    "aact_NCT00023673.json", "paperqa_does_openalex_work_oa*", "paperqa_doi_*", "paperqa_title_*", "rcrossref_*",
    "device_510k_*", "doc_example_*", "faers_event_*", "other/*", "epo_ops_get_[acf]*", "epo_ops_search.xml",
    "odp_pc_all*", "odp_pc_can*", "surechembl_*", "uspto_grant_*", "uspto_odp_get_patent_*", "uspto_odp_search_trial*",
    "*.cassette.yaml", "pmc_proof_of_work_*",
)  # fmt: skip

ALL = sorted(path for path in PAYLOADS.glob("*/*") if path.parent.name not in LITERATURE)


def read(path: Path) -> list[Hit | RecordError]:
    reader = next(reader for pattern, reader in READERS if path.match(pattern))
    try:
        return check(reader(path))
    except StormError as exc:
        return [RecordError(exc.message)]


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_recorded_body_is_read_whole_or_refused(path: Path) -> None:
    found = read(path)
    if any(map(path.match, NO_RECORDS)):
        assert not any(isinstance(item, Hit) for item in found)
    else:
        assert found
        assert all(isinstance(item, Hit) for item in found)


def test_every_folder_has_its_readers() -> None:
    folders = {path.name for path in PAYLOADS.iterdir() if path.is_dir()}
    assert folders - {path.parent.name for path in ALL} == set(LITERATURE)
