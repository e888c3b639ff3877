"""`storm run --model`: the whole way from the command line to a model server, which is played on loopback."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from agents.library import says
from agents.openai_server import ModelServer, answer, failed, rate_limited
from agents.scripted import DIALECTS, asked
from agents.writers import honest, role_of
from fault_server import Reply, Seen
from storm_program import Outcome, Program, await_event, newest_job

from storm.store.keys import JobKeys

MODEL = "openai/house-model"
WORDS = (
    "binding inhibits",
    "survival trial",
    "adverse cardiac",
    "biosimilar versus",
    "approval sales",
    "patent expiry",
)

#: The adapter of each role.
CHAT = {"agent": "chat", "writer": "chat", "judge": "chat"}

Play = Callable[[Seen], Reply]


def bibliographer(unsupported: Sequence[str] = (), adapters: Mapping[str, str] = CHAT) -> Callable[[str], str]:
    """Searches the sample question by question, saves what it sees, and stops when the state says that all is there.

    As judge it refuses statements with these words. In each role it replies as that adapter reads it.
    """
    seen: set[str] = set()
    searches = iter(WORDS * 20)

    def reply(prompt: str) -> str:
        fields = asked(prompt)
        if "state" not in fields:
            if "one word yes" in prompt:
                return "yes"
            role = role_of(prompt).replace("composer", "writer")
            return honest(unsupported=unsupported, dialect=DIALECTS[adapters[role]])(prompt)
        if "All that the syllabus needs is there" in fields["state"]:
            return says("finish", {}, dialect=adapters["agent"])
        needy = re.findall(r"^  (\S+): \d+ of \d+$", fields["state"], re.M) or ["clinical.efficacy"]
        for database, record in re.findall(r"^\s*(\w+) (\S+) · ", fields["recent_steps"], re.M):
            if record not in seen:
                seen.add(record)
                found = {"source_type": database, "external_id": record, "url": "", "title": ""}
                return says("save_source", {**found, "relevant_questions": needy}, dialect=adapters["agent"])
        arguments = {"words": next(searches), "question": needy[0]}
        return says("search_sample", arguments, dialect=adapters["agent"])

    return reply


def playing(model: Callable[[str], str]) -> Play:
    """The model behind OpenAI's interface; it counts a token for each word."""

    def play(seen: Seen) -> Reply:
        prompt = "\n\n".join(message["content"] for message in seen.json["messages"])
        return answer(model(prompt), prompt=len(prompt.split()), reply=20)

    return play


async def run(program: Program, server: ModelServer, *argv: str, **env: str) -> Outcome:
    env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"} | env
    return await asyncio.to_thread(
        program, "run", "trastuzumab", "--offline", "--prefill", "none", "--out", "out", *argv, **env
    )


