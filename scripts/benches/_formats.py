"""Reading what services answer: storm's readers, beside what only parses the same file.

storm makes a checked Hit of each record and keeps none; the others build the whole file's tree and look at nothing in
it. Each reads in a process of its own, which tells how much it grew: lxml's trees are not in what Python counts.
"""

from __future__ import annotations

import importlib
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from _report import Row

from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.jats import read_jats
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.errors import RecordError
from storm.models import Hit

ROUNDS = 3
#: How many records there are for one of PubMed.
SHARES = {"PubMed XML": 1.0, "JATS": 0.06, "studies": 0.4}

PROSE = (
    "Patients were randomly assigned, 1:1, to the antibody or to placebo every three weeks for a year, stratified by "
    "age and stage. After a median follow-up of 24.1 months there were 127 events in 1,694 patients of the first group "
    "and 220 in 1,693 of the second (hazard ratio 0.54; 95% CI, 0.43 to 0.67; P=0.001), an absolute benefit of 8.4 "
    "points at two years. Serious adverse events were reported in 7.0% and 4.7%. "
)
LABELS = ("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS")


class Reading(NamedTuple):
    """What one way to read a file took."""

    records: int
    seconds: float
    grew_mb: float


def read_rows(folder: Path, pubmed: int) -> list[Row]:
    """A line for each format and way to read it, with that many records of PubMed."""
    rows = []
    for name, share in SHARES.items():
        records = max(1, round(pubmed * share))
        file = folder / name.replace(" ", "-")
        with file.open("w", encoding="utf-8") as stream:
            stream.writelines(WRITERS[name](records))
        for way, read in WAYS[name].items():
            readings = [alone(read, file) for _ in range(ROUNDS)]
            if any(reading.records != records for reading in readings):
                raise SystemExit(f"{name} by {way}: {readings[0].records} records of {records}")
            rows.append(reading_row(f"{name}: {way}", file, readings))
    return rows


def reading_row(variant: str, file: Path, readings: list[Reading]) -> Row:
    """One line; speed and growth are medians."""
    return {
        "variant": variant,
        "n": readings[0].records,
        "file_mb": round(file.stat().st_size / 1e6, 1),
        "records_per_s": round(statistics.median(reading.records / reading.seconds for reading in readings)),
        "grew_mb": round(statistics.median(reading.grew_mb for reading in readings), 1),
    }


def alone(read: Callable[[Path], int], file: Path) -> Reading:
    """One reading, in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measured, read, file).result()


def measured(read: Callable[[Path], int], file: Path) -> Reading:
    """Records, seconds, and by how much this process was larger at its largest than before."""
    before, began = memory_mb("VmRSS"), time.perf_counter()
    records = read(file)
    return Reading(records, time.perf_counter() - began, memory_mb("VmHWM") - before)


def memory_mb(field: str) -> float:
    """Of this process. On Linux, ru_maxrss would begin with what the parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith(field))
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


# The ways to read


def storm_pubmed(file: Path) -> int:
    """storm's reader."""
    return count(read_pubmed, file)


def storm_jats(file: Path) -> int:
    """storm's reader."""
    return count(read_jats, file)


def storm_studies(file: Path) -> int:
    """storm's reader."""
    return count(read_studies, file)


def count(read: Callable[[BinaryIO], Iterator[Hit | RecordError]], file: Path) -> int:
    """How many Hits there are; a generated file has no errors."""
    records = 0
    with file.open("rb") as stream:
        for hit in read(stream):
            if isinstance(hit, RecordError):
                raise SystemExit(str(hit))
            records += 1
    return records


def biopython(file: Path) -> int:
    """Biopython's reader, with the DTD that it brings."""
    entrez: Any = importlib.import_module("Bio.Entrez")  # without types
    entrez.local_cache = str(file.parent / "biopython")  # else it makes a folder in the user's home
    with file.open("rb") as stream:
        return len(entrez.read(stream)["PubmedArticle"])


def whole_xml(file: Path) -> int:
    """lxml's tree of the whole file."""
    from lxml import etree

    return len(etree.parse(file).getroot())


