"""Finds the role of the drug in a registered study, by its title, interventions and arms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.models import Hit, Related, Relation, RelationKind, implied_kind
from storm.models.names import fold_text
from storm.syllabus.relation import name_pattern

#: Characters before a name that are read as its context.
_REACH = 90
#: A placebo named after the drug that it looks like.
_DUMMY_AFTER = re.compile(r"[\s-]{0,3}(?:matching |matched )?(?:placebo|dummy|vehicle)\b")
_DUMMY_BEFORE = re.compile(r"\bplacebo (?:for|of|to|matching|matched to|identical to|similar to) $")


def classify_registered_study(
    hit: Hit, relation: Relation, names: Sequence[str], related: Sequence[Related]
) -> RelationKind:
    """The role of the drug in a registered study, by its title, interventions and arms that receive it."""
    pattern = name_pattern(tuple(names), tuple(related))
    own = " | ".join((hit.title, *hit.drugs))
    parts = {section.label: section.text for section in hit.sections}
    arms = [fold_text(line) for line in parts.get("ARMS", "").splitlines()]
    given = [line for line in arms if any(not _is_dummy(line, match) for match in pattern.finditer(line))]
    if not given and not pattern.search(fold_text(f"{own} {parts.get('INTERVENTIONS', '')}")):
        return RelationKind.MENTIONED
    if not arms and not pattern.search(fold_text(hit.title)) and _names_another(hit, pattern):
        return RelationKind.MENTIONED
    if relation not in (Relation.ITSELF, Relation.COMPARATOR):
        return implied_kind(relation)
    if pattern.search(fold_text(hit.title)) and relation is Relation.ITSELF:
        return RelationKind.ITSELF
    controls = ("active comparator", "placebo comparator", "sham comparator", "no intervention", "other")
    if (
        given
        and all(line.startswith(controls) for line in given)
        and any(line.startswith("experimental") for line in arms)
    ):
        return RelationKind.COMPARATOR
    if len(arms) > 1 and len(given) == len(arms):
        return RelationKind.BACKGROUND
    return implied_kind(relation)


def _names_another(hit: Hit, pattern: re.Pattern[str]) -> bool:
    """Whether the title of a study names one of its interventions other than the drug."""
    title = set(re.findall(r"[a-z][\w-]{4,}", fold_text(hit.title)))
    others = (fold_text(drug) for drug in hit.drugs if not pattern.search(fold_text(drug)))
    return any(title.intersection(re.findall(r"^[a-z][\w-]{4,}", other)) for other in others)


def _is_dummy(arm: str, name: re.Match[str]) -> bool:
    """Whether it is the drug's placebo: "remdesivir placebo", "placebo for remdesivir"."""
    return bool(
        _DUMMY_AFTER.match(arm, name.end()) or _DUMMY_BEFORE.search(arm[max(0, name.start() - _REACH) : name.start()])
    )
