"""`sources.json`: a collection with its texts, question by question, written as it is read."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storm.errors import StormError
from storm.export import sources
from storm.export.sources import write_sources
from storm.models import CollectedQuestion, Hit, Question, Source, Syllabus

SYLLABUS = Syllabus(
    name="two",
    questions=(
        Question(key="a.b", label='A "sources": []', description="What?\nAnd why?", min_sources=2),
        Question(key="c", label="C", description="Who?", min_sources=1),
        Question(key="d", label="D", description="When?", min_sources=3),
    ),
)


def source(number: int, *questions: str) -> Source:
    hit = Hit.of("pubmed", str(number), f"https://x.org/{number}", f"Étude “{number}”", text="One.\nTwo.", year=2001)
    if number == 1:
        hit = hit.model_copy(update={"publication_types": ("Review", "Letter")})
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=questions, citation_ids=("cit_1",))


EVIDENCE = (
    "date", "design", "participants", "retraction", "level_efficacy", "level_safety", "level_reason", "level_basis",
    "text_read", "preprint", "score", "score_parts",
)  # fmt: skip
SOURCES = (source(1, "a.b", "d"), source(2, "d"))


async def streamed(*sources: Source) -> AsyncIterator[Source]:
    for one in sources:
        yield one


async def test_each_source_stands_under_its_questions_by_number(tmp_path: Path) -> None:
    path = await write_sources("the-job", SYLLABUS, streamed(*SOURCES), tmp_path)
    text = path.read_text(encoding="utf-8")
    found = json.loads(text)
    assert (path.name, found["job"], found["total"], list(found["questions"])) == (
        "sources.json", "the-job", 2, ["a.b", "c", "d"],
    )  # fmt: skip
    assert [[one["source_id"] for one in q["sources"]] for q in found["questions"].values()] == [
        ["src_001"], [], ["src_001", "src_002"],
    ]  # fmt: skip
    assert found["questions"]["a.b"]["label"] == 'A "sources": []'
    assert found["questions"]["a.b"]["sources"] == [{
        "source_id": "src_001", "source_type": "pubmed", "external_id": "1", "url": "https://x.org/1",
        "title": "Étude “1”", "year": 2001, "publication_types": ["Review", "Letter"], "text": "One.\nTwo.",
        "citations": ["cit_1"], "date": None, "design": "editorial or letter", "participants": None,
        "retraction": "not_checked", "level_efficacy": None, "level_safety": None,
        "level_reason": "editorial or letter", "level_basis": "publication type Letter", "text_read": "abstract",
        "preprint": False, "score": 4, "score_parts": {"text": 3, "date": 1},
    }]  # fmt: skip
    assert text == json.dumps(found, ensure_ascii=False, indent=2) + "\n"


async def test_each_question_is_written_as_a_collected_question_says_itself(tmp_path: Path) -> None:
    path = await write_sources("the-job", SYLLABUS, streamed(*SOURCES), tmp_path)
    for question in SYLLABUS.questions:
        own = tuple(source for source in SOURCES if question.key in source.questions)
        written = json.loads(path.read_text(encoding="utf-8"))["questions"][question.key]
        for one in written["sources"]:
            for name in EVIDENCE:
                one.pop(name)
        assert CollectedQuestion(question, own).to_fields() == written


async def test_the_evidence_of_the_first_sources_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_RATED", 1)
    path = await write_sources("the-job", SYLLABUS, streamed(*SOURCES), tmp_path)
    found = json.loads(path.read_text(encoding="utf-8"))
    first, second = found["questions"]["d"]["sources"]
    assert (found["rated"], first["score"], "score" in second) == (1, 4, False)


async def test_a_collection_that_cannot_be_read_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = await write_sources("the-job", SYLLABUS, streamed(*SOURCES), tmp_path)
    before = path.read_bytes()

    async def lost() -> AsyncIterator[Source]:
        yield SOURCES[0]
        raise StormError("the collection is damaged")

    with pytest.raises(StormError, match="damaged"):
        await write_sources("the-job", SYLLABUS, lost(), tmp_path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [before]
