"""Whether a sentence answers a question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.clinical_outcomes import (
    averts_outcome,
    compares_survival,
    is_compared,
    is_of_patients,
    is_on_conduct,
    is_on_kinetics,
    is_on_marker,
    names_outcome_of_patients,
)  # fmt: skip
from storm.evidence.comparison import compares_drugs, compares_partners, compares_parts_only, reports_both_arms
from storm.evidence.conditions import remove_condition
from storm.evidence.grave_results import is_serious
from storm.evidence.levels import is_registration_only
from storm.evidence.mechanism_sentences import is_no_mechanism
from storm.evidence.narrowing import is_on_question, names_anything, names_outcome
from storm.evidence.other_drugs import is_on_class
from storm.evidence.other_effects import is_only_comparator
from storm.evidence.own_arm import is_against_placebo, is_on_own_arm, names_another_drug
from storm.evidence.own_words import has_words_of
from storm.evidence.score import is_official
from storm.evidence.sentence_kinds import SentenceKind, is_borrowed
from storm.evidence.sentences import Sentence, defines_drug
from storm.evidence.short_terms import spell_out_terms
from storm.evidence.significance import calls_difference_slight, overstates
from storm.evidence.subjects import compile_name_pattern, is_of_level
from storm.models import Plan, Question, Relation, RelationKind, SectionKind, Source, database_info
from storm.models.design import OUTSIDE_BODIES
from storm.ranking import count_cues, split_terms

#: What somebody foresaw of a market or of a status.
_FORESEEN = re.compile(r"\b(?:predict(?:s|ed)|forecast(?:s|ed)?|projected|expect(?:s|ed)) (?:\w+ ){0,2}20\d\d\b", re.I)
#: How a label or an agency's report says what a drug is for.
_FOR_USE = re.compile(r"\bindicated\b|\bis (?:to be )?(?:used|given|combined)\b|\b(?:may|can) be used\b", re.I)
#: Animals that are treated for a disease of their own, unlike those of a laboratory.
_ANIMAL_PATIENTS = re.compile(r"\b(?:dogs?|cats?|horses?|equine|canine|feline|cows|calves|sheep|goats|alpacas)\b", re.I)
#: Harm that is looked for in cells.
_HARMS_CELLS = re.compile(r"toxic|adverse|safe|harm|arrhythm|hERG|QT\b|injur|damage", re.I)
#: What a model reckons from outcomes.
_OF_COSTS = re.compile(
    r"\b(?:ICERs?|QALYs?|cost[- ]\w+|costs|utilit(?:y|ies) (?:scores?|values?|gains?|weights?))\b", re.I
)
#: A result in healthy people is not clinical efficacy, unless it is a symptom or sensation.
_FELT = re.compile(
    r"\b(?:pain|analges|anal?esthe|anaesthe|antinocicept|nocicept|symptom|sedat|sleep|mood|itch|cough|nausea)", re.I
)
#: A verdict that is of efficacy first, and mentions safety in general: "was effective and well tolerated".
_PRAISES = re.compile(
    r"[^.;]{0,300}?\b(?:effective|efficacious|encouraging efficacy|successful in|(?:significantly )?(?:improv|"
    r"prolong|reliev)\w*)\b[^.;]*?"
    r"\b(?:well[- ]tolerated|tolerabl[ey]|safe(?:ly)?|acceptable (?:side effects|toxicity)|(?:less )?sedative effect|"
    r"without (?:any )?(?:significant |serious |major )?(?:adverse|side)[- ]effects?)\b",
    re.I,
)
#: A missed primary endpoint, and a target that was reached without a harm: results on efficacy.
_OF_EFFICACY = re.compile(
    r"\b(?:did not|failed to) (?:meet|reach) (?:the|its|their) primary\b(?! safety)(?!.{0,300}\d ?%)|"
    r"\b(?:reach|achiev|attain)\w*\b[^.;]{0,60}\bwithout\b[^.;]{0,40}\b(?:hypogly\w+|weight gain|relapse)",
    re.I,
)
#: What got better is no harm, though a harm might be seen in it: "Improvements in lipids and liver enzymes were …".
_IMPROVED = re.compile(
    r"(?:\w+ )?improvements? in (?:(?!but\b|with\b)[\w-]+,? ){0,6}(?:liver|hepatic|transaminases?|"
    r"aminotransferases?|ALT|AST|creatinine|blood pressure)\b(?!.*\b(?:elevated|higher|raised|more|worse\w*|side)\b)",
    re.I,
)
_TOLERATED = re.compile(r"\bwell[- ]tolerated\b|\bsafe(?:ly)?\b", re.I)
#: What guidelines advise, and what patients preferred.
_RECOMMENDED = re.compile(r"(?<!that )(?<!as )\bguidelines?\b[^.;]{0,40}\b(?:recommend|suggest|advise)s?\b", re.I)
_PREFERRED = re.compile(r"\b(?:patients?|participants?|subjects?)\b[^.;]{0,40}\b(?:preferences?|preferred)\b", re.I)
_PREFERENCE = re.compile(r"\bpreferences?\b", re.I)
_IS_INFERIOR = re.compile(r"\b(?:less|inferior|worse)\b", re.I)
#: A comparison of one arm with itself, and both arms taken together.
_SINCE_BEFORE = re.compile(r"\b(?:than|to|with|from) (?:before|(?:the )?(?:baseline|pre-?treatment))\b", re.I)
_POOLED = re.compile(r"\beither [^.;]{3,60}? or \w", re.I)
#: Words of a heading, or of a finding below it, that is not on harms alone.
_NOT_ON_HARMS_ALONE = re.compile(
    r"\befficacy\b|\beffective(?:ness)?\b|\bclearance\b|\bresponse\b|\bsurvival\b|\brelapse\b|\bprimary\b|"
    r"\bsecondary\b",
    re.I,
)
_ON_COSTS = re.compile(r"\bcosts?\b|\beconomic", re.I)
#: What a control did, and a section on harms, in which all findings are on safety.
_OF_CONTROL = re.compile(r"(?:the )?placebo effects?\b(?!.*\b(?:differ|primary|than placebo))", re.I)
_ON_HARMS = re.compile(
    r"\b(?:adverse (?:events?|effects?|reactions?)|safety|tolerability|side[- ]effects?|toxicity)\b", re.I
)
#: How much a drug is used, which is no harm.
_WIDELY_USED = re.compile(r"\bmost (?:frequently|widely|commonly) (?:used|prescribed)\b", re.I)
#: Who could not be assessed, and who took how much of what they were given: no harm.
_OF_DISPOSITION = re.compile(
    r"\bnot (?:evaluated|evaluable|assessable) for (?:\w+ )?(?:response|efficacy)\b(?![^.]{0,120}toxic)|"
    r"\bdiscontinu\w*(?: \w+){0,2} (?:due to|because of|for|owing to) (?:a )?lack of efficacy\b"
    r"(?!,? (?:and|or)\b)(?!.{0,160}\b(?:adverse|side|toxic)\b)",
    re.I,
)
_TOOK_TABLETS = re.compile(
    r"\btook\b[^.;]{0,60}\d ?% of (?:the |their )?(?:time|doses|tablets|medication)\b"
    r"(?!.{0,160}\b(?:had|fatal|deaths?|adverse|bleed\w*|toxic\w*|nausea|vomit\w*)\b)",
    re.I,
)
#: A result beside them.
_HAS_RESULT = re.compile(r"\d ?%|\bp ?[<=]|\bthan (?:with|on|in) ", re.I)
#: What is no slight matter, however small the difference.
_IS_GRAVE = re.compile(r"\b(?:strokes?|infarctions?|cancers?)\b", re.I)
#: A trial of others, in an introduction.
_OF_TRIAL = re.compile(r"\btrials?\b|\brandomi[sz]ed\b|\b\d+ (?:\w+ )?(?:patients|subjects|participants)\b", re.I)
_NAMES_HARMS = re.compile(
    r"\d ?%|\bn ?=|\b(?:not|less|poorly|never|but|although|however|because|owing|despite|grade|toxic\w*|"
    r"adverse events?|discontinu\w*|bleeding|hypotens\w*|bradycard\w*|nausea|vomit\w*|headaches?|dizz\w*|rash|"
    r"seizures?|anaphyla\w*|\w+penia)\b",
    re.I,
)


def answers_question(question: Question, sentence: Sentence, plan: Plan) -> bool:
    """Whether the sentence is on the subject of the question and says what it asks for."""
    if not _is_on_subject(question, sentence, plan) or _is_foreign(question, sentence, plan):
        return False
    if _is_on_relatives(question, sentence, plan):
        return True
    if _is_efficacy(question) and not _may_be_effect(question, sentence, plan):
        return False
    if _is_safety(question) and not _may_be_harm(question, sentence):
        return False
    text = sentence.passage.shown
    if question.wants_results and _RECOMMENDED.search(text) and not _HAS_RESULT.search(text):
        return False
    return _says_what_is_asked(question, sentence, plan)


def is_of_drug(sentence: Sentence, question: Question) -> bool:
    """Whether the sentence is about a subject that the question accepts.

    It names the drug, belongs to a record of the drug, or names a related product that the question accepts.
    """
    info = database_info(sentence.source.hit.database)
    if Relation.ITSELF in sentence.named or sentence.text != sentence.passage.shown:
        return True
    if sentence.remark:
        return question.takes_relatives or (_asks_for_mechanism(question) and is_on_class(sentence.remark))
    of_combination = question.wants_results and sentence.source.relation is Relation.COMBINATION
    if of_combination and Relation.COMBINATION in sentence.named:
        return True
    own_record = info.is_product and sentence.source.relation is Relation.ITSELF
    dated_record = question.dated and not info.is_literature
    return own_record or dated_record or (question.takes_relatives and bool(sentence.named))


def _is_efficacy(question: Question) -> bool:
    return question.wants_results and not question.precedence


def _is_safety(question: Question) -> bool:
    return question.wants_results and question.precedence > 0


def _asks_for_mechanism(question: Question) -> bool:
    return question.takes_facts and not question.dated


def _is_on_subject(question: Question, sentence: Sentence, plan: Plan) -> bool:
    """Whether the sentence is on what the question is about, and of a source that has it of the drug itself."""
    text, hit = sentence.passage.shown, sentence.source.hit
    is_on = not question.about or (not sentence.remark and is_on_question(sentence.passage, hit, question, plan.names))
    states_own_fact = question.takes_facts and sentence.kind is SentenceKind.FACT and Relation.ITSELF in sentence.named
    of_itself = states_own_fact or _is_of_itself(sentence.source, question, plan)
    of_itself = of_itself or (_is_efficacy(question) and is_on_own_arm(sentence, plan.names))
    if not is_on or (question.itself_only and not of_itself):
        return False
    if question.itself_only and question.takes_facts and _is_outcome(sentence):
        return False
    if _asks_for_mechanism(question) and is_no_mechanism(text, plan.names):
        return False
    return not (_asks_for_mechanism(question) and not sentence.in_animals and is_of_patients(text))


def _is_foreign(question: Question, sentence: Sentence, plan: Plan) -> bool:
    """Whether the sentence has what it says from others, claims more than it shows, or foresees it."""
    text = sentence.passage.shown
    is_none = is_borrowed(sentence.passage, sentence.role) or _OF_COSTS.search(text) or overstates(text)
    if question.wants_results and is_none:
        return True
    if not _is_safety(question) and compares_partners(sentence.text, plan.names[0]):
        return True
    if (question.dated or question.takes_relatives) and _FORESEEN.search(text):
        return True
    if sentence.role is not SectionKind.INTRODUCTION:
        return False
    of_other_trial = _OF_TRIAL.search(text) is not None
    is_premise = sentence.passage.section.kind is SectionKind.ABSTRACT
    is_of_others = sentence.kind is SentenceKind.FINDING and (_is_efficacy(question) or of_other_trial)
    if question.wants_results and (is_premise or is_of_others):
        return True
    return _asks_for_mechanism(question) and of_other_trial and not defines_drug(text, plan.names)


def _is_on_relatives(question: Question, sentence: Sentence, plan: Plan) -> bool:
    """Whether the question takes what is said of related products and comparators, and the sentence is on one."""
    if not question.takes_relatives or (question.about and question.says):
        return False
    text, source = sentence.passage.shown, sentence.source
    if _is_slight(text) and not _IS_INFERIOR.search(text):
        return False
    if source.relation is Relation.COMBINATION and _is_against_itself(text, plan.names):
        return False
    if sentence.named - {Relation.ITSELF} or compares_drugs(text, plan.names):
        return True
    if is_on_own_arm(sentence, plan.names) or is_on_conduct(text):
        return False
    if source.relation_kind is RelationKind.COMPARATOR:
        # Its arms may have names that are known of no drug.
        is_result = sentence.kind is SentenceKind.FINDING and sentence.role is not SectionKind.INTRODUCTION
        is_between_arms = is_compared(text) and not (_SINCE_BEFORE.search(text) or _POOLED.search(text))
        return is_result and (is_between_arms or reports_both_arms(text, plan.names))
    # A trial of a combination product names its arms by their initials.
    return source.relation is Relation.COMBINATION and is_compared(text)


def _is_against_itself(text: str, names: Sequence[str]) -> bool:
    """Whether what a trial of a combination compares is the drug alone, its partner alone, or placebo."""
    is_alone = compile_name_pattern(tuple(names)).search(text) and not names_another_drug(text, names)
    return bool(is_alone) or compares_parts_only(text, names) or is_against_placebo(text)


def _is_slight(text: str) -> bool:
    """Whether a sentence claims a difference that it calls slight, of what is no grave matter."""
    return calls_difference_slight(text) and not (is_serious(text) or _IS_GRAVE.search(text))


def _may_be_effect(question: Question, sentence: Sentence, plan: Plan) -> bool:
    """Whether nothing shows that the sentence is on something else than what the drug did for its patients."""
    text = sentence.passage.shown
    of_patients = names_outcome_of_patients(text)
    if _is_slight(text):
        return False
    if _OF_CONTROL.match(text) or _is_in_section_on_harms(sentence) or _TOOK_TABLETS.search(text):
        return False
    if _ON_COSTS.search(sentence.passage.section.name) and not of_patients:
        return False
    is_kinetic = is_on_kinetics(text) or is_of_level(text, plan.names)
    if sentence.design in OUTSIDE_BODIES or (is_kinetic and not of_patients):
        return False
    if is_on_marker(text) or is_on_conduct(text):
        return False
    title = sentence.source.hit.title
    is_tried = _PREFERENCE.search(title) and not names_another_drug(title, plan.names)
    if _PREFERRED.search(text) and question.says and not (of_patients or is_tried):
        return False
    if sentence.in_animals and not _ANIMAL_PATIENTS.search(sentence.source.hit.title):
        return False
    if sentence.in_healthy and not _FELT.search(text):
        return False
    return not is_only_comparator(text, plan.names)


def _is_in_section_on_harms(sentence: Sentence) -> bool:
    """Whether a finding stands in the results under a heading on harms alone, and is not on an outcome or a dose."""
    text, heading = sentence.passage.shown, sentence.passage.section.name
    is_result = sentence.kind is SentenceKind.FINDING and sentence.role is SectionKind.RESULTS
    if not is_result or names_outcome_of_patients(text) or is_on_conduct(text) or _NOT_ON_HARMS_ALONE.search(text):
        return False
    return bool(_ON_HARMS.search(heading)) and not _NOT_ON_HARMS_ALONE.search(heading)


def _may_be_harm(question: Question, sentence: Sentence) -> bool:
    """Whether nothing shows that the sentence is on something else than harm of the drug."""
    text = sentence.passage.shown
    if compares_survival(text) or averts_outcome(text):
        return False
    of_no_harm = _WIDELY_USED.search(text) or _IMPROVED.match(text)
    if of_no_harm and not (_NAMES_HARMS.search(text) or is_serious(text)):
        return False
    if _TOOK_TABLETS.search(text) or (
        not is_serious(text)
        and (_OF_DISPOSITION.search(text) or (_PREFERRED.search(text) and not _NAMES_HARMS.search(text)))
    ):
        return False
    if _PRAISES.match(text) and not (_NAMES_HARMS.search(text) or is_serious(text)):
        return False
    if not is_serious(text) and _OF_EFFICACY.search(text):
        rest = _TOLERATED.sub("", _OF_EFFICACY.sub("", text))
        if not count_cues(rest, question.says, question.places):
            return False
    return sentence.design not in OUTSIDE_BODIES or _HARMS_CELLS.search(text) is not None


def _says_what_is_asked(question: Question, sentence: Sentence, plan: Plan) -> bool:
    """Whether the sentence has the words of the question."""
    text, hit = sentence.passage.shown, sentence.source.hit
    if question.says:
        wanted = sentence.kind is SentenceKind.FINDING or question.takes_facts or question.precedence > 0
        said = remove_condition(text, hit.title) if question.wants_results else text
        asks_for = question.dated and any(one.is_setting for one in question.about)
        if asks_for and is_official(hit) and _FOR_USE.search(text):
            return True  # what it is approved for, in the words of its label
        if question.precedence and question.wants_results and _is_in_section_on_harms(sentence):
            return wanted
        names_it = names_outcome(spell_out_terms(said, hit), question) and not is_registration_only(hit)
        return wanted and bool(names_it or count_cues(said, question.says, question.places))
    if not (question.cues or question.focus):
        return has_words_of(text, question, plan.names)
    focus = {term for phrase in question.focus for term in split_terms(phrase)}
    has_cue = count_cues(text, question.cues, question.places)
    has_words = has_cue or focus.intersection(split_terms(text))
    return bool(has_words or names_anything(spell_out_terms(text, hit), question))


def _is_outcome(sentence: Sentence) -> bool:
    """Whether the sentence reports a clinical outcome of a trial, rather than how a drug works."""
    text = sentence.passage.shown
    return sentence.kind is SentenceKind.FINDING and bool(names_outcome_of_patients(text) and is_compared(text))


def _is_of_itself(source: Source, question: Question, plan: Plan) -> bool:
    """Whether the source has results of the drug itself for this question.

    Of a trial that compares another drug with it, those on questions above comparisons, such as harms, count; of a
    trial of a combination with it, all results.
    """
    if source.relation_kind is RelationKind.COMPARATOR:
        return all(question.precedence > other.precedence for other in plan.syllabus.questions if other.takes_relatives)
    combined = source.relation is Relation.COMBINATION or source.relation_kind is RelationKind.COMBINATION
    is_combined = combined and question.wants_results
    return source.relation is Relation.ITSELF or is_combined
