"""Checks the hypotheses that a model wrote: each link is named by what it gives for it, or it is not stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from storm.agents.fencing import unfenced_line
from storm.agents.reply_values import Share, Text, Texts, read_entries, read_mapping
from storm.agents.repurposing_material import PlacedStatement, RecordFact, read_labels
from storm.agents.round_searches import SearchReader, WrittenSearch
from storm.agents.stated_links import names_link
from storm.evidence.subjects import compile_name_pattern
from storm.models import (
    HypothesisLink,
    MechanismHypothesis,
    Plan,
    ProposedHypothesis,
    RepurposingRound,
    SearchQuery,
    TestedHypothesis,
)
from storm.models.names import split_words
from storm.models.repurposing import MOST_HYPOTHESES, NOT_STATED, LinkName

#: The most characters of a link.
_MAX_LINK_CHARACTERS = 120
#: The most statements or records that are kept for a link.
_MAX_BASES = 3


class WrittenHypothesis(BaseModel):
    """A hypothesis as the model wrote it."""

    drug: Text = ""
    target: Text = Field(default="", description="what the drug acts on, in the words of a statement or record")
    target_ids: Texts = Field(default=[], description="the ids that state it, for example S3 or R1")
    pathway: Text = Field(default="", description="what changes through the target")
    pathway_ids: Texts = []
    effect: Text = Field(default="", description="the outcome in the disease")
    effect_ids: Texts = []
    confidence: Share = Field(default=0.0, description="from 0 to 1")
    searches: Annotated[list[WrittenSearch], BeforeValidator(read_entries)] = Field(
        default=[], description="searches that would test it"
    )

    _accept_mapping = model_validator(mode="before")(read_mapping)


class PromptMaterial(NamedTuple):
    """The statements and the facts of records that a prompt showed, by their labels."""

    statements: Mapping[str, PlacedStatement]
    facts: Mapping[str, RecordFact]


class WrittenHypotheses(NamedTuple):
    """The hypotheses that can be tested; how many were for another drug, and what is wrong with the others."""

    proposed: tuple[ProposedHypothesis, ...]
    foreign: int
    faults: tuple[str, ...]


def read_hypotheses(
    said: Sequence[WrittenHypothesis], shown: PromptMaterial, plan: Plan, searches: SearchReader
) -> WrittenHypotheses:
    """At most five hypotheses for the plan's drug, each mechanism once; their links are as stated by what was shown."""
    made: dict[str, ProposedHypothesis] = {}
    faults: list[str] = []
    foreign = 0
    own = {" ".join(split_words(name)) for name in plan.names}
    for one in said:
        if one.drug.strip() and " ".join(split_words(unfenced_line(one.drug))) not in own:
            foreign += 1
            continue
        proposed = _make_hypothesis(one, shown, plan)
        if proposed is None:
            faults.append("no link of a hypothesis is named by the statements and records that it gives for it")
        elif mechanism_key(proposed.hypothesis) not in made and len(made) < MOST_HYPOTHESES:
            wanted = searches.read(one.searches)
            faults += wanted.faults
            made[mechanism_key(proposed.hypothesis)] = _add_searches(proposed, wanted.queries)
    if foreign:
        faults.append(f"{foreign} hypotheses are for another drug; all are to be for {plan.names[0]}")
    return WrittenHypotheses(tuple(made.values()), foreign, tuple(dict.fromkeys(faults)))


def keep_tested(
    new: Sequence[ProposedHypothesis], rounds: Sequence[RepurposingRound]
) -> tuple[ProposedHypothesis, ...]:
    """The new hypotheses with those of the last round on which sources say something: what speaks against one must not
    vanish with it. Those that were tested stay as they were if that round found no new source."""
    if not rounds:
        return tuple(new)
    tested = {mechanism_key(one.hypothesis): one for one in rounds[-1].tested}
    before = {
        key: ProposedHypothesis(hypothesis=one.hypothesis, basis=one.basis)
        for key, one in tested.items()
        if one.supported or one.contradicted
    }
    own = {mechanism_key(one.hypothesis): one for one in new}
    if not rounds[-1].new_sources:
        same = {key: _repeat(own[key], one) for key, one in tested.items() if key in own}
        own = {**same, **{key: one for key, one in own.items() if key not in same}}
    untested = [key for key in own if key not in before][: max(0, MOST_HYPOTHESES - len(before))]
    kept = [one for key, one in own.items() if key in before or key in untested]
    return (*kept, *(one for key, one in before.items() if key not in own))


def _repeat(proposed: ProposedHypothesis, tested: TestedHypothesis) -> ProposedHypothesis:
    """The proposal as it was tested, with its new searches."""
    return proposed.model_copy(update={"hypothesis": tested.hypothesis, "basis": tested.basis})


def mechanism_key(hypothesis: MechanismHypothesis) -> str:
    """What is the same for hypotheses of one mechanism, however they are written."""
    return " > ".join(
        " ".join(split_words(link)) for link in (hypothesis.target, hypothesis.pathway, hypothesis.effect)
    )


def _make_hypothesis(said: WrittenHypothesis, shown: PromptMaterial, plan: Plan) -> ProposedHypothesis | None:
    links: tuple[tuple[LinkName, str, list[str]], ...] = (
        ("target", said.target, said.target_ids),
        ("pathway", said.pathway, said.pathway_ids),
        ("effect", said.effect, said.effect_ids),
    )
    stated: dict[str, str] = {}
    basis: list[HypothesisLink] = []
    for name, text, labels in links:
        line = unfenced_line(text)
        bases = _find_basis(name, line, labels, shown, plan.names) if _may_be_link(line, plan) else ()
        if found := list(bases)[:_MAX_BASES]:
            stated[name] = line
            basis += found
    if not stated:
        return None
    hypothesis = MechanismHypothesis(drug=plan.names[0], confidence=said.confidence, **stated)
    return ProposedHypothesis(hypothesis=hypothesis, basis=tuple(basis))


def _may_be_link(line: str, plan: Plan) -> bool:
    """Whether it is a short name of something other than the drug or the disease."""
    words = " ".join(split_words(line))
    names = (*plan.names, *(plan.disease.names if plan.disease else ()), NOT_STATED)
    named = {" ".join(split_words(name)) for name in names}
    return bool(words) and len(line) <= _MAX_LINK_CHARACTERS and words not in named


def _find_basis(
    name: LinkName, line: str, labels: Sequence[str], shown: PromptMaterial, names: Sequence[str]
) -> Iterator[HypothesisLink]:
    """What states the link; a quote states a target only if it names the drug."""
    drug = compile_name_pattern(tuple(names))
    for label in read_labels(labels):
        if label in shown.statements:
            statement = shown.statements[label].statement
            if names_link(line, statement.quote) and (name != "target" or drug.search(statement.quote)):
                yield HypothesisLink(link=name, source_id=statement.source_ids[0], quote=statement.quote)
        elif label in shown.facts and names_link(line, shown.facts[label].text):
            yield HypothesisLink(link=name, source_id=shown.facts[label].source_id)


def _add_searches(proposed: ProposedHypothesis, queries: Mapping[str, tuple[SearchQuery, ...]]) -> ProposedHypothesis:
    texts = dict.fromkeys(query.terms for made in queries.values() for query in made)
    hypothesis = proposed.hypothesis.model_copy(update={"search_suggestions": tuple(texts)})
    return proposed.model_copy(update={"hypothesis": hypothesis, "searches": dict(queries)})
