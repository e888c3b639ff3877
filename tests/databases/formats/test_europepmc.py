import io
import json
from typing import Any

import pytest
from sections import in_abstract

from storm.databases.formats.europepmc import read_europepmc
from storm.errors import RecordError
from storm.models import Hit, Retraction

CORE: dict[str, Any] = {
    "id": "101",
    "source": "MED",
    "pmid": "101",
    "pmcid": "PMC202",
    "doi": "10.1000/ABC",
    "title": "A trial of &lt;i&gt;trastuzumab&lt;/i&gt;.",
    "authorString": "Slamon DJ, HERA Study Team.",
    "authorList": {"author": [{"fullName": "Slamon DJ"}, {"collectiveName": "HERA Study Team"}, {"lastName": "x"}]},
    "journalInfo": {
        "dateOfPublication": "2001 Mar",
        "journal": {"title": "The Journal of Trials", "isoabbreviation": "J Trials"},
    },
    "pubYear": "2001",
    "abstractText": "<h4>Background</h4>Growth (p <.01) by 10<sup>9</sup>.<h4>Trial registration:</h4>NCT00045032.",
    "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
    "meshHeadingList": {"meshHeading": [{"descriptorName": "Humans"}, {"majorTopic_YN": "N"}, "Aged"]},
    "firstPublicationDate": "2001-02-28",
    "isOpenAccess": "Y",
}
LITE: dict[str, Any] = {
    "id": "102",
    "source": "MED",
    "title": "A review",
    "authorString": "Slamon DJ, O'Neill AF.",
    "journalTitle": "J Trials",
    "pubYear": "2002",
    "pubType": "review; journal article",
    "firstPublicationDate": "2002-01-05",
}
PREPRINT: dict[str, Any] = {
    "id": "PPR7",
    "source": "PPR",
    "doi": "10.1101/7",
    "title": "A preprint",
    "pubYear": "2025",
    "pubType": "preprint",
    "bookOrReportDetails": {"publisher": "medRxiv", "yearOfPublication": 2025},
}


