"""Flags and commands are named by the command line alone; every code that an error carries has a hint there."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import storm
from storm.cli.console import name_program
from storm.cli.hints import HINTS, hint_of, message_of
from storm.errors import Code, ModelError, StoreUnavailable, UsageError

PACKAGE = Path(storm.__file__).parent
BELOW = [path for path in PACKAGE.rglob("*.py") if "cli" not in path.relative_to(PACKAGE).parts]


@pytest.fixture(autouse=True)
def _on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))


#: An option of a command, or a command of ours.
_COMMAND = re.compile(
    r"(?<![\w-])--[a-z]"
    r"|\bstorm (run|resume|jobs|inspect|doctor|optimize|corpus|store|watch|cancel|delete|export|databases)"
)
#: Where options of other programs are named, and what a reader of a dossier is shown.
_OTHERS = ("store/embedded.py", "store/server_program.py", "agents/preflight.py", "wording.py")


def _texts(tree: ast.AST) -> Iterator[str]:
    """Every text of a module but its docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            yield node.value


def _coded(tree: ast.AST) -> Iterator[tuple[Code, set[str]]]:
    """The code of every error that is made, and the names of what its hint may use."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "code" and isinstance(keyword.value, ast.Attribute) and keyword.value.attr.isupper():
                    yield Code[keyword.value.attr], {str(other.arg) for other in node.keywords}


@pytest.mark.slow
def test_no_message_of_a_module_below_the_command_line_names_a_flag_or_a_command() -> None:
    assert not [
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in BELOW
        if path.relative_to(PACKAGE).as_posix() not in _OTHERS
        for text in _texts(ast.parse(path.read_text()))
        if _COMMAND.search(text)
    ]


@pytest.mark.slow
def test_every_code_has_a_hint_and_is_used_with_all_that_its_hint_names() -> None:
    coded = [each for path in BELOW for each in _coded(ast.parse(path.read_text()))]
    assert set(HINTS) == set(Code)
    assert {code for code, _ in coded} == set(Code)
    for code, given in coded:
        named = {name for _, name, _, _ in Formatter().parse(HINTS[code]) if name}
        assert named <= given | {"job"}, code


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (UsageError("x", hint="app.work('a-1')", code=Code.JOB_UNFINISHED, job="a-1"), "finish it: storm resume a-1"),
        (UsageError("x", hint="split the syllabus"), "split the syllabus"),
        (UsageError("x"), ""),
    ],
)
def test_a_hint_is_that_of_the_code_or_else_the_error_s_own(error: UsageError, hint: str) -> None:
    assert hint_of(error) == hint


def test_a_job_that_can_go_on_is_named_after_what_else_is_to_be_done() -> None:
    store, model = StoreUnavailable("x", hint="start it"), ModelError("x")
    store.unfinished_job = model.unfinished_job = "a-1"
    assert hint_of(store) == "start it; then go on: storm resume a-1"
    assert hint_of(model) == "then go on: storm resume a-1 (with another model: --model NAME)"


@pytest.mark.parametrize(
    ("called", "program"),
    [(".venv/bin/storm", ".venv/bin/storm"), ("/opt/storm/bin/storm", "/opt/storm/bin/storm"),
     ("/opt/storm/__main__.py", "python -m storm")],
)  # fmt: skip
def test_where_storm_is_not_on_the_path_commands_name_the_program_as_it_was_called(
    called: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [str(Path.cwd() / called), "jobs"])
    monkeypatch.setenv("PATH", "")
    said = "Reported by storm itself: storm jobs; (storm corpus add PATHS). A storm began."
    assert name_program(said) == (
        f"Reported by storm itself: {program} jobs; ({program} corpus add PATHS). A storm began."
    )
    assert hint_of(UsageError("x", code=Code.JOB_UNKNOWN)) == f"list the jobs: {program} jobs"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (UsageError("'x' is not a valid model name", setting="model"), "--model: 'x' is not a valid model name"),
        (UsageError("there is already a job a", setting="job_id"), "--job-id: there is already a job a"),
        (UsageError("usd is negative", setting="usd"), "--usd is negative"),
    ],
)
def test_an_error_names_the_option_that_it_is_about(error: UsageError, message: str) -> None:
    assert message_of(error) == message
