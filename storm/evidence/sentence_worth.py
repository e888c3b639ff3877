"""How much a sentence is worth as an answer, by where it stands and what it reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from storm.evidence.clinical_outcomes import gives_two_shares, is_compared
from storm.evidence.endpoints import Endpoint, endpoint_of
from storm.evidence.narrowing import names_copies
from storm.evidence.sentence_kinds import SentenceKind
from storm.evidence.sentence_values import score_values
from storm.evidence.sentences import Sentence, defines_drug
from storm.evidence.strength import evidence_of
from storm.evidence.subjects import compile_name_pattern
from storm.evidence.within_arms import reports_change_within_arms
from storm.models import Evidence, Holds, Plan, Question, Relation, SectionKind, database_info
from storm.ranking import count_cues
from storm.syllabus.relation import names_first

#: Weight of a sentence by its section, measured on articles that were annotated sentence by sentence.
_SECTIONS: Mapping[SectionKind, float] = {
    SectionKind.CONCLUSION: 1.2,
    SectionKind.RESULTS: 1.1,
    SectionKind.DISCUSSION: 0.9,
    SectionKind.INTRODUCTION: 0.6,
    SectionKind.METHODS: 0.2,
}
_OTHER_SECTION = 1.0
#: Records in which every sentence is about the subject of the record.
_RECORDS = (Holds.LICENCES, Holds.MOLECULES, Holds.PATENTS)
_IN_ABSTRACT = 1.25
#: The factor for a sentence that begins with the drug.
_DRUG_FIRST = 1.25
#: Factors for official records on approvals and patents, and for a sentence on a related product.
_OF_RECORD, _OF_RELATIVE = 1.5, 0.7
#: A sentence that depends on the one before, or reports a correlation.
_WEAK = re.compile(r"^(?:However|Moreover|Furthermore|Although|This|These|Of note)\b|\bcorrelat|\binteraction\b", re.I)
_WEAKER = 0.7
#: A result of which a later one is to be expected.
_INTERIM = re.compile(
    r"\b(?:first|interim|preliminary|initial)(?: [\w-]+){0,3} analysis\b|"
    r"\bnot yet (?:\w+ )?(?:meet|met|reach(?:ed)?|cross(?:ed)?|mature)\b",
    re.I,
)
#: What a marker predicts, of which the drug is only what the patients got.
_PREDICTS = re.compile(
    r"\b(?:AUCs?\b(?! ?(?:0|inf|last|\(|of))|receiver operating|prognostic|predict(?:s|ed|ive|ors?|ion)\b|biomarkers?|"
    r"genotypes?|polymorphisms?|alleles?|carriers?|(?:high|low|increased|elevated|"
    r"baseline)[\w -]{0,30} levels? (?:were|was) (?:\w+ )?associated|independent(?:ly)? (?:predict|associated|risk))",
    re.I,
)
_OF_MARKER = 0.4
#: Factors for a result on the endpoint that the trial was planned for, and for one that was not planned.
_OF_ENDPOINT: Mapping[Endpoint | None, float] = {Endpoint.PRIMARY: 1.2, Endpoint.SECONDARY: 1, Endpoint.POST_HOC: 0.8}
_ON_PLAN = 1.15
#: A judgement, which says less than the values or the comparison that it stands on.
_JUDGEMENT = re.compile(
    r"\b(?:effective|efficacious|safe|safely|well[- ]tolerated|tolerable|favou?rable|beneficial|consistent with|"
    r"promising)\b",
    re.I,
)
_VALUE = re.compile(r"\d")
#: How much of a drug was given, which is no value of a result.
_DOSE = re.compile(
    r"(?<![\d.,])\d[\d.,]{0,12}(?: ?[-–] ?\d[\d.,]{0,12})?[\s-]?(?:m|mc|µ|μ)?g\b(?!/d?L\b)(?:/\w+)*", re.I
)
#: A result in a part of the patients, counted in the sentence: "Of the 15 patients with fever, two died".
_OF_PART = re.compile(
    r"(?:Among|Of|In) (?:the |these |those )?(?:\d+|[a-z]+teen|two|three|four|five|six|seven|eight|nine|ten|twelve) "
    r"(?:\w+ )?(?:patients|subjects|participants|women|men|children|cases) (?:(?:with|without|whose|in whom)\b|"
    r"who (?!received|were given|took|completed))"
)
_PARTLY = 0.7
#: How many had any harm, or which were the most common, which say more than single harms.
_OVERALL_HARMS = re.compile(
    r"^(?!.*\b(?:due to|leading to|led to|associated with|withdr[ae]w\w*|discontinu\w*|serious|severe)\b)(?:.*"
    r"\b(?:adverse (?:drug )?(?:events?|effects?|reactions?)|(?:TE)?AEs|side effects?)\b(?! of (?:special|particular))"
    r"[^.;]{0,60}\b(?:were|was|in|by)\b[^;]{0,40}\d ?%[^;]{0,120}\d ?%|"
    r".*\d ?%[^;]{0,120}\b(?:experienced|reported|had|developed) (?:at least (?:one|1) |any |an |one or more )?"
    r"(?:treatment-emergent )?(?:adverse|(?:TE)?AE)|"
    r"(?:the )?(?:most )?(?:common|frequent)\w* (?:\w+ )?(?:adverse|(?:TE)?AEs|side effects?)\b[^;]*\d ?%)",
    re.I,
)
_OVERALL = 1.2
#: The same result, computed otherwise; and rates from before the time for which a study reports its outcomes.
_SENSITIVITY = re.compile(
    r"\bsensitivity analys|\buntrimmed\b|\bas an? (?:additional )?covariate\b|"
    r"\badjust(?:ment|ing) for\b[^.;]{0,120}\b(?:no|not|little|hardly)\b[^.;]{0,30}\b(?:differen|chang|alter|affect)",
    re.I,
)
#: A registered outcome that is reported again for parts of the patients: "Time to recovery by race".
_BY_GROUP = re.compile(
    r"[^:]{3,80}\bby (?:race|ethnicity|sex|gender|age|region|country|site\b(?! of))\b[^:]{0,60}:", re.I
)
_TOO_EARLY = re.compile(
    r"\b(?:during|at|on|before) (?:the )?(?:index )?(?:hospitali[sz]ation|admission|discharge)\b", re.I
)
#: The result of all trials of a meta-analysis, beside those of some of them.
_OF_ALL = re.compile(
    r"\b(?:as a whole|(?:all|pooled) (?:the )?(?:trials|studies)|overall (?:analysis|result|effect))\b", re.I
)
_WHOLE = 1.4
#: The value of one arm of a trial with two, of which the other may have had the same.
_SECOND_ARM = re.compile(
    r"\b(?:placebo|controls?|both|either|groups|arms|not|no|neither|equal\w*|similar\w*|comparable|better|more|less|"
    r"higher|lower|greater|superior|(?:in)?effective)\b",
    re.I,
)
#: The values of several arms: "3.8 (1.2) for placebin, 3.4 (1.2) for zorvimab".
_OF_EACH_ARM = re.compile(
    r"\d(?: ?%| ?\([^()]{1,20}\))? (?P<to>for|with|in|on) [^;,]{3,40},? (?:and )?"
    r"\d[\d.]*(?: ?%| ?\([^()]{1,20}\))? (?P=to) ",
    re.I,
)
_ONE_SIDED = 0.75
_VAGUE = 0.8
#: What the drug is and does, which introductions say.
_DEFINITION = 1.6
#: What it acts on, beside what became of some marker.
_ACTS = re.compile(
    r"[^.;,]{0,40}?\b(?:inhibit|bind|block|activat|antagoni[sz]|target|mimic|degrad|dimeri[sz]|intercalat)(?:e?[sd]|ing)?\b|"
    r"[^.;,]{0,25}?\b(?:acts? (?:on|as|by|via|through)|is (?:an?|the) (?:[\w-]+ ){0,4}"
    r"(?:inhibitor|agonist|antagonist|antibody|blocker|modulator|analogue?))\b",
    re.I,
)
_ACTION = 1.5
#: A sentence on the status of the copies that a question asks for need not name the drug.
_ON_COPIES = 1.6
#: What stands in the register of patents anyway, beside what a patent covers, until when, and what became of it.
_GRANT = re.compile(
    r"\b(?:granted|issued|assigned|inventors?|is (?:a|an) [\w ]{0,20}(?:patent|application)|continues|named on|"
    r"provisional applications?)\b",
    re.I,
)
_CONTENT = re.compile(
    r"\b(?:cover\w*|claim\w*|deals? with|directed|relat(?:es|ing) to|expir\w+|until|lapsed?|extend\w*|exten(?:ds|sion)|"
    r"challeng\w+|review|invalid\w*|(?:un)?patentab\w+|revoked|upheld|cancel\w+|withdrawn|(?:un)?enforceable|in force|"
    r"infring\w+|assert\w+|settle(?:[ds]|ments?)?|licen[cs]\w+|court|board|listed|Orange Book)\b",
    re.I,
)
_BARE_GRANT = 0.75
#: A step of a dispute over a patent, which says less than how it ended; "also" is of another patent.
_STEP = re.compile(r"\bpetition(?:s|ed)?\b|\basser(?:ted|tion)\b|\breasonable likelihood\b|\bchallenge[ds]?\b", re.I)
_ENDED = re.compile(
    r"\b(?:cancel\w+|invalid\w*|unpatentab\w+|revoked|upheld|affirmed|settle(?:d|ments?)|dismissed|denied|"
    r"(?:not|no [^.;]{0,40}) instituted)\b",
    re.I,
)
_OPEN_STEP, _ENDING = 0.8, 1.15
_ALSO = re.compile(r"\balso\b", re.I)
#: Each cue of the question adds this share to the score, up to a maximum.
_CUE, _MOST_CUES = 0.05, 4


def is_interim(sentence: str) -> bool:
    """Whether it reports an analysis of which a later one is to be expected."""
    return _INTERIM.search(sentence) is not None


def score_sentence(sentence: Sentence, question: Question, plan: Plan) -> float:
    """How much a sentence is worth as an answer to the question, around 1: by its section, how it names the drug, its
    cues and values, and the endpoint that it reports."""
    text, section = sentence.passage.shown, sentence.passage.section
    is_record = database_info(sentence.source.hit.database).holds in _RECORDS
    own = Relation.ITSELF in sentence.named
    cues = min(_MOST_CUES, count_cues(text, question.cues, question.places))
    worth = _SECTIONS.get(sentence.role, _OTHER_SECTION) * (1 + _CUE * cues)
    if question.takes_facts and not question.dated and defines_drug(text, plan.names):
        worth *= _DEFINITION
    elif question.takes_facts and not question.dated and _names_action(text, plan.names):
        worth *= _ACTION
    worth *= _IN_ABSTRACT if section.kind is SectionKind.ABSTRACT else 1
    worth *= _DRUG_FIRST if (own or question.takes_relatives) and names_first(text, plan.names) else 1
    worth *= _OF_RECORD if is_record and question.dated else 1
    worth *= _BARE_GRANT if question.dated and _GRANT.search(text) and not _CONTENT.search(text) else 1
    worth *= _weigh_dispute(text) if question.dated else 1
    worth *= _ON_COPIES if question.dated and any(map(names_copies, question.about)) else 1
    worth *= 1 if is_record else sentence.named_as
    worth *= 1 if own or not sentence.named or question.takes_relatives else _OF_RELATIVE
    if (question.wants_results or question.takes_relatives) and sentence.kind is SentenceKind.FINDING:
        result = score_values(text) * _weigh_endpoint(sentence)
        result *= _WHOLE if evidence_of(sentence.source.hit) is Evidence.META_ANALYSIS and _OF_ALL.search(text) else 1
        result *= _ONE_SIDED if not question.precedence and _reports_one_arm(sentence) else 1
        worth *= result if question.wants_results else max(1, result)
    worth *= _OF_MARKER if question.wants_results and _PREDICTS.search(text) else 1
    worth *= _OVERALL if question.precedence and question.wants_results and _OVERALL_HARMS.search(text) else 1
    worth *= _PARTLY if question.wants_results and _OF_PART.match(text) else 1
    return worth * (_WEAKER if _WEAK.search(text) or is_interim(text) else 1)


def _weigh_dispute(text: str) -> float:
    """A factor for a step of a dispute over a patent, or for how it ended."""
    if _ENDED.search(text):
        return 1 if _ALSO.search(text) else _ENDING
    return _OPEN_STEP if _STEP.search(text) else 1


def _names_action(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence says soon after the name of the drug what it inhibits, binds, or the like."""
    return any(_ACTS.match(text, named.end()) for named in compile_name_pattern(tuple(names)).finditer(text))


