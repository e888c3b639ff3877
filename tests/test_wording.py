"""The sentences that a reader sees are in one place, and each of them is used."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import storm
from storm import assessment_wording, planning_wording, wording
from storm.reports import (
    change_wording,
    deep_research_wording,
    flow_wording,
    repurposing_wording,
    research_wording,
    study_wording,
    table_wording,
)

PACKAGE = Path(storm.__file__).parent
#: What puts a dossier together, lays it out and renders it.
MODULES = [
    *(PACKAGE / "reports" / f"{name}.py" for name in (
        "answers", "bibliography", "change_blocks", "changed_rows", "changes", "checklist", "confirmation",
        "deep_research_blocks", "deep_research_state", "dossier", "dossier_document", "drug_sources",
        "failures", "flow_blocks", "glance_tables", "hypotheses", "methodology", "outcome", "prisma_s",
        "repurposing", "repurposing_blocks", "repurposing_limitations", "repurposing_method", "research_blocks",
        "research_summary", "search_log", "section_blocks", "sections",
    )),
    PACKAGE / "export" / "markdown.py",
    PACKAGE / "export" / "repurposing_markdown.py",
    PACKAGE / "extractive" / "hypothesis_judge.py",
    PACKAGE / "extractive" / "repurposing_summary.py",
    PACKAGE / "syllabus" / "gaps.py",
]  # fmt: skip


def texts(module: Path) -> Iterator[str]:
    """The texts in a module that are no docstrings."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in statements)
    yield from (node.value for node in constants if isinstance(node.value, str))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_other_module_words_a_sentence(module: Path) -> None:
    worded = [text for text in texts(module) if " " in text.strip() and "%" not in text]
    assert worded == []


@pytest.mark.parametrize(
    ("worded", "name"),
    [
        (wording, "wording"),
        (planning_wording, "planning_wording"),
        (assessment_wording, "words"),
        (change_wording, "words"),
        (flow_wording, "words"),
        (study_wording, "words"),
        (table_wording, "words"),
        (research_wording, "words"),
        (repurposing_wording, "(?:words|repurposing_wording)"),
        (deep_research_wording, "(?:words|deep_research_wording)"),
    ],
)
def test_each_sentence_is_used(worded: ModuleType, name: str) -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    elsewhere = set(re.findall(rf"\b{name}\.([A-Z][A-Z_]*)\b", sources))
    own = Counter(re.findall(r"\b[A-Z][A-Z_]*\b", Path(str(worded.__file__)).read_text(encoding="utf-8")))
    assert [name for name in vars(worded) if name.isupper() and name not in elsewhere and own[name] < 2] == []
