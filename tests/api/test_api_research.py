"""Settings of research and a reader's preferences, given as objects or by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from storm.api import CONFIGURABLE, job_request
from storm.api.research import read_preferences, read_research
from storm.errors import UsageError
from storm.models import JobRequest, ReportPreferences, ResearchSettings
from storm.settings import Settings, read_settings


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    return read_settings()


def test_settings_are_taken_as_an_object_or_by_name_and_are_the_same() -> None:
    wanted = ResearchSettings(max_questions=6, temperature=0.5)
    by_name = {"max_questions": 6, "temperature": 0.5}
    for given in (read_research(wanted), read_research(by_name), read_research(None, by_name)):
        assert given == ("", wanted)
    assert read_research(None) == ("", ResearchSettings())


def test_configurable_takes_a_model_too_and_wins() -> None:
    assert read_research({"max_questions": 6, "pages_read": 3}, {"max_questions": 4, "model": "openai/a"}) == (
        "openai/a", ResearchSettings(max_questions=4, pages_read=3),
    )  # fmt: skip
    assert read_research(None, {"model": "openai/a"}, "openai/a")[0] == "openai/a"


def test_configurable_may_stand_in_a_configuration_as_langgraph_has_it() -> None:
    assert read_research(None, {"configurable": {"max_iterations": 0}}) == ("", ResearchSettings(max_iterations=0))


def test_configurable_takes_every_name_of_the_design() -> None:
    assert set(CONFIGURABLE) == {
        "model", "temperature", "max_search_results", "max_questions", "max_iterations", "chars_per_source",
        "queries_per_question", "pages_read",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("research", "configurable", "expected"),
    [
        ({"max_question": 3}, None, "'max_question' is not a setting of research"),
        (None, {"max_question": 3}, "'max_question' is not a setting of research"),
        (None, {"configurable": {"modell": "a"}}, "'modell' is not a setting of research"),
        (None, {"configurable": {}, "max_questions": 3}, "'max_questions' is not a name beside \"configurable\""),
        ({"model": "openai/a"}, None, "'model' is not a setting of research"),
        ({"max_questions": 0}, None, "the setting max_questions is 0"),
        ({"max_questions": 2.5}, None, "the setting max_questions is 2.5"),
        ({"max_questions": True}, None, "the setting max_questions is True; it must be a number"),
        ({"max_questions": None}, None, "the setting max_questions is None"),
        ({"temperature": float("nan")}, None, "the setting temperature is nan"),
        (None, {"model": 4}, "the setting model is 4; it must be text"),
        (6, None, "research is 6; it must be a mapping of values by name"),
        (None, [("max_questions", 3)], "configurable is .*; it must be a mapping of values by name"),
        (None, {"configurable": None}, "configurable is None; it must be a mapping of values by name"),
        ({3: 4}, None, "research is .*; it must be a mapping of values by name"),
    ],
)
def test_a_wrong_setting_is_a_usage_error(research: Any, configurable: Any, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        read_research(research, configurable)


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one() -> None:
    for given in ({"max_question": 3}, {"configurable": {"max_question": 3}}):
        with pytest.raises(UsageError) as caught:
            read_research(None, given)
        assert str(caught.value.hint).startswith("did you mean max_questions? there are: model, max_questions")
    with pytest.raises(UsageError) as caught:
        read_preferences({"audiense": "all"})
    assert str(caught.value.hint).startswith("did you mean audience? there are: audience, length")


def test_two_models_are_one_too_many() -> None:
    with pytest.raises(UsageError, match="two models are given: openai/a and openai/b"):
        read_research(None, {"model": "openai/b"}, "openai/a")


def test_preferences_are_taken_as_an_object_or_by_name_each_on_one_line() -> None:
    wanted = ReportPreferences(audience="family doctors", sections=("Dosing", "Harm"))
    assert read_preferences({"audience": " family\n doctors ", "sections": ["Dosing", "Harm"], "tone": ""}) == wanted
    assert read_preferences(wanted) == wanted
    assert read_preferences(None) == ReportPreferences()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"style": "prose"}, "'style' is not a preference"),
        ({"audience": ["all"]}, "audience is .*; it must be text"),
        ({"sections": "Dosing"}, "sections is 'Dosing'; it must be a list of texts"),
        ({"sections": ["Dosing", 3]}, "section is 3; it must be text"),
        ({"tone": "\x1b[31m red"}, "the tone contains control characters"),
        ({"length": "long " * 60}, "the length has 299 characters, at most 200 are taken"),
        (ReportPreferences(length="?"), "the length has no letter or digit"),
        ("short", "preferences is 'short'; it must be a mapping of values by name"),
    ],
)
def test_a_wrong_preference_is_a_usage_error(given: Any, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        read_preferences(given)


def test_all_of_them_stand_in_the_request_and_survive_the_store(settings: Settings) -> None:
    request = job_request(
        "Does it harm?",
        settings,
        kind="question",
        preferences={"tone": "plain"},
        research={"pages_read": 3},
        configurable={"max_iterations": 0, "model": "openai/a"},
    )
    assert request.settings.research == ResearchSettings(pages_read=3, max_iterations=0)
    assert (request.settings.model, request.preferences.tone) == ("openai/a", "plain")
    assert JobRequest.model_validate_json(request.model_dump_json()) == request
