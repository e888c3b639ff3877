"""A model writes the searches of an item: of PubMed and of the web, and rules do where it does not."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import dspy
import httpx
import pytest
from agents.checklist_roles import BY_RULES, EFFECT, IN_REGISTRIES, PLAN, Rules, search
from agents.hostile import HOSTILE, obeys
from agents.research_roles import TODAY
from agents.scripted import DIALECTS, adapter, asked, chat, prompts_of, scripted_lm
from agents.writers import metered
from dspy import lm15
from fault_server import FaultServer, Reply, open_http, service_at

from storm.agents.item_query_writer import ModelItemQueryWriter
from storm.databases.http.recording import RecordingTransport, ReplayTransport
from storm.databases.services.pubmed import PubMed
from storm.errors import ModelError
from storm.models import Hit, Plan, Question, ResearchPlan, SearchQuery, SearchStatus
from storm.optimize.role_metrics import queries_metric

ALL = ("pubmed", "europepmc", "ctgov", "web")


def reply(pubmed: Any = ("survival",), web: Any = ("guideline",)) -> dict[str, Any]:
    return {"pubmed_searches": pubmed, "web_searches": web}


def writer(lm: Any = None, dialect: str = "chat", **options: Any) -> ModelItemQueryWriter:
    return ModelItemQueryWriter(lm, rule_based=Rules(), adapter=adapter(dialect), today=lambda: TODAY, **options)


async def written(lm: Any, question: Question = EFFECT, plan: Plan = PLAN, **options: Any) -> list[SearchQuery]:
    return list(await writer(lm, **{"available": ALL, **options}).write_queries(question, plan))


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_an_item_is_searched_in_pubmed_and_on_the_web_and_by_rules_elsewhere(dialect: str) -> None:
    lm = scripted_lm([DIALECTS[dialect](**reply(["survival", "cohort", "third"], ["guideline"]))])
    assert await written(lm, dialect=dialect) == [
        search("survival"), search("cohort"), search("guideline", "web"), IN_REGISTRIES,
    ]  # fmt: skip
    shown = asked(prompts_of(lm)[0])
    assert shown["today"] == "2026-11-23" and EFFECT.description in shown["item"]


async def test_a_search_in_pubmeds_syntax_goes_to_pubmed_as_written_and_elsewhere_as_its_terms() -> None:
    text = 'zorvimab[tiab] AND (survival[tiab] OR mortality[mh]) AND "clinical trial"[pt]'
    said = reply([text], ["zorvimab[tiab] guideline"])
    made = await written(scripted_lm([chat(**said)]))
    assert (made[0].databases, made[0].native) == (("pubmed",), text)
    assert (made[1].databases, made[1].native) == (("web",), "")
    on_sample = await written(scripted_lm([chat(**said)]), available=("sample",))
    assert (on_sample[0].native, on_sample[0].required) == ("", (("survival", "mortality"),))


async def test_a_search_of_pubmed_that_leaves_the_subject_out_has_its_names_and_the_plain_terms() -> None:
    made = await written(scripted_lm([chat(**reply(["survival[tiab] AND zorvimabs"], []))]))
    assert (made[0].native, made[0].names) == ("", PLAN.names)


@pytest.mark.parametrize(
    ("text", "sent", "said"),
    [
        (
            "zorvimab[tiab] and (survival[xx] OR mortality[mh]",
            "zorvimab[tiab] AND (survival OR mortality[mh])",
            "repaired: zorvimab[tiab] AND (survival OR mortality[mh])",
        ),
        (
            "NOT zorvimab[tiab] AND survival",
            '("zorvimab"[Text Word] OR "Zorvi"[Text Word]) AND ("survival"[Text Word])',
            "sent as plain terms, since NOT has nothing to join",
        ),
    ],
)
async def test_what_a_model_wrote_wrongly_is_repaired_or_sent_plain_by_pubmed_and_its_outcome_says_so(
    text: str, sent: str, said: str, tmp_path: Path
) -> None:
    query = (await written(scripted_lm([chat(**reply([text], []))])))[0]
    found = json.dumps({"esearchresult": {"count": "0", "retmax": "5", "retstart": "0", "idlist": []}})
    async with FaultServer() as server:
        server.on("/esearch.fcgi", Reply(found))
        transport = RecordingTransport(tmp_path / "calls", httpx.AsyncClient(trust_env=False))
        async with open_http(transport=transport) as http:
            await PubMed(http, service_at(server.url)).search(query, 5)
        requests, url = server.requests, server.url
    async with open_http(transport=ReplayTransport(tmp_path / "calls")) as http:
        outcome = await PubMed(http, service_at(url)).search(query, 5)
    assert requests[0].params["term"] == sent
    assert (outcome.status, outcome.query, outcome.reason) == (SearchStatus.NONE, text + " in pubmed", said)


async def test_the_prompt_asks_for_pubmeds_syntax_of_pubmed_alone() -> None:
    lm = scripted_lm([chat(**reply())])
    await written(lm)
    (pubmed,) = {line for line in prompts_of(lm)[0].splitlines() if "searches of PubMed" in line}
    (web,) = {line for line in prompts_of(lm)[0].splitlines() if "searches of the web" in line}
    assert "[tiab]" in pubmed and "AND, OR and NOT" in pubmed and "names of the subject included" in pubmed
    assert "plain words" in web and "[tiab]" not in web


async def test_where_the_model_has_no_search_of_pubmed_that_of_the_rules_stays() -> None:
    assert await written(scripted_lm([chat(**reply([]))])) == [search("guideline", "web"), BY_RULES, IN_REGISTRIES]


async def test_a_job_on_this_machine_searches_what_there_is_and_no_web() -> None:
    made = await written(scripted_lm([chat(**reply())]), available=("sample",))
    assert made == [search("survival", ""), BY_RULES, IN_REGISTRIES]


async def test_a_limit_of_the_request_holds() -> None:
    made = await written(scripted_lm([chat(**reply())]), available=("europepmc",), databases=("europepmc",))
    assert made[0] == search("survival", "europepmc") and all(query.databases != ("web",) for query in made)


async def test_a_question_that_is_not_biomedical_is_searched_on_the_web_alone() -> None:
    plan = PLAN.model_copy(update={"research": ResearchPlan(is_biomedical=False)})
    made = await written(scripted_lm([chat(**reply())]), plan=plan)
    assert made[0] == search("guideline", "web") and search("survival") not in made


@pytest.mark.parametrize("said", [[], ["NOT children"], ["?!"], ["NOT zorvimab[tiab]"]])
async def test_without_a_usable_search_the_model_is_asked_once_more_and_then_rules_search(said: list[str]) -> None:
    lm = scripted_lm([chat(**reply(said, said))] * 2)
    made = writer(lm, available=ALL)
    assert await made.write_queries(EFFECT, PLAN) == (BY_RULES, IN_REGISTRIES)
    assert "could not be used" in asked(prompts_of(lm)[1])["problems"]
    assert made.refusals == {EFFECT.key: "the model gave no reply that can be used"}


async def test_an_unreadable_reply_and_a_spent_budget_leave_it_to_rules_and_a_failing_model_fails_the_item() -> None:
    assert await written(scripted_lm(["[[ ## pub"] * 3)) == [BY_RULES, IN_REGISTRIES]
    made = writer(metered([], calls=0))
    assert await made.write_queries(EFFECT, PLAN) == (BY_RULES, IN_REGISTRIES)
    assert made.refusals == {EFFECT.key: "the budget was spent"}
    with pytest.raises(ModelError, match="nobody there"):
        await written(metered([lm15.AuthError("nobody there")]))


@pytest.mark.parametrize("name", list(HOSTILE))
async def test_orders_in_an_item_are_not_obeyed(name: str) -> None:
    question = EFFECT.model_copy(update={"description": HOSTILE[name], "focus": (HOSTILE[name],)})
    lm = scripted_lm([chat(**reply())])
    await written(lm, question)
    assert not obeys(prompts_of(lm)[0])


def test_it_is_saved_loaded_copied_and_compiled_by_example(tmp_path: Path) -> None:
    relevant = Hit.of("pubmed", "1", "https://example.org/1", "Survival with zorvimab", text="Survival was 25 months.")
    example = dspy.Example(question=EFFECT, plan=PLAN, records=[relevant]).with_inputs("question", "plan")
    with dspy.context(lm=scripted_lm(lambda _: chat(**reply(["survival"], []))), adapter=adapter("chat")):
        optimiser = dspy.BootstrapFewShot(metric=queries_metric, metric_threshold=0.75)
        made = optimiser.compile(copy.deepcopy(writer(available=("pubmed",))), trainset=[example])
    assert [name for name, _ in made.named_predictors()] == ["write"]
    assert [demo.pubmed_searches for demo in made.write.demos] == [["survival"]]
    made.save(tmp_path / "writer.json")
    again = writer()
    again.load(tmp_path / "writer.json")
    assert [demo["pubmed_searches"] for demo in again.write.demos] == [["survival"]]
