"""An optimisation with DSPy from end to end, offline: a researcher and a writer learn from the drug in one line of
optimize_example.jsonl, and are measured on the other by a custom metric. The model is scripted.

    python scripts/optimize_example.py better.json && storm run metformin --program better.json --model …
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from statistics import fmean
from typing import Any

import dspy
from scripted_model import scripted_lm

from storm.programs import AnswerSynthesizer, BroadResearcher, DossierProgram, SupportJudge, read_examples


def metric(example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
    """One third for sources, two thirds for supported statements; with feedback on what is lacking."""
    questions, counts = prediction.coverage.questions, [answer.counts for answer in prediction.dossier.answers]
    lacking = [f"{q.label} has {q.sources} of the {q.min_sources} sources." for q in questions if not q.sufficient]
    lost = sum(count.written - count.supported for count in counts)
    covered = fmean(min(1, q.sources / q.min_sources) for q in questions)
    supported = fmean(count.supported / max(1, count.written) for count in counts) if counts else 0.0
    feedback = [*lacking, *([f"{lost} statements are not supported by their source."] if lost else [])]
    return dspy.Prediction(score=(covered + 2 * supported) / 3, feedback="\n".join(feedback) or "Nothing is lacking.")


def main(path: str) -> None:
    """Optimise, measure before and after, save."""
    program = DossierProgram(BroadResearcher(), AnswerSynthesizer(judge=SupportJudge()))
    examples = read_examples(Path(__file__).with_suffix(".jsonl"))
    train, held_out = examples[:1], examples[1:]
    lm = scripted_lm()
    with dspy.context(lm=lm):
        evaluate = dspy.Evaluate(devset=held_out, metric=metric, num_threads=1)
        optimizer = dspy.GEPA(metric, max_metric_calls=6, reflection_lm=lm, reflection_minibatch_size=1, num_threads=1)
        with redirect_stdout(sys.stderr):  # DSPy prints its progress
            better = optimizer.compile(program, trainset=train, valset=train)
        print(f"before: {evaluate(program).score}\nafter: {evaluate(better).score}")
    better.save(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "better.json")
