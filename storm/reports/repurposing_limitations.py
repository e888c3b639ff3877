"""Computes what limits a repurposing report, from its references, databases and hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from storm import wording
from storm.citations.terms import content_keys, read_terms
from storm.evidence.modulation import names_target, target_keys
from storm.models import Dossier, HypothesisStatus, Reference, TestedHypothesis
from storm.models.repurposing import NOT_STATED
from storm.reports import repurposing_wording as words
from storm.reports.failures import describe_failures
from storm.reports.hypotheses import cited_by, evidence_of_hypothesis, list_statements
from storm.reports.studies import papers_by_trial

#: How records write that they are in English, and what was read of a source without its full text.
_ENGLISH = ("en", "eng", "english")
_ABSTRACT = "abstract"


def list_limitations(dossier: Dossier, tested: Sequence[TestedHypothesis]) -> Iterator[str]:
    """Languages, sources read as abstracts, failed databases, questions without an answer, and what the hypotheses
    lack."""
    yield from _describe_languages(dossier.references)
    if abstracts := sum(reference.text_read == _ABSTRACT for reference in dossier.references):
        number = len(dossier.references)
        sources = wording.format_large_count(number, "source")
        yield words.ABSTRACTS_ONLY.format(number=f"{abstracts:,}", sources=sources, share=abstracts / number)
    yield from (f"{line.rstrip('.')}." for line in describe_failures(dossier))
    yield from _describe_unanswered(dossier)
    by_source = {reference.source_id: reference for reference in dossier.references}
    statements = list_statements(dossier)

    def cited(one: TestedHypothesis) -> tuple[Reference, ...]:
        return cited_by(evidence_of_hypothesis(one), statements, by_source)

    yield from _name_hypotheses(words.ONE_STUDY, tested, lambda one: len(papers_by_trial(cited(one))) == 1)
    yield from _name_hypotheses(
        words.ANIMALS_ONLY, tested, lambda one: bool(cited(one)) and all(paper.animals for paper in cited(one))
    )
    yield from _name_hypotheses(words.UNTESTED, tested, lambda one: one.status is HypothesisStatus.UNTESTED)
    said = {identity: statement.text for identity, statement in statements.items()}
    yield from _name_hypotheses(words.TARGET_NOT_TESTED, tested, lambda one: not _names_target(one, said))
    yield from _describe_missing_links(tested)


def _describe_unanswered(dossier: Dossier) -> Iterator[str]:
    """The questions on which nothing was found: no source, or none with a statement that answers them."""
    answered = {answer.question for answer in dossier.answers if answer.says_something}
    open_questions = [one for one in dossier.coverage.questions if one.question not in answered]
    if missing := [one.label for one in open_questions if not one.sources]:
        yield words.NO_SOURCE_ON.format(questions="; ".join(missing))
    if unsaid := [one.label for one in open_questions if one.sources]:
        yield words.NO_STATEMENT_ON.format(questions="; ".join(unsaid))


def _names_target(one: TestedHypothesis, said: Mapping[str, str]) -> bool:
    """Whether a statement on either side names the target; none needs to where none is stated, or nothing was found."""
    evidence = evidence_of_hypothesis(one)
    keys = target_keys(one.hypothesis)
    return (
        not evidence
        or not keys
        or any(names_target(content_keys(read_terms(said.get(identity, ""))), [keys]) for identity in evidence)
    )


def _describe_languages(references: Sequence[Reference]) -> Iterator[str]:
    """In which other languages works are; nothing if no record states one."""
    stated = [one.publication.language for one in references if one.publication.language]
    others = [language for language in stated if language.casefold().partition("-")[0] not in _ENGLISH]
    sources = wording.format_large_count(len(stated), "source")
    if others:
        named = ", ".join(dict.fromkeys(others))
        yield words.IN_OTHER_LANGUAGES.format(sources=sources, number=f"{len(others):,}", languages=named)


def _name_hypotheses(
    template: str, tested: Sequence[TestedHypothesis], is_limited: Callable[[TestedHypothesis], bool]
) -> Iterator[str]:
    """One sentence on those that are limited so, by their numbers; nothing if none is."""
    numbers = [number for number, one in enumerate(tested, start=1) if is_limited(one)]
    if numbers:
        yield template.format(hypotheses=", ".join(words.NUMBERED.format(number=number) for number in numbers))


def _describe_missing_links(tested: Sequence[TestedHypothesis]) -> Iterator[str]:
    named = []
    for number, one in enumerate(tested, start=1):
        missing = [link for link in words.LINKS if getattr(one.hypothesis, link) == NOT_STATED]
        if missing:
            hypothesis = words.NUMBERED.format(number=number)
            named.append(words.LINKS_OF.format(hypothesis=hypothesis, links=", ".join(missing)))
    if named:
        yield words.LINK_NOT_STATED.format(hypotheses="; ".join(named))
