"""Sentences that name what was compared, and sentences that leave it to their study."""

from __future__ import annotations

import pytest

from storm.evidence.named_comparator import names_comparator


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Zorvimab was better than placebo.", True),
        ("Relapse was 40% with zorvimab and 20% with placebo.", True),
        ("Zorvimab caused fewer sedating effects than MDMA.", True),
        ("Fewer relapsed compared with patients receiving losartan.", True),
        ("Fewer relapsed than in the control group.", False),
        ("Pain fell by more than half compared with baseline.", True),
        ("The odds of deficiency rose by 13% for every year of zorvimab.", True),
        ("Nobody had a greater risk than patients on other treatments.", True),
        ("The mean change from baseline in HbA1c was greater with zorvimab (-0.8%).", False),
        ("Zorvimab showed superiority in time to progression.", False),
        ("Fewer relapsed than in the others.", False),
        ("There was no difference between the effect of fentanyl and that of fentanyl with zorvimab.", True),
        ("There was no difference between the two groups in pain and nausea.", False),
        ("The values stayed higher than baseline for 48 months.", True),
        ("The superiority of zorvimab to that by insulin was more evident after 48 months.", True),
        ("Zorvimab lowered pain.", False),
    ],
)
def test_a_sentence_may_say_itself_what_it_compares_with(sentence: str, *, expected: bool) -> None:
    assert names_comparator(sentence, "placebo") is expected
