"""The answer to one question as values: its text, sources and coverage, and how it ended."""

from __future__ import annotations

import re
from typing import Any

import pytest
from deep_researched import (
    ANSWERS,
    COST,
    DOSE,
    EFFECT,
    HARM,
    JUDGED,
    LABELS,
    ONE,
    PLAN,
    REFINED,
    SEARCHES,
    SECTION,
    SOURCES,
    THREE,
    deep_research,
    iteration,
    judgement,
    report,
    research,
    search,
    section,
    source,
    statement,
)
from dossiers import dossier
from hypothesis import given
from hypothesis import strategies as st

from storm import planning_wording, wording
from storm.errors import StormError
from storm.models import (
    Answer,
    Conflict,
    DeepResearchResult,
    Dossier,
    DrugIdentity,
    ItemState,
    Relation,
    ResearchStatus,
    Retraction,
    SearchStatus,
    StopReason,
    Verdict,
)
from storm.reports import document_of, summary_of
from storm.reports.answer_text import write_answer
from storm.reports.checklist import items_of
from storm.reports.deep_research import make_result
from storm.reports.document import one_line

NOTHING = tuple(Answer(question=key) for key in LABELS)
UNSATISFIED = iteration(judged=[judgement(key, ItemState.UNSATISFIED) for key in LABELS], new_facts=0)
SATISFIED = iteration(judged=[
    judgement(key, ItemState.SATISFIED, one) for key, one in zip(LABELS, (ONE, THREE, ONE, ONE), strict=True)
])  # fmt: skip
#: A search of each item that succeeded.
ALL_SEARCHED = (search(EFFECT), search(HARM, database="web"), search(DOSE), search(COST))


def result(*args: Any, **fields: Any) -> DeepResearchResult:
    return make_result(report(*args, **fields))


def paragraph(text: str, start: str) -> str:
    """The one paragraph that begins so."""
    (found,) = (one for one in text.split("\n\n") if one.startswith(start))
    return found


def test_the_answer_has_the_sentences_of_the_section_with_sources_in_the_order_of_citation() -> None:
    made = result()
    effect = paragraph(made.answer, "Effect on attacks:")
    assert re.findall(r"cohort (\d)\..* \[(\d)\]", effect) == [("2", "1"), ("1", "2")]
    assert [(one.id, one.source_id, one.type, one.pmid) for one in made.sources] == [
        ("src_1", "src_002", "pubmed", "1002"),
        ("src_2", "src_001", "pubmed", "1001"),
        ("src_3", "src_003", "web", None),
    ]  # fmt: skip
    assert made.sources[2].model_dump() == {
        "id": "src_3", "type": "web", "title": "Work 3", "url": "https://example.org/3", "source_id": "src_003",
        "snippet": "Metformin caused nausea in some [12].", "pmid": None, "database": "web",
        "authors": ("Doe 3",), "year": 2015, "journal": "",
    }  # fmt: skip


def test_the_numbers_are_those_of_the_report() -> None:
    made, shown = result(), report()
    assert [one.source_id for one in made.sources] == [one.source_id for one in shown.references][: len(made.sources)]


def test_brackets_of_a_source_are_no_citation() -> None:
    assert "nausea in some (12). [3]" in result().answer


def test_an_item_without_a_statement_says_why_and_a_failed_search_is_no_empty_result() -> None:
    answer = result().answer
    assert "Dose: sources were found, but in none of them was a sentence recognised that answers it." in answer
    assert "Cost: its searches failed: PubMed (timed out); this is not an empty result." in answer


@pytest.mark.parametrize(
    ("searches", "failed", "said"),
    [
        ((search(COST, SearchStatus.NONE),), {}, "no source was found for it in what was searched."),
        (
            (search(COST, SearchStatus.NONE), search(COST, SearchStatus.FAILED, "web", reason="HTTP 503")),
            {},
            "no source was found for it in what was searched; some of its searches failed: Web (HTTP 503).",
        ),
        ((), {}, "it was not searched for."),
        ((search(COST, SearchStatus.NONE),), {COST: "no query."}, "it could not be researched (no query)."),
    ],
)
def test_what_is_missing_says_how_it_was_searched(searches: Any, failed: dict[str, str], said: str) -> None:
    made = result(searches=(*SEARCHES[:3], *searches), research=research(SECTION, failed=failed))
    assert f"Cost: {said}" in made.answer


