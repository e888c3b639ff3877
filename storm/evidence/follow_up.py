"""Reads how long the participants of a study were followed."""

from __future__ import annotations

import re

from storm.citations.numbers import NUMBER_WORDS
from storm.models import Hit, SectionKind
from storm.ranking import split_sentences

#: Characters before and after a time that are read, and characters of results in which the typical follow-up stands.
_BEFORE, _NEAR, _MOST_RESULTS = 50, 25, 6_000

_UNIT = r"(?:weeks?|months?|years?|days?)"
_DAYS = {"d": 1, "w": 7, "m": 30.4, "y": 365}
#: A standard deviation after a value is not a value.
SPREAD = r"(?: ?(?:±|\+/-) ?\d+(?:\.\d+)?)?"
#: The number of a time in words; "at one year" is mostly when a rate was read.
_ONES = "|".join(word for word, number in NUMBER_WORDS.items() if number < 10)
_TENS = "|".join(word for word, number in NUMBER_WORDS.items() if number >= 20)
_IN_WORDS = re.compile(
    r"(?i)(?<!\bat )(?<!hundred )(?<! and )(?<! or )(?<! to )(?<!-)"
    rf"\b(?:(?:{_TENS})-(?:{_ONES})|{'|'.join(NUMBER_WORDS)})(?=[- ]{_UNIT}\b)"
)
_RANGE = r"(?:[–-]\d+(?:\.\d+)?)?"
_TIME = rf"(?<![\d.–-])(?<!±)(?<!± )(?<!\+/- )(\d+(?:[–-]\d+)?{SPREAD})"
_FOLLOW_UP = re.compile(
    rf"(?i)\bfollow(?:ed)?[- ]?up\b[^.;]{{0,40}}?(?<![\d.])(?<!±)(?<!± )(?<!\+/- "
    rf")(?<!\d[–-])(\d+(?:\.\d+)?{_RANGE}{SPREAD})[- ]({_UNIT})\b"
)
#: "3 months after discharge": when the last outcomes were read, which is no time of treatment.
_AFTERWARDS = re.compile(
    rf"(?i)(?<![\d.])(\d+(?:\.\d+)?{_RANGE}{SPREAD})[- ]({_UNIT}) (?:after|following|post) "
    r"(?:hospital )?(?:discharge|injury|randomi[sz]ation|enrol?lment)\b"
)
#: "A median of 5.4 years of follow-up", "median of 8.4 years on study".
_TYPICAL_OF = re.compile(
    rf"(?i)\b(?:median|mean|average) (?:of )?(?<![\d.])(\d+(?:\.\d+)?{_RANGE}{SPREAD})[- ]({_UNIT})['’]? "
    r"(?:of (?:follow-?up|observation)|follow-?up|on study)\b"
)
_TYPICAL_FOLLOW_UP = re.compile(
    rf"(?i)\b(?:median|mean|average)(?: duration| length| time)?(?: of)? (?:the )?follow(?:ed)?[- ]?up\b[^.;,]{{0,45}}?"
    rf"(?<![\d.])(\d+(?:\.\d+)?{_RANGE}{SPREAD})[- ]({_UNIT})\b"
)
#: Words before years that are an age, or the duration of a programme of trials.
_NO_FOLLOW_UP = re.compile(
    r"(?i)(?:\b(?:aged?|ages)\b[^.;]{0,30}|\b(?:patients|women|men|adults|people|subjects|persons|individuals|those|"
    r"children|trials|studies)(?: \w+){0,2} )$"
)
#: Before the longer time of a range: "12 weeks to 2 years", "between 12 weeks and 2 years", "up to 2 years".
_LEAST = re.compile(rf"(?i)(?:\bbetween (?P<first>\d+ {_UNIT}) and|(?<![\d.–-])\b(?P<least>\d+ {_UNIT}) to|\bup to) $")
#: Words before and after a time that is that of a birth, of stored samples, or until an event.
_OF_SOMETHING_ELSE = re.compile(
    r"(?i)\b(?:deliver|born|birth|gestation|pregnan|stor(?:ed|age)\b|frozen|shelf|stable|stability|relapsed?\b|"
    r"recurred|"
    r"half-li)[^.;]{0,40}$|\b(?:measured|recorded|sampled|monitored|kept) (?:\w* ?daily )?$|"
    r"\b(?:past|previous|last|prior|preceding|next)[^.;]{0,8}$|"
    r"\b(?:starting|beginning|started|begun) (?:(?:at|from) )?$|\bagain $"
)
#: Chemotherapy, which is given for some days of each cycle, in the clause of a time; and the days that one takes.
_IN_CYCLES = re.compile(
    r"(?i)(?:\b(?:(?:each|every|per|\d{1,2}[- ]?(?:day|week)) cycles?|cycles? of)\b|"
    r"\dm?g?[  ]?(?:/|m\^?[−-])m?\^?2\b|mg/m\^?2|mg m\^?[−-]2)(?:(?!, and\b|\bobserved|\bfollowed)[^.;]){0,50}$"
)
_CYCLE = 28
_DAYS_AFTER = re.compile(r"(?i)\d+ days? (?:after|following)\b")
#: The longest that a treatment could be given.
_AT_MOST = re.compile(r"(?i)for up to\b")
#: "A number needed to treat … of 35 over 3 years".
_OF_RISK = re.compile(r"\bof \d+ over $", re.I)
_OVER = len("over ")
#: Words before a time that is a point in a longer one.
_TIME_POINT = re.compile(r"(?i)\bat (?:\d+ and )?$")
#: Words around the time of a phase before that which is reported.
_BEFORE_THE_STUDY = re.compile(r"(?i)\b(?:run-?in|lead-?in|wash-?out|screening|stabili[sz]ation|titration)\b")
_THEN_RANDOMISED = re.compile(r"(?i)(?:[^.;]|\.\d){0,140}\b(?:were|was) (?:\w+ )?randomi[sz]ed\b")
_AFTER = re.compile(r"(?i)\bafter\b[^.;,]{0,60}$")
#: A rate estimated for a time, which is not a duration: "survival at 4 years".
_RATE_AT = re.compile(r"(?i)\b(?:survival|rates?)\b[^.;]{0,40}\bat [\d.]+ \w+$")
#: Several studies in one report.
_SEVERAL = re.compile(
    r"(?i)\b(?:two|three|four|five|six|several|pooled|[2-9]|\d\d) (?:[\w-]+ ){0,4}(?:stud(?:y|ies)|trials)\b"
)
_OF_PREGNANCY = re.compile(r"(?i)[’']? (?:of |in )?(?:gestation|pregnan|post-?conception)")
#: "were repeated for a median of 331 days", which a "4-year study" may be: of patients or tests alone, since a symptom
#: or a response lasts for a median, too.
_TYPICAL_TIME = re.compile(
    rf"(?i)\b(?:were|was|and) (?:\w+ )?(?:followed|treated|conducted|repeated|monitored)\b(?! by\b)[^.;,]{{0,80}}? for "
    rf"an? (?:median|mean|average)(?: duration| time)?(?: of)? (\d+(?:\.\d+)?{_RANGE}{SPREAD})[- ]({_UNIT})\b"
)
_LONG = re.compile(
    rf"(?i){_TIME}[- ]({_UNIT})(?![- ]old|[- ]of[- ]age| of age|ly| in an? )(?=,? (?:(?!(?:with|survival|"
    rf"mortality|rates?|incidence)\b)[\w-]+[ ,]+){{0,3}}"
    rf"(?:follow(?!ed by\b)|trial|study|treatment|"
    rf"extension|period|results|double|open|randomi|main|core))"
)
#: The length of a study in its methods: "a 12-week, single-centre, open-label trial".
_LENGTH = re.compile(
    rf"(?i)\b(?:an?|the|this|was|in) (?:\w+ )?{_TIME}[- ](week|month|year)\b(?![- ]old)(?=,? (?:[\w-]+[ ,]+){{0,4}}"
    r"(?:trial|study|double-blind|open-label|randomi[sz]ed|parallel))"
)
_FOR = re.compile(
    rf"(?i)\b(?:for|after|over|at) (?:a further |approximately |about |up to )?{_TIME} ({_UNIT})\b(?! "
    rf"old| of age)"
)


