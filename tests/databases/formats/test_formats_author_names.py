import pytest

from storm.databases.formats.author_names import (
    name_contributor,
    short_name,
    split_inverted,
    stands_for_others,
    write_authors,
    write_short_name,
)
from storm.models import Contributor


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
    assert write_short_name(split_inverted(name)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Slamon, Dennis J.", Contributor(family="Slamon", given="Dennis J.")),
        ("Smith, J., Jr", Contributor(family="Smith", given="J.", suffix="Jr")),
        ("HERA Study Team", Contributor(collective="HERA Study Team")),
        ("Dennis J. Slamon", Contributor(collective="Dennis J. Slamon")),
        (", Jr", Contributor(collective=", Jr")),
    ],
)
def test_a_name_is_split_only_at_its_comma(name: str, expected: Contributor) -> None:
    assert split_inverted(name) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Slamon", "Dennis J", "D. J."), Contributor(family="Slamon", given="Dennis J", initials="DJ")),
        (("", "Plato"), Contributor(collective="Plato")),
        (("", "", "", "", "HERA Study Team"), Contributor(collective="HERA Study Team")),
        (("",), None),
    ],
)
def test_a_contributor_has_a_family_name_or_one_name(parts: tuple[str, ...], expected: Contributor | None) -> None:
    assert name_contributor(*parts) == expected


@pytest.mark.parametrize(("is_complete", "expected"), [(True, ("A B",)), (None, ("A B",)), (False, ("A B", "et al"))])
def test_et_al_is_written_where_there_are_more(is_complete: bool | None, expected: tuple[str, ...]) -> None:
    assert write_authors([Contributor(family="A", initials="B")], is_complete) == expected


@pytest.mark.parametrize(("name", "expected"), [("et al", True), ("Et al.", True), ("Etal A", False)])
def test_et_al_stands_for_others(name: str, expected: bool) -> None:
    assert stands_for_others(name) is expected
