"""Write docs/python.md from the docstrings of storm's public names. --check: say whether it is as they are (exit 1)."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import storm
import storm.programs
import storm.testing

PAGE = Path(__file__).resolve().parents[1] / "docs/python.md"
HEAD = """\
# storm from Python

This page is made from the docstrings (`scripts/python_page.py`). Each function without an `a` has a twin with one, for
programs that have an event loop, such as a notebook: `storm.run` and `await storm.arun`.
"""
#: Types of the dossier have pages of their own.
_LEFT_OUT = frozenset(("__version__", "App", "Settings"))


def main() -> int:
    """0, or 1 if --check finds another page."""
    modules = (storm, storm.programs, storm.testing)
    text = "\n".join((HEAD, *(line for module in modules for line in _entries(module, module.__name__))))
    if "--check" in sys.argv[1:]:
        if PAGE.read_text(encoding="utf-8") != text:
            sys.exit("Error: docs/python.md is not as the docstrings are; run scripts/python_page.py")
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


def _entries(module: ModuleType, name: str) -> Iterator[str]:
    for public in sorted(module.__all__, key=str.lower):
        is_twin = public.startswith("a") and hasattr(module, public[1:])
        if public in _LEFT_OUT or is_twin:
            continue
        value = getattr(module, public)
        yield f"## {name}.{public}\n"
        if inspect.isroutine(value):
            yield f"```python\n{_signature(name, public, value)}\n```\n"
        yield _markdown(inspect.getdoc(value) or "") + "\n"


def _signature(module: str, name: str, value: object) -> str:
    parameters = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    plain = (str(parameter.replace(annotation=parameter.empty)) for parameter in parameters)
    lines = ["    " + parameter.replace("'", '"') + ",\n" for parameter in plain]
    return f"{module}.{name}(" + "".join(("\n", *lines) if lines else ()) + ")"


def _markdown(text: str) -> str:
    """Indented examples as code."""
    blocks = []
    for block in text.split("\n\n"):
        is_code = all(line.startswith("    ") for line in block.splitlines())
        blocks.append(f"```python\n{textwrap.dedent(block)}\n```" if is_code else block)
    return "\n\n".join(blocks)


if __name__ == "__main__":
    sys.exit(main())