def read_follow_up(title: str, abstract: str, methods: str, hit: Hit) -> str:
    """The longest time of the first kind that is stated; a median or mean comes before the length of the study. The
    results of a full text are read for the former only, the methods last, for the latter."""
    title, abstract, methods = map(_write_times_in_figures, (title, abstract, methods))
    places = (
        (_TYPICAL_OF, abstract),
        (_TYPICAL_FOLLOW_UP, abstract),
        (_TYPICAL_TIME, abstract),
        (_TYPICAL_FOLLOW_UP, _read_results(hit)),
        (_LONG, title),
        (_FOLLOW_UP, abstract),
        (_AFTERWARDS, abstract),
        (_LONG, abstract),
        (_FOR, title),
        (_FOR, abstract),
        (_LENGTH, methods),
    )
    for pattern, text in places:
        if match := _find_longest(pattern, text):
            if pattern is _LONG and _TIME_POINT.search(text[: match.start()][-_NEAR:]):
                match = max((match, _find_longest(_FOR, text) or match), key=_count_days)
            unit = match[2].lower().rstrip("s")
            least = _read_least(text[: match.start(1)]) or _read_shortest(pattern, text, match)
            return f"{least}{match[1]} {unit}{'' if match[1] == '1' else 's'}"
    return ""


