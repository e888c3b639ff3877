import pytest

from storm.databases.formats.author_names import from_inverted, short_name


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Slamon", "DJ", "Dennis J", ""), "Slamon DJ"),
        (("Slamon", "", "Dennis J.", ""), "Slamon DJ"),
        (("Slamon", "D. J.", "", ""), "Slamon DJ"),
        (("Dupont", "", "Jean-Pierre", ""), "Dupont JP"),
        (("Smith", "J", "", "Jr"), "Smith J Jr"),
        (("Shen", "", "LM", ""), "Shen LM"),
        (("Plato", "", "", ""), "Plato"),
    ],
)
def test_a_name_is_shortened_as_bibliographies_do(parts: tuple[str, str, str, str], expected: str) -> None:
    assert short_name(*parts) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Slamon, Dennis J.", "Slamon DJ"),
        ("Smith, J., Jr", "Smith J Jr"),
        ("HERA Study Team", "HERA Study Team"),
        ("van der Berg, Anna", "van der Berg A"),
    ],
)
def test_an_inverted_name_is_turned(name: str, expected: str) -> None:
    assert from_inverted(name) == expected
