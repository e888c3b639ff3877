"""Checks that a sentence makes sense without its neighbours."""

from __future__ import annotations

import re

from storm.evidence.instructions import addresses_program
from storm.patterns.alternatives import compile_lowered

#: Characters of a sentence that is neither too short to be informative nor too long to read.
_LENGTHS = range(30, 1_000)
#: A bracket at the end that is not closed: the sentence goes on after what seemed to be its end.
_CUT_OFF = re.compile(r"[(\[][^()\[\]]{0,40}(?:\b(?:no|vs|Inc)|χ\^?2? ?= ?[\d.]{1,8})\.$")
_END = re.compile(r"[.!?][)\]\"'”’»]*$")
#: Words that link a sentence to the one before it and can be ignored.
_JOINING = re.compile(
    r"(?:(?:however|moreover|furthermore|additionally|in addition|also|besides|similarly|likewise|conversely|again|"
    r"(?:in|by) contrast|on the other hand|on the contrary|nevertheless|nonetheless|still|thus|therefore|hence|"
    r"consequently|accordingly|as a result|overall|finally|lastly|interestingly|importantly|notably|of note|indeed|"
    r"in fact|in particular|specifically|second(?:ly)?|third(?:ly)?|first(?:ly)?|and|but|yet|so)(?! to\b| of\b),? )+",
    re.I,
)
#: "In this trial" and "This randomised, double-blind study" refer to the cited paper.
_OWN_PAPER = (
    r"(?! (?:[\w-]+,? ){0,6}?(?:stud(?:y|ies)|trials?|analys[ei]s|meta-analys[ei]s|reviews?|papers?|articles?|reports?|"
    r"works?|cohort|investigation|survey|experiments?|case series|document|guideline|label|investigators)\b)"
)
#: "These results show that …" and "those who …" explain themselves.
_OWN_CLAUSE = r"(?! (?:results?|findings?|data|observations?|numbers|figures)\b[^,;:]{0,60} that\b)"
_OWN_MEMBERS = r"(?! (?:who|whose|with|without|in|on|of|from|aged?|at|not|[a-z]+ed|[a-z]+ing|given|taking)\b)"
_POINTING = (
    rf"(?:(?:this|these|that){_OWN_PAPER}{_OWN_CLAUSE}|those{_OWN_PAPER}{_OWN_MEMBERS}|such|"
    r"the (?:latter|former|other|others|same|aforementioned)|them|its|their|"
    r"both(?= (?:were|are|had|have|did|do|can|may|showed|of (?:these|those|them))\b))\b"
)
#: "It was found that …": the pronoun refers to what follows.
_NOTHING_MEANT = (
    r"(?! (?:(?:is|was|has been|had been|should be|can be|could be|must be|may be|might be|seems?|appears?|remains?|"
    r"became|becomes|would be) ){1,2}(?:\w+ly |also |not |well |now |very |therefore |thus |still ){0,2}"
    r"(?:[\w-]+(?:ed|ible|able|ing|ant|ent)|found|shown|known|thought|seen|likely|unlikely|unclear|unknown|clear|"
    r"worth \w+|true|possible|necessary|difficult|hard|easy|of \w+) (?:to \w+ )?(?:that|whether|if|why|how|when)\b)"
)
_PRONOUN = rf"(?:it{_NOTHING_MEANT}|they|he|she|his|her)\b"
_LEANING = re.compile(
    rf"(?:{_POINTING}|{_PRONOUN}|no such\b|there,|then,|before that\b"
    r"|(?:in|of|among|amongst|at|for|with|during|after|by|on|from|to|under|within|through|despite|based on|due to|"
    r"because of|unlike|like|as for|in addition to|in contrast to|compared (?:with|to)) "
    rf"(?:all |both |each |one |some |most |none |two )?(?:of )?{_POINTING}"
    rf"|(?:in|at|after|on|during|for|by|from|with|within)\b[^,;:]{{1,60}}, {_PRONOUN})",
    re.I,
)

