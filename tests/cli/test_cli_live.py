"""`storm run` and `storm databases` with public services, all of them played on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Reply, Seen
from service_lists import NOBODY, services_at
from sound_services import (
    COUNTS,
    NO_ROWS,
    NOTHING_AT_OPENFDA,
    chembl_table,
    europepmc_page,
    europepmc_record,
    in_json,
    label,
    molecule,
    openfda_page,
    results,
    studies,
    study,
    works,
)
from storm_program import Outcome, Program

SERVICES = ("europepmc", "clinicaltrials", "chembl", "openfda", "crossref", "searxng")
RETRACTED = "10.1000/kn2"


def paper(number: int, title: str, abstract: str) -> dict[str, Any]:
    outcome = {"title": title, "abstractText": abstract, "doi": f"10.1000/kn{number}"}
    return europepmc_record(f"PPR{number}", "PPR") | outcome


PAPERS = (
    paper(1, "Pembrolizumab versus chemotherapy for lung cancer: a randomised phase 3 trial",
          "Median overall survival was 30.0 months with pembrolizumab and 14.2 months with chemotherapy (hazard ratio "
          "0.63; 95% CI 0.47 to 0.86; P=0.002)."),
    paper(2, "Adverse events of pembrolizumab in melanoma: a cohort study",
          "Grade 3 or higher adverse events were seen in 14% of patients given pembrolizumab; pneumonitis occurred in "
          "3.4%."),
)  # fmt: skip

ONE_QUESTION = """\
name: one
questions:
  - {key: harm, label: Harm, description: Adverse events of pembrolizumab, min_sources: 1}
