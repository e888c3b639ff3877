"""Lays out a dossier's answers as blocks: each statement with its citation mark and remarks."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from datetime import date
from functools import partial

from storm import wording
from storm.models import (
    Answer,
    Conflict,
    Dossier,
    Holds,
    QuestionText,
    Reference,
    Relation,
    Statement,
    StatementCounts,
    Verdict,
    database_info,
    database_label,
)
from storm.models.publication import DOCUMENTS_PUBLISHED, PATENT_LISTING
from storm.reports import research_wording as words
from storm.reports.bibliography import Bibliography, retraction_mark
from storm.reports.document import (
    QUESTION,
    Block,
    BulletList,
    Inlines,
    Paragraph,
    Sentence,
    Style,
    Text,
    fill_template,
    join_inlines,
    join_texts,
    make_heading,
    one_line,
    record_text,
    to_inlines,
)
from storm.reports.expiries import has_passed, passed_expiries, passed_plans
from storm.reports.overtaken import find_later, is_open, is_past
from storm.reports.reference_style import spell_patent_number
from storm.reports.sections import find_headings, name_relation
from storm.reports.studies import Finding, evidence_line, study_remark

#: A text in square brackets.
_BRACKETED = re.compile(r"(\[[^\[\]]*\])")
#: A statement that names a year needs no word on a record without a date.
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
#: Words of copies of a drug, and the suffix of a biosimilar's name ("trastuzumab-dkst").
_OF_COPIES = re.compile(r"biosimilar|generic|\bcop(?:y|ies)\b|follow-on|interchangeab|mab-[a-z]{4}\b", re.I)
#: Longest section name shown beside a statement.
_SECTION = 60


def answer_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """For each question: its statements, conflicts, statement counts and gaps. A statement that stands in a section of
    the report is not repeated."""
    questions = {question.key: question for question in dossier.questions}
    headings = find_headings(dossier)
    if dossier.research:
        yield make_heading(words.FINDINGS, "findings")
        yield Paragraph(content=to_inlines(words.FINDINGS_REST if headings else words.FINDINGS_ALL))
    for answer in dossier.answers:
        question = questions[answer.question]
        sentence = partial(make_sentence, dossier=dossier, question=question, bibliography=bibliography)
        yield make_heading(question.label, f"{QUESTION}{question.key}", level=3 if dossier.research else 2)
        yield Paragraph(content=(record_text(question.description, Style.EMPHASIS),))
        places = map(headings.get, (statement.identity for statement in answer.statements))
        above = [heading for heading in places if heading]
        if above:
            yield Paragraph(content=_describe_above(above))
        rest = [statement for statement in answer.statements if statement.identity not in headings]
        if dossier.research:
            headings |= {statement.identity: question.label for statement in rest}
        in_people, preclinical = _split_off_preclinical(rest, bibliography)
        if in_people:
            yield BulletList(items=tuple((sentence(statement),) for statement in in_people))
        if preclinical:
            yield Paragraph(content=(Text(text=wording.PRECLINICAL, style=Style.EMPHASIS),))
            yield BulletList(items=tuple((sentence(statement),) for statement in preclinical))
        for conflict in () if dossier.deep_research else answer.conflicts:  # they stand in the answer
            yield Paragraph(content=_describe_conflict(conflict))
            yield BulletList(items=tuple((sentence(statement),) for statement in conflict.statements))
        findings = _list_findings(answer, bibliography)
        if not question.dated and (evidence := evidence_line(findings, dossier.references)):
            yield Paragraph(content=to_inlines(evidence))
        yield from count_paragraph(answer.counts, by_model=dossier.by_model)
        if gaps := answer.gaps or (() if answer.statements else (wording.NO_SOURCE,)):
            yield BulletList(items=tuple(map(_format_gap, gaps)))


def _describe_above(headings: Sequence[str]) -> Inlines:
    """How many statements stand under headings further up, and under which."""
    named = (fill_template(words.HEADING, heading=heading) for heading in dict.fromkeys(headings))
    statements = wording.format_count(len(headings), "statement")
    return fill_template(words.STANDS_ABOVE, statements=statements, headings=join_inlines(", ", named))


def _split_off_preclinical(
    statements: Sequence[Statement], bibliography: Bibliography
) -> tuple[Sequence[Statement], Sequence[Statement]]:
    """Split the statements into those on people and those on animals or cells."""
    preclinical = [s for s in statements if bibliography.reference_of(s.source_ids[0]).animals]
    return [s for s in statements if s not in preclinical], preclinical


def _list_findings(answer: Answer, bibliography: Bibliography) -> Iterator[Finding]:
    """Pair each statement of an answer with each of its sources."""
    for statement in answer.all_statements:
        yield from (Finding(statement, bibliography.reference_of(source_id)) for source_id in statement.source_ids)


def count_paragraph(counts: StatementCounts, *, by_model: bool) -> Iterator[Paragraph]:
    """How many statements were written, supported, removed and marked; nothing if none were written. Those that rules
    chose are only found in their source."""
    if not counts.written:
        return
    unjudged = wording.COUNTS_UNJUDGED.format(number=counts.unjudged, not_judged=wording.NOT_JUDGED)
    yield Paragraph(
        content=fill_template(
            wording.COUNTS,
            checked=Text(text=wording.CHECKED, style=Style.EMPHASIS),
            written=wording.format_count(counts.written, "statement"),
            supported=str(counts.supported),
            how=words.SUPPORTED if by_model else words.FOUND_VERBATIM,
            unjudged=to_inlines(unjudged if counts.unjudged else ""),
            removed=str(counts.removed),
            marked=str(counts.marked),
        )
    )


def make_sentence(
    statement: Statement,
    dossier: Dossier,
    question: QuestionText,
    bibliography: Bibliography,
    *,
    names_species: bool = False,
    known: Container[str] | None = None,
) -> Sentence:
    """A statement with its citation mark, and what is needed to weigh it; `names_species`: it says that it is of
    animals or cells, as it does not stand under such a heading. In running text, `known` are the sources whose study
    was described; it is not described again, and no section of a source is named."""
    reference = bibliography.reference_of(statement.source_ids[0])
    species = [to_inlines(wording.IN_ANIMALS)] if names_species and reference.animals else []
    listed = _list_remarks(statement, reference, dossier, bibliography, dated=question.dated, known=known)
    remarks = join_inlines("; ", (*species, *listed))
    refused = statement.verdict is Verdict.UNSUPPORTED
    content = to_inlines(
        to_inlines(Text(text=wording.WARNING, style=Style.STRONG), " ") if refused else "",
        record_text(statement.text) if dossier.by_model else _mark_additions(statement),
        fill_template(wording.REMARKS, remarks=remarks) if remarks else "",
        " ",
        bibliography.mark_of(*statement.source_ids),
    )
    return Sentence(content=content, statement=statement)


def _mark_additions(statement: Statement) -> Inlines:
    """A copied sentence, with the words in brackets that its quote does not have in italics."""
    parts = _BRACKETED.split(one_line(statement.text).strip())
    quote = one_line(statement.quote)
    styles = (Style.EMPHASIS if part.startswith("[") and part not in quote else Style.PLAIN for part in parts)
    return tuple(Text(text=part, style=style) for part, style in zip(parts, styles, strict=True) if part)


def _list_remarks(
    statement: Statement,
    reference: Reference,
    dossier: Dossier,
    bibliography: Bibliography,
    *,
    dated: bool,
    known: Container[str] | None,
) -> Iterator[Inlines]:
    """The remarks on a statement and its first source, such as a date or a retraction."""
    if statement.remark:
        yield to_inlines(record_text(statement.remark))
    if statement.section and known is None:
        yield (record_text(_shorten_section(statement.section)),)
    written = reference.date or str(reference.year or "")
    is_former = is_open(statement.text) and is_past(written, dossier.created.date())
    undated = "" if _YEAR.search(statement.text) else wording.NO_DATE
    as_of = wording.AS_OF.format(date=written) if is_former else _date_record(reference, written, statement) or undated
    if dated:
        read = [wording.READ_ON.format(day=reference.retrieved)] if reference.retrieved else []
        yield join_texts("; ", filter(None, (_name_origin(reference, statement.text), as_of, *read)))
    elif is_former:
        yield to_inlines(as_of)
    if later := find_later(statement, dossier):
        yield fill_template(wording.LATER, mark=bibliography.mark_of(later.source_id), date=later.date)
    # What was known before is not a result of the product that was studied.
    about = name_relation(wording.describe_relation(reference.relation, reference.relation_kind), dossier)
    if about and not (statement.background or _is_of_original(statement, reference, dossier)):
        yield to_inlines(about)
    is_described = known is not None and reference.source_id in known
    if not (dated or is_described) and (study := study_remark(reference, statement)):
        yield study
    if mark := retraction_mark(reference):
        yield mark
    day = dossier.created.date()
    if passed := passed_expiries(statement.text, day):
        yield to_inlines(_describe_passed(passed, reference, day))
    if planned := passed_plans(statement.text, day):
        yield to_inlines(wording.PASSED_DATES.format(dates=", ".join(planned)))
    if statement.verdict is Verdict.UNCHECKED:
        yield to_inlines(wording.NOT_JUDGED)


def _is_of_original(statement: Statement, reference: Reference, dossier: Dossier) -> bool:
    """Whether a statement from a report on copies is on the drug itself, as those on its sales are."""
    said = statement.text.casefold()
    is_named = any(name.casefold() in said for name in dossier.names)
    return reference.relation is Relation.BIOSIMILAR and is_named and not _OF_COPIES.search(said)


def _date_record(reference: Reference, written: str, statement: Statement) -> str:
    """The date of the record, unless the statement lists documents with dates of their own; of a patent document its
    publication, or else its filing or priority, with a word for which it is, since it is not the date of what became
    of the patent."""
    patent = reference.publication.patent
    if statement.text.startswith(DOCUMENTS_PUBLISHED):
        return ""
    if written and PATENT_LISTING in reference.publication_types:
        return wording.LISTED_ON.format(date=written)
    if database_info(reference.source_type).holds is Holds.PATENTS and written:
        return wording.PATENT_OF.format(date=written)
    if patent is None or written:
        return written
    if patent.publication_date:
        return wording.PATENT_OF.format(date=patent.publication_date)
    dates = ((wording.FILED_ON, patent.filing_date), (wording.PRIORITY_ON, patent.priority_date))
    return next((template.format(date=date) for template, date in dates if date), "")


def _shorten_section(section: str) -> str:
    """Shorten a long section name by the headings between its first and last, then by the last, then by its words."""
    first, _, rest = section.partition(": ")
    shorter = (section, f"{first}: {rest.rpartition(': ')[2]}")
    name = next((one for one in shorter if len(one) <= _SECTION), first)
    return name if len(name) <= _SECTION else f"{name[:_SECTION].rpartition(' ')[0] or name[: _SECTION - 1]}…"


def _name_origin(reference: Reference, statement: str) -> str:
    """Where a record is from; with the number of a patent that the statement does not name."""
    country = f"{reference.country} {database_label(reference.source_type).lower()}" if reference.country else ""
    origin = reference.agency or country or reference.container or database_label(reference.source_type)
    is_named = not reference.publication.patent or _names_number(reference.external_id, statement)
    return origin if is_named else f"{origin}; {spell_patent_number(reference.external_id)}"


def _names_number(number: str, text: str) -> bool:
    """Whether the digits of a patent's number stand in the text: "US 7,371,379" for US7371379."""
    digits = re.search(r"\d{5,}", number)
    return digits is None or digits[0] in text.replace(",", "")


def _describe_conflict(conflict: Conflict) -> Inlines:
    return fill_template(
        wording.DISAGREE_ON,
        disagree=Text(text=wording.DISAGREE, style=Style.STRONG),
        endpoint=conflict.endpoint,
        where=fill_template(wording.IN_TRIAL, trial=conflict.trial) if conflict.trial else (),
    )


def _format_gap(gap: str) -> Inlines:
    return to_inlines(Text(text=wording.GAP, style=Style.EMPHASIS), " ", record_text(gap))


def _describe_passed(passed: Sequence[str], reference: Reference, day: date) -> str:
    """That the dates which a source states have passed, and until when a protection is extended."""
    until = reference.extended_until or ""
    lasts = until and not has_passed(until, day)
    described = wording.EXTENDED_UNTIL if lasts else wording.EXPIRED_DATES
    return described.format(dates=", ".join(passed), date=until)
