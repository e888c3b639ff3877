"""The endpoints by which results of trials are compared: their spellings, and the kind of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum


class EndpointKind(StrEnum):
    """What the values of an endpoint are: a time, the percentage of people who have it, or points on a scale."""

    TIME = "time"
    RATE = "rate"
    SCALE = "scale"


_TIMES = {
    "invasive disease-free survival": r"invasive disease-free survival|\bidfs\b",
    "progression-free survival": r"progression-free survival|\bpfs\b",
    "disease-free survival": r"disease-free survival|\bdfs\b",
    "event-free survival": r"event-free survival|\befs\b",
    "relapse-free survival": r"(?:relapse|recurrence)-free survival|\brfs\b",
    "metastasis-free survival": r"metastasis-free survival|\bmfs\b",
    "overall survival": r"overall survival|\bos\b|\b(?:risk of |hazard ratio for |hr for )death\b|\bmedian survival\b",
    "time to progression": r"time to (?:disease )?progression|\bttp\b",
    "time to treatment failure": r"time to treatment failure",
    "time to recovery": r"time to (?:clinical )?(?:recovery|improvement)",
    "time to relapse": r"time to (?:first )?(?:relapse|recurrence)",
    "duration of response": r"duration of (?:the )?response",
    "length of stay": r"(?:length|duration) of (?:hospital )?stay|hospital stay|duration of hospitali[sz]ation",
}
_RATES = {
    "pathologic complete response": r"patholog\w{1,9} complete (?:response|remission)|\bpcr\b",
    "complete response": r"complete (?:response|remission)",
    "sustained virologic response": r"sustained virologic\w{0,2} response|\bsvr\s?\d{0,2}\b",
    "virological suppression": r"virologic\w{0,2} suppression|viral suppression",
    "ACR20": r"\bacr\s?20\b",
    "ACR50": r"\bacr\s?50\b",
    "ACR70": r"\bacr\s?70\b",
    "PASI 75": r"\bpasi[\s-]?75\b",
    "PASI 90": r"\bpasi[\s-]?90\b",
    "PASI 100": r"\bpasi[\s-]?100\b",
    "response rate": r"(?:response|responder) rates?|\borr\b|objective response|overall response|\bresponders?\b",
    "remission": r"\bremissions?\b",
    "relapse": r"\brelaps(?:es?|ed)\b",
    "exacerbations": r"\bexacerbations?\b",
    "clinical cure": r"(?:clinical |microbiologic\w{0,2} )?cure\b|\bcured\b",
    "death from cardiovascular causes": r"cardiovascular (?:death|mortality)s?|death from cardiovascular causes",
    "mortality": r"\bmortality\b|(?<!programmed )(?<!programmed cell )\bdeaths?\b|\bdied\b|case fatality",
    "major cardiovascular events": r"major (?:adverse )?cardi(?:ac|ovascular) events?|\bmace\b",
    "myocardial infarction": r"myocardial infarctions?",
    "hospitalisation for heart failure": r"hospitali[sz]ations? for heart failure|heart failure hospitali[sz]ations?",
    "stroke": r"\bstrokes?\b",
    "venous thromboembolism": r"venous thromboembol\w+|\bvte\b|deep[- ]vein thromboses|deep[- ]vein thrombosis",
    "major bleeding": r"major (?:bleeding|ha?emorrhage)s?",
    "bleeding": r"\bbleeding\b|\bha?emorrhages?\b",
    "serious adverse events": r"serious adverse (?:events?|effects?|reactions?)|\bsaes?\b",
    "discontinuation because of adverse events": (
        r"\bdiscontinu\w+ (?:\w+ ){0,3}(?:due to|because of|owing to) (?:an )?"
        r"(?:adverse events?|side effects?|toxicity)|"
        r"adverse events? (?:that |which )?(?:leading|led) to (?:\w+ ){0,3}(?:discontinuation|withdrawal)"
    ),
    "treatment-related adverse events": (
        r"(?:treatment|drug)[- ]related (?:\w+ )?adverse (?:events?|effects?|reactions?)"
    ),
    "adverse events": r"adverse (?:events?|effects?|reactions?)|\bteaes?\b|side[- ]effects?",
    "severe hypoglycaemia": r"(?:severe|major) hypoglyc\w+",
    "hypoglycaemia": r"\bhypoglyc\w+",
    "injection-site reactions": r"injection[- ]site reactions?",
    "upper respiratory tract infection": r"upper respiratory tract infections?",
    "urinary tract infection": r"urinary tract infections?",
    "febrile neutropenia": r"febrile neutropenia",
    "neutropenia": r"\bneutropenia\b",
    "thrombocytopenia": r"\bthrombocytopenia\b",
    "anaemia": r"\bana?emia\b",
    "nausea": r"\bnausea\b",
    "vomiting": r"\bvomiting\b",
    "diarrhoea": r"\bdiarrho?ea\b",
    "constipation": r"\bconstipation\b",
    "headache": r"\bheadaches?\b",
    "dizziness": r"\bdizziness\b",
    "somnolence": r"\bsomnolence\b",
    "fatigue": r"\bfatigue\b",
    "rash": r"\brash(?:es)?\b",
    "pneumonia": r"\bpneumonia\b",
    "pneumonitis": r"\bpneumonitis\b",
    "hypotension": r"\bhypotension\b",
    "cardiotoxicity": r"\bcardiotoxicity\b|cardiac dysfunction",
    "myalgia": r"\bmyalgia\b",
}
_SCALES = {
    "HbA1c": r"hba1c|\ba1c\b|gly(?:cosylat|cat)ed ha?emoglobin",
    "fasting glucose": r"fasting (?:plasma |blood |serum )?glucose|\bfpg\b|\bfbg\b",
    "postprandial glucose": r"postprandial (?:plasma |blood )?glucose",
    "body weight": r"\bbody ?weight\b|\bweight (?:loss|gain|change|reduction)\b|\bmean weight\b",
    "body mass index": r"body[- ]mass index|\bbmi\b",
    "waist circumference": r"waist circumference",
    "systolic blood pressure": r"systolic (?:blood pressure|pressure|bp\b)|\bsbp\b",
    "diastolic blood pressure": r"diastolic (?:blood pressure|pressure|bp\b)|\bdbp\b",
    "mean arterial pressure": r"mean arterial (?:blood )?pressure",
    "heart rate": r"heart rate|pulse rate",
    "LDL cholesterol": r"ldl(?:-c\b|[- ]cholesterol)?|low[- ]density lipoprotein(?:[- ]cholesterol)?",
    "HDL cholesterol": r"hdl(?:-c\b|[- ]cholesterol)?|high[- ]density lipoprotein(?:[- ]cholesterol)?",
    "total cholesterol": r"total cholesterol",
    "triglycerides": r"triglycerides?",
    "eGFR": r"(?:estimated )?glomerular filtration rate",
    "ejection fraction": r"(?:left ventricular )?ejection fraction|\blvef\b",
    "C-reactive protein": r"c-reactive protein|\b(?:hs-?)?crp\b",
    "MADRS score": r"\bmadrs\b|montgomery-[åa]sberg depression rating scale",
    "Hamilton depression score": (
        r"\bham-?d(?:[- ]?\d\d)?\b|\bhdrs(?:[- ]?\d\d)?\b|hamilton (?:depression )?rating scale"
    ),
    "PHQ-9 score": r"\bphq-?9\b",
    "PANSS score": r"\bpanss\b",
    "EDSS score": r"\bedss\b",
    "ADAS-Cog score": r"\badas-?cog\b",
    "DAS28": r"\bdas-?28\b",
    "HAQ-DI": r"\bhaq-?di\b",
    "pain score": r"pain (?:scores?|intensity|ratings?)|(?:vas|nrs) (?:scores?|pain)|visual analog(?:ue)? scale",
    "FEV1": r"\bfev\s?\(?1\)?|forced expiratory volume",
    "bone mineral density": r"bone mineral density|\bbmd\b",
    "six-minute walk distance": r"(?:six|6)[- ]min(?:ute)?[- ]walk\w*(?: (?:test |walk )?distance)?|\b6mwd\b",
    "visual acuity": r"visual acuity|\bbcva\b",
    "seizure frequency": r"seizure frequency",
    "migraine days": r"migraine days",
    "annualised relapse rate": r"annuali[sz]ed relapse rate",
    "quality of life": r"quality of life",
}
_KINDS: Mapping[str, EndpointKind] = {
    name: kind
    for kind, table in ((EndpointKind.TIME, _TIMES), (EndpointKind.RATE, _RATES), (EndpointKind.SCALE, _SCALES))
    for name in table
}
#: Scales before rates: a relapse rate is not a percentage of people.
_PATTERNS = {**_TIMES, **_SCALES, **_RATES}
_NAMES = tuple(_PATTERNS)
_ENDPOINT = re.compile("|".join(f"(?P<e{n}>{pattern})" for n, pattern in enumerate(_PATTERNS.values())))


def find_endpoints(text: str) -> Iterator[tuple[str, str]]:
    """Each endpoint that a normalised text names, and the words that name it."""
    for match in _ENDPOINT.finditer(text):
        yield _NAMES[int(str(match.lastgroup)[1:])], match[0]


def kind_of_endpoint(name: str) -> EndpointKind:
    """What the values of the endpoint are."""
    return _KINDS[name]
