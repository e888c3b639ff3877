"""Quotes, numbers, marks and references: pure functions that check what a dossier says against its sources."""

from storm.citations.conflicts import find_conflicts
from storm.citations.denials import contradiction
from storm.citations.markers import citation_marks, strip_marks
from storm.citations.numbers import numbers, unsupported_names, unsupported_numbers
from storm.citations.quotes import find_quote, normalize, quote_verified
from storm.citations.references import SourceIndex, WrittenReference, matching_source
from storm.citations.verification import (
    cited_sources,
    reference_problems,
    references_for,
    verify_statement,
)

__all__ = [
    "SourceIndex", "WrittenReference", "citation_marks", "cited_sources", "contradiction", "find_conflicts",
    "find_quote", "matching_source", "normalize", "numbers", "quote_verified", "reference_problems", "references_for",
    "strip_marks", "unsupported_names", "unsupported_numbers", "verify_statement",
]  # fmt: skip
