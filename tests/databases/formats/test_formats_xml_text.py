import pytest
from lxml import etree

from storm.databases.formats.xml_text import CITED, cited_paragraphs_of, paragraphs_of, text_of, text_of_html
from storm.errors import RecordError

SAFE = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)


def text(markup: str) -> str:
    return text_of(etree.fromstring(f"<t>{markup}</t>", SAFE))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a titre of 10<sup>9</sup> copies", "a titre of 10^9 copies"),
        ("2 × 10<sup>−9</sup> M", "2 × 10^−9 M"),
        ("H<sub>2</sub>O and IC<sub>50</sub>", "H2O and IC50"),
        ("SO<sub>4</sub><sup>2-</sup>", "SO4^2-"),
        ("10<sup> <i>9</i> </sup>", "10^9"),
        ("Herceptin<sup>®</sup>, the 20<sup>th</sup> day", "Herceptin®, the 20th day"),
        ("empty<sup/> superscript", "empty superscript"),
    ],
)
def test_superscripts_are_marked_and_subscripts_are_plain(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('fell by 2.0<sup><xref ref-type="bibr">13</xref></sup> points', "fell by 2.0 points"),
        ('broken down by DPP4.<xref ref-type="ref">15</xref> It was', "broken down by DPP4. It was"),
        ('shown.<sup><xref ref-type="bibr">1</xref>,<xref ref-type="bibr">3</xref></sup> We', "shown. We"),
        ('shown <xref ref-type="bibr">[1]</xref>–<xref ref-type="bibr">[5]</xref>. Yet', "shown. Yet"),
        ('shown [<xref ref-type="bibr">1</xref>, <xref ref-type="bibr">2</xref>]. Yet', "shown. Yet"),
        ("shown<sup>[12]</sup>, and again<sup>[3,5–7]</sup>.", "shown, and again."),
        ('Smith<xref ref-type="fn"><sup>*</sup></xref> found', "Smith found"),
        ('(<xref ref-type="bibr">Landrum et al., 2016</xref>)', "(Landrum et al., 2016)"),
        ('see <xref ref-type="fig">Figure 1</xref>.', "see Figure 1."),
    ],
)
def test_marks_of_references_are_dropped_and_words_stay(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('shown [<xref ref-type="bibr">1</xref>, <xref ref-type="bibr">2</xref>]. Yet', "shown*. Yet"),
        ('fell by 2.0<sup><xref ref-type="bibr">13</xref></sup> points', "fell by 2.0* points"),
        ("shown.<sup>[12]</sup> We", "shown.* We"),
        ('Smith<xref ref-type="fn"><sup>*</sup></xref> found 10<sup>9</sup>', "Smith found 10^9"),
        ('<xref ref-type="bibr">1</xref> opens', "opens"),
    ],
)
def test_where_a_paragraph_cites_is_marked_beside_the_same_text(markup: str, expected: str) -> None:
    element = etree.fromstring(f"<t>{markup}</t>", SAFE)
    (cited,) = cited_paragraphs_of(element)
    assert cited.replace(CITED, "*") == expected
    assert [cited.replace(CITED, "")] == paragraphs_of(element)


def test_a_plain_superscript_number_stays_because_it_may_be_an_exponent() -> None:
    assert text("2.0<sup>13</sup> and 2.0<sup>13,14</sup>") == "2.0^13 and 2.0^13,14"


def test_white_space_is_collapsed_and_text_after_elements_is_kept() -> None:
    assert text("\n a <i>b</i>\tc&#xa0;&#x2009;d <!-- no -->e<?pi no?> f\n") == "a b c d e f"


def test_paragraphs_and_list_items_are_kept_apart() -> None:
    assert text("<p>One.</p><p>Two:</p><list><list-item><p>a</p></list-item></list>") == "One. Two: a"


def test_what_cannot_be_seen_is_removed() -> None:
    assert text("trastu&#xad;zu&#x200b;mab &#x202e;txt") == "trastuzumab txt"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"),
        ("<msup><mi>x</mi><mrow><mi>n</mi><mo>−</mo><mn>1</mn></mrow></msup>", "x^(n−1)"),
        ("<msub><mi>V</mi><mtext>max</mtext></msub>", "Vmax"),
        ("<msubsup><mi>η</mi><mi>p</mi><mn>2</mn></msubsup>", "ηp^2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "(a+1)/b"),
        ("<msqrt><mi>n</mi></msqrt>", "√n"),
        ("<mmultiscripts><mi>He</mi><mprescripts/><none/><mn>3</mn></mmultiscripts>", "^3He"),
        ("<mi>p</mi><mspace/><mo>&lt;</mo><mn>0.05</mn>", "p <0.05"),
        ("<semantics><mi>x</mi><annotation>\\(x\\)</annotation></semantics>", "x"),
    ],
)
def test_mathml_is_written_in_one_line(formula: str, expected: str) -> None:
    namespace = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    assert text(f"if <math {namespace}>{formula}</math> holds") == f"if {expected} holds"


def test_of_a_formula_in_several_forms_one_is_written() -> None:
    tex = "<tex-math>\\documentclass{minimal}\\begin{document}$$x^2$$\\end{document}</tex-math>"
    both = f"<inline-formula><alternatives>{tex}<math><mi>y</mi></math></alternatives></inline-formula>"
    assert text(f"a {both} b") == "a y b"
    assert text(f"a <inline-formula>{tex}</inline-formula> b") == "a x^2 b"
    assert text("a<disp-formula><graphic/></disp-formula>b") == "a b"


def test_a_named_entity_is_the_character_that_html_knows_and_any_other_an_error() -> None:
    declared = '<!DOCTYPE t [<!ENTITY alpha "EXPANDED"><!ENTITY own "EXPANDED">]>'
    assert text_of(etree.fromstring(f"{declared}<t>&alpha;-blocker</t>", SAFE)) == "α-blocker"
    with pytest.raises(RecordError, match="&own;"):
        text_of(etree.fromstring(f"{declared}<t>an &own; goal</t>", SAFE))


def test_nesting_as_deep_as_the_parser_allows_is_read() -> None:
    for tag in ("sup", "i", "mrow"):
        nested = f"<{tag}>" * 250 + "x" + f"</{tag}>" * 250
        assert text(nested if tag != "mrow" else f"<math>{nested}</math>").endswith("x")


def test_no_element_has_no_text() -> None:
    assert text_of(None) == ""


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("<i>ERBB2</i> at 10<sup>9</sup> and H<sub>2</sub>O", "ERBB2 at 10^9 and H2O"),
        ("&lt;i&gt;BRCA1&lt;/i&gt; &amp; co", "BRCA1 & co"),
        ("survival (p <.01) of <1 year, n<mean", "survival (p <.01) of <1 year, n<mean"),
        ("one<br/>two<p>three</p>", "one two three"),
        ("shown<sup>[1]</sup>.", "shown."),
        ("a\x00b\x1b[31mc\ud800", "ab[31mc"),
    ],
)
def test_html_in_json_fields_becomes_text(fragment: str, expected: str) -> None:
    assert text_of_html(fragment) == expected


@pytest.mark.parametrize("piece", ["<sup>", "<h4>", "<a ", " ", "(,", "&lt;", "\0"])
def test_long_runs_of_half_markup_take_no_longer_than_their_length(piece: str) -> None:
    assert len(text_of_html(piece * 200_000)) <= 1_000_000


def test_long_runs_beside_a_mark_take_no_longer_than_their_length() -> None:
    reference = '<xref ref-type="bibr">1</xref>'
    assert len(text(f"a{reference}{' ' * 150_000}{'(' * 100_000}{reference}")) == 100_002
