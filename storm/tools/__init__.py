"""What an agent may call in one job."""

from storm.tools.finalize import finalize_sources
from storm.tools.search import JobSearch
from storm.tools.source_check import SourceCheck
from storm.tools.toolbox import JobTools

__all__ = ["JobSearch", "JobTools", "SourceCheck", "finalize_sources"]
