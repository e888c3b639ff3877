"""A house style: its styles, headers and footers are used, its text is not."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import docx
import pytest
from documents import document, run, table
from docx.document import Document as Docx
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Inches, Pt

from storm.errors import UsageError
from storm.export import check_template
from storm.export.docx import render_docx
from storm.export.pages import PageSetup
from storm.reports.document import BulletList, Paragraph, make_heading

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHOWN = document(
    make_heading("One", "one"),
    Paragraph(content=run("Text.")),
    make_heading("Deep", "deep", level=3),
    BulletList(items=(run("x"),)),
    table("a", "b"),
)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A template as a German edition saves it, without the styles and lists that its author did not use."""
    made = docx.Document()
    made.styles["Normal"].font.name = "Garamond"
    made.styles["Heading 1"].font.size = Pt(33)
    styles = made.styles.element
    for style in styles.findall(qn("w:style")):
        match style.find(qn("w:name")).get(qn("w:val")):
            case "List Bullet" | "heading 2" | "Caption" | "Title":
                styles.remove(style)
            case "Normal":
                style.set(qn("w:styleId"), "Standard")
            case "heading 1":
                style.set(qn("w:styleId"), "Heading2")
    (numbering,) = (key for key, one in made.part.rels.items() if one.reltype.endswith("/numbering"))
    del made.part.rels[numbering]
    section = made.sections[0]
    section.page_width, section.page_height, section.left_margin = Cm(21), Cm(29.7), Inches(2)
    section.header.paragraphs[0].text = "House of style"
    section.footer.paragraphs[0].text = "Confidential"
    made.add_heading("Old heading")
    made.add_paragraph("Old text")
    made.add_table(1, 1)
    made.core_properties.author = made.core_properties.keywords = "Old author"
    return save(made, tmp_path / "house.docx")


def save(made: Docx, path: Path) -> Path:
    made.save(str(path))
    return path


def written(template: Path) -> Docx:
    return docx.Document(BytesIO(render_docx(SHOWN, PageSetup(template=template))))


def test_its_styles_headers_and_footers_are_used(house: Path) -> None:
    found = written(house)
    styles = {paragraph.text: paragraph.style for paragraph in found.paragraphs}
    assert styles["One"] and styles["One"].font.size == Pt(33)
    assert styles["Text."] and styles["Text."].font.name == "Garamond"
    assert found.sections[0].header.paragraphs[0].text == "House of style"
    assert [paragraph.text for paragraph in found.sections[0].footer.paragraphs] == ["Confidential"]
    assert found.sections[0].left_margin == Inches(2)


def test_its_first_page_is_that_of_the_first_section_and_pages_are_counted_through(tmp_path: Path) -> None:
    made = docx.Document()
    made.sections[0].different_first_page_header_footer = True
    made.sections[0]._sectPr.append(OxmlElement("w:pgNumType", {qn("w:start"): "5", qn("w:fmt"): "lowerRoman"}))
    pages = PageSetup(template=save(made, tmp_path / "first.docx"))
    wide = table(*(f"Column {n}" for n in range(9)))
    shown = document(make_heading("One", "one"), make_heading("Two", "two"), wide)
    found = docx.Document(BytesIO(render_docx(document(Paragraph(content=run("Text.")), *shown.blocks), pages)))
    assert [section.different_first_page_header_footer for section in found.sections] == [True, False]
    numbers = [section._sectPr.find(qn("w:pgNumType")) for section in found.sections]
    assert [dict(one.attrib) for one in numbers if one is not None] == [
        {qn("w:start"): "5", qn("w:fmt"): "lowerRoman"}, {qn("w:fmt"): "lowerRoman"},
    ]  # fmt: skip


def test_nothing_of_its_text_or_properties_is_left(house: Path) -> None:
    content = render_docx(SHOWN, PageSetup(template=house))
    with ZipFile(BytesIO(content)) as archive:
        everything = b"".join(map(archive.read, archive.namelist()))
    assert b"Old" not in everything
    assert b"House of style" in everything


