"""What has expired when a dossier's job began is written in the past tense."""

from __future__ import annotations

from datetime import date

import pytest

from storm.models import ProtectionFact
from storm.reports.expiries import describe_expiry, passed_expiries, passed_plans

DAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("expiry", "paediatric", "expected"),
    [
        ("2023-01-26", None, "expired on 2023-01-26"),
        ("2026-11-21", None, "expires on 2026-11-21"),
        ("2031-01-26", None, "expires on 2031-01-26"),
        ("2026", None, "expires in 2026"),
        ("2025-03", None, "expired in 2025-03"),
        ("2021-03-17", "2021-09-17", "expired on 2021-03-17; paediatric exclusivity ended on 2021-09-17"),
        ("2026-08-17", "2027-02-17", "expired on 2026-08-17; paediatric exclusivity lasts until 2027-02-17"),
        (None, "2021-09-17", "paediatric exclusivity ended on 2021-09-17"),
    ],
)
def test_a_patent_is_described_as_of_the_day_of_the_job(
    expiry: str | None, paediatric: str | None, expected: str
) -> None:
    patent = ProtectionFact(text="US patent", expiry=expiry, paediatric_expiry=paediatric, source_id="src_001")
    assert describe_expiry(patent, DAY) == expected


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("it expires on 2021-03-17 for product 001, 2031-03-19 for product 002; use code U-604.", ["2021-03-17"]),
        ("expiry date 2021-03-17; with paediatric exclusivity until 2021-09-17; listed.", ["2021-03-17", "2021-09-17"]),
        ("expiry date 2021-03-17 for product 001, 2022-01-01 for products 002, 003; x", ["2021-03-17", "2022-01-01"]),
        ("exclusivity expiry date 2031-05-01; approved on 2019-05-01.", []),
        ("The patent will expire in 2019.", ["2019"]),
        ("It expires in 2031 unless the ruling of 2019 falls.", []),
        ("The patent expired in 2012.", []),
        ("The patent expires Mar 17, 2021.", ["2021-03-17"]),
        ("It expires on 7 March 2021; another one expires in March 2031.", ["2021-03-07"]),
        ("The patent expires in Sept. 2021.", ["2021-09"]),
        ("expiry: 2020-01-01", ["2020-01-01"]),
        ("It is listed, the expiry date being 25 October 2021.", ["2021-10-25"]),
        ("Its patent ends in 2020.", ["2020"]),
        ("The term runs until 2020-05-01.", ["2020-05-01"]),
        ("Patent protection in 2020 was weak.", []),
        ("Expiry date: January 1, 2020.", ["2020-01-01"]),
        ("The product is protected until 2021-03-17.", ["2021-03-17"]),
        ("The patent is in force until 2020.", ["2020"]),
        ("Market protection until May 2019.", ["2019-05"]),
        ("Its patent is in force until May 2, 2031.", []),
        ("Patients were protected until week 20.", []),
        ("It expires in 2026.", []),
        ("The basic patent was to run out on 28 July 2014.", ["2014-07-28"]),
        ("Its exclusivity expires 03/17/2021.", ["2021-03-17"]),
        ("Patent protection through 2021 is listed.", ["2021"]),
        ("The patents are expiring by the end of 2020.", ["2020"]),
        ("The patent expires in Q1 2020.", ["2020"]),
        ("The patent expires 17-Mar-2021.", ["2021-03-17"]),
        ("Exclusivity until December 31st, 2019.", ["2019-12-31"]),
    ],
)
def test_dates_of_expiry_that_have_passed_are_found_in_a_sentence(text: str, passed: list[str]) -> None:
    assert passed_expiries(text, DAY) == passed


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("Primary completion expected 2019-12-30; completion expected 2028-03.", ["2019-12-30"]),
        ("The launch is planned for March 2020.", ["2020-03"]),
        ("It is expected to be launched in 2019.", ["2019"]),
        ("Approval was expected.", []),
        ("It is expected in 2026.", []),
        ("Estimated completion date: 2020.", ["2020"]),
        ("Data are expected in early 2020.", ["2020"]),
    ],
)
def test_what_was_planned_for_a_day_that_has_passed_is_found(text: str, passed: list[str]) -> None:
    assert passed_plans(text, DAY) == passed
