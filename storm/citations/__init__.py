"""Quotes, numbers, marks and references: pure functions that check what a dossier says against its sources."""

from storm.citations.conflicts import find_conflicts
from storm.citations.denials import find_contradiction
from storm.citations.markers import citation_marks, strip_marks
from storm.citations.mentions import drop_own_mentions, foreign_mentions, mentioned_works
from storm.citations.numbers import read_numbers, unsupported_names, unsupported_numbers
from storm.citations.quotes import find_quote, is_quote_verified, locate_quote, normalize
from storm.citations.references import (
    SourceIndex,
    ValidatedReferences,
    WrittenReference,
    is_address_of,
    matching_source,
    same_title,
    states_other_work,
    validate_references,
)
from storm.citations.verification import (
    cited_sources,
    reference_problems,
    references_for,
    verify_statement,
)

__all__ = [
    "SourceIndex", "ValidatedReferences", "WrittenReference", "citation_marks", "cited_sources",
    "drop_own_mentions", "find_conflicts", "find_contradiction", "find_quote", "foreign_mentions", "is_address_of",
    "is_quote_verified", "locate_quote", "matching_source", "mentioned_works", "normalize", "read_numbers",
    "reference_problems", "references_for", "same_title", "states_other_work", "strip_marks", "unsupported_names",
    "unsupported_numbers", "validate_references", "verify_statement",
]  # fmt: skip
