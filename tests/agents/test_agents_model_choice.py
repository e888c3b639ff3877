"""Which model plays which role: the file's mistakes are reported with their line, keys are from the environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from storm.agents.model_choice import ROLES, ModelChoice, choose_model, read_models
from storm.errors import ConfigError, ModelError, UsageError

CONFIG = Path(__file__).parents[2] / "config" / "models.yaml"


def written(folder: Path, text: str) -> Path:
    path = folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_as_shipped_no_model_is_configured() -> None:
    assert read_models(CONFIG, {"OPENAI_API_KEY": "sk-1"}) == {}


def test_the_examples_in_the_shipped_file_are_valid(tmp_path: Path) -> None:
    text = CONFIG.read_text(encoding="utf-8")
    examples = text[text.index("# agent:\n") :].replace("\n# ", "\n").removeprefix("# ").replace("\n#\n", "\n")
    models = read_models(written(tmp_path, examples), {"OPENAI_API_KEY": "sk-1"})
    assert [models[role].name for role in ROLES] == [
        "openai/gpt-4.1-mini",
        "anthropic/claude-sonnet-4-5",
        "ollama_chat/qwen3:14b",
    ]
    assert models["judge"].api_base == "http://localhost:11434/v1"
    asked = [(models[role].adapter, models[role].parallel, models[role].timeout) for role in ("agent", "judge")]
    assert asked == [("chat", 10, 300), ("json", 1, 900)]
    for name in ModelChoice.model_fields.keys() - {"key"}:
        assert f"#   {name} " in text, name


def test_there_is_an_embedder_only_if_the_file_names_one(tmp_path: Path) -> None:
    agent = "agent: {name: openai/a}\n"
    assert set(read_models(written(tmp_path, agent), {})) == set(ROLES)
    models = read_models(written(tmp_path, f"{agent}embedder: {{name: openai/vectors}}\n"), {"OPENAI_API_KEY": "sk-1"})
    assert (list(models), models["embedder"].key) == ([*ROLES, "embedder"], "sk-1")


def test_a_role_that_is_left_out_takes_the_agent_s_model(tmp_path: Path) -> None:
    path = written(tmp_path, "agent: {name: openai/a}\nwriter: {name: openai/b, temperature: 1.5}\n")
    models = read_models(path, {"OPENAI_API_KEY": "sk-1"})
    assert {role: choice.name for role, choice in models.items()} == {
        "agent": "openai/a",
        "writer": "openai/b",
        "judge": "openai/a",
    }
    assert models["writer"].temperature == 1.5


@pytest.mark.parametrize("roles", [["writer"], ["judge"], ["judge", "writer"]])
def test_without_the_agent_s_model_there_is_none_for_the_roles_that_are_left_out(
    tmp_path: Path, roles: list[str]
) -> None:
    path = written(tmp_path, "# mine\n" + "".join(f"{role}: {{name: openai/b}}\n" for role in roles))
    with pytest.raises(ConfigError, match=r"^models\.yaml, line 2, agent: the key is missing: name the agent's model"):
        read_models(path, {})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("agent: [", "line 1: not YAML"),
        ("agent: " + "[" * 20_000, "not YAML: nested too deep"),
        ("#" * 256_001, "the file has over 256,000 bytes"),
        ("- agent", "line 1, the file: must be a mapping (key: value)"),
        ("\nreader: {name: openai/a}", "line 2, reader: no such role; known: agent, writer, judge, embedder"),
        ("agent: openai/a", "line 1, agent: must be a mapping (key: value)"),
        ("agent:\n  temperature: 1", "line 1, agent.name: the key is missing"),
        ("agent:\n  name: gpt", "line 2, agent.name: 'gpt' is not written as provider/model"),
        ("agent:\n  name: 7", "line 2, agent.name: 7: it must be text"),
        ("agent:\n  name: openai/a\n  key: sk-1", "line 3, agent.key: unknown key; known: name, api_base"),
        ("agent:\n  name: openai/a\n  name: openai/b", "line 3, agent.name: the key is given twice"),
        ("agent:\n  name: openai/a\n  temperature: 3", "agent.temperature: 3: it must be at most 2"),
        ("agent:\n  name: openai/a\n  max_tokens: 0", "line 3, agent.max_tokens: 0: it must be more than 0"),
        ("agent:\n  name: openai/a\n  parallel: 0", "line 3, agent.parallel: 0: it must be more than 0"),
        ("agent:\n  name: openai/a\n  timeout: -1", "line 3, agent.timeout: -1: it must be more than 0"),
        ("agent:\n  name: openai/a\n  adapter: toml", "agent.adapter: 'toml': it must be 'chat', 'json' or 'xml'"),
        ("agent:\n  name: openai/a\n  context: big", "line 3, agent.context: 'big': it must be a whole number"),
        (
            "agent:\n  name: openai/a\n  api_base: host",
            "line 3, agent.api_base: 'host' is not an http",
        ),
        (
            "agent:\n  name: openai/a\n  key_variable: a b",
            "line 3, agent.key_variable: 'a b' is not a valid",
        ),
        ("agent:\n  name: openai/a\n  api_base:", "line 3, agent.api_base: must not be empty"),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_key(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_models(written(tmp_path, text), {})
    assert "models.yaml" in caught.value.message
    assert problem in caught.value.message
    assert "\n" not in caught.value.message


def test_a_file_without_a_line_is_no_list_of_no_models(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"models\.yaml: the file is empty") as caught:
        read_models(written(tmp_path, " \n"), {})
    assert "config/models.yaml" in str(caught.value.hint)
    assert read_models(written(tmp_path, "# none yet\n"), {}) == {}


KEYS = (
    "sk-verysecret",
    "sk-proj-9tSrke72PouQMnMXa7eZSW0jkFMBWY",
    "VERYSECRET99988877766",
    "verysecret0123456789abcdef",
)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text",
    [
        "name: KEY",
        "name: openai/a\n  key_variable: KEY",
        "name: openai/a\n  temperature: KEY",
        "name: openai/a\n  api_base: KEY",
        "name: openai/a\n  api_base: ftp://me:KEY@host/v1",
        "name: openai/a\n  api_base: http://me:KEY@host/v1",
        "name: openai/a\n  api_base: http://host/v1?key=KEY",
        "name: openai/a\n  api_base: http://host/v1#KEY",
    ],
)
def test_a_key_in_the_wrong_place_is_reported_without_being_shown(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read_models(written(tmp_path, f"agent:\n  {text.replace('KEY', key)}"), {})
    assert key not in str(raised.value) + str(raised.value.hint)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_in_the_place_of_a_model_s_name_is_not_shown(key: str) -> None:
    with pytest.raises(UsageError, match="is not a valid model name") as raised:
        choose_model(key, {})
    assert key not in str(raised.value)


@pytest.mark.parametrize(
    "base", ["http://me:verysecret@host/v1", "http://host/v1?key=verysecret", "me:verysecret@host"]
)
def test_a_server_of_the_environment_is_refused_where_its_address_holds_a_key(base: str) -> None:
    with pytest.raises(UsageError, match=r"^OPENAI_BASE_URL: ") as raised:
        choose_model("openai/a", {"OPENAI_BASE_URL": base})
    assert "verysecret" not in str(raised.value)


@pytest.mark.parametrize("name", ["gpt-4.1-mini-2025-04-14", "claude-sonnet-4-5-20250929", "MY_GATEWAY_KEY_2026"])
def test_what_is_no_key_is_shown(name: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"'{name}' is not a valid model name")):
        choose_model(name, {})


def test_a_variable_that_looks_like_a_key_is_used_where_it_is_set(tmp_path: Path) -> None:
    path = written(tmp_path, "agent: {name: openai/a, key_variable: TEAMKEY2026PRODUCTION}")
    assert read_models(path, {"TEAMKEY2026PRODUCTION": "m-1"})["agent"].key == "m-1"


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_models(tmp_path / "none.yaml", {})


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ConfigError, match="cannot be read: not a regular file"):
            read_models(path, {})


def test_the_key_comes_from_the_usual_variable_or_the_one_that_is_named(tmp_path: Path) -> None:
    environment = {"OPENAI_API_KEY": "sk-1", "GOOGLE_API_KEY": "g-1", "MINE": "m-1"}
    assert choose_model("openai/a", environment).key == "sk-1"
    assert choose_model("gemini/a", environment).key == "g-1"
    assert choose_model("bedrock/a", environment).key is None
    path = written(tmp_path, "agent: {name: openai/a, key_variable: MINE}")
    assert read_models(path, environment)["agent"].key == "m-1"


def test_a_provider_s_key_does_not_go_to_a_server_that_the_choice_names(tmp_path: Path) -> None:
    environment = {"OPENAI_API_KEY": "sk-1"}
    assert choose_model("openai/a", environment, api_base="http://127.0.0.1:8000/v1").key is None
    path = written(tmp_path, "agent: {name: openai/a, api_base: 'http://127.0.0.1:8000/v1'}")
    assert read_models(path, environment)["agent"].key is None


def test_a_gateway_of_the_environment_is_used_with_the_key_beside_it_if_there_is_one() -> None:
    gateway = {"OPENAI_BASE_URL": "http://gate:1/v1"}
    choice = choose_model("openai/a", gateway | {"OPENAI_API_KEY": "sk-1"})
    assert (choice.api_base, choice.key) == ("http://gate:1/v1", "sk-1")
    choose_model("openai/a", gateway).check_key()


@pytest.mark.parametrize(
    ("name", "base", "address"),
    [
        ("ollama_chat/q", None, "http://localhost:11434/v1"),
        ("ollama_chat/q", "http://host:11434/", "http://host:11434/v1"),
        ("ollama/q", "http://host:11434/v1", "http://host:11434/v1"),
        ("hosted_vllm/q", None, "http://localhost:8000/v1"),
        ("hosted_vllm/q", "http://host:8000/v1", "http://host:8000/v1"),
        ("openai/q", "http://host", "http://host"),
        ("openai/q", None, None),
    ],
)
def test_local_servers_are_found_at_their_usual_address(name: str, base: str | None, address: str | None) -> None:
    choice = choose_model(name, {}, api_base=base)
    assert choice.api_base == address
    if address:
        choice.check_key()


@pytest.mark.parametrize("name", ["", "gpt-4", "openai/", "/x", "openai/a b", "http://x y"])
def test_what_is_no_model_s_name_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match="is not a valid model name"):
        choose_model(name, {})


def test_a_missing_key_is_reported_in_one_line_without_dspy_or_a_network() -> None:
    program = (
        "import sys, socket\n"
        "def refuse(*_): raise AssertionError('the network was asked')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from storm.agents.model_choice import choose_model\n"
        "from storm.errors import ModelError\n"
        "try: choose_model('openai/gpt-4.1-mini', {}).check_key()\n"
        "except ModelError as error: print(error, '|', error.exit_code, '|', 'dspy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "openai/gpt-4.1-mini needs a key: OPENAI_API_KEY is not set | 1 | False\n", done.stderr


@pytest.mark.parametrize("around", ["{}\n", "{}\r\n", " {}\t"])
def test_what_is_around_a_key_is_no_part_of_it(around: str) -> None:
    assert choose_model("openai/a", {"OPENAI_API_KEY": around.format("sk-1")}).key == "sk-1"
    blank = choose_model("gemini/a", {"GEMINI_API_KEY": around.format(""), "GOOGLE_API_KEY": "g-1"})
    assert (blank.key_variable, blank.key) == ("GOOGLE_API_KEY", "g-1")


@pytest.mark.parametrize("key", ["sk-\rsecret", "sk-\x00secret", "sk-“secret”", "sk-\udcffsecret"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ModelError, match=r"^OPENAI_API_KEY has a character that no key has$") as raised:
        choose_model("openai/a", {"OPENAI_API_KEY": key}).check_key()
    assert "secret" not in str(raised.value) + str(raised.value.hint)


def test_the_key_shows_nowhere() -> None:
    choice = choose_model("openai/a", {"OPENAI_API_KEY": "sk-1"})
    assert "sk-1" not in repr(choice) + str(choice.model_dump()) + choice.model_dump_json()


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.sampled_from([*ROLES, *ModelChoice.model_fields, "x"]), inner, max_size=4),
        ),
        max_leaves=8,
    )
)
def test_whatever_the_file_holds_it_is_read_or_reported(
    tmp_path_factory: pytest.TempPathFactory, value: object
) -> None:
    path = written(tmp_path_factory.mktemp("fuzz"), yaml.safe_dump(value))
    try:
        models = read_models(path, {})
    except ConfigError as error:
        assert error.message.startswith("models.yaml")
    else:
        assert set(models) <= set(ROLES)


def test_check_key_is_silent_where_the_key_is_there() -> None:
    choose_model("openai/a", {"OPENAI_API_KEY": "sk-1"}).check_key()
    with pytest.raises(ModelError):
        choose_model("openai/a", {"OPENAI_API_KEY": ""}).check_key()