def test_work_that_was_cut_off_is_not_said_to_have_found_nothing() -> None:
    cut = (*ANSWERS[:2], Answer(question=DOSE, cut_short=True), ANSWERS[3])
    assert "Dose: the work on it was cut off before its sources were all read." in result(answers=cut).answer


def test_the_last_paragraph_says_the_limits_and_gaps() -> None:
    last = result().answer.split("\n\n")[-1]
    assert last == (
        "Limits and gaps: Answered in part: Harms (for a reason). Not answered: Dose; Cost. Searched: PubMed, Web. "
        "Searches that failed: PubMed (timed out). The search ended because there was nothing left to search for."
    )


def test_two_idle_rounds_are_said() -> None:
    made = result(deep_research(iteration(1), iteration(2, new_facts=0), iteration(3, new_facts=0)))
    assert made.answer.endswith("The search ended because two rounds in a row found nothing new.")
    assert (made.status, made.iterations_used) == (ResearchStatus.COMPLETED, 3)


def test_the_coverage_names_what_is_open_and_what_is_in_part() -> None:
    coverage = result().checklist_coverage
    assert coverage.satisfied == ("Effect on attacks",)
    assert coverage.gaps == ("Harms - partial coverage", "Dose", "Cost")


def test_an_item_that_was_judged_answered_without_a_statement_is_not() -> None:
    judged = [*JUDGED[:2], judgement(DOSE, ItemState.SATISFIED), JUDGED[3]]
    assert "Dose" in result(deep_research(iteration(judged=judged))).checklist_coverage.gaps


def test_without_a_judgement_nothing_is_satisfied() -> None:
    made = result(deep_research(iteration(judged=())))
    assert made.checklist_coverage.satisfied == ()
    assert made.checklist_coverage.gaps == tuple(LABELS.values())


@pytest.mark.parametrize(
    ("stopped", "status"),
    [
        (StopReason.COMPLETE, ResearchStatus.COMPLETED),
        (StopReason.NO_PROGRESS, ResearchStatus.COMPLETED),
        (StopReason.MAX_ITERS, ResearchStatus.MAX_ITERATIONS),
        (StopReason.BUDGET, ResearchStatus.MAX_ITERATIONS),
    ],
)
def test_the_status_is_a_limit_for_every_limit(stopped: StopReason, status: ResearchStatus) -> None:
    made = result(deep_research(stop_reason=stopped))
    assert (made.status, made.stop_reason, made.trace_id) == (status, stopped.value, "metformin-1")


def test_a_model_that_failed_is_the_reason_to_stop() -> None:
    assert result(stopped=StopReason.MODEL_ERROR).stop_reason == "model_error"


def test_without_a_search_that_succeeded_it_is_an_error_that_says_what_was_tried_and_no_prose() -> None:
    failed = tuple(search(key, SearchStatus.FAILED, reason="HTTP 503") for key in LABELS)
    made = result(
        deep_research(UNSATISFIED), answers=NOTHING, searches=failed, sources=(), research=research(section())
    )
    assert (made.status, made.answer, made.sources) == (ResearchStatus.ERROR, "", ())
    assert made.error == "No search succeeded, so there is no answer. Tried: PubMed (HTTP 503)."
    assert made.checklist_coverage.gaps == tuple(LABELS.values())


def test_where_a_name_alone_was_looked_up_no_search_succeeded() -> None:
    look_up = search(EFFECT).model_copy(update={"question": "names"})
    made = result(
        deep_research(UNSATISFIED), answers=NOTHING, searches=(look_up,), sources=(), research=research(section())
    )
    assert (made.status, made.error) == (
        ResearchStatus.ERROR, "No search succeeded, so there is no answer. No database was searched."
    )  # fmt: skip


def test_where_no_item_could_be_researched_it_is_an_error() -> None:
    failed = dict.fromkeys(LABELS, "the model gave no reply")
    made = result(deep_research(UNSATISFIED), answers=NOTHING, research=research(section(), failed=failed))
    assert (made.status, made.answer) == (ResearchStatus.ERROR, "")
    assert made.error.startswith("No item of the question could be researched, so there is no answer. Could not be")


