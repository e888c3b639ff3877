"""Statements that say the opposite of their quote: only one of the two denies something."""

from __future__ import annotations

import re
from collections import Counter

from storm.citations.quotes import normalize_text

_DENIES = re.compile(
    r"\b(?:not|never|neither|nor|cannot|\w+n't|(?:failed|declined|refused) to|"
    r"no (?:significant\w*|statistically|evidence|benefit|difference|improvement|effect)s?)\b"
)
#: Other words that may express a denial; "non-small" is a name.
_MAY_DENY = re.compile(
    r"\b(?:un(?:related|proven|successful\w*|altered|confirmed|treated)|not?|none|nobody|zero|never|neither|nor|cannot|\w+n't|without|fail\w*|lack\w*|absen\w+|miss\w+|unchanged|"
    r"unaffected|unlikely|unable|unknown|unclear|uncertain|insignificant\w*|ineffective|inferior|inactive|similar\w*|"
    r"equal\w*|equivalen\w+|comparable|as \w+ as|contraindicat\w*|alone|monotherapy|"
    r"neutral|naive|hardly|barely|scarcely|even|evenly|about as|uncommon\w*|same|rather|"
    r"infrequent\w*|rare|rarely|seldom|free|unlike|negative|insufficient\w*|inadequate\w*|impossib\w*|intoleran\w*|"
    r"unsuitable|ineligib\w*|stable|constant|alike|identical\w*|indistinguishab\w*|only|solely|contrast|"
    r"except\w*|despite|refus\w+|declin\w+ to|exclu[ds]\w+|"
    r"non[- ]?(?:inferior|superior|signific|equival|respon)\w*)\b"
)
#: Phrases that deny nothing: double negations and idioms.
_HARMLESS = re.compile(
    r"\b(?:(?:not|never|cannot|\w+n't) "
    r"(?:only|just|merely|without|fail(?:ed)? to|lack\w*|unlikely|un(?:common|usual)\w*)|"
    r"not (?:yet )?(?:been )?reached|data not shown|whether or not|with (?:or|and) without|"
    r"(?:without|no) (?:a |any )?(?:doubt|question))\b"
)
#: A denial, and the first content word that it denies.
_DENIED = re.compile(
    r"\b(?:(?:not|never|nor|cannot|\w+n't|(?:failed|declined|refused) to|no|without) "
    r"(?:(?:\w+ly|be|been|have|had|to|the|an?|any|yet) )*|"
    r"non[- ]?)(?P<what>[^\W\d_]{4,})"
)
_NON_INFERIOR = re.compile(r"\bnon-?inferior|\bequivalen(?:t|ce|cy)\b")
_EQUAL = re.compile(
    r"\bequivalen(?:t|ce|cy)\b(?! (?:dose|to \d))|\bequal(?:ly|s|ity)?\b|\bidentical|"
    r"(?<!twice )(?<!times )\bas (?:effective|good|safe|potent|well) as\b"
)
_NOT_FOUND = re.compile(
    r"\bno(?:t|n)?[- ](?:statistically )?signific|\bno (?:\w+ ){0,2}difference|\bnot (?:\w+ ){0,2}differ"
)
_ALIKE = re.compile(r"\bsimilar|\bcomparabl|\bsame\b|\balike\b|\bas \w+ as\b")
#: How many letters all forms of a word share.
_STEM = 5


def find_equivalence_fault(statement: str, quote: str) -> str:
    """Why the statement must not claim equality: its quote found no difference, which proves none. Empty if it may."""
    said, quoted = normalize_text(statement), normalize_text(quote)
    if re.search(r"\bnon-?inferior", said) and not _NON_INFERIOR.search(quoted):
        return "the quote does not say that it is non-inferior"
    if not _NOT_FOUND.search(quoted):
        return ""
    if _EQUAL.search(said) and not (_EQUAL.search(quoted) or _NON_INFERIOR.search(quoted) or _ALIKE.search(quoted)):
        return "the quote finds no difference, the statement says that they are equal"
    return ""


def find_contradiction(statement: str, quote: str) -> str:
    """Which of the two denies what the other does not, judged by words; empty if neither does."""
    said, quoted = normalize_text(statement), normalize_text(quote)
    if _is_denied_by_one(quoted, said):
        return "its quote denies something, it does not"
    return "it denies something, its quote does not" if _is_denied_by_one(said, quoted) else ""


def _is_denied_by_one(denying: str, other: str) -> bool:
    """Whether the one denies something and the other denies nothing, or asserts the very thing that the one denies."""
    also = set(map(_denied_stem, _DENIED.finditer(other)))
    denying, other = _HARMLESS.sub(" ", denying), _HARMLESS.sub(" ", other)
    if _DENIES.search(denying) and not _MAY_DENY.search(other):
        return True
    denied = Counter(map(_denied_stem, _DENIED.finditer(denying)))
    only_here = [stem for stem in denied.keys() - also if len(_find_forms(stem, denying)) == denied[stem]]
    return any(_asserts_stem(other, stem, denied) for stem in only_here)


def _asserts_stem(text: str, stem: str, denied: Counter[str]) -> bool:
    """Whether the text asserts a word of this stem, and denies nothing that the other text does not deny."""
    rest = _DENIED.sub(lambda match: " " if _denied_stem(match) in denied else match[0], text)
    if not _find_forms(stem, rest) or _MAY_DENY.search(re.sub(rf"\b{stem}\w*", " ", rest)):
        return False
    # "No patient died" may be worded "all patients survived", and "no progression" "progression-free".
    return not re.search(rf"\b(?:all|every|each|only|zero|0) (?:\w+ ){{0,2}}{stem}|\b{stem}\w*[ -]free\b", rest)


def _find_forms(stem: str, text: str) -> list[str]:
    return re.findall(rf"(?<![^\W_]){stem}|(?<=\bnon){stem}", text)


def _denied_stem(match: re.Match[str]) -> str:
    return match["what"][:_STEM]
