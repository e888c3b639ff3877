"""Names the functions and modules of storm/ that are too long, and imports that no contract can see; exits with 1 if
there is one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

STORM = Path(__file__).resolve().parents[1] / "storm"
LONGEST_MODULE = 350
LONGEST_FUNCTION = 60
#: A function is short up to this length, and at least this share of them is.
SHORT, SHORT_SHARE = 20, 0.9
#: Imports of storm's own modules inside functions, in a thousand lines.
INNER_IMPORTS = 2.0
#: Where a module is imported by its name as a text, which no contract sees.
IMPORT_BY_NAME = (
    "__init__.py", "api/__init__.py", "app/__init__.py", "models/__init__.py", "reports/__init__.py",
    "cli/commands.py", "databases/clients.py", "lazy_imports.py",
)  # fmt: skip
_BY_NAME = ("import_module(", "import_on_first_use(")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def list_faults(root: Path = STORM) -> Iterator[str]:
    """One line for each limit that is passed."""
    lines, inner, lengths = 0, 0, []
    for path in sorted(root.rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, Function)]
        lines, length = lines + text.count("\n"), text.count("\n")
        if length > LONGEST_MODULE:
            yield f"{place}: {length} lines, at most {LONGEST_MODULE} are allowed"
        for function in functions:
            lengths.append(_measure_length(function))
            if lengths[-1] > LONGEST_FUNCTION:
                yield f"{place}:{function.lineno} {function.name}: {lengths[-1]} lines, at most {LONGEST_FUNCTION}"
        inner += len({node for function in functions for node in ast.walk(function) if _is_own_import(node)})
        if any(call in text for call in _BY_NAME) and place not in IMPORT_BY_NAME:
            yield f"{place}: a module is imported by name, which the import contracts cannot see"
    if (share := sum(length <= SHORT for length in lengths) / len(lengths)) < SHORT_SHARE:
        yield f"{share:.1%} of the functions have {SHORT} lines or fewer, at least {SHORT_SHARE:.0%} must"
    if (rate := 1000 * inner / lines) > INNER_IMPORTS:
        yield f"{rate:.2f} own imports inside functions in a thousand lines, at most {INNER_IMPORTS} are allowed"


def _measure_length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _is_own_import(node: ast.AST) -> bool:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return any(name.partition(".")[0] == "storm" for name in names)


if __name__ == "__main__":
    raise SystemExit("\n".join(list_faults()) or 0)
