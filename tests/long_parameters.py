"""Of many values of a test's parameter, those that CI leaves to `scripts/test --all`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def mark_long(values: Sequence[Any], *, but: Sequence[Any]) -> list[Any]:
    """The values, marked as long except those in `but`, which must be among them."""
    assert all(value in values for value in but)
    return [value if value in but else _mark(value) for value in values]


def _mark(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
