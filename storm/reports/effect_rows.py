"""Rows of effect sizes and of comparisons with another drug, from posted results and from the quotes of statements.

A quote becomes a row only where its endpoint, value, interval and comparator can be read surely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from storm import wording
from storm.citations.measures import read_values
from storm.citations.results import ReportedResult, read_result
from storm.citations.terms import read_terms
from storm.evidence.comparison import compares_drugs
from storm.evidence.subjects import compile_name_pattern
from storm.models import Answer, Hit, Holds, Retraction, SectionKind, Source, Statement, Verdict, database_info
from storm.models.record_table import RecordRow
from storm.models.section import kind_of_heading
from storm.reports import table_wording as words
from storm.reports.record_cells import PlacedText, make_row, name_study, place_field
from storm.reports.registry_results import Effect, Outcome
from storm.syllabus.drug_names import DRUG_NAME

#: What is no other drug; the last two only after words that make them a comparator.
_CONTROL = re.compile(
    r"\b(?:(usual care|standard (?:of )?care|no treatment|observation alone|chemotherapy alone|sham)"
    r"|(?:compared (?:with|to)|versus|vs\.?|than|relative to) (?:the )?(observation|chemotherapy)(?! alone))\b",
    re.I,
)
#: "… when the drug was added to chemotherapy and … when it was not": chemotherapy alone is the control.
_NOT_ADDED = re.compile(r"\badded to (?:the )?chemotherapy\b[^;]{0,80}\b(?:when|where|if) it was not\b", re.I)
_WITHOUT = "chemotherapy alone"
_PLACEBO = "placebo"
_NUMBER = re.compile(r"\d{1,15}(?:[.·]\d{1,15})?")
_LEVELS = ("90%", "95%", "97.5%", "99%")
#: Parts of a paper that report other works' results, or none.
_ELSEWHERE = (SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.DISCUSSION)


class EffectRow(NamedTuple):
    """A row of an effect size, and whether it compares the drug with another drug."""

    row: RecordRow
    is_of_drugs: bool


def make_registry_row(source: Source, outcome: Outcome, effect: Effect, names: Sequence[str]) -> EffectRow:
    """The row of a comparison that a registry posted."""
    compared = " versus ".join(effect.arms)
    analysed = None if effect.participants is None else str(effect.participants)
    cells = (
        effect.endpoint, effect.measure, effect.value, effect.unit, effect.interval, effect.p, compared, analysed
    )  # fmt: skip
    study, posted = (
        place_field("external_id", source.hit.external_id),
        place_field("database", words.POSTED_RESULT),
    )
    row = make_row(source, [study, *(PlacedText(cell, outcome.place) for cell in cells), posted])
    return EffectRow(row, len(effect.arms) == 2 and compares_drugs(compared, names))


def list_statement_effects(
    answers: Iterable[Answer], sources: Mapping[str, Source], names: Sequence[str]
) -> list[EffectRow]:
    """The rows of printed statements, each quote once, by endpoint and study."""
    statements = (statement for answer in answers for statement in answer.all_statements)
    quoted = {(s.source_ids[:1], s.quote): s for s in statements if s.verdict is not Verdict.UNSUPPORTED}
    found = list[EffectRow]()
    for statement in quoted.values():
        source = sources.get(next(iter(statement.source_ids), ""))
        if source and not statement.remark and _is_own_result(statement, source.hit):
            found += _read_statement(statement, source, names)
    return sorted(found, key=lambda effect: (effect.row.cells[1] or "", effect.row.cells[0] or ""))


def _is_own_result(statement: Statement, hit: Hit) -> bool:
    """Whether the quote stands where a paper reports its own results; a registry's results are read from its tables."""
    is_paper = database_info(hit.database).holds is Holds.PAPERS and hit.retraction is not Retraction.RETRACTED
    return is_paper and kind_of_heading(statement.section.removeprefix("Abstract: ")) not in _ELSEWHERE


def _read_statement(statement: Statement, source: Source, names: Sequence[str]) -> Iterator[EffectRow]:
    quote = statement.quote
    found = read_result(quote)
    is_named = compile_name_pattern(tuple(names)).search(statement.text)
    comparator = _read_comparator(quote, names) if is_named else ""
    if found is None or not (found.endpoint and found.is_relative and found.interval and comparator):
        return
    place = statement.section or "text"
    cells = [PlacedText(text, place) for text in _describe_result(found, quote, comparator)]
    analysed = PlacedText(None, place)  # the number that the paper states may be of another analysis
    published = place_field("database", words.PUBLISHED_RESULT)
    yield EffectRow(
        make_row(source, [_place_study(source.hit), *cells, analysed, published]), compares_drugs(quote, names)
    )


def _place_study(hit: Hit) -> PlacedText:
    return place_field("trials" if len(hit.trials) == 1 else "external_id", name_study(hit))


def _describe_result(found: ReportedResult, quote: str, comparator: str) -> tuple[str, ...]:
    p = next((value for value in read_values(read_terms(quote)) if value.label == "p"), None)
    return (
        found.endpoint, found.measure, _print_number(found.values[0], quote), found.unit,
        _describe_interval(found, quote), f"{p.bound}{p.token}".removeprefix("=") if p else "",
        wording.AGAINST.format(comparator=comparator),
    )  # fmt: skip


def _print_number(number: Decimal, quote: str) -> str:
    """The number as the quote writes it, with its last zeros."""
    written = (match[0].replace("·", ".") for match in _NUMBER.finditer(quote))
    digits = next((one for one in written if Decimal(one) == abs(number)), str(abs(number)))
    return f"-{digits}" if number < 0 else digits


def _describe_interval(found: ReportedResult, quote: str) -> str:
    """ "95% CI 0.53 to 0.83"; without its level where the quote does not state it."""
    values = read_values(read_terms(quote))
    level = next((v.token for v in values if v.label == "confidence interval" and v.token in _LEVELS), "")
    ends = " to ".join(_print_number(end, quote) for end in found.interval or ())
    return f"{level} CI {ends}".strip()


def _read_comparator(quote: str, names: Sequence[str]) -> str:
    """What the quote compares the drug with: a control, or one other drug; empty if it names neither, or several."""
    drug = compile_name_pattern(tuple(names))
    others = {other[0].lower() for other in DRUG_NAME.finditer(quote) if not drug.match(quote, other.start())}
    controls = {(match[1] or match[2]).lower() for match in _CONTROL.finditer(quote)}
    if _NOT_ADDED.search(quote):
        controls.add(_WITHOUT)
    if _PLACEBO in quote.lower():
        controls.add(_PLACEBO)
    if len(controls) + len(others) != 1:
        return ""
    return controls.pop() if controls else others.pop() if compares_drugs(quote, names) else ""
