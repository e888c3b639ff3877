"""Reads which groups of patients a document names, and the treatment that each of them got."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from storm.citations.vocabulary import words_of
from storm.evidence.design import abstract_of
from storm.models import Hit, SectionKind
from storm.patterns.amounts import AMOUNT
from storm.syllabus.drug_names import DRUG_NAME

#: Characters before and after the name of a group that may name its treatment; groups of a section that are read.
_REACH = 160
_MOST_GROUPS = 400
#: "group K1", "Group-1", "arm B"; "K1 group", "the intervention group", "statin arm", "dual therapy group".
_GROUP = re.compile(
    r"\b(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?)(?:[ -]| - )?(?P<code>[A-Z]{1,3}\d?|\d|I{2,3}|IV)\b"
    r"|(?<![\w-])(?P<word>(?:(?!(?:the|a|an|this|each|both|of|in|per|and|or|no|any)\b)[A-Za-z][\w-]{0,14}[ -]"
    r"(?=(?:therapy|regimen|drug|dose)[ -]))?[A-Za-z][\w-]{0,14})[ -](?:treatment )?(?:[Gg]roup|[Aa]rm|[Cc]ohort)\b"
    r"(?! (?:[A-Z]{1,3}\d?|\d|I{2,3}|IV)\b)"
)
_IS_CODE = re.compile(r"[A-Z]?\d|[A-Z]|I{2,3}|IV")
#: What each of them has, and the most characters that the rest of its name has before and after that.
_ENDINGS = ("roup", "arm", "Arm", "ohort")
_BEFORE_MENTION, _AFTER_MENTION = 60, 45
_NO_NAME = words_of(
    "the this these those each both other either same every all any one two three four no per age study which whose "
    "control placebo comparison comparator reference and or of in as sub treatment a an working focus between within "
    "first second third entire whole patient blood support expert ethnic parallel age-matched large small present that"
)
#: Words and signs between the name of a group and its treatment.
_GIVEN = re.compile(
    r"\)?\s?(?P<sign>[:,=(])|"
    r"\)?\s(?:[\w-]+ ){0,6}?(?:receiv\w+|given|administered|treated|took|taking|assigned|allocated|infused|injected)\b"
)
#: What comes before it was not assigned: "under placebin sedation were randomised to zorvimab (Z group)".
_ASSIGNED = re.compile(
    r"\b(?:(?:randomi[sz]ed|assigned|allocated|divided)\b[^.;]{0,30}?\b(?:to|into)|receiv(?:ed?|ing)|treated with)\b"
)
#: A treatment before the name of its group: "zorvimab was used in group 1"; its first words are the treatment.
_GIVEN_IN = re.compile(
    r"(?:^|, )(?P<first>(?:the )?[\w-]+(?: [\w-]+)?)(?: [\w-]+){0,4}? (?:was|were) (?:used|given|administered|applied|"
    r"infused|injected)(?: (?!and\b|to\b|in\b|for\b)[\w-]+){0,4} (?:in|to|for)(?: the)? ?$"
)
_DENIED = re.compile(r"\b(?:without|no|not|never|instead of|except|versus|than|other than)\s(?:\w+\s){0,2}$")
#: What says that the group had a treatment before the trial.
_HAD_BEFORE = re.compile(r"\bwho (?:took|used|had|were (?:on|taking|using))\b|\b(?:already|previously|prior)\b")
#: What joins a treatment to another one; "with" and "and" are often followed by something else.
_ADDED_BEFORE = re.compile(r"(?:\b(?:plus|added to|combined with)|\+) (?:\S+ ){0,5}$|\w and (?:\S+ )?$")
_ADDED_AFTER = re.compile(
    r"\S* (?:\S+ ){0,5}?(?:(?:plus|added to|combined with|together with)\b|\+)|"
    r"\S* and (?!then\b|an? |the |patients\b|those\b|in\b|was\b|were\b|$)"
)
#: Groups that got whatever the drug is compared with, which may name it among other things.
_OF_OTHERS = re.compile(r"\b(?:non-?exposed|unexposed|untreated|comparators?|controls?|placebo)\b", re.I)
#: Names of groups that got more than one drug.
_OF_SEVERAL = re.compile(r"\b(?:dual|double|triple|combin\w+)\b", re.I)
#: What says that the words on a group are on its treatment, where they do not name the drug.
_OTHER_TREATMENT = re.compile(
    rf"\b(?:placebo|saline|sham|vehicle|dextrose|water|standard|usual|conventional|without|untreated|control|"
    rf"(?:receiv\w+|given|had|took) no|no (?:\w+ )?(?:treatment|therapy|drugs?|medication|intervention|supplements?)|"
    rf"surgery|exercise|diet|acupuncture|\w{{0,12}}therapy|dose)\b|\d ?(?:mg|g|mcg|μg|µg|ml|iu|units?)\b|"
    rf"{DRUG_NAME.pattern}",
    re.I,
)
#: A treatment of any name that is all that is said of a group: "received acupuncture only".
_ONLY_TREATMENT = re.compile(
    r"\b(?:received|given|treated (?:with|by)) "
    r"(?!(?:more|less|fewer|the|this|that|study|active|same|treatment)\b)(?:[a-z-]{1,20} )?[A-Za-z-]{4,20}"
    r"(?: alone| only)?\)?$"
)
#: What says that a drug before or after it was not the treatment of the group, but came later or had come before.
_IN_REMARK = re.compile(r", (?:as|since|because|although|when|if|unless|until|after|before)\s(?:\w+\s){0,4}$")
_LATER = re.compile(
    r"\S*(?: (?:was|were|had|being|given|used)){0,2} (?:(?:allowed|permitted|failed)\b|(?:as|for) rescue\b|"
    r"(?:at|on) (?:relapse|progression)\b)"
)
#: The treatment of a group, by its name.
_NAMED_TREATMENT = re.compile(
    rf"\b(?:placebo|(?:normal )?saline|sham|vehicle|no treatment|usual care|standard care)\b|{DRUG_NAME.pattern}", re.I
)
_JOINED_BEFORE = re.compile(r"(?:\b(?:plus|and|added to|combined with)|\+) (?:\S+ ){0,5}$")
_JOINED_AFTER = re.compile(
    r"\S* (?:\S+ ){0,5}?(?:(?:plus|with|added to|combined with)\b|\+)|\S* and (?!then|a |an |was|were)"
)
#: Who had one treatment has the other later, so that the number of a group tells neither.
_CROSSED_OVER = re.compile(
    r"\bcross(?:ed)?[ -]?over\b(?! (?:(?:was|were|is|being) )?(?:not )?(?:allowed|permitted)\b)", re.I
)
#: Groups and their treatments in two lists: "groups A, B and C received X, Y and Z, respectively".
_IN_LIST = re.compile(r",? (?:and |or )?[A-Z]{0,2}\d?\b(?:,| and| were| received| was)")
_BETWEEN_LISTED = re.compile(
    r"\)?(?: \([Nn] ?= ?\d{1,5}\))?,?(?: (?:and|or|patients|those|children|adults|women|men|in|of|the)){0,5} ?"
)
_RESPECTIVELY = re.compile(r"\brespectively\b")
_CLAUSE_END = re.compile(r"[.;](?=\s|$)|\n|, (?:and the|but|whereas|while)\b")


#: Another amount of what the group before got: "zorvimab 2 mg (group A, n = 20), 4 mg (group B)".
_NEXT_AMOUNT = re.compile(rf"[\s,]*(?:n ?= ?\d+)?\)?,? ?(?:and |or )?{AMOUNT} \(?", re.I)
#: A partner beside a dose, and what says that it was not the only dose.
_WITH_PARTNER = re.compile(r" ?(?:\+|\bplus\b|\band\b) ?")
_CHANGED = re.compile(r"\b(?:up to|raised|doubled|increased|reduced|titrated|then)\b")
_NUMBER = re.compile(r"\d[\d.,]*")
_PARTNER = rf"[A-Za-z][\w-]{{2,30}} {AMOUNT}"
BEFORE_DRUG = rf"(?:^|[\s:(=])(?P<dose>(?:{_PARTNER} ?(?:\+|plus|and) ?)?"
DOSE_OF_GROUP = (
    rf"(?: (?:infusion|bolus))?(?: (?:of|at))? {AMOUNT}"
    rf"(?: ?(?:\+|plus) ?{_PARTNER}| following (?:an? )?bolus (?:of )?{AMOUNT})?"
    r"(?:,? (?:once|twice|three times)[ -](?:daily|a day|weekly|a week)|,? (?:daily|weekly|nightly))?)"
    r"(?:[\s(),;]*(?:and\s)?$|(?=, (?:[\w-]{1,15} )?(?:group|arm)\b))"
)


class GroupTreatments(NamedTuple):
    """How often the text says of a group that it got the drug, another treatment, or the drug with another one; the
    names of the other treatments; the groups that got one of these with something else; and the words for the drug with
    its dose, as far as they stand beside the name of the group."""

    got: Counter[str]
    other: Counter[str]
    joined: Counter[str]
    treatments: dict[str, set[str]]
    combined: set[str]
    doses: dict[str, set[str]]

    def add_treatments(self, name: str, given: str) -> None:
        """Notes the treatments that the words on a group without the drug say it got."""
        for found in _NAMED_TREATMENT.finditer(given):
            if not _is_denied(given, found) and not _HAD_BEFORE.search(given, 0, found.start()):
                self.treatments.setdefault(name, set()).add(found[0].casefold())
                if _ADDED_BEFORE.search(given, 0, found.start()) or _ADDED_AFTER.match(given, found.end()):
                    self.combined.add(name)

    def name_treated(self, meaning: str) -> dict[str, str]:
        """The groups that got the drug at least half as often as another treatment, with what they got."""
        known = {name for name in self.got if self.got[name] and 2 * self.got[name] >= self.other[name]}
        if self._all_got_it():
            return {name: dose for name in known if (dose := self._find_dose(name))}
        plain = {
            name: f"with {meaning}" if self.joined[name] or _OF_SEVERAL.search(name) else meaning
            for name in known
            if not _OF_OTHERS.search(name)
        }
        return {name: self._find_dose(name) or meaning for name, meaning in plain.items()}

    def _all_got_it(self) -> bool:
        """Whether each group with a number or letter got the drug, so that it tells no two of them apart."""
        told = [name for name in {*self.got, *self.other} if self.got[name] + self.other[name] and not name.islower()]
        return len(told) > 1 and all(self.got[name] > self.other[name] for name in told)

    def _find_dose(self, name: str) -> str:
        """The words for the drug with its dose, with a partner that the group had; empty if it had several doses."""
        written = self.doses.get(name, set())
        is_one = len({tuple(_NUMBER.findall(dose)) for dose in written}) == 1
        longest = max(written, key=len) if is_one else ""
        return longest if not self.joined[name] or _WITH_PARTNER.search(longest) else ""

    def name_others(self) -> dict[str, str]:
        """The groups that never got the drug, and of which one other treatment is named, which they got alone."""
        return {
            name: next(iter(found))
            for name, found in self.treatments.items()
            if len(found) == 1 and name not in self.combined and not self.got[name]
        }


def read_group_treatments(hit: Hit, texts: Sequence[str], names: re.Pattern[str]) -> GroupTreatments:
    """What the texts of a document say that its groups got; `names` is the pattern for the drug."""
    crossed = _has_crossed_over(hit)
    groups = GroupTreatments(Counter(), Counter(), Counter(), {}, set(), {})
    with_dose = _compile_with_dose(names)
    for text in texts:
        drugs: list[re.Match[str]] = []
        for name, given in _find_group_definitions(text):
            if names.search(name) or DRUG_NAME.search(name) or (crossed and _IS_CODE.fullmatch(name)):
                continue
            if drugs and _NEXT_AMOUNT.fullmatch(given):
                groups.got[name] += 1
                continue
            drugs = [drug for drug in names.finditer(given) if not _is_denied(given, drug)]
            groups.got[name] += bool(drugs)
            groups.other[name] += not drugs and _has_other_treatment(given)
            groups.joined[name] += any(_is_joined(given, drug) for drug in drugs)
            if drugs and not name.islower() and (dose := with_dose.search(given)):
                groups.doses.setdefault(name, set()).add("" if _CHANGED.search(given) else dose["dose"])
            if not drugs and _IS_CODE.fullmatch(name):
                groups.add_treatments(name, given)
    return groups


def _compile_with_dose(names: re.Pattern[str]) -> re.Pattern[str]:
    """The pattern of the drug with its dose, and with a partner that has one, as all that is said of a group: "zorvimab
    20 mg", "placebin 5 mg + zorvimab 20 mg"."""
    return re.compile(f"{BEFORE_DRUG}(?:{names.pattern}){DOSE_OF_GROUP}", re.I)


