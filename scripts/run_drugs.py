"""One job per drug, four at a time, each into OUT/JOB/; run again, it goes on where it was.

Exit code: that of the worst job (README, exit codes). `storm batch` does more.
"""

import argparse
import sys

import storm


def main(args: list[str]) -> int:
    """Run the jobs, print what became of each, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drugs", nargs="+", metavar="DRUG", help="a drug's name")
    parser.add_argument("--offline", action="store_true", help="search what is on this machine only")
    parser.add_argument("--out", default="storm-reports", help="folder for the dossiers (%(default)s)")
    try:
        return storm.worst_exit_code(storm.run_many(**vars(parser.parse_args(args)), on_outcome=print))
    except storm.StormError as error:
        print(f"Error: {error}; {error.hint}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:  # the same command goes on
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
