"""What a reader needs to weigh a source's sentences, beside them: the study that its record reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from storm import wording
from storm.evidence.design import Design
from storm.evidence.endpoints import endpoint_of
from storm.evidence.study import read_study
from storm.models import Reference, RelationKind, Source
from storm.reports.document import Inlines, inlines, record_text

#: Of a record that reports no study, or does not say which.
_UNKNOWN = (Design.NO_STUDY, Design.OTHER)


def with_studies(
    references: Iterable[Reference], sources: Iterable[Source], names: Sequence[str]
) -> tuple[Reference, ...]:
    """The references with what their records say of the studies that they report, of the drug with these names."""
    by_id = {source.source_id: source for source in sources}
    return tuple(_with_study(reference, by_id[reference.source_id], names) for reference in references)


def study_remark(reference: Reference, sentence: str) -> Inlines:
    """ "randomised trial, 142 participants, adults with asthma, vs placebo, 24 weeks, 2010"; empty without a study.

    Last comes which endpoint the sentence is about, where it says so.
    """
    if not any((reference.design not in _UNKNOWN, reference.participants, reference.population)):
        return ()
    return inlines(record_text(", ".join(_told(reference, sentence))))


def evidence_line(references: Iterable[Reference]) -> str:
    """How many randomised trials with people these are, and with how many; papers of one trial count once.

    Empty where there is none.
    """
    sizes: dict[str, int | None] = {}
    for reference in references:
        if reference.design == Design.RANDOMISED and not reference.animals:
            trial = reference.trials[0] if len(reference.trials) == 1 else reference.source_id
            sizes[trial] = max(filter(None, (sizes.get(trial), reference.participants)), default=None)
    if not sizes:
        return ""
    known = [size for size in sizes.values() if size is not None]
    trials = wording.count(len(sizes), "trial")
    if not known:
        return wording.RANDOMISED_TRIALS.format(trials=trials)
    participants = wording.RANDOMISED_PARTICIPANTS.format(trials=trials, participants=f"{sum(known):,}")
    unknown = len(sizes) - len(known)
    return participants + (wording.UNKNOWN_SIZES.format(number=unknown) if unknown else "") + "."


def _with_study(reference: Reference, source: Source, names: Sequence[str]) -> Reference:
    study = read_study(source.hit, names)._asdict()
    if source.relation_kind is RelationKind.COMPARATOR:
        study["comparator"] = ""  # it is the drug
    if source.relation_kind is RelationKind.DERIVATIVE:
        study["dose"] = ""  # it is the derivative's
    return reference.model_copy(update={**study, "design": study["design"].value, "trials": source.hit.trials})


def _told(reference: Reference, sentence: str) -> Iterator[str]:
    if reference.design not in _UNKNOWN:
        yield reference.design
    if reference.participants is not None:
        noun = "animal" if reference.animals else "participant"
        yield wording.count_many(reference.participants, noun)
    yield from filter(None, (reference.population,))
    if reference.comparator:
        yield wording.AGAINST.format(comparator=reference.comparator)
    yield from filter(None, (reference.follow_up, reference.dose, str(reference.year or ""), endpoint_of(sentence)))
