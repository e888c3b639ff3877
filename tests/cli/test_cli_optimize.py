"""`storm optimize` and `storm run --program`: from the command line to a model server on loopback, and back."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agents.openai_server import ModelServer, answer, failed
from fault_server import Reply, Seen
from optimize.example import DATASET, ROOT, script, settings, write_dataset
from storm_program import Outcome, Program

from storm.agents.broad_researcher import BroadResearcher
from storm.agents.program import CrewProgram, to_saved_program
from storm.agents.program_file import write_program
from storm.api import job_request
from storm.app import open_app, utc_now
from storm.optimize.scoring import REPORT_WEIGHTS
from storm.programs import AnswerSynthesizer, DossierProgram, SupportJudge
from storm.settings import Environment

MODEL = "openai/house-model"
EXAMPLE = script()


def playing(model: Any) -> Callable[[Seen], Reply]:
    """The example's model behind OpenAI's interface; to a trial question it says yes."""

    def play(seen: Seen) -> Reply:
        outcome, *shown = [message["content"] for message in seen.json["messages"]]
        said = model.reply(outcome, "\n".join(shown[:-1]), shown[-1], False) if shown else "yes"
        return answer(said, prompt=sum(map(len, (outcome, *shown))) // 4, reply=20)

    return play


async def call(program: Program, server: ModelServer, *argv: str | Path, **env: str) -> Outcome:
    env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"} | env
    return await asyncio.to_thread(program, *argv, **env)


@pytest.mark.slow
async def test_a_program_is_made_saved_and_used(program: Program) -> None:
    out = program.folder / "programs/made.json"
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        made = await call(
            program, server, "optimize", DATASET, "--optimizer", "bootstrap", "--model", MODEL, "--out", out
        )
        assert made.code == 0, made.text
        asked = len(server.calls)
        run = await call(
            program, server, "run", "trastuzumab", "--offline", "--prefill", "none", "--model", MODEL, "--program", out,
            "--out", "out", "--syllabus", DATASET.with_suffix(".yaml"),
        )  # fmt: skip
        shown = [message["content"] for seen in server.calls[asked:] for message in seen["messages"]]
    assert [line.split()[:2] for line in made.out.splitlines()[1:5]] == [
        ["train", "before"], ["train", "after"], ["dev", "before"], ["dev", "after"],
    ]  # fmt: skip
    assert f"Saved: {out}" in made.out and "job 1, " in made.err
    report = json.loads((program.folder / "out/dossier.json").read_text(encoding="utf-8"))
    assert report["engine"] == f"{MODEL} as agent, writer, judge; program made (bootstrap)"
    demo = json.loads(out.read_text(encoding="utf-8"))["predictors"]["writer"]["demos"][0]
    assert any(demo["statements"][0]["quote"] in text for text in shown)
    assert run.code in (0, 3)
    assert "sk-verysecret" not in made.text + run.text + out.read_text(encoding="utf-8") + json.dumps(report)
    assert server.base not in out.read_text(encoding="utf-8")


@pytest.mark.slow
async def test_without_a_file_of_its_own_a_program_replaces_no_earlier_one(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = shutil.copytree(ROOT / "config", program.folder / "config", ignore=shutil.ignore_patterns("programs"))
    monkeypatch.setattr("storm.settings._find_config_dir", lambda: config)
    earlier = config / "programs" / f"{DATASET.stem}-bootstrap.json"
    earlier.parent.mkdir()
    earlier.write_text("mine", encoding="utf-8")
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        made = await call(program, server, "optimize", DATASET, "--optimizer", "bootstrap", "--model", MODEL, "--json")
    assert made.json()["saved"] == str(earlier.with_stem(f"{earlier.stem}-2"))
    assert earlier.read_text(encoding="utf-8") == "mine"


def test_models_without_one_for_the_agent_are_reported_in_one_line(program: Program) -> None:
    models = program.folder / "models.yaml"
    models.write_text("writer: {name: openai/house-model}\n", encoding="utf-8")
    for argv in (["optimize", str(DATASET)], ["run", "trastuzumab", "--offline"]):
        outcome = program(*argv, STORM_MODELS=str(models), OPENAI_API_KEY="k")
        assert (outcome.code, outcome.is_one_clear_error()) == (2, True), outcome.text
        assert "models.yaml, line 1, agent: the key is missing" in outcome.err


@pytest.mark.slow
async def test_the_result_is_json_alone_where_it_is_asked_for(program: Program) -> None:
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        made = await call(
            program, server, "optimize", DATASET, "--optimizer", "bootstrap", "--model", MODEL, "--json",
            "--out", program.folder / "made.json",
        )  # fmt: skip
    outcome = made.json()
    assert (made.code, made.err, outcome["worse"]) == (0, "", False)
    assert outcome["saved"] == str(program.folder / "made.json")
    rows = {(row["cases"], row["program"]): row for row in outcome["rows"]}
    assert rows["dev", "after"]["score"] > rows["dev", "before"]["score"]
    assert rows["dev", "after"]["spent"]["calls"] > 0


@pytest.mark.slow
async def test_where_nothing_better_is_found_nothing_is_saved(program: Program) -> None:
    class Deaf(EXAMPLE.ScriptedModel):  # type: ignore[name-defined,misc]
        """It does the same whatever it is asked or shown."""

        def reply(self, outcome: str, shown: str, asked: str, free: bool) -> str:
            said: str = super().reply("", "", asked, free)
            return said

    out = program.folder / "made.json"
    async with ModelServer(playing(Deaf())) as server:
        made = await call(
            program, server, "optimize", DATASET, "--optimizer", "bootstrap", "--model", MODEL, "--out", out
        )
    assert made.code == 3
    assert "Not saved: " in made.out
    assert not out.exists()


@pytest.mark.slow
async def test_at_its_limit_an_optimisation_ends_with_one_line(program: Program) -> None:
    out = program.folder / "made.json"
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        made = await call(
            program, server, "optimize", DATASET, "--model", MODEL, "--max-calls", "30", "--quiet", "--out", out
        )
        assert len(server.calls) <= 30
    assert (made.code, made.is_one_clear_error(), out.exists()) == (3, True, False)
    assert "a limit was reached" in made.err


async def test_sigterm_ends_an_optimisation_as_ctrl_c_does(program: Program) -> None:
    asked = asyncio.Event()

    def stuck(seen: Seen) -> Reply:
        asked.set()
        return Reply(silent=True)

    async with ModelServer(stuck) as server:
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "k"}
        child = await asyncio.to_thread(lambda: program.start("optimize", DATASET, "--model", MODEL, **env))
        await asked.wait()
        child.send(signal.SIGTERM)
        outcome = await asyncio.to_thread(child.end)
    assert (outcome.code, outcome.text) == (130, "Error: interrupted\n")


@pytest.mark.slow
async def test_what_dspy_saved_of_a_researcher_alone_is_a_program_for_run(program: Program) -> None:
    path, researcher = program.folder / "mine.json", BroadResearcher()
    researcher.react.signature = researcher.react.signature.with_instructions("MARKED: find the sources.")
    researcher.save(path)
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        run = await call(
            program, server, "run", "metformin", "--offline", "--model", MODEL, "--program", path, "--out", "out",
            "--out", "out", "--syllabus", DATASET.with_suffix(".yaml"),
        )  # fmt: skip
        asked = [seen["messages"][0]["content"] for seen in server.calls]
    assert run.code in (0, 3), run.text
    assert any("MARKED: find the sources." in text for text in asked)
    report = json.loads((program.folder / "out/dossier.json").read_text(encoding="utf-8"))
    assert report["engine"].endswith("; program mine (dspy)")


@pytest.mark.slow
async def test_each_saved_instruction_reaches_the_model_of_its_role_and_none_the_judge(program: Program) -> None:
    whole = DossierProgram(BroadResearcher(), AnswerSynthesizer(judge=SupportJudge()))
    for name, predictor in whole.named_predictors():
        mark = f"{predictor.signature.instructions}\nMARKED {name.rpartition('.')[2]}."
        predictor.signature = predictor.signature.with_instructions(mark)
    whole.save(program.folder / "mine.json")
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        models = program.folder / "models.yaml"
        models.write_text(
            "".join(f"{role}: {{name: openai/{role}-model, api_base: '{server.base}'}}\n"
                    for role in ("agent", "writer", "judge")), encoding="utf-8",
        )  # fmt: skip
        run = await asyncio.to_thread(
            program, "run", "metformin", "--offline", "--program", program.folder / "mine.json", "--out", "out",
            "--syllabus", DATASET.with_suffix(".yaml"), STORM_MODELS=str(models),
        )  # fmt: skip
        asked = [(seen["model"], seen["messages"]) for seen in server.calls]
    assert run.code in (0, 3), run.text
    found = {
        (model, mark)
        for model, messages in asked
        for mark in re.findall(r"MARKED (\w+)\.", messages[0]["content"]) or ["nothing"]
        if len(messages) > 1  # not a trial of how long a prompt may be
    }
    assert found == {
        ("agent-model", "react"), ("writer-model", "write"), ("writer-model", "compose"), ("judge-model", "nothing"),
    }  # fmt: skip
    engine = json.loads((program.folder / "out/dossier.json").read_text(encoding="utf-8"))["engine"]
    assert engine.endswith("; program mine (dspy)") and "openai/judge-model as judge" in engine


async def test_a_model_that_fails_in_a_job_is_reported_without_a_resume_of_what_is_thrown_away(
    program: Program,
) -> None:
    good = playing(EXAMPLE.ScriptedModel())

    def broke(seen: Seen) -> Reply:
        return good(seen) if len(seen.json["messages"]) == 1 else failed(402, "no credit")

    async with ModelServer(broke) as server:
        made = await call(program, server, "optimize", DATASET, "--model", MODEL, "--out", program.folder / "x.json")
    assert (made.code, made.is_one_clear_error()) == (1, True)
    assert "no credit" in made.err and "storm resume" not in made.text


async def test_a_model_that_fails_is_reported_in_one_line(program: Program) -> None:
    async with ModelServer(failed(401, "no such key")) as server:
        made = await call(program, server, "optimize", DATASET, "--model", MODEL, "--out", program.folder / "x.json")
    assert (made.code, made.is_one_clear_error()) == (1, True)
    assert "sk-verysecret" not in made.text


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nosuch.jsonl"], "nosuch.jsonl"),
        ([str(DATASET), "--mode", "deep"], "--mode is 'deep'; it must be one of broad, parallel"),
        ([str(DATASET), "--optimizer", "adam"], "there is no optimizer 'adam'"),
        ([str(DATASET), "--out", "missing.txt/x.json"], "cannot be saved"),
        ([str(DATASET), "--out", "x.pkl"], "must end in .json"),
        ([str(DATASET), "--out", "x"], "must end in .json"),
        ([str(DATASET), "--out", "precious.json"], "precious.json exists already and is not a program"),
        ([str(DATASET), "--model", "gpt"], "not a valid model name"),
    ],
)
def test_what_cannot_be_done_is_reported_before_anything_is_asked(
    program: Program, argv: list[str], message: str
) -> None:
    (program.folder / "missing.txt").touch()
    (program.folder / "precious.json").write_text('{"important": "not a program"}', encoding="utf-8")
    base = {"OPENAI_API_BASE": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "k"}
    outcome = program("optimize", "--model", MODEL, *argv, **base)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True), outcome.text
    assert message in outcome.err


def test_without_a_model_there_is_nothing_to_optimise_and_no_use_of_a_program(program: Program) -> None:
    outcome = program("optimize", DATASET)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    (program.folder / "made.json").write_text("{}", encoding="utf-8")
    for name in ("made.json", "nosuch", "made.pkl"):
        outcome = program("run", "trastuzumab", "--offline", "--program", name)
        assert (outcome.code, outcome.is_one_clear_error()) == (2, True), outcome.text


@pytest.mark.slow
async def test_a_resumed_job_keeps_its_program_even_if_the_file_is_gone(program: Program) -> None:
    path = program.folder / "mine.json"
    crew = CrewProgram()
    crew.agent.signature = crew.agent.signature.with_instructions("MARKED: find the sources.")
    write_program(to_saved_program(crew, name="mine", optimizer="gepa", created=utc_now(), scores={}), path)
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        environment = Environment(OPENAI_API_BASE=server.base, OPENAI_API_KEY="k")
        own = settings(program.folder)._replace(data_dir=program.data, environment=environment)
        async with open_app(own) as app:
            request = job_request("metformin", own, offline=True, model=MODEL, program=path)
            job = await app.start(request)
        path.unlink()
        await call(program, server, "resume", job.job_id, "--out", "out")
        asked = [seen["messages"][0]["content"] for seen in server.calls]
    assert any("MARKED: find the sources." in text for text in asked)
    report = json.loads((program.folder / "out/dossier.json").read_text(encoding="utf-8"))
    assert report["engine"].endswith("; program mine (gepa)")


@pytest.mark.long
@pytest.mark.slow
async def test_a_program_of_research_is_made_saved_and_used_for_questions_and_drugs(program: Program) -> None:
    out, dataset = program.folder / "deep.json", write_dataset(program.folder)
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        made = await call(
            program, server, "optimize", dataset, "--mode", "parallel", "--optimizer", "bootstrap", "--model", MODEL,
            "--out", out,
        )  # fmt: skip
        assert made.code == 0, made.text
        asked = len(server.calls)
        use = ("--offline", "--model", MODEL, "--program", out, "--out")
        question = await call(program, server, "report", "Is metformin safe?", *use, "report")
        drug = await call(
            program, server, "run", "metformin", "--mode", "parallel", *use, "drug", "--syllabus",
            DATASET.with_suffix(".yaml"),
        )  # fmt: skip
        shown = [message["content"] for seen in server.calls[asked:] for message in seen["messages"]]
        refused = await call(program, server, "run", "metformin", *use, "broad")
    assert made.out.split()[:9] == ["CASES", "PROGRAM", "SCORE", *map(str.upper, REPORT_WEIGHTS)]
    assert f'storm report "QUESTION" --model NAME --program {out}' in " ".join(made.out.split())
    for outcome, path in ((question, "report/report.json"), (drug, "drug/dossier.json")):
        assert outcome.code in (0, 3), outcome.text
        engine = json.loads((program.folder / path).read_text(encoding="utf-8"))["engine"]
        assert engine.endswith("; program deep (bootstrap)")
    (demo,) = json.loads(out.read_text(encoding="utf-8"))["predictors"]["query_writer"]["demos"][:1]
    assert any(demo["question"] in text for text in shown)
    assert (refused.code, refused.is_one_clear_error()) == (2, True), refused.text
    assert "deep was made for the mode parallel, and this job runs in the mode broad" in refused.err


async def test_the_program_of_broad_is_refused_by_a_report(program: Program) -> None:
    path = program.folder / "mine.json"
    write_program(to_saved_program(CrewProgram(), name="mine", optimizer="gepa", created=utc_now(), scores={}), path)
    async with ModelServer(playing(EXAMPLE.ScriptedModel())) as server:
        outcome = await call(program, server, "report", "Is it safe?", "--offline", "--model", MODEL, "--program", path)
        assert not server.calls
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True), outcome.text
    assert "mine was made for the mode broad, and this job runs in the mode report" in outcome.err
    assert "storm optimize DATASET --mode parallel" in outcome.err
