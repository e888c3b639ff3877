"""storm from Python, and the script that runs several drugs."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import docx
import pytest
from fault_server import FaultServer, Reply
from service_lists import services_at

import storm
from storm.api import JobOptions, ReportOptions, job_request
from storm.api.batches import BatchTable, LocalExecutor, read_batch, run_batch
from storm.app import App
from storm.errors import ConfigError, FormatUnavailable, SyllabusError, UsageError
from storm.models import Event, JobLimits, Spent, request_job_id
from storm.ports import EventSink
from storm.settings import Settings, read_settings

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data and working directory of one test."""
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_JOB_TTL_DAYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


@pytest.mark.parametrize("function", [storm.run, storm.arun])
def test_the_signature_of_a_run_names_every_option_of_a_job(function: Callable[..., object]) -> None:
    first, *parameters = inspect.signature(function).parameters
    assert first == "drug" and set(parameters[: len(JobOptions.__annotations__)]) == set(JobOptions.__annotations__)


@pytest.mark.parametrize("function", [storm.report, storm.areport])
def test_the_signature_of_a_report_names_its_options_and_none_of_a_drug(function: Callable[..., object]) -> None:
    first, *parameters = inspect.signature(function).parameters
    assert first == "question" and set(ReportOptions.__annotations__) <= set(parameters)
    assert not {"also", "meaning", "mode"} & set(parameters)


async def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="offlin"):
        await storm.arun("metformin", offlin=True)  # type: ignore[call-arg]


@pytest.mark.slow
def test_one_call_gives_one_dossier() -> None:
    dossier = storm.run("trastuzumab", offline=True)
    assert isinstance(dossier, storm.Dossier)
    assert (dossier.drug, dossier.exit_code, dossier.coverage.ready) == ("trastuzumab", 0, True)


@pytest.mark.slow
def test_a_call_writes_no_files_by_itself(tmp_path: Path) -> None:
    storm.run("metformin", offline=True)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.slow
async def test_a_program_with_an_event_loop_awaits_it() -> None:
    dossier = await storm.arun("metformin", offline=True)
    assert dossier.exit_code == 0


@pytest.mark.slow
def test_a_dossier_is_written_as_markdown_and_json() -> None:
    dossier = storm.run("trastuzumab", offline=True)
    assert storm.to_markdown(dossier).startswith("# trastuzumab: research dossier\n")
    assert "<title>trastuzumab: research dossier</title>" in storm.to_html(dossier)
    assert storm.Dossier.model_validate_json(storm.to_json(dossier)) == dossier


@pytest.mark.slow
async def test_an_observer_is_called_with_each_event_as_it_happens() -> None:
    seen: list[Event] = []
    await storm.arun("metformin", offline=True, on_event=seen.append)
    assert [event.message for event in seen if event.kind == "stage"] == ["plan", "gather", "check", "answer", "report"]
    assert any(event.kind == "search" for event in seen)
    assert [event for event in seen if event.kind == "progress"][-1].data["mechanism.moa"].endswith("/5")
    assert [event.progress for event in seen] == sorted(event.progress for event in seen)
    assert [event.kind for event in seen if event.progress == 1] == ["finished"]
    assert len({event.job_id for event in seen}) == 1


