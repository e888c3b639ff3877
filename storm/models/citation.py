"""A claim with the words of a source that support it."""

import hashlib
from collections.abc import Mapping
from enum import StrEnum

from storm.models.base import Frozen


class QuoteCheck(StrEnum):
    """Whether a quote occurs word for word in its source's text or title."""

    VERIFIED = "verified"
    NOT_FOUND = "not found"
    UNCHECKED = "unchecked"


class Citation(Frozen):
    """A claim with its quote, bound to a Source. `answer_to` is the question in whose answer it was made, empty if it
    was registered while gathering. `section` names the part of the document that contains the quote."""

    citation_id: str
    source_id: str
    claim: str
    quote: str
    quote_check: QuoteCheck
    context: str = ""
    metadata: Mapping[str, str] = {}
    answer_to: str = ""
    section: str = ""


def citation_id(source_key: str, claim: str, quote: str) -> str:
    """The id derived from what is cited: the same source, claim and quote give the same id."""
    digest = hashlib.sha256("\x1f".join((source_key, claim, quote)).encode()).hexdigest()
    return f"cit_{digest[:12]}"
