import pytest
from lxml import etree

from storm.databases.formats.jats_tables import MAX_COLUMNS, MAX_ROWS, MAX_TEXT, read_footnotes, read_rows
from storm.models import Cell, TableRow


def rows(table: str, foot: str = "") -> tuple[TableRow, ...]:
    frame = f"<table-wrap><table>{table}</table><table-wrap-foot>{foot}</table-wrap-foot></table-wrap>"
    return read_rows(etree.fromstring(frame))


def texts(table: str, foot: str = "") -> list[str]:
    return [row.text for row in rows(table, foot)]


def line(*cells: str, kind: str = "td") -> str:
    return "<tr>" + "".join(c if c.startswith("<t") else f"<{kind}>{c}</{kind}>" for c in cells) + "</tr>"


HEAD = f"<thead>{line('', 'Sitagliptin (n=193)', 'Placebo (n=190)')}</thead>"


def test_a_row_says_what_each_of_its_values_is() -> None:
    (row,) = rows(HEAD + "<tbody>" + line("HbA1c (%), change", "−0.61", "0.13") + "</tbody>")
    assert row.text == "HbA1c (%), change: Sitagliptin (n=193): −0.61; Placebo (n=190): 0.13"
    assert row == TableRow(
        heading="HbA1c (%), change",
        cells=(Cell(column="Sitagliptin (n=193)", text="−0.61"), Cell(column="Placebo (n=190)", text="0.13")),
    )


def test_a_unit_stands_in_the_heading_of_the_row_or_of_the_column() -> None:
    (row,) = rows(f"<thead>{line('', 'Dose (mg)', 'Change')}</thead><tbody>{line('Weight (kg)', '5', '2')}</tbody>")
    assert [cell.unit for cell in row.cells] == ["mg", "kg"]


def test_headings_over_several_rows_and_columns_are_joined() -> None:
    head = line('<th rowspan="2">Endpoint</th>', '<th colspan="2">Drug A</th>', '<th colspan="2">Drug B</th>')
    head += line("Base", "Week 4", "Base", "Week 4", kind="th")
    assert texts(f"<thead>{head}</thead><tbody>{line('Pain', '5', '3', '6', '4')}</tbody>") == [
        "Pain: Drug A, Base: 5; Drug A, Week 4: 3; Drug B, Base: 6; Drug B, Week 4: 4"
    ]


def test_an_empty_first_heading_spans_the_headings_below_it_even_if_it_does_not_say_so() -> None:
    head = line("", '<th rowspan="2">Placebo</th>', '<th colspan="2">Drug A, mg</th>') + line("10", "20", kind="th")
    assert texts(f"<thead>{head}</thead><tbody>{line('Nausea', '5', '6', '9')}</tbody>") == [
        "Nausea: Placebo: 5; Drug A, mg, 10: 6; Drug A, mg, 20: 9"
    ]


def test_a_heading_over_all_columns_is_said_once() -> None:
    head = line("", '<th colspan="2">Patients, n (%)</th>') + line("", "A", "B", kind="th")
    assert texts(f"<thead>{head}</thead><tbody>{line('Nausea', '5', '3')}</tbody>") == [
        "Patients, n (%), Nausea: A: 5; B: 3"
    ]


def test_lines_of_units_below_the_headings_belong_to_them() -> None:
    assert texts(HEAD + f"<tbody>{line('', 'mean', 'mean')}{line('Age', '54', '55')}</tbody>") == [
        "Age: Sitagliptin (n=193), mean: 54; Placebo (n=190), mean: 55"
    ]


def test_a_table_without_marked_headings_has_those_of_its_first_line_if_that_holds_no_value() -> None:
    assert texts(line("", "A", "B") + line("Age", "54", "55")) == ["Age: A: 54; B: 55"]
    assert texts(line("Age", "54", "55") + line("Men", "3", "4")) == ["Age: 54; 55", "Men: 3; 4"]


def test_cells_over_several_lines_stand_in_each_of_them() -> None:
    body = line('<td rowspan="2">Pain</td>', "4 weeks", "5") + line("8 weeks", "3") + line("Sleep", "4 weeks", "1")
    assert texts(f"<thead>{line('', 'Time', 'Score')}</thead><tbody>{body}</tbody>") == [
        "Pain: Time: 4 weeks; Score: 5",
        "Pain: Time: 8 weeks; Score: 3",
        "Sleep: Time: 4 weeks; Score: 1",
    ]


def test_a_value_over_several_columns_is_said_once() -> None:
    assert texts(HEAD + "<tbody>" + line("p", '<td colspan="2">0.03</td>') + "</tbody>") == [
        "p: Sitagliptin (n=193) to Placebo (n=190): 0.03"
    ]


