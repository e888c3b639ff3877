"""DSPy metrics of the roles that work on hypotheses: scores from 0 to 1, made without a search or a model.

An example has the inputs of the role, and what its metric names besides. A prediction without a result scores 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from storm.agents.count_claims import Tally, find_count_fault
from storm.agents.repurposing_material import list_statements
from storm.agents.repurposing_summary import count_round
from storm.agents.stated_links import names_link
from storm.agents.written_hypotheses import mechanism_key
from storm.agents.written_reasons import word_statement
from storm.models import (
    Assessment,
    Hit,
    Hypotheses,
    HypothesisLink,
    MechanismHypothesis,
    Score,
    Statement,
    SummaryText,
)
from storm.models.names import split_words
from storm.models.repurposing import LONGEST_SUMMARY, NOT_STATED, SHORTEST_SUMMARY
from storm.ranking import split_sentences

#: Weights of the parts of a score of hypotheses, of an assessment and of a summary; each sum is 1.
STATED, DISTINCT, OWN_DRUG = 0.6, 0.2, 0.2
AGREEING, RESTING = 0.5, 0.5
LENGTH, NUMBERS, WHOLE = 0.3, 0.5, 0.2
#: Scores that differ by no more than this from those of the rules agree with them; by twice as much, not at all.
BAND = 3.0
#: The links of a hypothesis after its drug.
_LINKS = ("target", "pathway", "effect")
#: What is left of a template or of a prompt.
_LEFT_OVER = re.compile(
    r"[{}]|<untrusted|\[\[|__|\b(?:src|cit)_\d|[(\[][SRH]\d{1,2}(?:, ?[SRH]\d{1,2})*[)\]]|"
    r"\b(?:statements?|records?|hypothes[ie]s) [SRH]\d{1,2}\b"
)


def hypotheses_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.hypotheses` for `example.plan`: links that are stated by the quotes given for them, mechanisms
    that differ, the plan's drug. 0 if there is none."""
    hypotheses: Hypotheses | None = prediction.get("hypotheses")
    if hypotheses is None or not hypotheses.proposed:
        return 0.0
    return rate_hypotheses([(one.hypothesis, one.basis) for one in hypotheses.proposed], example.plan.names)


def assessment_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.assessment`: whether its scores are near those of the rules (`example.by_rules`), and whether
    they rest on statements of `example.findings`."""
    assessment: Assessment | None = prediction.get("assessment")
    if assessment is None:
        return 0.0
    by_rules: Assessment = example.by_rules
    pairs = ((assessment.mechanism, by_rules.mechanism), (assessment.clinical, by_rules.clinical))
    agreeing = fmean(_agreement(by_model.value, rules.value) for by_model, rules in pairs)
    return AGREEING * agreeing + RESTING * rate_grounds(assessment, list_statements(example.findings))


def summary_metric(example: Any, prediction: Any, trace: Any = None) -> float:
    """Scores `prediction.summary` of `example.last` for `example.plan` and `example.findings`."""
    summary: SummaryText | None = prediction.get("summary")
    if summary is None or not summary.text:
        return 0.0
    statements = [one.statement for one in list_statements(example.findings).values()]
    hits = {name: one.hit for one in example.get("sources", ()) for name in (one.source_id, *one.aliases)}
    return rate_summary(summary.text, count_round(example.plan, example.last), statements, hits)


def rate_hypotheses(
    hypotheses: Sequence[tuple[MechanismHypothesis, Sequence[HypothesisLink]]], names: Sequence[str]
) -> float:
    """The share of links that are stated, of mechanisms that differ, and of hypotheses for the drug of these names."""
    if not hypotheses:
        return 0.0
    own = {" ".join(split_words(name)) for name in names}
    stated = fmean(_is_stated(link, one, basis) for one, basis in hypotheses for link in _LINKS)
    distinct = len({mechanism_key(one) for one, _ in hypotheses}) / len(hypotheses)
    drug = fmean(" ".join(split_words(one.drug)) in own for one, _ in hypotheses)
    return STATED * stated + DISTINCT * distinct + OWN_DRUG * drug


def rate_grounds(assessment: Assessment, statements: Mapping[str, object]) -> float:
    """How well the scores are grounded: one above 0 has reasons, and rests on statements, all of which exist."""
    return fmean(_rate_score(one, statements) for one in (assessment.mechanism, assessment.clinical))


def rate_summary(
    text: str, tally: Tally, statements: Sequence[Statement], hits: Mapping[str, Hit] | None = None
) -> float:
    """Whether it is one paragraph of the right length, each sentence of which counts right or says a statement, with
    nothing left over of a template. Without the `hits` that are cited, the quotes of the statements count alone."""
    length = SHORTEST_SUMMARY <= len(text) <= LONGEST_SUMMARY and "\n" not in text
    cited_hits = {**_make_hits(statements), **(hits or {})}
    sentences = [span.text for span in split_sentences(text)]
    right = fmean(_is_right(sentence, tally, statements, cited_hits) for sentence in sentences)
    whole = text.rstrip().endswith((".", "!", "?")) and not _LEFT_OVER.search(text)
    return LENGTH * length + NUMBERS * right + WHOLE * whole


def _is_stated(name: str, hypothesis: MechanismHypothesis, basis: Iterable[HypothesisLink]) -> bool:
    """Whether a quote states the link, or it is a field of a record."""
    link: str = getattr(hypothesis, name)
    own = [one.quote for one in basis if one.link == name]
    return link != NOT_STATED and any(not quote or names_link(link, quote) for quote in own)


def _agreement(by_model: float, by_rules: float) -> float:
    """1 within the band, 0 from twice its width on."""
    return min(1.0, max(0.0, 2.0 - abs(by_model - by_rules) / BAND))


def _rate_score(score: Score, statements: Mapping[str, object]) -> float:
    if not score.value and not score.statements:
        return 1.0
    if not score.reasons or not score.statements:
        return 0.0
    return fmean(name in statements for name in score.statements)


def _make_hits(statements: Iterable[Statement]) -> dict[str, Hit]:
    """A record for each source that is cited, whose text is what was quoted of it."""
    quotes: dict[str, list[str]] = {}
    for one in statements:
        for name in one.source_ids[:1]:
            quotes.setdefault(name, []).append(one.quote)
    return {name: Hit.of("report", name, "", "", text="\n\n".join(own)) for name, own in quotes.items()}


def _is_right(sentence: str, tally: Tally, statements: Iterable[Statement], hits: Mapping[str, Hit]) -> bool:
    """Whether a writer of summaries may say it."""
    drug = next(iter(tally.names), "")
    return not find_count_fault(sentence, tally) or any(
        word_statement(sentence, one, drug, hits) for one in statements if one.source_ids
    )
