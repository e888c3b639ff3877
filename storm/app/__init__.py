"""Settings in, a ready App out: the only place where objects are built and joined."""

from storm.app.app import App, open_app, utc_now
from storm.app.crews import Crews, chosen_models
from storm.app.scope import open_corpus

__all__ = ["App", "Crews", "chosen_models", "open_app", "open_corpus", "utc_now"]