def _write_times_in_figures(text: str) -> str:
    """A text with "36 weeks" for "thirty-six weeks"."""

    def write(found: re.Match[str]) -> str:
        return str(sum(NUMBER_WORDS[part] for part in found[0].lower().split("-")))

    return _IN_WORDS.sub(write, text)


def _read_least(before: str) -> str:
    """ "12 weeks to ", "up to ": what stands before the longer time of a range."""
    found = _LEAST.search(before[-_NEAR:])
    if found is None:
        return ""
    least = found["first"] or found["least"]
    return f"{least} to " if least else "up to "


def _read_shortest(pattern: re.Pattern[str], text: str, longest: re.Match[str]) -> str:
    """ "26 to " before "52 weeks", where one sentence tells of several studies of different lengths in one unit."""
    if pattern is not _FOR:
        return ""
    told = next(one.text for one in split_sentences(text) if one.start <= longest.start() < one.end)
    times = (one for one in pattern.finditer(told) if not _is_other_time(told, one, pattern))
    alike = [one for one in times if one[2].rstrip("s") == longest[2].rstrip("s")]
    shortest = min(alike, key=_count_days, default=longest)
    return f"{shortest[1]} to " if _SEVERAL.search(told) and shortest[1] != longest[1] else ""


def _read_results(hit: Hit) -> str:
    """How the results of a full text begin."""
    parts = (section.text for section in hit.sections if section.kind is SectionKind.RESULTS)
    return next(parts, "")[:_MOST_RESULTS]


def _find_longest(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    times = (found for found in pattern.finditer(text) if not _is_other_time(text, found, pattern))
    return max(times, key=_count_days, default=None)


def _count_days(time: re.Match[str]) -> float:
    """The duration in days; of a range, its end; of a mean, without its deviation."""
    value = re.split(r" ?(?:±|\+/-)", time[1])[0]
    return float(re.split("[–-]", value)[-1]) * _DAYS[time[2][0].lower()]


def _is_other_time(text: str, time: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """Whether the time is an age ("aged 18-72 years", "starting at 6 months"), that of a birth or of stored samples
    ("stored for 480 days"), that of a phase before randomisation, or the duration of a programme ("trials over 11
    years").
    """
    before = text[max(0, time.start() - _BEFORE) : time.start()]
    if _is_of_earlier_phase(text, time):
        return True
    if pattern is _LONG and _DAYS_AFTER.match(text, time.start()):
        return True
    if _RATE_AT.search(f"{before}{time[0]}"[-_BEFORE:]):
        return True
    if pattern is _FOR and (_AT_MOST.match(time[0]) or _OF_RISK.search(f"{before}{time[0][:_OVER]}")):
        return True
    is_in_days = time[2].lower().startswith("day") and _count_days(time) < _CYCLE
    if pattern is _FOR and is_in_days and _IN_CYCLES.search(before):
        return True
    if _OF_SOMETHING_ELSE.search(before) or _OF_PREGNANCY.match(text, time.end()):
        return True
    if re.search("[–-]", time[1]) and time[2].lower().startswith("year") and pattern is not _FOLLOW_UP:
        return True
    return bool(_NO_FOLLOW_UP.search(before)) and (pattern is not _FOR or time[0].lower().startswith("over"))


def _is_of_earlier_phase(text: str, time: re.Match[str]) -> bool:
    """Whether the time is that of a run-in or the like, or passed before the participants were randomised."""
    before, after = text[max(0, time.start() - _BEFORE) : time.start()], text[time.end() : time.end() + _NEAR]
    if _BEFORE_THE_STUDY.search(re.split("[.;,]", after)[0]) or _BEFORE_THE_STUDY.search(before[-_NEAR:]):
        return True
    head = text[max(0, time.start() - _BEFORE) : time.end()]
    return bool(_AFTER.search(head) and _THEN_RANDOMISED.match(text, time.end()))
