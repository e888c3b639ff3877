"""Small bodies in the shapes of the services' answers and of the files that a corpus takes: what the fuzzing harms."""

from __future__ import annotations

import json
from typing import Any

PUBMED = b"""<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/out/pubmed.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">101</PMID><Article><Journal><JournalIssue><PubDate>
<Year>2001</Year><Month>Mar</Month><Day>15</Day></PubDate></JournalIssue><Title>J</Title></Journal>
<ArticleTitle>[A <i>trial</i>.]</ArticleTitle><VernacularTitle>Ein</VernacularTitle><Abstract>
<AbstractText Label="AIM">10<sup>9</sup> &lt; x <mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:msup>
<mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></AbstractText></Abstract><AuthorList><Author>
<LastName>Slamon</LastName><ForeName>Dennis J</ForeName></Author></AuthorList></Article><CommentsCorrectionsList>
<CommentsCorrections RefType="RetractionIn"><RefSource>J</RefSource><PMID>5</PMID></CommentsCorrections>
</CommentsCorrectionsList></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1000/a</ArticleId>
</ArticleIdList></PubmedData></PubmedArticle><PubmedBookArticle><BookDocument><PMID>102</PMID><Book><BookTitle>B
</BookTitle></Book><ArticleTitle>C</ArticleTitle></BookDocument></PubmedBookArticle></PubmedArticleSet>"""

JATS = b"""<pmc-articleset><article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front>
<article-meta><article-id pub-id-type="pmcid">PMC202</article-id><article-id pub-id-type="doi">10.1000/a</article-id>
<title-group><article-title>A <xref ref-type="fn">1</xref>trial</article-title></title-group><contrib-group><contrib>
<name><surname>Slamon</surname><given-names>DJ</given-names></name></contrib></contrib-group><pub-date>
<year>2001</year></pub-date><related-article related-article-type="retraction-forward" xlink:href="10.1000/b"/>
<abstract><sec><title>Aim</title><p>See.<sup><xref ref-type="bibr">1</xref></sup></p></sec></abstract></article-meta>
</front><body><sec><title>Results</title><p>Text <inline-formula><alternatives><tex-math>x</tex-math></alternatives>
</inline-formula><fig><label>1</label><caption><p>c</p></caption></fig></p><sec><title>In</title><p>y</p></sec></sec>
</body></article><article><front><article-meta/></front></article></pmc-articleset>"""

SPL = b"""<?xml version="1.0"?><document xmlns="urn:hl7-org:v3"><title>A label of <sup>a</sup> drug</title>
<effectiveTime value="20010611"/><setId root="00000000-0000-4000-8000-000000000001"/><author><assignedEntity>
<representedOrganization><name>Maker</name></representedOrganization></assignedEntity></author><component>
<structuredBody><component><section><subject><manufacturedProduct><manufacturedProduct><name>Brand<suffix>XR</suffix>
</name><asEntityWithGeneric><genericMedicine><name>generic</name></genericMedicine></asEntityWithGeneric>
<ingredient classCode="ACTIM"><ingredientSubstance><code code="U1" codeSystem="2.16.840.1.113883.4.9"/><name>SALT</name>
</ingredientSubstance></ingredient></manufacturedProduct></manufacturedProduct></subject></section></component>
<component><section><code code="34066-1" codeSystem="2.16.840.1.113883.6.1"/><title>WARNING</title><text><paragraph>One
<content>bold</content></paragraph><list><item>First</item></list><table><tbody><tr><td>2 mg</td></tr></tbody></table>
</text><component><section><title>In</title><text>Part</text></section></component></section></component>
</structuredBody></component></document>"""

