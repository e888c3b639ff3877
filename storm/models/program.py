"""The result of an optimisation, as saved and as part of a job: instructions and demonstrations, no code."""

import json
from datetime import datetime
from typing import Any

from pydantic import Field, field_validator

from storm.models.base import Frozen

#: The `optimizer` of a program that DSPy saved; predictors that it lacks keep their defaults.
SAVED_BY_DSPY = "dspy"
#: The modes whose predictors are optimised; `broad` is that of programs that were saved before another mode had some.
BROAD, PARALLEL, REPURPOSING, DEEP_RESEARCH = "broad", "parallel", "repurposing", "deep_research"
#: The version of the file format.
PROGRAM_VERSION = 1
#: Maximum characters of an instruction, which shares the prompt with everything else.
MOST_CHARACTERS = 12_000
#: Maximum characters of a predictor's demonstrations, as JSON; a prompt shows as many as it has room for.
MOST_SHOWN = 100_000


class SavedPredictor(Frozen):
    """One predictor's instruction and demonstrations; `fields` are those of their signature."""

    fields: tuple[str, ...]
    instructions: str = Field(max_length=MOST_CHARACTERS)
    demos: tuple[dict[str, Any], ...] = ()

    @field_validator("demos")
    @classmethod
    def _limit_demos(cls, demos: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
        if (size := len(json.dumps(demos, ensure_ascii=False))) > MOST_SHOWN:
            raise ValueError(f"demonstrations of {size:,} characters, at most {MOST_SHOWN:,} are taken")
        return demos


class SavedProgram(Frozen):
    """Predictors by name, the optimiser that made them, and the scores before and after.

    `mode` is the mode whose predictors they are. It never contains a model, an address or a key.
    """

    storm_program: int = PROGRAM_VERSION
    name: str
    mode: str = BROAD
    storm: str
    dspy: str
    optimizer: str
    created: datetime
    scores: dict[str, float] = {}
    predictors: dict[str, SavedPredictor]
