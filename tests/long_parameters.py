"""Of many values of a test's parameter, those that CI leaves to `scripts/test --all`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def mark_long(values: Iterable[Any], *, but: Container[Any]) -> list[Any]:
    """The values, each marked as long but for these."""
    return [
        value
        if value in but
        else pytest.param(*value, marks=pytest.mark.long)
        if isinstance(value, tuple)
        else pytest.param(value, marks=pytest.mark.long)
        for value in values
    ]
