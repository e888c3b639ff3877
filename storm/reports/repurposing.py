"""The report on the hypotheses of a job, made from its compiled document: its references are that document's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm import planning_wording
from storm.citations.report_references import describe_reference, list_evidence, validate_references
from storm.models import (
    Dossier,
    DrugCandidate,
    FindingsSection,
    HypothesisStatus,
    Reference,
    ReportSection,
    Repurposing,
    RepurposingReport,
    RepurposingRound,
    TestedHypothesis,
)
from storm.reports import repurposing_wording as words
from storm.reports.document import one_line
from storm.reports.hypotheses import name_disease, name_drug, title_report
from storm.reports.repurposing_limitations import list_limitations
from storm.reports.repurposing_method import describe_method
from storm.reports.repurposing_outline import CLINICAL_ANCHOR, MECHANISTIC_ANCHOR
from storm.reports.sections import list_sections

#: The statuses that make a drug a candidate, the better first.
_CANDIDATES = (HypothesisStatus.SUPPORTED, HypothesisStatus.MIXED)


def complete_repurposing(dossier: Dossier, repurposing: Repurposing) -> Repurposing:
    """With its report, whose [n] are the numbers of the document's references; without rounds there is none."""
    if not repurposing.rounds:
        return repurposing
    last = repurposing.rounds[-1]
    drug, disease = name_drug(dossier), name_disease(repurposing)
    report = RepurposingReport(
        title=title_report(dossier, repurposing),
        executive_summary=repurposing.summary,
        research_question=dossier.research.asked if dossier.research else dossier.drug,
        methodology=describe_method(dossier),
        hypotheses_tested=last.tested,
        mechanistic_findings=tuple(_list_findings(dossier, MECHANISTIC_ANCHOR)),
        clinical_findings=tuple(_list_findings(dossier, CLINICAL_ANCHOR)),
        drug_candidates=tuple(_find_candidates(dossier, last.tested)),
        limitations=tuple(list_limitations(dossier, last.tested)),
        conclusion=_conclude(last, drug, disease),
        references=tuple(map(describe_reference, dossier.references)),
        sources_searched=tuple(use.name for use in dossier.searched_databases),
        total_papers_reviewed=dossier.flow.total.assessed if dossier.flow else 0,
        search_iterations=1 + sum(bool(one.searches) for one in repurposing.rounds),
        confidence_score=last.assessment.confidence,
        assessment=last.assessment,
    )
    checked = validate_references(report, list_evidence(dossier))
    return repurposing.model_copy(update={"report": checked})


def _list_findings(dossier: Dossier, anchor: str) -> Iterator[FindingsSection]:
    """The sections under this heading that have text."""
    references = {reference.source_id: reference for reference in dossier.references}
    for section in list_sections(dossier):
        if section.paragraphs and anchor in (section.part.anchor, section.part.parent):
            yield _write_findings(section, references)


def _write_findings(section: ReportSection, references: Mapping[str, Reference]) -> FindingsSection:
    """The section's sentences, each with its marks; its paragraphs are its lines."""
    cited: dict[int, Reference] = {}
    paragraphs = []
    for paragraph in section.paragraphs:
        written = []
        for sentence in paragraph:
            own = sorted({references[source].n: references[source] for source in sentence.source_ids}.items())
            cited.update(own)
            written.append(f"{one_line(sentence.text).strip()} [{', '.join(str(n) for n, _ in own)}]")
        paragraphs.append(" ".join(written))
    citations = tuple(describe_reference(cited[n]) for n in sorted(cited))
    return FindingsSection(title=section.part.heading, content="\n".join(paragraphs), citations=citations)


def _find_candidates(dossier: Dossier, tested: Sequence[TestedHypothesis]) -> Iterator[DrugCandidate]:
    """The drug of the report, if a hypothesis on it is supported or mixed, by the one with the most for it."""
    names = {name.casefold() for name in (*dossier.names, *dossier.also_known)}
    own = [one for one in tested if one.status in _CANDIDATES and one.hypothesis.drug.casefold() in names]
    if own:
        best = min(own, key=lambda one: (_CANDIDATES.index(one.status), one.contradicted - one.supported))
        yield DrugCandidate(name=name_drug(dossier), mechanism=best.mechanism, status=best.status)


def _conclude(last: RepurposingRound, drug: str, disease: str) -> str:
    if not last.tested:
        none = planning_wording.NO_HYPOTHESES
        return words.CONCLUDED_NONE.format(none=none, drug=drug, disease=disease)
    return words.CONCLUDED.format(
        hypotheses=planning_wording.count_hypotheses(len(last.tested)),
        drug=drug,
        disease=disease,
        statuses=planning_wording.describe_statuses(one.status for one in last.tested),
    )
