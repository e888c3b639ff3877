"""What the records' own fields say at a glance."""

from __future__ import annotations

from typing import Any

from dossiers import NOW, dossier, reference

from storm.export import to_markdown
from storm.models import (
    Approval,
    AtAGlance,
    Hit,
    LabelDetails,
    Plan,
    Publication,
    Question,
    RecordFacts,
    Relation,
    SearchStatus,
    Source,
    Syllabus,
)
from storm.models.dossier import SearchLine
from storm.models.search import NAMES
from storm.models.study import EnrollmentKind, StudyDate
from storm.reports.glance import at_a_glance

SYLLABUS = Syllabus(
    name="drug",
    questions=(Question(key="market.status", label="Market", description="Where is it approved?", min_sources=1),),
)
PLAN = Plan(names=("trastuzumab",), syllabus=SYLLABUS)


def source(number: int, database: str, relation: Relation = Relation.ITSELF, **fields: Any) -> Source:
    hit = Hit.of(database, f"NCT{number:08}", f"https://example.org/{number}", f"Record {number}", **fields)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=("market.status",), relation=relation)


def glance(*sources: Source) -> AtAGlance:
    return at_a_glance(PLAN, sources)


def test_a_value_is_reported_once_with_the_first_source_that_states_it() -> None:
    seen = glance(
        source(1, "chembl", facts=RecordFacts(targets=("HER2",))),
        source(2, "openfda", facts=RecordFacts(targets=("her2", "Fc receptor"))),
    )
    assert [(fact.text, fact.source_id) for fact in seen.targets] == [("HER2", "src_001"), ("Fc receptor", "src_002")]


def test_names_and_sponsors_come_from_drug_records_only() -> None:
    facts = RecordFacts(sponsor="A University")
    seen = glance(source(1, "pubmed", drugs=("T-DM1",), facts=facts), source(2, "chembl", drugs=("HERCEPTIN",)))
    assert [fact.text for fact in seen.names] == ["HERCEPTIN"]
    assert seen.sponsors == ()


def test_what_relatives_say_of_themselves_is_not_said_of_the_drug() -> None:
    facts = RecordFacts(boxed_warning="HEPATOTOXICITY", targets=("tubulin",), drug_class=("conjugate",))
    seen = glance(source(1, "openfda", Relation.DERIVATIVE, drugs=("KADCYLA",), facts=facts))
    assert (seen.names, seen.boxed_warnings, seen.targets, seen.drug_class) == ((), (), (), ())


def test_approvals_of_the_drug_come_before_those_of_its_relatives_each_by_date() -> None:
    def approved(*dates: str | None) -> RecordFacts:
        return RecordFacts(approvals=tuple(Approval(agency="FDA", date=date) for date in dates))

    seen = glance(
        source(1, "openfda", Relation.BIOSIMILAR, facts=approved("1997-01-01")),
        source(2, "openfda", facts=approved(None, "2010-10-20", "1998-09-25")),
    )
    assert [(a.date, a.source_id, a.relation) for a in seen.approvals] == [
        ("1998-09-25", "src_002", Relation.ITSELF),
        ("2010-10-20", "src_002", Relation.ITSELF),
        (None, "src_002", Relation.ITSELF),
        ("1997-01-01", "src_001", Relation.BIOSIMILAR),
    ]


def test_launches_are_listed_once_for_each_product_by_their_first_day_and_cited() -> None:
    def label(number: int, day: str | None, product: str, relation: Relation = Relation.ITSELF) -> Source:
        details = Publication(label=LabelDetails(product=product))
        return source(number, "dailymed", relation, facts=RecordFacts(marketed_since=day), publication=details)

    seen = glance(
        label(1, "2019-12-02", "Ogivri", Relation.BIOSIMILAR), label(2, "2001-01-01", "HERCEPTIN"),
        label(3, "1998-09-25", "Herceptin"), label(4, None, "Trazimera"),
    )  # fmt: skip
    assert [(one.date, one.product, one.source_id, one.relation) for one in seen.launches] == [
        ("1998-09-25", "Herceptin", "src_003", Relation.ITSELF),
        ("2019-12-02", "Ogivri", "src_001", Relation.BIOSIMILAR),
    ]
    page = to_markdown(dossier(at_a_glance=seen, references=tuple(map(reference, (1, 2, 3)))))
    assert "| 1998-09-25 | Herceptin | [3] |" in page
    assert "| 2019-12-02 | Ogivri (biosimilar or generic) | [1] |" in page


