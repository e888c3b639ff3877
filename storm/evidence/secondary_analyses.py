"""Recognises secondary analyses of trials, by the title and the abstract of a paper in small letters."""

from __future__ import annotations

import re

from storm.patterns.alternatives import compile_alternatives

#: Titles of secondary analyses of a trial.
_SECONDARY = re.compile(
    r"\bpost[- ]?hoc\b|\bsub-?(?:group )?(?:analys[ei]s|stud(?:y|ies))\b|\bsecondary analys[ei]s\b|\bancillary\b|"
    r"\bpooled (?:[\w-]+ ){0,3}analys[ei]s\b|\bjoint analys[ei]s of\b|\bintegrated (?!bioinform|omics|"
    r"transcript)(?:\w+ ){0,2}analys[ei]s\b|"
    r"\bexploratory analys[ei]s\b|\banalys[ei]s of (?:data )?(?:from )?(?:[\w-]+ ){0,6}trials?\b|"
    r"\b(?:insights|findings|data|lessons|outcomes) from (?:the|a) (?!(?:[\w-]+ ){0,4}(?:longitudinal|cross-sectional|"
    r"cohort|observational|qualitative|registry|survey)\b)[\w -]{3,60}\b(?:trial|study)\b|"
    r"\bin the [\w-]+(?: outcomes?)? (?:trial|study)$|\bsub-?group of (?:the )?patients\b|"
    r"\bpatients (?:enrolled )?in the [\w-]+ (?:randomi[sz]ed )?(?:\w+ )?trial$|\banalyses (?:of|from) the\b|"
    r"\bindirect (?:treatment )?comparison\b"
)
#: Abstracts of secondary analyses. Any trial may mention a post hoc test or subgroups, so more words are required.
_LOOKS_AGAIN = re.compile(
    r"\b(?:this|present|current|our|was|were|is|an?(?= [^.]{3,80} (?:of|from|used)\b)) (?:an? )?(?:pre-?(?:planned|"
    r"specified) |exploratory |retrospective ){0,2}(?:post[- ]?hoc|secondary|ancillary|pooled|sub-?group|"
    r"sub-?study)(?: (?:exploratory|sub-?group|pooled))?(?: analys[ei]s| of the)(?: (?:of|from|used|included|compared|"
    r"evaluated|examined|assessed|investigated)|\.|,| )|"
    r"\b(?:post[- ]?hoc|secondary|pooled) (?:\w+ )?analys[ei]s (?:of|from) (?!var)|"
    r"\b(?:retrospective|exploratory) (?:\w+ )?analys[ei]s (?:of|from) (?:[\w-]+ ){0,6}(?:trials?|randomi[sz]ed)\b|"
    r"\bdata (?:\w+ )?(?:from|of) (?:the |all )?(?:\w+ ){0,2}(?:two|three|four|five|six|\d{1,2}|several|"
    r"phase \S+) (?:[\w-]+ ){0,5}(?:trials|studies)\b|"
    r"\bwe (?:have )?previously reported that\b[^.]{0,200}\b(?:trial|randomi)|"
    r"\b(?:samples|specimens|tissues?|tumou?rs|biopsies) (?:\w+ ){0,3}from (?:\d+ )?(?:patients|subjects|participants|"
    r"women|men|children) (?:(?:enrolled |randomi[sz]ed |included )?in|(?:recruited|enrolled|"
    r"randomi[sz]ed) into) the (?!present|current)(?:[\w-]+ ){0,3}(?:study|trial)\b|"
    r"\bpooled data\b|\bindirect (?:treatment )?comparison\b|"
    r"\bpatients (?:enrolled |randomi[sz]ed )?in the [\w-]+ (?:study|trial) were analy[sz]ed\b"
)
#: Without one of these words it is not trials whose data were analysed again.
_OF_TRIALS = compile_alternatives(
    r"\btrials?\b|\brandomi[sz]|\brcts?\b|\bphase (?:[1-4]|i{1,3}v?)[ab]?\b|\bplacebo\b|\([a-z0-9-]{3,12}\) study\b"
)
#: A title that calls itself a cohort study, or at its end a randomised trial.
_NAMES_ITSELF = re.compile(
    r"\b(?:cohort|observational|registry) (?:stud(?:y|ies)|analysis)\b|"
    r"(?:^|[:.,-] ?)(?:[\w-]{1,30},? ){0,7}randomi[sz]ed(?:[ ,-][\w-]{1,30}){0,4} (?:trial|study)\.?$"
)


def is_titled_secondary(title: str) -> bool:
    """Whether a title says that data were analysed again."""
    return _SECONDARY.search(title) is not None


def is_secondary_analysis(title: str, abstract: str) -> bool:
    """Whether the data of trials were analysed again, by the title, or by the abstract if the title says nothing."""
    by_abstract = _LOOKS_AGAIN.search(abstract) and not _NAMES_ITSELF.search(title)
    return bool((is_titled_secondary(title) or by_abstract) and any(map(_OF_TRIALS.search, (title, abstract))))
