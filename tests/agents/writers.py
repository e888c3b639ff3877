"""Sources to write about, and a scripted model that plays the writer, the composer and the judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from agents.scripted import asked, chat, engines

from storm.agents.budget import Budget, Limits
from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM
from storm.agents.scripted import Script
from storm.models import Citation, CollectedQuestion, Hit, Plan, Question, QuoteCheck, Source, Syllabus, citation_id

EFFICACY = Question(
    key="clinical.efficacy",
    label="Clinical efficacy",
    description="What trials found on survival and response",
    min_sources=2,
    focus=("survival", "response"),
)
PLAN = Plan(names=("zorvimab", "Zorvi"), syllabus=Syllabus(name="drug", questions=(EFFICACY,)))

#: A statement as a model writes it.
Wrote = dict[str, Any]


def source(number: int, text: str, title: str = "", **fields: Any) -> Source:
    """A collected source, filed under the question."""
    url = f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
    hit = Hit.of("pubmed", str(number), url, title or f"Zorvimab study {number}", text=text, **fields)
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(EFFICACY.key,))


def collected(question: Question, sources: Sequence[Source], *citations: Citation) -> CollectedQuestion:
    """A question with these sources, as a job hands it on."""
    return CollectedQuestion(question, tuple(sources), citations)


def cited(source: Source, quote: str, claim: str = "", check: QuoteCheck = QuoteCheck.VERIFIED) -> Citation:
    """What the research quoted of a source; for its title where no claim is given."""
    claim = claim or source.hit.title
    made = citation_id(source.hit.key, claim, quote)
    return Citation(citation_id=made, source_id=source.source_id, claim=claim, quote=quote, quote_check=check)


def wrote(source_id: str, quote: str, text: str = "") -> Wrote:
    """A statement, in the words of its quote where no other are given."""
    return {"text": text or quote, "source_ids": [source_id], "quote": quote}


def fences(text: str) -> list[tuple[str, str]]:
    """What is fenced in a prompt, with its labels."""
    return re.findall(r'<untrusted id="([^"]*)">\n(.*?)\n</untrusted>', text, re.S)


def role_of(prompt: str) -> str:
    """Who is asked: the writer, the composer or the judge."""
    fields = asked(prompt)
    return "writer" if "records" in fields else "judge" if "pairs" in fields else "composer"


#: How a part of a record is named above its text.
_PART = re.compile(r"^\([^\n]*\)\n", re.M)


def first_sentences(records: str) -> list[Wrote]:
    """What an honest and unimaginative writer makes of its records: the first sentence of each text."""
    return [
        wrote(label, re.split(r"\.\s", _PART.sub("", shown.partition("\n\n")[2] or shown).strip())[0].rstrip(".") + ".")
        for label, shown in fences(records)
        if "\nQuoted by the research" not in shown
    ]


def honest(
    write: Callable[[str], Sequence[Wrote]] = first_sentences,
    *,
    dialect: Callable[..., str] = chat,
    unsupported: Sequence[str] = (),
    disagreements: Sequence[dict[str, Any]] = (),
    open_points: Sequence[str] = (),
) -> Callable[[str], str]:
    """A model that writes so, keeps each statement in its order, and judges those with these words unsupported."""

    def reply(prompt: str) -> str:
        fields, role = asked(prompt), role_of(prompt)
        if role == "writer":
            return dialect(statements=list(write(fields["records"])))
        if role == "composer":
            numbers = list(range(1, len(fences(fields["statements"])) + 1))
            return dialect(order=numbers, disagreements=list(disagreements), open_points=list(open_points))
        pairs = [shown for label, shown in fences(fields["pairs"]) if label.startswith("statement")]
        return dialect(
            verdicts=[
                {"number": n, "verdict": "unsupported" if any(w in shown for w in unsupported) else "supported",
                 "reason": "the quote does not say so"}
                for n, shown in enumerate(pairs, start=1)
            ]
        )  # fmt: skip

    return reply


def metered(script: Script, calls: int | None = None, context: int | None = None) -> MeteredLM:
    """A model of ours that answers from the script, within a budget of so many calls."""
    budget = Budget(Limits(calls=calls), monotonic=lambda: 0.0)
    return MeteredLM(ModelChoice(name="openai/scripted", context=context), budget, "writer", **engines(script))
