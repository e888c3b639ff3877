"""What the books of the FDA say of a product is a fact, though it is "listed in" them."""

from __future__ import annotations

import pytest

from storm.evidence.passages import Passage
from storm.evidence.sentence_kinds import SentenceKind, kind_of
from storm.models import Section, SectionKind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("US patent 1, listed in the Orange Book for ZORVI (ZORVIMAB); expiry date 2031-09-16.", SentenceKind.FACT),
        ("ZORVI (ZORVIMAB) is listed in the Purple Book with a licence of 2019-01-02.", SentenceKind.FACT),
        ("The doses are listed in Table 2 of the supplement.", SentenceKind.METHOD),
    ],
)
def test_a_listing_in_a_book_of_products_is_a_fact(text: str, kind: SentenceKind) -> None:
    section = Section(text=text, kind=SectionKind.FIELD)
    assert kind_of(Passage(text, text, section), SectionKind.FIELD) is kind
