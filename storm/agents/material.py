"""Prepares the sources of a question for the writer, in batches that fit into a prompt, each piece under its id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm import wording
from storm.agents.fencing import fence_text, plain_line
from storm.evidence.passages import read_passages
from storm.models import (
    Citation,
    CollectedQuestion,
    Hit,
    Plan,
    Question,
    Relation,
    Retraction,
    Section,
    SectionKind,
    Source,
)
from storm.ranking import rank_for_question

#: Characters of a passage of a long text, and of the longest sentence that is not split.
_PASSAGE = 800
_SENTENCE = 1_600
#: Characters of a name, and how many names of the drug are shown.
_NAME, _NAMES = 100, 4
#: Characters of a note, of a claim and of a registered quote, and maximum quotes of one source.
_NOTE, _CLAIM, _QUOTE, _QUOTES = 300, 200, 600, 6
#: Between passages that do not follow each other.
_LEFT_OUT = "\n[…]\n"


class Piece(NamedTuple):
    """Part of a source, fenced under its id."""

    source_id: str
    text: str


class _Passage(NamedTuple):
    """Consecutive sentences, and their section of the record."""

    text: str
    section: Section


class Material(NamedTuple):
    """Batches of pieces, one per prompt; `partly` are the sources of which only the best passages are included."""

    batches: tuple[tuple[Piece, ...], ...]
    partly: frozenset[str]


def prepare_material(collected: CollectedQuestion, plan: Plan, *, room: int, per_source: int) -> Material:
    """Registered quotes, then all sources with a text, in order, in batches of at most `room` characters.

    Of a text longer than `per_source` characters, the passages most relevant to the question are taken, in order.
    """
    quotes = collected.quotes()
    limit = min(room, per_source)
    pieces = [_quoted_piece(s, quotes[s.source_id], limit) for s in collected.sources if s.source_id in quotes]
    partly = set()
    for source in collected.sources:
        passages = _join_passages(source.hit)
        kept = _select_passages(passages, collected.question, plan, per_source)
        if len(kept) < len(passages):
            partly.add(source.source_id)
        pieces += _build_pieces(source, passages, kept, limit)
    return Material(tuple(_split_batches(pieces, room)), frozenset(partly))


def describe_drug(plan: Plan) -> str:
    """The drug as the user named it, and its other names in databases."""
    name = plain_line(plan.names[0], _NAME)
    others = ", ".join(plain_line(other, _NAME) for other in plan.names[1:_NAMES])
    return f"{name}\nalso called:\n{fence_text(others, 'names')}" if others else name


def _join_passages(hit: Hit) -> list[_Passage]:
    """The record's text in passages of a few sentences, each within one section, without back matter."""
    passages: list[_Passage] = []
    for found in read_passages(hit):
        if found.section.kind is SectionKind.BACK_MATTER:
            continue
        between = "\n" if found.section.rows else " "
        for text in _cut_sentence(found.text):
            last = passages[-1] if passages else None
            if last and last.section is found.section and len(last.text) + len(text) < _PASSAGE:
                passages[-1] = last._replace(text=f"{last.text}{between}{text}")
            else:
                passages.append(_Passage(text, found.section))
    return passages


def _cut_sentence(sentence: str) -> Iterator[str]:
    """Split an overlong sentence, such as a table, between words."""
    while len(sentence) > _SENTENCE:
        at = sentence.rfind(" ", _SENTENCE // 2, _SENTENCE)
        at = at if at > 0 else _SENTENCE
        yield sentence[:at]
        sentence = sentence[at:].lstrip()
    yield sentence


def _select_passages(passages: Sequence[_Passage], question: Question, plan: Plan, limit: int) -> list[int]:
    """Indices of the passages to read, in order."""
    if sum(len(passage.text) for passage in passages) <= limit:
        return list(range(len(passages)))
    kept: list[int] = []
    left = limit
    texts, roles = [one.text for one in passages], [one.section.role for one in passages]
    for scored in rank_for_question(question, plan.names, texts, roles):
        if len(scored.text) <= left or not kept:
            kept.append(scored.index)
            left -= len(scored.text)
    return sorted(kept)


def _build_pieces(source: Source, passages: Sequence[_Passage], places: Sequence[int], limit: int) -> Iterator[Piece]:
    """The passages in pieces of about `limit` characters, each below the record's description; the name of a section
    is put above its first passage."""
    text, before = "", -1
    section: Section | None = None
    for index in places:
        passage = passages[index]
        if text and len(text) + len(passage.text) > limit:
            yield _fence_piece(source, text)
            text, section = "", None
        between = "" if not text else _LEFT_OUT if index > before + 1 else " "
        if passage.section is not section:
            name = plain_line(passage.section.name, _NAME)
            between = ("" if not text else between.rstrip() + "\n\n") + (f"({name})\n" if name else "")
        text += between + passage.text
        before, section = index, passage.section
    if text:
        yield _fence_piece(source, text)


def _quoted_piece(source: Source, citations: Sequence[Citation], limit: int) -> Piece:
    """The registered quotes of a source, in about `limit` characters, below their claims."""
    claims: list[str] = []
    quotes: list[str] = []
    left = limit
    for citation in citations[:_QUOTES]:
        claim, quote = plain_line(citation.claim, _CLAIM), citation.quote[:_QUOTE]
        left -= len(quote) + len(claim)
        if left < 0 and quotes:
            break
        quotes.append(quote)
        if citation.claim != source.hit.title:
            claims.append(claim)
    about = f", for: {'; '.join(claims)}" if claims else ""
    return _fence_piece(source, "\n\n".join(quotes), f"Quoted by the research{about}")


def _fence_piece(source: Source, text: str, remark: str = "") -> Piece:
    hit = source.hit
    lines = (
        hit.title,
        ", ".join(filter(None, (str(hit.year or ""), *hit.publication_types[:3]))),
        _describe_relation(source),
        "Retracted" if hit.retraction is Retraction.RETRACTED else "",
        f"Note of the research, not the record's words: {plain_line(source.note, _NOTE)}" if source.note else "",
        remark,
    )
    return Piece(source.source_id, fence_text("\n".join((*filter(None, lines), "", text)), source.source_id))


def _describe_relation(source: Source) -> str:
    """The role of the drug in the source, unless the source is about the drug itself."""
    if not source.relation_kind.is_evidence:
        return f"No evidence of the drug: {wording.NO_EVIDENCE[source.relation_kind]}"
    about = wording.describe_relation(source.relation, source.relation_kind)
    return f"About a relative of the drug: {about}" if source.relation is not Relation.ITSELF else about.capitalize()


def _split_batches(pieces: Sequence[Piece], room: int) -> Iterator[tuple[Piece, ...]]:
    batch: list[Piece] = []
    for piece in pieces:
        if batch and sum(len(p.text) for p in batch) + len(piece.text) > room:
            yield tuple(batch)
            batch = []
        batch.append(piece)
    if batch:
        yield tuple(batch)