def test_where_searches_found_nothing_one_sentence_says_so() -> None:
    none = tuple(search(key, SearchStatus.NONE) for key in LABELS)
    made = result(deep_research(UNSATISFIED), answers=NOTHING, searches=none, sources=(), research=research(section()))
    assert made.answer == "Nothing that answers this question was found in what was searched (PubMed)."
    assert (made.status, made.sources, made.error) == (ResearchStatus.COMPLETED, (), "")


def test_where_nothing_was_found_an_unknown_name_is_said_to_be_one() -> None:
    note = planning_wording.NOT_LISTED.format(asked='"zorvimub"')
    made = result(deep_research(UNSATISFIED), answers=NOTHING, sources=(), research=research(section()), notes=(note,))
    assert note in made.answer


def test_a_report_of_another_mode_has_no_such_answer() -> None:
    with pytest.raises(StormError, match="is not an answer to a question"):
        make_result(dossier())


def test_what_sources_disagree_on_stands_in_the_answer_with_both_sides() -> None:
    sides = (statement(1, "Metformin reduced attacks."), statement(2, "Metformin did not reduce attacks."))
    conflict = Conflict(trial="NCT1", endpoint="attacks", statements=sides)
    answers = (Answer(question=EFFECT, conflicts=(conflict,)), *ANSWERS[1:])
    made = result(answers=answers, research=research(section((THREE, HARM))))
    said = paragraph(made.answer, "Sources disagree on attacks")
    assert re.findall(r"(reduced|did not reduce) attacks\..*?\[(\d)\]", said) == [
        ("reduced", "2"),
        ("did not reduce", "3"),
    ]


def test_an_item_that_the_section_leaves_out_gets_its_first_statements() -> None:
    made = result(research=research(section((THREE, HARM))))
    assert paragraph(made.answer, "Effect on attacks:").count("\n- ") == 2
    assert "Metformin reduced attacks in cohort 1." in made.answer


def test_an_item_is_addressed_by_a_statement_that_stands_under_another() -> None:
    judged = [*JUDGED[:2], judgement(DOSE, ItemState.PARTIAL, ONE), JUDGED[3]]
    made = result(deep_research(iteration(judged=judged)))
    assert made.answer.count("cohort 1.") == 1
    assert "Dose: see the statements above [2]" in made.answer
    assert "Dose - partial coverage" in made.checklist_coverage.gaps


def test_a_retracted_source_is_never_cited_silently() -> None:
    sources = (source(1, EFFECT, retraction=Retraction.RETRACTED), *SOURCES[1:])
    effect = paragraph(result(sources=sources).answer, "Effect on attacks:")
    assert "RETRACTED" in effect.splitlines()[2]


def test_an_unsupported_statement_is_no_evidence() -> None:
    marked = statement(4, "A dose of 500 mg is enough.", verdict=Verdict.UNSUPPORTED)
    answers = (*ANSWERS[:2], Answer(question=DOSE, statements=(marked,)), ANSWERS[3])
    judged = [*JUDGED[:2], judgement(DOSE, ItemState.SATISFIED, marked), JUDGED[3]]
    made = result(deep_research(iteration(judged=judged)), answers=answers)
    assert "Dose" in made.checklist_coverage.gaps and "500 mg" not in made.answer