def _is_denied(given: str, treatment: re.Match[str]) -> bool:
    """Whether the words on a group name a treatment that the group did not get, or not as the one that is tried."""
    return bool(
        _DENIED.search(given, 0, treatment.start())
        or _IN_REMARK.search(given, 0, treatment.start())
        or _LATER.match(given, treatment.end())
    )


def _has_other_treatment(given: str) -> bool:
    """Whether words that do not give the drug to a group are on its treatment."""
    return bool(_OTHER_TREATMENT.search(given) or _ONLY_TREATMENT.search(given))


def _has_crossed_over(hit: Hit) -> bool:
    """Whether the title, the abstract or the methods tell of a crossover; other sections may tell of another study."""
    methods = [section.text for section in hit.sections if section.kind is SectionKind.METHODS]
    return any(_CROSSED_OVER.search(text) for text in (hit.title, abstract_of(hit), *methods))


def _is_joined(given: str, drug: re.Match[str]) -> bool:
    """Whether the words before or after the drug join another treatment to it."""
    return bool(_JOINED_BEFORE.search(given, 0, drug.start()) or _JOINED_AFTER.match(given, drug.end()))


def _find_group_definitions(text: str) -> Iterator[tuple[str, str]]:
    """The name of a group and the words on its treatment, once for each place where the text describes it."""
    found = list(islice(_find_named_groups(text), _MOST_GROUPS))
    for n, match in enumerate(found):
        before = found[n - 1].end() if n else 0
        after = found[n + 1].start() if n + 1 < len(found) else len(text)
        if _is_listed(text, match, found[max(0, n - 1) : n + 2]):
            continue
        if given := _read_treatment(text, match, before, after):
            yield match["code"] or _normalize_group_name(match["word"]), given


