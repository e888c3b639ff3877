"""Packages whose names are imported on first use."""

from importlib import import_module

import pytest

PACKAGES = ("storm.api", "storm.models", "storm.reports")


@pytest.mark.parametrize("package", PACKAGES)
def test_each_name_of_the_package_is_found(package: str) -> None:
    module = import_module(package)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_another_name_is_no_attribute(package: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'unknown'"):
        _ = import_module(package).unknown