def test_notes_below_its_text_are_not_expected(tmp_path: Path) -> None:
    made = docx.Document()
    made.settings.element.append(OxmlElement("w:footnotePr"))
    settings = written(save(made, tmp_path / "notes.docx")).settings.element
    assert settings.find(qn("w:footnotePr")) is None
    assert settings.find(qn("w:compat")) is not None


def test_styles_that_it_lacks_are_added_on_top_of_its_own(house: Path) -> None:
    found = written(house)
    styles = {paragraph.text: paragraph.style for paragraph in found.paragraphs}
    assert styles["Deep"] and styles["Deep"].name == "Heading 2"
    assert styles["Deep"].style_id == "Heading2_"  # the template has another style of that id
    assert styles["Deep"].base_style and styles["Deep"].base_style.name == "Normal"
    (item,) = (paragraph for paragraph in found.paragraphs if paragraph.text == "x")
    assert item.style and item.style.name == "List Bullet"
    assert item._p.pPr.numPr.numId.val == 1
    assert found.tables[0].style and found.tables[0].style.name == "Dossier Table"


def test_its_own_bullets_are_used(tmp_path: Path) -> None:
    found = written(save(docx.Document(), tmp_path / "plain.docx"))
    (item,) = (paragraph for paragraph in found.paragraphs if paragraph.text == "x")
    assert item.style and item.style.name == "List Bullet"
    assert item._p.pPr.numPr is None


def test_pages_are_numbered_where_it_has_no_footer(tmp_path: Path) -> None:
    footer = written(save(docx.Document(), tmp_path / "plain.docx")).sections[0].footer
    assert [code.text for code in footer._element.iter(qn("w:instrText"))] == ["PAGE", "NUMPAGES"]


def test_the_same_template_gives_the_same_bytes(house: Path) -> None:
    pages = PageSetup(template=house)
    assert render_docx(SHOWN, pages) == render_docx(SHOWN, pages)


def test_a_template_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.docx cannot be read: No such file"):
        check_template(tmp_path / "none.docx", ["docx"])


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "house.dotx").write_bytes(b"")
    with pytest.raises(UsageError, match=r"house\.dotx is no \.docx file"):
        check_template(tmp_path / "house.dotx", ["docx"])


def test_a_template_for_a_format_that_takes_none_is_refused(house: Path) -> None:
    with pytest.raises(UsageError, match="only the format docx uses a template"):
        check_template(house, ["md", "pdf"])


@pytest.mark.parametrize("content", [b"", b"Not a document", b"PK\x03\x04 cut"])
def test_a_damaged_template_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "house.docx"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is not a readable DOCX file"):
        check_template(path, ["docx"])


@pytest.mark.parametrize(
    "name",
    [
        "[Content_Types].xml",
        "_rels/.rels",
        "docProps/core.xml",
        "word/document.xml",
        "word/styles.xml",
        "word/settings.xml",
        "word/footer1.xml",
        "word/_rels/document.xml.rels",
    ],
)
@pytest.mark.parametrize("content", [None, b"", b"<a", b"<a/>"])
def test_a_template_with_a_damaged_part_is_refused_or_used(name: str, content: bytes | None, house: Path) -> None:
    with ZipFile(house) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    parts = {
        one: part if one != name else content or b""
        for one, part in parts.items()
        if one != name or content is not None
    }
    with ZipFile(house, "w") as archive:
        for one, part in parts.items():
            archive.writestr(one, part)
    try:
        found = written(house)
    except UsageError as error:
        assert "is not a readable DOCX file" in error.message
    else:
        assert [paragraph.text for paragraph in found.paragraphs].count("Text.") == 1


@pytest.mark.parametrize(
    ("left", "twips"), [("1133.8582677165355", 1134), ("2cm", 1134), ("1in", 1440), ("wide", 1134), ("9e99", 1134)]
)
def test_margins_are_read_with_fractions_and_units(left: str, twips: int, tmp_path: Path) -> None:
    made = docx.Document()
    made.sections[0]._sectPr.pgMar.set(qn("w:left"), left)
    (margins,) = written(save(made, tmp_path / "house.docx")).element.iter(qn("w:pgMar"))
    assert margins.get(qn("w:left")) == str(twips)
    assert margins.get(qn("w:top")) == "1440"  # of the template


