"""The roles of one job, and what they share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from storm.errors import NothingSearched
from storm.models import Place, Plan, Scope, Spending
from storm.ports import Collection, Journal, Searcher, Toolbox
from storm.roles import (
    Checker,
    ChecklistJudge,
    ChecklistPlanner,
    Compiler,
    Digester,
    HypothesisJudge,
    Hypothesizer,
    Planner,
    QueryWriter,
    Refiner,
    Reflector,
    Researcher,
    SourceSelector,
    SummaryWriter,
    Synthesizer,
)

if TYPE_CHECKING:
    from storm.tools.carry_over import SourceCarrier


async def _no_fallback(failed: NothingSearched) -> Crew:
    raise failed


def _never() -> bool:
    return False


def _give_no_reason(question: str) -> str:
    return ""


class RepurposingCrew(NamedTuple):
    """The roles of a job that tests hypotheses (`storm.roles`)."""

    hypothesizer: Hypothesizer
    judge: HypothesisJudge
    summary_writer: SummaryWriter


class DeepResearchCrew(NamedTuple):
    """The roles of a job that answers one question by a checklist (`storm.roles`)."""

    refiner: Refiner
    checklist_planner: ChecklistPlanner
    judge: ChecklistJudge


class ResearchCrew(NamedTuple):
    """The roles of a job that plans, researches question by question, reviews and compiles (`storm.roles`), with its
    searches and the tools that file under the questions of a plan. `by_rules` are those that replace a language model
    that fails, and `explain_rules` says, by its key, why rules wrote the searches of a question where a model was to.
    `repurposing` are the roles of the mode that tests hypotheses, `deep_research` those of the one with a checklist.
    """

    searcher: Searcher
    toolbox: Callable[[Plan], Toolbox]
    query_writer: QueryWriter
    selector: SourceSelector
    digester: Digester
    reflector: Reflector
    compiler: Compiler
    by_rules: ResearchCrew | None = None
    explain_rules: Callable[[str], str] = _give_no_reason
    repurposing: RepurposingCrew | None = None
    deep_research: DeepResearchCrew | None = None


class Crew(NamedTuple):
    """The agents or algorithms that work on one job: its planner, researcher, checker and synthesizer (`storm.roles`),
    built for the scope of the job (what it searches: public databases, corpus or sample). `fallback` builds those of
    the next scope if nothing could be searched in this one. `research` are the roles of modes that research question by
    question. `carrier` takes over the sources of the job that this one updates. `is_out_of_time` says that the job's
    minutes are over, `has_refused_call` that a limit of its models prevented a call. `engine` (what decides and writes:
    the models with their roles, or the rules) and `notes` are shown to the reader, as are `spent` and `remarks`, which
    are read at the end. `by_model` says that a language model decides what is saved."""

    engine: str
    planner: Planner
    researcher: Researcher
    checker: Checker
    synthesizer: Synthesizer
    collection: Collection
    journal: Journal
    notes: tuple[str, ...] = ()
    spent: Callable[[], Sequence[Spending]] = tuple
    remarks: Callable[[], Sequence[str]] = tuple
    judged_by_writer: bool = False
    by_model: bool = False
    scope: Scope = Scope(place=Place.CORPUS)
    fallback: Callable[[NothingSearched], Awaitable[Crew]] = _no_fallback
    carrier: SourceCarrier | None = None
    research: ResearchCrew | None = None
    is_out_of_time: Callable[[], bool] = _never
    has_refused_call: Callable[[], bool] = _never