def _reports_one_arm(sentence: Sentence) -> bool:
    """Whether a sentence on a randomised trial gives a value and compares it with nothing."""
    text = sentence.passage.shown
    if reports_change_within_arms(text):
        return evidence_of(sentence.source.hit) is Evidence.RANDOMISED
    has_other = is_compared(text) or _SECOND_ARM.search(text) or gives_two_shares(text) or _OF_EACH_ARM.search(text)
    is_alone = _VALUE.search(text) and not has_other
    return bool(is_alone) and evidence_of(sentence.source.hit) is Evidence.RANDOMISED


def _weigh_endpoint(sentence: Sentence) -> float:
    """A factor for results on the endpoint that the study was planned for, and for judgements without a result."""
    text = sentence.passage.shown
    if not (_VALUE.search(_DOSE.sub("", text)) or is_compared(text)):
        return _VAGUE if _JUDGEMENT.search(text) else 1
    heading = sentence.passage.section.name
    if _SENSITIVITY.search(heading) or _SENSITIVITY.search(text) or _TOO_EARLY.search(text) or _BY_GROUP.match(text):
        return _VAGUE
    endpoint = endpoint_of(text) or endpoint_of(heading)
    return _OF_ENDPOINT.get(endpoint, _ON_PLAN if sentence.is_planned else 1)
