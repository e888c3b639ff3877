"""Tables from records: what each kind of record gives, what is not stated, and how a dossier shows them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from dossiers import dossier, reference

from storm.export import to_markdown
from storm.models import (
    Answer,
    Approval,
    ApprovalFact,
    Cell,
    Exclusion,
    Hit,
    PatentDetails,
    Publication,
    RecordFacts,
    RecordFlow,
    RecordRow,
    RecordTable,
    Relation,
    RelationKind,
    Retraction,
    Section,
    SectionKind,
    Source,
    Statement,
    TableRow,
    Verdict,
)
from storm.models.record_table import TableName
from storm.models.study import EnrollmentKind
from storm.reports.record_tables import collect_tables, list_table_sources
from storm.reports.table_columns import COLUMNS
from storm.reports.table_wording import PARTIAL_PATENTS, PARTIAL_RESULTS

DAY = date(2026, 11, 22)
NAMES = ("trastuzumab", "Herceptin")


def source(number: int, database: str, external_id: str, **fields: Any) -> Source:
    about = {name: fields.pop(name) for name in ("relation", "relation_kind") if name in fields}
    title = fields.pop("title", f"Record {number}")
    hit = Hit.of(database, external_id, f"https://example.org/{number}", title, **fields)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=("q",), **about)


def field(label: str, text: str) -> Section:
    return Section(label=label, text=text, kind=SectionKind.FIELD)


def place_of(row: RecordRow, column: int) -> str:
    return row.places[column if len(row.places) > 1 else 0]


def tables(*sources: Source, answers: tuple[Answer, ...] = ()) -> dict[TableName, RecordTable]:
    approvals = [
        ApprovalFact(**approval.model_dump(), source_id=one.source_id, relation=one.relation)
        for one in sources
        for approval in one.hit.facts.approvals
    ]
    return {table.name: table for table in collect_tables(NAMES, sources, answers, approvals, DAY)}


def rows(table: RecordTable) -> list[tuple[str | None, ...]]:
    return [row.cells for row in table.rows]


def outcome(*analyses: TableRow) -> Section:
    values = TableRow(
        heading="Change in HbA1c, pooled (24 weeks) [mean, %]",
        cells=(Cell(column="Sitagliptin (n=20)", text="-0.8", unit="%"), Cell(column="Placebo", text="0.1", unit="%")),
    )
    return Section.of_rows((values, *analyses), "RESULTS: Primary outcome", "Primary outcome 1")


def analysis(arms: str, value: str, method: str = "ANCOVA") -> TableRow:
    cells = (Cell(column="Mean Difference", text=value), Cell(column="Method", text=method))
    return TableRow(heading=f"Change in HbA1c, pooled (24 weeks), {arms}", cells=cells)


# Trials


def test_a_trial_is_described_by_its_fields_and_what_is_missing_is_not_stated() -> None:
    facts = RecordFacts(phase="Phase 3", status="Terminated", enrollment=21, why_stopped="Slow accrual",
                        enrollment_kind=EnrollmentKind.ENROLLED)  # fmt: skip
    sections = (
        field("DESIGN", "Interventional, Phase 3, Randomized; 21 participants enrolled; status: Terminated."),
        field("CONDITIONS", "Conditions: Breast cancer; Gastric cancer."),
        field("ARMS", "Experimental: Trastuzumab – 6 mg/kg – every week.\n\nPlacebo comparator: Placebo."),
        field("PRIMARY OUTCOMES", "Overall survival (time frame: 2 years)."),
        field("STATUS", "Start 2019-01.\n\nResults: not posted."),
    )
    made = tables(
        source(1, "clinicaltrials", "NCT00000002"),
        source(2, "clinicaltrials", "NCT00000001", facts=facts, sections=sections),
    )[TableName.TRIALS]
    assert rows(made) == [
        ("NCT00000001", "itself", "Phase 3", "Interventional, Randomized", "21 participants enrolled",
         "Breast cancer; Gastric cancer",
         "Experimental: Trastuzumab – 6 mg/kg – every week; Placebo comparator: Placebo",
         "Overall survival (time frame: 2 years)", "not posted", "Terminated", "Slow accrual", None, "Start 2019-01"),
        ("NCT00000002", "itself", *[None] * 11),
    ]  # fmt: skip
    assert [place_of(made.rows[0], n) for n in (2, 3, 8)] == ["field phase", "DESIGN", "STATUS"]


def test_a_trial_that_only_mentions_the_drug_or_is_of_a_derivative_is_in_no_table() -> None:
    made = tables(
        source(1, "clinicaltrials", "NCT00000001", relation_kind=RelationKind.MENTIONED),
        source(2, "clinicaltrials", "NCT00000002", relation=Relation.DERIVATIVE),
    )
    assert [table.rows for table in made.values()] == [()] * len(TableName)


def test_an_outcome_without_values_is_not_posted_and_no_zero() -> None:
    empty = TableRow(heading="Overall survival (2 years)", cells=(Cell(text="not posted"),))
    posted = Section.of_rows((empty,), "RESULTS: Primary outcome", "Primary outcome 1")
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(posted,)))
    assert made[TableName.TRIALS].rows[0].cells[7:9] == ("Overall survival (2 years)", "not posted")


def test_what_the_registry_lacks_of_a_trials_results_its_papers_state() -> None:
    empty = TableRow(heading="Overall survival (2 years)", cells=(Cell(text="not posted"),))
    posted = Section.of_rows((empty,), "RESULTS: Primary outcome", "Primary outcome 1")
    paper = source(1, "pubmed", "11248153", trials=("NCT00000001",), text=QUOTE)
    trial = source(2, "clinicaltrials", "NCT00000001", sections=(posted,))
    other = source(3, "clinicaltrials", "NCT00000002")
    made = tables(paper, trial, other, answers=said(section="Abstract: RESULTS"))[TableName.TRIALS]
    published = "overall survival, hazard ratio 0.70, 95% CI 0.50 to 0.90 (published: PMID 11248153)"
    assert [row[8] for row in rows(made)] == [f"not posted; {published}", None]
    assert place_of(made.rows[0], 8) == "Primary outcome 1; PMID 11248153, Abstract: RESULTS"


# Effect sizes


def test_the_arms_of_a_comparison_are_those_of_its_outcome() -> None:
    posted = outcome(analysis("Sitagliptin versus Placebo", "-0.9"), analysis("A versus B", "-1.0"))
    trial = source(1, "clinicaltrials", "NCT00000001", sections=(posted,))
    assert rows(tables(trial)[TableName.EFFECT_SIZES]) == [
        ("NCT00000001", "Change in HbA1c, pooled (24 weeks)", "Mean Difference", "-0.9", "%", None, None,
         "Sitagliptin and Placebo", None, "posted in the registry")
    ]  # fmt: skip


def test_comparisons_that_nothing_tells_apart_are_left_out_and_counted() -> None:
    twice = [analysis("Sitagliptin versus Placebo", value) for value in ("-0.9", "-0.7")]
    other = analysis("Sitagliptin versus Placebo", "-0.8", "Log Rank")
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(outcome(*twice, other),)))
    assert [row[3] for row in rows(made[TableName.EFFECT_SIZES])] == ["-0.8"]
    assert made[TableName.EFFECT_SIZES].omitted == 2


def test_comparisons_that_differ_in_their_method_alone_say_it() -> None:
    methods = (("-0.9", "ANCOVA"), ("-0.8", ""))
    posted = [analysis("Sitagliptin versus Placebo", *one) for one in methods]
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(outcome(*posted),)))[TableName.EFFECT_SIZES]
    assert [row[2:4] for row in rows(made)] == [
        ("Mean Difference (ANCOVA)", "-0.9"), ("Mean Difference (method not stated)", "-0.8"),
    ]  # fmt: skip
    assert made.omitted == 0


def test_two_drugs_compared_are_in_the_table_of_comparisons_and_a_placebo_is_not() -> None:
    def compare(number: int, other: str) -> Source:
        arms = (Cell(column="Trastuzumab (n=9)", text="4", unit="Months"), Cell(column=f"{other} (n=8)", text="3"))
        values = TableRow(heading="Overall survival [median, Months]", cells=arms)
        ratio = TableRow(
            heading=f"Overall survival, Trastuzumab versus {other}",
            cells=(Cell(column="Hazard Ratio (HR)", text="0.7"), Cell(column="95% CI", text="0.5 to 0.9")),
        )
        section = Section.of_rows((values, ratio), "RESULTS: Secondary outcome", "Secondary outcome 1")
        return source(number, "clinicaltrials", f"NCT0000000{number}", sections=(section,))

    made = tables(compare(1, "Lapatinib"), compare(2, "Placebo"))
    assert [row[0] for row in rows(made[TableName.EFFECT_SIZES])] == ["NCT00000001", "NCT00000002"]
    assert rows(made[TableName.COMPARISONS]) == [
        ("NCT00000001", "Overall survival", "Hazard Ratio (HR)", "0.7", None, "95% CI 0.5 to 0.9", None,
         "Trastuzumab and Lapatinib", "17", "posted in the registry")
    ]  # fmt: skip


QUOTE = (
    "Trastuzumab prolonged overall survival compared with placebo (hazard ratio 0.70, 95% CI 0.50 to 0.90; P=0.004)."
)


def said(quote: str = QUOTE, **fields: Any) -> tuple[Answer, ...]:
    statement = Statement(text=quote, quote=quote, source_ids=("src_001",), **fields)
    return (Answer(question="q", statements=(statement,)),)


def test_a_quote_gives_endpoint_value_interval_and_comparator_as_printed() -> None:
    paper = source(1, "pubmed", "11248153", trials=("NCT00000001",), text=QUOTE)
    made = tables(paper, answers=said(section="Abstract: RESULTS"))[TableName.EFFECT_SIZES]
    assert rows(made) == [
        ("NCT00000001", "overall survival", "hazard ratio", "0.70", None, "95% CI 0.50 to 0.90", "0.004", "vs placebo",
         None, "published")
    ]  # fmt: skip
    places = [place_of(made.rows[0], column) for column in (0, 3, 8, 9)]
    assert places == ["field trials", "Abstract: RESULTS", "text", "field database"]


def test_values_of_two_arms_are_a_comparison_in_the_order_of_the_ratio() -> None:
    quote = (
        "Median overall survival was {} months with {} and {} months with {} (hazard ratio, 0.62; 95% CI 0.50 to 0.77)."
    )
    first, last = quote.format(9, "trastuzumab", 6, "docetaxel"), quote.format(6, "docetaxel", 9, "trastuzumab")
    made = tables(source(1, "pubmed", "11248153", text=first), answers=said(first))
    assert [row[1:8:2] for row in rows(made[TableName.COMPARISONS])] == [
        ("overall survival", "0.62", "95% CI 0.50 to 0.77", "vs docetaxel")
    ]
    assert rows(tables(source(1, "pubmed", "11248153", text=last), answers=said(last))[TableName.EFFECT_SIZES]) == []


@pytest.mark.parametrize(
    ("quote", "endpoint"),
    [
        (
            "Mortality at day 29 was lower with trastuzumab than with placebo (HR 0.73, 95% CI 0.52-1.03).",
            "mortality at day 29",
        ),
        (
            "Trastuzumab reduced all-cause mortality at 28 days compared with placebo (HR 0.66, 95% CI 0.5-0.8).",
            "all-cause mortality at 28 days",
        ),
        (
            "Trastuzumab did not prolong overall survival relative to placebo in receptor-positive cancer (HR 1.01, "
            "95% CI 0.84-1.21).",
            "overall survival, in receptor-positive cancer",
        ),
        (
            "Mortality was lower with trastuzumab than with placebo (hazard ratio 0.88, 95% CI 0.79-0.97) in 500 "
            "adults with cancer.",
            "mortality",
        ),
    ],
)
def test_an_endpoint_is_named_with_its_cause_its_time_and_whom_it_is_of(quote: str, endpoint: str) -> None:
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))[TableName.EFFECT_SIZES]
    assert [row[1] for row in rows(made)] == [endpoint]


def test_a_result_after_a_time_is_one_of_all_who_took_part() -> None:
    quote = (
        "With a median follow-up of 12 months, trastuzumab compared with observation gave a hazard ratio for "
        "disease-free survival of 0.54 (95% CI 0.44-0.67)."
    )
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))[TableName.EFFECT_SIZES]
    assert [row[1:8] for row in rows(made)] == [
        ("disease-free survival", "hazard ratio", "0.54", None, "95% CI 0.44 to 0.67", None, "vs observation")
    ]


def test_the_number_of_people_of_a_paper_is_not_said_to_be_that_of_its_analysis() -> None:
    abstract = Section(text=f"We randomised 594 patients to trastuzumab or placebo. {QUOTE}", kind=SectionKind.ABSTRACT)
    made = tables(source(1, "pubmed", "11248153", sections=(abstract,)), answers=said(section="Abstract"))
    ((study, *_, analysed, _),) = rows(made[TableName.EFFECT_SIZES])
    assert (study, analysed) == ("PMID 11248153", "594 (whole study)")
    assert place_of(made[TableName.EFFECT_SIZES].rows[0], 0) == "field external_id"


def test_chemotherapy_alone_is_the_control_of_what_was_added_to_it() -> None:
    quote = (
        "Median overall survival reached 13.8 months when trastuzumab was added to chemotherapy and 11.1 months when "
        "it was not (HR 0.74, 95% CI 0.60-0.91; P=0.0046)."
    )
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))
    ((_, endpoint, _, value, _, _, _, compared, *_),) = rows(made[TableName.EFFECT_SIZES])
    assert (endpoint, value, compared) == ("overall survival", "0.74", "vs chemotherapy alone")


@pytest.mark.parametrize(
    ("compared", "comparator"),
    [
        ("compared with observation", "vs observation"),
        ("versus the chemotherapy alone group", "vs chemotherapy alone"),
        ("compared with lapatinib", "vs lapatinib"),
        ("versus platinum-based doublet chemotherapy", "vs platinum-based doublet chemotherapy"),
        ("in 61% compared with 33.3% in the taxane chemotherapy group", "vs taxane chemotherapy"),
    ],
)
def test_a_quote_names_its_comparator(compared: str, comparator: str) -> None:
    quote = f"Trastuzumab prolonged overall survival {compared} (hazard ratio 0.70, 95% CI 0.50 to 0.90)."
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))
    assert [row[7] for row in rows(made[TableName.EFFECT_SIZES])] == [comparator]
    assert len(made[TableName.COMPARISONS].rows) == (comparator == "vs lapatinib")


@pytest.mark.parametrize(
    ("quote", "endpoint", "comparator"),
    [
        ("Trastuzumab prolonged overall survival (hazard ratio 0.70, 95% CI 0.50 to 0.90).", "overall survival", None),
        (
            "Trastuzumab added to adjuvant chemotherapy was associated with a relative improvement of 37% in overall "
            "survival (HR 0.70, 95% CI 0.50-0.90).",
            "overall survival",
            None,
        ),
        ("An improvement in OS was seen for the trastuzumab arm (HR 0.70, 95% CI 0.50-0.9).", "overall survival", None),
        (
            "Congestive heart failure was as likely with trastuzumab as without it (RR 0.70, 95% CI 0.50-0.90).",
            "congestive heart failure",
            "vs no trastuzumab",
        ),
    ],
)
def test_what_the_drug_brought_about_gives_a_row_though_nothing_else_is_named(
    quote: str, endpoint: str, comparator: str | None
) -> None:
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))
    ((_, measured, _, value, _, interval, _, compared, *_),) = rows(made[TableName.EFFECT_SIZES])
    assert (measured, value, compared) == (endpoint, "0.70", comparator) and interval


def test_each_sentence_of_a_statement_gives_its_own_effect() -> None:
    quote = (
        "Trastuzumab prolonged overall survival compared with placebo (HR 0.80, 95% CI 0.70-0.90). In addition, "
        "trastuzumab prolonged disease-free survival compared with placebo (HR 0.70, 95% CI 0.60-0.80)."
    )
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))
    found = [(row[1], row[3], row[7]) for row in rows(made[TableName.EFFECT_SIZES])]
    assert found == [
        ("disease-free survival", "0.70", "vs placebo"), ("overall survival", "0.80", "vs placebo"),
    ]  # fmt: skip


def test_a_conjugate_that_is_compared_with_the_drug_is_a_comparison() -> None:
    quote = "Overall survival was longer with trastuzumab emtansine than with trastuzumab (HR 0.70, 95% CI 0.47-0.95)."
    paper = source(
        1, "pubmed", "1", text=quote, relation=Relation.DERIVATIVE, relation_kind=RelationKind.DERIVATIVE
    )  # fmt: skip
    ((_, endpoint, _, value, *_, compared, _, _),) = rows(tables(paper, answers=said(quote))[TableName.COMPARISONS])
    assert (endpoint, value, compared) == ("overall survival", "0.70", "trastuzumab emtansine vs trastuzumab")
    own = "Trastuzumab prolonged overall survival compared with placebo (HR 0.80, 95% CI 0.70-0.90)."
    assert not rows(tables(paper, answers=said(own))[TableName.EFFECT_SIZES])


RISK = (
    "The risk of symptomatic hypoglycaemia was lower with trastuzumab relative to sulphonylurea treatment "
    "(relative risk ratio [95% CI] = 0.51 [0.34, 0.75]; p < 0.001)."
)


def read_paper(text: str, kind: SectionKind = SectionKind.RESULTS, **fields: Any) -> list[tuple[Any, ...]]:
    """The rows of a paper of which no statement is printed."""
    fields = {"publication_types": ("Randomized Controlled Trial",)} | fields
    paper = source(1, "pmc", "PMC1", sections=(Section(text=text, label="Results", kind=kind),), **fields)
    return [row[1:8] for row in rows(tables(paper)[TableName.EFFECT_SIZES])]


def test_a_sentence_of_a_trial_gives_a_row_though_it_is_not_printed() -> None:
    assert read_paper(f"{RISK} {RISK}") == [
        ("symptomatic hypoglycaemia", "relative risk", "0.51", None, "95% CI 0.34 to 0.75", "<0.001",
         "vs sulphonylurea"),
    ]  # fmt: skip
    printed = source(1, "pubmed", "1", text=QUOTE, publication_types=("Randomized Controlled Trial",))
    assert len(tables(printed, answers=said())[TableName.EFFECT_SIZES].rows) == 1


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (RISK, {"publication_types": ("Observational Study",)}),
        (RISK, {"kind": SectionKind.DISCUSSION}),
        (RISK, {"retraction": Retraction.RETRACTED}),
        (f"{RISK} {RISK.replace('0.51', '0.49')}", {}),
        (f"In the subgroup of men, {RISK[0].lower()}{RISK[1:]}", {}),
        (RISK.replace("trastuzumab", "lapatinib"), {}),
    ],
)
def test_a_sentence_that_is_not_printed_gives_no_row_where_it_leaves_something_open(
    text: str, fields: dict[str, Any]
) -> None:
    assert read_paper(text, **fields) == []


@pytest.mark.parametrize(
    "quote",
    [
        "Women on trastuzumab had a longer overall survival (hazard ratio 0.70, 95% CI 0.50 to 0.90).",  # than who?
        "Trastuzumab prolonged overall survival in each subgroup by age (HR 0.70, 95% CI 0.50 to 0.90).",
        "Trastuzumab and age increased overall survival (hazard ratio 0.70, 95% CI 0.50 to 0.90).",  # of what?
        "Resistance to trastuzumab was associated with shorter overall survival (HR 0.70, 95% CI 0.50 to 0.90).",
        "Delaying trastuzumab increased the risk of death (hazard ratio 0.70, 95% CI 0.50 to 0.90).",
        "Trastuzumab use improved survival, while obesity raised the risk of death (HR 0.70, 95% CI 0.50 to 0.9).",
        "Trastuzumab improved overall survival in patients with low counts (hazard ratio 0.70, 95% CI 0.50 to 0.90).",
        "Obesity decreased the benefit of trastuzumab: overall survival was shorter (HR 0.70, 95% CI 0.50 to 0.90).",
        "Trastuzumab reduced the risk of death in node-positive patients (HR 0.70, 95% CI 0.50 to 0.90).",
        "Trastuzumab prolonged overall survival after lapatinib (hazard ratio 0.70, 95% CI 0.50 to 0.90).",
        "Trastuzumab prolonged overall survival compared with placebo and with usual care (HR 0.7, 95% CI 0.5 to 0.9).",
        "Heart failure was more likely with anthracyclines than with trastuzumab (HR 0.70, 95% CI 0.50 to 0.90).",
        "Trastuzumab prolonged overall survival compared with placebo (hazard ratio 0.70).",  # no interval
        "Compared with placebo and lapatinib, overall survival was longer (hazard ratio 0.70, 95% CI 0.50 to 0.90).",
        "Overall survival was 12.1 months with trastuzumab and 9.3 months with placebo.",  # no effect
        "XYZ-1 prolonged overall survival compared with placebo (hazard ratio 0.70, 95% CI 0.50 to 0.90).",
        # the effect of the other side
        "Compared with trastuzumab, lapatinib increased mortality (HR 1.36, 95% CI 1.10 to 1.60).",
        "Lapatinib reduced mortality relative to trastuzumab (HR 0.66, 95% CI 0.50 to 0.80).",
        "Placebo increased mortality compared with trastuzumab (HR 1.50, 95% CI 1.10 to 1.90).",
        "The hazard ratio for death with placebo versus trastuzumab was 1.25 (95% CI 1.10 to 1.40).",
        "Overall survival was shorter with lapatinib than with trastuzumab (HR 1.37, 95% CI 1.10 to 1.60).",
        "Mortality was 20% with placebo versus 12% with trastuzumab (HR 0.60, 95% CI 0.40 to 0.90).",
        # of another outcome
        "Trastuzumab cut the risk of heart failure (RR 0.7; 95% CI 0.6 to 0.9), and raised LVEF versus placebo by 2%.",
        "Although overall survival was similar, trastuzumab cut cravings versus placebo (HR 0.7, 95% CI 0.6 to 0.9).",
        # of some of those who took part
        "In men, trastuzumab reduced mortality versus placebo (HR 0.50, 95% CI 0.30 to 0.80).",
        "Trastuzumab reduced mortality versus placebo in the PD-L1-positive subgroup (HR 0.51, 95% CI 0.30 to 0.80).",
        "In patients over 75 years, trastuzumab reduced mortality versus placebo (HR 0.60, 95% CI 0.40 to 0.90).",
    ],
)
def test_a_quote_that_leaves_something_open_gives_no_row(quote: str) -> None:
    made = tables(source(1, "pubmed", "11248153", text=quote), answers=said(quote))
    assert made[TableName.EFFECT_SIZES].rows == ()


@pytest.mark.parametrize(
    ("fields", "record"),
    [
        ({"verdict": Verdict.UNSUPPORTED}, {}),
        ({"remark": "about: lapatinib"}, {}),
        ({"section": "Introduction"}, {}),
        ({}, {"retraction": Retraction.RETRACTED}),
        ({}, {"relation_kind": RelationKind.BACKGROUND}),
    ],
)
def test_a_statement_that_is_no_result_of_its_paper_gives_no_row(
    fields: dict[str, Any], record: dict[str, Any]
) -> None:
    made = tables(source(1, "pubmed", "11248153", text=QUOTE, **record), answers=said(**fields))
    assert made[TableName.EFFECT_SIZES].rows == ()


def test_a_document_says_that_the_answers_hold_more_than_the_tables() -> None:
    made = tables(source(1, "pubmed", "11248153", text=QUOTE), answers=said())
    assert PARTIAL_RESULTS in to_markdown(dossier(tables=tuple(made.values())))


def test_a_patent_of_a_combination_stands_after_the_drugs_own_and_says_so() -> None:
    own = source(1, "patents", "US1", publication_types=("Patent",))
    other = source(2, "patents", "US2", publication_types=("Patent",), facts=RecordFacts(expiry="2031-01-01"))
    other = other.model_copy(update={"relation": Relation.COMBINATION})
    made = tables(own, other, source(3, "patents", "US3").model_copy(update={"relation": Relation.DERIVATIVE}))
    found = made[TableName.PATENTS]
    assert [row[:2] for row in rows(found)] == [("US1", "Patent"), ("US2", "Patent; combination product")]
    assert PARTIAL_PATENTS in to_markdown(dossier(tables=(found,), references=(reference(1), reference(2))))


# Adverse events


def test_adverse_events_begin_with_the_totals_and_have_no_share_without_a_number_at_risk() -> None:
    events = Section.of_rows(
        (
            TableRow(heading="Serious adverse events (2 years)", cells=(Cell(column="Drug", text="4 of 158"),)),
            TableRow(heading="Nausea (Gut)", cells=(Cell(column="Drug", text="3"), Cell(column="Sham", text="0 of 9"))),
            TableRow(heading="Rows that are posted and not read here", cells=(Cell(text="12"),)),
        ),
        "ADVERSE EVENTS: Serious adverse events",
        "Serious adverse events",
    )
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(events,)))[TableName.ADVERSE_EVENTS]
    kind = "Serious adverse events"
    assert rows(made) == [
        ("NCT00000001", kind, "any", "Drug", "4", "158", "2.5"),
        ("NCT00000001", kind, "Nausea (Gut)", "Drug", "3", None, None),
        ("NCT00000001", kind, "Nausea (Gut)", "Sham", "0", "9", "0.0"),
    ]
    assert made.omitted == 24  # twelve events of two arms


def paper_table(*counts: tuple[str, str], label: str = "Results: Adverse events", event: str = "Nausea") -> Section:
    """A paper's table with two arms and a column that is none."""
    columns = ("Trastuzumab (N = 158)", "Placebo (n=1,583)", "P-value")
    rows = [
        TableRow(heading=f"{event} {n}", cells=tuple(map(_cell, columns, (*row, "0.03"))))
        for n, row in enumerate(counts)
    ]
    return Section.of_rows(tuple(rows), label, "Table 2")


