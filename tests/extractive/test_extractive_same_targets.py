"""Names of one target are one, names of two are two."""

from __future__ import annotations

import pytest

from storm.extractive.same_targets import group_names


@pytest.mark.parametrize(
    "names",
    [
        ("HER2", "Receptor protein-tyrosine kinase erbB-2"),
        ("HER2/neu receptor", "ERBB2", "c-erbB-2"),
        ("mitochondrial complex I", "complex I", "MT-ND1", "NDUFS2", "NADH dehydrogenase"),
        ("NMDAR", "N-methyl-D-aspartate receptor", "Glutamate [NMDA] receptor"),
        ("dipeptidyl peptidase IV", "DPP-4"),
    ],
)
def test_usual_names_of_one_protein_are_one_target(names: tuple[str, ...]) -> None:
    [group] = group_names(names, ())
    assert set(group) == set(names)


@pytest.mark.parametrize(
    "text",
    [
        "KEAP1, the protein that XQZ4 encodes, was measured.",
        "KEAP1 (also known as XQZ4) was measured.",
        "KEAP1, encoded by the XQZ4 gene, was measured.",
    ],
)
def test_names_that_a_text_joins_are_one_target(text: str) -> None:
    assert [set(group) for group in group_names(("KEAP1", "XQZ4"), (text,))] == [{"KEAP1", "XQZ4"}]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("KEAP1", "XQZ4"), "KEAP1, XQZ4 and XQZ4 (KEAP1) were measured."),
        (("PI3K", "mTOR"), "It inhibits PI3K and mTOR (dual inhibition)."),
        (("dopamine receptor D2", "histamine receptor H2"), ""),
        (("GPD2", "mitochondrial complex I"), ""),
        (("PD-1", "PD-L1"), "PD-1, the receptor of PD-L1, was measured."),
    ],
)
def test_names_of_two_targets_stay_two(names: tuple[str, ...], text: str) -> None:
    assert [set(group) for group in group_names(names, (text,))] == [{name} for name in sorted(names, key=str.lower)]
