"""The pictures of a dossier: each shows what the tables say, its labels never overlap, and text stays text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from xml.etree import ElementTree

import pytest
from dossiers import dossier, reference

from storm.models import ApprovalFact, Coverage, Dossier, LaunchFact, RecordRow, RecordTable, Relation
from storm.models.dossier import AtAGlance, QuestionCoverage
from storm.models.record_table import TableName
from storm.reports.bibliography import Bibliography
from storm.reports.document import Figure
from storm.reports.pictures import evidence_figure, forest_figures, timeline_figure
from storm.reports.pictures.svg import CHARACTER, LINE
from storm.reports.table_columns import COLUMNS

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</svg><script>alert(1)</script> "><img onerror=x> \x00\ud800 王伟 & ]]>'


def approvals(*dates: str | None, product: str = "Herceptin") -> list[Figure]:
    facts = [ApprovalFact(agency="FDA", date=date, product=product, source_id="src_001") for date in dates]
    facts.append(ApprovalFact(agency="EMA", date="2020", source_id="src_001", relation=Relation.BIOSIMILAR))
    return list(timeline_figure(dossier(at_a_glance=AtAGlance(approvals=tuple(facts)))))


def evidence(designs: dict[str, dict[str, int]]) -> list[Figure]:
    questions = tuple(QuestionCoverage(question=key, label=key, sources=1, min_sources=1) for key in designs)
    covered = Coverage(questions=questions, databases=(), min_databases=1, total=1, ready=True)
    return list(evidence_figure(dossier(coverage=covered, at_a_glance=AtAGlance(designs=designs))))


def effects(*results: tuple[str, str], measure: str = "hazard ratio", study: str = "NCT1") -> Dossier:
    """A dossier with results of survival, each a value and an interval."""
    rows = tuple(
        RecordRow(
            source_id="src_001", places=("Table 1",),
            cells=(study, "survival", measure, value, None, interval, None, "vs placebo", "1,200", "published"),
        )
        for value, interval in results
    )  # fmt: skip
    table = RecordTable(name=TableName.EFFECT_SIZES, columns=COLUMNS[TableName.EFFECT_SIZES], rows=rows)
    return dossier(tables=(table,))


def forests(found: Dossier) -> list[Figure]:
    return list(forest_figures(found, Bibliography((reference(1), reference(2)))))


def read(figure: Figure) -> ElementTree.Element:
    return ElementTree.fromstring(figure.svg)


def labels(figure: Figure) -> list[str]:
    return [text.text or "" for text in read(figure).iter(f"{SVG}text")]


def box_of(text: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a label, as wide as the pictures take its letters to be."""
    width = CHARACTER * len(text.text or "")
    start = {"start": 0.0, "middle": width / 2, "end": width}[text.get("text-anchor", "start")]
    left, bottom = float(text.get("x", "")) - start, float(text.get("y", ""))
    return left, bottom - LINE + 4, left + width, bottom


