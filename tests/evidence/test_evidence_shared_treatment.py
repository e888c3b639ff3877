"""The treatment that all groups of a study received, whichever of them got the drug."""

from __future__ import annotations

import pytest

from storm.evidence.shared_treatment import read_shared_treatment


@pytest.mark.parametrize(
    ("title", "abstract", "treatment"),
    [
        ("Zorvimab in asthma", "All patients received prednisolone 5 mg for six weeks.", "prednisolone 5 mg"),
        (
            "Zorvimab in asthma",
            "Both groups were treated with peg-interferon and ribavirin.",
            "peg-interferon and ribavirin",
        ),
        ("Zorvimab added to metformin in adults", "", "metformin"),
        ("Zorvimab versus placebo in combination with insulin analogues in adults", "", "insulin analogues"),
        ("Zorvimab added to metformin lowered disease activity", "", "metformin"),
        (
            "Zorvimab",
            "Survival was 13.8 months when zorvimab was added to chemotherapy and 11.1 months when not.",
            "chemotherapy",
        ),
        ("Zorvimab as an adjunct to a sulphonylurea over 26 weeks", "", "sulphonylurea"),
        ("Zorvimab as adjunctive treatment to chemotherapy in adults", "", "chemotherapy"),
        # the drug itself, what was tried, and what is no treatment
        ("Zorvimab in asthma", "All patients received zorvimab for six weeks.", ""),
        ("Zorvimab in asthma", "All patients received placebo or aspirin.", ""),
        ("Zorvimab in asthma", "All patients received the same volume of aspirin.", ""),
        ("Zorvimab in asthma", "All patients received a leaflet.", ""),
        ("Zorvimab in asthma", "Not all patients received prednisolone.", ""),
        ("Zorvimab in asthma", "All patients received prednisolone before enrolment.", ""),
        ("Zorvimab in asthma", "Zorvimab was compared with pioglitazone added to metformin.", ""),
        ("Zorvimab in asthma", "In one group patients received aspirin.", ""),
    ],
)
def test_it_is_read_from_the_title_and_the_abstract(title: str, abstract: str, treatment: str) -> None:
    assert read_shared_treatment(title, abstract, ("zorvimab",)) == treatment