EPO_OPS = b"""<?xml version="1.0" encoding="UTF-8"?><ops:world-patent-data xmlns="http://www.epo.org/exchange"
xmlns:ops="http://ops.epo.org"><ops:biblio-search total-result-count="1"><ops:search-result><exchange-documents>
<exchange-document country="EP" doc-number="2400812" kind="A1"><bibliographic-data><publication-reference>
<document-id document-id-type="docdb"><country>EP</country><date>20010102</date></document-id></publication-reference>
<parties><applicants><applicant data-format="epodoc"><applicant-name><name>MAKER [US]</name></applicant-name>
</applicant></applicants><inventors><inventor><inventor-name><name>Slamon, D.</name></inventor-name></inventor>
</inventors></parties><invention-title lang="en">A title</invention-title><invention-title lang="fr">Un titre
</invention-title></bibliographic-data><abstract lang="en"><p>Text NCT00000001</p></abstract></exchange-document>
</exchange-documents></ops:search-result></ops:biblio-search></ops:world-patent-data>"""

MEDLINE = """PMID- 101
TI  - [A trial
      of \u00e9.]
AB  - AIM: one. RESULTS: two.
AU  - Slamon DJ
DP  - 2001 Mar 15
AID - 10.1000/a [doi]
RIN - J. PMID: 5

PMID- 102
BTI - Book
""".encode()

RIS = """TY  - JOUR
TI  - A trial \u00e9
AU  - Slamon, Dennis J.
DA  - 2001/03/15/
DO  - 10.1000/a
UR  - https://example.org/a; http://[x
AB  - Text
 more
ER  -

TY  - CHAP
ER  -
""".encode()

ORANGE_BOOK = (
    b"Ingredient~DF;Route~Trade_Name~Applicant~Strength~Appl_Type~Appl_No~Product_No~TE_Code~Approval_Date~RLD~RS~Type"
    b"~Applicant_Full_Name\nZORVIMAB~TABLET;ORAL~ZORVIA~ZORVI~50MG~N~990001~001~~Apr 27, 2001~Yes~Yes~RX~ZORVI LLC\n"
    b"ZORVIMAB~TABLET;ORAL~ZORVIA~ZORVI~75MG~N~990001~002~~Apr 27, 2001~Yes~Yes~RX~ZORVI LLC\n"
    b"X~Y~Z~A~5MG~A~~001~~Approved Prior to Jan 1, 1982~No~No~DISCN~Z\n"
)

ORANGE_BOOK_PATENTS = (
    b"Appl_Type~Appl_No~Product_No~Patent_No~Patent_Expire_Date_Text~Drug_Substance_Flag~Drug_Product_Flag"
    b"~Patent_Use_Code~Delist_Flag~Submission_Date\nN~990001~001~6790459*PED~Mar 17, 2011~~Y~U-1~~Jan 3, 2001\nbroken\n"
)

PURPLE_BOOK = (
    b"Purple Book,,\nN/R/U,Applicant,BLA Number,Proprietary Name,Proper Name,BLA Type,Strength,Marketing Status"
    b",Approval Date,Ref. Product Proper Name,Ref. Product Proprietary Name,Product Number"
    b",Orphan Exclusivity Exp. Date\n"
    b',"Zorvi, Inc.",990077,Zorvado,zorvimab-abcd,351(k) Interchangeable,150MG,Rx,1-Dec-01,zorvimab,Zorvia,001,\n'
    b"N,A,none,B,C,351(a),1,Rx,9/25/1998,N/A,N/A,001,2001-01-01\n"
)

CSV = (
    b"database;external_id;url;title;authors;date;text;doi;pmid;approvals;enrollment;other\n"
    b"mine;1;https://example.org/1;A title;Slamon DJ;2001-03-15;Text;10.1000/a;101;FDA|2001|Brand|BLA1|cancer;12;x\n"
    b"mine;2;no address;B;;;;;;;;\n"
)

