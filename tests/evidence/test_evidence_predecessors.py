"""Sentences that say nothing without the one before them."""

from __future__ import annotations

import pytest

from storm.evidence.passages import Passage
from storm.evidence.predecessors import continues_subgroup, depends_on_previous, is_on_another, join_passages
from storm.models import Section, SectionKind

FIRST = "Zorvimab raised the risk of heart failure (RR 5.11)."
SECOND = "Patients treated with zorvimab also more often had a low ejection fraction (RR 1.83)."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (SECOND, True),
        ("In addition, zorvimab did not improve any other marker.", True),
        ("By contrast, zorvimab lowered pain.", True),
        ("Fever was seen in 4 and 7 women, and all other adverse effects were minimal.", True),
        ("In addition to losartan, zorvimab lowered pain.", False),
        ("Zorvimab lowered pain, and it also lowered fever.", False),
        ("Zorvimab lowered not only pain.", False),
        ("Besides, zorvimab lowered pain.", False),
    ],
)
def test_a_sentence_may_add_to_the_one_before(sentence: str, *, expected: bool) -> None:
    assert depends_on_previous(sentence) is expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("The mean decrease in CRP after 4 weeks was 35%.", True),
        ("The mean decrease in CRP after 4 weeks with losartan was 35%.", False),
        ("The mean decrease in CRP in group N was 35%.", False),
        ("CRP fell.", False),
    ],
)
def test_values_of_nobody_before_what_a_drug_also_did_may_be_of_another(before: str, *, expected: bool) -> None:
    assert is_on_another(before, "Zorvimab also lowered CRP.") is expected


@pytest.mark.parametrize(
    ("before", "sentence", "expected"),
    [
        ("Events in the subgroup of patients aged ⩾65 years were 63% and 60%.", "Nausea was seen in 22% and 7%.", True),
        ("Zorvimab helped more in those with low pressure (Subgroup B).", "The p-values were 0.151 and 0.088.", True),
        ("Of patients 65 years or older 66% had an event.", "More of those on placebo (94%) had one than 59%.", True),
        ("Of patients 65 years or older 66% had an event.", "Overall, 60% had an event.", False),
        ("Of patients 65 years or older 66% had an event.", "Among women 40% had an event.", False),
        ("Of patients 65 years or older 66% had an event.", "Nausea was rare.", False),
        ("Events were seen in 63% and 60%.", "Nausea was seen in 22% and 7%.", False),
    ],
)
def test_values_after_a_sentence_on_a_subgroup_are_of_that(before: str, sentence: str, *, expected: bool) -> None:
    assert continues_subgroup(before, sentence) is expected


def test_two_sentences_are_joined_verbatim_where_one_follows_the_other() -> None:
    section = Section(text=f"{FIRST} {SECOND}", kind=SectionKind.RESULTS)
    first, second = Passage(FIRST, FIRST, section), Passage(SECOND, SECOND, section)
    joined = join_passages(first, second)
    assert joined is not None
    assert joined.text == joined.shown == section.text
    assert join_passages(second, first) is None


@pytest.mark.parametrize("between", ["\n\n", " Others had none. "])
def test_a_paragraph_or_a_sentence_between_them_keeps_them_apart(between: str) -> None:
    section = Section(text=f"{FIRST}{between}{SECOND}", kind=SectionKind.RESULTS)
    assert join_passages(Passage(FIRST, FIRST, section), Passage(SECOND, SECOND, section)) is None
