"""Makes the model ready that gives the vectors of texts, by which statements are compared."""

from __future__ import annotations

import dspy

from storm.agents.model_choice import ModelChoice
from storm.agents.model_faults import model_error
from storm.agents.models import check_provider, connection_options
from storm.databases.http.redaction import SHORTEST_SECRET, remove_secrets
from storm.errors import ModelError
from storm.ranking.evidence import Embed


def make_embed(choice: ModelChoice) -> Embed:
    """What asks this model for vectors, a ModelError if it fails; UsageError for an unknown provider. Its calls are not
    in the budget of a job."""
    choice.check_key()
    check_provider(choice)
    secrets = [key] if len(key := choice.key or "") >= SHORTEST_SECRET else []
    embedder = dspy.Embedder(choice.name, caching=False, timeout=choice.timeout, **connection_options(choice))

    def embed(texts: list[str]) -> list[list[float]]:
        try:
            return [[float(number) for number in vector] for vector in embedder(texts)]
        except Exception as exc:
            message = model_error(exc, choice.name).message
            raise ModelError(remove_secrets(message, secrets)) from None  # the cause may contain the key

    return embed
