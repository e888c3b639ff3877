"""Describes the study behind a source, so that readers can weigh its statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from storm import wording
from storm.evidence.endpoints import endpoint_of
from storm.evidence.named_comparator import names_comparator
from storm.evidence.sentence_values import is_of_subgroup
from storm.evidence.within_arms import reports_change_within_arms
from storm.models import (
    Holds,
    Reference,
    Relation,
    RelationKind,
    Retraction,
    SectionKind,
    Source,
    Statement,
    Verdict,
    database_info,
    number_of_trial,
)
from storm.models.design import Design
from storm.models.section import kind_of_heading
from storm.reports import study_wording as words
from storm.reports.document import Inlines, record_text, to_inlines
from storm.syllabus.drug_names import DRUG_NAME

#: Designs of records that report no study, or do not name the design.
_UNKNOWN = (Design.NO_STUDY, Design.OTHER)
#: A result in animals of a study that was done in cells for the most part.
_IN_BODIES = re.compile(r"\bin vivo\b|\b(?:mice|rats|xenografts?)\b")
#: The relations of a drug in a trial, and the sections of a registry record that hold results.
_TRIED = (RelationKind.ITSELF, RelationKind.COMBINATION, RelationKind.COMPARATOR)
_POSTED = ("results", "adverse events")
#: One trial may be in two registries; a paper with more numbers covers several trials.
_NUMBERS_OF_ONE = 2
#: What says itself who knew the treatment.
_SAYS_BLINDING = re.compile(r"\b(?:single|double|triple)[- ](?:blind|mask)|\bopen[- ]label")


#: The numbers of a trial, and the papers that report it.
_Trial: TypeAlias = tuple[set[str], list[Reference]]


class Finding(NamedTuple):
    """A printed statement and one of its sources."""

    statement: Statement
    reference: Reference


def add_studies(
    references: Iterable[Reference], sources: Iterable[Source], names: Sequence[str]
) -> tuple[Reference, ...]:
    """Add to each reference what its record states about its study of the drug with these names, and its evidence."""
    by_id = {source.source_id: source for source in sources}
    return tuple(_add_study(reference, by_id[reference.source_id], names) for reference in references)


def study_remark(reference: Reference, statement: Statement) -> Inlines:
    """ "randomised trial, 142 participants, adults with asthma, vs placebo, 24 weeks, 2010"; empty without a study.

    It ends with the endpoint of the statement, if it names one. Background has no study beside it, only the kind of
    report that states it.
    """
    if not any((reference.design not in _UNKNOWN, reference.participants, reference.population)):
        return ()
    if statement.background:
        return to_inlines(record_text(", ".join(filter(None, (_name_report(reference), str(reference.year or ""))))))
    return to_inlines(record_text(", ".join(_list_study_facts(reference, statement))))


def _name_report(reference: Reference) -> str:
    named = reference.design not in _UNKNOWN
    return wording.BACKGROUND_IN.format(design=reference.design) if named else wording.BACKGROUND


def evidence_line(findings: Iterable[Finding], references: Iterable[Reference] = ()) -> str:
    """The number of randomised trials of the drug in people behind these findings, and of their participants.

    Papers that state one trial's number or name count once; the size of a trial may stand in another of the
    references. Trials in which the drug is the comparator are counted as such; what is not counted is said. What they
    state as background does not count. Analyses of trials are named with their sizes, which are not added. Empty if
    there are none.
    """
    own = [finding for finding in findings if not finding.statement.background]
    randomised = [finding for finding in own if _is_randomised(finding.reference)]
    counted = [finding.reference for finding in randomised if _is_of_trial(finding)]
    groups = papers_by_trial(counted)
    names = {reference.source_id for reference in counted}
    left_out = [finding for finding in randomised if finding.reference.source_id not in names]
    counted_trials = _count_trials(groups, tuple(references)) if groups else ""
    analyses = "; ".join(_list_analyses(finding.reference for finding in own if _is_of_trial(finding)))
    beside = (words.BESIDE_TRIALS if groups else words.ONLY_ANALYSES).format(analyses=analyses) if analyses else ""
    return " ".join(filter(None, (counted_trials, beside, _describe_uncounted(left_out))))


def _list_analyses(references: Iterable[Reference]) -> Iterator[str]:
    """ "2 secondary analyses of trials (14,671 participants, 14,611 participants)"."""
    cited = {reference.source_id: reference for reference in references if not reference.animals}.values()
    for design, (one, several) in words.ANALYSES.items():
        found = [reference for reference in cited if reference.design == design]
        if found:
            analyses = wording.format_large_count(len(found), one, several)
            are_unknown = len(found) > 1 and all(reference.participants is None for reference in found)
            sizes = words.NO_SIZES if are_unknown else ", ".join(map(_describe_size, found))
            yield words.ANALYSES_OF_SIZE.format(analyses=analyses, sizes=sizes)


def _describe_size(reference: Reference) -> str:
    number = reference.participants
    return words.NO_SIZE if number is None else wording.format_large_count(number, "participant")


def _count_trials(groups: Sequence[Sequence[Reference]], references: Sequence[Reference]) -> str:
    """ "Randomised evidence: 3 trials, 1,200 participants; the drug is the comparator in 1."."""
    known = [size for size in (_find_size(papers, references) for papers in groups) if size is not None]
    are_identified = len(groups) == 1 or all(any(map(_trial_numbers, papers)) for papers in groups)
    trials = wording.format_count(len(groups), "trial")
    trials = trials if are_identified else words.EACH_PAPER_A_TRIAL.format(trials=trials)
    line = words.RANDOMISED_TRIALS.format(trials=trials)
    if known:
        line = words.RANDOMISED_PARTICIPANTS.format(trials=trials, participants=f"{sum(known):,}")
    if known and (unknown := len(groups) - len(known)):
        line += words.UNKNOWN_SIZES.format(number=unknown)
    return line + "".join(_list_other_roles(groups, references)) + "."


def _list_other_roles(groups: Sequence[Sequence[Reference]], references: Sequence[Reference]) -> Iterator[str]:
    """In how many trials the drug is the comparator, or given with another drug, which may have made the difference."""
    wordings = {
        RelationKind.COMPARATOR: words.DRUG_AS_COMPARATOR,
        RelationKind.COMBINATION: words.DRUG_IN_COMBINATION,
    }
    for kind, wording_of_kind in wordings.items():
        trials = [papers for papers in groups if all(paper.relation_kind is kind for paper in papers)]
        total = sum(_find_size(papers, references) or 0 for papers in trials)
        size = words.SIZE_IN_COMBINATION.format(participants=f"{total:,}") if total else ""
        if trials and len(trials) == len(groups) and kind is RelationKind.COMBINATION:
            yield words.ALL_IN_COMBINATION
        elif trials:
            yield wording_of_kind.format(number=len(trials), size=size)


def _find_size(papers: Sequence[Reference], references: Sequence[Reference]) -> int | None:
    """The most participants that a paper states, or else another reference with the same trial number."""
    numbers = set[str]().union(*map(_trial_numbers, papers))
    same = (reference for reference in references if _trial_numbers(reference) & numbers)
    stated = [paper.participants for paper in papers if paper.participants is not None]
    return max(stated or [one.participants for one in same if one.participants is not None], default=None)


def _describe_uncounted(findings: Sequence[Finding]) -> str:
    """How many references are not counted, and why; empty if all are."""
    number = len({finding.reference.source_id for finding in findings})
    reasons = " or ".join(dict.fromkeys(map(_explain_uncounted, findings)))
    references = wording.format_count(number, "reference")
    return words.UNCOUNTED_TRIALS.format(references=references, reasons=reasons) if number else ""


def _explain_uncounted(finding: Finding) -> str:
    statement, reference = finding
    if reference.retraction is Retraction.RETRACTED:
        return words.IS_RETRACTED
    if statement.verdict is Verdict.UNSUPPORTED:
        return words.IS_UNSUPPORTED
    is_other = statement.remark or reference.relation_kind not in _TRIED
    return words.IS_OF_ANOTHER if is_other else words.IS_NO_RESULT


def _is_randomised(reference: Reference) -> bool:
    return reference.design == Design.RANDOMISED and not reference.animals


def _is_of_trial(finding: Finding) -> bool:
    """Whether the finding is a result from a randomised trial of the drug, or of another drug against it."""
    statement, reference = finding
    is_refused = statement.verdict is Verdict.UNSUPPORTED or reference.retraction is Retraction.RETRACTED
    return not (is_refused or statement.remark) and reference.relation_kind in _TRIED and _is_result(finding)


def _is_result(finding: Finding) -> bool:
    """Whether the statement is from a results section; for registry records, from posted results."""
    part = finding.statement.section.casefold()
    if database_info(finding.reference.source_type).holds is Holds.STUDIES:
        return part.startswith(_POSTED)
    return kind_of_heading(part) not in (SectionKind.INTRODUCTION, SectionKind.METHODS)


def papers_by_trial(references: Iterable[Reference]) -> list[list[Reference]]:
    """Group papers that share a trial's registration number, or its name where one of them has no number."""
    trials: list[_Trial] = []
    for reference in {reference.source_id: reference for reference in references}.values():
        numbers, papers = _trial_numbers(reference), [reference]
        for same in [trial for trial in trials if trial[0] & numbers]:
            trials.remove(same)
            numbers, papers = numbers | same[0], same[1] + papers
        trials.append((numbers, papers))
    return [papers for _, papers in _join_named(trials)]