@pytest.mark.parametrize(("tag", "lengths"), [("pgSz", {}), ("pgSz", {"w": "0"}), ("pgMar", {"left": "20000"})])
def test_a_page_that_lacks_its_size_or_has_no_room_for_text_is_storms(
    tag: str, lengths: dict[str, str], tmp_path: Path
) -> None:
    made = docx.Document()
    (element,) = made.element.iter(qn(f"w:{tag}"))
    element.attrib.clear()
    for name, length in lengths.items():
        element.set(qn(f"w:{name}"), length)
    check_template(save(made, tmp_path / "house.docx"), ["docx"])
    section = written(tmp_path / "house.docx").sections[0]
    assert section.page_width and section.page_width.twips == 11_906


def test_nothing_that_stands_beside_its_text_is_sent(house: Path) -> None:
    made = docx.Document(str(house))
    settings = made.settings.element
    for tag in ("documentProtection", "trackRevisions", "docVars"):
        settings.append(OxmlElement(f"w:{tag}"))
    attached = (next(r for r in made.part.rels.values() if r.reltype.endswith("/settings"))).target_part.relate_to(
        "https://secret.example/x.dotm", f"{OFFICE}/attachedTemplate", is_external=True
    )
    settings.insert(0, OxmlElement("w:attachedTemplate", {qn("r:id"): attached}))
    package = made.part.package
    for name in ("customUI/customUI.xml", "docProps/custom.xml"):
        part = Part(PackURI(f"/{name}"), "application/xml", b"<secret/>", package)
        package.relate_to(part, f"{OFFICE}/{PackURI(f'/{name}').filename}")
    made.sections[0]._sectPr.append(OxmlElement("w:sectPrChange", {qn("w:author"): "secret"}))
    made.add_section().header.is_linked_to_previous = False
    made.sections[1].header.paragraphs[0].text = "secret"
    app = next(part for part in package.iter_parts() if part.partname == "/docProps/app.xml")
    app._blob = b"<Properties><Company>secret</Company></Properties>"
    with ZipFile(BytesIO(render_docx(SHOWN, PageSetup(template=save(made, house))))) as archive:
        parts = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    assert [name for name, part in parts.items() if "secret" in part] == []
    assert not {"customUI/customUI.xml", "docProps/custom.xml"} & set(parts)
    assert "<Application>storm</Application>" in parts["docProps/app.xml"]
    for tag in ("documentProtection", "trackRevisions", "docVars", "attachedTemplate"):
        assert tag not in parts["word/settings.xml"]
    assert "House of style" in "".join(parts.values())


@pytest.mark.slow
def test_a_template_that_is_large_when_it_is_unpacked_is_refused(house: Path) -> None:
    with ZipFile(house, "a", ZIP_DEFLATED) as archive:
        archive.writestr("word/media/blank.bin", bytes(60_000_000))
    assert house.stat().st_size < 1_000_000
    with pytest.raises(UsageError, match=r"house\.docx is too large: 61 MB unpacked, and at most 50 MB are read"):
        check_template(house, ["docx"])


@pytest.mark.slow
def test_a_template_that_states_less_than_it_holds_is_not_unpacked(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ZipFile(house, "a", ZIP_DEFLATED) as archive:
        archive.writestr("word/blank.bin", bytes(60_000_000))
    content = bytearray(house.read_bytes())
    size = content.rindex(b"word/blank.bin") - 22  # in the list at the end of the archive
    content[size : size + 4] = (1_000).to_bytes(4, "little")
    house.write_bytes(content)
    monkeypatch.setattr("docx.Document", None)
    with pytest.raises(UsageError, match="is not a readable DOCX file") as refused:
        check_template(house, ["docx"])
    assert isinstance(refused.value.__cause__, BadZipFile)


def test_an_error_of_storms_own_is_not_blamed_on_the_template(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storm.export.docx_template._find_free", None)
    with pytest.raises(TypeError):
        check_template(house, ["docx"])
