"""Reads an effect size from a sentence of a paper, where its endpoint, value and interval are clear, and so is what it
was compared with: named, or left out in a sentence on what the drug did."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from storm.citations.measures import read_values
from storm.citations.results import ReportedResult, read_result
from storm.citations.terms import read_terms
from storm.evidence.comparison import compares_drugs
from storm.evidence.other_effects import is_compared_with
from storm.evidence.subjects import compile_name_pattern
from storm.reports.compared_arms import read_compared_arm
from storm.reports.isolated_comparisons import isolate_comparisons
from storm.reports.unclear_effects import drop_interaction, is_unclear
from storm.syllabus.drug_names import DRUG_NAME

#: What is not a drug by name; the last ones only after words that make them a comparator.
_CONTROL = re.compile(
    r"\b(?:(usual care|standard (?:of )?care|no treatment|observation alone|chemotherapy alone|sham|non-?exposed)"
    r"|(?:compared (?:with|to)|versus|vs\.?|than|relative to) (?:the )?"
    r"(observation|chemotherapy|sul(?:f|ph)onylureas?)(?! alone))\b",
    re.I,
)
#: The same in more words: "versus platinum-based doublet chemotherapy", "compared with 33% in the chemotherapy group".
_REGIMEN = re.compile(
    r"\b(?:compared (?:with|to)|versus|vs\.?|relative to) (?:the )?"
    r"(?:\d[^;,]{0,30} (?:in|with|for|on) (?:the )?)?((?:(?!the |in )[a-z][\w-]+ ){0,3}?chemotherapy)\b",
    re.I,
)
#: A sentence that begins with the drug and tells what it brought about, up to the bracket with the ratio; and one on
#: what was seen in its arm. What stands between has no other clause, cause, comparison or part of the patients.
_LEAD_IN = r"(?:(?:After|At|With|In|During|Over) [^,]{0,80}, )?(?:the addition of |adding |adjuvant |treatment with )?"
_GIVEN_WITH = r"(?: (?:added to|in addition to|plus|therapy|treatment|adjuvant|[\w-]*chemotherapy|daily)){0,6}"
_BRINGS = (
    r" (?:significantly |did not (?:significantly )?)?(?:reduc|improv|prolong|increas|lower|decreas|"
    r"(?:was|were|is) associated with|led to|resulted in)\w*"
)
_ENDPOINT = (
    r"(?: (?!and\b|while\b|but\b|with\b|interaction\b|similar\w*\b|(?:patients?|women|men|people|adults|children|"
    r"participants|tumou?rs?|disease|stage|those|subgroups?)\b(?![- ]free))[\w%-]+){1,12} \("
)
_IN_ARM = (
    r"An? (?:statistically )?(?:significant )?(?:improvement|reduction|increase|decrease|prolongation) (?:in|of)"
    r"(?: (?!and\b)[\w-]+){1,6} was (?:also )?(?:seen|observed|found|reported) (?:for|in|with) (?:the )?"
)
#: How a sentence begins that tells what the drug alone brought about; {name} is the drug.
ALONE = (
    f"{_LEAD_IN}{{name}}{_GIVEN_WITH}{_BRINGS}{_ENDPOINT}",
    rf"{_IN_ARM}{{name}}(?: group| arm)? \(",
    rf"(?:After adjustment, )?{{name}} users(?: in [\w ]{{1,40}}?)? had (?:significantly )?(?:higher|lower|increased|"
    rf"reduced|greater){_ENDPOINT}",
)
#: "Heart failure was five times as likely with the drug as without it".
_HARM = r"([A-Z][\w-]* (?:[a-z][\w-]* ){0,3}?)(?:was|occurred) [^.,;:]{0,60}(?:likely|frequent|common|often) with "
_THAN_WITHOUT = r" (?:as|than) without it \("
#: "… when the drug was added to chemotherapy and … when it was not": chemotherapy alone is the control.
_NOT_ADDED = re.compile(r"\badded to (?:the )?chemotherapy\b[^;]{0,80}\b(?:when|where|if) it was not\b", re.I)
_WITHOUT = "chemotherapy alone"
#: Those of an age, who may be a part of those who took part.
_OF_AN_AGE = re.compile(
    r"\b(?:in|among|for) (?:the )?(?:patients|people|participants|those|adults|women|men|subjects) (?:who were )?"
    r"(?:over|under|above|below|aged|older|younger)\b",
    re.I,
)
#: A clause that is set against what the sentence reports: "Although overall survival was similar, …".
_CONCESSION = re.compile(r"(?:although|though|while|whereas|despite|even though)\b[^,]{1,200}, ", re.I)
#: Outcomes whose risk is another name of an endpoint that has words of its own.
_SAME_OUTCOME = {
    "overall survival": ("death", "dying", "mortality"),
    "progression-free survival": ("progression", "death", "progression or death"),
    "major cardiovascular events": ("mace", "maces"),
    "disease-free survival": ("recurrence", "relapse", "death", "recurrence or death"),
}
#: Outcomes of which a sentence with figures for each arm may count only some kinds.
_OF_MANY_KINDS = ("adverse events", "serious adverse events")
_PLACEBO = "placebo"
_NUMBER = re.compile(r"\d{1,15}(?:[.·]\d{1,15})?")
_LEVELS = ("90%", "95%", "97.5%", "99%")
#: An outcome that no table of endpoints has: "the incidence of diabetes", "the risk of symptomatic hypoglycaemia".
_OUTCOME = re.compile(
    r"\b(?:incidence|risk|odds|hazard|cases) (?:of|for) (?:the |an? )?((?:[a-z][\w-]* ){0,3}?[a-z][\w-]*)"
    r"(?= ?[,;()\[\]]|\.$| (?:with|by|was|were|is|in|for|than|among|between|compared|versus|relative|did|from|during|"
    r"over|after|at|to|when|rose|fell|increased|decreased)\b)",
    re.I,
)
#: An event that is counted: "12 had pancreatitis (", "pancreatitis developed in".
_EVENT = re.compile(
    r"\bhad (?:an? )?((?:(?!an? |the |more |fewer |no |(?:low|high|long|short)er |reduced |increased |better |worse )"
    r"[a-z][\w-]* ){0,3}?[a-z][\w-]*)(?= \()"
    r"|(?:^|, )((?:[A-Za-z][\w-]* ){0,3}?[a-z][\w-]*)(?= (?:developed|occurred) in\b)",
)
#: What tells one endpoint from another of the same name.
_CAUSE = re.compile(
    r"\b(?:all-cause|cardiovascular|in-hospital|non-?fatal|fatal|ischa?emic|ha?emorrhagic|disabling|recurrent|major|"
    r"acute|\d{1,3}-(?:day|week|month|year)|(?:one|two|three|five)-year) $",
    re.I,
)
_TIME = re.compile(
    r" (?:(?:at|within|by|through) (?:day|week|month|year) \d{1,4}|"
    r"(?:at|within|by) \d{1,4} (?:day|week|month|year)s?)\b",
    re.I,
)
#: Characters before an endpoint in which its cause is looked for.
_BEFORE = 20
#: "… was 9.2 months with the drug and 6.1 months with docetaxel": one value of each arm, the drug's first.
ARMS = (
    r"\d[^,;()]{{0,40}} (?:with|for|in|on)(?: the)? {name}(?: group| arm)?,? "
    r"(?:and|versus|vs\.?|compared with|against) \d[^,;()]{{0,40}} (?:with|for|in|on)(?: the)? {other}"
)
#: "Hazard ratio for progression or death, 0.60": what the outcome of the sentence is made of.
_OF_EVENTS = re.compile(
    r"\b((?:hazard|odds|risk|rate) ratio) for (?:[\w-]+ ){0,4}?(?:progression|recurrence|relapse|metastasis)"
    r"(?: of (?:the )?disease)? or death(?: from any cause)?(?=,| \[| \()",
    re.I,
)
_FREE_SURVIVAL = re.compile(r"\b(?:progression|disease|relapse|recurrence|event|metastasis)-free survival\b", re.I)
_OTHER_SURVIVAL = re.compile(r"\boverall survival\b|\bmortality\b", re.I)
#: "relative risk [95% CI] = 0.51 [0.34, 0.75]".
_LEVEL_FIRST = re.compile(r"[\[(](\d\d(?:\.\d)?\s?% CI)[\])](?: =|:|,)? (\d{1,4}\.\d{1,4}) [\[(]([^\[\]()]{3,30})[\])]")


class QuotedEffect(NamedTuple):
    """An effect as the sentence writes it; `is_of_drugs` if it compares the drug with another one. `arm` is what has
    the effect where that is not the drug, but a conjugate of it."""

    endpoint: str
    measure: str
    value: str
    unit: str
    interval: str
    p: str
    comparator: str
    is_of_drugs: bool
    qualifiers: frozenset[str]
    arm: str = ""


def read_effects(quote: str, names: Sequence[str]) -> list[QuotedEffect]:
    """The effects of the drug that a sentence reports, but for those of which it is open what was measured or compared.

    `comparator` is empty where the sentence tells the effect of the drug and names nothing else."""
    quote = _CONCESSION.sub("", quote, count=1) if _CONCESSION.match(quote) else quote
    quote = drop_interaction(_LEVEL_FIRST.sub(r"\2 (\1 \3)", quote))
    if _FREE_SURVIVAL.search(quote) and not _OTHER_SURVIVAL.search(quote):
        quote = _OF_EVENTS.sub(r"\1", quote)
    if is_unclear(quote, names):
        return []
    if effect := _read_comparison(quote, names):
        return [effect]
    read = (_read_comparison(isolated, names) for isolated in isolate_comparisons(quote))
    return [effect for effect in read if effect and effect.endpoint not in _OF_MANY_KINDS]


def _read_comparison(quote: str, names: Sequence[str]) -> QuotedEffect | None:
    """The effect of the drug that a sentence reports; None if it reports several, or it is open of what it is."""
    found = read_result(quote)
    if found is None or not (found.is_relative and found.interval):
        return None
    low, high = found.interval
    if not low <= found.values[0] <= high:  # the number is another one: "HR for 10 mg/kg 0.61"
        return None
    harm = _match_sentence(f"{_HARM}{{name}}{_THAN_WITHOUT}", quote, names)
    comparator = f"no {names[0]}" if harm else _read_comparator(quote, names)
    arm = None if comparator else read_compared_arm(quote, names)
    comparator = arm.treatment if arm else comparator
    if comparator is None or not (comparator or (_is_of_drug_alone(quote, names) and not found.qualifiers)):
        return None
    outcome = harm[1].strip().lower() if harm else _read_outcome(quote)
    endpoint = outcome if outcome.endswith(found.endpoint) else found.endpoint
    if not endpoint or (outcome and not _is_same_outcome(outcome, endpoint)):
        return None
    is_of_drugs = compares_drugs(quote, names) or DRUG_NAME.fullmatch(comparator) is not None
    is_of_drugs = arm.is_drug if arm else is_of_drugs
    return describe_effect(found, quote, endpoint, comparator, is_of_drugs=is_of_drugs)


def describe_effect(
    found: ReportedResult, quote: str, endpoint: str, comparator: str, *, is_of_drugs: bool
) -> QuotedEffect:
    """The result as its quote writes it."""
    p = next((value for value in read_values(read_terms(quote)) if value.label == "p"), None)
    return QuotedEffect(
        endpoint=_name_in_full(endpoint, quote),
        measure=found.measure,
        value=_print_number(found.values[0], quote),
        unit=_spell_unit(found.unit, _print_number(found.values[0], quote), quote),
        interval=_describe_interval(found, quote),
        p=f"{p.bound}{p.token}".removeprefix("=") if p else "",
        comparator=comparator,
        is_of_drugs=is_of_drugs,
        qualifiers=found.qualifiers | ({"of an age"} if _OF_AN_AGE.search(quote) else frozenset()),
    )


def _spell_unit(unit: str, value: str, quote: str) -> str:
    """The unit as the quote writes it behind the value: "mmHg", "mmol/mol"."""
    number = re.escape(value.lstrip("-"))
    written = re.search(rf"{number}\s?({re.escape(unit)}(?:/[A-Za-z]{{1,6}})?)(?![A-Za-z])", quote, re.I)
    return written[1] if unit and written else unit


def _name_in_full(endpoint: str, quote: str) -> str:
    """The endpoint with the cause and the time that the quote gives it: "all-cause mortality at 28 days"."""
    start = quote.lower().find(endpoint)
    if start < 0:
        return endpoint
    end = start + len(endpoint)
    cause, time = _CAUSE.search(quote[max(0, start - _BEFORE) : start]), _TIME.match(quote, end)
    return f"{cause[0] if cause else ''}{endpoint}{time[0] if time else ''}".lower()


def _read_outcome(quote: str) -> str:
    """The only outcome whose risk or incidence the sentence names, in its own words; empty if there is none."""
    named = {match[1].lower() for match in _OUTCOME.finditer(quote)}
    named = named or {(match[1] or match[2]).lower() for match in _EVENT.finditer(quote)}
    return named.pop() if len(named) == 1 else ""


def _is_same_outcome(outcome: str, endpoint: str) -> bool:
    """Whether the outcome whose risk a sentence names is the endpoint that was recognised in it, and no other one."""
    return outcome in endpoint or endpoint in outcome or outcome in _SAME_OUTCOME.get(endpoint, ())


def _print_number(number: Decimal, quote: str) -> str:
    """The number as the quote writes it, with its last zeros."""
    written = [match[0].replace("·", ".") for match in _NUMBER.finditer(quote)]
    digits = max((one for one in written if Decimal(one) == abs(number)), key=len, default=str(abs(number)))
    return f"-{digits}" if number < 0 else digits


def _describe_interval(found: ReportedResult, quote: str) -> str:
    """ "95% CI 0.53 to 0.83"; without its level where the quote does not state it."""
    values = read_values(read_terms(quote))
    level = next((v.token for v in values if v.label == "confidence interval" and v.token in _LEVELS), "")
    ends = " to ".join(_print_number(end, quote) for end in found.interval or ())
    return f"{level} CI {ends}".strip()


def _is_of_drug_alone(quote: str, names: Sequence[str]) -> bool:
    """Whether the sentence says that the drug brought something about, in all who got it."""
    return any(_match_sentence(pattern, quote, names) for pattern in ALONE)


def _match_sentence(pattern: str, quote: str, names: Sequence[str]) -> re.Match[str] | None:
    """The match of a pattern, in which {name} is the drug, at the beginning of the sentence."""
    name = f"(?:{compile_name_pattern(tuple(names)).pattern})"
    return re.match(pattern.replace("{name}", name), quote, re.I)


def _gives_arms(quote: str, names: Sequence[str], other: str) -> bool:
    """Whether the quote gives a value with the drug, and after it one with the other drug."""
    name = f"(?:{compile_name_pattern(tuple(names)).pattern})"
    return re.search(ARMS.format(name=name, other=re.escape(other)), quote, re.I) is not None


def _read_comparator(quote: str, names: Sequence[str]) -> str | None:
    """What the quote compares the drug with: a control, or one other drug; empty if it names neither, None if it names
    several."""
    drug = compile_name_pattern(tuple(names))
    others = {other[0].lower() for other in DRUG_NAME.finditer(quote) if not drug.match(quote, other.start())}
    controls = {(match[1] or match[2]).lower() for match in _CONTROL.finditer(quote)}
    controls = controls or {match[1].lower() for match in _REGIMEN.finditer(quote)}
    if _NOT_ADDED.search(quote):
        controls.add(_WITHOUT)
    if _PLACEBO in quote.lower():
        controls.add(_PLACEBO)
    if len(controls | others) > 1 or is_compared_with(quote, names):
        return None
    if others:
        other = others.pop()
        return other if compares_drugs(quote, names) or _gives_arms(quote, names, other) else None
    return controls.pop() if controls else ""
