"""Reads the dataset of an optimisation: a JSONL file, one drug, question, or drug and disease per line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from pydantic import ValidationError
from pydantic_core import from_json

from storm.agents.program import PROGRAMS
from storm.config_file import read_regular
from storm.databases.identity.substance_names import strip_salt, strip_suffix
from storm.errors import ConfigError, SyllabusError, UsageError
from storm.models import RequestKind, Syllabus, check_drug_name
from storm.models.base import Frozen
from storm.models.names import split_words
from storm.models.request import check_text
from storm.syllabus import bundled_syllabus, load_syllabus
from storm.value_wording import describe_problem

#: The value of `corpus` for the bundled sample.
SAMPLE = "sample"
#: What a line is, and what a mode takes, by the kind of request.
_LINES = {
    RequestKind.DRUG: ("is a drug", "drugs"),
    RequestKind.QUESTION: ("is a question", "questions"),
    RequestKind.REPURPOSING: ("asks for a disease", "a drug with a disease, or a query"),
}
#: A dataset is some hundred lines; a larger file is something else.
_MAX_BYTES = 4_000_000


class Case(Frozen):
    """One line: a drug, its questions, and the files to search; without these, storm's own questions and the bundled
    sample. Or a question instead of a drug, whose `syllabus` the planner makes if there is none. Or what could be
    repurposed: a drug and a `disease`, or a `query` that names them. `line` is 0 for a case that no file has.

        case = storm.programs.Case(drug="metformin")
    """

    line: int = 0
    drug: str = ""
    question: str = ""
    disease: str = ""
    query: str = ""
    also: tuple[str, ...] = ()
    syllabus: Syllabus | None = None
    corpus: tuple[Path, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The drug's names, normalised for comparison: without salt or the FDA's suffix."""
        names = (self.drug, *self.also) if self.drug else ()
        return frozenset(strip_salt(" ".join(split_words(strip_suffix(name)))) for name in names)

    @property
    def place(self) -> str:
        """Where it stands in its dataset, for people: its line, or its subject if no file has it."""
        return f"line {self.line}" if self.line else f"the case {self.subject!r}"

    @property
    def subject(self) -> str:
        """What the job is about, for people."""
        if self.disease:
            return f"{self.drug} for {self.disease}"
        return self.drug or self.asked

    @property
    def asked(self) -> str:
        """The question or query in words; empty if there is only a drug, and a disease."""
        return self.question or self.query

    @property
    def kind(self) -> RequestKind:
        """What it is: a drug, a question, or whether a drug could treat a disease."""
        if self.disease or self.query:
            return RequestKind.REPURPOSING
        return RequestKind.QUESTION if self.question else RequestKind.DRUG

    def shares_subject(self, other: Case) -> bool:
        """Whether they have a drug's name in common, or a question has one of the other's, or they ask the same."""
        question, other_question = (f" {' '.join(split_words(case.asked))} " for case in (self, other))
        if self.asked and other.asked:
            return question == other_question
        if self.asked or other.asked:
            return any(f" {name} " in question + other_question for name in self.names | other.names)
        return not self.names.isdisjoint(other.names)


class Split(NamedTuple):
    """Cases to learn from, and cases only for measuring."""

    train: tuple[Case, ...]
    dev: tuple[Case, ...]


class _Line(Frozen):
    drug: str = ""
    question: str = ""
    disease: str = ""
    query: str = ""
    also: tuple[str, ...] = ()
    syllabus: str = ""
    corpus: str | tuple[str, ...] = SAMPLE


def read_cases(path: Path, config_dir: Path) -> tuple[Case, ...]:
    """Read the dataset; its paths are relative to its folder.

        cases = read_cases(Path("drugs.jsonl"), storm.read_settings().config_dir)

    ConfigError naming file and line for a mistake.
    """
    lines = _read_file(path).split("\n")  # only \n: JSON may contain other line ends
    cases = [_read_case(path, number, line, config_dir) for number, line in enumerate(lines, 1) if line.strip()]
    if not cases:
        raise ConfigError(f"{path}: the file has no line with a drug, a question or a query")
    return tuple(cases)


def split_cases(cases: Sequence[Case], dev_share: float, seed: int) -> Split:
    """Split into training and development cases; a drug, under any of its names, and the questions that name it are in
    one of them only."""
    groups = _group_by_subject(cases)
    if len(groups) < 2:
        raise UsageError(
            "the dataset has only one drug or question: it needs one to learn from and another to measure on",
            hint="add a line with another drug, or a question on another",
        )
    random.Random(seed).shuffle(groups)
    held = min(len(groups) - 1, max(1, round(dev_share * len(groups))))
    dev = {position for group in groups[:held] for position in group}
    return Split(
        train=tuple(case for position, case in enumerate(cases) if position not in dev),
        dev=tuple(case for position, case in enumerate(cases) if position in dev),
    )


