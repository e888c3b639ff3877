"""References as hostile records make them, and what other people's readers find in a bibliography."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import bibtexparser
import pybtex.database
import pybtex.errors
import rispy
from bibtexparser.middlewares import SeparateCoAuthors
from jsonschema import Draft202012Validator
from pylatexenc import latexwalker
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.macrospec import std_macro

from storm.export.bibtex import to_bibtex
from storm.export.csl_json import to_csl
from storm.export.ris import to_ris
from storm.models import Contributor, Publication, Reference
from storm.reports.document import printable_line
from storm.reports.entries import Entry, entry_of

#: Titles and names that are something else in a spreadsheet, a page, LaTeX, BibTeX, RIS or a shell, or are no text.
HOSTILE = (
    "=cmd|' /C calc'!A0", "@SUM(1+1)*cmd|' /C calc'!A0", "+1-555", "-2+3", "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "<b>bold</b> and <i>italic</i>", "&lt;b&gt; &amp; &#60;", "javascript:alert(1)",
    r"\input{/etc/passwd}", r"\write18{rm -rf /}", r"\immediate\write18{id}", r"$\alpha$ and $x^2_i$", "100 % of 5 %",
    "TY  - JOUR", "ER  - ", "one\nTY  - JOUR\nTI  - two", "one\r\nER  - \r\nTY  - BOOK", "AU  - Nobody, N",
    "@article{key, title = {x}}", "@article{", "@comment{all of it", "@string{a = b}", '@preamble{"x"}',
    "unbalanced { brace", "unbalanced } brace", "}}}{{{", "{}", "\\", "ends in a backslash \\", "\\}", "a, b, c",
    "key = {value},", '"quoted" and “quoted”', "''two'' ``ticks``", "a -- dash --- and more ----", "~ tilde ^ caret",
    "a_b_c", "#hash $5 & co", "x\x00y\x07z\x1b[31m", "tab\tand\x0bvertical", "lone \ud83d surrogate", "\udc00\udc00",
    "\u202eabc\u202c right to left", "زورفيماب والدواء", "מחקר קליני", "王伟", "トラスツズマブの研究", "Œuvre çà et là",
    "e\u0301 combining", "10⁹ cells/µL, α-tocopherol", "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>", "[1, 2] and [3]",
    "| a | b |", "`code`", "# heading", "1. list", "line\u2028and paragraph\u2029separators", "🧬 in a helix",
    "; DROP TABLE jobs; --", "%00%0a", "${jndi:ldap://x}", "{{7*7}}", "Smith and Sons and Others", "and", "others",
    "\ufeffmarked", "a" * 3_000,
)  # fmt: skip

#: The fields that we write, with the types that csl-data.json of citationstyles.org gives them.
_CSL_TEXTS = (
    "id", "title", "container-title", "container-title-short", "volume", "issue", "page", "number", "publisher",
    "publisher-place", "ISSN", "ISBN", "DOI", "PMID", "PMCID", "URL", "language", "jurisdiction", "status", "authority",
    "genre", "source", "note", "citation-number",
)  # fmt: skip
_CSL_TYPES = ("article-journal", "article", "chapter", "book", "dataset", "patent", "report", "webpage", "thesis",
    "paper-conference",
)  # fmt: skip
_TEXT = {"type": "string", "minLength": 1}
_NAME_PARTS = dict.fromkeys(("family", "given", "suffix", "literal"), _TEXT)
CSL_NAMES = {
    "type": "array", "minItems": 1,
    "items": {"type": "object", "properties": _NAME_PARTS, "additionalProperties": False, "minProperties": 1},
}  # fmt: skip
_PARTS = {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}
CSL_DATE = {
    "type": "object", "required": ["date-parts"], "additionalProperties": False,
    "properties": {"date-parts": {"type": "array", "items": _PARTS, "minItems": 1, "maxItems": 1}},
}  # fmt: skip
CSL = {
    "type": "array",
    "items": {
        "type": "object", "required": ["id", "type"], "additionalProperties": False,
        "properties": {
            **dict.fromkeys(_CSL_TEXTS, _TEXT), "type": {"enum": list(_CSL_TYPES)}, "author": CSL_NAMES,
            "editor": CSL_NAMES,
            "issued": CSL_DATE, "accessed": CSL_DATE,
        },
    },
}  # fmt: skip


class Found(NamedTuple):
    """What a reader found of one entry: its title and its authors' names, in the order of the file."""

    title: str
    authors: tuple[str, ...]


