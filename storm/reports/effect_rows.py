"""Rows of effect sizes and of comparisons with another drug, from posted results and from sentences of papers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm import wording
from storm.evidence.comparison import compares_drugs
from storm.evidence.design import design_of
from storm.evidence.participants import participants_of
from storm.evidence.passages import read_passages
from storm.evidence.subjects import compile_name_pattern
from storm.models import (
    Answer,
    Hit,
    Holds,
    RelationKind,
    Retraction,
    SectionKind,
    Source,
    Verdict,
    database_info,
    number_of_trial,
)
from storm.models.design import Design
from storm.models.record_table import RecordRow
from storm.models.section import kind_of_heading
from storm.ranking import split_sentences
from storm.reports import table_wording as words
from storm.reports.conjugate_effects import read_conjugate_effect
from storm.reports.paper_effects import PaperEffect, read_table_effects
from storm.reports.quoted_effects import QuotedEffect, read_effects
from storm.reports.record_cells import PlacedText, make_row, name_study, place_field
from storm.reports.reference_style import spell_identifier
from storm.reports.registry_results import Effect, Outcome, describe_arms
from storm.reports.relative_reductions import read_relative_reduction

#: Papers and parts of them whose sentences are read though they are not printed.
_TRIALS = (Design.RANDOMISED, Design.SECONDARY)
_RESULTS = (SectionKind.ABSTRACT, SectionKind.RESULTS)
_INTERVAL = re.compile(r"\bCI\b|confidence interval", re.I)
#: Qualifiers of results that are not of a part of those who took part, nor of another analysis.
_OF_THE_WHOLE = frozenset(
    ("primary", "final", "adjusted", "intention-to-treat", "double-blind", "blinded", "independent", "observation")
)
#: A part of the patients: "in hormone receptor-positive breast cancer".
_PART = re.compile(
    r"\b(?:in|among) ((?:[\w-]+ ){1,5}?(?:patients|women|men|adults|people|participants|cancers?|tumou?rs|disease))\b",
    re.I,
)
#: The people of whom a result is, by what they have: "in participants with an eGFR below 60", "among smokers".
_GROUP = re.compile(
    r"\b(?:in|among|for) ((?:the )?(?:(?:patients|women|men|adults|people|participants|children|those|individuals) "
    r"(?:with|who (?:had|were)|on|whose)\b[^,;.()]{3,70}?|(?:[\w-]+ )?smokers|diabetics|stage \w+|[\w-]+ histology))"
    r"(?=[,;.()]| (?:versus|vs|compared|than|was|were|favou?red|reduced|improved)\b|$)",
    re.I,
)
#: The column of the value.
_VALUE = 3
#: Parts of a paper that report other works' results, or none.
_ELSEWHERE = (SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.DISCUSSION)


class EffectRow(NamedTuple):
    """A row of an effect size, and whether it compares the drug with another drug."""

    row: RecordRow
    is_of_drugs: bool


def make_registry_row(source: Source, outcome: Outcome, effect: Effect, names: Sequence[str]) -> EffectRow:
    """The row of a comparison that a registry posted."""
    compared = describe_arms(effect)
    analysed = None if effect.participants is None else str(effect.participants)
    cells = (
        effect.endpoint, effect.measure, effect.value, effect.unit, effect.interval, effect.p, compared, analysed
    )  # fmt: skip
    study, posted = (
        place_field("external_id", source.hit.external_id),
        place_field("database", words.POSTED_RESULT),
    )
    row = make_row(source, [study, *(PlacedText(cell, outcome.place) for cell in cells), posted])
    return EffectRow(row, len(effect.arms) == 2 and compares_drugs(" versus ".join(effect.arms), names))


class _PlacedEffect(NamedTuple):
    """An effect that a sentence of a source states, and the section it stands in."""

    source_id: str
    section: str
    effect: QuotedEffect

    @property
    def comparison(self) -> tuple[str, ...]:
        return self.source_id, self.effect.endpoint, self.effect.measure, self.effect.comparator

    @property
    def result(self) -> tuple[str, ...]:
        return self.effect.value, self.effect.interval


def list_quoted_effects(
    answers: Iterable[Answer], sources: Mapping[str, Source], names: Sequence[str]
) -> list[EffectRow]:
    """The rows of printed statements and of other sentences of trials, by endpoint and study.

    A sentence that is not printed gives a row only where its paper states one value for the comparison.
    """
    found = list(_list_statement_effects(answers, sources, names))
    others = [one for source in sources.values() for one in _list_paper_effects(source, names)]
    results: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for one in (*found, *others):
        results.setdefault(one.comparison, set()).add(one.result)
    clear = {one.comparison: one for one in reversed(others) if len(results[one.comparison]) == 1}
    for one in found:
        clear.pop(one.comparison, None)
    rows = [_make_row(sources[one.source_id], one) for one in _leave_out_repeats((*found, *clear.values()))]
    return sorted(rows, key=lambda effect: (effect.row.cells[1] or "", effect.row.cells[0] or ""))


def _leave_out_repeats(effects: Sequence[_PlacedEffect]) -> Iterator[_PlacedEffect]:
    """Without the same value and interval of a paper under a shorter name of its endpoint: "mortality" beside "28-day
    mortality"."""
    endpoints: dict[tuple[str, ...], list[str]] = {}
    for one in effects:
        endpoints.setdefault((one.source_id, one.effect.measure, *one.result), []).append(one.effect.endpoint)
    for one in effects:
        mine = one.effect.endpoint
        others = endpoints[one.source_id, one.effect.measure, *one.result]
        if not (one.effect.interval and any(mine != other and other.endswith(mine) for other in others)):
            yield one


