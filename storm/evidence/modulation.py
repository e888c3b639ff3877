"""What a drug does to a target, and what a sentence says was done to it: less of it, or more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from storm.citations.cues import Direction
from storm.citations.terms import content_keys, read_terms
from storm.evidence.sentence_kinds import REACH
from storm.models import MechanismHypothesis, ProposedHypothesis, Relation, Source
from storm.models.repurposing import NOT_STATED

_LESS = re.compile(
    r"\b(?:inhibit\w*|block(?:s|ed|er|ers|ing|ade)?|antagoni\w+|knock-?(?:down|out|ed)|delet(?:ion|ed|ing)|"
    r"silenc(?:ing|ed)|deficien(?:cy|t)|deplet(?:ion|ed)|ablat(?:ion|ed)|null|suppress\w*|down-?regulat\w+|"
    r"inactivat\w+|loss)\b|-/-",
    re.I,
)
_MORE = re.compile(
    r"\b(?:activat\w*|agonis\w+|over-?express\w*|stimulat\w*|up-?regulat\w+|induc(?:tion|ed|es|er|ers)|opener|"
    r"potentiat\w+)\b",
    re.I,
)
#: The words beside the name of a target that may say what was done to it.
_NEAR = 4


def find_action(proposed: ProposedHypothesis, sources: Iterable[Source]) -> Direction | None:
    """Which way the drug acts on the target, by the records of the drug and by what states the link; None if neither
    says, or if they disagree."""
    target = proposed.hypothesis.target
    stated = [target, *(link.quote for link in proposed.basis if link.link == "target")]
    own = (source.hit.facts for source in sources if source.relation is Relation.ITSELF)
    stated += [text for facts in own for text in (*facts.drug_class, *facts.targets)]
    ways = {way for text in stated if (way := read_modulation(text, target_keys(proposed.hypothesis))) is not None}
    return ways.pop() if len(ways) == 1 else None


def read_modulation(text: str, keys: frozenset[str]) -> Direction | None:
    """What a text says is done to the target of these words; None if it names no target, or says nothing or both."""
    terms = read_terms(text[:REACH])
    places = [n for n, term in enumerate(terms) if term.key in keys]
    if not keys or not keys <= {term.key for term in terms}:
        return None
    beside = " ".join(term.word for term in terms[max(0, places[0] - _NEAR) : places[-1] + _NEAR + 1])
    less, more = _LESS.search(beside), _MORE.search(beside)
    if bool(less) == bool(more):
        return None
    return Direction.DOWN if less else Direction.UP


def target_keys(hypothesis: MechanismHypothesis) -> frozenset[str]:
    """The words of the target without what is done to it: an "AMPK activator" is AMPK."""
    if hypothesis.target == NOT_STATED:
        return frozenset()
    return content_keys(read_terms(_MORE.sub(" ", _LESS.sub(" ", hypothesis.target))))


def names_target(words: frozenset[str], targets: Sequence[frozenset[str]]) -> bool:
    """Whether a sentence of these words names one of the targets."""
    return any(keys and keys <= words for keys in targets)