def _join_named(trials: Iterable[_Trial]) -> list[_Trial]:
    """Join trials with a common name, unless both have numbers, which then differ."""
    joined: list[_Trial] = []
    for numbers, papers in trials:
        same = (n for n, one in enumerate(joined) if _names_of(one[1]) & _names_of(papers) and not (one[0] and numbers))
        if (at := next(same, None)) is None:
            joined.append((numbers, papers))
        else:
            joined[at] = joined[at][0] | numbers, [*joined[at][1], *papers]
    return joined


def _names_of(papers: Iterable[Reference]) -> set[str]:
    return {name for paper in papers for name in paper.study_names}


def _trial_numbers(reference: Reference) -> set[str]:
    """Registration numbers of the reference and its trial; a paper that names many trials reports none of them."""
    own = {name.partition(":")[2] for name in reference.identifiers if name.startswith("registry:")}
    is_one = len(reference.trials) <= _NUMBERS_OF_ONE or number_of_trial(reference.trials)
    return own | set(reference.trials if is_one else ())


def _add_study(reference: Reference, source: Source, names: Sequence[str]) -> Reference:
    # Both read texts; a stored report is laid out without them.
    from storm.evidence.score import rate_source
    from storm.evidence.study import read_study

    study = read_study(source.hit, names)._asdict()
    if source.relation_kind is RelationKind.COMPARATOR and not DRUG_NAME.search(study["comparator"]):
        study["comparator"] = ""  # placebo, with which the other drug is compared as well
    if source.relation_kind is not RelationKind.COMBINATION:
        study["partners"] = ()
    is_of_parts = source.relation is Relation.COMBINATION and "/" not in study["dose"].split(" ")[0]
    if is_of_parts or source.relation_kind is RelationKind.DERIVATIVE:
        study["dose"] = ""  # it is the derivative's, or that of the drug beside the combination product
    found = {**study, "design": study["design"].value, "trials": source.hit.trials}
    return reference.model_copy(update={**found, **rate_source(source)._asdict()})


