"""A dossier as Markdown, from its structure. Text from records is escaped: a bracketed number is always ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote, urlsplit

from storm.export.expiries import describe_expiry, passed_expiries
from storm.models import (
    Answer,
    ApprovalFact,
    DatabaseUse,
    Dossier,
    Fact,
    NameKind,
    QuestionText,
    Reference,
    Relation,
    Retraction,
    SearchLine,
    SearchStatus,
    Spent,
    Statement,
    StatementCounts,
    StudyFact,
    Verdict,
    database_label,
    summed,
)
from storm.models.hit import ET_AL
from storm.models.plan import NAMES
from storm.models.study import describe_date

_SPECIAL = re.compile(r"([\\`*_\[\]|~$@])")
_BRACKETED_NUMBERS = re.compile(r"\[(\d[\d,;\s–-]*)\]")
_AUTOLINK = re.compile(r"(?<=\w)(?=://)|(?<=www)(?=\.)", re.I)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_BLOCK_START = re.compile(r"^(\s*)([#>+=-]|\d+(?=[.)]))")
_KINDS = {
    NameKind.INN: "generic name",
    NameKind.BRAND: "brand",
    NameKind.SALT: "salt",
    NameKind.CODE: "code",
    NameKind.OTHER: "synonym",
}
#: What each sentence stands on: copied by rules, or written by a model.
_COPIED = "Each sentence below stands, word for word, in its source's record"
_WRITTEN = (
    "Each sentence below was written by a language model; its quote (in dossier.json) stands, word for word, in its "
    "source's record"
)
_NO_STATEMENT = "The language model wrote nothing that stands; what is told below is the records' own"
_NOT_SUPPORTED = "⚠ NOT SUPPORTED by its source"
_NOT_JUDGED = "not judged"
_RETRACTION_MARKS = {Retraction.RETRACTED: "RETRACTED", Retraction.CONCERN: "EXPRESSION OF CONCERN"}


def escape(text: str) -> str:
    """Text from a record as Markdown that shows it and nothing else; one line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = _SPECIAL.sub(r"\\\1", _BRACKETED_NUMBERS.sub(r"(\1)", line))
    line = _AUTOLINK.sub(r"\\", _ENTITY.sub("&amp;", _TAG.sub(r"\\<", line)))
    return _BLOCK_START.sub(lambda m: f"{m[1]}\\{m[2]}" if not m[2].isdigit() else f"{m[1]}{m[2]}\\", line)


