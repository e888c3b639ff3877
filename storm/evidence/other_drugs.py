"""Finds comparators of the drug in a source, and the class of the drug, to mark sentences about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from storm import wording
from storm.evidence.abbreviations import MOST_READ
from storm.evidence.subjects import compile_name_pattern
from storm.models import Hit
from storm.syllabus.drug_names import DRUG_NAME

#: "Sitagliptin, a selective DPP-4 inhibitor": the class of the drug.
_CLASS = re.compile(
    r"[\s,(]{1,3}(?:is |was )?(?:an?|the) (?:[\w-]+ ){0,3}?(?P<name>[\w-]+(?: receptor)? "
    r"(?:inhibitor|antagonist|agonist|blocker|modulator|antibody))\b",
    re.I,
)
#: Characters after the name of the drug that may contain its class.
_REACH = 120


class OtherDrugs(NamedTuple):
    """The other drugs in the title of a source, and the classes of the drug, each with its pattern."""

    drugs: tuple[tuple[str, re.Pattern[str]], ...]
    classes: tuple[tuple[str, re.Pattern[str]], ...]

    def remark_on(self, sentence: str) -> str:
        """A remark for a sentence about another drug of the title, or about the class of the drug; "" for others."""
        for wanted, wording_of in ((self.drugs, wording.ABOUT_OTHER), (self.classes, wording.OF_CLASS)):
            for name, words in wanted:
                if words.search(sentence):
                    return wording_of.format(name=name)
        return ""


def is_on_class(remark: str) -> bool:
    """Whether a remark is one on the class of the drug."""
    return remark.startswith(wording.OF_CLASS.format(name=""))


def read_other_drugs(hit: Hit, names: tuple[str, ...]) -> OtherDrugs:
    """Reads the classes of the drug from the source, and the other drugs from its title."""
    drug = compile_name_pattern(names)
    titled = (other[0].lower() for other in DRUG_NAME.finditer(hit.title) if not drug.fullmatch(other[0]))
    classes = (f"{name}s" for text in hit.list_first_texts(MOST_READ) for name in _find_classes(text, drug))
    return OtherDrugs(_compile_patterns(titled), _compile_patterns(classes))


def _find_classes(text: str, drug: re.Pattern[str]) -> Iterator[str]:
    for mention in drug.finditer(text):
        if found := _CLASS.match(text, mention.end(), mention.end() + _REACH):
            yield found["name"]


def _compile_patterns(names: Iterable[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"\b{re.escape(name)}?\b", re.I)) for name in dict.fromkeys(names))