STUDY: dict[str, Any] = {
    "protocolSection": {
        "identificationModule": {"nctId": "NCT00000001", "briefTitle": "A trial", "officialTitle": "A whole trial"},
        "statusModule": {"overallStatus": "ACTIVE_NOT_RECRUITING", "startDateStruct": {"date": "2001-03"}},
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Maker"}},
        "descriptionModule": {"briefSummary": "Age \\>= 18.", "detailedDescription": "More."},
        "conditionsModule": {"conditions": ["Cancer"]},
        "designModule": {
            "studyType": "INTERVENTIONAL",
            "phases": ["PHASE2", "PHASE3"],
            "designInfo": {"allocation": "RANDOMIZED", "maskingInfo": {"masking": "DOUBLE"}},
            "enrollmentInfo": {"count": 12},
        },
        "armsInterventionsModule": {
            "armGroups": [{"label": "Arm", "type": "EXPERIMENTAL", "description": "Told"}],
            "interventions": [{"type": "DRUG", "name": "zorvimab"}],
        },
        "outcomesModule": {"primaryOutcomes": [{"measure": "Survival", "timeFrame": "a year"}]},
    },
    "resultsSection": {
        "outcomeMeasuresModule": {
            "outcomeMeasures": [
                {
                    "type": "PRIMARY",
                    "title": "Survival",
                    "unitOfMeasure": "months",
                    "groups": [{"id": "OG000", "title": "Arm"}],
                    "classes": [
                        {
                            "title": "All",
                            "categories": [
                                {
                                    "measurements": [
                                        {"groupId": "OG000", "value": "5.1", "lowerLimit": "4", "upperLimit": "6"}
                                    ]
                                }
                            ],
                        }
                    ],
                    "analyses": [{"paramType": "HR", "paramValue": "0.5", "pValue": "<0.01", "ciPctValue": "95"}],
                }
            ]
        },
        "adverseEventsModule": {
            "eventGroups": [{"title": "Arm", "seriousNumAffected": 1, "seriousNumAtRisk": 6, "deathsNumAtRisk": 6}]
        },
    },
}

STUDIES: dict[str, Any] = {"studies": [STUDY], "totalCount": 1, "nextPageToken": None}

LABEL: dict[str, Any] = {
    "set_id": "00000000-0000-4000-8000-000000000001",
    "effective_time": "20010611",
    "boxed_warning": ["WARNING: harm"],
    "indications_and_usage": ["For cancer.", "And more."],
    "openfda": {
        "brand_name": ["BRAND"],
        "generic_name": ["GENERIC"],
        "substance_name": ["SALT"],
        "manufacturer_name": ["Maker"],
        "pharm_class_epc": ["Kinase Inhibitor [EPC]"],
        "unii": ["U1"],
    },
}

APPLICATION: dict[str, Any] = {
    "application_number": "BLA125514",
    "sponsor_name": "MAKER",
    "openfda": {"generic_name": ["GENERIC"], "unii": ["U1"]},
    "products": [
        {
            "product_number": "001",
            "brand_name": "BRAND",
            "dosage_form": "TABLET",
            "route": "ORAL",
            "marketing_status": "Prescription",
            "active_ingredients": [{"name": "SALT", "strength": "50MG"}],
        }
    ],
    "submissions": [
        {"submission_type": "ORIG", "submission_status": "AP", "submission_status_date": "20010502"},
        {"submission_type": "SUPPL", "submission_status": "AP", "submission_status_date": "20020502"},
    ],
}

OPENFDA: dict[str, Any] = {
    "meta": {"disclaimer": "Do not rely.", "results": {"skip": 0, "limit": 2, "total": 2}},
    "results": [LABEL, APPLICATION],
}

OPENFDA_ERROR: dict[str, Any] = {"error": {"code": "NOT_FOUND", "message": "No matches found!"}}

COUNTS: dict[str, Any] = {
    "meta": {"disclaimer": "Do not rely", "last_updated": "2001-07-30"},
    "results": [{"term": "NAUSEA", "count": 12016}, {"term": "FALL", "count": 1}],
}

