"""A quote states a link where its words stand together, and nothing turns or denies them."""

from __future__ import annotations

import pytest

from storm.agents.stated_links import names_link


@pytest.mark.parametrize(
    ("link", "quote"),
    [
        ("AMPK", "Metformin activates AMPK in the liver."),
        ("AMPK activation", "Metformin inhibits mTOR through activation of AMPK."),
        ("activation of AMPK", "Metformin inhibits mTOR through activation of AMPK."),
        ("AMPK activation", "Metformin activates AMPK."),
        ("AMPK activation", "AMPK activation reduced the growth of tumours."),
        ("mTOR inhibition", "Metformin inhibits mTOR through activation of AMPK."),
        ("tau phosphorylation", "It reduced phosphorylation of tau."),
        ("reduced mortality", "Metformin reduced the mortality of patients."),
        ("increased weight", "Metformin reduced mortality and increased weight."),
        ("cognitive decline", "Metformin slowed cognitive decline."),
        ("slower cognitive decline", "Cognitive function showed slower cognitive decline on metformin."),
        ("mitochondrial complex I", "Metformin inhibits mitochondrial complex I."),
        ("PI3K/AKT pathway", "Metformin acts on the PI3K/AKT pathway."),
        ("insulin resistance", "Metformin reduced insulin resistance in heart failure."),
        ("hospital admission", "Metformin not only lowered weight but hospital admission as well."),
    ],
)
def test_words_that_stand_together_state_a_link(link: str, quote: str) -> None:
    assert names_link(link, quote)


@pytest.mark.parametrize(
    ("link", "quote"),
    [
        ("mTOR activation", "Metformin inhibits mTOR through activation of AMPK."),
        ("increased mortality", "Metformin reduced mortality and increased weight."),
        ("mortality increase", "Metformin reduced mortality and increased weight."),
        ("AMPK", "AMPK is not activated by metformin."),
        ("AMPK", "Metformin lowered glucose independently of AMPK."),
        ("AMPK", "Metformin lowered glucose without activating AMPK."),
        ("AMPK", "Metformin lowered glucose in AMPK-knockout mice."),
        ("AMPK", "We asked whether metformin activates AMPK."),
        ("mTOR activation", "Metformin reduced the activation of mTOR."),
        ("mTOR activation", "Metformin reduced phosphorylation and activation of mTOR."),
        ("mTOR activation", "On metformin, mTOR activation was markedly reduced."),
        ("mTOR activation", "On metformin, mTOR activation decreased in tumours."),
        ("inhibition of mTOR", "Metformin abolished the inhibition of mTOR."),
        ("AMPK inhibition", "Metformin inhibits the AMPK inhibitor."),
        ("AMPK activation", "Metformin activates AMPK inhibitors."),
        ("tumour regression", "Metformin prevented the tumour regression induced by doxorubicin."),
        ("improved memory", "Metformin failed to improve memory."),
        ("memory", "Metformin did not improve memory."),
        ("complex I", "Metformin binds a complex of proteins."),
        ("complex I", "Metformin inhibits complex II."),
        ("tumour growth", "The tumour was treated, and growth hormone was measured."),
        ("tumour growth in 99 patients", "Metformin slowed tumour growth in 9 patients."),
        ("of the", "Metformin is of the biguanides."),
        ("", "Metformin activates AMPK."),
    ],
)
def test_words_apart_turned_or_denied_state_none(link: str, quote: str) -> None:
    assert not names_link(link, quote)
