"""What was so when it was written is said to be of then, with what a later source says of the same."""

from __future__ import annotations

import dossiers
import pytest

from storm.export import to_markdown
from storm.models import (
    Answer,
    Approval,
    Dossier,
    PatentDetails,
    Publication,
    QuestionText,
    Relation,
    Statement,
    Verdict,
)
from storm.models.dossier import ApprovalFact, AtAGlance
from storm.reports.overtaken import find_later, is_open


def written(*texts: tuple[str, int], relations: tuple[Relation, ...] = (), **more: object) -> Dossier:
    """A dossier on trastuzumab with a statement a source, each of a year."""
    references = tuple(
        dossiers.reference(n).model_copy(update={"year": year, "relation": relation})
        for n, ((_, year), relation) in enumerate(
            zip(texts, relations or (Relation.ITSELF,) * len(texts), strict=True), 1
        )
    )
    statements = tuple(
        Statement(text=text, quote=text, source_ids=(f"src_{n:03}",), verdict=Verdict.SUPPORTED)
        for n, (text, _) in enumerate(texts, 1)
    )
    answers = (Answer(question="market", statements=statements),)
    questions = (QuestionText(key="market", label="Market", description="Where is it sold?", dated=True),)
    return dossiers.dossier(questions=questions, answers=answers, references=references, **more)


def later(dossier: Dossier, number: int = 0) -> str | None:
    found = find_later(dossier.answers[0].statements[number], dossier)
    return found.source_id if found else None


@pytest.mark.parametrize(
    ("dates", "shown"),
    [
        ({"publication_date": "2013-11-26", "filing_date": "2003-01-01"}, "patent of 2013-11-26"),
        ({"filing_date": "2003-01-01", "priority_date": "1999-08-27"}, "filed 2003-01-01"),
        ({"priority_date": "1999-08-27"}, "priority 1999-08-27"),
        ({}, "no date"),
    ],
)
def test_a_patent_without_a_date_of_its_record_has_that_of_its_document(dates: dict[str, str], shown: str) -> None:
    patent = Publication(patent=PatentDetails(number="1", **dates))
    first = dossiers.reference(1).model_copy(update={"year": None, "publication": patent, "source_type": "patents"})
    made = written(("US 1 is a patent on trastuzumab.", 2001)).model_copy(update={"references": (first,)})
    assert f"US 1 is a patent on trastuzumab. (Patents; {shown})" in to_markdown(made)


def test_the_date_of_a_listed_patent_is_that_of_its_submission() -> None:
    listing = {"source_type": "orangebook", "publication_types": ("Patent listing",), "date": "2020-11-12"}
    made = written(("US patent 1, listed for ZORVI.", 2020)).model_copy(
        update={"references": (dossiers.reference(1).model_copy(update=listing),)}
    )
    assert "US patent 1, listed for ZORVI. (Orange Book; submitted 2020-11-12)" in to_markdown(made)


def test_documents_with_dates_of_their_own_are_not_dated_by_the_approval() -> None:
    application = {"source_type": "openfda", "date": "2003-04-18"}
    made = written(("Documents published by the FDA: Review of 2006-06-07.", 2003)).model_copy(
        update={"references": (dossiers.reference(1).model_copy(update=application),)}
    )
    page = to_markdown(made)
    assert "Review of 2006-06-07. (openFDA)" in page and "2003-04-18)" not in page


def test_a_record_is_not_called_undated_beside_a_sentence_that_names_a_year() -> None:
    first = dossiers.reference(1).model_copy(update={"year": None, "source_type": "patents"})
    made = written(("US 1 was granted on 7 May 2010.", 2001)).model_copy(update={"references": (first,)})
    assert "US 1 was granted on 7 May 2010. (Patents)" in to_markdown(made)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("This patent covers the dose of trastuzumab.", "(Patents; US 7,371,379; patent of 2008)"),
        ("US 7,371,379 covers the dose of trastuzumab.", "(Patents; patent of 2008)"),
    ],
)
def test_a_patent_that_a_sentence_does_not_name_is_named_beside_it(said: str, shown: str) -> None:
    patent = {"publication": Publication(patent=PatentDetails(number="7371379")), "external_id": "US7371379"}
    first = dossiers.reference(1).model_copy(update={"year": 2008, "source_type": "patents", **patent})
    made = written((said, 2008)).model_copy(update={"references": (first,)})
    assert f"{said} {shown}" in to_markdown(made)


