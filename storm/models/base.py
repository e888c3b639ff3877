"""The base class of all values that cross folders."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value; unknown fields are an error."""

    # Validators are built on first use, so that a command that only reads jobs does not pay for the dossier's types.
    # A default of such a type is made with `model_construct`, which does not build it.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
