"""Tells whether a text is about people, laboratory animals or cells."""

from __future__ import annotations

import re
from collections.abc import Iterable

from storm.evidence.publication_types import has_type
from storm.models.design import Design

IN_VITRO = re.compile(
    r"\bin vitro\b(?! fertili[sz]ation| maturation)|\bcell lines?\b|\bcultured (?:\w+ ){0,3}cells\b|"
    r"\bcells in the (?:presence|absence) of\b|[-−]/\^?[-−] cells\b|"
    r"\bmolecular docking\b|\bex vivo\b"
)
#: Reckoned by a computer, and words of work with cells, animals or people beside it.
_COMPUTED = re.compile(
    r"\bin[- ]silico\b|\bmolecular dynamics\b|\b(?:molecular )?docking\b|\bmm-?[gp]bsa\b|\bnetwork pharmacology\b|"
    r"\bquantum mechanic\w*|\bdensity functional\b|\bpharmacophore\b"
)
_MEASURED_TOO = re.compile(
    r"\bcells?\b|\bin vivo\b|\bin vitro\b|\bexperiment(?:s|al|ally)\b|\bmice\b|\brats?\b|\bpatients\b|\bassays?\b|"
    r"\bcultured?\b|\bstrains?\b|\bwestern blot|\belisa\b"
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
_CELLS = re.compile(
    r"\bcells?\b(?! (?:lung|carcinoma|cancer|lymphoma|leuk|transplant|arteritis|tumou?r|disease|ana?emia))"
)
#: An abstract that names cells so often reports what was done with them; fewer are enough if the title names them, too.
_MANY_CELLS, _FEW_CELLS = 4, 2
_ANIMAL_MODEL = re.compile(
    r"\b(?:canine|murine|mouse|rat|rabbit|porcine|pig|ovine|sheep|primate|zebrafish|animal) models?\b"
)
_GIVEN = re.compile(r"\bsubjects\b|\bsingle dose\b|\badministered\b|\boral")
_IN_TRIAL = re.compile(r"\btrials?\b|\bphase [1-4i]|\bsubjects\b")
_ANIMALS_TREATED = re.compile(
    r"\b(?:model|study|studies|experiments?|treated|given|injected|administered)\b[^.]{0,60}\bin [\w-]*\s?"
    r"(?:mice|rats)\b|\b(?:treated|injected|fed|stressed|induced|deficient|knock-?out|transgenic|diabetic|obese) "
    r"(?:mice|rats)\b"
)


def names_animals(text: str) -> bool:
    """Whether a text names laboratory animals."""
    return ANIMAL.search(text.casefold()) is not None


def is_preclinical(text: str) -> bool:
    """Whether a sentence names laboratory animals, or cells outside of the body."""
    return names_animals(text) or IN_VITRO.search(text.casefold()) is not None


def is_computed(text: str) -> bool:
    """Whether a study, by its title and abstract in lower case, was done by a computer alone."""
    return _COMPUTED.search(text) is not None and _MEASURED_TOO.search(text) is None


def is_cell_study(title: str, abstract: str) -> bool:
    """Whether an abstract names cells again and again, and people hardly: "human cancer cells" are cells."""
    cells, people = len(_CELLS.findall(abstract)), len(HUMAN.findall(abstract))
    is_titled = _CELLS.search(title) is not None and not people
    return cells >= (_FEW_CELLS if is_titled else _MANY_CELLS) and cells > 3 * people and not HUMAN.search(title)


def is_of_material(abstract: str) -> bool:
    """Whether an abstract in lower case tells of work outside of the body, and of nobody who was given anything."""
    return IN_VITRO.search(abstract) is not None and not (HUMAN.search(abstract) or _GIVEN.search(abstract))


def is_of_animals(types: Iterable[str], title: str, abstract: str, indexed: bool | None) -> bool:
    """Whether the record is `indexed` under animals alone, the type or the title names animals and no people, or the
    abstract names more animals than people.

    Of a record of type "Randomized Controlled Trial" the abstract is not counted.
    """
    if any("veterinary" in name for name in types):
        return True
    if indexed is not None:
        return indexed
    if _ANIMAL_MODEL.search(title):
        return True
    if ANIMAL.search(title):
        return not HUMAN.search(title)
    if has_type(types, Design.RANDOMISED) or HUMAN.search(title):
        return False
    animals, people = len(ANIMAL.findall(abstract)), len(HUMAN.findall(abstract))
    in_model = _ANIMAL_MODEL.search(abstract) and not _IN_TRIAL.search(abstract)
    is_treated = bool(in_model or _ANIMALS_TREATED.search(abstract))
    return animals > max(1, people) or (animals == 1 and not people and is_treated)
