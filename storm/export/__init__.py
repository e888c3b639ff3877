"""Writes reports to files, one per format."""

from storm.export.files import check_folder, write_report
from storm.export.formats import (
    BIBLIOGRAPHIES,
    FORMATS,
    DataFormat,
    Format,
    PagedFormat,
    check_formats,
    check_libraries,
    check_pages,
    check_template,
    to_html,
    to_json,
    to_markdown,
)
from storm.export.pages import PageSetup, find_template
from storm.export.repurposing_markdown import repurposing_markdown
from storm.export.subjects import check_subject, mark_subject, name_files

__all__ = [
    "BIBLIOGRAPHIES", "FORMATS", "DataFormat", "Format", "PageSetup", "PagedFormat", "check_folder", "check_formats",
    "check_libraries", "check_pages", "check_subject", "check_template", "find_template", "mark_subject", "name_files",
    "repurposing_markdown", "to_html", "to_json", "to_markdown", "write_report",
]  # fmt: skip
