"""Judging the evidence on hypotheses without a model, by rules that are written down in docs/repurposing.md."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm import assessment_wording as words
from storm.evidence.judged import Judged, Piece, read_pieces
from storm.evidence.levels import find_level
from storm.extractive.missing_evidence import Gap, find_gaps
from storm.models import (
    Assessment,
    Finding,
    HypothesisStatus,
    Plan,
    RepurposingRound,
    ResearchSettings,
    Score,
    SearchQuery,
    Source,
    TestedHypothesis,
)
from storm.models.repurposing import NOT_STATED

#: Points of the clinical score by the best starting level of a result for the hypotheses; of one without a level.
_DESIGNS = {1: 5.0, 2: 4.0, 3: 3.0, 4: 2.0}
_NO_LEVEL = 1.0
#: Points of the mechanism score by whom the most direct result is of.
_DIRECT = {"people": 3.0, "animals": 2.0, "cells": 1.0}
_MOST_SOURCES = 3
#: Parts of the confidence: by the number of sources up to a maximum, by how much they agree, and for a randomised one.
_BY_NUMBER, _BY_AGREEMENT, _BY_DESIGN, _MANY = 0.5, 0.3, 0.2, 5


class _Sides(NamedTuple):
    """The results for and against of one kind."""

    supporting: Sequence[Piece]
    contradicting: Sequence[Piece]

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of independent studies for and against."""
        return len({one.study for one in self.supporting}), len({one.study for one in self.contradicting})

    @property
    def statements(self) -> tuple[str, ...]:
        """The identities of the results, each once."""
        return tuple(dict.fromkeys(one.identity for one in (*self.supporting, *self.contradicting)))


