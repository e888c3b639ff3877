"""`python -m storm` is `storm`."""

from storm.cli.program import run_program

run_program()
