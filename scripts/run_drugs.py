"""One job per drug, one after the other, each into OUT/JOB/: a drug that fails does not stop the others.

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
    from storm.errors import StormError
    from storm.export import check_folder, write_dossier
except ModuleNotFoundError as missing:
    python = Path(__file__).resolve().parents[1] / ".venv/bin/python"
    sys.exit(f"Error: this Python has no package {missing.name}; run it with {python} (scripts/install makes it)")

#: Of the drugs' exit codes, the one that the script ends with: the first that occurs.
WORST_FIRST = (1, 3, 4, 0)


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code; Ctrl-C ends it, with what is finished written."""
    options = parse(argv)
    try:
        check_folder(options.out)
        codes = {run_drug(name, options.offline, options.out) for name in options.names}
        return next(code for code in WORST_FIRST if code in codes)
    except StormError as error:
        report_error(error)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; storm jobs lists what can be resumed", file=sys.stderr)
        return 130


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The drugs and options that were typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="DRUG", help="a drug's name")
    parser.add_argument("--offline", action="store_true", help="search what is on this machine only")
    parser.add_argument("--out", type=Path, default=Path("storm-reports"), help="folder for the dossiers (%(default)s)")
    return parser.parse_args(argv)


def run_drug(name: str, offline: bool, out: Path) -> int:
    """The exit code of this drug's job, 1 for every error; its dossier is written, or its error said."""
    try:
        dossier = storm.run(name, offline=offline)
        path, *_ = write_dossier(dossier, out / dossier.job_id, ["md", "json"])
    except StormError as error:
        report_error(error, f"{name.strip() or repr(name)}: ")
        return 1
    print(f"{name}: exit {dossier.exit_code}, {dossier.coverage.total} sources, {path}", flush=True)
    return dossier.exit_code


def report_error(error: StormError, about: str = "") -> None:
    """What is wrong and what to do, in one line."""
    hint = f"; {error.hint}" if error.hint else ""
    print(f"Error: {about}{error.message}{hint}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
