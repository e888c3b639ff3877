"""Reads the people, or animals, that a study studied: in words of its title, its abstract or its methods.

A sentence that reports a result describes those with the result, so that only counts of who took part are read there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from storm.evidence.species import names_animals
from storm.evidence.title_words import write_as_in_sentence
from storm.models import Hit, Section, SectionKind
from storm.patterns.alternatives import compile_alternatives
from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

#: Characters read of an abstract, of the methods and of a sentence, and the maximum of a description.
_MOST_READ = 6_000
_MOST_METHODS = 4_000
_SENTENCE, _LONGEST = 500, 95
#: Characters of a list of conditions; a longer one is left out, and what stands before it is the description.
_LONGEST_LIST = 120
#: Typographic hyphens.
HYPHENS = str.maketrans("\u2010\u2011", "--")

_WHO = (
    r"(?:patients|participants|subjects|volunteers|women|men|children|adults|individuals|infants|neonates|newborns|"
    r"adolescents|outpatients|inpatients|persons|people|smokers|students|teachers|nurses|residents|girls|boys|mothers|"
    r"males|females|athletes|swimmers|workers|veterans|horses|dogs|cats|rats|mice|rabbits|pigs|sheep|goats|monkeys)"
)
#: No part of a description: what stands before it in the sentence.
_NOT_LIKE = (
    r"(?:in|of|the|and|or|for|with|from|on|were|was|among|these|those|all|by|to|it|we|a|an|as|that|than|who|between|"
    r"versus|vs|using|during|after|which|included?|including|identifying|involv\w+|conducted|comprising|comprised|study|"
    r"trial|support|improves?|reduces?|helps?|enhances?|recruited|enrolled|randomi[sz]ed|randomly|assigned|allocated|"
    r"divided|studied|selected|eligible|"
    r"consenting|consecutive|following|amongst|treated|providing|other|some|more|most|fewer|only|proportion|number)"
)
_LIKE = rf"(?:(?!{_NOT_LIKE}\b)[A-Za-z][\w/'’-]*+,? (?:(?:and|or) (?={_WHO}?[\w-]+ {_WHO}))?){{0,4}}(?:[A-Za-z]\w*+-)?"
_WITH = (
    r"(?:with|without|undergoing|after|who|aged|having|at|scheduled|requiring|presenting|giving|suffering|"
    r"admitted(?! in\b| at\b)|"
    rf"hospitali[sz]ed|awaiting|recovering|of(?= [a-z])(?! (?:the|an?|age|our|this|both|either|all|which|whom|"
    rf"{_WHO})\b))"
)
_NOT_BEFORE = "".join(
    f"(?<!{words} )" for words in ("proportion of", "percentage of", "number of", "share of", "rate of", "providing")
)
_PEOPLE = re.compile(
    rf"(?i){_NOT_BEFORE}(?:\b((?:healthy (?:[\w-]+ )?)?{_WHO} (?:and|or) ))?(?<![\w'’-])({_LIKE}{_WHO} {_WITH}\b.*)"
)
_HEALTHY = re.compile(rf"(?i)\b(healthy,? (?:[\w-]+ ){{0,2}}{_WHO}(?: and (?:\d+ )?(?:healthy )?(?:wo)?men)?)\b")
_AGAIN = re.compile(r" and (?:\d+ )?(?:healthy )?(?=(?:wo)?men$)", re.I)  # "10 healthy men and 10 healthy women"
#: People who took part and are described by words before the noun alone: "104 pregnant women were randomised".
_COUNTED = re.compile(
    rf"(?i)\b(?:\d+|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|two|three|four|five|six|"
    rf"seven|eight|nine) ((?!(?:of|to|and|years?|months?|weeks?|days?|more|other)\b)"
    rf"(?:(?!{_NOT_LIKE}\b)[a-z][\w'’-]*,? )"
    rf"{{1,4}}{_WHO})\b"
)
#: Words before "reduced" and the like where it describes something: "with reduced renal function".
_BEFORE_ADJECTIVE = "(?<!,)" + "".join(
    rf"(?<!\b{word})"
    for word in (
        "who", "with", "without", "and", "or", "at", "of", "for", "to", "from", "by", "a", "an", "the", "having",
        "mildly", "moderately", "severely", "slightly",
    )
)  # fmt: skip
#: The end of a description of people.
_END = re.compile(
    r"[:;\[—]|(?<!-)\(|\.(?!\d)|\sbut\s\d|"
    r"(?<!\bwho)\s(?:is|are|has|had|have|underwent|completed|participat\w+|did|do|took|gave|experienced|could|can|may|"
    r"might|showed?|exhibited|improves?|reduces|increases|decreases|"
    r"(?:improved|reduced|increased|decreased) (?:the|by|from|their))\b|"
    rf"{_BEFORE_ADJECTIVE}\s(?:improved|reduced|increased|decreased)\b|"
    r"\s(?:were|was|had been|received?|receiving either|to (?:receive|evaluate|assess|reduce|prevent)|as|after \d|"
    r"treated with|randomi[sz]ed|randomly|assigned|who (?:were|received)|during|[Uu]sing|compared|versus|vs|by means|"
    r"linked|whose|and in|and at|in comparison|results?|while|over (?:an?|the|\d|\w+(?:-\w+)? (?:days?|weeks?|months?|"
    r"years?))|would|will|should|enrolled|entered|recruited|included|at baseline|on the|and of|by clinical|(?:between|"
    r"from) (?:January|February|March|April|May|June|July|August|September|October|November|December|\d{4})|"
    r"for \d+ (?:days?|weeks?|months?)|in (?:a|an|the|this|our|two|three|four|group)|at (?:a|an|the)|(?:a|an|"
    r"the) (?:randomi|prospective|double|pilot|multi|phase|post|single|open|retrospective|controlled|\d))\b"
)
_COMMA = re.compile(r",(?!\d)")
#: The rest of a list after its first member: "…, B, C, or D".
_REST_OF_LIST = re.compile(
    r"((?:, (?!(?:who|which|and|or|were|was)\b)[^,;.()]{2,45}){0,6},? (?:and/or|and|or) )([^,;.]+)"
)
#: Words that begin another clause, not the last member of a list.
_ANOTHER_CLAUSE = re.compile(
    r"(?i)^(?:\d|the\b|we\b|who\b|were\b|was\b|had\b|age[ds]?\b|a\b|an\b|to\b|in\b|at\b|then\b)"
)
#: What a list hangs on.
_LIST_HEAD = re.compile(r"(?i) (?:due to|caused by|because of|secondary to|including|such as|from)\b[^,]*$")
#: A last word that is an adjective, cut before its noun.
_NO_NOUN = re.compile(
    r"(?i)\b(?!\w+ment\b|individual|animal|medical|renal$)\w{3,}(?:ic|al|ive|ous|ary|ed|ent|able|-\w+ing)$"
)
#: A long description up to the last word that begins a phrase, where it is cut.
_WHOLE = re.compile(
    r"(.{30,90}),? (?:who|that|which|with|without|and|or|requiring|despite|undergoing|for|to|at|after|by|from|in|on) "
    r"(?![A-Z][a-z])"
)
_BEFORE_OF = re.compile(r"(.{30,90}) of ")
_LAST_WORDS = re.compile(
    r"(?i)(?: (?:with|and|or|of|the|a|an|to|in|for|who|that|which|on|at|by|from|not|than|do|did|have|has|had|"
    r"undergoing|requiring|been|consented|previously|after|following|during|scheduled|presenting|significant|treated|"
    r"due|also|either|both|aged|having|without|whether))+$"
)
_COUNT = re.compile(
    r"(?i)^(?:(?:and )?(?:\d+|its|their|our|eligible|consecutive|total|all|one|two|three|four|five|six|seven|eight|"
    r"nine|ten|eleven|twelve|\w+teen|twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)[ -])+"
)
_BRACKET = re.compile(r"(?i) (?:\((?!n ?=)[^()]{1,60}\)|\[[^\[\]]{1,60}\])")
_SIZE = re.compile(r",? \(n ?=[^()]{1,20}\),?")
_ASA = re.compile(
    r"(?i)(?:(?:with|of) (?:the |an? )?)?(?:American Society of An[ae]+sthesiologists|ASA)(?: \(ASA\))?(?: physical)?"
    r"(?: status)?(?: class\w*| grades?)? (?:I{1,3}|1|2|3)(?:(?:-| and | or |/)(?:I{1,3}|1|2|3))? "
)
#: Words of sentences on the study itself, rather than on background.
_OF_THE_STUDY = re.compile(
    r"(?i)\b(?:randomi[sz]\w+|randomly|enrol\w+|recruit\w+|includ\w+|we|our|this|aim\w*|objectives?|purpose|assigned|"
    r"allocated|conducted|evaluat\w+|investigat\w+|assess\w*|compar\w+|studied|received|treated|given|administered|"
    r"undergoing|underwent|were|trial|to (?:determine|examine|test)|(?:a|in) total)\b"
)
#: Words of sentences that say who was in the study, who was treated in it, and what was known before.
_RECRUITED = re.compile(
    r"(?i)\b(?:randomi[sz](?:ed|ing)|randomly|enroll?ed|recruited|assigned|allocated|eligible|a total of|in total|"
    r"inclusion criteria|took part|participated)\b"
)
_TOOK_PART = re.compile(
    rf"{_RECRUITED.pattern}|\b(?:included|studied|(?:were|was) (?:\w+ )?(?:treated|given|selected|observed)|received|"
    r"underwent|we (?:treated|gave|selected|studied))\b"
)
_KNOWN_BEFORE = re.compile(
    r"(?i)\banimal models?\b|\b(?:has|have|had) (?:been )?(?:previously )?(?:shown|suggested|reported|demonstrated|"
    r"associated|improved|reduced)\b|\b(?:previous|prior|earlier) (?:\w+ )?(?:stud|trial|work|report)|\bit is known\b|"
    r"\b(?:more|further|additional|calls?|called|need|needed) (?:for )?(?:[\w-]+ ){0,2}(?:trials|studies)\b"
)
#: Words of results, and of those who were left out.
_RESULT = re.compile(
    r"(?i)\bp ?[<=>≤≥] ?0?[.·]\d|\d ?%|±|\bsignifican\w+|"
    r"\b(?:more|less|fewer|higher|lower|greater|better|worse|similar|reduced|improved|increased|decreased|experienced|"
    r"reported|showed|died)\b|\bresults? (?:show|suggest|indicate)"
)
_LEFT_OUT = re.compile(
    r"(?i)\bexclu(?:ded|sion|ding)\b|\bineligible\b|\bnot eligible\b|\bsample size\b|\bwithdr\w+|\bpower\b|"
    r"\bdropp?ed out\b|\brequired for\b|\bconsent from\b|\bas (?:\w+ )?controls\b"
)
#: Descriptions of some of the participants, or of nobody.
_SOME = compile_alternatives(
    r"(?i)\bgroups?\b|\bwith \d+ |\barms?\b|"
    r"\bwho (?:died|failed|completed|signed|responded|relapsed|bled|did|do|gave|agreed|would|participated)\b|%|"
    r"\bplacebo\b|\bcontrols?\b|\badherence to\b|\binclusion criteri|\bpotential\b|\bthe (?:same|following|other)\b|"
    r"\bat least one\b"
)
#: A dose in place of a condition ("patients at 4 mg/kg"), or a condition cut before its noun ("women with advanced").
_NO_CONDITION = re.compile(
    r"(?i) (?:at|on) \d[\d.,–-]* ?(?:m|µ|μ|mc|n)?g\b| (?:advanced|metastatic|early|recurrent|operable|severe|moderate|"
    r"mild|acute|chronic|inflammatory|newly diagnosed|stage|one)$"
)
_WORD_OF_TITLE = re.compile(
    r"^(?:Patients|Women|Men|Children|Adults|Adult|People|Participants|Healthy|Elderly|Subjects|Infants)\b"
)
_ADJECTIVE = re.compile(
    rf"(?i)\b(?:in|among|for|of) ((?!the\b)(?:(?!{_NOT_LIKE}\b)[\w/'’-]+,? (?:(?:and|"
    rf"or) (?=(?:[\w-]+ ){{1,2}}{_WHO}\b))?){{1,4}}{_WHO})\b(?! with)"
)
_IN = re.compile(r"(?i)\b(?:in|treatment of|management of|prevention of|for) (?!vivo|vitro|humans?\b|the\b|a\b|an\b)"
                 r"([a-z][^:;.,?(]{5,90})$")  # fmt: skip
_UNCONTROLLED = re.compile(r" (?:(?:in|not )adequately|insufficiently|poorly) controlled\b", re.I)
_LEADING = re.compile(r"(?i)^(?:.* )?(?:in|for|treatment of|management of|prevention of) ")
_A_STUDY = re.compile(
    r"(?i)\b(?:study|trial|analysis|model|clinic|randomi[sz]ed|effects?|efficacy|versus|vs|comparison|extension|"
    r"treating|using|priming|addition|combination|role)\b"
)
#: Names of conditions, of surgery and of those who have them.
_CONDITION = re.compile(
    r"(?i)(?:itis|os[ei]s|iasis|a?emia|omas?|uria|path(?:y|ies)|algia|pno?ea|plegia|penia|rrho?ea|trophy|sclerosis|ectomy|"
    r"otomy|plasty)\b|"
    r"\b(?:cancers?|tumou?rs?|diabet\w+|asthma\w*|diseases?|disorders?|syndromes?|failure|infections?|pain|"
    r"hypertensi\w+|depression|anxiety|surgery|fractures?|stroke|obes\w+|injur\w+|dementia|malaria|HIV\S*|AIDS|COPD|"
    r"ADHD|insomnia|epilepsy|seizures?|schizophrenia|autism|eczema|vitiligo|migraine|headache|influenza|pregnan\w+|"
    r"ulcers?|h[ae]+morrhages?|an[ae]+sthesia|fibrillation|infarction|transplant\w*|deficiency|hernias?|amblyopia|"
    r"pneumonia|sepsis|shock|arrest|colitis|bleeding|hepatitis \w|removal|extraction|intubation|dialysis|cirrhosis|"
    r"hyperlipid\w+|gout|incontinence|reflux)\b"
)


#: What follows the people in a title: "… of patients with stroke via zorvimab"; and what is no people: "mg zorvimab".
_VIA = re.compile(r" via ")
_DOSED = re.compile(r"(?:m?g|[µμ]g|mcg|ml|units?|IU)\b")

#: People of whom only the age, the place or the number is said.
_OF_ANYBODY = re.compile(
    r"(?:(?:\w+ )?(?:eligible|consecutive|consenting|enrolled|recruited) )?(?:adult )?"
    r"(?:patients|participants|subjects|people|adults|volunteers|males|females|men|women|children)"
    r"(?: (?:of )?(?:aged|older than|over|between)(?: the ages of)? [^,;]{2,40}?)?"
    r"(?: (?:at|in|from|of) (?![^;]{0,40}\b(?:weeks?|gestation|risk|stage)\b)"
    r"(?:(?:\d+|the|our|two|three|four|five|a) )(?:(?!with\b|after\b)[\w-]+ ){0,4}"
    r"(?:hospitals?|cent(?:re|er)s?|clinics?|countries|sites|units?)\b(?:(?! with\b| after\b)[^;])*)?",
    re.I,
)
#: The full stop of a species ("P. falciparum"), which ends no phrase, and what stands for it meanwhile.
_SPECIES = re.compile(r"\b([A-Z])\. (?=[a-z]{5})")
_STAND_IN = "\u2024"
#: A condition that is something done to people.
_PROCEDURE = re.compile(
    r"(?i)(?:(?!(?:after|before|during|in|for|of|to|from|following|and|or|having|undergoing|prevention)\b)[\w-]+ ){0,5}"
    r"(?:surgery|intubation|ana?esthesia)"
)
_NAMES_PEOPLE = re.compile(
    r"(?i)\b(?:out|in)?(?:patients|people|women|men|adults|children|infants|neonates|subjects|volunteers|individuals|"
    r"participants|parturients|persons)\b"
)
_UNDERGONE = "people undergoing "


def find_population(hit: Hit, title: str, abstract: Sequence[Section], *, animals: bool, methods: bool) -> str:
    """The people studied, in words of the title, the abstract's sections or, with `methods`, those of the text."""
    title = _BRACKET.sub("", title[:_SENTENCE].translate(HYPHENS))
    written = "\n".join(section.text for section in abstract)[:_MOST_READ].translate(HYPHENS)
    titled = (_find_people(title), _find_people_in_title(title))
    own = tuple(_SPECIES.sub(rf"\1{_STAND_IN} ", sentence) for sentence in _list_sentences(abstract))
    body = [section for section in hit.sections if section.kind is SectionKind.METHODS] if methods else []
    recruited = list_recruited("\n\n".join(section.text[:_MOST_METHODS] for section in body)[:_MOST_METHODS])
    descriptions = chain(
        (write_as_in_sentence(words, title, written) for words in titled),
        map(_find_people, own),
        (_find_counted(sentence) for sentence in own if _RECRUITED.search(sentence)),
        map(_find_people, recruited),
        (write_as_in_sentence(_find_condition_in_title(title), title, written),),
    )
    cut = (_VIA.split(words, maxsplit=1)[0] for words in descriptions if words and not _DOSED.match(words))
    fitting = (words for words in cut if words and (not animals or names_animals(words)))
    shortened = [_WORD_OF_TITLE.sub(lambda m: m[0].lower(), shorten_phrase(words)) for words in fitting]
    found = next((words for words in shortened if not _OF_ANYBODY.fullmatch(words)), next(iter(shortened), ""))
    undergone = _UNDERGONE if _PROCEDURE.fullmatch(found) and not (animals or _NAMES_PEOPLE.search(found)) else ""
    return undergone + found.replace(_STAND_IN, ".")


