"""What a source holds the drug against, and the class it belongs to: sentences about them are marked as such."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from storm import wording
from storm.evidence.subjects import compile_name_pattern
from storm.models import Hit
from storm.syllabus.drug_names import DRUG_NAME

#: "Sitagliptin, a selective DPP-4 inhibitor": what the drug is, as the source says.
_CLASS = re.compile(
    r"[\s,(]{1,3}(?:is |was )?(?:an?|the) (?:[\w-]+ ){0,3}?(?P<name>[\w-]+(?: receptor)? "
    r"(?:inhibitor|antagonist|agonist|blocker|modulator|antibody))\b",
    re.I,
)
#: Characters after the drug's name in which its class may stand.
_REACH = 120


class Others(NamedTuple):
    """The other drugs of a source's title, and the class of the drug: each with the pattern that finds it."""

    drugs: tuple[tuple[str, re.Pattern[str]], ...]
    classes: tuple[tuple[str, re.Pattern[str]], ...]

    def remark_on(self, sentence: str) -> str:
        """What a sentence is about that does not name the drug: another drug of the title, or the class; "" if none."""
        for wanted, wording_of in ((self.drugs, wording.ABOUT_OTHER), (self.classes, wording.OF_CLASS)):
            for name, words in wanted:
                if words.search(sentence):
                    return wording_of.format(name=name)
        return ""


def read_others(hit: Hit, names: tuple[str, ...]) -> Others:
    """What the source says of the drug's class, and which other drugs its title names."""
    drug = compile_name_pattern(names)
    titled = (other[0].lower() for other in DRUG_NAME.finditer(hit.title) if not drug.fullmatch(other[0]))
    classes = (f"{name}s" for section in hit.sections for name in _find_classes(section.text, drug))
    return Others(_compile_patterns(titled), _compile_patterns(classes))


def _find_classes(text: str, drug: re.Pattern[str]) -> Iterator[str]:
    for mention in drug.finditer(text):
        if found := _CLASS.match(text, mention.end(), mention.end() + _REACH):
            yield found["name"]


def _compile_patterns(names: Iterable[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"\b{re.escape(name)}?\b", re.I)) for name in dict.fromkeys(names))
