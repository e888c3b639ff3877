"""The tools that an agent may call in one job."""

from storm.tools.database_tools import database_tools
from storm.tools.finalize import finalize_sources
from storm.tools.reading import SourceReader
from storm.tools.refiling import SourceReview
from storm.tools.search import JobSearch
from storm.tools.source_check import SourceCheck
from storm.tools.toolbox import JobTools

__all__ = ["JobSearch", "JobTools", "SourceCheck", "SourceReader", "SourceReview", "database_tools", "finalize_sources"]
