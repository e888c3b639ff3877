"""Reads what a question means without a model: its subject, what belongs to it, and what it excludes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm.databases.identity.known_names import NO_NAMES, KnownNames
from storm.extractive.asked_disease import names_outcome
from storm.extractive.asked_question import AskedQuestion, read_question
from storm.models import JobRequest, RefinedQuestion, RequestKind
from storm.syllabus.drug_names import DRUG_NAME

#: Most characters of the question, and most names of each list.
_LONGEST, _MOST = 600, 12
#: Words that stand for a subject that was named before, with the noun that they point at.
_POINTING = re.compile(
    r"\b(?:(?:this|that|the same|such an?) (?:drug|medicine|medication|treatment|therapy|agent|compound|disease|"
    r"condition|disorder)|(?:these|those|such) (?:drugs|medicines|patients|people|conditions)|"
    r"its?|they|them|this|these|those)\b",
    re.I,
)
#: Endings of generic names, beside those of `DRUG_NAME`.
_ENDINGS = re.compile(
    r"\w{3,40}(?:ilast|lukast|gliflozin|gliptin|glutide|sartan|pril|statin|mab|nib|olol|dipine|azole|cillin|mycin|"
    r"floxacin|vir|triptan|setron|prazole|xaban|gatran|grel|parin|formin|glitazone|terol|tropium|oxetine|azepam|"
    r"caine|ciclib|parib|lisib|cept|kinra)"
)
#: Which kind of subject the noun is.
_OF_DISEASE = re.compile(r"disease|condition|disorder|patients|people", re.I)
#: What is excluded by words: "not in children", "excluding cancer".
_EXCLUDED = re.compile(
    r"\b(?:(?:but |and )?not (?:in|for|with|about|on|among|the)|excluding|except(?: for| in)?|without considering|"
    r"other than|apart from|aside from|besides|rather than in)\s+([^,.;:?!()]{2,80})",
    re.I,
)
_PATIENTS = re.compile(r"(?:these|those|such) (?:patients|people)", re.I)


class RuleRefiner:
    """Implements `roles.Refiner`: the first sentence that asks, as it was asked. A word for something named before
    ("it", "this drug") becomes the one drug or disease that the sentences around it or the context name. All else in
    them is not an instruction. `known_names` are names of drugs that no ending shows."""

    def __init__(self, known_names: KnownNames = NO_NAMES) -> None:
        self._known = known_names

    async def refine(self, request: JobRequest) -> RefinedQuestion:
        """The question with its scope and key terms, in the words of the request."""
        asked = read_question(request)
        text = _tidy(asked.sentences[0])
        own = _read_text(text)
        filled = self._fill_in(text, own, [asked.text, request.context])
        read = _read_text(filled)
        excluded = tuple(dict.fromkeys(_list_excluded(f"{filled}\n{asked.text}")))
        phrases = [one.text for one in read.phrases() if not _is_within(one.text, excluded)]
        people = [one for one in read.people() if not _is_within(one, excluded)]
        return RefinedQuestion(
            text=filled,
            scope_in=tuple(dict.fromkeys((*phrases, *people)))[:_MOST],
            scope_out=excluded[:_MOST],
            key_terms=tuple(dict.fromkeys(phrases))[:_MOST],
        )

    def _fill_in(self, text: str, own: AskedQuestion, around: Sequence[str]) -> str:
        """The question with the subject that it points at, if what is around it names just one."""
        pointing = _POINTING.search(text)
        if not pointing:
            return text
        wants_disease = bool(_OF_DISEASE.search(pointing[0]))
        find = _find_diseases if wants_disease else self._find_drugs
        if find(own):
            return text
        for source in filter(None, around):
            rest = _read_text(source.replace(text, " ") or source)
            subjects = find(rest)
            if not subjects and not _find_diseases(own):
                subjects = _find_diseases(rest)
            if len(subjects) > 1:
                return text
            if subjects:
                name = f"patients with {subjects[0]}" if _PATIENTS.fullmatch(pointing[0]) else subjects[0]
                name = f"{name}'s" if pointing[0].casefold() == "its" else name
                return f"{text[: pointing.start()]}{name}{text[pointing.end() :]}"
        return text

    def _find_drugs(self, asked: AskedQuestion) -> list[str]:
        """The drugs that a text names, each once."""
        named = (word for word in asked.words if self._is_drug(word.folded))
        return list({word.folded: word.text for word in named}.values())

    def _is_drug(self, word: str) -> bool:
        return word in self._known.drugs or bool(DRUG_NAME.fullmatch(word) or _ENDINGS.fullmatch(word))


def _find_diseases(asked: AskedQuestion) -> list[str]:
    """The diseases that a text names, each once."""
    named = (one for one in asked.phrases() if one.names_condition and not names_outcome(one))
    return list({one.text.casefold(): one.text for one in named}.values())


def _read_text(text: str) -> AskedQuestion:
    return read_question(JobRequest(kind=RequestKind.QUESTION, text=text if any(map(str.isalnum, text)) else "none"))


def _tidy(text: str) -> str:
    """The sentence on one line, without marks around it, its first letter in capitals, cut at a word if it is long."""
    line = " ".join(text.split()).strip(" -*•>\"'“”")
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 1].rsplit(' ', 1)[0]}…"
    return line[:1].upper() + line[1:] if line[:2].islower() else line


def _list_excluded(text: str) -> Iterator[str]:
    for match in _EXCLUDED.finditer(text):
        yield " ".join(match[1].split())


def _is_within(term: str, excluded: Sequence[str]) -> bool:
    return any(term.casefold() in one.casefold() for one in excluded)