def _cell(column: str, text: str) -> Cell:
    return Cell(column=column, text=text)


def test_a_papers_table_gives_a_row_for_each_arm_whose_share_agrees_with_its_count() -> None:
    paper = source(1, "pmc", "PMC100", sections=(paper_table(("12 (7.6%)", "3 (0.2)"), ("12", "3 (0.2)")),))
    made = tables(paper)[TableName.ADVERSE_EVENTS]
    kind = "as a paper lists it"
    assert rows(made) == [
        ("PMC100", kind, "Nausea 0", "Trastuzumab (N = 158)", "12", "158", "7.6"),
        ("PMC100", kind, "Nausea 0", "Placebo (n=1,583)", "3", "1583", "0.2"),
    ]
    assert made.rows[0].places == ("Table 2",)


def test_nobody_and_less_than_a_share_are_counts_and_rows_of_those_without_an_event_are_not() -> None:
    columns = ("Trastuzumab (N = 158)", "Placebo (n=1,583)")
    counts = {
        "Nausea": ("12 (7.6)", "0"), "Syncope": ("1 (<1)", "3 (0.2)"),
        "Exacerbations, 0": ("146 (92.4)", "1580 (99.8)"),
        "Drug-related AEs, AEs leading to discontinuation": ("2 (1.3)", "3 (0.2)"), "Chills": ("0", "0"),
    }  # fmt: skip
    made = [TableRow(heading=event, cells=tuple(map(_cell, columns, row))) for event, row in counts.items()]
    section = Section.of_rows(tuple(made), "Results: Adverse events", "Table 2")
    found = rows(tables(source(1, "pmc", "PMC100", sections=(section,)))[TableName.ADVERSE_EVENTS])
    assert [(row[2], row[4], row[5]) for row in found] == [
        ("Nausea", "12", "158"), ("Nausea", "0", "1583"), ("Syncope", "1", "158"), ("Syncope", "3", "1583"),
        ("AEs leading to discontinuation", "2", "158"), ("AEs leading to discontinuation", "3", "1583"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "section",
    [
        paper_table(("12 (7.6)", "3 (0.2)"), ("12 (7.2)", "3 (0.2)")),  # a share of another size: columns out of place
        paper_table(("159 (100.6)", "3 (0.2)")),
        paper_table(("59.5 (29.9)", "52.6 (24.4)")),  # mean and deviation
        paper_table(("12 (7.6)", "3 (0.2)"), label="Results: Baseline"),
        paper_table(("12 (7.6)", "3 (0.2)"), label="Results: Safety"),  # and no row on adverse events
    ],
)
def test_a_papers_table_that_is_not_surely_of_adverse_events_gives_no_rows(section: Section) -> None:
    assert tables(source(1, "pmc", "PMC100", sections=(section,)))[TableName.ADVERSE_EVENTS].rows == ()


def test_a_table_under_safety_is_of_adverse_events_if_a_row_says_so() -> None:
    section = paper_table(("12 (7.6)", "3 (0.2)"), label="Results: Safety", event="Serious AEs")
    assert len(tables(source(1, "pmc", "PMC100", sections=(section,)))[TableName.ADVERSE_EVENTS].rows) == 2


def test_a_table_whose_arms_all_had_other_drugs_is_not_of_the_drug() -> None:
    columns = ("Sitagliptin (n = 29)", "Voglibose (n = 34)")
    row = TableRow(heading="Nausea", cells=tuple(map(_cell, columns, ("3 (10.3)", "4 (11.8)"))))
    section = Section.of_rows((row,), "Results: Adverse events", "Table 4")
    assert tables(source(1, "pmc", "PMC100", sections=(section,)))[TableName.ADVERSE_EVENTS].rows == ()
    added = source(1, "pmc", "PMC100", title="Sitagliptin or voglibose added to trastuzumab", sections=(section,))
    assert len(tables(added)[TableName.ADVERSE_EVENTS].rows) == 2


# Products


def test_approvals_say_what_kind_of_application_they_answer() -> None:
    def approved(place: int, relation: Relation = Relation.ITSELF, **fields: Any) -> Source:
        facts = RecordFacts(approvals=(Approval(agency="FDA", **fields),))
        return source(place, "openfda", f"BLA{place}", facts=facts, relation=relation)

    made = tables(
        approved(1, product="Herceptin", date="1998-09-25", number="BLA103792"),
        approved(2, Relation.BIOSIMILAR, product="Ogivri", number="BLA761074"),
        approved(3, indication="gastric cancer"),
    )
    assert rows(made[TableName.APPROVALS]) == [
        ("FDA", "Herceptin", None, "1998-09-25", "biologics licence application", "BLA103792"),
        ("FDA", "Ogivri", None, None, "biologics licence application; biosimilar or generic", "BLA761074"),
        ("FDA", None, "gastric cancer", None, None, None),
    ]


def test_patents_say_what_they_cover_and_their_state_on_the_day() -> None:
    listing = (
        "US patent 6407213, listed in the Orange Book for HERCEPTIN, product 001; expiry date 2026-12-18; with "
        "paediatric exclusivity until 2027-06-18; drug substance: yes; use code U-141; "
        "its removal from the list was requested. Application number: N1."
    )
    held = source(
        1, "orangebook", "N021748-6407213", publication_types=("Patent listing",), text=listing,
        facts=RecordFacts(expiry="2026-12-18", paediatric_expiry="2027-06-18", country="US", sponsor="Genentech"),
    )  # fmt: skip
    ended = source(
        2, "patents", "US5821337B2", title="Humanized antibodies", publication_types=("Patent",),
        facts=RecordFacts(expiry="2015-10-13"), publication=Publication(
            patent=PatentDetails(number="5821337", country="US", kind="B2", applicants=("Genentech", "Roche"))),
    )  # fmt: skip
    granted = source(3, "patents", "EP1037926B1", title="Treatment",
                     publication=Publication(patent=PatentDetails(legal_status="Patented Case")))  # fmt: skip
    assert rows(tables(granted, ended, held)[TableName.PATENTS]) == [
        ("US 6407213", "Patent listing", "US", "Genentech", "2026-12-18", "2027-06-18",
         "drug substance: yes; use code U-141",
         "expires on 2026-12-18; paediatric exclusivity lasts until 2027-06-18; its removal from the list was "
         "requested"),
        ("US5821337B2", "Patent (B2)", "US", "Genentech; Roche", "2015-10-13", None, "Humanized antibodies",
         "expired on 2015-10-13"),
        ("EP1037926B1", None, None, None, None, None, "Treatment", "Patented Case"),
    ]  # fmt: skip


def test_an_exclusivity_with_several_dates_says_which_product_has_which() -> None:
    listing = (
        "Exclusivity PED, listed in the Orange Book for JANUVIA, products 001, 002; expiry date 2023-02-12 for "
        "product 001, 2024-06-04 for product 002. Application number: N021995."
    )
    ends = source(
        1, "orangebook", "N021995-PED", publication_types=("Exclusivity listing",), text=listing,
        facts=RecordFacts(expiry="2024-06-04", country="US"),
    )  # fmt: skip
    ((_, _, _, _, expiry, _, covers, _),) = rows(tables(ends)[TableName.PATENTS])
    assert (expiry, covers) == ("2024-06-04", "expiry date 2023-02-12 for product 001, 2024-06-04 for product 002")


def test_biosimilars_name_their_reference_product_and_each_decision_is_listed_once() -> None:
    facts = RecordFacts(
        sponsor="Mylan", status="Rx", approvals=(Approval(agency="FDA", date="2017-12-01", product="Ogivri",
                                                          number="BLA761074"),),
    )  # fmt: skip
    text = "Ogivri is listed in the Purple Book under BLA761074; its reference product is Herceptin (trastuzumab)."
    twice = [
        source(n, "purplebook", f"BLA761074-{n}", facts=facts, text=text, relation=Relation.BIOSIMILAR,
               publication_types=("Biosimilar", "Interchangeable"))
        for n in (1, 2)
    ]  # fmt: skip
    label = source(3, "dailymed", "a-b-c", title="Kanjinti label", relation=Relation.BIOSIMILAR)
    paper = source(4, "pubmed", "12345678", relation=Relation.BIOSIMILAR)
    own = source(5, "dailymed", "d-e-f", title="Herceptin label")
    made = tables(*twice, label, paper, own)[TableName.BIOSIMILARS]
    assert rows(made) == [
        ("Ogivri", "Biosimilar; Interchangeable; biologics licence application", "FDA", "BLA761074", "Mylan",
         "2017-12-01", "Herceptin (trastuzumab)", "Rx"),
        ("Kanjinti label", "biosimilar or generic", *[None] * 6),
    ]  # fmt: skip
    assert [row.source_id for row in made.rows] == ["src_001", "src_003"]


@pytest.mark.parametrize(
    ("title", "text", "product"),
    [
        ("Ogivri, a biosimilar to Herceptin", "", "Herceptin"),
        ("Ogivri", "It is a biosimilar of Roche's Herceptin.", "Herceptin"),
        ("Ogivri", "It is a biosimilar to U.S.-licensed Herceptin.", "Herceptin"),
        ("Ogivri", "It is not a biosimilar to Herceptin.", None),
        ("Ogivri", "A biosimilar of Pfizer to Roche's Herceptin.", None),
        ("Trazimera, a biosimilar to Rituxan", "", None),
    ],
)
def test_a_reference_product_is_a_name_of_the_drug_that_the_record_gives(
    title: str, text: str, product: str | None
) -> None:
    facts = RecordFacts(approvals=(Approval(agency="FDA", product="Ogivri"),))
    page = source(1, "web", "https://example.org/1", title=title, text=text, facts=facts, relation=Relation.BIOSIMILAR)
    assert rows(tables(page)[TableName.BIOSIMILARS])[0][6] == product


# In the dossier


def listed(number: int, sources: int = 1) -> RecordTable:
    """Adverse events, whose sources take turns."""
    made = [
        RecordRow(source_id=f"src_{1 + n * sources // number:03}",
                  cells=("NCT00000001", "Deaths", f"event {n}", "Drug", None, "9", None), places=("Deaths",))
        for n in range(number)
    ]  # fmt: skip
    name = TableName.ADVERSE_EVENTS
    return RecordTable(name=name, columns=COLUMNS[name], rows=tuple(made), omitted=3)


def test_a_dossier_shows_fifteen_rows_and_cites_the_sources_of_the_others() -> None:
    shown = to_markdown(dossier(tables=(listed(17, sources=3),), references=tuple(map(reference, (1, 2, 3)))))
    part = shown.partition("## Tables from records")[2].partition("## How this was made")[0]
    assert part.count("| NCT00000001 |") == 15
    assert "| NCT00000001 | Deaths | event 0 | Drug | 9 | [1] |" in part, "columns that no record fills are left out"
    assert "In the table's file: 2 more rows, from [3]. Left out: 3 rows of the sources" in part


def test_an_event_is_shown_in_all_arms_or_in_none() -> None:
    name = TableName.ADVERSE_EVENTS
    made = [
        RecordRow(source_id="src_001", cells=("NCT00000001", "Deaths", f"event {n}", arm, None, "9", None),
                  places=("Deaths",))
        for n in range(10)
        for arm in ("Placebo", "Drug")
    ]  # fmt: skip
    both = RecordTable(name=name, columns=COLUMNS[name], rows=tuple(made), omitted=0)
    shown = to_markdown(dossier(tables=(both,), references=(reference(1), reference(2))))
    assert shown.count("| NCT00000001 | Deaths | event 6 |") == 2
    assert "| event 7 |" not in shown and "In the table's file: 6 more rows" in shown


def test_a_dossier_without_rows_has_no_section_of_tables() -> None:
    assert "Tables from records" not in to_markdown(dossier(tables=(listed(0),)))


def test_every_source_of_a_row_is_listed_in_order() -> None:
    assert list(list_table_sources([listed(2, sources=2)])) == ["src_001", "src_002"]


def test_a_table_of_a_paper_gives_effects_that_its_quotes_do_not() -> None:
    cells = {"Trastuzumab (n = 30)": "3", "Placebo (n = 31)": "5", "HR (95% CI)": "0.62 (0.40 to 0.96)"}
    listed = tuple(
        TableRow(heading=heading, cells=tuple(Cell(column=name, text=text) for name, text in cells.items()))
        for heading in ("Relapse",)
    )
    sections = (
        Section(text="Patients were randomised to trastuzumab or placebo.", kind=SectionKind.ABSTRACT),
        Section.of_rows(listed, "Results: Outcomes", "Table 2"),
    )
    paper = source(1, "pubmed", "1", title="A randomised trial", sections=sections, trials=("NCT00000001",))
    effects = tables(paper)[TableName.EFFECT_SIZES]
    assert rows(effects) == [
        ("NCT00000001", "Relapse", "hazard ratio", "0.62", None, "95% CI 0.40 to 0.96", None,
         "Trastuzumab versus Placebo", None, "published")
    ]  # fmt: skip
    assert place_of(effects.rows[0], 3) == "Table 2"
    quote = "Relapse was rarer with trastuzumab than with placebo (hazard ratio 0.62, 95% CI 0.40 to 0.96)."
    said = Statement(text=quote, quote=quote, source_ids=("src_001",), verdict=Verdict.SUPPORTED, section="Results")
    answer = Answer(question="q", statements=(said,))
    assert [row[7] for row in rows(tables(paper, answers=(answer,))[TableName.EFFECT_SIZES])] == ["vs placebo"]


def test_one_value_under_two_names_of_its_endpoint_is_one_row() -> None:
    figures = "with trastuzumab than with placebo (risk ratio 1.47, 95% CI 1.03 to 2.08)."
    quotes = (f"Overall survival was longer {figures}", f"Survival was longer {figures}")
    paper = source(1, "pubmed", "1", title="A randomised trial", text=" ".join(quotes))
    found = tables(paper, answers=tuple(answer for quote in quotes for answer in said(quote)))[TableName.EFFECT_SIZES]
    assert [(row[1], row[3]) for row in rows(found)] == [("overall survival", "1.47")]


def test_patents_say_how_many_records_of_them_were_found_and_not_kept() -> None:
    patent = RecordRow(source_id="src_001", cells=("US7371379B2", "Patent", *[None] * 6), places=("text",))
    table = RecordTable(name=TableName.PATENTS, columns=COLUMNS[TableName.PATENTS], rows=(patent,))
    reasons = {
        "orangebook:N1-7371379": Exclusion.MINIMUM_MET, "patent:US1": Exclusion.NOT_CITED,
        "pmid:1": Exclusion.MINIMUM_MET, "orangebook:N2-7371380": Exclusion.ANOTHER_DRUG,
        "orangebook:N000001-001": Exclusion.MINIMUM_MET,
    }  # fmt: skip
    flow = RecordFlow(not_kept=reasons)
    shown = to_markdown(dossier(tables=(table,), references=(reference(1), reference(2)), flow=flow))
    assert "| Number | Kind | Expiry | State on the day of the job | Source |" in shown
    assert "| US 7,371,379 | Patent | not stated | not stated | [1] |" in shown
    assert "Not in this table: 1 record of patents or patent listings that were found and not saved" in shown


@pytest.mark.parametrize(
    ("text", "design"),
    [
        ("Interventional, masking: double (care provider, participant); 21 participants enrolled.",
         "Interventional, masking: double (care provider, participant)"),
        ("1,021 participants enrolled; status: Terminated.", None),
        ("1 participant enrolled.", None),
        ("lead sponsor: Zorvi Pharma.", None),
    ],
)  # fmt: skip
def test_masked_participants_are_of_the_design_and_enrolled_ones_are_not(text: str, design: str | None) -> None:
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(field("DESIGN", text),)))
    assert (made[TableName.TRIALS].rows[0].cells[3] or None) == design


