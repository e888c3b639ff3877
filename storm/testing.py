"""For the tests of programs that use storm: a store in memory, and a language model that answers from a script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from storm.app import App, Crews
from storm.models import RunSettings
from storm.ports import Journal
from storm.settings import Settings, read_settings
from storm.store.memory import store_in_memory

if TYPE_CHECKING:
    from storm.agents.crew import ModelCrew
    from storm.agents.model_choice import ModelChoice
    from storm.agents.scripted import ScriptedModel

__all__ = ["ScriptedModel", "open_test_app"]


def __getattr__(name: str) -> object:
    # A test without a model needs no DSPy.
    if name != "ScriptedModel":
        raise AttributeError(f"module 'storm.testing' has no attribute {name!r}")
    from storm.agents.scripted import ScriptedModel

    return ScriptedModel


@asynccontextmanager
async def open_test_app(
    model: ScriptedModel | None = None, *, data_dir: Path | None = None, settings: Settings | None = None
) -> AsyncIterator[App]:
    """An App that leaves nothing behind: its jobs live in memory, its corpus in `data_dir` or a folder that is deleted,
    and no traces are kept.

        async with storm.testing.open_test_app() as app:
            dossier = await storm.arun("trastuzumab", offline=True, app=app)

    A `model` takes every role of every job. It needs the packages of storm-research[testing].
    """
    settings = settings or read_settings()
    async with AsyncExitStack() as opened:
        folder = data_dir or Path(opened.enter_context(TemporaryDirectory(prefix="storm-test-")))
        settings = settings._replace(data_dir=folder, redis_url=None, traces_url="off")
        store = await opened.enter_async_context(store_in_memory())
        crews = _ScriptedCrews(settings, model) if model else Crews(settings)
        yield App(settings, store, opened, crews)


class _ScriptedCrews(Crews):
    """Crews with one scripted model in every role."""

    def __init__(self, settings: Settings, model: ScriptedModel) -> None:
        super().__init__(settings)
        self._model = model

    def choose_models(self, settings: RunSettings) -> Mapping[str, ModelChoice]:
        from storm.agents.scripted import SCRIPTED
        from storm.modes import choose_mode

        return SCRIPTED if choose_mode(settings.mode, has_model=True).uses_model else {}

    async def make_ready(self, models: Mapping[str, ModelChoice], settings: RunSettings, journal: Journal) -> ModelCrew:
        from storm.agents.crew import ModelCrew

        return await ModelCrew.prepare(models, settings.limits, settings.program, journal, make=self._model.make_lm)
