"""What a record answers so plainly that rules may file it before a model is asked."""

from __future__ import annotations

from typing import Any

import pytest

from storm.extractive.plain_records import select_plain_questions
from storm.models import Hit, Plan
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(read_settings().config_dir)
PLAN = Plan(names=("trastuzumab", "Herceptin"), syllabus=SYLLABUS)
EFFICACY, SAFETY, LANDSCAPE = "clinical.efficacy", "clinical.safety", "competitive.landscape"
TEXT = (
    "Patients were randomised to trastuzumab or placebo. Overall survival was 25.1 months with trastuzumab and 20.3 "
    "months without it (hazard ratio 0.80, P=0.046). The objective response rate was 50 % with trastuzumab."
)


def plain(title: str, text: str = TEXT, **more: Any) -> tuple[str, ...]:
    hit = Hit.of("pubmed", "1", "", title, text=text, publication_types=("Randomized Controlled Trial",), **more)
    return select_plain_questions(hit, SYLLABUS.keys, PLAN)


def test_a_trial_of_the_drug_plainly_answers_what_it_achieves() -> None:
    assert EFFICACY in plain("Overall survival with trastuzumab in metastatic breast cancer: a randomised trial")


@pytest.mark.parametrize(
    "title",
    [
        "Overall survival in metastatic breast cancer: a randomised trial",
        "Overall survival with pertuzumab in metastatic breast cancer: a randomised trial",
    ],
)
def test_a_title_without_the_drug_is_not_plain(title: str) -> None:
    assert plain(title) == ()


def test_a_registered_study_that_lists_the_drug_names_it_first_hand() -> None:
    title = "Overall survival in metastatic breast cancer: a randomised trial"
    assert EFFICACY in plain(title, drugs=("Trastuzumab",))


def test_a_biosimilar_is_plain_for_the_question_that_takes_relatives_alone() -> None:
    found = plain(
        "Trastuzumab biosimilar versus reference trastuzumab: equivalence in a randomised trial",
        "The biosimilar SB3 was equivalent to trastuzumab. The response rate was 51 % with the biosimilar.",
    )
    assert LANDSCAPE in found and EFFICACY not in found


def test_a_record_about_the_drug_itself_is_not_plain_for_a_question_that_takes_relatives() -> None:
    title = "Trastuzumab versus lapatinib compared with competitors: overall survival in a randomised trial"
    assert LANDSCAPE not in plain(title)


def test_only_questions_that_were_asked_about_are_returned() -> None:
    hit = Hit.of("pubmed", "1", "", "Overall survival with trastuzumab: a randomised trial", text=TEXT)
    assert select_plain_questions(hit, [SAFETY], PLAN) == ()


def test_a_record_that_does_not_name_the_drug_is_plain_for_nothing() -> None:
    assert plain("Overall survival in breast cancer", "Nothing else was reported.") == ()
