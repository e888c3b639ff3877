"""How the program ends: at once, but after everything that others want done."""

from __future__ import annotations

import pytest
from storm_program import Program

COMMAND = """
import atexit, sys
from storm.cli import main, program
def command():
    atexit.register(print, "called at the end")
    print("written")
    {end}
main.main = command
program.run_program()
"""

INTERRUPTED_IMPORT = """
import sys
from storm.cli import program
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "storm.cli.main":
            raise KeyboardInterrupt
sys.modules.pop("storm.cli.main", None)
sys.meta_path.insert(0, Interrupting())
program.run_program()
"""


@pytest.mark.parametrize(("end", "code"), [("pass", 0), ("sys.exit(3)", 3), ("sys.exit()", 0), ("sys.exit('why')", 1)])
def test_what_is_written_and_what_others_do_at_the_end_is_there(program: Program, end: str, code: int) -> None:
    ended = program.start_python("-c", COMMAND.format(end=end)).end()
    assert (ended.code, ended.out) == (code, "written\ncalled at the end\n")


def test_an_error_that_nobody_caught_ends_as_python_ends_it(program: Program) -> None:
    ended = program.start_python("-c", COMMAND.format(end="raise RuntimeError('why')")).end()
    assert (ended.code, ended.out) == (1, "written\ncalled at the end\n")
    assert ended.err.rstrip().endswith("RuntimeError: why")


def test_ctrl_c_while_the_program_is_being_loaded_is_one_line_and_130(program: Program) -> None:
    ended = program.start_python("-c", INTERRUPTED_IMPORT).end()
    assert (ended.code, ended.err) == (130, "Error: interrupted\n")


def test_output_that_cannot_be_written_is_reported_by_python(program: Program) -> None:
    closed = COMMAND.format(end="sys.stdout.close()")
    assert program.start_python("-c", closed).end().code == 0
