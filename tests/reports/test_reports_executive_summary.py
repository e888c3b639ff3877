"""What stands at the top of a dossier: its strongest statements, and what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from dossiers import SUPPORTED, dossier
from hypothesis import given
from hypothesis import strategies as st

from storm.export import to_json, to_markdown
from storm.models import (
    Answer,
    Coverage,
    DatabaseUse,
    Dossier,
    Hit,
    Plan,
    Question,
    QuestionCoverage,
    RelationKind,
    Retraction,
    SearchStatus,
    Section,
    SectionKind,
    Source,
    Statement,
    SummarySentence,
    Syllabus,
    Verdict,
)
from storm.reports.executive_summary import MAX_SENTENCES, make_summary

KEYS = ("efficacy", "safety", "market")
SYLLABUS = Syllabus(
    name="drug",
    questions=tuple(
        Question(
            key=key, label=key.capitalize(), description="?", min_sources=2, itself_only=True, dated=key == "market"
        )
        for key in KEYS
    ),
)
DAY = date(2026, 11, 21)
PLAN = Plan(names=("zorvimab",), syllabus=SYLLABUS)
RCT = "Randomized Controlled Trial"


def source(number: int, *types: str, kind: RelationKind = RelationKind.ITSELF, **fields: Any) -> Source:
    values = {"database": "pubmed", "title": f"Zorvimab {number}", "publication_types": types or (RCT,)} | fields
    hit = Hit.of(external_id=str(number), url=f"https://example.org/{number}", **values)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=KEYS, relation_kind=kind)


def said(number: int, text: str = "", **fields: Any) -> Statement:
    text = text or f"Zorvimab lowered relapses by {number}%."
    return Statement(
        **{"text": text, "quote": text, "source_ids": (f"src_{number:03}",), "verdict": Verdict.SUPPORTED} | fields
    )


def coverage(*counts: tuple[int, int]) -> Coverage:
    rows = [
        QuestionCoverage(question=key, label=key.capitalize(), sources=sources, min_sources=2, answering=answering)
        for key, (sources, answering) in zip(KEYS, counts or [(2, 2)] * len(KEYS), strict=True)
    ]
    return Coverage(questions=tuple(rows), databases=("pubmed",), min_databases=1, total=9, ready=True)


def chosen(sources: Sequence[Source], **answers: Sequence[Statement]) -> tuple[SummarySentence, ...]:
    written = [Answer(question=key, statements=tuple(statements)) for key, statements in answers.items()]
    return make_summary(PLAN, sources, written, coverage(), (), DAY).sentences


def not_known(answers: Sequence[Answer], state: Coverage, *uses: DatabaseUse) -> str:
    return make_summary(PLAN, [source(1)], answers, state, uses, DAY).not_known


def use(name: str, status: SearchStatus, **fields: Any) -> DatabaseUse:
    return DatabaseUse(name=name, scope=name, searched=1, status=status, **fields)


def test_the_strongest_evidence_comes_first_word_for_word_with_its_citation() -> None:
    review = source(2, "Meta-Analysis", title="Zorvimab: a meta-analysis of randomised trials")
    cohort = source(3, "Observational Study", title="Zorvimab users versus non-users")
    statements = [said(3), said(1), said(2)]
    found = chosen([source(1), review, cohort], efficacy=statements)
    assert [one.source_ids[0] for one in found] == ["src_002", "src_001", "src_003"]
    assert {one.text for one in found} == {one.text for one in statements}
    assert {one.question for one in found} == {"efficacy"}


def test_of_statements_of_several_sentences_fewer_are_taken() -> None:
    many = [source(number) for number in range(1, 12)]
    texts = [f"Zorvimab lowered outcome {number} by a half. Deaths were {number}." for number in range(1, 12)]
    double = [said(number, text=text, quote=text) for number, text in enumerate(texts, 1)]
    assert len(chosen(many, efficacy=double)) == MAX_SENTENCES // 2


def test_each_question_is_heard_before_one_is_heard_twice() -> None:
    many = [source(number) for number in range(1, 12)]
    case = source(20, "Observational Study", title="Zorvimab users versus non-users")
    found = chosen([*many, case], efficacy=[said(number) for number in range(1, 12)], safety=[said(20)])
    assert len(found) == MAX_SENTENCES
    assert [one.question for one in found].count("safety") == 1


def test_the_strongest_come_first_whichever_question_they_answer_and_the_weakest_is_cut() -> None:
    cohorts = [source(number, "Observational Study", title="Zorvimab users versus non-users") for number in (1, 2, 3)]
    trials = [source(number) for number in (4, 5, 6)]
    text = (Section(text="Approved.", label="LABEL", kind=SectionKind.LABEL),)
    records = [source(n, "Drug Label", database="openfda", sections=text, year=2021) for n in (7, 8, 9)]
    found = chosen(
        [*cohorts, *trials, *records],
        efficacy=[said(number) for number in (1, 2, 3)],
        safety=[said(number) for number in (4, 5, 6)],
        market=[said(number, f"Zorvimab was approved on {number} May 2019.") for number in (7, 8, 9)],
    )
    assert [one.question for one in found] == ["safety"] * 3 + ["market"] * 3 + ["efficacy"] * 2


def test_the_same_words_of_two_sources_stand_once() -> None:
    assert len(chosen([source(1), source(2)], efficacy=[said(1, "Zorvimab hurt."), said(2, "Zorvimab hurt.")])) == 1


def test_a_minor_outcome_without_a_difference_is_left_out() -> None:
    null = "Fewer women needed fluids with zorvimab (p = .056)."
    assert chosen([source(1)], efficacy=[said(1, null)]) == ()


def test_the_effect_of_another_drug_is_left_out() -> None:
    added = said(1, "Relapses fell by 39% on docetaxel and zorvimab, compared with 21% on zorvimab.")
    compared = said(2, "Compared with zorvimab, docetaxel lowered relapses by 32%.")
    own = said(3, "Compared with docetaxel, zorvimab lowered relapses by 32%.")
    assert [one.text for one in chosen([source(1), source(2), source(3)], efficacy=[added, compared, own])] == [
        own.text
    ]


def test_an_expired_listing_and_what_a_label_says_in_passing_are_no_strong_facts() -> None:
    label = source(1, "Drug Label", database="openfda")
    listing = source(2, "Patent listing", database="orangebook")
    described = said(1, "Zorvimab was first approved in 1995.", section="DESCRIPTION")
    indicated = said(1, "Zorvimab is indicated for asthma since 2019.", section="INDICATIONS AND USAGE")
    passed = said(2, "US 1 on zorvimab is listed; it expires on 2021-10-25.")
    lasting = said(2, "US 1 on zorvimab is listed; it expires on 2031-10-25.")
    assert chosen([label, listing], market=[described, passed]) == ()
    found = chosen([label, listing], market=[described, indicated, passed, lasting])
    assert {one.text for one in found} == {indicated.text, lasting.text}


def test_no_two_sentences_are_of_one_source_and_question() -> None:
    one = source(1)
    found = chosen([one], efficacy=[said(1), said(1, "Zorvimab improved sleep.")], safety=[said(1, "Zorvimab hurt.")])
    assert [(sentence.question, sentence.source_ids) for sentence in found] == [
        ("efficacy", ("src_001",)), ("safety", ("src_001",)),
    ]  # fmt: skip
    assert len(chosen([one], efficacy=[said(1)], safety=[said(1)])) == 1


def test_one_source_gives_no_more_than_two_sentences() -> None:
    dated = source(1, "Drug Label", database="openfda", year=2021)
    found = chosen(
        [dated],
        efficacy=[said(1)],
        safety=[said(1, "Zorvimab hurt.")],
        market=[said(1, "Zorvimab was approved on 4 May 2019.")],
    )
    assert len(found) == 2


def test_what_is_weak_refused_or_of_something_else_is_left_out() -> None:
    mouse = source(2, "Journal Article", title="Zorvimab in mice")
    weak = [
        (source(1, "Review"), said(1)),
        (source(1, "Case Reports"), said(1)),
        (source(1, "Journal Article"), said(1)),
        (source(1, "Meta-Analysis", title="Zorvimab: a meta-analysis"), said(1)),
        (source(1, "Web page", database="web"), said(1)),
        (mouse, said(2)),
        (source(1, retraction=Retraction.RETRACTED), said(1)),
        (source(1, retraction=Retraction.CONCERN), said(1)),
        (source(1, kind=RelationKind.DERIVATIVE), said(1)),
        (source(1, kind=RelationKind.COMPARATOR), said(1)),
        (source(1, kind=RelationKind.MENTIONED), said(1)),
        (source(1), said(1, verdict=Verdict.UNSUPPORTED)),
        (source(1), said(1, verdict=Verdict.UNCHECKED)),
        (source(1), said(1, remark="about: rosuvastatin")),
        (source(1), said(1, remark="class: DPP-4 inhibitors")),
        (source(1), said(1, "Relapses fell by 7%.")),
        (source(1), said(1, "In mice, zorvimab lowered relapses.")),
        (source(1), said(1, "Zorvimab killed cultured tumour cells in vitro.")),
        (source(1), said(1, "Adding pertuzumab to zorvimab lowered relapses.")),
        (source(1), said(1, "The add\u2010on to zorvimab lowered relapses: pertuzumab as add\u2010on to zorvimab.")),
        (source(1), said(1, "Rosuvastatin lowered relapses by 9% in patients during zorvimab.")),
        (source(1, "Meta-Analysis", title="Zorvimab: randomised trials", retraction=Retraction.CONCERN), said(1)),
        (source(1), said(1, "However, zorvimab lowered relapses.")),
        (source(1), said(1, "Zorvimab is not yet approved.")),
        (source(1), said(1, section="Discussion")),
        (source(1), said(1, source_ids=("src_001", "src_009"))),
    ]
    for origin, statement in weak:
        assert chosen([origin], efficacy=[statement]) == (), statement
    assert len(chosen([source(1)], efficacy=[said(1)])) == 1


def test_of_a_dated_question_official_records_that_state_a_date_are_taken() -> None:
    record = source(1, "Regulatory record", database="openfda")
    assert len(chosen([record], market=[said(1, "Zorvimab was approved on 4 May 2019.")])) == 1
    assert chosen([record], market=[said(1, "Zorvimab is approved.")]) == ()
    assert chosen([source(1)], market=[said(1, "Zorvimab was approved on 4 May 2019.")]) == ()


def test_of_established_facts_only_regulatory_records_are_strong_evidence() -> None:
    facts = Syllabus(
        name="drug", questions=tuple(q.model_copy(update={"takes_facts": True}) for q in SYLLABUS.questions)
    )
    label = source(1, "Drug Label", database="openfda")
    answer = Answer(question="efficacy", statements=(said(1, "Zorvimab binds."), said(2, "Zorvimab blocks.")))
    found = make_summary(PLAN.model_copy(update={"syllabus": facts}), [label, source(2)], [answer], coverage(), (), DAY)
    assert [one.text for one in found.sentences] == ["Zorvimab binds."]


def test_what_an_abstract_says_is_taken_before_what_the_body_of_a_paper_says_and_combinations_last() -> None:
    sources = [source(1, kind=RelationKind.COMBINATION), *(source(number) for number in range(2, 12))]
    kept, body = said(11, section="Abstract: RESULTS"), said(2, section="Results: Relapses")
    others = [said(number, section="Abstract: RESULTS") for number in range(3, 11)]
    found = chosen(sources, efficacy=[said(1, section="Abstract"), body, *others[:6], kept])
    assert {one.text for one in found} == {one.text for one in (body, *others[:6], kept)}
    found = chosen(sources, efficacy=[body, *others[:7], kept])
    assert {one.text for one in found} == {one.text for one in (*others[:7], kept)}


def test_the_warning_of_a_label_is_taken_before_a_study_of_its_question() -> None:
    warning = Section(text="Liver failure.", label="BOXED WARNING", kind=SectionKind.LABEL)
    label = source(30, "Drug Label", database="openfda", sections=(warning,))
    many = [source(number) for number in range(1, 12)]
    harm = said(30, "Zorvimab has caused liver failure.", section="BOXED WARNING")
    found = chosen([*many, label], safety=[*(said(number) for number in range(1, 12)), harm])
    assert harm.text in [one.text for one in found]


def test_one_sentence_says_which_questions_are_open_and_what_could_not_be_searched() -> None:
    answers = [Answer(question="safety", statements=(said(1),)), Answer(question="efficacy"), Answer(question="market")]
    sentence = not_known(
        answers,
        coverage((0, 0), (1, 1), (5, 0)),
        use("chembl", SearchStatus.FAILED, reason="timed out."),
        use("openfda", SearchStatus.FOUND, incomplete=True),
        use("pubmed", SearchStatus.NONE),
    )
    assert sentence == (
        "Not known: no answer on Efficacy, Market; too few sources behind the answer on Safety (1 of 2); what ChEMBL "
        "would have shown, which could not be searched; all that openFDA would have shown, searched in part."
    )


def test_an_answer_on_fewer_sources_than_needed_is_named_however_many_were_found() -> None:
    answers = [Answer(question=key, statements=(said(1),)) for key in KEYS]
    assert "Market (1 of 2)" in not_known(answers, coverage((2, 2), (2, 2), (9, 1)))


def test_where_nothing_is_lacking_the_summary_says_so() -> None:
    answers = [Answer(question=key, statements=(said(1),)) for key in KEYS]
    assert not_known(answers, coverage()).startswith("Every question is answered")


def test_a_dossier_without_sources_has_no_summary() -> None:
    empty = Coverage(questions=(), databases=(), min_databases=1, total=0, ready=False)
    summary = make_summary(PLAN, [], [], empty, (), DAY)
    assert (summary.sentences, summary.not_known) == ((), "")


@given(
    st.lists(st.tuples(st.sampled_from(KEYS), st.integers(1, 6), st.integers(1, 99)), max_size=30),
    st.lists(st.sampled_from([RCT, "Meta-Analysis", "Review", "Observational Study"]), min_size=6, max_size=6),
)
def test_a_summary_keeps_its_rules_whatever_the_answers_are(
    drawn: list[tuple[str, int, int]], types: list[str]
) -> None:
    sources = [source(number, kind, title=f"Zorvimab versus others {number}") for number, kind in enumerate(types, 1)]
    answers = {
        key: [said(n, f"Zorvimab lowered score {value} by 3%.") for own, n, value in drawn if own == key]
        for key in KEYS
    }
    found = chosen(sources, **answers)
    assert len(found) <= MAX_SENTENCES
    assert len({(one.question, one.source_ids[0]) for one in found}) == len(found)
    texts = {(key, one.text) for key, statements in answers.items() for one in statements}
    assert {(one.question, one.text) for one in found} <= texts


def test_the_summary_opens_the_dossier_and_a_dossier_without_one_still_loads() -> None:
    plain = dossier()
    assert Dossier.model_validate_json(to_json(plain)).summary.sentences == ()
    assert "## Summary" not in to_markdown(plain)
    sentence = {**SUPPORTED.model_dump(), "question": "harm.x"}
    shown = to_markdown(dossier(summary={"sentences": [sentence], "not_known": "Not known: all else."}))
    before, _, after = shown.partition("## At a glance")
    assert "- It harms. [2]" in before.partition("## Summary")[2]
    assert "Not known: all else." in before
    assert after
    assert "No statement of this dossier" in to_markdown(dossier(summary={"not_known": "Not known: all."}))
