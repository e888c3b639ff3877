"""Lays out hypotheses, what is for and against each, their scores, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storm import planning_wording, wording
from storm.models import (
    Dossier,
    HypothesisLink,
    Repurposing,
    RepurposingReport,
    RepurposingRound,
    Score,
    SummarySentence,
    TestedHypothesis,
)
from storm.models.repurposing import NOT_STATED
from storm.reports import repurposing_wording as words
from storm.reports.answers import make_sentence
from storm.reports.bibliography import Bibliography
from storm.reports.document import (
    QUESTION,
    SECTION,
    Block,
    BulletList,
    HeadingLink,
    Inlines,
    Paragraph,
    Sentence,
    Style,
    Table,
    Text,
    fill_template,
    join_inlines,
    join_texts,
    make_cells,
    make_heading,
    record_text,
    to_inlines,
)
from storm.reports.hypotheses import (
    cited_by,
    evidence_of_hypothesis,
    find_last_round,
    has_no_evidence,
    list_statements,
    name_disease,
    name_drug,
)
from storm.reports.sections import find_parts


def hypothesis_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The executive summary, the hypotheses with their evidence, and the scores; where there is no evidence, one
    sentence; nothing for reports without hypotheses."""
    if has_no_evidence(dossier):
        yield Paragraph(content=to_inlines(Text(text=words.NO_EVIDENCE, style=Style.STRONG)))
    last, repurposing = find_last_round(dossier), dossier.repurposing
    if last is None or repurposing is None:
        return
    yield make_heading(words.SUMMARY, "summary")
    yield Paragraph(content=(record_text(repurposing.summary),))
    yield make_heading(words.HYPOTHESES, "hypotheses")
    yield from _list_hypotheses(dossier, repurposing, last)
    evidence = _Evidence(dossier, bibliography)
    for number, tested in enumerate(last.tested, start=1):
        yield make_heading(words.NUMBER.format(number=number), f"hypothesis-{number}", level=3)
        yield from evidence.describe(number, tested)
    yield make_heading(words.SCORES, "scores")
    yield from evidence.describe_scores(last)


def conclusion_blocks(dossier: Dossier) -> Iterator[Block]:
    """The drug candidates, the limitations and the conclusion; nothing for reports without them."""
    report = dossier.repurposing.report if dossier.repurposing else None
    if report is None:
        return
    yield make_heading(words.CANDIDATES, "candidates")
    yield from _list_candidates(report)
    yield make_heading(words.LIMITATIONS, "limitations")
    if report.limitations:
        yield BulletList(items=tuple((record_text(line),) for line in report.limitations))
    else:
        yield Paragraph(content=to_inlines(words.NO_LIMITATION))
    yield make_heading(words.CONCLUSION, "conclusion")
    yield Paragraph(content=(record_text(report.conclusion),))


def describe_authorship(dossier: Dossier) -> str:
    """Who made what stands in the report besides statements; nothing for reports without hypotheses."""
    if find_last_round(dossier) is None:
        return ""
    return words.MADE_BY_MODEL if dossier.by_model else words.MADE_BY_RULES


def _list_hypotheses(dossier: Dossier, repurposing: Repurposing, last: RepurposingRound) -> Iterator[Block]:
    """The hypotheses in a table, with the headings under which their statements stand."""
    if not last.tested:
        yield Paragraph(content=to_inlines(f"{planning_wording.NO_HYPOTHESES}."))
        return
    drug, disease = name_drug(dossier), name_disease(repurposing)
    yield Paragraph(content=fill_template(words.HYPOTHESES_INTRO, drug=drug, disease=disease))
    places = _find_places(dossier)
    rows = (_describe_row(number, one, places) for number, one in enumerate(last.tested, start=1))
    yield Table(head=make_cells(*words.HYPOTHESES_HEAD), rows=tuple(rows))


def _find_places(dossier: Dossier) -> dict[str, HeadingLink]:
    """The heading under which each statement stands: of its section, or else of its question."""
    labels = {question.key: question.label for question in dossier.questions}
    asked = {
        key: HeadingLink(text=labels[said.question], anchor=f"{QUESTION}{said.question}")
        for key, said in list_statements(dossier).items()
    }
    parts = find_parts(dossier).items()
    return asked | {key: HeadingLink(text=part.heading, anchor=f"{SECTION}{part.anchor}") for key, part in parts}


