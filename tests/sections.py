"""Sections as tests write them."""

from __future__ import annotations

from storm.models import Section, SectionKind


def in_abstract(label: str, text: str) -> Section:
    """A part of an abstract."""
    return Section(label=label, text=text, kind=SectionKind.ABSTRACT)