#: "No effect on these parameters": the sentence must name them before it refers to them.
_POINTED_AT = re.compile(
    r"\b(?:these|those) (?:\w+ )?(?:numbers|parameters|variables|measures|markers|values|indices|differences|changes|"
    r"effects|endpoints|outcomes|scores|symptoms|events|complexes|(?:\w+ )?factors|mutations|genes|proteins|cells)\b|"
    r"\bthis (?:nano\w+|formulation|compound|combination|complex)\b|^the resultant\b",
    re.I,
)
#: "Six of these 23 patients": the sentence must have counted them before.
_COUNTED = re.compile(
    r"\b(?:these|those) (\d{1,5}) (?:patients|women|men|children|adults|participants|subjects)\b", re.I
)
#: What is not a result without the endpoint, or the finding, that stands in the sentence before.
_UNNAMED = compile_lowered(
    r"\b(?:any|no) (?:additional|further|added) benefits?\b(?! (?:on|in|for|over|of|to|with)\b)|"
    r"^(?:the )?(?:mean |median |average )?changes? from baseline (?:was|were)\b|"
    r"^(?:the )?treatment differences? between (?:(?! (?:in|for|on|of|regarding|with respect to) )[^.;]){3,80}? "
    r"(?:was|were) [-−]?\d(?!.* (?:in|for) )|"
    r"^the observed (?:increases?|decreases?|changes?|differences?|effects?|reductions?) "
    r"(?!in\b|of\b|on\b|for\b|between\b)\w+ |"
    r"^(?:the )?placebo-(?:subtracted|adjusted|corrected) (?:(?:mean|least[- ]squares?|ls|differences?|changes?) |"
    r"\([^()]*\) ){1,6}(?:was|were)\b(?!.* (?:in|for) )|"
    r"^the (?:upper|lower) (?:limit|bound) of the (?:\d+ ?% )?(?:ci|confidence)\b"
    r"(?!.* (?:in|for the) (?!(?:the )?(?:hazard|odds|risk|difference|ratio|treatment|\w+ (?:group|arm))))|"
    r"^the (?:\w+ )?differences? in (?:the )?(?:ls|least[- ]squares?|adjusted)(?: means?)? (?:between|was|were)\b"
    r"(?!.* (?:in|for) )|"
    r"^(?:(?:however|similarly|besides|moreover|in addition|on the other hand), )?(?:there (?:was|were) )?(?:an?|no) "
    r"(?:statistical(?:ly)? )?(?:significant )?differences? (?:was|were) (?:found|observed|seen|noted|detected) "
    r"(?:in|between|among) (?:the )?[\w -]{3,60} groups?(?: before and after (?:the )?\w+)? ?\([^()]*\)\.?$|"
    r"\bthe probability was\b|^\w+ patients? (?:\([^()]*\) )?(?:was|were) in (?:the|one)\b|"
    r"^there (?:was|were) (?:an? )?(?:statistical(?:ly)? )?(?:significant )?differences? between "
    r"(?:(?! (?:in|for|regarding|with respect to|of) )[^.;()]){3,90} ?\(p[^()]*\)(?: ?\[[^\[\]]*\])?\.?$|"
    r"^(?:abnormal(?:ly)? )?(?:low|high)(?:er)? values\b(?! of\b)|"
    r"^other (?:reasons|causes)\b(?! (?:of|for)\b)|"
    r"^(?:in the [\w-]{2,30} (?:group|arm), )?(?:the )?(?:corresponding|respective) "
    r"(?:values?|figures?|rates?|percentages?|numbers?|results?|proportions?)\b|"
    r"\b(?:with|to|than|from) our (?:trial|stud(?:y|ies)|results|findings|data|cohort)\b|"
    r"\bconfirmed the (?:findings?|results?|effects?)\b(?! (?:of|that|in|from)\b)"
)
#: "Zorvimab reduced them by 2 %": an object without a name.
_OBJECT = re.compile(r"(?:[\w/-]+ ){1,3}[a-z]+(?:ed|es|s) (?:them|it)\b", re.I)
_SAID_BEFORE = re.compile(r"[,;:(]|\b(?:and|or|in)\b", re.I)
#: The start of a sentence that withdraws or limits the statement before it.
_TAKING_BACK = re.compile(
    r"(?:(?:however|but|yet|nevertheless|nonetheless|conversely|(?:in|by) contrast),? )?"
    r"(?:(?:this|these|the|such) (?:\w+ ){0,2}?(?:trends?|differences?|effects?|increases?|decreases?|reductions?|"
    r"improvements?|benefits?|associations?|results?|findings?|changes?|prolongations?|superiority)|it|they)\b"
    r"(?: \w+){0,4}? (?:(?:was|were|became) (?:\w+ )?(?:reversed|lost|abolished|no longer|not (?:\w+ )?(?:significant|"
    r"maintained|sustained|confirmed)|non-?significant|(?:\w+ )?only|attenuated)|"
    r"reversed|disappeared|did not (?:reach|remain|persist)|(?:only )?(?:reached|remained) significan\w+ only)\b|"
    r"(?:however|but|yet),? (?:\w+,? )?(?:there (?:was|were) )?(?:no|not any) (?:\w+ ){0,2}differences? "
    r"(?:significant |found |observed |seen )?between the (?:two )?(?:drugs|groups|arms|treatments)(?=\.| ?\()",
    re.I,
)


