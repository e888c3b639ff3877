"""Reads which other treatment all groups of a study received, whichever of them got the drug."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm.evidence.subjects import compile_name_pattern
from storm.evidence.title_words import write_as_in_sentence
from storm.syllabus.drug_names import DRUG_NAME

_PEOPLE = r"(?:patients|subjects|participants|women|men|children|infants|adults|volunteers|groups|arms)"
#: "All patients received insulin", "both groups were treated with metformin".
_ALL_RECEIVED = re.compile(
    rf"(?<!not )(?<!nearly )(?<!almost )\b(?:all|both) (?:of )?(?:the )?(?:\w+ )?{_PEOPLE} (?:in both (?:groups|"
    rf"arms) )?"
    r"(?:also |additionally |concomitantly |concurrently )?"
    r"(?:received|were (?:also )?(?:given|treated with|maintained on|receiving|on|taking)|continued(?: on)?|took) "
    r"(?P<what>[^.;:()\[\]]{3,80})",
    re.I,
)
#: "Zorvimab added to metformin", "zorvimab as an adjunct to lithium".
_ADDED = re.compile(
    r"^[^.;:]{0,60}?\b(?:added to|(?:as )?(?:an )?(?:add-on|adjunct(?:ive)?)(?: therapy| treatment)? to|"
    r"on top of|on a background of|(?:versus|vs|or|and) placebo,? (?:both )?in combination with) "
    r"(?P<what>[^.;:()\[\]]{3,80})",
    re.I,
)
_STOP = re.compile(
    r",? (?:over|along|according|(?:is|was|are|were|has|had|did|does|produced?s?|resulted|led|extended|prolonged|"
    r"increased|decreased|showed|significantly|improved|reduced|lower(?:ed|s)|raised|reduces|improves|increases|decreases|"
    r"caused|gave|yielded|relieve[ds]|prevent(?:ed|s)|shortened|delayed|enhance[ds]|attenuate[ds]|controlled|failed|helped|"
    r"provided)\b|for|at|during|before|after|until|throughout|prior|while|when|if|as|in|by|via|to|on|who|which|from|"
    r"(?:and|or) (?:\d+|were|was|then|all|both|had|placebo|either|randomi[sz]ed))\b|, ",
    re.I,
)
#: Treatments that no name of a drug shows.
_TREATMENT = re.compile(
    r"\b(?:chemotherapy|radiotherapy|radiation|chemoradi\w+|interferon|peg-?interferon|ribavirin|insulin|diuretics?|"
    r"calcium|vitamin D|iron|oxygen|an(?:a)?esthe\w+|immunosuppress\w+|corticosteroids?|steroids?|bronchodilators?|"
    r"antibiotics?|electroconvulsive therapy|physiotherapy|psychotherapy|standard (?:of )?(?:care|treatment|therapy)|"
    r"usual care)\b",
    re.I,
)
#: What was tried, not given beside it.
_ON_TRIAL = re.compile(
    r"^(?:no|prior|rescue|similar|less)\b|\b(?:previous(?:ly)?|relapse|progression|placebo|study (?:drug|medication)|"
    r"same|either|one of|randomi[sz]ed|versus|vs)\b",
    re.I,
)
#: Words of another time, another arm, or of what is usual.
_ELSEWHEN = re.compile(
    r"\b(?:after|before|prior to|at) (?:the )?(?:progression|relapse|enrol\w+|inclusion|study entry)\b|, then\b|"
    r"\bcompared\b|"
    r"\bversus\b|\bapproved\b",
    re.I,
)
_PLACEBO = re.compile(r"\b(?:versus|vs) placebo\b", re.I)
_NEAR = 40
_LONGEST = 70
#: Characters after the drug that are read.
_REACH = 150


def read_shared_treatment(title: str, abstract: str, names: Sequence[str]) -> str:
    """The other treatment that the title or the abstract says all groups received, in the words of the record; empty
    if it says of none."""
    own = compile_name_pattern(tuple(names))
    found = next(_find_treatments(f"{title}.\n{abstract}", own), "")
    return write_as_in_sentence(found, title, abstract) if found else ""


def _find_treatments(text: str, own: re.Pattern[str]) -> Iterator[str]:
    added = [_ADDED.match(text[drug.end() : drug.end() + _REACH]) for drug in own.finditer(text)]
    for found in filter(None, (*added, *_ALL_RECEIVED.finditer(text))):
        if _ELSEWHEN.search(found.string[: found.start()][-_NEAR:]) or _ELSEWHEN.search(_PLACEBO.sub("", found[0])):
            continue
        what = re.sub(r"^(?:an?|the) ", "", _STOP.split(found["what"], maxsplit=1)[0].strip())
        is_treatment = DRUG_NAME.search(what) or _TREATMENT.search(what)
        if is_treatment and len(what) <= _LONGEST and not (own.search(what) or _ON_TRIAL.search(what)):
            yield what