def _describe_row(number: int, one: TestedHypothesis, headings: Mapping[str, HeadingLink]) -> tuple[Inlines, ...]:
    places = dict.fromkeys(headings[key] for key in evidence_of_hypothesis(one) if key in headings)
    counts = (f"{one.supported:,}", f"{one.contradicted:,}")
    named = HeadingLink(text=words.NUMBER.format(number=number), anchor=f"hypothesis-{number}")
    linked = join_inlines("; ", ((place,) for place in places))
    return make_cells(named, one.mechanism, words.STATUSES[one.status], *counts, linked)


def _list_candidates(report: RepurposingReport) -> Iterator[Block]:
    if not report.drug_candidates:
        yield Paragraph(content=to_inlines(words.NO_CANDIDATE))
        return
    rows = (make_cells(one.name, words.STATUSES[one.status], one.mechanism) for one in report.drug_candidates)
    yield Table(head=make_cells(*words.CANDIDATES_HEAD), rows=tuple(rows))


class _Evidence:
    """Writes what the sources of one report state on its hypotheses."""

    def __init__(self, dossier: Dossier, bibliography: Bibliography) -> None:
        self._dossier, self._bibliography = dossier, bibliography
        self._statements = list_statements(dossier)
        self._references = {reference.source_id: reference for reference in dossier.references}
        self._questions = {question.key: question for question in dossier.questions}
        #: The first hypothesis with the same statements for and against it.
        self._first: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}

    def describe(self, number: int, tested: TestedHypothesis) -> Iterator[Block]:
        """The mechanism with its status, what states each link, and the statements for and against it, which stand in
        full under the first hypothesis that has the same."""
        yield Paragraph(content=(record_text(tested.mechanism, Style.STRONG),))
        status = words.STATUS.format(
            status=words.STATUSES[tested.status].capitalize(),
            supported=wording.format_large_count(tested.supported, words.SOURCE),
            contradicted=wording.format_large_count(tested.contradicted, words.SOURCE),
        )
        yield Paragraph(content=to_inlines(status))
        yield Table(head=make_cells(*words.LINKS_HEAD), rows=tuple(self._list_links(tested)))
        first = self._first.setdefault((tested.supporting, tested.contradicting), number)
        if first != number and evidence_of_hypothesis(tested):
            link = HeadingLink(text=words.NUMBERED.format(number=first), anchor=f"hypothesis-{first}")
            yield Paragraph(content=fill_template(words.SAME_STATEMENTS, hypothesis=(link,)))
            return
        for intro, identities in ((words.FOR, tested.supporting), (words.AGAINST, tested.contradicting)):
            if items := tuple((self._write(self._statements[key]),) for key in identities if key in self._statements):
                yield Paragraph(content=(Text(text=intro, style=Style.EMPHASIS),))
                yield BulletList(items=items)

    def describe_scores(self, last: RepurposingRound) -> Iterator[Block]:
        """The scores with their reasons, and the sources of the statements that each rests on."""
        judged = last.assessment
        scores = ((words.MECHANISM, judged.mechanism), (words.CLINICAL, judged.clinical))
        rows = (
            make_cells(
                name, planning_wording.format_score(score.value), join_texts("; ", score.reasons), self._cite(score)
            )
            for name, score in scores
        )
        yield Table(head=make_cells(*words.SCORES_HEAD), rows=tuple(rows))
        confidence = planning_wording.format_score(judged.confidence)
        why = "; ".join(judged.confidence_reasons)
        template = words.CONFIDENCE_SINCE if why else words.CONFIDENCE
        yield Paragraph(content=to_inlines(template.format(confidence=confidence, why=why)))

    def _list_links(self, tested: TestedHypothesis) -> Iterator[tuple[Inlines, ...]]:
        for name, label in words.LINKS.items():
            value = getattr(tested.hypothesis, name)
            stated = [self._state(link) for link in tested.basis if link.link == name and self._is_cited(link)]
            basis = join_inlines("; ", stated)
            missing = "" if value == NOT_STATED else words.NO_BASIS
            yield make_cells(label, value, basis or missing)

    def _is_cited(self, link: HypothesisLink) -> bool:
        return link.source_id in self._references

    def _state(self, link: HypothesisLink) -> Inlines:
        """The quote, or that it is a field of the record, with its mark."""
        what = fill_template(words.QUOTED, quote=link.quote) if link.quote else to_inlines(words.OF_FIELD)
        return fill_template(words.STATED_BY, what=what, mark=self._bibliography.mark_of(link.source_id))

    def _write(self, statement: SummarySentence) -> Sentence:
        question = self._questions[statement.question]
        return make_sentence(statement, self._dossier, question, self._bibliography, names_species=True)

    def _cite(self, score: Score) -> Inlines:
        cited = cited_by(score.statements, self._statements, self._references)
        return to_inlines(self._bibliography.mark_of(*(one.source_id for one in cited))) if cited else ()
