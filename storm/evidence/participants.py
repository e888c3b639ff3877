"""Reads the number of participants: from the field of a registered study, or from the text of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from storm.citations.numbers import NUMBER_WORDS
from storm.evidence.counted_people import LIKE, WHO, write_counts_as_digits
from storm.evidence.design import abstract_of, design_of
from storm.models import Hit, Holds, SectionKind, database_info
from storm.models.design import Design
from storm.models.study import EnrollmentKind, enrollment_kind
from storm.ranking import split_sentences

#: Characters read of the methods and results, if the abstract has no number.
_MOST_READ = 6_000
#: A smaller number counts only some of the participants.
_FEWEST = 5
#: A total of the text up to the first factor above the number of the abstract confirms that number. Up to the second
#: factor, the abstract counts one arm only.
_ABOUT = 1.25
_ARMS = 2
_COUNTED = (SectionKind.METHODS, SectionKind.RESULTS)

#: Units of numbers that do not count people: times, ages, amounts, places.
_NO_PEOPLE = (
    r"(?![ -](?:days?|weeks?|months?|years?|hours?|min(?:ute)?s?|times|mg|ml|g|kg|sites?|cent(?:re|er)s?|hospitals?|"
    r"clinics?|countries|arms|groups?|doses)\b)"
)
_N = rf"(?<![\d.,·/±<>≥≤=(-])(?<!\d and )(\d{{1,6}})(?![\d%.,]*[\d%]){_NO_PEOPLE}"
_SIZE = r"\bn ?= ?(\d{1,6})(?![\d%.,]*[\d%])"
#: Text up to the verb, with no other count of people outside of brackets.
_ON = rf"(?:\([^)]{{0,120}}\)|(?!\d+ {LIKE}{WHO})[^.;(]){{0,160}}?"
_VERB = (
    r"(?:randomi[sz]ed|randomi[sz]ation|randomly|enroll?ed|recruited|included|assigned|allocated|participated|entered|"
    r"divided|selected|studied|investigated|evaluated|underwent|completed the study|took part|were treated|received)"
)
_RANDOMLY = r"(?:randomi[sz]ed|randomly|assigned|allocated)"
#: A number of people that is not a share of others, unlike "514 (73%)".
_PEOPLE = rf"{_N} {LIKE}{WHO}\b(?! \([^)]{{0,40}}%\))"
#: Phrases with the number of participants, the most certain first.
_TOTALS = (
    re.compile(
        rf"{_N} {LIKE}{WHO}\b{_ON}\b(?:were|was|being) (?:(?!\d)\w+ ){{0,6}}{_RANDOMLY}\b(?! to (?:each|both)\b)"
    ),
    re.compile(rf"(?<![\d,.])(\d{{1,6}}) of (?:the )?\d+ {LIKE}{WHO}\b{_ON}\b(?:entered|participated|took part)\b"),
    re.compile(
        rf"\b(?:{_RANDOMLY}|(?<!\d )(?<!\) )of(?: the)?) {_PEOPLE}(?= (?:randomi|to\b|with\b|who\b|were randomi))"
    ),
    re.compile(rf"\b{WHO}\b[^.;()]{{0,120}}\([^()\d]{{0,12}}{_SIZE}\)(?=[^.;]{{0,120}}\b{_VERB}\b)"),
    re.compile(rf"\b(?:total of|sample of|in total,?|overall,?|altogether,?) {_N} {LIKE}(?:{WHO}|tumou?rs)\b"),
    re.compile(
        r"\b(?:study|trial|analysis|followed up|enroll?ed|recruited|included|randomi[sz]ed|studied|assigned|conducted|"
        rf"performed|data|available|carried out|involving)(?: (?:\w+ )?(?:of|in|on|with|from|for|among|to))? {_PEOPLE}"
    ),
    re.compile(rf"\ball {_PEOPLE}(?= (?:enroll?ed|randomi[sz]ed|recruited)\b)"),
    re.compile(rf"\b(?:trial|study|schools|sample|cohort|population)\b[^.;]{{0,60}}?,? compris(?:ed|ing) {_PEOPLE}"),
    re.compile(rf"\({LIKE}{_SIZE} {LIKE}{WHO}\b"),
    re.compile(
        rf"{_N} {LIKE}{WHO}\b(?:[^.;]|\.\d){{0,160}}?\b(?:participated|took part) in (?:this|the|our)(?: \w+)? "
        r"(?:study|trial|experiment)\b"
    ),
    re.compile(
        rf"{_N} {LIKE}{WHO}\b{_ON}\b(?:were|was|(?:had|have) been) (?:\w+ ){{0,2}}(?:enroll?ed|recruited|included)\b"
    ),
)
#: Those who were randomised, of more who were enrolled before: "43 (55%) patients in remission were randomised to one
#: of …", "78 were enrolled and 43 were randomised". A number assigned to one arm is none of these.
_RANDOMISED = re.compile(
    rf"{_N} \(\d[\d.]* ?%\) {LIKE}{WHO}\b[^.;(]{{0,120}}? (?:were|was) (?:\w+ )?randomi[sz]ed\b"
    r"(?= to (?:one|either|receive either|two|three|four|[1-6])\b|,? and\b| in\b| into\b|[.,;]|$)|"
    rf"\benroll?ed\b[^.;]{{0,80}}?\b(?:and|of (?:whom|these|which)) {_N} (?:\(\d[\d.]* ?%\) )?(?:{WHO} )?(?:were |"
    rf"was )?"
    r"(?:\w+ )?randomi[sz]ed\b(?! to (?!one|either|receive either))|"
    rf"\benroll?ed\b[^.;]{{0,60}}, {_N} of (?:whom|these|which) (?:were|was) (?:\w+ )?randomi[sz]ed\b|"
    rf"\b(?:among|of) the {_N} randomi[sz]ed {WHO}\b|"
    r"\bfrom randomi[sz]ation to [^.;()]{0,40}\(n ?= ?(\d{1,6})\)"
)
#: Those whom a subgroup's analysis is about: "of 2,144 patients, 182 (8.5%) were Japanese".
_SUBGROUP = re.compile(
    rf"\b(?:of|among) (?:the )?(?:\d{{1,6}} )?{LIKE}{WHO}\b[^.;]{{0,140}}?, (\d{{1,6}}) \(\d[\d.]* ?%\) (?:{WHO} )?"
    r"(?:were|had) ([a-z]{4,})"
)
#: The people of all studies of a meta-analysis: "32 studies in 11,487 subjects", "4 trials including 202 adults".
_OF_STUDIES = re.compile(
    rf"(?<![\d.,])\d{{1,4}} {LIKE}(?:stud(?:y|ies)|trials|rcts|articles|cohorts|reports)\b[^.;\d]{{0,80}}?"
    rf"\b(?:in|with|including|comprising|involving|enroll?ing|of|totall?ing|and)(?: a total of)? {_PEOPLE}"
    r"(?! (?:stud(?:y|ies)|trials|articles|data|level)\b)"
)
#: Men and women who are counted apart, with no total.
_BOTH_SEXES = re.compile(
    r"(?<![\d.,(])(\d{1,5}) (?:(?!of\b)\w+ ){0,2}(?:men|males|"
    r"boys) (?:\([^()]*\) )?and (\d{1,5}) (?:\w+ ){0,2}(?:women|females|girls)\b|"
    r"(?<![\d.,])(\d{1,5}) (?:(?!of\b)\w+ ){0,2}(?:women|females|girls)(?:,| and) (\d{1,5}) (?:(?!of\b)\w+ ){0,2}"
    r"(?:men|males|boys)\b"
)
#: Shares of two arms: "in 30 of 150 adults on zorvimab and in 10 of 150 on placebo".
_SHARES = re.compile(
    r"(?<![\d.,])\d{1,6} of (?:the )?(\d{1,6})\b[^.;]{1,80}? (?:and|versus|vs|compared with|than)(?: in| with)? "
    r"\d{1,6} of (?:the )?(\d{1,6})\b"
    r"(?= (?:[\w-]+ ){0,2}(?:on|with|in|given|receiving|to|taking)(?: the)? (?:placebo|controls?|no treatment)\b)"
)
#: Places or professionals who were assigned in place of people; the sizes of their groups count no people.
_CLUSTERS = re.compile(
    r"\b\d+ (?:\w+ ){0,2}(?:clinicians|practices|schools|clusters|pharmacies|gps|physicians|shops|households|villages|"
    r"hospitals)\b[^.;]{0,60}\b(?:randomly|randomi[sz]ed|allocated|assigned)\b"
)
#: Numbers in brackets that count events, or those who left.
_OF_EVENTS = re.compile(
    r"\b(?:reasons?|s?aes?|adverse events?|loss to follow|withdr\w*|discontinu\w*)\b[^;]{0,60}\([^()]{0,40}\bn ?="
)
#: Phrases that may also count some of the participants. An abstract counts all before some, so they are enough there.
_SAID = re.compile(rf"{_N} {LIKE}{WHO}\b{_ON}\b{_VERB}\b")
_PLAIN = re.compile(rf"\b(?:in|of|for|among|from|with) {_PEOPLE}|^{_PEOPLE}")
#: One arm alone: "2.3% for 49 children allocated to …", "in 56 children in the vitamin A arm".
_OF_ONE_ARM = re.compile(
    rf"\b(?:in|of|for|among) {_N} {LIKE}{WHO} (?:{_RANDOMLY} to (?!either\b|one\b)|"
    r"(?:in|on) the (?!(?:[\w-]+ ){0,3}(?:age|income)\b)(?:[\w-]+ ){1,4}(?:arm|group)\b)"
)
_GROUPS = re.compile(rf"\b(?:groups?|arms?|{_RANDOMLY})\b")
_GROUP_SIZE = re.compile(_SIZE)
_EACH = re.compile(
    rf"\b(\d{{1,2}})(?: \w+){{0,3}} groups?\b[^.;]{{0,60}}?{_N} (?:\w+ )?(?:in each|each|per group|"
    rf"{WHO} (?:in )?each)\b|{_N} (?:{WHO} )?in each of (?:the )?(\d{{1,2}}) (?:\w+ )?(?:groups|arms)\b|"
    rf"\b(\d{{1,2}}) (?:equal |study |treatment )?groups of {_N}\b"
)
_TWO_ARMS = re.compile(
    rf"{_N} (?:{LIKE}{WHO} )?(?:were |was )?(?:(?:randomly |then )?(?:assigned|allocated|"
    rf"randomi[sz]ed) )?to (?:\w+[ -]){{1,8}}and {_N} (?:{WHO} )?(?:were )?to\b|"
    rf"{_N} {LIKE}{WHO} were (?:randomly )?{_RANDOMLY} to (?:\w+[ -]){{1,7}}\w+, and {_N} {WHO} were (?:randomly )?"
    rf"{_RANDOMLY} to\b|"
    rf"\bcompared {_N} {LIKE}{WHO}\b[^.;\d]{{0,80}} with {_N} (?:\w+ ){{0,2}}(?:controls|{WHO})\b|"
    rf"{_N} {LIKE}{WHO}\b(?: with [^.;,()]{{1,60}})? and {_N} (?:[\w-]+ ){{0,4}}controls\b(?! were)|"
    rf"\bin {_N} {LIKE}{WHO}\b(?: with [^.;,]{{1,40}})? (?:against|versus|vs|"
    rf"compared with) [^.;\d]{{1,60}} in {_N}(?! \w)|{_N} {LIKE}{WHO} (?:received|were given|"
    rf"took) [^.;\d]{{2,60}} and {_N} (?:received|were given|took|placebo|no treatment|an? (?:\w+ )?(?:comparator|"
    rf"placebo|control))\b|{_N} {LIKE}{WHO}\b[^.;]{{0,80}}\b(?:compared with|versus|vs|"
    rf"and) {_N} {LIKE}{WHO}\b(?=[^.;]{{0,60}}\b(?:control|placebo|"
    r"received|treated))"
)
#: "In 80 adults assigned to … and 82 assigned to …": of those with an event this may be said, too.
_ASSIGNED = re.compile(
    rf"\b(?:in|of|for) {_N} {LIKE}{WHO} {_RANDOMLY} to (?:\w+[ -]){{1,8}}and {_N} (?:{WHO} )?{_RANDOMLY} to\b"
)
#: Participants of each arm: "20, 18 and 22 patients were randomised".
_EACH_ARM = re.compile(
    rf"(?<!weeks )(?<!days )(?<![\d.,])((?:\d{{1,6}}, ){{0,5}}\d{{1,6}},? and \d{{1,6}}) "
    rf"(?:(?!{_RANDOMLY})[a-z-]+ ){{0,3}}{WHO} (?:were |being )?(?:\w+ly )?{_RANDOMLY}\b"
)
#: Sizes of all arms: "A (62 patients) or B (Sal; 58 patients)".
_ARM_IN_BRACKETS = re.compile(rf"\((?:[^()]{{1,20}}; )?(\d{{1,6}}) {WHO}\)")
_PLACES = re.compile(r"\b(?:sites|cent(?:re|er)s|countries|hospitals|clinics)\b")
_SOMEBODY = re.compile(rf"\b{WHO}\b")
#: The size of all before those of the arms: "randomised (n = 416) to zorvimab (n = 211) or placebo (n = 205)".
_OF_ALL = re.compile(
    r"^[^()]*\b(?:randomi[sz]ed|enrolled|assigned) \(n ?= ?\d|"
    r"^[^()]*\(n ?= ?\d{1,6}\) (?:were|was) (?:\w+ )?(?:randomi[sz]ed|assigned|allocated|divided)\b"
)
_HAS_NUMBER = re.compile(
    r"\d|(?i:\b(?:ten|eleven|twelve|\w+teen|twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|"
    r"two|three|four|five|six|seven|eight|nine)\b)"
)
_NUMERAL = rf"(?:\d|\b(?:{'|'.join(NUMBER_WORDS)}|dozen|hundred|thousand)\b)"
#: One of these is in every sentence that counts participants; the others take half of the time. Numbers may still be
#: words here: "thirty of one hundred", "40 to zorvimab and forty-one to placebo"; "from 40 to 80" counts nobody.
_COUNTS = re.compile(
    rf"(?i:\b{WHO}\b|\bn\s?=|randomi|\bassigned|\ballocated|tumou?rs|\bgroups?\s+of\b|\bper\s+group\b|\beach\b|"
    rf"{_NUMERAL}\s+of\s+(?:the\s+)?{_NUMERAL}|\band\s+(?:[\w-]+\s+){{0,3}}?[\w,-]*{_NUMERAL}\s+(?:were\s+)?to\b"
    rf"(?!\s+{_NUMERAL}))"
)
#: Sentences on plans or on another study.
_ELSEWHERE = re.compile(
    r"\b(?:will be|planned|sample size|power|would be|"
    r"were needed|was calculated|previous(?:ly)? (?:\w+ ){0,2}(?:stud|"
    r"trial|report|publi|descri|work|analys|investigat|cohort|series)|earlier|screened|worldwide|had to be|have to be|"
    r"per year|annually|prevalence|estimated|supplement\w+ (?:trial|study)|another (?:\w+ )?(?:trial|study|analysis)|"
    r"later,)"
)
#: Numbers of one arm, and of those who answered.
_IN_EACH = re.compile(
    r"\b(?:enrolled|included|randomi[sz]ed|assigned|allocated|were) (?:in|to|into) each (?:\w+ )?(?:arm|group)\b|"
    rf"{WHO} answered an?\b[^.;]{{0,30}}\bquestion"
)
#: Sentences on those whom an analysis took in, unless they say who was randomised.
_ANALYSED = re.compile(r"\b(?:efficacy|safety|interim|per-protocol) analys[ei]s of\b")
_WERE_RANDOMISED = re.compile(r"\brandomi[sz]ed\b")

_FIRST_STUDY = re.compile(r"(?i)\b(?:study|trial) (?:1|A|I)\b")
_SECOND_STUDY = re.compile(r"(?i)\b(?:study|trial) (?:2|B|II)\b")
#: Designs whose documents count the participants of other studies, or none yet.
_WITHOUT_PARTICIPANTS = (
    Design.NO_STUDY, Design.PROTOCOL, Design.ERRATUM, Design.REVIEW, Design.GUIDELINE, Design.RETRACTION,
    Design.ECONOMIC,
)  # fmt: skip


def participants_of(hit: Hit) -> int | None:
    """The number of participants; None if the record has none, or only the planned number."""
    if database_info(hit.database).holds is Holds.STUDIES:
        facts = hit.facts
        reached = enrollment_kind(facts.enrollment_kind, facts.status) is EnrollmentKind.ENROLLED
        return facts.enrollment if reached else None
    if hit.facts.enrollment is not None:  # a column of the user's own file
        return hit.facts.enrollment
    design = design_of(hit)
    if design in _WITHOUT_PARTICIPANTS:
        return None
    abstract = abstract_of(hit)
    if design is Design.SECONDARY and (subgroup := _find_subgroup(hit.title, abstract)):
        return subgroup
    if design is Design.META_ANALYSIS and (everybody := _find_everybody(abstract)):
        return everybody
    if _FIRST_STUDY.search(abstract) and _SECOND_STUDY.search(abstract):
        return None  # the sizes of one of them are none of both
    sure = _find_count(abstract, loosely=False)
    if sure is not None:
        return sure
    if design is Design.SECONDARY:  # its text counts those of the earlier trials
        return _find_count(abstract, loosely=True)
    body = (section.text[:_MOST_READ] for section in hit.sections if section.kind in _COUNTED)
    text = "\n\n".join(body)[: 2 * _MOST_READ]
    return _choose_total(_find_count(abstract, loosely=True), _find_count(text, loosely=False)) or _find_assigned(text)


def _choose_total(count: int | None, total: int | None) -> int | None:
    """The total, given a number that may count one arm and a total of the text; None if they differ too much."""
    if count is None or total is None:
        return count or total
    if total <= count * _ABOUT:
        return count
    return total if total <= count * _ARMS else None


def _find_assigned(text: str) -> int | None:
    """How many were assigned at random, by the most certain phrase."""
    found = (_TOTALS[0].search(sentence) for sentence in _list_own_sentences(text))
    return next((int(match[1]) for match in found if match), None)


@lru_cache(maxsize=2_048)
def _find_count(text: str, *, loosely: bool) -> int | None:
    return next((count for count in _find_counts(_list_own_sentences(text), loosely=loosely) if count >= _FEWEST), None)


@lru_cache(maxsize=16)  # the same text is read twice, first for what is certain
def _list_own_sentences(text: str) -> list[str]:
    return [part for sentence in _list_sentences(text) for part in _keep_own(sentence)]


def _list_sentences(text: str) -> Iterator[str]:
    """The sentences with numbers, in small letters."""
    for span in split_sentences(text):
        if _COUNTS.search(span.text) and _HAS_NUMBER.search(span.text):
            yield write_counts_as_digits(span.text)


def _keep_own(sentence: str) -> list[str]:
    """The sentence; if it counts others than the participants, those of its clauses that do not."""
    if not _counts_others(sentence):
        return [sentence]
    return [clause for clause in sentence.split("; ") if not _counts_others(clause)]


def _counts_others(text: str) -> bool:
    """Whether the text is on plans, on another study, or on those of an analysis alone."""
    if _IN_EACH.search(text) and not _EACH.search(text):
        return True
    is_of_analysis = _ANALYSED.search(text) and not _WERE_RANDOMISED.search(text)
    return bool(is_of_analysis or _ELSEWHERE.search(text))


def _find_everybody(abstract: str) -> int | None:
    """The participants of all studies that a meta-analysis took in."""
    matches = map(_OF_STUDIES.search, _list_sentences(abstract[:_MOST_READ]))
    return next((int(match[1]) for match in matches if match), None)


def _find_subgroup(title: str, abstract: str) -> int | None:
    """The participants of the subgroup that a title names."""
    named = title.casefold()
    matches = (match for one in _list_sentences(abstract[:_MOST_READ]) for match in _SUBGROUP.finditer(one))
    return next((int(match[1]) for match in matches if match[2] in named), None)


def _find_counts(sentences: list[str], *, loosely: bool) -> Iterator[int]:
    """Numbers of participants in the sentences, the most certain first."""
    yield from (int(next(filter(None, m.groups()))) for m in map(_RANDOMISED.search, sentences) if m)
    yield from filter(None, map(_sum_arms, sentences))
    for n, words in enumerate(_TOTALS):
        if n == 3:
            yield from filter(None, map(_sum_groups, sentences))
        yield from (int(match[1]) for match in map(words.search, sentences) if match)
    yield from (int(match[1]) + int(match[2]) for match in map(_ASSIGNED.search, sentences) if match)
    both = (match for match in map(_BOTH_SEXES.search, sentences) if match)
    yield from (sum(int(group) for group in match.groups() if group) for match in both)
    if not loosely:
        return
    sentences = [sentence for sentence in sentences if not _OF_ONE_ARM.search(sentence)]
    yield from (int(match[1]) for match in map(_SAID.search, sentences) if match)
    yield from (int(match[1]) + int(match[2]) for match in map(_SHARES.search, sentences) if match)
    yield from (int(next(filter(None, m.groups()))) for m in map(_PLAIN.search, sentences) if m)


def _sum_arms(sentence: str) -> int | None:
    if each := _EACH_ARM.search(sentence):
        return sum(map(int, re.findall(r"\d+", each[1])))
    bracketed = [int(size) for size in _ARM_IN_BRACKETS.findall(sentence)]
    if len(bracketed) > 1 and re.search(_RANDOMLY, sentence):
        return sum(bracketed)
    match = _TWO_ARMS.search(sentence)
    return sum(int(group) for group in match.groups() if group) if match else None


def _sum_groups(sentence: str) -> int | None:
    """The sum of the participants of all groups, if a sentence has a number for each but no total."""
    if match := _EACH.search(sentence):
        first, second = (int(group) for group in match.groups() if group)
        return first * second
    if (
        _CLUSTERS.search(sentence)
        or _OF_EVENTS.search(sentence)
        or (_PLACES.search(sentence) and not _SOMEBODY.search(sentence))
    ):
        return None
    sizes = [int(size) for size in _GROUP_SIZE.findall(sentence)]
    total = any(words.search(sentence) for words in (_TOTALS[0], _TOTALS[4], _TOTALS[5]))
    if len(sizes) < 2 or total or not _GROUPS.search(sentence):
        return None
    return sizes[0] if _OF_ALL.search(sentence) and 2 * sizes[0] == sum(sizes) else sum(sizes)
