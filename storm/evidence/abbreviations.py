"""Short names that a document defines for the drug and for treated groups: "sitagliptin (SITA)", "group K"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from storm.citations.vocabulary import words_of
from storm.evidence.combination_arms import COMBINATION_GROUP, MONOTHERAPY_GROUP, read_combination_arms
from storm.evidence.design import abstract_of
from storm.evidence.group_treatments import read_group_treatments
from storm.evidence.regimens import NO_PARTNER, find_regimens
from storm.evidence.subjects import compile_name_pattern
from storm.models import Hit
from storm.patterns.amounts import AMOUNT
from storm.syllabus.drug_names import DRUG_NAME

#: Places in a record where it names the drug that are read.
_MOST_NAMES = 4_000
#: Characters of a record that are read for them: they are defined where they are first used.
MOST_READ = 300_000
_SHORT = r"[A-Z][A-Za-z0-9‐‑-]{1,8}"
#: How strong a preparation is, between the name and its abbreviation: "zorvimab 300 U/ml (Zor-300)".
_STRENGTH = rf"(?: {AMOUNT})?"
_HAS_STRENGTH = re.compile(rf" {AMOUNT}")
_INITIALS = re.compile(
    rf"{_STRENGTH}\)?[ -]?(?!(?:eluting|uptake|levels?|concentrations?|clearance|activity|receptors?|resistance|"
    rf"deficiency|release|placebo)\b)\w{{0,12}} ?\((?P<short>{_SHORT}(?: [A-Z]{{2}})?)(?:\)|[,;] \d)"
)
#: Where the words on the form of a drug cannot have begun yet: "gemcitabine plus", "saline, ".
_BEFORE_FORM = re.compile(rf"\b(?:plus|and|or|with|versus)\b|[+/,;.()]|{DRUG_NAME.pattern}", re.I)
#: Characters before a name that may say which form of the drug it is; a pegylated drug is another drug.
_LONGEST_FORM, _OTHER_DRUGS_FORM = 60, "PEG"
#: Insulins that are called by the second word of their names, which has no other meaning.
_INSULINS = words_of("aspart degludec detemir glargine glulisine icodec lispro")
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
#: The code of a manufacturer for a drug without a name yet: "AMG-145". Fewer digits are a target ("IL-17", "COX-2").
_CODE = r"(?!NCT|PMC|CYP)[A-Z]{2,5}[- ]?\d{3,6}[A-Z]?"
#: Before two drugs that one code stands for.
_COMBINES = re.compile(r"\bcombinations? of (?:[\w-]+ ){0,2}$|\bcombinations? of [\w-]*$", re.I)
#: "zorvimab-placebin (ZP)", "zorvimab plus placebin (ZOR+PLA)".
_HYPHENATED = re.compile(r"-[a-z]{5,30}(?= ?\()")
#: With two partners a short name may have no sign: "zorvimab + placebin + quibaxan (ZPQ)".
_REGIMEN = re.compile(
    r"(?P<rest>(?: ?\+ ?| plus |-)(?!placebo\b)[a-z][\w-]{2,30}) ?"
    r"\((?P<short>[A-Z][A-Za-z0-9]{0,6} ?[+-] ?[A-Z][A-Za-z0-9]{0,6})\)|"
    rf"(?P<all>(?:(?: ?\+ ?|-)[a-z]{{4,30}}){{1,3}}) ?\((?P<letters>{_SHORT})\)"
)
_CODE_OF_BOTH = re.compile(rf"(?P<rest>(?: ?[+/] ?| plus | and )[a-z][\w-]{{2,30}}) ?\((?P<code>{_CODE})\)")
#: In a list of abbreviations: "ZOR = zorvimab".
_DEFINED_BEFORE = re.compile(rf"(?<![\w/+-])(?P<short>{_SHORT})\s?[=:]\s?$")
_LONGEST_SHORT = 14
#: "placebin (PLA)", and what two such names are together: "ZOR/PLA".
_PARTNER = re.compile(rf"\b([a-z][\w-]{{2,30}}) \(({_SHORT})\)")
_PAIR = re.compile(rf"(?<![\w/-])({_SHORT})/({_SHORT})(?![\w/-])")
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
    found = read_group_treatments(hit, texts, pattern)
    regimens = {short: whole for text in (hit.title, *texts) for short, whole in find_regimens(text, pattern)}
    # Beside arms of the drug alone, a combination with it is one of what was added.
    is_alone = any(found.got[name] and not found.joined[name] for name in found.got if name not in regimens)
    initials |= {short: whole for short, whole in regimens.items() if not (is_alone and found.got[short])}
    groups = {name: meaning for name, meaning in found.name_treated(names[0]).items() if name not in initials}
    others = {name: meaning for name, meaning in found.name_others().items() if name not in initials}
    aliases = [Alias(_compile_name_pattern(name), meaning, is_name=True) for name, meaning in sorted(initials.items())]
    aliases += [Alias(_compile_group_pattern(name), meaning, is_name=False) for name, meaning in sorted(groups.items())]
    aliases += [
        Alias(_compile_group_pattern(name), meaning, is_name=False, is_other=True)
        for name, meaning in sorted(others.items())
    ]
    if arms := read_combination_arms(f"{hit.title}. {abstract_of(hit)}", names):
        aliases += [
            Alias(COMBINATION_GROUP, arms.combination, is_name=False),
            Alias(MONOTHERAPY_GROUP, arms.monotherapy, is_name=False, is_other=arms.monotherapy != names[0]),
        ]
    return Abbreviations(aliases)


def find_short_names(text: str, names: Sequence[str]) -> Iterable[str]:
    """The abbreviations of the drug, or of the drug with a partner, that a text has in brackets after its name."""
    pattern = compile_name_pattern(tuple(names))
    return {**dict(_find_initials(list(pattern.finditer(text)))), **dict(find_regimens(text, pattern))}


def _find_initials(named: Sequence[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Abbreviations in brackets after the name: "sitagliptin (SITA)"."""
    for match in named:
        text = match.string
        short = _INITIALS.match(text, match.end())
        if short and _is_short_for(short, match):
            partner = _HYPHENATED.match(text, match.end())
            if not (partner and NO_PARTNER.match(partner[0])):
                whole = f"{match[0]}{partner[0]}" if partner else _add_strength(match, short["short"])
                yield short["short"], whole
        if regimen := _REGIMEN.match(text, match.end()):
            letters, rest = regimen["short"] or regimen["letters"], regimen["rest"] or regimen["all"]
            is_partner = not NO_PARTNER.match(rest)
            if is_partner and _is_abbreviation_of(letters, whole := f"{match[0]}{rest}"):
                yield letters, whole
        both = _CODE_OF_BOTH.match(text, match.end())
        if both and ("and" not in both["rest"] or _COMBINES.search(text[: match.start()][-_LONGEST_FORM:])):
            yield both["code"], f"{match[0]}{both['rest']}"
        listed = _DEFINED_BEFORE.search(text, max(0, match.start() - _LONGEST_SHORT), match.start())
        if listed and _is_abbreviation_of(listed["short"], match[0]):
            yield listed["short"], _add_strength(match, listed["short"])
        words = _ACRONYM.match(text, match.end())
        whole = text[match.start() : words.start("short") - 1].strip() if words else ""
        if words and _has_letter_of_each(whole, words["short"]):
            yield words["short"], whole
        if joint := _JOINT_INITIALS.match(text, match.end()):
            letters = f"{joint['own']}/{joint['short']}" if joint["own"] else joint["short"]
            if _is_abbreviation_of(letters, whole := f"{match[0]}/{joint['partner']}"):
                yield letters, whole


