"""A statement is worth what its quote supports: the rules that need no model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents.writers import source
from hypothesis import given, settings
from hypothesis import strategies as st

from storm.agents.drafts import MAX_CHARACTERS, Draft, check_draft, is_markable
from storm.databases.corpus.database import SAMPLE_FOLDER
from storm.models import Verdict
from storm.ranking import split_sentences

SOURCES = {
    "src_001": source(
        1, "Zorvimab did not improve survival in 40 men. Response rose to 22% [12].", "A title of it"
    ).hit,
    "src_002": source(2, "Zorvimab prolonged survival in 2,000 women by .5 years.").hit,
    "src_004": source(4, "The trial is on ClinicalTrials.gov. The area was 22 mg.hr/mL with zorvimab-Q7, as told.").hit,
    "src_003": source(3, "無作為化試験において、生存期間中央値は25.1か月であった。").hit,
}
RISE = "Response rose to 22%"


def draft(text: str, quote: str = RISE, ids: Any = ("src_001",)) -> Draft:
    return Draft.model_validate({"text": text, "quote": quote, "source_ids": ids})


@pytest.mark.parametrize(
    "sound",
    [
        draft("Response rose to 22%."),
        draft("The rate of response was 22 percent [1] (src_001)."),
        draft("Response rose.", "response ROSE to 22%"),
        draft("Response rose.", ids="src_001, src_009"),
        draft("Response rose.", ids=None),
        draft("Men lived no longer.", "Zorvimab did not improve survival in 40 men."),
        draft("It failed in 40 men.", "Zorvimab did not improve survival in 40 men."),
        draft("A title was given.", "A title of it"),
        draft("Women lived 0.5 years longer.", "prolonged survival in 2,000 women by .5 years", ids=["src_002"]),
        draft("Women lived longer.", "prolonged survival in 2,000 women by .5 years", ids=["src_001", "src_002"]),
        draft("Median survival was 25.1 months.", "生存期間中央値は25.1か月", ids=["src_003"]),
        draft("It is on ClinicalTrials.gov.", "The trial is on ClinicalTrials.gov", ["src_004"]),
        draft("Response rose (22%; src_001), as seen [src_001 and src_777]; src_002."),
        draft("src_001: Response rose."),
        draft("Response rose in PMID1 with zorvimab-Q7."),
        draft("With zorvimab-Q7 the area was 22 mg.hr/mL.", "The area was 22 mg.hr/mL", ["src_004"]),
    ],
)
def test_a_carried_statement_is_supported_by_the_one_source_that_holds_its_quote(sound: Draft) -> None:
    checked = check_draft(sound, SOURCES, "zorvimab-Q7")
    assert (checked.fault, checked.statement.verdict) == ("", Verdict.SUPPORTED)
    (source_id,) = checked.statement.source_ids
    assert checked.statement.quote in SOURCES[source_id].text + SOURCES[source_id].title
    assert "src_" not in checked.statement.text and "[" not in checked.statement.text


@pytest.mark.parametrize("beside", ["(PMID 1)", "[PubMed ID: 1]", "(PMID:1; https://pubmed.ncbi.nlm.nih.gov/1/)"])
def test_a_reference_to_its_own_source_is_dropped_from_a_statement(beside: str) -> None:
    checked = check_draft(draft(f"Response rose to 22% {beside}."), SOURCES)
    assert (checked.statement.text, checked.fault) == ("Response rose to 22%.", "")


@pytest.mark.parametrize("text", ["It rose (PMID 31234567).", "PMCID PMC31234567 says that it rose.", "Response rose."])
def test_a_statement_that_refers_to_another_work_is_not_even_shown_as_unsupported(text: str) -> None:
    checked = check_draft(draft(text, "invented words of mine"), SOURCES)
    assert checked.fault and is_markable(checked) is (text == "Response rose.")


@pytest.mark.parametrize(
    ("unsound", "fault"),
    [
        (draft("Response rose to 23%."), "its quote does not hold 23%"),
        (draft("Zorvimab improved survival.", "Zorvimab did not improve survival in 40 men."), "its quote denies"),
        (draft("Zorvimab did not prolong it.", "Zorvimab prolonged survival in 2,000 women", ["src_002"]), "it denies"),
        (draft("Response rose.", "Response rose to twenty"), "is not word for word in src_001"),
        (draft("Response rose.", "invented words of mine", ["src_404"]), "there is no record src_404, and its quote"),
        (draft("Response rose.", "invented words of mine", []), "word for word in any record"),
        (draft("Response rose.", "40 men. Response"), "too short"),
        (draft("Response rose.", "  "), "it has no quote"),
        (draft("", RISE), "it has no text"),
        (draft("It rose. It fell.", RISE), "more than one sentence"),
        (draft("It rose " + "and rose " * 80 + "again.", RISE), "more than one sentence"),
        (draft("See doi.org/10.1000/182 for it.", RISE), "it refers to doi.org/10.1000/182, which is not its source"),
        (draft("See www.example.org for it.", RISE), "an address or an identifier"),
        (draft("See evil.com/cure or bit.ly/x for it."), "an address or an identifier"),
        (draft("Write to a@evil.com about it."), "an address or an identifier"),
        (draft("See hxxp://evil/a for it."), "an address or an identifier"),
        (draft("It rose as src_001 and src_777 prove."), "it names the id of a record"),
        (draft("It rose in NCT09999999 (PMID31234567)."), "refers to PMID31234567, which is not its source"),
        (draft("It rose in NCT09999999."), "its quote does not hold nct09999999"),
        (draft("It rose (PMID: 31234567)."), "refers to PMID: 31234567, which is not its source"),
        (draft("It rose (doi:10.1000/182)."), "refers to 10.1000/182, which is not its source"),
        (draft("It rose, as https://pubmed.ncbi.nlm.nih.gov/31234567/ says."), "31234567/, which is not its source"),
        (draft("HR0.12 was seen."), "its quote does not hold hr0.12"),
        (draft("It rose to twenty-one percent."), "its quote does not hold 21%"),
        (draft("Response rose.", "期間中央"), "too short"),
        (Draft(), "it has no text"),
    ],
)
def test_what_is_not_carried_has_its_fault_named(unsound: Draft, fault: str) -> None:
    checked = check_draft(unsound, SOURCES)
    assert fault in checked.fault
    assert checked.statement.verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Response was 22% (src_001).", "Response was 22%."),
        ("Response (src_001, src_002) was [see src_003] 22%.", "Response was 22%."),
        ("Response was 22% (of 40; src_001).", "Response was 22% (of 40)."),
        ("Response was 22%. src_001", "Response was 22%."),
        ("Response was 22%, SRC_001.", "Response was 22%."),
        ("src_001: Response was 22%.", "Response was 22%."),
        ("Response was 22% as src_001 and src_777 prove.", "Response was 22% as src_001 and src_777 prove."),
    ],
)
def test_ids_that_stand_beside_a_sentence_are_taken_away(text: str, left: str) -> None:
    assert check_draft(draft(text), SOURCES).statement.text == left


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a string", Draft()),
        (None, Draft()),
        ([1, 2], Draft()),
        (
            {"text": 5, "source_ids": [1, None, {}, "src_001"], "quote": {}},
            Draft(text="5", source_ids=["1", "src_001"]),
        ),
        ({"text": ["a"], "source_ids": 7, "quote": None}, Draft(source_ids=["7"])),
        ({"text": "It rose.", "source_ids": {"id": 1}}, Draft(text="It rose.")),
    ],
)
def test_what_has_another_form_is_read_as_far_as_it_can_be(written: Any, read: Draft) -> None:
    assert Draft.model_validate(written) == read


def sample_texts() -> list[str]:
    lines = (SAMPLE_FOLDER / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line).get("text", "") for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 2, 3])
def test_each_sentence_of_a_real_quote_is_carried_by_it(length: int) -> None:
    checked = 0
    for text in sample_texts():
        spans = split_sentences(text)
        for first, last in zip(spans, spans[length - 1 :], strict=False):
            quote = text[first.start : last.end]
            for span in spans:
                if first.start <= span.start < last.end and len(span.text) <= MAX_CHARACTERS:
                    assert not check_draft(draft(span.text, quote), {"src_001": source(1, text).hit}).fault
                    checked += 1
    assert checked > 100


CHUNKS = ("Zorvimab", "no", "did not", "rats", "more than", "less", "placebo", "than", "36%", "12 mg", "may", "all",
          "in", "only", "10 of 40 (25%)", "vs", "significantly", "improved", "group 2", "some", "survival", ", whereas",
          "(P = 0.2)", "aimed to", "from 8% to 27%", "was", "fell")  # fmt: skip
sentences = st.lists(st.sampled_from(CHUNKS), min_size=4, max_size=16).map(lambda words: f"It {' '.join(words)} seen.")


@settings(deadline=None)
@given(st.lists(sentences, min_size=1, max_size=4), st.data())
def test_each_sentence_of_any_quote_is_carried_by_it(written: list[str], data: st.DataObject) -> None:
    text = " ".join(written)
    sentence = data.draw(st.sampled_from(written))
    assert check_draft(draft(sentence, text), {"src_001": source(1, text).hit}).fault == ""


def test_the_rest_after_an_abbreviation_is_no_sentence_of_its_own() -> None:
    text = "Zorvimab was tried in rats vs. placebo improved survival."
    checked = check_draft(draft("Placebo improved survival.", text), {"src_001": source(1, text).hit})
    assert "animals" in checked.fault


def test_a_quote_that_stands_in_several_sources_is_of_the_one_that_is_named() -> None:
    twice = {"src_009": source(9, f"{RISE} there, too.").hit, **SOURCES}
    assert check_draft(draft("Response rose to 22%."), twice, "zorvimab").statement.source_ids == ("src_001",)