def list_table_effects(papers: Iterable[Source], names: Sequence[str], known: Iterable[EffectRow]) -> list[EffectRow]:
    """The rows of the tables of trials' papers, without the `known` values of the same paper."""
    stated = {_identify_value(one.row) for one in known}
    rows = [
        _make_table_row(source, effect)
        for source in papers
        if design_of(source.hit) in _TRIALS and _reports_own_results("", source.hit)
        for effect in read_table_effects(source.hit, names)
    ]
    return [one for one in rows if _identify_value(one.row) not in stated]


def list_published_results(effects: Iterable[EffectRow], sources: Mapping[str, Source]) -> dict[str, list[PlacedText]]:
    """By study, the effects that its papers state, and where: "overall survival, hazard ratio 0.70, 95% CI 0.50 to 0.90
    (published: PMID 11248153)"."""
    found: dict[str, list[PlacedText]] = {}
    for row in (effect.row for effect in effects):
        study, endpoint, measure, value, _, interval, *_, kind = row.cells
        if kind == words.PUBLISHED_RESULT and study:
            paper = spell_identifier(sources[row.source_id].hit.key)
            result = ", ".join(filter(None, (endpoint, f"{measure} {value}", interval)))
            text = words.IN_PAPER.format(result=result, paper=paper)
            place = row.places[_VALUE if len(row.places) > 1 else 0]
            found.setdefault(study, []).append(PlacedText(text, f"{paper}, {place}"))
    return found


def _identify_value(row: RecordRow) -> tuple[str | None, ...]:
    """What a row has in common with another on the same value: its source, measure, value and interval."""
    return row.source_id, *(row.cells[n] for n in (2, 3, 5))


def _make_table_row(source: Source, one: PaperEffect) -> EffectRow:
    texts = (one.endpoint, one.measure, one.value, one.unit, one.interval, one.p, " versus ".join(one.arms))
    cells = [_place_study(source.hit), *(PlacedText(text, one.place) for text in texts), _place_size(source.hit)]
    return EffectRow(make_row(source, [*cells, place_field("database", words.PUBLISHED_RESULT)]), one.is_of_drugs)


def _list_statement_effects(
    answers: Iterable[Answer], sources: Mapping[str, Source], names: Sequence[str]
) -> Iterator[_PlacedEffect]:
    """The effects in printed statements, each quote once."""
    statements = (statement for answer in answers for statement in answer.all_statements)
    quoted = {(s.source_ids[:1], s.quote): s for s in statements if s.verdict is not Verdict.UNSUPPORTED}
    drug = compile_name_pattern(tuple(names))
    for statement in quoted.values():
        source = sources.get(next(iter(statement.source_ids), ""))
        if not source or statement.remark or not _reports_own_results(statement.section, source.hit):
            continue
        for sentence, effect in _read_effects(statement.quote, source, names) if drug.search(statement.text) else ():
            if named := _name_participants(effect, sentence):
                yield _PlacedEffect(source.source_id, statement.section, named)


