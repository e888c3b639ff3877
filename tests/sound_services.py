"""Each public service as it answers when all is well: what its client asks of it, and a sound answer to each call.

Every search finds two records about `QUERY`, or as many as `Sound.hits` says, and no note tells of anything missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fault_server import FaultServer, Reply, service_at

from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.chembl import Chembl
from storm.databases.services.clinicaltrials_gov import ClinicalTrials
from storm.databases.services.crossref import Crossref
from storm.databases.services.dailymed import DailyMed
from storm.databases.services.epo_ops import EpoOps
from storm.databases.services.europepmc import EuropePmc
from storm.databases.services.openfda import OpenFda
from storm.databases.services.patents import Patents
from storm.databases.services.pmc import Pmc
from storm.databases.services.pubmed import PubMed
from storm.databases.services.uspto_odp import UsptoOdp
from storm.databases.services.web_engines.brave import Brave
from storm.databases.services.web_engines.searxng import SearXng
from storm.databases.services.web_engines.tavily import Tavily
from storm.databases.services.web_search import WebSearch
from storm.models import SearchQuery
from storm.ports import Database

QUERY = SearchQuery(names=("pembrolizumab",), words=("safety",))
#: What no outcome may show: the key, the contact address, and the address that services see us at.
KEY, CONTACT, CALLER = "app:s3cret", "someone@example.org", "203.0.113.7"


@dataclass(frozen=True)
class Sound:
    """A client, and the sound answers to the calls of its search, by the ends of their paths, in order.

    Where one of `parts` fails, what the others reported is found, and a note says what is missing.
    """

    make: Callable[[Http, Service], Database]
    answers: Mapping[str, Reply]
    parts: frozenset[str] = frozenset()
    hits: int = 2
    limit: int = 10

    def play(self, server: FaultServer) -> None:
        for path, reply in self.answers.items():
            server.on(path, reply)

    def client(self, http: Http, url: str, **changes: Any) -> Database:
        """The client of the service at that address."""
        given = {"key": KEY, "key_variable": "A_KEY", "contact": CONTACT, "max_bytes": 200_000, "total": 30.0}
        return self.make(http, service_at(url, **{**given, **changes}))


def in_json(value: Any) -> Reply:
    return Reply(json.dumps(value))


def in_xml(text: str) -> Reply:
    return Reply(f"<?xml version='1.0'?>\n{text}", content_type="application/xml")


def ids(numbers: Iterable[int]) -> Reply:
    listed = [str(number) for number in numbers]
    result = {"count": str(len(listed)), "retmax": "20", "retstart": "0", "idlist": listed}
    return in_json({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def pubmed_article(number: int) -> str:
    return (
        f"<PubmedArticle><MedlineCitation><PMID Version='1'>{number}</PMID><Article><Journal><JournalIssue><PubDate>"
        "<Year>2019</Year><Month>Mar</Month></PubDate></JournalIssue><ISOAbbreviation>N Engl J Med</ISOAbbreviation>"
        f"</Journal><ArticleTitle>Pembrolizumab {number}</ArticleTitle><Abstract><AbstractText Label='RESULTS'>It "
        "works.</AbstractText></Abstract><AuthorList><Author><LastName>Lee</LastName><Initials>A</Initials></Author>"
        "</AuthorList><PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList>"
        "</Article><CommentsCorrectionsList><CommentsCorrections RefType='ErratumIn'><RefSource>J. 2020</RefSource>"
        "<PMID>9</PMID></CommentsCorrections></CommentsCorrectionsList></MedlineCitation><PubmedData><ArticleIdList>"
        f"<ArticleId IdType='doi'>10.1000/p{number}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>"
    )


def pubmed_articles(numbers: Iterable[int]) -> Reply:
    return in_xml(f"<PubmedArticleSet>{''.join(map(pubmed_article, numbers))}</PubmedArticleSet>")


def full_text(number: int) -> str:
    return (
        "<article article-type='research-article'><front><journal-meta><journal-title-group><journal-title>A Journal"
        "</journal-title></journal-title-group></journal-meta><article-meta>"
        f"<article-id pub-id-type='pmcid'>PMC{number}</article-id><article-id pub-id-type='doi'>10.1000/f{number}"
        f"</article-id><title-group><article-title>Pembrolizumab {number}</article-title></title-group>"
        "<contrib-group><contrib contrib-type='author'><name><surname>Lee</surname><given-names>A</given-names></name>"
        "</contrib></contrib-group><pub-date pub-type='epub'><year>2019</year></pub-date><abstract><p>In short.</p>"
        "</abstract></article-meta></front><body><sec><title>Results</title><p>It works.</p></sec></body></article>"
    )


def full_texts(numbers: Iterable[int]) -> Reply:
    return in_xml(f"<pmc-articleset>{''.join(map(full_text, numbers))}</pmc-articleset>")


def europepmc_record(number: str, source: str = "MED") -> dict[str, Any]:
    return {
        "id": number,
        "source": source,
        "title": f"Pembrolizumab {number}",
        "authorList": {"author": [{"fullName": "Lee A"}]},
        "authorString": "Lee A.",
        "journalInfo": {"journal": {"isoabbreviation": "N Engl J Med"}, "dateOfPublication": "2019 Mar"},
        "pubYear": "2019",
        "abstractText": "<h4>Results</h4>It works.",
        "pubTypeList": {"pubType": ["Journal Article"]},
        "firstPublicationDate": "2019-03-01",
        "isOpenAccess": "Y",
    }


def europepmc_page(*records: dict[str, Any], total: int = 0, cursor: str = "*") -> Reply:
    count = total or len(records)
    return in_json({"hitCount": count, "nextCursorMark": cursor, "resultList": {"result": list(records)}})


def epo_document(number: int) -> str:
    name = "<name>LEE A [US]</name>"
    return (
        f"<exchange-documents><exchange-document country='EP' doc-number='{number}' kind='A1'><bibliographic-data>"
        "<publication-reference><document-id><date>20110928</date></document-id></publication-reference><parties>"
        f"<applicants><applicant data-format='epodoc'><applicant-name>{name}</applicant-name></applicant></applicants>"
        f"<inventors><inventor data-format='epodoc'><inventor-name>{name}</inventor-name></inventor></inventors>"
        f"</parties><invention-title lang='en'>Pembrolizumab {number}</invention-title></bibliographic-data>"
        "<abstract lang='en'><p>A stable antibody.</p></abstract></exchange-document></exchange-documents>"
    )


def epo_page(numbers: Iterable[int], total: int = 2) -> Reply:
    found = "".join(map(epo_document, numbers))
    return in_xml(
        "<ops:world-patent-data xmlns='http://www.epo.org/exchange' xmlns:ops='http://ops.epo.org'>"
        f'<ops:biblio-search total-result-count="{total}"><ops:search-result>{found}</ops:search-result>'
        "</ops:biblio-search></ops:world-patent-data>"
    )


def application(number: int) -> dict[str, Any]:
    metadata = {
        "inventionTitle": f"PEMBROLIZUMAB {number}",
        "patentNumber": str(number),
        "filingDate": "2017-03-01",
        "grantDate": "2019-03-01",
        "inventorBag": [{"firstName": "Ann", "lastName": "Lee"}],
        "applicantBag": [{"applicantNameText": "Merck"}],
        "cpcClassificationBag": ["C07K  16/28"],
    }
    return {"applicationNumberText": str(number + 10_000_000), "applicationMetaData": metadata}


def applications(numbers: Iterable[int], total: int = 2) -> Reply:
    return in_json({"count": total, "patentFileWrapperDataBag": [application(number) for number in numbers]})


def study(number: int) -> dict[str, Any]:
    protocol = {
        "identificationModule": {"nctId": f"NCT{number:08}", "briefTitle": f"Pembrolizumab in disease {number}"},
        "statusModule": {"overallStatus": "COMPLETED", "startDateStruct": {"date": "2016-03"}},
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Merck"}},
        "descriptionModule": {"briefSummary": "It is tried."},
        "conditionsModule": {"conditions": ["Melanoma"]},
        "designModule": {"studyType": "INTERVENTIONAL", "phases": ["PHASE3"], "enrollmentInfo": {"count": 834}},
        "armsInterventionsModule": {"interventions": [{"type": "BIOLOGICAL", "name": "pembrolizumab"}]},
        "outcomesModule": {"primaryOutcomes": [{"measure": "Survival", "timeFrame": "2 years"}]},
    }
    return {"protocolSection": protocol, "hasResults": False}


def studies(numbers: Iterable[int], token: str | None = None, total: int = 2) -> Reply:
    page = {"studies": [study(number) for number in numbers], "totalCount": total}
    return in_json({**page, "nextPageToken": token} if token else page)


def molecule(number: int) -> dict[str, Any]:
    name = f"CHEMBL{number}"
    return {
        "molecule_chembl_id": name,
        "pref_name": "PEMBROLIZUMAB",
        "max_phase": "4.0",
        "first_approval": 2014,
        "molecule_type": "Antibody",
        "molecule_hierarchy": {"molecule_chembl_id": name, "parent_chembl_id": name},
        "molecule_synonyms": [{"molecule_synonym": "Pembrolizumab", "syn_type": "INN", "synonyms": "PEMBROLIZUMAB"}],
    }


def chembl_table(plural: str, *rows: dict[str, Any], following: str | None = None) -> Reply:
    return in_json({plural: list(rows), "page_meta": {"limit": 1000, "next": following, "total_count": len(rows)}})


def label(number: int) -> dict[str, Any]:
    known = {"brand_name": ["KEYTRUDA"], "generic_name": ["PEMBROLIZUMAB"], "unii": ["DPT0O3T46P"]}
    fields = {"effective_time": "20240611", "boxed_warning": ["None."], "adverse_reactions": ["Fatigue."]}
    return {"set_id": set_id(number), "openfda": known, **fields}


def drug_application(number: int) -> dict[str, Any]:
    products = [{"brand_name": "KEYTRUDA", "active_ingredients": [{"name": "PEMBROLIZUMAB", "strength": "50MG"}]}]
    decided = {"submission_type": "ORIG", "submission_status": "AP", "submission_status_date": "20140904"}
    number_and_sponsor = {"application_number": f"BLA{number:06}", "sponsor_name": "MERCK"}
    return {**number_and_sponsor, "products": products, "submissions": [decided]}


def openfda_page(*records: dict[str, Any], total: int = 0) -> Reply:
    return in_json({"meta": {"results": {"skip": 0, "total": total or len(records)}}, "results": list(records)})


def set_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def dailymed_page(numbers: Iterable[int], following: str = "null", total: int = 2) -> Reply:
    rows = [
        {"setid": set_id(number), "title": f"KEYTRUDA (PEMBROLIZUMAB) {number}", "published_date": "Jun 11, 2024"}
        for number in numbers
    ]
    return in_json({"data": rows, "metadata": {"total_elements": str(total), "next_page": following}})


def spl(number: int) -> Reply:
    code = "<code code='34084-4' codeSystem='2.16.840.1.113883.6.1'/>"
    section = f"<section>{code}<title>Reactions</title><text>Fatigue.</text></section>"
    return in_xml(
        f"<document xmlns='urn:hl7-org:v3'><setId root='{set_id(number)}'/><title>KEYTRUDA</title>"
        f"<effectiveTime value='20240611'/><component><structuredBody><component>{section}</component>"
        "</structuredBody></component></document>"
    )


def work(number: int) -> dict[str, Any]:
    return {
        "DOI": f"10.1000/w{number}",
        "title": [f"Pembrolizumab {number}"],
        "type": "journal-article",
        "author": [{"family": "Lee", "given": "Ann"}],
        "container-title": ["A Journal"],
        "issued": {"date-parts": [[2019, 3, 1]]},
        "abstract": "<jats:p>It works.</jats:p>",
        "update-to": [{"DOI": "10.1000/e", "type": "correction", "updated": {"date-parts": [[2020]]}}],
    }


def works(*items: dict[str, Any]) -> Reply:
    return in_json({"status": "ok", "message": {"total-results": len(items), "items": list(items)}})


def results(numbers: Iterable[int], **more: str) -> list[dict[str, Any]]:
    """Web results in every engine's fields."""
    fields = {"content": "It works.", "description": "It works.", "page_age": "2019-03-01", "score": 0.5, **more}
    return [{"url": f"https://example.org/{n}", "title": f"Page {n}", **fields} for n in numbers]


