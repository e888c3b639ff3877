"""Which of the records that a question's searches found are filed under it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from storm.evidence.candidates import SharedReader
from storm.extractive import source_selector
from storm.extractive.source_selector import RuleSelector
from storm.models import Exclusion, Hit, Plan, Question
from storm.roles import Selection
from storm.syllabus import bundled_syllabus

DRUG = bundled_syllabus(Path(__file__).parents[2] / "config")
PLAN = Plan(names=("trastuzumab", "Herceptin"), syllabus=DRUG)
EFFICACY, SAFETY = DRUG.question("clinical.efficacy"), DRUG.question("clinical.safety")
OWN = Question(key="own", label="Dosing", description="How it is given", min_sources=2)
RESULT = "Trastuzumab improved overall survival (hazard ratio 0.7, 95% CI 0.6-0.8; P<0.001)."


def trial(number: int, title: str = "Trastuzumab in breast cancer", text: str = RESULT, **fields: Any) -> Hit:
    return Hit.of("pubmed", str(number), f"https://example.org/{number}", title, text=text, pmid=str(number), **fields)


class Seen:
    """A collection of records, which it gives a few at a time; `aliases` are other identifiers of them."""

    def __init__(self, *hits: Hit) -> None:
        self._hits = {identifier: hit for hit in hits for identifier in hit.identifiers}
        self.most_at_once = 0
        self.asked_for: set[str] = set()

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        self.most_at_once = max(self.most_at_once, len(keys))
        self.asked_for.update(keys)
        return [self._hits.get(key) for key in keys]


async def select(
    hits: Sequence[Hit],
    found: Sequence[Sequence[str]],
    question: Question = EFFICACY,
    *,
    most: int = 10,
    plan: Plan = PLAN,
    **more: Any,
) -> Selection:
    selector = RuleSelector(Seen(*hits), SharedReader(), most=most)  # type: ignore[arg-type]
    return await selector.select(question, found, plan, **more)


def keys_of(selection: Selection) -> list[str]:
    return [record.hit.key for record in selection.records]


async def test_records_that_answer_the_question_are_selected_with_their_best_sentence() -> None:
    hit = trial(1, text=f"Breast cancer is common. {RESULT}")
    selection = await select([hit], [["pmid:1"]])
    assert [(record.hit, record.excerpt) for record in selection.records] == [(hit, RESULT)]
    assert selection.excluded == {}


async def test_a_record_that_does_not_answer_is_left_out_with_the_reason_of_the_rules() -> None:
    other = trial(2, "Lapatinib in breast cancer", "Lapatinib improved survival (hazard ratio 0.7; P<0.001).")
    letter = trial(3, publication_types=("Editorial",))
    selection = await select([trial(1), other, letter], [["pmid:1", "pmid:2", "pmid:3", "pmid:4"]])
    assert keys_of(selection) == ["pmid:1"]
    assert selection.excluded == {"pmid:2": Exclusion.NOT_NAMED, "pmid:3": Exclusion.NO_REPORT}


async def test_only_so_many_records_are_taken_the_best_and_the_others_are_below_the_cut() -> None:
    hits = [trial(number) for number in range(1, 6)]
    selection = await select(hits, [["pmid:4", "pmid:2", "pmid:1"], ["pmid:4", "pmid:3", "pmid:5"]], most=2)
    assert keys_of(selection) == ["pmid:4", "pmid:2"]
    assert selection.excluded == dict.fromkeys(("pmid:1", "pmid:3", "pmid:5"), Exclusion.BELOW_CUT)


async def test_the_words_of_the_question_and_the_strength_of_a_study_count_beside_the_rank() -> None:
    plain, better = trial(1), trial(2, "Overall survival with trastuzumab: a randomised phase 3 trial", year=2020)
    assert keys_of(await select([plain, better], [["pmid:1", "pmid:2"]])) == ["pmid:2", "pmid:1"]


async def test_one_work_that_two_searches_found_by_different_identifiers_is_one_record() -> None:
    hit = trial(1, doi="10.1000/1")
    selection = await select([hit, trial(2)], [["pmid:2", "pmid:1"], ["doi:10.1000/1"]])
    assert keys_of(selection) == ["pmid:1", "pmid:2"]


async def test_what_was_filed_before_does_not_take_the_place_of_another() -> None:
    hits = [trial(1, doi="10.1000/1"), trial(2)]
    selection = await select(hits, [["pmid:1", "pmid:2"]], most=1, filed={"doi:10.1000/1"})
    assert (keys_of(selection), selection.excluded) == (["pmid:2"], {})


async def test_what_was_found_for_another_question_is_taken_if_it_answers_this_one() -> None:
    harm = trial(2, "Cardiac safety of trastuzumab", "Adverse events of trastuzumab were cardiac failure in 4%.")
    selection = await select([trial(1), harm], [["pmid:2"]], SAFETY, others=["pmid:1", "pmid:2"])
    assert (keys_of(selection), selection.excluded) == (["pmid:2"], {})
    selection = await select([trial(1), harm], [["pmid:2"]], others=["pmid:1"])
    assert "pmid:1" in keys_of(selection)


async def test_a_question_without_rules_takes_only_what_its_own_searches_found() -> None:
    plan = PLAN.model_copy(update={"syllabus": DRUG.model_copy(update={"questions": (OWN,)})})
    dose = [trial(n, "Trastuzumab dosing", "A dose of trastuzumab is given weekly.") for n in (1, 2)]
    selection = await select(dose, [["pmid:1"]], OWN, plan=plan, others=["pmid:2"])
    assert (keys_of(selection), selection.excluded) == (["pmid:1"], {})


async def test_what_was_found_for_other_questions_is_not_read_for_one_without_rules() -> None:
    plan = PLAN.model_copy(update={"syllabus": DRUG.model_copy(update={"questions": (OWN,)})})
    seen = Seen(trial(1), trial(2))
    selector = RuleSelector(seen, SharedReader(), most=10)  # type: ignore[arg-type]
    await selector.select(OWN, [["pmid:1"]], plan, others=["pmid:2"])
    assert seen.asked_for == {"pmid:1"}


async def test_few_records_are_in_memory_at_a_time() -> None:
    hits = [trial(number) for number in range(1, 101)]
    seen = Seen(*hits)
    selector = RuleSelector(seen, SharedReader(), most=3)  # type: ignore[arg-type]
    selection = await selector.select(EFFICACY, [[hit.key for hit in hits]], PLAN)
    assert (len(selection.records), len(selection.excluded)) == (3, 97)
    assert seen.most_at_once == source_selector._AT_ONCE


async def test_a_text_is_read_again_when_it_has_changed() -> None:
    empty, full = trial(1, text=""), trial(1)
    seen = Seen(empty)
    selector = RuleSelector(seen, SharedReader(), most=3)  # type: ignore[arg-type]
    assert (await selector.select(EFFICACY, [["pmid:1"]], PLAN)).excluded == {"pmid:1": Exclusion.NO_TEXT}
    seen._hits["pmid:1"] = full
    assert keys_of(await selector.select(EFFICACY, [["pmid:1"]], PLAN)) == ["pmid:1"]
