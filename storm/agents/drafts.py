"""Checks a writer's drafts without a model: ids, quotes, numbers and claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, Field, field_validator, model_validator

from storm.agents.fencing import plain_line, unfenced_line
from storm.citations.claims import find_claim_faults
from storm.citations.conversions import align_values
from storm.citations.coverage import Record
from storm.citations.markers import strip_marks
from storm.citations.mentions import drop_own_mentions, find_foreign_mentions, find_mentioned_works
from storm.citations.numbers import find_unsupported_names, find_unsupported_numbers
from storm.citations.populations import without_named_numbers
from storm.citations.quotes import count_words, locate_quote, normalize_text
from storm.citations.terms import means_same
from storm.citations.verification import verify_statement
from storm.evidence.passages import Passage
from storm.evidence.sentence_kinds import SentenceKind, kind_of
from storm.models import Hit, Section, Statement, Verdict
from storm.ranking import split_sentences

#: Maximum characters of a statement; minimum words of a quote, since a name alone supports nothing.
MAX_CHARACTERS = 600
MIN_QUOTE_WORDS = 4
#: Maximum characters read of a text with its ids, and of a quote.
MAX_READ_TEXT = 2_000
MAX_READ_QUOTE = 5_000
#: Characters of a fault.
MAX_FAULT = 300
#: What a statement must not contain: addresses and source ids, which storm adds itself.
_ADDRESS = re.compile(
    r"\w://|\bhttps?:|\bwww\.|\b10\.\d{4,9}/\S"
    r"|(?<![\w.])(?!mcg\.)[a-z0-9][a-z0-9-]{2,}(?:\.[a-z0-9-]+)*\.[a-z]{2,}/\w"  # evil.com/cure; mg.hr/mL is a unit
    r"|(?<![\w.])(?!clinicaltrials\.gov\b)[a-z0-9-]+(?:\.[a-z0-9-]+)*"
    r"\.(?:com|org|net|info|biz|gov|edu|io|app|dev|xyz|site|online|shop|store|club|health|pharmacy|eu|uk|de|ru|cn)\b",
    re.IGNORECASE,
)
#: White space, matched only from its first character: otherwise matching takes quadratic time.
_SPACE = r"(?:(?<!\s)\s+)?"
_IDS = r"src_\d+(?:(?:\s*[,;&]\s*(?:and\s+)?|\s+and\s+)src_\d+)*"
_OWN_ID = re.compile(r"\bsrc_\d+", re.IGNORECASE)
#: Between independent clauses, but not in brackets: "(HR 0.71; 95% CI …)".
_CLAUSE_BORDER = re.compile(r"(?:; |, (?:but|whereas|while|although) )(?![^()]{0,200}\))")
#: Sentences of a study that report no result.
_ANNOUNCED = frozenset({SentenceKind.HYPOTHESIS, SentenceKind.ETHICS})
#: A full stop after which a sentence goes on.
_OPEN_ENDED = re.compile(r"\b(?:vs|i\.e|e\.g|al|figs?|nos?|ca|approx|resp|cf|incl|dr)\.\s*$")
#: A quote of more pieces is not read piece by piece.
MAX_PIECES = 20
#: Ids outside the sentence: in brackets, at the end of brackets, before or after it.
_BESIDE = re.compile(
    rf"{_SPACE}[(\[]\s*(?:see\s+|sources?:?\s+)?{_IDS}\s*[)\]]|{_SPACE}[,;]\s*{_IDS}(?=\s*[)\]])"
    rf"|^\W*{_IDS}\s*[:–—-]\s*|(?:{_SPACE}[,;:–—-]\s*|(?<=[.!?])\s+){_IDS}(?=\W*$)",
    re.IGNORECASE,
)


class Draft(BaseModel):
    """One sentence as the model wrote it."""

    text: str = Field(default="", description="one sentence that says one thing and can be understood alone")
    source_ids: list[str] = Field(default=[], description="the id of the record that it comes from")
    quote: str = Field(default="", description="the words of that record that support it, copied exactly, in one piece")

    @model_validator(mode="before")
    @classmethod
    def _accept_mapping(cls, value: Any) -> Any:
        """An unreadable draft becomes empty; the other drafts stay."""
        return value if isinstance(value, dict) else {}

    @field_validator("text", "quote", mode="before")
    @classmethod
    def _read_text(cls, value: Any) -> str:
        return _plain_text(value)

    @field_validator("source_ids", mode="before")
    @classmethod
    def _read_ids(cls, value: Any) -> list[str]:
        """Accept a single id without a list, as models write it."""
        named = value if isinstance(value, list | tuple) else re.split(r"[,;\s]+", _plain_text(value))
        return [name for name in map(_plain_text, named) if name]


def _plain_text(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


class CheckedDraft(NamedTuple):
    """A draft as a statement; `fault` says why its source does not support it, and is empty if it does."""

    statement: Statement
    fault: str = ""


def check_draft(draft: Draft, sources: Mapping[str, Hit], drug: str = "") -> CheckedDraft:
    """The draft as a statement whose quote is its source's own words.

    It cites the record that contains the quote, whichever the model named. It is supported if the quote is in that
    record word for word and contains each number of the sentence, each name with a number in it (NCT00045032) is the
    record's or the drug's, and `find_claim_faults` finds no claim beyond the quote.
    """
    named = tuple(dict.fromkeys(filter(None, (source_id.strip(" []\"'") for source_id in draft.source_ids))))
    known = tuple(source_id for source_id in named if source_id in sources)
    if fault := _length_fault(draft):
        cut = Statement(text=plain_line(draft.text, 200), quote="", source_ids=(), verdict=Verdict.UNSUPPORTED)
        return CheckedDraft(cut, fault)
    text = strip_marks(_BESIDE.sub("", unfenced_line(draft.text))).strip()
    cited, words = _find_quoted_source(draft.quote, known, sources)
    ids = (cited,) if cited else known
    text = drop_own_mentions(text, [sources[source_id] for source_id in ids])
    statement = Statement(text=text, quote=words, source_ids=ids)
    fault = (
        _reference_fault(text, [sources[source_id] for source_id in ids])
        or _wording_fault(text)
        or _quote_fault(draft.quote, words, named, known)
    )
    fault = fault or _announcement_fault(words) or _support_fault(statement, sources[cited], drug)
    verdict = Verdict.UNSUPPORTED if fault else verify_statement(statement, sources).verdict
    return CheckedDraft(statement.model_copy(update={"verdict": verdict}), fault)


def is_markable(checked: CheckedDraft) -> bool:
    """Whether it may be shown marked as unsupported: one sentence on a known source, without an address or a
    reference."""
    text = checked.statement.text
    return bool(checked.fault and checked.statement.source_ids) and not (
        _wording_fault(text) or find_mentioned_works(text)
    )


def _find_quoted_source(quote: str, known: tuple[str, ...], sources: Mapping[str, Hit]) -> tuple[str, str]:
    """The source that contains the quote, named ones first, and the quote as the source has it."""
    for source_id in dict.fromkeys((*known, *sources)):
        if located := locate_quote(quote, sources[source_id]):
            return source_id, located.text
    return "", ""


def _reference_fault(text: str, hits: Sequence[Hit]) -> str:
    foreign = find_foreign_mentions(text, hits)
    return f"it refers to {plain_line(', '.join(foreign), 80)}, which is not its source" if foreign else ""


def _length_fault(draft: Draft) -> str:
    if len(draft.text) > MAX_READ_TEXT:
        return f"it has {len(draft.text):,} characters; write at most {MAX_CHARACTERS}"
    if len(draft.quote) > MAX_READ_QUOTE:
        return f"its quote has {len(draft.quote):,} characters; copy at most {MAX_READ_QUOTE:,}"
    return ""


def _wording_fault(text: str) -> str:
    if not text:
        return "it has no text"
    if len(text) > MAX_CHARACTERS or len(split_sentences(text)) > 1:
        return "it is more than one sentence"
    if _OWN_ID.search(text):
        return "it names the id of a record in its sentence"
    return "it holds an address or an identifier" if _ADDRESS.search(text) else ""


def _quote_fault(quote: str, words: str, named: tuple[str, ...], known: tuple[str, ...]) -> str:
    if not quote.strip():
        return "it has no quote"
    if not words:
        unknown = [source_id for source_id in named if source_id not in known]
        there = f"there is no record {plain_line(', '.join(unknown), 80)}, and " if unknown else ""
        return f"{there}its quote is not word for word in {', '.join(known) or 'any record'}"
    return "its quote is too short to support it" if count_words(words) < MIN_QUOTE_WORDS else ""


def _announcement_fault(quote: str) -> str:
    """A fault if the quote is only a hypothesis, or says who approved the study."""
    sentences = (Passage(span.text, strip_marks(span.text), Section(text=span.text)) for span in split_sentences(quote))
    kinds = {kind_of(sentence, sentence.section.role) for sentence in sentences}
    announced = ", ".join(sorted(kinds & _ANNOUNCED))
    return f"its quote reports no result: it is of the kind {announced}" if kinds and kinds <= _ANNOUNCED else ""


def _support_fault(statement: Statement, hit: Hit, drug: str) -> str:
    """What the quote does not say; empty if one sentence or clause of it says everything."""
    if _is_sentence_of(statement.text, statement.quote):
        return ""
    fault = _claim_fault(statement.text, statement.quote, hit, drug)
    if not fault:
        return ""
    for pieces in _split_quote(statement.quote):
        for n, piece in enumerate(pieces):
            beside = (*pieces[:n], *pieces[n + 1 :])
            if not _claim_fault(statement.text, piece, hit, drug, beside, most=1):
                return ""
    return fault


def _is_sentence_of(text: str, quote: str) -> bool:
    """Whether the text is a whole sentence of the quote, or all of it, word for word apart from reference marks."""
    wording, quoted = (normalize_text(strip_marks(one)).strip().rstrip(".") for one in (text, quote))
    if not wording:
        return False
    before, found, after = quoted.partition(wording)
    begins = not before or (before.rstrip(' )]"”’').endswith((".", "!", "?")) and not _OPEN_ENDED.search(before))
    return bool(found) and begins and (not after or after.startswith((".", "!", "?")))


def _split_quote(quote: str) -> list[list[str]]:
    """The quote as sentences and as clauses, if it has several."""
    sentences = [span.text for span in split_sentences(quote)]
    clauses = [clause for sentence in sentences for clause in _CLAUSE_BORDER.split(sentence)]
    return [pieces for pieces in (sentences, clauses) if 1 < len(pieces) <= MAX_PIECES]


def _claim_fault(text: str, quote: str, hit: Hit, drug: str, beside: tuple[str, ...] = (), most: int = 3) -> str:
    known = (quote, hit.title, hit.text, *hit.identifiers, *hit.trials, *hit.drugs, drug)
    text = align_values(text, quote)
    unnamed = without_named_numbers(text, hit.title, quote)
    names = (name for name in find_unsupported_names(text, quote, known) if not means_same(name, quote))
    missing = (*find_unsupported_numbers(unnamed, quote), *names)
    if missing:
        return f"its quote does not hold {plain_line(', '.join(missing), 80)}"
    record = Record(hit.title, (*hit.drugs, drug), (*hit.identifiers, *hit.trials), beside)
    return plain_line("; ".join(find_claim_faults(text, quote, record, most)), MAX_FAULT)
