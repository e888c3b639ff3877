"""Quotes, numbers, marks and references: pure functions that check what a dossier says against its sources."""

from storm.citations.conflicts import find_conflicts
from storm.citations.denials import find_contradiction
from storm.citations.markers import read_citation_marks, strip_marks
from storm.citations.mentions import drop_own_mentions, find_foreign_mentions, find_mentioned_works
from storm.citations.numbers import find_unsupported_names, find_unsupported_numbers, read_numbers
from storm.citations.quotes import find_quote, is_quote_verified, locate_quote, normalize_text
from storm.citations.references import (
    SourceIndex,
    WorkIndex,
    WrittenReference,
    describe_work,
    is_address_of,
    is_same_title,
    matching_source,
    name_reference,
    states_other_work,
)
from storm.citations.renumbering import renumber_marks
from storm.citations.report_references import (
    build_reference_from_evidence,
    describe_reference,
    list_evidence,
    validate_references,
)
from storm.citations.verification import (
    build_references,
    list_cited_sources,
    verify_statement,
)

__all__ = [
    "SourceIndex",
    "WorkIndex",
    "WrittenReference",
    "build_reference_from_evidence",
    "build_references",
    "describe_reference",
    "describe_work",
    "drop_own_mentions",
    "find_conflicts",
    "find_contradiction",
    "find_foreign_mentions",
    "find_mentioned_works",
    "find_quote",
    "find_unsupported_names",
    "find_unsupported_numbers",
    "is_address_of",
    "is_quote_verified",
    "is_same_title",
    "list_cited_sources",
    "list_evidence",
    "locate_quote",
    "matching_source",
    "name_reference",
    "normalize_text",
    "read_citation_marks",
    "read_numbers",
    "renumber_marks",
    "states_other_work",
    "strip_marks",
    "validate_references",
    "verify_statement",
]  # fmt: skip
