"""The dossier as it is put together from what a job has."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from storm.export import to_markdown, write_report
from storm.models import (
    Answer,
    Approval,
    Dossier,
    Hit,
    Job,
    JobRequest,
    JobState,
    Plan,
    Question,
    RecordFacts,
    RunSettings,
    SearchRecord,
    SearchStatus,
    Section,
    Source,
    Spending,
    Statement,
    StatementCounts,
    StopReason,
    Syllabus,
    Verdict,
)
from storm.models.study import EnrollmentKind, StudyDate
from storm.reports import describe_failures, summary_of
from storm.reports.dossier import DossierMaterial, compile_dossier

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SYLLABUS = Syllabus(
    name="drug",
    min_databases=1,
    questions=(
        Question(key="harm", label="Harm", description="What harm does it do?", min_sources=2),
        Question(key="market", label="Market", description="Where is it approved?", min_sources=1),
    ),
)


def source(number: int, *questions: str, **fields: Any) -> Source:
    hit = Hit.of("pubmed", str(1000 + number), f"https://example.org/{number}", f"Paper {number}", **fields)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=questions)


def search(database: str = "corpus", status: SearchStatus = SearchStatus.FOUND, **fields: Any) -> SearchRecord:
    return SearchRecord(
        database=database, scope=f"all of {database}", query=f"“x” in {fields}", at=NOW,
        **{"question": "harm", "status": status, "total": 5, "hits": ()} | fields,
    )  # fmt: skip


def compiled(
    sources: Sequence[Source] = (),
    searches: Sequence[SearchRecord] = (),
    answers: Sequence[Answer] = (),
    names: tuple[str, ...] = ("trastuzumab", "Herceptin"),
    mode: str = "extractive",
    stopped: str = "complete",
    **more: Any,
) -> Dossier:
    request = JobRequest(text="trastuzumab", syllabus=SYLLABUS)
    settings = RunSettings(mode=mode)
    job = Job(
        job_id="trastuzumab-1", request=request, settings=settings, state=JobState.RUNNING, created=NOW, version="0.0.7"
    )
    plan = Plan(names=names, syllabus=SYLLABUS)
    return compile_dossier(
        DossierMaterial(
            job, plan, "none", StopReason(stopped), sources, answers, searches, by_model=mode == "broad", **more
        )
    )


ENOUGH = (source(1, "harm"), source(2, "harm", "market"))
CARRIED = Statement(text="It harms.", quote="It harms.", source_ids=("src_002",), verdict=Verdict.SUPPORTED)

OF_FIRST = Answer(question="harm", statements=(CARRIED.model_copy(update={"source_ids": ("src_001",)}),))
OF_BOTH = Answer(question="harm", statements=(CARRIED.model_copy(update={"source_ids": ("src_002", "src_001")}),))


def answer(question: str, **fields: Any) -> Answer:
    return Answer(question=question, statements=(CARRIED,), **fields)


def test_a_dossier_whose_minimums_are_met_is_complete() -> None:
    assert compiled(ENOUGH, [search()]).exit_code == 0


def test_every_source_of_a_table_is_a_reference_and_is_cited_where_only_some_rows_are_shown(tmp_path: Path) -> None:
    trials = [
        Source(source_id=f"src_{n:03}", number=n, questions=("harm",),
               hit=Hit.of("clinicaltrials", f"NCT{n:08}", f"https://example.org/{n}", f"Trial {n}"))
        for n in range(1, 61)
    ]  # fmt: skip
    dossier = compiled(trials, [search()])
    assert len(dossier.at_a_glance.studies) == 25
    assert [row.source_id for row in dossier.tables[0].rows] == [trial.source_id for trial in trials]
    assert {reference.source_id for reference in dossier.references} == {trial.source_id for trial in trials}
    assert write_report(dossier, tmp_path, ["md", "tables"])  # which refuses a reference without a mark
    assert "In the table's file: 20 more rows, from [41, 42, 43" in to_markdown(dossier)


def test_a_trial_at_a_glance_stands_in_the_table_of_trials_only_with_what_else_its_record_states() -> None:
    trials = [
        Source(source_id=f"src_{n:03}", number=n, questions=("harm",),
               hit=Hit.of("clinicaltrials", f"NCT{n:08}", f"https://example.org/{n}", f"Trial {n}",
                          sections=(Section(label="PRIMARY OUTCOMES", text=text),) if text else (),
                          facts=RecordFacts(phase="Phase 3", enrollment=90)))
        for n, text in ((1, "Overall survival"), (2, ""))
    ]  # fmt: skip
    page = to_markdown(compiled(trials, [search()]))
    assert page.count("NCT00000002 | Phase 3") == 1
    _, tables = page.split("## Tables from records")
    assert "| Trial | Primary endpoint | Source |" in tables
    assert "NCT00000001" in tables.split("\n## ")[0]
    assert "NCT00000002" not in tables.split("\n## ")[0]
    assert "Registered studies are listed at a glance." in tables


def test_a_dossier_says_where_the_writer_judged_its_own_statements() -> None:
    dossier = compiled(ENOUGH, [search()], [answer("harm")], judged_by_writer=True)
    assert dossier.judged_by_writer
    assert "also judged whether their quotes support them" in dossier.notes[0]
    assert dossier.notes[0] in to_markdown(dossier)


def test_a_dossier_names_the_version_that_began_its_job_and_its_syllabus() -> None:
    dossier = compiled(ENOUGH)
    assert (dossier.version, dossier.syllabus, dossier.syllabus_version) == ("0.0.7", "drug", SYLLABUS.version)


def test_a_dossier_with_another_judge_says_nothing_of_it() -> None:
    dossier = compiled(ENOUGH, [search()], [answer("harm")])
    assert (dossier.judged_by_writer, dossier.notes) == (False, ())


def test_a_dossier_with_a_minimum_not_met_is_partial() -> None:
    assert compiled(ENOUGH[:1], [search()]).exit_code == 3


def test_the_coverage_says_how_many_of_the_collected_sources_the_answer_stands_on() -> None:
    remarked = answer("harm").model_copy(update={"statements": (CARRIED.model_copy(update={"remark": "about: x"}),)})
    dossier = compiled(ENOUGH, [search()], [remarked, answer("market")])
    counts = [(q.sources, q.answering, q.sufficient) for q in dossier.coverage.questions]
    assert counts == [
        (2, 0, True),
        (1, 1, True),
    ]
    assert [q.answered for q in dossier.coverage.questions] == [False, True]
    assert "| 2 | 0 | 2 | ⚠ |" in to_markdown(dossier)
    assert any("the dossier is complete but for 1 of 2 questions." in line for line in summary_of(dossier).lines)


def test_a_dossier_without_sources_found_nothing() -> None:
    assert compiled([], [search()]).exit_code == 4


def test_a_failed_search_makes_a_dossier_partial_however_much_was_found() -> None:
    assert compiled(ENOUGH, [search(), search(status=SearchStatus.FAILED, reason="timeout")]).exit_code == 3


def test_a_search_that_failed_in_part_makes_a_dossier_partial_however_much_was_found() -> None:
    assert compiled(ENOUGH, [search(), search("openfda", incomplete=True, reason="timeout")]).exit_code == 3


def test_nothing_found_where_a_search_failed_is_not_reported_as_nothing_there() -> None:
    assert compiled([], [search(), search("chembl", SearchStatus.FAILED, reason="timed out")]).exit_code == 3


def test_where_nothing_could_be_searched_the_dossier_says_only_that() -> None:
    (note,) = compiled([], [search("chembl", SearchStatus.FAILED, reason="timed out")]).notes
    assert note == "Nothing could be searched, so this dossier says nothing about trastuzumab."


def test_a_database_that_was_not_searched_is_none_of_those_that_were() -> None:
    unsearched = search("web", SearchStatus.NOT_APPLICABLE, reason="not searched: this job has no web search")
    dossier = compiled(ENOUGH, [search(), unsearched])
    assert [use.name for use in dossier.searched_databases] == ["corpus"]
    text = to_markdown(dossier)
    assert "The web was searched" not in text and "Web: 0 matched" not in text and "| Websites | 0 |" not in text
    assert "not searched: this job has no web search" in text


def test_databases_that_failed_alike_are_reported_in_one_line() -> None:
    failed = [search(name, SearchStatus.FAILED, reason="timed out after 3 tries") for name in ("chembl", "openfda")]
    dossier = compiled(ENOUGH, [search(), *failed, search("web", SearchStatus.FAILED, reason="no connection")])
    assert describe_failures(dossier) == (
        "Could not be searched: ChEMBL, openFDA (timed out after 3 tries)",
        "Could not be searched: Web (no connection)",
    )
    assert [use.name for use in dossier.searched_databases] == ["corpus"]


def test_an_answer_that_the_budget_cut_short_makes_a_dossier_partial() -> None:
    answers = [answer("harm"), answer("market", cut_short=True)]
    assert compiled(ENOUGH, [search()], answers[:1]).exit_code == 0
    dossier = compiled(ENOUGH, [search()], answers)
    assert dossier.exit_code == 3
    assert dossier.notes == (
        "Not answered, or only in part, although sources were found: Market (the gaps listed under each say why)",
    )


@pytest.mark.parametrize("refused", [(), (CARRIED.model_copy(update={"verdict": Verdict.UNSUPPORTED}),)])
def test_a_question_that_has_sources_and_no_answer_makes_a_dossier_partial(refused: tuple[Statement, ...]) -> None:
    dossier = compiled(ENOUGH, [search()], [Answer(question="harm", statements=refused), answer("market")])
    assert dossier.exit_code == 3
    assert "although sources were found: Harm (" in dossier.notes[0]


def test_a_question_without_sources_is_not_reported_as_one_that_was_not_answered() -> None:
    dossier = compiled(ENOUGH[:1], [search()], [OF_FIRST, Answer(question="market")])
    assert (dossier.exit_code, dossier.notes) == (3, ())


@pytest.mark.parametrize(("stopped", "expected"), [("budget", True), ("model_error", True), ("no_progress", False)])
def test_what_was_perhaps_not_searched_is_not_reported_as_not_found(stopped: str, expected: bool) -> None:
    dossier = compiled(ENOUGH[:1], [search()], [OF_FIRST, Answer(question="market")], stopped=stopped)
    gaps = dossier.answers[1].gaps
    assert (
        any(gap.startswith("Gathering was cut short, perhaps before this question was searched.") for gap in gaps)
        == expected
    )
    assert compiled(ENOUGH, [search()], [OF_BOTH], stopped=stopped).answers[0].gaps == ()


@pytest.mark.parametrize(("total", "expected"), [(6_000, True), (100, False)])
def test_of_more_records_than_were_read_it_is_said_how_many_match(total: int, expected: bool) -> None:
    hits = tuple(f"pubmed:{number}" for number in range(100))
    searches = [search(total=total, hits=hits), search(total=total, hits=hits[:3], question="market")]
    dossier = compiled(searches=searches, answers=[Answer(question="harm", gaps=("0 of 2 sources.",))])
    gap = "Your corpus: 100 of 6,000 records that match were read. What is missing may be there."
    assert dossier.answers[0].gaps == ("0 of 2 sources.", *([gap] if expected else []))
    none = "At least 6,000 records match a search (not all name the drug); 100 were read, and the rules recognised no"
    assert (dossier.notes[-1] == f"{none} answer in these.") is expected
    enough = compiled(ENOUGH, searches, [OF_BOTH])
    assert enough.answers[0].gaps == ()


def test_a_model_that_searched_nothing_is_not_reported_as_a_search_that_found_nothing() -> None:
    dossier = compiled([], [search(question="names", hits=("chembl:1",), total=1)], mode="broad", stopped="no_progress")
    assert dossier.exit_code == 3
    assert dossier.notes == (
        "The language model stopped before it searched anything, so this dossier says nothing about trastuzumab.",
    )


def test_what_a_model_did_not_save_is_not_reported_as_not_found() -> None:
    found = [search(hits=("pmid:1", "pmid:2"), total=2)]
    dossier = compiled([], found, mode="broad")
    assert dossier.exit_code == 3
    assert dossier.notes == (
        "2 records were found, but the language model saved none as a source, so this dossier says nothing about "
        "trastuzumab.",
    )
    assert compiled([], [search(hits=(), total=0)], mode="broad").exit_code == 4
    assert compiled([], found).exit_code == 4


def test_what_was_spent_is_reported_by_question_and_role_whatever_came_first() -> None:
    rows = [
        Spending(role=role, question=question, calls=n, prompt_tokens=1_000 * n, completion_tokens=n, usd=usd)
        for n, (role, question, usd) in enumerate(
            [("writer", "market", 0.25), ("writer", "harm", None), ("judge", "harm", 0.5), ("agent", None, 1.0)], 1
        )
    ]
    dossier = compiled(ENOUGH, [search()], spending=rows)
    assert [(row.role, row.question) for row in dossier.spending] == [
        ("agent", None), ("judge", "harm"), ("writer", "harm"), ("writer", "market"),
    ]  # fmt: skip
    table = to_markdown(dossier).partition("| Language models |")[2].partition("\n\n")[0]
    assert table.splitlines()[2:] == [
        "| agent | 4 | 4,000 | 4 | \\$1.0000 |",
        "| judge | 3 | 3,000 | 3 | \\$0.5000 |",
        "| writer | 3 | 3,000 | 3 | \\$0.2500 |",
        "| of that, on Harm | 5 | 5,000 | 5 | \\$0.5000 |",
        "| of that, on Market | 1 | 1,000 | 1 | \\$0.2500 |",
        "| all | 10 | 10,000 | 10 | \\$1.7500 |",
    ]


def test_without_a_model_nothing_is_said_of_spending() -> None:
    dossier = compiled(ENOUGH, [search()])
    assert dossier.spending == () and "Language models" not in to_markdown(dossier)


def test_a_sentence_that_is_about_another_drug_is_marked_as_such() -> None:
    said = Statement(
        text="It harms.", quote="It harms.", source_ids=("src_001",), verdict=Verdict.SUPPORTED, remark="class: statins"
    )
    dossier = compiled(ENOUGH, [search()], [Answer(question="harm", statements=(said,))])
    assert "\n- It harms. (class: statins) [1]\n" in to_markdown(dossier)
    assert dossier.answers[0].statements[0].remark == "class: statins"


def test_what_became_of_the_statements_is_reported_for_each_answer_and_in_all() -> None:
    kept = Statement(text="It harms.", quote="It harms.", source_ids=("src_001",), verdict=Verdict.SUPPORTED)
    wrong = kept.model_copy(update={"text": "It heals.", "verdict": Verdict.UNSUPPORTED})
    unjudged = kept.model_copy(update={"text": "It hurts.", "verdict": Verdict.UNCHECKED})
    answers = [
        Answer(question="harm", statements=(kept, unjudged, wrong), counts=StatementCounts.of(
            supported=2, removed=2, marked=1, unjudged=1)),
        Answer(question="market", counts=StatementCounts.of(supported=0, removed=1, marked=0)),
    ]  # fmt: skip
    dossier = compiled(ENOUGH, [search()], answers)
    assert dossier.statements == StatementCounts.of(supported=2, removed=3, marked=1, unjudged=1)
    page = to_markdown(dossier)
    assert "\n- It harms. [1]\n- It hurts. (not judged) [1]\n" in page
    assert "\n- **⚠ NOT SUPPORTED by its source:** It heals. [1]\n" in page
    assert "It does not support 1 statement, marked **⚠ NOT SUPPORTED by its source**." in page
    assert "Not judged: 1 of the statements; where one is shown, it says so." in dossier.notes
    assert "where it was not, it says (not judged)." in page
    assert (
        "*Checked:* 6 statements written; 2 found word for word in a source, 1 not judged, 2 removed, 1 marked as not "
        "supported." in page
    )
    assert "*Checked:* 1 statement written; 0 found word for word in a source, 1 removed" in page
    judged = to_markdown(dossier.model_copy(update={"by_model": True}))
    assert "*Checked:* 1 statement written; 0 supported by a source, 1 removed" in judged
    assert "*Checked:* 7 statements written" in page


@pytest.mark.parametrize(
    ("section", "shown"),
    [
        ("Results: Survival", " (Results: Survival)"),
        ("Table 2", " (Table 2)"),
        (f"Discussion: {'Effects ' * 20}", " (Discussion)"),
        ("", ""),
    ],
)
def test_a_statement_says_in_which_part_of_its_source_its_quote_stands(section: str, shown: str) -> None:
    statement = CARRIED.model_copy(update={"section": section})
    dossier = compiled(ENOUGH, [search()], [Answer(question="harm", statements=(statement,))])
    assert f"\n- It harms.{shown} [1]\n" in to_markdown(dossier)
    assert dossier.answers[0].statements[0].section == section


def test_what_has_expired_on_the_day_of_the_job_is_written_in_the_past_tense() -> None:
    said = "US patent 1 is listed; it expires on 2023-01-26; use code U-1."
    statement = Statement(text=said, quote=said, source_ids=("src_001",), verdict=Verdict.SUPPORTED)
    facts = RecordFacts(expiry="2023-01-26", paediatric_expiry="2027-07-26")
    dossier = compiled(
        [source(1, "market", text=said, facts=facts)], [search()], [Answer(question="market", statements=(statement,))]
    )
    page = to_markdown(dossier)
    state = "expired on 2023-01-26; paediatric exclusivity lasts until 2027-07-26"
    assert "expiry date: 1, of which 0 had expired by 2026-11-21; the last date is 2027-07-26 [1]" in page
    assert f"| {state} | [1] |" in page
    by_itself = to_markdown(dossier.model_copy(update={"tables": ()}))  # as in jobs of earlier versions
    assert "| Patent or exclusivity | As of 2026-11-21 | Source |" in by_itself
    assert f"| Paper 1 | {state} | [1] |" in by_itself
    for written in (page, by_itself):
        assert f"- {said} (stated end: 2023-01-26; extended until 2027-07-26) [1]" in written


def test_a_registered_study_is_shown_with_what_is_planned_and_why_it_stopped() -> None:
    facts = RecordFacts(
        phase="Phase 3", status="Terminated", enrollment=800, enrollment_kind=EnrollmentKind.PLANNED,
        why_stopped="Safety: excess deaths", completion=StudyDate(date="2028-03", expected=True), sponsor="Acme",
        primary_completion=StudyDate(date="2020-03", expected=True),
    )  # fmt: skip
    hit = Hit.of("clinicaltrials", "NCT09990001", "https://example.org/1", "Trial", facts=facts)
    page = to_markdown(compiled([Source(source_id="src_001", number=1, hit=hit, questions=("harm",))], [search()]))
    assert (
        "| NCT09990001 | Phase 3 | Terminated: Safety: excess deaths | 800 participants planned | "
        "primary was expected 2020-03; study expected 2028-03 | Acme | [1] |" in page
    )


def test_which_of_several_databases_answered_first_does_not_show_in_the_log() -> None:
    searches = [
        search("pubmed", question="harm"),
        search("chembl", question="harm"),
        search("chembl", question="market"),
    ]
    other = [searches[1], searches[0], searches[2]]
    assert compiled(ENOUGH, searches).search_log == compiled(ENOUGH, other).search_log


def test_each_name_is_reported_with_the_number_of_sources_that_have_it() -> None:
    sources = (
        source(1, "harm", text="Herceptin (TRASTUZUMAB) was given."),
        source(2, "harm", drugs=("trastuzumab",)),
        source(3, "harm", text="Trastuzumabs"),
    )
    assert compiled(sources, [search()]).named == {"trastuzumab": 2, "Herceptin": 1}


def test_names_that_no_query_had_room_for_are_distinguished_from_those_that_were_searched() -> None:
    names = ("trastuzumab", *(f"name{n}" for n in range(17)))
    dossier = compiled([source(1, "harm", text="name16 was given.")], [search()], names=names)
    assert (dossier.names, dossier.also_known) == (names[:16], ("name15", "name16"))
    page = to_markdown(dossier)
    assert "name14 (in 0 sources) |" in page
    assert "| Recognised, but not searched | name15 (in 0 sources), name16 (in 1 source) |" in page
    assert "Recognised, but not searched" not in to_markdown(compiled(ENOUGH, [search()]))


def test_a_failed_search_does_not_hide_behind_those_that_answered() -> None:
    searches = [search(), search(status=SearchStatus.FAILED, reason="timeout"), search(status=SearchStatus.NONE)]
    (use,) = compiled(ENOUGH, searches).databases
    assert (use.status, use.reason, use.searched) == (SearchStatus.FAILED, "timeout", 3)


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((SearchStatus.NONE, SearchStatus.FOUND), SearchStatus.FOUND),
        ((SearchStatus.NONE, SearchStatus.NONE), SearchStatus.NONE),
        ((SearchStatus.NOT_APPLICABLE,), SearchStatus.NOT_APPLICABLE),
    ],
)
def test_a_database_found_something_if_one_of_its_searches_did(
    statuses: tuple[SearchStatus, ...], expected: SearchStatus
) -> None:
    assert compiled(ENOUGH, [search(status=status) for status in statuses]).databases[0].status is expected


def test_each_database_is_listed_once() -> None:
    searches = [search("sample"), search("corpus"), search("sample")]
    assert [use.name for use in compiled(ENOUGH, searches).databases] == ["corpus", "sample"]


def test_a_database_says_which_records_of_whom_it_gave() -> None:
    searches = [search(hits=("pmid:1001", "pmid:1002", "pmid:9999")), search(hits=("pmid:1001",))]
    assert compiled(ENOUGH, searches).databases[0].records == {"pubmed": 2}


def test_the_search_log_says_how_many_hits_came_and_how_many_were_kept() -> None:
    (line,) = compiled(ENOUGH, [search(hits=("pmid:1001", "pmid:9999"))]).search_log
    assert (line.total, line.hits, line.kept) == (5, 2, 1)


def test_references_are_numbered_in_the_order_of_reading_and_nothing_uncited_is_one() -> None:
    approved = source(3, "market", facts=RecordFacts(approvals=(Approval(agency="FDA", date="1998-09-25"),)))
    answers = [Answer(question="harm", statements=(Statement(text="t", quote="t", source_ids=("src_002",)),))]
    dossier = compiled([*ENOUGH, approved], [search()], answers)
    assert [(r.n, r.source_id) for r in dossier.references] == [(1, "src_003"), (2, "src_002")]


def test_the_day_of_retrieval_is_that_of_the_first_search() -> None:
    later = search("other").model_copy(update={"at": NOW + timedelta(days=1)})
    assert compiled(ENOUGH, [later, search()]).retrieved == "2026-11-21"
    assert compiled(ENOUGH).retrieved == "2026-11-21"


def test_sources_are_counted_for_each_of_their_questions() -> None:
    state = compiled(ENOUGH).coverage
    counts = [(q.question, q.sources, q.sufficient) for q in state.questions]
    assert counts == [
        ("harm", 2, True),
        ("market", 1, True),
    ]
    assert (state.total, state.databases, state.ready) == (2, ("pubmed",), True)


def test_an_answer_that_a_cache_had_kept_is_reported_with_its_day() -> None:
    before = NOW - timedelta(days=2)
    dossier = compiled([source(1, "harm")], [search("pubmed", answered=before, address="https://example.org/?q=x")])
    assert (dossier.retrieved, dossier.search_log[0].address) == ("2026-11-19", "https://example.org/?q=x")
    page = to_markdown(dossier)
    assert "It searched on 2026-11-21, in part by answers given since 2026-11-19, and stopped" in page
    assert "PubMed: 0 of 5 read, 0 saved (answered 2026-11-19)" in page


def test_an_answer_of_the_same_day_needs_no_remark() -> None:
    page = to_markdown(compiled([source(1, "harm")], [search("pubmed", answered=NOW - timedelta(hours=1))]))
    assert "It searched on 2026-11-21 and stopped" in page
    assert "(answered" not in page


def test_one_of_a_thing_is_reported_as_one() -> None:
    page = to_markdown(compiled([source(1, "harm")], [search()]))
    assert "\n\n1 source in all, records of 1 database (PubMed); 1 database needed.\n\n" in page
    assert "\n\n⚠ 0 sources in all; 1 database needed.\n\n" in to_markdown(compiled())
    assert (
        compiled([], [search(hits=("pubmed:1",), total=1)])
        .notes[-1]
        .startswith("1 record was found, and the rules recognised")
    )


def test_what_made_it_is_a_kind_of_engine_or_the_models_by_name() -> None:
    dossier = compiled(ENOUGH, [search()])
    assert "Made by the none engine. It searched" in to_markdown(dossier)
    with_models = dossier.model_copy(update={"by_model": True, "engine": "openai/x as agent, writer, judge"})
    assert "Made by openai/x as agent, writer, judge. It searched" in to_markdown(with_models)


@pytest.mark.parametrize(("mode", "by_model"), [("broad", True), ("extractive", False)])
def test_a_dossier_that_was_stored_before_says_by_its_mode_who_wrote_it(mode: str, by_model: bool) -> None:
    stored = compiled(ENOUGH, [search()]).model_dump(mode="json", exclude={"by_model"}) | {"mode": mode}
    assert Dossier.model_validate(stored).by_model is by_model


def test_a_reference_says_when_a_service_gave_its_record_and_of_none_of_this_machine() -> None:
    asked = search("pubmed", hits=("pmid:1001",), answered=NOW - timedelta(days=9))
    again = search("pubmed", hits=("pmid:1001",))
    read = Statement(text="It heals.", quote="It heals.", source_ids=("src_001",))
    answers = [Answer(question="harm", statements=(read, CARRIED))]
    dossier = compiled(ENOUGH, [asked, again, search(hits=("pmid:1002",))], answers)
    assert [reference.retrieved for reference in dossier.references] == ["2026-11-12", None]


def test_words_that_were_added_to_a_copied_sentence_are_in_italics_and_the_authors_brackets_are_not() -> None:
    said = CARRIED.model_copy(
        update={
            "text": "It helped group A [zorvimab] (HR 0.5 [0.3-0.8]).",
            "quote": "It helped group A (HR 0.5 [0.3-0.8]).",
            "source_ids": ("src_001",),
        }
    )  # fmt: skip
    made = compiled(ENOUGH, [search()], [Answer(question="harm", statements=(said,)), answer("market")])
    page = to_markdown(made)
    assert "It helped group A *\\[zorvimab\\]* (HR 0.5 \\[0.3-0.8\\])." in page
    assert "bracketed *words in italics* are added" in page
    assert "*\\[zorvimab\\]*" not in to_markdown(made.model_copy(update={"by_model": True}))
