"""Demonstrations that were learnt with other databases: shown in the tools that a job has, or not at all."""

from __future__ import annotations

from typing import Any

import dspy
from agents.jobs import open_job
from agents.library import Library, competent
from agents.scripted import prompts_of, scripted_lm

from storm.agents.bounded import react_signature
from storm.agents.broad_researcher import GatherSources
from storm.agents.demonstrations import adapt_demonstrations

OWN = ["search_pubmed", "search_chembl", "search_web", "save_source", "finish"]


def demo(tool: str, recent: str = "none yet", more: tuple[str, ...] = ()) -> dspy.Example:
    further = [{"tool": name, "args": {"words": "dose"}} for name in more]
    return dspy.Example(
        recent_steps=recent, next_thought=f"I call {tool}.", next_tool_name=tool, next_tool_args={"words": "survival"},
        more_calls=further,
    )  # fmt: skip


def tools_of(demos: list[Any]) -> list[str]:
    return [one.next_tool_name for one in demos]


def test_a_search_that_is_not_there_becomes_one_that_is_another_in_each_demonstration() -> None:
    shown = adapt_demonstrations([demo("search_sample")] * 4, OWN)
    assert tools_of(shown) == ["search_pubmed", "search_chembl", "search_web", "search_pubmed"]
    assert [one.next_thought for one in shown][:2] == ["I call search_pubmed.", "I call search_chembl."]


def test_several_databases_that_are_not_there_stay_several() -> None:
    (shown,) = adapt_demonstrations([demo("search_sample", more=("search_pmc",))], OWN)
    assert (shown.next_tool_name, shown.more_calls[0]["tool"]) == ("search_pubmed", "search_chembl")


def test_what_a_demonstration_tells_of_earlier_steps_names_the_same_search() -> None:
    recent = 'Step 1.\n<untrusted id="search_sample">\nsearch_sample(words="trial")\n3 found\n</untrusted>'
    (shown,) = adapt_demonstrations([demo("save_source", recent)], OWN)
    assert shown.recent_steps == recent.replace("search_sample", "search_pubmed")


def test_learnt_with_many_databases_it_is_of_use_on_the_sample_alone() -> None:
    shown = adapt_demonstrations([demo("search_pubmed", more=("search_chembl",))], ["search_sample", "finish"])
    assert (shown[0].next_tool_name, shown[0].more_calls[0]["tool"]) == ("search_sample", "search_sample")


def test_searches_that_are_there_stay_as_they_are_and_the_predictor_keeps_what_it_learnt() -> None:
    learnt = [demo("search_chembl"), demo("search_sample")]
    assert tools_of(adapt_demonstrations(learnt, OWN)) == ["search_chembl", "search_chembl"]
    assert tools_of(learnt) == ["search_chembl", "search_sample"]


def test_a_call_of_a_tool_that_is_not_there_is_not_shown() -> None:
    assert adapt_demonstrations([demo("read_tables"), demo("save_source", more=("read_tables",))], OWN) == []
    assert adapt_demonstrations([demo("search_sample")], ["save_source", "finish"]) == []


def test_a_tool_is_known_by_what_models_put_around_its_name() -> None:
    assert len(adapt_demonstrations([demo("functions.save_source()")], OWN)) == 1


def test_a_whole_example_of_the_task_is_no_step() -> None:
    assert adapt_demonstrations([dspy.Example(plan="a plan")], OWN) == []


async def test_a_program_that_was_learnt_on_the_sample_names_the_databases_of_the_job() -> None:
    react = dspy.Predict(react_signature(GatherSources))
    react.demos = [demo("search_sample"), demo("search_sample")]
    react.signature = react.signature.with_instructions("Call search_sample first. CAREFULLY.")
    lm = scripted_lm(competent())
    async with open_job(Library("pubmed", 40), Library("chembl", 40)) as job:
        await job.gather(lm, react=react)
    first = prompts_of(lm)[0]
    assert "Call search_pubmed first. CAREFULLY." in first
    assert "I call search_pubmed." in first and "I call search_chembl." in first
    assert "search_sample" not in first
    assert react.signature.instructions == "Call search_sample first. CAREFULLY."
