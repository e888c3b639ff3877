"""The pages that a reader gets, and what stands in their code blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

README = ROOT / "README.md"
REDIS_KEYS = ROOT / "docs/redis-keys.md"
CORPUS = ROOT / "docs/corpus.md"


def pages() -> list[Path]:
    """Every page of the repository."""
    return sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))


def code_blocks(page: Path, *languages: str) -> list[str]:
    """The texts of a page's fenced blocks in these languages."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for language, text in found if language in languages]


def examples(page: Path) -> Iterator[tuple[str, str]]:
    """The commands of a page's console blocks, each with the answer that the page gives."""
    for block in code_blocks(page, "console"):
        for example in block.split("$ ")[1:]:
            command, _, answer = example.partition("\n")
            yield command, answer
