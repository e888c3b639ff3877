"""One job per drug, a few at a time, each into OUT/JOB/; run again, it goes on where it was.

Exit codes: 1 if a drug ended in an error, else 3 if a dossier is partial, else 4 if nothing was found for a drug,
else 0. 2 if the command line is wrong, 130 if it was interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

try:
    import storm
except ModuleNotFoundError as missing:
    python = Path(__file__).resolve().parents[1] / ".venv/bin/python"
    sys.exit(f"Error: this Python has no package {missing.name}; run it with {python} (scripts/install makes it)")


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="DRUG", help="a drug's name")
    parser.add_argument("--offline", action="store_true", help="search what is on this machine only")
    parser.add_argument("--out", type=Path, default=Path("storm-reports"), help="folder for the dossiers (%(default)s)")
    parser.add_argument("--concurrency", type=int, default=4, help="jobs at a time (%(default)s)")
    given = parser.parse_args(argv)
    try:
        outcomes = storm.run_many(
            given.names, offline=given.offline, out=given.out, concurrency=given.concurrency, on_outcome=report
        )
    except storm.StormError as error:
        print(f"Error: {error.message}; {error.hint or 'see --help'}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    return storm.worst_exit_code(outcomes)


def report(outcome: storm.JobOutcome) -> None:
    """What became of a drug, in one line."""
    print(outcome, file=sys.stderr if outcome.error else sys.stdout, flush=True)


if __name__ == "__main__":
    sys.exit(main())
