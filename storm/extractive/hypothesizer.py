"""Proposing how a drug could act on a disease without a model: only links that a record or a sentence states."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.citations.quotes import is_quote_verified
from storm.evidence.candidates import SharedReader
from storm.evidence.subjects import compile_name_pattern
from storm.extractive.mechanism_evidence import MechanismEvidence, Stated, Target, collect_evidence
from storm.extractive.mechanism_words import fold_words
from storm.models import (
    Disease,
    Finding,
    Hypotheses,
    HypothesisLink,
    MechanismHypothesis,
    Plan,
    ProposedHypothesis,
    RepurposingRound,
    ResearchSettings,
    SearchQuery,
    Source,
    index_sources,
)
from storm.models.repurposing import MOST_HYPOTHESES, NOT_STATED, LinkName

#: How many quotes state a link.
_MOST_QUOTES = 5
#: Words of searches for results in people; they only rank.
_TRIAL_WORDS = ("randomised", "trial", "patients")
#: What a stated link, a further independent source and a result in people add to a confidence, and the most without a
#: result in people.
_LINK, _SOURCE, _RESULT, _WITHOUT_PEOPLE = 0.1, 0.05, 0.1, 0.5
_MOST_SOURCES, _MOST_RESULTS = 4, 4
#: How many hypotheses may differ only in a target that no sentence states.
_MOST_ALIKE = 2


class _Ranked(NamedTuple):
    """A hypothesis, and the number of independent sources that name its links, or its target and the disease."""

    proposed: ProposedHypothesis
    sources: int

    @property
    def links(self) -> int:
        """The number of stated links."""
        hypothesis = self.proposed.hypothesis
        return sum(link != NOT_STATED for link in (hypothesis.target, hypothesis.pathway, hypothesis.effect))

    @property
    def has_sentence(self) -> bool:
        """Whether a sentence states the target, not only a field of a record."""
        return any(link.quote for link in self.proposed.basis if link.link == "target")


class RuleHypothesizer:
    """Implements `roles.Hypothesizer`: one hypothesis for each target that a record of the drug or a sentence states,
    with the pathway and the effect that are stated best; one without a target if only results are known.

    The confidence is .1 for each stated link and .05 for each independent source after the first, up to .2; a source
    with a result in people, other than that nothing changed, adds .1, up to .4. So it is at most .5 without one.
    `databases` are those that the job searches; at most `most` hypotheses are proposed.
    """

    def __init__(self, settings: ResearchSettings, databases: Sequence[str] = (), most: int = MOST_HYPOTHESES) -> None:
        self._queries = settings.queries_per_question
        self._databases = tuple(databases)
        self._most = most
        self._reader = SharedReader()

    async def propose(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Hypotheses:
        """The hypotheses with most stated links first, then those of most independent sources. Hypotheses of the last
        round stay among them while their quotes are in the sources."""
        # In a thread: reading all sentences takes a while, and the job's lease must be renewed meanwhile.
        return await asyncio.to_thread(self._propose, plan, findings, sources, rounds)

    def _propose(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Hypotheses:
        if (disease := plan.disease) is None:
            return Hypotheses()
        evidence = collect_evidence(plan, disease, findings, sources, self._reader.for_plan(plan))
        found = [_join_links(plan.names[0], target, evidence) for target in evidence.targets]
        if not found and evidence.effects:
            found = [_join_links(plan.names[0], None, evidence)]
        earlier = list(_list_earlier(rounds, plan.names[0], sources))
        known = {fold_words(form): target.forms[0] for target in evidence.targets for form in target.forms}
        chosen = _choose(found, earlier, self._most, known)
        forms = {fold_words(target.forms[0]): target.forms for target in evidence.targets}
        return Hypotheses(proposed=tuple(self._add_searches(chosen, plan, disease, forms)))

    def _add_searches(
        self,
        chosen: Sequence[ProposedHypothesis],
        plan: Plan,
        disease: Disease,
        forms: Mapping[tuple[str, ...], tuple[str, ...]],
    ) -> Iterator[ProposedHypothesis]:
        """The hypotheses with their searches: of each question no more than allowed, whichever hypothesis asks."""
        asked: defaultdict[str, set[SearchQuery]] = defaultdict(set)
        for one in chosen:
            named = forms.get(fold_words(one.hypothesis.target), (one.hypothesis.target,))
            searches: dict[str, tuple[SearchQuery, ...]] = {}
            for key, query in self._list_searches(one.hypothesis, plan, disease, named):
                if key in plan.syllabus.keys and len(asked[key] | {query}) <= self._queries:
                    asked[key].add(query)
                    searches[key] = (query,)
            texts = tuple(str(query) for queries in searches.values() for query in queries)
            hypothesis = one.hypothesis.model_copy(update={"search_suggestions": texts})
            yield one.model_copy(update={"hypothesis": hypothesis, "searches": searches})

    def _list_searches(
        self, hypothesis: MechanismHypothesis, plan: Plan, disease: Disease, forms: tuple[str, ...]
    ) -> Iterator[tuple[str, SearchQuery]]:
        """The searches that test a hypothesis, each with the key of its question."""
        names, patients = plan.searched_names, disease.names
        if hypothesis.target != NOT_STATED:
            yield "mechanism.disease", SearchQuery(names=patients, required=(forms,), databases=self._databases)
            yield "mechanism.models", SearchQuery(names=names, required=(patients, forms), databases=self._databases)
        if hypothesis.effect != NOT_STATED:
            required = (patients, (hypothesis.effect,))
            yield (
                "clinical.benefit",
                SearchQuery(names=names, required=required, words=_TRIAL_WORDS, databases=self._databases),
            )


def _join_links(drug: str, target: Target | None, evidence: MechanismEvidence) -> _Ranked:
    """The hypothesis of a target, or of none, with what states its links."""
    links: dict[LinkName, Sequence[Stated]] = {
        "target": target.stated if target else (),
        "pathway": _choose_most_stated(target.pathways if target else ()),
        "effect": _choose_most_stated([*(target.effects if target else ()), *_list_effects(target, evidence)]),
    }
    names: dict[str, str] = {link: stated[0].name for link, stated in links.items() if stated}
    if target:
        names["target"] = target.forms[0]
    independent = {one.source_id for stated in links.values() for one in stated} | (target.joined if target else set())
    people = {one.source_id for one in links["effect"] if one.in_people}
    hypothesis = MechanismHypothesis(
        drug=drug,
        target=names.get("target", NOT_STATED),
        pathway=names.get("pathway", NOT_STATED),
        effect=names.get("effect", NOT_STATED),
        confidence=_rate(len(names), len(independent), len(people)),
    )
    basis = [link for name, stated in links.items() for link in _quote_links(name, stated)]
    return _Ranked(ProposedHypothesis(hypothesis=hypothesis, basis=tuple(basis)), len(independent))


def _list_effects(target: Target | None, evidence: MechanismEvidence) -> list[Stated]:
    """The outcomes of the drug, without those that their sentence states of other targets alone."""
    if target is None:
        return list(evidence.effects)
    own = compile_name_pattern(target.forms)
    others = [compile_name_pattern(one.forms) for one in evidence.targets if one.forms != target.forms]
    return [
        one for one in evidence.effects if own.search(one.quote) or not any(other.search(one.quote) for other in others)
    ]


def _choose_most_stated(stated: Iterable[Stated]) -> list[Stated]:
    """What states the name that stands closest to the question; of several, the one of most results in people, then of
    most sources. It is written as it is written most often."""
    groups: defaultdict[tuple[str, ...], list[Stated]] = defaultdict(list)
    for one in stated:
        groups[fold_words(one.name)].append(one)
    if not groups:
        return []

    def order(key: tuple[str, ...]) -> tuple[int, int, int, tuple[str, ...]]:
        group = groups[key]
        people = {one.source_id for one in group if one.in_people}
        return -max(one.rank for one in group), -len(people), -len({one.source_id for one in group}), key

    best = groups[min(groups, key=order)]
    if any(one.rank >= 0 for one in best):  # what is denied states nothing beside what is stated
        best = [one for one in best if one.rank >= 0]
    written = Counter(one.name for one in best)
    name = min(written, key=lambda one: (-written[one], not one.islower(), one))
    ordered = sorted(best, key=lambda one: (-one.rank, not one.in_people, one.source_id, one.quote))
    return [one._replace(name=name) for one in ordered]


def _quote_links(name: LinkName, stated: Sequence[Stated]) -> list[HypothesisLink]:
    """What states a link, of each source once."""
    first = {one.source_id: one for one in reversed(stated)}
    quoted = [one for one in stated if first[one.source_id] is one]
    return [HypothesisLink(link=name, source_id=one.source_id, quote=one.quote) for one in quoted[:_MOST_QUOTES]]


def _rate(links: int, sources: int, people: int) -> float:
    """The confidence, by the rule in the docstring of the class."""
    rated = _LINK * links + _SOURCE * min(_MOST_SOURCES, max(0, sources - 1)) + _RESULT * min(_MOST_RESULTS, people)
    return round(min(rated, 1.0 if people else _WITHOUT_PEOPLE), 2)


def _choose(
    found: Sequence[_Ranked], earlier: Sequence[_Ranked], most: int, known: Mapping[tuple[str, ...], str]
) -> list[ProposedHypothesis]:
    """The best, each mechanism once. Those of earlier rounds come before new ones; with another chain for the same
    target, by any of its `known` names, the new chain replaces them."""

    def target_of(one: _Ranked) -> str:
        target = one.proposed.hypothesis.target
        return known.get(fold_words(target), target)

    tested = {target_of(one) for one in earlier}
    targets = {target_of(one) for one in found}
    lost = [one for one in earlier if target_of(one) not in targets]
    best = _drop_repeats(sorted([*found, *lost], key=lambda one: (target_of(one) not in tested, *_order(one))))
    return [one.proposed for one in sorted(best[:most], key=_order)]


def _drop_repeats(best: Sequence[_Ranked]) -> list[_Ranked]:
    """Without those of which only a record states the target, where two others have the same pathway and effect."""
    same: Counter[tuple[str, str]] = Counter()
    left: list[_Ranked] = []
    for one in sorted(best, key=lambda one: not one.has_sentence):
        chain = one.proposed.hypothesis.pathway, one.proposed.hypothesis.effect
        same[chain] += 1
        if one.has_sentence or same[chain] <= _MOST_ALIKE:
            left.append(one)
    return [one for one in best if one in left]


def _order(one: _Ranked) -> tuple[int, int, bool, str]:
    return -one.links, -one.sources, not one.has_sentence, one.proposed.hypothesis.mechanism.casefold()


def _list_earlier(rounds: Sequence[RepurposingRound], drug: str, sources: Sequence[Source]) -> Iterator[_Ranked]:
    """The hypotheses of the last round on this drug of which every stated link has its quote in a source."""
    by_id = index_sources(sources)
    for one in rounds[-1].tested if rounds else ():
        stands = all(
            (source := by_id.get(link.source_id)) and (not link.quote or is_quote_verified(link.quote, source.hit))
            for link in one.basis
        )
        ranked = _Ranked(
            ProposedHypothesis(hypothesis=one.hypothesis, basis=one.basis), len({link.source_id for link in one.basis})
        )
        if stands and fold_words(one.hypothesis.drug) == fold_words(drug) and _has_basis(one.hypothesis, one.basis):
            yield ranked


def _has_basis(hypothesis: MechanismHypothesis, basis: Sequence[HypothesisLink]) -> bool:
    """Whether something states each link that is not "not stated"."""
    links: Mapping[LinkName, str] = {
        "target": hypothesis.target, "pathway": hypothesis.pathway, "effect": hypothesis.effect
    }  # fmt: skip
    shown = {link.link for link in basis}
    return bool(basis) and all(name in shown for name, text in links.items() if text != NOT_STATED)