def read(text: str | bytes) -> list[Hit | RecordError]:
    return list(read_europepmc(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def answer(*records: Any) -> dict[str, Any]:
    return {
        "version": "6.9",
        "hitCount": len(records),
        "request": {},
        "resultList": {"result": list(records)},
    }


def hit(record: dict[str, Any]) -> Hit:
    (found,) = read(json.dumps(answer(record)))
    assert isinstance(found, Hit), found
    return found


def test_a_core_record_becomes_a_hit() -> None:
    found = hit(CORE)
    assert (found.database, found.external_id) == ("europepmc", "MED:101")
    assert found.url == "https://europepmc.org/article/MED/101"
    assert found.identifiers == ("pmid:101", "pmcid:PMC202", "doi:10.1000/abc", "europepmc:MED:101")
    assert found.title == "A trial of trastuzumab."
    assert found.authors == ("Slamon DJ", "HERA Study Team")
    assert found.sections == (
        in_abstract("Background", "Growth (p <.01) by 10^9."),
        in_abstract("Trial registration", "NCT00045032."),
    )
    assert (found.date, found.year, found.container) == ("2001-03", 2001, "J Trials")
    assert found.publication_types == ("Research Article", "Journal Article")
    assert found.headings == ("Humans",)
    assert found.trials == ("NCT00045032",)
    assert found.retraction is Retraction.NOT_RETRACTED


def test_a_lite_record_becomes_a_hit() -> None:
    found = hit(LITE)
    assert found.identifiers == ("pmid:102", "europepmc:MED:102")
    assert found.authors == ("Slamon DJ", "O'Neill AF")
    assert (found.date, found.container, found.text) == ("2002-01-05", "J Trials", "")
    assert found.publication_types == ("Review", "Journal Article")


def test_the_first_day_online_counts_only_in_the_issues_year() -> None:
    assert hit({**LITE, "firstPublicationDate": "2001-12-20"}).date == "2002"
    assert hit({**LITE, "pubYear": ""}).date == "2002-01-05"


def test_a_preprint_is_filed_under_its_server_and_not_checked() -> None:
    found = hit(PREPRINT)
    assert (found.external_id, found.container, found.publication_types) == ("PPR:PPR7", "medRxiv", ("Preprint",))
    assert found.identifiers == ("doi:10.1101/7", "europepmc:PPR:PPR7")
    assert found.retraction is Retraction.NOT_CHECKED
    withdrawn = hit({**PREPRINT, "pubType": "preprint-withdrawal; preprint"})
    assert withdrawn.retraction is Retraction.RETRACTED


def test_a_record_of_pmc_alone_and_a_chapter() -> None:
    found = hit({"id": "PMC9", "source": "PMC", "title": "T"})
    assert found.identifiers == ("pmcid:PMC9", "europepmc:PMC:PMC9")
    chapter = {**LITE, "bookid": "NBK1", "doi": "10.1000/book", "journalTitle": "",
               "bookOrReportDetails": {"publisher": "P", "comprisingTitle": "GeneReviews®"}}  # fmt: skip
    assert hit(chapter).container == "GeneReviews®"
    assert hit(chapter).identifiers == ("pmid:102", "europepmc:MED:102")


@pytest.mark.parametrize(
    ("fields", "retraction", "notices"),
    [
        ({"pubType": "retracted publication; journal article"}, Retraction.RETRACTED, ()),
        ({"isRetracted": "Y"}, Retraction.RETRACTED, ()),
        ({"pubType": "retraction of publication", "doi": "10.1000/original"}, Retraction.NOT_RETRACTED, ()),
        ({"commentCorrectionList": {"commentCorrection": [
            {"id": "555", "source": "MED", "reference": "J Foo 2020;1:2", "type": "Retraction in"}]}},
         Retraction.RETRACTED, ("Retracted: J Foo 2020;1:2 (PMID 555)",)),
        ({"commentCorrectionList": {"commentCorrection": [
            {"id": "PPR5", "source": "PPR", "reference": "J Foo", "type": "Expression of concern in"}, "?"]}},
         Retraction.CONCERN, ("Expression of concern: J Foo",)),
        ({"pubType": ""}, Retraction.NOT_CHECKED, ()),
    ],
)  # fmt: skip
def test_retractions(fields: dict[str, Any], retraction: Retraction, notices: tuple[str, ...]) -> None:
    found = hit({**LITE, **fields})
    assert (found.retraction, found.notices) == (retraction, notices)
    assert found.identifiers == ("pmid:102", "europepmc:MED:102")


@pytest.mark.parametrize("indent", [None, 2])
def test_answers_and_records_are_read_in_every_wrapping(indent: int | None) -> None:
    def titles(*values: Any) -> list[str]:
        text = "\n".join(json.dumps(value, indent=indent) for value in values)
        return [item.title if isinstance(item, Hit) else str(item) for item in read(text)]

    both = ["A review", "A preprint"]
    assert titles(answer(LITE, PREPRINT)) == both
    assert titles([LITE, PREPRINT]) == both
    assert titles(LITE) == both[:1]
    assert titles({"version": "6.9", "hitCount": 1, "request": {}, "result": LITE}) == both[:1]
    assert titles(LITE, PREPRINT) == both
    assert titles(answer()) == titles({"hitCount": 0, "request": {}}) == []


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"errCode": 404, "errMsg": "Invalid page size provided"}, "Europe PMC refused: Invalid page size provided"),
        ({"error": "x"}, "no source and id"),
        (answer({**LITE, "title": ""}), "MED:102: the record has no title"),
        (answer({"title": "T"}), "record 1: not a Europe PMC record: it has no source and id"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_what_is_no_record_is_an_error(value: Any, reason: str, indent: int | None) -> None:
    (found,) = read(json.dumps(value, indent=indent))
    assert isinstance(found, RecordError)
    assert reason in str(found)


def test_a_result_that_is_no_object_costs_only_itself() -> None:
    found = read(json.dumps(answer("text", LITE)))
    assert isinstance(found[0], RecordError)
    assert isinstance(found[1], Hit)


def test_a_truncated_answer_yields_what_was_complete() -> None:
    text = json.dumps(answer(CORE, LITE, PREPRINT), indent=1)
    found = read(text[: text.index("A preprint")])
    assert [item.title for item in found[:2] if isinstance(item, Hit)] == ["A trial of trastuzumab.", "A review"]
    assert isinstance(found[2], RecordError)
    assert len(found) == 3


def test_values_of_unexpected_types_do_no_harm() -> None:
    odd: list[Any] = [None, True, 7, 1.5, [], {}, ["x"], {"x": 1}, "\ud800\x00"]
    for key in CORE.keys() - {"id", "source", "title"}:
        for value in odd:
            assert hit({**CORE, key: value}).title == "A trial of trastuzumab."
