"""Classifies sentences: a finding of the document itself, an established fact, or a kind that is not printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from storm.evidence.grave_results import is_serious
from storm.evidence.group_values import EVENTS_COUNTED, OF_GROUPS, OF_PATIENTS, TESTS_SHARES
from storm.evidence.participant_sections import is_on_participants
from storm.evidence.passages import Passage
from storm.evidence.speculation import HYPOTHESIS, SPECULATION
from storm.evidence.study_conduct import BASELINE, METHOD, OBJECTIVE
from storm.evidence.verdicts import OTHER_AUTHORS, is_verdict
from storm.models import SectionKind
from storm.patterns.alternatives import compile_lowered

#: Characters read of a sentence: longer ones are lists and tables that lost their line breaks.
REACH = 1_000


class SentenceKind(StrEnum):
    """The kind of a sentence. Only findings and facts are printed as statements of a source about a drug."""

    FINDING = "finding"
    FACT = "established fact"
    OBJECTIVE = "objective"
    HYPOTHESIS = "hypothesis"
    METHOD = "method"
    ELIGIBILITY = "eligibility"
    BASELINE = "baseline"
    ETHICS = "ethics"
    SECOND_HAND = "second-hand"
    SPECULATION = "speculation"
    FRAGMENT = "fragment"

    @property
    def is_printable(self) -> bool:
        """Whether it is a statement about the drug that the source supports."""
        return self in (SentenceKind.FINDING, SentenceKind.FACT)


#: Words that make a sentence a report, even with an objective in it: "To compare …, we found that …".
_REPORTS = compile_lowered(
    r"\b(?:(?:we|it|study|trial|analys[ie]s|results?|data|findings?|outcomes?|work)\s(?:\w+\s){0,3}(?:found|show(?:s|"
    r"ed|n)?|demonstrate[sd]?|observed?|reveal(?:s|ed)?|confirm(?:s|ed)?|indicate[sd]?|identified)|was (?:found|shown|"
    r"observed)|were (?:found|shown|observed|seen|reported|noted)|significant(?:ly)? (?:\w+ ){0,3}(?:differ|higher|"
    r"lower|greater|great|less|more|fewer|better|worse|increas|decreas|reduc|improv|longer|shorter|effect|change|"
    r"associat)|\b(?:hazard|odds|risk|rate) ratio,? (?:of |= ?)?\d|"
    r"not significant|no significant|non-?significant|p\s?[<=>≤≥]\s?0?[.·]\d|"
    r"the most (?:common|frequent)(?:ly)? (?:\w+ )?(?:adverse|side)\b)"
)
#: Results of a trial: a value, a direction, a comparison, an event, or the absence of one.
_FINDS = compile_lowered(
    r"\bp\s?[<=>≤≥]\s?0?[.·]?\d|\d\s?%|\bper ?cent\b|±|confidence interval|\bCI\b|\b(?:hazard|odds|risk|rate) ratio|"
    r"\bsignifican|\bdiffer(?:ed|s|ence|ences)?\b|"
    r"\b(?:higher|lower|greater|longer|shorter|fewer|better|worse|superior|inferior|less|more|least|most)\b|"
    r"\b(?:increas|decreas|reduc|improv|prolong|declin|elevat|lower|attenuat|potentiat|enhanc|impair|suppress|prevent|"
    r"delay|distort|slow|worsen|preserv|ameliorat|alleviat|induc|stimulat|diminish|intensif)(?:s|ed|es|d)\b|"
    r"\b(?:rose|fell|caused|produced|resulted in|led to|provided|failed to|did not|had no|was not|were not|without any|"
    r"no (?:\w+ ){0,2}(?:effect|difference|change|benefit|improvement|increase|evidence|association|advantage))\b|"
    r"\b(?:ineffective|efficacious|safe|similar|similarly|well[- ](?:tolerated)|comparable|equal|equally|equivalent|"
    r"unchanged|non-?inferior|effective(?! (?:(?!(?:in|as|after|with|without|than|for|against|despite|at|to|the|an?)\b)"
    r"[\w-]+ ){0,3}(?:inhibitor|agonist|antagonist|blocker)s?\b))\b|"
    r"\b(?:occurred|developed|experienced|reported|observed|died|discontinued|associated with|withdrew|incidence)\b|"
    r"\b(?:median|mean)\b|\b\d+ (?:out )?of (?:the )?\d+\b|"
    r"\b(?:achieved|responded|relapsed|recovered|survived|progressed)\b|"
    r"^(?:one|two|three|four|five|six|\d+) (?:\w+ )?(?:patients?|participants?|subjects?|children|women|men|infants?) "
    r"[^.;]{0,60}\b(?:had|needed|required|suffered)\b|"
    r"\b(?:complete|partial|objective|overall) (?:\w+ )?(?:response|remission|survival)"
)
#: Ratios by their short names, of which the lower-case words are others.
_RATIO = re.compile(r"\b(?:HR|OR|RR)\b")
_FRAGMENT = re.compile(
    r"^(?:Fig(?:ure|\.)?|Table|Box|Panel|Supplementary|Appendix)\s?\d|^\W*[a-z*†‡§]\)?\s|"
    r"(?:\b[A-Z][a-z]+(?:-[A-Z][a-z]+)? [A-Z]{1,3}, ){2}|"
    r"^(?!.*\b(?:is|are|was|were|had|has|have|did|and|or|including)\b)(?:[^,;.]{3,45}, ){4,30}[^,;.]{3,45}\.$|"
    r"^[^a-z]*$|Error! |\b(?:Fig\.|Figure|Table) ?\d+[A-Z][a-z]"
)
#: In the order in which they are tried, for text in lower case.
_KINDS: Mapping[SentenceKind, re.Pattern[str]] = {
    SentenceKind.ETHICS: compile_lowered(
        r"\bethic(?:s|al)\b|\breview board|\binformed consent|\bwritten consent|declaration of helsinki|"
        r"good clinical practice|\banimal (?:care|welfare|experiment)|care and use\b|\binstitutional (?:review|animal)|"
        r"\bprotocol (?:\w+ ){0,4}approved|\b(?:trial|study|clinical) (?:was |is )?regist(?:ered|ration)|"
        r"\bregistration number|\bclinicaltrials\.gov (?:identifier|number)|\bconsent (?:form|was)\b"
    ),
    SentenceKind.ELIGIBILITY: compile_lowered(
        r"\b(?:inclusion|exclusion|entry|eligibility|selection) criteri|"
        r"\bwere (?:excluded|eligible|ineligible|required to)\b|\bto be eligible\b|"
        r"\bexcluded from (?:the |our )?(?:\w+ )?(?:study|trial|analys)|"
        r"\bexclu(?:ded|sions?) (?:from the study )?(?:if|were|included|comprised)\b|"
        r"\beligible (?:patients|participants|subjects)|\b(?:enrol|recruit)\w* (?:adult|patients|subjects|women|men)\b"
    ),
    SentenceKind.HYPOTHESIS: HYPOTHESIS,
    SentenceKind.OBJECTIVE: OBJECTIVE,
    SentenceKind.METHOD: METHOD,
    SentenceKind.BASELINE: BASELINE,
    SentenceKind.SPECULATION: SPECULATION,
    SentenceKind.SECOND_HAND: compile_lowered(
        r"\b(?:results?|findings?|data) (?:by|of) [a-z]+(?: et al\.?)? (?:is|are|was|were) (?:in agreement|in line|"
        r"consistent|comparable|similar)\b|"
        r"^(?:unlike|contrary to) (?:our|the present)(?: \w+)? (?:findings?|results?|data|stud(?:y|ies))\b|"
        r"\bour (?:recent|previous|earlier|prior|former) (?:\w+ )?(?:stud|work|trial|report|result|finding)|"
        r"\bstud(?:y|ies) (?:by|of|from|done|which has)\b|"
        r"\b(?!most (?:frequently|commonly) reported\b)(?:previous|previously|prior|earlier|recent|recently|several|"
        r"some|other|another|many|numerous|most|various|few|two|three|both|large|small|animal|experimental|"
        r"preclinical|similar|clinical|pilot|observational|these|those)(?:,? [\w-]+){0,3} (?:stud(?:y|ies)|trials?|"
        r"reports?|reported|meta-analys[ei]s|reviews?|researches|investigat(?:ions?|ors)|researchers?|authors|"
        r"publications?|literature|experience|shown|evidence|demonstrated|work)\b|"
        r"\b(?:has|have) (?:also |previously |recently |not |never |long |all |officially |generally |usually |"
        r"often )*been (?:\w+ly )?(?:shown|reported|demonstrated|suggested|described|found|observed|documented|"
        r"associated|proven|proposed|investigated|studied)\b|"
        r"\b(?:has|have) (?:\w+ ){0,2}(?:shown|reported|demonstrated|suggested|found)\b|"
        r"\bit (?:was|is|has been) (?:also |previously |recently )?(?:reported|shown|suggested|demonstrated|"
        r"well known|known)\b|\bwas (?:reported|shown|suggested|said) to\b|\bare (?:reported|said) to\b|"
        r"\bthe literature\b|"
        r"\baccording to (?:[\w-]+ ){0,4}(?:literature|reports?|authors?|stud(?:y|ies)|guidelines?|recommendations?|"
        r"manufacturers?|reviews?|trials?|investigators|experts?)\b|\b(?:is|are) (?:also )?reported\b(?! here)|"
        r"\b(?:has|have) been (?:\w+ly )?used\b.{0,120}?\bwithout\b|"
        r"\b(?:there (?:is|are) (?:\w+ ){0,2}(?:evidence|reports|indication|data))\b|\bin (?:rats?|mice|rodents)\b|"
        r"\bthey (?:found|concluded|reported|showed|demonstrated|observed|claimed|suggested)\b|\bin that study\b|"
        r"\binvestigators (?:have|found|reported)|"
        r"\b(?:number|variety) of (?:drugs|agents|methods|studies|investigators)\b|\bmany drugs\b|"
        r"\bstudies comparing\b|"
        r"\b(?:studies|trials) (?:also )?(?:have )?(?:shown|showed|demonstrated|found|reported|suggest|suggested|"
        r"indicate|indicated|concluded|revealed)\b|\bauthors? (?:claim|suggest|conclude|report)|"
        r"\bmeta-analysis (?:of|with|suggests)\b|"
        r"\b(?:previously published|published (?:data|reports?|results|values|rates)|historical (?:controls?|data|"
        r"comparisons?))\b"
    ),
}
#: Words that mark a result of the document itself, even if the sentence mentions other studies.
_OWN = compile_lowered(
    r"\b(?:(?:in |of |from )?(?:the |this |our )(?:\w+ ){0,2}(?:present|current)(?: \w+){0,2} (?:stud|trial|investigat|"
    r"analys|work|survey)|(?:this|our)(?! (?:recent|previous|earlier|prior|former)\b)(?: \w+){0,3} (?:stud(?:y|ies)|"
    r"trial|analys[ie]s|results?|findings?|data|patients|survey|work|investigation|report|experiment)|present stud|"
    r"current stud|we (?:also |could |clearly )?(?:found|show|showed|demonstrated|observed|did not|report|confirm|"
    r"conclude)|in conclusion|in summary|(?:overall|to conclude|conclusively),)"
)
#: A sentence whose subject is another work, even if it names the document's own further on: "Earlier trials of the
#: tablets used in the present study showed …".
_BEGINS_ELSEWHERE = re.compile(
    r"(?!.{0,400}\b(?:reported here|(?:of|in) our (?:patients|participants|subjects|cohort))\b)"
    r"(?:in addition, |furthermore, |additionally, )?"
    r"(?:(?:in|a|an|the|one|two|three|some|several|many|most|all|however|moreover),? ){0,3}"
    r"(?:previous|earlier|prior|other|another|former|recent)(?: [\w-]+){0,4} (?:stud(?:y|ies)|trials?|reports?|"
    r"reviews?|meta-analys[ei]s|authors|investigators|researchers)\b(?![^.;]{0,60}\b(?:our|present|current)\b[^.;]{0,60}"
    r"\b(?:found|show|confirm|differ))",
    re.I,
)
_IN_ANOTHER = re.compile(r"In (?:another|an? (?:previous|recent|prior)|one|1)(?: [\w-]+){0,2} (?:study|trial)\b")
#: The document's own result, with which another work's is compared: "which is contradictory to our results".
_BESIDE_OWN = re.compile(
    r"\b(?:contra(?:dict\w+|ry|st)|similar|agree\w*|consistent|comparable|in (?:line|accord\w*)|opposite|"
    r"(?-i:Unlike))(?: to| with)? (?:our|the present|the current)(?: \w+)? "
    r"(?:results?|findings?|stud(?:y|ies)|data|trial)\b",
    re.I,
)
#: Words that do not show the kind of a sentence: adjustments, definitions, and events attributed to the drug.
_NO_SIGN = re.compile(
    r"\b(?:(?:after|when|on|with) (?:adjust|correct|controll|account)\w*|adjusted|corrected) for [^,;.]{1,80}|"
    r"\(defined as [^()]*\)|"
    r"\b(?:(?:possibly|probably|potentially|likely|definitely|remotely)[\s,/]{1,2}(?:and |"
    r"or )?){1,3}(?:[\w-]+[- ])?related\b|"
    r"\b(?:might|may|could) (?:have been|be) related to (?:the |study )*(?:drug|medication|treatment|therapy)\b",
    re.I,
)
#: Events attributed to a treatment are results.
_ATTRIBUTED = re.compile(
    r"(?P<events>\b(?:events?|reactions?|deaths?|infections?|effects?)\b[^.;]{0,60}?)\b(?:were |was )?"
    r"attribut(?:ed|able) to\b",
    re.I,
)
#: Words of methods, and of other work, that are also in results with values of groups or without an effect.
_IN_RESULTS = re.compile(
    r"\b(?:receiving|(?:double|single)[- ]blind(?:ed)?|open[- ]label|(?:according|randomi[sz]ed|assigned|allocated) to|"
    r"(?:was|were) (?:\w+ly )?(?:recorded|obtained|measured|performed|calculated))\b",
    re.I,
)
#: What others have proposed, also in a document's own conclusion.
_PROPOSED = re.compile(
    r"\b(?:has|have) been (?:\w+ly )?(?:suggested|proposed|recommended|advocated) (?:as|to|that)\b(?!.{0,300}\d ?%)",
    re.I,
)
#: Agreement of the document's result with other work: the value that follows is from the other.
_UPHELD = re.compile(
    r"\b(?:supported|confirmed|corroborated|backed|strengthened|substantiated) by (?:\w+ ){0,3}(?:findings?|results?|"
    r"data|reports?|observations?|stud(?:y|ies)|trials?) (?:of|from|by|in|that|which)\b",
    re.I,
)
#: Words by which a sentence adds to the one before it.
_ADDING = re.compile(
    r"^(?:these|their|those) (?:\w+ )?(?:results|findings|data|authors|investigators)\b|"
    r"^(?:moreover|furthermore|in addition|additionally|similarly|likewise|besides|also)\b|"
    r"^(?:[\w-]+ ){1,4}also (?!found in (?:this|our))\w",
    re.I,
)
#: An approval with its authority is a fact, whoever states it.
_LICENSED = re.compile(
    r"\b(?:approv|licen[cs]|authori[sz])\w* (?:in (?:the )?[\w. ]{2,20} )?by (?:the )?(?:[\w.&]+ ){0,3}"
    r"(?:FDA|EMA|Food (?:and|&) Drug|European (?:Medicines|Commission)|MHRA|Health Canada|PMDA)",
    re.I,
)
_AUTHORS = re.compile(OTHER_AUTHORS)
_IN_THAT_STUDY = re.compile(r"\bin that (?:study|trial)\b", re.I)
#: What a discussion concludes and gives no figure for: "Therefore, it can be given to …".
_DEDUCED = compile_lowered(
    r"(?:(?:therefore|thus|hence|consequently|accordingly),? |(?=[^.;]{3,60} can also\b))"
    r"(?!.*(?:\d ?%|\bp ?[<=>]|\d\.\d)).{0,300}"
    r"\bcan\b(?! (?:also )?(?:cause|increase|lead|induce|result|worsen|impair|provoke|harm))"
)
_ANY_AUTHORS = re.compile(OTHER_AUTHORS, re.I)
#: Harms, whatever is said beside them of those who completed the study or left it.
_ON_HARMS = compile_lowered(
    r"\bno (?:serious|severe) adverse events?\b|\b(?:due to|because of) (?:an )?(?:adverse events?|side effects?)\b"
)
#: When the patients had what was not yet a harm of the trial.
_BEFORE_TRIAL = compile_lowered(
    r"\b(?:base-?line|admission|entry|enrol\w+|history|histories|before|previous(?:ly)?|prior|pre-?\w+|screening|age|"
    r"apache|run-in)\b"
)
_CHANGED = compile_lowered(
    r"\b(?:fell|rose|declined|decreased|increased|improved|reduction|improvement)\b[^;]{0,160}\bp\s?[<=>]"
)
#: What a study was for, whatever it was to show.
_AIM = compile_lowered(
    r"^(?:the )?(?:\w+ ){0,2}(?:aims?|objectives?|purposes?|goals?) of [^.;]{0,80}\b(?:was|were|is|are) to\b"
    r"(?!.{0,300}\b(?:we found|results? (?:show|indicat)))"
)
_STOPPED = re.compile(r"\b(?:discontinu|withdr[ae]w|adverse|side effects?)", re.I)
#: A sentence that only points to a table.
_POINTER = re.compile(
    r"(?:[^.;\d]|(?<=[A-Za-z-])\d+){3,160}\b(?:is|are|was|were) (?:shown|given|presented|summari[sz]ed|listed|"
    r"displayed|depicted|illustrated|provided) in (?:\w+ )?(?:tables?|figs?\b|figures?|appendix)\b"
    r"[^.;%]{0,60}\.?$",
    re.I,
)
_CERTAIN = (SentenceKind.FRAGMENT, SentenceKind.ETHICS, SentenceKind.ELIGIBILITY, SentenceKind.HYPOTHESIS,
            SentenceKind.BASELINE)  # fmt: skip
#: Kinds whose words a result may contain too: "To compare …, we found that …".
_REPORTED = (SentenceKind.OBJECTIVE, SentenceKind.METHOD)
#: Kinds that such a report may have all the same.
_UNDER_REPORTS = (SentenceKind.BASELINE, SentenceKind.SPECULATION)
_DISCUSSING = (SectionKind.DISCUSSION, SectionKind.INTRODUCTION)
_MARK = re.compile(
    r"(?<=[a-z]) ?\(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\)|[A-Za-z]\.? \(?(?:19|20)\d\d[a-z]?\)|"
    r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]"
)
#: Sections without findings in prose.
_NO_PROSE = (SectionKind.METHODS, SectionKind.BACK_MATTER, SectionKind.CAPTION, SectionKind.TABLE)


def kind_of(passage: Passage, role: SectionKind) -> SentenceKind:
    """The kind of a sentence, by its words and its section."""
    text = _remove_misleading_words(passage.shown[:REACH], role)
    lowered = text.lower()
    kind = _find_kind(text, lowered)
    is_harm = _ON_HARMS.search(lowered) or (is_serious(text) and not _BEFORE_TRIAL.search(lowered))
    if kind is SentenceKind.BASELINE and role is SectionKind.RESULTS and is_harm:
        kind = None
    if kind in _CERTAIN or (kind is SentenceKind.OBJECTIVE and _AIM.search(lowered)):
        return kind
    is_of_participants = role is SectionKind.RESULTS and is_on_participants(passage.section.label, text)
    if is_of_participants and not (_reports_harm(text) or _CHANGED.search(lowered)):
        return SentenceKind.BASELINE
    if role in _NO_PROSE or (_POINTER.match(text) and not _reports_harm(text)):
        return SentenceKind.METHOD
    if role in _DISCUSSING and (is_verdict(text) or (_DEDUCED.match(lowered) and not is_serious(text))):
        return SentenceKind.SPECULATION
    if kind is SentenceKind.SPECULATION and role is SectionKind.RESULTS and TESTS_SHARES.search(lowered):
        kind = None
    if kind in _REPORTED and _REPORTS.search(lowered):
        kind = next((kind for kind in _UNDER_REPORTS if _KINDS[kind].search(lowered)), None)
    cited = role in _DISCUSSING and _has_reference_mark(passage)
    other = _AUTHORS.search(text)
    is_own = _is_own(text)
    # In a section of results, and in an abstract's conclusion, results of other work have a citation.
    reports = role is SectionKind.RESULTS or (
        role is SectionKind.CONCLUSION and passage.section.kind is SectionKind.ABSTRACT
    )
    other = other or _PROPOSED.search(text)
    is_own = is_own or (reports and not other and not _has_reference_mark(passage)) or bool(_LICENSED.search(text))
    if (kind is SentenceKind.SECOND_HAND or (kind is None and cited and _finds_result(text))) and not is_own:
        return SentenceKind.SECOND_HAND
    if kind in (None, SentenceKind.SECOND_HAND):
        shown = passage.shown[:REACH]
        finds = _finds_result(text) or OF_GROUPS.search(shown.lower()) or EVENTS_COUNTED.search(shown.lower())
        return SentenceKind.FINDING if finds else SentenceKind.FACT
    return kind


def _find_kind(text: str, lowered: str) -> SentenceKind | None:
    """The first kind whose words a sentence has, which is given as it is and in lower case."""
    if _FRAGMENT.search(text):
        return SentenceKind.FRAGMENT
    kind = next((kind for kind, words in _KINDS.items() if words.search(lowered)), None)
    return SentenceKind.SECOND_HAND if kind is None and _ANY_AUTHORS.search(text) else kind


def _finds_result(text: str) -> bool:
    return bool(_FINDS.search(text.lower()) or _RATIO.search(text))


def _reports_harm(text: str) -> bool:
    """Whether a sentence tells of harm, which is a result wherever it stands."""
    return is_serious(text) or EVENTS_COUNTED.search(text.lower()) is not None or _STOPPED.search(text) is not None


def _remove_misleading_words(text: str, role: SectionKind) -> str:
    """The text without words that do not show the kind of a sentence, because results and methods share them."""
    text = _NO_SIGN.sub("", text)
    if role not in _DISCUSSING:
        text = _ATTRIBUTED.sub(r"\g<events>", text)
    if role in _DISCUSSING or role in _NO_PROSE:
        return text
    lowered = text.lower()
    has_results = EVENTS_COUNTED.search(lowered) or (OF_GROUPS.search(lowered) and not OF_PATIENTS.search(text))
    return _IN_RESULTS.sub("", text) if has_results else text


def is_borrowed(passage: Passage, role: SectionKind) -> bool:
    """Whether a sentence of an introduction or a discussion cites another work for its statement."""
    return role in _DISCUSSING and passage.is_cited and not _is_own(passage.shown[:REACH])


def continues_other_work(passage: Passage, before: Passage, role: SectionKind) -> bool:
    """Whether a sentence of an introduction or a discussion adds to another work's result in the sentence before it, or
    to what its authors did: "A previous study reported … Zorvimab also prevented …", "Lin et al. compared …".
    """
    if role not in _DISCUSSING or before.section is not passage.section or _is_own(passage.shown[:REACH]):
        return False
    is_cited = before.is_cited or _has_reference_mark(before)
    named = _AUTHORS.search(before.shown[:REACH]) or (is_cited and _IN_ANOTHER.match(before.shown))
    if named and not _is_own(before.shown[:REACH]):
        return True
    return bool(_ADDING.search(passage.shown[:REACH])) and kind_of(before, role) is SentenceKind.SECOND_HAND


def _is_own(text: str) -> bool:
    if _BEGINS_ELSEWHERE.match(text):
        return False
    text = _BESIDE_OWN.sub("", text)
    own, other = _OWN.search(text.lower()), _AUTHORS.search(text) or _IN_THAT_STUDY.search(text)
    return own is not None and not (other and other.start() < own.start()) and not _UPHELD.search(text)


def _has_reference_mark(passage: Passage) -> bool:
    return passage.text != passage.shown or bool(_MARK.search(passage.text))