@lru_cache(maxsize=256)
def list_recruited(text: str) -> Sequence[str]:
    """The sentences of an abstract, or of methods, that say who took part in the study. Cached, as each sentence of a
    record may need those of its abstract."""
    left_out = (_LEFT_OUT, _KNOWN_BEFORE, _RESULT)
    found = (sentence for sentence in _split(text[:_MOST_READ]) if _RECRUITED.search(sentence))
    return [one for one in found if not any(words.search(one) for words in left_out)]


def say_of_whom(hit: Hit) -> str:
    """What a record says of the people in its study: its title, and the sentences of its abstract on who took part."""
    abstract = "\n".join(section.text for section in hit.sections if section.kind is SectionKind.ABSTRACT)
    return " ".join((hit.title, *list_recruited(abstract)))


def _list_sentences(abstract: Sequence[Section]) -> list[str]:
    """Sentences on the study itself, first those on who took part. Of results only these are read."""
    found = [
        (sentence, section.role)
        for section in abstract
        for sentence in _split(section.text[:_MOST_READ])
        if _OF_THE_STUDY.search(sentence) and not _KNOWN_BEFORE.search(sentence) and not _LEFT_OUT.search(sentence)
    ]
    reporting = (SectionKind.RESULTS, SectionKind.CONCLUSION, SectionKind.DISCUSSION)
    own = [one for one, role in found if _RECRUITED.search(one) or not (role in reporting or _RESULT.search(one))]
    return sorted(own, key=lambda sentence: not _TOOK_PART.search(sentence))


