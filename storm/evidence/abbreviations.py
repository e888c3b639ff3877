"""Short names that a document defines for the drug and for treated groups: "sitagliptin (SITA)", "group K"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from storm.citations.vocabulary import words_of
from storm.evidence.design import abstract_of
from storm.evidence.subjects import compile_name_pattern
from storm.models import Hit
from storm.syllabus.drug_names import DRUG_NAME

#: Characters before and after the name of a group that may name its treatment; groups of a section, and places in a
#: record where it names the drug, that are read.
_REACH = 160
_MOST_GROUPS, _MOST_NAMES = 400, 4_000
#: Characters of a record that are read for them: they are defined where they are first used.
MOST_READ = 300_000
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
#: A treatment before the name of its group: "zorvimab was used in group 1"; its first words are the treatment.
_GIVEN_IN = re.compile(
    r"(?:^|, )(?P<first>(?:the )?[\w-]+(?: [\w-]+)?)(?: [\w-]+){0,4}? (?:was|were) (?:used|given|administered|applied|"
    r"infused|injected)(?: (?!and\b|to\b|in\b|for\b)[\w-]+){0,4} (?:in|to|for)(?: the)? ?$"
)
_DENIED = re.compile(r"\b(?:without|no|not|instead of|except|versus|than|other than)\s(?:\w+\s){0,2}$")
#: Groups that got whatever the drug is compared with, which may name it among other things.
_OF_OTHERS = re.compile(r"\b(?:non-?exposed|unexposed|untreated|comparators?|controls?|placebo)\b", re.I)
#: Names of groups that got more than one drug.
_OF_SEVERAL = re.compile(r"\b(?:dual|double|triple|combin\w+)\b", re.I)
#: What says that the words on a group are on its treatment, where they do not name the drug.
_OTHER_TREATMENT = re.compile(
    rf"\b(?:placebo|saline|sham|vehicle|dextrose|water|standard|usual|conventional|no|without|untreated|control|"
    rf"surgery|exercise|diet|therapy|dose)\b|\d ?(?:mg|g|mcg|μg|µg|ml|iu|units?)\b|{DRUG_NAME.pattern}",
    re.I,
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
_CROSSED_OVER = re.compile(r"\bcross(?:ed)?[ -]?over\b", re.I)
#: Groups and their treatments in two lists: "groups A, B and C received X, Y and Z, respectively".
_IN_LIST = re.compile(r",? (?:and |or )?[A-Z]{0,2}\d?\b(?:,| and| were| received| was)")
_RESPECTIVELY = re.compile(r"\brespectively\b")
_CLAUSE_END = re.compile(r"[.;](?=\s|$)|\n|, (?:and the|but|whereas|while)\b")


_SHORT = r"[A-Z][A-Za-z0-9‐‑-]{1,8}"
#: How strong a preparation is, between the name and its abbreviation: "zorvimab 300 U/ml (Zor-300)".
_STRENGTH = r"(?: \d[\d.,]{0,8} ?(?!\d)[\w%µμ]{1,10}(?:/\w{1,6})?)?"
_INITIALS = re.compile(
    rf"{_STRENGTH}\)?[ -]?(?!(?:eluting|uptake|levels?|concentrations?|clearance|activity|receptors?|resistance|"
    rf"deficiency|release)\b)\w{{0,12}} ?\((?P<short>{_SHORT}(?: [A-Z]{{2}})?)(?:\)|[,;] \d)"
)
#: Hormones of which there are several drugs, each of them called by the second word of its name: "insulin glargine".
_GENERA = ("insulin ", "interferon ")
_LEAST_USES = 3
#: One letter of each of a product's words: "zorvimab acetate nasal spray (ZANS)", "zorvimab extended release (ZXR)".
_ACRONYM = re.compile(
    r"(?!-(?:binding|eluting|coated|induced|related|associated|resistant|dependent|treated|like|"
    r"free)\b)(?:[ -][a-z]{2,15}){1,4} \((?P<short>[A-Z]{3,6})\)"
)
#: Fixed combinations: "zorvimab/placebin (ZOR/PLA)", "zorvimab (ZOR)/placebin (PLA)".
_JOINT_INITIALS = re.compile(
    rf"(?: \((?P<own>{_SHORT})\))?/(?P<partner>[a-z][\w-]{{2,30}}) \((?P<short>{_SHORT}(?:/{_SHORT})?)\)"
)
#: "placebin (PLA)", and what two such names are together: "ZOR/PLA".
_PARTNER = re.compile(rf"\b([a-z][\w-]{{2,30}}) \(({_SHORT})\)")
_PAIR = re.compile(rf"(?<![\w/-])({_SHORT})/({_SHORT})(?![\w/-])")
#: The code of a manufacturer for a drug without a name yet: "AMG-145". Fewer digits are a target ("IL-17", "COX-2").
_CODE = r"(?!NCT|PMC|CYP)[A-Z]{2,5}[- ]?\d{3,6}[A-Z]?"
_BRAND = r"[A-Z][a-z]{2,20}(?: [A-Z]{1,3})?(?=[®™])"
#: "zorvimab (ZV-101", "zorvimab (Zorvex®)"; "ZV-101 (Zorvex®), an oral formulation of zorvimab", "Zorvex® (zorvimab)".
_NAMED_AFTER = re.compile(rf"[ -]?\((?:[a-z]\w+ ){{0,3}}(?P<name>{_CODE}|{_BRAND})[®™]?(?=[),;\s])")
_NAMED_BEFORE = re.compile(
    rf"(?<![\w-])(?P<name>{_CODE}|{_BRAND})[®™]?"
    r"(?: ?\([^()]{1,60}\))?(?: ?\((?:[a-z][\w-]* ){0,3}|, an? (?:[\w-]+ ){0,5})$"
)
_WITH_ANOTHER = re.compile(r" ?[/+-] ?[A-Za-z]| (?:and|plus) ")
#: Characters before an abbreviation in which its long form is looked for.
_LONGEST_APPOSITION = 140


class Alias(NamedTuple):
    """The pattern of a short name, its meaning, and whether it names the drug rather than a group; `is_other` marks the
    groups that got another treatment."""

    pattern: re.Pattern[str]
    meaning: str
    is_name: bool
    is_other: bool = False


class Abbreviations:
    """The short names of one document for the drug and for treated groups."""

    def __init__(self, aliases: Sequence[Alias]) -> None:
        self._aliases = tuple(aliases)

    def explain_short_names(self, sentence: str) -> str:
        """The sentence with each short name's meaning in brackets after its first use; "" if there is none of the drug
        or of a group that got it."""
        if not any(alias.pattern.search(sentence) for alias in self._aliases if not alias.is_other):
            return ""
        explained = sentence
        for alias in self._aliases:
            if found := alias.pattern.search(explained):
                explained = f"{explained[: found.end()]} [{alias.meaning}]{explained[found.end() :]}"
        return explained

    def names_drug(self, sentence: str) -> bool:
        """Whether the sentence contains a short name of the drug itself."""
        return any(alias.is_name and alias.pattern.search(sentence) for alias in self._aliases)

    def count_names(self, text: str) -> int:
        """How often a text has a short name of the drug itself."""
        return sum(len(alias.pattern.findall(text)) for alias in self._aliases if alias.is_name)


def read_abbreviations(hit: Hit, names: tuple[str, ...]) -> Abbreviations:
    """The short names that a document defines for the drug; names without a definition are ignored."""
    pattern = compile_name_pattern(names)
    texts = hit.list_first_texts(MOST_READ)
    named = list(islice((match for text in texts for match in pattern.finditer(text)), _MOST_NAMES))
    initials = {**dict(_find_other_names(named, pattern)), **dict(_find_initials(named))}
    initials |= dict(_find_last_words(names, texts))
    initials |= dict(_find_pairs(texts, initials))
    found = _read_groups(hit, texts, pattern)
    groups = {name: meaning for name, meaning in found.name_treated(names[0]).items() if name not in initials}
    others = {name: meaning for name, meaning in found.name_others(pattern).items() if name not in initials}
    aliases = [Alias(_compile_name_pattern(name), meaning, is_name=True) for name, meaning in sorted(initials.items())]
    aliases += [Alias(_compile_group_pattern(name), meaning, is_name=False) for name, meaning in sorted(groups.items())]
    aliases += [
        Alias(_compile_group_pattern(name), meaning, is_name=False, is_other=True)
        for name, meaning in sorted(others.items())
    ]
    return Abbreviations(aliases)


def _find_initials(named: Sequence[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Abbreviations in brackets after the name: "sitagliptin (SITA)"."""
    for match in named:
        text = match.string
        short = _INITIALS.match(text, match.end())
        if short and _is_abbreviation_of(short["short"].split(" ")[0], text[match.start() : short.start("short") - 1]):
            yield (
                short["short"],
                f"{match[0]})" if text[match.end() : match.end() + 1] == ")" and "(" in match[0] else match[0],
            )
        words = _ACRONYM.match(text, match.end())
        whole = text[match.start() : words.start("short") - 1].strip() if words else ""
        if words and _has_letter_of_each(whole, words["short"]):
            yield words["short"], whole
        if joint := _JOINT_INITIALS.match(text, match.end()):
            letters = f"{joint['own']}/{joint['short']}" if joint["own"] else joint["short"]
            if _is_abbreviation_of(letters, whole := f"{match[0]}/{joint['partner']}"):
                yield letters, whole


