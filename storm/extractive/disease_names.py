"""The names by which texts name a disease, from the words of a request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm.extractive.biomedical_words import is_biomedical, is_common, is_condition
from storm.extractive.drug_names import drop_repeats
from storm.extractive.narrower_words import find_synonyms
from storm.extractive.question_words import Phrase, Word
from storm.models import Disease

#: Parts of words as Americans and as the British write them.
_SPELLINGS = (
    ("emia", "aemia"), ("emic", "aemic"), ("tumor", "tumour"), ("edema", "oedema"), ("esophag", "oesophag"),
    ("rrhea", "rrhoea"), ("celiac", "coeliac"), ("hemo", "haemo"), ("hemat", "haemat"), ("pnea", "pnoea"),
    ("pediatr", "paediatr"), ("behavior", "behaviour"),
)  # fmt: skip
#: The shortest synonym that means nothing else.
_SHORTEST = 3
#: Longer words in capitals are not abbreviations.
_LONGEST_ABBREVIATION = 4
#: How texts name the organ of a cancer, the most usual first.
_ORGANS = (
    ("breast", "mammary"), ("gastric", "stomach"), ("renal", "kidney", "renal cell"),
    ("liver", "hepatic", "hepatocellular"), ("lung", "pulmonary"), ("colorectal", "colon", "bowel"), ("prostate",),
    ("pancreatic", "pancreas"), ("ovarian", "ovary"), ("bladder",),
)  # fmt: skip
_TUMOURS = ("cancer", "carcinoma", "tumour", "tumor")
_ORGAN = "|".join(sorted((form for forms in _ORGANS for form in forms), key=len, reverse=True))
_TUMOUR = f"(?:{'|'.join(_TUMOURS)})s?"
#: "Metastatic breast cancer", "carcinoma of the breast": what kind of cancer, and its organ.
_CANCER = re.compile(rf"((?:\S+ ){{0,9}}?)(?:({_ORGAN}) {_TUMOUR}|{_TUMOUR} (?:of|in)(?: the)? ({_ORGAN}))", re.I)
#: A tumour so called is not a cancer.
_NO_CANCER = frozenset(("benign", "phyllodes"))


def name_disease(phrase: Phrase) -> Disease:
    """The disease that a phrase names, with its other names."""
    words = [_write_word(word) for word in phrase.words]
    if _is_eponym(words[-1]):
        words = [*words[:-1], words[-1].removesuffix("'s") + "'s", "disease"]
    label = " ".join(words)
    forms = drop_repeats((label, *_find_forms(words)))
    spelt = drop_repeats((*forms, *(_exchange_spelling(form) for form in forms)))
    same = (one for form in forms for one in find_synonyms(form))
    named = drop_repeats((*spelt, *(one for one in same if len(one) >= _SHORTEST and not is_common(one))))
    return Disease(label=label, names=drop_repeats((*named, *_name_cancers(label))))


def is_organ(word: str) -> bool:
    """Whether a folded word names an organ that has cancers, and no disease of it."""
    return any(word in forms for forms in _ORGANS)


def is_tumour(word: str) -> bool:
    """Whether a folded word names a cancer or tumour of any organ."""
    return word.removesuffix("s") in _TUMOURS


def _name_cancers(label: str) -> Iterator[str]:
    """The other names of a cancer of an organ: "gastric cancer" for "stomach cancer" and "carcinoma of the stomach"."""
    read = _CANCER.fullmatch(label)
    if read is None or not _NO_CANCER.isdisjoint(label.casefold().split()):
        return
    kind, named = read[1], (read[2] or read[3]).casefold()
    forms = next(forms for forms in _ORGANS if named in forms)
    yield from (f"{kind}{organ} {tumour}" for tumour in _TUMOURS for organ in forms)


def _write_word(word: Word) -> str:
    """The word as it is written in a text: "Alzheimer's" for "alzheimers", "cancer" for "CANCER"."""
    text = word.text.replace("’", "'")
    if _is_eponym(text):
        folded = text.casefold()
        own = folded if folded.endswith("'s") or not folded.endswith("s") else f"{folded[:-1]}'s"
        return own[:1].upper() + own[1:]
    is_loud = text.isupper() and len(text) > _LONGEST_ABBREVIATION
    is_first = word.begins_sentence and text.istitle()
    return text.casefold() if (is_loud or is_first) and is_biomedical(text.casefold()) else text


def _is_eponym(word: str) -> bool:
    """Whether a word is the name of someone by which a disease is known: "Alzheimer's", "alzheimers"."""
    bare = word.casefold().removesuffix("'s")
    return is_condition(f"{bare}'s") or (bare.endswith("s") and is_condition(f"{bare[:-1]}'s"))


def _find_forms(words: Sequence[str]) -> Iterator[str]:
    """The name without the possessive, without a "disease" after a name that means no other, and in the singular."""
    *first, last = words
    plain = " ".join(word.removesuffix("'s") for word in words)
    yield plain
    if last.casefold() == "disease" and first and _is_eponym(first[-1]):
        yield " ".join(first)
    if last.endswith("s") and is_condition(last.casefold()[:-1]):
        yield " ".join((*first, last[:-1]))
    if not last.endswith("s") and is_condition(f"{last.casefold()}s"):
        yield " ".join((*first, f"{last}s"))


def _exchange_spelling(name: str) -> str:
    """The name in the other spelling of English, if it has one."""
    for american, british in _SPELLINGS:
        if british in name:
            return name.replace(british, american)
        if american in name:
            return name.replace(american, british)
    return name
