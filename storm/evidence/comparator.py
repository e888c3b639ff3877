"""Reads the comparator of a drug in a study, from its title and abstract."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from storm.citations.vocabulary import words_of
from storm.evidence.arm_lists import list_comparators
from storm.evidence.subjects import compile_name_pattern
from storm.models.names import phrases_of
from storm.syllabus.drug_names import DRUG_NAME

_PLACEBO = re.compile(r"(?i)\bplacebo\b")
_AGAINST = re.compile(
    r"(?i)\b(?:versus|vs\.?|compared? (?:with|to)|in comparison (?:with|to)|relative to) (?:the )?"
    r"([a-z][\w/-]*(?: (?!clinical\b|efficacy\b|safety\b|effects?\b|effectiveness\b|"
    r"in\b|on\b|for\b|of\b|as\b|after\b|group|during|at\b|was|were|had|and\b|among|with\b|"
    r"baseline|\d+\.\d)[\w/-]+){0,3})"
)
#: Whom the treatments are for: "in patients with asthma" names no comparator.
_NOT_OF_PEOPLE = "".join(
    f"(?<!{people} )"
    for people in ("patients", "subjects", "adults", "children", "women", "men", "people", "infants", "participants")
)
_COMPARISON = re.compile(
    rf"(?i)\bcompar(?:ison|ative|ing|e)\b([^:.]{{3,120}}?)\b(?:{_NOT_OF_PEOPLE}(?:with|to)\b|"
    rf"and\b(?![^:.]{{3,120}} with [a-z]+ and\b)) "
    r"([^:.]{3,120})"
)
_NO_DRUG = re.compile(
    r"(?i)(?<!intolerance )(?<!refractory )(?<!resistant )(?<!responding )(?<!failure )(?<!addition )"
    r"\b(?:or|and|versus|vs\.?|than|to|with|receiv\w+|given|either) (?:an? |the )?"
    r"(?:(?:equal|same|equivalent|identical) (?:volumes?|amounts?) of )?(usual care|standard (?:of )?care|"
    r"standard therapy|no treatment|(?:hypertonic |isotonic |normal )?saline|sham|observation alone)\b"
)
#: "Control group: saline infusion", "the control group (n = 20) received normal saline".
_CONTROL_GOT = re.compile(
    r"(?i)\bcontrol (?:group|arm)(?: \([^()]{1,20}\))?(?::| (?:received|was given)) (?:an? |the )?"
    r"((?:normal |isotonic )?saline|vehicle|no treatment)(?=[.,;)]| alone| only| infusion)"
)
#: Words that the names of several drugs share.
_SHARED_WORDS = words_of("insulin acid sodium sulfate sulphate hydrochloride interferon vitamin alfa beta human")
#: Two routes of one drug in a title, and characters that they take.
_ROUTE = r"(?:oral|intravenous|subcutaneous|intramuscular|intranasal|topical|inhaled|sublingual|vaginal|rectal|buccal)"
_ROUTES = re.compile(rf"\b{_ROUTE} (?:and|or|versus|vs\.?) (?P<other>{_ROUTE}) $")
_LONGEST_ROUTES = 40
#: What may stand between two drugs of a row in a title.
_IN_ROW = re.compile(rf"(?:[ -](?!and |plus |with |in |for |on )[\w-]{{1,30}}){{0,2}}(?:,? and |, )(?:{_ROUTE} )?")
#: The left side of a title's "versus", and how many words after it are its right side.
_LEFT = re.compile(r"(?i)(?:^|\bof|:) ?((?!of\b)[\w/+-]{1,40}(?: (?!of\b)[\w/+-]{1,40}){0,3}) (?:versus|vs\.?) ")
_SIDE = 4
#: What says that the drugs of a title are compared.
_COMPARES = re.compile(r"\bcompar\w+|\bpreferences?\b|\bversus\b|\bvs\b")
#: Drugs of a row that are given together, or with something else; and one that was given before.
_TOGETHER_IN_TITLE = re.compile(
    r"\bcombin|\bfixed[- ]dose\b|\binteraction|\btriple\b|\bregimen|\bplus\b|\bsequential\b"
)
_GOES_ON = re.compile(r" (?:with|versus|vs)\b")
_SWITCHED = re.compile(r"(?i)\b(?:from|failing|after|switch\w*)\b")
#: How strong a preparation is, by which two of one drug are told apart.
_STRENGTH = re.compile(r"(?i)(?<![\d.,])\d[\d.,]{0,10} ?(?:m?g|µg|μg|mcg|ml|iu|units?|u|%)(?:/\w+)?(?!\w)")
#: Studies of one arm, or of many against each other, in which no single treatment is the other side.
_NO_OTHER_SIDE = re.compile(r"(?i)\b(?:single|one)[- ]arm\b|\bnetwork meta-analysis\b")
_ONE_ARM = re.compile(r"(?i)\bsingle[- ]arm\b")
#: Trials in which placebo may be that of another treatment, or stands beside a comparator without a name.
_SEVERAL_PAIRS = re.compile(r"(?i)\bfactorial\b")
_ACTIVE_CONTROL = re.compile(r"(?i)\bactive[- ](?:control|comparator|reference)")
_NO_COMPARATOR = re.compile(
    r"(?i)^(?:baseline|those|that|other|the|patients?|controls?|group|subjects|healthy|a|an|pre|all|before|both|each|"
    r"monotherap(?:y|ies))\b"
)
#: The arms of a study of doses, and those without any treatment.
_OTHER_DOSE = re.compile(
    r"(?i)\b(?:low|lower|high|higher|standard|conventional|usual|single|reduced)[- ]dose\b[^:.]{0,30}\b(?:and|versus|"
    r"vs\.?|or|with) (?:the )?((?:low|lower|high|higher|standard|conventional|usual|multiple|reduced)[- ]dose)\b"
)
_CONTROL = re.compile(r"(?i)\b(?:versus|vs\.?) (?:an? |the )?(?:untreated )?(control)s?\b(?! of\b)")
_SENTENCE = re.compile(r"(?<=[.;])\s+")
#: Characters read of a sentence.
_LONGEST = 500
_WORD = re.compile(r"[a-z][\w-]*")
#: A word, or a part of a hyphenated one.
_PART = re.compile(r"[^\W_]+")
#: Maximum of characters between two names in a list.
_LIST = 6
_TOGETHER = re.compile(r"\b(?:plus|combin\w+)\b")
#: Between the names of two arms, in this order or the other: "either A or B", "A, but not B", "A, B and placebo".
_APART = re.compile(
    r"(?:\b(?:or|versus|vs\.?|than|but not|unlike)\b|\b(?:compared (?:with|to)|whereas|while)\b)(?! (?:more|less)\b)"
)
_ARMS = re.compile(
    r"\b(?:receiv\w+|randomi[sz]\w+|assigned|administered|given|treated|compar\w+|versus|vs|than|but not|unlike)\b"
)
_AND_PLACEBO = re.compile(r"[^.;]{0,20},? (?:and|or) placebo\b")
#: The last arm of three: "A, B or C".
_OR_ANOTHER = re.compile(r"[^.;]{0,40},? or [a-z]")
_CAUSED = re.compile(r"[- \u2010\u2011](?:induced|related|associated|mediated)\b", re.I)
_AND_NEXT = re.compile(r",? (?:and|or|versus|vs\.?) |, ")


def read_comparator(title: str, abstract: str, names: Sequence[str]) -> str:
    """The comparators of the drug: those that the title names, the other arms of the abstract, placebo, or usual care.

    Empty where it is not certain which of several treatments they are, or where another is tried against what the drug
    causes.
    """
    own = _find_own_words(names)
    if _is_only_cause(title, compile_name_pattern(tuple(names))):
        return ""
    titled = [*_find_comparators(title), *_find_comparison_partners(title, own)]
    listed = [one for one in list_comparators(abstract, own) if not _is_alone(one, own)]
    if titled:
        is_other = own.isdisjoint(_PART.findall(titled[0].casefold())) or _is_same_drug_otherwise(title, titled[0], own)
        is_certain = is_other and not _is_followed(title.casefold(), titled[0])
        return titled[0] if is_certain else _join(listed) or _find_left_side(title, own)
    if row := _read_title_row(title, own, compile_name_pattern(tuple(names))):
        return row
    if _NO_OTHER_SIDE.search(title) or _ONE_ARM.search(abstract):
        return ""
    if listed:
        return _join(listed)
    if _SEVERAL_PAIRS.search(abstract):
        return ""
    others = [name for name in dict.fromkeys(m[0] for m in DRUG_NAME.finditer(title.casefold())) if name not in own]
    apart = _find_other_arms(others, abstract, own)
    if apart and len(apart) < len(others):
        return ""  # which of the arms a sentence compares is not certain
    beside = " and ".join(apart)
    if _PLACEBO.search(f"{title} {abstract}"):
        if _ACTIVE_CONTROL.search(abstract) and not beside:
            return ""
        return f"placebo and {beside}" if beside else "placebo"
    if beside:
        return beside
    groups = (
        _find_non_drugs(abstract),
        _find_compared_drugs(abstract, own),
        _find_inactive_comparators(title, abstract),
    )
    return next(chain.from_iterable(groups), "")


def _find_own_words(names: Sequence[str]) -> set[str]:
    """The words of the names, without those that other drugs share with them: "glargine" of "insulin glargine"."""
    words = {word for phrase in phrases_of(names) for word in phrase}
    return words - _SHARED_WORDS or words


def _is_only_cause(title: str, drug: re.Pattern[str]) -> bool:
    """Whether a title names the drug only as the cause of what another is tried for: "placebin for zorvimab-induced
    hyperalgesia"."""
    mentions = list(drug.finditer(title))
    others = any(not drug.match(title, other.start()) for other in DRUG_NAME.finditer(title.casefold()))
    if not others or _COMPARES.search(title.casefold()):
        return False
    return bool(mentions) and all(_CAUSED.match(title, mention.end()) for mention in mentions)


