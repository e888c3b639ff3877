"""Checks whether a sentence is about the drug, or names it only as background or comparator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from storm.models.names import NO_ENZYME, fold_text, is_odd, phrases_of
from storm.syllabus import body_substances
from storm.syllabus.both_arms import is_in_both_arms
from storm.syllabus.drug_names import DRUG_NAME

#: Characters read before a name to find its role in the sentence.
_REACH = 40
#: Typographic hyphens.
_HYPHENS = str.maketrans("\u2010\u2011", "--")
#: A sentence with the name near its beginning is about the drug: "Ketamine-induced dissociation lasted an hour."
_OPENING = 25
#: Effects of the drug, or its use, are what another treatment is for: the sentence is about something else.
_ASIDE_AFTER = re.compile(
    r"[- ](?:induced|sparing|related|associated|resistant|refractory|na[iï]ve|eluting|withdrawal|free|ineligible|"
    r"unfit)\b|-(?:binding|coated)\b|\s(?:\w+ ){0,2}?(?:ELISA|immunoassays?|antibod(?:y|ies))\b|"
    r"-(?:exacerbated|hypersensitiv\w+|sensitive|tolerant|intoleran\w+)\b|"
    r"\s(?:\w+ ){0,2}?(?:consumption|requirements?|rescue|equivalents?|usage|initiation|biosynthesis|"
    r"hypersensitivity|intolerance|"
    r"allerg\w+)\b|"
    r"\s(?:\w+ ){0,2}?(?:serving|used|given|acting) as (?:an? |the )?(?:active )?(?:placebo|control|comparator)\b",
    re.I,
)
_ASIDE_BEFORE = re.compile(
    r"\b(?:containing|consumption of|requirements? (?:of|for)|use of rescue|amount of|before|prior to|during|"
    r"background(?: of)?|allergic to|"
    r"intolerant (?:of|to)|requir(?:ing|ed)|consumed (?:more|less|fewer)|"
    r"need(?:ed)?(?: for| of)?(?: treatment with| rescue)?|equivalents? (?:of|in)(?: intravenous| oral)?|(?:dispens|"
    r"prescrib|deliver)\w+ of(?: [\w-]+,?){0,4}(?: and)?|(?:PF-?4|platelet factor 4)[-/]?)\s$",
    re.I,
)
#: How much of it was used, as an outcome of something else: "less zorvimab was needed in the placebin group".
_MORE_BEFORE = re.compile(r"\b(?:less|more)\s$", re.I)
_USED_AFTER = re.compile(
    r" (?:\([^()]{1,60}\) )?(?:was|were) (?:used|needed|required|given|consumed|administered)\b", re.I
)
#: "Nicotine alleviated zorvimab-induced impairment": what another agent did about a harm of the drug.
_RELIEVED_BEFORE = re.compile(
    r"\b(?:alleviat|prevent|attenuat|revers|ameliorat|abolish|block|mitigat|counteract|antagoni[sz]|protect)(?:e[sd]?|s|ed)"
    r"(?: against| from)? (?:the |all )?$",
    re.I,
)
_CAUSED_AFTER = re.compile(r"[-\u2010\u2011 ](?:induced|related|associated|mediated)\b", re.I)
#: Concomitant treatment is not on trial: "As add-on to metformin, vildagliptin lowered HbA1c."
_BACKGROUND_BEFORE = re.compile(
    r"(?:, when (?:used|given|administered) (?:together )?with|"
    r"\badd-?on (?:therapy |treatment )?(?:to|with)|\badjunct(?:ive)?(?: therapy| treatment)? to|"
    r"\badded to|\baugmentation of|\badding (?:\S+ ){1,4}to|\baddition of (?:\S+ ){1,4}to|"
    r"\b(?:prior to|before|until) (?:the )?(?:approval|development|introduction|advent|availability|launch|era) of|"
    r"\bon top of|\bdespite|\brefractory to|"
    r"\b(?:inadequately |poorly |insufficiently )controlled (?:with|on|by)|\bresistant to)"
    r"(?: (?:an? |the )?(?:stable|ongoing|existing|current|prior|fixed)(?: doses? of)?)?\s$",
    re.I,
)
#: How much of it was given: "the mean dose of", "the amount and route of"; what another arm is compared with as well as
#: with placebo.
_BESIDE_BEFORE = re.compile(
    r"\b(?:(?:mean|median|average|total|cumulative) (?:[a-z-]+ ){0,2}dos(?:es?|ages?)|"
    r"amounts?(?: and \w+)?) of (?:\w+ )?$|\bsimilarly to (?:the )?$|(?:±|\+/[-−–]|with or without|and/or) ?$|"
    r"\b(?:than|versus|vs\.?|compared (?:with|to)) placebo(?: \([^()]{0,30}\))?,? (?:and |or )?$",
    re.I,
)
#: The drug in a list of covariates, which may be long: "after adjustment for age, smoking and use of zorvimab".
_ADJUSTED_BEFORE = re.compile(r"\b(?:adjust\w*|controll\w+|account\w*|correct\w*) (?:for|by)\b[^;.()]*$", re.I)
_LIST = 400
#: The drug that patients had before the one to which they were switched, but for what came of leaving it.
_LEFT_BEFORE = re.compile(r"\bswitch\w* from (?:[\w-]+ ){0,2}$", re.I)
_TAKEN_AFTER = re.compile(r" (?:[\w-]+ )?to ", re.I)
_OF_LEAVING = re.compile(r"\b(?:withdrawal|relaps|worsen|flare|rebound)", re.I)
#: The drug in a carrier, and the one that numbered compounds are held against.
_CARRIED_AFTER = re.compile(r"-(?:loaded|encapsulated|releasing|conjugated|decorated)\b", re.I)
_OF_COMPOUNDS = re.compile(
    r"\b(?:compounds?|derivatives?|analog(?:ue)?s?) \(?\d{1,3}[a-z]?\b(?!\.\d| ?m?c?g\b)|\btested compounds\b", re.I
)
#: How it is made by microbes.
_OF_PRODUCTION = re.compile(r"\bbiosynthetic gene clusters?\b", re.I)
#: How much of it was needed, which is an outcome of another treatment: "the dosage of zorvimab was lower".
_USED_BEFORE = re.compile(r"\b(?:dosages?|doses?|amounts?|quantit(?:y|ies)) of (?:\w+ )?$", re.I)
_LESS_OF_IT = re.compile(
    r"[^.;]{0,160}\b(?:was|were) (?:\w+ ){0,2}(?:lower|less|higher|greater|reduced|decreased|increased|smaller)\b", re.I
)
#: "After zorvimab resistance surgery helped": what was done then is on trial.
_AFTER = re.compile(r"\b(?:after|following|upon|despite|with)\s$", re.I)
_FAILURE_AFTER = re.compile(r"[\s-](?:resistance|failure|progression|intolerance|inducible)\b", re.I)
#: "Lower after a drainage device than after surgery with zorvimab": a part of what is compared with.
_PART_BEFORE = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to))(?: (?:after|that of))?(?: [\w-]+){0,2}"
    r" (?:\w*ectomy|\w*otomy|\w*plasty|surgery|operations?|procedures?|devices?) with\s$",
    re.I,
)
#: A tool that shows how another drug works: "zorvimab prevented the candesartan-induced improvement".
_TOOL_AFTER = re.compile(
    r"\s(?:\w+ly )?(?:prevent|abolish|block|abrogat|blunt|revers|negat|inhibit|counteract|antagoni[sz])e?[ds] the "
    r"([\w-]+?)"
    r"-(?:induced|mediated) (?:\w+ )?(?:improvements?|benefits?|protection|recovery|anti[\w-]+)\b",
    re.I,
)
#: "The addition of X … versus DRUG alone": the drug is the background treatment in a trial of another.
_ALONE_AFTER = re.compile(r"(?: \w+)? (?:alone|monotherapy)\b", re.I)
_AGAINST_BEFORE = re.compile(
    r"\b(?:than|versus|vs\.?|over|(?:compar(?:ed|able|ison)|similar|equal|identical|relative|superior|inferior|added) "
    r"(?:with|to))(?: that| those| with| in| of)*(?: \w+)?\s$",
    re.I,
)


@lru_cache(maxsize=64)
def compile_name_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the names of the drug in texts, with any punctuation between words."""
    phrases = [phrase for phrase in phrases_of(names) if not is_odd(phrase)]
    written = (r"[\W_]+".join(map(re.escape, phrase)) for phrase in sorted(phrases, key=lambda p: (-len(p), p)))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(written) or '(?!)'})(?![^\W_]){NO_ENZYME}", re.I)


