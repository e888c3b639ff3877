"""Settings of research and a reader's preferences, as a caller gives them: typed objects, or values by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from storm.citations.section_length import is_length
from storm.errors import UsageError, suggest_name
from storm.models import ReportPreferences, ResearchSettings
from storm.models.report_form import ReportForm, read_form
from storm.models.request import MAX_NAME, check_text
from storm.value_wording import list_choices

#: The names that `configurable` takes, and `--set` and the file of `--settings` with it.
CONFIGURABLE = ("model", *ResearchSettings.model_fields)

#: What a caller may give.
GivenSettings = ResearchSettings | Mapping[str, Any] | None
GivenPreferences = ReportPreferences | Mapping[str, Any] | None


def read_research(
    research: GivenSettings, configurable: Mapping[str, Any] | None = None, model: str = ""
) -> tuple[str, ResearchSettings]:
    """The model, and the settings of research, in which those of `configurable` win. UsageError for an unknown name, a
    value that is not allowed, or two models."""
    named = dict(_unpack_configurable(configurable))
    chosen = named.pop("model", "")
    if not isinstance(chosen, str):
        raise UsageError(f"the setting model is {chosen!r}; it must be text", hint='for example "openai/gpt-4.1-mini"')
    if model and chosen and model != chosen:
        raise UsageError(f"two models are given: {model} and {chosen}", hint="give one")
    given = {**_list_values(research), **named}
    for name, value in given.items():
        if isinstance(value, bool):  # which would count as 1 or 0
            raise UsageError(f"the setting {name} is {value!r}; it must be a number", hint="give another value")
    return model or chosen, ResearchSettings.parse(given)


def _unpack_configurable(given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The values by name, also where they stand under the name `configurable`, as LangGraph passes them."""
    values = {} if given is None else check_mapping(given, "configurable")
    if "configurable" not in values:
        return _check_names(values, CONFIGURABLE, "setting of research")
    _check_names(values, ("configurable",), 'name beside "configurable"')
    inner = check_mapping(values["configurable"], "configurable")
    return _check_names(inner, CONFIGURABLE, "setting of research")


def _list_values(given: GivenSettings) -> Mapping[str, Any]:
    if given is None:
        return {}
    return given.model_dump() if isinstance(given, ResearchSettings) else check_mapping(given, "research")


def read_preferences(given: GivenPreferences) -> ReportPreferences:
    """The reader's preferences, each on one line; UsageError for an unknown name or a wrong value."""
    if given is None:
        return ReportPreferences()
    values = given.model_dump() if isinstance(given, ReportPreferences) else check_mapping(given, "preferences")
    _check_names(values, tuple(ReportPreferences.model_fields), "preference")
    sections = values.get("sections", ())
    if isinstance(sections, str) or not isinstance(sections, Iterable):
        raise UsageError(f"sections is {sections!r}; it must be a list of texts", hint='such as sections=["Safety"]')
    texts = {name: _read_preference(value, name) for name, value in values.items() if name != "sections"}
    if (form := texts.get("format")) and not read_form(form):
        raise _preference_error("format", form, f"it must be {list_choices(ReportForm)}")
    if (length := texts.get("length")) and not is_length(length):
        raise _preference_error("length", length, "it must be a length such as short, two pages or 500 words")
    return ReportPreferences(**texts, sections=tuple(_read_preference(one, "section") for one in sections))


def _preference_error(name: str, given: str, wanted: str) -> UsageError:
    named = f"preferences.{name}"
    return UsageError(f"{named} is {given!r}; {wanted}", hint="write it so, or leave it out", setting=named)


def _read_preference(given: Any, name: str) -> str:
    """The text on one line; UsageError for anything else, or one that is long."""
    if not isinstance(given, str):
        raise UsageError(f"{name} is {given!r}; it must be text", hint="give it in words")
    text = " ".join(check_text(given, name).split()) if given else ""
    if len(text) > MAX_NAME:
        raise UsageError(f"the {name} has {len(text):,} characters, at most {MAX_NAME} are taken", hint="shorten it")
    return text


def check_mapping(given: Any, name: str) -> Mapping[str, Any]:
    """The values by name; UsageError for anything else."""
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise UsageError(
            f"{name} is {given!r}; it must be a mapping of values by name", hint="help(storm.report) says which"
        )
    return given


def _check_names(given: Mapping[str, Any], known: tuple[str, ...], what: str) -> Mapping[str, Any]:
    for name in given:
        if name not in known:
            hint = f"{suggest_name(name, known)}there are: {', '.join(known)}"
            raise UsageError(f"{name!r} is not a {what}", hint=hint)
    return given
