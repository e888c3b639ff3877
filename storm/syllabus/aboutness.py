"""Finds the role of the drug in a record, by where the record names it and among which words.

A record is about the drug where it is studied: in the title, in an abstract's aim, methods and results, among the
interventions of a registered study. A record that names the drug only in its introduction or discussion just mentions
it. A drug that all patients or animals received in addition, such as an anaesthetic, is background.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from storm.models import Hit, Holds, Related, Relation, RelationKind, SectionKind, Subject, database_info, implied_kind
from storm.models.names import fold_text
from storm.syllabus.analytes import is_analyte
from storm.syllabus.body_substances import is_body_substance, is_measured
from storm.syllabus.both_arms import is_in_all_groups, is_in_both_arms, is_in_both_regimens, is_treatment_of_all
from storm.syllabus.drug_names import DRUG_NAME
from storm.syllabus.joint_roles import NO_DRUG, is_another_form, is_concluded_on, refine_role
from storm.syllabus.naming_sentences import (
    BODY,
    NamingSentence,
    find_abstract_sentences,
    find_sentences,
    read_sentence,
)
from storm.syllabus.partners import (
    find_partners,
    is_combined_in_abstract,
    is_combined_in_title,
    is_only_partner_tried,
)
from storm.syllabus.regimens import AGAINST, BACKGROUND, BACKGROUND_AFTER, PRIOR, PRIOR_AFTER
from storm.syllabus.registered_studies import classify_registered_study
from storm.syllabus.relation import name_pattern, relation_of

#: Characters before and after a name that are read for a word next to it.
_NEXT = 40
#: In a page or a patent of at most so many characters, a single mention is enough to be its subject.
_SHORT = 1_500
#: Characters read of an abstract for the regimens that it defines.
_MOST_ABSTRACT = 4_000
#: Characters of a product's record in which its active substance is named, where no field lists it.
_OPENING = 200
#: An abstract with at least so many sentences on the drug studies it, whatever its words.
_FEW = 3
_REPORTED = frozenset((SectionKind.RESULTS, SectionKind.TABLE, SectionKind.CAPTION))

#: Words before the subject of a clause: "in conclusion, oral …".
_SUBJECT = re.compile(
    r"(?:^(?:(?:in|for|after|among|compared)\b[^,]{1,70}, )?|\bthat )"
    r"(?:(?:the|an?|oral|topical|systemic|adjunctive|intra\w{3,20}|(?:low|high)[- ]dose|use of|"
    r"addition of|treatment with|therapy with|administration of) ){0,3}$"
)
#: Words after a drug of which only the use is spoken: "metformin can be stopped".
_USE = re.compile(
    r" needs?\b|(?: (?:can|could|may|might|should|was|were|is|are|be|been|has|had|often|not|rarely|safely)){1,4}"
    r" (?:stopped|discontinued|withdrawn|needed|required|avoided|omitted|taken)\b"
)

_AIM = re.compile(
    r"\b(?:aim|aims|aimed|objectives?|purpose|hypothesi[sz]\w*|postulated|investigat\w+|evaluat\w+|assess\w*|examin\w+|"
    r"compar\w+|determin\w+|we (?:studied|tested|report|describe|present|sought)|th(?:is|e present) study)\b"
)
_ARM = re.compile(
    r"\b(?:randomi[sz]\w+|assigned|allocated|groups?|arms?|received|receiv(?:e|ing)|administered|treated|given)\b"
)
#: Words near the name of an anaesthetic, or of a drug used to kill an animal.
_PROCEDURE = re.compile(
    r"\b(?:ana?esthe\w+|sedat\w+|euthan\w+|sacrific\w+|killed|induc(?:ed|tion)|premedicat\w+|culture medium|xylazine)\b"
)
_CONTROL = re.compile(
    r"\b(?:control(?:led)?|comparator|reference(?: (?:drug|compound))?|clinically (?:used|applied)|standard|"
    r"conventional|usual)\b[^.;]{0,40}$|\bgroup (?:[b-f]|ii+|iv|[2-6])\b[^.;]{0,40}$"
)
#: What the study's own treatment is held against: "comparable to that of" the drug.
_COMPARED_TO = re.compile(
    r"\b(?:compar(?:ed|able|ison|ing)|similar|equal|superior|inferior|relative|identical) (?:with|to|against) "
    r"(?:that of |the )?(?:[\w-]+ ){0,3}$|\b(?:than|versus|vs\.?|as) (?:that of |the )?(?:[\w-]+ ){0,2}$"
)
#: The control arm receives what the drug is combined with, so the drug is in both arms.
_IN_BOTH = re.compile(
    r"\b(?:placebo|alone|either|both)\b[^.;]{0,40}\b(?:plus|and|with|\+|added to|on top of)[\s-]+(?:\w+ ){0,2}$"
)
#: The other arm received something besides what the control did.
_IN_ADDITION = re.compile(r"\breceived,? (?:in addition|additionally)\b")
#: What everybody got is not an arm: "all patients received intravenous …".
_OF_ALL = re.compile(
    r"\b(?:all|both|every|each)(?: of the)? (?:[\w-]+ ){0,3}?(?:patients?|subjects?|participants?|groups?|arms?|women|"
    r"men|children|animals?|rats?|mice)\b(?! (?:who|that|assigned|randomi[sz]ed|treated))[^.;:]{0,60}"
    r"\b(?:received|(?:was|were) (?:also )?(?:given|treated with|on)|got|took)\b[^.;:]{0,40}$"
)
#: What was measured of it is an outcome of another treatment: "… consumption in the first 24 hours".
_USED_UP = re.compile(r"[\s-](?:\w+ )?(?:consumption|requirements?|rescue)\b")
_NEEDED = re.compile(r"\bneed(?:s|ed)? (?:for )?(?:(?:rescue|additional|oral) )?$")
#: What patients had all along: "could taper their …", "patients on <20 mg/day".
_TAPERED = re.compile(
    r"\b(?:could|able to|allowed to) taper (?:\w+ ){0,3}$|\bpatients on [<≤] ?\d[\w/]{0,8}(?: [\w/]{1,8})? $"
)
#: What was tried on those who give or take the drug: "text messages to pharmacists dispensing …".
_OF_CARE = re.compile(
    r"\b(?:text[- ]messag\w+|sms|reminders?|educational|education|training|counsel+ing|subsid\w+|telephone|web-based|"
    r"pharmacist-led|nurse-led)\b[^.:]{0,80}\b(?:dispens\w+|adherence|compliance|prescrib\w+|use|uptake|taking)\b[^.:]{0,40}$"
)
#: A device that gives off the drug: "-eluting stents".
_OF_DEVICE = re.compile(r"-(?:eluting|coated)\b")
#: A substance of the body that is measured, and words that say that it was given: "plasma oxytocin", "oxytocin levels".
_MEASURED_BEFORE = re.compile(r"\b(?:plasma|serum|urin\w+|salivary|circulating|endogenous|baseline) $")
_MEASURED_AFTER = re.compile(r"[\s-](?:levels?|concentrations?|changes|secretion|release)\b")
_GIVEN = re.compile(
    r"\b(?:administ\w+|infus\w+|inject\w+|intra(?:nasal|venous|muscular)\w*|oral\w*|dos(?:es?|ing|age)|tablets?|"
    r"placebo|alone)\b|\d ?(?:mg|g|mcg|μg|iu|units?|ml)\b|\b(?:received|given|treat\w+ with|therapy with|taking) "
    r"(?:\w+ ){0,2}$"
)

#: The short name of a regimen after one of its drugs: "… and fluorouracil (cmf)".
_REGIMEN = re.compile(r"[\w ,/-]{0,60}\(([a-z]{2,6})\)")


def subject_of(hit: Hit, names: Sequence[str], related: Sequence[Related] = ()) -> Subject | None:
    """What a record is about, and the role of the drug with these names; None if the record does not name it."""
    relation = relation_of(hit, names, related)
    if relation is None:
        return None
    kind = _classify_relation(hit, relation, names, related)
    if relation is Relation.ITSELF and (kind is RelationKind.COMPARATOR or not kind.is_evidence):
        relation = Relation.COMPARATOR
    return Subject(relation, kind)


def _classify_relation(hit: Hit, relation: Relation, names: Sequence[str], related: Sequence[Related]) -> RelationKind:
    holds = database_info(hit.database).holds
    if holds is Holds.STUDIES:
        return classify_registered_study(hit, relation, names, related)
    pattern = name_pattern(tuple(names), tuple(related))
    if holds is not Holds.PAPERS and _is_of_another_product(hit, pattern):
        return RelationKind.MENTIONED
    if holds in (Holds.LICENCES, Holds.MOLECULES):
        return RelationKind.MENTIONED if relation is Relation.COMPARATOR else implied_kind(relation)
    titled = relation_of(hit.model_copy(update={"sections": (), "drugs": ()}), names, related)
    if holds is not Holds.PAPERS:
        named = titled is not None or len(hit.text) <= _SHORT or _is_named_twice(hit, pattern)
        return implied_kind(relation) if named else RelationKind.MENTIONED
    if titled is not None and titled is not Relation.ITSELF:
        return _classify_related_title(hit, titled, pattern)
    sentences = list(find_abstract_sentences(hit, pattern))
    if is_analyte(hit.title):
        return RelationKind.MENTIONED
    if is_body_substance(names) and not _is_substance_given(hit.title, pattern, sentences):
        return RelationKind.BACKGROUND
    opening = _read_opening(hit)
    title = fold_text(hit.title)
    if is_in_both_arms(title, pattern) or is_treatment_of_all(title, pattern) or is_in_both_regimens(opening, pattern):
        return RelationKind.BACKGROUND
    if is_only_partner_tried(hit.title, opening, pattern, sentences):
        return RelationKind.BACKGROUND
    if titled is Relation.ITSELF:
        kind = _classify_drug_title(hit.title, pattern, sentences)
    else:
        kind = _classify_by_abstract(hit, relation, pattern, sentences)
    if kind is not RelationKind.ITSELF:
        return kind
    return refine_role(read_sentence(hit.title, SectionKind.OTHER, pattern), sentences) or kind


def _is_named_twice(hit: Hit, pattern: re.Pattern[str]) -> bool:
    named = (found for section in hit.sections for found in pattern.finditer(fold_text(section.text)))
    return len(list(islice(named, 2))) == 2


def _is_of_another_product(hit: Hit, pattern: re.Pattern[str]) -> bool:
    """Whether a record describes another product, whose label names the drug among other treatments."""
    products = tuple(approval.product for approval in hit.facts.approvals if approval.product)
    stated = (hit.title, *hit.drugs, *products, "" if hit.drugs else hit.text[:_OPENING])
    return bool(hit.drugs or products) and not pattern.search(fold_text(" | ".join(stated)))


def _classify_related_title(hit: Hit, relation: Relation, pattern: re.Pattern[str]) -> RelationKind:
    """The role of the drug in a record whose title names it, but not as the subject of the study."""
    title = read_sentence(hit.title, SectionKind.OTHER, pattern)
    if relation is Relation.COMPARATOR and title and all(_is_background(*pair) for pair in title.around):
        return RelationKind.BACKGROUND
    return implied_kind(relation)


def _classify_drug_title(title: str, pattern: re.Pattern[str], sentences: Sequence[NamingSentence]) -> RelationKind:
    """The role of the drug in a record with the drug in its title: itself, comparator or combination partner."""
    read = read_sentence(title, SectionKind.OTHER, pattern)
    if read is None:
        return RelationKind.ITSELF
    if all(_is_measured(*pair) for pair in read.around) and not any(map(_is_given, sentences)):
        return RelationKind.BACKGROUND
    if all(_OF_CARE.search(before) for before, _ in read.around):
        return RelationKind.BACKGROUND
    if all(_OF_DEVICE.match(after) for _, after in read.around):
        return RelationKind.DERIVATIVE
    if all(is_another_form(*pair) for pair in read.around):
        return RelationKind.DERIVATIVE
    if all(_USED_UP.match(after) for _, after in read.around):
        return RelationKind.BACKGROUND
    if all(PRIOR.search(before) or PRIOR_AFTER.match(after) for before, after in read.around):
        return RelationKind.BACKGROUND
    if all(_is_second_of_two(before) for before, _ in read.around) and not is_concluded_on(sentences):
        return RelationKind.COMPARATOR
    return RelationKind.COMBINATION if is_combined_in_title(read, sentences) else RelationKind.ITSELF


def _is_measured(before: str, after: str) -> bool:
    return bool(_MEASURED_BEFORE.search(before) or _MEASURED_AFTER.match(after))


def _is_given(sentence: NamingSentence) -> bool:
    """Whether the sentence says of one of its names that it was given, not measured."""
    return any(
        not _is_measured(before, after) and (_GIVEN.search(before[-_NEXT:]) or _GIVEN.search(after[:_NEXT]))
        for before, after in sentence.around
    )


def _read_opening(hit: Hit) -> str:
    """The beginning of the abstract, folded."""
    return fold_text(" ".join(part.text for part in hit.sections if part.kind is SectionKind.ABSTRACT)[:_MOST_ABSTRACT])


def _is_substance_given(title: str, pattern: re.Pattern[str], sentences: Sequence[NamingSentence]) -> bool:
    """Whether a record names a substance of the body as a treatment: outside of its measures, and twice, or with words
    of giving it, or in the title."""
    read = read_sentence(title, SectionKind.OTHER, pattern)
    given = [pair for one in sentences for pair in one.around if not is_measured(*pair)]
    words = any(_GIVEN.search(before[-_NEXT:]) or _GIVEN.search(after[:_NEXT]) for before, after in given)
    return words and (len(given) > 1 or (read is not None and not all(is_measured(*pair) for pair in read.around)))


def _is_second_of_two(before: str) -> bool:
    """Whether the words before a name compare another drug with it: "a comparison of rosuvastatin and …"."""
    found = max(DRUG_NAME.finditer(before), key=lambda match: match.start(), default=None)
    joined = found and re.fullmatch(
        r"\s*(?:\d\S* mg )?(?:and|with|to|versus|or)\s*(?:[\w-]+\s){0,1}", before[found.end() :]
    )
    return bool(joined and found and re.search(r"\bcompar\w+", before[: found.start()]))


def _is_in_both(hit: Hit, sentences: Iterable[NamingSentence]) -> bool:
    """Whether the drug is named only as part of a regimen to which another arm adds: "E-CMF versus CMF"."""
    found = [_REGIMEN.match(after) for one in sentences for _, after in one.around]
    texts = [fold_text(f"{part.text} ") for part in hit.sections if part.kind is SectionKind.ABSTRACT]
    signs = ("-", "+", "+ ", "plus ")
    return all(match and any(f"{sign}{match[1]} " in text for text in texts for sign in signs) for match in found)


def _classify_by_abstract(
    hit: Hit, relation: Relation, pattern: re.Pattern[str], sentences: Sequence[NamingSentence]
) -> RelationKind:
    """The role of the drug in a record whose title does not name it, by its abstract; by its body if that is silent."""
    front = [one for one in sentences if one.role is not SectionKind.BACK_MATTER]
    if not front:
        return _classify_by_body(hit, relation, pattern)
    relevant = [one for one in front if not all(_is_background(*pair) for pair in one.around)]
    told = [one.text for one in front if one.role is not SectionKind.RESULTS]
    if is_in_all_groups(told, pattern):
        return RelationKind.BACKGROUND
    if not relevant or _is_in_both(hit, front):
        return RelationKind.BACKGROUND
    if not any(one.role is not SectionKind.INTRODUCTION or _AIM.search(one.text) for one in relevant):
        reported = _classify_by_body(hit, relation, pattern)
        return RelationKind.MENTIONED if reported is RelationKind.BACKGROUND else reported
    if relation in (Relation.DERIVATIVE, Relation.BIOSIMILAR, Relation.COMBINATION):
        return implied_kind(relation)
    studied = any(_ARM.search(one.text) or _AIM.search(one.text) for one in relevant)
    if len(relevant) < _FEW and not (studied or _is_reported_and_concluded_on(relevant)):
        return RelationKind.BACKGROUND
    if relation is Relation.COMPARATOR or _is_control_of_title(hit.title, relevant):
        if _IN_ADDITION.search(_read_opening(hit)):
            return RelationKind.BACKGROUND
        together = any(find_partners(*pair) for one in relevant for pair in one.around)
        against = any(
            AGAINST.search(one.text) or _CONTROL.search(before) for one in relevant for before, _ in one.around
        )
        return RelationKind.COMBINATION if together and not against else RelationKind.COMPARATOR
    if all(_COMPARED_TO.search(before) for one in relevant for before, _ in one.around):
        return RelationKind.COMPARATOR
    return RelationKind.COMBINATION if is_combined_in_abstract(relevant, front) else RelationKind.ITSELF


def _is_reported_and_concluded_on(sentences: Sequence[NamingSentence]) -> bool:
    """Whether the results name the drug, and a clause of the conclusion has it as its subject."""
    return any(one.role is SectionKind.RESULTS for one in sentences) and any(
        _SUBJECT.search(before) and not _USE.match(after)
        for one in sentences
        if one.role is SectionKind.CONCLUSION
        for before, after in one.around
    )


def _is_control_of_title(title: str, sentences: Iterable[NamingSentence]) -> bool:
    """Whether the title names the arm on trial and the drug is its control.

    It is where a sentence lists the groups, with words of the title first and the drug last.
    """
    words = {word for word in re.findall(r"[a-z]{5,}", fold_text(title)) if not NO_DRUG.match(word)}
    for one in sentences:
        before, after = one.around[-1]
        if _CONTROL.search(before + re.split("[.;,]", after)[0]) and not words.isdisjoint(
            re.findall(r"[a-z]{5,}", before)
        ):
            return True
    return False


def _classify_by_body(hit: Hit, relation: Relation, pattern: re.Pattern[str]) -> RelationKind:
    """The role of the drug in a record that names it neither in its title nor in its abstract, by its text."""
    if any(pattern.search(fold_text(section.label)) for section in hit.sections):
        return implied_kind(relation)
    found = [read for section in hit.sections if section.kind is not SectionKind.ABSTRACT
             for read in find_sentences(section.text, section.role, pattern)]  # fmt: skip
    given = [one for one in found if one.role is SectionKind.METHODS]
    reported = [one for one in found if one.role in _REPORTED]
    if not any(section.role in BODY for section in hit.sections):
        return implied_kind(relation) if len(found) > 1 else RelationKind.MENTIONED
    arms = [one for one in given if _ARM.search(one.text) and not _PROCEDURE.search(one.text)]
    in_abstract = any(section.kind is SectionKind.ABSTRACT for section in hit.sections)
    if (
        arms
        and len(reported) > 1
        and not in_abstract
        and not all(_is_background(*pair) for one in arms for pair in one.around)
    ):
        return RelationKind.COMPARATOR if DRUG_NAME.search(fold_text(hit.title)) else implied_kind(relation)
    return RelationKind.BACKGROUND if given or len(reported) > 1 else RelationKind.MENTIONED


def _is_background(before: str, after: str) -> bool:
    """Whether the words around a name describe earlier, concomitant or procedural treatment."""
    if AGAINST.search(before) and not BACKGROUND.search(before):
        return False
    if _OF_ALL.search(before) or _USED_UP.match(after) or _NEEDED.search(before):
        return True
    words_before = (BACKGROUND, _IN_BOTH, _TAPERED)
    return BACKGROUND_AFTER.match(after) is not None or any(words.search(before) for words in words_before)
