"""Recognises sentences on what became of patients: outcomes, and comparisons of them."""

from __future__ import annotations

import re

from storm.patterns.alternatives import compile_lowered

#: Survival by what befell patients: "DFS was longer in patients with dose reduction".
_SURVIVAL_DIFFERS = re.compile(
    r"\b(?:[DEPR]FS|PFS and OS|OS|(?i:(?:disease|event|progression|relapse|recurrence)-free survival|"
    r"overall survival))\b"
    r"[^.;:]{0,60} (?:was|were) (?:not )?(?:\w+ly )?(?:longer|shorter|different|lower|higher|better|worse|improved|"
    r"similar)\b"
)
#: What survival is made of: "93 patients progressed and 104 died".
_PROGRESSED = re.compile(
    r"\b\d+ (?:[\w()%]+ ){0,3}(?:progressed|relapsed|recurred)\b[^.;]{0,60}\bdied\b(?![^.;]{0,60}\b(?:toxic|failure))",
    re.I,
)
#: A clinical outcome together with a comparison or a test is a result, even if the sentence also names a target.
_OUTCOME = compile_lowered(
    r"\b(?:survival|PFS|ORR|response rates?|remissions?|relapses?|recurrences?|mortality|deaths?|pain|VAS|NRS|blood "
    r"pressure|[SD]?BP|HbA1c|A1C|C-peptide|symptoms?|exacerbations?|seizures?|attacks?|healing|hospitali[sz]ations?|"
    r"fractures?|cure|quality of life|success rates?|disability|c?troponins?|c?Tn[IT]|CK-MB)\b"
)
#: What became of patients is no mechanism, whatever predicted it.
_OF_PATIENTS = re.compile(
    r"\b(?:clinical |significant )?benefits? (?:of|in|from|was|were|with)\b(?!.{0,200}\b(?:due to|mediated|through|"
    r"via)\b)|"
    r"\bpredictors? of (?:the )?(?:clinical )?response\b|\b(?:overall|progression-free) survival\b|"
    r"\bnon-?inferior to\b",
    re.I,
)
#: How the drug passes through the body.
_KINETICS = re.compile(
    r"\b(?:pharmacokinetics?|LLOQ|limit of quantification|tmax|absorption of|Cmax|C max|half-li(?:fe|ves)|"
    r"(?<!creatinine )(?<!viral )(?<!parasite )(?<!lesion )"
    r"(?<!mucus )(?<!urea )clearance|bioavailability)\b",
    re.I,
)
#: How long and how much was given, which is no effect.
_CONDUCT = re.compile(
    r"\bduration of (?:the )?(?:study |drug )?(?:infusions?|treatment|therapy|exposure|administration)\b|"
    r"\btreatment durations?\b|\bcontinued for longer\b|\bend-(?:tidal|expiratory) concentrations?\b|"
    r"\btime from randomi[sz]ation to (?:the )?(?:start|beginning|first dose)\b|"
    r"\b(?:(?:intended|planned) (?:\w+ )?|cumulative |total )(?:(?:study )?drug )?doses?\b|\bdose intensit\w+|"
    r"\bchanges? (?:in|of) (?:their|the) (?:\w+ ){0,2}(?:medication|treatment) (?:doses?|dosing) or timing\b",
    re.I,
)
#: How much of a substance was found in a body, and the substances that stand neither for a disease nor for harm.
_LEVEL = re.compile(
    r"\b(?:serum|plasma|blood|urinary|urine|salivary|saliva|CSF|cerebrospinal fluid|tissue|circulating) (?P<before>"
    r"(?:[\w-]+ ){1,3})(?:levels?|concentrations?|decrements?|increments?)\b|"
    r"(?<![\w-])(?P<named>[\w-]{1,40}) (?:serum|plasma|blood) (?:levels?|concentrations?)\b(?: of (?P<of>[\w-]+))?|"
    r"\b(?:levels?|concentrations?) of (?:serum|plasma|blood|circulating|urinary|salivary) "
    r"(?P<after>[\w-]+(?:,? (?:and )?[\w-]+){0,2})",
    re.I,
)
_MARKER = re.compile(
    r"endorphin|enkephalin|\bS-?100|cytokine|chemokine|interleukin|\bIL-?\d|\bTNF|neurotroph|\bBDNF|\bNGF|\bVEGF|"
    r"glutamate|glutamine|\bGABA|serotonin|dopamine|noradrenalin|adrenalin|epinephrine|catecholamine|substance P|"
    r"nitric oxide|nitrite|malondialdehyde|adiponectin|leptin|\bMMP-?\d|\bNSE\b|enolase",
    re.I,
)
#: An outcome that goes with a level, or by which the patients were told apart.
_GOES_WITH = re.compile(r"\bcorrelat\w+|\b(?:associated|related) (?:with|to)\b|\bsubjects (?:with|in)\b", re.I)
#: What a drug does to germs in a laboratory.
_SPECTRUM = re.compile(
    r"\b(?:possess\w*|has|have|had|shows?|showed|exhibit\w*) (?:[\w-]+ ){0,3}(?:bactericidal|bacteriostatic|"
    r"antibacterial|antimicrobial|antifungal|antiviral) (?:activity|effects?|spectrum)\b",
    re.I,
)
_TESTED_IN_PATIENTS = re.compile(r"\bplacebo\b|\bp ?[<=≤]", re.I)
#: What a drug is given to avert, and that it did: no harm of the drug.
_AVERTED = (
    r"(?:deaths?|mortality|hospitali[sz]ations?|myocardial infarctions?|heart attacks?|strokes?|"
    r"(?:major |adverse ){0,2}cardiovascular events?|vascular events?|revasculari[sz]ations?|exacerbations?|"
    r"(?:consumption|use) of (?:\w+ ){0,2}(?:morphine|opioids?|analgesics?)|"
    r"(?:morphine|opioid|analgesic) (?:consumption|use|requirements?))"
)
_FEWER = r"(?:reduc\w{1,5}|lower(?:ed|ing)?|decreas\w{1,3}|fewer|cut|less)"
_AVERTS = compile_lowered(rf"\b{_FEWER}\b[^.;]{{0,80}}\b{_AVERTED}\b|\b{_AVERTED}\b[^.;]{{0,80}}\b{_FEWER}\b")
#: What harms, whatever else became less.
_HARMS = re.compile(
    r"\badverse (?!cardiovascular)|\bside effects?|toxic|bleeding|h(?:a)?emorrhag|discontinu|\bharm|tolerat|\bsafe",
    re.I,
)
_COMPARED = compile_lowered(
    r"\bsignificantly (?:reduc|increas|improv|lower|prolong|decreas)\w*|"
    r"\b(?:compared (?:with|to)|than|versus|vs\.?|differences?|superior|inferior|respectively|(?:hazard|odds|risk) "
    r"ratio)\b|\bp\s?[<=>≤≥]\s?0?[.·]\d"
)
_TWO_SHARES = re.compile(r"\d ?%[^;]{1,160}\d ?%")