def _split(text: str) -> Iterator[str]:
    for span in split_sentences(text.translate(HYPHENS)):
        yield _BRACKET.sub("", _SIZE.sub("", _ASA.sub("", span.text[:_SENTENCE])))


def _find_people(text: str) -> str:
    for pattern in (_PEOPLE, _HEALTHY):
        for match in pattern.finditer(text):
            words = _cut(match[pattern.groups])
            if len(words.split()) > 1 and not _NO_CONDITION.search(words) and not _SOME.search(words):
                both = match[1] if pattern is _PEOPLE and match[1] else ""
                return f"{both}{_COUNT.sub('', _AGAIN.sub(' and ', words))}"
    return ""


def _cut(text: str) -> str:
    """A description up to its end; a list in it whole, or left out with what it hangs on."""
    words = _END.split(text, maxsplit=1)[0].strip()
    head, comma, rest = _split_at_comma(words)
    if comma:
        listed = _REST_OF_LIST.match(f",{rest}")
        last = listed[2].strip() if listed else ""
        if listed and not _ANOTHER_CLAUSE.match(last) and not _ANOTHER_CLAUSE.match(rest.strip()):
            whole = f"{head}{listed[0]}".strip()
            words = whole if len(whole) <= _LONGEST_LIST else _LIST_HEAD.sub("", head)
        else:
            words = _extend_to_noun(head, rest)
    if len(words) <= _LONGEST_LIST and "," in words:
        return _LAST_WORDS.sub("", words)
    phrase = _WHOLE.match(words[:_LONGEST]) if len(words) > _LONGEST else None
    return _LAST_WORDS.sub("", phrase[1] if phrase else words)