def whole_json(file: Path) -> int:
    """The whole file as json.load gives it."""
    with file.open("rb") as stream:
        return len(json.load(stream)["studies"])


WAYS: dict[str, dict[str, Callable[[Path], int]]] = {
    "PubMed XML": {"storm": storm_pubmed, "Bio.Entrez.read": biopython, "lxml, the whole tree": whole_xml},
    "JATS": {"storm": storm_jats, "lxml, the whole tree": whole_xml},
    "studies": {"storm": storm_studies, "json.load": whole_json},
}


# The files


def pubmed_file(records: int) -> Iterator[str]:
    """Articles as efetch gives them: abstract, affiliations, MeSH, references."""
    yield (
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>\n'
    )
    for number in range(records):
        yield pubmed_article(10_000_000 + number)
    yield "</PubmedArticleSet>\n"


def pubmed_article(pmid: int) -> str:
    """About 18 kB and 300 elements, as real records with references have."""
    date = "<Year>2024</Year><Month>05</Month><Day>17</Day>"
    abstract = repeated('<AbstractText Label="{0}" NlmCategory="{0}">' + PROSE + "</AbstractText>", LABELS)
    authors = repeated(
        '<Author ValidYN="Y"><LastName>Surname{0}</LastName><ForeName>Given Second</ForeName><Initials>GS</Initials>'
        "<AffiliationInfo><Affiliation>Department {0} of Medical Oncology, University Hospital, City {0}."
        "</Affiliation></AffiliationInfo></Author>", range(10),
    )  # fmt: skip
    mesh = repeated(
        '<MeshHeading><DescriptorName UI="D{0:06}" MajorTopicYN="N">Descriptor of a Subject {0}</DescriptorName>'
        '<QualifierName UI="Q{0:06}" MajorTopicYN="Y">drug therapy</QualifierName></MeshHeading>', range(14),
    )  # fmt: skip
    references = repeated(
        "<Reference><Citation>Surname{0} GS, Surname GS. A trial that was reported before this one, number {0}. "
        'J Clin Invest. 2019;37:{0}–99.</Citation><ArticleIdList><ArticleId IdType="doi">10.1000/cited.{0}</ArticleId>'
        '<ArticleId IdType="pubmed">{0}</ArticleId></ArticleIdList></Reference>', range(20_000_000, 20_000_030),
    )  # fmt: skip
    return (
        '<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM" IndexingMethod="Curated">'
        f'<PMID Version="1">{pmid}</PMID><DateCompleted>{date}</DateCompleted><DateRevised>{date}</DateRevised>'
        '<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">1533-4406</ISSN><JournalIssue '
        'CitedMedium="Internet"><Volume>353</Volume><Issue>16</Issue><PubDate><Year>2024</Year><Month>May</Month>'
        "</PubDate></JournalIssue><Title>The journal of clinical trials</Title><ISOAbbreviation>J Clin Trials"
        f"</ISOAbbreviation></Journal><ArticleTitle>The antibody after chemotherapy: randomised trial {pmid}."
        "</ArticleTitle><Pagination><StartPage>1659</StartPage><EndPage>72</EndPage></Pagination>"
        f'<ELocationID EIdType="doi" ValidYN="Y">10.1000/bench.{pmid}</ELocationID><Abstract>{abstract}</Abstract>'
        f'<AuthorList CompleteYN="Y">{authors}</AuthorList><Language>eng</Language><DataBankList CompleteYN="Y">'
        "<DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList><AccessionNumber>NCT00045032"
        '</AccessionNumber></AccessionNumberList></DataBank></DataBankList><PublicationTypeList><PublicationType UI="'
        'D016428">Journal Article</PublicationType><PublicationType UI="D016449">Randomized Controlled Trial'
        "</PublicationType></PublicationTypeList></Article><MedlineJournalInfo><MedlineTA>J Clin Trials</MedlineTA>"
        f"</MedlineJournalInfo><CitationSubset>IM</CitationSubset><MeshHeadingList>{mesh}</MeshHeadingList>"
        f'</MedlineCitation><PubmedData><History><PubMedPubDate PubStatus="pubmed">{date}</PubMedPubDate></History>'
        f'<PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>'
        f'<ArticleId IdType="doi">10.1000/bench.{pmid}</ArticleId><ArticleId IdType="pmc">PMC{pmid % 9_999_999}'
        f"</ArticleId></ArticleIdList><ReferenceList>{references}</ReferenceList></PubmedData></PubmedArticle>\n"
    )


