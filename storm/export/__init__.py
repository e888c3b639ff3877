"""Writes reports to files, one per format."""

from storm.export.files import check_drug, check_folder, write_report
from storm.export.formats import FORMATS, DataFormat, Format, check_formats, to_html, to_json, to_markdown

__all__ = [
    "FORMATS", "DataFormat", "Format", "check_drug", "check_folder", "check_formats", "to_html", "to_json",
    "to_markdown", "write_report",
]  # fmt: skip
