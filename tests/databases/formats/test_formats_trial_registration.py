from __future__ import annotations

import pytest

from storm.databases.formats.trial_registration import find_registration
from storm.models import Section, SectionKind


def find(text: str, kind: SectionKind = SectionKind.METHODS, label: str = "Methods") -> tuple[str, ...]:
    return find_registration([Section(label=label, text=text, kind=kind)])


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("This study was registered at ClinicalTrials.gov (NCT00000001).", ("NCT00000001",)),
        ("It is registered as ISRCTN 12345678. Others cite NCT00000002.", ("ISRCTN12345678",)),
        (
            "The trial was registered with CTRI (CTRI/2012/04/002574) and ClinicalTrials.gov (NCT00000001).",
            ("CTRI/2012/04/002574", "NCT00000001"),
        ),
        ("An ongoing trial is registered under NCT00000001.", ()),
        ("It was registered at the German register, no. DRKS00000001.", ("DRKS00000001",)),
        (
            "Data were from the Zorvi study, which was registered (NCT00000009). Our study was registered as "
            "ISRCTN12345678.",
            ("ISRCTN12345678",),
        ),
        ("The PARADIGM trial was registered as NCT00000009, and we used its design.", ()),
        ("The design of the trial (NCT00000001) was described before.", ()),
        ("This 6-week, open-label trial (NCT00000001) was designed to compare them.", ("NCT00000001",)),
        ("The trials were registered as NCT00000001, NCT00000002 and NCT00000003.", ()),
    ],
)
def test_the_trial_of_a_full_text_is_the_one_that_it_says_is_registered(text: str, numbers: tuple[str, ...]) -> None:
    assert find(text) == numbers


def test_the_back_matter_may_say_it_and_the_discussion_speaks_of_other_trials() -> None:
    assert find("NCT00000001", SectionKind.BACK_MATTER, "Trial registration number") == ("NCT00000001",)
    assert find("This study was registered as NCT00000001.", SectionKind.DISCUSSION, "Discussion") == ()
    assert find("Dr A leads a trial that is registered as NCT00000001.", SectionKind.BACK_MATTER, "Interests") == ()
    assert find("It was registered as NCT00000001.", SectionKind.BACK_MATTER, "Competing interests") == ()