@pytest.mark.parametrize(
    ("said", "is_marked"),
    [
        ("Sales of trastuzumab fell by 12% as competing products came.", False),
        ("Biosimilars of trastuzumab lowered its price.", True),
        ("Trastuzumab-dkst was approved.", True),
        ("Ogivri was approved.", True),
    ],
)
def test_a_sentence_on_the_drug_is_not_marked_as_one_on_its_copies(said: str, *, is_marked: bool) -> None:
    made = written((said, 2020), relations=(Relation.BIOSIMILAR,))
    line = next(line for line in to_markdown(made).splitlines() if line.startswith(f"- {said}"))
    assert ("biosimilar or generic" in line) is is_marked


NOT_ON_SALE = ("None of the trastuzumab biosimilars was yet on sale in the United States.", 2019)
LAUNCHED = ("The trastuzumab biosimilar Ogivri was launched in the United States.", 2020)


def test_a_launch_overtakes_that_nothing_was_on_sale() -> None:
    dossier = written(NOT_ON_SALE, LAUNCHED)
    assert later(dossier) == "src_002"
    assert later(dossier, 1) is None
    page = to_markdown(dossier)
    assert "as of 2019; later on this: [2], 2020)" in page
    assert "as of 2020" not in page


def test_a_launch_is_of_the_day_that_its_sentence_tells() -> None:
    launched = "The trastuzumab biosimilar Herzuma went on sale in the United States on 16 March 2020."
    dossier = written(NOT_ON_SALE, (launched, 2018))
    assert later(dossier) == "src_002"
    assert "later on this: [2], 2020-03-16" in to_markdown(dossier)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("The trastuzumab biosimilar Ogivri was launched in the United States.", 2018),
        ("The trastuzumab biosimilar Ogivri was launched in Europe.", 2020),
        ("Trastuzumab was launched in the United States.", 2020),
        ("The trastuzumab biosimilar Ogivri is expected to be launched in the United States.", 2020),
        ("No trastuzumab biosimilar was launched in the United States.", 2020),
        ("Trastuzumab biosimilars lower tumour burden in the United States.", 2020),
        ("The bevacizumab biosimilar Mvasi was launched in the United States.", 2020),
    ],
)
def test_nothing_else_overtakes_it(text: str, year: int) -> None:
    dossier = written(NOT_ON_SALE, (text, year))
    assert later(dossier) is None
    assert "(PubMed; as of 2019)" in to_markdown(dossier)


def test_the_record_of_an_approval_overtakes_that_it_is_pending() -> None:
    approval = ApprovalFact(**Approval(agency="FDA", date="2021-05-04").model_dump(), source_id="src_002")
    dossier = written(
        ("Approval of trastuzumab by the FDA is pending.", 2019),
        ("A label.", 2022),
        at_a_glance=AtAGlance(approvals=(approval,)),
    )
    assert later(dossier) == "src_002"
    assert "later on this: [2], 2021-05-04" in to_markdown(dossier)


def test_a_later_price_overtakes_an_earlier_one() -> None:
    dossier = written(
        ("A vial of trastuzumab had a price of $3,000.", 2012), ("Trastuzumab is priced at $1,500.", 2023)
    )
    assert later(dossier) == "src_002"
    assert "as of 2023)" in to_markdown(dossier)


def test_a_later_expiry_of_one_patent_overtakes_an_earlier_one() -> None:
    first, second = "US 6,407,213 expires in 2019.", "The term of US 6,407,213 was extended: it expires in 2021."
    assert later(written((first, 2010), (second, 2015))) == "src_002"
    assert later(written((first, 2010), (first, 2015))) is None
    assert later(written((first, 2010), ("US 7,862,817 expires in 2021.", 2015))) is None
    listed = "US patent {}, listed in the Orange Book for trastuzumab; expiry date {}."
    own, other = listed.format("10065958", "2031-09-16"), listed.format("11266681", "2038-07-10")
    assert later(written((own, 2020), (other, 2022))) is None


@pytest.mark.parametrize(
    "text",
    [
        "The drug is currently marketed in 40 countries.",
        "A decision on its licence is pending.",
        "It is expected to be launched in Japan.",
        "It costs €2,000 a month.",
    ],
)
def test_what_may_have_ended_since_is_said_to_be_of_then(text: str) -> None:
    assert is_open(text)
    assert "as of 2001)" in to_markdown(written((text, 2001)))


@pytest.mark.parametrize(
    "text",
    [
        "The FDA approved it in 1998.",
        "The patent expires in 2031.",
        "It was launched in 2006.",
        "Pain was still present in 12% of patients.",
        "",
    ],
)
def test_what_happened_stays_so(text: str) -> None:
    assert not is_open(text)


def test_what_was_written_this_year_is_not_of_then() -> None:
    assert "as of" not in to_markdown(written(("It is currently marketed in 40 countries.", dossiers.NOW.year)))