EUROPE_PMC: dict[str, Any] = {
    "hitCount": 2,
    "nextCursorMark": "AoE",
    "resultList": {
        "result": [
            {
                "id": "101",
                "source": "MED",
                "pmid": "101",
                "pmcid": "PMC202",
                "doi": "10.1000/a",
                "title": "A <i>trial</i>",
                "abstractText": "<h4>Aim</h4>10<sup>9</sup>",
                "authorList": {"author": [{"fullName": "Slamon DJ"}, {"collectiveName": "Group"}]},
                "authorString": "Slamon DJ, Other A.",
                "pubYear": "2001",
                "firstPublicationDate": "2001-03-15",
                "journalInfo": {"dateOfPublication": "2001 Mar", "journal": {"isoabbreviation": "J", "title": "Jour"}},
                "pubTypeList": {"pubType": ["Journal Article"]},
                "isOpenAccess": "Y",
                "commentCorrectionList": {
                    "commentCorrection": [{"type": "Retraction in", "id": "5", "source": "MED", "reference": "J"}]
                },
            },
            {"id": "PPR1", "source": "PPR", "title": "B", "bookOrReportDetails": {"publisher": "Server"}},
        ]
    },
}

MOLECULE: dict[str, Any] = {
    "molecule_chembl_id": "CHEMBL941",
    "pref_name": "IMATINIB",
    "molecule_hierarchy": {"molecule_chembl_id": "CHEMBL941", "parent_chembl_id": "CHEMBL941"},
    "max_phase": "4.0",
    "first_approval": 2001,
    "molecule_type": "Small molecule",
    "withdrawn_flag": True,
    "molecule_synonyms": [
        {"molecule_synonym": "Imatinib", "syn_type": "INN", "synonyms": "IMATINIB"},
        {"molecule_synonym": "STI-571", "syn_type": "RESEARCH_CODE"},
        {"synonyms": "Gleevec", "syn_type": "TRADE_NAME"},
    ],
}

#: What ChEMBL's tables say about one molecule; `molecule` is not theirs, and stands beside them here.
CHEMBL: dict[str, Any] = {
    "molecule": MOLECULE,
    "salts": [{"molecule_chembl_id": "CHEMBL1642", "pref_name": "IMATINIB MESYLATE"}],
    "mechanisms": [
        {"mechanism_of_action": "Kinase inhibitor", "action_type": "INHIBITOR", "mechanism_comment": "Strong"}
    ],
    "indications": [{"mesh_heading": "Leukemia", "max_phase_for_ind": "4.0"}, {"efo_term": "asthma"}],
    "warnings": [{"warning_type": "Black Box Warning", "warning_class": "heart", "warning_country": "US"}],
}

WORK: dict[str, Any] = {
    "DOI": "10.1000/a",
    "title": ["A <i>trial</i>"],
    "subtitle": ["in people"],
    "type": "journal-article",
    "subtype": "preprint",
    "abstract": "<jats:title>Aim</jats:title><jats:p>10<jats:sup>9</jats:sup> NCT00000001</jats:p>",
    "author": [{"family": "Slamon", "given": "Dennis J."}, {"name": "Group"}],
    "container-title": ["J &amp; J"],
    "institution": [{"name": "Server"}],
    "published": {"date-parts": [[2001, 3, 15]]},
    "issued": {"date-parts": [[None]]},
    "clinical-trial-number": [{"clinical-trial-number": "NCT00000001"}],
    "update-to": [{"DOI": "10.1000/b", "type": "retraction", "updated": {"date-parts": [[2002]]}}],
    "updated-by": [{"DOI": "10.1000/c", "type": "expression-of-concern"}],
    "relation": {"is-preprint-of": [{"id": "10.1000/d"}]},
}

CROSSREF: dict[str, Any] = {"status": "ok", "message": {"total-results": 1, "items": [WORK]}}

