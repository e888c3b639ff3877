"""The flow as a picture: one SVG element that any reader shows, whatever the names in it are."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from bibliographies import HOSTILE
from dossiers import FOUND, ONE, WHOLE

from storm.models import RecordFlow
from storm.reports.pictures.flow import draw_flow

SVG = "{http://www.w3.org/2000/svg}"


def drawn(flow: RecordFlow, title: str = "Flow", caption: tuple[str, ...] = ()) -> ElementTree.Element:
    return ElementTree.fromstring(draw_flow(flow, title, caption))


def texts(picture: ElementTree.Element) -> str:
    return " ".join(str(text.text) for text in picture.iter(f"{SVG}text"))


def test_each_number_stands_in_the_words_of_prisma_2020() -> None:
    said = texts(drawn(WHOLE))
    for expected in (
        "Databases (n = 1,500)", "PubMed (n = 1,500)", "Registers (n = 1)", "ClinicalTrials.gov (n = 1)",
        "Duplicate records (n = 400)", "Records screened (n = 1,001)", "Records excluded (n = 900)",
        "does not name the drug (n = 500)", "Reports sought for retrieval (n = 101)", "Reports not retrieved (n = 5)",
        "Reports assessed for eligibility (n = 96)", "Reports excluded (n = 35)", "Studies included (n = 50)",
        "Reports included, of studies and others (n = 63)", "Websites (n = 1)", "Look-ups: ChEMBL (n = 1)",
    ):  # fmt: skip
        assert expected in said


def test_it_is_an_image_with_a_title_and_a_description_and_refers_to_nothing_outside() -> None:
    picture = drawn(WHOLE, "Flow of records: trastuzumab")
    assert picture.get("role") == "img"
    assert [child.tag for child in picture][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert picture[0].text == "Flow of records: trastuzumab"
    assert "1,501 records from databases and registers and 2 from other methods" in str(picture[1].text)
    assert {child.tag.removeprefix(SVG) for child in picture} == {"title", "desc", "rect", "text", "path"}
    assert not re.search(r"href|url\(|style=|on\w+=", draw_flow(WHOLE, "Flow", ()))


def boxes(picture: ElementTree.Element) -> list[tuple[int, int, int, int]]:
    found = [[int(str(box.get(name))) for name in ("x", "y", "width", "height")] for box in picture.iter(f"{SVG}rect")]
    return [(x, y, x + width, y + height) for x, y, width, height in found]


def test_no_box_covers_another_and_all_stand_inside_of_the_picture() -> None:
    picture = drawn(WHOLE, caption=("Not searched: openFDA.",))
    width, height = (int(str(picture.get(name))) for name in ("width", "height"))
    for x1, y1, x2, y2 in boxes(picture):
        assert 0 <= x1 < x2 <= width and 0 <= y1 < y2 <= height
    for (ax1, ay1, ax2, ay2), (bx1, by1, bx2, by2) in combinations(boxes(picture), 2):
        assert ax2 <= bx1 or bx2 <= ax1 or ay2 <= by1 or by2 <= ay1


def test_without_other_methods_there_is_no_second_column() -> None:
    picture = drawn(RecordFlow(databases={"pubmed": FOUND}, studies=50))
    assert "other methods" not in texts(picture)
    right = max(x2 for _, _, x2, _ in boxes(picture))
    assert (right < 600, picture.get("width")) == (True, str(right + 20))


def test_a_job_that_found_nothing_has_a_picture() -> None:
    assert "Databases (n = 0)" in texts(drawn(RecordFlow()))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_whatever_a_name_is_it_is_shown_as_text(hostile: str) -> None:
    picture = drawn(RecordFlow(databases={hostile: ONE}, studies=1), hostile, (hostile,))
    assert {child.tag.removeprefix(SVG) for child in picture} == {"title", "desc", "rect", "text", "path"}


def test_a_count_stands_whole_in_one_line() -> None:
    lines = [str(text.text) for text in drawn(WHOLE).iter(f"{SVG}text")]
    assert all(line.count("(n = ") == line.count("(n") for line in lines)
    assert all(re.search(r"\(n = [\d,]+\)", line) for line in lines if "(n" in line)
