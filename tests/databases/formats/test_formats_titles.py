import pytest

from storm.databases.formats.titles import best_title


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("[Treatment of gastric cancer.]", "Treatment of gastric cancer."),
        ("[Treatment of gastric cancer].", "Treatment of gastric cancer."),
        ("[Is it useful?].", "Is it useful?"),
        ("[68Ga]DOTATATE in [177Lu]", "[68Ga]DOTATATE in [177Lu]"),
        ("[Uptake of [18F]FDG.]", "Uptake of [18F]FDG."),
        ("Plain title.", "Plain title."),
    ],
)
def test_only_the_brackets_of_a_translation_are_removed(title: str, expected: str) -> None:
    assert best_title(title) == expected


@pytest.mark.parametrize("title", ["", "[Not Available].", "[In Process Citation]"])
def test_the_vernacular_title_stands_in_for_none(title: str) -> None:
    assert best_title(title, "Traitement du cancer") == "Traitement du cancer"
    assert best_title(title) == ""
