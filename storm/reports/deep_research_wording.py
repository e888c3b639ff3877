"""The sentences that the reader of an answer to one question sees."""

from __future__ import annotations

from storm.models import ItemState, StopReason

# What was asked
READ = "Read as one question, with {items}."
CONTEXT = "Said before it: {context}"
SCOPE_IN, SCOPE_OUT, KEY_TERMS = "It covers: {scope}.", "It leaves out: {scope}.", "Key terms: {terms}."

# The answer
DISAGREE = "Sources disagree on {endpoint}{where}: {sides}"
MISSING, ABOVE = "{label} {why}.", "{label} see the statements above {marks}"
NOT_RESEARCHED = "it could not be researched ({why})"
SEARCHES_FAILED = "its searches failed: {failures}; this is not an empty result"
NEVER_SEARCHED = "it was not searched for"
CUT_SHORT = "the work on it was cut off before its sources were all read"
NO_STATEMENT = "sources were found, but in none of them was a sentence recognised that answers it"
NOTHING_AGAINST = (
    "no sentence on this was recognised in the {sources} that were read for it, which does not prove that there is none"
)
NOTHING_FOUND = "no source was found for it in what was searched"
SOME_FAILED = "; some of its searches failed: {failures}"
NOTHING = "Nothing that answers this question was found in what was searched ({databases})."
NOT_ENGLISH = (
    "Without a language model only questions in English are understood, and this one seems to be in another language: "
    "ask it in English, or with a model."
)
NOTHING_YET = "Nothing that answers this question was written before the work was cut off."
NO_ITEM_RESEARCHED = "No item of the question could be researched, so there is no answer. {tried}"
NO_SEARCH_SUCCEEDED = "No search succeeded, so there is no answer. {tried}"
TRIED, NOT_TRIED = "Tried: {failures}.", "No database was searched."
TRIED_AND_FAILED = "These searches failed, and are not empty results: {failures}."

# The checklist
COVERAGE_HEAD = ("Item", "State", "Why", "Sources")
STATES = {
    ItemState.SATISFIED: "✓ answered", ItemState.PARTIAL: "◐ in part", ItemState.UNSATISFIED: "⚠ not answered",
}  # fmt: skip
NOT_JUDGED = "it was not judged"
PARTIAL = "{item} - partial coverage"
WITH_REASON = "{item} ({reason})"
NONE_RECOGNISED = "– looked for, none recognised"
ITEMS = {ItemState.PARTIAL: "Answered in part: {items}.", ItemState.UNSATISFIED: "Not answered: {items}."}

# Limits
LIMITS, LIMITS_ARE = "Limits and gaps", "Limits and gaps: {limits}"
NONE_OPEN = "Every item of the checklist is answered."
NOTHING_ON = "Looked for, but in no source was a sentence on it recognised: {items}."
SEARCHED, FAILED = "Searched: {databases}.", "Searches that failed: {failures}."
WHY_ENDED_BEGINS = "The search ended because"
ENDED = f"{WHY_ENDED_BEGINS} {{why}}."
NO_ADVICE = "storm gives no advice on treatment: whether to take, change or stop a medicine is to be asked of a doctor."

# How it was searched
STEPS = (
    "The question was read as one with a single meaning, and divided into the items that a complete answer addresses. "
    "In each round what was open was searched for, the best records were filed as sources, each item was answered from "
    "its sources alone, and it was judged which are answered. {written}"
)
BY_RULES = "Rules put the statements into the answer, word for word."
BY_MODEL = (
    "A language model put the statements into the answer; one that it worded otherwise was checked against its quote "
    "again."
)
ROUNDS_SETTING = "in how many rounds it searches for what is open, at most"
ROUNDS_TITLE = "Rounds"
ROUNDS_HEAD = ("Round", "Searched for", "Results", "New sources", "New statements", "Items after it")
SEARCHES = "{item}: {queries}"
NO_SEARCH = "nothing"
COUNTS = "{satisfied} answered, {partial} in part, {unsatisfied} not"
WHY_ENDED = {
    StopReason.COMPLETE: "no item was left open",
    StopReason.NO_PROGRESS: "there was nothing left to search for",
    StopReason.MAX_ITERS: "it was to search in {rounds} at most",
    StopReason.BUDGET: "its time or budget was used up after {rounds}",
    StopReason.MODEL_ERROR: "the language model failed",
}
NOTHING_NEW = "two rounds in a row found nothing new"

# The sources
CONFIRMED = "confirmed by independent work in this answer"

# The end of a job
ITEM_LINE = "{state}: {item}"
ANSWERED = "Answered: {satisfied} of {items}, in {rounds}; it ended because {why}."


def introduce_item(label: str) -> str:
    """An item of the checklist before the statements on it; a question has its own mark."""
    return label if label.endswith("?") else f"{label}:"