USPTO_ODP: dict[str, Any] = {
    "count": 1,
    "patentFileWrapperDataBag": [
        {
            "applicationNumberText": "17141717",
            "applicationMetaData": {
                "inventionTitle": "A TITLE OF IMATINIB",
                "patentNumber": "11646472",
                "earliestPublicationNumber": "US20210210819A1",
                "earliestPublicationDate": "2001-07-08",
                "filingDate": "2001-01-05",
                "grantDate": "2001-05-09",
                "firstApplicantName": "Maker",
                "firstInventorName": "Steven J. Visco",
                "inventorBag": [{"firstName": "Steven", "lastName": "Visco"}, {"inventorNameText": "Other"}],
                "applicantBag": [{"applicantNameText": "Maker"}],
                "cpcClassificationBag": ["H01M  50/46"],
                "applicationStatusDescriptionText": "Patented Case",
            },
        }
    ],
}

RECORD: dict[str, Any] = {
    "database": "mine",
    "external_id": "1",
    "url": "https://example.org/1",
    "title": "A title",
    "authors": ["Slamon DJ"],
    "year": 2001,
    "date": "2001-03-15",
    "sections": [["Aim", "Text"], ["", "More"]],
    "doi": "10.1000/a",
    "pmid": 101,
    "nct": ["NCT00000001"],
    "drugs": ["zorvimab"],
    "enrollment": 12,
    "approvals": [{"agency": "FDA", "date": "2001", "product": "Brand"}],
    "expiry": "2011-01",
    "other": 1,
}

ESEARCH: dict[str, Any] = {
    "esearchresult": {
        "count": "2",
        "idlist": ["101", "102"],
        "querytranslation": '"x"[All Fields]',
        "errorlist": {"phrasesnotfound": ["y[Title]"]},
        "warninglist": {"quotedphrasesnotfound": ['"z"[Title]']},
    }
}

DAILYMED_LIST: dict[str, Any] = {
    "metadata": {"total_elements": "1", "next_page": "null"},
    "data": [
        {"setid": "00000000-0000-4000-8000-000000000001", "title": "ZORVIA tablet", "published_date": "Jun 11, 2001"}
    ],
}

TAVILY: dict[str, Any] = {
    "results": [
        {"url": "https://example.org/1", "title": "A <b>page</b>", "content": "Text", "score": 0.5},
        {"url": "https://example.org/2", "title": "B", "content": "Text", "score": 1, "published_date": "2001-01-01"},
    ]
}

BRAVE: dict[str, Any] = {
    "type": "search",
    "query": {"more_results_available": False},
    "web": {"results": [{"url": "https://example.org/1", "title": "A", "description": "B", "page_age": "2001-01-01"}]},
}

SEARXNG: dict[str, Any] = {
    "results": [{"url": "https://example.org/1", "title": "A", "content": "B", "score": 1.5, "publishedDate": "2001"}],
    "unresponsive_engines": [["google", "timeout"]],
}

PAGE = b"""<!doctype html><html><head><meta charset="utf-8"><title>A page</title>
<meta name="citation_title" content="A trial"><meta name="citation_author" content="Slamon, Dennis">
<meta name="citation_publication_date" content="2001/03/15"><meta name="citation_doi" content="10.1000/a"></head><body>
<article><h1>A trial</h1><p>Of all the patients that were treated 10<sup>9</sup> lived for longer than a year.</p>
<table><tr><td>Dose</td><td>2 mg</td></tr></table></article></body></html>"""

PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 43>>stream
BT /F1 12 Tf 20 200 Td (A trial of it) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Title(A trial)/Author(Slamon)/CreationDate(D:20010315)>>endobj
trailer<</Root 1 0 R/Info 6 0 R/Size 7>>
startxref
0
%%EOF
"""

ROBOTS = b"User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2\nSitemap: https://example.org/s\n"

SERVICES = b"""pubmed:
  label: PubMed
  base_url: https://eutils.example.org/entrez
  scope: papers
  rate: 3
  rate_with_key: 10
  rate_group: ncbi
  redirect_hosts: [a.example.org]
  key_variable: NCBI_API_KEY
  enabled: true
  max_bytes: 1000
"""


def as_json(value: Any) -> bytes:
    """The value as a service sends it, more than one line long."""
    return json.dumps(value, indent=1).encode()