# The end of a job
@pytest.mark.parametrize(
    ("states", "stopped", "code"),
    [
        ((ItemState.SATISFIED,) * 4, StopReason.COMPLETE, 0),
        ((ItemState.SATISFIED, ItemState.SATISFIED, ItemState.PARTIAL, ItemState.PARTIAL), StopReason.NO_PROGRESS, 0),
        ((ItemState.SATISFIED, ItemState.PARTIAL, ItemState.PARTIAL, ItemState.PARTIAL), StopReason.NO_PROGRESS, 3),
        ((*[ItemState.SATISFIED] * 3, ItemState.UNSATISFIED), StopReason.NO_PROGRESS, 3),
        ((*[ItemState.SATISFIED] * 3, ItemState.PARTIAL), StopReason.MAX_ITERS, 3),
        ((*[ItemState.SATISFIED] * 3, ItemState.PARTIAL), StopReason.BUDGET, 3),
    ],
)
def test_the_exit_code_is_by_the_checklist(states: Any, stopped: StopReason, code: int) -> None:
    said = {EFFECT: ONE, HARM: THREE, DOSE: statement(4, "The dose was 1 g."), COST: statement(2, "It is cheap.")}
    judged = [judgement(key, state, said[key]) for key, state in zip(LABELS, states, strict=True)]
    answers = tuple(Answer(question=key, statements=(one,)) for key, one in said.items())
    made = report(
        deep_research(iteration(judged=judged), stop_reason=stopped), answers=answers, searches=ALL_SEARCHED,
        research=research(section(*((one, key) for key, one in said.items()))),
    )  # fmt: skip
    assert made.exit_code == code


def test_a_failed_search_leaves_an_answer_partial() -> None:
    assert report(deep_research(SATISFIED, stop_reason=StopReason.COMPLETE)).exit_code == 3


@pytest.mark.parametrize(("status", "code"), [(SearchStatus.NONE, 4), (SearchStatus.FAILED, 3)])
def test_nothing_found_is_no_failure_and_a_failure_is_no_nothing_found(status: SearchStatus, code: int) -> None:
    searches = tuple(search(key, status, reason="HTTP 503") for key in LABELS)
    made = report(
        deep_research(UNSATISFIED), answers=NOTHING, searches=searches, sources=(), research=research(section())
    )
    assert made.exit_code == code


def test_the_last_lines_name_each_item_and_how_it_ended() -> None:
    lines = summary_of(report()).lines
    assert lines[:4] == (
        "✓ answered: Effect on attacks", "◐ in part: Harms", "⚠ not answered: Dose", "⚠ not answered: Cost",
    )  # fmt: skip
    assert "Answered: 1 of 4 items, in 1 round; it ended because there was nothing left to search for." in lines


def test_programs_get_the_coverage_at_the_end_of_a_job() -> None:
    fields = summary_of(report()).fields["research"]
    assert isinstance(fields, dict)
    assert fields["refined_question"] == REFINED.text and fields["iterations_used"] == 1
    assert fields["checklist_coverage"] == {
        "satisfied": ["Effect on attacks"], "none_recognised": [], "gaps": ["Harms - partial coverage", "Dose", "Cost"],
    }  # fmt: skip


def test_a_partial_answer_warns_with_its_gaps_once() -> None:
    warning = summary_of(report()).warning
    assert warning.startswith("Answered in part: Harms (for a reason). Not answered: Dose; Cost.")
    assert warning.count("timed out") == 1


def test_an_answer_stored_and_read_again_gives_the_same_result() -> None:
    made = report()
    assert make_result(type(made).model_validate_json(made.model_dump_json())) == make_result(made)


# Properties
STATES = st.sampled_from(list(ItemState))
TEXTS = st.sampled_from(["It fell [3].", "It fell by 2 [1, 2].", "A dose [0.5 mg] was given.", "Rates [7] rose [n]."])


@st.composite
def reports(draw: st.DrawFn) -> Dossier:
    """A report of any statements, judgements and searches, a section of some of the statements."""
    sources = tuple(
        source(n, draw(st.sampled_from(list(LABELS))), database=draw(st.sampled_from(["pubmed", "web"])))
        for n in range(1, 7)
    )
    said: dict[str, list[Any]] = {key: [] for key in LABELS}
    for number in range(draw(st.integers(0, 8))):
        cited = draw(st.lists(st.sampled_from(sources), min_size=1, max_size=3, unique=True))
        one = statement(
            number, draw(TEXTS), source_ids=tuple(source.source_id for source in cited),
            verdict=draw(st.sampled_from(list(Verdict))),
        )  # fmt: skip
        said[draw(st.sampled_from(list(LABELS)))].append(one)
    placed = [(one, key) for key, own in said.items() for one in own if one.verdict is not Verdict.UNSUPPORTED]
    shown = [pair for pair in draw(st.permutations(placed)) if draw(st.booleans())]
    everything = [one for own in said.values() for one in own]
    judged = [
        judgement(
            key, draw(STATES), *([draw(st.sampled_from(everything))] if everything and draw(st.booleans()) else [])
        )
        for key in LABELS
        if draw(st.booleans())
    ]
    searches = [
        search(key, draw(st.sampled_from(list(SearchStatus))), reason="down") for key in LABELS if draw(st.booleans())
    ]
    return report(
        deep_research(iteration(judged=judged), stop_reason=draw(st.sampled_from(list(StopReason)))),
        sources=sources, searches=searches, research=research(section(*shown)), by_model=draw(st.booleans()),
        answers=tuple(Answer(question=key, statements=tuple(own)) for key, own in said.items()),
    )  # fmt: skip