def jats_file(records: int) -> Iterator[str]:
    """Full text as efetch gives it: sections, tables, figures, references."""
    yield '<?xml version="1.0"?>\n<pmc-articleset>\n'
    for number in range(records):
        yield jats_article(1_000_000 + number)
    yield "</pmc-articleset>\n"


def jats_article(pmcid: int) -> str:
    """About 85 kB and 1,700 elements, as real articles have."""
    row = "<tr>" + '<td align="char" rowspan="1" colspan="1">12.3 (0.45)</td>' * 6 + "</tr>"
    paragraphs = repeated(
        "<p>" + PROSE + 'As reported before <xref ref-type="bibr" rid="r{0}">[{0}]</xref>. In <italic>all</italic> '
        "patients at 10<sup>{0}</sup> cells this was seen as well. " + PROSE + "</p>", range(4),
    )  # fmt: skip
    table = (
        '<table-wrap id="t{0}"><label>Table {0}</label><caption><p>Patients at the start of part {0}.</p></caption>'
        f"<table><tbody>{row * 17}</tbody></table></table-wrap>"
    )
    figure = '<fig id="f{0}"><label>Figure {0}</label><caption><p>Survival in part {0}.</p></caption><graphic/></fig>'
    sections = repeated(
        '<sec id="s{0}"><title>Part {0}</title>' + paragraphs + table + figure + "</sec>", range(6),
    )  # fmt: skip
    authors = repeated(
        '<contrib contrib-type="author"><name><surname>Surname{0}</surname><given-names>Given S.</given-names></name>'
        '<xref ref-type="aff" rid="a{0}"><sup>{0}</sup></xref></contrib>', range(10),
    )  # fmt: skip
    references = repeated(
        '<ref id="r{0}"><label>{0}</label><mixed-citation publication-type="journal"><person-group><name><surname>'
        "Surname{0}</surname><given-names>GS</given-names></name><name><surname>Surname</surname><given-names>GS"
        "</given-names></name></person-group> <article-title>A trial that was reported before this one</article-title>"
        " <source>J Clin Invest</source> <year>2019</year> <volume>37</volume> <fpage>1</fpage> <lpage>9</lpage>"
        '<pub-id pub-id-type="doi">10.1000/cited.{0}</pub-id></mixed-citation></ref>', range(40),
    )  # fmt: skip
    abstract = repeated("<sec><title>{0}</title><p>" + PROSE + "</p></sec>", LABELS)
    return (
        '<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front><journal-meta>'
        '<journal-id journal-id-type="iso-abbrev">J Clin Trials</journal-id></journal-meta><article-meta>'
        f'<article-id pub-id-type="pmcid">PMC{pmcid}</article-id><article-id pub-id-type="pmid">{pmcid + 10_000_000}'
        f'</article-id><article-id pub-id-type="doi">10.1000/bench.{pmcid}</article-id><title-group><article-title>'
        f"The antibody after chemotherapy: randomised trial {pmcid}</article-title></title-group><contrib-group>"
        f'{authors}</contrib-group><pub-date pub-type="epub"><day>17</day><month>5</month><year>2024</year></pub-date>'
        f"<abstract>{abstract}</abstract></article-meta></front><body>{sections}</body><back><ref-list>{references}"
        "</ref-list></back></article>\n"
    )


def studies_file(records: int) -> Iterator[str]:
    """An answer that lists whole studies with results, over many lines, as the registry gives them for download."""
    for number in range(records):
        yield ("," if number else '{"studies": [\n') + json.dumps(study(number), indent=1) + "\n"
    yield "]}"


