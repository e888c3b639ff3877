"""At which level the evidence of a source starts, by the design of its study."""

from __future__ import annotations

import pytest

from storm.evidence.levels import find_level, text_read_of
from storm.models import Hit, Retraction, Section, SectionKind

RCT = "Randomized Controlled Trial"


def paper(*types: str, title: str = "Zorvimab for asthma", text: str = "", **fields: object) -> Hit:
    sections = (Section(text=text, kind=SectionKind.ABSTRACT),) if text else ()
    return Hit.of(
        "pubmed", "1", "https://example.org/1", title, publication_types=types, sections=sections, **fields
    )  # fmt: skip


def registered(*types: str, results: bool = True) -> Hit:
    sections = [Section(text="Conditions: asthma", label="CONDITIONS", kind=SectionKind.FIELD)]
    if results:
        sections.append(Section(text="Relapses: 3 and 9", label="RESULTS: Primary outcome", kind=SectionKind.TABLE))
    return Hit.of("clinicaltrials", "NCT00000001", "https://example.org/1", "Zorvimab", publication_types=types,
                  sections=tuple(sections))  # fmt: skip


def levels(hit: Hit) -> tuple[int | None, int | None]:
    level = find_level(hit)
    return level.efficacy, level.safety


@pytest.mark.parametrize(
    ("types", "title", "text", "expected"),
    [
        ((RCT,), "Zorvimab for asthma", "", (2, 2)),
        (("Equivalence Trial",), "Zorvimab for asthma", "", (2, 2)),
        (("Pragmatic Clinical Trial",), "Zorvimab for asthma", "", (2, 2)),
        (("Clinical Trial, Phase III",), "Zorvimab", "Patients were randomized to zorvimab or placebo.", (2, 2)),
        (("Clinical Trial, Phase III",), "Zorvimab", "Patients were given zorvimab.", (4, 4)),
        (("Clinical Trial, Phase II",), "Zorvimab in asthma", "Patients were given zorvimab.", (4, 4)),
        (("Controlled Clinical Trial",), "Zorvimab", "Patients received zorvimab; the control group did not.", (3, 3)),
        (("Observational Study",), "Zorvimab users", "Relapses were fewer than in non-users.", (3, 3)),
        (("Observational Study",), "Zorvimab users", "Relapses fell compared with baseline.", (4, 3)),
        (("Journal Article",), "Zorvimab and falls: a case-control study", "", (4, 4)),
        (("Case Reports",), "Zorvimab", "", (4, 4)),
        (("Clinical Trial",), "Zorvimab", "Patients received zorvimab; ten controls remained untreated.", (3, 3)),
        (("Clinical Trial",), "Zorvimab", "Patients fared better compared with historical controls.", (4, 4)),
        (("Clinical Trial",), "Zorvimab", "It fell in 6% of cohort A, as compared with 2.0% in cohort B.", (4, 4)),
        (("Clinical Trial",), "Zorvimab", "This single-arm trial had a hazard ratio of 0.7.", (4, 4)),
        (("Published Erratum",), "Zorvimab in mice", "Mice were given zorvimab.", (None, None)),
        (("Journal Article",), "Zorvimab in mice: study protocol", "Mice will be given zorvimab.", (None, None)),
        (("Journal Article",), "Zorvimab in mice", "Mice were given zorvimab.", (5, 5)),
        (("Journal Article",), "Zorvimab in vitro", "", (5, 5)),
        (("Journal Article", "Randomized Controlled Trial, Veterinary"), "Zorvimab for asthma", "", (5, 5)),
        (("Review",), "Zorvimab", "", (None, None)),
        (("Practice Guideline",), "Zorvimab", "", (None, None)),
        (("Editorial",), "Zorvimab", "", (None, None)),
        (("Journal Article",), "Zorvimab", "", (None, None)),
    ],
)
def test_the_level_starts_by_the_design(
    types: tuple[str, ...], title: str, text: str, expected: tuple[int | None, int | None]
) -> None:
    assert levels(paper(*types, title=title, text=text)) == expected


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Zorvimab: a meta-analysis", "We included 12 randomised controlled trials.", 1),
        ("Zorvimab: a meta-analysis of randomized trials", "", 1),
        ("Zorvimab: a systematic review", "Twelve RCTs were included.", 1),
        ("Zorvimab: a meta-analysis", "We included 12 studies.", None),
        ("Zorvimab: a meta-analysis of observational studies", "No randomised trials were found.", None),
        ("Zorvimab: a meta-analysis", "No randomised trials were found; 12 studies were pooled.", None),
        ("Zorvimab: a meta-analysis", "We included randomised trials and observational studies.", None),
        ("Zorvimab: a meta-analysis", "Both nonrandomized and randomized studies were eligible.", None),
        ("Zorvimab: a meta-analysis of non-randomised trials", "", None),
        ("Zorvimab: a meta-analysis", "A Mendelian randomization analysis followed.", None),
        ("Zorvimab: a meta-analysis", "We pooled 9 studies. RCTs are warranted.", None),
        ("Zorvimab: a meta-analysis", "We included 9 studies. Further randomised controlled trials are needed.", None),
        ("Zorvimab: a meta-analysis", "We pooled 9 cohorts. Two randomised trials were identified.", None),
        ("Zorvimab: a meta-analysis", "Evidence from randomized trials is lacking; 9 studies were pooled.", None),
        ("Zorvimab: a systematic review", "We searched for randomized trials; none was found.", None),
        ("Zorvimab: a review of randomised trials", "No eligible trials were found.", None),
        ("Zorvimab: a systematic review", "It had not been tested in any randomised trial.", None),
        ("Zorvimab: a systematic review", "In all, 9 randomised, placebo-controlled trials met inclusion criteria.", 1),
        ("Zorvimab: a systematic review", "Selection criteria: randomised controlled trials of zorvimab.", 1),
        ("Zorvimab: a meta-analysis of randomised trials", "Observational studies had shown relapses.", 1),
    ],
)
def test_a_review_is_of_the_first_level_only_if_it_says_that_it_is_of_randomised_trials_alone(
    title: str, text: str, expected: int | None
) -> None:
    assert levels(paper("Meta-Analysis", RCT, title=title, text=text)) == (expected, expected)


