"""Describe posted ClinicalTrials.gov results in sentences: outcomes with their comparisons, and adverse events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from storm.databases.formats.clinicaltrials_results import list_subgroups, name_other_events
from storm.databases.formats.fields import as_list, as_mapping, end_sentence, text_line
from storm.databases.formats.markdown_escapes import unescape_line

#: Statistics that a value itself shows, and spreads that have a shorter name.
_PLAIN_NUMBERS = ("", "NUMBER", "COUNT_OF_PARTICIPANTS", "COUNT_OF_UNITS")
_SPREADS = {
    "standard deviation": "SD", "standard error": "SE", "inter-quartile range": "IQR", "full range": "range",
}  # fmt: skip
#: Limits on the outcomes in a study's text, and on the values of one outcome; the longest studies have hundreds.
MAX_OUTCOMES = 12
MAX_VALUES = 12
#: Outcomes that are described although they are not primary.
_DEATHS = re.compile(r"\b(?:mortality|deaths?|died|overall survival)\b", re.I)
_MAX_COMPARISONS = 6
#: What is counted of each arm (deaths whatever their cause), with the beginning of the fields' names.
_ADVERSE_EVENTS = (("Deaths from any cause", "deaths"), ("Serious adverse events", "serious"))


def describe_outcomes(module: Mapping[str, Any]) -> str:
    """One paragraph for each primary outcome, and for the first two others on deaths; "" if none has values."""
    measures = [as_mapping(item) for item in as_list(module.get("outcomeMeasures"))]
    shown = [item for item in measures if item.get("type") == "PRIMARY"][:MAX_OUTCOMES]
    shown += [item for item in measures if item not in shown and _DEATHS.search(unescape_line(item.get("title")))][:2]
    return "\n\n".join(text for text in map(_describe_result, shown) if text)


def describe_adverse_events(module: Mapping[str, Any]) -> str:
    """One paragraph for each kind of adverse event: how many of each arm had it; "" if nothing is counted."""
    groups = [as_mapping(item) for item in as_list(module.get("eventGroups"))][:MAX_VALUES]
    sentences = []
    for kind, name in (*_ADVERSE_EVENTS, (name_other_events(module), "other")):
        counts = [
            f"{title} {item[f'{name}NumAffected']} of {item[f'{name}NumAtRisk']}"
            for item in groups
            if (title := unescape_line(item.get("title")))
            and type(item.get(f"{name}NumAffected")) is int
            and type(item.get(f"{name}NumAtRisk")) is int
        ]
        sentences += [end_sentence(f"{kind}: {'; '.join(counts)}")] if counts else []
    return "\n\n".join(sentences)


def _describe_result(measure: Mapping[str, Any]) -> str:
    """Describe an outcome in one sentence: each group's value, then the comparisons of the groups."""
    values = list(_read_values(measure))
    title = unescape_line(measure.get("title"))
    if not values or not title:
        return ""
    frame = unescape_line(measure.get("timeFrame"))
    reported = f"{title}{f' ({frame})' if frame else ''}: {'; '.join(values[:MAX_VALUES])}"
    analyses = zip(map(as_mapping, as_list(measure.get("analyses"))), list_subgroups(measure), strict=True)
    compared = [
        f"{subgroup}: {text}" if subgroup else text
        for analysis, subgroup in islice(analyses, _MAX_COMPARISONS)
        if (text := _describe_comparison(analysis))
    ]
    return end_sentence("; ".join([reported, *compared]))


def _read_values(measure: Mapping[str, Any]) -> Iterator[str]:
    groups = {
        text_line(item.get("id")): unescape_line(item.get("title"))
        for item in map(as_mapping, as_list(measure.get("groups")))
    }
    unit, statistic = unescape_line(measure.get("unitOfMeasure")), text_line(measure.get("paramType"))
    kind = "" if statistic in _PLAIN_NUMBERS else statistic.replace("_", " ").lower() + " "
    for group in map(as_mapping, as_list(measure.get("classes"))):
        for category in map(as_mapping, as_list(group.get("categories"))):
            part = " ".join(
                text for text in (unescape_line(group.get("title")), unescape_line(category.get("title"))) if text
            )
            for value in map(as_mapping, as_list(category.get("measurements"))):
                name = groups.get(text_line(value.get("groupId")), "")
                number = unescape_line(value.get("value"))
                if number not in ("", "NA") and name:
                    group_name = f"{name}, {part}" if part else name
                    yield f"{group_name} {kind}{number}{_format_spread(value, measure)}{f' {unit}' if unit else ''}"


def _format_spread(value: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    """ " (95% CI 13 to 18)", " (SD 4.1)"; the kind of spread as the registry states it, or shorter."""
    low, high = unescape_line(value.get("lowerLimit")), unescape_line(value.get("upperLimit"))
    kind = unescape_line(measure.get("dispersionType"))
    kind = _SPREADS.get(kind.casefold(), kind.replace("Confidence Interval", "CI"))
    if low and high:
        return f" ({f'{kind} ' if kind else ''}{low} to {high})"
    spread = unescape_line(value.get("spread"))
    return f" ({kind or '±'} {spread})" if spread else ""


def _describe_comparison(analysis: Mapping[str, Any]) -> str:
    kind, value = unescape_line(analysis.get("paramType")), unescape_line(analysis.get("paramValue"))
    low, high = unescape_line(analysis.get("ciLowerLimit")), unescape_line(analysis.get("ciUpperLimit"))
    level, p_value = unescape_line(analysis.get("ciPctValue")), unescape_line(analysis.get("pValue"))
    parts = [f"{kind} {value}"] if kind and value else []
    parts += [f"{level}% CI {low} to {high}"] if level and low and high else []
    parts += [f"P{p_value if p_value[0] in '<>=≤≥' else f'={p_value}'}"] if p_value else []
    return ", ".join(parts)
