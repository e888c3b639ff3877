"""A model without a memory that plays every role of a report: what it replies follows from its prompt alone.

It says what the records say, word for word: what is measured is the program, not the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from _bibliographer import fields, inputs_of

from storm.ranking import split_sentences

#: What the report asks about: a sub-question for each, as many as are allowed.
MATTERS = (
    "survival", "cardiac", "biosimilar", "approval", "patent", "response", "resistance", "dose", "binding", "label",
    "fatigue", "anaemia", "relapse", "fertility", "pneumonia", "neuropathy", "pruritus", "hospital", "cognition",
    "mobility",
)  # fmt: skip
#: What each matter is searched with.
BESIDE = ("", "trial", "patients", "outcome")
#: What a weak answer is searched with again; every second answer is weak.
AGAIN, EVERY = ("follow-up", "subgroup"), 2
_MOST = 12
#: How many items a checklist has, and what its open items are searched with in each further round, in each place.
_ITEMS, _ROUNDS = 5, (("follow-up", "subgroup"), ("registry", "elderly"), ("relapse", "tolerability"))

Inputs = Mapping[str, str]


def role_of(given: Inputs) -> str:
    """The role that asks, by a field that only its prompt has."""
    return next(role for field, role in _FIELDS.items() if field in given)


def reply_to(prompt: str) -> str:
    """What the model says."""
    given = inputs_of(prompt)
    return _REPLIES[role_of(given)](given)


def matter_of(given: Inputs) -> str:
    """The matter that a prompt on one question is about."""
    asked = given.get("item", given.get("question", "")).casefold()
    return next((matter for matter in MATTERS if matter in asked), "")


def _plan(given: Inputs) -> str:
    questions = [
        {
            "label": f"{matter.capitalize()} in cohorts",
            "description": f"What do records say of trastuzumab and {matter}?",
            "search_words": [f"{matter} {word}".strip() for word in BESIDE],
            "importance": 1 - place / 100,
        }
        for place, matter in enumerate(MATTERS[: int(given["most"])])
    ]
    return fields(
        intent="survey", complexity="complex", is_biomedical="True", also_look_up=["trastuzumab"], preferences={},
        questions=questions,
    )  # fmt: skip


def _search(given: Inputs) -> str:
    matter = matter_of(given)
    return fields(searches=[f"{matter} {word}".strip() for word in BESIDE][: int(given["most"])])


def _write(given: Inputs) -> str:
    """A whole sentence of each record; of few records several. What was wrong is not written again."""
    if given["problems"]:
        return fields(statements=[])
    pieces = _fenced(given["records"], "src_[0-9]+")
    each = max(1, _MOST // max(1, len(pieces)))
    statements = [
        {"text": sentence, "source_ids": [source], "quote": sentence}
        for source, text in pieces
        for sentence in _sentences(text)[:each]
    ]
    return fields(statements=statements[:_MOST])


def _judge(given: Inputs) -> str:
    numbers = re.findall(r"^Pair (\d+)\.", given["pairs"], re.M)
    return fields(verdicts=[{"number": int(number), "verdict": "supported"} for number in numbers])


def _compose(given: Inputs) -> str:
    numbers = [int(label.split()[1]) for label, _ in _fenced(given["statements"], "statement [0-9]+")]
    return fields(order=numbers[: int(given["most"])], disagreements=[], open_points=[])


def _digest(given: Inputs) -> str:
    return fields(digest=" ".join(text for _, text in _fenced(given["statements"], "statement [0-9]+")[:3]))


def _review(given: Inputs) -> str:
    keys = [key for key, _ in _fenced(given["answers"], '[a-z][^"]*')]
    weak = [
        {
            "question": key,
            "kinds": ["incomplete"],
            "reason": "",
            "searches": [f"{key.split('_')[0]} {w}" for w in AGAIN],
        }
        for key in keys[::EVERY]
    ]
    return fields(weak=[] if given["earlier_searches"] else weak)


def _outline(given: Inputs) -> str:
    asked = re.findall(r"^([a-z][\w.]*): (.+?)\. .*\n<untrusted", given["findings"], re.M)
    return fields(title="", headings=[{"heading": label, "level": 1, "questions": [key]} for key, label in asked])


def _section(given: Inputs) -> str:
    numbers = [int(label.split()[1]) for label, _ in _fenced(given["statements"], "statement [0-9]+")]
    sentences = [{"number": number, "text": ""} for number in numbers]
    return fields(paragraphs=[{"sentences": sentences[at : at + 3]} for at in range(0, len(sentences), 3)])


def _propose(given: Inputs) -> str:
    """A hypothesis whose target is the longest other word of the first statement."""
    drug = re.findall(r"[\w-]+", given["drug"])[0]
    label, text = (_fenced(given["findings"], "S[0-9]+") or [("", "target")])[0]
    asked = f"{given['drug']} {given['disease']}"
    target = max((word for word in re.findall(r"[A-Za-z]+", text) if word not in asked), key=len, default="target")
    return fields(hypotheses=[{"drug": drug, "target": target, "target_ids": [label], "confidence": 0.5}])


def _assess(given: Inputs) -> str:
    """Half of the points, for the first statement."""
    said = [(label, text.partition(") ")[2]) for label, text in _fenced(given["findings"], "S[0-9]+")[:1]]
    score = {"score": 5, "reasons": [{"text": text, "statements": [label]} for label, text in said]}
    return fields(mechanism=score, clinical=score, confidence="0.5", is_enough="True", searches=[])


def _summarise(given: Inputs) -> str:
    """The first two statements."""
    said = _fenced(given["findings"], "S[0-9]+")[:2]
    return fields(sentences=[{"text": text, "statement": label} for label, text in said])


def _refine(given: Inputs) -> str:
    """The question as it was asked."""
    asked = re.findall(r"\n([^\n]*\?)", given["asked"])[0]
    return fields(question=asked, scope_in=[], scope_out=[], key_terms=["trastuzumab"])


def _plan_checklist(given: Inputs) -> str:
    items = [
        {
            "label": f"{matter.capitalize()} in cohorts",
            "description": f"What do records say of trastuzumab and {matter}?",
            "search_words": [f"{matter} {word}".strip() for word in BESIDE],
            "importance": 1 - place / 100,
        }
        for place, matter in enumerate(MATTERS[:_ITEMS])
    ]
    return fields(is_biomedical="True", checklist=items)


def _search_item(given: Inputs) -> str:
    matter = matter_of(given)
    return fields(pubmed_searches=[matter, f"{matter} trial"], web_searches=[f"{matter} patients", f"{matter} outcome"])


def _judge_items(given: Inputs) -> str:
    """Each item with statements is answered in part, and searched for with words that were not used before."""
    words = next((pair for pair in _ROUNDS if pair[0] not in given["earlier_searches"]), _ROUNDS[-1])
    judged = []
    for key, text in _fenced(given["checklist"], "[a-z][a-z0-9_.]*"):
        matter = next((one for one in MATTERS if one in text.casefold()), key)
        searches = [f"{matter} {word}" for word in words]
        numbers = re.findall(r"S\d+", text.partition("shown:")[2])
        judged.append(
            {"item": key, "state": "partial" if numbers else "unsatisfied", "statements": numbers[:3], "missing": "",
             "pubmed_searches": searches, "web_searches": searches}
        )  # fmt: skip
    return fields(judgements=judged)


def _fenced(text: str, label: str) -> list[tuple[str, str]]:
    """What stands between marks with such a label."""
    return re.findall(rf'<untrusted id="({label})">\n(.*?)\n</untrusted>', text, re.S)


def _sentences(piece: str) -> list[str]:
    """Whole sentences of a record, below its description."""
    body = piece.partition("\n\n")[2]
    found = (sentence.text.strip() for line in body.splitlines() for sentence in split_sentences(line))
    return [text for text in found if len(text.split()) > 6 and text[0].isupper() and text.endswith(".")]


_FIELDS = {
    "refined_by_rules": "refiner", "fewest": "checklist planner", "item": "item query writer",
    "checklist": "checklist judge",
    "targets": "hypothesizer", "judged_by_rules": "judge of hypotheses", "counts": "summary writer",
    "planned_by_rules": "planner", "records": "statement writer", "pairs": "judge", "words": "digester",
    "earlier_searches": "reflector", "kind": "outline writer", "heading": "section writer", "statements": "composer",
    "question": "query writer",
}  # fmt: skip
_REPLIES: Mapping[str, Callable[[Inputs], str]] = {
    "planner": _plan, "query writer": _search, "statement writer": _write, "judge": _judge, "composer": _compose,
    "digester": _digest, "reflector": _review, "outline writer": _outline, "section writer": _section,
    "hypothesizer": _propose, "judge of hypotheses": _assess, "summary writer": _summarise,
    "refiner": _refine, "checklist planner": _plan_checklist, "item query writer": _search_item,
    "checklist judge": _judge_items,
}  # fmt: skip
