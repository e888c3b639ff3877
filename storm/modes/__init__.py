"""The ways through a job: each a coroutine whose steps are remembered, so that a resume repeats none of them."""

from storm.modes.crew import Crew
from storm.modes.mode import MODES, Mode, run_mode
from storm.modes.run import Provisional, Run

__all__ = ["MODES", "Crew", "Mode", "Provisional", "Run", "run_mode"]
