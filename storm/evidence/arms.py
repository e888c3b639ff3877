"""Explains general names of the treatment arm ("the treatment group") where a trial studies one drug only."""

from __future__ import annotations

import re

from storm.evidence.clinical_outcomes import names_outcome_of_patients
from storm.evidence.design import abstract_of
from storm.evidence.subjects import compile_name_pattern
from storm.models import Hit
from storm.syllabus.drug_names import DRUG_NAME

#: Characters read of an abstract.
_MOST_READ = 6_000
_PEOPLE = r"(?:patients|subjects|participants|children|adults|women|men|volunteers)"
_ARM = re.compile(
    r"(?<![\w-])(?:(?:active|active[- ]treatment|treatment|intervention|verum|experimental|(?:study[- ])?drug|"
    r"(?:very[- ])?(?:low|lower|high|higher|conventional|standard)(?:er|est)?[- ]dose) (?:group|arm|cohort)\b(?!s)"
    r"|study[- ](?:agent|product|supplement|formulation)\b(?: (?:group|arm)\b)?"
    r"|verum\b(?! (?:group|arm|preparation|gel|treatment))"
    rf"|(?:(?:study[- ])?drug-|actively )?treated (?:group\b|arm\b|{_PEOPLE})"
    r"|\d[\d.,]{0,6}[ -](?:mg|µg|μg|mcg|g|IU|units)(?:/\w{1,8}){0,2}[ -](?:dose )?(?:groups?|arms?)\b)",
    re.I,
)
#: Words before an arm that make it another arm, or any arm.
_OTHER_ARM = re.compile(
    r"(?:\b(?:control|placebo|sham|vehicle|saline|each|either|every|any|per|by|both|same|which|assigned|first|second|"
    r"(?:regardless|irrespective|independent(?:ly)?) of|non|never|previously|surgically)|un)[ -]?$",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:versus|vs\.?|compared (?:with|to)|or|plus|compar\w+|combin\w+|add-on|adjunct\w*|"
    r"chemotherapy|radiotherapy)\b",
    re.I,
)
_INACTIVE = re.compile(r"\b(?:placebo|sham|vehicle|saline|no treatment|untreated|usual care|control|doses?)\b", re.I)
#: What the drug was added to in all arms.
_AS_ADD_ON = re.compile(r"\bas (?:an? )?(?:adjunct\w*|add-on)\b(?: (?:therapy|treatment))?", re.I)
#: A form of the drug after its name.
_FORM = re.compile(
    r"[ -](?:\([^()]{1,20}\) ?)?(?P<form>(?:controlled|immediate|extended|sustained|modified|delayed|"
    r"prolonged)[- ]?release|conventional|CR|IR|ER|XR|SR|XL)\b",
    re.I,
)
#: The harms of a trial without an arm: "The most common adverse events were …".
_COMMON_EVENTS = re.compile(
    r"^(?:overall, )?(?:the )?most (?:common|frequent)(?:ly)? (?:reported |observed |occurring |treatment-?\w* ){0,2}"
    r"(?:adverse (?:drug )?(?:events?|effects?|reactions?)|side effects?|AEs)(?: \(\w{2,5}\))?"
    r"(?= (?:was|were|included)\b)",
    re.I,
)
#: Words of a study in which everybody got the drug, after which its name stands, and words of one with other groups.
_ONE_ARM = re.compile(r"\b(?:single|one)[- ]arm\b|\bnon-?comparative\b|\buncontrolled\b", re.I)
_EVERYBODY_GOT = re.compile(
    rf"\b{_PEOPLE}(?: [\w-]+){{0,3}} (?:(?:were|was) )?(?:received|treated with|given|receiving|initiated on|"
    rf"exposed to)"
    r"(?: [\w-]+){0,2} $|\b(?:received|receiving|treated with) (?:[\w-]+ )?$",
    re.I,
)
_OTHER_GROUPS = re.compile(
    r"\b(?:placebo|sham|controls?(?! rates?\b)|controlled(?! (?:disease|hypertension|asthma|diabetes))|versus|vs|"
    r"comparators?|compar(?:ed|ison) (?:with|to|of)(?! (?:the )?(?:baseline|pre))|(?<!non)randomi[sz]\w+|(?:two|three|"
    r"both|other|each|second|different) (?:\w+ )?(?:groups?|arms?|cohorts?|regimens?|doses?)|arms|groups|untreated|"
    r"unexposed|non-?users?|matched|alone|monotherap(?:y|ies) (?:or|and)|biosimilars?|switch\w*|meta-analys\w+|"
    r"systematic|mice|rats?|cells|in vitro)\b",
    re.I,
)
#: Both arms of a trial of two: "between the groups", "in either group", but not "in both groups of smokers".
_BOTH_ARMS = re.compile(
    r"\b(?:(?:in|of|for|among|across) (?:both|either|the two|both the)|between(?: the)?(?: two)?|(?:of|among) the|"
    r"(?:regardless|irrespective) of(?: the)?)(?: (?:study|treatment|an(?:a)?esthe\w+|drug|patient))? "
    r"(?:groups?|arms?|allocation)\b"
    r"(?! (?:of|with|given|receiving|who|that|on|treated|in (?:which|whom)|(?-i:[A-Z]{1,3}\d?)|\d)\b)",
    re.I,
)
#: Harms and primary outcomes, of which it says much that both arms had the same; of other things it is the baseline.
_HARMS_OR_PRIMARY = re.compile(
    r"\bprimary (?:and secondary )?(?:outcomes?|end-?points?)\b|"
    r"\b(?:adverse|side[- ]effects?|AEs|ADRs|complications?|toxicit(?:y|ies)|bleeding|hypoglyca?emia|tolerability)\b",
    re.I,
)
#: All arms of a trial of more.
_ALL_ARMS = re.compile(
    r"\b(?:between|among|across|in|of) (?:all )?(?:the )?(?:three|four|five) (?:treatment |study |drug )?"
    r"(?:groups|arms)\b(?! (?:of|with|given|receiving|who|that|on|treated|following|by|stratified|aged|defined|below|"
    r"above|according)\b)",
    re.I,
)
#: A null result, and what else than a patient's outcome it may be on.
_NO_DIFFERENCE = re.compile(
    r"\bno(?:t|r)? (?:\w+ ){0,4}(?:differen\w+|differ)\b|\b(?:similar|comparable)\b|\bthe same\b|\bdid not differ\b",
    re.I,
)
_ENDPOINT = re.compile(
    r"\b(?:efficacy|effectiveness|scores?|response|injury|failure|stay|incidence|"
    r"frequency|occurrence)\b",
    re.I,
)
#: What befell nobody in a trial: "No serious adverse events …", "None of the patients …".
_NO_PATIENT = re.compile(
    r"^(?:There (?:was|were) )?no (?:(?:serious|severe|major|significant|other|further|relevant|unexpected|deaths? or|"
    r"(?:treatment|drug)-related|clinically|life-threatening|or),? ){0,4}"
    r"(?:adverse (?:drug )?(?:events?|effects?|reactions?)|side[- ]effects?|complications?|deaths?|toxicit(?:y|ies))\b"
    rf"|^none of (?:the |our )?(?:\d+ )?(?:\w+ )?{_PEOPLE}\b",
    re.I,
)
#: One of the arms, or a reservation.
_OF_ONE = re.compile(
    r"\b(?:placebo|controls?|saline|group|arm|drug|but|except|other than|although|however|apart from|while|whereas)\b",
    re.I,
)
#: The verb of a result, before which the drug is named, and beginnings that have no subject for it.
_VERB = re.compile(
    r"(?<= )(?:was|were|is|had|did|occurred|developed|experienced|achieved|reached|died|discontinued|increased|"
    r"decreased|improved|declined|fell|rose|remained|relapsed|progressed|responded|survived|completed)\b"
)
_NO_SUBJECT = re.compile(
    r"^(?:of|among|in|at|after|during|by|between|there|when|while|although|as)\b|"
    r"\b(?:they|we|he|she|study|model|who)\b",
    re.I,
)
_LONGEST_SUBJECT = 120
#: Substances of the body, not drugs given.
_OF_THE_BODY = re.compile(
    r"\bexogenous insulin\b|"
    r"\binsulin[- ](?:resist|sensitiv|secret|product|level|response|requirement|independen|use\b|need|dose)\w*",
    re.I,
)