def test_a_paper_about_trials_as_a_topic_or_with_mendelian_randomization_is_no_randomised_trial() -> None:
    topic = paper("Journal Article", "Randomized Controlled Trials as Topic", "Meta-Analysis as Topic")
    assert levels(topic) == (None, None)
    for written in ("Mendelian randomization", "Mendelian-randomization"):
        mendelian = find_level(paper("Journal Article", title=f"{written} of the target of zorvimab"))
        assert mendelian.reason == "cohort without a stated comparison"


def test_a_secondary_analysis_says_so_and_has_a_level_only_where_the_trials_were_randomised() -> None:
    post_hoc = find_level(paper(RCT, title="Zorvimab: a post hoc analysis", text="Patients were randomised."))
    assert (post_hoc.efficacy, post_hoc.reason) == (2, "secondary analysis of randomised trials")
    assert levels(paper("Journal Article", title="Zorvimab: a post hoc analysis")) == (None, None)


def test_a_retracted_paper_has_no_level() -> None:
    level = find_level(paper(RCT, retraction=Retraction.RETRACTED))
    assert (level.efficacy, level.safety, level.reason) == (None, None, "retracted")


def test_the_level_says_where_the_record_states_the_design() -> None:
    named = find_level(paper("Journal Article", RCT))
    assert (named.reason, named.basis) == ("randomised trial", f"publication type {RCT}")
    assert find_level(paper("Journal Article", title="A randomised trial of zorvimab")).basis == "title and text"
    assert find_level(registered("Interventional", "Randomized")).basis == "registry field Randomized"
    unknown = find_level(paper("Journal Article"))
    assert (unknown.reason, unknown.basis) == ("design not stated", "")


def test_a_registered_study_has_a_level_by_its_allocation_once_it_has_results() -> None:
    assert levels(registered("Clinical Trial", "Interventional", "Randomized")) == (2, 2)
    assert levels(registered("Clinical Trial", "Interventional", "Non randomized")) == (3, 3)
    assert levels(registered("Clinical Trial", "Interventional")) == (None, None)
    waiting = find_level(registered("Clinical Trial", "Interventional", "Randomized", results=False))
    assert (waiting.efficacy, waiting.reason) == (None, "registered study without posted results")


