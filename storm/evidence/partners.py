"""Reads with which other treatments a study gave the drug."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from storm.evidence.subjects import compile_name_pattern
from storm.evidence.title_words import write_as_in_sentence
from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

#: Treatments that are no drug, and drugs named by a class or a regimen.
_OTHERS = (
    r"(?:chemo|radio|immuno|photo|hormone |endocrine |antiretroviral )therapy|chemoradio(?:therapy|ation)|radiation|"
    r"chemotherapy|FOLFOX\d?|FOLFIRI(?:NOX)?|CHOP|(?:5-)?fluorouracil|5-FU|leucovorin|interferon[- ]\w+|cytarabine|"
    r"prednisone|melphalan"
)
_TREATMENT = re.compile(rf"\b(?:nab-|peg-?)?(?:{DRUG_NAME.pattern}|(?:{_OTHERS})\b)", re.I)
#: What may stand between the drug and what is given with it: brackets, amounts, one word that says how it is given.
_BRACKET = r"(?:\s?\([^()]{1,30}\))?"
_AMOUNT = r"(?:\d[\w.,/-]*\s(?:(?:mg|g|mcg|µg|μg|units?|IU)[\w/²^]*\s)?)?"
_JOINT = re.compile(
    rf"{_BRACKET}(?:,? (?:and|plus|with|(?:in combination|combined|together|concurrent|concomitant|co-?administered) "
    rf"with)|,|\s?[+/&])\s?{_AMOUNT}(?:(?:low-dose|high-dose|oral|intravenous|boosted|weekly|neoadjuvant|adjuvant|concurrent|"
    rf"platinum-based|standard|pegylated|ritonavir-boosted) )?",
    re.I,
)
#: The joint of one regimen, beside which commas and "and" list others: "A+B, A+C and D-E".
_TIGHT = re.compile(r"\s?[+/]\s?")
_SEVERAL = 2
#: A joint that says that both are given; a comma or "and" may list alternatives.
_GIVEN_TOGETHER = re.compile(r"plus|with|[+]", re.I)
_COMBINES = re.compile(r"\bcombin\w+|\btogether\b|\bregimens?\b|\bdoublet|\btriplet|\bdual\b|\bco-?administ\w+", re.I)
#: Any other thing that a title says is given with the drug: "plus temozolomide", "in combination with topical …".
_GIVEN = r"(?:plus|(?:in combination|combined|together|co-?administered) with)"
_NO_PARTNER = r"(?!(?:in|for|versus|vs|as|with|on|to|or|placebo|treated)\b)"
_ANY_AFTER = re.compile(
    rf"{_BRACKET} {_GIVEN} ({_NO_PARTNER}[\w-]+(?: {_NO_PARTNER}[\w-]+){{0,3}})"
    r"(?=$|[:,.;(]| (?:in|for|versus|vs|as|with|on|to|or)\b)",
    re.I,
)
_ANY_BEFORE = re.compile(rf"(?:^|[:,] |\b(?:of|with) )((?!(?:of|with|the)\b)[\w-]+){_BRACKET} {_GIVEN} $", re.I)
#: Sentences read of an abstract, and most partners that are named.
_MOST_READ, _MOST_NAMED = 40, 3


class _Joined(NamedTuple):
    """Other treatments that a text joins to the drug, whether the words between them say that they are given together,
    and whether any word of the text does."""

    partners: tuple[str, ...]
    is_given_together: bool
    is_combined: bool


def read_partners(title: str, abstract: str, names: Sequence[str]) -> tuple[str, ...]:
    """The other treatments that the title, or else a sentence of the abstract, says are given with the drug of these
    names, in the words of the record; empty if none is, or more than three are."""
    own = compile_name_pattern(tuple(names))
    titled = next((one.partners for one in _find_joined(title, own) if one.is_combined), ()) or _read_title(title, own)
    sentences = (span.text for span in split_sentences(abstract)[:_MOST_READ]) if not titled else ()
    joined = (one for text in sentences for one in _find_joined(text, own))
    found = titled or next((one.partners for one in joined if one.is_given_together), ())
    return tuple(write_as_in_sentence(name, title, abstract) for name in found) if len(found) <= _MOST_NAMED else ()


def _read_title(title: str, own: re.Pattern[str]) -> tuple[str, ...]:
    for match in own.finditer(title):
        found = _ANY_AFTER.match(title, match.end()) or _ANY_BEFORE.search(title[: match.start()])
        if found:
            return (found[1],)
    return ()


def _find_joined(text: str, own: re.Pattern[str]) -> Iterator[_Joined]:
    """What each row of treatments in a text that holds the drug has besides it."""
    spans = sorted({*(m.span() for m in _TREATMENT.finditer(text)), *(m.span() for m in own.finditer(text))})
    spans = [span for n, span in enumerate(spans) if n == 0 or span[0] >= spans[n - 1][1]]
    row: list[tuple[int, int]] = spans[:1]
    joints: list[str] = []
    for before, after in pairwise(spans):
        joint = text[before[1] : after[0]]
        if not _JOINT.fullmatch(joint):
            yield from _read_row(text, own, row, joints)
            row, joints = [], []
        else:
            joints.append(joint)
        row.append(after)
    yield from _read_row(text, own, row, joints)


def _keep_regimen(
    text: str, own: re.Pattern[str], row: Sequence[tuple[int, int]], joints: Sequence[str]
) -> tuple[Sequence[tuple[int, int]], Sequence[str]]:
    """Of a row of regimens, the one with the drug; of any other row, all of it."""
    if len([joint for joint in joints if _TIGHT.fullmatch(joint)]) < _SEVERAL:
        return row, joints
    breaks = [n + 1 for n, joint in enumerate(joints) if not _TIGHT.fullmatch(joint)]
    for start, end in pairwise((0, *breaks, len(row))):
        if any(own.fullmatch(text[first:last]) for first, last in row[start:end]):
            return row[start:end], joints[start : end - 1]
    return (), ()


def _read_row(
    text: str, own: re.Pattern[str], row: Sequence[tuple[int, int]], joints: Sequence[str]
) -> Iterator[_Joined]:
    row, joints = _keep_regimen(text, own, row, joints)
    named = [text[start:end] for start, end in row]
    partners = tuple(dict.fromkeys(name for name in named if not own.fullmatch(name)))
    if partners and len(partners) < len(named):
        is_given_together = any(map(_GIVEN_TOGETHER.search, joints))
        yield _Joined(partners, is_given_together, is_given_together or bool(_COMBINES.search(text)))