def test_an_approval_that_two_records_state_is_reported_once() -> None:
    one = RecordFacts(approvals=(Approval(agency="FDA", date="1998-09-25", product="Herceptin"),))
    other = RecordFacts(approvals=(Approval(agency="fda", date="1998-09-25", product="HERCEPTIN"),))
    seen = glance(source(1, "openfda", facts=one), source(2, "openfda", facts=other))
    assert [approval.source_id for approval in seen.approvals] == ["src_001"]


def test_trials_are_counted_by_phase_and_state() -> None:
    seen = glance(
        source(1, "clinicaltrials", facts=RecordFacts(phase="Phase 3", status="Completed")),
        source(2, "clinicaltrials", facts=RecordFacts(phase="Phase 3", status="Completed")),
        source(3, "clinicaltrials"),
        source(4, "pubmed", facts=RecordFacts(phase="Phase 3", status="Completed")),
    )
    assert seen.trials == {"Phase 3": {"Completed": 2}, "no phase stated": {"no state stated": 1}}


def test_trials_that_only_papers_report_are_listed_by_their_numbers() -> None:
    paper = reference(1).model_copy(update={"design": "randomised trial", "trials": ("NCT00000005", "NCT00000006")})
    page = to_markdown(dossier(references=(paper, reference(2))))
    assert "named by papers, without their registry records: NCT00000005 [1], NCT00000006 [1] |" in page
    many = paper.model_copy(update={"trials": tuple(f"NCT{number:08}" for number in range(12))})
    assert "NCT00000009 [1] and 2 more |" in to_markdown(dossier(references=(many, reference(2))))


def test_what_is_not_stated_is_told_from_records_that_are_not_there() -> None:
    paper = to_markdown(dossier(references=(reference(1), reference(2))))
    assert "| Boxed warning | no label is cited |" in paper
    assert "| Target | no drug, label or registry record is cited |" in paper
    assert (
        "| Trials among the sources | no registration number of a trial was read from the references on the drug |"
        in paper
    )
    label = reference(1).model_copy(
        update={"source_type": "openfda", "publication": Publication(label=LabelDetails(labeler="Zorvi Pharma"))}
    )
    page = to_markdown(dossier(references=(label, reference(2))))
    assert "| Boxed warning | not stated in a field that storm reads of a drug, label or registry record |" in page


def test_designs_are_counted_for_each_question_the_strongest_first() -> None:
    seen = glance(
        source(1, "pubmed", publication_types=("Review",)),
        source(2, "pubmed", publication_types=("Randomized Controlled Trial",)),
        source(3, "pubmed", publication_types=("Review",)),
    )
    assert list(seen.designs["market.status"].items()) == [("randomised trial", 1), ("review or guideline", 2)]


def test_registered_studies_say_what_is_planned_and_the_stopped_come_first() -> None:
    planned = RecordFacts(status="Recruiting", enrollment=800, completion=StudyDate(date="2028-03", expected=True))
    stopped = RecordFacts(
        status="Terminated", enrollment=21, enrollment_kind=EnrollmentKind.ENROLLED, why_stopped="Safety: excess deaths"
    )
    seen = glance(source(1, "clinicaltrials", facts=planned), source(2, "clinicaltrials", facts=stopped))
    assert [(study.external_id, study.participants, study.why_stopped) for study in seen.studies] == [
        ("NCT00000002", "21 participants enrolled", "Safety: excess deaths"),
        ("NCT00000001", "800 participants planned", None),
    ]


def test_patents_are_listed_with_both_dates_those_that_last_longest_first() -> None:
    seen = glance(
        source(1, "orangebook", facts=RecordFacts(expiry="2026-03-17", paediatric_expiry="2026-09-17")),
        source(2, "orangebook", facts=RecordFacts(expiry="2031-01-01")),
        source(3, "orangebook", Relation.BIOSIMILAR, facts=RecordFacts(expiry="2033-01-01")),
    )
    assert [(fact.text, fact.expiry, fact.paediatric_expiry) for fact in seen.protections] == [
        ("Record 2", "2031-01-01", None),
        ("Record 1", "2026-03-17", "2026-09-17"),
    ]


def test_related_products_that_are_cited_are_said_to_be_where_no_database_names_any() -> None:
    combined = reference(2).model_copy(update={"relation": Relation.COMBINATION})
    asked = SearchLine(
        database="chembl", scope="ChEMBL", question=NAMES, query="q", at=NOW, status=SearchStatus.NONE, total=0,
        hits=0, kept=0,
    )  # fmt: skip
    page = to_markdown(dossier(references=(reference(1), combined), search_log=(asked,)))
    assert "(kept apart) | none named by a drug database; cited as such: combination product [2] |" in page
    assert "no related product was found" in to_markdown(dossier(search_log=(asked,)))
