"""ChEMBL, played by a loopback server: neighbours distinguished, salts with their parent, tables that fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fault_server import FaultServer, Reply, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.chembl import Chembl
from storm.databases.services.query_text import bare_words
from storm.errors import BadAnswer, QueryRejected, ServiceDown
from storm.models import DrugName, NameKind, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "chembl"
QUERY = SearchQuery(names=("imatinib",), words=("mechanism",))


def molecule(number: str, name: str | None, parent: str | None = None, **fields: Any) -> dict[str, Any]:
    hierarchy = {"molecule_chembl_id": number, "parent_chembl_id": parent or number, "active_chembl_id": number}
    return {"molecule_chembl_id": number, "pref_name": name, "molecule_hierarchy": hierarchy, **fields}


IMATINIB = molecule(
    "CHEMBL941",
    "IMATINIB",
    max_phase="4.0",
    first_approval=2001,
    molecule_type="Small molecule",
    availability_type=-1,
    molecule_properties={"full_mwt": "493.62"},
    molecule_synonyms=[
        {"molecule_synonym": "Imatinib", "syn_type": "INN", "synonyms": "IMATINIB"},
        {"molecule_synonym": "STI-571", "syn_type": "RESEARCH_CODE", "synonyms": "STI-571"},
        {"molecule_synonym": "4-[(4-methylpiperazin-1-yl)methyl]benzamide", "syn_type": "SYSTEMATIC"},
    ],
)
MESYLATE = molecule(
    "CHEMBL1642",
    "IMATINIB MESYLATE",
    "CHEMBL941",
    molecule_synonyms=[{"molecule_synonym": "Gleevec", "syn_type": "TRADE_NAME"}],
)
NEIGHBOUR = molecule("CHEMBL255863", "NILOTINIB", molecule_synonyms=[{"molecule_synonym": "Imatinib-like"}])


def listed(plural: str, *rows: dict[str, Any], following: str | None = None, total: int | None = None) -> Reply:
    meta = {"limit": 1000, "offset": 0, "next": following, "previous": None, "total_count": total or len(rows)}
    return Reply(json.dumps({plural: list(rows), "page_meta": meta}))


def chembl(
    *found: dict[str, Any],
    family: tuple[dict[str, Any], ...] = (IMATINIB, MESYLATE),
    mechanisms: tuple[dict[str, Any], ...] = (),
    indications: tuple[dict[str, Any], ...] = (),
    warnings: tuple[dict[str, Any], ...] = (),
) -> FaultServer:
    server = FaultServer()
    server.on("/molecule/search.json", listed("molecules", *found))
    server.on("/molecule.json", listed("molecules", *family))
    server.on("/mechanism.json", listed("mechanisms", *mechanisms))
    server.on("/drug_indication.json", listed("drug_indications", *indications))
    server.on("/drug_warning.json", listed("drug_warnings", *warnings))
    return server


async def search(server: FaultServer, query: SearchQuery = QUERY, limit: int = 100) -> SearchOutcome:
    async with server, open_http() as http:
        return await Chembl(http, service_at(server.url)).search(query, limit)


async def test_a_name_that_none_of_the_first_neighbours_has_is_reported() -> None:
    server = chembl()
    server.on("/molecule/search.json", listed("molecules", *[NEIGHBOUR] * 50, following="/next", total=900))
    outcome = await search(server)
    assert (outcome.status, outcome.incomplete) == (SearchStatus.NONE, False)
    assert outcome.reason == "none of the first 50 matches for 'imatinib' has that name"


async def test_neighbours_that_are_counted_and_do_not_come_are_no_search_that_found_nothing() -> None:
    server = chembl()
    server.on("/molecule/search.json", listed("molecules", NEIGHBOUR, total=9))
    outcome = await search(server)
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "the service stopped after 1 of 9 molecules")


async def test_a_molecule_is_one_hit_with_all_that_its_tables_tell() -> None:
    server = chembl(
        NEIGHBOUR,
        IMATINIB,
        mechanisms=({"mechanism_of_action": "BCR/ABL p210 fusion protein inhibitor", "action_type": "INHIBITOR"},),
        indications=(
            {"mesh_heading": "Leukemia, Myelogenous", "max_phase_for_ind": "4.0"},
            {"mesh_heading": None, "efo_term": "asthma", "max_phase_for_ind": "2.0"},
            {"efo_term": "obesity", "max_phase_for_ind": "-1.0"},
        ),
        warnings=(
            {
                "warning_type": "Black Box Warning",
                "warning_class": "cardiotoxicity",
                "warning_country": "US",
                "warning_year": 2005,
            },
        ),
    )
    outcome = await search(server)
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.FOUND, 1, "")
    (hit,) = outcome.hits
    assert (hit.key, hit.title) == ("chembl:CHEMBL941", "IMATINIB (CHEMBL941)")
    assert hit.drugs == ("IMATINIB", "STI-571", "IMATINIB MESYLATE", "Gleevec")
    assert hit.facts.targets == ("BCR/ABL p210 fusion protein",)
    assert hit.facts.drug_class == ("BCR/ABL p210 fusion protein inhibitor",)
    assert (hit.facts.phase, hit.facts.parent, hit.facts.boxed_warning) == ("Phase 4", "CHEMBL941", "cardiotoxicity")
    assert DrugName(kind=NameKind.SALT, text="IMATINIB MESYLATE") in hit.facts.names
    texts = {section.label: section.text for section in hit.sections}
    assert texts["SUMMARY"] == (
        "IMATINIB is listed by ChEMBL as small molecule, approved (maximum phase 4), first approval in 2001."
    )
    assert texts["INDICATIONS"].split("\n") == [
        "IMATINIB is approved for Leukemia, Myelogenous.",
        "IMATINIB was studied in asthma, up to phase 2.",
        "IMATINIB was studied in obesity.",
    ]
    assert texts["WARNINGS"] == "Black Box Warning of IMATINIB: cardiotoxicity (US, 2005)."
    tables = [request for request in server.requests if request.path == "/mechanism.json"]
    assert tables[0].params == {"parent_molecule_chembl_id": "CHEMBL941", "limit": "1000", "offset": "0"}


async def test_a_salt_leads_to_its_parent_and_both_are_one_hit() -> None:
    outcome = await search(chembl(MESYLATE, IMATINIB), SearchQuery(names=("Gleevec", "imatinib")))
    assert [hit.external_id for hit in outcome.hits] == ["CHEMBL941"]


async def test_a_parent_that_no_list_holds_is_asked_for_by_its_id() -> None:
    server = chembl(MESYLATE, family=())
    server.on("/molecule/CHEMBL941.json", Reply(json.dumps(IMATINIB)))
    outcome = await search(server, SearchQuery(names=("gleevec",)))
    assert [hit.title for hit in outcome.hits] == ["IMATINIB (CHEMBL941)"]


async def test_neighbours_that_do_not_bear_the_name_are_none() -> None:
    outcome = await search(chembl(NEIGHBOUR))
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")


@pytest.mark.parametrize("name", ["sti 571", "STI571", "chembl941", "Imatinib"])
async def test_a_name_is_known_however_it_is_written(name: str) -> None:
    assert (await search(chembl(IMATINIB), SearchQuery(names=(name,)))).status is SearchStatus.FOUND


async def test_a_table_that_fails_is_missing_and_reported() -> None:
    server = chembl(IMATINIB)
    server.on("/drug_warning.json", Reply(status=503))
    outcome = await search(server)
    assert outcome.status is SearchStatus.FOUND
    assert outcome.reason == "incomplete for CHEMBL941: it answered HTTP 503 after 3 tries"


async def test_one_name_that_cannot_be_asked_does_not_hide_the_others() -> None:
    server = chembl(IMATINIB)
    server.on("/molecule/search.json", Reply(status=400), listed("molecules", IMATINIB))
    outcome = await search(server, SearchQuery(names=("imatinib", "STI-571")))
    assert outcome.status is SearchStatus.FOUND
    assert "HTTP 400" in outcome.reason


async def test_nothing_found_where_a_name_could_not_be_asked_is_a_failure() -> None:
    server = chembl()
    server.on("/molecule/search.json", Reply(status=400), listed("molecules"))
    outcome = await search(server, SearchQuery(names=("imatinib", "STI-571")))
    assert outcome.status is SearchStatus.FAILED


async def test_tables_are_read_page_by_page_until_there_is_no_next() -> None:
    rows = [{"mesh_heading": f"Disease {n}", "max_phase_for_ind": "3.0"} for n in range(3)]
    server = chembl(IMATINIB)
    server.on(
        "/drug_indication.json",
        listed("drug_indications", *rows[:2], following="/chembl/api/data/drug_indication.json?offset=2"),
        listed("drug_indications", rows[2]),
    )
    outcome = await search(server)
    offsets = [request.params["offset"] for request in server.requests if request.path == "/drug_indication.json"]
    assert offsets == ["0", "2"]
    assert "Disease 2" in outcome.hits[0].text


async def test_a_table_without_end_is_left_and_reported() -> None:
    server = chembl(IMATINIB)
    server.on(
        "/drug_indication.json",
        lambda seen: listed("drug_indications", {"mesh_heading": f"Disease {seen.params['offset']}"}, following="/on"),
    )
    outcome = await search(server)
    assert outcome.status is SearchStatus.FOUND
    assert "Disease 4" in outcome.hits[0].text
    assert outcome.reason == "incomplete for CHEMBL941: more than 5 rows of drug_indication"
    assert len([request for request in server.requests if request.path == "/drug_indication.json"]) == 5


async def test_a_table_that_gives_the_same_page_again_is_left_and_reported() -> None:
    server = chembl(IMATINIB)
    server.on("/drug_indication.json", listed("drug_indications", {"mesh_heading": "Leukemia"}, following="/again"))
    outcome = await search(server)
    assert "Leukemia" in outcome.hits[0].text
    assert outcome.reason == "incomplete for CHEMBL941: the service repeats a page"
    assert len([request for request in server.requests if request.path == "/drug_indication.json"]) == 2


async def test_a_molecule_without_an_id_is_reported_and_is_a_failure_where_it_is_the_only_one() -> None:
    outcome = await search(chembl(molecule("", "IMATINIB"), IMATINIB))
    assert [hit.external_id for hit in outcome.hits] == ["CHEMBL941"]
    assert outcome.reason == "1 record of the answer could not be read (a molecule without its ChEMBL id)"
    assert (await search(chembl(molecule("", "IMATINIB")))).status is SearchStatus.FAILED


async def test_unknown_numbers_stay_unknown() -> None:
    bare = molecule("CHEMBL1", "NEWMAB", max_phase="-1.0", first_approval=None, molecule_synonyms=None)
    outcome = await search(chembl(bare, family=(bare,)), SearchQuery(names=("newmab",)))
    (hit,) = outcome.hits
    assert hit.facts.phase is None
    assert hit.text == ""


async def test_a_molecule_without_a_name_is_called_by_its_id() -> None:
    nameless = molecule("CHEMBL77", None)
    outcome = await search(chembl(nameless, family=(nameless,)), SearchQuery(names=("CHEMBL77",)))
    assert (outcome.hits[0].title, outcome.hits[0].drugs) == ("CHEMBL77", ())


async def test_a_span_of_time_does_not_apply() -> None:
    server = chembl(IMATINIB)
    outcome = await search(server, SearchQuery(names=("imatinib",), since="2020"))
    assert outcome.status is SearchStatus.NOT_APPLICABLE
    assert server.requests == []


@pytest.mark.parametrize("body", ['{"molecules": null}', '{"error_message": "x"}', "[]"])
async def test_an_answer_without_molecules_is_a_failure(body: str) -> None:
    server = chembl()
    server.on("/molecule/search.json", Reply(body))
    assert (await search(server)).status is SearchStatus.FAILED


@given(st.text())
def test_what_is_searched_for_holds_no_sign_of_a_query_syntax(name: str) -> None:
    words = bare_words(name).split()
    assert all(character.isalnum() or character in "-'’" for word in words for character in word)
    assert not any(word[0] in "-'’" or word in ("AND", "OR", "NOT") for word in words)


async def test_a_molecule_is_fetched_by_its_id_and_an_unknown_one_is_none() -> None:
    server = chembl()
    server.on("/molecule/CHEMBL941.json", Reply(json.dumps(IMATINIB)))
    async with server, open_http() as http:
        client = Chembl(http, service_at(server.url))
        found = await client.fetch("chembl941")
        assert found is not None
        assert found.external_id == "CHEMBL941"
        server.on("/molecule/CHEMBL5.json", Reply("", status=404, content_type="text/html"))
        server.on("/molecule.json", Reply('{"molecules": [], "page_meta": {"total_count": 0, "next": null}}'))
        assert await client.fetch("CHEMBL5") is None
        with pytest.raises(QueryRejected, match="is not a valid"):
            await client.fetch("imatinib")


async def test_another_molecule_than_the_one_asked_for_is_refused() -> None:
    server = chembl()
    server.on("/molecule/CHEMBL5.json", Reply(json.dumps(IMATINIB)))
    async with server, open_http() as http:
        with pytest.raises(BadAnswer, match="CHEMBL941 was returned instead of CHEMBL5"):
            await Chembl(http, service_at(server.url)).fetch("CHEMBL5")


async def test_a_molecule_is_not_fetched_in_part() -> None:
    server = chembl()
    server.on("/molecule/CHEMBL941.json", Reply(json.dumps(IMATINIB)))
    server.on("/mechanism.json", Reply(status=500))
    async with server, open_http() as http:
        with pytest.raises(ServiceDown, match="incomplete for CHEMBL941"):
            await Chembl(http, service_at(server.url)).fetch("CHEMBL941")


@needs_recorded_answers
async def test_a_recorded_mechanism_is_read() -> None:
    pembrolizumab = molecule("CHEMBL3137343", "PEMBROLIZUMAB")
    server = chembl(pembrolizumab, family=(pembrolizumab,))
    server.on("/mechanism.json", Reply((PAYLOADS / "mechanism_pembrolizumab.json").read_bytes()))
    outcome = await search(server, SearchQuery(names=("pembrolizumab",)))
    (hit,) = outcome.hits
    assert hit.facts.targets == ("Programmed cell death protein 1",)
    assert "Programmed cell death protein 1 inhibitor" in hit.text


async def test_rows_of_a_salt_that_an_incomplete_list_lacks_are_the_molecule_s() -> None:
    rows = ({"molecule_chembl_id": "CHEMBL9", "parent_molecule_chembl_id": "CHEMBL941", "mechanism_of_action": "Z"},)
    server = chembl(IMATINIB, mechanisms=rows)
    server.on("/molecule.json", listed("molecules", IMATINIB, following="/again"))
    outcome = await search(server)
    assert outcome.hits[0].facts.drug_class == ("Z",)
    assert outcome.reason == "incomplete for CHEMBL941: the service repeats a page"


async def test_rows_of_a_salt_that_only_the_search_found_are_the_molecule_s() -> None:
    rows = ({"molecule_chembl_id": "CHEMBL1642", "mechanism_of_action": "Z"},)
    server = chembl(MESYLATE, IMATINIB, family=(IMATINIB,), mechanisms=rows)
    outcome = await search(server, SearchQuery(names=("imatinib", "Gleevec")))
    assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, "")
    assert outcome.hits[0].facts.drug_class == ("Z",)