"""


def crossref(seen: Seen) -> Reply:
    """The notices of a retraction, and the works that they are about."""
    outcome = {"DOI": RETRACTED, "type": "retraction", "updated": {"date-parts": [[2024, 3, 26]]}}
    if seen.params["filter"].startswith("updates:"):
        return works({"DOI": "10.1000/notice", "title": ["Retraction"], "update-to": [outcome]})
    asked = [part.removeprefix("doi:") for part in seen.params["filter"].split(",")]
    return works(*({"DOI": doi, "title": ["Pembrolizumab"], "type": "posted-content"} for doi in asked))


def play(server: FaultServer) -> None:
    server.on("/europepmc/search", europepmc_page(*PAPERS))
    server.on("/studies", studies([1, 2]))
    server.on("/molecule/search.json", chembl_table("molecules", molecule(1)))
    for path, reply in NO_ROWS.items():
        server.on(path, reply)
    server.on("/drug/label.json", openfda_page(label(1)))
    server.on("/drug/drugsfda.json", NOTHING_AT_OPENFDA)
    server.on("/drug/event.json", COUNTS)
    server.on("/works", crossref)
    pages = [result | {"url": "https://pages.example/1"} for result in results([1])]  # of no public domain: not read
    server.on("/searxng/search", in_json({"results": pages, "unresponsive_engines": []}))


class Live(Program):
    """The program and the server that plays the services."""

    server: FaultServer

    def listed(self, **more: str) -> str:
        """The list of services, each at a path of its own."""
        path = self.folder / ("changed.yaml" if more else "list.yaml")
        return str(services_at(path, self.server.url, SERVICES, **more))

    async def run(self, *argv: str | Path, **env: str) -> Outcome:
        """The command, while the server plays in this loop."""
        env.setdefault("STORM_DATABASES", self.listed())
        return await asyncio.to_thread(self, *argv, **env)

    def dossier(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "out/dossier.json").read_text(encoding="utf-8"))
        return found


@pytest.fixture
async def live(program: Program) -> AsyncIterator[Live]:
    found = Live(program.data, program.folder)
    async with FaultServer() as server:
        play(server)
        found.server = server
        yield found


def statuses(dossier: Mapping[str, Any]) -> dict[str, str]:
    return {use["name"]: use["status"] for use in dossier["databases"]}


@pytest.mark.slow
async def test_a_run_searches_every_service_that_is_on(live: Live) -> None:
    outcome = await live.run("run", "pembrolizumab", "--out", "out")
    dossier = live.dossier()
    assert statuses(dossier) == dict.fromkeys(
        ("europepmc", "clinicaltrials", "chembl", "openfda", "web", "crossref"), "found"
    )
    assert outcome.code == 3  # too few sources
    assert "sample" not in outcome.text
    assert {reference["source_type"] for reference in dossier["references"]} >= {"europepmc", "chembl"}
    asked = {line["database"]: line["address"] for line in dossier["search_log"] if line["question"] != "sources"}
    assert all(address.startswith(live.server.url) for address in asked.values())
    assert "The europepmc (what europepmc has)" in outcome.out


@pytest.mark.slow
async def test_a_name_is_resolved_once_and_searched_by_all_its_names(live: Live) -> None:
    await live.run("run", "keytruda", "--out", "out")
    dossier = live.dossier()
    assert dossier["names"] == ["keytruda", "PEMBROLIZUMAB"]
    assert (dossier["identity"]["inn"], dossier["identity"]["chembl"]) == ("PEMBROLIZUMAB", "CHEMBL1")
    queries = [seen.params["query"] for seen in live.server.requests if seen.path.endswith("/europepmc/search")]
    assert all('"PEMBROLIZUMAB"' in query and '"keytruda"' in query for query in queries)
    page = (live.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert "PEMBROLIZUMAB; CHEMBL1; UNII DPT0O3T46P; “keytruda” is its brand in label" in page


@pytest.mark.slow
async def test_a_service_that_fails_is_reported_everywhere_and_the_others_are_kept(live: Live) -> None:
    live.server.on("/molecule/search.json", Reply("", status=503))
    outcome = await live.run("run", "pembrolizumab", "--out", "out", "--json")
    assert outcome.code == 3
    reason = outcome.json()["not_searched"]["chembl"]
    assert reason == "it answered HTTP 503 after 3 tries"
    assert statuses(live.dossier()) | {"chembl": "failed", "europepmc": "found"} == statuses(live.dossier())
    assert f"> Could not be searched: ChEMBL ({reason})" in (live.folder / "out/dossier.md").read_text(encoding="utf-8")
    watched = await live.run("watch", outcome.json()["job_id"], "--all")
    assert f"ChEMBL: failed ({reason})" in watched.out


@pytest.mark.slow
async def test_a_service_that_fails_in_part_is_reported_and_what_it_gave_is_kept(live: Live) -> None:
    live.server.on("/drug/drugsfda.json", Reply("", status=503))
    outcome = await live.run("run", "pembrolizumab", "--out", "out", "--json")
    ended = outcome.json()
    assert ended["not_searched"] == {}
    assert ended["searched_in_part"] == {"openfda": "it answered HTTP 503 after 3 tries"}
    assert "> Searched in part: openFDA (it answered HTTP 503" in (live.folder / "out/dossier.md").read_text("utf-8")
    assert "openfda" in {reference["source_type"] for reference in live.dossier()["references"]}


async def test_a_search_by_hand_that_fails_in_part_shows_what_it_found_and_exits_3(live: Live) -> None:
    assert (await live.run("databases", "search", "openfda", "pembrolizumab")).code == 0
    live.server.on("/drug/drugsfda.json", Reply("", status=503))
    outcome = await live.run("databases", "search", "openfda", "pembrolizumab")
    assert outcome.code == 3
    assert "shown." in outcome.out
    assert "Searched in part: it answered HTTP 503 after 3 tries." in outcome.text


@pytest.mark.slow
@pytest.mark.parametrize(("failing", "code", "word"), [((), 0, "complete"), (("/drug/drugsfda.json",), 3, "partial")])
async def test_a_run_says_whether_it_is_complete_and_is_not_if_a_search_failed_in_part(
    live: Live, failing: tuple[str, ...], code: int, word: str
) -> None:
    """Everything that is asked for is found in both."""
    for path in failing:
        live.server.on(path, Reply("", status=503))
    (live.folder / "one.yaml").write_text(ONE_QUESTION, encoding="utf-8")
    outcome = await live.run("run", "pembrolizumab", "--syllabus", "one.yaml", "--out", "out")
    assert (outcome.code, live.dossier()["exit_code"]) == (code, code)
    assert f"the dossier is {word}" in outcome.out
    (job,) = (await live.run("jobs", "--json")).json()
    assert (job["exit_code"], job["complete"]) == (code, code == 0)
    assert (await live.run("jobs")).out.splitlines()[1].split()[4] == word


@pytest.mark.slow
async def test_what_a_name_means_is_not_reported_as_unknown_where_nobody_could_be_asked(live: Live) -> None:
    for path in ("/molecule/search.json", "/drug/label.json", "/drug/drugsfda.json", "/drug/event.json"):
        live.server.on(path, Reply("", status=500))
    await live.run("run", "pembrolizumab", "--out", "out")
    page = (live.folder / "out/dossier.md").read_text("utf-8")
    assert "| Identity | not resolved: ChEMBL, openFDA could not be asked |" in page
    assert "no drug record" not in page


async def test_one_record_is_fetched_by_its_id(live: Live) -> None:
    live.server.on("/studies/NCT00000001", in_json(study(1)))
    found = await live.run("databases", "fetch", "clinicaltrials", "NCT00000001")
    assert (found.code, found.out.splitlines()[1]) == (0, "https://clinicaltrials.gov/study/NCT00000001")
    live.server.on(
        "/studies/NCT00000002", Reply("NCT number NCT00000002 not found", status=404, content_type="text/plain")
    )
    none = await live.run("databases", "fetch", "clinicaltrials", "NCT00000002")
    assert (none.code, none.out) == (4, "clinicaltrials has no record NCT00000002.\n")
    web = await live.run("databases", "fetch", "web", "https://pages.example/1")
    assert (web.code, web.is_one_clear_error()) == (3, True)


@pytest.mark.slow
async def test_a_retraction_that_only_crossref_knows_is_reported_at_the_source(live: Live) -> None:
    await live.run("run", "pembrolizumab", "--out", "out")
    retractions = {
        identifier: reference["retraction"]
        for reference in live.dossier()["references"]
        for identifier in reference["identifiers"]
    }
    assert retractions[f"doi:{RETRACTED}"] == "retracted"
    assert retractions["doi:10.1000/kn1"] == "not_retracted"
    assert "**RETRACTED**" in (live.folder / "out/dossier.md").read_text(encoding="utf-8")


@pytest.mark.slow
async def test_offline_nobody_is_asked(live: Live) -> None:
    outcome = await live.run("run", "trastuzumab", "--offline", "--out", "out")
    assert (outcome.code, live.server.connections) == (0, 0)


@pytest.mark.slow
def test_where_nothing_can_be_reached_the_sample_is_searched_and_each_failure_listed(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--out", "out")
    assert outcome.code == 3
    assert "Could not be searched: ChEMBL, PubMed (no connection)" in outcome.out
    assert "Note: No public database could be searched." in outcome.out
    page = (program.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert "> Could not be searched: ChEMBL, PubMed (no connection)" in page
    assert "| Bundled sample |" in page


@pytest.mark.slow
async def test_your_own_corpus_is_searched_with_the_services_and_in_place_of_the_sample(live: Live) -> None:
    rows = "database,external_id,url,title,text\npubmed,1,https://example.org/1,Pembrolizumab safety,Fever in 3%.\n"
    (live.folder / "own.csv").write_text(rows, encoding="utf-8")
    await live.run("corpus", "add", "own.csv")
    await live.run("run", "pembrolizumab", "--out", "out")
    assert statuses(live.dossier()) | {"corpus": "found", "europepmc": "found"} == statuses(live.dossier())
    alone = await live.run("run", "pembrolizumab", "--out", "out", STORM_DATABASES=str(NOBODY))
    assert alone.code == 3
    assert statuses(live.dossier()) == {"chembl": "failed", "pubmed": "failed", "corpus": "found"}


async def test_only_the_databases_that_are_asked_for_are_searched(live: Live) -> None:
    await live.run("run", "pembrolizumab", "--databases", "europepmc", "--out", "out")
    assert set(statuses(live.dossier())) == {"europepmc", "crossref"}


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("nosuch", {}, "there is no database nosuch to search"),
        ("chembl", {"enabled": "false"}, "The chembl is switched off"),
        ("chembl", {"key_variable": "A_KEY", "key_required": "true"}, "The chembl needs a key"),
    ],
)
async def test_a_database_that_cannot_be_asked_is_refused_with_what_to_do(
    live: Live, name: str, settings: dict[str, str], message: str
) -> None:
    listed = live.listed(**settings)
    outcome = await live.run("run", "pembrolizumab", "--databases", name, STORM_DATABASES=listed)
    assert outcome.code == (2 if name == "nosuch" else 3)
    assert outcome.is_one_clear_error()
    assert message in outcome.err
    assert live.server.requests == []


async def test_a_database_that_the_list_does_not_have_is_refused_and_not_looked_for_in_the_sample(live: Live) -> None:
    outcome = await live.run("run", "pembrolizumab", "--databases", "pubmed")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "there is no database pubmed to search" in outcome.err


@pytest.mark.parametrize(("name", "record"), [("clinicaltrials", "NCT1"), ("europepmc", "x y"), ("crossref", "no doi")])
async def test_an_id_that_cannot_be_one_is_not_reported_as_a_record_that_is_not_there(
    live: Live, name: str, record: str
) -> None:
    outcome = await live.run("databases", "fetch", name, record)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert f"{record!r} is not a valid" in outcome.err
    assert live.server.requests == []


PATHS = (
    "/europepmc/search", "/studies", "/molecule/search.json", "/searxng/search", "/drug/label.json",
    "/drug/drugsfda.json", "/drug/event.json", "/works",
)  # fmt: skip


@pytest.mark.slow
async def test_where_all_services_refuse_the_sample_is_searched_and_each_failure_listed(live: Live) -> None:
    for path in PATHS:
        live.server.on(path, Reply("", status=403))
    outcome = await live.run("run", "trastuzumab", "--out", "out")
    dossier = live.dossier()
    assert (outcome.code, dossier["stopped"]) == (3, "complete")
    assert statuses(dossier) == {
        **dict.fromkeys(("chembl", "clinicaltrials", "europepmc", "openfda", "web"), "failed"), "sample": "found",
    }  # fmt: skip
    assert "Could not be searched: " in outcome.out
    assert "it answered HTTP 403" in outcome.out
    assert dossier["notes"][0] == "No public database could be searched."
    assert {reference["source_type"] for reference in dossier["references"]} > {"pubmed", "clinicaltrials"}


@pytest.mark.slow
async def test_where_one_service_answers_the_sample_is_not_searched(live: Live) -> None:
    for path in PATHS:
        live.server.on(path, Reply("", status=403))
    live.server.on("/studies", studies([1, 2]))
    outcome = await live.run("run", "trastuzumab", "--out", "out")
    assert (outcome.code, "sample" in statuses(live.dossier())) == (3, False)


async def test_a_job_in_which_nothing_could_be_searched_says_that_in_every_answer(live: Live) -> None:
    listed = str(services_at(live.folder / "one.yaml", live.server.url, ("europepmc",)))
    live.server.on("/europepmc/search", Reply("", status=403))
    outcome = await live.run("run", "pembrolizumab", "--databases", "europepmc", "--out", "out", STORM_DATABASES=listed)
    dossier = live.dossier()
    assert (outcome.code, dossier["stopped"]) == (3, "nothing_searched")
    assert all("What is missing here may be there." in answer["gaps"][-1] for answer in dossier["answers"])


async def test_where_no_database_is_switched_on_that_is_said(live: Live) -> None:
    outcome = await live.run("run", "pembrolizumab", STORM_DATABASES=live.listed(enabled="false"))
    assert (outcome.code, outcome.is_one_clear_error()) == (3, True)
    assert "no public database is switched on" in outcome.err


@pytest.mark.slow
async def test_a_recorded_job_is_replayed_without_a_network(live: Live) -> None:
    first = await live.run("run", "pembrolizumab", "--out", "out", STORM_HTTP="record:traffic")
    recorded = live.dossier()
    calls = len(live.server.requests)
    again = await live.run("run", "pembrolizumab", "--out", "out", STORM_HTTP="replay:traffic")
    assert (again.code, len(live.server.requests)) == (first.code, calls)
    replayed = live.dossier()
    assert replayed["notes"][-1] == "The public databases were not asked: their answers come from a recording."
    same = ("names", "identity", "answers", "references", "coverage", "at_a_glance", "databases")
    assert {part: replayed[part] for part in same} == {part: recorded[part] for part in same}


async def test_a_replay_of_what_was_not_recorded_is_a_failure(live: Live) -> None:
    (live.folder / "traffic").mkdir()
    outcome = await live.run("run", "pembrolizumab", "--out", "out", STORM_HTTP="replay:traffic")
    assert outcome.code == 3
    assert "no recorded answer in traffic" in outcome.out
    assert live.server.requests == []


@pytest.mark.slow
async def test_no_key_is_written_anywhere(live: Live) -> None:
    listed = live.listed(key_variable="A_KEY", ttl="3600")
    env = {"STORM_DATABASES": listed, "A_KEY": "s3cret-key", "STORM_CONTACT": "someone@example.org"}
    live.server.on("/molecule/search.json", Reply('{"error": "bad key s3cret-key"}', status=403))
    ended = "asked by s3cret-key of someone@example.org"
    echoes = (record | {"title": f"{record['title']} {ended}"} for record in PAPERS)
    live.server.on("/europepmc/search", europepmc_page(*echoes))
    outcome = await live.run("run", "pembrolizumab", "--out", "out", **env)
    described = await live.run("databases", "--json", **env)
    checked = await live.run("doctor", **env)
    assert described.json()[0]["key_set"] is True
    assert "asked by [redacted] of [redacted]" in str(live.dossier()["references"])
    assert (live.data / "http" / "answers.db").exists()
    written = [path.read_bytes() for path in live.folder.rglob("*") if path.is_file()]
    for text in (outcome.text, described.text, checked.text, *map(str, written)):
        assert "s3cret-key" not in text
        assert "someone@example.org" not in text


@pytest.mark.slow
async def test_a_name_of_several_drugs_is_refused_until_one_is_chosen(live: Live) -> None:
    second = molecule(2) | {"pref_name": "OTHERMAB"}
    second["molecule_synonyms"] = [{"molecule_synonym": "KEY-1", "syn_type": "OTHER", "synonyms": "KEY-1"}]
    first = molecule(1) | {"molecule_synonyms": second["molecule_synonyms"]}
    live.server.on("/molecule/search.json", chembl_table("molecules", first, second))
    refused = await live.run("run", "KEY-1", "--databases", "chembl", "--out", "out")
    assert (refused.code, refused.is_one_clear_error()) == (2, True)
    assert "CHEMBL1" in refused.err
    assert "CHEMBL2" in refused.err
    await live.run("run", "KEY-1", "--databases", "chembl", "--meaning", "CHEMBL2", "--out", "out")
    identity = live.dossier()["identity"]
    assert (identity["inn"], identity["chosen"]) == ("OTHERMAB", "OTHERMAB")
    assert len(identity["candidates"]) == 2


@pytest.mark.slow
async def test_a_search_of_one_database_tells_its_three_outcomes_apart(live: Live) -> None:
    found = await live.run("databases", "search", "europepmc", "pembrolizumab")
    assert (found.code, found.out.splitlines()[-1]) == (0, "2 of 2 shown.")
    live.server.on("/europepmc/search", europepmc_page())
    none = await live.run("databases", "search", "europepmc", "pembrolizumab", "safety")
    assert none.code == 4
    assert "Europe PMC (what europepmc has) was searched and has nothing that matches." in none.out
    live.server.on("/europepmc/search", replace(europepmc_page(), status=500))
    failed = await live.run("databases", "search", "europepmc", "pembrolizumab", "harm")
    assert failed.code == 3
    assert "Europe PMC could not be searched: it answered HTTP 500" in failed.err
    assert "nothing that matches" not in failed.text


async def test_a_phrase_that_a_service_has_nothing_for_is_searched_by_its_words_and_it_is_said(live: Live) -> None:
    live.server.on("/europepmc/search", europepmc_page(), europepmc_page(PAPERS[0]))
    found = await live.run("databases", "search", "europepmc", "half-life of pembrolizumab")
    assert found.code == 0
    assert found.out.startswith("No record contains 'half-life of pembrolizumab' as written. With all of half-life,")
    asked = [seen.params["query"] for seen in live.server.requests if "/europepmc/search" in seen.path][-2:]
    assert ['"half-life of pembrolizumab"' in query for query in asked] == [True, False]
    assert '("half-life") AND ("pembrolizumab")' in asked[-1]


async def test_a_search_as_json_has_its_outcome_and_hits(live: Live) -> None:
    found = (await live.run("databases", "search", "clinicaltrials", "pembrolizumab", "--json")).json()
    assert (found["status"], found["total"], len(found["hits"])) == ("found", 2, 2)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nosuch", "x"], "there is no public database nosuch"),
        (["searxng", "x"], "cannot be searched by that name"),
        (["europepmc", "?!"], "the query has no letter or digit"),
        (["europepmc", "x", "--since", "tomorrow"], "since is 'tomorrow'"),
        (["europepmc", "x", "--since", "2024", "--until", "2020"], "since 2024 is after until 2020"),
    ],
)
async def test_a_search_that_cannot_be_made_says_why(live: Live, argv: list[str], message: str) -> None:
    outcome = await live.run("databases", "search", *argv)
    assert outcome.code == 2
    assert message in outcome.err
    assert "Traceback" not in outcome.text


def test_a_mistake_in_the_list_of_services_is_reported_with_its_line(program: Program) -> None:
    broken = program.folder / "broken.yaml"
    broken.write_text("pubmed:\n  label: PubMed\n  base_url: http://127.0.0.1\n  scope: papers\n  rate: fast\n")
    for argv in (["databases"], ["run", "x"], ["databases", "search", "pubmed", "x"], ["doctor"]):
        outcome = program(*argv, STORM_DATABASES=str(broken))
        assert outcome.code in (1, 2)
        assert outcome.text.count("broken.yaml, line 5, pubmed.rate: 'fast'") == 1
        assert "Traceback" not in outcome.text


def test_a_service_that_storm_has_no_client_for_is_a_mistake_in_the_list(program: Program) -> None:
    other = program.folder / "other.yaml"
    other.write_text("embase:\n  label: Embase\n  base_url: http://127.0.0.1\n  scope: papers\n  rate: 1\n")
    outcome = program("databases", STORM_DATABASES=str(other))
    assert outcome.code == 2
    assert "other.yaml, line 1, embase: storm has no client for it" in outcome.err


@pytest.mark.parametrize("setting", ["play:x", "record:", "replay:nowhere"])
def test_a_wrong_way_to_the_network_is_refused(program: Program, setting: str) -> None:
    outcome = program("run", "trastuzumab", STORM_HTTP=setting)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)


def test_the_doctor_names_what_cannot_be_reached_and_what_to_do(program: Program) -> None:
    outcome = program("doctor")
    assert outcome.code == 1
    assert "FAILS public databases: 2 of 2 cannot be reached: PubMed, ChEMBL (no connection)" in outcome.out
    assert "without a network: --offline" in outcome.out


async def test_the_doctor_is_content_where_all_answer(live: Live) -> None:
    outcome = await live.run("doctor")
    assert (outcome.code, live.server.requests) == (0, [])
    assert "ok    public databases: 6 of 6 can be reached" in outcome.out


@pytest.mark.parametrize(
    "command", [("fetch", "pubmed", "abc"), ("fetch", "pubmed", ""), ("read", "foo"), ("read", "")]
)
def test_what_cannot_be_asked_for_is_a_usage_error(program: Program, command: tuple[str, ...]) -> None:
    outcome = program("databases", *command)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)


def test_a_folder_that_cannot_be_recorded_into_is_one_clear_line(program: Program) -> None:
    outcome = program("databases", "search", "pubmed", "x", STORM_HTTP="record:/proc/x")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "cannot record into /proc/x" in outcome.err and "STORM_HTTP" in outcome.err


@pytest.mark.slow
def test_a_record_that_cannot_be_fetched_names_its_database(program: Program) -> None:
    outcome = program("databases", "fetch", "pubmed", "16236737")
    assert outcome.code == 3 and outcome.err.startswith("Error: PubMed")


def test_a_contact_that_is_no_address_is_refused(program: Program) -> None:
    outcome = program("databases", STORM_CONTACT="notanemail")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True) and "STORM_CONTACT" in outcome.err