def dossier(program: Program) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((program.folder / "out/dossier.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
async def test_a_model_gathers_and_writes_a_dossier_of_quoted_sentences(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL)
    report = dossier(program)
    assert outcome.code == 0, outcome.text
    assert report["engine"] == f"{MODEL} as agent, writer, judge"
    assert report["stopped"] == "complete"
    statements = [statement for each in report["answers"] for statement in each["statements"]]
    assert statements
    assert all(statement["verdict"] == "supported" and statement["quote"] for statement in statements)
    assert report["statements"]["supported"] >= len(statements) > report["statements"]["removed"] == 0
    paid = {(row["role"], row["question"]): row for row in report["spending"]}
    assert paid.keys() >= {("agent", None), ("writer", "clinical.safety")}
    assert "judge" in {role for role, _ in paid}
    assert len({json.dumps(call["messages"]) for call in server.calls}) == len(server.calls)  # none was made twice
    assert sum(row["calls"] for row in paid.values()) == len(server.calls)
    page = (program.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert re.search(r"^\| agent \| \d+ \| [\d,]+ \| [\d,]+ \| price unknown \|$", page, re.M)
    assert re.search(r"^\*Checked:\* \d+ statements written; \d+ supported by a source, 0 removed, 0 m", page, re.M)
    assert f"Language models: {len(server.calls)} calls, " in outcome.out
    gathering = outcome.err.partition("Gathering …\n")[2].partition("Checking …\n")[0].splitlines()
    assert len(gathering) == 3 and gathering[-1] == "  6 of 6 questions have enough sources"
    assert "sk-verysecret" not in outcome.text + json.dumps(report)


@pytest.mark.slow
async def test_another_process_sees_how_far_an_agent_is_and_as_often_as_a_person_wants_to_know(
    program: Program,
) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        await run(program, server, "--model", MODEL)
    job_id = await asyncio.to_thread(newest_job, program)
    watched = (await asyncio.to_thread(program, "watch", job_id, "--all")).out.splitlines()
    shown = [line for line in watched if re.match(r"[\d:]{8}  +\d+%  progress: mechanism\.moa \d/5, ", line)]
    saves = sum("  saved: " in line for line in watched)
    assert 2 < len(shown) <= saves
    percent = [int(line.split()[1].rstrip("%")) for line in watched[:-1]]
    assert percent == sorted(percent) and (percent[0], percent[-1]) == (0, 100)
    assert len({number for number in percent if 5 < number < 65}) > 2  # while the agent worked


@pytest.mark.slow
async def test_at_its_limit_a_job_writes_up_what_it_has_and_says_so(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL, "--max-calls", "8")
        assert len(server.calls) <= 8
    assert outcome.code == 3
    assert dossier(program)["stopped"] == "budget"
    assert "its budget was spent" in (program.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert "Note: A limit was reached: the next call of the " in outcome.out and "limit of 8 calls" in outcome.out


async def test_a_model_that_saves_nothing_of_what_it_finds_is_not_reported_as_nothing_found(program: Program) -> None:
    ends = [says("search_sample", {"words": "survival"}), says("finish", {}), says("finish", {})]
    async with ModelServer(*map(answer, ["yes", *ends])) as server:
        outcome = await run(program, server, "--model", MODEL)
    assert outcome.code == 3
    assert "found, but the language model saved none as a source" in outcome.out
    assert "the rules recognised no answer" not in outcome.text
    assert dossier(program)["stopped"] == "no_progress"
    assert "stopped because further searches found no more sources" in (program.folder / "out/dossier.md").read_text(
        "utf-8"
    )


@pytest.mark.slow
async def test_answers_of_which_the_judge_lets_nothing_stand_are_reported_as_missing(program: Program) -> None:
    async with ModelServer(playing(bibliographer(unsupported=[""]))) as server:
        outcome = await run(program, server, "--model", MODEL)
    report = dossier(program)
    assert outcome.code == 3
    assert not any(each["statements"] for each in report["answers"])
    assert "Note: Not answered, or only in part, although sources were found: " in outcome.out
    page = (program.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert "The language model wrote nothing that stands" in page and "was written by a language model" not in page


@pytest.mark.slow
async def test_a_model_that_fails_ends_the_gathering_and_what_was_saved_is_written_up(program: Program) -> None:
    good = playing(bibliographer())
    turns = [*[good] * 4, failed(400, "not now"), good]
    async with ModelServer(*turns) as server:
        outcome = await run(program, server, "--model", MODEL)
    assert outcome.code == 3
    report = dossier(program)
    assert report["stopped"] == "model_error"
    assert report["coverage"]["total"] > 0
    assert report["notes"][-1].startswith("The language model failed: ")
    assert "It stopped because its language model failed." in outcome.out


@pytest.mark.slow
async def test_after_a_model_that_failed_a_resume_gathers_on(program: Program) -> None:
    good = playing(bibliographer())
    async with ModelServer(*[good] * 4, failed(402, "no credit"), good) as server:
        await run(program, server, "--model", MODEL)
        job = dossier(program)["job_id"]
        before = len(server.calls)
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        outcome = await asyncio.to_thread(lambda: program("resume", job, **env))
    assert (outcome.code, dossier(program)["stopped"]) == (0, "complete")
    assert len(server.calls) > before
    assert "The language model failed" not in json.dumps(dossier(program)["notes"])


@pytest.mark.slow
async def test_after_replies_that_nobody_could_read_a_resume_gathers_on(program: Program) -> None:
    good = playing(bibliographer())

    def babble(seen: Seen) -> Reply:
        return answer("Well …") if "state" in asked(text_of(seen.json)) else good(seen)

    async with ModelServer(*[good] * 4, babble) as server:
        outcome = await run(program, server, "--model", MODEL)
        assert (outcome.code, dossier(program)["stopped"]) == (3, "model_error")
        server.on("/chat/completions", good)
        job, env = dossier(program)["job_id"], {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        outcome = await asyncio.to_thread(lambda: program("resume", job, **env))
    assert (outcome.code, dossier(program)["stopped"]) == (0, "complete")


@pytest.mark.slow
async def test_a_job_goes_on_with_another_model_and_counts_what_the_first_one_cost(program: Program) -> None:
    good = playing(bibliographer())
    async with ModelServer(*[good] * 4, failed(402, "no credit"), good) as server:
        await run(program, server, "--model", "openai/first-model")
        job, paid = dossier(program)["job_id"], sum(row["calls"] for row in dossier(program)["spending"])
        before = len(server.calls)
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        outcome = await asyncio.to_thread(lambda: program("resume", job, "--model", MODEL, **env))
        models = [call["model"] for call in server.calls]
    report = dossier(program)
    assert (outcome.code, report["stopped"], report["engine"]) == (0, "complete", f"{MODEL} as agent, writer, judge")
    ended = "Before, openai/first-model as agent, writer, judge worked on this job: sources may have been filed by it."
    assert ended in report["notes"] and not any("Before" in note for note in report["notes"] if note != ended)
    assert set(models[:before]) == {"first-model"} and set(models[before:]) == {"house-model"}
    assert sum(row["calls"] for row in report["spending"]) == paid + len(models) - before
    watched = await asyncio.to_thread(program, "watch", job, "--all")
    assert f"changed: goes on with {MODEL} in every role" in watched.out
    refused = await asyncio.to_thread(lambda: program("resume", job, "--model", MODEL, **env))
    assert (refused.code, refused.is_one_clear_error()) == (2, True)
    assert f"{job} is finished: no model is asked any more" in refused.err


@pytest.mark.slow
async def test_the_advice_for_a_wrong_model_can_be_followed_and_the_job_keeps_the_other_one(program: Program) -> None:
    async with ModelServer(failed(404, "no such model")) as server:
        outcome = await run(program, server, "--model", "openai/wrong-model")
        assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
        job = await asyncio.to_thread(newest_job, program)
        assert f"then go on: storm resume {job} (with another model: --model NAME)" in outcome.err
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        outcome = await asyncio.to_thread(lambda: program("resume", job, "--model", MODEL, **env))
        assert outcome.code == 1
        server.on("/chat/completions", playing(bibliographer()))
        outcome = await asyncio.to_thread(lambda: program("resume", job, **env))
        asked_last = server.calls[-1]["model"]
    assert (outcome.code, dossier(program)["stopped"], asked_last) == (0, "complete", "house-model"), outcome.text


async def test_a_model_of_unknown_price_is_not_gone_on_with_where_only_dollars_limit(program: Program) -> None:
    async with ModelServer(failed(401, "no such key")) as server:
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        outcome = await run(program, server, "--model", "openai/gpt-4.1-mini", "--max-usd", "2")
        assert outcome.code == 1
        job = await asyncio.to_thread(newest_job, program)
        outcome = await asyncio.to_thread(lambda: program("resume", job, "--model", MODEL, **env))
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert f"the price of {MODEL} is not known" in outcome.err


async def test_a_job_of_configured_models_that_are_gone_says_what_to_do(program: Program) -> None:
    async with ModelServer(failed(401, "no such key")) as server:
        models = program.folder / "models.yaml"
        models.write_text(f"agent:\n  name: {MODEL}\n  api_base: {server.base}\n", encoding="utf-8")
        await run(program, server, STORM_MODELS=str(models))
    job = await asyncio.to_thread(newest_job, program)
    outcome = await asyncio.to_thread(program, "resume", job)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert f"{job} was started with a language model, and none is chosen now" in outcome.err
    assert f"set STORM_MODELS as it was, or give one: storm resume {job} --model NAME" in outcome.err


@pytest.mark.slow
async def test_today_is_the_day_of_the_job_when_it_is_resumed_later_too(program: Program) -> None:
    good = playing(bibliographer())
    async with ModelServer(*[good] * 4, failed(402, "no credit"), good) as server:
        await run(program, server, "--model", MODEL)
        job, env = dossier(program)["job_id"], {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        program.server().ensure_running()
        with program.redis() as redis:
            redis.hset(JobKeys(job).metadata, "created", "2026-02-03T23:59:00+00:00")
        before = len(server.calls)
        await asyncio.to_thread(lambda: program("resume", job, **env))
        days = {asked(text_of(call)).get("today") for call in server.calls[before:]}
    assert days == {"2026-02-03", None}  # the judge and the composer are reported no day


async def test_a_model_that_fails_before_anything_is_saved_is_an_error_and_no_statement_about_the_drug(
    program: Program,
) -> None:
    def broke(seen: Seen) -> Reply:
        is_trial = "one word yes" in text_of(seen.json)
        return answer() if is_trial else Reply('{"error": {"message": "no credit"}}', status=402)

    async with ModelServer(broke) as server:
        outcome = await run(program, server, "--model", MODEL)
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "no credit" in outcome.err and "then go on: storm resume" in outcome.err
    assert not (program.folder / "out/dossier.json").exists()


async def test_a_missing_key_is_reported_before_anything_is_asked(program: Program) -> None:
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", "openai/gpt-4.1-mini")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "OPENAI_API_KEY is not set" in outcome.err


@pytest.mark.parametrize("model", ["gpt", "", "a b/c", "openai/"])
async def test_a_name_that_is_none_of_a_model_is_refused(program: Program, model: str) -> None:
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", model or " ")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)


@pytest.mark.slow
async def test_a_provider_that_nobody_knows_is_reported_before_a_job_is_created(program: Program) -> None:
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", "foo/bar")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "unknown provider 'foo'" in outcome.err
    assert await asyncio.to_thread(program.jobs) == []


@pytest.mark.slow
async def test_a_wait_that_a_server_asks_for_is_reported_while_it_lasts(program: Program) -> None:
    async with ModelServer(rate_limited(after=0.01), playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL)
    assert outcome.code == 0
    assert f"  {MODEL}: rate-limited (HTTP 429): too many tokens per minute; retrying in 1 s\n" in outcome.err


async def test_replies_that_nobody_can_read_are_reported_with_the_model_and_what_may_help(program: Program) -> None:
    async with ModelServer(answer("Lorem ipsum")) as server:
        outcome = await run(program, server, "--model", MODEL)
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert f"Error: {MODEL} gave no reply that can be read, 3 times (no next_thought, " in outcome.err
    assert "try `adapter: json` in config/models.yaml" in outcome.err


async def test_a_server_that_is_not_there_is_reported_in_one_line(program: Program) -> None:
    env = {"OPENAI_API_BASE": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "k"}
    outcome = await asyncio.to_thread(program, "run", "trastuzumab", "--offline", "--model", MODEL, **env)
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)


@pytest.mark.slow
async def test_models_of_the_configuration_are_used_without_an_option(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        models = program.folder / "models.yaml"
        models.write_text(f"agent:\n  name: {MODEL}\n  api_base: {server.base}\n", encoding="utf-8")
        outcome = await run(program, server, STORM_MODELS=str(models))
    assert dossier(program)["engine"] == f"{MODEL} as agent, writer, judge"
    assert outcome.code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "adapters",
    [{"agent": "json", "writer": "json", "judge": "xml"}, {"agent": "xml", "writer": "xml", "judge": "json"}],
)
async def test_each_role_is_asked_in_the_form_that_the_configuration_names(
    program: Program, adapters: Mapping[str, str]
) -> None:
    async with ModelServer(playing(bibliographer(adapters=adapters))) as server:
        models = program.folder / "models.yaml"
        roles = [f"{role}: {{name: {MODEL}, adapter: {name}}}\n" for role, name in adapters.items()]
        models.write_text("".join(roles), encoding="utf-8")
        outcome = await run(program, server, STORM_MODELS=str(models))
    report = dossier(program)
    assert (outcome.code, report["stopped"]) == (0, "complete"), outcome.text
    assert report["statements"]["supported"] > 0 == report["statements"]["unjudged"]
    assert sum("one word yes" in text_of(call) for call in server.calls) == 1  # one trial for one model


def text_of(call: Mapping[str, Any]) -> str:
    return "\n\n".join(message["content"] for message in call["messages"])


def questions_of(calls: Sequence[Mapping[str, Any]]) -> set[str]:
    """The labels of the questions that the writer was asked."""
    asked_for = (asked(text_of(call)).get("question", "") for call in calls)
    return {question.partition(":")[0] for question in asked_for if question}


@pytest.mark.slow
async def test_a_run_that_is_killed_while_it_answers_pays_again_only_for_the_call_in_flight(program: Program) -> None:
    good, reached = playing(bibliographer()), asyncio.Event()

    def stuck(seen: Seen) -> Reply:
        if role_of(text_of(seen.json)) == "composer" and questions_of([seen.json]) == {"Clinical safety"}:
            reached.set()
            return Reply(silent=True)
        return good(seen)

    async with ModelServer(stuck) as server:
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        options = ("run", "trastuzumab", "--offline", "--out", "out", "--model", MODEL, "--max-calls", "200")
        child = await asyncio.to_thread(lambda: program.start(*options, **env))
        job_id = await asyncio.to_thread(child.job_id)
        await asyncio.to_thread(await_event, program, job_id, "answer", 5)
        await asyncio.wait_for(reached.wait(), 60)
        child.send(signal.SIGKILL)
        await asyncio.to_thread(child.end)
        known = len(server.calls) - 1
        inspected = await asyncio.to_thread(lambda: program("inspect", job_id, "--json").json())
        assert inspected["spent"]["calls"] == known

        server.on("/chat/completions", good)
        before = len(server.calls)
        outcome = await asyncio.to_thread(lambda: program("resume", job_id, **env))
        again = server.calls[before:]
    assert outcome.code == 0, outcome.text
    assert questions_of(again) == {"Clinical safety"} and len(again) == 1
    assert sum(row["calls"] for row in dossier(program)["spending"]) == known + len(again)


@pytest.mark.slow
async def test_the_limit_of_calls_is_one_of_the_job_however_often_it_is_resumed(program: Program) -> None:
    good = playing(bibliographer())

    def refusing(seen: Seen) -> Reply:
        return failed(400, "not now") if questions_of([seen.json]) else good(seen)

    async with ModelServer(refusing) as server:
        outcome = await run(program, server, "--model", MODEL, "--max-calls", "14")
        assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
        first, refused = len(server.calls), sum(bool(questions_of([call])) for call in server.calls)
        assert 0 < first - refused < 14 and refused
        server.on("/chat/completions", good)
        job_id = await asyncio.to_thread(newest_job, program)
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        outcome = await asyncio.to_thread(lambda: program("resume", job_id, **env))
        assert first < len(server.calls) <= 14 + refused
        assert sum(row["calls"] for row in dossier(program)["spending"]) == len(server.calls) - refused
    report = dossier(program)
    assert (outcome.code, report["exit_code"]) == (3, 3)
    assert report["statements"]["supported"] > 0
    assert "The budget ran out before this answer was finished." in report["answers"][0]["gaps"]


@pytest.mark.slow
async def test_what_the_judge_refuses_is_marked_so_that_no_reader_overlooks_it(program: Program) -> None:
    judged = bibliographer(unsupported=["crystal structure", "PERUSE"])
    async with ModelServer(playing(judged)) as server:
        outcome = await run(program, server, "--model", MODEL, "--unsupported", "mark", "--json")
    counts = outcome.json()["statements"]
    assert counts["marked"] > 0 and outcome.json()["spent"]["calls"] == len(server.calls)
    report = dossier(program)
    verdicts = [statement["verdict"] for each in report["answers"] for statement in each["statements"]]
    assert verdicts.count("unsupported") == counts["marked"]
    page = (program.folder / "out/dossier.md").read_text(encoding="utf-8")
    assert page.count("\n- **⚠ NOT SUPPORTED by its source:** ") == counts["marked"]
    assert f"It does not support {counts['marked']} statement" in page
    assert report["statements"] == counts


async def test_dollars_do_not_limit_a_model_of_unknown_price_and_that_is_reported_before_any_call(
    program: Program,
) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL, "--max-usd", "2", "--max-minutes", "5")
        assert server.requests == []
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert f"the price of {MODEL} is not known" in outcome.err and "--max-tokens, --max-calls" in outcome.err
    assert await asyncio.to_thread(program.jobs) == []


@pytest.mark.slow
async def test_with_another_limit_the_cap_of_a_model_of_unknown_price_is_said(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        outcome = await run(program, server, "--model", MODEL, "--max-usd", "2", "--max-calls", "8")
        assert len(server.calls) <= 8
    ended = f"no price is known for {MODEL}: $2 cannot limit its cost, its limit is 8 calls"
    assert ended in dossier(program)["notes"] and ended in outcome.out


@pytest.mark.slow
async def test_the_mode_extractive_asks_no_model_though_one_is_configured(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        models = program.folder / "models.yaml"
        models.write_text(f"agent:\n  name: {MODEL}\n  api_base: {server.base}\n", encoding="utf-8")
        outcome = await run(program, server, "--mode", "extractive", "--json", STORM_MODELS=str(models))
        assert server.requests == []
    assert (outcome.code, outcome.json()["mode"], outcome.json()["spent"]) == (0, "extractive", None)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--mode", "broad"], "the mode broad needs a language model"),
        (["--mode", "extractive", "--model", MODEL], "the mode extractive asks no language model"),
        (["--mode", "extractive", "--max-calls", "3"], "the mode extractive asks no language model"),
        (["--max-usd", "2"], "a program and limits are for a language model, and none is chosen"),
        (["--max-calls", "3"], "a program and limits are for a language model, and none is chosen"),
        (["--mode", "deep"], "mode is 'deep'; it must be one of broad, extractive"),
        (["--unsupported", "hide"], "unsupported is 'hide'; it must be remove or mark"),
    ],
)
def test_a_mode_or_a_policy_that_cannot_be_is_refused(program: Program, argv: list[str], message: str) -> None:
    outcome = program("run", "trastuzumab", "--offline", *argv)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert message in outcome.err
    assert program.jobs() == []