#: Serious harm is reported whatever follows, because tests on few events show little.
_GRAVE = re.compile(r"\b(?:serious|severe|fatal|died|deaths?|life-threatening|suicid\w+)\b", re.I)


#: A group by its number or letter, if no name in brackets explains it.
_NUMBERED_GROUP = re.compile(
    r"\b(?:group|arm|cohort)s?[ -]([1-9]|I{1,3}|IV|[A-E])\b(?! ?\[| ?\((?=[^()]*[a-z]{4}))", re.I
)
#: What one of them, without an explanation, had more or less of than another: "was lower in group I".
_MORE_IN_ONE = re.compile(
    rf"\b(?:lower|higher|less|more|greater|fewer|shorter|longer|better|worse) (?:in|for|with|among) (?:the )?"
    rf"{_NUMBERED_GROUP.pattern}(?!,? (?:which |who |that )?(?:receiv|treated|given|with)\w*)",
    re.I,
)


def has_unexplained_groups(sentence: str) -> bool:
    """Whether it compares groups by numbers or letters that it does not explain: "in group 1 and in group 2", "was
    lower in group I"."""
    named = {found[1].lower() for found in _NUMBERED_GROUP.finditer(sentence)}
    return len(named) > 1 or bool(_MORE_IN_ONE.search(sentence) and not _GRAVE.search(sentence))


def names_group_by_code(sentence: str) -> bool:
    """Whether it names a group by a number or a capital letter that it does not explain: "was lower in Group-B"."""
    return any(not found[1].islower() for found in _NUMBERED_GROUP.finditer(sentence))


def is_taken_back(sentence: str, following: str) -> bool:
    """Whether the next sentence withdraws or limits this one, which is misleading alone."""
    return withdraws(following) and not _GRAVE.search(sentence)


def withdraws(sentence: str) -> bool:
    """Whether a sentence withdraws or limits the one before it: "This difference was not significant"."""
    return _TAKING_BACK.match(sentence) is not None


def is_linked(sentence: str) -> bool:
    """Whether the sentence begins with a link to the one before it, such as "However, …"."""
    return _JOINING.match(sentence) is not None


def points_back(sentence: str) -> bool:
    """Whether the sentence begins with a word for what was said before: "This advantage …", "They fell …"."""
    joining = _JOINING.match(sentence)
    return _LEANING.match(sentence, joining.end() if joining else 0) is not None


def stands_alone(sentence: str) -> bool:
    """Whether it is a complete sentence that names its own subject, unlike "They fell by 10 %.".

    A link to the sentence before ("However, …") is ignored, and "There was no difference …" is complete. A sentence
    that tells a program what to do is not a statement.
    """
    if len(sentence) not in _LENGTHS or not _END.search(sentence) or sentence.isupper() or addresses_program(sentence):
        return False
    if _CUT_OFF.search(sentence):
        return False
    pointed = _POINTED_AT.search(sentence)
    if pointed and not _SAID_BEFORE.search(sentence, 0, pointed.start()):
        return False
    counted = _COUNTED.search(sentence)
    if counted and counted[1] not in sentence[: counted.start()]:
        return False
    joining = _JOINING.match(sentence)
    start = joining.end() if joining else 0
    return not (_UNNAMED.search(sentence.lower()) or _OBJECT.match(sentence, start) or _LEANING.match(sentence, start))
