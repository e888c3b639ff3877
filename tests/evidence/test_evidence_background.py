"""What a report of a study says of what was known before, or elsewhere."""

from __future__ import annotations

import pytest

from storm.evidence.background import is_background
from storm.models import Hit, Section, SectionKind

TITLE = "Zorvimab versus placebo in adults with asthma: a randomised trial"


def paper(quote: str, *, kind: SectionKind, title: str = TITLE, before: str = "", is_cited: bool = False) -> Hit:
    text = f"{before} {quote}".strip()
    section = Section(label=kind.value, text=text, kind=kind, cited=(len(text),) if is_cited else ())
    abstract = Section(text="Sixty adults were randomised to zorvimab or placebo.", kind=SectionKind.ABSTRACT)
    return Hit.of("pmc", "PMC1", "https://example.org/1", title, sections=(abstract, section))


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Zorvimab is a pro-drug that is activated in the liver.", True),
        ("Zorvimab inhibits the release of histamine.", True),
        ("A combined analysis of this trial and two placebo-controlled trials confirms that zorvimab helps.", True),
        ("Zorvimab is a selective H1 receptor antagonist that blocks it without significant sedation.", True),
        ("Zorvimab significantly reduces itch.", True),
        ("Zorvimab is an effective drug: 40% of the patients responded.", False),
        ("Zorvimab was generally well tolerated, with few serious events.", False),
        ("In our study zorvimab inhibits the release of histamine.", False),
        ("Zorvimab is effective and safe in adults.", False),
        ("Therefore zorvimab is an option in this disease.", False),
        ("There are no significant differences in zorvimab as compared to placebin with regard to itch.", False),
    ],
)
def test_in_a_discussion_what_is_so_in_general_is_background(quote: str, *, expected: bool) -> None:
    assert is_background(quote, paper(quote, kind=SectionKind.DISCUSSION)) is expected


def test_a_cited_sentence_and_what_goes_on_from_another_study_are_background() -> None:
    quote = "Zorvimab also preserved the function of the lung."
    assert not is_background(quote, paper(quote, kind=SectionKind.DISCUSSION))
    assert is_background(quote, paper(quote, kind=SectionKind.DISCUSSION, is_cited=True))
    before = "Another previous study reported that zorvimab helped."
    assert is_background(quote, paper(quote, kind=SectionKind.DISCUSSION, before=before))


def test_results_are_never_background_and_introductions_are() -> None:
    quote = "Zorvimab inhibits the release of histamine."
    assert not is_background(quote, paper(quote, kind=SectionKind.RESULTS))
    assert is_background(quote, paper(quote, kind=SectionKind.INTRODUCTION))


def test_a_review_has_no_study_of_its_own_to_keep_apart() -> None:
    quote = "Zorvimab is a pro-drug that is activated in the liver."
    review = paper(quote, kind=SectionKind.DISCUSSION, title="Zorvimab in asthma: a systematic review")
    assert not is_background(quote, review)


def test_an_introduction_is_background_where_the_design_is_not_stated() -> None:
    quote = "The mechanism of action of zorvimab is unknown."
    introduction = Section(label="Introduction", text=quote, kind=SectionKind.INTRODUCTION)
    unstated = Hit.of("pmc", "PMC1", "https://example.org/1", "Costs of zorvimab", sections=(introduction,))
    assert is_background(quote, unstated)
