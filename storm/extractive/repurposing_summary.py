"""Writes the executive summary of a repurposing report from its counts and scores, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm import planning_wording
from storm.models import Finding, HypothesisStatus, Plan, RepurposingRound, Source, SummaryText, TestedHypothesis
from storm.models.repurposing import LONGEST_SUMMARY

#: Characters of a name, and of a mechanism.
_NAME, _MECHANISM = 60, 140


class RuleSummaryWriter:
    """Implements `roles.SummaryWriter`: one paragraph of 100 to 500 characters, whatever the names and the counts."""

    async def write_summary(
        self, plan: Plan, last: RepurposingRound, findings: Sequence[Finding], sources: Sequence[Source]
    ) -> SummaryText:
        """What became of the hypotheses, which is best supported if that fits, and the scores."""
        drug = _shorten(plan.names[0], _NAME) or planning_wording.THE_DRUG
        disease = (_shorten(plan.disease.label, _NAME) if plan.disease else "") or planning_wording.THE_DISEASE
        tested, scores = _describe_tested(last.tested, drug, disease), _describe_scores(last)
        for best in _describe_best(last.tested):
            whole = f"{tested} {best} {scores}"
            if len(whole) <= LONGEST_SUMMARY:
                return SummaryText(text=whole)
        return SummaryText(text=f"{tested} {scores}")


def _describe_tested(tested: Sequence[TestedHypothesis], drug: str, disease: str) -> str:
    if not tested:
        return planning_wording.SUMMARY_UNTESTED.format(none=planning_wording.NO_HYPOTHESES, drug=drug, disease=disease)
    hypotheses = planning_wording.count_hypotheses(len(tested))
    statuses = planning_wording.describe_statuses(one.status for one in tested)
    return planning_wording.SUMMARY_TESTED.format(hypotheses=hypotheses, drug=drug, disease=disease, statuses=statuses)


def _describe_best(tested: Sequence[TestedHypothesis]) -> Iterator[str]:
    """The hypothesis with the most sources for it, among those that are supported."""
    supported = [one for one in tested if one.status is HypothesisStatus.SUPPORTED]
    if supported:
        best = max(supported, key=lambda one: (one.supported - one.contradicted, one.supported))
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
