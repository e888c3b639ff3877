"""The predictors that can be optimised, and their conversion to a saved program and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

import dspy
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from storm.agents.answer_composer import ComposeAnswer
from storm.agents.bounded import react_signature
from storm.agents.broad_researcher import GatherSources
from storm.agents.checklist_judge import JudgeChecklist
from storm.agents.checklist_planner import PlanChecklist
from storm.agents.digester import DigestAnswer
from storm.agents.hypothesis_judge import JudgeHypotheses
from storm.agents.hypothesizer import ProposeHypotheses
from storm.agents.item_query_writer import WriteItemQueries
from storm.agents.outline_writer import PlanOutline
from storm.agents.query_writer import WriteQueries
from storm.agents.question_planner import PlanQuestions
from storm.agents.question_refiner import RefineQuestion
from storm.agents.reflector import ReviewAnswers
from storm.agents.repurposing_summary import SummarizeHypotheses
from storm.agents.section_writer import WriteSection
from storm.agents.statement_writer import WriteStatements
from storm.errors import Code, ConfigError
from storm.models import RequestKind
from storm.models.program import (
    BROAD,
    DEEP_RESEARCH,
    PARALLEL,
    REPURPOSING,
    SAVED_BY_DSPY,
    SavedPredictor,
    SavedProgram,
)
from storm.version import __version__


class SavableProgram(dspy.Module):  # type: ignore[misc]
    """The predictors of the jobs of one `mode`, learnt from requests of these `kinds`; a job calls these very objects.

    The judge's is not among them: it decides what counts as supported, and an optimiser must not change its own metric.
    """

    mode: ClassVar[str]
    kinds: ClassVar[Sequence[RequestKind]]

    def export_predictors(self) -> dict[str, SavedPredictor]:
        """The instruction and the demonstrations of each predictor; ConfigError if they are too long to be saved."""
        return {name: _save_predictor(name, predictor) for name, predictor in self.named_predictors()}

    def load_predictors(self, predictors: Mapping[str, SavedPredictor]) -> None:
        """Set these instructions and demonstrations."""
        for name, saved in predictors.items():
            predictor = getattr(self, name)
            predictor.signature = predictor.signature.with_instructions(saved.instructions)
            predictor.demos = [dspy.Example(demo) for demo in saved.demos]


class CrewProgram(SavableProgram):
    """The predictors of the mode `broad`: agent, writer and composer."""

    mode = BROAD
    kinds = (RequestKind.DRUG,)

    def __init__(self) -> None:
        super().__init__()
        self.agent = dspy.Predict(react_signature(GatherSources))
        self.writer = dspy.Predict(WriteStatements)
        self.composer = dspy.Predict(ComposeAnswer)


class ResearchProgram(SavableProgram):
    """The predictors of the modes `parallel` and `report`: those that plan, search, write, review and compile."""

    mode = PARALLEL
    kinds = (RequestKind.DRUG, RequestKind.QUESTION)

    def __init__(self) -> None:
        super().__init__()
        self.planner = dspy.Predict(PlanQuestions)
        self.query_writer = dspy.Predict(WriteQueries)
        self.writer = dspy.Predict(WriteStatements)
        self.composer = dspy.Predict(ComposeAnswer)
        self.digester = dspy.Predict(DigestAnswer)
        self.reflector = dspy.Predict(ReviewAnswers)
        self.outline = dspy.Predict(PlanOutline)
        self.section = dspy.Predict(WriteSection)


class RepurposingProgram(SavableProgram):
    """The predictors of the mode `repurposing`: those that search and write, and those that work on hypotheses."""

    mode = REPURPOSING
    kinds = (RequestKind.REPURPOSING,)

    def __init__(self) -> None:
        super().__init__()
        self.query_writer = dspy.Predict(WriteQueries)
        self.writer = dspy.Predict(WriteStatements)
        self.composer = dspy.Predict(ComposeAnswer)
        self.digester = dspy.Predict(DigestAnswer)
        self.section = dspy.Predict(WriteSection)
        self.hypothesizer = dspy.Predict(ProposeHypotheses)
        self.hypothesis_judge = dspy.Predict(JudgeHypotheses)
        self.summary = dspy.Predict(SummarizeHypotheses)


class DeepResearchProgram(SavableProgram):
    """The predictors of the mode `deep_research`: those that search and write, and those that work by a checklist."""

    mode = DEEP_RESEARCH
    kinds = (RequestKind.QUESTION,)

    def __init__(self) -> None:
        super().__init__()
        self.refiner = dspy.Predict(RefineQuestion)
        self.checklist_planner = dspy.Predict(PlanChecklist)
        self.item_query_writer = dspy.Predict(WriteItemQueries)
        self.writer = dspy.Predict(WriteStatements)
        self.composer = dspy.Predict(ComposeAnswer)
        self.checklist_judge = dspy.Predict(JudgeChecklist)
        self.section = dspy.Predict(WriteSection)


#: The predictors by the mode for which they are optimised.
PROGRAMS: Mapping[str, type[SavableProgram]] = {
    one.mode: one for one in (CrewProgram, ResearchProgram, RepurposingProgram, DeepResearchProgram)
}


def to_saved_program(
    program: SavableProgram, *, name: str, optimizer: str, created: datetime, scores: Mapping[str, float]
) -> SavedProgram:
    """The program in the form in which it is saved."""
    return SavedProgram(
        name=name,
        mode=program.mode,
        storm=__version__,
        dspy=dspy.__version__,
        optimizer=optimizer,
        created=created,
        scores=dict(scores),
        predictors=program.export_predictors(),
    )


def crew_program(saved: SavedProgram) -> SavableProgram:
    """The saved predictors; ConfigError if they do not match those of this version."""
    if saved.mode not in PROGRAMS:
        raise _mismatch_error(saved, f"it is for the mode {saved.mode!r}; there are {', '.join(PROGRAMS)}")
    program = PROGRAMS[saved.mode]()
    ours = {name: tuple(predictor.signature.fields) for name, predictor in program.named_predictors()}
    if saved.optimizer == SAVED_BY_DSPY:
        named = {name: _name_fields(one, ours.get(name, ())) for name, one in saved.predictors.items()}
        saved = saved.model_copy(update={"predictors": named})
    for name in {**ours, **saved.predictors}:
        if name not in ours:
            raise _mismatch_error(saved, f"it has a predictor {name!r}; there are {', '.join(ours)}")
        if name not in saved.predictors:
            if saved.optimizer == SAVED_BY_DSPY:
                continue
            raise _mismatch_error(saved, f"its predictor {name!r} is missing")
        known, theirs = ours[name], saved.predictors[name].fields
        if set(known) != set(theirs):
            changed = ", ".join(sorted(set(known) ^ set(theirs)))
            raise _mismatch_error(saved, f"the fields of its predictor {name!r} have changed: {changed}")
        for demo in saved.predictors[name].demos:
            if foreign := set(demo) - set(known):
                raise _mismatch_error(
                    saved, f"a demonstration of {name!r} has unknown fields: {', '.join(sorted(foreign))}"
                )
    program.load_predictors(saved.predictors)
    return program


def _name_fields(predictor: SavedPredictor, fields: Sequence[str]) -> SavedPredictor:
    """A predictor from DSPy's file, which names fields by their prefixes: COPRO rewrites that of the last. Its
    demonstrations have these fields alone."""
    if predictor.fields[:-1] != tuple(fields[:-1]):
        return predictor
    demos = [{name: value for name, value in demo.items() if name in fields} for demo in predictor.demos]
    return predictor.model_copy(update={"fields": tuple(fields), "demos": tuple(demo for demo in demos if demo)})


def _save_predictor(name: str, predictor: Any) -> SavedPredictor:
    fields = tuple(predictor.signature.fields)
    demos = [{name: value for name, value in dict(demo).items() if name in fields} for demo in predictor.demos]
    try:
        return SavedPredictor(
            fields=fields, instructions=predictor.signature.instructions, demos=tuple(to_jsonable_python(demos))
        )
    except ValidationError as exc:
        problem = exc.errors(include_input=False)[0]
        raise ConfigError(
            f"instruction or demonstrations of {name} are too long to be saved: {problem['loc'][0]}: {problem['msg']}"
        ) from exc


def _mismatch_error(saved: SavedProgram, why: str) -> ConfigError:
    return ConfigError(
        f"program {saved.name}: made with storm {saved.storm}, it does not fit this one: {why}",
        hint="optimise again with this version",
        code=Code.PROGRAM_OUTDATED,
    )
