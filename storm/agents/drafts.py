"""What a writer's statements are worth before anybody reads them: ids, quotes, numbers and wording, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, Field, field_validator

from storm.agents.fencing import plain_line, unfenced_line
from storm.citations.markers import strip_marks
from storm.citations.numbers import unsupported_numbers
from storm.citations.quotes import find_quote, normalize
from storm.citations.verification import verify_statement
from storm.models import Hit, Statement, Verdict
from storm.ranking import split_sentences

#: Characters of a statement; and the words that a quote has at least, since a name alone carries nothing.
MAX_CHARACTERS = 600
MIN_QUOTE_WORDS = 4
#: What a statement may not hold: an address, or the id of a source, which are ours to write.
_ADDRESS = re.compile(r"https?:|www\.|\bdoi\.org|\b10\.\d{4,9}/\S", re.IGNORECASE)
_OWN_ID = re.compile(r"\s*[(\[]?\s*\bsrc_\d+(?:\s*[,;]\s*src_\d+)*\s*[)\]]?", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:not|never|neither|nor|cannot|\w+n't|failed to|"
    r"no (?:significant\w*|statistically|evidence|benefit|difference|improvement|effect)s?)\b"
)
#: Words by which a denial can be told in other words.
_MAY_DENY = re.compile(
    r"\b(?:not?|none|never|neither|nor|cannot|\w+n't|without|fail\w*|lack\w*|absen\w+|miss\w+|non\w*|unchanged|"
    r"unaffected|unlikely|unable|unknown|unclear|uncertain|insignificant\w*|ineffective|inferior|inactive|similar\w*|"
    r"equal\w*|same|rather|except\w*|despite|refus\w+|exclud\w+)\b"
)


class Draft(BaseModel):
    """One sentence as the model wrote it."""

    text: str = Field(default="", description="one sentence that says one thing and can be understood alone")
    source_ids: list[str] = Field(default=[], description="the id of the record that it comes from")
    quote: str = Field(default="", description="the words of that record that carry it, copied exactly, in one piece")

    @field_validator("text", "quote", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return "" if value is None else value

    @field_validator("source_ids", mode="before")
    @classmethod
    def _ids(cls, value: Any) -> Any:
        """A model that names one id writes it without its list."""
        return re.split(r"[,;\s]+", value) if isinstance(value, str) else value or []


class Checked(NamedTuple):
    """A draft as a statement; `fault` says why its source does not carry it, and is empty where it does."""

    statement: Statement
    fault: str = ""


def check_draft(draft: Draft, sources: Mapping[str, Hit]) -> Checked:
    """The draft as a statement whose quote is its source's own words.

    It names the one record that holds the quote, whichever the model named. Supported: the quote stands there word for
    word and holds each number of the sentence, and neither denies what the other says.
    """
    named = tuple(dict.fromkeys(filter(None, (source_id.strip(" []\"'") for source_id in draft.source_ids))))
    known = tuple(source_id for source_id in named if source_id in sources)
    text = strip_marks(_OWN_ID.sub("", unfenced_line(draft.text))).strip()
    holder, words = _found(draft.quote, known, sources)
    statement = Statement(text=text, quote=words, source_ids=(holder,) if holder else known)
    fault = _wording(text) or _quoting(draft.quote, words, named, known) or _saying(statement)
    verdict = Verdict.UNSUPPORTED if fault else verify_statement(statement, sources).verdict
    return Checked(statement.model_copy(update={"verdict": verdict}), fault)


def is_markable(checked: Checked) -> bool:
    """Whether it may be shown as what no source carries: one sentence without an address, on a source that there is."""
    return bool(checked.fault and checked.statement.source_ids) and not _wording(checked.statement.text)


def _found(quote: str, known: tuple[str, ...], sources: Mapping[str, Hit]) -> tuple[str, str]:
    """The source that holds the quote, those that were named first, and the quote as it stands there."""
    for source_id in dict.fromkeys((*known, *sources)):
        hit = sources[source_id]
        span = find_quote(quote, hit.text) or find_quote(quote, hit.title)
        if span:
            return source_id, span.text
    return "", ""


def _wording(text: str) -> str:
    if not text:
        return "it has no text"
    if len(text) > MAX_CHARACTERS or len(split_sentences(text)) > 1:
        return "it is more than one sentence"
    return "it holds an address or an identifier" if _ADDRESS.search(text) else ""


def _quoting(quote: str, words: str, named: tuple[str, ...], known: tuple[str, ...]) -> str:
    if not quote.strip():
        return "it has no quote"
    if not words:
        unknown = [source_id for source_id in named if source_id not in known]
        there = f"there is no record {plain_line(', '.join(unknown), 80)}, and " if unknown else ""
        return f"{there}its quote does not stand word for word in {', '.join(known) or 'any record'}"
    return "its quote is too short to carry it" if len(words.split()) < MIN_QUOTE_WORDS else ""


def _saying(statement: Statement) -> str:
    missing = unsupported_numbers(statement.text, statement.quote)
    if missing:
        return f"its quote does not hold {plain_line(', '.join(missing), 80)}"
    text, quote = normalize(statement.text), normalize(statement.quote)
    if _DENIES.search(quote) and not _MAY_DENY.search(text):
        return "its quote denies something, it does not"
    return "it denies something, its quote does not" if _DENIES.search(text) and not _MAY_DENY.search(quote) else ""
