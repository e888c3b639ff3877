"""Recognizes names of drugs by the stems of international names (INN), and by a list of names without a stem."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache

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
    # Malaria and other infections.
    "arte(?:sunate|mether|ether|nimol|misinin)|dihydroartemisinin|lumefantrine|(?:chlor)?proguanil|dapsone|"
    "sul(?:f|ph)adoxine|pyrimethamine|quinine|isoniazid|rifampici?n|ethambutol|pyrazinamide|trimethoprim|"
    "nitrofurantoin|praziquantel|ivermectin|cef[a-z]{4,}|clavulanate|chlorhexidine|"
    # Cancer and immunity.
    "cyclophosphamide|fluorouracil|vincristine|vinblastine|vinorelbine|etoposide|leucovorin|temozolomide|dacarbazine|"
    "tamoxifen|letrozole|anastrozole|exemestane|fulvestrant|hydroxyurea|methotrexate|interferon|azathioprine|"
    "c[iy]closporine?|sulfasalazine|mesala[mz]ine|leflunomide|"
    # Heart, blood, hormones and metabolism.
    "aspirin|warfarin|ticagrelor|dipyridamole|alteplase|tenecteplase|streptokinase|amiodarone|verapamil|diltiazem|"
    "digoxin|spironolactone|eplerenone|ivabradine|hydralazine|nitroglycerin|ezetimibe|niacin|epoetin|allopurinol|"
    "colchicine|gli(?:clazide|mepiride|pizide|benclamide|quidone)|gl(?:yburide|ycopyrronium)|"
    r"sul(?:f|ph)onylurea|insulin(?![- ](?:resist|sensit|secret|action|receptor|level|respon|like|depend))|"
    "levothyroxine|corticosteroid|prednisone|hydrocortisone|clomiphene|mifepristone|misoprostol|dinoprostone|"
    "levonorgestrel|raloxifene|"
    # Nerves, mind, pain and sleep.
    "propofol|hyoscine|morphine|fentanyl|ketamine|etomidate|thiopental|tramadol|paracetamol|acetaminophen|codeine|oxycodone|"
    "meperidine|pethidine|buprenorphine|methadone|naloxone|naltrexone|nalbuphine|naproxen|indomethacin|ketorolac|"
    "diclofenac|neostigmine|ephedrine|phenylephrine|metoclopramide|chlorpromazine|lithium|valproate|phenytoin|"
    "topiramate|lacosamide|gabapentin|sertraline|(?:des)?venlafaxine|trazodone|agomelatine|bupropion|memantine|"
    "donepezil|rivastigmine|galantamine|levodopa|magnesium|(?:dex|lisdex)?am(?:ph|f)etamine|methylphenidate|"
    # Lungs, gut, bladder and skin.
    "(?:levo)?cetirizine|(?:des)?loratadine|fexofenadine|ranitidine|famotidine|sucralfate|tamsulosin|solifenacin|"
    "tolterodine|oxybutynin"
)
#: Other words with the same endings: anatomy, chemistry and everyday English.
_NO_DRUGS = (
    r"\w*sterol|\w*peptide|\w*nucleotide|(?:con|ac|inter|per|pre|ex|sus)cept|"
    r"(?:cy|somato|endo|angio|folli|myo)statin|(?:thermo|cryo|rheo|h[ae]{1,2}mo|gyro|aero|photo)stat|april|"
    r"imidazole|triazole|pyrazole|oxazole|thiazole|poly\w*imide|quinolone|pyridone|hydroquinone|dehydroepiandrosterone"
)
_STEMMED = rf"[a-z]{{2,}}(?:{'|'.join(_STEMS)})"
_STEMMED_NAME = re.compile(rf"(?!(?:{_NO_DRUGS})$){_STEMMED}", re.I)
_NAME = re.compile(
    rf"\b(?!(?:{_NO_DRUGS})s?\b)(?:{_STEMMED}|{_OTHERS})s?\b",
    re.I,
)
#: A word that may be a name; the shortest of all has as many letters.
_WORD = re.compile(r"(?<!\w)[a-z]{5,60}(?!\w)", re.I)
#: Distinct words that are remembered; a text has some thousand.
_MOST_WORDS = 20_000


@lru_cache(maxsize=_MOST_WORDS)
def _may_be_name(word: str) -> bool:
    """Whether a word is a name by itself; what follows it may show that it is not used as one."""
    return _NAME.match(word) is not None


class DrugNamePattern:
    """Finds names of drugs as a compiled pattern does, and looks at each distinct word only once."""

    pattern = _NAME.pattern
    fullmatch = _NAME.fullmatch
    match = _NAME.match
    sub = _NAME.sub

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """The names in this part of a text, in order."""
        for word in _WORD.finditer(text, start, end):
            if _may_be_name(word[0]) and (name := _NAME.match(text, word.start(), end)):
                yield name

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The first name in this part of a text."""
        return next(self.finditer(text, start, end), None)


DRUG_NAME = DrugNamePattern()


def has_stem(name: str) -> bool:
    """Whether a word has the stem of an international name, as a drug's has before any database lists it."""
    return _STEMMED_NAME.fullmatch(name) is not None
