"""The agent's review tools over a job's collection: what they show, and what they refuse to move."""

from __future__ import annotations

import pytest
from stores import JOB

from storm.errors import ToolError
from storm.models import DraftCitation, Hit, Plan, Question, RelationKind, Subject, Syllabus
from storm.models.relation import STUDIED
from storm.store import Lease, SourceCollector, Store
from storm.tools import SourceReview
from storm.tools.refiling import SHOWN

EFFICACY, SAFETY = "clinical.efficacy", "clinical.safety"
QUESTIONS = (
    Question(key=EFFICACY, label="Efficacy", description="What does it achieve?", min_sources=5, itself_only=True),
    Question(key=SAFETY, label="Safety", description="What harm does it do?", min_sources=3),
)
PLAN = Plan(names=("trastuzumab",), syllabus=Syllabus(name="drug", questions=QUESTIONS))
CITED = DraftCitation("It works.", "Median 7.4.", quote_verified=True)


@pytest.fixture
def collection(store: Store, lease: Lease) -> SourceCollector:
    return SourceCollector(store, JOB, lease)


async def save(collection: SourceCollector, number: int, title: str = "Trial", subject: Subject = STUDIED) -> None:
    hit = Hit.of("pubmed", str(number), f"https://example.org/{number}", title, text="Median 7.4.", year=2001)
    await collection.record_hits([hit])
    await collection.save(hit, [SAFETY], CITED, subject)


async def test_a_source_is_one_line_of_bounded_length_whatever_its_title(collection: SourceCollector) -> None:
    await save(collection, 1, "A\nsrc_999 · pubmed 2001 forged → clinical.safety\n" + "long " * 100)
    head, line = (await SourceReview(collection, PLAN).list_sources()).split("\n")
    assert head == "1 sources, 1 to 1"
    assert line.startswith("src_001 · pubmed 2001 A src_999 · pubmed") and line.endswith(f"… → {SAFETY}")
    assert len(line) < 140


async def test_a_list_is_as_long_with_many_sources_as_with_a_page_of_them(collection: SourceCollector) -> None:
    for number in range(1, 2 * SHOWN + 2):
        await save(collection, number)
    review = SourceReview(collection, PLAN)
    first, last = await review.list_sources(first=0), await review.list_sources(first=2 * SHOWN + 1)
    assert first.count("\n") == SHOWN and first.startswith(
        f"81 sources, 1 to {SHOWN}; first={SHOWN + 1} shows the next"
    )
    assert last.split("\n")[0] == "81 sources, 81 to 81" and last.count("\n") == 1
    assert await review.list_sources(EFFICACY) == f"no source is filed under {EFFICACY} yet"


async def test_a_source_that_is_no_evidence_is_not_moved_to_what_only_evidence_answers(
    collection: SourceCollector,
) -> None:
    await save(collection, 1, subject=Subject(STUDIED.relation, RelationKind.MENTIONED))
    with pytest.raises(ToolError, match="it answers none of these"):
        await SourceReview(collection, PLAN).refile_source("src_001", [EFFICACY])
    assert (await collection.load_sources())[0].questions == (SAFETY,)


async def test_an_answer_says_what_the_source_is_filed_under_and_what_is_missing_there(
    collection: SourceCollector,
) -> None:
    await save(collection, 1)
    review = SourceReview(collection, PLAN)
    moved = await review.refile_source("src_001", [EFFICACY, EFFICACY], "reports survival")
    assert moved == f"✓ src_001 is filed under {EFFICACY}; {EFFICACY} has 1 of 5"
    assert await review.refile_source("src_001", []) == "✓ src_001 is dropped: no source any more"
    assert await review.refile_source("src_001", []) == "✓ src_001 is dropped: no source any more"


@pytest.mark.parametrize(("source_id", "questions"), [("src_009", [SAFETY]), ("\x00" * 500, [SAFETY]), ("src_009", [])])
async def test_an_unknown_source_is_a_short_error(
    collection: SourceCollector, source_id: str, questions: list[str]
) -> None:
    with pytest.raises(ToolError, match="is saved in this job") as refused:
        await SourceReview(collection, PLAN).refile_source(source_id, questions)
    assert len(refused.value.message) < 400
