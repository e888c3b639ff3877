"""Documents with pages, and texts that are something else in typst, in XML or in a spreadsheet."""

from __future__ import annotations

from bibliographies import HOSTILE, reference
from dossiers import NOW

from storm.reports.document import (
    Block,
    BulletList,
    Document,
    Figure,
    Inlines,
    Mark,
    Note,
    NumberedReference,
    Paragraph,
    Table,
    make_cells,
    make_heading,
    record_text,
)

HOSTILE_TEXTS = (
    *HOSTILE, '#read("/etc/passwd")', "#panic()", "#sys.inputs", "$x$", "*b*", "@cite", "<label>", "= Heading",
    "/ a: b", "]] #import \"@preview/x:0.1.0\"", "<w:t>x</w:t>", "]]>", "<!-- x -->", "fifty " * 100,
)  # fmt: skip
#: A picture as storm draws them, with text.
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><text x="10" y="50">Drawn here</text></svg>'


def run(text: str) -> Inlines:
    """A run with this text alone."""
    return (record_text(text),)


def document(*blocks: Block, **fields: object) -> Document:
    """A document of these blocks; these fields are instead of its own."""
    values: dict[str, object] = {"title": "A title", "created": NOW, "blocks": blocks}
    return Document.model_validate(values | fields)


def numbered(n: int, content: Inlines) -> NumberedReference:
    return NumberedReference(content=content, record=reference(n))


def document_of_text(text: str) -> Document:
    """A document that has the text, or nothing, wherever a document has text."""
    content = run(text)
    return document(
        make_heading(text, "first"),
        Paragraph(content=content),
        BulletList(items=(content,)),
        Note(paragraphs=(content,)),
        table(text, rows=1, value=text),
        Figure(title=text, description=text, svg=SVG),
        appendix=(Paragraph(content=content),),
        title=record_text(text).text,
        references=(numbered(1, content),),
    )


def table(*head: str, rows: int = 2, value: str = "value") -> Table:
    """A table whose last column cites the first reference if its heading is Source."""
    cells = ((Mark(numbers=(1,)),) if name == "Source" else run(value) for name in head)
    row = tuple(cells)
    return Table(head=make_cells(*head), rows=(row,) * rows)
