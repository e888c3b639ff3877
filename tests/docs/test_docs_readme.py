"""What the pages tell their reader to type exists, and so does what they link to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from pages import README, ROOT, code_blocks, pages
from storm_program import Program

import storm
from storm.cli import commands
from storm.cli.main import app

COMMANDS: Any = typer.main.get_command(app)
COMMANDS.commands.update((name, commands.load_command(name)) for name in commands.COMMANDS)
PAGES = {str(page.relative_to(ROOT)): page for page in pages()}


def typed(page: Path) -> Iterator[list[str]]:
    """The words of each storm command in a page's code blocks, one list a command of a pipe."""
    for block in code_blocks(page, "bash", "console", "sh"):
        for line in block.splitlines():
            for part in re.split(r" \| ", line.removeprefix("$ ")):
                if re.match(r"(xargs )?storm( |$)", part):
                    yield shlex.split(part.removeprefix("xargs "), comments=True)[1:]


def mentioned(page: Path) -> Iterator[list[str]]:
    """The words of each storm command that stands within a line."""
    for text in re.findall(r"`storm ([a-z][^`\n]*)`", page.read_text(encoding="utf-8")):
        yield text.split()


def found(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the words begin with, and the rest of them; KeyError if there is none."""
    command = COMMANDS
    while words and hasattr(command, "commands"):
        name, *words = words
        command = command.commands[name]
    return command, words


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES)
def test_every_command_in_a_code_block_can_be_typed(name: str) -> None:
    for words in typed(PAGES[name]):
        command, arguments = found(words)
        command.make_context("storm", arguments).close()


@pytest.mark.parametrize("name", PAGES)
def test_every_command_within_a_line_exists_with_its_options(name: str) -> None:
    for words in mentioned(PAGES[name]):
        command, arguments = found(words)
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word.partition("=")[0] for word in arguments if word.startswith("--")} <= known


def test_the_readme_shows_every_command() -> None:
    groups = {name: command for name, command in COMMANDS.commands.items() if hasattr(command, "commands")}
    shown = {tuple(words[: 2 if words[0] in groups else 1]) for words in typed(README)}
    alone = {(name,) for name, command in COMMANDS.commands.items() if getattr(command, "invoke_without_command", True)}
    assert shown == alone | {(name, inner) for name, group in groups.items() for inner in group.commands}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_file_and_its_heading(name: str) -> None:
    page = PAGES[name]
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("name", PAGES)
def test_every_script_that_is_typed_is_there(name: str) -> None:
    for block in code_blocks(PAGES[name], "bash", "console", "sh"):
        for script in re.findall(r"^(?:\$ )?(?:python )?(scripts/\S+)", block, re.M):
            assert (ROOT / script).is_file()


def test_the_readme_names_every_setting() -> None:
    settings = (ROOT / "storm/settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'"((?:STORM|REDIS|NO)_[A-Z_]+)"', settings))
    table = README.read_text(encoding="utf-8").partition("## Settings")[2]
    assert read
    assert read <= set(re.findall(r"`([A-Z_]+)`", table))


def test_the_python_of_the_readme_uses_names_that_exist() -> None:
    (code,) = code_blocks(README, "python")
    compile(code, "README.md", "exec")
    used = set(re.findall(r"\bstorm\.(\w+)\(", code))
    assert used
    assert used <= set(storm.__all__)


@pytest.mark.slow
def test_the_excerpt_of_the_readme_is_what_its_command_writes(tmp_path: Path) -> None:
    program = Program(tmp_path / "data", tmp_path)
    program("run", "trastuzumab", "--offline", "--out", "reports")
    written = (tmp_path / "reports/dossier.md").read_text(encoding="utf-8").splitlines()
    text = README.read_text(encoding="utf-8")
    quoted = [line[2:].removesuffix("\\").replace("\\.", ".", 1) for line in text.splitlines() if line.startswith("> ")]
    assert len(quoted) > 5
    assert [line for line in quoted if line not in written] == []


@pytest.mark.slow
@pytest.mark.parametrize("drug", ["trastuzumab", "metformin"])
def test_references_are_numbered_in_the_order_of_their_first_marks(tmp_path: Path, drug: str) -> None:
    Program(tmp_path / "data", tmp_path)("run", drug, "--offline", "--out", "reports", "--format", "md")
    text = (tmp_path / "reports/dossier.md").read_text(encoding="utf-8").partition("## References")[0]
    marks = [
        int(number) for mark in re.findall(r"(?<!\\)\[(\d+(?:, \d+)*)\](?!\()", text) for number in mark.split(", ")
    ]
    first = list(dict.fromkeys(marks))
    assert len(first) > 30
    assert first == sorted(first)
    assert text.count("ClinicalTrials.gov 11") == 1  # the scope of the sample stands once