def _is_same_drug_otherwise(title: str, comparator: str, own: set[str]) -> bool:
    """Whether a title compares two strengths of the drug ("300 U/ml versus glargine 100 U/ml"), or a combination of it
    with it alone."""
    strengths = [found[0] for found in _STRENGTH.finditer(title)]
    mine = _STRENGTH.search(comparator)
    if mine is not None:
        return len(strengths) > 1 and strengths.count(mine[0]) == 1
    before = title.casefold().partition(comparator.casefold())[0]
    return _is_alone(comparator, own) and not own.isdisjoint(_PART.findall(before))


def _read_title_row(title: str, own: set[str], drug: re.Pattern[str]) -> str:
    """The other drugs of a row in a title that compares them: "a comparison of fentanyl and zorvimab", "effects of
    lidocaine, ketamine and zorvimab"; or the other route: "sublingual and vaginal zorvimab"."""
    plain = title.casefold()
    is_compared = _COMPARES.search(plain) is not None
    if _TOGETHER_IN_TITLE.search(plain) or not (is_compared or plain.startswith(("effect of", "effects of"))):
        return ""
    mentions = [*drug.finditer(plain)]
    for mention in mentions:
        if is_compared and (
            route := _ROUTES.search(plain[max(0, mention.start() - _LONGEST_ROUTES) : mention.start()])
        ):
            return f"{route['other']} {mention[0]}"
    spans = sorted({found.span() for found in (*DRUG_NAME.finditer(plain), *mentions)})
    row: list[str] = []
    for n, (start, end) in enumerate(spans):
        joint = plain[spans[n - 1][1] : start] if n else ""
        row = [*row, plain[start:end]] if _IN_ROW.fullmatch(joint) else [plain[start:end]]
        others = [name for name in row if not drug.fullmatch(name) and name not in own]
        is_last = joint.endswith(" and ") and len(others) < len(row)
        if is_last and others and (is_compared or len(others) > 1) and not _GOES_ON.match(plain, end):
            return _join(others)
    return ""


