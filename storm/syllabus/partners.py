"""Tells whether a paper studies the drug only together with a partner, another treatment that it is joined to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.models.names import fold_text
from storm.syllabus.both_arms import is_partner_tried, is_tried_too
from storm.syllabus.joint_roles import NO_DRUG
from storm.syllabus.naming_sentences import NamingSentence
from storm.syllabus.regimens import ADDED_TO, AGAINST
from storm.syllabus.relation import name_pattern

#: "Placebin combined with" the drug: the partner comes first.
_PARTNER_BEFORE = re.compile(
    r"(?<![\w-])([\w-]{2,40})(?: therapy| treatment)?(?: \([^()]{1,30}\))? "
    r"(?:(?:in )?combin\w{1,8} with|plus|added to|add-on to) (?:\w+ )?$"
)
_COMPARED = re.compile(r"\b(?:compar\w+|versus|vs\.?|or)\b")
_WORD = r"[a-z][a-z0-9-]{3,}"
_DOSE = r"(?:(?:low|high)[- ](?:dose )?|oral |intravenous |\d[\w./-]* ?(?:mg|g|mcg|μg)?(?:/\w+)* )?"
#: Another treatment that the name is joined to, before it or after it.
_JOINED_BEFORE = re.compile(
    rf"\b({_WORD})\s*(?:\+|/|&|\band\b|\bplus\b|\bwith\b|\bcombined (?:with|to)\b|\bin combination with\b)\s*{_DOSE}$"
)
_JOINED_AFTER = re.compile(
    rf",?\s*{_DOSE}(?:\+|/|&|\band\b|\bplus\b|\bwith\b|\bcombined (?:with|to)\b|\bin combination with\b)\s*{_DOSE}"
    rf"({_WORD})"
)
#: Arms of one treatment each: "received metformin, pioglitazone or placebo".
_ONE_OF = re.compile(
    r"\b(?:receiv\w+|given|(?:assigned|allocated|randomi[sz]ed) to|treated with) (?:either )?[\w-]+"
    r"(?:, [\w-]+){1,4},? or [\w-]+"
)
_COMBINED = re.compile(r"\bcombin\w+|\bco-?administ\w+|\btogether with\b|\bplus\b|\+")
#: Words of a study whose arms differ only by the drug.
_ISOLATED = re.compile(
    r"\balone\b|\bmonotherapy\b|\bwith(?: or |/)without\b|\u00b1|\+/-|\badd(?:ed|ing|ition)\b|\badd[- ]on\b|"
    r"\badjunct\w*"
)
#: The drug in one arm, and the drug with another in the other: "methotrexate (MTX) or MTX and fluorouracil".
_WITH_MORE = re.compile(
    r"\b([a-z][\w-]{0,30})\)? (?:or|versus|vs\.?|compared (?:with|to)) \1 (?:and|plus|with|combined|\+)"
)


def find_partners(before: str, after: str) -> list[str]:
    """The other treatments that the text joins to a name, by "and", "plus" or "with"."""
    found = (_JOINED_BEFORE.search(before), _JOINED_AFTER.match(after))
    return [match[1] for match in found if match and not NO_DRUG.match(match[1])]


def is_only_partner_tried(
    title: str, opening: str, pattern: re.Pattern[str], sentences: Sequence[NamingSentence]
) -> bool:
    """Whether the title joins the drug to a partner before it, which is tried on top of the drug; the opening is the
    folded beginning of the abstract."""
    title = fold_text(title)
    named = pattern.search(title)
    joined = _PARTNER_BEFORE.search(title[: named.start()]) if named else None
    if joined is None:
        return False
    partner = name_pattern((joined[1],))
    if not any(is_partner_tried(one.text, pattern, partner) for one in sentences):
        return False
    return not any(is_tried_too(text, pattern, partner) for text in (title, opening))


def is_combined_in_title(title: NamingSentence, sentences: Sequence[NamingSentence]) -> bool:
    """Whether the title joins the drug to a partner that was added to it, or that is never held apart from it."""
    if not any(find_partners(*pair) for pair in title.around):
        return False
    if _is_added_to(sentences):
        return True
    abstract = " ".join((title.text, *(one.text for one in sentences)))
    apart = _COMPARED.search(title.text) or any(one.search(abstract) for one in (_ISOLATED, _WITH_MORE, _ONE_OF))
    return bool(_COMBINED.search(abstract) and not apart)


def is_combined_in_abstract(relevant: Sequence[NamingSentence], front: Sequence[NamingSentence]) -> bool:
    """Whether all relevant sentences join the drug to partners, and no sentence of the abstract holds them apart."""
    pairs = [pair for one in relevant for pair in one.around]
    in_regimen = all(find_partners(*pair) and not AGAINST.search(pair[0]) for pair in pairs)
    bracketed = any("(" in before.rpartition(")")[2] for before, _ in pairs)
    together = in_regimen and (bracketed or any(_COMBINED.search(one.text) for one in front))
    return together and not any(map(_is_isolated, front))


def _is_added_to(sentences: Sequence[NamingSentence]) -> bool:
    """Whether another treatment was added to the drug, which the control arm received too."""
    return any(ADDED_TO.search(before) for one in sentences for before, _ in one.around)


def _is_isolated(sentence: NamingSentence) -> bool:
    return bool(_ISOLATED.search(sentence.text) or _WITH_MORE.search(sentence.text))
