"""What the sources of a job state of the links between a drug, its targets and the disease, each with its quotes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm.evidence.candidates import CandidateReader
from storm.evidence.narrowing import is_on_question, names_anything
from storm.evidence.species import is_preclinical
from storm.evidence.strength import evidence_of
from storm.evidence.subjects import compile_name_pattern
from storm.extractive.effect_results import Result, denies, is_narrower, is_of_mark, read_result
from storm.extractive.mechanism_reader import (
    Sentence,
    find_pathways_of,
    find_targets,
    names_other_drug,
    read_field_targets,
    read_sentences,
)
from storm.extractive.mechanism_words import find_outcomes, fold_words
from storm.extractive.same_targets import group_names, list_forms
from storm.models import (
    Disease,
    Evidence,
    Finding,
    Narrowing,
    Plan,
    Question,
    Relation,
    Source,
    Verdict,
    database_info,
    index_sources,
)
from storm.syllabus.relation import names_drug

#: The questions whose sentences are results of the drug in the disease.
_RESULTS = ("clinical.benefit", "mechanism.models")
#: Studies in people.
_IN_PEOPLE = (Evidence.META_ANALYSIS, Evidence.RANDOMISED, Evidence.SECONDARY, Evidence.OTHER_TRIAL,
              Evidence.OBSERVATIONAL)  # fmt: skip
#: A denial names an effect only where nothing states one.
_RANKS = {Result.STATED: 2, Result.DENIED: -2}
#: What is measured in cells names an effect only where nothing else does.
_OF_CELLS = re.compile(r"\bcell |\bKi-?67", re.I)
_CELLS = re.compile(r"\bcells?\b", re.I)
_ANIMALS = re.compile(r"\b(?:patients?|women|men|people|participants|children|adults|mice|rats|animals)\b", re.I)
_MEASURED_ANYWAY = re.compile(r"blood pressure|weight|glucose|HbA1c|wound", re.I)


class Stated(NamedTuple):
    """A name as a source states it; `quote` is empty if a field of the record states it. `rank` is higher the closer
    the sentence is to the question, and negative if it denies a change or says little. `in_people` marks a result in
    people, unless the result is that there was no difference."""

    name: str
    source_id: str
    quote: str = ""
    rank: int = 0
    in_people: bool = False


class Target(NamedTuple):
    """A target of the drug. `forms` are its names, the shortest usual one first; `stated` is what states it; `joined`
    are the ids of the sources with a sentence that names both it and the disease."""

    forms: tuple[str, ...]
    stated: tuple[Stated, ...]
    pathways: tuple[Stated, ...]
    effects: tuple[Stated, ...]
    joined: frozenset[str]


class MechanismEvidence(NamedTuple):
    """The targets of the drug in the order of their names, and the outcomes of the drug in the disease."""

    targets: tuple[Target, ...]
    effects: tuple[Stated, ...]


def collect_evidence(
    plan: Plan, disease: Disease, findings: Sequence[Finding], sources: Sequence[Source], reader: CandidateReader
) -> MechanismEvidence:
    """What these sources and findings state; their order does not matter."""
    ordered = sorted(sources, key=lambda source: source.source_id)
    about = _make_question(disease)
    sentences = [one for source in ordered for one in read_sentences(source.source_id, source.hit)]
    stated = [*_read_records(ordered)]
    for sentence in sentences:
        named = find_targets(sentence, plan.names, plan.related_names)
        stated += [Stated(name, sentence.source_id, sentence.quote) for name in named]
    targets = [
        _read_target(group, sentences, about, plan, disease)
        for group in _group_targets(stated, [text for source in ordered for text in source.hit.texts])
        if not any(names_anything(one.name, about) or names_drug(one.name, plan.names) for one in group)
    ]
    return MechanismEvidence(tuple(targets), tuple(_read_results(plan, disease, findings, ordered, reader, about)))


def _make_question(disease: Disease) -> Question:
    """A question by which sentences on the disease are recognised."""
    about = Narrowing(label=disease.label, phrases=disease.names, role="setting")
    return Question(key="disease", label=disease.label, description=disease.label, min_sources=1, about=(about,))


def _read_records(sources: Iterable[Source]) -> Iterator[Stated]:
    for source in sources:
        if database_info(source.hit.database).is_product and source.relation is Relation.ITSELF:
            yield from (Stated(target, source.source_id) for target in read_field_targets(source.hit))


def _group_targets(stated: Sequence[Stated], texts: Sequence[str]) -> list[tuple[Stated, ...]]:
    """The statements on each target, by all its names."""
    by_name: defaultdict[str, list[Stated]] = defaultdict(list)
    for one in dict.fromkeys(stated):
        by_name[one.name].append(one)
    groups = group_names([one.name for one in stated], texts)
    return [tuple(one for name in names for one in by_name[name]) for names in groups]


def _read_target(
    group: Sequence[Stated], sentences: Sequence[Sentence], about: Question, plan: Plan, disease: Disease
) -> Target:
    forms = _put_usual_first(_list_forms([form for one in group for form in list_forms(one.name)]), sentences)
    pattern = compile_name_pattern(tuple(dict.fromkeys(name for form in forms for name in _list_numbers(form))))
    pathways: list[Stated] = []
    effects: list[Stated] = []
    joined: set[str] = set()
    for sentence in sentences:
        if not pattern.search(sentence.text) or not sentence.is_statement:
            continue
        on_disease, of_drug = names_anything(sentence.text, about), names_drug(sentence.text, plan.names)
        if not of_drug and names_other_drug(sentence.text, plan.names):
            continue
        rank = 2 * on_disease + of_drug
        for pathway in find_pathways_of(sentence.text, pattern) if rank else ():
            is_own = fold_words(pathway.text)[:-1] in map(fold_words, forms)  # "AMPK signalling" says little of AMPK
            pathways.append(Stated(pathway.text, sentence.source_id, sentence.quote, -1 if is_own else rank))
        if on_disease:
            joined.add(sentence.source_id)
            effects += _read_effects_of(sentence, plan, about, disease)
    return Target(forms, tuple(group), tuple(pathways), tuple(effects), frozenset(joined))


def _read_effects_of(sentence: Sentence, plan: Plan, about: Question, disease: Disease) -> Iterator[Stated]:
    """The outcomes that a sentence on a target in the disease names: a result of the drug, or of the target itself."""
    if names_drug(sentence.text, plan.names):
        result = read_result(sentence.text, tuple(plan.names), disease)
    else:
        says_nothing = is_of_mark(sentence.text) or is_narrower(sentence.text, disease)
        result = Result.NONE if says_nothing else Result.DENIED if denies(sentence.text) else Result.STATED
    for name in _list_outcomes(sentence.text, about) if result else ():
        yield Stated(name, sentence.source_id, sentence.quote, _rank_effect(name, result) + 1)


def _rank_effect(name: str, result: Result) -> int:
    return _RANKS[result] - (_OF_CELLS.search(name) is not None)


def _list_forms(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once, the most frequent and longest first, as it is written most often."""
    counts, written = Counter(map(fold_words, names)), Counter(names)
    ranked = sorted(counts, key=lambda folded: (-counts[folded], -len(folded), folded))
    return tuple(
        min((name for name in written if fold_words(name) == folded), key=lambda name: (-written[name], name))
        for folded in ranked
    )