def reference(n: int = 1, **fields: object) -> Reference:
    """A paper; these fields are instead of its own."""
    values = {
        "n": n, "source_id": f"src_{n:03}", "source_type": "pubmed", "external_id": str(n), "title": f"Paper {n}",
        "url": f"https://example.org/{n}", "identifiers": (f"pmid:{n}",), "authors": ("Doe J",), "year": 2001,
    }  # fmt: skip
    return Reference.model_validate(values | fields)


def written(*references: Reference) -> tuple[Entry, ...]:
    return tuple(map(entry_of, references))


def hostile(n: int, text: str) -> Reference:
    """A paper with the text wherever a record has text."""
    people = (Contributor(collective=text), Contributor(family=text, given=text), Contributor(family="Doe", given=text))
    own = Publication(authors=people, journal=text, volume=text, issue=text, publisher=text, language=text)
    return reference(n, title=text, container=text, publication=own)


def same(text: str) -> str:
    """The text without what no reader keeps: characters that are not printed, and the ends of it."""
    return printable_line(text).strip()


def read_bibtex(text: str) -> list[Found]:
    """As bibtexparser reads it, and pybtex, which stops at the first thing that it does not understand."""
    pybtex.errors.set_strict_mode(True)
    assert list(pybtex.database.parse_string(text, "bibtex").entries) == [
        entry.key for entry in bibtexparser.parse_string(text).entries
    ]
    library = bibtexparser.parse_string(text, append_middleware=[SeparateCoAuthors()])
    assert library.failed_blocks == []
    return [_of_bibtex(entry.fields_dict, _decoder()) for entry in library.entries]


def _of_bibtex(fields: Mapping[str, Any], decoder: LatexNodes2Text) -> Found:
    title, authors = (fields[name].value if name in fields else "" for name in ("title", "author"))
    return Found(decoder.latex_to_text(title), tuple(map(decoder.latex_to_text, authors)))


def _decoder() -> LatexNodes2Text:
    """LaTeX's own names of braces and of the caret, which pylatexenc does not know or takes for an accent."""
    signs = {"textbraceleft": "{", "textbraceright": "}", "textasciicircum": "^"}
    context = get_default_latex_context_db()
    macros = [MacroTextSpec(name, sign) for name, sign in signs.items()]
    context.add_context_category("braces", prepend=True, macros=macros)
    parsed = latexwalker.get_default_latex_context_db()
    parsed.add_context_category("braces", prepend=True, macros=[std_macro(name, "") for name in signs])
    return LatexNodes2Text(latex_context=context)


def read_ris(text: str) -> list[Found]:
    """As rispy reads it."""
    records = rispy.loads(text)
    return [Found(record.get("title", ""), tuple(record.get("authors", ()))) for record in records]


def read_csl(text: str) -> list[Found]:
    """As JSON that has the form of CSL's data."""
    items = json.loads(text)
    assert [error.message for error in Draft202012Validator(CSL).iter_errors(items)] == []
    return [Found(item.get("title", ""), tuple(map(_csl_name, item.get("author", ())))) for item in items]


def _csl_name(name: dict[str, str]) -> str:
    return name.get("literal") or ", ".join(name[part] for part in ("family", "given", "suffix") if part in name)


WRITERS = {"bib": (to_bibtex, read_bibtex), "ris": (to_ris, read_ris), "csl": (to_csl, read_csl)}