def test_rows_stand_below_the_heading_of_their_group() -> None:
    body = line("Sex", "", "") + line("\xa0Men", "3", "4") + line("\xa0Women", "5", "6") + line("Age", "54", "55")
    body += line('<td colspan="3">Harms:</td>') + line("Nausea", "1", "2") + line("Rash", "0", "1")
    assert [row.heading for row in rows(f"{HEAD}<tbody>{body}</tbody>")] == [
        "Sex, Men",
        "Sex, Women",
        "Age",
        "Harms, Nausea",
        "Harms, Rash",
    ]


def test_a_row_with_values_is_the_heading_of_those_that_stand_deeper() -> None:
    body = line("Any event", "9", "9") + line("\u2003Nausea", "1", "2") + line("Death", "0", "1")
    assert [row.heading for row in rows(f"{HEAD}<tbody>{body}</tbody>")] == ["Any event", "Any event, Nausea", "Death"]


def test_headings_that_are_repeated_amid_the_table_are_no_values() -> None:
    body = line("Men", "Sitagliptin (n=193)", "Placebo (n=190)") + line("Age", "1", "2")
    assert texts(f"{HEAD}<tbody>{body}</tbody>") == ["Men, Age: Sitagliptin (n=193): 1; Placebo (n=190): 2"]
    anew = f"<thead>{line('', 'Before', 'P')}</thead><tbody>{line('x', '1', '2')}{line('', 'After', 'P')}"
    assert texts(f"{anew}{line('x', '3', '4')}</tbody>") == ["x: Before: 1; P: 2", "x: After: 3; P: 4"]


@pytest.mark.parametrize(
    ("cell", "foot"),
    [
        ("5<sup>a</sup>", "<fn><label>a</label><p>p &lt; 0.05.</p></fn>"),
        ("5<sup>a</sup>", "<p><sup>a</sup>p &lt; 0.05.</p>"),
        ('5<xref ref-type="table-fn" rid="t1">*</xref>', '<fn id="t1"><p>*p &lt; 0.05.</p></fn>'),
        ("5*", "<fn><p>*p &lt; 0.05; **p &lt; 0.01</p></fn>"),
        ("5<sup>*</sup>", "<fn><p><sup>¶</sup>Other.</p></fn><fn><p><sup>*</sup>p &lt; 0.05</p></fn>"),
    ],
)
def test_a_footnote_stands_beside_the_value_that_it_is_about(cell: str, foot: str) -> None:
    assert texts(f"{HEAD}<tbody>{line('Pain', cell, '6')}</tbody>", foot) == [
        "Pain: Sitagliptin (n=193): 5 [p < 0.05]; Placebo (n=190): 6"
    ]


def test_the_mark_of_a_long_footnote_or_of_one_at_a_heading_is_only_dropped() -> None:
    head = f"<thead>{line('', 'A<sup>a</sup>', 'B')}</thead>"
    foot = f"<fn><label>a</label><p>{'long ' * 40}</p></fn><fn><label>b</label><p>Short.</p></fn>"
    assert texts(f"{head}<tbody>{line('x', '1<sup>a</sup>', '2')}</tbody>", foot) == ["x: A: 1; B: 2"]


def test_an_exponent_is_no_mark() -> None:
    foot = "<fn><label>2</label><p>Two.</p></fn>"
    assert texts(f"{HEAD}<tbody>{line('BMI, kg/m<sup>2</sup>', '25', '26')}</tbody>", foot)[0].startswith(
        "BMI, kg/m^2:"
    )


def test_empty_cells_are_left_out_and_zero_and_not_reported_are_kept() -> None:
    assert texts(f"{HEAD}<tbody>{line('a', '–', '0')}{line('b', 'NR', '')}{line('', '', '')}</tbody>") == [
        "a: Placebo (n=190): 0",
        "b: Sitagliptin (n=193): NR",
    ]


def test_a_list_that_is_set_as_a_table_gives_its_lines() -> None:
    assert texts(line("Inclusion criteria") + line("Age over 18")) == ["Inclusion criteria", "Age over 18"]


def test_a_picture_of_a_table_has_no_rows_but_footnotes() -> None:
    frame = etree.fromstring(
        "<table-wrap><graphic/><table-wrap-foot><p>SD: deviation</p></table-wrap-foot></table-wrap>"
    )
    assert (read_rows(frame), read_footnotes(frame)) == ((), ["SD: deviation"])


def test_tables_without_end_are_cut_off() -> None:
    many = line("x", *["1"] * 3) * (MAX_ROWS + 5)
    assert len(rows(many)) == MAX_ROWS + 1
    assert rows(many)[-1].text == "The table goes on in the article; its other rows are not read here."
    wordy = f"<thead>{line('', 'long ' * 100, 'B')}</thead><tbody>{line('x', '1', '2') * 500}</tbody>"
    assert sum(len(row.text) for row in rows(wordy)) < MAX_TEXT + 100
    wide = f'<tr><td colspan="99999" rowspan="99999">a</td><td colspan="x">b</td></tr>{line(*["1"] * 999)}'
    assert all(len(row.cells) <= MAX_COLUMNS for row in rows(wide))
