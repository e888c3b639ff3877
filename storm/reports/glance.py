"""Collects the at-a-glance facts from the records' own fields, without rules or models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from storm import wording
from storm.evidence.strength import evidence_of
from storm.models import (
    ApprovalFact,
    AtAGlance,
    Evidence,
    Fact,
    Hit,
    LaunchFact,
    Plan,
    ProtectionFact,
    Relation,
    Source,
    StudyFact,
    database_info,
)
from storm.models.study import describe_enrollment, enrollment_kind
from storm.reports.drug_sources import list_on_drug

#: Most registered studies listed, stopped ones first; all are counted.
_MOST_STUDIES = 25
#: Most products listed with the day of their launch.
_MOST_LAUNCHES = 10
#: Most patents and exclusivities listed, the longest first.
_MOST_PROTECTIONS = 25


def at_a_glance(plan: Plan, sources: Sequence[Source]) -> AtAGlance:
    """Names, class, target, sponsor, approvals, boxed warning, trials and designs, each with its source."""
    on_drug = list_on_drug(plan, sources)
    own = [source for source in on_drug if source.relation is Relation.ITSELF]
    registered = [source for source in own if database_info(source.hit.database).is_product]
    return AtAGlance(
        names=_collect_facts((name, s) for s in registered for name in s.hit.drugs),
        drug_class=_collect_facts((value, s) for s in own for value in s.hit.facts.drug_class),
        targets=_collect_facts((value, s) for s in own for value in s.hit.facts.targets),
        sponsors=_collect_facts((s.hit.facts.sponsor, s) for s in registered if s.hit.facts.sponsor),
        approvals=tuple(_collect_approvals(on_drug)),
        launches=_collect_launches(on_drug),
        boxed_warnings=_collect_facts((s.hit.facts.boxed_warning, s) for s in own if s.hit.facts.boxed_warning),
        trials=_count_trials(own),
        studies=tuple(_collect_studies(own)),
        protections=_collect_protections(own),
        designs={
            question.key: _count_designs([s.hit for s in sources if question.key in s.questions])
            for question in plan.syllabus.questions
        },
    )


def list_glance_sources(glance: AtAGlance) -> Iterator[str]:
    """The sources of the facts, in their order."""
    for facts in (glance.names, glance.drug_class, glance.targets, glance.sponsors):
        yield from (fact.source_id for fact in facts)
    yield from (approval.source_id for approval in glance.approvals)
    yield from (launch.source_id for launch in glance.launches)
    yield from (fact.source_id for fact in glance.boxed_warnings)
    yield from (study.source_id for study in glance.studies)
    yield from (protection.source_id for protection in glance.protections)


def _collect_facts(pairs: Iterator[tuple[str | None, Source]]) -> tuple[Fact, ...]:
    """Each value once, ignoring case, with the first source that states it."""
    facts: dict[str, Fact] = {}
    for value, source in pairs:
        if value:
            facts.setdefault(value.casefold(), Fact(text=value, source_id=source.source_id))
    return tuple(facts.values())


def _collect_approvals(sources: Sequence[Source]) -> Iterator[ApprovalFact]:
    """Approvals of the drug itself, then of related products, each by date, without duplicates."""
    found = [
        ApprovalFact(**approval.model_dump(), source_id=source.source_id, relation=source.relation)
        for source in sources
        for approval in source.hit.facts.approvals
    ]
    found.sort(key=lambda a: (a.relation is not Relation.ITSELF, a.date or "9999", a.agency, a.product or ""))
    seen: set[tuple[str, str | None, str]] = set()
    for approval in found:
        key = (approval.agency.casefold(), approval.date, (approval.product or "").casefold())
        if key not in seen:
            seen.add(key)
            yield approval


def _collect_launches(sources: Sequence[Source]) -> tuple[LaunchFact, ...]:
    """The products whose labels say since when they are marketed, each once, the first ones."""
    found: dict[str, LaunchFact] = {}
    for source in sorted(sources, key=lambda one: one.hit.facts.marketed_since or ""):
        label, day = source.hit.publication.label, source.hit.facts.marketed_since
        if day:
            product = (label and label.product) or source.hit.title
            fact = LaunchFact(product=product, date=day, source_id=source.source_id, relation=source.relation)
            found.setdefault(product.casefold(), fact)
    return tuple(found.values())[:_MOST_LAUNCHES]


def _count_trials(sources: Sequence[Source]) -> dict[str, dict[str, int]]:
    """Count the drug's registered trials by phase, then status."""
    counts: dict[str, Counter[str]] = {}
    for source in sources:
        if source.hit.database == "clinicaltrials":
            facts = source.hit.facts
            counts.setdefault(facts.phase or wording.NO_PHASE, Counter())[facts.status or wording.NO_STATE] += 1
    return {phase: dict(sorted(counts[phase].items())) for phase in sorted(counts)}


def _collect_studies(sources: Sequence[Source]) -> Iterator[StudyFact]:
    """The drug's registered studies, stopped ones first."""
    registered = [source for source in sources if source.hit.database == "clinicaltrials"]
    registered.sort(key=lambda source: (source.hit.facts.why_stopped is None, source.hit.external_id))
    for source in registered[:_MOST_STUDIES]:
        facts = source.hit.facts
        kind = enrollment_kind(facts.enrollment_kind, facts.status)
        yield StudyFact(
            external_id=source.hit.external_id,
            phase=facts.phase,
            status=facts.status,
            participants=describe_enrollment(facts.enrollment, kind) if facts.enrollment is not None else None,
            primary_completion=facts.primary_completion,
            completion=facts.completion,
            why_stopped=facts.why_stopped,
            sponsor=facts.sponsor,
            source_id=source.source_id,
        )


def _collect_protections(sources: Sequence[Source]) -> tuple[ProtectionFact, ...]:
    """The drug's patents and exclusivities whose records state an expiry date."""
    found = [
        ProtectionFact(
            text=f"{hit.external_id}: {hit.title}" if hit.database == "patents" else hit.title,
            expiry=hit.facts.expiry,
            paediatric_expiry=hit.facts.paediatric_expiry,
            source_id=source.source_id,
        )
        for source in sources
        if (hit := source.hit).facts.last_day
    ]
    found.sort(key=lambda fact: fact.text)
    found.sort(key=lambda fact: fact.last_day, reverse=True)
    return tuple(found[:_MOST_PROTECTIONS])


def _count_designs(hits: Sequence[Hit]) -> dict[str, int]:
    counts = Counter(map(evidence_of, hits))
    return {kind.value: counts[kind] for kind in Evidence if counts[kind]}
