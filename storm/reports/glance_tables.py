"""Lays out the at-a-glance facts as tables; each value has its citation mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from storm import wording
from storm.models import (
    ApprovalFact,
    Dossier,
    DrugIdentity,
    Fact,
    Holds,
    LaunchFact,
    Relation,
    RelationKind,
    ResearchReport,
    StudyFact,
    database_info,
    number_of_trial,
)
from storm.models.design import Design
from storm.models.record_table import TableName
from storm.models.search import NAMES
from storm.models.study import describe_date
from storm.reports import table_wording as words
from storm.reports.bibliography import Bibliography
from storm.reports.document import (
    Block,
    Inlines,
    Paragraph,
    Table,
    fill_template,
    join_inlines,
    join_texts,
    make_cells,
    record_text,
    to_inlines,
)
from storm.reports.expiries import describe_expiry, has_passed
from storm.reports.pictures import timeline_figure
from storm.reports.reference_style import spell_identifier
from storm.reports.sections import find_tables

#: What related products are to the drug.
_OF_PRODUCTS = (Relation.DERIVATIVE, Relation.COMBINATION, Relation.BIOSIMILAR)
#: Papers that report trials of the drug, alone, with another drug, or as what another is compared with.
_TRIALS = (
    Design.RANDOMISED, Design.NON_RANDOMISED, Design.INTERVENTIONAL, Design.PHARMACOKINETIC, Design.SECONDARY,
)  # fmt: skip
_TRIED = (RelationKind.ITSELF, RelationKind.COMBINATION, RelationKind.COMPARATOR)
#: Records that state the facts on a drug in fields of their own.
_WITH_FIELDS = (Holds.MOLECULES, Holds.LICENCES, Holds.STUDIES)
#: Trial numbers of papers that are listed.
_MOST_NUMBERS = 10


def glance_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """A table of facts on the drug, then approvals with their dates in a picture, studies and protections, if any.

    A report on a question, which did not look for them, leaves out facts that its sources do not state."""
    glance, is_whole = dossier.at_a_glance, not isinstance(dossier, ResearchReport)
    rows = tuple(
        make_cells(name, value or _explain_empty(name, dossier))
        for name, value in (*_name_rows(dossier, bibliography), *_fact_rows(dossier, bibliography))
        if value or is_whole
    )
    yield Table(head=make_cells(*wording.GLANCE_HEAD), rows=rows)
    if glance.approvals and TableName.APPROVALS not in find_tables(dossier):
        approvals = tuple(_approval_row(approval, bibliography) for approval in glance.approvals)
        yield Table(caption=words.APPROVALS, head=make_cells(*wording.APPROVALS_HEAD), rows=approvals)
    if glance.launches:
        launches = tuple(_launch_row(launch, bibliography) for launch in glance.launches)
        yield Table(caption=words.LAUNCHES, head=make_cells(*words.LAUNCHES_HEAD), rows=launches)
    yield from timeline_figure(dossier)
    if glance.studies:
        day = dossier.created.date().isoformat()
        studies = tuple(_study_row(study, day, bibliography) for study in glance.studies)
        yield Table(caption=words.STUDIES, head=make_cells(*wording.STUDIES_HEAD), rows=studies)
    if glance.protections and TableName.PATENTS not in find_tables(dossier):
        yield _lay_out_protections(dossier, bibliography)


def _explain_empty(name: str, dossier: Dossier) -> str:
    """Why nothing is stated: because no record is of a kind that states it, or because none of these does."""
    if name == wording.TRIALS:
        return words.NO_TRIAL
    if name == wording.FACT_WARNING and not any(reference.publication.label for reference in dossier.references):
        return words.NO_LABEL
    has_fields = any(database_info(one.source_type).holds in _WITH_FIELDS for one in dossier.references)
    return words.NOT_IN_SOURCES if has_fields else words.NO_SUCH_RECORD


def describe_counts(counts: Mapping[str, int]) -> Inlines:
    """ "2 review or guideline, 1 patent", or "none"."""
    return join_texts(", ", (f"{number} {name}" for name, number in counts.items())) or to_inlines(wording.NONE)


def describe_designs(designs: Mapping[str, int]) -> Inlines:
    """ "randomised trial: 15; patent: 1", or "none"."""
    return join_texts("; ", (f"{name}: {number}" for name, number in designs.items())) or to_inlines(wording.NONE)


def _name_rows(dossier: Dossier, bibliography: Bibliography) -> Iterator[tuple[str, Inlines]]:
    yield wording.IDENTITY, _describe_identity(dossier)
    yield wording.SEARCHED_AS, _count_names(dossier, dossier.names)
    if dossier.also_known:
        yield wording.ALSO_KNOWN, _count_names(dossier, dossier.also_known)
    yield wording.RELATED, _list_related(dossier, bibliography)


def _fact_rows(dossier: Dossier, bibliography: Bibliography) -> Iterator[tuple[str, Inlines]]:
    glance = dossier.at_a_glance
    facts = {
        wording.FACT_NAMES: glance.names,
        wording.FACT_CLASS: glance.drug_class,
        wording.FACT_TARGET: glance.targets,
        wording.FACT_SPONSOR: glance.sponsors,
        wording.FACT_WARNING: glance.boxed_warnings,
    }
    for name, stated in facts.items():
        yield name, join_inlines("; ", (_describe_fact(fact, bibliography) for fact in stated))
    phases = (to_inlines(record_text(phase), ": ", describe_counts(n)) for phase, n in glance.trials.items())
    yield wording.TRIALS, join_inlines("; ", (*phases, *_list_trials_of_papers(dossier, bibliography)))


def _list_trials_of_papers(dossier: Dossier, bibliography: Bibliography) -> Iterator[Inlines]:
    """The numbers of trials that cited papers report, and of which no registry record is among the sources."""
    registered = {study.external_id for study in dossier.at_a_glance.studies}
    papers = (
        one
        for one in dossier.references
        if one.relation_kind in _TRIED and one.design in _TRIALS and database_info(one.source_type).is_literature
    )
    named = {
        number: one.source_id
        for one in papers
        if not (number_of_trial(one.trials) and registered.intersection(one.trials))
        for number in one.trials
        if number not in registered
    }
    marked = (to_inlines(record_text(number), " ", bibliography.mark_of(name)) for number, name in named.items())
    if shown := join_inlines(", ", islice(marked, _MOST_NUMBERS)):
        more = len(named) - _MOST_NUMBERS
        numbers = fill_template(words.MORE_TRIALS, numbers=shown, more=str(more)) if more > 0 else shown
        yield fill_template(words.TRIALS_OF_PAPERS, numbers=numbers)


def _describe_fact(fact: Fact, bibliography: Bibliography) -> Inlines:
    return to_inlines(record_text(fact.text), " ", bibliography.mark_of(fact.source_id))


def _describe_identity(dossier: Dossier) -> Inlines:
    """The drug that the name means, and the record that identifies it."""
    found = dossier.identity
    if found is None or found.inn is None:
        return fill_template(wording.NOT_RESOLVED, why=_explain_unknown(dossier) or wording.NO_DRUG_RECORD)
    ids = [found.inn, found.chembl or "", *(wording.UNII.format(unii=unii) for unii in found.uniis)]
    return join_inlines("; ", (*((record_text(name),) for name in ids if name), *_explain_identity(found)))


def _explain_identity(found: DrugIdentity) -> Iterator[Inlines]:
    """Why it is this drug: matching records, merged drugs, and the user's choice."""
    for key, kind in found.matched:
        record = spell_identifier(key)
        yield fill_template(wording.MATCHED, asked=found.asked, kind=wording.NAME_KINDS[kind], record=record)
    if found.joined:
        named = wording.JOINED_DRUG
        drugs = (named.format(name=one.name, chembl=one.chembl) if one.chembl else one.name for one in found.joined)
        yield fill_template(wording.JOINED, drugs=join_texts(", ", drugs))
    if found.chosen:
        others = (one.name for one in found.candidates if one.name != found.chosen)
        yield fill_template(wording.CHOSEN, others=join_texts(", ", others))


