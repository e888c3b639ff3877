"""A dossier in one format a file."""

from storm.export.files import FORMATS, check_folder, check_formats, to_json, write_dossier, write_sources
from storm.export.markdown import to_markdown

__all__ = ["FORMATS", "check_folder", "check_formats", "to_json", "to_markdown", "write_dossier", "write_sources"]