def check_mode(cases: Sequence[Case], mode: str) -> None:
    """UsageError if the mode takes no case of a kind that is among these."""
    kinds = PROGRAMS[mode].kinds
    for case in cases:
        if case.kind not in kinds:
            accepted = " and ".join(_LINES[kind][1] for kind in kinds)
            other_modes = [name for name, program in PROGRAMS.items() if case.kind in program.kinds]
            raise UsageError(
                f"{case.place} of the dataset {_LINES[case.kind][0]}, and the mode {mode} takes {accepted} only",
                hint=f"choose the mode {' or '.join(other_modes)}, or leave it out",
            )


def _group_by_subject(cases: Sequence[Case]) -> list[list[int]]:
    """The positions of the cases in groups that share no subject."""
    groups: list[list[int]] = []
    for position, case in enumerate(cases):
        same = [group for group in groups if any(case.shares_subject(cases[other]) for other in group)]
        groups = [group for group in groups if group not in same]
        groups.append([*(other for group in same for other in group), position])
    return groups


def _read_case(path: Path, number: int, text: str, config_dir: Path) -> Case:
    line = _read_line(path, number, text)
    corpus = (line.corpus,) if isinstance(line.corpus, str) else line.corpus
    try:
        return Case(
            line=number,
            **_read_subject(path, number, line),
            also=tuple(check_drug_name(name, "synonym") for name in line.also),
            syllabus=_read_syllabus(path, line, config_dir),
            corpus=() if corpus == (SAMPLE,) else tuple(_find_records(path, number, name) for name in corpus),
        )
    except SyllabusError as exc:
        _fail_line(path, number, f"syllabus: {exc.message}")
    except ConfigError:
        raise
    except UsageError as exc:
        _fail_line(path, number, exc.message)


def _read_subject(path: Path, number: int, line: _Line) -> dict[str, str]:
    """The drug, the question, the drug and the disease, or the query of the line, which has one of these."""
    keys = line.model_fields_set & {"drug", "question", "query"}
    if len(keys) != 1:
        listed = " and ".join(f"a {name}" for name in sorted(keys)) or "none of them"
        _fail_line(path, number, f"a line has a drug, a question or a query; this one has {listed}")
    if line.syllabus and (line.disease or line.query):
        _fail_line(path, number, "syllabus: the questions on a drug and a disease are given")
    if "drug" in keys:
        disease = {"disease": check_text(line.disease, "disease")} if "disease" in line.model_fields_set else {}
        return {"drug": check_drug_name(line.drug), **disease}
    if line.also or line.disease:
        name = "also: synonyms are" if line.also else "disease: it is"
        _fail_line(path, number, f"{name} of a drug, and the line has a {' or a '.join(keys)}")
    (name,) = keys
    return {name: check_text(getattr(line, name), name)}


def _read_syllabus(path: Path, line: _Line, config_dir: Path) -> Syllabus | None:
    """The syllabus that the line names; without one, the bundled one for a drug, none for a question or a disease."""
    if line.syllabus:
        return load_syllabus(path.parent / line.syllabus)
    return None if line.question or line.query or line.disease else bundled_syllabus(config_dir)


def _read_line(path: Path, number: int, text: str) -> _Line:
    try:
        content: Any = from_json(text)
    except ValueError as exc:
        _fail_line(path, number, f"not JSON: {exc}")
    if not isinstance(content, dict):
        _fail_line(path, number, 'a line is an object: {"drug": "metformin"}')
    try:
        return _Line.model_validate(content)
    except ValidationError as exc:
        problem = exc.errors(include_input=False)[0]
        name = str(problem["loc"][0])
        if problem["type"] == "extra_forbidden":
            _fail_line(path, number, f"{name}: unknown key; known: {', '.join(_Line.model_fields)}")
        _fail_line(path, number, f"{name}: {describe_problem(problem)}")


def _find_records(path: Path, number: int, name: str) -> Path:
    record_path = path.parent / name
    if not name or name == SAMPLE:
        _fail_line(path, number, "corpus: names files or folders, or nothing but the sample")
    if not record_path.exists():
        _fail_line(path, number, f"corpus: there is no {record_path}")
    return record_path


def _read_file(path: Path) -> str:
    try:
        content = read_regular(path, _MAX_BYTES)
        if len(content) > _MAX_BYTES:
            raise ConfigError(f"{path}: too large for a dataset (over {_MAX_BYTES:,} bytes)")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise ConfigError(f"{path}: the file is not UTF-8 (byte {exc.start})") from exc
    except OSError as exc:
        raise ConfigError(f"{path}: the file cannot be read: {exc.strerror or exc}") from exc


def _fail_line(path: Path, number: int, problem: str) -> NoReturn:
    raise ConfigError(f"{path.name}, line {number}: {problem}")