@pytest.mark.slow
async def test_an_observer_that_fails_costs_its_own_events_and_nothing_of_the_job(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen: list[Event] = []

    def observe(event: Event) -> None:
        seen.append(event)
        if event.kind == "saved":
            raise KeyError("of the caller's own")

    dossier = await storm.arun("metformin", offline=True, on_event=observe)
    assert dossier == (await storm.arun("metformin", offline=True)).model_copy(
        update={"job_id": dossier.job_id, "created": dossier.created, "search_log": dossier.search_log}
    )
    assert [event.kind for event in seen].count("saved") == 1 and seen[-1].kind == "saved"
    assert [record.name for record in caplog.records if record.exc_info] == ["storm.store.events"]


@pytest.mark.slow
def test_the_log_of_an_observer_that_fails_shows_its_own_error_alone(caplog: pytest.LogCaptureFixture) -> None:
    def observe(event: Event) -> None:
        raise KeyError("of the caller's own")

    storm.run("metformin", offline=True, on_event=observe)
    (logged,) = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert isinstance(logged, KeyError) and logged.__context__ is logged.__cause__ is None


@pytest.mark.slow
async def test_settings_can_be_given_instead_of_the_environment(tmp_path: Path) -> None:
    other = tmp_path / "other"
    settings = Settings(other, ROOT / "config", None, timedelta(days=1), True, ROOT / "config/databases.yaml")
    await storm.arun("metformin", offline=True, settings=settings)
    assert (other / "store").is_dir() and not (tmp_path / "data/store").exists()


@pytest.mark.slow
def test_synonyms_databases_and_a_syllabus_are_taken(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "name: mine\nmin_databases: 1\nquestions:\n"
        "  - {key: harm, label: Harm, description: Adverse events, min_sources: 1}\n"
    )
    dossier = storm.run(
        "no-such-name", also=["trastuzumab"], offline=True, databases=["pubmed"], syllabus=tmp_path / "mine.yaml"
    )
    assert dossier.names[:2] == ("no-such-name", "trastuzumab")
    assert dossier.coverage.databases == ("pubmed",)
    assert [answer.question for answer in dossier.answers] == ["harm"]


def test_what_cannot_be_done_is_raised_as_our_error() -> None:
    with pytest.raises(UsageError, match="the drug name is empty"):
        storm.run(" ", offline=True)
    with pytest.raises(UsageError, match="there is no database nosuch"):
        storm.run("trastuzumab", offline=True, databases=["nosuch"])
    with pytest.raises(SyllabusError, match=r"nosuch\.yaml"):
        storm.run("trastuzumab", offline=True, syllabus="nosuch.yaml")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"also": "abc"}, "also is 'abc'; it must be a list of texts"),
        ({"also": [1]}, r"also is \[1\]; it must be a list of texts"),
        ({"also": 5}, "also is 5; it must be a list of texts"),
        ({"databases": "pubmed"}, "databases is 'pubmed'; it must be a list of texts"),
        ({"also": [""]}, "the synonym is empty"),
        ({"limits": "x"}, "limits: "),
        ({"on_event": "x"}, "on_event is 'x'; it must be a function of an event"),
        ({"meaning": 1}, "meaning: it must be text"),
        ({"drug": None}, "drug: it must be text"),
    ],
)
def test_a_value_of_the_wrong_kind_is_a_usage_error_with_what_to_do(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(UsageError, match=expected) as error:
        storm.run(**{"drug": "trastuzumab", "offline": True} | given)
    assert error.value.hint


async def test_a_traceback_shows_the_hint_once_below_the_message() -> None:
    with pytest.raises(UsageError) as in_a_loop:
        storm.run("trastuzumab")
    with pytest.raises(UsageError) as refused:
        await storm.arun("trastuzumab", offline=True, also="Herceptin")
    with pytest.raises(UsageError) as in_a_thread:
        await asyncio.to_thread(storm.run, "trastuzumab", offline=True, also="Herceptin")
    tracebacks = [traceback.format_exception_only(each.value) for each in (in_a_loop, refused, in_a_thread)]
    assert tracebacks[0][1:] == ["use the coroutine: await storm.arun(...)\n"]
    assert tracebacks[1][1:] == tracebacks[2][1:] == ['write it as also=["…"]\n']
    assert str(in_a_loop.value) == "storm.run() cannot be called inside an event loop"


@pytest.mark.slow
def test_a_mode_and_a_policy_are_taken() -> None:
    dossier = storm.run("metformin", offline=True, mode="extractive", unsupported="mark")
    assert (dossier.mode, dossier.spending, dossier.statements.marked) == ("extractive", (), 0)
    assert dossier.statements.written == dossier.statements.supported > 0
    with pytest.raises(UsageError, match="mode is 'fast'; it must be one of broad, extractive"):
        storm.run("metformin", offline=True, mode="fast")


def test_an_unknown_format_is_refused_before_there_is_a_job() -> None:
    with pytest.raises(UsageError, match="no such format: odt"):
        job_request("metformin", read_settings(), formats=["md", "odt"])


def test_a_program_that_is_not_there_and_one_without_a_model_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no program 'nosuch'"):
        storm.run("trastuzumab", offline=True, program="nosuch")
    with pytest.raises(ConfigError, match="pickles are not loaded"):
        storm.run("trastuzumab", offline=True, program=tmp_path / "mine.pkl")


@pytest.mark.slow
def test_a_drug_that_is_not_there_gives_an_empty_dossier() -> None:
    dossier = storm.run("no-such-drug", offline=True)
    assert (dossier.exit_code, dossier.coverage.total, dossier.references) == (4, 0, ())


def test_a_name_that_storm_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nosuch"):
        storm.nosuch  # noqa: B018


RunDrugs = Callable[[list[str]], int]


@pytest.fixture
def run_drugs() -> RunDrugs:
    """scripts/run_drugs.py, loaded as a module."""
    spec = importlib.util.spec_from_file_location("run_drugs", ROOT / "scripts/run_drugs.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    main: RunDrugs = module.main
    return main


@pytest.mark.slow
def test_the_script_makes_one_dossier_a_drug(
    run_drugs: RunDrugs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_drugs(["trastuzumab", "metformin", "--offline", "--out", "reports"]) == 0
    files = sorted(path.name for path in (tmp_path / "reports").rglob("*.*"))
    assert files == [f"dossier.{suffix}" for suffix in ("html", "html", "json", "json", "md", "md")]
    printed = sorted(line.split(":")[0] for line in capsys.readouterr().out.splitlines())
    assert printed == ["metformin", "trastuzumab"]


@pytest.mark.slow
async def test_the_script_asks_the_public_databases_unless_it_is_asked_to_stay_offline(
    run_drugs: RunDrugs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultServer(Reply("", status=403)) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, ["europepmc"])))
        assert await asyncio.to_thread(run_drugs, ["trastuzumab", "--offline"]) == 0
        assert server.connections == 0
        assert await asyncio.to_thread(run_drugs, ["trastuzumab"]) == 3
        assert {seen.path for seen in server.requests} == {"/europepmc/search"}


@pytest.mark.slow
def test_a_drug_that_fails_does_not_stop_the_script(
    run_drugs: RunDrugs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_drugs(["bad\tname", "no-such-drug", "metformin", "--offline"]) == 1
    failed, *others = sorted(capsys.readouterr().out.splitlines())
    assert failed.startswith("Error: 'bad\\tname': ") and "control characters" in failed
    assert [line.partition(": exit ")[0] for line in others] == ["metformin", "no-such-drug"]


@pytest.mark.slow
def test_a_drug_of_which_nothing_is_found_is_in_the_scripts_exit_code(run_drugs: RunDrugs) -> None:
    assert run_drugs(["metformin", "no-such-drug", "--offline"]) == 4


def test_the_script_names_a_drug_that_is_given_as_nothing(
    run_drugs: RunDrugs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_drugs(["", "--offline"]) == 1
    assert capsys.readouterr().out.startswith("Error: '': the drug name is empty")


def test_an_error_that_begins_with_the_drugs_name_names_it_once(
    run_drugs: RunDrugs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_drugs(["placebo", "--offline"]) == 1
    assert capsys.readouterr().out.startswith("Error: placebo is not a drug: ")


def test_what_is_imported_at_its_first_use_is_listed_and_nothing_that_is_none_of_the_users() -> None:
    assert dir(storm) == sorted(storm.__all__)
    assert all(hasattr(storm, name) for name in dir(storm))
    assert (storm.JobLimits, storm.EventSink) == (JobLimits, EventSink)


@pytest.mark.slow
def test_a_dossier_is_written_where_the_caller_wants_it(tmp_path: Path) -> None:
    storm.run("metformin", offline=True, out=tmp_path / "mine", formats=["json"])
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["dossier.json"]


@pytest.mark.slow
def test_without_typst_the_other_files_are_written_and_the_error_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storm.run("metformin", offline=True, job_id="mine")
    monkeypatch.delitem(sys.modules, "storm.export.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(FormatUnavailable, match="typst is not installed") as found:
        storm.resume("mine", out=tmp_path / "mine", formats=["pdf", "md"])
    assert [path.name for path in found.value.files] == ["dossier.md"]
    with pytest.raises(UsageError, match="the format pdf needs typst, which is not installed"):
        storm.run("metformin", offline=True, job_id="other", out=tmp_path / "other", formats=["pdf", "md"])
    assert [job.job_id for job in storm.jobs()] == ["mine"]
    assert storm.resume("mine", out=tmp_path / "again").drug == "metformin"


@pytest.mark.parametrize("given", ["yes", "no", 1, None])
def test_whether_a_job_is_offline_is_true_or_false_and_nothing_else(given: object) -> None:
    with pytest.raises(UsageError, match=re.escape(f"offline is {given!r}; it must be True or False")):
        storm.run("metformin", offline=given)  # type: ignore[arg-type]
    assert storm.jobs() == ()


def test_a_template_that_cannot_be_used_is_refused_before_a_job_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        storm.run("metformin", offline=True, out=tmp_path, formats=["docx"], template=tmp_path / "none.docx")
    assert storm.jobs() == ()


@pytest.mark.slow
def test_a_template_that_is_gone_is_refused_where_files_are_written(tmp_path: Path) -> None:
    house = tmp_path / "house.docx"
    docx.Document().save(str(house))
    storm.run("metformin", offline=True, job_id="mine", formats=["docx"], template=house)
    house.unlink()
    for again in (storm.resume, storm.update):
        with pytest.raises(UsageError, match="cannot be read"):
            again("mine", out=tmp_path / "again", formats=["docx"])
    assert [job.job_id for job in storm.jobs()] == ["mine"]
    assert storm.resume("mine").drug == "metformin"
    storm.update("mine", out=tmp_path / "again", formats=["docx", "md"], template="none")
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == ["dossier.docx", "dossier.md"]


def test_the_paper_is_no_part_of_the_id_of_a_job_of_many() -> None:
    plain = job_request("metformin", read_settings())
    letter = job_request("metformin", read_settings(), paper="letter", formats=["pdf"])
    assert letter.paper == "letter"
    assert request_job_id(plain) == request_job_id(letter)


def test_a_folder_that_cannot_be_written_is_refused_before_a_job_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="it is a file, not a folder"):
        storm.run("metformin", offline=True, out=tmp_path / "file")
    assert storm.jobs() == ()


@pytest.mark.slow
def test_a_job_is_resumed_and_listed_by_its_id() -> None:
    made = storm.run("metformin", offline=True, job_id="mine")
    assert storm.resume("mine") == made
    (listed,) = storm.jobs()
    assert (listed.job_id, listed.drug, listed.state, listed.exit_code) == ("mine", "metformin", "finished", 0)


@pytest.mark.slow
def test_many_drugs_are_run_and_one_that_fails_stops_no_other(tmp_path: Path) -> None:
    seen: list[str] = []

    outcomes = storm.run_many(
        ["trastuzumab", "bad\tname", "metformin"], offline=True, concurrency=2, out=tmp_path / "reports",
        on_event=lambda event: seen.append(event.job_id),
    )  # fmt: skip

    assert [(outcome.drug, outcome.exit_code) for outcome in outcomes] == [
        ("trastuzumab", 0), ("bad\tname", 2), ("metformin", 0),
    ]  # fmt: skip
    assert "control characters" in str(outcomes[1])
    assert set(seen) == {outcomes[0].job_id, outcomes[2].job_id}
    assert all(path.is_file() for outcome in outcomes for path in outcome.files)
    assert storm.worst_exit_code(outcomes) == 1


@pytest.mark.slow
def test_many_drugs_run_again_are_read_and_not_started_twice() -> None:
    first = storm.run_many(["metformin", "metformin"], offline=True)
    again = storm.run_many(["metformin"], offline=True)
    other = storm.run_many(["metformin"], offline=True, databases=["pubmed"])

    assert [outcome.dossier for outcome in again] == [outcome.dossier for outcome in first]
    assert len(storm.jobs()) == 2 and other[0].job_id != first[0].job_id


@pytest.mark.parametrize("concurrency", [0, -1])
def test_many_drugs_need_one_job_at_a_time_at_least(concurrency: int) -> None:
    with pytest.raises(UsageError, match="concurrency is"):
        storm.run_many(["metformin"], offline=True, concurrency=concurrency)


@pytest.mark.slow
async def test_an_app_that_is_open_already_takes_several_jobs() -> None:
    async with storm.open_app() as app:
        first = await storm.arun("metformin", offline=True, app=app)
        assert [job.job_id for job in await storm.ajobs(app=app)] == [first.job_id]
        assert await storm.aresume(first.job_id, app=app) == first


@pytest.mark.slow
def test_a_cited_source_is_found_by_its_id_its_url_and_its_identifier() -> None:
    dossier = storm.run("trastuzumab", offline=True)
    reference = dossier.references[0]
    for name in (reference.source_id, reference.url, reference.identifiers[0]):
        assert dossier.reference(name) is reference
    with pytest.raises(LookupError, match="is not cited in"):
        dossier.reference("pmid:1")


def test_a_cell_without_a_name_is_the_outcome_of_its_row_and_stops_no_other() -> None:
    names: Any = ["zorvimab", None, float("nan")]
    first, *others = storm.run_many(names, offline=True)
    assert (first.drug, first.exit_code) == ("zorvimab", 4)
    assert [str(one) for one in others] == [
        f"Error: {cell} is not the name of a drug; leave it out, or give a text" for cell in ("None", "nan")
    ]


def test_a_name_in_capital_letters_is_the_same_job_in_a_later_call() -> None:
    (first,) = storm.run_many(["zorvimab"], offline=True, also=["ZRV-1"])
    (again,) = storm.run_many(["Zorvimab"], offline=True, also=["zrv-1"])
    assert (again.job_id, again.drug, again.made_before) == (first.job_id, "Zorvimab", True)


@pytest.mark.parametrize("drugs", ["trastuzumab", None, {"trastuzumab": 1}])
def test_many_drugs_are_a_list_of_names(drugs: Any) -> None:
    with pytest.raises(UsageError, match="it must be a list of names"):
        storm.run_many(drugs, offline=True)


@pytest.mark.slow
def test_an_option_that_there_is_not_and_an_error_of_the_callers_own_are_raised_as_they_are() -> None:
    with pytest.raises(TypeError, match="offlin"):
        storm.run_many(["metformin"], offlin=True)  # type: ignore[call-arg]

    def fail(outcome: storm.JobOutcome) -> None:
        raise KeyError("of the caller's own")

    with pytest.raises(KeyError, match="of the caller's own"):
        storm.run_many(["metformin"], offline=True, on_outcome=fail)


@pytest.mark.slow
def test_many_drugs_are_a_batch_that_its_commands_know() -> None:
    outcomes = storm.run_many(["trastuzumab", "metformin"], offline=True, name="mine")

    async def read() -> BatchTable:
        async with storm.open_app() as app:
            return await read_batch(app, "mine")

    table = asyncio.run(read())
    assert [(job.job_id, job.subject, job.state) for job in table.jobs] == [
        (outcome.job_id, outcome.drug, "finished") for outcome in outcomes
    ]
    with pytest.raises(UsageError, match="there is already a batch mine"):
        storm.run_many(["metformin"], offline=True, name="mine")


@pytest.mark.long
@pytest.mark.slow
def test_a_batch_of_many_drugs_goes_on_by_its_name_with_questions_that_no_file_has(tmp_path: Path) -> None:
    questions = tmp_path / "questions.yaml"
    questions.write_bytes((ROOT / "config/syllabus/drug.yaml").read_bytes())
    deleted: list[str] = []

    def stop(outcome: storm.JobOutcome) -> None:
        deleted.append(outcome.job_id)
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        storm.run_many(["metformin"], offline=True, name="mine", syllabus=questions, on_outcome=stop)
    questions.unlink()

    async def go_on() -> BatchTable:
        async with storm.open_app() as app:
            await app.store.jobs.delete(deleted[0])
            assert not await run_batch(app, "mine", LocalExecutor(app))
            return await read_batch(app, "mine")

    (job,) = asyncio.run(go_on()).jobs
    assert (job.job_id, job.state) == (deleted[0], "finished")


@pytest.mark.slow
def test_many_drugs_spend_no_more_than_the_limits_of_their_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    async def spend(app: App, job_ids: list[str]) -> Spent:
        return Spent(calls=len(job_ids))

    for module in ("running", "status"):
        monkeypatch.setattr(f"storm.api.batches.{module}.read_spent", spend)
    first, second = storm.run_many(
        ["trastuzumab", "metformin"], offline=True, concurrency=1, batch_limits=storm.BatchLimits(calls=1)
    )
    assert (first.exit_code, second.exit_code) == (0, 1)
    assert "it was not started: the batch's limit of 1 calls is reached" in str(second)


@pytest.mark.slow
def test_names_that_differ_in_spaces_alone_are_one_job_and_each_has_its_outcome() -> None:
    outcomes = storm.run_many(["metformin\n", "metformin"], offline=True)
    assert [(one.drug, one.exit_code) for one in outcomes] == [("metformin\n", 0), ("metformin", 0)]
    assert outcomes[0].job_id == outcomes[1].job_id


@pytest.mark.slow
def test_a_report_that_can_go_on_is_the_outcome_of_its_drug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(storm.Dossier, "can_go_on", True)
    (outcome,) = storm.run_many(["metformin"], offline=True, out=tmp_path / "reports")
    assert outcome.dossier and outcome.error is None
    assert all(path.is_file() for path in outcome.files) and outcome.files


def test_the_limits_of_many_drugs_are_of_their_type() -> None:
    with pytest.raises(UsageError, match=r"it must be storm\.BatchLimits"):
        storm.run_many(["metformin"], offline=True, batch_limits={"usd": 1})  # type: ignore[arg-type]


@pytest.mark.slow
def test_many_drugs_are_carried_out_by_whoever_is_given() -> None:
    asked: list[str] = []

    async def run() -> list[storm.JobOutcome]:
        async with storm.open_app() as app:

            class Elsewhere(LocalExecutor):
                async def execute(self, job_id: str) -> None:
                    asked.append(job_id)
                    await super().execute(job_id)

            return await storm.arun_many(["metformin"], offline=True, app=app, executor=Elsewhere(app))

    (outcome,) = asyncio.run(run())
    assert (outcome.exit_code, asked) == (0, [outcome.job_id])


@pytest.mark.slow
def test_an_outcome_says_that_its_job_was_finished_before() -> None:
    first, again = (storm.run_many(["metformin"], offline=True)[0] for _ in range(2))
    assert (first.made_before, again.made_before) == (False, True)
    assert "finished before" in str(again) and "finished before" not in str(first)


def test_the_modules_for_errors_and_tests_are_reached_from_storm() -> None:
    assert storm.errors.UsageError is UsageError and storm.testing.open_test_app
