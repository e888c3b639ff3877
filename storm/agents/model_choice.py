"""Chooses the language model of each role, from config/models.yaml or the command line. Needs no DSPy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import Field

from storm.config_file import ConfigFile, has_secret_parts, is_variable, is_web_address, may_be_key, quote_value
from storm.errors import ConfigError, ModelError, UsageError
from storm.models.base import Frozen

#: The roles of models. A role that is not in the file takes the agent's model.
ROLES = ("agent", "writer", "judge")
#: The model that gives the vectors of texts; there is none unless the file names one.
EMBEDDER = "embedder"

#: The variables of each provider's key. Other providers (Azure, Bedrock …) find their own credentials.
KEY_VARIABLES = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"),
    "xai": ("XAI_API_KEY",),
}

#: Servers on the local machine, which need no key.
LOCAL_SERVERS = {
    "hosted_vllm": "http://localhost:8000/v1",
    "ollama": "http://localhost:11434/v1",
    "ollama_chat": "http://localhost:11434/v1",
}

#: The format of prompts and replies (storm.agents.adapters).
AdapterName = Literal["chat", "json", "xml"]

_NAME = re.compile(r"[A-Za-z0-9_.-]+/\S+")


class ModelChoice(Frozen):
    """One model: its name as in DSPy ("openai/…", "ollama_chat/…"), and how it is called.

    `api_base` is a server's address; by default the provider's own. `max_tokens` is the longest reply, `context` the
    maximum tokens of prompt and reply, `parallel` how many calls are made at once, and `timeout` the seconds without a
    byte of an answer (a model sends none while it thinks). `key` is the value of the variable `key_variable`: never
    shown, logged or put into an error.
    """

    name: str
    api_base: str | None = None
    key_variable: str | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    context: Annotated[int, Field(gt=0)] | None = None
    adapter: AdapterName = "chat"
    parallel: Annotated[int, Field(gt=0)] = 10
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 300.0
    key: str | None = Field(default=None, repr=False, exclude=True)

    @property
    def provider(self) -> str:
        """The name's first part."""
        return self.name.partition("/")[0]

    def check_key(self) -> None:
        """ModelError if a required key is missing or cannot be sent; no model is called."""
        if self.key and not (self.key.isascii() and self.key.isprintable()):
            raise ModelError(
                f"{self.key_variable or self.name} has a character that no key has",
                hint="set it again, without what was copied along with the key",
            )
        if self.key_variable and not self.key:
            raise ModelError(
                f"{self.name} needs a key: {self.key_variable} is not set",
                hint=f"set {self.key_variable}, choose another model, or run without a model",
            )


_FIELDS = tuple(name for name in ModelChoice.model_fields if name != "key")


def read_models(path: Path, environment: Mapping[str, str]) -> dict[str, ModelChoice]:
    """The model of each role, with its key from the environment, and the embedder if the file names one; empty if the
    file configures none.

    ConfigError naming file, line and key for a mistake in the file, or if the agent has no model.
    """
    file = ConfigFile(path)
    root = file.root()
    found: dict[str, ModelChoice] = {}
    for key, node in file.pairs(root, "") if root is not None else ():
        role = str(key.value)
        if role not in (*ROLES, EMBEDDER):
            file.fail(key, role, f"no such role; known: {', '.join((*ROLES, EMBEDDER))}")
        found[role] = _read_choice(file, role, key, node, environment)
    if root is None and file.is_blank:
        raise ConfigError(
            f"{path.name}: the file is empty",
            hint="copy config/models.yaml and name a model, or leave STORM_MODELS unset",
        )
    if root is None or not found:
        return {}
    if "agent" not in found:
        file.fail(
            root, "agent", "the key is missing: name the agent's model, which a role that is left out takes as well"
        )
    own = {role: choice for role, choice in found.items() if role == EMBEDDER}
    return {**{role: found.get(role, found["agent"]) for role in ROLES}, **own}


def choose_model(
    name: str, environment: Mapping[str, str], *, api_base: str | None = None, setting: str = "model"
) -> ModelChoice:
    """The model of this name for every role; UsageError for an invalid name, which the argument `setting` gave."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{quote_value(name)} is not a valid model name",
            hint="a name says provider and model: openai/gpt-4.1-mini, ollama_chat/qwen3:14b, hosted_vllm/…",
            setting=setting,
        )
    return _complete_choice({"name": name, "api_base": api_base}, environment)


def _read_choice(
    file: ConfigFile, role: str, key: yaml.Node, node: yaml.Node, environment: Mapping[str, str]
) -> ModelChoice:
    fields = file.fields(key, node, role, known=_FIELDS, required=("name",))
    values = {field: file.value(value, f"{role}.{field}") for field, (_, value) in fields.items()}
    choice = file.validate_values(ModelChoice, values, fields, role)
    if not _NAME.fullmatch(choice.name):
        file.fail(fields["name"][1], f"{role}.name", f"{quote_value(choice.name)} is not written as provider/model")
    if choice.api_base is not None and (fault := _address_fault(choice.api_base)):
        file.fail(fields["api_base"][1], f"{role}.api_base", fault)
    if (variable := choice.key_variable) is not None:
        if may_be_key(variable) and variable not in environment:
            problem = "it looks like a key; give the name of the environment variable that holds the key"
            file.fail(fields["key_variable"][1], f"{role}.key_variable", problem)
        if not is_variable(variable):
            file.fail(fields["key_variable"][1], f"{role}.key_variable", f"{variable!r} is not a valid variable name")
    return _complete_choice(values, environment)


def _complete_choice(values: Mapping[str, Any], environment: Mapping[str, str]) -> ModelChoice:
    """Add address and key from the environment if the choice does not set them.

    A provider's own key is never sent to a server that the choice names: that server's key must be named with it.
    """
    provider = values["name"].partition("/")[0]
    base, variable = values.get("api_base"), values.get("key_variable")
    if base is None:
        base = _ambient_base(provider, environment)
        variable = variable or _key_variable(provider, environment, required=base is None)
    key = environment.get(variable or "", "").strip() or None
    return ModelChoice.model_validate(
        {**values, "api_base": _add_path(provider, base), "key_variable": variable, "key": key}
    )


def _ambient_base(provider: str, environment: Mapping[str, str]) -> str | None:
    names = (f"{provider.upper()}_API_BASE", f"{provider.upper()}_BASE_URL")
    for name in names:
        if base := environment.get(name):
            if fault := _address_fault(base):
                raise UsageError(f"{name}: {fault}")
            return base
    return LOCAL_SERVERS.get(provider)


def _address_fault(base: str) -> str:
    """What is wrong with a server's address; empty if it is valid."""
    if not is_web_address(base):
        return f"{quote_value(base)} is not an http or https address"
    if has_secret_parts(base):
        return "it has a user name, a password or a query; name the variable of a key in `key_variable`"
    return ""


def _key_variable(provider: str, environment: Mapping[str, str], *, required: bool) -> str | None:
    """The first of the provider's variables that is set; if none is and a key is required, the first of all."""
    names = KEY_VARIABLES.get(provider, ())
    given = (name for name in names if environment.get(name, "").strip())
    return next(given, names[0] if names and required else None)


def _add_path(provider: str, base: str | None) -> str | None:
    """Add the API's path to an Ollama address, which is usually written without it."""
    if base is not None and provider.startswith("ollama") and urlsplit(base).path in ("", "/"):
        return base.rstrip("/") + "/v1"
    return base
