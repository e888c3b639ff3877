"""The words of a question as they are compared with those of another: which say nothing, and which say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from storm.models.names import fold_text

#: A number with its decimals, a word, a sign that changes what stands beside it, or a comparison.
_PART = re.compile(r"(?<![\w.])-(?=\d)|(?<=\d)-(?=\d)|\^|\d+(?:[.,]\d+)*|[^\W\d_]+|(?<=\w)[+-](?![\w+-])|[%<>≤≥=/]")
_NEGATED = re.compile(r"\b(can|could|do|does|did|is|are|was|were|has|have|should|will|would)n['’]t\b")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
#: What a request begins with before it says what it is about.
_OPENING = re.compile(
    r"(?:please )?(?:(?:can|could) you )?(?:tell me|explain|describe|summari[sz]e|give me an overview|what is known|"
    r"is there (?:any )?evidence|what is the evidence|what evidence is there)(?: about| on| of| for| that)? "
)

#: Words that may be missing or added without another meaning. What can turn a meaning (not, without, or, than, before,
#: from, to, by, only, should), and what can be part of a name ("hepatitis a"), is not among them.
_FILLERS = frozenset((
    "about", "an", "and", "any", "are", "as", "at", "be", "been", "being", "can", "could", "data", "did",
    "do", "does", "evidence", "for", "has", "have", "in", "is", "it", "its", "may", "might", "of", "on", "patient",
    "people", "some", "that", "the", "their", "there", "these", "this", "those", "was", "were", "with",
))  # fmt: skip
#: After "what" or "which" these make no question of which one it is.
_AFTER_WHAT = frozenset((
    "adverse", "are", "did", "do", "does", "dose", "efficacy", "evidence", "is", "mechanism", "the", "was", "were",
))  # fmt: skip

#: Expressions that ask for the same, as words after `_stem`; the first of a line stands for the others. The longest
#: are replaced first.
_SAME = (
    ("adverse", "side effect", "adverse effect", "adverse event", "adverse reaction", "undesirable effect",
     "unwanted effect", "unwanted side effect"),
    ("efficacy", "effective", "effectiveness", "efficacious", "how effective", "work"),
    ("safe", "safety", "how safe"),
    ("mechanism", "mechanism of action", "mode of action"),
    ("treatment", "treat", "treated", "treating", "therapy"),
    ("reduce", "reduced", "reducing", "reduction", "lower", "lowered", "lowering", "decrease", "decreased",
     "decreasing"),
    ("increase", "increased", "increasing", "raise", "raised", "raising"),
    ("improve", "improved", "improving", "improvement"),
    ("prevent", "prevented", "preventing", "prevention"),
    ("cause", "caused", "causing"),
    ("use", "used", "using", "usage"),
    ("interaction", "interact", "interacting"),
    ("versus", "vs", "compared with", "compared to", "in comparison with", "in comparison to", "v"),
    ("child", "children", "kid", "paediatric", "pediatric", "paediatric patient", "pediatric patient"),
    ("elderly", "older adult", "older people", "older patient", "elderly people", "elderly patient"),
    ("pregnancy", "pregnant", "pregnant woman", "pregnant women", "during pregnancy", "in pregnancy"),
    ("dose", "dosage", "dosing"),
    ("recommended", "recommend", "recommendation"),
    ("drug", "medicine", "medication"),
    ("death", "mortality"),
    ("type 2 diabetes", "type 2 diabetes mellitus", "type ii diabetes", "t 2 dm", "t 2 d"),
    ("tumor", "tumour"), ("anemia", "anaemia"), ("edema", "oedema"), ("diarrhea", "diarrhoea"),
    ("hemorrhage", "haemorrhage"), ("leukemia", "leukaemia"), ("esophageal", "oesophageal"), ("fetal", "foetal"),
    ("randomized", "randomised"), ("hospitalized", "hospitalised"), ("estrogen", "oestrogen"),
)  # fmt: skip

#: What a question asks about its subjects: where it stands in the question does not matter. A treatment, a risk or a
#: drug is none: "the treatment of asthma a risk for pneumonia" is not "asthma a risk for pneumonia treatment".
_ASPECTS = frozenset((
    "adverse", "approved", "contraindication", "cost", "dose", "efficacy", "guideline", "indication",
    "interaction", "mechanism", "pharmacokinetic", "price", "recommended", "safe",
))  # fmt: skip


def list_parts(text: str) -> tuple[str, ...]:
    """The words, numbers and signs of a text; case, accents and the other punctuation do not count."""
    folded = _NEGATED.sub(r"\1 not", _POSSESSIVE.sub("", fold_text(text)).replace("cannot", "can not"))
    return tuple(_PART.findall(folded))


def list_content(parts: Sequence[str]) -> tuple[str, ...]:
    """The words of a question that make its meaning, in their order and in one form each."""
    asked = " ".join(parts)
    opened = _OPENING.match(asked)
    words = list(_merge_same([_stem(part) for part in (asked[opened.end() :] if opened else asked).split()]))
    if "how" in words and "efficacy" in words:  # how does it work
        words = ["mechanism" if word == "efficacy" else word for word in words if word != "how"]
    content = []
    for word, after in zip(words, (*words[1:], ""), strict=False):
        if word in ("what", "which"):
            content += [] if after in _AFTER_WHAT else ["which"]
        elif word not in _FILLERS:
            content.append(word)
    return tuple(content)


def list_subjects(content: Sequence[str]) -> tuple[str, ...]:
    """Of these words those whose order matters: aspirin in patients on warfarin is not warfarin on aspirin."""
    return tuple(word for word in content if word not in _ASPECTS)


def _stem(word: str) -> str:
    """The word without the ending of a plural."""
    if word in _FILLERS:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _find_phrases() -> Iterator[tuple[tuple[str, ...], str]]:
    for first, *others in _SAME:
        for other in (first, *others):
            yield tuple(_stem(word) for word in other.split()), first


_PHRASES: Mapping[tuple[str, ...], str] = dict(_find_phrases())
_LONGEST = max(map(len, _PHRASES))


def _merge_same(words: Sequence[str]) -> Iterator[str]:
    index = 0
    while index < len(words):
        for length in range(min(_LONGEST, len(words) - index), 0, -1):
            if (said := _PHRASES.get(tuple(words[index : index + length]))) is not None:
                yield said
                index += length
                break
        else:
            yield words[index]
            index += 1
