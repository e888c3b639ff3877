"""`storm optimize DATASET`: optimise the models' prompts on local jobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from storm.agents.model_choice import choose_model
from storm.agents.program_file import check_writable, free_path, write_program
from storm.app import choose_models
from storm.cli.console import bind_notes, exit_with, make_printable, name_program, print_json, print_line, print_table
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.errors import UsageError, name_install
from storm.models import JobLimits, RequestKind
from storm.models.program import BROAD
from storm.modes import MODES
from storm.settings import read_settings
from storm.value_wording import list_choices

if TYPE_CHECKING:
    from storm.agents.model_choice import ModelChoice
    from storm.optimize import TrainingResult
    from storm.settings import Settings

ReflectionModel = Annotated[str, typer.Option(help="Model that writes instructions; by default the writer's.")]
DevShare = Annotated[float, typer.Option(min=0.01, max=0.99, help="Share of the drugs that is held out to measure.")]
ProgramMode = Annotated[
    str, typer.Option(help="The jobs: broad, parallel (reports), repurposing, or deep_research (ask).")
]

#: What a command is given, by what its mode takes first.
_GIVEN = {
    RequestKind.DRUG: "DRUG",
    RequestKind.QUESTION: '"QUESTION"',
    RequestKind.TOPIC: '"TOPIC"',
    RequestKind.REPURPOSING: '"DRUG for DISEASE"',
}


def optimize(
    dataset: Annotated[Path, typer.Argument(help="JSONL file, one drug or question a line; see docs/optimise.md.")],
    optimizer: Annotated[str, typer.Option(help="bootstrap, mipro, gepa or simba.")] = "gepa",
    mode: ProgramMode = BROAD,
    model: Annotated[str, typer.Option(help="Language model for every role; by default those of models.yaml.")] = "",
    reflection_model: ReflectionModel = "",
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Rounds of the optimizer.")] = 6,
    demos: Annotated[int, typer.Option(min=1, max=8, help="Most demonstrations in a prompt.")] = 2,
    dev_share: DevShare = 0.5,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    out: Annotated[
        Path | None, typer.Option(help="File to save to; by default config/programs/DATASET-OPTIMIZER.json")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only the result.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Optimise the models' prompts on local jobs. No public database is searched.

    The program is saved unless it scores worse on the held-out drugs (exit 3).

    Example: storm optimize drugs.jsonl --optimizer gepa --model openai/gpt-4.1-mini --max-usd 5
    """
    settings = read_settings()
    models, reflection = _choose_models(settings, model, reflection_model)
    try:
        from storm.case_runner import REFLECTION, run_optimization
        from storm.optimize import JOB_PROGRAMS, Effort, check_optimizer, read_cases, split_cases
    except ImportError as exc:
        raise UsageError(
            f"an optimisation needs the package {exc.name}",
            hint=name_install("optimize"),
        ) from exc

    check_optimizer(optimizer)
    if mode not in JOB_PROGRAMS:
        raise UsageError(f"mode is {mode!r}; it must be {list_choices(JOB_PROGRAMS)}", setting="mode")
    path = out or free_path(settings.config_dir / "programs", f"{dataset.stem}-{optimizer}")
    check_writable(path)
    split = split_cases(read_cases(dataset, settings.config_dir), dev_share, seed)
    tell = bind_notes()
    result = run_optimization(
        settings,
        {**models, REFLECTION: reflection},
        split,
        name=path.stem,
        mode=mode,
        optimizer=optimizer,
        effort=Effort(rounds, demos, seed),
        limits=JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls, minutes=max_minutes),
        report=(lambda line: None) if quiet or as_json else lambda line: tell(make_printable(line)),
    )
    _save_program(result, path, as_json=as_json)


def _choose_models(
    settings: Settings, model: str, reflection_model: str
) -> tuple[Mapping[str, ModelChoice], ModelChoice]:
    """The model of each role, and the model that writes instructions."""
    models = choose_models(settings, model)
    if not models:
        raise UsageError(
            "an optimisation needs a language model, and none is chosen", hint="add --model NAME: docs/models.md"
        )
    reflection = models["writer"]
    if reflection_model:
        reflection = choose_model(reflection_model, settings.environment, setting="reflection_model")
    reflection.check_key()
    return models, reflection


def _save_program(result: TrainingResult, path: Path, *, as_json: bool) -> None:
    """Save the program unless it scores worse, and print the result."""
    saved = result.changed and not (result.is_worse or result.is_unmeasured)
    if saved:
        write_program(result.program, path)
    if as_json:
        print_json(_describe_result(result, path if saved else None))
    else:
        _print_result(result, path if saved else None)
    exit_with(0 if saved else 3)


def _describe_result(result: TrainingResult, path: Path | None) -> dict[str, Any]:
    return {
        "optimizer": result.program.optimizer,
        "mode": result.program.mode,
        "changed": result.changed,
        "worse": result.is_worse,
        "unmeasured": result.is_unmeasured,
        "saved": str(path) if path else None,
        "rows": [
            {"cases": side, "program": when, "score": measure.score, **measure.parts, "spent": measure.spent._asdict()}
            for side, pair in (("train", result.train), ("dev", result.dev))
            for when, measure in zip(("before", "after"), pair, strict=True)
        ],
    }


def _print_result(result: TrainingResult, path: Path | None) -> None:
    print_table(
        ("CASES", "PROGRAM", "SCORE", *map(str.upper, result.dev[0].parts), "CALLS", "TOKENS", "USD"),
        [
            (
                side, when, f"{m.score:.3f}", *(f"{part:.3f}" for part in m.parts.values()),
                f"{m.spent.calls:,}", f"{m.spent.tokens:,}", "unknown" if m.spent.usd is None else f"{m.spent.usd:.4f}",
            )
            for side, pair in (("train", result.train), ("dev", result.dev))
            for when, m in zip(("before", "after"), pair, strict=True)
        ],
    )  # fmt: skip
    if path:
        print_line(f"Saved: {path}")
        print_line(name_program(f"Use it: {_name_command(result.program.mode)} --model NAME --program {path}"))
    elif result.is_unmeasured:
        print_line("Not saved: no job on the held-out drugs scored above 0, so nothing was measured.")
    elif result.changed:
        print_line("Not saved: the new program scores worse on the held-out drugs.")
    else:
        print_line("Not saved: no better program was found.")


def _name_command(program: str) -> str:
    """The command that uses programs of this mode: of several, that of the mode that is listed last."""
    mode = [one for one in MODES.values() if one.program == program][-1]
    return f"storm {mode.command} {_GIVEN[mode.kinds[0]]}"
