"""Words by which a sentence gives values of groups, or counts events, as patterns."""

from __future__ import annotations

import re

from storm.patterns.alternatives import compile_lowered

AMOUNT = r"(?<![\w.·])[−–-]?\d+(?:[.·]\d+)?"
UNIT = r"(?:%|ml|mm|cm|mg|g|kg|h|hours?|min(?:utes?)?|days?|weeks?|months?|points?)\b"
#: Two shares and their test, however they are worded: "efficacy would be 86% for zorvimab and 95% … (p = 0.21)".
TESTS_SHARES = compile_lowered(rf"{AMOUNT}\s?%[^;]{{1,120}}?{AMOUNT}\s?%[^;]{{1,80}}\bp\s?[<=>]")
#: Values of two groups, events counted in a group, and the absence of an effect.
OF_GROUPS = compile_lowered(
    rf"{AMOUNT}\s?%[^;]{{1,120}}?{AMOUNT}\s?%|"
    rf"{AMOUNT}[^;,.()]{{0,25}} (?:vs\.?|versus|compared with|as against) {AMOUNT}|"
    rf"{AMOUNT}\s?±[^;]{{1,120}}?{AMOUNT}\s?±|"
    rf"\b(?:group|arm)\b[^;]{{0,40}}{AMOUNT} ?{UNIT}[^;]{{1,60}}\b(?:groups?|arm|placebo|controls?)\b[^;.]{{0,30}}"
    rf"{AMOUNT} ?{UNIT}|"
    r"\b(?:events?|cases?|deaths?|reactions?|episodes?|bleeding|hypotension)\b[^;]{0,80} (?:was|were) recorded in\b|"
    r"\bno (?:[\w-]+ ){0,6}(?:effects?|events?|reactions?|differences?|changes?|deaths?|relapses?|cases?|toxicity)\b"
    r"[^;]{0,60} (?:was|were) (?:recorded|obtained|measured|observed|seen|noted|reported|found|detected)\b"
)
#: Events with their numbers: "headache (7.4%)", "adverse events … in six patients … (n = 2)".
EVENTS_COUNTED = compile_lowered(
    r"\b(?:adverse|S?AEs|side effects?|toxicit\w+|reactions?|nausea|vomiting|headaches?|dizziness|diarrh\w+|rash|"
    r"bleeding|infections?|deaths?)\b[^;]{0,160}(?:\d\s?%|\(n ?= ?\d)|"
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?deaths?\b|"
    r"\d\s?%[^;]{0,80}\b(?:reported|had|experienced|developed) (?:\w+ ){0,2}"
    r"(?:adverse|S?AEs|side effects?|reactions?)\b"
)
#: Values of groups that are not results: patient characteristics and sizes of groups.
OF_PATIENTS = re.compile(
    r"\bbase-?line\b|\bages?d?\b|\bmales?\b|\bfemales?\b|"
    r"\b(?:was|were) (?:administered|given|enrol\w+|recruited|screened|included|excluded)\b|\bcompleted the\b|"
    r"\bdoses?\b|\bdosage\b",
    re.I,
)