def _is_listed(text: str, group: re.Match[str], neighbours: Sequence[re.Match[str]]) -> bool:
    """Whether a group stands in a list of groups whose treatments stand in another list."""
    end = group.end() + _REACH
    if _IN_LIST.match(text, group.end()) and _RESPECTIVELY.search(text, group.end(), end):
        return True
    stop = _CLAUSE_END.search(text, group.end(), end)
    return _RESPECTIVELY.search(text, group.end(), stop.start() if stop else end) is not None and any(
        _BETWEEN_LISTED.fullmatch(text, one.end(), other.start()) for one, other in pairwise(neighbours)
    )


def _normalize_group_name(word: str) -> str:
    """Words in lower case; a code ("K2") unchanged."""
    return word.lower() if re.fullmatch(r"[A-Za-z -]+", word) and not word.isupper() else word


def _find_named_groups(text: str) -> Iterator[re.Match[str]]:
    for start, end in _list_windows(text):
        for match in _GROUP.finditer(text, start, end):
            if match["code"] or match["word"].lower() not in _NO_NAME:
                yield match


def _list_windows(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text around each mention of a group, in which its name stands."""
    start = end = 0
    for place in sorted(place for ending in _ENDINGS for place in _find_places(text, ending)):
        if place - _BEFORE_MENTION > end:
            if end:
                yield start, end
            start = place - _BEFORE_MENTION
        end = place + _AFTER_MENTION
    if end:
        yield start, end


def _find_places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _read_treatment(text: str, group: re.Match[str], before: int, after: int) -> str:
    """The words on the treatment of a group: after its name, or before the name if that is in brackets or the treatment
    was given to it; or ""."""
    stop = _CLAUSE_END.search(text, group.end(), min(after, group.end() + _REACH))
    following = text[group.end() : stop.start() if stop else min(after, group.end() + _REACH)]
    sign, end = text[max(0, group.start() - 2) : group.start()].strip()[-1:], text[group.end() : group.end() + 1]
    if (sign == "(" and end in (")", ",", ";")) or (sign == ";" and end == ")"):
        start = max(before, group.start() - _REACH)
        clause = _CLAUSE_END.split(text[start : group.start()].rstrip(" ;"))[-1]
        return _ASSIGNED.split(clause)[-1]
    clause = _CLAUSE_END.split(text[max(before, group.start() - _REACH) : group.start()])[-1]
    if used := _GIVEN_IN.search(clause.lstrip()):
        return used["first"]
    lead = _GIVEN.match(following)
    return following if lead and (group["code"] or lead["sign"] in (None, ":")) else ""