def names_outcome_of_patients(text: str) -> bool:
    """Whether a sentence names a clinical outcome, such as survival or pain."""
    return _OUTCOME.search(text.lower()) is not None


def is_compared(text: str) -> bool:
    """Whether a sentence compares, or tests a difference."""
    return _COMPARED.search(text.lower()) is not None


def gives_two_shares(text: str) -> bool:
    """Whether a sentence gives two percentages, as of two groups."""
    return _TWO_SHARES.search(text) is not None


def is_of_patients(text: str) -> bool:
    """Whether a sentence is on the benefit, the response or the survival of patients, whatever it depended on."""
    return _OF_PATIENTS.search(text) is not None


def is_on_kinetics(text: str) -> bool:
    """Whether a sentence is on how a drug passes through the body."""
    return _KINETICS.search(text) is not None


def is_on_conduct(text: str) -> bool:
    """Whether a sentence is on how long, or how much of, a treatment was given."""
    return _CONDUCT.search(text) is not None and not names_outcome_of_patients(text)


def is_on_marker(text: str) -> bool:
    """Whether a sentence is on how much was found in a body of a substance that stands neither for a disease nor for
    harm, without an outcome or as what goes with it; or on what a drug does to germs in a laboratory."""
    of_patients = names_outcome_of_patients(text)
    if _SPECTRUM.search(text):
        return not (of_patients or _TESTED_IN_PATIENTS.search(text))
    if of_patients and not _GOES_WITH.search(text):
        return False
    return any(_MARKER.search(named) for level in _LEVEL.finditer(text) for named in level.groups("") if named)


def averts_outcome(text: str) -> bool:
    """Whether a sentence says that a drug made fewer of what it is given against, such as deaths, and of no harm."""
    return _AVERTS.search(text.lower()) is not None and not _HARMS.search(text)


def compares_survival(text: str) -> bool:
    """Whether a sentence compares survival, or counts those who progressed and died."""
    return bool(_SURVIVAL_DIFFERS.search(text) or _PROGRESSED.search(text))
