"""Input is checked against the schema, and what is wrong is said so that a model can correct it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from registered import SCHEMA, make_tool

from storm.errors import UsageError
from storm.toolkit import ToolConfig, ToolContext, ToolResult
from storm.toolkit.input_check import read_params

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


async def answer(params: Any, context: ToolContext) -> ToolResult:
    return ToolResult("yes")


TOOL = make_tool(answer)


def refusal(params: Any, tool: ToolConfig = TOOL) -> str:
    with pytest.raises(UsageError) as refused:
        read_params(tool, params)
    return refused.value.message


def test_defaults_are_filled_in_and_what_is_given_wins() -> None:
    assert read_params(TOOL, {"word": "ja"}) == {"word": "ja", "times": 1}
    assert read_params(TOOL, {"word": "ja", "times": 3}) == {"word": "ja", "times": 3}


def test_a_null_stands_for_an_optional_parameter_that_is_left_out() -> None:
    assert read_params(TOOL, {"word": "ja", "times": None, "form": None}) == {"word": "ja", "times": 1}


def test_a_null_for_a_required_parameter_is_what_the_schema_says_of_it() -> None:
    assert refusal({"word": None}) == "wrong input of repeat: word is null, but it must be a text"
    nullable = {"type": "object", "properties": {"word": {"type": ["string", "null"]}}, "required": ["word"]}
    assert read_params(make_tool(answer, schema=nullable), {"word": None}) == {"word": None}


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "word is missing"),
        (None, "word is missing"),
        ({"word": 7}, "word is 7, but it must be a text"),
        ({"word": ""}, 'word is "", but it must have at least 1 characters'),
        ({"word": "x" * 21}, f'word is "{"x" * 21}", but it must have at most 20 characters: shorten it'),
        ({"word": "a", "times": "3"}, 'times is "3", but it must be a whole number'),
        ({"word": "a", "times": 0}, "times is 0, but it must be at least 1"),
        ({"word": "a", "times": 51}, "times is 51, but it must be at most 50"),
        ({"word": "a", "form": "soft"}, 'form is "soft", but it must be one of "plain", "loud"'),
        ({"word": "a", "parts": "x"}, 'parts is "x", but it must be a list'),
        ({"word": "a", "parts": ["x", 2]}, "parts[1] is 2, but it must be a text"),
        ({"word": "a", "parts": ["x", "y", "z"]}, 'parts is ["x", "y", "z"], but it must have at most 2 items'),
        (
            {"word": "a", "tims": 2},
            '"tims" is not a parameter (did you mean times? the parameters are word, times, form, parts)',
        ),
    ],
)
def test_a_problem_is_said_with_the_field_and_what_is_allowed(params: Any, said: str) -> None:
    assert refusal(params) == f"wrong input of repeat: {said}"


def test_several_problems_are_said_at_once_and_many_are_counted() -> None:
    assert refusal({"times": 0, "form": "x"}).count(";") == 2
    assert refusal({"word": "a", **{f"x{number}": 1 for number in range(9)}}).endswith("; and 4 more")


@pytest.mark.parametrize("given_params", ["word", ["word"], 3, True])
def test_input_that_has_no_names_is_refused(given_params: Any) -> None:
    assert refusal(given_params).startswith("repeat takes an object of parameters by name, not ")


def test_a_long_value_is_shown_in_part() -> None:
    assert len(refusal({"word": "x" * 50_000})) < 200


@pytest.mark.slow
def test_what_is_no_json_or_nested_too_deep_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert "parts" in refusal({"word": "a", "parts": [{1, 2}]})
    assert refusal({"word": "a", "form": deep}) == "wrong input of repeat: the input is nested too deep"
    while deep:  # freed one by one: Python frees a nested list by recursion
        deep = deep.pop()


@pytest.mark.slow
@given(params=st.dictionaries(st.sampled_from([*SCHEMA["properties"], "other"]), VALUES))
def test_input_that_the_schema_allows_is_taken_and_other_is_refused_in_a_short_text(
    params: dict[str, Any],
) -> None:
    shown = {name: value for name, value in params.items() if value is not None or name == "word"}
    if Draft202012Validator(SCHEMA).is_valid(shown):
        assert read_params(TOOL, params) == {"times": 1, **shown}
    else:
        assert refusal(params).startswith("wrong input of repeat: ") and len(refusal(params)) < 2_000
