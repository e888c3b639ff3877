"""Pictures of a dossier as SVG, one kind a file: text is escaped, and the lines have the colour of the text around."""

from storm.reports.pictures.evidence_map import evidence_figure
from storm.reports.pictures.forest import forest_figures
from storm.reports.pictures.timeline import timeline_figure

__all__ = ["evidence_figure", "forest_figures", "timeline_figure"]
