"""`storm ask`: measured in parts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from _ask_similar import similar_rows
from _report import Row, parser, report

#: What is measured, by the name of the part.
PARTS: Mapping[str, Callable[[], list[Row]]] = {
    "similar": similar_rows,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("ask", "One question, answered in rounds.")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=tuple(PARTS), help="what is measured")
    given = options.parse_args(argv)
    report([row for part in given.parts for row in PARTS[part]()], as_json=given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