def _read_effects(quote: str, source: Source, names: Sequence[str]) -> Iterator[tuple[str, QuotedEffect]]:
    """The effects that a quote states, or those of its sentences, with its words."""
    is_of_conjugate = source.relation_kind is RelationKind.DERIVATIVE
    for text in (quote, *(span.text for span in split_sentences(quote) if len(span.text) < len(quote))):
        effects = _list_one(read_conjugate_effect(text, names)) if is_of_conjugate else _read_own_effects(text, names)
        yield from ((text, effect) for effect in effects)
        if effects and text is quote:
            return


def _read_own_effects(text: str, names: Sequence[str]) -> list[QuotedEffect]:
    return read_effects(text, names) or _list_one(read_relative_reduction(text, names))


def _list_one(effect: QuotedEffect | None) -> list[QuotedEffect]:
    return [effect] if effect else []


def _list_paper_effects(source: Source, names: Sequence[str]) -> Iterator[_PlacedEffect]:
    """The effects in the abstract and the results of a trial, of all that took part."""
    if design_of(source.hit) not in _TRIALS or source.relation_kind is RelationKind.DERIVATIVE:
        return
    drug = compile_name_pattern(tuple(names))
    for passage in read_passages(source.hit):
        text, section = passage.shown, passage.section
        if section.kind not in _RESULTS or passage.is_cited or not _INTERVAL.search(text) or not drug.search(text):
            continue
        if not _reports_own_results(section.name, source.hit) or _GROUP.search(text):
            continue
        for effect in filter(_is_of_all, _read_own_effects(text, names)):
            yield _PlacedEffect(source.source_id, section.name, effect)


def _name_participants(effect: QuotedEffect, quote: str) -> QuotedEffect | None:
    """The effect, its endpoint with the part of the patients whom the quote names if it is of one; None if it is open
    of whom it is."""
    if _is_of_all(effect):
        group = _GROUP.search(quote)
        return effect._replace(endpoint=f"{effect.endpoint}, in {group[1]}") if group else effect
    parts = [found[1] for found in _PART.finditer(quote)]
    others = effect.qualifiers - _OF_THE_WHOLE - frozenset(effect.comparator.split())
    if len(parts) != 1 or not others <= frozenset(parts[0].lower().split()):
        return None
    part = re.sub(r"^\d[\d,]* ", "", parts[0])
    return effect._replace(endpoint=f"{effect.endpoint}, in {part}") if part == parts[0] or " " in part else effect


def _is_of_all(effect: QuotedEffect) -> bool:
    """Whether the effect is that of all who took part, after whatever time, not of some of them or another analysis."""
    others = effect.qualifiers - _OF_THE_WHOLE - frozenset(effect.comparator.split())
    return all(one.startswith("follow-up ") for one in others)


def _reports_own_results(section: str, hit: Hit) -> bool:
    """Whether a paper reports its own results there; a registry's results are read from its tables."""
    is_paper = database_info(hit.database).holds is Holds.PAPERS and hit.retraction is not Retraction.RETRACTED
    return is_paper and kind_of_heading(section.removeprefix("Abstract: ")) not in _ELSEWHERE


def _make_row(source: Source, one: _PlacedEffect) -> EffectRow:
    place = one.section or "text"
    effect = one.effect
    against = wording.AGAINST.format(comparator=effect.comparator) if effect.comparator else None
    against = f"{effect.arm} {against}" if effect.arm else against
    texts = (effect.endpoint, effect.measure, effect.value, effect.unit, effect.interval, effect.p, against)
    cells = [_place_study(source.hit), *(PlacedText(text, place) for text in texts), _place_size(source.hit)]
    published = place_field("database", words.PUBLISHED_RESULT)
    return EffectRow(make_row(source, [*cells, published]), effect.is_of_drugs)


def _place_study(hit: Hit) -> PlacedText:
    return place_field("trials" if number_of_trial(hit.trials) else "external_id", name_study(hit))


def _place_size(hit: Hit) -> PlacedText:
    """How many took part in a paper's study; how many of them an analysis counts, a paper seldom says beside it."""
    number = participants_of(hit)
    return PlacedText(None if number is None else words.WHOLE_STUDY.format(number=number), "text")
