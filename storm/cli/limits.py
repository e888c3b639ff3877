"""The options for the budget of language models."""

from __future__ import annotations

from typing import Annotated

import typer

MaxUsd = Annotated[float | None, typer.Option(min=0.001, max=1e6, help="Budget in US dollars.")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Budget in tokens.")]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Budget in calls of models.")]
MaxMinutes = Annotated[float | None, typer.Option(min=0.1, max=1e6, help="Budget in minutes.")]
