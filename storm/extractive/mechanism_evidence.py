"""What the sources of a job state of the links between a drug, its targets and the disease, each with its quotes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.citations.cues import finds_no_difference, read_cues
from storm.citations.terms import read_terms
from storm.evidence.candidates import CandidateReader
from storm.evidence.narrowing import is_on_question, names_anything
from storm.evidence.species import is_preclinical
from storm.evidence.strength import evidence_of
from storm.evidence.subjects import compile_name_pattern
from storm.extractive.mechanism_reader import (
    Sentence,
    find_pathways_of,
    find_targets,
    names_other_drug,
    read_field_targets,
    read_sentences,
)
from storm.extractive.mechanism_words import find_outcomes, fold_words, is_molecule, is_symbol
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
)
from storm.models.names import split_words
from storm.syllabus.relation import names_drug

#: The questions whose sentences are results of the drug in the disease.
_RESULTS = ("clinical.benefit", "mechanism.models")
#: Studies in people.
_IN_PEOPLE = (Evidence.META_ANALYSIS, Evidence.RANDOMISED, Evidence.SECONDARY, Evidence.OTHER_TRIAL,
              Evidence.OBSERVATIONAL)  # fmt: skip
_MEASURED_ANYWAY = re.compile(r"blood pressure|weight|glucose|HbA1c|wound", re.I)
#: A sentence that asks for a result and gives none.
_ASKS = re.compile(
    r"\b(?:evaluat|investigat|assess|examin|explor|stud)\w* (?:the |a )?(?:\w+ )?"
    r"(?:roles?|effects?|impact|efficacy|use)\b",
    re.I,
)
#: Words before a short name in brackets, among which its long form is.
_LONG_FORM_REACH = 100


class Stated(NamedTuple):
    """A name as a source states it; the quote of a record's own field is empty. `rank` is higher the closer the
    sentence is to the question, and `in_people` marks a result in people other than that there was no difference."""

    name: str
    source_id: str
    quote: str = ""
    rank: int = 0
    in_people: bool = False


class Target(NamedTuple):
    """A target of the drug under all its names, the most frequent first, what states it, and the sources with a
    sentence that names it and the disease."""

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
    """What these sources and findings state, in whatever order they are."""
    ordered = sorted(sources, key=lambda source: source.source_id)
    about = _make_question(disease)
    sentences = [one for source in ordered for one in read_sentences(source.source_id, source.hit)]
    stated = [*_read_records(ordered)]
    for sentence in sentences:
        named = find_targets(sentence, plan.names, plan.related_names)
        stated += [Stated(name, sentence.source_id, sentence.quote) for name in named]
    targets = [
        _read_target(group, sentences, about, plan)
        for group in _group_targets(stated, [source.hit.text for source in ordered])
        if not names_anything(group[0].name, about) and not names_drug(group[0].name, plan.names)
    ]
    return MechanismEvidence(tuple(targets), tuple(_read_results(plan, findings, ordered, reader, about)))


def _make_question(disease: Disease) -> Question:
    """What a sentence on the disease is recognised by."""
    about = Narrowing(label=disease.label, phrases=disease.names, role="setting")
    return Question(key="disease", label=disease.label, description=disease.label, min_sources=1, about=(about,))


def _read_records(sources: Iterable[Source]) -> Iterator[Stated]:
    for source in sources:
        if database_info(source.hit.database).is_product and source.relation is Relation.ITSELF:
            yield from (Stated(target, source.source_id) for target in read_field_targets(source.hit))


def _group_targets(stated: Sequence[Stated], texts: Sequence[str]) -> list[tuple[Stated, ...]]:
    """The statements on each target: names that a text defines as long and short form are one."""
    longs = _read_definitions({word for one in stated for word in _simplify(one.name).split()}, texts)
    no_molecules = {long for long in longs.values() if not is_molecule(" ".join(long))}
    groups: defaultdict[tuple[str, ...], list[Stated]] = defaultdict(list)
    for one in dict.fromkeys(stated):
        words = (longs.get(word, (word,)) for word in _simplify(one.name).split())
        groups[fold_words(" ".join(part for word in words for part in word))].append(one)
    for tail in sorted(groups, key=lambda key: (len(key), key)):
        longer = [key for key in groups if len(key) > len(tail) and key[-len(tail) :] == tail]
        if len(longer) == 1:  # "complex I" beside "mitochondrial complex I"
            groups[longer[0]] += groups.pop(tail)
    return [tuple(groups[key]) for key in sorted(groups) if key not in no_molecules]


def _read_definitions(words: Iterable[str], texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The long form of each symbol that a text defines, the one that is defined most often."""
    longs: dict[str, tuple[str, ...]] = {}
    for short in filter(is_symbol, words):
        counts = Counter(fold_words(long) for text in texts for long in _find_long_forms(short, text))
        if counts:
            longs[short] = min(counts, key=lambda long: (-counts[long], long))
    return longs


