"""A dossier in one format a file."""

from storm.export.files import check_folder, write_dossier
from storm.export.formats import FORMATS, DataFormat, Format, check_formats, to_json, to_markdown
from storm.export.sources import write_sources

__all__ = [
    "FORMATS", "DataFormat", "Format", "check_folder", "check_formats", "to_json", "to_markdown", "write_dossier",
    "write_sources",
]  # fmt: skip
