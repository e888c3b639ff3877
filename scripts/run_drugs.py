"""One job per drug, one after the other, each into storm-reports/JOB/."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import storm
from storm.errors import StormError
from storm.export import check_folder, write_dossier

REPORTS = Path("storm-reports")


def main(names: list[str]) -> int:
    """The worst exit code of all; a drug that fails does not stop the others, Ctrl-C does."""
    try:
        check_folder(REPORTS)
        return run_each(names)
    except StormError as error:
        print(f"Error: {error.message}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; storm jobs lists what can be resumed", file=sys.stderr)
        return 130


def run_each(names: list[str]) -> int:
    """The worst exit code of all."""
    codes = [0]
    for name in names:
        try:
            dossier = storm.run(name, offline=True)
            path, *_ = write_dossier(dossier, REPORTS / dossier.job_id, ["md", "json"])
            print(f"{name}: exit {dossier.exit_code}, {dossier.coverage.total} sources, {path}")
            codes.append(dossier.exit_code)
        except StormError as error:
            print(f"{name}: {error}", file=sys.stderr)
            codes.append(error.exit_code)
    return max(codes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="a drug's name")
    sys.exit(main(parser.parse_args().names))
