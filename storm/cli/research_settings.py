"""The settings of research on the command line: `--set NAME=VALUE`, and a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from storm.api import CONFIGURABLE
from storm.config_file import ConfigFile
from storm.errors import UsageError
from storm.models import ResearchSettings


def read_settings_given(file: Path | None, pairs: Iterable[str] | None) -> dict[str, Any]:
    """The settings in the file, and those of `--set`, which win; UsageError for what is not NAME=VALUE, ConfigError
    with file and line for a mistake in the file."""
    return {**(_SettingsFile(file).read_values() if file else {}), **dict(map(_split_pair, pairs or ()))}


def _split_pair(pair: str) -> tuple[str, str]:
    name, is_given, value = (part.strip() for part in pair.partition("="))
    if not (name and is_given and value):
        raise UsageError(f"--set {pair} is not NAME=VALUE", hint="write it so: --set max_questions=6")
    return name, value


class _SettingsFile(ConfigFile):
    """A file of settings by name."""

    def read_values(self) -> dict[str, Any]:
        root = self.root()
        if root is None:
            return {}
        fields = self.fields(root, root, "", known=CONFIGURABLE, required=())
        values = {
            name: self.text(node, name) if name == "model" else self.value(node, name)
            for name, (_, node) in fields.items()
        }
        settings = {name: value for name, value in values.items() if name != "model"}
        self.validate_values(ResearchSettings, settings, fields, "settings")
        return values