def study(number: int) -> dict[str, Any]:
    """About 35 kB, as real studies with results have; half of it is nothing that a Hit tells."""
    arms = [f"Arm {n}" for n in range(2)]
    values = [{"groupId": f"OG00{n}", "value": "12.3", "lowerLimit": "10.1", "upperLimit": "14.5"} for n in range(2)]
    outcomes = [
        {
            "type": "PRIMARY" if n < 2 else "SECONDARY", "title": f"Outcome {n}", "description": PROSE,
            "timeFrame": "24 months", "paramType": "MEDIAN", "unitOfMeasure": "months",
            "groups": [{"id": f"OG00{n}", "title": arm, "description": PROSE} for n, arm in enumerate(arms)],
            "classes": [{"title": f"Month {month}", "categories": [{"measurements": values}]} for month in range(3)],
            "analyses": [{"paramType": "Hazard Ratio (HR)", "paramValue": "0.54", "ciPctValue": "95",
                          "ciLowerLimit": "0.43", "ciUpperLimit": "0.67", "pValue": "<0.001"}],
        }
        for n in range(6)
    ]  # fmt: skip
    events = [
        {"term": f"Event {n}", "organSystem": "Blood and lymphatic system disorders",
         "stats": [{"groupId": f"EG00{arm}", "numAffected": n, "numAtRisk": 1694} for arm in range(2)]}
        for n in range(40)
    ]  # fmt: skip
    groups = [
        {"id": f"EG00{n}", "title": arm, "deathsNumAffected": 31, "deathsNumAtRisk": 1694,
         "seriousNumAffected": 117, "seriousNumAtRisk": 1694, "otherNumAffected": 900, "otherNumAtRisk": 1694}
        for n, arm in enumerate(arms)
    ]  # fmt: skip
    site = {"facility": "University Hospital", "status": "RECRUITING", "country": "Germany", "geoPoint": {"lat": 48.1}}
    return {
        "protocolSection": {
            "identificationModule": {"nctId": f"NCT{10_000_000 + number}", "briefTitle": f"Randomised trial {number}"},
            "statusModule": {"overallStatus": "COMPLETED", "startDateStruct": {"date": "2024-05-17"}},
            "sponsorCollaboratorsModule": {"leadSponsor": {"name": "University Hospital", "class": "OTHER"}},
            "descriptionModule": {"briefSummary": PROSE, "detailedDescription": PROSE * 4},
            "conditionsModule": {"conditions": ["Breast Cancer", "Stage II Breast Cancer"]},
            "designModule": {
                "studyType": "INTERVENTIONAL", "phases": ["PHASE3"], "enrollmentInfo": {"count": 3387},
                "designInfo": {"allocation": "RANDOMIZED", "interventionModel": "PARALLEL",
                               "maskingInfo": {"masking": "NONE"}},
            },
            "armsInterventionsModule": {
                "armGroups": [{"label": arm, "type": "EXPERIMENTAL", "description": PROSE} for arm in arms],
                "interventions": [{"type": "BIOLOGICAL", "name": arm, "description": PROSE} for arm in arms],
            },
            "outcomesModule": {
                kind: [{"measure": f"Outcome {n}", "description": PROSE, "timeFrame": "24 months"} for n in range(3)]
                for kind in ("primaryOutcomes", "secondaryOutcomes")
            },
            "eligibilityModule": {"eligibilityCriteria": PROSE * 4},
            "contactsLocationsModule": {"locations": [site] * 20},
        },
        "resultsSection": {
            "outcomeMeasuresModule": {"outcomeMeasures": outcomes},
            "adverseEventsModule": {"eventGroups": groups, "otherEvents": events},
        },
        "hasResults": True,
    }  # fmt: skip


WRITERS: dict[str, Callable[[int], Iterable[str]]] = {
    "PubMed XML": pubmed_file,
    "JATS": jats_file,
    "studies": studies_file,
}


def repeated(pattern: str, values: Iterable[object]) -> str:
    """The pattern once for each value."""
    return "".join(pattern.format(value) for value in values)
