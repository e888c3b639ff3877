"""References in the style of the National Library of Medicine."""

from __future__ import annotations

import pytest
from bibliographies import reference

from storm.models import BookDetails, Contributor, LabelDetails, Pages, PatentDetails, Publication, Retraction
from storm.models import TrialDetails as Trial
from storm.reports.document import Inlines, Text
from storm.reports.entries import entry_of
from storm.reports.reference_style import describe_entry, shorten_pages, spell_date

JOURNAL = {"container": "N Engl J Med", "identifiers": ("pmid:11248153", "pmcid:PMC1", "doi:10.1056/nejm1")}
SLAMON = Contributor(family="Slamon", given="Dennis J")
ISSUE = Publication(
    authors=(SLAMON, Contributor(collective="HERA Group")), journal="The New England journal of medicine",
    journal_abbreviation="N Engl J Med", volume="344", issue="11", pages=Pages(first="783", last="792"),
)  # fmt: skip
PATENT = PatentDetails(
    number="5821337", country="US", kind="A", applicants=("Genentech, Inc.",), inventors=(SLAMON,),
    publication_date="1998-10-13",
)  # fmt: skip
CHAPTER = Publication(
    book=BookDetails(title="StatPearls", editors=(Contributor(family="Roe", initials="R"),)), place="Treasure Island",
    publisher="StatPearls Publishing", pages=Pages(first="1", last="9"),
)  # fmt: skip


def _text(content: Inlines) -> str:
    return "".join(piece.text for piece in content if isinstance(piece, Text))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            JOURNAL | {"publication": ISSUE, "date": "2001-03-15"},
            "Slamon DJ; HERA Group. Paper 1. N Engl J Med. 2001 Mar 15;344(11):783-92. doi: 10.1056/nejm1. "
            "PubMed PMID: 11248153; PubMed Central PMCID: PMC1",
        ),
        (
            JOURNAL | {"identifiers": ("pmid:1",)},
            "Doe J. Paper 1. N Engl J Med. 2001. PubMed PMID: 1",
        ),
        (
            {"publication": Publication(article_number="e1001", volume="3"), "identifiers": ("doi:10.1/x",)},
            "Doe J. Paper 1. 2001;3:e1001. doi: 10.1/x",
        ),
        (
            {"identifiers": ("ris:sha256-12",), "source_type": "ris", "container": "Gut 2001"},
            "Doe J. Paper 1. Gut 2001. Reference list",
        ),
        (
            {"retraction": Retraction.RETRACTED},
            "Doe J. Paper 1 [retracted]. 2001. PubMed PMID: 1",
        ),
        (
            {"publication_types": ("Preprint",), "container": "medRxiv", "identifiers": ("doi:10.1/x",)},
            "Doe J. Paper 1 [Preprint]. medRxiv. 2001. doi: 10.1/x",
        ),
        (
            {"publication": CHAPTER},
            "Doe J. Paper 1. In: Roe R, editors. StatPearls. Treasure Island: StatPearls Publishing; 2001. p. 1-9. "
            "PubMed PMID: 1",
        ),
        (
            {"source_type": "clinicaltrials", "external_id": "NCT00287391", "identifiers": ("registry:NCT00287391",),
             "publication": Publication(trial=Trial(first_posted="2006-02-03")), "retrieved": "2026-11-22"},
            "ClinicalTrials.gov [Internet]. Bethesda (MD): National Library of Medicine (US); 2000 -. "
            "Identifier NCT00287391, Paper 1; 2006 Feb 3 [cited 2026 Nov 22]",
        ),
        (
            {"source_type": "clinicaltrials", "external_id": "NCT00287391", "identifiers": ("registry:NCT00287391",),
             "date": "2006-02-03"},
            "ClinicalTrials.gov [Internet]. Bethesda (MD): National Library of Medicine (US); 2000 -. "
            "Identifier NCT00287391, Paper 1; study start 2006 Feb 3",
        ),
        (
            {"source_type": "patents", "identifiers": ("patent:US5821337",), "country": "US",
             "publication": Publication(patent=PATENT)},
            "Slamon DJ, inventor; Genentech, Inc., assignee. Paper 1. United States patent US 5,821,337. 1998 Oct 13",
        ),
        (
            {"source_type": "patents", "external_id": "JP123", "identifiers": ("patent:JP123",),
             "authors": ("Doe J", "Roe R")},
            "Doe J, Roe R, inventors. Paper 1. Patent JP123. 2001",
        ),
        (
            {"source_type": "dailymed", "title": "HERCEPTIN (TRASTUZUMAB) label", "authors": (), "identifiers":
             ("label:492d",), "publication": Publication(place="South San Francisco (CA)", label=LabelDetails(
                 labeler="Genentech, Inc", effective_date="2024-06"))},
            "HERCEPTIN (TRASTUZUMAB) [package insert]. South San Francisco (CA): Genentech, Inc; revised 2024 Jun. "
            "label 492d",
        ),
        (
            {"source_type": "chembl", "authors": (), "identifiers": ("chembl:CHEMBL12",), "year": None},
            "Paper 1. ChEMBL [Internet]. CHEMBL12",
        ),
        (
            {"source_type": "web", "authors": (), "identifiers": ("url:https://x.org",), "container": "x.org",
             "retrieved": "2026-11-22"},
            "Paper 1 [Internet]. x.org; 2001 [cited 2026 Nov 22]",
        ),
        (
            {"source_type": "web", "container": "Int J Mol Sci", "identifiers": ("doi:10.3390/ijms21093240",),
             "publication": Publication(journal_abbreviation="Int J Mol Sci", volume="21", issue="9",
                                        pages=Pages(first="3240"))},
            "Doe J. Paper 1. Int J Mol Sci. 2001;21(9):3240. doi: 10.3390/ijms21093240",
        ),
        ({"year": None, "authors": (), "identifiers": ("pmid:1",)}, "Paper 1. PubMed PMID: 1"),
    ],
)  # fmt: skip
def test_each_kind_of_work_has_its_form(fields: dict[str, object], expected: str) -> None:
    assert _text(describe_entry(entry_of(reference(**fields)))) == expected


def test_six_authors_are_named_and_more_are_et_al() -> None:
    names = tuple(f"Doe {letter}" for letter in "ABCDEFG")
    six, seven = (_text(describe_entry(entry_of(reference(authors=names[:number])))) for number in (6, 7))
    assert six.startswith("Doe A, Doe B, Doe C, Doe D, Doe E, Doe F. Paper")
    assert seven.startswith("Doe A, Doe B, Doe C, Doe D, Doe E, Doe F, et al. Paper")
    cut = _text(describe_entry(entry_of(reference(authors=("Doe A", "et al")))))
    assert cut.startswith("Doe A, et al. Paper")


@pytest.mark.parametrize(
    ("pages", "short"),
    [(("687", "697"), "687-97"), (("783", "792"), "783-92"), (("99", "101"), "99-101"), (("S1", "S9"), "S1-S9"),
     (("5", "5"), "5"), (("5",), "5"), ((), "")],
)  # fmt: skip
def test_a_last_page_is_shortened_to_what_differs(pages: tuple[str, ...], short: str) -> None:
    assert shorten_pages(pages) == short


@pytest.mark.parametrize(
    ("date", "text"), [((2010, 8, 28), "2010 Aug 28"), ((2010, 8), "2010 Aug"), ((2010,), "2010"), ((), "")]
)
def test_a_date_is_written_as_far_as_it_is_known(date: tuple[int, ...], text: str) -> None:
    assert spell_date(date) == text
