"""Names of molecules, pathways and outcomes are read by the form of the words."""

from __future__ import annotations

import pytest

from storm.evidence.subjects import compile_name_pattern
from storm.extractive.mechanism_reader import find_pathways_of
from storm.extractive.mechanism_words import (
    find_outcomes,
    find_pathways,
    fold_words,
    read_molecule_after,
    read_molecule_before,
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("AMPK in the liver", "AMPK"),
        ("the mammalian target of rapamycin", "mammalian target of rapamycin"),
        ("vascular endothelial growth factor A", "vascular endothelial growth factor A"),
        ("3-hydroxy-3-methylglutaryl coenzyme A reductase", "3-hydroxy-3-methylglutaryl coenzyme A reductase"),
        ("mitochondrial complex I and respiration", "mitochondrial complex I"),
        ("TNF-α production", "TNF-α"),
        ("D3 dopamine receptors", "D3 dopamine receptors"),
    ],
)
def test_a_molecule_is_a_symbol_or_ends_with_a_word_for_one(text: str, name: str) -> None:
    found = read_molecule_after(text, 0)
    assert found is not None
    assert found.text == name


@pytest.mark.parametrize(
    "text",
    ["tumour growth", "EAE", "inflammation", "risk factors", "CD8+ T cells", "D2", "CHEMBL1824", "FGF23 levels",
     "HbA1c", "disease", "two mitochondrial enzymes", "LDL-C", "the increase"],
)  # fmt: skip
def test_other_words_are_no_molecule(text: str) -> None:
    assert read_molecule_after(text, 0) is None


def test_a_name_before_another_word_ends_where_its_sentence_part_begins() -> None:
    text = "It was, like the potent dual PI3K inhibitors"
    found = read_molecule_before(text, text.index(" inhibitors"))
    assert found is not None
    assert (found.text, text[found.start : found.end]) == ("PI3K", "PI3K")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It drives AMPK/mTOR signalling in neurons.", ["AMPK/mTOR signalling"]),
        ("It blocks the mevalonate pathway and lipogenesis.", ["mevalonate pathway", "lipogenesis"]),
        ("This pathway is a key signalling pathway.", []),
        ("It plays a role in dorsal horn sensory pathways.", []),
    ],
)  # fmt: skip
def test_pathways_are_named_so_or_are_known_processes(text: str, names: list[str]) -> None:
    assert [found.text for found in find_pathways(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("AMPK suppresses neuroinflammation.", ["neuroinflammation"]),
        ("Autophagy was induced through activated AMPK.", []),
        ("It lowers neuroinflammation via AMPK.", ["neuroinflammation"]),
        ("AMPK/mTOR signalling was seen.", ["AMPK/mTOR signalling"]),
        ("AMPK does not suppress neuroinflammation.", []),
        ("AMPK was measured; others reduce neuroinflammation.", []),
        ("AMPK and neuroinflammation were measured.", []),
    ],
)
def test_a_pathway_is_downstream_of_a_molecule_only_where_a_verb_says_so(text: str, names: list[str]) -> None:
    assert [found.text for found in find_pathways_of(text, compile_name_pattern(("AMPK",)))] == names


def test_outcomes_are_read_with_the_words_that_narrow_them() -> None:
    text = "Invasive disease-free survival, tumour growth and cognitive decline were better; survival curves are shown."
    assert [found.text for found in find_outcomes(text)] == [
        "disease-free survival",
        "tumour growth",
        "cognitive decline",
    ]


def test_spellings_and_numbers_of_a_name_are_one() -> None:
    assert fold_words("NMDA receptors") == fold_words("NMDA-receptor")
    assert fold_words("tumour signalling") == fold_words("Tumor signaling")
    assert fold_words("apoptosis") == ("apoptosis",)
