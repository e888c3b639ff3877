"""Tells whether a text is about people, laboratory animals or cells."""

from __future__ import annotations

import re

IN_VITRO = re.compile(
    r"\bin vitro\b(?! fertili[sz]ation| maturation)|\bcell lines?\b|\bcultured (?:\w+ ){0,3}cells\b|"
    r"\bcells in the (?:presence|absence) of\b|[-−]/\^?[-−] cells\b|"
    r"\bmolecular docking\b|\bex vivo\b"
)
#: Laboratory animals and their strains, as whole words; the source of an antibody or of milk is none, nor are legs.
ANIMAL = re.compile(
    r"(?<!chimeric )(?<!pain in the )\b(?!(?:murine|mouse|rabbit|equine|horse|goat|bovine|porcine|ovine|cow)"
    r"(?:['’]s|[/-]\w+)?\)? (?:(?!model|tumou?r|with|treated|given|and|of|in|was|were)[\w/-]+ ){0,2}(?:[\w-]*antibod|"
    r"\w*globulin|anti|monoclonal|milk|serum albumin|insulin|heparin|surfactant|o?estrogen|collagen|pericardi|valve))"
    r"(?!calves (?:pain|cramp|muscle|ache|and thigh|and leg))"
    r"(?:rats?|mice|mouse|murine|rabbits?|dogs?|canine|cats|feline|horses?|equine|ponies|pigs?|piglets|swine|porcine|"
    r"sheep|ovine|goats?|alpacas?|llamas?|cows?|calves|bovine|monkeys?|macaques?|primates|zebrafish|hamsters?|"
    r"guinea pigs?|chickens?|geese|ducks|broilers?|quails?|gerbils?|ferrets?|larvae|caenorhabditis|tilapia|"
    r"xenografts?|sprague[- ]dawley|wistar|c57bl/?6\w*|balb/?c|drosophila)\b"
)
HUMAN = re.compile(
    r"\b(?:patients?|volunteers|women|men|children|adults|infants|participants|individuals|persons?|people|humans?|"
    r"adolescents|neonates|newborns)\b(?![- ]derived| (?:[\w-]+ ){0,2}(?:cells?|cell lines?|tissues?|tumou?rs?)\b)"
)
_CELLS = re.compile(r"\bcells?\b(?! (?:lung|carcinoma|cancer|lymphoma|leuk|transplant))")
#: An abstract that names cells so often reports what was done with them.
_MANY_CELLS = 4


def names_animals(text: str) -> bool:
    """Whether a text names laboratory animals."""
    return ANIMAL.search(text.casefold()) is not None


def is_preclinical(text: str) -> bool:
    """Whether a sentence names laboratory animals, or cells outside of the body."""
    return names_animals(text) or IN_VITRO.search(text.casefold()) is not None


def is_cell_study(title: str, abstract: str) -> bool:
    """Whether an abstract names cells again and again, and people hardly: "human cancer cells" are cells."""
    cells = len(_CELLS.findall(abstract))
    return cells >= _MANY_CELLS and cells > 3 * len(HUMAN.findall(abstract)) and not HUMAN.search(title)
