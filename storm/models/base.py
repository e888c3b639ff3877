"""The base of every value that travels between folders."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value; unknown fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