def _find_left_side(title: str, own: set[str]) -> str:
    """What stands before "versus" in a title if the drug stands after it."""
    found = _LEFT.search(title)
    if found is None or not DRUG_NAME.search(found[1]):
        return ""
    is_right = not own.isdisjoint(_PART.findall(title[found.end() :].casefold())[:_SIDE])
    is_other = own.isdisjoint(_PART.findall(found[1].casefold())) and not _SWITCHED.search(found[1])
    return found[1] if is_right and is_other else ""


def _is_alone(arm: str, own: set[str]) -> bool:
    """Whether it is the arm of the drug alone, with which its combinations are compared: "zorvimab alone"."""
    *words, last = arm.casefold().split()
    return last in ("alone", "monotherapy") and not own.isdisjoint(_PART.findall(" ".join(words)))


def _join(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _is_followed(title: str, comparator: str) -> bool:
    """Whether another treatment follows a comparator in the title: "versus A, B and placebo"."""
    rest = title.partition(comparator.casefold())[2]
    joined = _AND_NEXT.match(rest)
    return bool(joined and (DRUG_NAME.match(rest, joined.end()) or _PLACEBO.match(rest, joined.end())))


def _find_other_arms(others: Sequence[str], abstract: str, own: set[str]) -> list[str]:
    """Those of the other drugs in the title that the abstract names as a separate arm."""
    sentences = [part[:_LONGEST].casefold() for part in _SENTENCE.split(abstract)]
    apart = [name for name in others if not any(_are_given_together(abstract, name, word) for word in own)]
    return [name for name in apart if any(_are_apart(one, name, word) for one in sentences for word in own)]


def _are_given_together(abstract: str, name: str, word: str) -> bool:
    """Whether the text names two drugs as one treatment: "cisplatin/fluorouracil"."""
    pair = rf"{re.escape(word)}(?:/| plus | ?\+ ?){re.escape(name)}"
    return bool(re.search(rf"\b{pair}\b", abstract.casefold()))


def _are_apart(sentence: str, name: str, word: str) -> bool:
    """Whether a sentence names two drugs as separate arms."""
    places = {found[0]: found.span() for found in reversed([*_WORD.finditer(sentence)])}
    if name not in places or word not in places:
        return False
    (_, start), (end, rest) = sorted((places[name], places[word]))
    between = sentence[start:end]
    if len(between) < _LIST and _AND_PLACEBO.match(sentence[rest:]):
        return True
    if ", " in between and _OR_ANOTHER.match(sentence[rest:]) and _ARMS.search(sentence):
        return not _TOGETHER.search(between)
    return bool(_APART.search(between) and _ARMS.search(sentence)) and not _TOGETHER.search(between)


def _find_inactive_comparators(title: str, abstract: str) -> Iterator[str]:
    """Comparators that are not another treatment: another dose, or a control group."""
    yield from (match[1].lower() for match in _OTHER_DOSE.finditer(title))
    yield from (match[1].lower() for match in _CONTROL.finditer(f"{title}. {abstract}"))


def _find_comparators(text: str) -> Iterator[str]:
    # What ends before a percent sign is the strength of something that is not known whole.
    found = (
        match[1].strip().removesuffix(" respectively")
        for match in _AGAINST.finditer(text)
        if not text.startswith("%", match.end())
    )
    yield from (words for words in found if not _NO_COMPARATOR.match(words))


def _find_compared_drugs(abstract: str, own: set[str]) -> Iterator[str]:
    """Drugs after "compared with" in sentences that name no third one, which may be what was compared with it."""
    for sentence in _SENTENCE.split(abstract):
        others = {found[0] for found in DRUG_NAME.finditer(sentence.casefold())} - own
        for words in _find_comparators(sentence):
            said = words.casefold()
            if others and own.isdisjoint(said.split()) and all(name in said for name in others):
                yield words


def _find_comparison_partners(title: str, own: set[str]) -> Iterator[str]:
    """The treatments after the drug in "a comparison of the drug with …"."""
    if (match := _COMPARISON.search(title)) and not own.isdisjoint(re.findall(r"[^\W_]+", match[1].casefold())):
        yield from _find_comparators(f"versus {match[2]}")


def _find_non_drugs(text: str) -> Iterator[str]:
    yield from (match[1].lower() for found in (_NO_DRUG, _CONTROL_GOT) for match in found.finditer(text))
