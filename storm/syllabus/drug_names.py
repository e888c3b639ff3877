"""Recognizes names of drugs by the stems of international names (INN), and by a list of names without a stem."""

from __future__ import annotations

import re

#: Suffixes of international names, by class of drug.
_STEMS = (
    # Antibodies, fusion proteins, peptides and hormones.
    "mab|cept|(?:glu|na|reo|para)tide|relin|relix|poetin|grastim|ermin",
    # Cancer.
    "nib|ciclib|parib|lisib|degib|zomib|platin|taxel|rubicin|citabine|trexed|tecan|tansine|mustine|domide|lutamide|"
    "(?:o|i|rozo)stat",
    # Diabetes, lipids, heart and blood.
    "gliptin|gliflozin|glitazone|glinide|formin|bose|statin|fibrate|sartan|dipine|olol|zosin|thiazide|semide|pril|"
    "prilat|xaban|gatran|grel|parin|dronate",
    # Infections.
    "azole|vir|mycin|cillin|floxacin|cycline|penem|fungin|kacin|quine|conazole",
    # Nerves, mind, pain and sleep.
    "triptan|setron|oxetine|alopram|azepam|azolam|zepine|apine|idone|peridol|pramine|triptyline|gabalin|racetam|"
    "trigine|profen|coxib|caine|fentanil|fentanyl|barbital|tomidine|onidine|flurane|curonium|curium|opam",
    # Lungs, gut, immunity, hormones and others.
    "afil|limus|prazole|pride|lukast|imod|phylline|terol|butamol|tropium|asone|olone|sonide|steride|imide",
)
#: Drugs whose names have none of these stems, and names of classes.
_OTHERS = (
    "gli(?:clazide|mepiride|pizide|benclamide|quidone)|gl(?:yburide|ycopyrronium)|cef[a-z]{4,}|propofol|hyoscine|"
    "morphine|ketamine|etomidate|thiopental|aspirin|warfarin|methotrexate|interferon|lithium|digoxin|tramadol|"
    "paracetamol|acetaminophen|nitroglycerin|ezetimibe|niacin|magnesium|corticosteroid|cyclophosphamide|fluorouracil|"
    "vincristine|gabapentin|methadone|epoetin|levodopa|bupropion|"
    r"sul(?:f|ph)onylurea|insulin(?![- ](?:resist|sensit|secret|action|receptor|level|respon|like|depend))"
)
#: Other words with the same endings: anatomy, chemistry and everyday English.
_NO_DRUGS = (
    r"\w*sterol|\w*peptide|\w*nucleotide|(?:con|ac|inter|per|pre|ex|sus)cept|"
    r"(?:cy|somato|endo|angio|folli|myo)statin|(?:thermo|cryo|rheo|h[ae]{1,2}mo|gyro|aero|photo)stat|april|"
    r"imidazole|triazole|pyrazole|oxazole|thiazole|poly\w*imide|quinolone|pyridone|hydroquinone|dehydroepiandrosterone"
)
_STEMMED = rf"[a-z]{{2,}}(?:{'|'.join(_STEMS)})"
_STEMMED_NAME = re.compile(rf"(?!(?:{_NO_DRUGS})$){_STEMMED}", re.I)
DRUG_NAME = re.compile(
    rf"\b(?!(?:{_NO_DRUGS})s?\b)(?:{_STEMMED}|{_OTHERS})s?\b",
    re.I,
)


def has_stem(name: str) -> bool:
    """Whether a word has the stem of an international name, as a drug's has before any database lists it."""
    return _STEMMED_NAME.fullmatch(name) is not None
