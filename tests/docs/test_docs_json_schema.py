"""The published schema of dossier.json is made from the models, and dossiers are as it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bibliographies import reference
from dossiers import WHOLE, dossier
from jsonschema import Draft202012Validator
from researched import report
from storm_program import Program

import storm
from storm.models import Contributor, Dossier, Pages, PatentDetails, Publication
from storm.models.dossier import SCHEMA_VERSION

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "docs/dossier.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(found)
    return found


def problems(schema: dict[str, Any], text: str) -> list[str]:
    return [error.message for error in Draft202012Validator(schema).iter_errors(json.loads(text))]


@pytest.mark.slow
def test_the_schema_is_as_the_models_are() -> None:
    command = [sys.executable, "scripts/json_schema.py", "--check"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.slow
def test_the_dossier_of_the_sample_is_valid(schema: dict[str, Any], program: Program) -> None:
    assert program("run", "metformin", "--offline", "--out", "out", "--format", "json").code == 0
    assert problems(schema, (program.folder / "out/dossier.json").read_text(encoding="utf-8")) == []


def test_a_dossier_with_a_full_description_of_its_works_is_valid(schema: dict[str, Any]) -> None:
    people = (Contributor(family="Doe", given="Jane"), Contributor(collective="The Group"))
    works = (Publication(authors=people, pages=Pages(first="1")), Publication(patent=PatentDetails(number="1")))
    references = (reference(n, publication=work) for n, work in enumerate(works, 1))
    assert problems(schema, storm.to_json(dossier(flow=WHOLE, references=tuple(references)))) == []


@pytest.mark.parametrize("made", [report(), report(Dossier)])
def test_a_report_has_the_fields_of_a_dossier(schema: dict[str, Any], made: Dossier) -> None:
    assert problems(schema, storm.to_json(made)) == []


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("drug", 3, "3 is not of type 'string'"),
        ("other", 1, "Additional properties are not allowed ('other' was unexpected)"),
    ],
)
def test_other_fields_are_not_valid(schema: dict[str, Any], name: str, value: int, problem: str) -> None:
    fields = json.loads(storm.to_json(dossier())) | {name: value}
    assert problems(schema, json.dumps(fields)) == [problem]


@pytest.mark.parametrize("stored", [{}, {"schema_version": "0.9"}])
def test_a_dossier_of_an_earlier_version_gets_the_version_of_its_fields(stored: dict[str, str]) -> None:
    fields = dossier().model_dump(mode="json")
    del fields["schema_version"]
    assert json.loads(storm.to_json(Dossier.model_validate(fields | stored)))["schema_version"] == SCHEMA_VERSION
