"""The references of a repurposing report after their validation."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from dossiers import SUPPORTED, dossier, reference
from hypothesis import given
from hypothesis import strategies as st

import storm
from storm.citations.report_references import (
    NO_REFERENCE,
    NOT_COLLECTED,
    build_reference_from_evidence,
    describe_reference,
    list_evidence,
    validate_references,
)
from storm.models import (
    Answer,
    DrugCandidate,
    EvidencePiece,
    FindingsSection,
    HypothesisStatus,
    MechanismHypothesis,
    RemovedReference,
    ReportReference,
    RepurposingReport,
    TestedHypothesis,
    Verdict,
)

PAPER = ReportReference(
    title="Metformin and memory", authors=("Doe J",), source="pubmed", date="2020-05-01",
    url="https://pubmed.ncbi.nlm.nih.gov/31000001/", identifiers=("pmid:31000001", "doi:10.1000/m1"),
)  # fmt: skip
OTHER = PAPER.model_copy(
    update={
        "title": "Metformin", "url": "https://pubmed.ncbi.nlm.nih.gov/31000002/", "identifiers": ("pmid:31000002",)
    }
)  # fmt: skip
TRIAL = ReportReference(
    title="A trial of metformin", source="clinicaltrials", url="https://clinicaltrials.gov/study/NCT00620191",
    identifiers=("registry:NCT00620191",),
)  # fmt: skip
INVENTED = ReportReference(title="Metformin cures all", date="2024", identifiers=("pmid:99999999",))
EVIDENCE = [EvidencePiece(content=f"{one.title} helps.", citation=one) for one in (PAPER, PAPER, OTHER, TRIAL)]


def report(*references: ReportReference, **fields: Any) -> RepurposingReport:
    return RepurposingReport(
        title="Metformin for dementia", executive_summary="Nothing is known of it. " * 5, conclusion="None.",
        research_question="Does metformin help?", methodology="Searches.", references=references, **fields,
    )  # fmt: skip


def section(content: str, *citations: ReportReference) -> FindingsSection:
    return FindingsSection(title="Targets", content=content, citations=citations)


def test_only_collected_evidence_stays_and_each_removal_is_reported_with_its_place() -> None:
    checked = validate_references(
        report(
            INVENTED, PAPER, TRIAL,
            mechanistic_findings=(section("It helps [2]. It cures [1].", PAPER, INVENTED),),
            clinical_findings=(section("It harms [1, 3].", INVENTED, TRIAL),),
        ),
        EVIDENCE,
    )  # fmt: skip
    assert checked.references == (PAPER, TRIAL)
    assert checked.mechanistic_findings == (section("It helps [1]. It cures [reference removed].", PAPER),)
    assert checked.clinical_findings == (section("It harms [2].", TRIAL),)
    assert checked.removed_references == tuple(
        RemovedReference(title="Metformin cures all", place=place, reason=NOT_COLLECTED)
        for place in ("references", "mechanistic_findings: Targets", "clinical_findings: Targets")
    )


def test_a_reference_is_described_in_the_words_of_the_evidence() -> None:
    written = ReportReference(title="METFORMIN AND MEMORY.", authors=("Nobody N",), identifiers=("PMID: 31000001",))
    assert validate_references(report(written), EVIDENCE).references == (PAPER,)
    assert build_reference_from_evidence(EVIDENCE[0]) == PAPER


def test_the_same_source_twice_has_one_number() -> None:
    by_doi = ReportReference(title="", url="https://doi.org/10.1000/M1")
    checked = validate_references(
        report(PAPER, TRIAL, by_doi, OTHER, clinical_findings=(section("A [1]. B [3]. C [1, 3, 4].", PAPER, by_doi),)),
        EVIDENCE,
    )
    assert checked.references == (PAPER, TRIAL, OTHER)
    assert checked.clinical_findings == (section("A [1]. B [1]. C [1, 3].", PAPER),)
    assert checked.removed_references == ()


def test_two_records_of_one_work_are_one_source_and_the_first_describes_it() -> None:
    again = PAPER.model_copy(update={"title": "Metformin and memory: a correction", "identifiers": ("doi:10.1000/m1",)})
    evidence = [*EVIDENCE, EvidencePiece(content="x", citation=again)]
    assert validate_references(report(again, PAPER, ReportReference(title=again.title)), evidence).references == (
        PAPER,
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"identifiers": ("pmid:31000003",)},
        {"title": "Metformin and memory in women"},
        {"title": "Metformin and"},
        {"title": OTHER.title},
        {"date": "2019-05-01"},
        {"url": "https://pubmed.ncbi.nlm.nih.gov.example.com/31000001/"},
        {"url": OTHER.url},
        {"title": "", "url": "", "identifiers": (), "date": ""},
    ],
)
def test_a_reference_that_states_anything_else_is_removed(changes: dict[str, Any]) -> None:
    checked = validate_references(report(PAPER.model_copy(update=changes)), EVIDENCE)
    assert checked.references == () and len(checked.removed_references) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"date": "2020"},
        {"date": "May 2020"},
        {"date": "n.d."},
        {"source": "PubMed", "identifiers": ("31000001",)},
        {"title": "metformin and  memory."},
        {"identifiers": (), "url": ""},
        {"url": "http://www.ncbi.nlm.nih.gov/pubmed/31000001"},
    ],
)
def test_a_reference_in_another_form_stays(changes: dict[str, Any]) -> None:
    assert validate_references(report(PAPER.model_copy(update=changes)), EVIDENCE).references == (PAPER,)


def test_an_empty_list_stays_empty_and_without_evidence_nothing_stays() -> None:
    assert validate_references(report(), EVIDENCE) == report()
    assert validate_references(report(), []) == report()
    bare = validate_references(report(PAPER, clinical_findings=(section("It helps [1].", PAPER),)), [])
    assert (bare.references, bare.clinical_findings) == ((), (section("It helps [reference removed]."),))


def test_a_mark_without_a_reference_vanishes_and_is_reported() -> None:
    checked = validate_references(report(PAPER, clinical_findings=(section("It helps [1, 7].", PAPER),)), EVIDENCE)
    assert checked.clinical_findings == (section("It helps [1].", PAPER),)
    gone = RemovedReference(title="[7]", place="clinical_findings: Targets", reason=NO_REFERENCE)
    assert checked.removed_references == (gone,)


def test_evidence_that_nothing_else_identifies_is_itself() -> None:
    odd = ReportReference(title="", url="ftp://host/x")
    evidence = [EvidencePiece(content="x", citation=one) for one in (odd, odd, ReportReference(title=""))]
    assert validate_references(report(odd), evidence).references == (odd,)


def test_marks_in_the_other_texts_have_the_new_numbers_too() -> None:
    whole = report(INVENTED, PAPER, TRIAL, limitations=("One study [2].", "Nobody knows [1]."))
    whole = whole.model_copy(
        update={
            "executive_summary": f"It helps [3]. {'Nothing else is known. ' * 5}",
            "methodology": "Searched as in [2].",
            "conclusion": "It helps [2, 3]. It cures [1, 9].",
        }
    )
    checked = validate_references(whole, EVIDENCE)
    assert checked.executive_summary.startswith("It helps [2]. Nothing")
    assert (checked.methodology, checked.conclusion) == (
        "Searched as in [1].", "It helps [1, 2]. It cures [reference removed].",
    )  # fmt: skip
    assert checked.limitations == ("One study [1].", "Nobody knows [reference removed].")
    assert ("[9]", "conclusion") in [(one.title, one.place) for one in checked.removed_references]


@pytest.mark.parametrize(
    ("summary", "start", "length"),
    [
        ("It cures [9]. " * 10, "It cures [reference removed]. It cures [reference", 300),
        ("It cures [9]. " * 30, "It cures. It cures", 300),
        ("[9] " * 30, "[reference removed]", 0),
        ("x " * 49 + "x [9].", "x x", 0),
        ("x [9]" * 20, "x", 0),
    ],
)
def test_the_summary_stays_of_the_length_that_it_may_have(summary: str, start: str, length: int) -> None:
    checked = validate_references(report(PAPER).model_copy(update={"executive_summary": summary}), EVIDENCE)
    assert checked.executive_summary.startswith((start, "The executive summary was removed"))
    assert not length or len(checked.executive_summary) == length
    assert RepurposingReport.model_validate(checked.model_dump()) == checked


def test_another_report_is_a_clear_error() -> None:
    with pytest.raises(storm.StormError, match="checks a RepurposingReport, and was given a Dossier") as raised:
        validate_references(dossier(), EVIDENCE)  # type: ignore[arg-type]
    assert "repurposing.report" in str(raised.value.hint)


def test_a_part_that_is_too_long_is_a_clear_error() -> None:
    book = report(PAPER, clinical_findings=(section("It helps [1]. " * 5_000, PAPER),))
    with pytest.raises(storm.StormError, match="of the report has 70,000 characters"):
        validate_references(book, EVIDENCE)
    longest = report(PAPER, clinical_findings=(section(f"It helps [1]{'.' * 14_988}", PAPER),))
    assert len(validate_references(longest, EVIDENCE).clinical_findings[0].content) == 15_000


def test_hypotheses_candidates_and_what_was_removed_before_are_kept() -> None:
    hypothesis = MechanismHypothesis(drug="metformin", target="AMPK")
    whole = report(
        INVENTED,
        hypotheses_tested=(TestedHypothesis(hypothesis=hypothesis, mechanism=hypothesis.mechanism),),
        drug_candidates=(DrugCandidate(name="metformin", mechanism="x [1]", status=HypothesisStatus.UNTESTED),),
        removed_references=(RemovedReference(title="Earlier", place="references", reason="x"),),
    )
    checked = validate_references(whole, EVIDENCE)
    assert [one.title for one in checked.removed_references] == ["Earlier", "Metformin cures all"]
    changed = {"references": (INVENTED,), "removed_references": whole.removed_references}
    assert checked.model_copy(update=changed) == whole


def test_each_removal_is_logged_on_one_line_without_addresses(caplog: pytest.LogCaptureFixture) -> None:
    hostile = ReportReference(title="Cure\nERROR [x](https://evil.example/?api_key=sesame) all")
    by_address = ReportReference(title="", url="evil.example/x?api_key=sesame")
    with caplog.at_level(logging.WARNING):
        validate_references(report(hostile, by_address, PAPER), EVIDENCE)
    assert [record.name for record in caplog.records] == ["storm.citations.report_references"] * 2
    messages = [record.getMessage() for record in caplog.records]
    assert messages[0] == f"removed from 'references': 'Cure ERROR … all', since {NOT_COLLECTED}"
    assert "sesame" not in "".join(messages) and "\n" not in "".join(messages)


def test_a_title_with_a_slash_or_a_number_is_logged_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    title = "Metformin and the LKB1/AMPK pathway (n=20, p=0.04): yes?"
    with caplog.at_level(logging.WARNING):
        validate_references(report(ReportReference(title=title)), EVIDENCE)
    assert title in caplog.messages[0]


def test_the_evidence_of_a_job_is_each_shown_quote_and_a_title_of_every_other_source() -> None:
    marked = SUPPORTED.model_copy(update={"verdict": Verdict.UNSUPPORTED, "quote": "It cures."})
    unquoted = SUPPORTED.model_copy(update={"quote": ""})
    answer = Answer(question="q", statements=(SUPPORTED, marked, unquoted, SUPPORTED))
    whole = dossier(answers=(answer,), references=(reference(1), reference(2)))
    one, two = map(describe_reference, whole.references)
    assert list_evidence(whole) == (
        EvidencePiece(content="It harms all.", citation=two),
        EvidencePiece(content="Paper 1", citation=one),
    )
    assert (one.source, one.date, one.authors) == ("pubmed", "2001", ("Doe J",))
    assert validate_references(report(one, two), list_evidence(whole)) == report(one, two)


def test_they_are_functions_of_the_package() -> None:
    assert storm.validate_references is validate_references
    assert storm.build_reference_from_evidence is build_reference_from_evidence
    assert storm.list_evidence is list_evidence


_TEXT = st.one_of(st.text(max_size=20), st.sampled_from([PAPER.title, "PMID: 31000001", "[1]", "[2, 3]", "2020"]))
_REFERENCES = st.one_of(
    st.sampled_from([PAPER, OTHER, TRIAL, INVENTED]),
    st.builds(ReportReference, title=_TEXT, source=_TEXT, date=_TEXT, url=_TEXT, identifiers=st.tuples(_TEXT)),
)
_SECTIONS = st.builds(
    FindingsSection,
    title=_TEXT,
    content=st.lists(st.sampled_from(["It helps", " [1]", "[2, 3]", " [1-4].", "\n", "[9]"]), max_size=9).map("".join),
    citations=st.lists(_REFERENCES, max_size=3).map(tuple),
)


@pytest.mark.slow
@given(
    st.lists(_REFERENCES, max_size=6), st.lists(_SECTIONS, max_size=3), st.lists(_REFERENCES, max_size=6)
)  # fmt: skip
def test_what_stays_is_evidence_and_a_second_validation_changes_nothing(
    references: list[ReportReference], sections: list[FindingsSection], collected: list[ReportReference]
) -> None:
    evidence = [EvidencePiece(content="x", citation=one) for one in collected]
    once = validate_references(report(*references, clinical_findings=tuple(sections)), evidence)
    cited = [one for part in once.clinical_findings for one in part.citations]
    assert {*once.references, *cited} <= {*collected}
    assert len({*once.references}) == len(once.references)
    assert validate_references(once, evidence) == once
    assert RepurposingReport.model_validate_json(once.model_dump_json()) == once