def _list_study_facts(reference: Reference, statement: Statement) -> Iterator[str]:
    sentence, said = statement.text, statement.text.casefold()
    is_of_part = reference.design == Design.IN_VITRO and _IN_BODIES.search(said)
    if reference.design not in _UNKNOWN and not is_of_part:
        yield f"{reference.design} {wording.HISTORICAL_CONTROL}" if reference.historical_control else reference.design
    if reference.blinding and not _SAYS_BLINDING.search(said):
        yield reference.blinding
    if reference.crossover and "crossover" not in said.replace("-", ""):
        yield wording.CROSSOVER
    if reference.participants is not None:
        noun = "animal" if reference.animals else "participant"
        people = wording.format_large_count(reference.participants, noun)
        in_part = is_of_subgroup(sentence) or is_of_subgroup(statement.section)
        # The participants of a secondary analysis may be those of the subgroup.
        yield words.PART_OF.format(people=people) if in_part and reference.design == Design.RANDOMISED else people
    yield from filter(None, (reference.population,))
    if not all(partner.casefold() in said for partner in reference.partners):
        yield wording.GIVEN_WITH.format(partners=" + ".join(reference.partners))
    shared = reference.shared_treatment
    known = f"{said} {reference.population} {reference.comparator} {' '.join(reference.partners)}".casefold()
    if shared and shared.casefold() not in known:
        yield wording.ALL_RECEIVED.format(treatment=shared)
    is_within_arms = reference.design == Design.RANDOMISED and reports_change_within_arms(sentence)
    if reference.comparator and not (is_within_arms or names_comparator(sentence, reference.comparator)):
        yield wording.AGAINST.format(comparator=reference.comparator)
    yield from filter(None, (reference.follow_up, reference.dose, str(reference.year or ""), endpoint_of(sentence)))
    if is_within_arms:
        yield wording.WITHIN_GROUP
