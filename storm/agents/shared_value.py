"""A value that the copies of a DSPy program share."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """Holds a value that copies of a program share, such as a role by rules with its databases: `deepcopy` returns the
    holder itself, and DSPy looks for no predictors in it."""

    def __init__(self, value: T) -> None:
        self.value = value

    def __deepcopy__(self, memo: dict[int, Any]) -> Shared[T]:
        return self
