"""What a reader needs to weigh a source's sentences, beside them: the study that its record reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm import wording
from storm.evidence.design import Design
from storm.evidence.endpoints import endpoint_of
from storm.evidence.study import read_study
from storm.models import (
    Holds,
    Reference,
    RelationKind,
    Retraction,
    SectionKind,
    Source,
    Statement,
    Verdict,
    database_info,
)
from storm.models.section import kind_of_heading
from storm.reports.document import Inlines, record_text, to_inlines

#: Of a record that reports no study, or does not say which.
_UNKNOWN = (Design.NO_STUDY, Design.OTHER)
#: What part the drug has in a trial of it, and the parts of a registry record that hold results.
_TRIED = (RelationKind.ITSELF, RelationKind.COMBINATION)
_POSTED = ("results", "adverse events")
#: One trial may have a number of each of two registries; a paper with more looks at several trials.
_NUMBERS_OF_ONE = 2


class Finding(NamedTuple):
    """A printed statement with the source that it is from."""

    statement: Statement
    reference: Reference


def add_studies(
    references: Iterable[Reference], sources: Iterable[Source], names: Sequence[str]
) -> tuple[Reference, ...]:
    """The references with what their records say of the studies that they report, of the drug with these names."""
    by_id = {source.source_id: source for source in sources}
    return tuple(_add_study(reference, by_id[reference.source_id], names) for reference in references)


def study_remark(reference: Reference, sentence: str) -> Inlines:
    """ "randomised trial, 142 participants, adults with asthma, vs placebo, 24 weeks, 2010"; empty without a study.

    Last comes which endpoint the sentence is about, where it says so.
    """
    if not any((reference.design not in _UNKNOWN, reference.participants, reference.population)):
        return ()
    return to_inlines(record_text(", ".join(_list_study_facts(reference, sentence))))


def evidence_line(findings: Iterable[Finding]) -> str:
    """How many randomised trials of the drug with people these findings are of, and with how many; papers of one trial
    count once.

    A retracted paper, a trial of something else and a registered one without results are not counted. Empty where there
    is none.
    """
    sizes = [
        max(filter(None, (paper.participants for paper in papers)), default=None)
        for papers in _papers_by_trial(f.reference for f in findings if _is_of_trial(f))
    ]
    if not sizes:
        return ""
    known = [size for size in sizes if size is not None]
    trials = wording.format_count(len(sizes), "trial")
    if not known:
        return wording.RANDOMISED_TRIALS.format(trials=trials)
    participants = wording.RANDOMISED_PARTICIPANTS.format(trials=trials, participants=f"{sum(known):,}")
    unknown = len(sizes) - len(known)
    return participants + (wording.UNKNOWN_SIZES.format(number=unknown) if unknown else "") + "."


def _is_of_trial(finding: Finding) -> bool:
    """Whether a randomised trial of the drug with people found it."""
    statement, reference = finding
    is_refused = statement.verdict is Verdict.UNSUPPORTED or reference.retraction is Retraction.RETRACTED
    is_trial = reference.design == Design.RANDOMISED and not reference.animals
    return (
        is_trial and not (is_refused or statement.remark) and reference.relation_kind in _TRIED and _is_result(finding)
    )


def _is_result(finding: Finding) -> bool:
    """Whether it stands where a study tells its results: of a registered one in what it has posted."""
    part = finding.statement.section.casefold()
    if database_info(finding.reference.source_type).holds is Holds.STUDIES:
        return part.startswith(_POSTED)
    return kind_of_heading(part) not in (SectionKind.INTRODUCTION, SectionKind.METHODS)


def _papers_by_trial(references: Iterable[Reference]) -> list[list[Reference]]:
    """Papers that share the number of a registered trial together."""
    trials: list[tuple[set[str], list[Reference]]] = []
    for reference in {reference.source_id: reference for reference in references}.values():
        numbers, papers = _trial_numbers(reference), [reference]
        for same in [trial for trial in trials if trial[0] & numbers]:
            trials.remove(same)
            numbers, papers = numbers | same[0], same[1] + papers
        trials.append((numbers, papers))
    return [papers for _, papers in trials]


def _trial_numbers(reference: Reference) -> set[str]:
    """The numbers of the trial that a paper reports, or its own; none of one that names many trials."""
    own = {name.partition(":")[2] for name in reference.identifiers if name.startswith("registry:")}
    return own | set(reference.trials if len(reference.trials) <= _NUMBERS_OF_ONE else ())


def _add_study(reference: Reference, source: Source, names: Sequence[str]) -> Reference:
    study = read_study(source.hit, names)._asdict()
    if source.relation_kind is RelationKind.COMPARATOR:
        study["comparator"] = ""  # it is the drug
    if source.relation_kind is RelationKind.DERIVATIVE:
        study["dose"] = ""  # it is the derivative's
    return reference.model_copy(update={**study, "design": study["design"].value, "trials": source.hit.trials})


def _list_study_facts(reference: Reference, sentence: str) -> Iterator[str]:
    if reference.design not in _UNKNOWN:
        yield reference.design
    if reference.participants is not None:
        noun = "animal" if reference.animals else "participant"
        yield wording.format_large_count(reference.participants, noun)
    yield from filter(None, (reference.population,))
    if reference.comparator:
        yield wording.AGAINST.format(comparator=reference.comparator)
    yield from filter(None, (reference.follow_up, reference.dose, str(reference.year or ""), endpoint_of(sentence)))