def tries_only(hit: Hit, names: tuple[str, ...]) -> bool:
    """Whether the document studies no other drug.

    Its title names the drug and no active comparator, and neither the title nor the abstract names another drug.
    """
    drug = compile_name_pattern(names)
    if not drug.search(hit.title):
        return False
    text = _OF_THE_BODY.sub("", f"{hit.title}. {abstract_of(hit)[:_MOST_READ]}")
    compared = _AGAINST.search(_AS_ADD_ON.sub("", hit.title)) and not _INACTIVE.search(hit.title)
    if compared and len(_find_forms(text, drug)) < 2:
        return False
    return all(drug.match(text, other.start()) for other in DRUG_NAME.finditer(text))


def _find_forms(text: str, drug: re.Pattern[str]) -> set[str]:
    """The forms of the drug that the text compares: "zorvimab CR", "zorvimab IR"."""
    forms = (_FORM.match(text, name.end()) for name in drug.finditer(text))
    return {form["form"].casefold() for form in forms if form}


def explain_arm(sentence: str, name: str) -> str:
    """The sentence with the name of the drug in brackets after its arm, or after the events that were most common in
    its trial; "" if the sentence names neither."""
    if events := _COMMON_EVENTS.search(sentence):
        return f"{sentence[: events.end()]} [with {name}]{sentence[events.end() :]}"
    for arm in _ARM.finditer(sentence):
        if not _OTHER_ARM.search(sentence, 0, arm.start()):
            return f"{sentence[: arm.end()]} [{name}]{sentence[arm.end() :]}"
    return ""


