"""A dossier in one format a file."""

from storm.export.files import check_folder, write_dossier, write_sources
from storm.export.formats import FORMATS, DataFormat, Format, check_formats, to_json, to_markdown

__all__ = [
    "FORMATS", "DataFormat", "Format", "check_folder", "check_formats", "to_json", "to_markdown", "write_dossier",
    "write_sources",
]  # fmt: skip
