"""How questions are read and headings are planned, in the words that readers see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from storm.models import HypothesisStatus, ItemState
from storm.models.design import Design

#: How a question was read.
AMBIGUOUS_WORD = "{asked} is a name of several drugs ({drugs}); it was searched for as a word, not as one of them."
NOT_BIOMEDICAL = (
    "No drug, disease or other biomedical subject was recognised in the question: it is researched on the web."
)
NO_WEB = (
    "No drug, disease or other biomedical subject was recognised in the question. Such a question is researched on the "
    "web, which this job does not search; only its words were looked for."
)
PLANNED_BY_RULES = "Rules planned the questions of this report, since {reason}."
#: What rules did in place of a language model, and why.
SEARCHES_BY_RULES = "Rules wrote the searches for {names}, since {reason}."
REVIEWED_BY_RULES = "Rules reviewed the answers (review {rounds}), since {reason}."
OUTLINED_BY_RULES = "Rules planned the sections of this report, since {reason}."
WRITTEN_BY_RULES = "Rules put the statements into the sections {names}, since {reason}."
PROPOSED_BY_RULES = "Rules proposed the hypotheses (round {rounds}), since {reason}."
OTHER_DRUG = "The language model proposed {count} for another drug, left out."
JUDGED_BY_RULES = "Rules judged the evidence (round {rounds}), since {reason}."
SUMMARY_BY_RULES = "Rules wrote the executive summary, since {reason}."
REFINED_BY_RULES = "Rules read the question, since {reason}."
CHECKED_BY_RULES = "Rules judged which items of the checklist are answered (round {rounds}), since {reason}."
#: Why an item of a checklist has its state, and what a model found missing.
ITEM_REASONS = {
    ItemState.SATISFIED: "It is answered by {statements} from {sources}.",
    ItemState.PARTIAL: "It is answered in part by {statements} from {sources}.",
    ItemState.UNSATISFIED: "No statement answers it.",
}
ITEM_MISSING = "Missing: {missing}."
MODEL_FAILED = "the language model failed ({message})"
NOT_READ_IN_LANGUAGE = (
    "The question is not in English. Its words are searched for as they are; what else it asks for was perhaps not "
    "recognised."
)
ASKED_OF = "What is known of this: {label}"
QUESTION_CUT = "Of the request, only the first {most:,} characters were read."

#: The items of a checklist on the question itself, each as its label and what it asks.
STRENGTH = (
    "Size of the effect, and how strong the evidence is",
    "How large the effect is, in what kind of studies it was seen, and how sure that is",
)
LIMITS = (
    "Results to the contrary, harms and limits",
    "Null or contradicting results, harms, and what limits the evidence",
)
STUDIES = ("What studies have found", "Findings of trials, cohorts and reviews on what is asked")
OPEN = ("What is uncertain or disputed", "Conflicting findings, and the limits of what is known")
CHECKLIST_CUT = "The checklist has the {most} most important of the {number} questions that were given."
SEVERAL_QUESTIONS = (
    "Several questions were asked at once: the first is answered as it stands, the others by their subject alone. "
    "Ask each on its own to have it answered."
)

# The sections of a report on a question or topic
ANSWER = "Answer"
COMPARED = "{label} compared"
COMPARED_WITH = "{label}: {first} compared with {second}"
PART_ANSWER = "Answer"
PART_BENEFITS, PART_RISKS, PART_CONSIDERATIONS = "Benefits", "Risks and limits", "Further considerations"
PART_IN_PEOPLE, PART_PRECLINICAL = "in people", "in animals or cells"
PART_OF_GROUP = "{heading} {group}"
NO_QUESTION_UNDER = "No question was researched under this heading."
NO_STATEMENT_UNDER = "No source that was found says anything on this."
ALL_ELSEWHERE = "What sources say on this stands in other sections, or where they disagree with each other."
NOT_READ = (
    "It was left out, as the language model gave no reply that can be read; what was found on it stands among the "
    "findings."
)
NOT_WRITTEN = "It was written twice and left out, as {fault}; what was found on it stands among the findings."
#: The headings of a repurposing report.
MECHANISTIC_FINDINGS, CLINICAL_FINDINGS = "Mechanistic findings", "Clinical findings"
#: The questions of a repurposing report.
MECHANISM_OF = "Targets and mechanism of {drug}"
ABOUT_MECHANISM = "What {drug} binds or inhibits, and what follows in the cell and the body"
TARGETS_IN = "Targets of {drug} in {disease}"
ABOUT_TARGETS = "What the targets of {drug} ({targets}) do in {disease}, whatever the drug"
IN_MODELS = "{drug} in animal and laboratory models of {disease}"
ABOUT_MODELS = "What {drug} does in animals, cells and other models of {disease}"
BENEFIT_IN = "{drug} in patients with {disease}"
ABOUT_BENEFIT = "What studies of patients with {disease} found on the effects of {drug}, with which effect sizes"
HARM_IN = "Harms of {drug} in patients with {disease}"
ABOUT_HARM = "Adverse events and risks of {drug} in patients with {disease}, with their rates"
#: How a request for one was read.
NOT_LISTED = (
    "No record of a drug database that was searched lists {asked}. It was searched for by this name alone; if it is a "
    "brand or a code, ask with the generic name."
)
DID_YOU_MEAN = " Did you mean {name}?"
NO_DRUG_DATABASE = (
    "No database of drugs was searched, so what {asked} is could not be looked up. It was searched for by this name "
    "alone; where databases are chosen, name chembl and openfda, too, for its other names and its targets."
)
NO_DRUG_NAMED = 'The request names no drug, so no hypotheses are made. Ask for one, as in "metformin for psoriasis".'
FIRST_DRUG = "The request names several drugs; the hypotheses are on {drug} alone, not on {others}."
FIRST_DISEASE = "The request names several diseases; the hypotheses are on {disease} alone, not on {others}."
NO_DISEASE = (
    'No disease was found in the request, so no hypotheses are made. Ask for one, as in "{drug} for psoriasis".'
)
#: The executive summary of a repurposing report, where rules write it.
NO_HYPOTHESES = "No hypotheses generated"
SUMMARY_UNTESTED = "{none} on how {drug} could act on {disease}: what the sources state was not joined to a mechanism."
SUMMARY_QUOTED = "{study}: “{quote}”"
SUMMARY_TESTED = "Proposed: {hypotheses} on how {drug} could act on {disease} ({statuses})."
SUMMARY_BEST = "Best supported: {mechanism} ({supported} for, {contradicted} against)."
SUMMARY_SCORES = (
    "Evidence: {mechanism} of 10 on mechanisms, {clinical} of 10 in patients; confidence {confidence} (0 to 1)."
)
#: What a quoted source is, where its design alone does not say it.
SOURCE_OF_DESIGN = {
    Design.OTHER: "source", Design.NO_STUDY: "record", Design.ANIMAL: "animal study",
    Design.IN_VITRO: "in vitro study", Design.IN_SILICO: "in silico study",
    Design.PHARMACOKINETIC: "pharmacokinetic study",
    Design.CASE_CONTROL: "case-control study", Design.CROSS_SECTIONAL: "cross-sectional study",
}  # fmt: skip
THE_DRUG, THE_DISEASE = "the drug", "the disease"
#: Why a score is 0 whatever a model says; the kind is "mechanism" or "clinical".
NO_STATEMENT_OF_KIND = "No statement of the {kind} kind supports or contradicts a hypothesis."
ONLY_AGAINST = "Every statement of the {kind} kind that bears on a hypothesis speaks against it."


def describe_statuses(statuses: Iterable[HypothesisStatus]) -> str:
    """How many hypotheses have each status: "1 supported, 2 untested"."""
    counts = Counter(statuses)
    shown = (HypothesisStatus.SUPPORTED, HypothesisStatus.MIXED, HypothesisStatus.CONTRADICTED,
             HypothesisStatus.UNTESTED)  # fmt: skip
    return ", ".join(f"{counts[status]:,} {status.value}" for status in shown if counts[status])


def count_hypotheses(number: int) -> str:
    """ "1 hypothesis", "3 hypotheses"."""
    return f"{number:,} {'hypothesis' if number == 1 else 'hypotheses'}"


def format_score(value: float) -> str:
    """A score or a confidence with at most two decimals: "7", "0.25"."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


#: Names that nothing searched knows as a drug's.
PERHAPS_A_TARGET = (
    "Nothing that was searched knows a drug by the name {asked}; it is written like that of a target. What is "
    "said here may be of several drugs that act on it; for one of them, ask for it by its own name."
)
PERHAPS_A_DISEASE = (
    "Nothing that was searched knows a drug by the name {asked}; it is written like the name of a disease. What is "
    "said here is of no drug of that name. Ask for a drug by its name, or with `storm report` about the disease."
)
