"""storm's agents as DSPy programs: for DSPy's optimisers, for `dspy.Evaluate`, and for notebooks.

    program = storm.programs.DossierProgram()
    trainset = storm.programs.read_examples("drugs.jsonl")
    optimizer = dspy.BootstrapFewShot(metric=storm.programs.coverage_metric, max_labeled_demos=0)
    better = optimizer.compile(program, trainset=trainset)
    better.save("better.json")  # storm run trastuzumab --model NAME --program better.json

It needs the packages of storm-research[optimize].
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import dspy

from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.bounded import BoundedAgent
from storm.agents.broad_researcher import BroadResearcher
from storm.agents.judge import SupportJudge
from storm.agents.predictor_calls import run_sync
from storm.agents.trace_examples import shorten_trace
from storm.api import job_request
from storm.app import Workbench, open_corpus
from storm.databases.corpus.database import add_paths
from storm.errors import UsageError
from storm.models import Coverage, Dossier, Plan
from storm.models.program import BROAD
from storm.modes import Crew
from storm.optimize.dataset import Case, check_mode, read_cases
from storm.settings import read_settings
from storm.testing import open_test_app

__all__ = [
    "AnswerSynthesizer",
    "BoundedAgent",
    "BroadResearcher",
    "Case",
    "DossierProgram",
    "SupportJudge",
    "coverage_metric",
    "open_sample_job",
    "read_cases",
    "read_examples",
]


class DossierProgram(dspy.Module):  # type: ignore[misc]
    """A whole job as a DSPy program: called with a `case` (a drug and its questions), it returns its `dossier`.

        program = DossierProgram(BroadResearcher(), AnswerSynthesizer(judge=SupportJudge()))
        dossier = program(case=case).dossier

    Without arguments it has both, with the model that DSPy is configured with. If only one is given, rules take the
    other role. Each call runs a new job, in memory and offline, on the case's corpus or on the bundled sample. DSPy's
    trace holds shortened calls, so that demonstrations fit into a prompt.
    """

    def __init__(self, researcher: BroadResearcher | None = None, synthesizer: AnswerSynthesizer | None = None) -> None:
        super().__init__()
        if researcher is None and synthesizer is None:
            researcher, synthesizer = BroadResearcher(), AnswerSynthesizer()
        #: None: rules take the role.
        self.researcher = researcher
        self.synthesizer = synthesizer

    def forward(self, case: Case) -> dspy.Prediction:
        """A prediction with `dossier` and its `coverage`."""
        with shorten_trace(self._predictor_roles()):
            return run_sync(self.aforward, case=case)

    async def aforward(self, case: Case) -> dspy.Prediction:
        """Asynchronous; DSPy's trace has the calls in full."""
        settings, folder = read_settings(), Path(_corpus_folder(case.corpus).name)
        # The mode without a model: its roles by rules are those that `_change_crew` leaves.
        request = job_request(case.drug, settings, also=case.also, offline=True, mode="extractive")
        async with open_test_app(data_dir=folder, settings=settings) as app:  # an App in memory
            job = await app.start(request.model_copy(update={"syllabus": case.syllabus or request.syllabus}))
            dossier = await app.work(job.job_id, change=self._change_crew)
        assert isinstance(dossier, Dossier), "the mode `extractive` returns a dossier"
        return dspy.Prediction(dossier=dossier, coverage=dossier.coverage)

    def _change_crew(self, bench: Workbench, crew: Crew) -> Crew:
        if self.researcher:
            crew = crew._replace(researcher=self.researcher.for_job(bench), by_model=True)
        if self.synthesizer:
            crew = crew._replace(synthesizer=self.synthesizer)
        return crew._replace(engine="a DSPy program")

    def _predictor_roles(self) -> Mapping[int, str]:
        roles = {}
        if self.researcher:
            roles[id(self.researcher.react)] = "agent"
        if self.synthesizer:
            roles[id(self.synthesizer.writer.write)] = "writer"
            roles[id(self.synthesizer.composer.compose)] = "composer"
        return roles


@asynccontextmanager
async def open_sample_job(plan: Plan) -> AsyncIterator[Workbench]:
    """A new job on the bundled sample, as the Workbench (collection, searcher, journal, tools) that a researcher works
    at.

        researcher = BroadResearcher(open_job=open_sample_job)
        print(researcher(plan=plan).coverage)

    The job lives in memory and is gone when the researcher has finished.
    """
    settings, folder = read_settings(), Path(_corpus_folder(()).name)
    request = job_request(plan.names[0], settings, also=plan.names[1:], offline=True, mode="extractive")
    async with open_test_app(data_dir=folder, settings=settings) as app:  # an App in memory
        job = await app.start(request.model_copy(update={"syllabus": plan.syllabus}))
        async with app.workbench(job.job_id) as bench:
            yield bench


def read_examples(path: Path | str) -> list[dspy.Example]:
    """The cases of a dataset (docs/optimise.md) as a trainset for a DossierProgram.

        trainset = storm.programs.read_examples("drugs.jsonl")

    docs/optimise.md describes the file.
    """
    cases = read_cases(Path(path), read_settings().config_dir)
    check_mode(cases, BROAD)
    return [dspy.Example(case=case).with_inputs("case") for case in cases]


def coverage_metric(
    example: Any, prediction: Any, trace: Any = None, pred_name: str | None = None, pred_trace: Any = None
) -> float:
    """The mean share of required sources per question, 0 to 1.

        optimizer = dspy.BootstrapFewShot(metric=coverage_metric, max_labeled_demos=0)

    It takes what a DossierProgram or a BroadResearcher returned.
    """
    coverage: Coverage = prediction.coverage
    return fmean(min(1.0, q.sources / max(1, q.min_sources)) for q in coverage.questions)


@cache
def _corpus_folder(corpus: tuple[Path, ...]) -> TemporaryDirectory[str]:
    """A folder for the index of these files, or of the sample, until the process ends."""
    folder = TemporaryDirectory(prefix="storm-corpus-")
    if corpus:
        report = add_paths(open_corpus(read_settings()._replace(data_dir=Path(folder.name))), corpus)
        if report.errors:
            raise UsageError(f"corpus: {report.errors[0]}")
    return folder