def _find_last_words(names: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The second word of the name of an insulin, if the document often calls the drug by it alone."""
    for name in names:
        genus, _, word = name.lower().partition(" ")
        if genus == "insulin" and word in _INSULINS:
            alone = re.compile(rf"(?<!insulin )(?<![\w-]){word}\b", re.I)
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


def _add_strength(name: re.Match[str], short: str) -> str:
    """The name, with how strong it is where the abbreviation has the figures of that: "zorvimab 20 mg (Z20)"."""
    strength, figures = _HAS_STRENGTH.match(name.string, name.end()), re.findall(r"\d+", short)
    if strength and figures == re.findall(r"\d+", strength[0]):
        return f"{name[0]}{strength[0]}"
    return _close_bracket(name)


def _close_bracket(name: re.Match[str]) -> str:
    """The name, with the bracket that closes after it if it has opened one."""
    return f"{name[0]})" if "(" in name[0] and name.string.startswith(")", name.end()) else name[0]


def _is_short_for(short: re.Match[str], name: re.Match[str]) -> bool:
    """Whether an abbreviation is one of the name with the words after it, of a later word of the name itself
    ("insulin glargine (Gla)"), or of a form of the drug."""
    letters = short["short"].split(" ")[0]
    whole = name.string[name.start() : short.start("short") - 1]
    later = name[0].split()[1:]
    return any(_is_abbreviation_of(letters, words) for words in (whole, *later)) or _is_of_form(letters, name)


def _is_of_form(short: str, name: re.Match[str]) -> bool:
    """Whether an abbreviation is that of the drug after that of its form: "osmotic-release oral system zorvimab
    (OROS-ZVB)"; the first part may otherwise be another drug."""
    form, _, own = short.rpartition("-")
    if form in ("", _OTHER_DRUGS_FORM) or len(own) < 2 or not own.isupper() or not _is_abbreviation_of(own, name[0]):
        return False
    before = name.string[max(0, name.start() - _LONGEST_FORM) : name.start()]
    start = max((found.end() for found in _BEFORE_FORM.finditer(before)), default=0)
    words = before[start:].split()
    return any(_is_abbreviation_of(form, " ".join(words[n:])) for n in range(len(words)))


def _is_abbreviation_of(short: str, name: str) -> bool:
    """Whether the name starts with the first letter of the abbreviation and has its letters in this order."""
    letters = [letter for letter in short.lower() if letter.isalpha()]
    left = iter(name.lower())
    return name[:1].lower() == letters[0] and all(letter in left for letter in letters)


def _escape_name(name: str) -> str:
    """A name as part of a pattern; if it is in lower case, it may begin a sentence."""
    return f"[{name[0].upper()}{name[0]}]{re.escape(name[1:])}" if name[0].islower() else re.escape(name)


def _compile_name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/-]){_escape_name(name)}(?:[ -](?:group|arm))?(?![\w-]|[/+][A-Z])")


def _compile_group_pattern(name: str) -> re.Pattern[str]:
    """The pattern for the name of a group: several capitals match anywhere, other names only next to "group"."""
    if len(name) > 1 and name.isupper() and not re.fullmatch(r"I+|IV", name):
        return _compile_name_pattern(name)
    word = _escape_name(name)
    return re.compile(
        rf"\b(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?)(?:[ -]| - ){word}\b(?![.·]\d)"
        rf"|(?<![\w-]){word}(?=(?: and| or| versus| vs\.?|,) [\w-]+ (?:groups|arms))"
        rf"|(?<![\w-]){word}[ -](?:treatment )?(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?)\b"
    )
