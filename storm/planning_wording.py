"""How questions are read and headings are planned, in the words that readers see."""

from __future__ import annotations

#: How a question was read.
AMBIGUOUS_WORD = "{asked} is a name of several drugs ({drugs}); it was searched for as a word, not as one of them."
NOT_BIOMEDICAL = (
    "No drug, disease or other biomedical subject was recognised in the question: it is researched on the web."
)
NO_WEB = (
    "No drug, disease or other biomedical subject was recognised in the question. Such a question is researched on the "
    "web, which this job does not search."
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
MODEL_FAILED = "the language model failed ({message})"
NOT_READ_IN_LANGUAGE = (
    "The question is not in English. Its words are searched for as they are; what else it asks for was perhaps not "
    "recognised."
)
ASKED_OF = "What is known of this: {label}"
QUESTION_CUT = "Of the request, only the first {most:,} characters were read."

# The sections of a report on a question or topic
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
#: Why a score is 0 whatever a model says; the kind is "mechanism" or "clinical".
NO_STATEMENT_OF_KIND = "No statement of the {kind} kind supports or contradicts a hypothesis."
ONLY_AGAINST = "Every statement of the {kind} kind that bears on a hypothesis speaks against it."
