"""Names of drugs, known by the stems of their international names (INN); and those that have none."""

from __future__ import annotations

import re

#: Ends of international names, by what the drugs are.
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
#: Drugs whose names have no stem of these, and classes that are given as one.
_OTHERS = (
    "gli(?:clazide|mepiride|pizide|benclamide|quidone)|gl(?:yburide|ycopyrronium)|cef[a-z]{4,}|propofol|hyoscine|"
    "morphine|ketamine|etomidate|thiopental|aspirin|warfarin|methotrexate|interferon|lithium|digoxin|tramadol|"
    "paracetamol|acetaminophen|nitroglycerin|ezetimibe|niacin|magnesium|corticosteroid|cyclophosphamide|fluorouracil|"
    "vincristine|gabapentin|methadone|epoetin|levodopa|bupropion|"
    r"sulph?onylurea|insulin(?![- ](?:resist|sensit|secret|action|receptor|level|respon|like|depend))"
)
#: Words that end as such names do: of the body, of chemistry, and of everyday English.
_NO_DRUGS = (
    r"\w*sterol|\w*peptide|\w*nucleotide|(?:con|ac|inter|per|pre|ex|sus)cept|"
    r"(?:cy|somato|endo|angio|folli|myo)statin|(?:thermo|cryo|rheo|h[ae]{1,2}mo|gyro|aero|photo)stat|april|"
    r"imidazole|triazole|pyrazole|oxazole|thiazole|poly\w*imide|quinolone|pyridone|hydroquinone|dehydroepiandrosterone"
)
DRUG_NAME = re.compile(
    rf"\b(?!(?:{_NO_DRUGS})s?\b)(?:[a-z]{{2,}}(?:{'|'.join(_STEMS)})|{_OTHERS})s?\b",
    re.I,
)