def brave_page(numbers: Iterable[int], more: bool = False) -> Reply:
    query = {"more_results_available": more}
    return in_json({"type": "search", "query": query, "web": {"type": "search", "results": results(numbers)}})


TOKEN = in_json({"access_token": "T0KEN", "expires_in": "1199"})
NO_ROWS = {
    "/molecule.json": chembl_table("molecules"),
    "/mechanism.json": chembl_table(
        "mechanisms", {"mechanism_of_action": "PD-1 inhibitor", "action_type": "INHIBITOR"}
    ),
    "/drug_indication.json": chembl_table("drug_indications", {"mesh_heading": "Melanoma", "max_phase_for_ind": "4"}),
    "/drug_warning.json": chembl_table("drug_warnings", {"warning_type": "Withdrawn", "warning_class": "none"}),
}
COUNTS = in_json({"meta": {"last_updated": "2026-07-30"}, "results": [{"term": "NAUSEA", "count": 4}]})
HISTORY = in_xml("<ePostResult><QueryKey>1</QueryKey><WebEnv>MCID_1</WebEnv></ePostResult>")

#: How services say with status 404 that nothing matches.
NOTHING_AT_OPENFDA = replace(in_json({"error": {"code": "NOT_FOUND", "message": "No matches found!"}}), status=404)
NOTHING_AT_USPTO = replace(in_json({"code": "404", "errorDetails": "No matching records found, refine"}), status=404)
NOTHING_AT_EPO = replace(in_xml("<fault><code>SERVER.EntityNotFound</code></fault>"), status=404)


