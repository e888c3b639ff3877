"""Questions that are plainly not in English."""

from __future__ import annotations

import pytest

from storm.reports.language import is_not_english


@pytest.mark.parametrize(
    "question",
    [
        "Reduziert Metformin die Sterblichkeit?",
        "La metformine réduit-elle la mortalité?",
        "¿Reduce la metformina la mortalidad?",
        "Quali pazienti rispondono al trastuzumab con chemioterapia?",
        "二甲双胍能降低死亡率吗？",
        "Снижает ли метформин смертность?",
    ],
)
def test_a_question_in_another_language_is_noticed(question: str) -> None:
    assert is_not_english(question)


@pytest.mark.parametrize(
    "question",
    [
        "Does metformin reduce mortality?", "metformin lactic acidosis", "trastuzumab versus lapatinib survival",
        "Do patients die of lactic acidosis?", "Metformin", "", "?!", "α-glucosidase inhibitors in type 2 diabetes",
        "What did the MA.32 trial find?", "Is trastuzumab safe en route to surgery?",
    ],
)  # fmt: skip
def test_a_question_in_english_or_of_bare_terms_is_not(question: str) -> None:
    assert not is_not_english(question)
