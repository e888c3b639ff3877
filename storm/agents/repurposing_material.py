"""What the prompts on hypotheses show: the best statements that differ, what records state, the hypotheses themselves.

Each part has at most a fixed length, however much was collected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from storm.agents.earlier_searches import describe_searches
from storm.agents.fencing import fence_text, plain_line
from storm.models import (
    EvidencePiece,
    Finding,
    MechanismHypothesis,
    Plan,
    Relation,
    ReportReference,
    RepurposingRound,
    SearchQuery,
    Source,
    Statement,
    TestedHypothesis,
    Verdict,
)
from storm.models.repurposing import MOST_HYPOTHESES
from storm.ranking.evidence import Embed, choose_diverse, cut_content

#: How many statements and records are shown; the characters of all statements and of one, and of a record.
STATEMENTS, RECORDS = 20, 4
_ROOM, _STATEMENT, _RECORD = 4_800, 600, 160
#: Characters of a hypothesis.
_HYPOTHESIS = 240
#: Characters of all earlier searches; how many names of a disease are shown, and the characters of one.
_EARLIER = 1_000
_NAMES, _NAME = 4, 100


class PlacedStatement(NamedTuple):
    """A statement, and the question that it answers."""

    statement: Statement
    question: str


class RecordFact(NamedTuple):
    """What fields of a source's record state of the drug: its targets and its class."""

    source_id: str
    text: str


def list_statements(findings: Iterable[Finding]) -> dict[str, PlacedStatement]:
    """The statements on the drug, or on its target, that are not unsupported, by their identities."""
    placed: dict[str, PlacedStatement] = {}
    for finding in findings:
        for statement in finding.answer.all_statements:
            if statement.verdict is not Verdict.UNSUPPORTED and not statement.remark:
                placed.setdefault(statement.identity, PlacedStatement(statement, finding.answer.question))
    return placed


def choose_statements(
    placed: Iterable[PlacedStatement],
    plan: Plan,
    targets: Sequence[str] = (),
    most: int = STATEMENTS,
    *,
    embed: Embed | None = None,
) -> list[PlacedStatement]:
    """At most so many statements, those on the disease and the targets first, that differ from each other
    (`storm.ranking.choose_diverse`)."""
    known = {one.statement.identity: one for one in placed}
    pieces = [
        EvidencePiece(content=one.statement.text, citation=ReportReference(title=one.question, identifiers=(identity,)))
        for identity, one in known.items()
    ]
    query = " ".join((*plan.names, *(plan.disease.names if plan.disease else ()), *targets))
    chosen = choose_diverse(pieces, query, most, embed=embed, most_characters=_STATEMENT)
    return [known[piece.citation.identifiers[0]] for piece in chosen]


def list_facts(sources: Iterable[Source], plan: Plan) -> list[RecordFact]:
    """The targets and classes that records of the drug itself state, each once."""
    others = {question.key for question in plan.syllabus.questions if question.names}
    facts: dict[str, RecordFact] = {}
    for source in sorted(sources, key=lambda one: one.hit.key):
        stated = source.hit.facts
        if source.relation is Relation.ITSELF and not set(source.questions) <= others:
            text = "; ".join((*stated.targets, *stated.drug_class))
            if text:
                facts.setdefault(text.casefold(), RecordFact(source.source_id, text))
    return list(facts.values())[:RECORDS]


def label_statements(chosen: Sequence[PlacedStatement]) -> dict[str, PlacedStatement]:
    """The statements by what a prompt calls them: S1, S2 …"""
    return {f"S{number}": one for number, one in enumerate(chosen, start=1)}


def label_facts(facts: Sequence[RecordFact]) -> dict[str, RecordFact]:
    """The facts by what a prompt calls them: R1, R2 …"""
    return {f"R{number}": fact for number, fact in enumerate(facts, start=1)}


def read_labels(said: Iterable[str]) -> list[str]:
    """The labels among what a model named, as they are written here, each once."""
    return list(dict.fromkeys(label.strip(" \"'`[]().").upper() for label in said))


def describe_statements(shown: Mapping[str, PlacedStatement], notes: Mapping[str, str] | None = None) -> str:
    """The statements under their labels, each in its share of the room; `notes` say something of each, by its label."""
    limit = min(_STATEMENT, _ROOM // max(1, len(shown)))
    texts = {label: plain_line(cut_content(one.statement.text, limit), limit) for label, one in shown.items()}
    noted = {label: f"{notes[label]} {text}" if notes else text for label, text in texts.items()}
    return "\n".join(fence_text(text, label) for label, text in noted.items())


def describe_facts(shown: Mapping[str, RecordFact]) -> str:
    """The facts under their labels."""
    return "\n".join(fence_text(plain_line(fact.text, _RECORD), label) for label, fact in shown.items())


def describe_disease(plan: Plan) -> str:
    """The disease, and other names by which texts name it."""
    names = plan.disease.names if plan.disease else ()
    return fence_text(", ".join(plain_line(name, _NAME) for name in names[:_NAMES]), "disease")


def describe_tested(tested: Sequence[TestedHypothesis]) -> str:
    """The hypotheses with their status and the numbers of their sources."""
    lines = (
        f"H{number}: {plain_line(one.mechanism, _HYPOTHESIS)} ({one.status}: {one.supported} sources for, "
        f"{one.contradicted} against)"
        for number, one in enumerate(tested[:MOST_HYPOTHESES], start=1)
    )
    return fence_text("\n".join(lines), "hypotheses") if tested else ""


def describe_proposed(proposed: Sequence[MechanismHypothesis]) -> str:
    """The hypotheses, a line each."""
    lines = (plain_line(one.mechanism, _HYPOTHESIS) for one in proposed[:MOST_HYPOTHESES])
    return fence_text("\n".join(lines), "proposed by rules") if proposed else ""


def describe_earlier(rounds: Sequence[RepurposingRound]) -> str:
    """The latest searches of earlier rounds."""
    return describe_searches((query for one in rounds for made in one.searches.values() for query in made), _EARLIER)


def list_ran(rounds: Sequence[RepurposingRound]) -> set[tuple[str, SearchQuery]]:
    """The searches that earlier rounds ran, each with its question."""
    return {(key, query) for one in rounds for key, made in one.searches.items() for query in made}