def pmc(http: Http, service: Service) -> Pmc:
    return Pmc(http, service, service.model_copy(update={"base_url": f"{service.base_url}/europepmc"}))


SERVICES: dict[str, Sound] = {
    "pubmed": Sound(PubMed, {"/esearch.fcgi": ids([1, 2]), "/efetch.fcgi": pubmed_articles([1, 2])}),
    "pubmed, by the history": Sound(
        PubMed,
        {"/esearch.fcgi": ids(range(1, 202)), "/epost.fcgi": HISTORY, "/efetch.fcgi": pubmed_articles(range(1, 202))},
        hits=201,
        limit=300,
    ),
    "pmc": Sound(pmc, {"/esearch.fcgi": ids([1, 2]), "/efetch.fcgi": full_texts([1, 2])}),
    "europepmc": Sound(EuropePmc, {"/search": europepmc_page(europepmc_record("1"), europepmc_record("2"))}),
    "patents": Sound(
        Patents, {"/search": europepmc_page(europepmc_record("EP1", "PAT"), europepmc_record("EP2", "PAT"))}
    ),
    "epo_ops": Sound(EpoOps, {"/auth/accesstoken": TOKEN, "/search/biblio,abstract": epo_page([1, 2])}),
    "uspto_odp": Sound(UsptoOdp, {"/patent/applications/search": applications([7000001, 7000002])}),
    "clinicaltrials": Sound(ClinicalTrials, {"/studies": studies([1, 2])}),
    "chembl": Sound(
        Chembl,
        {"/molecule/search.json": chembl_table("molecules", molecule(1), molecule(2)), **NO_ROWS},
        parts=frozenset(NO_ROWS),
    ),
    "openfda": Sound(
        OpenFda,
        {
            "/drug/label.json": openfda_page(label(1), label(2)),
            "/drug/drugsfda.json": openfda_page(drug_application(125514)),
            "/drug/event.json": COUNTS,
        },
        parts=frozenset({"/drug/label.json", "/drug/drugsfda.json", "/drug/event.json"}),
        hits=4,
    ),
    "dailymed": Sound(
        DailyMed,
        {"/spls.json": dailymed_page([1, 2]), **{f"/spls/{set_id(n)}.xml": spl(n) for n in (1, 2)}},
        parts=frozenset({f"/spls/{set_id(n)}.xml" for n in (1, 2)}),
    ),
    "crossref": Sound(Crossref, {"/works": works(work(1), work(2))}),
    "tavily": Sound(
        lambda http, service: WebSearch(http, service, Tavily(http, service)),
        {"/search": in_json({"query": "q", "results": results([1, 2])})},
    ),
    "brave": Sound(
        lambda http, service: WebSearch(http, service, Brave(http, service)), {"/web/search": brave_page([1, 2])}
    ),
    "searxng": Sound(
        lambda http, service: WebSearch(http, service, SearXng(http, service)),
        {"/search": in_json({"results": results([1, 2]), "unresponsive_engines": []})},
    ),
}