def _count_names(dossier: Dossier, names: Sequence[str]) -> Inlines:
    counts = ((name, wording.format_count(dossier.named.get(name, 0), "source")) for name in names)
    return join_inlines(
        ", ", (fill_template(wording.NAME_COUNTED, name=name, sources=sources) for name, sources in counts)
    )


def _list_related(dossier: Dossier, bibliography: Bibliography) -> Inlines:
    names: dict[str, list[str]] = {}
    for related in dossier.identity.related if dossier.identity else ():
        names.setdefault(related.relation.value, []).append(related.text)
    listed = join_inlines("; ", (to_inlines(f"{kind}: ", join_texts(", ", texts)) for kind, texts in names.items()))
    if cited := "" if listed else _list_cited_related(dossier, bibliography):
        return fill_template(wording.CITED_RELATED, cited=cited)
    unknown = _explain_unknown(dossier)
    return listed or (fill_template(wording.NOT_KNOWN, why=unknown) if unknown else to_inlines(wording.NO_RELATED))


def _list_cited_related(dossier: Dossier, bibliography: Bibliography) -> Inlines:
    """The kinds of related products that cited records are about, each with its sources."""
    cited: dict[str, list[str]] = {}
    for reference in dossier.references:
        if reference.relation in _OF_PRODUCTS:
            cited.setdefault(reference.relation.value, []).append(reference.source_id)
    return join_inlines("; ", (to_inlines(f"{kind} ", bibliography.mark_of(*ids)) for kind, ids in cited.items()))