@pytest.mark.slow
@given(reports())
def test_every_mark_resolves_and_each_source_is_cited_in_the_order_of_its_number(shown: Dossier) -> None:
    made = make_result(shown)
    cited = [int(n) for n in re.findall(r"\[(\d+)\]", made.answer)]
    assert list(dict.fromkeys(cited)) == list(range(1, len(made.sources) + 1))
    assert [one.id for one in made.sources] == [f"src_{n}" for n in range(1, len(made.sources) + 1)]
    assert len({one.source_id for one in made.sources}) == len(made.sources)
    assert [one.source_id for one in made.sources] == [one.source_id for one in shown.references][: len(made.sources)]


@pytest.mark.slow
@given(reports())
def test_each_item_is_in_one_list_of_the_coverage(shown: Dossier) -> None:
    coverage = make_result(shown).checklist_coverage
    named = [
        *coverage.satisfied,
        *coverage.none_recognised,
        *(gap.removesuffix(" - partial coverage") for gap in coverage.gaps),
    ]
    assert sorted(named) == sorted(LABELS.values())


@pytest.mark.slow
@given(reports())
def test_every_item_is_addressed_by_name_or_by_its_statements(shown: Dossier) -> None:
    made = make_result(shown)
    answer = made.answer.partition("Limits and gaps: ")[0]
    for item in items_of(shown) if made.sources else ():
        in_prose = shown.by_model and any(one_line(statement.text) in answer for statement in item.evidence)
        assert item.label in answer or in_prose


@pytest.mark.slow
@given(reports())
def test_each_snippet_is_a_quote_of_its_source(shown: Dossier) -> None:
    quotes = {
        (source_id, one.quote)
        for answer in shown.answers
        for one in answer.all_statements
        for source_id in one.source_ids
    }
    assert all((one.source_id, one.snippet) in quotes or not one.snippet for one in make_result(shown).sources)


@pytest.mark.slow
@given(reports())
def test_an_error_has_no_prose_and_an_answer_no_error(shown: Dossier) -> None:
    made = make_result(shown)
    assert bool(made.answer) != bool(made.error)
    assert bool(made.error) == (made.status is ResearchStatus.ERROR)
    assert document_of(shown).blocks


SETTLED = [
    judgement(EFFECT, ItemState.SATISFIED, ONE),
    judgement(HARM, ItemState.SATISFIED, THREE),
    judgement(DOSE, ItemState.SATISFIED).model_copy(update={"nothing_in": 3}),
    judgement(COST, ItemState.SATISFIED).model_copy(update={"nothing_in": 3}),
]


def test_an_item_to_which_nothing_found_is_an_answer_is_satisfied_and_says_in_how_many_sources() -> None:
    made = report(deep_research(iteration(judged=SETTLED)), searches=ALL_SEARCHED)
    found = make_result(made)
    assert made.exit_code == 0 and found.checklist_coverage.gaps == ()
    assert found.checklist_coverage.none_recognised == (LABELS[DOSE], LABELS[COST])
    assert "Dose: no sentence on this was recognised in the 3 sources that were read for it, which" in found.answer


def test_an_item_on_which_nothing_was_recognised_is_not_called_answered() -> None:
    made = report(deep_research(iteration(judged=SETTLED)), searches=ALL_SEARCHED)
    assert summary_of(made).lines[2:4] == (
        "– looked for, none recognised: Dose", "– looked for, none recognised: Cost",
    )  # fmt: skip
    limits = make_result(made).answer
    assert "in no source was a sentence on it recognised: Dose; Cost." in limits
    assert "Every item of the checklist is answered" not in limits


