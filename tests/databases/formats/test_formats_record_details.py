"""What patents, trials and labels state for a bibliography: recorded answers, as a person read them there."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.epo_ops import read_epo_ops
from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.openfda import openfda_hit, read_openfda
from storm.databases.formats.patent_numbers import split_patent_number
from storm.databases.formats.spl import read_spl
from storm.databases.formats.table import read_csv, read_jsonl
from storm.databases.formats.uspto_odp import application_hit, read_applications
from storm.models import Contributor, Hit, LabelDetails, PatentDetails, Publication, TrialDetails

Read = Callable[[Path], Iterable[object]]


def people(*names: str) -> tuple[Contributor, ...]:
    """Inventors written as `Family, Given`."""
    return tuple(Contributor(family=family, given=given) for family, given in (name.split(", ") for name in names))


PATENTS = {
    ("epo_ops_get_biblio.xml", "EP2400812A1"): PatentDetails(
        number="2400812", kind="A1", country="EP", applicants=("9SOLUTIONS OY",),
        inventors=people("HERRALA, SAMI", "KYLMAENEN, JARI", "NIEMI, JAAKKO"), application_number="EP20100167109",
        priority_numbers=("EP20100167109",), filing_date="2010-06-24", priority_date="2010-06-24",
        publication_date="2011-12-28",
    ),
    ("epo_ops_search_with_constituent.xml", "AU2024270787A1"): PatentDetails(
        number="2024270787", kind="A1", country="AU", applicants=("SIEMENS GAMESA RENEWABLE ENERGY AS",),
        inventors=people("NADERHOFF, Thorsten", "SANDEL, Klaus"), application_number="AU20240270787",
        priority_numbers=("EP20230173822", "WO2024EP63512"), filing_date="2024-05-16", priority_date="2023-05-17",
        publication_date="2025-10-23",
    ),
    ("epo_ops_search_with_constituent.xml", "AU2024265697A1"): PatentDetails(
        number="2024265697", kind="A1", country="AU", applicants=("SIEMENS ENERGY GLOBAL GMBH & CO KG",),
        inventors=people("CROSBY, Andrew", "HENERY, David", "ENVY, John"), application_number="AU20240265697",
        priority_numbers=("GB20230006615", "WO2024US23778"), filing_date="2024-04-10", priority_date="2023-05-04",
        publication_date="2025-10-23",
    ),
    ("epo_ops_search_with_constituent.xml", "DK3740998T3"): PatentDetails(
        number="3740998", kind="T3", country="DK", applicants=("SIEMENS ENERGY AS",),
        inventors=people("BERGE, Tore", "Skjetne, Arve", "BØRSHEIM, Eirik"), application_number="DK19702186T",
        priority_numbers=("GB20180000758", "WO2019EP50740"), filing_date="2019-01-14", priority_date="2018-01-17",
        publication_date="2025-10-20",
    ),
    ("uspto_odp_get_patent.json", "US11646472"): PatentDetails(
        number="11646472", country="US", applicants=("PolyPlus Battery Company",),
        inventors=people("Visco, Steven J.", "Katz, Bruce D.", "Nimon, Yevgeniy S.", "De Jonghe, Lutgard C."),
        application_number="17248024", filing_date="2021-01-05", publication_date="2023-05-09",
        legal_status="Patented Case",
    ),
    ("uspto_odp_search_patents.json", "US20240362478A1"): PatentDetails(
        number="20240362478", kind="A1", country="US",
        applicants=("Shanghai ArtificialIntelligence Innovation Center",),
        inventors=people(
            "YE, Nanyang", "GU, Qinying", "ZHU, Lin", "ZENG, Zhaoyu", "SHAO, Jiayao", "PENG, Chensheng", "PAN, Bikang",
            "LI, Kaican", "ZHU, Jun", "WANG, Xinbing", "ZHOU, Chenghu",
        ),
        application_number="18597857", priority_numbers=("2023104556449",), filing_date="2024-03-06",
        priority_date="2023-04-25", publication_date="2024-10-31",
        legal_status="Docketed New Case - Ready for Examination",
    ),
    ("odp_pc_get_application_basic_data.json", "US20170071586A1"): PatentDetails(
        number="20170071586", kind="A1", country="US", applicants=("The General Hospital Corporation",),
        inventors=people("Wang, Marvin"), application_number="15123456", filing_date="2016-09-02",
        publication_date="2017-03-16", legal_status="Abandoned -- Failure to Respond to an Office Action",
    ),
}  # fmt: skip
#: Sponsor, first posted, last update posted.
TRIALS = {
    ("aact_NCT00763412.json", "NCT00763412"): ("Arbelaez, Ana Maria", "2008-10-01", "2017-06-05"),
    ("aact_NCT02278341.json", "NCT02552212"): ("UCB BIOSCIENCES GmbH", "2015-09-17", "2022-08-18"),
    ("aact_NCT03418623.json", "NCT03418623"): ("Laboratorio Farmaceutico Ct S.r.l.", "2018-02-01", "2020-10-08"),
    ("aact_NCT03475563.json", "NCT03475563"): (
        "Hospital Universitari Vall d'Hebron Research Institute", "2018-03-23", "2019-11-27",
    ),
    ("aact_NCT05594173.json", "NCT05594173"): ("University Health Network, Toronto", "2022-10-26", "2022-11-21"),
    ("biomcp_old_NCT04280705_remdesivir.json", "NCT04280705"): (
        "National Institute of Allergy and Infectious Diseases (NIAID)", "2020-02-21", "2022-03-14",
    ),
    ("search_keytruda_limit3_20260811.json", "NCT04795661"): ("Centre Leon Berard", None, None),
    ("aact_NCT03453554.json", "NCT03453554"): (None, None, None),
}  # fmt: skip
LABELS = {
    "openfda/label_keytruda_20260811.json": (
        LabelDetails(product="KEYTRUDA QLEX", set_id="097d166f-b73b-41d3-9b37-7653cd2a0c41"),
        LabelDetails(product="KEYTRUDA", set_id="9333c79b-d487-4538-a9f0-71b91a02b287"),
    ),
    "openfda/doc_example_label.json": (
        LabelDetails(set_id="e71151ba-f2f4-4e95-9256-3db361d40a54", version="2", effective_date="2014-04-23"),
    ),
    "dailymed/spl_cough.xml": (
        LabelDetails(
            product="TRIAMINIC Childrens Night Time Cold and Cough", labeler="Novartis Consumer Health, Inc.",
            set_id="00f66f25-3469-4c16-9baf-fba21e9628bd", version="1", effective_date="2011-04-26",
        ),
    ),
    "dailymed/spl_no-title.xml": (
        LabelDetails(
            product="Haloperidol", labeler="Contract Pharmacy Services-PA",
            set_id="0027b8a3-73bf-4005-a7e3-b035f451a861", version="1", effective_date="2010-07-28",
        ),
    ),
}  # fmt: skip


def _read_patents(path: Path) -> Iterable[object]:
    if path.suffix == ".xml":
        return read_epo_ops(io.BytesIO(path.read_bytes()))
    answer = json.loads(path.read_text(encoding="utf-8"))
    return [application_hit(JsonRecord(record, "")) for record in read_applications(answer)]


def _read_labels(path: Path) -> Iterable[object]:
    if path.suffix == ".xml":
        return read_spl(io.BytesIO(path.read_bytes()))
    if path.name.startswith("doc_example"):
        (label,) = json.loads(path.read_text(encoding="utf-8"))["results"]["results"]
        return [openfda_hit(JsonRecord(label, ""))]
    return read_openfda(io.BytesIO(path.read_bytes()))


def _read_trials(path: Path) -> Iterable[object]:
    return read_studies(io.BytesIO(path.read_bytes()))


def _publication(read: Read, path: Path, number: str) -> Publication:
    return next(hit for hit in read(path) if isinstance(hit, Hit) and hit.external_id == number).publication


@needs_recorded_answers
@pytest.mark.parametrize(("file", "number"), PATENTS)
def test_a_patent_states_what_a_person_reads_in_it(file: str, number: str) -> None:
    found = _publication(_read_patents, ANSWERS / "patents" / file, number)
    assert found.patent == PATENTS[file, number]
    assert found.authors == PATENTS[file, number].inventors


@needs_recorded_answers
@pytest.mark.parametrize(("file", "number"), TRIALS)
def test_a_trial_states_its_sponsor_and_the_days_of_its_entry(file: str, number: str) -> None:
    found = _publication(_read_trials, ANSWERS / "clinicaltrials" / file, number)
    sponsor, first, last = TRIALS[file, number]
    assert found.trial == TrialDetails(
        registry="ClinicalTrials.gov", number=number, sponsor=sponsor, first_posted=first, last_update=last
    )


@needs_recorded_answers
@pytest.mark.parametrize("file", LABELS)
def test_a_label_states_its_product_and_its_version(file: str) -> None:
    found = [hit.publication.label for hit in _read_labels(ANSWERS / file) if isinstance(hit, Hit)]
    assert tuple(found) == LABELS[file]


def test_a_labels_manufacturer_is_its_labeler() -> None:
    known = {"brand_name": ["Herceptin"], "manufacturer_name": ["Genentech, Inc."]}
    label = {"set_id": "s", "version": "41", "effective_time": "20240610", "openfda": known}
    hit = openfda_hit(JsonRecord(label, ""))
    assert isinstance(hit, Hit)
    assert hit.publication.label == LabelDetails(
        product="Herceptin", labeler="Genentech, Inc.", set_id="s", version="41", effective_date="2024-06-10"
    )


def _patent_of_europepmc(**fields: Any) -> Publication:
    record = {"source": "PAT", "id": "EP2400812", "title": "Bluetooth", **fields}
    (hit,) = read_europepmc(io.BytesIO(json.dumps(record).encode()))
    assert isinstance(hit, Hit)
    return hit.publication


def test_a_patent_of_europe_pmc_has_its_number_in_parts_and_its_application() -> None:
    niemi = {"fullName": "Niemi J", "firstName": "Jaakko", "lastName": "Niemi", "initials": "J"}
    found = _patent_of_europepmc(
        firstPublicationDate="2011-12-28",
        authorList={"author": [niemi]},
        patentDetails={"application": {"applicationNumber": "EP10167109", "applicationDate": "2010-06-24"}},
    )
    inventors = (Contributor(family="Niemi", given="Jaakko", initials="J"),)
    assert found.patent == PatentDetails(
        number="2400812", country="EP", inventors=inventors, application_number="EP10167109",
        filing_date="2010-06-24", publication_date="2011-12-28",
    )  # fmt: skip
    assert found.authors == inventors


def test_what_is_no_patent_or_has_another_number_states_none() -> None:
    assert _patent_of_europepmc(source="MED", id="101").patent is None
    assert _patent_of_europepmc(id="a number of its own").patent is None


def test_a_users_own_patent_states_its_number_and_its_dates() -> None:
    row = {
        "database": "patents", "external_id": "US 6,054,297 A", "url": "https://example.org/1", "title": "Antibodies",
        "application_number": "08/437642", "filing_date": "1995-05-09", "priority_date": "1992-08",
        "publication_date": "2000-04-25", "legal_status": "Expired",
    }  # fmt: skip
    (hit,) = read_jsonl(io.BytesIO(json.dumps(row).encode()))
    assert isinstance(hit, Hit)
    assert hit.publication.patent == PatentDetails(
        number="6054297", kind="A", country="US", application_number="08/437642", filing_date="1995-05-09",
        priority_date="1992-08", publication_date="2000-04-25", legal_status="Expired",
    )  # fmt: skip
    (error,) = read_jsonl(io.BytesIO(json.dumps(row | {"filing_date": "1995-02-30"}).encode()))
    assert "column filing_date: '1995-02-30' is not a valid date" in str(error)


def test_a_users_record_of_another_database_is_no_patent() -> None:
    rows = b"database,external_id,url,title,filing_date\nweb,US6054297,https://example.org/1,A page,1995-05-09\n"
    (hit,) = read_csv(io.BytesIO(rows))
    assert isinstance(hit, Hit)
    assert hit.publication == Publication()


def _inventors(*parties: str) -> tuple[Contributor, ...]:
    listed = "".join(
        f'<inventor sequence="{n}" data-format="{form}"><inventor-name><name>{name}</name></inventor-name></inventor>'
        for n, (form, name) in enumerate((party.split(": ") for party in parties), 1)
    )
    document = (
        '<world-patent-data xmlns="http://www.epo.org/exchange"><exchange-document country="EP" doc-number="1" '
        f'kind="A1"><bibliographic-data><parties><inventors>{listed}</inventors></parties>'
        "<invention-title>Title</invention-title></bibliographic-data></exchange-document></world-patent-data>"
    )
    (hit,) = read_epo_ops(io.BytesIO(document.encode()))
    assert isinstance(hit, Hit)
    assert hit.publication.patent == PatentDetails(
        number="1", kind="A1", country="EP", inventors=hit.publication.authors
    )
    return hit.publication.authors


def test_an_inventors_name_is_parted_only_where_the_name_as_filed_is_the_same() -> None:
    assert _inventors("epodoc: DOE JANE [US]", "original: Doe, Jane, ") == people("Doe, Jane")
    assert _inventors("epodoc: MUELLER EVA [DE]", "original: Müller, Eva") == (Contributor(collective="MUELLER EVA"),)
    assert _inventors("original: Doe, Jane, Jr.") == (Contributor(family="Doe", given="Jane", suffix="Jr."),)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("US 2024-0362478 A1", ("US", "20240362478", "A1")),
        ("us6,407,213", ("US", "6407213", None)),
        ("USRE12345E1", ("US", "RE12345", "E1")),
        ("11646472", None),
        ("", None),
        ("US", None),
    ],
)
def test_a_patents_number_is_taken_apart(text: str, parts: tuple[str, str, str | None] | None) -> None:
    assert split_patent_number(text) == parts


def test_an_application_without_a_list_of_inventors_names_the_first_and_no_number_before_it_is_published() -> None:
    data = {"inventionTitle": "Title", "firstInventorName": "Marvin Wang", "filingDate": "2016-09-02"}
    hit = application_hit(JsonRecord({"applicationNumberText": "15123456", "applicationMetaData": data}, ""))
    assert isinstance(hit, Hit)
    assert hit.publication.patent == PatentDetails(
        country="US", inventors=(Contributor(collective="Marvin Wang"),), application_number="15123456",
        filing_date="2016-09-02",
    )  # fmt: skip