def _explain_unknown(dossier: Dossier) -> str:
    """Why the name could not be looked up; empty if drug databases answered."""
    if not any(line.question == NAMES for line in dossier.search_log):
        return wording.NO_DRUG_DATABASE
    missing = ", ".join(dossier.unanswered_databases)
    return wording.NOT_ASKED_FOR_NAMES.format(databases=missing) if missing else ""


def _approval_row(approval: ApprovalFact, bibliography: Bibliography) -> tuple[Inlines, ...]:
    return make_cells(
        approval.agency,
        approval.date or wording.NOT_STATED,
        _name_product(approval.product or wording.NOT_STATED, approval.relation),
        approval.indication or wording.NOT_STATED,
        bibliography.mark_of(approval.source_id),
    )


def _launch_row(launch: LaunchFact, bibliography: Bibliography) -> tuple[Inlines, ...]:
    product = _name_product(launch.product, launch.relation)
    return make_cells(launch.date, product, bibliography.mark_of(launch.source_id))


def _name_product(product: str, relation: Relation) -> Inlines:
    """The product, with its relation if it is not the drug itself."""
    relative = "" if relation is Relation.ITSELF else wording.OF_RELATIVE.format(relation=relation)
    return to_inlines(record_text(product), relative)


def _study_row(study: StudyFact, day: str, bibliography: Bibliography) -> tuple[Inlines, ...]:
    status = study.status or wording.NOT_STATED
    dates = ((wording.PRIMARY_COMPLETION, study.primary_completion), (wording.STUDY_COMPLETION, study.completion))
    completion = join_texts("; ", (describe_date(event, date, day) for event, date in dates if date))
    return make_cells(
        study.external_id,
        study.phase or wording.NOT_STATED,
        fill_template(wording.STATUS, status=status, why=study.why_stopped) if study.why_stopped else status,
        study.participants or wording.NOT_STATED,
        completion or wording.NOT_STATED,
        study.sponsor or wording.NOT_STATED,
        bibliography.mark_of(study.source_id),
    )


def _lay_out_protections(dossier: Dossier, bibliography: Bibliography) -> Block:
    """How many are dated, if the table of patents lists them all; otherwise a table."""
    protections, day = dossier.at_a_glance.protections, dossier.created.date()
    listed = {row.source_id for table in dossier.tables if table.name is TableName.PATENTS for row in table.rows}
    if not {one.source_id for one in protections} <= listed:
        return _protections_table(dossier, bibliography)
    ends = [one.last_day for one in protections]
    counted = fill_template(
        words.PROTECTIONS_COUNTED,
        number=str(len(ends)),
        passed=str(sum(has_passed(end, day) for end in ends)),
        day=day.isoformat(),
        last=max(ends),
        mark=bibliography.mark_of(*(one.source_id for one in protections)),
    )
    return Paragraph(content=counted)


def _protections_table(dossier: Dossier, bibliography: Bibliography) -> Table:
    day = dossier.created.date()
    return Table(
        caption=words.PROTECTIONS,
        head=make_cells(*(word.format(day=day) for word in wording.PROTECTIONS_HEAD)),
        rows=tuple(
            make_cells(protection.text, describe_expiry(protection, day), bibliography.mark_of(protection.source_id))
            for protection in dossier.at_a_glance.protections
        ),
    )