def test_where_its_searches_failed_nothing_found_is_no_answer() -> None:
    made = report(deep_research(iteration(judged=SETTLED)))
    found = make_result(made)
    assert made.exit_code == 3 and found.checklist_coverage.gaps == (LABELS[COST],)
    assert "Cost: its searches failed" in found.answer


def test_a_search_that_items_share_is_one_of_each_of_them() -> None:
    shared = search(EFFECT).model_copy(update={"shared_with": (HARM, DOSE, COST)})
    found = make_result(report(deep_research(iteration(judged=SETTLED)), searches=[shared]))
    assert found.checklist_coverage.gaps == () and "not searched for" not in found.answer
    failed = shared.model_copy(update={"status": SearchStatus.FAILED, "reason": "timed out"})
    searches = [search(EFFECT), search(HARM), failed]
    found = make_result(report(deep_research(iteration(judged=SETTLED)), searches=searches))
    assert "Cost: its searches failed" in found.answer and "Dose: its searches failed" in found.answer


def test_where_the_question_names_no_drug_a_source_is_no_comparator_of_it() -> None:
    sources = [one.model_copy(update={"relation": Relation.COMPARATOR}) for one in SOURCES]
    for identity, expected in ((None, False), (DrugIdentity(asked="metformin", inn="metformin"), True)):
        made = report(sources=sources, plan=PLAN.model_copy(update={"identity": identity}))
        assert ("comparator" in make_result(made).answer) is expected


def test_an_answer_of_no_sentence_is_nothing_found_though_sources_were_filed() -> None:
    made = report(deep_research(UNSATISFIED), answers=NOTHING, research=research(), searches=ALL_SEARCHED)
    assert made.references == () and made.exit_code == 4


def test_the_quote_of_an_unsupported_statement_is_no_snippet_and_a_further_source_has_none() -> None:
    marked = statement(1, "It cures all.", verdict=Verdict.UNSUPPORTED, citation_id="")
    both = statement(2, source_ids=("src_002", "src_004"))
    answers = (Answer(question=EFFECT, statements=(marked, both)), *ANSWERS[1:])
    made = result(answers=answers, research=research(section((marked, EFFECT), (both, EFFECT))))
    quotes = {one.source_id: one.snippet for one in made.sources}
    assert quotes["src_002"] == both.quote and quotes["src_004"] == "" and "It cures all." not in quotes.values()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Should I take metformin?", True),
        ("Is it safe with my diabetes?", True),
        ("What of a phase I trial of metformin?", False),
        ("Does metformin help in ME/CFS?", False),
    ],
)
def test_a_question_for_advice_is_answered_that_none_is_given(asked: str, said: bool) -> None:
    made = result(research=research(SECTION, asked=asked))
    assert made.answer.count("storm gives no advice on treatment") == said


def test_the_notice_of_the_sample_is_the_last_line_and_no_limit() -> None:
    paragraphs = result(notes=(wording.BUNDLED_SAMPLE, "Another note.")).answer.split("\n\n")
    assert paragraphs[-1] == wording.BUNDLED_SAMPLE and paragraphs[-2].endswith("Another note.")


def test_a_database_that_could_not_be_asked_for_names_is_named_among_the_failed() -> None:
    made = result(searches=(*SEARCHES, search("names", SearchStatus.FAILED, "chembl", reason="no network")))
    assert "ChEMBL (no network)" in made.answer


def test_what_is_open_and_why_it_ended_is_printed_once_with_sources_by_author_and_year() -> None:
    text = write_answer(result())
    assert text.count("Not answered") == 1 and text.count("ended because") == 1
    assert text.endswith("Answered: Effect on attacks\nEnded after 1 iteration")
    assert "[1] Doe 2. Work 2. 2015. PubMed 1002. https://example.org/2" in text


def test_a_failed_model_is_no_completed_research() -> None:
    made = result(stopped=StopReason.MODEL_ERROR)
    assert (made.status, made.stop_reason) == (ResearchStatus.MAX_ITERATIONS, "model_error")