class RuleHypothesisJudge:
    """Implements `roles.HypothesisJudge` by counting. `databases` are those that the job searches, all if empty.

    Clinical score: results of the drug in people, of any hypothesis. Its design by the best starting
    level of a result for (1: 5 points, 2: 4, 3: 3, 4: 2, none: 1), plus 1 for each independent study for, at most 3,
    plus 1 if the title of one names the disease, plus 1 if no result is against;
    halved if as many studies are against as for, or more. Only results against, or none: 0.
    Mechanism score: of the hypothesis with most points. 1 for each link that a source states, without an effect that is
    contradicted, plus 1 for
    each independent study for it, at most 3, plus 3 if one is of people, 2 of animals, 1 of cells, plus 1 if none is
    against; halved if as many are against as for, or more. No link and no result: 0.
    Confidence: .5 by the number of independent studies on any side (all of it from 5 on), .3 by how much several
    of them agree, .2 if one in people is randomised or a review; 0 without a result.
    It is enough if nothing is missing that `missing_evidence` names; that says what to search for, too.
    """

    def __init__(self, settings: ResearchSettings, databases: Sequence[str] = ()) -> None:
        self._most = settings.queries_per_question
        self._databases = tuple(databases)

    async def judge(
        self,
        plan: Plan,
        tested: Sequence[TestedHypothesis],
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Assessment:
        """The scores with their counts, and searches for what is missing, which no earlier round searched for."""
        # In a thread: reading the designs of all sources takes a while, and the job's lease must be renewed meanwhile.
        return await asyncio.to_thread(self._judge, plan, tested, findings, sources, rounds)

    def _judge(
        self,
        plan: Plan,
        tested: Sequence[TestedHypothesis],
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Assessment:
        judged = read_pieces(tested, findings, sources, plan)
        clinical = _join_clinical(judged)
        gaps = find_gaps(judged, clinical.counts)
        confidence, reasons = _rate_confidence(judged)
        return Assessment(
            mechanism=_score_mechanism(judged),
            clinical=_score_clinical(clinical),
            confidence=confidence,
            confidence_reasons=reasons,
            is_enough=not gaps,
            searches=self._choose_searches(plan, gaps, rounds),
        )

    def _choose_searches(
        self, plan: Plan, gaps: Sequence[Gap], rounds: Sequence[RepurposingRound]
    ) -> dict[str, tuple[SearchQuery, ...]]:
        """The first searches of each question that no round has run or planned."""
        done = {
            (key, query)
            for one in rounds
            for searches in (one.searches, one.assessment.searches)
            for key, queries in searches.items()
            for query in queries
        }
        wanted: dict[str, dict[SearchQuery, None]] = {}
        for gap in gaps:
            for key, query in gap.list_searches(plan, self._databases):
                if key in plan.syllabus.keys and (key, query) not in done:
                    wanted.setdefault(key, {})[query] = None
        return {key: tuple(wanted[key])[: self._most] for key in plan.syllabus.keys if key in wanted}


def _join_clinical(judged: Sequence[Judged]) -> _Sides:
    """The results in people of all hypotheses, each once."""
    supporting = (piece for one in judged for piece in one.supporting if piece.is_clinical)
    contradicting = (piece for one in judged for piece in one.contradicting if piece.is_clinical)
    return _Sides(list(dict.fromkeys(supporting)), list(dict.fromkeys(contradicting)))


def _score_clinical(sides: _Sides) -> Score:
    supported, contradicted = sides.counts
    if not supported:
        if not contradicted:
            return Score(reasons=(words.NONE_IN_PEOPLE,))
        reason = words.ONLY_AGAINST_IN_PEOPLE.format(studies=_count_studies(contradicted))
        return Score(reasons=(reason,), statements=sides.statements)
    levels = [level for one in sides.supporting if (level := find_level(one.source.hit).efficacy) is not None]
    design = _DESIGNS.get(min(levels), _NO_LEVEL) if levels else _NO_LEVEL
    named = any(one.names_disease for one in sides.supporting)
    points = design + min(_MOST_SOURCES, supported) + named + (not contradicted)
    best = words.BEST_DESIGN.format(level=min(levels)) if levels else words.NO_DESIGN
    reasons = [words.FOR_IN_PEOPLE.format(studies=_count_studies(supported), design=best)]
    reasons.append(words.DISEASE_IN_TITLE if named else words.DISEASE_IN_NO_TITLE)
    return _finish_score(points, supported, contradicted, reasons, sides.statements)


def _finish_score(
    points: float, supported: int, contradicted: int, reasons: Sequence[str], statements: tuple[str, ...]
) -> Score:
    """The score with what is against it: halved if as many studies are against as for."""
    halved = contradicted >= supported > 0
    value = min(10.0, max(0.0, points / 2 if halved else points))
    said = [_describe_against(contradicted, halved=halved)] if supported or contradicted else []
    return Score(value=value, reasons=(*reasons, *said), statements=statements)


def _describe_against(contradicted: int, *, halved: bool) -> str:
    against = words.AGAINST.format(studies=_count_studies(contradicted)) if contradicted else words.NONE_AGAINST
    return words.HALVED.format(against=against) if halved else against


def _score_mechanism(judged: Sequence[Judged]) -> Score:
    """The score of the hypothesis with most points, the first of equals."""
    scores = [_score_hypothesis(one) for one in judged]
    nothing = Score(reasons=(words.NO_MECHANISM,))
    return max(scores, key=lambda score: score.value, default=nothing)


def _score_hypothesis(one: Judged) -> Score:
    links = list(_list_links(one.tested))
    sides = _Sides(
        [piece for piece in one.supporting if not piece.is_clinical or piece.names_target],
        [piece for piece in one.contradicting if not piece.is_clinical or piece.names_target],
    )
    supported, contradicted = sides.counts
    if not links and not supported:
        return Score(reasons=(words.NO_MECHANISM,), statements=sides.statements)
    direct = max((piece.subject for piece in sides.supporting), key=lambda one: _DIRECT.get(one, 0.0), default="")
    points = (
        len(links) + min(_MOST_SOURCES, supported) + _DIRECT.get(direct, 0.0) + (bool(supported) and not contradicted)
    )
    reasons = [words.STATED_LINKS.format(mechanism=one.tested.mechanism, links=_join_links(links))]
    if not supported:
        reasons.append(words.NONE_IN_MODELS)
    else:
        studied = words.MOST_DIRECT.format(subject=direct) if direct else words.OF_NOBODY
        reasons.append(words.FOR_IT.format(studies=_count_studies(supported), studied=studied))
    return _finish_score(points, supported, contradicted, reasons, sides.statements)


def _list_links(tested: TestedHypothesis) -> Iterator[str]:
    """The links of a hypothesis that a source states; an effect that was only denied is none."""
    stated = {link.link for link in tested.basis}
    hypothesis = tested.hypothesis
    links = {"target": hypothesis.target, "pathway": hypothesis.pathway, "effect": hypothesis.effect}
    if tested.status is HypothesisStatus.CONTRADICTED:
        del links["effect"]
    return (words.LINK.format(name=name) for name, value in links.items() if name in stated and value != NOT_STATED)


def _join_links(links: Sequence[str]) -> str:
    first, last = ", ".join(links[:-1]), "".join(links[-1:])
    return words.LAST_LINK.format(links=first, last=last) if first else last or words.NO_LINK


def _rate_confidence(judged: Sequence[Judged]) -> tuple[float, tuple[str, ...]]:
    """The confidence, by the number of studies, how much several agree, and whether one is randomised, and why."""
    supported = {piece.study for one in judged for piece in one.supporting}
    contradicted = {piece.study for one in judged for piece in one.contradicting}
    if not (number := len(supported | contradicted)):
        return 0.0, (words.NO_STUDY,)
    agreement = abs(len(supported) - len(contradicted)) / (len(supported) + len(contradicted)) if number > 1 else 0.0
    pieces = (piece for one in judged for piece in (*one.supporting, *one.contradicting))
    randomised = any(piece.is_clinical and piece.is_randomised for piece in pieces)
    rated = _BY_NUMBER * min(number, _MANY) / _MANY + _BY_AGREEMENT * agreement + _BY_DESIGN * randomised
    reasons = (
        words.SIDES.format(studies=_count_studies(number), supported=len(supported), contradicted=len(contradicted)),
        words.RANDOMISED if randomised else words.NOT_RANDOMISED,
    )
    return round(min(1.0, rated), 2), reasons


def _count_studies(number: int) -> str:
    return (words.STUDY if number == 1 else words.STUDIES).format(number=number)