def to_markdown(dossier: Dossier) -> str:
    """The whole dossier; it ends with the numbered references."""
    page = _Page(dossier)
    blocks = [
        *page.head(),
        *page.at_a_glance(),
        *page.coverage(),
        *page.answers(),
        *page.methodology(),
        *page.references(),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


class _Page:
    """One dossier being written: its references by source."""

    def __init__(self, dossier: Dossier) -> None:
        self._dossier = dossier
        self._references = {reference.source_id: reference for reference in dossier.references}
        self._questions = {question.key: question for question in dossier.questions}

    def head(self) -> Iterator[str]:
        dossier = self._dossier
        yield f"# {escape(dossier.drug)}: research dossier"
        databases = "; ".join(escape(use.scope or use.name) for use in dossier.searched) or "nothing"
        yield (
            f"Job `{dossier.job_id}`, started {dossier.created:%Y-%m-%d %H:%M:%S}Z. Engine: {escape(dossier.engine)}. "
            f"Searched: {databases}."
        )
        marked = dossier.statements.marked
        but = f" It does not carry {_statements(marked)}, marked **{_NOT_SUPPORTED}**." if marked else ""
        written = (
            _WRITTEN if any(answer.statements or answer.conflicts for answer in dossier.answers) else _NO_STATEMENT
        )
        stands = written if dossier.mode == "broad" else _COPIED
        open_ = f" Whether the quote carries it was to be judged; where it was not, the sentence says ({_NOT_JUDGED})."
        yield f"**Research aid, not medical advice.** {stands}.{but}{open_ if dossier.statements.unjudged else ''}"
        yield "\n>\n".join(f"> {escape(note)}" for note in (*dossier.failures, *dossier.notes))

    def at_a_glance(self) -> Iterator[str]:
        yield "## At a glance"
        glance = self._dossier.at_a_glance
        trials = "; ".join(f"{escape(phase)}: {_counts(states)}" for phase, states in glance.trials.items())
        also = ", ".join(map(self._counted, self._dossier.also_known))
        rows = [
            ("Identity", self._identity()),
            ("Searched as", ", ".join(map(self._counted, self._dossier.names))),
            *([("Not searched, but recognised", also)] if also else []),
            ("Told apart from", self._related()),
            ("Names in its records", self._facts(glance.names)),
            ("Class", self._facts(glance.drug_class)),
            ("Target", self._facts(glance.targets)),
            ("Sponsor or holder", self._facts(glance.sponsors)),
            ("Boxed warning", self._facts(glance.boxed_warnings)),
            ("Trials among the sources", trials),
        ]
        yield _table(
            ("", "as the records state it"), [(name, value or "not stated in the sources") for name, value in rows]
        )
        if glance.approvals:
            yield _table(
                ("Agency", "Date", "Product", "Indication", "Source"),
                [self._approval(approval) for approval in glance.approvals],
            )
        if glance.studies:
            yield _table(
                ("Registered study", "Phase", "Status", "Participants", "Completion", "Source"),
                [self._study(study) for study in glance.studies],
            )
        if glance.protections:
            day = self._dossier.created.date()
            yield _table(
                ("Patent or exclusivity", f"As of {day}", "Source"),
                [(escape(p.text), describe_expiry(p, day), self._marks([p.source_id])) for p in glance.protections],
            )

    def _identity(self) -> str:
        """What the name means, and which record says so."""
        found = self._dossier.identity
        if found is None or found.inn is None:
            return f"not resolved: {self._unknown() or 'no drug record of what was searched has this name'}"
        ids = [found.chembl or "", *(f"UNII {unii}" for unii in found.uniis)]
        parts = [escape(found.inn), *(escape(name) for name in ids if name)]
        parts += [
            f"“{escape(found.asked)}” is its {_KINDS[kind]} in {escape(_spelled(key))}" for key, kind in found.matched
        ]
        if found.joined:
            told = ", ".join(escape(f"{one.name} ({one.chembl})" if one.chembl else one.name) for one in found.joined)
            parts.append(f"taken as the same drug: {told}")
        if found.chosen:
            others = ", ".join(escape(one.name) for one in found.candidates if one.name != found.chosen)
            parts.append(f"chosen by the user among drugs of that name (others: {others})")
        return "; ".join(parts)

    def _counted(self, name: str) -> str:
        count = self._dossier.named.get(name, 0)
        return f"{escape(name)} (in {_number(count, 'source')})"

    def _related(self) -> str:
        found = self._dossier.identity
        names: dict[str, list[str]] = {}
        for related in found.related if found else ():
            names.setdefault(related.relation.value, []).append(escape(related.text))
        told = "; ".join(f"{kind}: {', '.join(texts)}" for kind, texts in names.items())
        unknown = self._unknown()
        return told or (f"not known: {unknown}" if unknown else "no related product was found")

    def _unknown(self) -> str:
        """Why it is not known what the name means, where nobody told; empty if drug databases were asked."""
        if not any(line.question == NAMES for line in self._dossier.search_log):
            return "no drug database was searched"
        missing = ", ".join(self._dossier.unasked)
        return f"{missing} could not be asked" if missing else ""

    def _approval(self, approval: ApprovalFact) -> tuple[str, ...]:
        product = escape(approval.product or "not stated")
        if approval.relation is not Relation.ITSELF:
            product += f" ({approval.relation})"
        return (
            escape(approval.agency),
            approval.date or "not stated",
            product,
            escape(approval.indication or "not stated"),
            self._marks([approval.source_id]),
        )

    def _study(self, study: StudyFact) -> tuple[str, ...]:
        status = escape(study.status or "not stated")
        stopped = f": {escape(study.why_stopped)}" if study.why_stopped else ""
        dates = (("primary", study.primary_completion), ("study", study.completion))
        day = self._dossier.created.date().isoformat()
        completion = "; ".join(escape(describe_date(event, date, day)) for event, date in dates if date)
        return (
            escape(study.external_id),
            escape(study.phase or "not stated"),
            f"{status}{stopped}",
            study.participants or "not stated",
            completion or "not stated",
            self._marks([study.source_id]),
        )

    def _facts(self, facts: Sequence[Fact]) -> str:
        return "; ".join(f"{escape(fact.text)} {self._marks([fact.source_id])}" for fact in facts)

    def coverage(self) -> Iterator[str]:
        state = self._dossier.coverage
        yield "## Coverage"
        designs = self._dossier.at_a_glance.designs
        yield _table(
            ("Question", "Sources", "Needed", "", "Designs"),
            [
                (
                    escape(q.label),
                    str(q.sources),
                    str(q.min_sources),
                    "✓" if q.sufficient else "⚠",
                    _counts(designs[q.question]),
                )
                for q in state.questions
            ],
        )
        origins = ", ".join(map(database_label, state.databases))
        found = f"{_number(state.total, 'source')} in all"
        found += f", from {_number(len(state.databases), 'database')} ({origins})" if origins else ""
        yield f"{found}; {_number(state.min_databases, 'database')} needed."

    def answers(self) -> Iterator[str]:
        for answer in self._dossier.answers:
            question = self._questions[answer.question]
            yield f"## {escape(question.label)}"
            yield f"*{escape(question.description)}*"
            yield "\n".join(self._statement(statement, question) for statement in answer.statements)
            yield from self._conflicts(answer, question)
            yield _counted_statements(answer.counts)
            gaps = answer.gaps or (() if answer.statements else ("No source answers this question.",))
            yield "\n".join(f"- *Gap:* {escape(gap)}" for gap in gaps)

    def _statement(self, statement: Statement, question: QuestionText) -> str:
        first = self._references[statement.source_ids[0]]
        remarks = []
        if question.dated:
            remarks += [
                _origin(first),
                first.date or str(first.year or "no date"),
                f"read {self._dossier.retrieved}",
            ]
        if first.relation is not Relation.ITSELF:
            remarks.append(first.relation.value)
        if first.retraction in _RETRACTION_MARKS:
            remarks.append(f"**{_RETRACTION_MARKS[first.retraction]}**")
        if passed := passed_expiries(statement.text, self._dossier.created.date()):
            remarks.append(f"expired: {', '.join(passed)}")
        if statement.verdict is Verdict.UNCHECKED:
            remarks.append(_NOT_JUDGED)
        remark = f" ({'; '.join(remarks)})" if remarks else ""
        warning = f"**{_NOT_SUPPORTED}:** " if statement.verdict is Verdict.UNSUPPORTED else ""
        return f"- {warning}{escape(statement.text)}{remark} {self._marks(statement.source_ids)}"

    def _conflicts(self, answer: Answer, question: QuestionText) -> Iterator[str]:
        for conflict in answer.conflicts:
            where = f" in {escape(conflict.trial)}" if conflict.trial else ""
            yield f"**Sources disagree** on {escape(conflict.endpoint)}{where}:"
            yield "\n".join(self._statement(statement, question) for statement in conflict.statements)

    def methodology(self) -> Iterator[str]:
        dossier = self._dossier
        by = escape(dossier.engine)
        made = f"Made by {by}" if dossier.mode == "broad" else f"Made by the {by} engine"
        yield "## How this was made"
        yield (
            f"{made}. It searched on {self._searched()} and stopped because "
            f"{escape(dossier.why_stopped)}. A source was kept only if a search of this job "
            "returned it; its description is the database's. The quote of each statement was checked against its "
            "record's text, word for word. Retractions are told as the records and, where it was asked, Crossref's "
            "notices tell them; a paper that was not checked is marked in the references. In the log below, the words "
            "after a plus sign raise a record's rank; they are not required."
        )
        yield _counted_statements(dossier.statements)
        yield self._spending()
        yield "\n".join(f"- {_scope(use)}. Searches: {use.searched}, {use.status}." for use in dossier.databases)
        yield _table(
            ("Searched", "For", "Query", "At", "Outcome", "Hits", "Kept"),
            [
                (
                    database_label(line.database),
                    escape(line.question),
                    escape(line.query) + (f" (searched as: {escape(line.translated)})" if line.translated else ""),
                    f"{line.at:%Y-%m-%d %H:%M:%S}Z" + _kept_since(line),
                    line.status.value + (f": {escape(line.reason)}" if line.reason else ""),
                    f"{line.hits} of {line.total}" if line.status is not SearchStatus.FAILED else "–",
                    str(line.kept) if line.status is not SearchStatus.FAILED else "–",
                )
                for line in dossier.search_log
            ],
        )

    def _searched(self) -> str:
        """The day of the first search, and that of the oldest answer where a cache had kept one from before."""
        dossier = self._dossier
        first = f"{min((line.at for line in dossier.search_log), default=dossier.created):%Y-%m-%d}"
        return first if dossier.retrieved >= first else f"{first}, in part by answers given since {dossier.retrieved},"

    def _spending(self) -> str:
        """What the language models came to by role and by question; nothing where none was asked."""
        rows = self._dossier.spending
        if not rows:
            return ""
        roles = [(role, summed(row.spent for row in rows if row.role == role)) for role in _each(r.role for r in rows)]
        asked = _each(row.question for row in rows if row.question)
        questions = [
            (f"of that, on {escape(self._questions[key].label) if key in self._questions else escape(key)}",
             summed(row.spent for row in rows if row.question == key))
            for key in asked
        ]  # fmt: skip
        lines = [*roles, *questions, ("all", summed(row.spent for row in rows))]
        return _table(
            ("Language models", "Calls", "Prompt tokens", "Reply tokens", "Price"),
            [(name, *_amounts(spent)) for name, spent in lines],
        )

    def references(self) -> Iterator[str]:
        yield "## References"
        yield "\n".join(map(_reference, self._dossier.references)) or "None."

    def _marks(self, source_ids: Sequence[str]) -> str:
        numbers = sorted({self._references[source_id].n for source_id in source_ids})
        return f"[{', '.join(map(str, numbers))}]"


def _counted_statements(counts: StatementCounts) -> str:
    """What became of what was written, in a line; nothing where nothing was."""
    if not counts.written:
        return ""
    unjudged = f"{counts.unjudged} {_NOT_JUDGED}, " if counts.unjudged else ""
    return (
        f"*Checked:* {_statements(counts.written)} written; {counts.supported} supported by a source, "
        f"{unjudged}{counts.removed} removed, {counts.marked} marked as not supported."
    )


def _kept_since(line: SearchLine) -> str:
    """When an answer that a cache had kept was given, where that was another day."""
    if line.answered is None or line.answered.date() == line.at.date():
        return ""
    return f" (answered {line.answered:%Y-%m-%d})"


def _scope(use: DatabaseUse) -> str:
    """The database and what of it was searched; its name once, where the scope begins with it."""
    label, scope = database_label(use.name), escape(use.scope)
    if scope.casefold().startswith(label.casefold()):
        return f"{scope[:1].upper()}{scope[1:]}"
    return f"{label}: {scope}"


def _statements(number: int) -> str:
    return _number(number, "statement")


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _amounts(spent: Spent) -> tuple[str, ...]:
    counts = (spent.calls, spent.prompt_tokens, spent.completion_tokens)
    return (*(f"{count:,}" for count in counts), escape(spent.price))


def _each(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


#: Identifiers that tell a reader nothing: an address, which is linked, and the hash of an entry without an id.
_UNSHOWN = ("url:", "web:", "ris:sha256-")


def _reference(reference: Reference) -> str:
    """`1. Authors. Title. Journal 2001. identifiers. <link>`, on one line."""
    named = [escape(author) for author in reference.authors if author != ET_AL]
    authors = ", ".join(named[:3]) + (" et al" if len(reference.authors) > len(named[:3]) else "")
    container, year = reference.container or "", str(reference.year or "")
    origin = " ".join(part for part in (escape(container), "" if year in container else year) if part)
    identifiers = ", ".join(escape(_spelled(i)) for i in reference.identifiers if not i.startswith(_UNSHOWN))
    notes = [
        reference.relation.value if reference.relation is not Relation.ITSELF else "",
        f"**{_RETRACTION_MARKS[reference.retraction]}**" if reference.retraction in _RETRACTION_MARKS else "",
        "retraction not checked" if _is_unchecked_paper(reference) else "",
        *map(escape, reference.notices),
        "open access" if reference.open_access else "",
        f"free copy: {_link(reference.open_url)}" if reference.open_url and reference.open_url != reference.url else "",
        f"`{reference.source_id}`",
    ]
    parts = [authors, escape(reference.title.rstrip(".")), origin, identifiers or database_label(reference.source_type)]
    text = ". ".join(part.rstrip(".") for part in parts if part)
    remark = "; ".join(note for note in notes if note)
    return " ".join(filter(None, (f"{reference.n}. {text}.", _link(reference.url), remark and f"({remark})")))


def _is_unchecked_paper(reference: Reference) -> bool:
    """Only papers are retracted: for a patent or a licence there is nothing to check."""
    kinds = {identifier.partition(":")[0] for identifier in reference.identifiers}
    return reference.retraction is Retraction.NOT_CHECKED and bool(kinds & {"pmid", "pmcid", "doi"})


def _spelled(identifier: str) -> str:
    kind, _, value = identifier.partition(":")
    names = {
        "pmid": "PMID ", "doi": "doi:", "pmcid": "", "registry": "", "patent": "patent ", "chembl": "",
        "label": "label ",
    }  # fmt: skip
    return names.get(kind, f"{database_label(kind)} ") + value


def _link(url: str) -> str:
    """An autolink; only http(s), and every character that could end it percent-encoded."""
    return f"<{quote(url, safe=_URL_SAFE)}>" if urlsplit(url).scheme in ("http", "https") else ""


_URL_SAFE = "%/:=&?~#+!$,;'@()*[]-._"


def _origin(reference: Reference) -> str:
    country = f"{reference.country} {database_label(reference.source_type).lower()}" if reference.country else ""
    return escape(reference.agency or country or reference.container or database_label(reference.source_type))


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {escape(name)}" for name, number in counts.items()) or "none"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