def _simplify(name: str) -> str:
    """A name without what a record adds: "Glutamate [NMDA] receptor" is the NMDA receptor, "HER2/neu receptor" HER2."""
    if is_symbol(first := name.partition("/")[0]):
        return first
    bracket = re.search(r"\[([^\[\]]{2,20})\]", name)
    return f"{bracket[1]}{name[bracket.end() :]}" if bracket else name


def _find_long_forms(short: str, text: str) -> Iterator[str]:
    """The long forms of a short name that a text defines: "AMP-activated protein kinase (AMPK)"."""
    for found in re.finditer(rf"\({re.escape(short)}[);,]", text):
        before = text[max(0, found.start() - _LONG_FORM_REACH) : found.start()].rstrip()
        words = re.findall(r"[^\s,;:()]+(?=[\s-]|$)", re.split(r"[.;:,()]\s", before)[-1])
        for count in range(1, min(len(words), len(short) + 3) + 1):
            if _has_letters(short, words[-count:]):
                yield " ".join(words[-count:])
                break


def _has_letters(short: str, words: Sequence[str]) -> bool:
    """Whether the words have the letters of the short name in order, and begin with the first."""
    long = " ".join(words).casefold()
    letters = [letter for letter in short.casefold() if letter.isalnum() and letter.isascii()]
    if not letters or not long.startswith(letters[0]):
        return False
    at = -1
    for letter in letters:
        at = long.find(letter, at + 1)
        if at < 0:
            return False
    return len(split_words(long)) >= len(letters) // 2


def _read_target(group: Sequence[Stated], sentences: Sequence[Sentence], about: Question, plan: Plan) -> Target:
    forms = _list_forms([_simplify(one.name) for one in group])
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
        for pathway in find_pathways_of(sentence.text, pattern):
            is_own = fold_words(pathway.text)[:-1] in map(fold_words, forms)  # "AMPK signalling" says little of AMPK
            pathways.append(Stated(pathway.text, sentence.source_id, sentence.quote, -1 if is_own else rank))
        if on_disease:
            joined.add(sentence.source_id)
            effects += [
                Stated(name, sentence.source_id, sentence.quote, 1) for name in _list_outcomes(sentence.text, about)
            ]
    return Target(forms, tuple(group), tuple(pathways), tuple(effects), frozenset(joined))


def _list_forms(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once, the most frequent and longest first, as it is written most often."""
    counts, written = Counter(map(fold_words, names)), Counter(names)
    ranked = sorted(counts, key=lambda folded: (-counts[folded], -len(folded), folded))
    return tuple(
        min((name for name in written if fold_words(name) == folded), key=lambda name: (-written[name], name))
        for folded in ranked
    )


def _list_numbers(form: str) -> tuple[str, ...]:
    """A name in both numbers: "receptor" and "receptors"."""
    return (form, form.removesuffix("s") if form.endswith("s") else f"{form}s")


def _list_outcomes(text: str, about: Question) -> list[str]:
    """The outcomes of a sentence; what is measured in anyone is one only if the sentence names the disease."""
    names = dict.fromkeys(outcome.text for outcome in find_outcomes(text))
    return [name for name in names if not _MEASURED_ANYWAY.search(name) or names_anything(text, about)]


def _read_results(
    plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], reader: CandidateReader, about: Question
) -> Iterator[Stated]:
    """The outcomes that results of the drug in the disease name."""
    quotes = dict.fromkeys([*_list_candidates(plan, sources, reader, about), *_list_statements(findings, plan)])
    by_id: Mapping[str, Source] = {name: source for source in sources for name in (source.source_id, *source.aliases)}
    for source_id, quote, text in sorted(quotes):
        if source := by_id.get(source_id):
            is_of_people = evidence_of(source.hit) in _IN_PEOPLE and not is_preclinical(text)
            has_result = is_of_people and not finds_no_difference(read_cues(read_terms(text)))
            for name in () if _ASKS.search(text) else _list_outcomes(text, about):
                yield Stated(name, source.source_id, quote, 0, has_result)


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
