"""Writes the executive summary of a repurposing report without a model: its strongest statement, counts and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from storm import planning_wording
from storm.evidence.design import design_of
from storm.evidence.judged import Piece, read_pieces
from storm.evidence.levels import find_level
from storm.models import Finding, HypothesisStatus, Plan, RepurposingRound, Source, SummaryText, TestedHypothesis
from storm.models.repurposing import LONGEST_SUMMARY

#: Characters of a name, and of a mechanism.
_NAME, _MECHANISM = 60, 140
_BEST_FIRST = (HypothesisStatus.SUPPORTED, HypothesisStatus.MIXED, HypothesisStatus.CONTRADICTED)
#: After every level that a design has.
_NO_LEVEL = 9


class RuleSummaryWriter:
    """Implements `roles.SummaryWriter`: one paragraph of 100 to 500 characters, whatever the names and the counts."""

    async def write_summary(
        self, plan: Plan, last: RepurposingRound, findings: Sequence[Finding], sources: Sequence[Source]
    ) -> SummaryText:
        """The strongest statement on the best hypothesis where it fits in full, what became of the hypotheses, which is
        best supported if that fits, and the scores."""
        drug = _shorten(plan.names[0], _NAME) or planning_wording.THE_DRUG
        disease = (_shorten(plan.disease.label, _NAME) if plan.disease else "") or planning_wording.THE_DISEASE
        tested, scores = _describe_tested(last.tested, drug, disease), _describe_scores(last)
        quoted = _quote_strongest(plan, last.tested, findings, sources)
        for quote, best in product((*quoted, ""), (*_describe_best(last.tested), "")):
            whole = " ".join(part for part in (quote, tested, best, scores) if part)
            if len(whole) <= LONGEST_SUMMARY:
                return SummaryText(text=whole)
        return SummaryText(text=f"{tested} {scores}")


def _quote_strongest(
    plan: Plan, tested: Sequence[TestedHypothesis], findings: Sequence[Finding], sources: Sequence[Source]
) -> Iterator[str]:
    """The strongest statement for the best hypothesis, or against one that is only contradicted, word for word.

    Nothing if it needs a remark, such as that the drug was given with another, or has a bracket: it may be a mark."""
    best = _find_best(tested)
    if best is None:
        return
    (judged,) = read_pieces([best], findings, sources, plan)
    pieces = judged.supporting or judged.contradicting
    if not pieces:
        return
    strongest = min(pieces, key=_rank)
    said = next(s for f in findings for s in f.answer.all_statements if s.identity == strongest.identity)
    quote = " ".join(said.quote.split())
    if quote and quote.isprintable() and not said.remark and "[" not in quote:
        yield planning_wording.SUMMARY_QUOTED.format(study=_describe_study(strongest.source), quote=quote)


def _rank(piece: Piece) -> tuple[bool, int, bool]:
    """Results in people before others, then by the starting level of the design."""
    level = find_level(piece.source.hit).efficacy
    return not piece.is_clinical, _NO_LEVEL if level is None else level, not piece.is_randomised


def _describe_study(source: Source) -> str:
    """ "Randomised trial, 2005"."""
    design = design_of(source.hit)
    study = planning_wording.SOURCE_OF_DESIGN.get(design, design.value)
    year = f", {source.hit.year}" if source.hit.year else ""
    return f"{study[:1].upper()}{study[1:]}{year}"


def _find_best(tested: Sequence[TestedHypothesis]) -> TestedHypothesis | None:
    """The best by its status, then by its sources; none if all are untested."""

    def order(one: TestedHypothesis) -> tuple[int, int, int]:
        return _BEST_FIRST.index(one.status), one.contradicted - one.supported, -one.supported

    return min((one for one in tested if one.status in _BEST_FIRST), key=order, default=None)


def _describe_tested(tested: Sequence[TestedHypothesis], drug: str, disease: str) -> str:
    if not tested:
        return planning_wording.SUMMARY_UNTESTED.format(none=planning_wording.NO_HYPOTHESES, drug=drug, disease=disease)
    hypotheses = planning_wording.count_hypotheses(len(tested))
    statuses = planning_wording.describe_statuses(one.status for one in tested)
    return planning_wording.SUMMARY_TESTED.format(hypotheses=hypotheses, drug=drug, disease=disease, statuses=statuses)


def _describe_best(tested: Sequence[TestedHypothesis]) -> Iterator[str]:
    """The hypothesis with the most sources for it, among those that are supported."""
    best = _find_best(tested)
    if best is not None and best.status is HypothesisStatus.SUPPORTED:
        yield planning_wording.SUMMARY_BEST.format(
            mechanism=_shorten(best.mechanism, _MECHANISM),
            supported=f"{best.supported:,}",
            contradicted=f"{best.contradicted:,}",
        )


def _describe_scores(last: RepurposingRound) -> str:
    judged = last.assessment
    return planning_wording.SUMMARY_SCORES.format(
        mechanism=planning_wording.format_score(judged.mechanism.value),
        clinical=planning_wording.format_score(judged.clinical.value),
        confidence=planning_wording.format_score(judged.confidence),
    )


def _shorten(text: str, most: int) -> str:
    """The text on one line, in at most so many characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
