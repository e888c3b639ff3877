"""The base of every value that travels between folders."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value; unknown fields are an error."""

    # Built when first used: a command that only reads jobs need not pay for the dossier's types. So a default of such a
    # type is made with `model_construct`, which does not build it.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