def is_on_both_arms(sentence: str) -> bool:
    """Whether a sentence says of harms or the primary outcome how they were in both arms, or that nobody had them; or
    of another outcome of patients that it did not differ."""
    is_of_no_patient = _NO_PATIENT.match(sentence) and not _OF_ONE.search(sentence)
    return bool(_is_outcome_of_arms(sentence) and (_BOTH_ARMS.search(sentence) or is_of_no_patient))


def explain_all_arms(sentence: str, name: str) -> str:
    """A sentence that says of harms, or of an outcome that did not differ, how they were in three arms or more, with
    the drug in brackets after them; "" for any other."""
    arms = _ALL_ARMS.search(sentence)
    if arms is None or not _is_outcome_of_arms(sentence):
        return ""
    return f"{sentence[: arms.end()]} [one with {name}]{sentence[arms.end() :]}"


def _is_outcome_of_arms(sentence: str) -> bool:
    is_outcome = names_outcome_of_patients(sentence) or _ENDPOINT.search(sentence)
    return bool(_HARMS_OR_PRIMARY.search(sentence) or (is_outcome and _NO_DIFFERENCE.search(sentence)))


def explain_both_arms(sentence: str, name: str, comparator: str) -> str:
    """A sentence that `is_on_both_arms`, with the drug and its comparator in brackets after "both groups" or after
    what befell nobody; "" unless there is one comparator. The other arm of "placebin alone" had both."""
    if not comparator or re.search(r",| and ", comparator):
        return ""
    partner = comparator.removesuffix(" alone")
    is_added = (
        partner != comparator and DRUG_NAME.fullmatch(partner.casefold()) and partner.casefold() != name.casefold()
    )
    arm = f"{partner} plus {name}" if is_added else name
    is_dose = comparator.endswith(" dose") and not DRUG_NAME.search(comparator.casefold())
    if both := _BOTH_ARMS.search(sentence):
        arms = f"{name} in different doses" if is_dose else f"{arm} and {comparator}"
        return f"{sentence[: both.end()]} [{arms}]{sentence[both.end() :]}"
    if none := _NO_PATIENT.match(sentence):
        arms = name if is_dose else f"{arm} or {comparator}"
        return f"{sentence[: none.end()]} [with {arms}]{sentence[none.end() :]}"
    return ""


def has_one_arm(hit: Hit, names: tuple[str, ...]) -> bool:
    """Whether everybody in a study of the drug alone (`tries_only`) received it, and no other group is named."""
    text = f"{hit.title}. {abstract_of(hit)[:_MOST_READ]}"
    if _OTHER_GROUPS.search(text):
        return False
    return bool(_ONE_ARM.search(text)) or any(
        _EVERYBODY_GOT.search(text, max(0, drug.start() - _LONGEST_SUBJECT), drug.start())
        for drug in compile_name_pattern(names).finditer(text)
    )


def explain_only_arm(sentence: str, name: str) -> str:
    """A result of a study with one arm, with the drug in brackets before its verb: "Median survival [with zorvimab] was
    10 months"; "" if it has no subject to explain."""
    verb = _VERB.search(sentence, 0, _LONGEST_SUBJECT)
    if verb is None or _NO_SUBJECT.search(sentence, 0, verb.start()) or re.search(r"[,;:]", sentence[: verb.start()]):
        return ""
    return f"{sentence[: verb.start()]}[with {name}] {sentence[verb.start() :]}"