def is_of_level(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence is on how much of the drug was found in a body: "tenofovir was quantifiable in tissue"."""
    return _compile_levels(tuple(names)).search(sentence) is not None


@lru_cache(maxsize=64)
def _compile_levels(names: tuple[str, ...]) -> re.Pattern[str]:
    own = compile_name_pattern(names).pattern
    return re.compile(
        rf"(?:{own})[ ‐-](?:[\w-]+ ){{0,2}}"
        rf"(?:(?:concentrations?|levels?)\b|(?:was|were) (?:quantifiable|detectable|≥|>))|"
        rf"\b(?:concentrations?|levels?) of (?:[\w-]+ ){{0,2}}(?:{own})|"
        r"\b(?:serum|plasma|blood) concentrations? (?!of\b)(?:[\w-]+ ){0,6}after (?:[\w\[\]-]+ ){0,4}"
        r"(?:administration|dosing|intake|injection|infusion)\b",
        re.I,
    )


def is_aside(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence names the drug only as background, as comparator or as the cause of what is treated."""
    mentions = list(compile_name_pattern(tuple(names)).finditer(text))
    if mentions and (_OF_COMPOUNDS.search(text) or _OF_PRODUCTION.search(text)):
        return True
    in_body = body_substances.is_body_substance(names)
    if len(mentions) > 1 and not in_body and is_in_both_arms(fold_text(text), compile_name_pattern(tuple(names))):
        return True
    return bool(mentions) and all(
        (in_body and _is_measured_mention(text, mention)) or _is_aside_mention(text, mention) for mention in mentions
    )


def _is_measured_mention(text: str, mention: re.Match[str]) -> bool:
    before, after = text[max(0, mention.start() - _REACH) : mention.start()], text[mention.end() :][:_REACH]
    return body_substances.is_measured(fold_text(before), fold_text(after))


def is_added_to(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence says anywhere that another treatment was added to the drug, which was given to all."""
    return any(_find_background(text, compile_name_pattern(tuple(names))))


def is_given_to_all(text: str, names: re.Pattern[str]) -> bool:
    """Whether the sentence names a drug, and only as the one to which others were added."""
    mentions = list(_find_background(text, names))
    return bool(mentions) and all(mentions)


def _find_background(text: str, names: re.Pattern[str]) -> Iterator[bool]:
    """For each mention of a drug, whether another treatment was added to it."""
    plain = text.translate(_HYPHENS)
    for one in names.finditer(plain):
        yield _BACKGROUND_BEFORE.search(plain[max(0, one.start() - _REACH) : one.start()]) is not None


def _is_aside_mention(text: str, mention: re.Match[str]) -> bool:
    before = text[max(0, mention.start() - _REACH) : mention.start()]
    if _AFTER.search(before) and _FAILURE_AFTER.match(text, mention.end()):
        return True
    if _BACKGROUND_BEFORE.search(before) or _BESIDE_BEFORE.search(before):
        return True
    if _ADJUSTED_BEFORE.search(text[max(0, mention.start() - _LIST) : mention.start()]):
        return True
    if _USED_BEFORE.search(before) and _LESS_OF_IT.search(text, mention.end()):
        return True
    if _CARRIED_AFTER.match(text, mention.end()):
        return True
    taken = _TAKEN_AFTER.match(text, mention.end()) if _LEFT_BEFORE.search(before) else None
    if taken and DRUG_NAME.match(text, taken.end()) and not _OF_LEAVING.search(text):
        return True
    tool = _TOOL_AFTER.match(text, mention.end())
    if (tool and DRUG_NAME.fullmatch(tool[1])) or _PART_BEFORE.search(before):
        return True
    if _MORE_BEFORE.search(before) and _USED_AFTER.match(text, mention.end()):
        return True
    if _RELIEVED_BEFORE.search(before) and _CAUSED_AFTER.match(text, mention.end()):
        return True
    if mention.start() < _OPENING:
        return False
    if _ASIDE_AFTER.match(text, mention.end()) or _ASIDE_BEFORE.search(before):
        return True
    return bool(_ALONE_AFTER.match(text, mention.end()) and _AGAINST_BEFORE.search(before))
