"""An abstract that names the drug here and there gives no sentences about it."""

from __future__ import annotations

import pytest

from storm.evidence.prominence import is_prominent
from storm.models import Hit, Section, SectionKind

_REST = "The rest of the abstract is on what else was done and found in these patients, in some detail. " * 15


def abstract_of(title: str, text: str, *types: str) -> Hit:
    sections = (Section(label="", text=text, kind=SectionKind.ABSTRACT),)
    return Hit.of("pubmed", "1", "https://example.org/1", title, sections=sections, publication_types=types)


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Zorvimab in adults with asthma: a cohort study", f"Relapse was rarer. {_REST}", True),
        ("Antibodies in adults with asthma: a cohort study", f"Zorvimab was used in 12%. {_REST}", False),
        ("Antibodies in adults with asthma: a cohort study", f"{'Zorvimab helped. ' * 5} {_REST}", True),
        ("Antibodies in adults: a cohort study", f"Zorvimab (ZOR) helped. {'ZOR was safe. ' * 3} {_REST}", True),
        ("Antibodies in adults: a cohort study", "Zorvimab helped adults with asthma.", True),
        ("Antibodies in asthma: a meta-analysis", f"Zorvimab was the best of them. {_REST}", True),
        ("Antibodies in asthma: a randomised trial", f"Zorvimab was given to 20. {_REST}", True),
    ],
)
def test_a_title_or_several_mentions_make_an_abstract_one_about_the_drug(
    title: str, text: str, *, expected: bool
) -> None:
    assert is_prominent(abstract_of(title, text), ("zorvimab",)) is expected


def test_a_full_text_and_a_label_are_judged_by_their_own_rules() -> None:
    body = (
        Section(label="", text=f"Zorvimab was used. {_REST}", kind=SectionKind.ABSTRACT),
        Section(label="Results", text=f"Zorvimab helped. {_REST}", kind=SectionKind.RESULTS),
    )
    paper = Hit.of("pmc", "1", "https://example.org/1", "Antibodies in asthma", sections=body)
    label = Hit.of("dailymed", "1", "https://example.org/1", "ZORVEX", sections=body[:1])
    assert is_prominent(paper, ("zorvimab",))
    assert is_prominent(label, ("zorvimab",))