def _put_usual_first(forms: tuple[str, ...], sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The forms with the shortest of the usual ones first: those that half as many sources name as the most usual."""
    patterns = {form: compile_name_pattern((form,)) for form in forms}
    named = {
        form: len({one.source_id for one in sentences if pattern.search(one.text)})
        for form, pattern in patterns.items()
    }
    usual = [form for form in forms if 2 * named[form] >= max(named.values())]
    whole = [form for form in usual if not any(other.endswith(f" {form}") for other in usual)]
    first = min(whole, key=lambda form: (len(form), form))
    return (first, *(form for form in forms if form != first))


def _list_numbers(form: str) -> tuple[str, ...]:
    """A name in both numbers: "receptor" and "receptors"."""
    return (form, form.removesuffix("s") if form.endswith("s") else f"{form}s")


def _list_outcomes(text: str, about: Question) -> list[str]:
    """The outcomes of a sentence; what is measured in anyone is one only if the sentence names the disease, and the
    survival of cells is none."""
    names = dict.fromkeys(outcome.text for outcome in find_outcomes(text))
    if _CELLS.search(text) and not _ANIMALS.search(text):
        names.pop("survival", None)
    return [name for name in names if not _MEASURED_ANYWAY.search(name) or names_anything(text, about)]


def _read_results(
    plan: Plan,
    disease: Disease,
    findings: Sequence[Finding],
    sources: Sequence[Source],
    reader: CandidateReader,
    about: Question,
) -> Iterator[Stated]:
    """The outcomes that results of the drug in the disease name."""
    quotes = dict.fromkeys([*_list_candidates(plan, sources, reader, about), *_list_statements(findings, plan)])
    by_id = index_sources(sources)
    for source_id, quote, text in sorted(quotes):
        if source := by_id.get(source_id):
            result = read_result(text, tuple(plan.names), disease)
            is_of_people = evidence_of(source.hit) in _IN_PEOPLE and not is_preclinical(text)
            for name in _list_outcomes(text, about) if result else ():
                yield Stated(
                    name, source.source_id, quote, _rank_effect(name, result), is_of_people and result is Result.STATED
                )


def _list_candidates(
    plan: Plan, sources: Sequence[Source], reader: CandidateReader, about: Question
) -> Iterator[tuple[str, str, str]]:
    for question in plan.syllabus.questions:
        if question.key in _RESULTS:
            for one in reader.find(question, sources):
                if not one.remark and is_on_question(one.passage, one.source.hit, about, plan.names):
                    yield one.source.source_id, one.passage.text, one.passage.shown


def _list_statements(findings: Sequence[Finding], plan: Plan) -> Iterator[tuple[str, str, str]]:
    """The quotes of statements on the drug in the disease."""
    for finding in findings:
        for one in finding.answer.all_statements if finding.answer.question in _RESULTS else ():
            if one.verdict is not Verdict.UNSUPPORTED and not one.remark and one.quote and one.source_ids:
                yield one.source_ids[0], one.quote, one.quote