def _extend_to_noun(head: str, rest: str) -> str:
    """A description that a comma between adjectives cut, up to its noun: "adults with persistent, severe asthma"."""
    while rest and _NO_NOUN.search(head) and not _ANOTHER_CLAUSE.match(rest.strip()):
        more, _, rest = _split_at_comma(rest)
        head = f"{head},{more}"
    return head


def _split_at_comma(text: str) -> tuple[str, str, str]:
    comma = _COMMA.search(text)
    return (text[: comma.start()], ",", text[comma.end() :]) if comma else (text, "", "")


def _find_counted(sentence: str) -> str:
    match = _COUNTED.search(sentence)
    return "" if match is None or _SOME.search(match[1]) else _COUNT.sub("", match[1])


def _find_people_in_title(title: str) -> str:
    """People in the title who are described only by words before the noun: "in hyperlipidaemic adults"."""
    match = _ADJECTIVE.search(title)
    return match[1] if match and not _SOME.search(match[1]) else ""


def _find_condition_in_title(title: str) -> str:
    """The condition at the end of a title: "… in type 2 diabetes"."""
    match = _IN.search(re.split(r"[:?]|\. |: ", title, maxsplit=1)[0])
    if match is None:
        return ""
    words = _LEADING.sub("", _UNCONTROLLED.split(match[1])[0])
    if not _CONDITION.search(words) or _A_STUDY.search(words) or DRUG_NAME.search(words.casefold()):
        return ""
    return words


def shorten_phrase(words: str) -> str:
    """The words, cut to the maximum length between two words, without a preposition or the like at the end."""
    words = " ".join(words.split())
    most = _LONGEST_LIST if "," in words else _LONGEST
    if len(words) > most:
        shorter = words[:_LONGEST].rpartition(" ")[0]
        whole = _BEFORE_OF.match(shorter)
        words = whole[1] if whole else shorter
    return _LAST_WORDS.sub("", words).strip(" ,;–-")
