import pytest

from storm.databases.formats.retractions import Link, is_notice, judge_retraction
from storm.models import Retraction


@pytest.mark.parametrize(
    ("title", "types", "kinds", "expected"),
    [
        ("A trial", ["Retracted Publication"], [], Retraction.RETRACTED),
        ("A trial", [], ["RetractionIn"], Retraction.RETRACTED),
        ("A trial", [], ["Retraction in"], Retraction.RETRACTED),
        ("A trial", [], ["retraction-forward"], Retraction.RETRACTED),
        ("RETRACTED: A trial", [], [], Retraction.RETRACTED),
        ("Retracted Article: A trial", [], [], Retraction.RETRACTED),
        ("WITHDRAWN: A trial", ["Preprint"], [], Retraction.RETRACTED),
        ("**WITHDRAWN** A trial", ["Preprint"], [], Retraction.RETRACTED),
        ("WITHDRAWN BY AUTHORS: A trial", ["Preprint"], [], Retraction.RETRACTED),
        ("Withdrawn patients: a trial", [], [], Retraction.NOT_RETRACTED),
        ("Withdrawn preprint: A trial", ["Preprint"], [], Retraction.RETRACTED),
        ("REMOVED: A trial", [], [], Retraction.RETRACTED),
        ("[Withdrawn] A trial", [], [], Retraction.RETRACTED),
        ("(Removed) A trial", [], [], Retraction.RETRACTED),
        ("[WITHDRAWN: A trial].", [], [], Retraction.RETRACTED),
        ("WITHDRAWN. A trial", [], [], Retraction.RETRACTED),
        ("WITHDRAWN - A trial", [], [], Retraction.RETRACTED),
        ("WITHDRAWN — A trial", [], [], Retraction.RETRACTED),
        ("RETRACTED ARTICLE – A trial", [], [], Retraction.RETRACTED),
        ("<b>WITHDRAWN:</b> A trial", [], [], Retraction.RETRACTED),
        ("<b>Withdrawn</b>: A trial", [], [], Retraction.RETRACTED),
        ("<b>WITHDRAWN.</b> A trial", [], [], Retraction.RETRACTED),
        ("WITHDRAWN： A trial", [], [], Retraction.RETRACTED),
        ("Withdrawn consent in trials", [], [], Retraction.NOT_RETRACTED),
        ("Withdrawn - consent in trials", [], [], Retraction.NOT_RETRACTED),
        ("Withdrawn. A story of consent", [], [], Retraction.NOT_RETRACTED),
        ("WITHDRAWN CONSENT IN TRIALS", [], [], Retraction.NOT_RETRACTED),
        ("WITHDRAWN-DRUG LISTS: A REVIEW", [], [], Retraction.NOT_RETRACTED),
        ("Withdrawn consent in trials: a review", [], [], Retraction.NOT_RETRACTED),
        ("Removed: the tale of an appendix", [], [], Retraction.NOT_RETRACTED),
        ("[Withdrawn consent in trials].", [], [], Retraction.NOT_RETRACTED),
        ("Reasons why trials were WITHDRAWN: a review", [], [], Retraction.NOT_RETRACTED),
        ("A trial", [], ["ExpressionOfConcernIn"], Retraction.CONCERN),
        ("A trial", [], ["PartialRetractionIn"], Retraction.CONCERN),
        ("A trial", [], ["ExpressionOfConcernIn", "RetractionIn"], Retraction.RETRACTED),
        ("Retraction notice", ["Retraction of Publication"], ["RetractionOf"], Retraction.NOT_RETRACTED),
        ("Retracted: A trial", ["Retraction of Publication"], [], Retraction.NOT_RETRACTED),
        ("Retracted tympanic membranes", [], ["ErratumIn", "CommentIn"], Retraction.NOT_RETRACTED),
    ],
)
def test_a_status_follows_from_title_types_and_links(
    title: str, types: list[str], kinds: list[str], expected: Retraction
) -> None:
    links = [Link(kind, "J Foo 2020;1:2", "123") for kind in kinds]
    assert judge_retraction(title, types, links, checked=True).retraction is expected


def test_silence_of_a_database_that_does_not_state_retractions_is_not_checked() -> None:
    assert judge_retraction("A trial", [], [], checked=False).retraction is Retraction.NOT_CHECKED


def test_notices_are_lines_for_the_reader() -> None:
    links = [Link("RetractionIn", "J Foo 2020;1:2", "123"), Link("ErratumIn", "J Foo 2019;1:9"), Link("CommentIn", "x")]
    assert judge_retraction("A trial", [], links, checked=True).notices == (
        "Retracted: J Foo 2020;1:2 (PMID 123)",
        "Erratum: J Foo 2019;1:9",
    )


def test_an_expression_of_concern_is_a_notice() -> None:
    assert is_notice(["Journal Article", "Expression of Concern"])
    assert not is_notice(["Journal Article", "Retracted Publication"])
