"""Tells whether both sides of a comparison got the drug: what differs between them is then another drug's result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from storm.syllabus.drug_names import DRUG_NAME

_AGAINST = re.compile(
    r",?\s(?:versus|vs\.?|(?:as |when )?compared (?:with|to)|in comparison (?:with|to)|than(?: with| in|"
    r" those (?:given|on))?)\s"
)
#: Where the two sides begin and end: what follows is on whom, or the name of the trial.
_START = re.compile(
    r"[:;]\s|,\s(?:demonstrating|indicating|showing|suggesting|representing|reflecting|confirming|meaning|which)\s"
)
_END = re.compile(
    r"[:;(]|\s-\s|-the\b|\s(?:in|for|among|of) (?:[\w-]+ ){0,3}(?:patients|adults|people|women|men|children|type)\b"
)
_JOINT = re.compile(r",? (?:and|plus|with) |, | ?[+/] ?")
#: A dose, number of patients or short name in brackets; the drug by itself; the drug next to a partner.
_BRACKET = r"(?: \([^()]{1,30}\))?"
_ALONE = rf"{_BRACKET} (?:\w+ )?(?:alone|monotherapy)\b"
_JOINED = r"(?:combin\w{1,8} with|together with|plus|added to|add-on to|adding to|\+)"
_IS_ALONE = re.compile(_ALONE)
#: Another treatment by itself, named after the drug alone: "than zorvimab alone and placebin alone".
_OTHER_ALONE = re.compile(rf",? (?:and|or|nor|as well as) (?:(?:with|to|than|by) )?[\w-]{{1,40}}{_ALONE}")
#: "Zorvimab with or without placebin": what may be missing, unless it is a state or an earlier treatment of patients.
_WITH_OR_WITHOUT = re.compile(
    rf"{_BRACKET} with (?:\([^()]{{1,30}}\) )?(?:or|and|/) without{_BRACKET}"
    r"((?: (?!(?:prior|previous|earlier|past|after|in)\b)[\w-]{1,40}){1,3})"
)
#: The drug held against a placebo of its own: "zorvimab or placebo", not "zorvimab or placebo plus zorvimab".
_OR_PLACEBO = re.compile(
    rf"{_BRACKET},? (?:or|versus|vs\.?) (?:matching |oral )?placebo\b(?!{_BRACKET} (?:in )?{_JOINED} )"
)
#: After a partner's name: an arm that did not get the drug.
_WITHOUT_DRUG = re.compile(rf"{_ALONE}|{_BRACKET} {_JOINED} (?:\w+ )?placebo\b")
_FACTORIAL = re.compile(r"\bfactorial\b")
#: What stands between two arms, and the arm with both: "losartan, zorvimab or both".
_NEXT_IN_LIST = re.compile(rf"{_BRACKET}(?:,| or| and|, or|, and) ")
_OR_BOTH = re.compile(
    rf"{_BRACKET},? (?:or|and) (?:both\b|(?:the|their|its|a) combination\b|"
    rf"[\w-]{{1,40}} {_JOINED} (?!(?:\w+ )?placebo\b))"
)
#: A regimen with its short name: "pomalidomide, bortezomib, and dexamethasone (pvd)".
_REGIMEN = re.compile(
    rf"((?:[a-z][\w-]{{2,24}}(?:{_JOINT.pattern})){{1,5}}[a-z][\w-]{{2,24}}) \([a-z][a-z0-9-]{{0,5}}[a-z0-9]\)"
)
#: Where the words on one group end: "30 patients received …, and 30 patients received …".
_BETWEEN_GROUPS = re.compile(
    r"[;,] (?:and |while |whereas |but )?(?=(?:\d+ |the |another |group |patients ))| and (?=\d+ )"
)
_ASSIGNED = re.compile(r"\b(?:randomi[sz]\w+|assigned|allocated|groups?|arms?|received|receiving|given|treated)\b")
_RECEIVED = re.compile(r"\b(?:receiv\w+|given|treated with|injected with)\b")
_DENIED = re.compile(r"\b(?:no|not|without|never)\b")
_JOINED_TO = re.compile(r"\+|\b(?:plus|and|with|mixed)\b")
_WORD = re.compile(r"[a-z][a-z-]{3,}")
#: Words in which groups with one treatment differ, too: its route and its time.
_NO_PARTNER = re.compile(
    r"\w+ly|patients?|groups?|receiv\w+|given|with|mixed|other|every|each|oral|intra\w+|epidural|topical|subcutaneous|"
    r"hours?|days?|weeks?|months?|minutes?"
)
#: The drug with something of which no name is known: "zorvimab plus chlorambucil".
_PLUS = re.compile(r" (?:\+|plus|combined with) (?!(?:\w+ )?placebo\b)(?=[a-z])")
#: A title that begins with the drug which is tried, or with its effect: "Effect of low-dose ketamine in …".
_TRIED = re.compile(
    r"(?:(?:[\w-]+ ){0,2}(?:effects?|efficacy|safety|use|role)(?: and (?:safety|tolerability))? of )?"
    r"(?:(?:adding|oral|intravenous|low[- ]dose|small[- ]dose) ){0,2}"
)
_TRIED_FOR = re.compile(
    r"(?: (?:pre-?treatment|premedication|infusion|supplementation|therapy|treatment))? (?:for|in|to|on) "
)
_OR_ANOTHER = re.compile(r",? (?:or|versus|vs)\b")
#: "In patients … treated with" the drug: what they all get, not what is tried in them.
_PEOPLE_ON = re.compile(
    r"\b(?:patients|people|women|men|adults|children|subjects|infants|volunteers)\b"
    r"(?:(?! (?:versus|vs|compared|or|and)\b)[^.:;]){0,120}? (?:with|on|receiving|under|undergoing|during|using) "
    r"(?:(?!and |or |versus )[\w-]+ ){0,2}$"
)


def is_in_both_arms(text: str, drug: re.Pattern[str]) -> bool:
    """Whether a folded title or sentence compares two treatments with this drug, of which one has another drug too."""
    border = _AGAINST.search(text)
    if border is None:
        return False
    before = _START.split(text[: border.start()])[-1]
    sides = before, _END.split(text[border.end() :], maxsplit=1)[0]
    if not all(map(drug.search, sides)):
        return False
    if is_partner_tried(text, drug):
        return True
    one, other = ({found[0] for found in DRUG_NAME.finditer(side) if not drug.search(found[0])} for side in sides)
    return one != other and (one <= other or other <= one)


def is_in_all_groups(sentences: Iterable[str], drug: re.Pattern[str]) -> bool:
    """Whether folded sentences of an abstract say that all groups received the drug, each with something else."""
    told = (one for one in sentences if _ASSIGNED.search(one) and not _joins_unknown(one, drug))
    return any(is_in_both_arms(one, drug) or _is_in_each_group(one, drug) for one in told)


def _joins_unknown(sentence: str, drug: re.Pattern[str]) -> bool:
    """Whether the sentence joins the drug to something of which no name is known, so that arms cannot be compared."""
    joints = (_PLUS.match(sentence, found.end()) for found in drug.finditer(sentence))
    return any(joint and not DRUG_NAME.match(sentence, joint.end()) for joint in joints)


def _is_in_each_group(sentence: str, drug: re.Pattern[str]) -> bool:
    """Whether the sentence says of two groups that each received the drug together with something of its own."""
    got = [clause for clause in _BETWEEN_GROUPS.split(sentence) if _RECEIVED.search(clause)]
    joined = [
        clause for clause in got if drug.search(clause) and _JOINED_TO.search(clause) and not _DENIED.search(clause)
    ]
    if len(got) < 2 or len(joined) < len(got):
        return False
    partners = [{word for word in _WORD.findall(drug.sub("", one)) if not _NO_PARTNER.fullmatch(word)} for one in got]
    common = set.intersection(*partners)
    return all(one - common for one in partners)


def is_treatment_of_all(title: str, drug: re.Pattern[str]) -> bool:
    """Whether a folded title begins with another drug, which is tried in people who all get this one."""
    before = _TRIED.match(title)
    other = DRUG_NAME.match(title, before.end() if before else 0)
    if other is None or drug.search(other[0]) or not _TRIED_FOR.match(title, other.end()):
        return False
    mentions = list(drug.finditer(title))
    return bool(mentions) and all(
        _PEOPLE_ON.search(title[: found.start()]) and not _OR_ANOTHER.match(title, found.end()) for found in mentions
    )


def is_partner_tried(text: str, drug: re.Pattern[str], partner: re.Pattern[str] | None = None) -> bool:
    """Whether a folded text says that the drug with a partner was compared with the drug alone, or was given with or
    without the partner: this one, or any known drug."""
    if any(_is_with_or_without(text, found.end(), drug, partner) for found in drug.finditer(text)):
        return True
    border = _AGAINST.search(text)
    other = drug.match(text, border.end()) if border else None
    alone = _IS_ALONE.match(text, other.end()) if other else None
    if border is None or alone is None or _OTHER_ALONE.match(text, alone.end()):
        return False
    before = text[: border.start()]
    return any(
        re.search(rf"{_JOINED} (?:\w+ )?$", before[: found.start()]) or re.match(rf" {_JOINED} ", before[found.end() :])
        for found in drug.finditer(before)
    )


def _is_with_or_without(text: str, end: int, drug: re.Pattern[str], partner: re.Pattern[str] | None) -> bool:
    """Whether the drug, whose name ends here, was given with or without the partner."""
    found = _WITH_OR_WITHOUT.match(text, end)
    if found is None or drug.search(found[1]):
        return False
    return any(name.search(found[1]) for name in (partner, DRUG_NAME) if name)


def is_tried_too(text: str, drug: re.Pattern[str], partner: re.Pattern[str]) -> bool:
    """Whether a folded title or abstract says that the drug itself is tried, not only its partner: the partner alone or
    with placebo is an arm, the drug is held against placebo, or each of the two is compared with both."""
    if _FACTORIAL.search(text) or any(_WITHOUT_DRUG.match(text, found.end()) for found in partner.finditer(text)):
        return True
    return any(
        _OR_PLACEBO.match(text, found.end()) or _is_compared_with_both(text, found.end(), partner)
        for found in drug.finditer(text)
    ) or any(_is_compared_with_both(text, found.end(), drug) for found in partner.finditer(text))


def _is_compared_with_both(text: str, end: int, second: re.Pattern[str]) -> bool:
    """Whether the second treatment follows the one that ends here, and then the two together: "a, b or both"."""
    joint = _NEXT_IN_LIST.match(text, end)
    other = second.match(text, joint.end()) if joint else None
    return other is not None and _OR_BOTH.match(text, other.end()) is not None


def is_in_both_regimens(text: str, drug: re.Pattern[str]) -> bool:
    """Whether a folded abstract defines two regimens with this drug, of which one has more drugs than the other."""
    regimens = [parts for parts in _list_regimens(text) if any(map(drug.search, parts))]
    return any(one < other for one in regimens for other in regimens)


def _list_regimens(text: str) -> Iterator[frozenset[str]]:
    for found in _REGIMEN.finditer(text):
        yield frozenset(part.split()[-1] for part in _JOINT.split(found[1]) if part.strip())
