"""The limits of language models, as several commands take them."""

from __future__ import annotations

from typing import Annotated

import typer

MaxUsd = Annotated[float | None, typer.Option(min=0.001, max=1e6, help="What the models may cost: dollars.")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Tokens that the models may take.")]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Calls of the models.")]
MaxMinutes = Annotated[float | None, typer.Option(min=0.1, max=1e6, help="Minutes for the models.")]
