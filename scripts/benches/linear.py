"""How long the functions that read foreign text take for the worst texts at their greatest length, and how it grows.

One row a function: its limit in characters; the milliseconds of one whole call there, for the worst of the repeated
pieces that the tests use, and for prose; the longest stretch of the call in which Python ran no signal handler (one
match, or one call of C); and how much longer the call takes than for half of the text: 2 is linear.
"""

from __future__ import annotations

import logging
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

#: The worst pieces are found on texts of this length, and the worst of these on longer ones; only that one is measured
#: at the limit.
SAMPLE, LONGER, SUSPECTS = 500, 8_000, 3
#: Seconds between two signals while it is measured how long none is heard.
TICK = 0.002
#: Sentences as papers have them, repeated.
PROSE = (
    "Of 2,031 patients with HER2-positive breast cancer, 1,012 were randomly assigned to trastuzumab (8 mg/kg, then 6 "
    "mg/kg every 3 weeks) and 1,019 to observation. After a median follow-up of 5.1 years, disease-free survival was "
    "85.8% (95% CI 83.2-88.0) with trastuzumab versus 77.2% with observation (hazard ratio 0.63; P<0.001) [12, 13]. "
    "Trastuzumab did not increase the risk of cardiac death, but congestive heart failure was more common (4.1% vs "
    "0.8%). These findings suggest that AMPK activation may mediate the benefit, as others have reported (Smith et al. "
    "2009). Methods: We searched MEDLINE for randomised trials; see Figure 2 and NCT00021255.\n\n"
)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and report."""
    options = parser("linear", __doc__.partition("\n\n")[0] if __doc__ else "")
    options.add_argument("--only", default="", help="the functions whose name has this")
    given = options.parse_args(argv)
    logging.disable()
    report([_measured(each) for each in FUNCTIONS if given.only in each.name], as_json=given.json)


def _measured(function: TextFunction) -> Row:
    piece = _worst_piece(function)
    whole = _seconds(function, piece, function.limit)
    half = _seconds(function, piece, function.limit // 2)
    prose = _seconds(function, PROSE, function.limit)
    deaf = max(_longest_deafness(function, text) for text in (piece, PROSE))
    milliseconds = {"ms at limit": whole, "ms of prose": prose, "deaf ms": deaf}
    times = {name: round(seconds * 1000, 1) for name, seconds in milliseconds.items()}
    return {
        "variant": function.name, "n": function.limit, "piece": repr(piece), **times,
        "ratio to half": round(whole / half, 1),
    }  # fmt: skip


def _worst_piece(function: TextFunction) -> str:
    """That which takes longest, among those which take longest on short texts; what a first call loads is not it."""
    function.read("a")
    short = {piece: _seconds(function, piece, min(SAMPLE, function.limit)) for piece in PIECES}
    suspects: list[str] = sorted(PIECES, key=short.__getitem__)[-SUSPECTS:]
    return max(suspects, key=lambda piece: _seconds(function, piece, min(LONGER, function.limit)))


def _longest_deafness(function: TextFunction, piece: str) -> float:
    """The longest time between two calls of a signal handler, in seconds of processor time, while a text is read."""
    quotes._normalize_with_offsets.cache_clear()
    moments: list[float] = []
    text = _make_text("deaf", piece, function.limit)
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
    """Of processor time, so that a busy machine does not count, on a text that nothing remembers."""
    text = _make_text(str(length), piece, length)
    quotes._normalize_with_offsets.cache_clear()
    begun = time.process_time()
    function.read(text)
    return time.process_time() - begun


def _make_text(start: str, piece: str, length: int) -> str:
    return f"{start}{piece * (length // len(piece) + 1)}"[:length]


if __name__ == "__main__":
    main()
