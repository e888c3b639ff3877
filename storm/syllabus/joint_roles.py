"""Tells whether a paper that names the drug studies it with another treatment, or as what another is held against.

All patterns read folded text (storm.models.names): lower case, no accents, every dash a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.models import RelationKind, SectionKind
from storm.syllabus.drug_names import DRUG_NAME
from storm.syllabus.naming_sentences import NamingSentence
from storm.syllabus.regimens import ADDED_TO

#: Words after "with" or "and" that are not another drug or treatment.
NO_DRUG = re.compile(
    r"(?:patients?|women|men|children|adults?|placebo|subjects|participants|vehicle|saline|control\w*|diet\w*|exercise|"
    r"electroconvulsive|radio\w*|radiation|surgery|therapy|treatments?|type|safety|efficacy|tolerability|effects?|"
    r"early|severe|acute|chronic|advanced|metastatic|recurrent|high|without|other|those|either|small|large|reduced|"
    r"outcomes?|risk|increased|dose|infusion|injection|administ\w+|analgesi\w+|an(?:a)?esthe\w+|moderate|mild|its|this|"
    r"that|their|general|regional|local|spinal|standard|conventional|usual|routine|background|supportive|best|optim\w+|"
    r"human|healthy|primary|secondary|inadequate\w*|newly|previous\w*|associated|compar\w+|[a-z]+ed|[a-z]+ing)$"
)
#: Words that may stand between others and a name.
_LINK = r"(?:(?!by )[\w-]+ ){0,2}(?:\d-)?$"
#: Words before the drug's name by which another treatment is tried on top of it: "enhances the antiviral efficacy of".
_BY_ANOTHER = re.compile(
    r"\b(?:synergi[sz](?:es?|ing)|(?:enhanc|potentiat|augment|increas|improv|amplif|boost)(?:e?s|e|y|ies|ing))\b"
    r"[^.;:]{0,40}\b(?:effects?|effectiveness|efficacy|activity|activities|action|potency|propert(?:y|ies)|"
    rf"cytotoxicity) of {_LINK}|\bsynergi\w+ with {_LINK}|\bsensiti[sz]\w+ [^.;:]{{0,60}}\bto {_LINK}"
)
#: Words by which it is given with another: "selinexor in combination with", and what stands on the other side of them.
_GIVEN = r"(?:in combination with|combined with|plus|co-?administered with|\+)"
_WITH_BEFORE = re.compile(
    rf"(?:\b(?:{_GIVEN}|combining|combination of|co-?delivery of|simultaneously with|together with|"
    r"concomitant(?:ly)? with)|\+/?-?|±)\s(?:[\w-]+ ){0,2}$"
)
_JOINED_BEFORE = re.compile(rf"(?<![\w-])([\w-]+)(?: therapy| treatment| care)? {_GIVEN} (?:[\w-]+ ){{0,2}}$")
_WITH_AFTER = re.compile(
    rf"(?: \([^)]{{1,20}}\))?(?:,? (?:{_GIVEN}|and [\w-]+ combination|(?:two|dual|triple|three)-drug)(?!\w)|"
    r" ?\+ ?[a-z]|[- ][a-z]{4,25} combination\b)"
)
_JOINED_AFTER = re.compile(
    rf"(?: \([^)]{{1,20}}\))?,? {_GIVEN} (?:(?:boosted|oral|low-dose|high-dose|topical|systemic) )?([\w-]+)"
)
#: Another drug on the same side of a stroke or hyphen: "gemcitabine/nab-paclitaxel", "nivolumab-ipilimumab".
_STROKE_BEFORE, _STROKE_AFTER = re.compile(r"(?<![\w-])[\w-]+\s?[/-]\s?$"), re.compile(r"\s?[/-]\s?([\w-]+)")
_COMBINED = re.compile(r"\bcombin\w+")
#: A treatment that was tried on top of the drug, and those for whom it failed: it is in both arms, or in none.
_ON_TOP = re.compile(r"\b(?:adjunct\w*|adjuvant|add-on)(?: (?:therapy|treatment))? to (?:[\w-]+ ){0,2}$|\bon top of $")
_NO_TREATMENT = re.compile(
    r"-(?:binding|inducible|like|coated|regulated|responsive)\b|[- ](?:elisa|antibod\w+|affinity|columns?|beads)\b"
)
_RESISTANT = re.compile(r"[- ](?:resistan(?:t|ce)|refractory)\b")
_OF_RESISTANCE = re.compile(r"\bresistance\b|\bmutation|\bmechanism")
#: A harm of the drug that something else is tried against in the laboratory: "protects from cisplatin-induced kidney
#: injury". What it does to tumours is no harm; and a study in people, or on how a harm was treated, tells of the harm.
_INDUCED = re.compile(r"(?: \([^)]{1,20}\))?[- ](?:induced|evoked|dependent)\b")
#: "Fibrosis induced by bleomycin injections": with it a disease was made in animals in which something else is studied.
_ILLNESS = (
    r"(?:\w*fibrosis|injur\w+|\w*itis|diabetes|seizures?|damage|\w*toxicity|models?|dysfunction|failure|lesions?|"
    r"disease)"
)
_MADE_ILL = re.compile(rf"(?: \([^)]{{1,20}}\))?[- ](?:induced|evoked|elicited) (?:[\w-]+ ){{0,2}}{_ILLNESS}\b")
_INDUCED_BY = re.compile(
    rf"\b{_ILLNESS} (?:induced|evoked|elicited|produced) (?:by|with|using|via) (?:[\w-]+ ){{0,3}}$"
)
_LABORATORY_ANIMAL = re.compile(r"\b(?:mice|mouse|murine|rats?|rabbits?|hamsters?|zebrafish|animals?)\b")
_TREATED = re.compile(r"(?: \([^)]{1,20}\))?[- ](?:treated|challenged|exposed|injected)\b")
_REMEDY = re.compile(
    r"\b(?:protect\w*|ameliorat\w*|attenuat\w*|alleviat\w*|mitigat\w*|prevent\w*|antagoni[sz]\w*|against|inhibits?|"
    r"suppress\w*|effects? of [^.;:]{1,80} (?:on|in)|reduc(?:es?|ing))\b"
)
_IN_PEOPLE = re.compile(
    r"\b(?:patients?|women|men|children|adults|people|participants|volunteers|trials?|randomi[sz]ed|case reports?)\b"
)
_TUMOUR = re.compile(r"\b(?:cancer|tumou?r|\w*carcinoma|\w*sarcoma|leuk\w+|lymphoma|myeloma|glio\w+|melanoma)s?\b")
#: The drug as what another treatment is held against.
_VERSUS = re.compile(r"\b(?:versus|vs\.?|compared (?:with|to)|in comparison (?:with|to))\s(?:[\w-]+ ){0,4}$")
_OTHER = re.compile(rf"{DRUG_NAME.pattern}|\b[a-z]{{2,5}}-?\d{{1,6}}\b", re.I)
_AGAINST = re.compile(r"\b(?:versus|vs\.?|alone|compared (?:with|to)|or placebo)(?!\w)")
_HELD_AGAINST = re.compile(
    r"\b(?:than|versus|vs\.?|compared? (?:with|to)|in comparison (?:with|to)|comparable (?:with|to)|similar to)"
    r" (?:that of |those of |the )?(?:[\w-]+ ){0,3}$"
)
_AS_CONTROL_BEFORE = re.compile(
    r"\b(?:positive control|reference|standard|control|conventional)s?(?: anti\w+)?"
    r"(?: (?:drug|compound|inhibitor|ligand|agent|treatment))?,? \(?(?:such as |namely )?$"
)
_AS_CONTROL_AFTER = re.compile(
    r"[^.;]{0,60}\b(?:as|served as|were used as|was used as) (?:an? |the )?(?:\w+ )?(?:controls?|references?|"
    r"comparators?|control groups?|reference (?:drugs?|compounds?))\b"
)
_NEXT = re.compile(r"\b(?:further|future|warrant\w*|ongoing|underway)\b")
_ALONE = re.compile(
    r"\balone\b|\bmonotherap(?:y|ies)\b|\bsingle[- ]agent\b|\bwith(?: or |/)without\b|\badd(?:ed|ing|ition)\b"
)
#: Two that a title names as one treatment: "the combination of anakinra and MCC950", "synergy between them".
_ONE_TREATMENT_BEFORE = re.compile(
    r"\b(?:synerg\w+|combinations?|combined (?:treatment|therapy|use|administration|effects?)|co-?administration)"
    r"(?: [\w-]+){0,2} (?:of|between|with) (?:[\w-]+ ){0,3}$"
)
_AND_BEFORE, _AND_AFTER = re.compile(r" (?:and|with|plus) $"), re.compile(r" (?:and|with|plus) \w")
_RESENSITISED = re.compile(r"\bre-?sensiti[sz]\w+")
#: What carries the drug in a title: another product than the drug.
_CARRIERS = (
    r"(?:nano-?(?:particle|particulate|carrier|emulsion|crystal|formulation|capsule|gel|micelle|liposome)s?|micelles?|"
    r"hydrogels?)"
)
_CARRIED = re.compile(
    rf"(?:-loaded|[ -](?:in (?:[\w-]+ )?)?(?:(?!plus|and|with|versus|vs|or|in)[\w-]+ )?{_CARRIERS})\b"
)
_CARRIED_BEFORE = re.compile(rf"\b{_CARRIERS} (?:[\w-]+ ){{0,6}}(?:of|for) (?:[\w-]+ ){{0,2}}$")
#: Other compounds made from it: "levofloxacin derivatives", "febuxostat-based amides", "venlafaxine caffeic acid salt".
_MADE_OF = re.compile(
    r"-based (?:\w+ )?(?:amides|hybrids|derivatives|compounds|analog|conjugates|molecules|esters)|"
    r"[- ](?:derivatives|amides|hybrids|prodrugs?)\b| \w+ic acid salt\b"
)
#: The same, of the drug itself.
_ITSELF_ALONE = re.compile(r"(?: \([^)]{1,20}\))? (?:alone|monotherapy|or (?:the|its) combination)\b")
_SINGLE = re.compile(r"\b(?:single[- ]agent|alone or) $")


def refine_role(title: NamingSentence | None, sentences: Sequence[NamingSentence]) -> RelationKind | None:
    """Another role than the drug's own, where the title (None if it does not name the drug) or the abstract's sentences
    say that there is one."""
    if title:
        return _read_title(title, sentences)
    return _read_abstract(sentences) if sentences else None


def _read_title(title: NamingSentence, sentences: Sequence[NamingSentence]) -> RelationKind | None:
    around = title.around
    if all(_ON_TOP.search(before) or _NO_TREATMENT.match(after) for before, after in around):
        return RelationKind.BACKGROUND
    if all(_RESISTANT.match(after) for _, after in around) and not _OF_RESISTANCE.search(title.text):
        if _RESENSITISED.search(title.text):
            return RelationKind.COMBINATION
        others = [pair for one in sentences for pair in one.around if not _RESISTANT.match(pair[1])]
        if not others:
            return RelationKind.BACKGROUND
        return RelationKind.COMBINATION if all(map(_is_with_another, others)) else None
    if all(_INDUCED.match(after) and _REMEDY.search(before) for before, after in around):
        is_of_people = any(_IN_PEOPLE.search(text) for text in (title.text, *(one.text for one in sentences)))
        return None if is_of_people or _TUMOUR.search(title.text) else RelationKind.BACKGROUND
    if all(map(_is_versus, around)) and not is_concluded_on(sentences):
        return RelationKind.COMPARATOR
    if any(map(_is_enhanced, around)) or (any(map(_is_one_treatment, around)) and not _AGAINST.search(title.text)):
        return RelationKind.COMBINATION
    if any(map(_is_by_stroke, around)) and (_COMBINED.search(title.text) or not _is_alone(sentences)):
        return RelationKind.COMBINATION
    if any(map(_is_with_another, around)) and not (_AGAINST.search(title.text) or _is_alone(sentences)):
        return RelationKind.COMBINATION
    return None


def _read_abstract(sentences: Sequence[NamingSentence]) -> RelationKind | None:
    pairs = [pair for one in sentences for pair in one.around]
    if all(_NO_TREATMENT.match(after) for _, after in pairs):
        return RelationKind.MENTIONED
    if _is_inducer(sentences):
        return RelationKind.BACKGROUND
    if any(_AS_CONTROL_BEFORE.search(before) or _AS_CONTROL_AFTER.match(after) for before, after in pairs):
        return RelationKind.COMPARATOR
    if _HELD_AGAINST.search(sentences[-1].around[-1][0]):
        return RelationKind.COMPARATOR
    reported = [one for one in sentences if one.role is not SectionKind.INTRODUCTION]
    joined = [one for one in reported if any(map(_is_with_another, one.around))]
    if joined and 2 * len(joined) >= len(reported) and not any(map(_is_itself_alone, pairs)):
        return RelationKind.COMBINATION
    return None


def is_another_form(before: str, after: str) -> bool:
    """Whether a title names the drug in a carrier, or compounds made from it."""
    return bool(_CARRIED.match(after) or _CARRIED_BEFORE.search(before) or _MADE_OF.match(after))


def _is_versus(pair: tuple[str, str]) -> bool:
    """Whether another drug is held against this one: "6 versus 12 months of" it does not."""
    versus = _VERSUS.search(pair[0])
    return versus is not None and _OTHER.search(pair[0], 0, versus.start()) is not None


def is_concluded_on(sentences: Sequence[NamingSentence]) -> bool:
    """Whether the last sentence on the drug begins with it, so that the conclusion is about the drug."""
    return bool(sentences) and not sentences[-1].around[0][0].strip()


def _is_enhanced(pair: tuple[str, str]) -> bool:
    """Whether another treatment is tried on top of the drug: "enhances the efficacy of", "adding bromelain to"."""
    return bool(_BY_ANOTHER.search(pair[0]) or ADDED_TO.search(pair[0]))


def _is_one_treatment(pair: tuple[str, str]) -> bool:
    """Whether a title names the drug and another as one treatment."""
    before, after = pair
    return bool(_ONE_TREATMENT_BEFORE.search(before) and (_AND_BEFORE.search(before) or _AND_AFTER.match(after)))


def _is_inducer(sentences: Sequence[NamingSentence]) -> bool:
    """Whether a disease was made with the drug in animals, and nothing else is said of it."""
    pairs = [pair for one in sentences for pair in one.around]
    induced = [bool(_MADE_ILL.match(after) or _INDUCED_BY.search(before)) for before, after in pairs]
    rest = (after for (_, after), made in zip(pairs, induced, strict=True) if not made)
    return (
        any(induced)
        and all(map(_TREATED.match, rest))
        and any(_LABORATORY_ANIMAL.search(one.text) for one in sentences)
    )


def _is_with_another(pair: tuple[str, str]) -> bool:
    before, after = pair
    if _is_enhanced(pair):
        return True
    if _WITH_BEFORE.search(before):
        joined = _JOINED_BEFORE.search(before)
        return joined is None or not NO_DRUG.match(joined[1])
    joined = _JOINED_AFTER.match(after)
    return bool(_WITH_AFTER.match(after)) and (joined is None or not NO_DRUG.match(joined[1]))


def _is_by_stroke(pair: tuple[str, str]) -> bool:
    before, after = _STROKE_BEFORE.search(pair[0]), _STROKE_AFTER.match(pair[1])
    return bool((before and DRUG_NAME.search(before[0])) or (after and DRUG_NAME.search(after[1])))


def _is_itself_alone(pair: tuple[str, str]) -> bool:
    return bool(_SINGLE.search(pair[0]) or _ITSELF_ALONE.match(pair[1]))


def _is_alone(sentences: Sequence[NamingSentence]) -> bool:
    """Whether a sentence speaks of the drug alone, other than as what is to be studied next."""
    return any(_ALONE.search(one.text) and not _NEXT.search(one.text) for one in sentences)