def _find_last_words(names: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The second word of a name such as "insulin glargine", if the document often calls the drug by it alone."""
    for name in names:
        genus = next((one for one in _GENERA if name.lower().startswith(one)), "")
        word = name[len(genus) :]
        if genus and re.fullmatch(r"[a-z]{5,}", word):
            alone = re.compile(rf"(?<!{genus})(?<![\w-]){word}\b")
            if sum(len(alone.findall(text)) for text in texts) >= _LEAST_USES:
                yield word, name


def _find_pairs(texts: Sequence[str], initials: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Combinations that are written with the initials of the drug and of a partner: "ZOR/PLA"."""
    if not initials:
        return
    partners = {match[2]: match[1] for text in texts for match in _PARTNER.finditer(text)}
    for pair in (match for text in texts for match in _PAIR.finditer(text)):
        own, other = initials.get(pair[1]), partners.get(pair[2])
        if own and other and _is_abbreviation_of(pair[2], other):
            yield pair[0], f"{own}/{other}"


def _has_letter_of_each(words: str, short: str) -> bool:
    """Whether each letter of the abbreviation is in the word at its place, the first at the beginning."""
    parts, letters = re.split(r"[ -]+", words.strip().lower()), short.lower()
    same = len(parts) == len(letters) and parts[0][0] == letters[0]
    return same and all(letter in part for letter, part in zip(letters, parts, strict=True))


def _find_other_names(named: Sequence[re.Match[str]], names: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Codes and brands of the drug, in brackets after its name or explained by it."""
    for match in named:
        before = match.string[max(0, match.start() - _LONGEST_APPOSITION) : match.start()]
        is_one_of_two = _WITH_ANOTHER.match(match.string, match.end())  # "WCK 5222 (cefepime/zidebactam)" is both
        found = _NAMED_AFTER.match(match.string, match.end()), not is_one_of_two and _NAMED_BEFORE.search(before)
        yield from ((other["name"], match[0]) for other in found if other and not names.fullmatch(other["name"]))


def _is_abbreviation_of(short: str, name: str) -> bool:
    """Whether the name starts with the first letter of the abbreviation and has its letters in this order."""
    *_, last = short.split("-")  # "OROS-MPH" is a form of methylphenidate
    if len(last) > 1 and last.isupper() and last != short and _is_abbreviation_of(last, name):
        return True
    letters = [letter for letter in short.lower() if letter.isalpha()]
    return any(_begins_and_holds(words.lower(), letters) for words in (name, *name.split(" ")[1:]))


def _begins_and_holds(words: str, letters: Sequence[str]) -> bool:
    left = iter(words)
    return words[:1] == letters[0] and all(letter in left for letter in letters)


class _Groups(NamedTuple):
    """How often the text says of a group that it got the drug, another treatment, or the drug with another one; and the
    names of the other treatments."""

    got: Counter[str]
    other: Counter[str]
    joined: Counter[str]
    treatments: dict[str, set[str]]

    def name_treated(self, meaning: str) -> dict[str, str]:
        """The groups that got the drug at least half as often as another treatment, with what they got."""
        known = {name for name in self.got if self.got[name] and 2 * self.got[name] >= self.other[name]}
        return {
            name: f"with {meaning}" if self.joined[name] or _OF_SEVERAL.search(name) else meaning
            for name in known
            if not _OF_OTHERS.search(name)
        }

    def name_others(self, names: re.Pattern[str]) -> dict[str, str]:
        """The groups that never got the drug, and of which one other treatment is named."""
        return {
            name: next(iter(found))
            for name, found in self.treatments.items()
            if len(found) == 1 and not self.got[name] and not names.search(name)
        }


def _read_groups(hit: Hit, texts: Sequence[str], names: re.Pattern[str]) -> _Groups:
    crossed = _CROSSED_OVER.search(f"{hit.title} {abstract_of(hit)}") is not None
    groups = _Groups(Counter(), Counter(), Counter(), {})
    for text in texts:
        for name, given in _find_group_definitions(text):
            if names.search(name) or (crossed and _IS_CODE.fullmatch(name)):
                continue
            drugs = [drug for drug in names.finditer(given) if not _DENIED.search(given, 0, drug.start())]
            groups.got[name] += bool(drugs)
            groups.other[name] += not drugs and _OTHER_TREATMENT.search(given) is not None
            groups.joined[name] += any(_is_joined(given, drug) for drug in drugs)
            if not drugs and _IS_CODE.fullmatch(name):
                found = groups.treatments.setdefault(name, set())
                found.update(one[0].casefold() for one in _NAMED_TREATMENT.finditer(given))
    return groups


def _is_joined(given: str, drug: re.Match[str]) -> bool:
    """Whether the words before or after the drug join another treatment to it."""
    return bool(_JOINED_BEFORE.search(given, 0, drug.start()) or _JOINED_AFTER.match(given, drug.end()))


def _find_group_definitions(text: str) -> Iterator[tuple[str, str]]:
    """The name of a group and the words on its treatment, once for each place where the text describes it."""
    found = list(islice(_find_named_groups(text), _MOST_GROUPS))
    for n, match in enumerate(found):
        before = found[n - 1].end() if n else 0
        after = found[n + 1].start() if n + 1 < len(found) else len(text)
        if _IN_LIST.match(text, match.end()) and _RESPECTIVELY.search(text, match.end(), match.end() + _REACH):
            continue
        if given := _read_treatment(text, match, before, after):
            yield match["code"] or _normalize_group_name(match["word"]), given


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
        return _CLAUSE_END.split(text[start : group.start()].rstrip(" ;"))[-1]
    clause = _CLAUSE_END.split(text[max(before, group.start() - _REACH) : group.start()])[-1]
    if used := _GIVEN_IN.search(clause.lstrip()):
        return used["first"]
    lead = _GIVEN.match(following)
    return following if lead and (group["code"] or lead["sign"] in (None, ":")) else ""


def _compile_name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/-]){re.escape(name)}(?:[ -](?:group|arm))?(?![\w-]|/[A-Z])")


def _compile_group_pattern(name: str) -> re.Pattern[str]:
    """The pattern for the name of a group: several capitals match anywhere, other names only next to "group"."""
    if len(name) > 1 and name.isupper() and not re.fullmatch(r"I+|IV", name):
        return _compile_name_pattern(name)
    word = re.escape(name)
    word = word if name.isupper() or not name[0].isalpha() else f"[{word[0].upper()}{word[0]}]{word[1:]}"
    return re.compile(
        rf"\b(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?)(?:[ -]| - ){word}\b(?![.·]\d)"
        rf"|(?<![\w-]){word}(?=(?: and| or| versus| vs\.?|,) [\w-]+ (?:groups|arms))"
        rf"|(?<![\w-]){word}[ -](?:treatment )?(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?)\b"
    )
