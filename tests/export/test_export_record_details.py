"""What a bibliography has of recorded patents, trials and labels."""

from __future__ import annotations

import io
import json
from typing import Any

from bibliographies import reference, written
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.epo_ops import read_epo_ops
from storm.databases.formats.spl import read_spl
from storm.export.bibtex import to_bibtex
from storm.export.csl_json import to_csl
from storm.export.ris import to_ris
from storm.models import Hit
from storm.reports.entries import Entry

pytestmark = needs_recorded_answers

FILES = {
    "patents/epo_ops_get_biblio.xml": read_epo_ops, "clinicaltrials/aact_NCT03418623.json": read_studies,
    "dailymed/spl_cough.xml": read_spl,
}  # fmt: skip


def _entries() -> tuple[Entry, ...]:
    hits = [hit for file, read in FILES.items() for hit in read(io.BytesIO((ANSWERS / file).read_bytes()))]
    return written(*(_reference(n, hit) for n, hit in enumerate(hits, 1) if isinstance(hit, Hit)))


def _reference(n: int, hit: Hit) -> Any:
    same = ("external_id", "title", "url", "identifiers", "authors", "year", "date", "container", "publication")
    return reference(
        n, source_type=hit.database, country=hit.facts.country, **{name: getattr(hit, name) for name in same}
    )


def test_ris_has_what_the_records_state() -> None:
    patent, trial, label = to_ris(_entries()).split("ER  - ")[:3]
    for line in (
        "TY  - PAT", "AU  - KYLMAENEN, JARI", "DA  - 2011/12/28/", "PB  - 9SOLUTIONS OY", "SN  - EP2400812A1",
        "C3  - EP", "M1  - EP20100167109", "C1  - 2010/06/24", "OP  - EP20100167109",
    ):  # fmt: skip
        assert line in patent.splitlines()
    for line in ("TY  - DATA", "DA  - 2018/02/01/", "PB  - ClinicalTrials.gov", "NV  - NCT03418623"):
        assert line in trial.splitlines()
    set_id = "00f66f25-3469-4c16-9baf-fba21e9628bd"
    for line in ("TY  - RPRT", "DA  - 2011/04/26/", "PB  - Novartis Consumer Health, Inc.", f"SN  - {set_id}"):
        assert line in label.splitlines()


def test_bibtex_and_csl_name_inventors_in_parts_and_who_is_responsible() -> None:
    patent, trial, label = to_bibtex(_entries()).split("\n\n")
    assert "author = {HERRALA, SAMI and KYLMAENEN, JARI and NIEMI, JAAKKO}" in patent
    assert "number = {EP2400812A1}" in patent
    assert "publisher = {ClinicalTrials.gov}" in trial
    assert "institution = {Novartis Consumer Health, Inc.}" in label
    items = json.loads(to_csl(_entries()))
    assert items[0]["author"][1] == {"family": "KYLMAENEN", "given": "JARI"}
    assert [item["issued"]["date-parts"] for item in items] == [[[2011, 12, 28]], [[2018, 2, 1]], [[2011, 4, 26]]]
    assert [item["number"] for item in items] == [
        "EP2400812A1", "NCT03418623", "00f66f25-3469-4c16-9baf-fba21e9628bd",
    ]  # fmt: skip
