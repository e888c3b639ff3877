"""How long the functions that read foreign text take for the worst texts at their greatest length, and how it grows.

One row a function: its limit in characters, the milliseconds at the limit for the worst of the repeated pieces that the
tests use, the longest stretch of them in which Python ran no signal handler (one match, or one call of C), and how much
longer the call takes than for half of the text: 2 is linear.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from _report import Row, parser, report

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from text_functions import FUNCTIONS, PIECES, TextFunction  # type: ignore[import-not-found]

from storm.citations import quotes

#: The worst piece is found on texts of this length; only that one is measured at the limit.
SAMPLE = 4_000
#: Seconds between two signals while it is measured how long none is heard.
TICK = 0.002


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and report."""
    options = parser("linear", __doc__.partition("\n\n")[0] if __doc__ else "")
    given = options.parse_args(argv)
    report([_measured(function) for function in FUNCTIONS], as_json=given.json)


def _measured(function: TextFunction) -> Row:
    length = min(SAMPLE, function.limit)
    piece = max(PIECES, key=lambda piece: _seconds(function, piece, length))
    whole = _seconds(function, piece, function.limit)
    half = _seconds(function, piece, function.limit // 2)
    return {
        "variant": function.name, "n": function.limit, "piece": repr(piece), "ms at limit": round(whole * 1000, 1),
        "deaf ms": round(_longest_deafness(function, piece) * 1000, 1), "ratio to half": round(whole / half, 1),
    }  # fmt: skip


def _longest_deafness(function: TextFunction, piece: str) -> float:
    """The longest time between two calls of a signal handler, in seconds of processor time, while a text is read."""
    quotes._normalize_with_offsets.cache_clear()
    moments: list[float] = []
    text = f"deaf{piece * function.limit}"[: function.limit]
    before = signal.signal(signal.SIGALRM, lambda *_: moments.append(time.process_time()))
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        moments.append(time.process_time())
        function.read(text)
        moments.append(time.process_time())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return max(later - earlier for earlier, later in pairwise(moments))


def _seconds(function: TextFunction, piece: str, length: int) -> float:
    """Of processor time, so that a busy machine does not count; the better of two, on texts that nothing remembers."""
    taken = []
    for number in range(2):
        text = f"{number}{piece * length}"[:length]
        quotes._normalize_with_offsets.cache_clear()
        begun = time.process_time()
        function.read(text)
        taken.append(time.process_time() - begun)
    return min(taken)


if __name__ == "__main__":
    main()