@pytest.mark.parametrize(
    ("text", "efficacy"),
    [
        ("The sponsor posted its results on 2 May 2014.", 2),
        ("It was first posted in 2009, and its results were posted in 2012.", 2),
        ("It was first posted in 2009, with results added on 5 June 2012.", 2),
        ("The registry first posted the record in 2008 and its results on 23 October 2014.", 2),
        ("The sponsor has not posted its results.", None),
        ("No results were posted. Results: not posted.", None),
    ],
)
def test_a_registered_study_has_results_where_its_record_says_that_they_were_posted(
    text: str, efficacy: int | None
) -> None:
    summary = Section(text=text, label="BRIEF SUMMARY", kind=SectionKind.FIELD)
    hit = registered("Interventional", "Randomized", results=False)
    assert find_level(hit.model_copy(update={"sections": (*hit.sections, summary)})).efficacy == efficacy


@pytest.mark.parametrize(
    ("headings", "expected", "basis"),
    [
        (("Humans", "Case-Control Studies"), (4, 4), "MeSH heading Case-Control Studies"),
        (("Humans", "Retrospective Studies"), (4, 3), "MeSH heading Retrospective Studies"),
        (("Animals", "Rats"), (5, 5), "MeSH heading Animals"),
        (("Animals", "Humans", "Prospective Studies"), (None, None), ""),
    ],
)
def test_mesh_headings_state_a_design_that_the_words_leave_open(
    headings: tuple[str, ...], expected: tuple[int | None, int | None], basis: str
) -> None:
    hit = paper("Journal Article", headings=headings)
    assert (levels(hit), find_level(hit).basis) == (expected, basis)


def test_types_and_words_come_before_mesh_headings_except_on_animals() -> None:
    trial = paper(RCT, text="Mice, mice and rats were named.", headings=("Humans", "Case-Control Studies"))
    of_people = paper(
        "Journal Article", text="In mice and in rats it is known. We treated no rats.", headings=("Humans",)
    )
    of_horses = paper(RCT, title="Zorvimab in racing", headings=("Animals",))
    assert (levels(trial), levels(of_people), levels(of_horses)) == ((2, 2), (None, None), (5, 5))


@pytest.mark.parametrize(
    ("headings", "text", "efficacy"),
    [
        (("Randomized Controlled Trials as Topic",), "We pooled 12 studies.", 1),
        (("Randomized Controlled Trials as Topic", "Cohort Studies"), "We pooled 12 studies.", None),
        (("Randomized Controlled Trials as Topic",), "We pooled trials and observational studies.", None),
        (("Clinical Trials as Topic",), "We pooled 12 studies.", None),
    ],
)
def test_a_review_indexed_under_randomised_trials_alone_is_of_such_trials(
    headings: tuple[str, ...], text: str, efficacy: int | None
) -> None:
    assert find_level(paper("Meta-Analysis", text=text, headings=headings)).efficacy == efficacy


def test_labels_patents_and_pages_have_no_level() -> None:
    for database, kind in (("openfda", "Drug Label"), ("patents", "Patent"), ("web", "Web page")):
        hit = Hit.of(database, "1", "https://example.org/1", "Zorvimab", publication_types=(kind,))
        assert levels(hit) == (None, None)


def test_what_was_read_of_a_source_is_said() -> None:
    structured = Section(text="It helped.", label="RESULTS", kind=SectionKind.ABSTRACT)
    body = Section(text="It helped.", label="Zorvimab in use")
    back = Section(text="By nobody.", label="Funding", kind=SectionKind.BACK_MATTER)
    label = Section(text="Liver failure.", label="BOXED WARNING", kind=SectionKind.LABEL)

    def read(database: str, *sections: Section) -> str:
        return text_read_of(Hit.of(database, "1", "https://example.org/1", "Zorvimab", sections=sections))

    assert read("pubmed", structured, back) == read("ris", Section(text="It helped.")) == "abstract"
    assert read("pmc", structured, body) == "full text"
    assert read("clinicaltrials", structured) == "registry record"
    assert (read("openfda", label), read("patents", structured), read("web", body)) == ("label", "record", "page")
    assert read("pubmed") == "title"
