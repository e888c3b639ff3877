"""What the evidence on hypotheses lacks, and the searches that may find it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.evidence.judged import Judged
from storm.models import HypothesisStatus, MechanismHypothesis, Plan, SearchQuery
from storm.models.repurposing import NOT_STATED

_BENEFIT, _MODELS, _DISEASE = "clinical.benefit", "mechanism.models", "mechanism.disease"
#: Names of a disease in one search.
_MOST_NAMES = 8


class Gap(NamedTuple):
    """Something that is missing: the question to search for it, the words that rank what is found, and the link of a
    hypothesis that a record must name; `of_target`: the search is on the target, without the drug."""

    question: str
    words: tuple[str, ...] = ()
    link: str = ""
    of_target: bool = False

    def list_searches(self, plan: Plan, databases: Sequence[str]) -> Iterator[tuple[str, SearchQuery]]:
        """The searches for it, each with its question."""
        disease = plan.disease.names[:_MOST_NAMES] if plan.disease else ()
        link = ((self.link,),) if self.link else ()
        if not disease:
            return
        names = disease if self.of_target else plan.searched_names
        required = link if self.of_target else (disease, *link)
        yield self.question, SearchQuery(names=names, required=required, words=self.words, databases=tuple(databases))


def find_gaps(judged: Sequence[Judged], clinical: tuple[int, int]) -> list[Gap]:
    """What is missing: results in people, a second study, a randomised one, results on each hypothesis, and agreement.

    `clinical` are the numbers of studies in people for and against."""
    pieces = [piece for one in judged for piece in (*one.supporting, *one.contradicting) if piece.is_clinical]
    gaps = []
    if not sum(clinical):
        gaps.append(Gap(_BENEFIT, ("clinical", "trial", "patients")))
    if not any(piece.is_randomised for piece in pieces):
        gaps.append(Gap(_BENEFIT, ("randomised", "controlled", "trial", "placebo")))
    if sum(clinical) == 1:
        gaps.append(Gap(_BENEFIT, ("cohort", "systematic", "review", "observational")))
    if all(clinical):
        gaps.append(Gap(_BENEFIT, ("meta-analysis", "randomised", "no", "effect")))
    for one in judged:
        gaps += _find_gaps_of(one)
    return list(dict.fromkeys(gaps))


def _find_gaps_of(one: Judged) -> Iterator[Gap]:
    """What is missing on one hypothesis."""
    if one.tested.status is HypothesisStatus.UNTESTED:
        yield from _list_link_gaps(one.tested.hypothesis)
    elif one.tested.status is HypothesisStatus.MIXED:
        yield Gap(_MODELS, ("replication", "model"), _first_link(one.tested.hypothesis))


def _list_link_gaps(hypothesis: MechanismHypothesis) -> Iterator[Gap]:
    link = _first_link(hypothesis)
    yield Gap(_MODELS, ("model", "mice", "cells"), link)
    if hypothesis.target != NOT_STATED:
        yield Gap(_DISEASE, ("inhibition", "activation", "outcome"), hypothesis.target, of_target=True)


def _first_link(hypothesis: MechanismHypothesis) -> str:
    """The target, or else the effect; empty if neither is stated."""
    return next((link for link in (hypothesis.target, hypothesis.effect) if link != NOT_STATED), "")