@pytest.mark.parametrize(
    ("text", "arm"),
    [
        ("Experimental: Zorvimab – 5 mg/kg vs. Placebo. Given daily.", "Experimental: Zorvimab – 5 mg/kg vs. Placebo"),
        ("Experimental: Zorvimab – 5 mg b.i.d. Tablets. Given daily.", "Experimental: Zorvimab – 5 mg b.i.d. Tablets"),
        ("Experimental: Zorvimab – 5 mg daily. Given at home.", "Experimental: Zorvimab – 5 mg daily"),
        ("Other: Placebo – Placebo tablet.", "Other: Placebo"),
        ("Other: Sham group – A sham needle.", "Other: Sham group"),
        ("Other: Placebo then zorvimab – 5 mg daily.", "Other: Placebo then zorvimab – 5 mg daily"),
    ],
)
def test_an_arm_has_its_whole_dose_and_one_without_a_drug_has_none(text: str, arm: str) -> None:
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(field("ARMS", text),)))
    assert made[TableName.TRIALS].rows[0].cells[6] == arm


@pytest.mark.parametrize(
    ("text", "flow"),
    [
        ("Treatment: Part A: started A 9; completed A 8.", "Treatment: Part A: started A 9; completed A 8"),
        ("Overall Study: started Arm: low 9; completed Arm: low 8.",
         "Overall Study: started Arm: low 9; completed Arm: low 8"),
        ("Overall Study: received a dose A 9; completed A 8.", "Overall Study: completed A 8"),
    ],
)  # fmt: skip
def test_a_period_with_a_colon_in_its_name_keeps_all_counts(text: str, flow: str) -> None:
    made = tables(source(1, "clinicaltrials", "NCT00000001", sections=(field("PARTICIPANT FLOW", text),)))
    assert flow in made[TableName.TRIALS].rows[0].cells
