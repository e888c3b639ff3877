"""What an answer's statements become when they are checked and cited."""

from __future__ import annotations

from storm.models import Answer, Hit, JobRequest, Question, Section, SectionKind, Source, Statement, Syllabus
from storm.modes.answer_check import check_answer
from storm.store import SourceCollector, Store

SYLLABUS = Syllabus(name="drug", questions=(Question(key="harm", label="harm", description="harm", min_sources=1),))
HIT = Hit.of(
    "pubmed", "1", "https://example.org/1", "Zorvimab",
    sections=(
        Section(label="Results", text="Zorvimab caused rash."),
        Section(text="Rash in all arms.", kind=SectionKind.CAPTION, place="Figure 2"),
    ),
)  # fmt: skip


def says(quote: str) -> Statement:
    return Statement(text=quote, quote=quote, source_ids=("src_001",))


async def test_a_statement_and_its_citation_name_the_part_in_which_the_quote_stands(store: Store) -> None:
    await store.jobs.create(JobRequest(text="zorvimab", syllabus=SYLLABUS), "zorvimab-1")
    async with await store.jobs.hold("zorvimab-1") as lease:
        collection = SourceCollector(store, "zorvimab-1", lease)
        await collection.set_questions(SYLLABUS.keys)
        await collection.record_hits([HIT])
        source = Source(source_id="src_001", number=1, hit=HIT, questions=("harm",))
        draft = Answer(
            question="harm",
            statements=tuple(map(says, ("Zorvimab caused rash.", "Rash in all arms.", "rash. Rash in all arms."))),
        )

        answer = await check_answer(draft, [source], collection, "remove")

        assert [statement.section for statement in answer.statements] == ["Results", "Figure 2"]
        cited = [await collection.citation(statement.citation_id) for statement in answer.statements]
        assert [citation.section for citation in cited if citation] == ["Results", "Figure 2"]
        assert answer.counts.removed == 1


async def test_a_citation_has_the_address_of_the_source_that_contains_its_quote(store: Store) -> None:
    other = Hit.of("pubmed", "2", "https://example.org/2", "Zorvimab", text="Zorvimab raised the blood pressure.")
    await store.jobs.create(JobRequest(text="zorvimab", syllabus=SYLLABUS), "zorvimab-1")
    async with await store.jobs.hold("zorvimab-1") as lease:
        collection = SourceCollector(store, "zorvimab-1", lease)
        await collection.set_questions(SYLLABUS.keys)
        await collection.record_hits([HIT, other])
        sources = [
            Source(source_id=f"src_00{n}", number=n, hit=hit, questions=("harm",))
            for n, hit in enumerate((HIT, other), 1)
        ]
        said = Statement(text=other.text, quote=other.text, source_ids=("src_001", "src_002"))

        answer = await check_answer(Answer(question="harm", statements=(said,)), sources, collection, "remove")

        cited = await collection.citation(answer.statements[0].citation_id)
        assert cited and (cited.context, answer.statements[0].source_ids[0]) == (other.url, "src_002")
