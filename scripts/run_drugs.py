"""One job per drug, one after the other, each into storm-reports/JOB/."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import storm
from storm.errors import StormError
from storm.export import write_dossier


def main(names: list[str]) -> int:
    """The worst exit code of all; a drug that fails does not stop the others."""
    codes = [0]
    for name in names:
        try:
            dossier = storm.run(name, offline=True)
            path, *_ = write_dossier(dossier, Path("storm-reports") / dossier.job_id, ["md", "json"])
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
