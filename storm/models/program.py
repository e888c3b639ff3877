"""What an optimisation has learnt, as it is saved and as a job carries it: instructions and demonstrations, no code."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from pydantic import Field, field_validator

from storm.models.base import Frozen

#: What a program that DSPy saved says of its optimiser: predictors that it lacks are the usual ones.
SAVED_BY_DSPY = "dspy"
#: The version of the file.
PROGRAM_VERSION = 1
#: Characters of an instruction at most: a prompt has to hold it beside everything else.
MOST_CHARACTERS = 12_000
#: Characters of a predictor's demonstrations at most, as JSON; of those that fit, a prompt shows what it has room for.
MOST_SHOWN = 100_000


class SavedPredictor(Frozen):
    """One predictor's instruction and demonstrations; `fields` are those of the signature that they were made for."""

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
    """The predictors of a crew by name, what made them, and the scores of before and after.

    A model, an address or a key is never in it.
    """

    storm_program: int = PROGRAM_VERSION
    name: str
    storm: str
    dspy: str
    optimizer: str
    created: datetime
    scores: dict[str, float] = {}
    predictors: dict[str, SavedPredictor]
