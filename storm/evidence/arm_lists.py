"""Reads the arms that a sentence lists side by side, with their sizes or with who received what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

_LONGEST = 500
#: The longest name of an arm, and the most arms whose comparators are listed.
_LONGEST_ARM = 80
_LONGEST_COMPARATOR = 60
_MOST_ARMS = 5
_MOST_COMPARATORS = 3
_ASSIGNS = re.compile(
    r"(?i)\b(?:random\w*|assigned|allocated|divided|received?|receiving|given|administered|treated)\b"
)
_SIZED = re.compile(r"([^()]*)\(([^()]*?\bn ?= ?\d+[^()]*)\)")
#: What stands before the first arm, and between two.
_LEAD = re.compile(
    r"(?i)^.*\b(?:receiv(?:e|ed|ing)|to|either|given|administered|for|into|between|with|were|was)(?: either|"
    r" the)? (?=\S)|"
    r"^.*[:;] "
)
_BETWEEN = re.compile(
    r"(?i)^[\s,;.]*(?:(?:and|or|versus|vs\.?|compared with|followed by) )?(?:to )?(?:group \w+,? )?(?:receive[ds]? |"
    r"receiving )?(?:either )?"
    r"(?:(?:the |an? )?(?:equivalent|same|equal) (?:volume|dose|amount) of )?(?:the |an? )?"
)
#: "one group was given A and the other B"; "20 received A and 21 received B".
_SIDES = (
    re.compile(
        r"(?i)\bone (?:group|arm)(?: \([^()]*\))? (?:was |were )?(?:administered|given|received|treated with) "
        r"(?P<first>[^.;()]{3,60}?) and the (?:other|second)(?: group| arm)?(?: \([^()]*\))?,? (?:(?:was |were )?"
        r"(?:administered|given|received|treated with) |with )?(?P<second>[^.;,]{3,60}?)(?= for\b|[.;,]|$| twice\b|"
        r" once\b|"
        r" daily\b)"
    ),
    re.compile(
        r"(?i)\b(?:patients|subjects|participants|women|men|children|adults|\d+) received (?P<first>[^.;()]{3,60}?)"
        r"(?: \([^()]*\))? and (?:the other )?(?:\d+|others?)(?: \w+)? received (?P<second>[^.;,()]{3,60}?)"
        r"(?= for\b|[.;,]|$| \(|$)"
    ),
)
_NO_NAME = re.compile(
    r"(?i)^(?:(?:the |an? |each |one |two |study |other |both )*(?:groups?|arms?|patients|subjects|participants|"
    r"intervention|treatment|experimental|cases?|women|men|children)\b(?: [a-z0-9])?)*$|\b(?:patients|subjects|"
    r"participants|"
    r"women|men|children|comparator|completed|excluded|withdrew|died|had|were|was)\b|\d ?% (?:of|in|had|for)\b|"
    r"^\W*\d[\d.]* ?%$"
)
_IN_YEAR = re.compile(r" in (?:19|20)\d\d$")
_WAS_ASSIGNED = re.compile(r"(?i)(?:randomly )?(?:randomi[sz]ed|assigned|allocated|divided|treated|enrolled|included)")
#: "received either A 40 mg or B 100 mg", "assigned to placebo, A or B": the words after the verb.
_EITHER = re.compile(
    r"(?i)\b(?:receiv(?:e|ed|ing)|(?:assigned|randomi[sz]ed|allocated)(?: \([\d:]{3,9}\))? to(?: receive)?"
    r"(?: treatment with)?|given|administered|treated with) (?:either )?(?P<list>(?:[^.;:]|[.:](?=\d)){3,240})"
)
#: "either inhalation anaesthesia (zorvimab)": what a treatment was done with.
_NAMED_IN_BRACKET = re.compile(
    rf"\b(?:(?!or\b|and\b|either\b|to\b|{DRUG_NAME.pattern})[a-z-]+ ){{1,4}}\((?P<name>{DRUG_NAME.pattern})\)"
)
_DOSE_IN_BRACKET = re.compile(r"\((\d[\d.,]{0,8} ?(?:m?g|µg|μg|mcg|ml|iu|units?)\b[^()]{0,20})\)")
#: What follows the name of a treatment: its dose, and how often or how long it is given.
_GIVEN_SO = re.compile(
    r"(?i) (?=\d|for\b|once\b|twice\b|three\b|daily\b|every\b|in\b|at\b|via\b|on\b|over\b|during\b|before\b|"
    r"after\b|followed\b|and (?:was|were|followed)\b|using\b|to\b|administered\b|given\b|t\.?i\.?d|b\.?i\.?d|q\.?d)"
)
_DOSED = re.compile(r"(?i) \d[\d.,]* ?(?:m?g|µg|μg|mcg|ml|iu|units?|%)(?![a-z])")
_INACTIVE = re.compile(
    r"(?i)^(?:matching |matched |identical )?(?:placebo|sham|vehicle|(?:normal |hypertonic |isotonic )?saline|"
    r"usual care|standard (?:of )?care|no treatment)\b"
)
_JOINED = re.compile(r"(?i)\b(?:plus|with|and|combin\w+|added|followed)\b|\+")
#: "A, a new drug, and B were compared".
_WERE_COMPARED = re.compile(
    r"(?i)\b(?P<first>[\w-]{4,30})(?:, an? [^,.;]{3,60},)? and (?P<second>[\w-]{4,30}) were compared\b"
)
#: A dose alone, which is another arm of the same drug: "30 mg and 60 mg".
_ONLY_DOSES = re.compile(r"(?i)^(?:[\d.,/ -]|\b(?:m?g|µg|μg|mcg|ml|iu|units?|kg|m2|day|daily|once|twice|and|or)\b)+$")
_TRAILING = re.compile(r"(?i)(?: (?:group|arm)s?|,|:| in the| and| or)+$")
_ABBREVIATED = re.compile(r"\b([A-Za-z][a-z-]{3,40}(?: [a-z]{3,20})?) \(([A-Z][A-Za-z0-9]{1,6})\)")
_BRACKET = re.compile(r" ?\([^()]*\)")
#: The arm of two with which the other, of the same drug, is compared.
_STANDARD = re.compile(
    r"(?i)\b(?:control|immediate|conventional|standard|usual|alone|placebo|full[- ]dose|regular|reference|IR)\b"
)


def list_comparators(abstract: str, own: set[str]) -> tuple[str, ...]:
    """The other arms of the first sentence that lists an arm of the drug, of these words, beside them; at most three.

    Arms that all have the drug are its forms, doses or routes: of two, the comparator is the standard or the second.
    """
    written = _read_abbreviations(abstract)
    for names in _list_arms(_spell_out(abstract, written)):
        ours = [not own.isdisjoint(re.findall(r"[^\W_]+", name.casefold())) for name in names]
        if not any(ours):
            continue
        if all(ours):
            if len(names) == len(set(names)) == 2:
                return (names[0] if _STANDARD.search(names[0]) and not _STANDARD.search(names[1]) else names[1],)
            continue
        apart = (name for name, is_ours in zip(names, ours, strict=True) if not is_ours)
        others = tuple(dict.fromkeys(name for name in apart if not _ONLY_DOSES.match(name)))
        if others and len(others) <= _MOST_COMPARATORS and max(map(len, others)) <= _LONGEST_COMPARATOR:
            return others
    return ()


def _list_arms(abstract: str) -> Iterator[Sequence[str]]:
    """For each sentence that assigns arms, their names."""
    for span in split_sentences(abstract):
        sentence = span.text[:_LONGEST]
        if compared := _WERE_COMPARED.search(sentence):
            yield list(compared.groups())
        if not _ASSIGNS.search(sentence):
            continue
        if either := _read_either(sentence):
            yield either
        if arms := _read_sized(sentence):
            yield arms
        for sides in _SIDES:
            if match := sides.search(sentence):
                yield [_clean(_IN_YEAR.sub("", match[side])) for side in ("first", "second")]


def _read_sized(sentence: str) -> list[str]:
    """The names before brackets with sizes; empty if one of them is not a name."""
    found = [match[1] for match in _SIZED.finditer(sentence)]
    if not 1 < len(found) <= _MOST_ARMS:
        return []
    first, *rest = found
    names = [_clean(_LEAD.sub("", first)), *(_clean(_BETWEEN.sub("", text)) for text in rest)]
    if _WAS_ASSIGNED.fullmatch(names[0]):  # its bracket has the size of all
        del names[0]
    return names if len(names) > 1 and all(_is_name(name) for name in names) else []


def _read_either(sentence: str) -> list[str]:
    """The treatments of a list with "or", each of them a known drug, one with its dose, or none; or else empty."""
    plain = _DOSE_IN_BRACKET.sub(r"\1", _NAMED_IN_BRACKET.sub(r"\g<name>", sentence))
    match = _EITHER.search(plain)
    head, found, last = _BRACKET.sub("", match["list"] if match else "").partition(" or ")
    parts = [*head.strip(", ").split(", "), re.split(r"[,;]| or ", last)[0]] if found else []
    names = [_clean(_BETWEEN.sub("", _GIVEN_SO.split(part)[0])) for part in parts]
    is_plain = all(map(_is_treatment, names, parts)) and not any(_JOINED.search(name) for name in names)
    return names if is_plain and len(names) <= _MOST_ARMS else []


def _is_treatment(name: str, part: str) -> bool:
    is_known = _INACTIVE.search(name) or DRUG_NAME.search(name.casefold()) or _DOSED.search(part)
    return bool(is_known) and _is_name(name)


def _clean(text: str) -> str:
    name = _TRAILING.sub("", _BRACKET.sub("", " ".join(text.split()))).strip(" ,;:")
    return re.sub(r"^an? (?=placebo\b)", "", name)


def _is_name(text: str) -> bool:
    return 1 < len(text) <= _LONGEST_ARM and not _NO_NAME.search(text) and any(c.isalpha() for c in text)


def _read_abbreviations(abstract: str) -> Mapping[str, str]:
    """Short names that the abstract defines after one word or two: "tiotropium (TIO)"."""
    written = [(match[2], match[1]) for match in _ABBREVIATED.finditer(abstract)]
    found = [(short, part) for short, words in written for part in (words.split()[-1], words)]
    return {short: word for short, word in found if _abbreviates(short.casefold(), word.casefold())}


def _abbreviates(short: str, word: str) -> bool:
    """Whether the letters stand in the word in this order, the first at its beginning."""
    letters = iter(word)
    return word.startswith(short[0]) and all(letter in letters for letter in short)


def _spell_out(arm: str, written: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z0-9]+", lambda match: written.get(match[0], match[0]), arm)