def overlapping(figure: Figure) -> list[tuple[str | None, str | None]]:
    """The pairs of labels that overlap, and labels that leave the picture."""
    root = read(figure)
    placed = [(text, box_of(text)) for text in root.iter(f"{SVG}text")]
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    outside = [(text.text, None) for text, (x1, y1, x2, y2) in placed if x1 < -1 or x2 > width + 1 or y2 > height]
    pairs = [
        (one.text, other.text)
        for (one, a), (other, b) in combinations(placed, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    return outside + pairs


RATIOS = (("0.74", "95% CI 0.60 to 0.91"), ("0.5", "95% CI 0.25 to 1.0"), ("2", "95% CI 1 to 4"))


def all_pictures(text: str) -> list[Figure]:
    return [
        *approvals("1998-09-25", "2010-01", "2010-01-02", product=text),
        *evidence({text: {"other": 1, "randomised trial": 20}, "b": {"meta-analysis or systematic review": 3}}),
        *forests(effects(*RATIOS, study=text)),
    ]


@pytest.mark.parametrize("text", ["a", "name " * 40, "n" * 300, HOSTILE, "王伟" * 60, ""])
def test_labels_never_overlap_and_are_well_formed_whatever_the_names_are(text: str) -> None:
    pictures = all_pictures(text)
    assert len(pictures) == 3
    for figure in pictures:
        assert overlapping(figure) == []
        assert {element.tag.removeprefix(SVG) for element in read(figure).iter()} <= {
            "svg", "title", "desc", "text", "path", "circle", "rect",
        }  # fmt: skip


def test_a_picture_says_what_it_is_to_those_who_do_not_see_it() -> None:
    for figure in all_pictures("a"):
        root = read(figure)
        assert root.get("role") == "img"
        assert [(root[0].tag, root[0].text), (root[1].tag, root[1].text)] == [
            (f"{SVG}title", figure.title),
            (f"{SVG}desc", figure.description),
        ]


def test_approvals_stand_in_the_order_of_their_dates_own_ones_filled() -> None:
    (figure,) = approvals("2010-01-19", "1998-09-25")
    assert [text for text in labels(figure) if "-" in text] == ["1998-09-25", "2010-01-19"]
    circles = list(read(figure).iter(f"{SVG}circle"))
    assert [circle.get("fill") for circle in circles] == [None, None, "none"]
    assert [float(circle.get("cx", "")) for circle in circles] == sorted(float(c.get("cx", "")) for c in circles)


def test_approvals_without_a_date_are_counted_and_one_dated_approval_is_no_timeline() -> None:
    (figure,) = approvals("2010", None, "soon")
    assert "not shown: 2 without a date" in figure.description
    assert approvals(None) == []


def test_launches_are_squares_among_the_approvals() -> None:
    approval = ApprovalFact(agency="FDA", date="1998-09-25", product="Herceptin", source_id="src_001")
    launches = (
        LaunchFact(product="Herceptin", date="1998-10-05", source_id="src_001"),
        LaunchFact(product="Ogivri", date="2019-12-02", source_id="src_002", relation=Relation.BIOSIMILAR),
    )
    (figure,) = timeline_figure(dossier(at_a_glance=AtAGlance(approvals=(approval,), launches=launches)))
    assert figure.title == "Approvals and launches over time" and overlapping(figure) == []
    assert "Ogivri · on the US market" in labels(figure)
    squares = [rect.get("fill") for rect in read(figure).iter(f"{SVG}rect")]
    assert (squares, len(list(read(figure).iter(f"{SVG}circle")))) == ([None, "none"], 1)


def test_only_the_first_of_very_many_approvals_are_drawn() -> None:
    (figure,) = approvals(*(f"{1990 + n}-01-01" for n in range(40)))
    assert len(list(read(figure).iter(f"{SVG}circle"))) == 30
    assert "shown are the first 30" in figure.description


def test_evidence_is_mapped_by_question_the_strongest_design_first() -> None:
    (figure,) = evidence({"one": {"other": 2, "patent": 1}, "two": {"randomised trial": 9}, "none": {}})
    assert labels(figure) == ["randomised", "trial", "patent", "other", "one", "1", "2", "two", "9"]
    radii = [float(circle.get("r", "")) for circle in read(figure).iter(f"{SVG}circle")]
    assert max(radii) == radii[2]


def test_evidence_of_one_question_is_no_map() -> None:
    assert evidence({"one": {"other": 2}, "none": {}}) == []


def centres(figure: Figure) -> Sequence[float]:
    return [float(box.get("x", "")) + 4 for box in read(figure).iter(f"{SVG}rect")]


def test_ratios_are_drawn_on_a_logarithmic_scale_around_no_effect() -> None:
    (figure,) = forests(effects(*RATIOS))
    _, half, double = centres(figure)
    ticks = {text.text: float(text.get("x", "")) for text in read(figure).iter(f"{SVG}text")}
    assert ticks["1"] - half == pytest.approx(double - ticks["1"], abs=0.2)
    assert "0.74 (0.60 to 0.91)" in ticks and "[1]" in ticks and "1,200" in ticks
    assert "(1)" in figure.description and "logarithmic" in figure.description


def test_differences_are_drawn_on_a_linear_scale_with_zero_in_it() -> None:
    results = (("-1", "95% CI -2 to 0"), ("-3", "95% CI -4 to -2"), ("-5.5", "95% CI -6 to −5"))
    (figure,) = forests(effects(*results, measure="Mean Difference"))
    one, three, _ = centres(figure)
    ticks = {text.text: float(text.get("x", "")) for text in read(figure).iter(f"{SVG}text")}
    assert (ticks["0"] - one) * 3 == pytest.approx(ticks["0"] - three, abs=0.5)


@pytest.mark.parametrize(
    "results",
    [
        RATIOS[:2],
        (*RATIOS[:2], ("0.7", "")),
        (*RATIOS[:2], ("not stated", "95% CI 0.1 to 0.2")),
        (*RATIOS[:2], ("0.7", "95% CI 0.8 to 0.9")),
        (*RATIOS[:2], ("0.7", "95% CI 0 to 0.9")),
        (*RATIOS[:2], ("inf", "95% CI 0 to inf")),
    ],
)
def test_fewer_than_three_results_with_an_interval_are_not_drawn(results: Sequence[tuple[str, str]]) -> None:
    assert forests(effects(*results)) == []


@pytest.mark.parametrize("lacking", ["Study", "Endpoint", "Unit of the outcome", "Interval", "n"])
def test_a_stored_table_that_lacks_a_column_is_not_drawn(lacking: str) -> None:
    found = effects(*RATIOS)
    (table,) = found.tables
    place = table.columns.index(lacking)
    rows = tuple(row.model_copy(update={"cells": row.cells[:place] + row.cells[place + 1 :]}) for row in table.rows)
    columns = table.columns[:place] + table.columns[place + 1 :]
    older = table.model_copy(update={"columns": columns, "rows": rows})
    assert forests(found.model_copy(update={"tables": (older,)})) == []


def test_results_without_a_known_scale_are_not_drawn() -> None:
    assert forests(effects(*RATIOS, measure="slope")) == []
