"""The answer to one question as values for programs and other agents: its text, its sources, its coverage.

The text is that of the report's document, so that both cite the same sources by the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from storm import wording
from storm.errors import StormError
from storm.models import (
    AnsweredBefore,
    AnswerSource,
    DeepResearchResult,
    Dossier,
    LackKind,
    Reference,
    ResearchStatus,
    Statement,
    StopReason,
    Verdict,
)
from storm.reports import deep_research_wording as words
from storm.reports.bibliography import Bibliography
from storm.reports.checklist import cover, has_failed, items_of, says_nothing
from storm.reports.deep_research_blocks import answer_text_blocks, describe_error, describe_limits
from storm.reports.document import Block, BulletList, Inline, Mark, Paragraph, Sentence, list_runs, one_line, to_text
from storm.reports.sections import name_relation

#: Stop reasons of research that is complete; any other ended it before.
_COMPLETED = (StopReason.COMPLETE, StopReason.NO_PROGRESS)
_PMID = "pmid:"


def make_result(report: Dossier, earlier: AnsweredBefore | None = None) -> DeepResearchResult:
    """The answer of a report that was researched by a checklist, for this question or an `earlier` one. StormError for
    one of another mode.

    Each [n] in its text is the n-th source. If no search succeeded, there is no text, and `error` says what was tried.
    """
    deep_research = report.deep_research
    if deep_research is None:
        raise StormError(
            f"{report.job_id} is not an answer to a question: it was made in the mode {report.mode or 'extractive'}",
            hint="ask a question in the mode deep_research",
        )
    failed = has_failed(report)
    stopped = StopReason.MODEL_ERROR if report.stopped == StopReason.MODEL_ERROR else deep_research.stop_reason
    blocks = () if failed else _lay_out(report)
    numbers = {n: number for number, n in enumerate(dict.fromkeys(_list_marks(blocks)), start=1)}
    return DeepResearchResult(
        trace_id=report.job_id,
        answer="" if failed else "\n\n".join(_write_answer(report, blocks, numbers)),
        sources=tuple(_list_sources(report, blocks, numbers)),
        checklist_coverage=cover(items_of(report)),
        iterations_used=len(deep_research.iterations),
        status=ResearchStatus.ERROR if failed else _status_of(stopped),
        stop_reason=stopped.value,
        error=describe_error(report) if failed else "",
        earlier=earlier,
    )


def _status_of(stopped: StopReason) -> ResearchStatus:
    return ResearchStatus.COMPLETED if stopped in _COMPLETED else ResearchStatus.MAX_ITERATIONS


def _lay_out(report: Dossier) -> Sequence[Block]:
    bibliography = Bibliography(report.references, lambda text: name_relation(text, report))
    return tuple(answer_text_blocks(report, bibliography))


def _write_answer(report: Dossier, blocks: Sequence[Block], numbers: dict[int, int]) -> Iterator[str]:
    """The paragraphs, below what the drug's name was perhaps meant to be; where nothing was found, the sentence that
    says so is all."""
    mistyped = [note for note in report.notes if note.startswith(wording.PERHAPS_MISTYPED.partition("{")[0])]
    if not says_nothing(report):
        yield from mistyped
    yield from _write_blocks(blocks, numbers)
    if not says_nothing(report):
        named = [lack.note for lack in report.lacks if lack.kind is LackKind.UNFINISHED]  # the limits name these items
        notes = [note for note in report.notes if note not in (*named, *mistyped)]
        said = " ".join((describe_limits(report), *(note for note in notes if note != wording.BUNDLED_SAMPLE)))
        yield words.LIMITS_ARE.format(limits=one_line(said))
        if wording.BUNDLED_SAMPLE in notes:
            yield wording.BUNDLED_SAMPLE


def _write_blocks(blocks: Sequence[Block], numbers: dict[int, int]) -> Iterator[str]:
    """Each block as text; a list stands right below the line before it."""
    label = ""
    for block in blocks:
        match block:
            case BulletList(items=items):
                lines = [f"- {_write_run(item, numbers)}" for item in items]
                yield "\n".join(filter(None, (label, *lines)))
                label = ""
            case Paragraph(content=content):
                if label:
                    yield label
                label = _write_run(content, numbers)
    if label:
        yield label


def _write_run(run: Iterable[Inline], numbers: dict[int, int]) -> str:
    """A run on one line, in which nothing but a citation looks like one."""
    return "".join(_write_piece(piece, numbers) for piece in run)


def _write_piece(piece: Inline, numbers: dict[int, int]) -> str:
    match piece:
        case Mark(numbers=cited):
            return "".join(f"[{numbers[n]}]" for n in cited)
        case Sentence(content=content):
            return _write_run(content, numbers)
        case _:
            return one_line(to_text((piece,)))


def _list_marks(blocks: Iterable[Block]) -> Iterator[int]:
    """The reference number of each mark, in reading order."""
    for block in blocks:
        for run in list_runs(block):
            for piece in run:
                yield from _list_numbers(piece)


def _list_numbers(piece: Inline) -> Iterator[int]:
    if isinstance(piece, Mark):
        yield from piece.numbers
    elif isinstance(piece, Sentence):
        for one in piece.content:
            yield from _list_numbers(one)


def _list_sources(report: Dossier, blocks: Iterable[Block], numbers: dict[int, int]) -> Iterator[AnswerSource]:
    references = {reference.n: reference for reference in report.references}
    quotes = _find_quotes(report, blocks)
    for n, number in numbers.items():
        reference = references[n]
        yield _make_source(number, reference, quotes.get(reference.source_id, ""))


def _make_source(number: int, reference: Reference, quote: str) -> AnswerSource:
    pmid = next((key.removeprefix(_PMID) for key in reference.identifiers if key.startswith(_PMID)), None)
    return AnswerSource(
        id=f"src_{number}",
        type="pubmed" if pmid else "web",
        title=reference.title,
        url=reference.url,
        snippet=quote,
        source_id=reference.source_id,
        pmid=pmid,
        database=reference.source_type,
        authors=reference.authors,
        year=reference.year,
        journal=reference.container or "",
    )


def _find_quotes(report: Dossier, blocks: Iterable[Block]) -> dict[str, str]:
    """The quote of the first statement of each source, those of the answer before all others. It stands in that source:
    an unsupported statement may have been written with any, and a further source of a statement has none of its own."""
    written = (piece.statement for block in blocks for run in list_runs(block) for piece in run
               if isinstance(piece, Sentence))  # fmt: skip
    others = (statement for answer in report.answers for statement in answer.all_statements)
    quotes: dict[str, str] = {}
    statements: list[Statement] = [*written, *others]
    for statement in statements:
        if statement.quote and statement.verdict is not Verdict.UNSUPPORTED:
            quotes.setdefault(statement.source_ids[0], statement.quote)
    return quotes
