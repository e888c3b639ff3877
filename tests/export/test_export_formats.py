"""The formats as the doors use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from dossiers import dossier, reference

from storm.cli import export, resume, run
from storm.cli.console import FORMATS_HELP
from storm.errors import StormError, UsageError
from storm.export import FORMATS, Format, check_formats, to_json, to_markdown, write_report
from storm.models.record_table import TableName


def test_a_dossier_is_written_in_each_format_under_its_suffix(tmp_path: Path) -> None:
    paths = write_report(dossier(), tmp_path, list(FORMATS))
    tables = [f"{name}.csv" for name in TableName]
    suffixes = [
        "html", "md", "docx", "pdf", "json", "bib", "ris", "csl.json", *tables, "log.csv", "log.json",
        "not-kept.csv", "flow.svg", "flow.csv", "changes.json",
    ]  # fmt: skip
    assert [path.name for path in paths] == [f"dossier.{suffix}" for suffix in suffixes]
    assert (tmp_path / "dossier.md").read_text(encoding="utf-8") == to_markdown(dossier())
    assert (tmp_path / "dossier.json").read_text(encoding="utf-8") == to_json(dossier())


def test_half_a_surrogate_pair_is_written_in_each_format_and_read_again_from_json(tmp_path: Path) -> None:
    title = "Half \ud83d of zorvimab"
    broken = dossier().references[0].model_copy(update={"title": title})
    made = dossier().model_copy(update={"references": (broken, *dossier().references[1:])})
    written = write_report(made, tmp_path, [name for name in FORMATS if name not in ("docx", "pdf")])
    (path,) = (path for path in written if path.name == "dossier.json")
    assert json.loads(path.read_text(encoding="utf-8"))["references"][0]["title"] == title


def test_json_is_the_dossiers_own_fields() -> None:
    assert json.loads(to_json(dossier())) == dossier().model_dump(mode="json")


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if isinstance(one, Format)])
def test_a_dossier_whose_marks_and_references_do_not_match_is_not_written_for_readers(
    name: str, tmp_path: Path
) -> None:
    wrong = dossier(references=(reference(1), reference(2), reference(3)))
    with pytest.raises(StormError, match="its references are inconsistent: reference 3 is not cited"):
        write_report(wrong, tmp_path, [name])
    assert list(tmp_path.iterdir()) == []


def test_formats_are_taken_once_each_and_an_unknown_one_is_refused() -> None:
    assert check_formats(["json", "md", "json"]) == ("json", "md")
    with pytest.raises(UsageError, match="no such format: odt"):
        check_formats(["md", "odt"])


def test_help_names_each_format_in_every_command_that_writes_one() -> None:
    assert all(name in FORMATS_HELP for name in FORMATS)
    for command in (run.run, resume.resume, export.export):
        (option,) = get_args(get_type_hints(command, include_extras=True)["formats"])[1:]
        assert option.help.startswith(FORMATS_HELP)
