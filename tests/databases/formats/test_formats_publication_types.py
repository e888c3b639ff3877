from storm.databases.formats.publication_types import publication_types


def test_types_of_all_databases_get_one_spelling() -> None:
    assert publication_types(["research-article", "review-article", "systematic-review"]) == (
        "Research Article",
        "Review Article",
        "Systematic Review",
    )
    assert publication_types(["clinical trial, phase iii", "meta-analysis"]) == (
        "Clinical Trial, Phase III",
        "Meta-Analysis",
    )
    assert publication_types(["research support, non-u.s. gov't"]) == ("Research Support, Non-U.S. Gov't",)


def test_a_type_counts_once_and_keeps_pubmeds_spelling() -> None:
    assert publication_types(["Journal Article", "journal article", "", " "]) == ("Journal Article",)
    assert publication_types(["Research Support, U.S. Gov't, P.H.S."]) == ("Research Support, U.S. Gov't, P.H.S.",)
