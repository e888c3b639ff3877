"""The modes of a job: each is a coroutine whose finished steps are stored, so that a resume does not repeat them."""

from storm.modes.crew import Crew, DeepResearchCrew, RepurposingCrew, ResearchCrew
from storm.modes.mode import MODES, Mode, choose_mode, find_mode, run_mode
from storm.modes.planning import make_plan
from storm.modes.run import Provisional, Run
from storm.modes.versions import Converter

__all__ = [
    "MODES",
    "Converter",
    "Crew",
    "DeepResearchCrew",
    "Mode",
    "Provisional",
    "RepurposingCrew",
    "ResearchCrew",
    "Run",
    "choose_mode",
    "find_mode",
    "make_plan",
    "run_mode",
]  # fmt: skip
